"""What a coordinate is now, how fast it grows, and along what a resistance acts."""

from __future__ import annotations

import math

from solver.dynamics.tree import BALL, FREE, Array, Motion, Tree
from solver.forces.coordinates.arrays import ANGLE, DISTANCE, EULER, JOINT, LENGTH, Coordinates
from solver.forces.joints.eulers import EulerLaws, gradient_of
from solver.forces.points import add_force, arm_of, from_point, spin_of, unit
from solver.forces.turning import axes_of, axis_of, gradient, rotation_vector
from solver.maths.kernels import inlined, inner
from solver.maths.vectors import Three, cross, dot, plus, read, scaled, write

Measured = tuple[bool, float, float, Three, Three, Three]
"""Whether it is there, its value and rate, the direction of its growth at B, and both arms (ground axes)."""

NOWHERE = (0.0, 0.0, 0.0)
NO_LENGTH = 1e-12
"""Way (m) between points below which it has no direction."""


@inlined
def measure(
    coords: Coordinates, eulers: EulerLaws, tree: Tree, motion: Motion, q: Array, v: Array, n: int
) -> Measured:
    """Measure coordinate n."""
    kind, body = coords.kind[n], coords.body[n]
    i, j = coords.a[n], coords.b[n]
    if body >= 0 and tree.kind[j] == FREE:
        # the joint is broken
        return False, 0.0, 0.0, NOWHERE, NOWHERE, NOWHERE
    if kind == EULER and tree.kind[j] == BALL:
        return _euler(coords, eulers, motion, n, j)
    if kind in (JOINT, EULER):
        return True, q[tree.at_q[body]], v[tree.at_v[body]], NOWHERE, NOWHERE, NOWHERE
    if kind == ANGLE:
        return _angle(coords, motion, n, i, j)
    if kind == LENGTH:
        length, rate, arm = _length(coords, motion, n)
        return True, length, rate, NOWHERE, arm, NOWHERE
    ax, ay, az = arm_of(motion, i, coords.at_a, n)
    bx, by, bz = arm_of(motion, j, coords.at_b, n)
    dx, dy, dz, vx, vy, vz = from_point(motion, i, ax, ay, az, j, bx, by, bz)
    if kind == DISTANCE:
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        if length < NO_LENGTH:
            return False, 0.0, 0.0, NOWHERE, NOWHERE, NOWHERE
        ux, uy, uz = dx / length, dy / length, dz / length
        rate = ux * vx + uy * vy + uz * vz
        return True, length, rate, (ux, uy, uz), (ax, ay, az), (bx, by, bz)
    way, u = (dx, dy, dz), axis_of(motion, i, coords.R_A, n, coords.axis[n])
    # as seen from A, and against the point of A that lies at B's
    rate = dot(u, plus((vx, vy, vz), -1.0, cross(spin_of(motion, i), way)))
    return True, dot(u, way), rate, u, plus((ax, ay, az), 1.0, way), (bx, by, bz)


@inlined
def _point(coords: Coordinates, motion: Motion, n: int, p: int) -> tuple[int, float, float, float]:
    """Give the body and the arm of a line's point; those after the last of `via` are its end B."""
    if p < coords.via_first[n + 1]:
        i = coords.via[p]
        x, y, z = arm_of(motion, i, coords.at_via, p)
    else:
        i = coords.b[n]
        x, y, z = arm_of(motion, i, coords.at_b, n)
    return i, x, y, z


