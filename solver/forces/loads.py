"""Prescribed forces and torques by time."""

from __future__ import annotations

from typing import NamedTuple

from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.points import add_force, arm_of, place_and_velocity
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.kernels import kernel
from solver.maths.profile import Profiles, profile_at


@bundle
class Loads(NamedTuple):
    """Hold loads: `turns` marks torques, `fixed` directions in ground axes; else in body axes."""

    body: IntArray
    turns: IntArray
    fixed: IntArray
    point: Array
    direction: Array
    history: Profiles


@alone
@kernel
def load_forces(
    loads: Loads, t: float, within: float, motion: Motion, torque: Array, force: Array
) -> float:
    """Add all loads and give their power."""
    power = 0.0
    for k in range(len(loads.body)):
        i = loads.body[k]
        size, _, _ = profile_at(loads.history, k, t, within)
        d = loads.direction
        x, y, z = arm_of(motion, -1 if loads.fixed[k] else i, d, k)
        x, y, z = size * x, size * y, size * z
        if loads.turns[k]:
            torque[i, 0], torque[i, 1], torque[i, 2] = (
                torque[i, 0] + x,
                torque[i, 1] + y,
                torque[i, 2] + z,
            )
            power += x * motion.w[i, 0] + y * motion.w[i, 1] + z * motion.w[i, 2]
        else:
            rx, ry, rz = arm_of(motion, i, loads.point, k)
            _, _, _, vx, vy, vz = place_and_velocity(motion, i, rx, ry, rz)
            add_force(torque, force, i, rx, ry, rz, x, y, z)
            power += x * vx + y * vy + z * vz
    return power
