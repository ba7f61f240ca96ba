"""Traces of mass: what segments without mass count so that trees can be factored, and its taking out again.

With a trace E beside the true masses M the accelerations solve (M + E) a = f. Loads E a of the last solution, with what
turning and weight do to the trace, cancel it: (M + E) a' = f + E a leaves of E's effect a part as small as E beside M,
and each further round as much again.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion, Workspace
from solver.engine.jit.kernels import separate, struct
from solver.engine.maths.spatial import (
    add3,
    added,
    centripetal,
    cross,
    dot,
    less,
    mat_on,
    plus_cross,
    read,
    read3,
    read6,
    read9,
    scaled,
    sym_on,
    transpose_on,
    write,
)

TRACE_ROUNDS = 3
"""How often accelerations are found where there are traces: once with them, then with what they did taken out."""


@struct
class Traces(NamedTuple):
    """Hold the traces of bodies: mass, centre from O and inertia about it, body axes; `load` is what was taken out last."""

    body: IntArray
    mass: Array
    centre: Array
    inertia: Array
    load: Array


@separate
def take_out(
    traces: Traces, motion: Motion, space: Workspace, gravity: Array, applied: Applied
) -> None:
    """Put the loads that move traces, as they have just been found to move, in the place of those put on before."""
    for n in range(len(traces.body)):
        i = traces.body[n]
        R, spin, alpha = read9(motion.R, i), read3(motion.w, i), read3(space.alpha, i)
        arm = mat_on(R, read3(traces.centre, n))
        moved = plus_cross(added(read3(space.acc, i), centripetal(spin, arm)), alpha, arm)
        push = scaled(traces.mass[n], less(moved, read(gravity, 0)))
        J, own = read6(traces.inertia, n), transpose_on(R, spin)
        turns = added(sym_on(J, transpose_on(R, alpha)), cross(own, sym_on(J, own)))
        twist = plus_cross(mat_on(R, turns), arm, push)
        add3(applied.torque, i, less(twist, read(traces.load[n], 0)))
        add3(applied.force, i, less(push, read(traces.load[n], 3)))
        write(traces.load[n], 0, twist)
        write(traces.load[n], 3, push)


@separate
def energy_of_traces(traces: Traces, motion: Motion, gravity: Array) -> float:
    """Give the energy of all traces, of their motion and their weight."""
    out = 0.0
    for n in range(len(traces.body)):
        i = traces.body[n]
        R, spin = read9(motion.R, i), read3(motion.w, i)
        arm = mat_on(R, read3(traces.centre, n))
        speed = plus_cross(read3(motion.v, i), spin, arm)
        own = transpose_on(R, spin)
        out += 0.5 * traces.mass[n] * dot(speed, speed)
        out += 0.5 * dot(own, sym_on(read6(traces.inertia, n), own))
        out -= traces.mass[n] * dot(read(gravity, 0), added(read3(motion.p, i), arm))
    return out
