"""Write a moving scene as glTF 2.0: nodes with animation, webbing as skins.

The format is small enough to be written here: one JSON text and one block of numbers, behind each
other in a .glb (Khronos Group, glTF 2.0, section 4.4), the block inside of the text in a .gltf. y is
up in it, lengths are metres.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.features.export.changing import Phases, Solid, normals_of
from app.features.export.moving import Moving, Strip, Worn
from app.run_view.cameras import Looks
from app.scene.lens import FIELD_RAD, OrbitCamera
from solver.base.atomic import replaced, write_atomic
from solver.engine.maths.rotation import Array
from solver.scene.tones import rgb

Whole = NDArray[np.int64]

_FLOAT, _UINT, _USHORT = 5126, 5125, 5123
_KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_ARRAYS, _INDICES = 34962, 34963


def write_gltf(
    scene: Moving, file: Path, speed: float, title: str = "", worn: Sequence[Worn] = ()
) -> None:
    """Write a scene in which `speed` seconds of the run last one second, with people's skins and the camera that sees them; OSError if it cannot be."""
    data, block = _Gltf(scene, speed, title, worn).parts()
    block += b"\0" * (-len(block) % 4)
    if file.suffix.lower() == ".gltf":
        inside = base64.b64encode(block).decode()
        data["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{inside}"
        write_atomic(file, _text(data))
        return
    text = _text(data)
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + 8 + len(block)
    write_atomic(
        file,
        struct.pack("<4sII", b"glTF", 2, size)
        + struct.pack("<I4s", len(text), b"JSON") + text
        + struct.pack("<I4s", len(block), b"BIN\0") + block,
    )  # fmt: skip


def _text(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


class _Gltf:
    """Gather nodes, meshes and numbers."""

    def __init__(self, scene: Moving, speed: float, title: str, worn: Sequence[Worn] = ()) -> None:
        self._block = bytearray()
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []
        self._nodes: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._skins: list[dict[str, Any]] = []
        self._materials: dict[tuple[str, float, str, bool], int] = {}
        self._samplers: list[dict[str, Any]] = []
        self._channels: list[dict[str, Any]] = []
        self._clock = ((scene.times - scene.times[0]) / speed).astype(np.float32)
        self._times = self._numbers(self._clock, bounds=True)
        top: dict[str, Any] = {
            "name": title or "scene", "children": [], "rotation": _upright(scene.up),
        }  # fmt: skip
        self._nodes.append(top)
        for solid in scene.solids:
            top["children"].append(self._solid(solid))
        for strip in scene.strips:
            top["children"] += self._strip(strip)
        for one in worn:
            top["children"] += self._worn(one)
        self._nodes.append({"name": "camera", "camera": 0})
        top["children"].append(len(self._nodes) - 1)
        if scene.looks is None:
            self._nodes[-1] |= _eye(scene, worn)
        else:
            self._look(len(self._nodes) - 1, scene.looks, float(scene.times[0]), speed)

    def parts(self) -> tuple[dict[str, Any], bytes]:
        """The text and the block."""
        data: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Manikin"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": self._nodes,
            "meshes": self._meshes,
            "materials": [_material(*one) for one in self._materials],
            "cameras": [
                {
                    "type": "perspective",
                    "perspective": {"yfov": FIELD_RAD, "znear": 0.05, "aspectRatio": _ASPECT},
                }
            ],
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self._block) + (-len(self._block) % 4)}],
            "animations": [{"name": "run", "samplers": self._samplers, "channels": self._channels}],
        }
        if self._skins:
            data["skins"] = self._skins
        return data, bytes(self._block)

    def _solid(self, solid: Solid) -> int:
        points, faces = solid.mesh.points, solid.mesh.faces
        normals = solid.mesh.normals
        if normals is None:
            normals = normals_of(points, faces)
        mesh = self._mesh(solid.name, points, normals, faces, self._material_of(solid.tone, solid.opacity, solid.stuff, one_sided=solid.one_sided))  # fmt: skip
        if solid.mesh.shade is not None:
            shade = np.asarray(solid.mesh.shade, np.float32)[:, None] ** np.float32(2.2)
            attributes = self._meshes[mesh]["primitives"][0]["attributes"]
            attributes["COLOR_0"] = self._numbers(np.repeat(shade, 3, axis=1), target=_ARRAYS)
        node = self._node(solid.name, mesh=mesh)
        self._animate(node, solid.turns, solid.places, solid.stretches if solid.shown is None else None)  # fmt: skip
        if solid.shown is not None:
            self._come_and_go(node, solid.shown)
        if solid.phases is not None:
            self._bend(node, mesh, solid.phases)
        return node

    def _come_and_go(self, node: int, shown: NDArray[np.bool_]) -> None:
        """Show a node at some frames only: at others it is a point, from one frame to the next at once."""
        sizes = np.repeat(shown[:, None], 3, axis=1).astype(np.float32)
        self._nodes[node]["scale"] = [float(v) for v in sizes[0]]
        self._channel(node, "scale", self._times, sizes, "STEP")

    def _bend(self, node: int, mesh: int, phases: Phases) -> None:
        """Let a mesh go evenly from form to form, each a target that has all of the weight at its instant."""
        targets = [
            {
                "POSITION": self._numbers((points - phases.points[0]).astype(np.float32), bounds=True, target=_ARRAYS),
                "NORMAL": self._numbers((normals - phases.normals[0]).astype(np.float32), target=_ARRAYS),
            }
            for points, normals in zip(phases.points[1:], phases.normals[1:], strict=True)
        ]  # fmt: skip
        self._meshes[mesh]["primitives"][0]["targets"] = targets
        self._meshes[mesh]["weights"] = [0.0] * len(targets)
        times = self._numbers(self._clock[phases.rows], bounds=True)
        self._channel(node, "weights", times, np.eye(len(phases.rows), dtype=np.float32)[:, 1:].ravel())  # fmt: skip

    def _channel(
        self, node: int, path: str, times: int, values: NDArray[np.float32], how: str = "LINEAR"
    ) -> None:
        sampler: dict[str, Any] = {"input": times, "output": self._numbers(values)}
        self._samplers.append(sampler if how == "LINEAR" else {**sampler, "interpolation": how})
        target = {"node": node, "path": path}
        self._channels.append({"sampler": len(self._samplers) - 1, "target": target})

    def _strip(self, strip: Strip) -> list[int]:
        """Hang the edges of each station on a joint that moves as webbing does there."""
        places, turns, half = stations(strip)
        count = places.shape[1]
        joints = []
        for k in range(count):
            joints.append(self._node(f"{strip.name} {k}"))
            self._animate(joints[-1], turns[:, k], places[:, k], None)
        side = np.array([0.0, half, 0.0])
        points = np.repeat([-side, side], count, axis=0)
        n = np.arange(count - 1)
        faces = np.vstack([np.column_stack([n, n + 1, count + n]), np.column_stack([n + 1, count + n + 1, count + n])])  # fmt: skip
        normals = np.tile([0.0, 0.0, 1.0], (2 * count, 1))
        mesh = self._mesh(strip.name, points, normals, faces, self._material_of(strip.tone, 1.0))
        own = np.zeros((2 * count, 4), np.uint16)
        own[:, 0] = np.tile(np.arange(count), 2)
        weights = np.zeros((2 * count, 4), np.float32)
        weights[:, 0] = 1.0
        attributes = self._meshes[mesh]["primitives"][0]["attributes"]
        attributes["JOINTS_0"] = self._numbers(own, target=_ARRAYS)
        attributes["WEIGHTS_0"] = self._numbers(weights, target=_ARRAYS)
        inverse = np.tile(np.eye(4, dtype=np.float32).ravel(), (count, 1))
        skin = {"joints": joints, "inverseBindMatrices": self._numbers(inverse)}
        self._skins.append(skin)
        return [*joints, self._node(strip.name, mesh=mesh, skin=len(self._skins) - 1)]

    def _worn(self, one: Worn) -> list[int]:
        """Hang a skin on its bones, which move as they do in the run."""
        joints = []
        for k in range(one.turns.shape[1]):
            joints.append(self._node(f"{one.name} bone {k}"))
            self._animate(joints[-1], one.turns[:, k], one.places[:, k], None)
        mesh, count = one.skin.mesh, len(one.skin.mesh.points)
        assert mesh.normals is not None
        material = self._material_of("#ffffff", 1.0, "skin")
        made = self._mesh(one.name, mesh.points, np.asarray(mesh.normals), mesh.faces, material)
        owners, shares = np.zeros((count, 4), np.uint16), np.zeros((count, 4), np.float32)
        owners[:, :3], shares[:, :3] = one.owners, one.shares
        attributes = self._meshes[made]["primitives"][0]["attributes"]
        attributes["JOINTS_0"] = self._numbers(owners, target=_ARRAYS)
        attributes["WEIGHTS_0"] = self._numbers(shares, target=_ARRAYS)
        colours = np.asarray(one.skin.colours, np.float32)[:, :3] ** np.float32(2.2)
        attributes["COLOR_0"] = self._numbers(colours.astype(np.float32), target=_ARRAYS)
        inverse = np.tile(np.eye(4, dtype=np.float32).ravel(), (len(joints), 1))
        self._skins.append({"joints": joints, "inverseBindMatrices": self._numbers(inverse)})
        return [*joints, self._node(f"{one.name} skin", mesh=made, skin=len(self._skins) - 1)]

    def _node(self, name: str, **more: int) -> int:
        self._nodes.append({"name": name, **more})
        return len(self._nodes) - 1

    def _mesh(self, name: str, points: Array, normals: Array, faces: Whole, material: int) -> int:
        attributes = {
            "POSITION": self._numbers(points.astype(np.float32), bounds=True, target=_ARRAYS),
            "NORMAL": self._numbers(normals.astype(np.float32), target=_ARRAYS),
        }
        indices = self._numbers(faces.astype(np.uint32).ravel(), target=_INDICES)
        primitive = {"attributes": attributes, "indices": indices, "material": material}
        self._meshes.append({"name": name, "primitives": [primitive]})
        return len(self._meshes) - 1

    def _look(self, node: int, looks: Looks, start: float, speed: float) -> None:
        """Let the camera go where keyed cameras look from; a parallel one stands as far away as it sees what it looks at as large."""
        clock = ((looks.times - start) / speed).astype(np.float32)
        # a cut is two rows, of which the later must be told apart
        for n in range(1, len(clock)):
            clock[n] = max(clock[n], np.nextafter(clock[n - 1], np.float32(np.inf)))
        turns = looks.axes.transpose(0, 2, 1)
        places = looks.targets + looks.distances[:, None] * looks.axes[:, 2]
        self._animate(node, turns, places, None, self._numbers(clock, bounds=True))

    def _animate(
        self,
        node: int,
        turns: Array,
        places: Array,
        stretches: Array | None,
        times: int | None = None,
    ) -> None:
        """Let a node move; what stays the same is written once, in the node."""
        from scipy.spatial.transform import Rotation

        times = self._times if times is None else times
        for path, values in (
            ("rotation", steady(Rotation.from_matrix(turns).as_quat())),
            ("translation", places),
            ("scale", stretches),
        ):
            if values is None:
                continue
            self._nodes[node][path] = [float(v) for v in values[0].astype(np.float32)]
            if np.ptp(values, axis=0).max() == 0.0:
                continue
            self._channel(node, path, times, values.astype(np.float32))

    def _numbers(self, values: NDArray[Any], bounds: bool = False, target: int = 0) -> int:
        """Add numbers to the block, and say what they are."""
        kind = {"f": _FLOAT, "u": _UINT if values.itemsize == 4 else _USHORT}[values.dtype.kind]
        raw = np.ascontiguousarray(values).tobytes()
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self._block), "byteLength": len(raw)}
        if target:
            view["target"] = target
        self._views.append(view)
        self._block += raw + b"\0" * (-len(raw) % 4)
        width = 1 if values.ndim == 1 else values.shape[1]
        accessor: dict[str, Any] = {
            "bufferView": len(self._views) - 1,
            "componentType": kind,
            "count": len(values),
            "type": _KINDS[width],
        }
        if bounds:
            flat = values.reshape(len(values), width)
            accessor["min"] = [float(v) for v in flat.min(axis=0)]
            accessor["max"] = [float(v) for v in flat.max(axis=0)]
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def _material_of(
        self, tone: str, opacity: float, stuff: str = "", *, one_sided: bool = False
    ) -> int:
        key = tone, opacity, stuff, one_sided
        return self._materials.setdefault(key, len(self._materials))


