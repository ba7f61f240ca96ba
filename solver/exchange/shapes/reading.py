"""Read a mesh of a file; no other file that it names is opened."""

from __future__ import annotations

import io
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from solver.project.meshes import MOST_FACES, MOST_POINTS, Triangles
from solver.words import Refusal

ENDINGS = (".stl", ".obj", ".gltf", ".glb")
LARGEST = 64 * 2**20
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}


class MeshError(Refusal):
    """Say in one sentence why a mesh cannot be read or fitted."""


def read_mesh(path: Path | str, unit: str = "m") -> Triangles:
    """Read points (m) and triangles of an STL, OBJ or glTF file whose lengths are in a unit; raises MeshError."""
    file = Path(path)
    kind = file.suffix.lower()
    if kind not in ENDINGS:
        raise MeshError("'{file}' is none of {known}.", file=file.name, known=", ".join(ENDINGS))
    if unit not in UNITS:
        raise MeshError("A mesh is in one of {units}, not in '{unit}'.", units=", ".join(UNITS), unit=unit)  # fmt: skip
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as failure:
        raise MeshError("'{file}' cannot be read: {reason}.", file=file.name, reason=failure.strerror or "no reason given") from None  # fmt: skip
    if len(data) > LARGEST:
        raise MeshError("'{file}' is larger than 64 MB.", file=file.name)
    points, faces = _parsed(data, kind[1:], file.name)
    if not len(faces) or not np.isfinite(points).all():
        raise MeshError("'{file}' has no triangles with finite places.", file=file.name)
    points, faces = _merged(points * UNITS[unit], faces)
    if len(points) > MOST_POINTS or len(faces) > MOST_FACES:
        raise MeshError(
            "'{file}' has {points} points and {faces} triangles; at most {most} and {most_faces} are taken.",
            file=file.name, points=len(points), faces=len(faces), most=MOST_POINTS, most_faces=MOST_FACES,
        )  # fmt: skip
    return Triangles(points, faces)


_DAMAGED = (
    ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, MemoryError, MeshError, OSError,
    RuntimeError, TypeError, ValueError, struct.error,
)  # fmt: skip
"""What the parser raises where a file is damaged."""


class _Alone:
    """Give no other file to the parser."""

    def get(self, name: str) -> bytes:
        raise MeshError("it is spread over other files, which are not opened")

    __getitem__ = get

    def keys(self) -> tuple[str, ...]:
        return ()

    def namespaced(self, _: str) -> _Alone:
        return self


def _parsed(data: bytes, kind: str, name: str) -> tuple[Any, Any]:
    import trimesh

    resolver: Any = _Alone()
    more: Any = {"skip_materials": True} if kind == "obj" else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scene = trimesh.load_scene(
                io.BytesIO(data), file_type=kind, resolver=resolver, process=False, **more
            )
            mesh = scene.to_mesh()
            return np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64)
    except _DAMAGED as failure:
        raise MeshError("'{file}' cannot be read as a mesh: {why}.", file=name, why=str(failure)[:120].rstrip(".") or type(failure).__name__) from None  # fmt: skip


def _merged(points: Any, faces: Any) -> tuple[Any, Any]:
    """Let triangles share the points that they have in common, and leave out those that have no area."""
    alone, where = np.unique(np.asarray(points, np.float32), axis=0, return_inverse=True)
    faces = where.reshape(-1)[faces]
    a, b, c = faces.T
    return alone.astype(float), faces[(a != b) & (b != c) & (c != a)]
