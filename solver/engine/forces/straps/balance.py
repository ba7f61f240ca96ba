"""The balance of a harness: Newton's method on its conditions."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array
from solver.engine.forces.state import Around
from solver.engine.forces.straps.arrays import (
    AGAIN,
    E1,
    E2,
    JUNCTION,
    ROUNDS,
    SURFACE,
    UNBALANCED,
    N,
    Straps,
)
from solver.engine.forces.straps.rows import HALF, write_rows
from solver.engine.forces.straps.shape import Trial, axis_of, look, place
from solver.engine.jit.kernels import inlined, inner, kernel
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

NO_FORCE = 1e-10
"""Unbalanced force, in parts of the tension at a strain of one, that is none."""

LITTLE = 1e-3
"""Unbalanced force, in parts of the largest tension, after which a round is expected to be the last."""

ROUND, NEAR, SHARP_CORNERS = 1e-4, 1e-6, 1e-8
"""Roundness of corners with which the long way begins, that is small enough where sharp ones lead nowhere,
and from which on they are sharp, in parts of the tension at a strain of one."""

UPHILL = 2.0
"""By how much the sum of squares of what does not hold may grow in a round that is not taken back."""

BETTER = 0.9
"""Part to which the sum of squares falls in a round that does not go around in circles."""

WORTH = 0.1
"""Size of a pivot on the diagonal, in parts of the largest one, from which on rows are not exchanged."""

FEW, MANY = 15, 40
"""Rounds before another way is tried, and before it is given up."""


@inner
def _move(straps: Straps, h: int, scale: float) -> None:
    """Move all points, and feed webbing, by the solution."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    b = work.residual
    for k in range(model.first[h], model.first[h + 1]):
        u, kind = memory.unknown[k], model.kind[k]
        if u < 0:
            continue
        if kind == JUNCTION:
            way = scaled(scale, read(b, u))
        elif kind == SURFACE:
            c = scale * b[u + 1]
            if not memory.marks[k]:
                work.fed[k] += c
                c = 0.0
            aside = plus(scaled(b[u], axis_of(straps, k, E1)), b[u + 2], axis_of(straps, k, N))
            way = plus(scaled(scale, aside), c, axis_of(straps, k, E2))
        else:
            work.fed[k] += scale * b[u]
            continue
        add3(work.x, k, transpose_on(read9(work.turn, k), way))


@inner
def _move_on(straps: Straps, per_s: float, low: int, high: int) -> None:
    """Begin where points and webbing would be if they moved on evenly since the memory."""
    memory, work = straps.memory, straps.workspace
    before, x, at = memory.per_s_before[0], work.x, memory.at
    if before == 0.0 or per_s == 0.0:
        return
    part = before / per_s
    for k in range(low, high):
        if memory.unknown[k] >= 0:
            work.fed[k] *= part
            start = read3(at, k)
            write3(x, k, plus(start, part, less(read3(x, k), start)))


class Search(NamedTuple):
    """One over the time since the memory, how round corners are (N), the longest way (m), tension at a strain of one."""

    per_s: float
    rounding: float
    longest: float
    strength: float


@inner
def balance(straps: Straps, around: Around, per_s: float, h: int) -> None:
    """Slide and feed until every condition of harness h holds.

    First from where it was last found, with corners as sharp as they are. If that leads nowhere, from
    the memory, with round corners that are sharpened again and again.
    """
    model, memory, work = straps.model, straps.memory, straps.workspace
    low, high = model.first[h], model.first[h + 1]
    _move_on(straps, per_s, low, high)
    short, strong = 1e30, 0.0
    for k in range(low, high):
        place(straps, around.surfaces, around.motion, k)
        if memory.right[k] >= 0:
            short = min(short, memory.rest[k])
        strong = max(strong, model.stiff[k])
    sharp = Search(per_s, 0.0, 0.3 * short, strong)
    enough = ENOUGH * strong
    if _solve(straps, around, sharp, h, FEW) <= enough:
        return
    work.counts[AGAIN] += 1
    for k in range(low, high):
        work.fed[k] = 0.0
        write3(work.x, k, read3(memory.at, k))
    near, rounding = False, ROUND * strong
    while rounding > SHARP_CORNERS * strong:
        off = _solve(straps, around, Search(per_s, rounding, 0.3 * short, strong), h, FEW)
        if off == 0.0 and rounding < 2.0 * NEAR * strong:
            _exchange(straps, work.found, low, high, True)
            near = True
        rounding *= 0.1
    if _solve(straps, around, sharp, h, MANY) <= enough:
        return
    if near:
        # with corners that are a little round there is a balance
        _exchange(straps, work.found, low, high, False)
        look(straps, around, low, high)
    else:
        work.counts[UNBALANCED] += 1


