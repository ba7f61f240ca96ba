"""Springs and dampers between points, bushings between frames, stiffness of tension elements."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.points import add_force, arm_of, from_point
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.curve import Curves, curve_area, curve_at
from solver.maths.kernels import inlined, kernel

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


@inlined
def _frame(motion: Motion, i: int, R: Array, n: int, c: int) -> tuple[float, float, float]:
    """Give column c of a frame fixed in a body, ground axes."""
    x, y, z = R[n, c], R[n, 3 + c], R[n, 6 + c]
    if i < 0:
        return x, y, z
    o = motion.R
    return (
        o[i, 0] * x + o[i, 1] * y + o[i, 2] * z,
        o[i, 3] * x + o[i, 4] * y + o[i, 5] * z,
        o[i, 6] * x + o[i, 7] * y + o[i, 8] * z,
    )


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
        x0, x1, x2 = _frame(motion, i, bushings.R_A, n, 0)
        y0, y1, y2 = _frame(motion, i, bushings.R_A, n, 1)
        z0, z1, z2 = _frame(motion, i, bushings.R_A, n, 2)
        e0, e1, e2 = _frame(motion, j, bushings.R_B, n, 0)
        g0, g1, g2 = _frame(motion, j, bushings.R_B, n, 1)
        h0, h1, h2 = _frame(motion, j, bushings.R_B, n, 2)
        # turn of B's frame in A's: its antisymmetric part and trace, then the rotation vector
        sx = 0.5 * ((z0 * g0 + z1 * g1 + z2 * g2) - (y0 * h0 + y1 * h1 + y2 * h2))
        sy = 0.5 * ((x0 * h0 + x1 * h1 + x2 * h2) - (z0 * e0 + z1 * e1 + z2 * e2))
        sz = 0.5 * ((y0 * e0 + y1 * e1 + y2 * e2) - (x0 * g0 + x1 * g1 + x2 * g2))
        trace = x0 * e0 + x1 * e1 + x2 * e2 + y0 * g0 + y1 * g1 + y2 * g2
        trace += z0 * h0 + z1 * h1 + z2 * h2
        sine = math.sqrt(sx * sx + sy * sy + sz * sz)
        angle = math.atan2(sine, 0.5 * (trace - 1.0))
        f = angle / sine if sine > 1e-9 else 1.0
        phx, phy, phz = f * sx, f * sy, f * sz
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
        tx, ty, tz = k[n, 3] * phx, k[n, 4] * phy, k[n, 5] * phz
        a2 = angle * angle
        if a2 < 1e-4:
            j2 = 1.0 / 12.0 + a2 / 720.0
        else:
            j2 = (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / a2
        # J^-T u = u + phi x u / 2 + j2 phi x (phi x u)
        qx, qy, qz = phy * tz - phz * ty, phz * tx - phx * tz, phx * ty - phy * tx
        tx, ty, tz = (
            -(tx + 0.5 * qx + j2 * (phy * qz - phz * qy)) - c[n, 3] * rx,
            -(ty + 0.5 * qy + j2 * (phz * qx - phx * qz)) - c[n, 4] * ry,
            -(tz + 0.5 * qz + j2 * (phx * qy - phy * qx)) - c[n, 5] * rz,
        )
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
        if j >= 0:
            torque[j, 0], torque[j, 1] = torque[j, 0] + tx, torque[j, 1] + ty
            torque[j, 2] += tz
        if i >= 0:
            torque[i, 0], torque[i, 1] = torque[i, 0] - tx, torque[i, 1] - ty
            torque[i, 2] -= tz
        out[n, 0], out[n, 1], out[n, 2], out[n, 3], out[n, 4], out[n, 5] = fx, fy, fz, tx, ty, tz
        out[n, 6] = math.sqrt(dx * dx + dy * dy + dz * dz)
