"""Articulated inertias: a body's own, and what a child hands to its parent."""

from __future__ import annotations

from solver.dynamics.tree import Array, Motion, Tree
from solver.dynamics.workspace import Workspace
from solver.maths.kernels import inlined


@inlined
def own_inertia(tree: Tree, motion: Motion, g: Array, space: Workspace, i: int) -> None:
    """Start a body's articulated inertia and bias from its own mass, velocity and weight."""
    A, B, M, n, f = space.A, space.B, space.M, space.n, space.f
    m = tree.mass[i]
    o, c, J = motion.R, tree.centre, tree.inertia
    wx, wy, wz = motion.w[i, 0], motion.w[i, 1], motion.w[i, 2]
    # inertia about the mass centre, turned to ground axes; J = xx, yy, zz, xy, xz, yz
    t0 = o[i, 0] * J[i, 0] + o[i, 1] * J[i, 3] + o[i, 2] * J[i, 4]
    t1 = o[i, 0] * J[i, 3] + o[i, 1] * J[i, 1] + o[i, 2] * J[i, 5]
    t2 = o[i, 0] * J[i, 4] + o[i, 1] * J[i, 5] + o[i, 2] * J[i, 2]
    t3 = o[i, 3] * J[i, 0] + o[i, 4] * J[i, 3] + o[i, 5] * J[i, 4]
    t4 = o[i, 3] * J[i, 3] + o[i, 4] * J[i, 1] + o[i, 5] * J[i, 5]
    t5 = o[i, 3] * J[i, 4] + o[i, 4] * J[i, 5] + o[i, 5] * J[i, 2]
    t6 = o[i, 6] * J[i, 0] + o[i, 7] * J[i, 3] + o[i, 8] * J[i, 4]
    t7 = o[i, 6] * J[i, 3] + o[i, 7] * J[i, 1] + o[i, 8] * J[i, 5]
    t8 = o[i, 6] * J[i, 4] + o[i, 7] * J[i, 5] + o[i, 8] * J[i, 2]
    xx = t0 * o[i, 0] + t1 * o[i, 1] + t2 * o[i, 2]
    yy = t3 * o[i, 3] + t4 * o[i, 4] + t5 * o[i, 5]
    zz = t6 * o[i, 6] + t7 * o[i, 7] + t8 * o[i, 8]
    xy = t0 * o[i, 3] + t1 * o[i, 4] + t2 * o[i, 5]
    xz = t0 * o[i, 6] + t1 * o[i, 7] + t2 * o[i, 8]
    yz = t3 * o[i, 6] + t4 * o[i, 7] + t5 * o[i, 8]
    # arm from the origin to the mass centre
    dx = o[i, 0] * c[i, 0] + o[i, 1] * c[i, 1] + o[i, 2] * c[i, 2]
    dy = o[i, 3] * c[i, 0] + o[i, 4] * c[i, 1] + o[i, 5] * c[i, 2]
    dz = o[i, 6] * c[i, 0] + o[i, 7] * c[i, 1] + o[i, 8] * c[i, 2]
    A[i, 0] = xx + m * (dy * dy + dz * dz)
    A[i, 1] = yy + m * (dx * dx + dz * dz)
    A[i, 2] = zz + m * (dx * dx + dy * dy)
    A[i, 3] = xy - m * dx * dy
    A[i, 4] = xz - m * dx * dz
    A[i, 5] = yz - m * dy * dz
    B[i, 0], B[i, 1], B[i, 2] = 0.0, -m * dz, m * dy
    B[i, 3], B[i, 4], B[i, 5] = m * dz, 0.0, -m * dx
    B[i, 6], B[i, 7], B[i, 8] = -m * dy, m * dx, 0.0
    M[i, 0], M[i, 1], M[i, 2], M[i, 3], M[i, 4], M[i, 5] = m, m, m, 0.0, 0.0, 0.0
    # gyroscopic torque, centripetal force, weight
    hx = xx * wx + xy * wy + xz * wz
    hy = xy * wx + yy * wy + yz * wz
    hz = xz * wx + yz * wy + zz * wz
    wd = wx * dx + wy * dy + wz * dz
    ww = wx * wx + wy * wy + wz * wz
    fx = m * (wx * wd - dx * ww - g[0])
    fy = m * (wy * wd - dy * ww - g[1])
    fz = m * (wz * wd - dz * ww - g[2])
    n[i, 0] = wy * hz - wz * hy + dy * fz - dz * fy
    n[i, 1] = wz * hx - wx * hz + dz * fx - dx * fz
    n[i, 2] = wx * hy - wy * hx + dx * fy - dy * fx
    f[i, 0], f[i, 1], f[i, 2] = fx, fy, fz


@inlined
def shift_force_only(
    space: Workspace, m: int,
    rx: float, ry: float, rz: float,
    m0: float, m1: float, m2: float, m3: float, m4: float, m5: float,
    nx: float, ny: float, nz: float, fx: float, fy: float, fz: float,
) -> None:  # fmt: skip
    """Add the translational inertia and the bias of a child, shifted to its parent's origin."""
    A, B, M, n, f = space.A, space.B, space.M, space.n, space.f
    k0, k1, k2 = ry * m4 - rz * m3, ry * m5 - rz * m1, ry * m2 - rz * m5
    k3, k4, k5 = rz * m0 - rx * m4, rz * m3 - rx * m5, rz * m4 - rx * m2
    k6, k7, k8 = rx * m3 - ry * m0, rx * m1 - ry * m3, rx * m5 - ry * m4
    A[m, 0] += ry * k2 - rz * k1
    A[m, 1] += rz * k3 - rx * k5
    A[m, 2] += rx * k7 - ry * k6
    A[m, 3] += rz * k0 - rx * k2
    A[m, 4] += rx * k1 - ry * k0
    A[m, 5] += rx * k4 - ry * k3
    B[m, 0], B[m, 1], B[m, 2] = B[m, 0] + k0, B[m, 1] + k1, B[m, 2] + k2
    B[m, 3], B[m, 4], B[m, 5] = B[m, 3] + k3, B[m, 4] + k4, B[m, 5] + k5
    B[m, 6], B[m, 7], B[m, 8] = B[m, 6] + k6, B[m, 7] + k7, B[m, 8] + k8
    M[m, 0], M[m, 1], M[m, 2] = M[m, 0] + m0, M[m, 1] + m1, M[m, 2] + m2
    M[m, 3], M[m, 4], M[m, 5] = M[m, 3] + m3, M[m, 4] + m4, M[m, 5] + m5
    n[m, 0] += nx + ry * fz - rz * fy
    n[m, 1] += ny + rz * fx - rx * fz
    n[m, 2] += nz + rx * fy - ry * fx
    f[m, 0], f[m, 1], f[m, 2] = f[m, 0] + fx, f[m, 1] + fy, f[m, 2] + fz
