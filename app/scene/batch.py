"""Draw many meshes as one: each has its place and its colour, and all are one call to the graphics."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.scene.actors import as_written
from app.scene.drawn import SOFT, Drawn
from app.scene.lens import Lens
from app.scene.paints import AMBIENT, DIFFUSE, Rgba
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.meshes import Mesh, faceted
from solver.scene.placing import Stretched

Style = Literal["solid", "clear", "ghost", "rim", "thin", "thick"]

_LIT: dict[Style, tuple[float, float]] = {
    "solid": (AMBIENT, DIFFUSE),
    "clear": (AMBIENT, DIFFUSE),
    "ghost": (0.5, 0.5),
}
"""Light from everywhere and from the lamps; other styles shine by themselves."""
_CLOSED = ("solid", "ghost")
"""Styles of closed bodies, of which only the near side is drawn."""
_LAID = ("clear", "ghost", "thin")
"""Styles that are laid over what is behind them."""


_NOWHERE = Placed(np.eye(3), np.zeros(3))


@dataclass(frozen=True, slots=True)
class Piece:
    """One mesh of a batch, where it is, and its colour; a mesh with faces has normals."""

    mesh: Mesh
    at: Placed
    colour: Rgba


class Batch:
    """One actor for all pieces of a style; `show` writes only what has changed."""

    def __init__(self, renderer: Any, style: Style) -> None:
        self._renderer, self._style = renderer, style
        self._has_lines = style in ("thin", "thick")
        self._pieces: Sequence[Piece] = ()
        self._spans: list[slice] = []
        self._carrier, self._carried_by, self._home = -1, _NOWHERE, _NOWHERE
        """The piece in whose axes all points are written, as most of them are there, where it is, and a place without one."""
        self._matrix = vtkMatrix4x4()
        self._turned = np.zeros(3)
        self._data = vtkPolyData()
        self._mapper = vtkPolyDataMapper()
        as_written(self._mapper)
        self._mapper.SetInputData(self._data)
        self._mapper.SetScalarModeToUsePointData()
        self._mapper.SetColorModeToDirectScalars()
        self.actor = vtkActor()
        self.actor.SetMapper(self._mapper)
        self.actor.SetUserMatrix(self._matrix)
        self.actor.PickableOff()
        self.actor.VisibilityOff()
        _dress(self.actor, style)
        renderer.AddActor(self.actor)

    def show(self, pieces: Sequence[Piece], towards: Array | None = None) -> None:
        """Draw these pieces; what is clear is laid over each other as seen from `towards`."""
        before = self._pieces
        same = len(pieces) == len(before) and all(
            new.mesh is old.mesh or _only_moved(new.mesh, old.mesh)
            for new, old in zip(pieces, before, strict=True)
        )
        self._pieces = pieces
        if not same:
            self._build()
        moved = self._move(None if not same else before)
        self._colour(None if not same else before)
        if towards is None or not self._spans:
            return
        # in the axes of what carries them
        towards = self._carried_by.R_WS.T @ towards
        if not same or moved or not np.allclose(towards, self._turned, atol=1e-9):
            self._sort(towards)

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane, and show what is inside; None cuts nothing."""
        self._mapper.RemoveAllClippingPlanes()
        if plane is not None:
            self._mapper.AddClippingPlane(plane)
        if self._style in _CLOSED:
            self.actor.GetProperty().SetBackfaceCulling(plane is None)

    def remove(self) -> None:
        """Take the actor out of the scene."""
        self._renderer.RemoveActor(self.actor)

    def _build(self) -> None:
        """Lay out the memory that VTK reads: one span of points for each piece."""
        meshes = [piece.mesh for piece in self._pieces]
        counts = [len(mesh.points) for mesh in meshes]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        total = int(starts[-1])
        self._spans = [slice(a, b) for a, b in pairwise(starts)]
        self.actor.SetVisibility(total > 0)
        if not total:
            return
        carried: dict[int, int] = {}
        for piece, count in zip(self._pieces, counts, strict=True):
            if not isinstance(piece.at, Stretched):
                carried[id(piece.at)] = carried.get(id(piece.at), 0) + count
        most = max(carried, key=lambda at: carried[at], default=0)
        self._carrier = next((n for n, p in enumerate(self._pieces) if id(p.at) == most), -1)
        middle = np.mean([piece.at.p_W for piece in self._pieces], axis=0)
        self._carried_by, self._home = _NOWHERE, Placed(np.eye(3), middle)
        self._points = np.zeros((total, 3), np.float32)
        self._colours = np.zeros((total, 4), np.uint8)
        each = [
            (_strokes(mesh) if self._has_lines else mesh.faces) + start
            for mesh, start in zip(meshes, starts[:-1], strict=True)
        ]
        self._cells = np.ascontiguousarray(np.vstack(each), dtype=np.int64)
        data = vtkPolyData()
        self._memory = vtkPoints()
        self._memory.SetData(numpy_to_vtk(self._points))
        data.SetPoints(self._memory)
        self._rows = vtkCellArray()
        self._rows.SetData(self._cells.shape[1], numpy_to_vtkIdTypeArray(self._cells.ravel()))
        if self._has_lines:
            data.SetLines(self._rows)
        else:
            data.SetPolys(self._rows)
            self._normals = np.zeros((total, 3), np.float32)
            data.GetPointData().SetNormals(numpy_to_vtk(self._normals))
        data.GetPointData().SetScalars(numpy_to_vtk(self._colours))
        self._data = data
        self._mapper.SetInputData(data)

    def _move(self, before: Sequence[Piece] | None) -> bool:
        """Write the points of pieces that are elsewhere than before, as seen from what carries most of them."""
        if not self._spans or not len(self._points):
            return False
        first, now = self._carried_by, self._carry()
        moved = False
        for i, (piece, span) in enumerate(zip(self._pieces, self._spans, strict=True)):
            at, mesh = piece.at, piece.mesh
            if before is not None and before[i].mesh is mesh:
                if at is now and before[i].at is first:
                    continue
                if now is first and before[i].at is at:
                    continue
            moved = True
            R = now.R_WS.T @ at.R_WS
            self._points[span] = mesh.points @ R.T + (at.p_W - now.p_W) @ now.R_WS
            if not self._has_lines:
                assert mesh.normals is not None
                back = np.linalg.inv(R) if isinstance(at, Stretched) else R.T
                self._normals[span] = mesh.normals @ back
        if moved:
            self._memory.GetData().Modified()
            self._memory.Modified()
            if not self._has_lines:
                self._data.GetPointData().GetNormals().Modified()
        return moved

    def _carry(self) -> Placed:
        """Let the actor go with the piece that carries the points; gives where that is."""
        now = self._pieces[self._carrier].at if self._carrier >= 0 else self._home
        if now is not self._carried_by:
            whole = np.eye(4)
            whole[:3, :3], whole[:3, 3] = now.R_WS, now.p_W
            self._matrix.DeepCopy(whole.ravel().tolist())
        self._carried_by = now
        return now

    def _colour(self, before: Sequence[Piece] | None) -> None:
        """Write the colours of pieces that are painted otherwise than before."""
        painted = False
        for i, (piece, span) in enumerate(zip(self._pieces, self._spans, strict=True)):
            shade = piece.mesh.shade
            if (
                before is None
                or before[i].colour != piece.colour
                or before[i].mesh.shade is not shade
            ):
                self._colours[span] = piece.colour
                if shade is not None:
                    self._colours[span, :3] = shade[:, None] * piece.colour[:3] + 0.5
                painted = True
        if painted:
            self._data.GetPointData().GetScalars().Modified()

    def _sort(self, towards: Array) -> None:
        """Order the faces from the farthest to the nearest, as clear things must be drawn."""
        self._turned = np.array(towards)
        depth = (self._points @ towards.astype(np.float32))[self._cells].sum(axis=1)
        self._cells[:] = self._cells[np.argsort(depth)]
        self._rows.GetConnectivityArray().Modified()
        self._rows.Modified()


