"""What harnesses take from one step into the next: places, lengths, paths of webbing, points in play."""

from __future__ import annotations

from solver.engine.forces.laws import Laws
from solver.engine.forces.straps.arrays import (
    JUNCTION,
    LENGTH,
    STEPS_PER_S_BEFORE,
    STRAIN,
    SURFACE,
    TENSION,
    Straps,
)
from solver.engine.forces.straps.spools import Spools
from solver.engine.forces.stretching import remember
from solver.engine.jit.alone import alone
from solver.engine.jit.kernels import inner, kernel
from solver.engine.maths.copying import copy
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import added, read3, read9, transpose_on, write3

LOW, CLOSE = 0.5, 0.1
"""Lengths of a piece, in parts of that at the start, at which webbing runs through its mark, and at which
one of its points is taken out."""


@alone
@kernel
def end_straps(straps: Straps, spools: Spools, t: float) -> None:
    """Keep what has just been found: it is that of the end of an accepted step."""
    for k in range(len(straps.kind)):
        if straps.smooth[k] and t > spools.time_end[0]:
            # what slips through without friction has met the drag that its balance needs
            off = straps.seen[k, TENSION] - straps.seen[straps.left[k], TENSION]
            straps.dragged[0] += abs(off * straps.fed[k])
        straps.long_end[k] = straps.long[k]
        straps.depth_end[k] = -straps.gap[k]
        if straps.kind[k] == SURFACE and straps.prefers[k] == 0 and straps.right[k] >= 0:
            along = added(read3(straps.axis, k), read3(straps.axis, straps.left[k]))
            write3(straps.way_end, k, transpose_on(read9(straps.turn, k), along))
        write3(straps.x_end, k, read3(straps.x, k))
        straps.seen_end[k, STRAIN] = straps.seen[k, STRAIN]
        straps.seen_end[k, LENGTH] = straps.seen[k, LENGTH]
        d = straps.spool[k]
        if d >= 0:
            drawn = spools.present[d, 0] - spools.drawn[d]
            spools.drawn_end[d] = spools.present[d, 0]
            held = spools.locked[d] != 0 or spools.fired[d] != 0
            spools.given_end[d] = spools.given[d] + (max(drawn, 0.0) if held else 0.0)
            spools.locked_end[d] = int(held)
    spools.time_end[0] = t


@inner
def _let_run(straps: Straps, k: int) -> None:
    """Make the mark at one end of a short piece a place, if webbing runs through the other end.

    It would be drawn into the ring, or onto the spool; from now on webbing runs through it too.
    """
    after = straps.right[k]
    for at, other in ((k, after), (after, k)):
        runs = straps.marks[other] == 0 and straps.unknown[other] >= 0
        if straps.marks[at] and runs and straps.kind[other] != JUNCTION:
            straps.marks[at] = 0
            return


@inner
def _take_out(straps: Straps, h: int) -> bool:
    """Take one point out that has come too close to its neighbour, which holds the strap from now on."""
    for k in range(straps.first[h], straps.first[h + 1]):
        if straps.right[k] < 0 or straps.seen_end[k, LENGTH] > CLOSE * straps.laid[k]:
            continue
        for side in range(2):
            out = straps.right[k] if side == 0 else k
            if straps.kind[out] != SURFACE or straps.keeps[out]:
                continue
            before, after = straps.left[out], straps.right[out]
            straps.rest[before] += straps.rest[out]
            straps.laid[before] += straps.laid[out]
            straps.long_end[before] = straps.rest[before]
            # the two are one now, also to those who ask again before the next step ends
            straps.seen_end[before, LENGTH] += straps.seen_end[out, LENGTH]
            straps.right[before], straps.left[after] = after, before
            straps.right[out] = straps.unknown[out] = -1
            straps.seen[out, TENSION] = 0.0
            return True
    return False


@inner
def _number(straps: Straps, h: int) -> None:
    """Give the unknowns of a harness new numbers."""
    count = joins = 0
    for k in range(straps.first[h], straps.first[h + 1]):
        if straps.unknown[k] >= 0 and straps.kind[k] != JUNCTION:
            straps.unknown[k] = count
            count += 3 if straps.kind[k] == SURFACE else 1
    for k in range(straps.first[h], straps.first[h + 1]):
        if straps.join[k] == k:
            straps.unknown[k] = count + joins
            joins += 3
    for k in range(straps.first[h], straps.first[h + 1]):
        if straps.join[k] >= 0:
            straps.unknown[k] = straps.unknown[straps.join[k]]
    straps.size[h, 0] = count


@alone
@kernel
def remember_straps(straps: Straps, spools: Spools, laws: Laws, curves: Curves) -> None:
    """Take the end of the last step into the memory; again changes nothing."""
    spools.time[0] = spools.time_end[0]
    straps.newton[STEPS_PER_S_BEFORE] = 0.0
    copy(spools.drawn, spools.drawn_end)
    copy(spools.given, spools.given_end)
    for d in range(len(spools.point)):
        # a pretensioner that has fired holds the spool for good
        spools.locked[d] = max(spools.locked[d], spools.locked_end[d])
    for k in range(len(straps.kind)):
        straps.fed[k] = 0.0
        write3(straps.x, k, read3(straps.x_end, k))
        write3(straps.at, k, read3(straps.x_end, k))
        write3(straps.way, k, read3(straps.way_end, k))
        if straps.right[k] >= 0:
            straps.rest[k] = straps.long_end[k]
            if straps.rest[k] < LOW * straps.laid[k]:
                _let_run(straps, k)
            strain = straps.seen_end[k, STRAIN]
            remember(
                laws, curves, straps.law[k], straps.memory, k, straps.mode, straps.before[k], strain
            )
            straps.before[k] = strain
        if straps.flesh[k] >= 0:
            depth = straps.depth_end[k]
            remember(
                laws, curves, straps.flesh[k], straps.flesh_memory, k, straps.flesh_mode,
                straps.flesh_before[k], depth,
            )  # fmt: skip
            straps.flesh_before[k] = depth
    for h in range(len(straps.size)):
        if _take_out(straps, h):
            _number(straps, h)


@alone
def turn_straps(straps: Straps, laws: Laws, curves: Curves, h: int, t: float) -> int:
    """Let a harness begin to give back, or to take again, at the state just evaluated."""
    going = -straps.going[h]
    straps.going[h], straps.turned[h] = going, t
    for k in range(straps.first[h], straps.first[h + 1]):
        if straps.right[k] >= 0:
            strain = straps.seen[k, STRAIN]
            n = straps.law[k]
            remember(laws, curves, n, straps.memory, k, straps.mode, strain - going, strain)
            straps.before[k] = strain
    return int(going > 0.0)