@inlined
def _length(coords: Coordinates, motion: Motion, n: int) -> tuple[float, float, Three]:
    """Give the length of a line through points, its rate, and the arm of A; keeps directions and arms of legs."""
    i, legs = coords.a[n], coords.legs
    ax, ay, az = arm = arm_of(motion, i, coords.at_a, n)
    length = rate = 0.0
    first = coords.via_first[n]
    for p in range(first, coords.via_first[n + 1] + 1):
        j, bx, by, bz = _point(coords, motion, n, p)
        dx, dy, dz, vx, vy, vz = from_point(motion, i, ax, ay, az, j, bx, by, bz)
        part = math.sqrt(dx * dx + dy * dy + dz * dz)
        over = 1.0 / part if part > NO_LENGTH else 0.0
        dx, dy, dz = dx * over, dy * over, dz * over
        length, rate = length + part, rate + dx * vx + dy * vy + dz * vz
        write(legs[p - first], 0, (dx, dy, dz))
        write(legs[p - first], 3, (bx, by, bz))
        i, ax, ay, az = j, bx, by, bz
    return length, rate, arm


@inlined
def pull_along(
    coords: Coordinates, n: int, pull: float, arm: Three, torque: Array, force: Array
) -> None:
    """Let a line through points, just measured, pull at all of them."""
    i, first, last = coords.a[n], coords.via_first[n], coords.via_first[n + 1]
    ax, ay, az = arm
    for p in range(first, last + 1):
        j = coords.via[p] if p < last else coords.b[n]
        dx, dy, dz = read(coords.legs[p - first], 0)
        bx, by, bz = read(coords.legs[p - first], 3)
        fx, fy, fz = pull * dx, pull * dy, pull * dz
        add_force(torque, force, i, ax, ay, az, fx, fy, fz)
        add_force(torque, force, j, bx, by, bz, -fx, -fy, -fz)
        i, ax, ay, az = j, bx, by, bz


@inlined
def _euler(coords: Coordinates, eulers: EulerLaws, motion: Motion, n: int, j: int) -> Measured:
    """Give one angle of an Euler joint all of whose axes are open, as its laws have just seen it (section 6.3)."""
    k, m = coords.euler[n], coords.axis[n]
    x, y, z = gradient_of(eulers, k, m)
    R = motion.R
    u = (
        R[j, 0] * x + R[j, 1] * y + R[j, 2] * z,
        R[j, 3] * x + R[j, 4] * y + R[j, 5] * z,
        R[j, 6] * x + R[j, 7] * y + R[j, 8] * z,
    )
    value = eulers.angle[k, m] + eulers.centre[k, m]
    return True, value, eulers.seen[k, m], u, NOWHERE, NOWHERE


@inlined
def _gone_on(phi: Three, angle: float, last: Three) -> tuple[Three, float]:
    """Give the rotation vector of a turn that is nearest to the last one: it goes on beyond half a turn."""
    before = math.sqrt(dot(last, last))
    if before + angle < math.pi:
        return phi, angle
    # where no turn is left, that which made it whole says its axis
    u = scaled(1.0 / angle, phi) if angle > 1e-9 else scaled(1.0 / before, last)
    whole = 2.0 * math.pi * math.floor((dot(u, last) - angle) / (2.0 * math.pi) + 0.5)
    return scaled(angle + whole, u), angle + whole


@inner
def keep_angles(coords: Coordinates) -> None:
    """Let the turns last looked at be those from which they go on."""
    for n in range(len(coords.kind)):
        if coords.kind[n] == ANGLE:
            write(coords.turned[n], 0, read(coords.turning[n], 0))


@inner
def _angle(coords: Coordinates, motion: Motion, n: int, i: int, j: int) -> Measured:
    """Measure a component of the turn of frame B from frame A."""
    axes = axes_of(motion, i, coords.R_A, n)
    phi, angle = rotation_vector(axes, axes_of(motion, j, coords.R_B, n))
    phi, angle = _gone_on(phi, angle, read(coords.turned[n], 0))
    write(coords.turning[n], 0, phi)
    k = coords.axis[n]
    wanted = (unit(0, k), unit(1, k), unit(2, k))
    x, y, z = gradient(phi, angle, wanted)
    u = plus(plus(scaled(x, axes[0]), y, axes[1]), z, axes[2])
    spin = plus(spin_of(motion, j), -1.0, spin_of(motion, i))
    return True, dot(phi, wanted), dot(u, spin), u, NOWHERE, NOWHERE
