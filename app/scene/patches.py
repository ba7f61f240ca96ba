"""Draw where surfaces touch: filled outlines that are seen through whatever lies before them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.look import FORCE_TONES
from app.scene.actors import poly_data
from solver.engine.maths.rotation import Array
from solver.scene.meshes import Mesh
from solver.scene.tones import rgb

AROUND = 32
"""Points of an outline."""
_FILL, _RIM_PX = 0.26, 1.6


class Patches:
    """Show outlines (n, AROUND, 3), in ground axes; one actor fills them, another draws their rims."""

    def __init__(self, overlay: Any) -> None:
        self._count = 0
        self._points = np.zeros((0, 3), np.float32)
        self._faces = np.zeros((0, 3), np.int64)
        self._data: tuple[Any, ...] = ()
        self.elements: Sequence[str] = ()
        self.face, self.rim = _actor(_FILL), _actor(1.0)
        self.rim.GetProperty().SetLineWidth(_RIM_PX)
        self.rim.PickableOff()
        for actor in (self.face, self.rim):
            overlay.AddActor(actor)

    def show(self, elements: Sequence[str], outlines: Array) -> None:
        """Show as many patches as there are outlines."""
        self.elements = elements
        if len(outlines) != self._count:
            self._make(len(outlines))
        for actor in (self.face, self.rim):
            actor.SetVisibility(len(outlines) > 0)
        if len(outlines):
            self._points[:] = outlines.reshape(-1, 3)
            for data in self._data:
                data.GetPoints().Modified()

    def hide(self) -> None:
        """Show none."""
        for actor in (self.face, self.rim):
            actor.VisibilityOff()

    def mesh(self) -> Mesh | None:
        """Give all patches that are seen as one mesh in ground axes."""
        return Mesh(self._points.astype(float), self._faces) if self.face.GetVisibility() else None

    def element_at(self, face: int) -> str:
        """Name the contact whose patch a triangle belongs to."""
        return self.elements[face // (AROUND - 2)]

    def _make(self, count: int) -> None:
        self._count = count
        self._points = np.zeros((count * AROUND, 3), np.float32)
        fan = np.array([(0, k, k + 1) for k in range(1, AROUND - 1)])
        starts = AROUND * np.arange(count)
        self._faces = (fan[None] + starts[:, None, None]).reshape(-1, 3)
        rims = tuple((*range(s, s + AROUND), s) for s in starts.tolist())
        mesh = Mesh(self._points.astype(float), self._faces, None, rims)
        self._data = (poly_data(mesh, faces=True), poly_data(mesh, faces=False))
        for actor, data in zip((self.face, self.rim), self._data, strict=True):
            # VTK reads our own array, so that a frame costs no copy
            data.GetPoints().SetData(numpy_to_vtk(self._points, deep=False))
            actor.GetMapper().SetInputData(data)


def _actor(opacity: float) -> Any:
    mapper = vtkPolyDataMapper()
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.VisibilityOff()
    prop = actor.GetProperty()
    prop.SetColor(*rgb(FORCE_TONES["contacts"]))
    prop.SetOpacity(opacity)
    prop.SetLighting(False)
    return actor
