"""The body of an airbag: where it is, what it weighs, how its panel holds it and lets it go."""

from __future__ import annotations

from solver.engine.dynamics.tree import OPEN, Array, IntArray, Motion, Tree
from solver.engine.forces.airbags.arrays import (
    BLOWN,
    FABRIC,
    FACTOR,
    FREE_VOLUME,
    FULL,
    IXX,
    LOST,
    SPRING,
    Airbags,
)
from solver.engine.forces.points import add_force, arm_of, from_point, place_and_velocity, speed_at
from solver.engine.forces.surfaces import turn_of
from solver.engine.forces.turning import place_quaternion
from solver.engine.jit.kernels import inner

CLEAR = 0.005
"""Distance (m) of the bag from its panel over which the spring comes to its full force."""


@inner
def place_bag(bags: Airbags, motion: Motion, k: int, size: float) -> tuple[float, float, float]:
    """Place a bag: its turn in row k of `turn`; give its ellipsoid's centre."""
    i, turn = bags.body[k], bags.turn
    if bags.state[k] == FULL:
        for n in range(9):
            turn[k, n] = motion.R[i, n]
        x, y, z = arm_of(motion, i, bags.offset, k)
        return x + motion.p[i, 0], y + motion.p[i, 1], z + motion.p[i, 2]
    i = bags.carrier[k]
    turn_of(motion, i, bags.R, k, turn[k])
    x, y, z = arm_of(motion, i, bags.at, k)
    x, y, z, _, _, _ = place_and_velocity(motion, i, x, y, z)
    a = size * bags.semi[k, 0]
    return x - a * turn[k, 0], y - a * turn[k, 3], z - a * turn[k, 6]


@inner
def weigh_bag(
    bags: Airbags, tree: Tree, motion: Motion, gravity: Array, k: int, mass: float, flow: float,
    sums: Array,
) -> None:  # fmt: skip
    """Give the bag's body the mass of fabric and gas; gas that joins brings its energy with it."""
    i, number, w, v, p = bags.body[k], bags.number, motion.w, motion.v, motion.p
    whole = number[k, FACTOR] * (number[k, FABRIC] + mass)
    tree.mass[i] = whole
    for n in range(3):
        tree.inertia[i, n] = whole * number[k, IXX + n]
        tree.inertia[i, 3 + n] = 0.0
    power = v[i, 0] ** 2 + v[i, 1] ** 2 + v[i, 2] ** 2
    for n in range(3):
        s = 0.0
        for u in range(3):
            s += motion.R[i, 3 * u + n] * w[i, u]
        power += number[k, IXX + n] * s * s
    height = gravity[0] * p[i, 0] + gravity[1] * p[i, 1] + gravity[2] * p[i, 2]
    sums[0] += number[k, FACTOR] * flow * (0.5 * power - height)


@inner
def hold_bag(
    bags: Airbags, motion: Motion, k: int, x: float, y: float, z: float, torque: Array,
    force: Array, sums: Array,
) -> None:  # fmt: skip
    """Pull the +x end back to the deployment point while the bag is clear of its first panel."""
    clear = min(max(-bags.pressed[bags.touches[k, 0], 0] / CLEAR, 0.0), 1.0)
    pull = clear * clear * (3.0 - 2.0 * clear) * bags.number[k, SPRING]
    if pull <= 0.0:
        return
    i, j, a, p, turn = bags.body[k], bags.carrier[k], bags.semi[k, 0], motion.p, bags.turn
    ax, ay, az = (
        x + a * turn[k, 0] - p[i, 0], y + a * turn[k, 3] - p[i, 1], z + a * turn[k, 6] - p[i, 2],
    )  # fmt: skip
    bx, by, bz = arm_of(motion, j, bags.at, k)
    dx, dy, dz, vx, vy, vz = from_point(motion, i, ax, ay, az, j, bx, by, bz)
    fx, fy, fz = pull * dx, pull * dy, pull * dz
    sums[0] -= fx * vx + fy * vy + fz * vz
    add_force(torque, force, i, ax, ay, az, fx, fy, fz)
    add_force(torque, force, j, bx, by, bz, -fx, -fy, -fz)


@inner
def set_free(
    bags: Airbags, tree: Tree, locked: IntArray, motion: Motion, k: int, z: Array, rates: Array,
    e: int, q: Array, v: Array, gravity: Array, gained: Array,
) -> None:  # fmt: skip
    """Let a full bag go: it moves on as its panel carried it, and as it grew."""
    x, y, w = place_bag(bags, motion, k, 1.0)
    i, j, turn, o, number = bags.body[k], bags.carrier[k], bags.turn, bags.offset, bags.number
    x -= turn[k, 0] * o[k, 0] + turn[k, 1] * o[k, 1] + turn[k, 2] * o[k, 2]
    y -= turn[k, 3] * o[k, 0] + turn[k, 4] * o[k, 1] + turn[k, 5] * o[k, 2]
    w -= turn[k, 6] * o[k, 0] + turn[k, 7] * o[k, 1] + turn[k, 8] * o[k, 2]
    # the centre goes away from the deployment point as the semi-axis grows
    grows = bags.semi[k, 0] * rates[e + FREE_VOLUME] / (3.0 * max(z[e + FREE_VOLUME], 1e-12))
    vx, vy, vz = speed_at(motion, j, -1, x, y, w)
    vx, vy, vz = vx - grows * turn[k, 0], vy - grows * turn[k, 3], vz - grows * turn[k, 6]
    locked[i], bags.state[k] = OPEN, FULL
    a, b = tree.at_q[i], tree.at_v[i]
    q[a], q[a + 1], q[a + 2] = x, y, w
    place_quaternion(turn, k, q, a + 3)
    v[b], v[b + 1], v[b + 2] = vx, vy, vz
    mass = number[k, FACTOR] * (number[k, FABRIC] + max(z[e + BLOWN] - z[e + LOST], 0.0))
    gained[0] = 0.5 * mass * (vx * vx + vy * vy + vz * vz)
    gained[0] -= mass * (gravity[0] * x + gravity[1] * y + gravity[2] * w)
    for n in range(3):
        s = 0.0
        if j >= 0:
            for u in range(3):
                s += turn[k, 3 * u + n] * motion.w[j, u]
        v[b + 3 + n] = s
        gained[0] += 0.5 * mass * number[k, IXX + n] * s * s
