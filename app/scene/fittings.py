"""Make what a strap is held by: plates at anchors, housings of retractors and pretensioners, rings that it slips through."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.scene.meshes import Mesh, body
from app.scene.placing import Pose, in_ground
from app.scene.webbing import Lay
from solver.maths.rotation import Array
from solver.project.belts import Belt, RingPoint, Strap, StrapEnd

_AROUND = 12
_SQUARE = (5.0, 5.0, 5.0)
_UNIT = body((1.0, 1.0, 1.0), _SQUARE, _AROUND)
FACES = len(_UNIT.faces)
"""Triangles of each fitting."""

_PLATE, _HOUSING, _RING = (0.34, 0.62, 0.09), (0.62, 0.78, 0.52), (0.20, 0.74, 0.22)
"""Half lengths along the strap, across it and off its face, in its widths."""


def fittings(strap: Belt | Strap, lay: Lay, width: float, pose: Pose) -> Iterator[Mesh]:
    """Give the fittings of both ends, then the rings on the way."""
    devices: tuple[StrapEnd | None, ...] = (None, None)
    rings: list[RingPoint] = []
    if isinstance(strap, Strap):
        devices = (strap.start_device, strap.end_device)
        rings = [point for point in strap.points[1:-1] if isinstance(point, RingPoint)]
    for device, (end, next_) in zip(devices, ((0, 1), (-1, -2)), strict=True):
        along = lay.line[end] - lay.line[next_]
        size = _HOUSING if device is not None else _PLATE
        # it begins where the webbing ends
        yield _box(lay.line[end], along, lay.outward[end], width, size, 0.6)
    for ring in rings:
        if ring.segment not in pose:
            continue
        place = in_ground(pose, ring.segment, ring.position_m)
        near = int(((lay.line - place) ** 2).sum(axis=1).argmin())
        along = lay.line[min(near + 1, len(lay.line) - 1)] - lay.line[max(near - 1, 0)]
        yield _box(place, along, lay.outward[near], width, _RING, 0.0)


def _box(
    place: Array, along: Array, outward: Array, width: float, size: tuple[float, float, float], ahead: float
) -> Mesh:  # fmt: skip
    """Make a rounded box whose middle lies a part of its half length ahead of a place."""
    x = along / max(float(np.linalg.norm(along)), 1e-12)
    z = outward - (outward @ x) * x
    if float(np.linalg.norm(z)) < 1e-9:
        z = np.cross(x, np.eye(3)[int(np.argmin(np.abs(x)))])
    z = z / np.linalg.norm(z)
    R = np.column_stack([x, np.cross(z, x), z])
    half = width * np.array(size)
    middle = place + ahead * half[0] * x
    return Mesh(middle + (_UNIT.points * half) @ R.T, _UNIT.faces)
