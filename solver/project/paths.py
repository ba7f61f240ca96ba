"""Address parts of the document: `segments/head/mass_kg`, list items by id or by number from 0."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from solver.base.words import NOTHING, Sentence
from solver.project.document import Project
from solver.project.fields import Part
from solver.project.problems import Problem, ProjectError, did_you_mean, error
from solver.project.reading import validated


def with_change(project: Project, path: str, text: str) -> Project:
    """The project with the value at `path` set from text (JSON, or a plain word).

    Raises ProjectError where the path leads nowhere or the value does not fit.
    """
    data = json.loads(project.model_dump_json())
    words = [w for w in path.strip("/").split("/") if w]
    if not words:
        raise ProjectError(
            [
                error(
                    "set-path",
                    path,
                    "The path is empty.",
                    "Write segments/head/mass_kg=5.",
                )
            ]
        )
    holder = _walk(data, words[:-1], path)
    key = _key(holder, words[-1], path)
    holder[key] = _parsed(text)
    return validated(data)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _walk(data: Any, words: Sequence[str], path: str) -> Any:
    here = data
    for word in words:
        here = here[_key(here, word, path)]
    return here


def _key(here: Any, word: str, path: str) -> Any:
    """Find the key or index that a word of a path stands for."""
    if isinstance(here, dict):
        if word in here:
            return word
        raise ProjectError([_unknown(word, here, path)])
    if isinstance(here, list):
        ids = [item.get("id") if isinstance(item, dict) else None for item in here]
        if word in ids:
            return ids.index(word)
        if word.isascii() and word.isdigit() and int(word) < len(here):
            return int(word)
        raise ProjectError([_unknown(word, [i for i in ids if i], path)])
    raise ProjectError(
        [error("set-path", path, Sentence("There is nothing below '{word}'.", word=word))]
    )


def _unknown(word: str, known: Any, path: str) -> Problem:
    names = [str(n) for n in known]
    hint = did_you_mean(word, names) or (
        Sentence("Known here: {names}.", names=", ".join(names[:8])) if names else NOTHING
    )
    return error("set-path", path, Sentence("'{word}' is not found.", word=word), hint)


# Say what differs between two projects: paths with the value before and the value after.


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold one field, or one whole element, that differs; None stands for what is not there."""

    path: str
    before: Any
    after: Any


def differences(before: Project, after: Project) -> tuple[Difference, ...]:
    """List what differs, in the order of the document; elements are matched by their ids.

    An element that only one of them has is one difference. A part that is of another kind is one
    too: its fields cannot be compared.
    """
    return tuple(_parts("", before, after))


def _parts(path: str, before: Part, after: Part) -> Iterator[Difference]:
    if type(before) is not type(after):
        yield Difference(path, before, after)
        return
    for name in type(before).model_fields:
        where = f"{path}/{name}" if path else name
        yield from _values(where, getattr(before, name), getattr(after, name))


def _values(path: str, before: Any, after: Any) -> Iterator[Difference]:
    if before is after or before == after:
        return
    if isinstance(before, Part) and isinstance(after, Part):
        yield from _parts(path, before, after)
    elif _holds_parts(before) or _holds_parts(after):
        yield from _lists(path, before or (), after or ())
    else:
        yield Difference(path, before, after)


def _lists(path: str, before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Difference]:
    """Compare two lists of parts: by ids where they have them, else by their places."""
    old, new = _by_name(before), _by_name(after)
    for name in dict.fromkeys((*old, *new)):
        where = f"{path}/{name}"
        if name in old and name in new:
            yield from _values(where, old[name], new[name])
        else:
            yield Difference(where, old.get(name), new.get(name))
    both = [name for name in old if name in new]
    if both != [name for name in new if name in old] and all(_has_id(one) for one in before):
        yield Difference(path, tuple(old), tuple(new))


def _by_name(items: tuple[Any, ...]) -> dict[str, Any]:
    if items and all(_has_id(one) for one in items):
        return {one.id: one for one in items}
    return {str(n): one for n, one in enumerate(items)}


def _has_id(part: Any) -> bool:
    return bool(getattr(part, "id", ""))


def _holds_parts(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Part)
