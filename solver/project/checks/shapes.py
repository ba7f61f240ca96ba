"""Measure surfaces and planes at time zero: size, reach in a direction, gaps between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from solver.engine.maths.hyperellipsoids import farthest, outwards
from solver.engine.maths.rotation import Array
from solver.project.checks.index import Index
from solver.project.geometry import Surface, powers_of
from solver.project.pose import plane_extent

ROUNDS, SMALLEST = 50, 1e-8
"""How often directions are tried around the best one, and at what distance from it no more: a gap is off by its square."""


@dataclass(frozen=True, slots=True)
class Solid:
    """Hold a surface in ground axes (m), with the radius of a sphere around it."""

    centre: Array
    R_WE: Array
    semi_axes: Array
    powers: Array
    reach: float


@dataclass(frozen=True, slots=True)
class Flat:
    """Hold a plane in ground axes: first corner, unit normal, edges (m)."""

    corner: Array
    normal: Array
    edge_a: Array
    edge_b: Array


def solid(index: Index, segment: str, surface: str) -> Solid:
    """Place a surface at time zero."""
    return index.once(("solid", segment, surface), lambda: _solid(index, segment, surface))


def _solid(index: Index, segment: str, surface: str) -> Solid:
    found = index.surfaces[segment, surface]
    placed = index.pose[segment]
    semi_axes = np.array(found.semi_axes_m)
    round_ = powers_of(found) == (2.0, 2.0, 2.0)
    reach = float(semi_axes.max()) if round_ else float(np.linalg.norm(semi_axes))
    return Solid(
        placed.p_W + placed.R_WS @ np.array(found.centre_m),
        placed.R_WS @ index.turn(found.orientation),
        semi_axes,
        np.array(powers_of(found)),
        reach,
    )


def flat(index: Index, plane: Any) -> Flat | None:
    """Place a plane at time zero; None where its corners give none."""
    # the plane is kept with it, so that no other one takes its number
    return index.once(("plane", id(plane)), lambda: (_flat(index, plane), plane))[0]


def _flat(index: Index, plane: Any) -> Flat | None:
    placed = index.pose[plane.segment]
    corner, edge_a, edge_b = plane_extent(plane)
    normal = np.cross(edge_a, edge_b)
    size = float(np.linalg.norm(normal))
    if not size > 1e-9 * float(np.linalg.norm(edge_a) * np.linalg.norm(edge_b)):
        return None
    R = placed.R_WS
    return Flat(placed.p_W + R @ corner, R @ normal / size, R @ edge_a, R @ edge_b)


def is_within(plane: Flat, point: Array) -> bool:
    """Whether a point lies over the plane's parallelogram."""
    edges = np.column_stack([plane.edge_a, plane.edge_b])
    u, *_ = np.linalg.lstsq(edges, point - plane.corner, rcond=None)
    return bool(np.all((u >= 0.0) & (u <= 1.0)))


def radial_gap(surface: Surface, turn: Array, point: Sequence[float] | Array) -> float:
    """How far (m) a point of segment axes is outside a surface, along its centre's ray."""
    local = turn.T @ (np.array(point) - np.array(surface.centre_m))
    distance = float(np.linalg.norm(local))
    if distance == 0.0:
        return -min(surface.semi_axes_m)
    scaled = local / np.array(surface.semi_axes_m)
    return distance * (
        1.0 - float(outwards(np.zeros(3), scaled[None], np.array(powers_of(surface)))[0])
    )


@dataclass(frozen=True, slots=True)
class Shapes:
    """Hold turns (P, 3, 3), semi-axes (P, 3) in m and powers (P, 3) of several surfaces."""

    R_WE: Array
    semi_axes: Array
    powers: Array


def shapes_of(solids: Sequence[Solid]) -> Shapes:
    """Gather the shapes of solids."""
    return Shapes(
        np.stack([one.R_WE for one in solids]),
        np.stack([one.semi_axes for one in solids]),
        np.stack([one.powers for one in solids]),
    )


def support(directions: Array, shapes: Shapes) -> Array:
    """How far (m) each shape reaches from its centre in its unit directions (P, D, 3)."""
    c = np.abs(directions @ shapes.R_WE) * shapes.semi_axes[:, None, :]
    found: Array = np.sqrt(c[..., 0] ** 2 + c[..., 1] ** 2 + c[..., 2] ** 2)
    hyper = np.any(shapes.powers != 2.0, axis=1)
    if hyper.any():
        far = farthest(c[hyper], shapes.powers[hyper, None, :])
        found[hyper] = np.einsum("pdj,pdj->pd", c[hyper], far)
    return found


