"""Wheels with tyres as meshes: rubber, and a rim with spokes, so that one sees it turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.tyres import Tyre
from solver.scene.meshes import Mesh, joined

AROUND = 48
"""Points around a wheel."""

SPOKES = 5
RUBBER = ((0.66, 0.40), (0.80, 0.50), (0.93, 0.48), (0.985, 0.40), (1.0, 0.25), (1.0, -0.25), (0.985, -0.40), (0.93, -0.48), (0.80, -0.50), (0.66, -0.40))  # fmt: skip
"""Section of a tyre: radius in parts of its own, and place across in parts of its width."""
RIM = ((0.66, 0.40), (0.60, 0.34), (0.60, -0.34), (0.66, -0.40))


@lru_cache(maxsize=64)
def wheel_meshes(tyre: Tyre) -> tuple[Mesh, Mesh]:
    """The rubber and the rim of a wheel, in the axes of its segment."""
    R, p = _axes(tyre.axle), np.array(tyre.centre_m)
    radius, width = tyre.radius_m, tyre.width_m
    spokes = [_spoke(radius, width, 2.0 * np.pi * n / SPOKES) for n in range(SPOKES)]
    hub = _revolved(((0.16, 0.30), (0.16, -0.30)), radius, width)
    rim = joined(_revolved(RIM, radius, width), hub, *spokes)
    return _revolved(RUBBER, radius, width).moved(R, p), rim.moved(R, p)


def _axes(axle: Sequence[float]) -> Array:
    """A turn that takes y to the axle."""
    y = np.array(axle, float) / np.linalg.norm(axle)
    x = np.cross(y, np.eye(3)[int(np.argmin(np.abs(y)))])
    x /= np.linalg.norm(x)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _revolved(section: Sequence[tuple[float, float]], radius: float, width: float) -> Mesh:
    """Turn a section about y."""
    angle = 2.0 * np.pi * np.arange(AROUND) / AROUND
    rings = [
        np.column_stack(
            [radius * r * np.cos(angle), np.full(AROUND, width * y), radius * r * np.sin(angle)]
        )
        for r, y in section
    ]
    one = np.arange(AROUND)
    two = (one + 1) % AROUND
    faces = [
        np.column_stack(corners)
        for n in range(len(section) - 1)
        for a, b in [(n * AROUND, (n + 1) * AROUND)]
        for corners in ((a + one, b + one, a + two), (a + two, b + one, b + two))
    ]
    points, found = np.vstack(rings), np.vstack(faces)
    # seen from within, too
    return Mesh(np.vstack([points, points]), np.vstack([found, found[:, ::-1] + len(points)]))


def _spoke(radius: float, width: float, angle: float) -> Mesh:
    """One spoke, a bar from the hub to the rim."""
    corners = [
        (r * radius, y * width, s * 0.055 * radius)
        for r in (0.14, 0.62)
        for y in (0.18, 0.32)
        for s in (-1.0, 1.0)
    ]
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
    faces = np.array([(0, 2, 4), (4, 2, 6), (1, 5, 3), (5, 7, 3), (2, 3, 6), (6, 3, 7), (0, 4, 1), (4, 5, 1)])  # fmt: skip
    points = np.array(corners) @ turn.T
    return Mesh(np.vstack([points, points]), np.vstack([faces, faces[:, ::-1] + len(points)]))
