"""Write a moving scene as VTKHDF for ParaView: one file, surfaces that change with time.

The layout is that of the VTKHDF file format, version 2.0, type PolyData, with steps: what does not
change (which points make a face) stands once, points stand one step behind the other. Cell data
`part` numbers what a face belongs to; the names stand beside, in `/parts/names`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.features.export.moving import Moving
from solver.base.whole import replaced
from solver.engine.maths.rotation import Array

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
    """Give all points of one frame: solids first, then strips, left edges before right ones."""
    found = [
        (s.mesh.points * s.stretches[row]) @ s.turns[row].T + s.places[row] for s in scene.solids
    ]
    for strip in scene.strips:
        found += [strip.left[row], strip.right[row]]
    return np.vstack(found) if found else np.zeros((0, 3))


def _faces(scene: Moving) -> tuple[Array, Array, list[str]]:
    """Give the triangles, to which part each belongs, and the names of the parts."""
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
