"""Give again what a check has found, while all that it has read is the very same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from solver.project.checks.index import Index, Reads
from solver.project.checks.registry import Check
from solver.project.kept import MOST
from solver.project.problems import Problem


class Look(NamedTuple):
    """Hold what a check has read of a document, what it was given besides, and what it has found there."""

    reads: Reads
    given: tuple[Any, ...]
    found: tuple[Problem, ...]


MOST_PATHS = 5000
"""So many parts of checks are kept; then all are looked at anew."""

_looks: dict[tuple[Any, str], tuple[Look, ...]] = {}


def seen_before(index: Index, look: Check) -> Iterator[Problem]:
    """Give what a check finds; it looks only where it has not looked before."""
    key = look, ""
    for one in _looks.get(key, ()):
        if index.is_same(one.reads):
            yield from one.found
            return
    reads, found = index.noting(), list[Problem]()
    for problem in look(index):
        found.append(problem)
        yield problem
    _looks[key] = (Look(reads, (), tuple(found)), *_looks.get(key, ()))[:MOST]


def each_seen_before(
    index: Index, look: Callable[..., Iterator[Problem]], path: str, *given: Any
) -> tuple[Problem, ...]:
    """Give what a part of a check finds at a path, where the check itself has to look again."""
    key = look, path
    for one in _looks.get(key, ()):
        same = len(given) == len(one.given) and all(map(_is_same, given, one.given))
        if same and index.is_same(one.reads):
            index.note_all(one.reads)
            return one.found
    if len(_looks) > MOST_PATHS:
        _looks.clear()
    with index.noting_apart() as reads:
        found = tuple(look(index, path, *given))
    _looks[key] = (Look(reads, given, found), *_looks.get(key, ()))[:MOST]
    return found


def _is_same(a: object, b: object) -> bool:
    return a is b or (isinstance(a, str) and a == b)
