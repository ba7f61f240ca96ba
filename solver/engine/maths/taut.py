"""Draw a string taut over convex outlines in a plane, exactly: tangents that two outlines share.

The string runs from (0, 0) to (width, 0) above the line between them. Its normals outwards turn from
straight down by left, up and right to straight down again; `turn` is that angle, 0 to 2 pi. At every
turn one outline reaches farthest; the string leaves one for the next where both reach equally far.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.engine.maths.alike import dot, length
from solver.engine.maths.rotation import Array
from solver.engine.maths.sections import Outline, Spot

SAMPLES = 1440
SAME_REACH = 1e-13
"""Reaches (m) that differ by less are the same."""

ROUNDED = 2e-16
"""By so much (m) a reach of less than a metre may be rounded: Newton's method comes no nearer."""


@dataclass(frozen=True, slots=True)
class Touch:
    """One outline under the string: its number, the parameters of both tangents, the length."""

    outline: int
    start: float
    end: float
    first: Array
    last: Array
    length: float


@dataclass(frozen=True, slots=True)
class String:
    """A taut string: outlines in order, and the straight lengths (m) before, between, after."""

    touches: tuple[Touch, ...]
    free: tuple[float, ...]

    @property
    def length(self) -> float:
        """The whole length (m)."""
        return math.fsum((*self.free, *(touch.length for touch in self.touches)))


def taut(outlines: Sequence[Outline], width: float) -> String:
    """Draw the string; no outline may meet the line on which it ends, but between the ends."""
    return _Drawing(outlines, width).string()


def normal_at(turn: float) -> Array:
    """The normal outwards at a turn."""
    return np.array([-math.sin(turn), -math.cos(turn)])


