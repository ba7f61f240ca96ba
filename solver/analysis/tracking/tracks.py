"""Tracks of markers: where each was at which time, with gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Refusal
from solver.engine.maths.rotation import Array

PLAIN = "x y z"
"""Axes of a file that are the ground's."""


class TrackError(Refusal, ValueError):
    """Say in one sentence what is wrong with marker data, or with what is asked of it."""


@dataclass(frozen=True, slots=True)
class Tracks:
    """Hold markers by `names`, seen at each `time` (s) at a `point` (T, N, 3; m, ground axes).

    A marker that was not seen is not a number there.
    """

    time: Array
    names: tuple[str, ...]
    point: Array

    def __post_init__(self) -> None:
        if self.point.shape != (len(self.time), len(self.names), 3):
            raise TrackError(
                "Tracks have three coordinates for each marker at each time; these have shape {shape}.",
                shape=self.point.shape,
            )
        if not len(self.time) or not self.names:
            raise TrackError("There are no tracks: no times, or no markers.")
        if not (np.isfinite(self.time).all() and (np.diff(self.time) > 0.0).all()):
            raise TrackError("The times of tracks grow from row to row; these do not.")
        twice = next((n for n in self.names if self.names.count(n) > 1), None)
        if twice is not None:
            raise TrackError("Two tracks are called '{name}'.", name=twice)

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Say which marker was seen when (T, N)."""
        return np.asarray(np.isfinite(self.point).all(axis=2))

    def of(self, name: str) -> Array:
        """Give the track of one marker (T, 3)."""
        if name not in self.names:
            raise TrackError(
                "There is no track '{name}'; there are {names}.",
                name=name,
                names=", ".join(self.names),
            )
        found: Array = self.point[:, self.names.index(name)]
        return found

    def at(self, time_s: float) -> dict[str, Array]:
        """Give the markers seen at a time, straight between the two samples about it (m)."""
        t = self.time
        if not t[0] <= time_s <= t[-1]:
            raise TrackError(
                "The tracks go from {first:g} to {last:g} s; {time_s:g} s is outside.",
                first=t[0],
                last=t[-1],
                time_s=time_s,
            )
        k = int(np.clip(np.searchsorted(t, time_s, side="right") - 1, 0, max(len(t) - 2, 0)))
        if time_s == t[k] or len(t) == 1:
            here = self.point[k]
        elif time_s == t[k + 1]:
            here = self.point[k + 1]
        else:
            part = (time_s - t[k]) / (t[k + 1] - t[k])
            here = (1.0 - part) * self.point[k] + part * self.point[k + 1]
        return {n: p for n, p in zip(self.names, here, strict=True) if np.isfinite(p).all()}

    def mean(self, time_s: float, over_s: float) -> dict[str, Array]:
        """Give the mean place of each marker seen within half of `over_s` to either side of a time (m)."""
        if over_s == 0.0:
            return self.at(time_s)
        near = np.abs(self.time - time_s) <= 0.5 * over_s + 1e-12
        if not near.any():
            raise TrackError(
                "The tracks have no instant within {half:g} s of {time_s:g} s.",
                half=0.5 * over_s,
                time_s=time_s,
            )
        out = {}
        for name, rows in zip(self.names, np.swapaxes(self.point[near], 0, 1), strict=True):
            there = rows[np.isfinite(rows).all(axis=1)]
            if len(there):
                out[name] = there.mean(axis=0)
        return out

    def between(self, begin_s: float, end_s: float) -> Tracks:
        """Give the part between two times, both included."""
        kept = (self.time >= begin_s) & (self.time <= end_s)
        return replace(self, time=self.time[kept], point=self.point[kept])

    def filled(self, longest_s: float) -> Tracks:
        """Fill gaps no longer than so much by straight lines; those at the ends stay."""
        point = self.point.copy()
        seen = self.seen
        for n in range(len(self.names)):
            there = np.flatnonzero(seen[:, n])
            for a, b in pairwise(there):
                if b - a > 1 and self.time[b] - self.time[a] <= longest_s:
                    inside = np.arange(a + 1, b)
                    part = (self.time[inside] - self.time[a]) / (self.time[b] - self.time[a])
                    way = point[b, n] - point[a, n]
                    point[inside, n] = point[a, n] + part[:, None] * way
        return replace(self, point=point)

    def mapped(self, axes: str) -> Tracks:
        """Give the tracks in ground axes: `x -z y` says that ground's y is against the file's z."""
        return replace(self, point=self.point @ axes_map(axes).T)

    def selected(self, names: Sequence[str]) -> Tracks:
        """Give the tracks of some markers, in this order."""
        return replace(
            self, names=tuple(names), point=np.stack([self.of(n) for n in names], axis=1)
        )


def axes_map(axes: str) -> Array:
    """Give the turn from the file's axes to the ground's, or say why `axes` names none."""
    words = axes.replace(",", " ").split()
    made = np.zeros((3, 3))
    for row, word in enumerate(words[:3]):
        name = word.lstrip("+-")
        if name in ("x", "y", "z"):
            made[row, "xyz".index(name)] = -1.0 if word.startswith("-") else 1.0
    if len(words) != 3 or not np.array_equal(made @ made.T, np.eye(3)):
        raise TrackError(
            "'{axes}' does not name each of x, y and z once, as in 'x -z y'.", axes=axes
        )
    if np.linalg.det(made) < 0.0:
        raise TrackError(
            "'{axes}' turns a right-handed frame into a left-handed one: everything would be mirrored.",
            axes=axes,
        )
    return made
