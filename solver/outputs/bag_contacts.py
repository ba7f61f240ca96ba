"""What an airbag presses with on each surface that it touches: force and place, at frames.

The deepest points and the area pressed on are found by the engine's own functions, in the pose and
with the pressure that the engine has used; the sum over a bag's touches is the force of its own row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.dynamics.tree import Array
from solver.forces.airbags.arrays import FRICTION, RAMP, S_CENTRE, S_ONCE, S_PRESSURE, S_TURN
from solver.forces.airbags.shape import bag_contact
from solver.integrate.samples import Samples
from solver.maths.rotation import cross
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
        near, force, point = _pressed(model, samples, rows, int(k), int(n))
        out["force"][near, at], out["point"][near, at] = force, point
    return out


def _pressed(
    model: Model, samples: Samples, rows: Rows, k: int, n: int
) -> tuple[Rows, Array, Array]:
    """Give at which of the rows a full bag presses on a surface, with what force, and where."""
    bags, surfaces = model.system.bags, model.system.surfaces
    s, seen = int(bags.surface[n]), samples.bags[rows, k]
    body = int(surfaces.body[s])
    R, p = np.broadcast_to(np.eye(3), (len(rows), 3, 3)), np.zeros((len(rows), 3))
    if body >= 0:
        R, p = samples.R[rows, body].reshape(-1, 3, 3), samples.p[rows, body]
    centre, pressure = seen[:, S_CENTRE : S_CENTRE + 3], seen[:, S_PRESSURE]
    gap = p + R @ surfaces.at[s] - centre
    reach = np.max(bags.semi[k]) + surfaces.reach[s]
    near = np.flatnonzero((pressure > 0.0) & (np.linalg.norm(gap, axis=1) <= reach))
    bag = _shapes(seen[near, S_TURN : S_TURN + 9].reshape(-1, 3, 3), bags.semi[k])
    other = _shapes(R[near] @ surfaces.R[s].reshape(3, 3), surfaces.semi[s])
    found = [
        bag_contact(tuple(a), tuple(b), tuple(way), (0.0, 0.0, 0.0))
        for a, b, way in zip(bag.tolist(), other.tolist(), gap[near].tolist(), strict=True)
    ]
    depth, area = (np.array([getattr(one, name) for one in found]) for name in ("depth", "area"))
    on_b, normal = (
        np.array([getattr(one, name) for one in found]).reshape(-1, 3)
        for name in ("on_b", "normal")
    )
    size = pressure[near] * seen[near, S_ONCE] * area
    touching = (depth > 0.0) & (size > 0.0)
    near, size, normal = near[touching], size[touching, None], normal[touching]
    point = centre[near] + on_b[touching]
    slide = _speed(samples, rows[near], body, point)
    slide -= _speed(samples, rows[near], int(bags.body[k]), point)
    slide -= np.sum(slide * normal, axis=1, keepdims=True) * normal
    slip, ramp = np.linalg.norm(slide, axis=1, keepdims=True), float(bags.number[k, RAMP])
    most = np.where(slip >= ramp, slip, ramp / (2.0 - np.minimum(slip, ramp) / ramp))
    drag = bags.number[k, FRICTION] * size / most
    return near, size * normal - drag * slide, point


def _shapes(turns: Array, semi: Array) -> Array:
    """Give Q of an ellipsoid in several turns, as the engine has it: xx, yy, zz, xy, xz, yz."""
    q = (turns * semi**2) @ turns.transpose(0, 2, 1)
    out: Array = q[:, (0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
    return out


def _speed(samples: Samples, rows: Rows, body: int, points: Array) -> Array:
    """Give the velocity of a body at places, one for each row."""
    if body < 0:
        return np.zeros_like(points)
    turning = cross(samples.w[rows, body], points - samples.p[rows, body])
    out: Array = samples.velocity[rows, body] + turning
    return out
