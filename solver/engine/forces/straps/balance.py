"""The balance of a harness: Newton's method on its conditions."""

from __future__ import annotations

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.forces.laws import Laws
from solver.engine.forces.straps.arrays import (
    AGAIN,
    DAMPING,
    E1,
    E2,
    JUNCTION,
    LONGEST_WAY,
    OPEN,
    ROUNDING,
    ROUNDS,
    SLOWING,
    STEPS_PER_S,
    STEPS_PER_S_BEFORE,
    STRENGTH,
    SURFACE,
    N,
    Straps,
)
from solver.engine.forces.straps.rows import HALF, write_rows
from solver.engine.forces.straps.shape import axis_of, look, place
from solver.engine.forces.straps.spools import Spools
from solver.engine.forces.surfaces import Surfaces
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.arrow import solve_arrow
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import (
    add3,
    less,
    plus,
    read,
    read3,
    read9,
    scaled,
    transpose_on,
    write3,
)

EXACT = 1e-6
"""Unbalanced force, in parts of the largest tension, at which a harness is in balance."""

ENOUGH = 2e-5
"""Unbalanced force, in parts of the tension at a strain of one, that is left where no better is found."""

TINY = 1e-10
"""Unbalanced force, in parts of the tension at a strain of one, that is none."""

LITTLE = 1e-3
"""Unbalanced force, in parts of the largest tension, after which a round is expected to be the last."""

ROUND, NEAR, SHARP = 1e-4, 1e-6, 1e-8
"""Roundness of corners with which the long way begins, that is small enough where sharp ones lead nowhere,
and from which on they are sharp, in parts of the tension at a strain of one."""

UPHILL = 2.0
"""By how much the sum of squares of what does not hold may grow in a round that is not taken back."""

BETTER = 0.9
"""Part to which the sum of squares falls in a round that does not go around in circles."""

FEW, MANY = 15, 40
"""Rounds before another way is tried, and before it is given up."""


@inner
def _move(straps: Straps, h: int, scale: float) -> None:
    """Move all points, and feed webbing, by the solution."""
    b = straps.b
    for k in range(straps.first[h], straps.first[h + 1]):
        u, kind = straps.unknown[k], straps.kind[k]
        if u < 0:
            continue
        if kind == JUNCTION:
            way = scaled(scale, read(b, u))
        elif kind == SURFACE:
            c = scale * b[u + 1]
            if not straps.marks[k]:
                straps.fed[k] += c
                c = 0.0
            aside = plus(scaled(b[u], axis_of(straps, k, E1)), b[u + 2], axis_of(straps, k, N))
            way = plus(scaled(scale, aside), c, axis_of(straps, k, E2))
        else:
            straps.fed[k] += scale * b[u]
            continue
        add3(straps.x, k, transpose_on(read9(straps.turn, k), way))


@inner
def _move_on(straps: Straps, low: int, high: int) -> None:
    """Begin where points and webbing would be if they moved on evenly since the memory."""
    pace, before, x, at = (
        straps.newton[STEPS_PER_S],
        straps.newton[STEPS_PER_S_BEFORE],
        straps.x,
        straps.at,
    )
    if before == 0.0 or pace == 0.0:
        return
    part = before / pace
    for k in range(low, high):
        if straps.unknown[k] >= 0:
            straps.fed[k] *= part
            start = read3(at, k)
            write3(x, k, plus(start, part, less(read3(x, k), start)))


