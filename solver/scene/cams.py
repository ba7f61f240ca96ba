"""Cams and slots: a plate, or a band along an open curve, and the roller that follows it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.closures import Curve, PointOnCurve, curve_of, looked_at
from solver.project.pose import turn
from solver.scene.meshes import Mesh, column, joined
from solver.scene.placing import Pose

THICK_M, ROLLER_THICK_M = 0.012, 0.016
"""Drawn thickness of a plate and of a roller, at most."""


def cams_of(project: Project, pose: Pose) -> Iterator[tuple[str, str, Mesh]]:
    """Give element, segment and mesh in its axes of each curve, and of the roller on it."""
    for item in project.constraints:
        if not isinstance(item, PointOnCurve) or item.a.segment not in pose:
            continue
        curve = curve_of(item)
        if curve is None:
            continue
        R, p = turn(item.a.frame.orientation), np.array(item.a.frame.position_m)
        name = f"constraints/{item.id}"
        yield name, item.a.segment, _plate(item).moved(R, p)
        if item.radius_m > 0.0 and item.b.segment in pose:
            # across the curve's plane as both stand
            one, other = pose[item.a.segment], pose[item.b.segment]
            R_BA = other.R_WS.T @ one.R_WS @ R
            middle = np.array(item.b.position_m)
            half = 0.5 * min(ROLLER_THICK_M, item.radius_m) * R_BA[:, 2]
            ends = (middle - half, R_BA), (middle + half, R_BA)
            yield name, item.b.segment, column(item.radius_m, *ends, around=32)


@lru_cache(maxsize=64)
def _plate(item: PointOnCurve) -> Mesh:
    curve = curve_of(item)
    assert curve is not None
    line = _line(curve, item.closed)
    size = float(np.max(np.ptp(line, axis=0)))
    half = 0.5 * min(THICK_M, 0.2 * size)
    count = len(line)
    rings = [np.column_stack([line, np.full(count, z)]) for z in (-half, half)]
    points, rows = np.vstack(rings), np.arange(count)
    last = count if item.closed else count - 1
    one, next_ = rows[:last], (rows[:last] + 1) % count
    faces = [[one, next_, count + one], [next_, count + next_, count + one]]
    outline = (*range(count), 0) if item.closed else tuple(range(count))
    lines = (outline, tuple(count + k for k in outline))
    rim = Mesh(points, np.vstack([np.column_stack(face) for face in faces]), None, lines)
    if not item.closed or not _is_star(line):
        return rim
    middle = np.mean(line, axis=0)
    caps = [
        Mesh(
            np.vstack([ring, [*middle, ring[0, 2]]]),
            np.column_stack([one, next_, np.full(count, count)][:: 1 if up else -1]),
        )
        for ring, up in zip(rings, (False, True), strict=True)
    ]
    return joined(rim, *caps)


def _line(curve: Curve, closed: bool) -> Array:
    s = looked_at(curve)
    line = curve.at(s)[0]
    return line[:-1] if closed else line


def _is_star(line: Array) -> bool:
    """Whether all of a closed curve is seen from its middle."""
    arm = line - np.mean(line, axis=0)
    ahead = np.roll(arm, -1, axis=0)
    turned = arm[:, 0] * ahead[:, 1] - arm[:, 1] * ahead[:, 0]
    return bool(np.all(turned > 0.0) or np.all(turned < 0.0))
