"""Make VTK actors from meshes and paint them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.look import (
    BAG_EDGE,
    BAG_TONE,
    BELT_EDGE,
    BELT_TONE,
    BODY_TONES,
    JOINT_TONE,
    LINK_TONE,
    PACK_TONE,
    PLANE_TONE,
    VEHICLE_TONE,
    Theme,
    mixed,
)
from app.scene.meshes import Indices, Mesh
from app.scene.placing import Pose
from app.scene.shapes import Kind, Shape
from solver.maths.rotation import Array

_TONES: dict[Kind, str] = {
    "vehicle": VEHICLE_TONE,
    "plane": PLANE_TONE,
    "arrow": PLANE_TONE,
    "belt": BELT_TONE,
    "bag": BAG_TONE,
    "pack": PACK_TONE,
    "way": BAG_EDGE,
    "joint": JOINT_TONE,
    "link": LINK_TONE,
}
_CLEAR: dict[Kind, float] = {"plane": 0.30, "bag": 0.34, "pack": 0.72}
_EDGES: dict[Kind, str] = {"belt": BELT_EDGE, "bag": BAG_EDGE, "pack": BAG_EDGE}
_FAINT = 0.30
_RIM_M = 0.004


@dataclass(frozen=True, slots=True)
class Form:
    """Hold a mesh and VTK's own data of its faces and lines."""

    mesh: Mesh
    faces: Any
    lines: Any

    @classmethod
    def of(cls, mesh: Mesh, loads: Array | None = None) -> Form:
        """Turn a mesh into VTK's data; `loads` are those of its faces (N)."""
        form = cls(mesh, poly_data(mesh, faces=True), poly_data(mesh, faces=False))
        if loads is not None:
            values = numpy_to_vtk(np.ascontiguousarray(loads, dtype=np.float32), deep=True)
            form.faces.GetCellData().SetScalars(values)
        return form


