"""Film two runs side by side in one picture, at the same instants, seen alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.features.movie.film import Film, Shot
from app.features.movie.lettering import Picture
from solver.project import Project
from solver.results.trajectory import Trajectory

GAP_PX = 4

Subject = tuple[str, Project, Trajectory]
"""What a run is called, its model, and its instants."""


class Pair:
    """Hold two films of half the width; each bears the name of its run."""

    def __init__(self, left: Subject, right: Subject, shot: Shot, camera: Any = None) -> None:
        width, height = shot.size
        halves = ((width - GAP_PX) // 2, width - GAP_PX - (width - GAP_PX) // 2)
        self.shot = shot
        self._films: list[Film] = []
        for (name, project, run), half in zip((left, right), halves, strict=True):
            words = "\n".join(filter(None, (shot.title, name)))
            one = replace(shot, size=(half, height), title=words)
            self._films.append(Film(project, run, one, camera))
        self._films[0].scale_alike(self._films[1])
        self._drawn: list[Picture] = []

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the graphics memory back."""
        for film in self._films:
            film.close()

    def part(self, t: float) -> Picture | None:
        """Draw a part of one half of an instant (s); the last of both halves gives the whole."""
        half = self._films[len(self._drawn)].part(t)
        if half is None:
            return None
        self._drawn.append(half)
        if len(self._drawn) < len(self._films):
            return None
        gap = np.full((self.shot.size[1], GAP_PX, 3), 255, np.uint8)
        left, right = self._drawn
        self._drawn = []
        return np.concatenate([left, gap, right], axis=1)

    def picture(self, t: float) -> Picture:
        """Draw one instant (s) of both."""
        found = self.part(t)
        while found is None:
            found = self.part(t)
        return found

    def pictures(self, times: Sequence[float] | NDArray[np.float64]) -> Iterator[Picture]:
        """Draw one instant after the other."""
        for t in times:
            yield self.picture(float(t))
