"""Joints that have broken and still resist for a while: a load that fades as the parts come away.

A ramp is that of the later program (seed 003, p. 23): the load at which the joint broke, in the parent's
axes, times `1 - most / ramp`, where `most` is the largest separation so far, of the two former joint
points or of the attitudes. Here it acts on the child at the child's point, and on the parent at the same
place, so that both momenta are kept. It pulls the parts together only, and goes away over the last twentieth of
the largest separation on the way back, so that it gives back no more than it took, but for what `EDGE` leaves.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import COORDINATES, FREE, HELD, OPEN, Array, IntArray, Motion
from solver.engine.forces.points import (
    add_torque,
    arm_to,
    axes_in_ground,
    axes_of,
    from_axes_of,
    gradient,
    in_axes_of,
    place_quaternion,
    push,
    rotation_vector,
    speed_at,
    spin_of,
    summed,
)
from solver.engine.forces.points import along as along_axes
from solver.engine.forces.state import Bodies
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.spatial import (
    UNIT,
    Table,
    Three,
    add3,
    dot,
    length,
    less,
    read,
    read3,
    read9,
    scaled,
    write,
    write9,
)

UNBROKEN, BREAKING, COME_APART = range(3)
"""What a joint is that may break over a ramp."""

LAST = 0.05
"""Part of the largest separation, next to the first place, over which the load goes away on the way back."""

EDGE = 1e-4
"""Part of the ramp beyond the first place where it still acts a little: at the break the parts stand in their place to
rounding only, and a load that jumped there would not let them go. It gives a ten-thousandth of the ramp's energy at most."""

TRAIL = 1e-3
"""Part of the ramp over which what is remembered follows the separation."""

PART_FORCE, PART_TORQUE, PART_WAY = 0, 3, 6
"""Entries of `seen`: force and torque on the child, ground axes; how far it has come on its ramps."""


@struct
class Breakings(NamedTuple):
    """Hold joints that break over a ramp: the child's body and the one that carries it, ramps in m and rad.

    Of the break: the place and the attitude of the child in the parent, the force in the parent's axes
    and the torque in the child's then; `first` of its two states, behind which stands the other. What was
    a joint is kept for one that closes again (`relocking.py`): kind, parent and zero attitude of its body, of
    all its elementary bodies how they were held, and their coordinates. `heal` says how near, and how little
    turned, the parts must be; zero for never. `space` is room for that.
    """

    body: IntArray
    parent: IntArray
    ramp: Array
    state: IntArray
    at: Array
    turned: Array
    force: Array
    torque: Array
    seen: Array
    first: IntArray
    heal: Array
    kind: IntArray
    onto: IntArray
    R0: Array
    locked: IntArray
    q: Array
    space: Array


@inner
def fade(size: float, ramp: float, most: float, way: float) -> tuple[float, float]:
    """The load, and the energy that a return would give back; `way` is the way against the load."""
    if ramp <= 0.0 or most >= ramp:
        return 0.0, 0.0
    left, last, edge = size * (1.0 - most / ramp), LAST * most, EDGE * ramp
    near = min(max(way, 0.0), last)
    held = max(way - last, 0.0) + near * (0.5 * near + edge) / (last + edge)
    return left * min(max((way + edge) / (last + edge), 0.0), 1.0), left * held


@inlined
def follow(now: float, rate: float, kept: float, ramp: float) -> float:
    """The rate of the largest way so far, from the present one and its rate."""
    part = 1.0 + (now - kept) / (TRAIL * ramp) if ramp > 0.0 else 0.0
    return rate * min(max(part, 0.0), 2.0) if rate > 0.0 else 0.0


@inner
def resist(
    way: Three, speed: Three, load: Three, size: float, ramp: float, kept: float
) -> tuple[float, float, float, float, float]:
    """The largest separation of two points, the rate of what is kept of it, and what a load does.

    `load` is its direction, `size` that at the break. It gives the load that is left, the energy that a return
    would give back, and its power.
    """
    far = length(way)
    rate = dot(way, speed) / far if far > 0.0 else length(speed)
    most = max(kept, far)
    f, held = fade(size, ramp, most, -dot(way, load))
    return most, follow(far, rate, kept, ramp), f, held, f * dot(load, speed)


@inlined
def direction(motion: Motion, m: int, force: Array, n: int) -> tuple[Three, float]:
    """A load's direction in ground axes, from a row in a body's, and its size; nothing where it is nought."""
    size = length(read(force[n], 0))
    return from_axes_of(
        motion, m, scaled(1.0 / size if size > 0.0 else 0.0, read(force[n], 0))
    ), size


