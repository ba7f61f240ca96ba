"""The balance of a harness: Newton's method on its conditions."""

from __future__ import annotations

import math

from solver.dynamics.tree import Motion
from solver.forces.laws import Laws
from solver.forces.spools import Spools
from solver.forces.strap_rows import HALF, write_rows
from solver.forces.strap_shape import look, place
from solver.forces.straps import (
    AGAIN,
    CALM,
    JUNCTION,
    OPEN,
    ROUNDS,
    SLOW,
    SOFT,
    STEP,
    STRONG,
    SURFACE,
    Straps,
)
from solver.forces.surfaces import Surfaces
from solver.maths.arrow import solve_arrow
from solver.maths.curve import Curves
from solver.maths.kernels import inner

EXACT = 1e-6
"""Unbalanced force, in parts of the largest tension, at which a harness is in balance."""

ENOUGH = 2e-5
"""Unbalanced force, in parts of the tension at a strain of one, that is left where no better is found."""

SHARP = 1e-7
"""Roundness of corners, in parts of the tension at a strain of one."""

UPHILL = 2.0
"""By how much the sum of squares of what does not hold may grow in a round that is not taken back."""

FEW, MANY = 15, 40
"""Rounds before another way is tried, and before it is given up."""


@inner
def _move(straps: Straps, h: int, scale: float) -> None:
    """Move all points, and feed webbing, by the solution."""
    t, f, b, x = straps.turn, straps.frame, straps.b, straps.x
    for k in range(straps.first[h], straps.first[h + 1]):
        u, kind = straps.unknown[k], straps.kind[k]
        if u < 0:
            continue
        if kind == JUNCTION:
            dx, dy, dz = scale * b[u], scale * b[u + 1], scale * b[u + 2]
        elif kind == SURFACE:
            c = scale * b[u + 1]
            if not straps.marks[k]:
                straps.fed[k] += c
                c = 0.0
            dx = scale * (b[u] * f[k, 0] + b[u + 2] * f[k, 6]) + c * f[k, 3]
            dy = scale * (b[u] * f[k, 1] + b[u + 2] * f[k, 7]) + c * f[k, 4]
            dz = scale * (b[u] * f[k, 2] + b[u + 2] * f[k, 8]) + c * f[k, 5]
        else:
            straps.fed[k] += scale * b[u]
            continue
        for n in range(3):
            x[k, n] += t[k, n] * dx + t[k, 3 + n] * dy + t[k, 6 + n] * dz


@inner
def balance(
    straps: Straps, spools: Spools, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    h: int,
) -> None:  # fmt: skip
    """Slide and feed until every condition of harness h holds.

    First from where it was last found, with corners as sharp as they are. If that leads nowhere, from
    the memory, with round corners that are sharpened again and again.
    """
    low, high, calm = straps.first[h], straps.first[h + 1], straps.calm
    short, strong = 1e30, 0.0
    for k in range(low, high):
        place(straps, surfaces, motion, k)
        if straps.right[k] >= 0:
            short = min(short, straps.rest[k])
        strong = max(strong, straps.stiff[k])
    sharp = SHARP * strong
    calm[SOFT], calm[STEP], calm[STRONG] = sharp, 0.3 * short, strong
    if _solve(straps, spools, laws, surfaces, curves, motion, h, sharp, FEW):
        return
    straps.counts[AGAIN] += 1
    for k in range(low, high):
        straps.fed[k] = 0.0
        for n in range(3):
            straps.x[k, n] = straps.at[k, n]
    soft = 1e-5 * strong
    while soft > sharp:
        calm[SOFT] = soft
        _solve(straps, spools, laws, surfaces, curves, motion, h, soft, FEW)
        soft *= 0.1
    calm[SOFT] = sharp
    if not _solve(straps, spools, laws, surfaces, curves, motion, h, sharp, MANY):
        straps.counts[OPEN] += 1


@inner
def _solve(
    straps: Straps, spools: Spools, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    h: int, soft: float, rounds: int,
) -> bool:  # fmt: skip
    """Follow Newton's method for some rounds; say whether all conditions hold.

    Points are slowed down the more, the less that helps (Levenberg and Marquardt's way); a round after
    which much less holds than before is taken back.
    """
    low, high, calm = straps.first[h], straps.first[h + 1], straps.calm
    n, border = straps.size[h, 0], straps.size[h, 1]
    off = last = 0.0
    slow = 1.0
    for round_ in range(rounds):
        most = look(straps, laws, surfaces, curves, motion, low, high)
        # the way across at which stretching takes over from turning goes with the root of the force
        calm[SLOW] = 0.01 * (slow - 1.0)
        calm[CALM] = 0.03 * math.sqrt(calm[STRONG] * off) / calm[STEP]
        write_rows(straps, spools, laws, curves, h)
        straps.counts[ROUNDS] += 1
        worst = size = 0.0
        for i in range(n + border):
            worst = max(worst, abs(straps.b[i]))
            size += straps.b[i] * straps.b[i]
        if worst <= max(EXACT * most, 0.01 * soft):
            return True
        if round_ > 0 and size > UPHILL * last and slow < 1e4:
            slow *= 8.0
            _exchange(straps, low, high, False)
            continue
        slow = max(0.2 * slow, 1.0)
        off, last = worst, size
        _exchange(straps, low, high, True)
        if round_ == rounds - 1 or not solve_arrow(straps.a, straps.b, n, border, HALF):
            break
        far = 0.0
        for i in range(n + border):
            far = max(far, abs(straps.b[i]))
        _move(straps, h, min(1.0, calm[STEP] / far) if far > 0.0 else 1.0)
    # the best that was found may be good enough
    _exchange(straps, low, high, False)
    look(straps, laws, surfaces, curves, motion, low, high)
    return bool(off <= ENOUGH * calm[STRONG])


@inner
def _exchange(straps: Straps, low: int, high: int, keep: bool) -> None:
    """Keep where everything is, or go back to what was kept."""
    for k in range(low, high):
        for n in range(3):
            if keep:
                straps.kept[k, n] = straps.x[k, n]
            else:
                straps.x[k, n] = straps.kept[k, n]
        if keep:
            straps.kept[k, 3] = straps.fed[k]
        else:
            straps.fed[k] = straps.kept[k, 3]
