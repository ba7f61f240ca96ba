"""Draw forces as arrows: one actor for each kind, whose points are written anew at each instant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.look import FORCE_TONES
from app.scene.actors import poly_data, put
from app.scene.key import LENGTH_M, ForceKind
from solver.engine.maths.rotation import Array
from solver.scene.meshes import Mesh, arrow
from solver.scene.tones import rgb

LEAST_N = 1.0
"""Smaller forces are not drawn."""
_ROOM = 8
"""Arrows for which room is made at once."""

_FORMS: dict[ForceKind, tuple[float, float, float]] = {
    "contacts": (0.025, 0.11, 0.68),
    "webbing": (0.014, 0.075, 0.80),
    "airbags": (0.045, 0.15, 0.60),
}
"""Half widths of stem and head, and where the head begins: the kinds differ not by colour alone."""
UNITS = {
    kind: arrow(np.zeros(3), np.array([1.0, 0.0, 0.0]), 1.0, *form) for kind, form in _FORMS.items()
}


class Arrows:
    """Show forces (N) at points (m), heads on the points, lengths by the root of the force."""

    def __init__(self, renderer: Any, kind: ForceKind = "contacts") -> None:
        self._unit, self._room = UNITS[kind], 0
        self._points = np.zeros((0, 3), np.float32)
        self._faces = self._unit.faces[:0]
        self._data: Any = None
        self.elements: Sequence[str] = ()
        """Elements of the arrows that are seen, in their order."""
        mapper = vtkPolyDataMapper()
        mapper.ScalarVisibilityOff()
        self.actor = vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.VisibilityOff()
        prop = self.actor.GetProperty()
        prop.SetColor(*rgb(FORCE_TONES[kind]))
        prop.SetAmbient(0.45)
        prop.SetDiffuse(0.6)
        renderer.AddActor(self.actor)

    def show(self, elements: Sequence[str], points: Array, forces: Array) -> None:
        """Show an arrow for each force that acts; few of many contacts do."""
        acts = np.flatnonzero((forces * forces).sum(axis=1) >= LEAST_N * LEAST_N)
        self.elements = tuple(elements[n] for n in acts.tolist())
        self.actor.SetVisibility(len(acts) > 0)
        if not len(acts):
            return
        if not 0 <= self._room - len(acts) < 2 * _ROOM:
            self._make(_ROOM * -(-len(acts) // _ROOM))
        made = arrow_points(points[acts], forces[acts], self._unit).reshape(-1, 3)
        self._points[: len(made)] = made
        # those that are not needed just now are no larger than a point
        self._points[len(made) :] = points[acts[0]]
        self._data.GetPoints().Modified()

    def hide(self) -> None:
        """Show no forces."""
        self.actor.VisibilityOff()

    def mesh(self) -> Mesh | None:
        """Give all arrows that are seen as one mesh in ground axes."""
        if not self.actor.GetVisibility():
            return None
        count = len(self.elements)
        points = self._points[: count * len(self._unit.points)].astype(float)
        return Mesh(points, self._faces[: count * len(self._unit.faces)])

    def element_at(self, face: int) -> str:
        """Name the element whose arrow a triangle belongs to."""
        return self.elements[face // len(self._unit.faces)]

    def _make(self, count: int) -> None:
        self._room, size = count, len(self._unit.points)
        self._points = np.zeros((count * size, 3), np.float32)
        starts = size * np.arange(count)
        self._faces = (self._unit.faces[None] + starts[:, None, None]).reshape(-1, 3)
        self._data = poly_data(Mesh(self._points.astype(float), self._faces), faces=True)
        # VTK reads our own array, so that a frame costs no copy
        self._data.GetPoints().SetData(numpy_to_vtk(self._points, deep=False))
        put(self.actor, self._data)


def arrow_points(points: Array, forces: Array, unit: Mesh = UNITS["contacts"]) -> Array:
    """Give the points of all arrows (n, k, 3): the head of each on its point, along its force."""
    size = np.sqrt((forces * forces).sum(axis=1))
    along = forces / size[:, None]
    length = LENGTH_M * np.sqrt(1e-3 * size)
    # any two directions across the force; the arrow is round
    x, y, z = along.T
    sign = np.where(z < 0.0, -1.0, 1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    side = np.stack([1.0 + sign * x * x * a, sign * b, -sign * x], axis=1)
    other = np.stack([b, sign + y * y * a, -y], axis=1)
    turn = np.stack([along, side, other], axis=1) * length[:, None, None]
    return np.asarray((unit.points - (1.0, 0.0, 0.0)) @ turn + points[:, None, :])
