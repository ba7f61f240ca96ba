"""Address parts of the document: `segments/head/mass_kg`, list items by id or by number from 0."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from solver.base.words import NOTHING, Sentence
from solver.project.document import Project
from solver.project.problems import Problem, ProjectError, did_you_mean, error
from solver.project.reading import validated


def with_change(project: Project, path: str, text: str) -> Project:
    """Give the project with the value at `path` set from text (JSON, or a plain word).

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
