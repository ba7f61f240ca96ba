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
no more than exp(mu beta), beta being the turn of the webbing. Where tension hangs on the rate of strain,
slip is that of the tension at rest, and the rate takes in that of the slip.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.forces.laws import Laws
from solver.engine.forces.points import arm_to, point_of, push
from solver.engine.forces.straps.arrays import (
    JUNCTION,
    LENGTH,
    STRAIN,
    STRAIN_RATE,
    SURFACE,
    TENSION,
    Straps,
)
from solver.engine.forces.straps.balance import balance
from solver.engine.forces.straps.changes import Trial
from solver.engine.forces.straps.retractors import Retractors
from solver.engine.forces.straps.rows import HALF, write_rows
from solver.engine.forces.straps.shape import Around, find_forces
from solver.engine.forces.stretching import stretched
from solver.engine.forces.surfaces import Surfaces
from solver.engine.jit.kernels import inner, kernel
from solver.engine.jit.separate import separate
from solver.engine.maths.arrow import solve_arrow
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import (
    NOUGHT,
    add3,
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
    write_rows(straps, around, Trial(per_s, 0.0, 0.0, 0.0, True), h)
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
    t: float, straps: Straps, retractors: Retractors, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    torque: Array, force: Array, g: Array, first: int, sums: Array,
) -> None:  # fmt: skip
    """Add the forces of all harnesses; `sums` takes the energy held and the power of the forces.

    The event of a harness is that it begins to give back, or to take again: a step ends there.
    """
    model, memory, work = straps.model, straps.memory, straps.workspace
    sums[0] = sums[1] = 0.0
    seen = work.seen
    per_s = 1.0 / max(t - retractors.time[0], SOONEST)
    around = Around(retractors, laws, surfaces, curves, motion)
    for h in range(len(memory.size)):
        low, high = model.first[h], model.first[h + 1]
        balance(straps, around, per_s, h)
        if model.rated[h]:
            find_rates(straps, around, per_s, h)
        for k in range(low, high):
            if memory.right[k] >= 0:
                n, mode, m = (
                    model.law[k],
                    memory.webbing_mode[k],
                    memory.webbing_memory,
                )
                strain, rate = seen[k, STRAIN], seen[k, STRAIN_RATE]
                tension, held = stretched(laws, curves, n, m, k, mode, strain, rate)
                seen[k, TENSION] = tension
                sums[0] += held * work.long[k]
            if model.flesh[k] >= 0 and work.gap[k] < 0.0:
                n, mode, m = (
                    model.flesh[k],
                    memory.flesh_mode[k],
                    memory.flesh_memory,
                )
                sums[0] += stretched(laws, curves, n, m, k, mode, -work.gap[k], 0.0)[1]
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
            push(torque, force, i, arm, pull)
        sums[1] += power
        turns = memory.going[h] * power if t - memory.turned[h] > PAUSE else 0.0
        g[first + h] = turns - QUIET * strong
    memory.per_s_before[0] = per_s