class _Drawing:
    """Find the outlines that reach farthest; the two ends stand behind the outlines."""

    def __init__(self, outlines: Sequence[Outline], width: float) -> None:
        ends = [Spot(np.zeros(2)), Spot(np.array([width, 0.0]))]
        self.outlines: list[Outline] = [*outlines, *ends]
        self.count = len(outlines)

    def string(self) -> String:
        """Give touches and straight lengths."""
        switches = self.switches()
        touches: list[Touch] = []
        here, free = np.zeros(2), []
        for (begin, _, k), (end, _, _) in pairwise(switches):
            touch = self.touch(k, begin, end)
            free.append(length(touch.first - here))
            here = touch.last
            touches.append(touch)
        width = self.outlines[-1].place(0.0)
        free.append(length(width - here))
        return String(tuple(touches), tuple(free))

    def touch(self, k: int, begin: float, end: float) -> Touch:
        """Follow an outline between two turns."""
        outline = self.outlines[k]
        start, stop = outline.support(normal_at(begin)), outline.support(normal_at(end))
        on = (stop - start) % (2.0 * math.pi)
        # a touch in one point may come out as a whole turn, by rounding
        on = 0.0 if on > 2.0 * math.pi - 1e-6 and end - begin < math.pi else on
        length = outline.length(start, start + on)
        return Touch(k, start, start + on, outline.place(start), outline.place(start + on), length)

    def reach(self, k: int, turn: float) -> float:
        """How far an outline reaches; nothing where its farthest point lies below the line."""
        return self.reach_at(k, turn)[0]

    def reach_at(self, k: int, turn: float) -> tuple[float, Array]:
        """How far an outline reaches, and where."""
        normal = normal_at(turn)
        at = self.outlines[k].place(self.outlines[k].support(normal))
        return (dot(normal, at) if k >= self.count or at[1] >= 0.0 else -math.inf), at

    def farthest(self, turn: float) -> int:
        """The outline that reaches farthest at a turn."""
        return int(np.argmax([self.reach(k, turn) for k in range(len(self.outlines))]))

    def switches(self) -> list[tuple[float, int, int]]:
        """Give the turns at which one outline takes over from another: turn, old, new."""
        turns, owners = self.owners()
        out: list[tuple[float, int, int]] = []
        for m in np.flatnonzero(owners[1:] != owners[:-1]):
            out += self.between(turns[m], int(owners[m]), turns[m + 1], int(owners[m + 1]))
        return out

    def owners(self) -> tuple[Array, Array]:
        """Give turns, and the outline that reaches farthest at each; exactly where it changes."""
        turns = np.linspace(0.0, 2.0 * math.pi, SAMPLES + 1)
        heights = self.heights(turns)
        owners = np.argmax(heights, axis=0)
        owners[0], owners[-1] = self.count, self.count + 1
        hidden = self.hidden(turns, heights)
        places = np.searchsorted(turns, [turn for turn, _ in hidden])
        turns = np.insert(turns, places, [turn for turn, _ in hidden])
        owners = np.insert(owners, places, [k for _, k in hidden])
        known = np.zeros(len(turns), bool)
        known[[0, -1]] = True
        while True:
            changed = owners[1:] != owners[:-1]
            near = np.append(changed, False) | np.append(False, changed)
            todo = np.flatnonzero(near & ~known)
            if not len(todo):
                return turns, owners
            for m in todo:
                owners[m], known[m] = self.farthest(turns[m]), True

    def heights(self, turns: Array) -> Array:
        """Give roughly how far every outline reaches at every turn."""
        normals = np.stack([-np.sin(turns), -np.cos(turns)], axis=1)
        rows = []
        for k, outline in enumerate(self.outlines):
            far, at = outline.reaches(normals)
            rows.append(far if k >= self.count else np.where(at[:, 1] >= 0.0, far, -np.inf))
        return np.array(rows)

    def hidden(self, turns: Array, heights: Array) -> list[tuple[float, int]]:
        """Find outlines that reach farthest only for a moment, between two turns."""
        top = heights.max(axis=0)
        seen = heights[np.isfinite(heights)]
        near = float(seen.max() - seen.min()) * 2.0 * math.pi / SAMPLES
        out = []
        for k in range(self.count):
            lack = np.where(np.isfinite(heights[k]), top - heights[k], np.inf)
            low = (lack[1:-1] <= lack[:-2]) & (lack[1:-1] <= lack[2:])
            for m in 1 + np.flatnonzero(low & (lack[1:-1] > 0.0) & (lack[1:-1] < near)):
                turn = self.least_lack(k, turns[m - 1], turns[m + 1])
                if self.lack(k, turn) < -SAME_REACH:
                    out.append((turn, k))
        return sorted(out)

    def lack(self, k: int, turn: float) -> float:
        """By how much an outline reaches less far than the farthest of the others."""
        others = max(self.reach(i, turn) for i in range(len(self.outlines)) if i != k)
        return min(others - self.reach(k, turn), 1e300)

    def least_lack(self, k: int, low: float, high: float) -> float:
        """The turn between two at which an outline lacks least."""
        from scipy.optimize import minimize_scalar

        found = minimize_scalar(
            lambda turn: self.lack(k, turn),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-9},
        )
        return float(found.x)

    def between(self, low: float, i: int, high: float, j: int) -> list[tuple[float, int, int]]:
        """Find all switches on the way from i to j: the shared tangent, or two where another reaches farther."""
        turn = self.shared(low, i, high, j)
        level = self.reach(i, turn)
        others = [k for k in range(len(self.outlines)) if k not in (i, j)]
        k = max(others, key=lambda k: self.reach(k, turn), default=i)
        if self.reach(k, turn) <= level + SAME_REACH or high - low < SAME_REACH:
            return [(turn, i, j)]
        return [*self.between(low, i, turn, k), *self.between(turn, k, high, j)]

    def shared(self, low: float, i: int, high: float, j: int) -> float:
        """The turn at which two outlines reach equally far, by Newton's method in a bracket."""
        turn = 0.5 * (low + high)
        for _ in range(100):
            (far, here), (farther, there) = (self.reach_at(k, turn) for k in (i, j))
            gain = farther - far
            if abs(gain) < ROUNDED or high - low < 1e-16:
                break
            low, high = (turn, high) if gain < 0.0 else (low, turn)
            slope = dot(np.array([-math.cos(turn), math.sin(turn)]), there - here)
            new = turn - gain / slope if slope else math.inf
            if not low <= new <= high:
                new = 0.5 * (low + high)
            elif abs(new - turn) < 1e-15:
                return new
            turn = new
        return turn
