"""Accelerations of a tree from forces, in time proportional to its size.

The articulated-body method (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7), written
in ground axes about the joints' points with true accelerations, so that inertias are turned once and
otherwise only shifted.
"""

from __future__ import annotations

from solver.dynamics.free import accelerate_free
from solver.dynamics.inertia import own_inertia, shift_force_only
from solver.dynamics.tree import (
    BALL,
    DRIVEN,
    FREE,
    HELD,
    OPEN,
    SLIDE,
    TURN,
    Array,
    IntArray,
    Motion,
    Tree,
)
from solver.dynamics.workspace import SOLVED, TINY, Workspace
from solver.maths.alone import alone
from solver.maths.kernels import kernel


@alone
@kernel
def accelerations(
    tree: Tree,
    locked: IntArray,
    q: Array,
    v: Array,
    motion: Motion,
    torque: Array,
    force: Array,
    tau: Array,
    g: Array,
    space: Workspace,
    rates: Array,
) -> int:
    """Give the rates of all speeds; `motion` is that of `kinematics`.

    The rates of what is DRIVEN, bodies or axes, are taken as they stand in `rates`.

    `torque` and `force` act on each body about its origin O in ground axes, `tau` on each freedom
    (of a BALL in body axes; of a FREE body: force in ground axes, torque in body axes). Afterwards
    `space.alpha` and `space.acc` hold the accelerations of all bodies and their origins.
    """
    count = len(tree.parent)
    o, p, w = motion.R, motion.p, motion.w
    A, B, M, n, f, U, D, u = space.A, space.B, space.M, space.n, space.f, space.U, space.D, space.u
    cb, arm, e, alpha, acc = space.c, space.r, space.e, space.alpha, space.acc
    axis = tree.axis
    for i in range(count):
        own_inertia(tree, motion, g, space, i)
        for k in range(3):
            n[i, k] -= torque[i, k]
            f[i, k] -= force[i, k]
    for i in range(count - 1, -1, -1):
        m = tree.parent[i]
        kind = tree.kind[i]
        at = tree.at_v[i]
        if kind == FREE and locked[i] != HELD:
            continue
        px = py = pz = wx = wy = wz = 0.0
        if m >= 0:
            px, py, pz = p[m, 0], p[m, 1], p[m, 2]
            wx, wy, wz = w[m, 0], w[m, 1], w[m, 2]
        rx, ry, rz = p[i, 0] - px, p[i, 1] - py, p[i, 2] - pz
        arm[i, 0], arm[i, 1], arm[i, 2] = rx, ry, rz
        wr = wx * rx + wy * ry + wz * rz
        ww = wx * wx + wy * wy + wz * wz
        zx = zy = zz = 0.0
        hx, hy, hz = wx * wr - rx * ww, wy * wr - ry * ww, wz * wr - rz * ww
        ex = ey = ez = 0.0
        if locked[i] != HELD:
            if kind == TURN:
                ex = o[i, 0] * axis[i, 0] + o[i, 1] * axis[i, 1] + o[i, 2] * axis[i, 2]
                ey = o[i, 3] * axis[i, 0] + o[i, 4] * axis[i, 1] + o[i, 5] * axis[i, 2]
                ez = o[i, 6] * axis[i, 0] + o[i, 7] * axis[i, 1] + o[i, 8] * axis[i, 2]
                s = v[at]
                zx, zy, zz = (
                    s * (wy * ez - wz * ey),
                    s * (wz * ex - wx * ez),
                    s * (wx * ey - wy * ex),
                )
                if locked[i] == DRIVEN:
                    s = rates[at]
                    zx, zy, zz = zx + s * ex, zy + s * ey, zz + s * ez
            elif kind == SLIDE:
                if m >= 0:
                    ex = o[m, 0] * axis[i, 0] + o[m, 1] * axis[i, 1] + o[m, 2] * axis[i, 2]
                    ey = o[m, 3] * axis[i, 0] + o[m, 4] * axis[i, 1] + o[m, 5] * axis[i, 2]
                    ez = o[m, 6] * axis[i, 0] + o[m, 7] * axis[i, 1] + o[m, 8] * axis[i, 2]
                else:
                    ex, ey, ez = axis[i, 0], axis[i, 1], axis[i, 2]
                s = 2.0 * v[at]
                hx += s * (wy * ez - wz * ey)
                hy += s * (wz * ex - wx * ez)
                hz += s * (wx * ey - wy * ex)
                if locked[i] == DRIVEN:
                    s = rates[at]
                    hx, hy, hz = hx + s * ex, hy + s * ey, hz + s * ez
            else:
                sx, sy, sz = w[i, 0] - wx, w[i, 1] - wy, w[i, 2] - wz
                zx, zy, zz = wy * sz - wz * sy, wz * sx - wx * sz, wx * sy - wy * sx
        e[i, 0], e[i, 1], e[i, 2] = ex, ey, ez
        cb[i, 0], cb[i, 1], cb[i, 2], cb[i, 3], cb[i, 4], cb[i, 5] = zx, zy, zz, hx, hy, hz
        nx = (
            n[i, 0]
            + A[i, 0] * zx
            + A[i, 3] * zy
            + A[i, 4] * zz
            + B[i, 0] * hx
            + B[i, 1] * hy
            + B[i, 2] * hz
        )
        ny = (
            n[i, 1]
            + A[i, 3] * zx
            + A[i, 1] * zy
            + A[i, 5] * zz
            + B[i, 3] * hx
            + B[i, 4] * hy
            + B[i, 5] * hz
        )
        nz = (
            n[i, 2]
            + A[i, 4] * zx
            + A[i, 5] * zy
            + A[i, 2] * zz
            + B[i, 6] * hx
            + B[i, 7] * hy
            + B[i, 8] * hz
        )
        fx = (
            f[i, 0]
            + B[i, 0] * zx
            + B[i, 3] * zy
            + B[i, 6] * zz
            + M[i, 0] * hx
            + M[i, 3] * hy
            + M[i, 4] * hz
        )
        fy = (
            f[i, 1]
            + B[i, 1] * zx
            + B[i, 4] * zy
            + B[i, 7] * zz
            + M[i, 3] * hx
            + M[i, 1] * hy
            + M[i, 5] * hz
        )
        fz = (
            f[i, 2]
            + B[i, 2] * zx
            + B[i, 5] * zy
            + B[i, 8] * zz
            + M[i, 4] * hx
            + M[i, 5] * hy
            + M[i, 2] * hz
        )
        if locked[i] == OPEN and kind == BALL:
            # the three turns leave only a force to the parent
            b0 = A[i, 1] * A[i, 2] - A[i, 5] * A[i, 5]
            b3 = A[i, 4] * A[i, 5] - A[i, 3] * A[i, 2]
            b4 = A[i, 3] * A[i, 5] - A[i, 4] * A[i, 1]
            det = A[i, 0] * b0 + A[i, 3] * b3 + A[i, 4] * b4
            scale = A[i, 0] + A[i, 1] + A[i, 2]
            if not det > TINY * scale * scale * scale:
                return i
            d = 1.0 / det
            b0, b3, b4 = b0 * d, b3 * d, b4 * d
            b1 = (A[i, 0] * A[i, 2] - A[i, 4] * A[i, 4]) * d
            b2 = (A[i, 0] * A[i, 1] - A[i, 3] * A[i, 3]) * d
            b5 = (A[i, 3] * A[i, 4] - A[i, 0] * A[i, 5]) * d
            D[i, 0], D[i, 1], D[i, 2], D[i, 3], D[i, 4], D[i, 5] = b0, b1, b2, b3, b4, b5
            tx, ty, tz = tau[at], tau[at + 1], tau[at + 2]
            gx = o[i, 0] * tx + o[i, 1] * ty + o[i, 2] * tz
            gy = o[i, 3] * tx + o[i, 4] * ty + o[i, 5] * tz
            gz = o[i, 6] * tx + o[i, 7] * ty + o[i, 8] * tz
            ux, uy, uz = gx - nx, gy - ny, gz - nz
            u[i, 0], u[i, 1], u[i, 2] = ux, uy, uz
            if m < 0:
                continue
            # W = A^-1 B
            w00 = b0 * B[i, 0] + b3 * B[i, 3] + b4 * B[i, 6]
            w01 = b0 * B[i, 1] + b3 * B[i, 4] + b4 * B[i, 7]
            w02 = b0 * B[i, 2] + b3 * B[i, 5] + b4 * B[i, 8]
            w10 = b3 * B[i, 0] + b1 * B[i, 3] + b5 * B[i, 6]
            w11 = b3 * B[i, 1] + b1 * B[i, 4] + b5 * B[i, 7]
            w12 = b3 * B[i, 2] + b1 * B[i, 5] + b5 * B[i, 8]
            w20 = b4 * B[i, 0] + b5 * B[i, 3] + b2 * B[i, 6]
            w21 = b4 * B[i, 1] + b5 * B[i, 4] + b2 * B[i, 7]
            w22 = b4 * B[i, 2] + b5 * B[i, 5] + b2 * B[i, 8]
            m0 = M[i, 0] - (B[i, 0] * w00 + B[i, 3] * w10 + B[i, 6] * w20)
            m1 = M[i, 1] - (B[i, 1] * w01 + B[i, 4] * w11 + B[i, 7] * w21)
            m2 = M[i, 2] - (B[i, 2] * w02 + B[i, 5] * w12 + B[i, 8] * w22)
            m3 = M[i, 3] - (B[i, 0] * w01 + B[i, 3] * w11 + B[i, 6] * w21)
            m4 = M[i, 4] - (B[i, 0] * w02 + B[i, 3] * w12 + B[i, 6] * w22)
            m5 = M[i, 5] - (B[i, 1] * w02 + B[i, 4] * w12 + B[i, 7] * w22)
            fx += w00 * ux + w10 * uy + w20 * uz
            fy += w01 * ux + w11 * uy + w21 * uz
            fz += w02 * ux + w12 * uy + w22 * uz
            shift_force_only(space, m, rx, ry, rz, m0, m1, m2, m3, m4, m5, gx, gy, gz, fx, fy, fz)
            continue
        a0, a1, a2, a3, a4, a5 = A[i, 0], A[i, 1], A[i, 2], A[i, 3], A[i, 4], A[i, 5]
        c0, c1, c2, c3, c4, c5 = B[i, 0], B[i, 1], B[i, 2], B[i, 3], B[i, 4], B[i, 5]
        c6, c7, c8 = B[i, 6], B[i, 7], B[i, 8]
        m0, m1, m2, m3, m4, m5 = M[i, 0], M[i, 1], M[i, 2], M[i, 3], M[i, 4], M[i, 5]
        if locked[i] == OPEN:
            if kind == TURN:
                u0 = a0 * ex + a3 * ey + a4 * ez
                u1 = a3 * ex + a1 * ey + a5 * ez
                u2 = a4 * ex + a5 * ey + a2 * ez
                u3 = c0 * ex + c3 * ey + c6 * ez
                u4 = c1 * ex + c4 * ey + c7 * ez
                u5 = c2 * ex + c5 * ey + c8 * ez
                d = ex * u0 + ey * u1 + ez * u2
                s = tau[at] - (ex * nx + ey * ny + ez * nz)
                scale = a0 + a1 + a2
            else:
                u0 = c0 * ex + c1 * ey + c2 * ez
                u1 = c3 * ex + c4 * ey + c5 * ez
                u2 = c6 * ex + c7 * ey + c8 * ez
                u3 = m0 * ex + m3 * ey + m4 * ez
                u4 = m3 * ex + m1 * ey + m5 * ez
                u5 = m4 * ex + m5 * ey + m2 * ez
                d = ex * u3 + ey * u4 + ez * u5
                s = tau[at] - (ex * fx + ey * fy + ez * fz)
                scale = m0 + m1 + m2
            if not d > TINY * scale:
                return i
            U[i, 0], U[i, 1], U[i, 2], U[i, 3], U[i, 4], U[i, 5] = u0, u1, u2, u3, u4, u5
            d = 1.0 / d
            D[i, 0], u[i, 0] = d, s
            if m < 0:
                continue
            s *= d
            nx, ny, nz = nx + u0 * s, ny + u1 * s, nz + u2 * s
            fx, fy, fz = fx + u3 * s, fy + u4 * s, fz + u5 * s
            v0, v1, v2, v3, v4, v5 = u0 * d, u1 * d, u2 * d, u3 * d, u4 * d, u5 * d
            a0, a1, a2 = a0 - u0 * v0, a1 - u1 * v1, a2 - u2 * v2
            a3, a4, a5 = a3 - u0 * v1, a4 - u0 * v2, a5 - u1 * v2
            c0, c1, c2 = c0 - u0 * v3, c1 - u0 * v4, c2 - u0 * v5
            c3, c4, c5 = c3 - u1 * v3, c4 - u1 * v4, c5 - u1 * v5
            c6, c7, c8 = c6 - u2 * v3, c7 - u2 * v4, c8 - u2 * v5
            m0, m1, m2 = m0 - u3 * v3, m1 - u4 * v4, m2 - u5 * v5
            m3, m4, m5 = m3 - u3 * v4, m4 - u3 * v5, m5 - u4 * v5
        if m < 0:
            continue
        # shift about the parent's origin; G = [r]x B^T
        g0, g1, g2 = ry * c2 - rz * c1, ry * c5 - rz * c4, ry * c8 - rz * c7
        g3, g4, g5 = rz * c0 - rx * c2, rz * c3 - rx * c5, rz * c6 - rx * c8
        g6, g7, g8 = rx * c1 - ry * c0, rx * c4 - ry * c3, rx * c7 - ry * c6
        A[m, 0] += a0 + 2.0 * g0
        A[m, 1] += a1 + 2.0 * g4
        A[m, 2] += a2 + 2.0 * g8
        A[m, 3] += a3 + g1 + g3
        A[m, 4] += a4 + g2 + g6
        A[m, 5] += a5 + g5 + g7
        B[m, 0], B[m, 1], B[m, 2] = B[m, 0] + c0, B[m, 1] + c1, B[m, 2] + c2
        B[m, 3], B[m, 4], B[m, 5] = B[m, 3] + c3, B[m, 4] + c4, B[m, 5] + c5
        B[m, 6], B[m, 7], B[m, 8] = B[m, 6] + c6, B[m, 7] + c7, B[m, 8] + c8
        shift_force_only(space, m, rx, ry, rz, m0, m1, m2, m3, m4, m5, nx, ny, nz, fx, fy, fz)
    for i in range(count):
        kind, at, m = tree.kind[i], tree.at_v[i], tree.parent[i]
        if kind == FREE and locked[i] == OPEN:
            if accelerate_free(A, B, M, n, f, o, tau, rates, alpha, acc, at, i) != SOLVED:
                return i
            continue
        if kind == FREE and locked[i] == DRIVEN:
            for k in range(3):
                acc[i, k] = rates[at + k]
                x, y, z = rates[at + 3], rates[at + 4], rates[at + 5]
                alpha[i, k] = o[i, 3 * k] * x + o[i, 3 * k + 1] * y + o[i, 3 * k + 2] * z
            continue
        x, y, z = 0.0, 0.0, 0.0
        ax, ay, az = 0.0, 0.0, 0.0
        if m >= 0:
            x, y, z = alpha[m, 0], alpha[m, 1], alpha[m, 2]
            ax, ay, az = acc[m, 0], acc[m, 1], acc[m, 2]
        rx, ry, rz = arm[i, 0], arm[i, 1], arm[i, 2]
        ax, ay, az = ax + y * rz - z * ry, ay + z * rx - x * rz, az + x * ry - y * rx
        if locked[i] == HELD:
            for k in range(1 if kind < BALL else (3 if kind == BALL else 6)):
                rates[at + k] = 0.0
        elif locked[i] == OPEN:
            if kind == BALL:
                sx = u[i, 0] - (B[i, 0] * ax + B[i, 1] * ay + B[i, 2] * az)
                sy = u[i, 1] - (B[i, 3] * ax + B[i, 4] * ay + B[i, 5] * az)
                sz = u[i, 2] - (B[i, 6] * ax + B[i, 7] * ay + B[i, 8] * az)
                # relative turn: A^-1 (u - B a) - alpha of the parent
                tx = D[i, 0] * sx + D[i, 3] * sy + D[i, 4] * sz - x
                ty = D[i, 3] * sx + D[i, 1] * sy + D[i, 5] * sz - y
                tz = D[i, 4] * sx + D[i, 5] * sy + D[i, 2] * sz - z
                rates[at] = o[i, 0] * tx + o[i, 3] * ty + o[i, 6] * tz
                rates[at + 1] = o[i, 1] * tx + o[i, 4] * ty + o[i, 7] * tz
                rates[at + 2] = o[i, 2] * tx + o[i, 5] * ty + o[i, 8] * tz
                x, y, z = x + tx, y + ty, z + tz
            else:
                s = u[i, 0] - (
                    U[i, 0] * x
                    + U[i, 1] * y
                    + U[i, 2] * z
                    + U[i, 3] * ax
                    + U[i, 4] * ay
                    + U[i, 5] * az
                )
                s *= D[i, 0]
                rates[at] = s
                if kind == TURN:
                    x, y, z = x + s * e[i, 0], y + s * e[i, 1], z + s * e[i, 2]
                else:
                    ax, ay, az = ax + s * e[i, 0], ay + s * e[i, 1], az + s * e[i, 2]
        alpha[i, 0], alpha[i, 1], alpha[i, 2] = x + cb[i, 0], y + cb[i, 1], z + cb[i, 2]
        acc[i, 0], acc[i, 1], acc[i, 2] = ax + cb[i, 3], ay + cb[i, 4], az + cb[i, 5]
    return SOLVED