@inner
def balance(
    straps: Straps, spools: Spools, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    h: int,
) -> None:  # fmt: skip
    """Slide and feed until every condition of harness h holds.

    First from where it was last found, with corners as sharp as they are. If that leads nowhere, from
    the memory, with round corners that are sharpened again and again.
    """
    low, high, newton = straps.first[h], straps.first[h + 1], straps.newton
    _move_on(straps, low, high)
    short, strong = 1e30, 0.0
    for k in range(low, high):
        place(straps, surfaces, motion, k)
        if straps.right[k] >= 0:
            short = min(short, straps.rest[k])
        strong = max(strong, straps.stiff[k])
    newton[ROUNDING], newton[LONGEST_WAY], newton[STRENGTH] = 0.0, 0.3 * short, strong
    enough = ENOUGH * strong
    if _solve(straps, spools, laws, surfaces, curves, motion, h, FEW) <= enough:
        return
    straps.counts[AGAIN] += 1
    for k in range(low, high):
        straps.fed[k] = 0.0
        write3(straps.x, k, read3(straps.at, k))
    near = False
    newton[ROUNDING] = ROUND * strong
    while newton[ROUNDING] > SHARP * strong:
        off = _solve(straps, spools, laws, surfaces, curves, motion, h, FEW)
        if off == 0.0 and newton[ROUNDING] < 2.0 * NEAR * strong:
            _exchange(straps, straps.found, low, high, True)
            near = True
        newton[ROUNDING] *= 0.1
    newton[ROUNDING] = 0.0
    if _solve(straps, spools, laws, surfaces, curves, motion, h, MANY) <= enough:
        return
    if near:
        # with corners that are a little round there is a balance
        _exchange(straps, straps.found, low, high, False)
        look(straps, laws, surfaces, curves, motion, low, high)
    else:
        straps.counts[OPEN] += 1


@inner
def _solve(
    straps: Straps, spools: Spools, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    h: int, rounds: int,
) -> float:  # fmt: skip
    """Follow Newton's method for some rounds; give what is out of balance, zero where nothing is.

    Points are slowed down the more, the less that helps (Levenberg and Marquardt's way); a round after
    which much less holds than before is taken back.
    """
    low, high, newton = straps.first[h], straps.first[h + 1], straps.newton
    n, border = straps.size[h, 0], straps.size[h, 1]
    off = last = 0.0
    slow = part = 1.0
    for round_ in range(rounds):
        most = look(straps, laws, surfaces, curves, motion, low, high)
        newton[SLOWING], newton[DAMPING] = 0.01 * (slow - 1.0), off / newton[LONGEST_WAY]
        # where little was out of balance, nothing may be now
        whole = round_ == 0 or off > LITTLE * most
        write_rows(straps, spools, laws, curves, h, whole)
        straps.counts[ROUNDS] += 1
        worst = size = 0.0
        for i in range(n + border):
            worst = max(worst, abs(straps.b[i]))
            size += straps.b[i] * straps.b[i]
        if worst <= max(EXACT * most, TINY * newton[STRENGTH]):
            return 0.0
        if round_ > 0 and size > UPHILL * last and slow < 1e4:
            slow *= 8.0
            _exchange(straps, straps.kept, low, high, False)
            continue
        slow = max(0.2 * slow, 1.0)
        if round_ > 2:
            part = max(0.5 * part, 0.1) if size > BETTER * last else min(2.0 * part, 1.0)
        off, last = worst, size
        _exchange(straps, straps.kept, low, high, True)
        if not whole:
            write_rows(straps, spools, laws, curves, h, True)
        if round_ == rounds - 1 or not solve_arrow(straps.a, straps.b, n, border, HALF):
            break
        far = _farthest(straps, n + border)
        if far > newton[LONGEST_WAY] and off > newton[DAMPING] * newton[LONGEST_WAY]:
            # what is hardly taut would go astray
            newton[DAMPING] = off / newton[LONGEST_WAY]
            write_rows(straps, spools, laws, curves, h, True)
            if not solve_arrow(straps.a, straps.b, n, border, HALF):
                break
            far = _farthest(straps, n + border)
        _move(straps, h, min(part, newton[LONGEST_WAY] / far) if far > 0.0 else 1.0)
    # the best that was found may be good enough
    _exchange(straps, straps.kept, low, high, False)
    look(straps, laws, surfaces, curves, motion, low, high)
    return off


@inlined
def _farthest(straps: Straps, size: int) -> float:
    """Give the largest entry of the solution."""
    far = 0.0
    for i in range(size):
        far = max(far, abs(straps.b[i]))
    return far


@inner
def _exchange(straps: Straps, kept: Array, low: int, high: int, keep: bool) -> None:
    """Keep where everything is, or go back to what was kept."""
    for k in range(low, high):
        for n in range(3):
            if keep:
                kept[k, n] = straps.x[k, n]
            else:
                straps.x[k, n] = kept[k, n]
        if keep:
            kept[k, 3] = straps.fed[k]
        else:
            straps.fed[k] = kept[k, 3]
