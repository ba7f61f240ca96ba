"""Energy of a tree's motion and weight."""

from __future__ import annotations

from solver.engine.dynamics.tree import Array, Motion, Tree
from solver.engine.jit.kernels import inner
from solver.engine.maths.spatial import (
    added,
    dot,
    mat_on,
    plus_cross,
    read3,
    read6,
    read9,
    sym_on,
    transpose_on,
)


@inner
def kinetic_energy(tree: Tree, motion: Motion) -> float:
    """The kinetic energy of all bodies, by the velocity of each mass centre and the turning about it."""
    twice = 0.0
    for i in range(len(tree.parent)):
        turn, spin = read9(motion.R, i), read3(motion.w, i)
        speed = plus_cross(read3(motion.v, i), spin, mat_on(turn, read3(tree.centre, i)))
        own = transpose_on(turn, spin)
        twice += tree.mass[i] * dot(speed, speed) + dot(own, sym_on(read6(tree.inertia, i), own))
    return 0.5 * twice


@inner
def weight_energy(tree: Tree, motion: Motion, g: Array) -> float:
    """The potential energy of weight from the ground's origin."""
    energy = 0.0
    for i in range(len(tree.parent)):
        arm = mat_on(read9(motion.R, i), read3(tree.centre, i))
        energy -= tree.mass[i] * dot((g[0], g[1], g[2]), added(read3(motion.p, i), arm))
    return energy