@inner
def _solve(straps: Straps, around: Around, search: Search, h: int, rounds: int) -> float:
    """Follow Newton's method for some rounds; return what is out of balance, zero where nothing is.

    Points are slowed down the more, the less that helps (Levenberg and Marquardt's way); a round after
    which much less holds than before is taken back.
    """
    model, memory, work = straps.model, straps.memory, straps.workspace
    low, high = model.first[h], model.first[h + 1]
    n, border = memory.size[h, 0], memory.size[h, 1]
    off = last = 0.0
    slow = part = 1.0
    for round_ in range(rounds):
        most = look(straps, around, low, high)
        slowing, damping = 0.01 * (slow - 1.0), off / search.longest
        # where little was out of balance, nothing may be now
        whole = round_ == 0 or off > LITTLE * most
        write_rows(straps, around, _trial(search, damping, slowing, whole), h)
        work.counts[ROUNDS] += 1
        worst = size = 0.0
        for i in range(n + border):
            worst = max(worst, abs(work.residual[i]))
            size += work.residual[i] * work.residual[i]
        if worst <= max(EXACT * most, NO_FORCE * search.strength):
            return 0.0
        if round_ > 0 and size > UPHILL * last and slow < 1e4:
            slow *= 8.0
            _exchange(straps, work.kept, low, high, False)
            continue
        slow = max(0.2 * slow, 1.0)
        if round_ > 2:
            part = max(0.5 * part, 0.1) if size > BETTER * last else min(2.0 * part, 1.0)
        off, last = worst, size
        _exchange(straps, work.kept, low, high, True)
        if not whole:
            write_rows(straps, around, _trial(search, damping, slowing, True), h)
        if round_ == rounds - 1 or not solve_arrow(work.matrix, work.residual, n, border, HALF):
            break
        far = _farthest(straps, n + border)
        if far > search.longest and off > damping * search.longest:
            # what is hardly taut would go astray
            write_rows(straps, around, _trial(search, off / search.longest, slowing, True), h)
            if not solve_arrow(work.matrix, work.residual, n, border, HALF):
                break
            far = _farthest(straps, n + border)
        _move(straps, h, min(part, search.longest / far) if far > 0.0 else 1.0)
    # the best that was found may be good enough
    _exchange(straps, work.kept, low, high, False)
    look(straps, around, low, high)
    return off


@inlined
def _trial(search: Search, damping: float, slowing: float, changes: bool) -> Trial:
    return Trial(search.per_s, search.rounding, damping, slowing, changes, False)


@inlined
def _farthest(straps: Straps, size: int) -> float:
    """The largest entry of the solution."""
    far = 0.0
    for i in range(size):
        far = max(far, abs(straps.workspace.residual[i]))
    return far


@inner
def _exchange(straps: Straps, kept: Array, low: int, high: int, keep: bool) -> None:
    """Keep where everything is, or go back to what was kept."""
    work = straps.workspace
    x, fed = work.x, work.fed
    for k in range(low, high):
        if keep:
            write3(kept, k, read3(x, k))
            kept[k, 3] = fed[k]
        else:
            write3(x, k, read3(kept, k))
            fed[k] = kept[k, 3]


# --- linear equations whose matrix has a band along the diagonal and a border: an arrow ------------


@kernel
def solve_arrow(a: Array, b: Array, n: int, border: int, half: int) -> bool:
    """Solve a x = b by elimination with pivots from the band; both are overwritten, b with x.

    Entry (i, j) is in the band if i and j differ by no more than `half`; the last `border` rows and columns are full. Says whether there is a solution.
    """
    size, far = n + border, half
    for k in range(size):
        low = min(k + half, n - 1) if k < n else size - 1
        pivot, worth = k, abs(a[k, k])
        for i in range(k + 1, low + 1):
            if abs(a[i, k]) > worth:
                pivot, worth = i, abs(a[i, k])
        if not worth > 0.0:
            return False
        if abs(a[k, k]) >= WORTH * worth:
            pivot = k
        # rows reach no further right than those that have been exchanged before
        far = max(far, pivot + half)
        right = min(far, n - 1) if k < n else size - 1
        if pivot != k:
            for j in range(k, right + 1):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            for j in range(n, size):
                if j > right:
                    a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            b[k], b[pivot] = b[pivot], b[k]
        inverse = 1.0 / a[k, k]
        i = k
        while i + 1 < size:
            i = i + 1 if i < low else max(i + 1, n)
            if i >= size:
                break
            if a[i, k] == 0.0:
                continue
            factor = a[i, k] * inverse
            for j in range(k + 1, right + 1):
                a[i, j] -= factor * a[k, j]
            for j in range(max(n, right + 1), size):
                a[i, j] -= factor * a[k, j]
            b[i] -= factor * b[k]
    for k in range(size - 1, -1, -1):
        right = min(k + 2 * half, n - 1) if k < n else size - 1
        x = b[k]
        for j in range(k + 1, right + 1):
            x -= a[k, j] * b[j]
        for j in range(max(n, right + 1), size):
            x -= a[k, j] * b[j]
        b[k] = x / a[k, k]
    return True
