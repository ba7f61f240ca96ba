"""Surfaces and planes of segments, and where they are (section 2.2)."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.points import arm_of
from solver.engine.jit.kernels import inlined, inner, kernel, struct
from solver.engine.maths.spatial import (
    Three,
    added,
    product,
    read3,
    read9,
    write3,
    write_spatial,
    write_turn,
)


@struct
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


@struct
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
        write3(surfaces.centre, k, _place(motion, i, arm_of(motion, i, surfaces.at, k)))
    for k in range(len(planes.body)):
        i = planes.body[k]
        corner = _place(motion, i, arm_of(motion, i, planes.at, k))
        write_spatial(planes.now, k, corner, arm_of(motion, i, planes.normal, k))


@inlined
def _place(motion: Motion, i: int, arm: Three) -> Three:
    """The place at an arm from O."""
    return added(arm, read3(motion.p, i)) if i >= 0 else arm


@inner
def turn_of(motion: Motion, i: int, R: Array, k: int, out: Array) -> None:
    """Find the axes of row k of frames, in columns, ground axes."""
    own = read9(R, k)
    write_turn(out, own if i < 0 else product(read9(motion.R, i), own))