@separate
@kernel
def breaking_forces(
    b: Breakings, motion: Motion, z: Array, powers: Array, torque: Table, force: Table, sums: Array
) -> None:
    """Add the loads of joints that are breaking; `sums` takes the energy held and their power.

    States are the largest separation and the largest turn of each.
    """
    sums[0] = sums[1] = 0.0
    for n in range(len(b.body)):
        k, i, m = b.first[n], b.body[n], b.parent[n]
        powers[k] = powers[k + 1] = 0.0
        for c in range(PART_WAY):
            b.seen[n, c] = 0.0
        b.seen[n, PART_WAY] = -1.0
        if b.state[n] != BREAKING:
            continue
        place = read3(motion.p, i)
        arm, speed = arm_to(motion, m, place), speed_at(motion, i, m, place)
        spin = less(spin_of(motion, i), spin_of(motion, m))
        # the two former points
        way = less(arm, from_axes_of(motion, m, read(b.at[n], 0)))
        along, size = direction(motion, m, b.force, n)
        most, powers[k], f, held, power = resist(way, speed, along, size, b.ramp[n, 0], z[k])
        pull = scaled(f, along)
        add3(force, i, pull)
        push(torque, force, m, arm, scaled(-1.0, pull))
        write(b.seen[n], PART_FORCE, pull)
        sums[0] += held
        sums[1] += power
        # the two attitudes
        before = axes_of(motion, m, b.turned, n)
        phi, angle = rotation_vector(before, axes_in_ground(motion.R, i))
        about = along_axes(before, spin)
        rate = dot(phi, about) / angle if angle > 0.0 else length(about)
        powers[k + 1] = follow(angle, rate, z[k + 1], b.ramp[n, 1])
        widest = max(z[k + 1], angle)
        size = length(read(b.torque[n], 0))
        if size > 0.0:
            t = scaled(1.0 / size, read(b.torque[n], 0))
            f, held = fade(size, b.ramp[n, 1], widest, -dot(phi, t))
            e = gradient(phi, angle, t)
            sums[0] += held
            sums[1] += f * dot(e, about)
            turn = summed(before, scaled(f, e))
            add_torque(torque, i, 1.0, turn)
            add_torque(torque, m, -1.0, turn)
            write(b.seen[n], PART_TORQUE, turn)
        far = most / b.ramp[n, 0] if b.ramp[n, 0] > 0.0 else 1e300
        wide = widest / b.ramp[n, 1] if b.ramp[n, 1] > 0.0 else 1e300
        b.seen[n, PART_WAY] = min(far, wide) - 1.0


@inner
def begin_breaking(
    b: Breakings, n: int, bodies: Bodies, first: int, load: Array, part: float
) -> None:
    """Keep a part of what the joint carries, and how it stands, at the state just evaluated."""
    tree, locked, motion, _, q, _ = bodies
    i, m = b.body[n], b.parent[n]
    b.kind[n], b.onto[n] = tree.kind[i], tree.parent[i]
    write9(b.R0, n, read9(tree.R0, i))
    for j in range(first, i + 1):
        b.locked[j] = locked[j]
    for k in range(tree.at_q[first], tree.at_q[i] + COORDINATES[tree.kind[i]]):
        b.q[k] = q[k]
    b.state[n] = BREAKING
    write(b.force[n], 0, in_axes_of(motion, m, scaled(part, read(load, 3))))
    write(b.torque[n], 0, in_axes_of(motion, i, scaled(part, read(load, 0))))
    write(b.at[n], 0, in_axes_of(motion, m, arm_to(motion, m, read3(motion.p, i))))
    axes = axes_in_ground(motion.R, i)
    for c in range(3):
        x, y, z = in_axes_of(motion, m, axes[c])
        b.turned[n, c], b.turned[n, 3 + c], b.turned[n, 6 + c] = x, y, z


@inner
def set_free(bodies: Bodies, first: int, i: int) -> None:
    """Let a body go from its parent, with the motion that it has."""
    tree, locked, motion, _, q, v = bodies
    # inner bodies of the same joint stay behind at rest in the parent
    for j in range(first, i):
        locked[j] = HELD
        q[tree.at_q[j]] = v[tree.at_v[j]] = 0.0
    tree.kind[i], tree.parent[i], locked[i] = FREE, -1, OPEN
    write9(tree.R0, i, UNIT)
    a, b = tree.at_q[i], tree.at_v[i]
    write(q, a, read3(motion.p, i))
    write(v, b, read3(motion.v, i))
    write(v, b + 3, in_axes_of(motion, i, read3(motion.w, i)))
    place_quaternion(motion.R, i, q, a + 3)
