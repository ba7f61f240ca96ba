"""Laws of users: functions that they have compiled, between two points, called at every evaluation.

Such a function sees the time, where both points are, how fast they and their bodies move and how these are turned, and its
numbers. It gives a force and a torque on the second body, which act at its point; the first body gets the opposite at
the same place, so that no law makes momentum of nothing. What it holds of energy it gives back as its value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion
from solver.engine.forces.points import add_torque, arm_of, arm_to, point_of, push, spin_of, unit
from solver.engine.jit.by_address import call_at
from solver.engine.jit.kernels import inner, kernel, separate, struct
from solver.engine.maths.spatial import dot, less, scaled, write

PLACE, VELOCITY, SPIN, TURN, SEEN = 0, 3, 6, 9, 18
"""What a function sees of a point and its body begins here, and how many numbers that are; ground axes, the turn by rows."""

FORCE, TORQUE, LOAD = 0, 3, 6
"""What it gives."""


@struct
class OwnLaws(NamedTuple):
    """Hold laws of users: the address of each function, bodies (-1 for ground), points, and where its numbers begin."""

    address: IntArray
    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    first: IntArray
    number: Array
    of_a: Array
    of_b: Array
    load: Array


def no_laws() -> OwnLaws:
    """None of them."""
    none = np.zeros(0, np.int64)
    return OwnLaws(
        none, none.copy(), none.copy(), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(1, np.int64), np.zeros(0),
        np.zeros((0, SEEN)), np.zeros((0, SEEN)), np.zeros((0, LOAD)),
    )  # fmt: skip


@inner
def _see(motion: Motion, i: int, at: Array, k: int, out: Array) -> None:
    """Write down where a point of a body is, and how both move."""
    place, velocity = point_of(motion, i, arm_of(motion, i, at, k))
    write(out, PLACE, place)
    write(out, VELOCITY, velocity)
    write(out, SPIN, spin_of(motion, i))
    for n in range(9):
        out[TURN + n] = motion.R[i, n] if i >= 0 else unit(n // 3, n % 3)


@separate
@kernel
def own_forces(laws: OwnLaws, motion: Motion, t: float, applied: Applied, sums: Array) -> None:
    """Add the forces of all laws; `sums` takes the energy held and the power."""
    for k in range(len(laws.address)):
        i, j = laws.a[k], laws.b[k]
        _see(motion, i, laws.at_a, k, laws.of_a[k])
        _see(motion, j, laws.at_b, k, laws.of_b[k])
        load = laws.load[k]
        load[:] = 0.0
        held = call_at(
            laws.address[k], t, laws.of_a[k], laws.of_b[k],
            laws.number[laws.first[k] : laws.first[k + 1]], load,
        )  # fmt: skip
        force, torque = (load[0], load[1], load[2]), (load[3], load[4], load[5])
        arm_j = arm_of(motion, j, laws.at_b, k)
        place, velocity = point_of(motion, j, arm_j)
        arm_i = arm_to(motion, i, place)
        _, other = point_of(motion, i, arm_i)
        push(applied.torque, applied.force, j, arm_j, force)
        push(applied.torque, applied.force, i, arm_i, scaled(-1.0, force))
        add_torque(applied.torque, j, 1.0, torque)
        add_torque(applied.torque, i, -1.0, torque)
        sums[0] += held
        sums[1] += dot(force, less(velocity, other))
        sums[1] += dot(torque, less(spin_of(motion, j), spin_of(motion, i)))
