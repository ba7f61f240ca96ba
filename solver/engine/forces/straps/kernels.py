"""Harness belts: webbing without mass over points of several segments, with slip (later-program 1).

Between neighbouring points webbing runs straight, each piece with its own unstretched length. A point
is an anchor, a ring that webbing runs through, a junction of several straps, or a point on a surface:
a mark on the webbing that slides over the body, or a place of the body that webbing runs through.

At every evaluation the places and the webbing fed through are found at which all forces balance,
starting from the memory of the last accepted step: a point stays where it was in a direction while
friction can hold it there, and otherwise slides until friction just holds (Newton's method on the
conditions written as projections; Alart, Curnier, Comp. Meth. Appl. Mech. Eng. 92, 1991). So slip has
no rate, forces do not jump between steps, and the old program's slip between steps is its limit. A
point whose surface would have to pull lifts off, and is a free point of the webbing until it is back.

Friction at a surface point: |f1| <= mu1 N across and |f2| <= mu2 N along. At a ring tensions differ by
no more than exp(mu beta), beta being the turn of the webbing. Where tension depends on the rate of strain,
slip is that of the tension at rest, and the rate takes in that of the slip.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import Applied, Array
from solver.engine.forces.laws import Laws
from solver.engine.forces.points import arm_to, point_of, push
from solver.engine.forces.state import Around
from solver.engine.forces.straps.arrays import (
    JUNCTION,
    LENGTH,
    STRAIN,
    STRAIN_RATE,
    SURFACE,
    TENSION,
    Straps,
)
from solver.engine.forces.straps.balance import balance, solve_arrow
from solver.engine.forces.straps.rows import HALF, write_rows
from solver.engine.forces.straps.shape import Trial, find_forces
from solver.engine.forces.straps.stretching import remember, stretched
from solver.engine.jit.kernels import inner, kernel, separate
from solver.engine.maths.copying import copy
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import (
    NOUGHT,
    add3,
    added,
    dot,
    less,
    read,
    read3,
    read9,
    transpose_on,
    write3,
)

PAUSE = 1e-4
"""Time (s) for which a harness that has turned does not turn again."""

SOONEST = 1e-9
"""Time (s) since the memory from which on there may be slip."""

QUIET = 1e-7
"""Power (W), in parts of the tension at a strain of one, below which it is open whether webbing takes."""


RUNS_THROUGH, CLOSE = 0.5, 0.1
"""Lengths of a piece, in parts of that at the start, at which webbing runs through its mark, and at which
one of its points is taken out."""


@inner
def find_rates(straps: Straps, around: Around, per_s: float, h: int) -> None:
    """Find the rates of strain, with those of slip."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    motion, low, high = around.motion, model.first[h], model.first[h + 1]
    n = memory.size[h, 0]
    for k in range(low, high):
        i = model.body[k]
        _, speed = point_of(motion, i, arm_to(motion, i, read3(work.place, k)))
        write3(work.speed, k, speed)
    write_rows(straps, around, Trial(per_s, 0.0, 0.0, 0.0, True, True), h)
    size = n + memory.size[h, 1]
    for i in range(size):
        work.residual[i] = -work.residual_rate[i]
    if size and not solve_arrow(work.matrix, work.residual, n, memory.size[h, 1], HALF):
        for i in range(size):
            work.residual[i] = 0.0
    f, b, v = work.frame, work.residual, work.speed
    for k in range(low, high):
        u = memory.unknown[k]
        work.moved[k, 0] = 0.0
        if u < 0:
            continue
        if model.kind[k] == JUNCTION:
            add3(v, k, read(b, u))
        elif model.kind[k] == SURFACE:
            along = b[u + 1]
            if not memory.marks[k]:
                work.moved[k, 0], along = along, 0.0
            add3(v, k, transpose_on(read9(f, k), (b[u], along, b[u + 2])))
        else:
            work.moved[k, 0] = b[u]
    axis, seen = work.axis, work.seen
    for k in range(low, high):
        after = memory.right[k]
        if after < 0:
            continue
        grows = dot(read3(axis, k), less(read3(v, after), read3(v, k)))
        feed = work.moved[k, 0] - work.moved[after, 0]
        seen[k, STRAIN_RATE] = (grows - seen[k, LENGTH] / work.long[k] * feed) / work.long[k]
    for k in range(low, high):
        write3(v, k, NOUGHT)


