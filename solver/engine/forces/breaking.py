"""Joints that have broken and still resist for a while: a load that fades as the parts come away.

A ramp is that of the later program (seed 003, p. 23): the load at which the joint broke, in the parent's
axes, times `1 - most / ramp`, where `most` is the largest separation so far, of the two former joint
points or of the attitudes. Here it acts on the child at the child's point, and on the parent at the same
place, so that both momenta are kept. It pulls the parts together only, and goes away over the last twentieth of
the largest separation on the way back, so that it gives back no more than it took, but for what `EDGE` leaves.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import COORDINATES, FREE, HELD, OPEN, Array, IntArray, Motion, Tree
from solver.engine.forces.points import add_force, add_torque, speed_at, spin_of
from solver.engine.forces.turning import axes_of, gradient, place_quaternion, rotation_vector
from solver.engine.jit.alone import alone
from solver.engine.jit.bundles import bundle
from solver.engine.jit.kernels import inlined, inner, kernel
from solver.engine.maths.vectors import (
    Three,
    along_axes,
    dot,
    length,
    plus,
    read,
    scaled,
    to_ground,
    write,
)

WHOLE, BREAKING, APART = range(3)
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


@bundle
class Breakings(NamedTuple):
    """Hold joints that break over a ramp: the child's body and the one that carries it, ramps in m and rad.

    Of the break: the place and the attitude of the child in the parent, the force in the parent's axes
    and the torque in the child's then; `first` of its two states, behind which stands the other. What was
    a joint is kept for one that closes again (`healing.py`): kind, parent and zero attitude of its body, of
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


@inlined
def _ground(motion: Motion, m: int, a: Three) -> Three:
    """Turn a vector from a body's axes."""
    return to_ground(motion.R[m], a) if m >= 0 else a


@inlined
def _own(motion: Motion, m: int, a: Three) -> Three:
    """Turn a vector to a body's axes."""
    return along_axes(motion.R[m], a) if m >= 0 else a


@inner
def fade(size: float, ramp: float, most: float, way: float) -> tuple[float, float]:
    """Give the load, and the energy that a return would give back; `way` is the way against the load."""
    if ramp <= 0.0 or most >= ramp:
        return 0.0, 0.0
    left, last, edge = size * (1.0 - most / ramp), LAST * most, EDGE * ramp
    near = min(max(way, 0.0), last)
    held = max(way - last, 0.0) + near * (0.5 * near + edge) / (last + edge)
    return left * min(max((way + edge) / (last + edge), 0.0), 1.0), left * held


@inlined
def follow(now: float, rate: float, kept: float, ramp: float) -> float:
    """Give the rate of the largest way so far, from the present one and its rate."""
    part = 1.0 + (now - kept) / (TRAIL * ramp) if ramp > 0.0 else 0.0
    return rate * min(max(part, 0.0), 2.0) if rate > 0.0 else 0.0


