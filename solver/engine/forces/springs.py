"""Springs and dampers between points, bushings between frames, stiffness of tension elements."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion
from solver.engine.forces.points import (
    add_torque,
    along,
    arm_of,
    axes_of,
    between,
    gradient,
    push,
    rotation_vector,
    spin_of,
    summed,
)
from solver.engine.jit.kernels import inlined, kernel, separate, struct
from solver.engine.maths.curve import Curves, curve_area, curve_at
from solver.engine.maths.spatial import (
    NOUGHT,
    Table,
    Three,
    added,
    dot,
    each,
    length,
    less,
    over,
    plus,
    plus_dot,
    read_spatial,
    scaled,
    write3,
    write_spatial,
)

NO_LENGTH = 1e-12
"""Way (m) between points below which it has no direction."""

TAUT = 0.001
"""Stretch (m) over which damping of a spring that only pulls comes to its full force."""


@struct
class Lines(NamedTuple):
    """Hold springs along the line of two points.

    `k`, `k2`, `c`, `c2` are coefficients, `along` adds damping across the line where it is zero
    (equation 4.59), `force` and `damping` are curves that stand in for coefficients.
    """

    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    rest: Array
    k: Array
    k2: Array
    c: Array
    c2: Array
    force: IntArray
    damping: IntArray
    pulls_only: IntArray
    every_way: IntArray


@struct
class Bushings(NamedTuple):
    """Hold bushings: frames in A and B, stiffness along and about A's axes, damping and drag `c2` along those of A or B."""

    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    R_A: Array
    R_B: Array
    k: Array
    c: Array
    c2: Array
    along_b: IntArray


@inlined
def _square(a: Three) -> Three:
    """Each part by its own size."""
    return abs(a[0]) * a[0], abs(a[1]) * a[1], abs(a[2]) * a[2]


@separate
@kernel
def line_forces(
    lines: Lines,
    curves: Curves,
    motion: Motion,
    applied: Applied,
    out: Table,
    sums: Array,
) -> None:
    """Add the forces of springs between points; `out` takes the force on B and the length.

    `sums` takes the energy held and the power of the forces.
    """
    for n in range(len(lines.a)):
        i, j = lines.a[n], lines.b[n]
        arm_i, arm_j = arm_of(motion, i, lines.at_a, n), arm_of(motion, j, lines.at_b, n)
        way, velocity = between(motion, i, arm_i, j, arm_j)
        far, load = length(way), NOUGHT
        out[n, 3] = far
        if far > NO_LENGTH:
            to_b = over(way, far)
            if lines.every_way[n]:
                # section 4.4 damps the whole relative velocity, slack or not
                load = scaled(lines.c[n], velocity)
            pull, energy = _pull(lines, curves, n, far - lines.rest[n], dot(to_b, velocity))
            load = plus(load, pull, to_b)
            sums[0] += energy
        back = scaled(-1.0, load)
        write3(out, n, back)
        sums[1] -= dot(load, velocity)
        push(applied.torque, applied.force, i, arm_i, load)
        push(applied.torque, applied.force, j, arm_j, back)


@inlined
def _pull(lines: Lines, curves: Curves, n: int, x: float, rate: float) -> tuple[float, float]:
    """What a spring stretched by x pulls, damping along the line with it, and the energy held."""
    if lines.force[n] >= 0:
        pull, _ = curve_at(curves, lines.force[n], x)
        energy = curve_area(curves, lines.force[n], x)
    else:
        pull = x * (lines.k[n] + lines.k2[n] * abs(x))
        energy = x * x * (0.5 * lines.k[n] + lines.k2[n] * abs(x) / 3.0)
    if lines.pulls_only[n] != 0 and x <= 0.0:
        pull = energy = 0.0
    drag = 0.0
    if not lines.every_way[n]:
        if lines.damping[n] >= 0:
            drag = curve_at(curves, lines.damping[n], rate)[0]
        else:
            drag = rate * (lines.c[n] + lines.c2[n] * abs(rate))
    if lines.pulls_only[n]:
        u = min(max(x / TAUT, 0.0), 1.0)
        return max(pull + u * u * (3.0 - 2.0 * u) * drag, 0.0), energy
    return pull + drag, energy


@separate
@kernel
def bushing_forces(
    bushings: Bushings, motion: Motion, applied: Applied, out: Table, sums: Array
) -> None:
    """Add the loads of bushings; `out` takes force and torque on B and the distance.

    The six components are the displacement and the rotation vector of B's frame in A's; dampers and drag may count along the
    axes of B. The torque is the gradient of its energy: `tau = -J^-T K phi` where `phi' = J^-1 w`.
    """
    torque, force = applied.torque, applied.force
    for n in range(len(bushings.a)):
        i, j = bushings.a[n], bushings.b[n]
        arm_i, arm_j = arm_of(motion, i, bushings.at_a, n), arm_of(motion, j, bushings.at_b, n)
        way, _ = between(motion, i, arm_i, j, arm_j)
        # the point of A that lies at B's
        arm_i = added(arm_i, way)
        _, velocity = between(motion, i, arm_i, j, arm_j)
        axes, own = axes_of(motion, i, bushings.R_A, n), axes_of(motion, j, bushings.R_B, n)
        phi, angle = rotation_vector(axes, own)
        stiff, stiff_turning = read_spatial(bushings.k, n)
        drag, drag_turning = read_spatial(bushings.c, n)
        square, square_turning = read_spatial(bushings.c2, n)
        spin = less(spin_of(motion, j), spin_of(motion, i))
        damped = own if bushings.along_b[n] else axes
        # in A's axes, or what dampers give in B's
        shift, rate, turns = along(axes, way), along(damped, velocity), along(damped, spin)
        load = scaled(-1.0, each(stiff, shift))
        turning = scaled(-1.0, gradient(phi, angle, each(stiff_turning, phi)))
        if bushings.along_b[n]:
            load, turning = along(own, summed(axes, load)), along(own, summed(axes, turning))
        load = less(less(load, each(drag, rate)), each(square, _square(rate)))
        turning = less(
            less(turning, each(drag_turning, turns)), each(square_turning, _square(turns))
        )
        sums[0] += 0.5 * dot(each(stiff, shift), shift)
        sums[0] += 0.5 * dot(each(stiff_turning, phi), phi)
        sums[1] += plus_dot(dot(load, rate), turning, turns)
        load, turning = summed(damped, load), summed(damped, turning)
        push(torque, force, j, arm_j, load)
        push(torque, force, i, arm_i, scaled(-1.0, load))
        add_torque(torque, j, 1.0, turning)
        add_torque(torque, i, -1.0, turning)
        write_spatial(out, n, load, turning)
        out[n, 6] = length(way)