def stations(strip: Strip) -> tuple[Array, Array, float]:
    """The middles (T, n, 3), their axes (T, n, 3, 3: along, across, outward), half the width."""
    middle = 0.5 * (strip.left + strip.right)
    across = strip.right - strip.left
    width = np.linalg.norm(across, axis=-1, keepdims=True)
    across = across / np.maximum(width, 1e-12)
    along = np.gradient(middle, axis=1)
    along -= across * (along * across).sum(axis=-1, keepdims=True)
    size = np.linalg.norm(along, axis=-1, keepdims=True)
    usual = np.cross(across, np.eye(3)[np.argmin(np.abs(across), axis=-1)])
    along = np.where(size > 1e-9, along, usual)
    along /= np.linalg.norm(along, axis=-1, keepdims=True)
    turns = np.stack([along, across, np.cross(along, across)], axis=-1)
    return middle, turns, 0.5 * float(np.median(width))


def steady(quaternions: Array) -> Array:
    """Turn the signs so that neighbours are on the same side: viewers go straight between them."""
    turned = np.sum(quaternions[1:] * quaternions[:-1], axis=1) < 0.0
    signs = np.concatenate([[1.0], np.where(turned, -1.0, 1.0)]).cumprod()
    return np.asarray(quaternions * signs[:, None])