@dataclass(eq=False, slots=True)
class Drawn:
    """Hold the actors of one shape: faces, lines, and the rim that marks a selected body."""

    shape: Shape
    face: Any
    lines: Any = None
    rim: Any = None
    all: list[Any] = field(default_factory=list)
    mesh: Mesh | None = None
    """What is drawn now: the shape's own mesh, or the form that a run has given it."""
    is_shown: bool = True
    is_hidden: bool = False
    """Whether people have hidden it."""

    def place(self, matrix: Any) -> None:
        """Move all actors of the shape."""
        for actor in self.all:
            actor.SetUserMatrix(matrix)

    def reshape(self, form: Form) -> None:
        """Give the shape another form, as webbing takes while the body moves."""
        self.mesh = form.mesh
        self.face.GetMapper().SetInputData(form.faces)
        if self.lines is not None:
            self.lines.GetMapper().SetInputData(form.lines)

    def show(self, visible: bool) -> None:
        """Show or hide the shape; its rim stays as the selection has it."""
        self.is_shown = visible
        visible = visible and not self.is_hidden
        self.face.SetVisibility(visible)
        if self.lines is not None:
            self.lines.SetVisibility(visible)

    def hide(self, hidden: bool) -> None:
        """Hide the shape, whatever is shown, or let it be seen again."""
        self.is_hidden = hidden
        self.show(self.is_shown)

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane; None cuts nothing."""
        for actor in self.all:
            mapper = actor.GetMapper()
            mapper.RemoveAllClippingPlanes()
            if plane is not None:
                mapper.AddClippingPlane(plane)


def move_items(
    items: Iterable[Drawn],
    pose: Pose,
    forms: Mapping[tuple[str, str], Form],
    bags: Mapping[str, Any] | None,
) -> None:
    """Move shapes to a pose: webbing and links by their forms, bags by matrices."""
    placed = {name: user_matrix(at.R_WS, at.p_W) for name, at in pose.items()}
    for item in items:
        shape = item.shape
        if shape.kind in ("belt", "link"):
            form = forms.get((shape.element, shape.part))
            item.show(form is not None)
            if form is not None:
                item.reshape(form)
        elif shape.kind == "bag":
            matrix = bags.get(shape.element) if bags is not None else None
            item.show(matrix is not None)
            if matrix is not None:
                item.place(matrix)
        elif shape.segment in placed:
            if shape.kind in ("pack", "way") and bags is not None:
                is_folded = bags.get(shape.element) is None
                item.show(is_folded and shape.kind == "pack")
            item.place(placed[shape.segment])


def drawn(shape: Shape, marks: bool = True) -> Drawn:
    """Make the actors of a shape; without `marks` its faces alone."""
    mesh = shape.mesh
    out = Drawn(shape, _actor(poly_data(mesh, faces=True)), mesh=mesh)
    out.all.append(out.face)
    if not marks:
        return out
    if mesh.lines:
        out.lines = _actor(poly_data(mesh, faces=False))
        out.lines.GetProperty().SetLighting(False)
        out.all.append(out.lines)
    if shape.kind in ("body", "vehicle") and mesh.normals is not None:
        swollen = Mesh(mesh.points + _RIM_M * mesh.normals, mesh.faces)
        out.rim = _actor(poly_data(swollen, faces=True))
        out.rim.GetProperty().SetLighting(False)
        out.rim.GetProperty().FrontfaceCullingOn()
        out.rim.PickableOff()
        out.rim.VisibilityOff()
        out.all.append(out.rim)
    return out


def paint(item: Drawn, theme: Theme, selected: bool, hovered: bool, faint: bool = False) -> None:
    """Colour a shape by its kind, and mark it where it is selected or under the mouse."""
    kind = item.shape.kind
    tone = BODY_TONES[item.shape.tone % len(BODY_TONES)] if kind == "body" else _TONES[kind]
    accent = 0.45 if selected and kind in ("body", "vehicle", "bag", "pack") else 0.85 * selected
    prop = item.face.GetProperty()
    prop.SetColor(*mixed(tone, theme.accent, accent))
    prop.SetAmbient(0.40 if hovered and not selected else 0.28)
    prop.SetDiffuse(0.74)
    prop.SetSpecular(0.05)
    prop.SetSpecularPower(12.0)
    opacity = _CLEAR.get(kind, 1.0) + (0.15 if kind == "plane" and selected else 0.0)
    prop.SetOpacity(min(opacity, _FAINT) if faint else opacity)
    if item.rim is not None:
        item.rim.SetVisibility(selected and not item.is_hidden and not faint)
        item.rim.GetProperty().SetColor(*mixed(theme.accent, theme.accent, 0.0))
    if item.lines is not None:
        edge = _EDGES.get(kind, tone)
        line = item.lines.GetProperty()
        line.SetColor(*mixed(edge, theme.accent, float(selected)))
        line.SetLineWidth(2.5 if (selected and kind != "bag") or kind == "link" else 1.2)
        line.SetOpacity(1.0 if kind != "plane" or selected or hovered else 0.65)


def poly_data(mesh: Mesh, faces: bool) -> Any:
    """Turn a mesh's faces, or its lines, into VTK's own data."""
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(mesh.points, dtype=np.float32), deep=True))
    data.SetPoints(points)
    if not faces:
        data.SetLines(_cells([np.array(line) for line in mesh.lines]))
        return data
    data.SetPolys(_triangles(mesh.faces))
    if mesh.normals is not None:
        normals = np.ascontiguousarray(mesh.normals, dtype=np.float32)
        data.GetPointData().SetNormals(numpy_to_vtk(normals, deep=True))
    return data


def segment_cells(count: int) -> Any:
    """Make one line through the first points."""
    return _cells([np.arange(count)] if count > 1 else [])


def _triangles(faces: Indices) -> Any:
    out = vtkCellArray()
    if len(faces):
        flat = np.column_stack([np.full(len(faces), faces.shape[1]), faces]).astype(np.int64)
        out.ImportLegacyFormat(numpy_to_vtkIdTypeArray(flat.ravel(), deep=True))
    return out


def _cells(cells: list[Any]) -> Any:
    flat = [np.concatenate([[len(cell)], cell]) for cell in cells]
    out = vtkCellArray()
    if flat:
        ids = numpy_to_vtkIdTypeArray(np.concatenate(flat).astype(np.int64), deep=True)
        out.ImportLegacyFormat(ids)
    return out


def _actor(data: Any) -> Any:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    return actor


def user_matrix(R: Array, p: Array) -> Any:
    """Give VTK's matrix for a turn and a place (m)."""
    matrix = vtkMatrix4x4()
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    x, y, z = np.asarray(p, float).tolist()
    matrix.DeepCopy((a, b, c, x, d, e, f, y, g, h, i, z, 0.0, 0.0, 0.0, 1.0))
    return matrix
