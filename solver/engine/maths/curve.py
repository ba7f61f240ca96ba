"""Functions of one variable as piecewise polynomials, with slopes and areas.

Constants, tables, fifth-degree polynomials and two ranges of them (section 7.5) are all pieces
`sum c[k] (x - start)^k`; before the first and after the last break the end value holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.jit.kernels import inlined, kernel, struct

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]
CURVE_COEFFICIENTS = 6
"""Number of coefficients: up to the fifth degree."""

NONE = -1
"""Number of a curve that is not there."""


@struct
class Curves(NamedTuple):
    """The pieces of all curves one behind the other; `first` counts them off.

    `area` is the integral from argument zero to each piece's start.
    """

    first: IntArray
    start: Array
    poly: Array
    area: Array


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve's pieces; the first one rules all that lies before it."""

    start: tuple[float, ...]
    poly: tuple[tuple[float, ...], ...]

    @property
    def breaks(self) -> tuple[float, ...]:
        """Give the arguments at which one piece follows another."""
        return self.start[1:]

    @property
    def one_sided(self) -> bool:
        """Whether nothing is said about arguments below zero."""
        return all(x >= 0.0 for x in self.breaks)


def constant(level: float) -> Curve:
    """Be the same everywhere."""
    return Curve((0.0,), ((level,),))


def table(x: Sequence[float], y: Sequence[float]) -> Curve:
    """Join points by straight lines; where two have one argument the later one holds from there."""
    start, poly = [x[0]], [(y[0],)]
    pieces: list[tuple[float, ...]] = list(poly)
    for x0, x1, y0, y1 in zip(x, x[1:], y, y[1:], strict=False):
        if x1 > x0:
            start.append(x0)
            pieces.append((y0, (y1 - y0) / (x1 - x0)))
    return Curve((*start, x[-1]), (*pieces, (y[-1],)))


def polynomial(coefficients: Sequence[float], low: float, high: float) -> Curve:
    """Be a polynomial of the plain argument between two ends."""
    moved = tuple(
        sum(c * comb(n, k) * low ** (n - k) for n, c in enumerate(coefficients) if n >= k)
        for k in range(len(coefficients))
    )
    end = sum(c * high**n for n, c in enumerate(coefficients))
    return Curve((low, low, high), ((moved[0],), moved, (end,)))


def split(first: Curve, second: Curve, at: float) -> Curve:
    """Follow the first curve below an argument, the second from there on."""
    lower = [(s, p) for s, p in zip(first.start, first.poly, strict=True) if s < at]
    lower = lower or [(first.start[0], first.poly[0])]
    starts = [*second.start[1:], float("inf")]
    upper = []
    for s, end, p in zip(second.start, starts, second.poly, strict=True):
        if end <= at:
            continue
        upper.append((s, p) if s >= at else (at, _moved(p, at - s)))
    if upper[0][0] > at:
        upper.insert(0, (at, upper[0][1]))
    both = [*lower, *upper]
    return Curve(tuple(s for s, _ in both), tuple(p for _, p in both))


def _moved(poly: tuple[float, ...], by: float) -> tuple[float, ...]:
    """Give the coefficients about another start."""
    return tuple(
        sum(c * comb(n, k) * by ** (n - k) for n, c in enumerate(poly) if n >= k)
        for k in range(len(poly))
    )


def joined(curves: Sequence[Curve]) -> Curves:
    """Put curves behind each other."""
    first = np.cumsum([0, *(len(c.start) for c in curves)]).astype(np.int64)
    poly = np.zeros((int(first[-1]), CURVE_COEFFICIENTS))
    for row, p in zip(poly, (p for c in curves for p in c.poly), strict=True):
        row[: len(p)] = p
    start = np.array([s for c in curves for s in c.start], float)
    out = Curves(first, start, poly, np.zeros(len(start)))
    for k in range(len(curves)):
        a, b = int(first[k]), int(first[k + 1])
        for i in range(a + 1, b):
            out.area[i] = out.area[i - 1] + _area(poly, i - 1, start[i] - start[i - 1])
        out.area[a:b] -= curve_area(out, k, 0.0)
    return out


@inlined
def _find(curves: Curves, k: int, x: float) -> int:
    """The piece that rules an argument."""
    start = curves.start
    low, high = curves.first[k], curves.first[k + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if start[middle] <= x:
            low = middle
        else:
            high = middle
    return int(low)


@inlined
def _is_straight(poly: Array, i: int) -> bool:
    """Whether a piece is a line, as those of most tables: the same numbers are found in fewer steps."""
    return bool(poly[i, 2] == 0.0 and poly[i, 3] == 0.0 and poly[i, 4] == 0.0 and poly[i, 5] == 0.0)


@kernel
def _area(poly: Array, i: int, s: float) -> float:
    """Integrate a piece from its start."""
    if _is_straight(poly, i):
        return float((poly[i, 1] / 2 * s + poly[i, 0]) * s)
    out = 0.0
    for k in range(CURVE_COEFFICIENTS - 1, -1, -1):
        out = (out + poly[i, k] / (k + 1)) * s
    return out


@inlined
def _on_piece(curves: Curves, i: int, x: float) -> tuple[float, float]:
    s, poly = x - curves.start[i], curves.poly
    if _is_straight(poly, i):
        return poly[i, 1] * s + poly[i, 0], poly[i, 1]
    y = slope = 0.0
    for n in range(CURVE_COEFFICIENTS - 1, -1, -1):
        slope = slope * s + y
        y = y * s + poly[i, n]
    return y, slope


@kernel
def curve_at(curves: Curves, k: int, x: float) -> tuple[float, float]:
    """Give value and slope of one curve; at a break those that come after it."""
    return _on_piece(curves, _find(curves, k, x), x)


@kernel
def curve_and_area(curves: Curves, k: int, x: float) -> tuple[float, float]:
    """Give value of one curve and its integral from zero to an argument."""
    i = _find(curves, k, x)
    y, _ = _on_piece(curves, i, x)
    return y, curves.area[i] + _area(curves.poly, i, x - curves.start[i])


@kernel
def curve_within(curves: Curves, k: int, x: float, within: float) -> tuple[float, float]:
    """Give value and slope of one curve by the piece that rules `within`, as at the end of a step."""
    return _on_piece(curves, _find(curves, k, within), x)


@kernel
def curve_bend(curves: Curves, k: int, x: float) -> float:
    """How fast the slope of one curve changes, breaks left out."""
    i = _find(curves, k, x)
    s, out = x - curves.start[i], 0.0
    for n in range(CURVE_COEFFICIENTS - 1, 1, -1):
        out = out * s + n * (n - 1) * curves.poly[i, n]
    return out


@kernel
def curve_area(curves: Curves, k: int, x: float) -> float:
    """The integral of one curve from zero to an argument."""
    i = _find(curves, k, x)
    return float(curves.area[i] + _area(curves.poly, i, x - curves.start[i]))