def _upright(up: Array) -> list[float]:
    """The quaternion (x, y, z, w) that makes `up` the y of glTF."""
    from scipy.spatial.transform import Rotation

    found, _ = Rotation.align_vectors([[0.0, 1.0, 0.0]], [up])
    return [float(v) for v in found.as_quat()]


def _material(tone: str, opacity: float, stuff: str, one_sided: bool) -> dict[str, Any]:
    # colours are linear in glTF; ours are those of the screen
    colour = [float(c**2.2) for c in rgb(tone)]
    metal, rough = _LOOKS.get(stuff, (0.0, 0.8))
    out: dict[str, Any] = {
        "name": stuff or tone,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*colour, opacity], "metallicFactor": metal, "roughnessFactor": rough,
        },
        "doubleSided": not one_sided,
    }  # fmt: skip
    if opacity < 1.0:
        out["alphaMode"] = "BLEND"
    return out


_LOOKS = {
    "paint": (0.4, 0.35), "metal": (0.7, 0.4), "glass": (0.0, 0.05), "tint": (0.0, 0.1), "lamp": (0.0, 0.15),
    "tail_lamp": (0.0, 0.2), "leather": (0.0, 0.55), "foil": (0.8, 0.45), "skin": (0.0, 0.7), "concrete": (0.0, 0.95),
}  # fmt: skip
"""How metallic and how rough materials are, from 0 to 1; assumed."""
_ASPECT = 16.0 / 9.0


