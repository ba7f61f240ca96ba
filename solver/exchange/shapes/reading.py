"""Read a mesh of a file; no other file that it names is opened."""

from __future__ import annotations

import io
import re
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.whole import read_most
from solver.base.words import Refusal
from solver.exchange.shapes.gltf import triangles_of
from solver.project.meshes import MOST_FACES, MOST_POINTS, Triangles

ENDINGS = (".stl", ".obj", ".gltf", ".glb")
LARGEST = 64 * 2**20
FARTHEST = 1e6
"""Nothing that is modelled is farther from its origin (m)."""
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
        data = read_most(file, LARGEST)
    except OSError as failure:
        raise MeshError("'{file}' cannot be read: {reason}.", file=file.name, reason=failure.strerror or "no reason given") from None  # fmt: skip
    if len(data) > LARGEST:
        raise MeshError("'{file}' is larger than 64 MB.", file=file.name)
    points, faces = _parsed(data, kind[1:], file.name)
    points = points * UNITS[unit]
    # NaN is below nothing
    if not len(faces) or not np.all(np.abs(points) <= FARTHEST):
        raise MeshError("'{file}' has no triangles with finite places.", file=file.name)
    points, faces = _merged(points, faces)
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
    resolver: Any = _Alone()
    more: Any = {"skip_materials": True} if kind == "obj" else {}
    try:
        if kind in ("gltf", "glb"):
            return triangles_of(data, is_binary=kind == "glb")
        if _most_faces(data, kind) > MOST_FACES:
            raise MeshError("it has more than {most} triangles", most=MOST_FACES)
        import trimesh

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scene = trimesh.load_scene(
                io.BytesIO(data), file_type=kind, resolver=resolver, process=False, **more
            )
            mesh = scene.to_mesh()
            points, faces = np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64)
        if np.any(faces < 0) or np.any(faces >= len(points)):
            raise MeshError("a triangle has a point that is not there")
        return points, faces
    except _DAMAGED as failure:
        raise MeshError("'{file}' cannot be read as a mesh: {why}.", file=name, why=str(failure)[:120].rstrip(".") or type(failure).__name__) from None  # fmt: skip


def _most_faces(data: bytes, kind: str) -> int:
    """Count triangles before room is made for them: at least as many stand in the file."""
    if kind == "obj":
        if data.count(b"\nv") > 6 * MOST_FACES:  # places, normals, and places in pictures
            return MOST_FACES + 1
        found = re.finditer(rb"^f[ \t][^\n]*", data, re.MULTILINE)
        return sum(max(one.group().count(b" ") - 2, 1) for one in found)
    return data.count(b"endfacet") if data[:5] == b"solid" else (len(data) - 84) // 50


def _merged(points: Any, faces: Any) -> tuple[Any, Any]:
    """Let triangles share the points that they have in common, and leave out those that have no area."""
    alone, where = np.unique(np.asarray(points, np.float32), axis=0, return_inverse=True)
    faces = where.reshape(-1)[faces]
    a, b, c = faces.T
    return alone.astype(float), faces[(a != b) & (b != c) & (c != a)]
