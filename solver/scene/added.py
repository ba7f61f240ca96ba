"""What is put beside what is solved: meshes of segments, and axes of own frames."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from solver.project import Project
from solver.project.frames import axes_of
from solver.project.geometry import Frame
from solver.project.meshes import unpack
from solver.project.pose import turn
from solver.scene.meshes import Mesh, arrow, joined
from solver.scene.placing import Pose

AXIS_M = (0.12, 0.09, 0.06)
"""Drawn lengths of x, y and z of a frame: one knows them by these."""

Added = tuple[str, str, Mesh]
"""Element, segment that carries it, and its mesh in that segment's axes."""


def meshes_of(project: Project, pose: Pose) -> Iterator[Added]:
    """Give the meshes of segments."""
    for one in project.meshes:
        mesh = _triangles(one.packed, one.frame) if one.segment in pose else None
        if mesh is not None:
            yield f"meshes/{one.id}", one.segment, mesh


def frames_of(project: Project, pose: Pose) -> Iterator[Added]:
    """Give the axes of own frames: x the longest arrow, z the shortest."""
    for id_, axes in axes_of(project.frames).items():
        if axes.segment in pose:
            place = (axes.origin_m.tobytes(), np.ascontiguousarray(axes.axes).tobytes())
            yield f"frames/{id_}", axes.segment, _arrows(*place)


@lru_cache(maxsize=256)
def _arrows(origin: bytes, axes: bytes) -> Mesh:
    """Make three arrows once: what is not changed is not drawn anew."""
    at, R = np.frombuffer(origin), np.frombuffer(axes).reshape(3, 3)
    return joined(*(arrow(at, R[:, k], AXIS_M[k], 0.02, 0.07, 0.8) for k in range(3)))


@lru_cache(maxsize=64)
def _triangles(packed: str, frame: Frame) -> Mesh | None:
    """Make a mesh once, with normals that are means of those of its triangles; None where it cannot be read."""
    found = unpack(packed)
    if found is None:
        return None
    a, b, c = (found.points[found.faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.zeros_like(found.points)
    for k in range(3):
        np.add.at(normals, found.faces[:, k], flat)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    R, p = turn(frame.orientation), np.array(frame.position_m)
    return Mesh(found.points, found.faces, normals).moved(R, p)
