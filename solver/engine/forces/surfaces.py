"""Surfaces and planes of segments, and where they are (section 2.2)."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.points import arm_of
from solver.engine.jit.bundles import bundle
from solver.engine.jit.kernels import inner, kernel


@bundle
class Surfaces(NamedTuple):
    """Hold ellipsoids and hyperellipsoids: body, centre and axes in it, semi-axes, powers, reach.

    `is_hyper` marks those with a power above two; `ball` is the radius of the largest ball that rolls
    everywhere inside; `centre` is the present place, ground axes.
    """

    body: IntArray
    at: Array
    R: Array
    semi: Array
    power: Array
    is_hyper: IntArray
    reach: Array
    ball: Array
    centre: Array


@bundle
class Planes(NamedTuple):
    """Hold planes: body, first corner, and in body axes the normal, the two edges and their duals.

    A point x lies between the edges where `dual . (x - corner)` is between 0 and 1 for both.
    `now` holds the present corner and normal, ground axes.
    """

    body: IntArray
    at: Array
    normal: Array
    edges: Array
    duals: Array
    now: Array


@kernel
def place_surfaces(surfaces: Surfaces, planes: Planes, motion: Motion) -> None:
    """Find all centres, corners and normals."""
    for k in range(len(surfaces.body)):
        i = surfaces.body[k]
        x, y, z = arm_of(motion, i, surfaces.at, k)
        if i >= 0:
            x, y, z = x + motion.p[i, 0], y + motion.p[i, 1], z + motion.p[i, 2]
        surfaces.centre[k, 0], surfaces.centre[k, 1], surfaces.centre[k, 2] = x, y, z
    for k in range(len(planes.body)):
        i, now = planes.body[k], planes.now
        x, y, z = arm_of(motion, i, planes.at, k)
        if i >= 0:
            x, y, z = x + motion.p[i, 0], y + motion.p[i, 1], z + motion.p[i, 2]
        now[k, 0], now[k, 1], now[k, 2] = x, y, z
        now[k, 3], now[k, 4], now[k, 5] = arm_of(motion, i, planes.normal, k)


@inner
def turn_of(motion: Motion, i: int, R: Array, k: int, out: Array) -> None:
    """Give the axes of row k of frames, in columns, ground axes."""
    if i < 0:
        for n in range(9):
            out[n] = R[k, n]
        return
    o = motion.R
    for u in range(3):
        for v in range(3):
            out[3 * u + v] = (
                o[i, 3 * u] * R[k, v]
                + o[i, 3 * u + 1] * R[k, 3 + v]
                + o[i, 3 * u + 2] * R[k, 6 + v]
            )
