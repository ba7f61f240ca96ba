"""Read a mesh of a file; no other file that it names is opened.

A few bytes may ask for any number of points, and each node for the same mesh again. So what is asked for is
counted first, and each node is visited once.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import struct
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.atomic import read_most
from solver.base.words import Refusal
from solver.engine.maths.rotation import Array
from solver.project.segments import MOST_FACES, MOST_POINTS, Triangles

# Triangles of a glTF file (Khronos, glTF 2.0), as far as it stands alone: looked at before room is made for them.

MOST_NODES = 100_000
_CORNERS = 3 * MOST_FACES
"""Points of triangles that share none."""
_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_PARTS = {"SCALAR": 1, "VEC3": 3}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_HARMLESS = ("KHR_materials", "KHR_texture", "KHR_lights", "KHR_mesh_quantization", "EXT_texture")
"""What extensions that say nothing of places begin with, and one that is read."""


def triangles_of(data: bytes, *, is_binary: bool) -> tuple[Array, Any]:
    """Points and triangles of the scene; raises ValueError, or what a damaged file leads to."""
    text, chunk = _chunks(data) if is_binary else (data, None)
    return _Scene(json.loads(text), chunk).triangles()


def _chunks(data: bytes) -> tuple[bytes, bytes | None]:
    if data[:4] != b"glTF" or int.from_bytes(data[4:8], "little") != 2:
        raise ValueError("it is no glTF of version 2")
    found, at = [], 12
    while at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "little"), data[at + 4 : at + 8]
        if at + 8 + size > len(data):
            raise ValueError("it is cut off")
        found.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
    if not found or found[0][0] != b"JSON":
        raise ValueError("it does not begin with JSON")
    return found[0][1], next((one for kind, one in found[1:] if kind == b"BIN\0"), None)


class _Scene:
    def __init__(self, told: Any, chunk: bytes | None) -> None:
        self._told, self._chunk = told, chunk
        self._buffers: dict[int, bytes] = {}
        self._meshes: dict[int, list[tuple[Array, Any]]] = {}
        self._asked = 0
        needed = [str(one) for one in told.get("extensionsRequired", ())]
        strange = next((one for one in needed if not one.startswith(_HARMLESS)), None)
        if strange is not None:
            raise ValueError(f"it needs '{strange[:40]}', which is not read")

    def triangles(self) -> tuple[Array, Any]:
        """What all nodes of the scene show."""
        points, faces, count, asked = [], [], 0, 0
        for number, matrix in self._placed():
            for place, corners in self._mesh(number):
                asked += len(corners)
                if asked > MOST_FACES:
                    raise ValueError(f"it has more than {MOST_FACES} triangles")
                points.append(place @ matrix[:3, :3].T + matrix[:3, 3])
                mirrored = np.linalg.det(matrix[:3, :3]) < 0.0
                faces.append((corners[:, ::-1] if mirrored else corners) + count)
                count += len(place)
                if count > _CORNERS:
                    raise ValueError(f"it has more than {_CORNERS} points")
        if not points:
            raise ValueError("it holds no triangles")
        return np.concatenate(points), np.concatenate(faces)

    def _placed(self) -> list[tuple[int, Array]]:
        """The meshes that nodes show, and where; each node once."""
        nodes, found = self._list("nodes"), []
        scenes = self._list("scenes")
        if scenes:
            roots = scenes[self._told.get("scene", 0)].get("nodes", ())
        else:
            below = {int(child) for node in nodes for child in node.get("children", ())}
            roots = [n for n in range(len(nodes)) if n not in below]
        if len(nodes) > MOST_NODES:
            raise ValueError(f"it has more than {MOST_NODES} nodes")
        seen, waiting = set(), [(int(n), np.eye(4)) for n in roots]
        while waiting:
            number, above = waiting.pop()
            if number in seen or not 0 <= number < len(nodes):
                raise ValueError("its nodes are no tree")
            seen.add(number)
            node = nodes[number]
            matrix = above @ _matrix(node)
            if "mesh" in node:
                found.append((int(node["mesh"]), matrix))
            waiting += [(int(child), matrix) for child in node.get("children", ())]
        return found

    def _mesh(self, number: int) -> list[tuple[Array, Any]]:
        if number not in self._meshes:
            primitives = self._one("meshes", number)["primitives"]
            made = [self._primitive(one) for one in primitives if "POSITION" in one["attributes"]]
            self._meshes[number] = [one for one in made if one is not None]
        return self._meshes[number]

    def _primitive(self, told: Mapping[str, Any]) -> tuple[Array, Any] | None:
        mode = told.get("mode", _TRIANGLES)
        if mode not in (_TRIANGLES, _STRIP, _FAN):
            return None
        places = self._values(told["attributes"]["POSITION"], "VEC3").astype(float)
        if "indices" in told:
            row = self._values(told["indices"], "SCALAR").astype(np.int64)
        else:
            row = np.arange(len(places))
        if np.any(row < 0) or np.any(row >= len(places)):
            raise ValueError("a triangle has a point that is not there")
        if mode == _TRIANGLES:
            return places, row[: len(row) // 3 * 3].reshape(-1, 3)
        a, b, c = (
            (np.full(max(len(row) - 2, 0), row[0]) if mode == _FAN else row[:-2]),
            row[1:-1],
            row[2:],
        )
        odd = (np.arange(len(c)) % 2 == 1) & (mode == _STRIP)
        return places, np.stack([np.where(odd, b, a), np.where(odd, a, b), c], axis=1)

    def _values(self, number: Any, kind: str) -> Any:
        """What an accessor tells of, as many as it may be."""
        accessor = self._one("accessors", number)
        count, parts, dtype = (
            int(accessor["count"]),
            _PARTS[kind],
            np.dtype(_TYPES[accessor["componentType"]]),
        )
        self._asked += count
        if accessor["type"] != kind or count < 1 or self._asked > 4 * _CORNERS:
            raise ValueError("it asks for more points than are taken")
        if "bufferView" in accessor:
            made = self._seen(
                accessor["bufferView"], accessor.get("byteOffset", 0), count, parts, dtype
            )
        else:
            made = np.zeros((count, parts), dtype)
        if "sparse" in accessor:
            sparse, made = accessor["sparse"], made.copy()
            few, at, new = int(sparse["count"]), sparse["indices"], sparse["values"]
            if not 0 < few <= count:
                raise ValueError("a sparse list is longer than what it changes")
            where = self._seen(
                at["bufferView"],
                at.get("byteOffset", 0),
                few,
                1,
                np.dtype(_TYPES[at["componentType"]]),
            )
            made[where[:, 0]] = self._seen(
                new["bufferView"], new.get("byteOffset", 0), few, parts, dtype
            )
        if accessor.get("normalized") and dtype.kind != "f":
            made = np.maximum(made / np.iinfo(dtype).max, -1.0)
        return made[:, 0] if kind == "SCALAR" else made

    def _seen(self, view: Any, offset: Any, count: int, parts: int, dtype: Any) -> Any:
        part = self._one("bufferViews", view)
        buffer, start = self._buffer(part["buffer"]), int(part.get("byteOffset", 0))
        size = dtype.itemsize * parts
        step = int(part.get("byteStride", size))
        end, first = start + int(part["byteLength"]), start + int(offset)
        if not (
            0 <= start <= first
            and size <= step
            and first + step * (count - 1) + size <= min(end, len(buffer))
        ):
            raise ValueError("it promises more than it holds")
        return np.ndarray((count, parts), dtype, buffer, first, (step, dtype.itemsize))

    def _buffer(self, number: Any) -> bytes:
        if number not in self._buffers:
            buffer = self._one("buffers", number)
            uri = buffer.get("uri")
            if uri is None and number == 0 and self._chunk is not None:
                self._buffers[number] = self._chunk
            elif isinstance(uri, str) and uri.startswith("data:") and ";base64," in uri[:200]:
                try:
                    self._buffers[number] = base64.b64decode(uri.partition(",")[2], validate=True)
                except binascii.Error:
                    raise ValueError("its data are no base64") from None
            else:
                raise ValueError("it is spread over other files, which are not opened")
        return self._buffers[number]

    def _list(self, name: str) -> Sequence[Any]:
        found = self._told.get(name, [])
        if not isinstance(found, list):
            raise TypeError(f"its {name} are no list")
        return found

    def _one(self, name: str, number: Any) -> Any:
        found = self._list(name)
        if not isinstance(number, int) or not 0 <= number < len(found):
            raise ValueError(f"it names one of its {name} that is not there")
        return found[number]


def _matrix(node: Mapping[str, Any]) -> Array:
    """Give what a node does to its points."""
    if "matrix" in node:
        whole: Array = np.array(node["matrix"], float).reshape(4, 4).T
        return whole
    made = np.eye(4)
    if "rotation" in node:
        x, y, z, w = np.array(node["rotation"], float) / max(
            np.linalg.norm(node["rotation"]), 1e-300
        )
        made[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    made[:3, :3] *= np.array(node.get("scale", (1.0, 1.0, 1.0)), float)
    made[:3, 3] = np.array(node.get("translation", (0.0, 0.0, 0.0)), float)
    return made


ENDINGS = (".stl", ".obj", ".gltf", ".glb")
LARGEST = 64 * 2**20
FARTHEST = 1e6
"""Nothing that is modelled is farther from its origin (m)."""
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}


class MeshError(Refusal):
    """Say in one sentence why a mesh cannot be read or fitted."""

    __module__ = "manikin"


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
    """No other file to the parser."""

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
