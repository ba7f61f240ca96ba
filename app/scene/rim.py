"""Draw the outline of what is selected of a person, so that face and clothes stay as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

from app.scene.actors import actor_of
from solver.scene.meshes import Indices
from solver.scene.tones import Rgb

_WIDE_M = 0.005
"""How far the outline stands out (m)."""


class Rim:
    """Hold a skin a little larger, of which only the inside is seen: what looks out around it is its outline."""

    def __init__(self, renderer: Any, count: int) -> None:
        self._renderer = renderer
        self._points = np.zeros((count, 3), np.float32)
        self._memory, self._rows = vtkPoints(), vtkCellArray()
        self._memory.SetData(numpy_to_vtk(self._points))
        self._data = vtkPolyData()
        self._data.SetPoints(self._memory)
        self._cells = np.zeros((0, 3), np.int64)
        self.lay(self._cells)
        self.actor = actor_of(self._data)
        prop = self.actor.GetProperty()
        prop.SetLighting(False)
        prop.SetFrontfaceCulling(True)
        self.actor.PickableOff()
        self.actor.VisibilityOff()
        renderer.AddActor(self.actor)

    def lay(self, cells: Indices) -> None:
        """Outline these triangles alone."""
        self._cells = np.ascontiguousarray(cells)
        self._rows.SetData(3, numpy_to_vtkIdTypeArray(self._cells.ravel()))
        self._data.SetPolys(self._rows)

    def follow(self, points: Any, normals: Any, place: Any, colour: Rgb) -> None:
        """Stand around a skin as it stands: its points and normals about a place (m)."""
        if not len(self._cells):
            return
        np.multiply(normals, np.float32(_WIDE_M), out=self._points)
        self._points += points
        self._memory.GetData().Modified()
        self._memory.Modified()
        self.actor.SetPosition(*place)
        self.actor.GetProperty().SetColor(*colour)

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane; None cuts nothing."""
        mapper = self.actor.GetMapper()
        mapper.RemoveAllClippingPlanes()
        if plane is not None:
            mapper.AddClippingPlane(plane)

    def remove(self) -> None:
        """Take it out of the scene."""
        self._renderer.RemoveActor(self.actor)
