"""Prescribed forces and torques by time."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.dynamics.workspace import Applied
from solver.engine.forces.points import arm_of, point_of, push
from solver.engine.forces.state import Moment
from solver.engine.jit.kernels import kernel
from solver.engine.jit.separate import separate
from solver.engine.jit.structs import struct
from solver.engine.maths.profile import Profiles, profile_at
from solver.engine.maths.spatial import add3, dot, read3, scaled


@struct
class Loads(NamedTuple):
    """Hold loads: `turns` marks torques, `fixed` directions in ground axes; else in body axes."""

    body: IntArray
    turns: IntArray
    fixed: IntArray
    point: Array
    direction: Array
    history: Profiles


@separate
@kernel
def load_forces(loads: Loads, moment: Moment, motion: Motion, applied: Applied) -> float:
    """Add all loads and return their power."""
    power = 0.0
    for k in range(len(loads.body)):
        i = loads.body[k]
        size, _, _ = profile_at(loads.history, k, moment.t, moment.within)
        load = scaled(size, arm_of(motion, -1 if loads.fixed[k] else i, loads.direction, k))
        if loads.turns[k]:
            add3(applied.torque, i, load)
            power += dot(load, read3(motion.w, i))
        else:
            arm = arm_of(motion, i, loads.point, k)
            push(applied.torque, applied.force, i, arm, load)
            power += dot(load, point_of(motion, i, arm)[1])
    return power
