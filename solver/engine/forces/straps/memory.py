"""What harnesses take from one step into the next: places, lengths, paths of webbing, points in play."""

from __future__ import annotations

from solver.engine.forces.laws import Laws
from solver.engine.forces.straps.arrays import (
    JUNCTION,
    LENGTH,
    STRAIN,
    SURFACE,
    TENSION,
    Straps,
)
from solver.engine.forces.straps.retractors import Retractors
from solver.engine.forces.stretching import remember
from solver.engine.jit.kernels import inner, kernel
from solver.engine.jit.separate import separate
from solver.engine.maths.copying import copy
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import added, read3, read9, transpose_on, write3

RUNS_THROUGH, CLOSE = 0.5, 0.1
"""Lengths of a piece, in parts of that at the start, at which webbing runs through its mark, and at which
one of its points is taken out."""


@separate
@kernel
def end_straps(straps: Straps, retractors: Retractors, t: float) -> None:
    """Keep what has just been found: it is that of the end of an accepted step."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    for k in range(len(model.kind)):
        if model.smooth[k] and t > retractors.time_end[0]:
            # what slips through without friction has met the drag that its balance needs
            off = work.seen[k, TENSION] - work.seen[memory.left[k], TENSION]
            memory.dragged[0] += abs(off * work.fed[k])
        memory.long_end[k] = work.long[k]
        memory.depth_end[k] = -work.gap[k]
        if model.kind[k] == SURFACE and model.prefers[k] == 0 and memory.right[k] >= 0:
            along = added(read3(work.axis, k), read3(work.axis, memory.left[k]))
            write3(memory.way_end, k, transpose_on(read9(work.turn, k), along))
        write3(memory.x_end, k, read3(work.x, k))
        memory.strain_end[k] = work.seen[k, STRAIN]
        memory.length_end[k] = work.seen[k, LENGTH]
        d = model.spool[k]
        if d >= 0:
            drawn = retractors.present[d, 0] - retractors.drawn[d]
            retractors.drawn_end[d] = retractors.present[d, 0]
            held = retractors.locked[d] != 0 or retractors.fired[d] != 0
            retractors.given_end[d] = retractors.given[d] + (max(drawn, 0.0) if held else 0.0)
            retractors.locked_end[d] = int(held)
    retractors.time_end[0] = t


@inner
def _let_run(straps: Straps, k: int) -> None:
    """Make the mark at one end of a short piece a place, if webbing runs through the other end.

    It would be drawn into the ring, or onto the spool; from now on webbing runs through it too.
    """
    memory = straps.memory
    after = memory.right[k]
    for at, other in ((k, after), (after, k)):
        runs = memory.marks[other] == 0 and memory.unknown[other] >= 0
        if memory.marks[at] and runs and straps.model.kind[other] != JUNCTION:
            memory.marks[at] = 0
            return


@inner
def _take_out(straps: Straps, h: int) -> bool:
    """Take one point out that has come too close to its neighbour, which holds the strap from now on."""
    model, memory = straps.model, straps.memory
    for k in range(model.first[h], model.first[h + 1]):
        if memory.right[k] < 0 or memory.length_end[k] > CLOSE * memory.laid[k]:
            continue
        for side in range(2):
            out = memory.right[k] if side == 0 else k
            if model.kind[out] != SURFACE or model.keeps[out]:
                continue
            before, after = memory.left[out], memory.right[out]
            memory.rest[before] += memory.rest[out]
            memory.laid[before] += memory.laid[out]
            memory.long_end[before] = memory.rest[before]
            # the two are one now, also to those who ask again before the next step ends
            memory.length_end[before] += memory.length_end[out]
            memory.right[before], memory.left[after] = after, before
            memory.right[out] = memory.unknown[out] = -1
            straps.workspace.seen[out, TENSION] = 0.0
            return True
    return False


@inner
def _number(straps: Straps, h: int) -> None:
    """Give the unknowns of a harness new numbers."""
    model, memory = straps.model, straps.memory
    count = joins = 0
    for k in range(model.first[h], model.first[h + 1]):
        if memory.unknown[k] >= 0 and model.kind[k] != JUNCTION:
            memory.unknown[k] = count
            count += 3 if model.kind[k] == SURFACE else 1
    for k in range(model.first[h], model.first[h + 1]):
        if model.join[k] == k:
            memory.unknown[k] = count + joins
            joins += 3
    for k in range(model.first[h], model.first[h + 1]):
        if model.join[k] >= 0:
            memory.unknown[k] = memory.unknown[model.join[k]]
    memory.size[h, 0] = count


@separate
@kernel
def remember_straps(straps: Straps, retractors: Retractors, laws: Laws, curves: Curves) -> None:
    """Take the end of the last step into the memory; again changes nothing."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    retractors.time[0] = retractors.time_end[0]
    memory.per_s_before[0] = 0.0
    copy(retractors.drawn, retractors.drawn_end)
    copy(retractors.given, retractors.given_end)
    for d in range(len(retractors.point)):
        # a pretensioner that has fired holds the spool for good
        retractors.locked[d] = max(retractors.locked[d], retractors.locked_end[d])
    for k in range(len(model.kind)):
        work.fed[k] = 0.0
        write3(work.x, k, read3(memory.x_end, k))
        write3(memory.at, k, read3(memory.x_end, k))
        write3(memory.way, k, read3(memory.way_end, k))
        if memory.right[k] >= 0:
            memory.rest[k] = memory.long_end[k]
            if memory.rest[k] < RUNS_THROUGH * memory.laid[k]:
                _let_run(straps, k)
            strain = memory.strain_end[k]
            remember(
                laws,
                curves,
                model.law[k],
                memory.webbing_memory,
                k,
                memory.webbing_mode,
                memory.webbing_strain[k],
                strain,
            )
            memory.webbing_strain[k] = strain
        if model.flesh[k] >= 0:
            depth = memory.depth_end[k]
            remember(
                laws, curves, model.flesh[k], memory.flesh_memory, k, memory.flesh_mode,
                memory.flesh_depth[k], depth,
            )  # fmt: skip
            memory.flesh_depth[k] = depth
    for h in range(len(memory.size)):
        if _take_out(straps, h):
            _number(straps, h)


@separate
def turn_straps(straps: Straps, laws: Laws, curves: Curves, h: int, t: float) -> int:
    """Let a harness begin to give back, or to take again, at the state just evaluated."""
    model, memory = straps.model, straps.memory
    going = -memory.going[h]
    memory.going[h], memory.turned[h] = going, t
    for k in range(model.first[h], model.first[h + 1]):
        if memory.right[k] >= 0:
            strain = straps.workspace.seen[k, STRAIN]
            n = model.law[k]
            remember(
                laws,
                curves,
                n,
                memory.webbing_memory,
                k,
                memory.webbing_mode,
                strain - going,
                strain,
            )
            memory.webbing_strain[k] = strain
    return int(going > 0.0)
