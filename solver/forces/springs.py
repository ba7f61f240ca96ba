"""Springs and dampers between points, bushings between frames, stiffness of tension elements."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.points import add_force, add_torque, arm_of, from_point
from solver.forces.turning import axes_of, gradient, rotation_vector
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.curve import Curves, curve_area, curve_at
from solver.maths.kernels import kernel

TAUT = 0.001
"""Stretch (m) over which damping of a spring that only pulls comes to its full force."""


@bundle
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


@bundle
class Bushings(NamedTuple):
    """Hold bushings: frames in A and B, stiffness and damping along and about A's axes."""

    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    R_A: Array
    R_B: Array
    k: Array
    c: Array


@alone
@kernel
def line_forces(
    lines: Lines,
    curves: Curves,
    motion: Motion,
    torque: Array,
    force: Array,
    out: Array,
    sums: Array,
) -> None:
    """Add the forces of springs between points; `out` takes the force on B and the length.

    `sums` takes the energy held and the power of the forces.
    """
    for n in range(len(lines.a)):
        i, j = lines.a[n], lines.b[n]
        ax, ay, az = arm_of(motion, i, lines.at_a, n)
        bx, by, bz = arm_of(motion, j, lines.at_b, n)
        dx, dy, dz, vx, vy, vz = from_point(motion, i, ax, ay, az, j, bx, by, bz)
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        out[n, 3] = length
        fx = fy = fz = 0.0
        if length > 1e-12:
            dx, dy, dz = dx / length, dy / length, dz / length
            x, rate = length - lines.rest[n], dx * vx + dy * vy + dz * vz
            if lines.force[n] >= 0:
                pull, _ = curve_at(curves, lines.force[n], x)
                energy = curve_area(curves, lines.force[n], x)
            else:
                k, k2 = lines.k[n], lines.k2[n]
                pull = x * (k + k2 * abs(x))
                energy = x * x * (0.5 * k + k2 * abs(x) / 3.0)
            slack = lines.pulls_only[n] != 0 and x <= 0.0
            if slack:
                pull = energy = 0.0
            drag = 0.0
            if lines.every_way[n]:
                # section 4.4 damps the whole relative velocity, slack or not
                c = lines.c[n]
                fx, fy, fz = c * vx, c * vy, c * vz
            elif lines.damping[n] >= 0:
                drag = curve_at(curves, lines.damping[n], rate)[0]
            else:
                drag = rate * (lines.c[n] + lines.c2[n] * abs(rate))
            if lines.pulls_only[n]:
                u = min(max(x / TAUT, 0.0), 1.0)
                pull = max(pull + u * u * (3.0 - 2.0 * u) * drag, 0.0)
            else:
                pull += drag
            fx, fy, fz = fx + pull * dx, fy + pull * dy, fz + pull * dz
            sums[0] += energy
        out[n, 0], out[n, 1], out[n, 2] = -fx, -fy, -fz
        sums[1] -= fx * vx + fy * vy + fz * vz
        add_force(torque, force, i, ax, ay, az, fx, fy, fz)
        add_force(torque, force, j, bx, by, bz, -fx, -fy, -fz)


@alone
@kernel
def bushing_forces(
    bushings: Bushings, motion: Motion, torque: Array, force: Array, out: Array, sums: Array
) -> None:
    """Add the loads of bushings; `out` takes force and torque on B and the distance.

    The six components are the displacement and the rotation vector of B's frame in A's. The
    torque is the gradient of its energy: `tau = -J^-T K phi` where `phi' = J^-1 w`.
    """
    for n in range(len(bushings.a)):
        i, j = bushings.a[n], bushings.b[n]
        ax, ay, az = arm_of(motion, i, bushings.at_a, n)
        bx, by, bz = arm_of(motion, j, bushings.at_b, n)
        dx, dy, dz, _, _, _ = from_point(motion, i, ax, ay, az, j, bx, by, bz)
        # the point of A that lies at B's
        ax, ay, az = ax + dx, ay + dy, az + dz
        _, _, _, vx, vy, vz = from_point(motion, i, ax, ay, az, j, bx, by, bz)
        wx = wy = wz = 0.0
        if j >= 0:
            wx, wy, wz = motion.w[j, 0], motion.w[j, 1], motion.w[j, 2]
        if i >= 0:
            wx, wy, wz = wx - motion.w[i, 0], wy - motion.w[i, 1], wz - motion.w[i, 2]
        axes_a = axes_of(motion, i, bushings.R_A, n)
        (x0, x1, x2), (y0, y1, y2), (z0, z1, z2) = axes_a
        phi, angle = rotation_vector(axes_a, axes_of(motion, j, bushings.R_B, n))
        phx, phy, phz = phi
        k, c = bushings.k, bushings.c
        lx, ly, lz = dx * x0 + dy * x1 + dz * x2, dx * y0 + dy * y1 + dz * y2, 0.0
        lz = dx * z0 + dy * z1 + dz * z2
        mx, my, mz = vx * x0 + vy * x1 + vz * x2, vx * y0 + vy * y1 + vz * y2, 0.0
        mz = vx * z0 + vy * z1 + vz * z2
        rx, ry, rz = wx * x0 + wy * x1 + wz * x2, wx * y0 + wy * y1 + wz * y2, 0.0
        rz = wx * z0 + wy * z1 + wz * z2
        fx, fy, fz = (
            -k[n, 0] * lx - c[n, 0] * mx,
            -k[n, 1] * ly - c[n, 1] * my,
            -k[n, 2] * lz - c[n, 2] * mz,
        )
        tx, ty, tz = gradient(phi, angle, (k[n, 3] * phx, k[n, 4] * phy, k[n, 5] * phz))
        tx, ty, tz = -tx - c[n, 3] * rx, -ty - c[n, 4] * ry, -tz - c[n, 5] * rz
        sums[0] += 0.5 * (k[n, 0] * lx * lx + k[n, 1] * ly * ly + k[n, 2] * lz * lz)
        sums[0] += 0.5 * (k[n, 3] * phx * phx + k[n, 4] * phy * phy + k[n, 5] * phz * phz)
        sums[1] += fx * mx + fy * my + fz * mz + tx * rx + ty * ry + tz * rz
        fx, fy, fz = (
            fx * x0 + fy * y0 + fz * z0,
            fx * x1 + fy * y1 + fz * z1,
            fx * x2 + fy * y2 + fz * z2,
        )
        tx, ty, tz = (
            tx * x0 + ty * y0 + tz * z0,
            tx * x1 + ty * y1 + tz * z1,
            tx * x2 + ty * y2 + tz * z2,
        )
        add_force(torque, force, j, bx, by, bz, fx, fy, fz)
        add_force(torque, force, i, ax, ay, az, -fx, -fy, -fz)
        add_torque(torque, j, 1.0, (tx, ty, tz))
        add_torque(torque, i, -1.0, (tx, ty, tz))
        out[n, 0], out[n, 1], out[n, 2], out[n, 3], out[n, 4], out[n, 5] = fx, fy, fz, tx, ty, tz
        out[n, 6] = math.sqrt(dx * dx + dy * dy + dz * dz)
