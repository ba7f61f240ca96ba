"""The body of an airbag: where it is, what it weighs, how its panel holds it and lets it go."""

from __future__ import annotations

from solver.engine.dynamics.tree import OPEN, Applied, Array, Motion, Tree
from solver.engine.forces.airbags.arrays import (
    BLOWN,
    FREE_VOLUME,
    FULL,
    LOST,
    STATES,
    Airbags,
)
from solver.engine.forces.points import (
    arm_of,
    arm_to,
    between,
    place_quaternion,
    point_of,
    push,
    speed_at,
    spin_of,
)
from solver.engine.forces.state import Bodies, Elements
from solver.engine.forces.surfaces import turn_of
from solver.engine.jit.kernels import inner
from solver.engine.maths.spatial import (
    Three,
    added,
    dot,
    each,
    less,
    mat_on,
    plus,
    plus_dot,
    read,
    read3,
    read9,
    read_axis,
    scaled,
    transpose_on,
    write,
    write6,
    write9,
)

SPRING_COMES_UP = 0.005
"""Distance (m) of the bag from its panel over which the spring comes to its full force."""


@inner
def place_bag(bags: Airbags, motion: Motion, k: int, size: float) -> Three:
    """Place a bag: its turn in row k of `turn`; return its ellipsoid's centre."""
    model = bags.model
    i, turn = model.body[k], bags.workspace.turn
    if bags.memory.state[k] == FULL:
        write9(turn, k, read9(motion.R, i))
        return added(arm_of(motion, i, model.offset, k), read3(motion.p, i))
    i = model.carrier[k]
    turn_of(motion, i, model.R, k, turn[k])
    deployed, _ = point_of(motion, i, arm_of(motion, i, model.at, k))
    return plus(deployed, -size * model.semi[k, 0], read_axis(turn, k, 0))


@inner
def weigh_bag(
    bags: Airbags, tree: Tree, motion: Motion, gravity: Array, k: int, mass: float, flow: float,
    sums: Array,
) -> None:  # fmt: skip
    """Let the bag's body have the mass of fabric and gas; gas that joins brings its energy with it."""
    model = bags.model
    i, moments = model.body[k], read3(model.moments, k)
    whole = model.factor[k] * (model.fabric[k] + mass)
    tree.mass[i] = whole
    x, y, z = scaled(whole, moments)
    write6(tree.inertia, i, (x, y, z, 0.0, 0.0, 0.0))
    speed, spin = read3(motion.v, i), transpose_on(read9(motion.R, i), read3(motion.w, i))
    power = plus_dot(dot(speed, speed), each(moments, spin), spin)
    height = dot(read(gravity, 0), read3(motion.p, i))
    sums[0] += model.factor[k] * flow * (0.5 * power - height)


@inner
def hold_bag(
    bags: Airbags, motion: Motion, k: int, centre: Three, applied: Applied, sums: Array
) -> None:
    """Pull the +x end back to the deployment point while the bag is clear of its first panel."""
    model, work = bags.model, bags.workspace
    clear = min(max(-work.depth[model.touches[k, 0]] / SPRING_COMES_UP, 0.0), 1.0)
    pull = clear * clear * (3.0 - 2.0 * clear) * model.spring[k]
    if pull <= 0.0:
        return
    i, j = model.body[k], model.carrier[k]
    end = arm_to(motion, i, plus(centre, model.semi[k, 0], read_axis(work.turn, k, 0)))
    deployed = arm_of(motion, j, model.at, k)
    way, rate = between(motion, i, end, j, deployed)
    load = scaled(pull, way)
    sums[0] -= dot(load, rate)
    push(applied.torque, applied.force, i, end, load)
    push(applied.torque, applied.force, j, deployed, scaled(-1.0, load))


@inner
def set_free(
    bags: Airbags, bodies: Bodies, gravity: Array, elements: Elements, k: int, gained: Array
) -> None:
    """Let a full bag go: it moves on as its panel carried it, and as it grew."""
    tree, locked, motion, _, q, v = bodies
    model, gas, free = bags.model, STATES * k, STATES * k + FREE_VOLUME
    z, rates = elements
    i, j, turn = model.body[k], model.carrier[k], bags.workspace.turn
    centre = place_bag(bags, motion, k, 1.0)
    own = read9(turn, k)
    place = less(centre, mat_on(own, read3(model.offset, k)))
    # the centre goes away from the deployment point as the semi-axis grows
    grows = model.semi[k, 0] * rates[free] / (3.0 * max(z[free], 1e-12))
    speed = plus(speed_at(motion, j, -1, place), -grows, read_axis(turn, k, 0))
    spin = transpose_on(own, spin_of(motion, j))
    locked[i], bags.memory.state[k] = OPEN, FULL
    at_q, at_v = tree.at_q[i], tree.at_v[i]
    write(q, at_q, place)
    place_quaternion(turn, k, q, at_q + 3)
    write(v, at_v, speed)
    write(v, at_v + 3, spin)
    mass = model.factor[k] * (model.fabric[k] + max(z[gas + BLOWN] - z[gas + LOST], 0.0))
    gained[0] = 0.5 * mass * dot(speed, speed)
    gained[0] -= mass * dot(read(gravity, 0), place)
    moments = scaled(0.5 * mass, read3(model.moments, k))
    gained[0] = plus_dot(gained[0], each(moments, spin), spin)