@inner
def resist(
    way: Three, speed: Three, load: Three, size: float, ramp: float, kept: float
) -> tuple[float, float, float, float, float]:
    """Give the largest separation of two points, the rate of what is kept of it, and what a load does.

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
    """Give a load's direction in ground axes, from a row in a body's, and its size; nothing where it is nought."""
    size = length(read(force[n], 0))
    return _ground(motion, m, scaled(1.0 / size if size > 0.0 else 0.0, read(force[n], 0))), size


@alone
@kernel
def breaking_forces(
    b: Breakings, motion: Motion, z: Array, powers: Array, torque: Array, force: Array, sums: Array
) -> None:
    """Add the loads of joints that are breaking; `sums` takes the energy held and their power.

    States are the largest separation and the largest turn of each.
    """
    sums[0] = sums[1] = 0.0
    p = motion.p
    for n in range(len(b.body)):
        k, i, m = b.first[n], b.body[n], b.parent[n]
        powers[k] = powers[k + 1] = 0.0
        for c in range(PART_WAY):
            b.seen[n, c] = 0.0
        b.seen[n, PART_WAY] = -1.0
        if b.state[n] != BREAKING:
            continue
        arm = read(p[i], 0)
        speed = speed_at(motion, i, m, arm[0], arm[1], arm[2])
        spin = plus(spin_of(motion, i), -1.0, spin_of(motion, m))
        if m >= 0:
            arm = plus(arm, -1.0, read(p[m], 0))
        # the two former points
        way = plus(arm, -1.0, _ground(motion, m, read(b.at[n], 0)))
        along, size = direction(motion, m, b.force, n)
        most, powers[k], f, held, power = resist(way, speed, along, size, b.ramp[n, 0], z[k])
        x, y, u = scaled(f, along)
        add_force(torque, force, i, 0.0, 0.0, 0.0, x, y, u)
        add_force(torque, force, m, arm[0], arm[1], arm[2], -x, -y, -u)
        write(b.seen[n], PART_FORCE, (x, y, u))
        sums[0] += held
        sums[1] += power
        # the two attitudes
        before = axes_of(motion, m, b.turned, n)
        phi, angle = rotation_vector(before, _axes(motion, i))
        about = (dot(before[0], spin), dot(before[1], spin), dot(before[2], spin))
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
            turn = plus(plus(scaled(f * e[0], before[0]), f * e[1], before[1]), f * e[2], before[2])
            add_torque(torque, i, 1.0, turn)
            add_torque(torque, m, -1.0, turn)
            write(b.seen[n], PART_TORQUE, turn)
        far = most / b.ramp[n, 0] if b.ramp[n, 0] > 0.0 else 1e300
        wide = widest / b.ramp[n, 1] if b.ramp[n, 1] > 0.0 else 1e300
        b.seen[n, PART_WAY] = min(far, wide) - 1.0


@inlined
def _axes(motion: Motion, i: int) -> tuple[Three, Three, Three]:
    R = motion.R
    return (
        (R[i, 0], R[i, 3], R[i, 6]),
        (R[i, 1], R[i, 4], R[i, 7]),
        (R[i, 2], R[i, 5], R[i, 8]),
    )


@inner
def begin_breaking(
    b: Breakings, n: int, tree: Tree, locked: IntArray, motion: Motion, first: int, q: Array, load: Array, part: float
) -> None:  # fmt: skip
    """Keep a part of what the joint carries, and how it stands, at the state just evaluated."""
    i, m, p = b.body[n], b.parent[n], motion.p
    b.kind[n], b.onto[n] = tree.kind[i], tree.parent[i]
    for k in range(9):
        b.R0[n, k] = tree.R0[i, k]
    for j in range(first, i + 1):
        b.locked[j] = locked[j]
    for k in range(tree.at_q[first], tree.at_q[i] + COORDINATES[tree.kind[i]]):
        b.q[k] = q[k]
    b.state[n] = BREAKING
    write(b.force[n], 0, _own(motion, m, scaled(part, read(load, 3))))
    write(b.torque[n], 0, _own(motion, i, scaled(part, read(load, 0))))
    way = read(p[i], 0)
    if m >= 0:
        way = plus(way, -1.0, read(p[m], 0))
    write(b.at[n], 0, _own(motion, m, way))
    axes = _axes(motion, i)
    for c in range(3):
        x, y, z = _own(motion, m, axes[c])
        b.turned[n, c], b.turned[n, 3 + c], b.turned[n, 6 + c] = x, y, z


@inner
def set_free(
    tree: Tree, locked: IntArray, motion: Motion, first: int, i: int, q: Array, v: Array
) -> None:
    """Let a body go from its parent, with the motion that it has."""
    R = motion.R
    # inner bodies of the same joint stay behind at rest in the parent
    for j in range(first, i):
        locked[j] = HELD
        q[tree.at_q[j]] = v[tree.at_v[j]] = 0.0
    tree.kind[i], tree.parent[i], locked[i] = FREE, -1, OPEN
    for k in range(9):
        tree.R0[i, k] = 1.0 if k % 4 == 0 else 0.0
    a, b = tree.at_q[i], tree.at_v[i]
    for k in range(3):
        q[a + k], v[b + k] = motion.p[i, k], motion.v[i, k]
        s = 0.0
        for u in range(3):
            s += R[i, 3 * u + k] * motion.w[i, u]
        v[b + 3 + k] = s
    place_quaternion(R, i, q, a + 3)