def _eye(scene: Moving, worn: Sequence[Worn]) -> dict[str, Any]:
    """Where a camera stands that sees people, or else everything, over the whole run from the side and a little from above."""
    camera = OrbitCamera(scene.up)
    camera.look("iso")
    places = [places for _, places in scene.poses.values()] if worn else []
    places = places or [one.places for one in scene.solids] or [np.zeros((1, 3))]
    points = np.concatenate([each.reshape(-1, 3) for each in places])
    margin = np.array([(x, y, z) for x in (-0.3, 0.3) for y in (-0.3, 0.3) for z in (-0.3, 0.3)])
    ends = np.vstack([points.min(axis=0), points.max(axis=0)])
    corners = np.array([(x, y, z) for x in ends[:, 0] for y in ends[:, 1] for z in ends[:, 2]])
    camera.fit((corners[:, None] + margin).reshape(-1, 3), _ASPECT)
    R = np.column_stack(camera.axes())
    from scipy.spatial.transform import Rotation

    turned = Rotation.from_matrix(R).as_quat()
    return {
        "rotation": [float(v) for v in turned],
        "translation": [float(v) for v in camera.eye()],
    }


_GROUPS = ("Vertices", "Lines", "Polygons", "Strips")


def write_vtkhdf(scene: Moving, file: Path) -> None:
    """Write all frames, in ground axes and metres; OSError if it cannot be."""
    import h5py

    from solver.results.hdf5 import written

    faces, owners, names = _faces(scene)
    count = sum(len(s.mesh.points) for s in scene.solids)
    count += sum(2 * s.left.shape[1] for s in scene.strips)
    steps = len(scene.times)
    with replaced(file) as part, written(part, libver=None) as out:
        root = out.create_group("VTKHDF", track_order=True)
        root.attrs["Version"] = np.array([2, 0], dtype="i8")
        root.attrs.create("Type", np.bytes_("PolyData"))
        root["NumberOfPoints"] = np.full(steps, count, dtype="i8")
        points = root.create_dataset("Points", (steps * count, 3), "f4")
        for row in range(steps):
            points[row * count : (row + 1) * count] = points_at(scene, row)
        for name in _GROUPS:
            _cells(root.create_group(name), faces if name == "Polygons" else faces[:0], steps)
        _steps(root, scene, count)
        cells = root.create_group("CellData")
        cells["part"] = owners
        # VTK's reader takes no texts inside its own group
        out.create_dataset("parts/names", data=names, dtype=h5py.string_dtype("utf-8"))


