"""Give again what a check has found, while all that it has read is the very same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from solver.project.checks.index import Index, Reads
from solver.project.checks.registry import Check
from solver.project.kept import MOST
from solver.project.problems import Problem


class Look(NamedTuple):
    """Hold what a check has read of a document, and what it has found there."""

    reads: Reads
    found: tuple[Problem, ...]


_looks: dict[Check, tuple[Look, ...]] = {}


def seen_before(index: Index, look: Check) -> Iterator[Problem]:
    """Give what a check finds; it looks only where it has not looked before."""
    for one in _looks.get(look, ()):
        if index.is_same(one.reads):
            yield from one.found
            return
    reads, found = index.noting(), list[Problem]()
    for problem in look(index):
        found.append(problem)
        yield problem
    _looks[look] = (Look(reads, tuple(found)), *_looks.get(look, ()))[:MOST]
