"""Make what a strap is held by: anchors, retractors with their pretensioners, guide rings, buckles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.belts import Belt, RingPoint, Strap, StrapEnd
from solver.scene.meshes import Mesh, body, crossed, joined
from solver.scene.placing import Pose, in_ground
from solver.scene.webbing import Lay

_AROUND = 10
_SQUARE = (5.0, 5.0, 5.0)
_UNIT = body((1.0, 1.0, 1.0), _SQUARE, _AROUND)
_PARTS = 4
FACES = _PARTS * len(_UNIT.faces)
"""Triangles of each fitting."""

_Box = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Middle and half lengths of a part, along the strap away from the webbing, across it and off its face, in widths."""

_ANCHOR: tuple[_Box, ...] = (
    ((0.45, 0.0, 0.0), (0.48, 0.56, 0.045)),
    ((0.06, 0.0, 0.0), (0.10, 0.62, 0.10)),
    ((0.62, 0.0, 0.05), (0.19, 0.19, 0.10)),
    ((0.62, 0.0, 0.0), (0.26, 0.26, 0.07)),
)
"""Plate, bar that the webbing is sewn around, head of the bolt and its washer."""
_RETRACTOR: tuple[_Box, ...] = (
    ((0.62, 0.0, 0.0), (0.58, 0.66, 0.46)),
    ((0.42, 0.0, 0.0), (0.40, 0.86, 0.40)),
    ((0.80, 0.0, -0.52), (0.78, 0.50, 0.05)),
)
"""Housing, spool, and the bracket that it is screwed on by."""
_SPRING: _Box = ((0.62, 0.86, 0.0), (0.44, 0.12, 0.44))
_PRETENSIONER: _Box = ((0.95, -0.80, 0.0), (1.10, 0.17, 0.17))
"""Cap of a retractor's spring; or the tube of a pretensioner, which takes its place."""
_RING: tuple[_Box, ...] = (
    ((-0.06, 0.0, 0.0), (0.11, 0.66, 0.10)),
    ((0.52, 0.0, 0.0), (0.20, 0.50, 0.08)),
    ((0.22, 0.58, 0.0), (0.36, 0.10, 0.09)),
    ((0.22, -0.58, 0.0), (0.36, 0.10, 0.09)),
)
"""Four bars about a slot: the webbing goes over the first, the second hangs on the pillar."""
_BUCKLE: tuple[_Box, ...] = (
    ((0.02, 0.0, 0.0), (0.16, 0.62, 0.05)),
    ((0.95, 0.0, 0.0), (0.70, 0.40, 0.22)),
    ((0.30, 0.0, 0.0), (0.10, 0.30, 0.17)),
    ((2.10, 0.0, 0.0), (0.62, 0.22, 0.06)),
)
"""Tongue, buckle, its button, and the stalk that holds it."""


def fittings(strap: Belt | Strap, lay: Lay, width: float, pose: Pose) -> Iterator[Mesh]:
    """Give the fittings of both ends, then the rings and buckles on the way."""
    devices: tuple[StrapEnd | None, ...] = (None, None)
    if isinstance(strap, Strap):
        devices = (strap.start_device, strap.end_device)
    for device, (end, next_) in zip(devices, ((0, 1), (-1, -2)), strict=True):
        along = lay.line[end] - lay.line[next_]
        axes = _axes(along, crossed(along, lay.outward[end]))
        yield _made(_end(device), lay.line[end], axes, width)
    if not isinstance(strap, Strap):
        return
    for n, ring in enumerate(strap.points[1:-1], 1):
        if isinstance(ring, RingPoint) and ring.segment in pose:
            place = in_ground(pose, ring.segment, ring.position_m)
            # a guide stands beside an end; webbing leaves a tongue to both sides
            is_guide = n in (1, len(strap.points) - 2)
            yield _made(_RING if is_guide else _BUCKLE, place, _at_ring(lay, place), width)


def _end(device: StrapEnd | None) -> tuple[_Box, ...]:
    if device is None:
        return _ANCHOR
    return (*_RETRACTOR, _SPRING if device.pretensioner is None else _PRETENSIONER)


def _at_ring(lay: Lay, place: Array) -> Array:
    """Give the axes at a ring: away from both legs of the webbing, and about what it bends."""
    near = int(((lay.line - place) ** 2).sum(axis=1).argmin())
    before, after = (
        _unit(lay.line[k] - lay.line[near])
        for k in (max(near - 1, 0), min(near + 1, len(lay.line) - 1))
    )
    away, about = -(before + after), crossed(before, after)
    if float(np.linalg.norm(about)) < 1e-3:
        about = crossed(after, lay.outward[near])
    if float(np.linalg.norm(away)) < 1e-3:
        away = crossed(about, after)
    return _axes(away, about)


def _axes(x: Array, y: Array) -> Array:
    """Give right-handed axes along one way, and as nearly as can be along another, in columns."""
    x = _unit(x)
    y = y - (y @ x) * x
    if float(np.linalg.norm(y)) < 1e-9:
        y = crossed(x, np.eye(3)[int(np.argmin(np.abs(x)))])
    y = _unit(y)
    return np.column_stack([x, y, crossed(x, y)])


def _unit(vector: Array) -> Array:
    out: Array = vector / max(float(np.linalg.norm(vector)), 1e-12)
    return out


def _made(boxes: tuple[_Box, ...], place: Array, axes: Array, width: float) -> Mesh:
    made = _boxes(boxes)
    return Mesh(place + made.points @ (width * axes.T), made.faces)


@lru_cache(maxsize=16)
def _boxes(boxes: tuple[_Box, ...]) -> Mesh:
    """Give a fitting for webbing of width one, in its own axes."""
    parts = (Mesh(_UNIT.points * half + middle, _UNIT.faces) for middle, half in boxes)
    return joined(*parts)