@separate
@kernel
def strap_forces(
    straps: Straps, around: Around, t: float, applied: Applied, g: Array, sums: Array
) -> None:
    """Add the forces of all harnesses; `sums` takes the energy held and the power of the forces.

    The event of a harness is that it begins to give back, or to take again: a step ends there.
    """
    model, memory, work, retractors = (
        straps.model,
        straps.memory,
        straps.workspace,
        straps.retractors,
    )
    laws, curves, motion = around.laws, around.curves, around.motion
    sums[0] = sums[1] = 0.0
    seen = work.seen
    per_s = 1.0 / max(t - retractors.time[0], SOONEST)
    for h in range(len(memory.size)):
        low, high = model.first[h], model.first[h + 1]
        balance(straps, around, per_s, h)
        if model.rated[h]:
            find_rates(straps, around, per_s, h)
        for k in range(low, high):
            if memory.right[k] >= 0:
                law, mode = model.law[k], memory.webbing_mode[k]
                strain, rate = seen[k, STRAIN], seen[k, STRAIN_RATE]
                tension, held = stretched(
                    laws, curves, law, memory.webbing_memory, k, mode, strain, rate
                )
                seen[k, TENSION] = tension
                sums[0] += held * work.long[k]
            if model.flesh[k] >= 0 and work.gap[k] < 0.0:
                law, mode = model.flesh[k], memory.flesh_mode[k]
                sums[0] += stretched(
                    laws, curves, law, memory.flesh_memory, k, mode, -work.gap[k], 0.0
                )[1]
        find_forces(straps, low, high)
        power, strong = 0.0, 0.0
        for k in range(low, high):
            i = model.body[k]
            strong = max(strong, model.stiff[k])
            d = model.spool[k]
            if d >= 0:
                sign = -1.0 if model.last[k] else 1.0
                retractors.present[d, 0] = retractors.drawn[d] + sign * work.fed[k]
                retractors.present[d, 1] = sign * work.moved[k, 0] if model.rated[h] else 0.0
            if model.kind[k] == JUNCTION and model.surface[k] < 0:
                continue
            arm, pull = arm_to(motion, i, read3(work.place, k)), read3(work.force, k)
            power += dot(pull, point_of(motion, i, arm)[1])
            push(applied.torque, applied.force, i, arm, pull)
        sums[1] += power
        turns = memory.going[h] * power if t - memory.turned[h] > PAUSE else 0.0
        g[h] = turns - QUIET * strong
    memory.per_s_before[0] = per_s


# --- from one step into the next: places, lengths, paths of webbing, points in play ----------------


@separate
@kernel
def end_straps(straps: Straps, t: float) -> None:
    """Keep what has just been found: it is that of the end of an accepted step."""
    model, memory, work, retractors = (
        straps.model,
        straps.memory,
        straps.workspace,
        straps.retractors,
    )
    for k in range(len(model.kind)):
        if model.smooth[k] and t > retractors.time_end[0]:
            # what slips through without friction has met the drag that its balance needs
            off = work.seen[k, TENSION] - work.seen[memory.left[k], TENSION]
            memory.dragged[0] += abs(off * work.fed[k])
        memory.long_end[k] = work.long[k]
        memory.fed_end[k] = work.fed[k]
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
def recall_straps(straps: Straps) -> None:
    """Let the search for a balance start from the memory, and not from what a stage, a sample or a look for an event has left."""
    memory, work = straps.memory, straps.workspace
    for k in range(len(straps.model.kind)):
        work.fed[k] = 0.0
        write3(work.x, k, read3(memory.at, k))
    memory.per_s_before[0] = 0.0


@inner
def recall_end_of_step(straps: Straps) -> None:
    """Let the search start from where the step has found its balance in the end, for an instant within the step."""
    memory, work, retractors = straps.memory, straps.workspace, straps.retractors
    lasts = retractors.time_end[0] - retractors.time[0]
    if lasts <= SOONEST:
        recall_straps(straps)
        return
    for k in range(len(straps.model.kind)):
        work.fed[k] = memory.fed_end[k]
        write3(work.x, k, read3(memory.x_end, k))
    memory.per_s_before[0] = 1.0 / lasts


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
    """The unknowns of a harness new numbers."""
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
def remember_straps(straps: Straps, laws: Laws, curves: Curves) -> None:
    """Take the end of the last step into the memory; again changes nothing."""
    model, memory, work, retractors = (
        straps.model,
        straps.memory,
        straps.workspace,
        straps.retractors,
    )
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