def _dress(actor: Any, style: Style) -> None:
    """Give an actor the properties of its style."""
    prop = actor.GetProperty()
    prop.SetLighting(style in _LIT)
    if style in _LIT:
        ambient, diffuse = _LIT[style]
        prop.SetAmbient(ambient)
        prop.SetDiffuse(diffuse)
        prop.SetSpecular(0.05)
        prop.SetSpecularPower(12.0)
    prop.SetBackfaceCulling(style in _CLOSED)
    prop.SetFrontfaceCulling(style == "rim")
    prop.SetLineWidth(2.5 if style == "thick" else 1.2)
    if style in _LAID:
        actor.ForceTranslucentOn()
    else:
        actor.ForceOpaqueOn()


def _only_moved(new: Mesh, old: Mesh) -> bool:
    """Whether two meshes are the same line, or the same cloth, with its points elsewhere."""
    if new.faces is old.faces:
        return len(new.points) == len(old.points)
    return new.lines is old.lines and not len(new.faces) and not len(old.faces)


def _strokes(mesh: Mesh) -> NDArray[np.int64]:
    """The polylines of a mesh as pairs of points."""
    pairs = [np.column_stack([line[:-1], line[1:]]) for line in map(np.array, mesh.lines)]
    return np.vstack(pairs) if pairs else np.zeros((0, 2), np.int64)


