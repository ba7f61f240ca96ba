"""Draw forces as arrows: one actor for all, whose points are written anew at each instant."""

from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.look import FORCE_TONE, rgb
from app.scene.actors import poly_data
from app.scene.meshes import Mesh, arrow
from solver.maths.rotation import Array

LENGTH_M = 0.1
"""Length of the arrow of 1 kN; four times the force makes it twice as long."""
LEAST_N = 1.0
"""Smaller forces are not drawn."""

_UNIT = arrow(np.zeros(3), np.array([1.0, 0.0, 0.0]), 1.0)
_FACES = len(_UNIT.faces)


class Arrows:
    """Show forces (N) at points (m), heads on the points, lengths by the root of the force."""

    def __init__(self, renderer: Any) -> None:
        self._renderer, self._count = renderer, 0
        self._points = np.zeros((0, 3), np.float32)
        self._data: Any = None
        mapper = vtkPolyDataMapper()
        mapper.ScalarVisibilityOff()
        self.actor = vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.VisibilityOff()
        prop = self.actor.GetProperty()
        prop.SetColor(*rgb(FORCE_TONE))
        prop.SetAmbient(0.45)
        prop.SetDiffuse(0.6)
        renderer.AddActor(self.actor)

    def show(self, points: Array, forces: Array) -> None:
        """Show as many arrows as there are forces; those that do not act shrink to nothing."""
        if len(points) != self._count:
            self._make(len(points))
        self.actor.SetVisibility(len(points) > 0)
        if not len(points):
            return
        self._points[:] = arrow_points(points, forces).reshape(-1, 3)
        self._data.GetPoints().Modified()

    def hide(self) -> None:
        """Show no forces."""
        self.actor.VisibilityOff()

    def number(self, cell: int) -> int:
        """Give which arrow a triangle belongs to."""
        return cell // _FACES

    def _make(self, count: int) -> None:
        self._count = count
        self._points = np.zeros((count * len(_UNIT.points), 3), np.float32)
        starts = len(_UNIT.points) * np.arange(count)
        faces = (_UNIT.faces[None] + starts[:, None, None]).reshape(-1, 3)
        self._data = poly_data(Mesh(self._points, faces), faces=True)
        # VTK reads our own array, so that a frame costs no copy
        self._data.GetPoints().SetData(numpy_to_vtk(self._points, deep=False))
        self.actor.GetMapper().SetInputData(self._data)


def arrow_points(points: Array, forces: Array) -> Array:
    """Give the points of all arrows (n, k, 3): the head of each on its point, along its force."""
    size = np.sqrt((forces * forces).sum(axis=1))
    acts = size >= LEAST_N
    along = np.where(acts[:, None], forces, (1.0, 0.0, 0.0)) / np.where(acts, size, 1.0)[:, None]
    length = np.where(acts, LENGTH_M * np.sqrt(1e-3 * size), 0.0)
    # any two directions across the force; the arrow is round
    x, y, z = along.T
    sign = np.where(z < 0.0, -1.0, 1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    side = np.stack([1.0 + sign * x * x * a, sign * b, -sign * x], axis=1)
    other = np.stack([b, sign + y * y * a, -y], axis=1)
    turn = np.stack([along, side, other], axis=1) * length[:, None, None]
    return np.asarray((_UNIT.points - (1.0, 0.0, 0.0)) @ turn + points[:, None, :])