@cache
def _directions() -> Array:
    """Spread 200 unit directions evenly over the sphere."""
    n = 200
    z = 1.0 - (2.0 * np.arange(n) + 1.0) / n
    angle = np.arange(n) * math.pi * (3.0 - math.sqrt(5.0))
    r = np.sqrt(1.0 - z * z)
    return np.column_stack([r * np.cos(angle), r * np.sin(angle), z])


_found: dict[tuple[bytes, ...], Array] = {}
KEPT_GAPS = 8
"""Sets of pairs whose gaps are kept: most changes of a model leave all surfaces where they are."""


def gaps(first: Sequence[Solid], second: Sequence[Solid], inside: Sequence[bool]) -> Array:
    """The gap (m) of each pair: above zero apart, below zero the least depth of overlap."""
    if not first:
        return np.empty(0)
    r = np.stack([b.centre - a.centre for a, b in zip(first, second, strict=True)])
    return kept_gaps(r, shapes_of(first), shapes_of(second), np.array(inside))


def kept_gaps(r: Array, first: Shapes, second: Shapes, inside: Array) -> Array:
    """What `gaps_between` does; where the same was asked for before, what was found then."""
    shapes = (getattr(one, name) for one in (first, second) for name in Shapes.__slots__)
    key = tuple(array.tobytes() for array in (r, *shapes, inside))
    gap = _found.get(key)
    if gap is None:
        gap = gaps_between(r, first, second, inside)
        # several threads may check at once: nothing is looked up twice
        if len(_found) >= KEPT_GAPS:
            _found.clear()
        _found[key] = gap
    return gap.copy()


def gaps_between(
    r: Array, first: Shapes, second: Shapes, inside: Array, *, sign_only: bool = False
) -> Array:
    """The gap (m) of each pair of shapes whose centres are `r` apart, from first to second."""
    return gaps_along(r, first, second, inside, sign_only=sign_only)[0]


def gaps_along(
    r: Array, first: Shapes, second: Shapes, inside: Array, *, sign_only: bool = False
) -> tuple[Array, Array]:
    """The gap (m) of each pair of shapes, and the unit vector along which it is.

    Outside, the gap is the maximum over unit n of n.r - h1(n) - h2(n); inside (first in second) the
    least of h2(n) - h1(n) + n.r. Directions are sampled and the best is refined, for all pairs at once;
    where the sign alone is asked for, no longer than until all that is left cannot change it.
    """
    count = len(r)
    sign = np.where(inside, -1.0, 1.0)

    def value(directions: Array) -> Array:
        h1, h2 = support(directions, first), support(directions, second)
        along = (directions @ r[:, :, None])[:, :, 0]
        found: Array = np.where(sign[:, None] > 0, along - h1 - h2, -(h2 - h1 + along))
        return found

    spread = np.broadcast_to(_directions(), (count, 200, 3))
    distance = np.linalg.norm(r, axis=1, keepdims=True)
    towards = np.where(distance > 0.0, r / np.maximum(distance, 1e-300), [1.0, 0.0, 0.0])
    spread = np.concatenate([spread, towards[:, None, :]], axis=1)
    values = value(spread)
    rows = np.arange(count)
    choice = np.argmax(values, axis=1)
    best, top = spread[rows, choice], values[rows, choice]
    moves = np.concatenate([np.eye(3), -np.eye(3)])
    step = np.full(count, 0.15)
    # what is found grows no faster with the direction than by this
    steep = distance[:, 0] + sum(np.linalg.norm(s.semi_axes, axis=1) for s in (first, second))
    for _ in range(ROUNDS):
        # all steps to come are no longer than five such
        if sign_only and not np.any((top <= 0.0) & (top + 5.0 * step * steep > 0.0)):
            break
        if step.max() < SMALLEST:
            break
        tried = best[:, None, :] + step[:, None, None] * moves
        tried = tried / np.maximum(np.linalg.norm(tried, axis=2, keepdims=True), 1e-300)
        values = value(tried)
        choice = np.argmax(values, axis=1)
        better = values[rows, choice] > top
        best = np.where(better[:, None], tried[rows, choice], best)
        top = np.where(better, values[rows, choice], top)
        step = step * np.where(better, 0.8, 0.5)
    return sign * top, best