def points_at(scene: Moving, row: int) -> Array:
    """All points of one frame: solids first, then strips, left edges before right ones."""
    found = [one.points_at(row, scene.times) for one in scene.solids]
    for strip in scene.strips:
        found += [strip.left[row], strip.right[row]]
    return np.vstack(found) if found else np.zeros((0, 3))


def _faces(scene: Moving) -> tuple[Array, Array, list[str]]:
    """The triangles, to which part each belongs, and the names of the parts."""
    faces: list[NDArray[np.int64]] = []
    owners: list[NDArray[np.int64]] = []
    names: list[str] = []
    start = 0
    for solid in scene.solids:
        faces.append(solid.mesh.faces + start)
        owners.append(np.full(len(solid.mesh.faces), len(names)))
        names.append(solid.name)
        start += len(solid.mesh.points)
    for strip in scene.strips:
        n = strip.left.shape[1]
        k = start + np.arange(n - 1)
        faces += [np.column_stack([k, k + 1, n + k]), np.column_stack([k + 1, n + k + 1, n + k])]
        owners.append(np.full(2 * (n - 1), len(names)))
        names.append(strip.name)
        start += 2 * n
    if not faces:
        return np.zeros((0, 3), np.int64), np.zeros(0, np.int64), names
    return np.vstack(faces), np.concatenate(owners), names


def _cells(group: Any, faces: Array, steps: int) -> None:
    """Write the cells of one kind, once for all steps; their numbers stand once for each."""
    group["NumberOfCells"] = np.full(steps, len(faces), dtype="i8")
    group["NumberOfConnectivityIds"] = np.full(steps, faces.size, dtype="i8")
    group["Offsets"] = 3 * np.arange(len(faces) + 1, dtype="i8")
    group["Connectivity"] = faces.ravel().astype("i8")


def _steps(root: Any, scene: Moving, count: int) -> None:
    steps = len(scene.times)
    group = root.create_group("Steps")
    group.attrs["NSteps"] = np.int64(steps)
    group["Values"] = scene.times
    group["PartOffsets"] = np.arange(steps, dtype="i8")
    group["NumberOfParts"] = np.ones(steps, dtype="i8")
    group["PointOffsets"] = count * np.arange(steps, dtype="i8")
    group["CellOffsets"] = np.zeros((steps, len(_GROUPS)), dtype="i8")
    group["ConnectivityIdOffsets"] = np.zeros((steps, len(_GROUPS)), dtype="i8")
    offsets = group.create_group("CellDataOffsets")
    offsets["part"] = np.zeros(steps, dtype="i8")
