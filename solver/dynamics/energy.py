"""Energy of a tree's motion and weight."""

from __future__ import annotations

from solver.dynamics.tree import Array, Motion, Tree
from solver.maths.kernels import inlined, inner


@inlined
def _to_centre(tree: Tree, R: Array, i: int) -> tuple[float, float, float]:
    """Give the arm from O to a body's mass centre, ground axes."""
    c = tree.centre
    return (
        R[i, 0] * c[i, 0] + R[i, 1] * c[i, 1] + R[i, 2] * c[i, 2],
        R[i, 3] * c[i, 0] + R[i, 4] * c[i, 1] + R[i, 5] * c[i, 2],
        R[i, 6] * c[i, 0] + R[i, 7] * c[i, 1] + R[i, 8] * c[i, 2],
    )


@inner
def kinetic_energy(tree: Tree, motion: Motion) -> float:
    """Give the kinetic energy of all bodies."""
    R, w, v, J = motion.R, motion.w, motion.v, tree.inertia
    out = 0.0
    for i in range(len(tree.parent)):
        dx, dy, dz = _to_centre(tree, R, i)
        vx = v[i, 0] + w[i, 1] * dz - w[i, 2] * dy
        vy = v[i, 1] + w[i, 2] * dx - w[i, 0] * dz
        vz = v[i, 2] + w[i, 0] * dy - w[i, 1] * dx
        wx = R[i, 0] * w[i, 0] + R[i, 3] * w[i, 1] + R[i, 6] * w[i, 2]
        wy = R[i, 1] * w[i, 0] + R[i, 4] * w[i, 1] + R[i, 7] * w[i, 2]
        wz = R[i, 2] * w[i, 0] + R[i, 5] * w[i, 1] + R[i, 8] * w[i, 2]
        out += tree.mass[i] * (vx * vx + vy * vy + vz * vz)
        out += wx * (J[i, 0] * wx + J[i, 3] * wy + J[i, 4] * wz)
        out += wy * (J[i, 3] * wx + J[i, 1] * wy + J[i, 5] * wz)
        out += wz * (J[i, 4] * wx + J[i, 5] * wy + J[i, 2] * wz)
    return 0.5 * out


@inner
def weight_energy(tree: Tree, motion: Motion, g: Array) -> float:
    """Give the potential energy of weight from the ground's origin."""
    out, p = 0.0, motion.p
    for i in range(len(tree.parent)):
        dx, dy, dz = _to_centre(tree, motion.R, i)
        along = g[0] * (p[i, 0] + dx) + g[1] * (p[i, 1] + dy) + g[2] * (p[i, 2] + dz)
        out -= tree.mass[i] * along
    return out
