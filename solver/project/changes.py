"""Change a project by giving a new one that shares every untouched part with the old."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import ValidationError

from solver.base.words import Sentence
from solver.project.document import Project
from solver.project.fields import Part
from solver.project.problems import ProjectError, did_you_mean, error, problems_of


def value_at(project: Project, path: str) -> Any:
    """What a path leads to; raises ProjectError where it leads nowhere."""
    here: Any = project
    for word in words_of(path):
        here = _below(here, word, path)
    return here


def with_value(project: Project, path: str, value: Any) -> Project:
    """Give the project with another value at `path`, checked for type and range.

    `value` may be plain data or parts. Raises ProjectError, with whole paths, where it does not fit.
    """
    words = words_of(path)
    if not words:
        raise ProjectError([error("set-path", path, "The path is empty.")])
    changed: Project = _changed(project, words, value, path, "")
    return changed


def checked(model: type[Part], values: dict[str, Any], path: str = "") -> Any:
    """Make a part from its fields; raises ProjectError whose paths begin with `path`."""
    try:
        return model.model_validate(values)
    except ValidationError as failure:
        found = problems_of(failure, values, model)
        ahead = f"{path}/" if path else ""
        raise ProjectError(replace(p, path=f"{ahead}{p.path}".rstrip("/")) for p in found) from None


def plain(value: Any) -> Any:
    """A value as the document has it: arrays and numbers of numpy become lists and plain numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def words_of(path: str) -> list[str]:
    """Cut a path into its words."""
    return [word for word in path.split("/") if word]


def _changed(here: Any, words: Sequence[str], value: Any, path: str, behind: str) -> Any:
    """Rebuild the way down to the value; the part that holds it is checked again."""
    word = words[0]
    below = _below(here, word, path)
    ahead = f"{behind}/{word}" if behind else word
    inner = _changed(below, words[1:], value, path, ahead) if len(words) > 1 else value
    if isinstance(here, tuple):
        index = _index(here, word, path)
        return (*here[:index], inner, *here[index + 1 :])
    if isinstance(inner, Part) and len(words) > 1:
        return here.model_copy(update={word: inner})
    if isinstance(inner, tuple) and _holds_part_at(below, words[1:], path):
        return here.model_copy(update={word: inner})
    return checked(type(here), {**vars(here), word: inner}, behind)


def _holds_part_at(items: Any, words: Sequence[str], path: str) -> bool:
    """Whether the way leads through a part of a tuple, which has been checked by itself."""
    return (
        len(words) > 1
        and isinstance(items, tuple)
        and isinstance(_below(items, words[0], path), Part)
    )


def _below(here: Any, word: str, path: str) -> Any:
    if isinstance(here, Part):
        if word in type(here).model_fields:
            return getattr(here, word)
        raise _lost(word, type(here).model_fields, path)
    if isinstance(here, tuple):
        return here[_index(here, word, path)]
    raise ProjectError(
        [error("set-path", path, Sentence("There is nothing below '{word}'.", word=word))]
    )


def _index(items: tuple[Any, ...], word: str, path: str) -> int:
    """Find an entry by its id, or by its number from 0."""
    ids = [getattr(item, "id", None) for item in items]
    if word in ids:
        return ids.index(word)
    if word.isascii() and word.isdigit() and int(word) < len(items):
        return int(word)
    raise _lost(word, [one for one in ids if one], path)


def _lost(word: str, known: Iterable[str], path: str) -> ProjectError:
    hint = did_you_mean(word, known)
    return ProjectError(
        [error("set-path", path, Sentence("'{word}' is not found.", word=word), hint)]
    )