LEVELS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96)
"""Points on a ring."""
_OFF_PX = 0.5
"""How far an outline may lie inside the true one."""
_TOO_FINE = 1.9
"""How many times too many points are kept, so that a slow zoom does not change them all the time."""
_SHEET_M = 0.5
"""Largest edge of a piece of a sheet: clear pieces are drawn in the order of their distance."""


def enough(radii_px: Array, now: Sequence[int]) -> list[int]:
    """The points on rings with radii in pixels; `now` are those of the last picture, or 0."""
    # a chord over the angle 2 pi / n lies r (1 - cos(pi / n)) inside
    needed = np.pi / np.sqrt(2.0 * _OFF_PX / np.maximum(radii_px, _OFF_PX))
    kept = np.array(now)
    # what has become too coarse is likely to come nearer still
    wanted = np.where(kept > 0, 1.2 * needed, needed)
    chosen = np.array(LEVELS)[np.searchsorted(LEVELS[:-1], wanted)]
    stays = (kept >= needed) & (kept <= _TOO_FINE * needed)
    return [int(n) for n in np.where(stays, kept, chosen)]


class Details:
    """The mesh with which each item is drawn, and remember how fine it was."""

    def __init__(self) -> None:
        self._levels: dict[Drawn, tuple[int, int]] = {}

    def meshes(
        self, items: Sequence[Drawn], lens: Lens, *, keep: bool = False
    ) -> dict[Drawn, Mesh]:
        """A mesh with normals for each item but webbing and links; round ones as seen, or as they were."""
        out: dict[Drawn, Mesh] = {}
        globes = []
        for item in items:
            mesh, kind = item.shape.mesh, item.shape.kind
            if kind == "bag" and item.laid is not None:
                out[item] = item.laid.mesh
            elif item.shape.round is not None:
                if keep and item in self._levels:
                    out[item] = item.shape.round.mesh(*self._levels[item])
                else:
                    globes.append((item, item.shape.round))
            elif kind not in SOFT:
                sheet = _SHEET_M if kind == "plane" else np.inf
                out[item] = mesh if mesh.normals is not None else faceted(mesh, sheet)
        if globes:
            centres = np.array([item.at.p_W + item.at.R_WS @ r.centre for item, r in globes])
            scale = lens.scale_at(centres)
            now = [self._levels.get(item, (0, 0)) for item, _ in globes]
            chosen = zip(
                enough(scale * [r.waist for _, r in globes], [n[0] for n in now]),
                enough(scale * [r.reach for _, r in globes], [n[1] for n in now]),
                strict=True,
            )
            for (item, made), levels in zip(globes, chosen, strict=True):
                self._levels[item] = levels
                out[item] = made.mesh(*levels)
        return out

    def keep(self, items: Container[Drawn]) -> None:
        """Forget all other items."""
        self._levels = {item: n for item, n in self._levels.items() if item in items}
