"""What is lost at least by who loads a law of section 7.5 from zero to a depth, wherever he then turns.

What is held on the way in is what any later path gives back at most: the work so far, less the least of
what turning here or anywhere deeper would lose. So a loss never comes back, and at a turn it only grows.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.maths.curve import Curve, joined
from solver.model.functions import Numbered

PIECES, LOOKS = 48, 16
"""How many pieces the curve has at least, and how many places of each are looked at."""

MISSED = 1e-6
"""Part of the most that is lost by which a piece may miss it."""


def least_lost(
    functions: Numbered, base: str, spike: str | None, ratio: float | str, offset: float | str
) -> int:
    """Give the number of that curve: by base, spike or none, part returned and offset kept."""
    name = repr(("least lost", base, spike, ratio, offset))
    if not functions.has(name):
        loads = [functions[one] for one in (base, spike) if one is not None]
        parts = [functions.curve(one) for one in (ratio, offset)]
        functions.add(name, _curve(loads, parts))
    return functions.number(name)


def _curve(loads: list[Curve], parts: list[Curve]) -> Curve:
    start = max(loads[0].start[0], 0.0)
    breaks = np.unique([x for one in (*loads, *parts) for x in one.start if x > start])
    end = 2.0 * (breaks[-1] if len(breaks) else start + 1.0) - start
    ends = np.unique([start, *breaks, end])
    count = max(PIECES // (len(ends) - 1), 1)
    cells = [np.linspace(a, b, count + 1) for a, b in pairwise(ends)]
    at = np.unique(np.concatenate(cells))
    share = np.arange(LOOKS) / LOOKS
    x = np.append((at[:-1, None] + share * np.diff(at)[:, None]).ravel(), at[-1])
    force, work = np.sum([_looked(one, x) for one in loads], axis=0)
    least = np.minimum.accumulate(_lost(x, force, work, loads[0], parts, start)[::-1])[::-1]
    y = least[::LOOKS]
    # cubics with the slopes at both ends, which rise wherever the values do; lines where these miss a corner
    h, steep = np.diff(at), np.diff(y) / np.diff(at)
    fine = np.diff(least).reshape(-1, LOOKS) / (h / LOOKS)[:, None]
    slopes = (1.5 * fine[:, [0, -1]] - 0.5 * fine[:, [1, -2]]).clip(0.0, 3.0 * steep[:, None])
    a, b = slopes.T
    poly = np.stack([y[:-1], a, (3.0 * steep - 2.0 * a - b) / h, (a + b - 2.0 * steep) / h**2])
    u = share[:, None] * h
    missed = np.abs(np.polynomial.polynomial.polyval(u, poly, tensor=False).T.ravel() - least[:-1])
    bent = np.max(missed.reshape(-1, LOOKS), axis=1) > MISSED * least[-1]
    starts: list[float] = [start]
    pieces: list[tuple[float, ...]] = [(0.0,)]
    for k, is_bent in enumerate(bent.tolist()):
        rows = range(k * LOOKS, (k + 1) * LOOKS) if is_bent else (k * LOOKS,)
        starts += [float(x[i]) for i in rows]
        pieces += (
            [(float(least[i]), float(fine[k, i % LOOKS])) for i in rows]
            if is_bent
            else [tuple(poly[:, k].tolist())]
        )
    return Curve((*starts, float(at[-1])), (*pieces, (float(y[-1]),)))


def _lost(
    x: Array, force: Array, work: Array, base: Curve, parts: list[Curve], start: float
) -> Array:
    """Give what turning at each place loses: (7.65), between zero and all that has been put in."""
    returned, kept = (_looked(one, x)[0] for one in parts)
    reach = force * (1.0 - kept) * (x - start)
    wanted = np.clip(returned * _looked(base, x)[1], reach / 3.0, 2.0 * reach / 3.0)
    gives_all = (returned >= 1.0) & (kept <= 0.0)
    lost: Array = np.where(gives_all, 0.0, np.maximum(work - wanted, 0.0))
    return lost


def _looked(one: Curve, x: Array) -> Array:
    """Give values and areas from zero of a curve."""
    made = joined([one])
    i = np.clip(np.searchsorted(made.start, x, side="right") - 1, 0, None)
    u, poly = x - made.start[i], made.poly[i]
    value, area = np.zeros(len(x)), np.zeros(len(x))
    for k in range(poly.shape[1] - 1, -1, -1):
        value = value * u + poly[:, k]
        area = area * u + poly[:, k] / (k + 1)
    return np.stack([value, made.area[i] + area * u])
