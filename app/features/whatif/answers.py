"""What a slider's answers so far say of a value between them, before that is solved."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.forms.places import number_at
from solver.project import Project, ProjectError
from solver.project.changes import value_at, with_value

MOST = 64
"""So many answers are remembered."""
LEAST = 3
"""From so many on it can be told how far off a value between them may be."""

Figures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class About:
    """A figure before it is solved: its value, and how far off such a value has been."""

    value: float
    off: float


def between(answers: Sequence[tuple[float, Figures]], at: float) -> dict[str, About]:
    """Figures between the two answers next to a value, on the straight line that joins them.

    How far off they may be is by how much such a line misses those two, each left out in its turn, and by what a curve
    bent as much as they are would be off in the middle between them. Nothing is told beyond the answers.
    """
    known = sorted(dict(answers).items())
    values = [value for value, _ in known]
    if len(known) < LEAST or not values[0] <= at <= values[-1]:
        return {}
    k = max(bisect_left(values, at), 1)
    out = {}
    for name in set.intersection(*(set(found) for _, found in known)):
        y = [found[name] for _, found in known]
        missed = [
            _missed(values, y, n, values[k] - values[k - 1])
            for n in (k - 1, k)
            if 0 < n < len(known) - 1
        ]
        out[name] = About(_line(values, y, k - 1, k, at), max(missed))
    return out


def _missed(x: Sequence[float], y: Sequence[float], n: int, apart: float) -> float:
    """By how much the line between its neighbours misses an answer, or would miss one in the middle of such a width."""
    before, behind = x[n] - x[n - 1], x[n + 1] - x[n]
    return abs(_line(x, y, n - 1, n + 1, x[n]) - y[n]) * max(
        1.0, 0.25 * apart**2 / (before * behind)
    )


def _line(x: Sequence[float], y: Sequence[float], i: int, j: int, at: float) -> float:
    part = (at - x[i]) / (x[j] - x[i])
    return (1.0 - part) * y[i] + part * y[j]


class Answers:
    """Remember what models gave, and tell what those that differ in one number say of another."""

    def __init__(self) -> None:
        self._kept: deque[tuple[Project, Figures]] = deque(maxlen=MOST)

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()

    def add(self, project: Project, figures: Figures) -> None:
        """Keep what a model gave."""
        if not any(one is project for one, _ in self._kept):
            self._kept.append((project, figures))

    def about(self, project: Project, path: str) -> dict[str, About]:
        """What is known of a model from those that differ from it in one field."""
        at, answers = number_at(project, path), list[tuple[float, Figures]]()
        if at is None or len(self._kept) < LEAST:
            return {}
        for one, figures in self._kept:
            value = number_at(one, path)
            try:
                if value is not None and with_value(one, path, value_at(project, path)) == project:
                    answers.append((value, figures))
            except ProjectError:
                continue
        return between(answers, at)
