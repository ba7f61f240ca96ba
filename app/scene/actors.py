"""Turn meshes into VTK's data and actors."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from solver.engine.maths.rotation import Array
from solver.scene.meshes import Mesh


def put(actor: vtkActor, data: vtkPolyData) -> None:
    """Let an actor show other data."""
    mapper = actor.GetMapper()
    assert isinstance(mapper, vtkPolyDataMapper)
    mapper.SetInputData(data)


def poly_data(mesh: Mesh, faces: bool) -> Any:
    """Turn a mesh's faces, or its lines, into VTK's own data."""
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(mesh.points, dtype=np.float32), deep=True))
    data.SetPoints(points)
    if not faces:
        data.SetLines(_lines(mesh.lines))
        return data
    corners = np.ascontiguousarray(mesh.faces, dtype=np.int64)
    data.SetPolys(_triangles(corners.tobytes(), corners.shape[1]))
    if mesh.normals is not None:
        normals = np.ascontiguousarray(mesh.normals, dtype=np.float32)
        data.GetPointData().SetNormals(numpy_to_vtk(normals, deep=True))
    return data


def put_loads(data: Any, loads: Array) -> None:
    """Write the loads of faces (N) into VTK's data of them."""
    values = numpy_to_vtk(np.ascontiguousarray(loads, dtype=np.float32), deep=True)
    data.GetCellData().SetScalars(values)


def segment_cells(count: int) -> Any:
    """Make one line through the first points."""
    out = vtkCellArray()
    if count > 1:
        row = np.concatenate([[count], np.arange(count)]).astype(np.int64)
        out.ImportLegacyFormat(numpy_to_vtkIdTypeArray(row, deep=True))
    return out


# what takes another form at every instant has the same cells all the time


@lru_cache(maxsize=64)
def _triangles(faces: bytes, corners: int) -> Any:
    out = vtkCellArray()
    if faces:
        each = np.frombuffer(faces, np.int64)
        out.SetData(corners, numpy_to_vtkIdTypeArray(each, deep=True))
    return out


@lru_cache(maxsize=256)
def _lines(lines: tuple[tuple[int, ...], ...]) -> Any:
    flat = [np.concatenate([[len(line)], line]) for line in lines]
    out = vtkCellArray()
    if flat:
        ids = numpy_to_vtkIdTypeArray(np.concatenate(flat).astype(np.int64), deep=True)
        out.ImportLegacyFormat(ids)
    return out


def as_written(mapper: vtkPolyDataMapper) -> None:
    """Let points be drawn as they are written, metres about a middle: VTK need not look how large they are."""
    mapper.SetVBOShiftScaleMethod(0)


def actor_of(data: Any) -> Any:
    """Make an actor that draws data in one colour."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    as_written(mapper)
    actor = vtkActor()
    actor.SetMapper(mapper)
    return actor
