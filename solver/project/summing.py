"""Sines, exponentials and sums of forms as pieces for the engine.

A sine or an exponential is cut into pieces of fifth degree that share value, slope and curvature with the closed form at
both ends: with 48 of them in a turn it is met within 2e-10 of its size. Where its second derivative counts, as of a
prescribed place, pieces of seventh degree share the third derivative too, and that is met within 1e-9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

import numpy as np

from solver.engine.maths.curve import Curve
from solver.project.waves import Wave, derivative, pieces

Poly = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FineCurve(Curve):
    """A curve that also has pieces of seventh degree, for what is differentiated twice."""

    finer: tuple[Poly, ...] = ()


def wave_curve(form: Wave, fastest: float = 0.0) -> FineCurve:
    """The pieces of a sine or an exponential; end values hold beyond its ends."""
    count = pieces(form, fastest)
    at = np.linspace(form.x_min, form.x_max, count + 1).tolist()
    known = [[derivative(form, x, order) for order in range(4)] for x in at]
    h = (form.x_max - form.x_min) / count
    inner = [_hermite(a[:3], b[:3], h) for a, b in pairwise(known)]
    finer = [_hermite(a, b, h) for a, b in pairwise(known)]
    first, last = (known[0][0],), (known[-1][0],)
    return FineCurve((at[0], *at), (first, *inner, last), (first, *finer, last))


def _hermite(a: Sequence[float], b: Sequence[float], h: float) -> Poly:
    """The polynomial over a way h that has value and derivatives `a` at its start, `b` at its end."""
    n = len(a)
    head = [value / math.factorial(k) * h**k for k, value in enumerate(a)]
    # what is left at the end of each derivative, with the way as unit
    left = [b[j] * h**j - sum(head[k] * math.perm(k, j) for k in range(j, n)) for j in range(n)]
    tail = np.linalg.solve(_ENDS[n], np.array(left))
    return tuple(float(c) / h**k for k, c in enumerate((*head, *tail)))


_ENDS = {
    n: np.array([[math.perm(k, j) for k in range(n, 2 * n)] for j in range(n)], float)
    for n in (3, 4)
}
"""The derivatives, at 1, of the powers n to 2 n - 1."""


def added(curves: Sequence[Curve]) -> Curve:
    """The sum of curves, with a piece between any two of their breaks."""
    breaks = sorted({x for one in curves for x in one.start})
    start = (breaks[0], *breaks)
    rows = [[_from(one, x) for one in curves] for x in (None, *breaks)]
    poly = tuple(_summed([plain for plain, _ in row]) for row in rows)
    finer = tuple(_summed([fine for _, fine in row]) for row in rows)
    return FineCurve(start, poly, finer)


def _from(one: Curve, x: float | None) -> tuple[Poly, Poly]:
    """The piece of a curve that rules from an argument on, about it; before all breaks the first."""
    if x is None:
        return _both(one, 0, 0.0)
    i = max(int(np.searchsorted(one.start, x, side="right")) - 1, 0)
    return _both(one, i, x - one.start[i])


def _both(one: Curve, i: int, by: float) -> tuple[Poly, Poly]:
    plain = _moved(one.poly[i], by)
    return plain, _moved(one.finer[i], by) if isinstance(one, FineCurve) else plain


def _moved(poly: Poly, by: float) -> Poly:
    """Give the coefficients about another start."""
    if by == 0.0:
        return poly
    return tuple(
        sum(c * math.comb(n, k) * by ** (n - k) for n, c in enumerate(poly) if n >= k)
        for k in range(len(poly))
    )


def _summed(polys: Sequence[Poly]) -> Poly:
    return tuple(sum(cs) for cs in zip_longest(*polys, fillvalue=0.0))
