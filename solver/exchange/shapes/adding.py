"""Put a mesh of a file onto a segment, and a surface that is fitted to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from solver.exchange.shapes.fitting import By, Fitted, Shape, fit
from solver.exchange.shapes.reading import MeshError, read_mesh
from solver.project.angles import angles_from
from solver.project.changes import with_value
from solver.project.document import Project
from solver.project.geometry import Orientation
from solver.project.meshes import SegmentMesh, pack, unpack
from solver.project.pose import turn
from solver.project.segments import GROUND


def with_mesh(project: Project, segment: str, file: Path | str, unit: str = "m", id_: str = "", **fields: Any) -> tuple[Project, str]:  # fmt: skip
    """Put the mesh of a file onto a segment; the file itself is not needed any more. Raises MeshError."""
    if segment != GROUND and segment not in {one.id for one in project.segments}:
        raise MeshError("There is no segment '{segment}'.", segment=segment)
    found = read_mesh(file, unit)
    base = id_ or re.sub(r"[^\w+-]+", "_", Path(file).stem).strip("_")[:60] or "mesh"
    name, number, taken = base, 2, {one.id for one in project.meshes}
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    told = {"source": Path(file).name} | fields
    made = SegmentMesh.model_validate({"id": name, "segment": segment, "packed": pack(*found), **told})  # fmt: skip
    return with_value(project, "meshes", (*project.meshes, made)), name


def fitted_to(project: Project, mesh: str, shape: Shape = "ellipsoid", by: By = "surface") -> tuple[Project, str, Fitted]:  # fmt: skip
    """Give the segment of a mesh a surface that is fitted to it; gives the surface's id, too. Raises MeshError."""
    one = next((m for m in project.meshes if m.id == mesh), None)
    triangles = unpack(one.packed) if one is not None else None
    if one is None or triangles is None:
        raise MeshError("There is no mesh '{mesh}' that can be unpacked.", mesh=mesh)
    segment = next((s for s in project.segments if s.id == one.segment), None)
    if segment is None:
        raise MeshError("'{mesh}' is on the ground, which has no surfaces: put it onto a segment.", mesh=mesh)  # fmt: skip
    found = fit(triangles, shape, by)
    name, number, taken = mesh, 2, {s.id for s in segment.surfaces}
    while name in taken:
        name, number = f"{mesh}_{number}", number + 1
    R = turn(one.frame.orientation)
    centre = np.array(one.frame.position_m) + R @ found.centre
    data: dict[str, Any] = {
        "kind": shape, "id": name, "source": f"fitted to {mesh}",
        "semi_axes_m": found.semi_axes, "centre_m": tuple(map(float, centre)),
        "orientation": Orientation(angles_rad=angles_from(R @ found.R, "zyx")),
    }  # fmt: skip
    if shape == "hyperellipsoid":
        data["powers"] = tuple(min(max(p, 2.0), 100.0) for p in found.powers)
    path = f"segments/{segment.id}/surfaces"
    kept = [s.model_dump() for s in segment.surfaces]
    return with_value(project, path, [*kept, data | {"orientation": data["orientation"].model_dump()}]), name, found  # fmt: skip
