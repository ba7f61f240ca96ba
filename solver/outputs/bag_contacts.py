"""What an airbag presses with on each surface that it touches: force and place, at frames.

The deepest points and the area pressed on are found by the engine's own functions, in the pose and
with the pressure that the engine has used; the sum over a bag's touches is the force of its own row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.dynamics.tree import Array
from solver.forces.airbags.arrays import FRICTION, RAMP, S_CENTRE, S_PRESSURE, S_TURN
from solver.forces.airbags.shape import bag_contact
from solver.forces.contacts.ellipsoids import shape_of
from solver.integrate.samples import Samples
from solver.model.compile import Model
from solver.project.airbags import Airbag

Rows = NDArray[np.intp]


def contact_ids(bag: Airbag) -> tuple[str, ...]:
    """Name what a bag touches, panels left out: by segment, and by surface where it has several."""
    segments = [one.segment for one in bag.touches]
    return tuple(
        f"{bag.id}.{one.segment}" + (f".{one.surface}" if segments.count(one.segment) > 1 else "")
        for one in bag.touches
    )


def bag_contacts(
    model: Model, samples: Samples, rows: Rows, some: Rows | None = None
) -> dict[str, Array]:
    """Give the force (N) on each surface, or on some, and the place (m) at which it acts, ground axes."""
    bags = model.system.bags
    touches = np.flatnonzero(bags.is_panel == 0)
    touches = touches if some is None else touches[some]
    out = {name: np.zeros((len(rows), len(touches), 3)) for name in ("force", "point")}
    owner = np.searchsorted(bags.touches[:, 1], touches, side="right")
    for at, (n, k) in enumerate(zip(touches, owner, strict=True)):
        for t, row in enumerate(rows):
            if samples.bags[row, k, S_PRESSURE] > 0.0:
                found = _pressed(model, samples, int(row), int(k), int(n))
                out["force"][t, at], out["point"][t, at] = found
    return out


def _pressed(model: Model, samples: Samples, row: int, k: int, n: int) -> tuple[Array, Array]:
    """Give the force of a full bag on one surface and its place; no force where they are apart."""
    bags, surfaces = model.system.bags, model.system.surfaces
    s, seen = int(bags.surface[n]), samples.bags[row, k]
    body = int(surfaces.body[s])
    R, p = np.eye(3), np.zeros(3)
    if body >= 0:
        R, p = samples.R[row, body].reshape(3, 3), samples.p[row, body]
    centre, gap = (
        seen[S_CENTRE : S_CENTRE + 3],
        p + R @ surfaces.at[s] - seen[S_CENTRE : S_CENTRE + 3],
    )
    if np.linalg.norm(gap) > np.max(bags.semi[k]) + surfaces.reach[s]:
        return np.zeros(3), np.zeros(3)
    bag = shape_of(np.ascontiguousarray(seen[S_TURN : S_TURN + 9]), bags.semi, k)
    other = shape_of((R @ surfaces.R[s].reshape(3, 3)).ravel(), surfaces.semi, s)
    way = (float(gap[0]), float(gap[1]), float(gap[2]))
    found = bag_contact(bag, other, way, (0.0, 0.0, 0.0))
    size = float(seen[S_PRESSURE]) * found.area
    if found.depth <= 0.0 or size <= 0.0:
        return np.zeros(3), np.zeros(3)
    point, normal = centre + np.array(found.on_b), np.array(found.normal)
    slide = _speed(samples, row, body, point) - _speed(samples, row, int(bags.body[k]), point)
    slide = slide - (slide @ normal) * normal
    slip, ramp = float(np.linalg.norm(slide)), float(bags.number[k, RAMP])
    drag = bags.number[k, FRICTION] * size / (slip if slip >= ramp else ramp / (2.0 - slip / ramp))
    return size * normal - drag * slide, point


def _speed(samples: Samples, row: int, body: int, point: Array) -> Array:
    """Give the velocity of a body at a place."""
    if body < 0:
        return np.zeros(3)
    (x, y, z), (a, b, c) = point - samples.p[row, body], samples.w[row, body]
    moved: Array = samples.velocity[row, body] + (b * z - c * y, c * x - a * z, a * y - b * x)
    return moved
