"""What a coordinate is now, how fast it grows, and along what a resistance acts."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import BALL, FREE, Array, Motion, Tree
from solver.engine.forces.coordinates.arrays import (
    ANGLE,
    DISTANCE,
    EULER,
    JOINT,
    LINE_LENGTH,
    Coordinates,
)
from solver.engine.forces.coordinates.paths import NO_LENGTH, lay
from solver.engine.forces.joints.eulers import EulerLaws, gradient_of
from solver.engine.forces.points import (
    arm_of,
    axes_of,
    axis_in_frame,
    between,
    gradient,
    rotation_vector,
    spin_of,
    summed,
    unit_vector,
)
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    added,
    cross,
    dot,
    length,
    less,
    mat_on,
    over,
    read,
    read9,
    scaled,
    write,
)

Measured = tuple[bool, float, float, Three, Three, Three]
"""Whether it is there, its value and rate, the direction of its growth at B, and both arms (ground axes)."""


@inlined
def measure(
    coords: Coordinates, eulers: EulerLaws, curves: Curves, tree: Tree, motion: Motion, q: Array, v: Array, n: int
) -> Measured:  # fmt: skip
    """Measure coordinate n; what most of them are comes first."""
    kind, i, j = coords.kind[n], coords.a[n], coords.b[n]
    if kind == DISTANCE:
        return _distance(coords, motion, n, i, j)
    body = coords.body[n]
    if body >= 0 and tree.kind[j] == FREE:
        # the joint is broken
        return False, 0.0, 0.0, NOUGHT, NOUGHT, NOUGHT
    if kind == EULER and tree.kind[j] == BALL:
        return _euler(coords, eulers, motion, n, j)
    if kind in (JOINT, EULER):
        return True, q[tree.at_q[body]], v[tree.at_v[body]], NOUGHT, NOUGHT, NOUGHT
    if kind == ANGLE:
        return _angle(coords, motion, n, i, j)
    if kind == LINE_LENGTH:
        far, rate = lay(coords.paths, curves, motion, q, v, n)
        return True, far, rate, NOUGHT, NOUGHT, NOUGHT
    arm_a, arm_b = arm_of(motion, i, coords.at_a, n), arm_of(motion, j, coords.at_b, n)
    way, velocity = between(motion, i, arm_a, j, arm_b)
    along = axis_in_frame(motion, i, coords.R_A, n, coords.axis[n])
    # as seen from A, and against the point of A that lies at B's
    rate = dot(along, less(velocity, cross(spin_of(motion, i), way)))
    return True, dot(along, way), rate, along, added(arm_a, way), arm_b


@inlined
def _distance(coords: Coordinates, motion: Motion, n: int, i: int, j: int) -> Measured:
    """Measure the distance of two points."""
    arm_a, arm_b = arm_of(motion, i, coords.at_a, n), arm_of(motion, j, coords.at_b, n)
    way, velocity = between(motion, i, arm_a, j, arm_b)
    far = length(way)
    if far < NO_LENGTH:
        return False, 0.0, 0.0, NOUGHT, NOUGHT, NOUGHT
    along = over(way, far)
    return True, far, dot(along, velocity), along, arm_a, arm_b


@inner
def _euler(coords: Coordinates, eulers: EulerLaws, motion: Motion, n: int, j: int) -> Measured:
    """One angle of an Euler joint all of whose axes are open, as its laws have just seen it (section 6.3)."""
    k, m = coords.euler[n], coords.axis[n]
    grows = mat_on(read9(motion.R, j), gradient_of(eulers, k, m))
    value = eulers.angle[k, m] + eulers.centre[k, m]
    return True, value, eulers.seen[k, m], grows, NOUGHT, NOUGHT


@inlined
def _gone_on(phi: Three, angle: float, last: Three) -> tuple[Three, float]:
    """The rotation vector of a turn that is nearest to the last one: it goes on beyond half a turn."""
    before = length(last)
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
    wanted = unit_vector(k)
    grows = summed(axes, gradient(phi, angle, wanted))
    spin = less(spin_of(motion, j), spin_of(motion, i))
    return True, dot(phi, wanted), dot(grows, spin), grows, NOUGHT, NOUGHT
