"""Light a scene, and put the sky behind it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkRenderingCore import (
    vtkActor2D,
    vtkCoordinate,
    vtkLight,
    vtkPolyDataMapper2D,
    vtkRenderer,
)

from app.look import Theme
from app.scene.actors import poly_data
from app.scene.camera import FIELD_RAD
from solver.scene.meshes import Mesh
from solver.scene.tones import rgb

_ROWS = 13
"""Rows of colours from below to above the picture; one more stands at the horizon."""
_LIES = (-0.5, -0.16, -0.04, 0.02, 0.16, 0.5)
"""Slopes to the horizon at which the ground is as it is near, and hazy, at which all is haze, and at which the sky begins and is whole."""


class Sky:
    """Fill what lies behind everything: ground that fades into haze, a soft horizon, and the sky above.

    VTK's own gradient is dithered, which costs as much as all bodies together where there is no
    graphics processor. This one has a renderer of its own, below the others.
    """

    def __init__(self) -> None:
        self.renderer = vtkRenderer()
        count = _ROWS + 1
        self._points = np.zeros((2 * count, 3), np.float32)
        self._points[count:, 0] = 1.0
        at = np.arange(_ROWS)
        faces = np.column_stack([at, count + at, count + at + 1, at + 1])
        self._data = poly_data(Mesh(self._points.astype(float), faces), faces=True)
        self._data.GetPoints().SetData(numpy_to_vtk(self._points))
        self._colours = np.zeros((2 * count, 3), np.uint8)
        self._data.GetPointData().SetScalars(numpy_to_vtk(self._colours))
        whole = vtkCoordinate()
        whole.SetCoordinateSystemToNormalizedViewport()
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(self._data)
        mapper.SetTransformCoordinate(whole)
        actor = vtkActor2D()
        actor.SetMapper(mapper)
        self.renderer.AddViewProp(actor)
        self._actor, self._below = actor, (0.0, 0.0, 0.0)
        self._theme: Theme | None = None
        self._horizon = 0.5

    def paint(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        red, green, blue = rgb(theme.ground)
        self._below = (red, green, blue)
        self.renderer.SetBackground(*self._below)
        self._lay()

    def face(self, horizon: float) -> None:
        """Lay the horizon so high, in heights of the picture from below; it may be out of it."""
        if abs(horizon - self._horizon) > 1e-4:
            self._horizon = horizon
            self._lay()

    def _lay(self) -> None:
        if self._theme is None:
            return
        rows = np.sort([*np.linspace(0.0, 1.0, _ROWS), min(max(self._horizon, 0.0), 1.0)])
        slopes = 2.0 * math.tan(FIELD_RAD / 2.0) * (rows - self._horizon)
        ground, haze, sky = (np.array(rgb(c)) for c in (self._theme.ground, self._theme.haze, self._theme.sky))  # fmt: skip
        stops = np.array([ground, 0.5 * (ground + haze), haze, haze, 0.5 * (haze + sky), sky])
        colours = np.column_stack([np.interp(slopes, _LIES, stops[:, k]) for k in range(3)])
        self._points[:, 1] = np.tile(rows, 2)
        self._colours[:] = np.tile(np.round(255.0 * colours), (2, 1))
        for array in (self._data.GetPoints().GetData(), self._data.GetPointData().GetScalars()):
            array.Modified()
        self._data.GetPoints().Modified()

    def stand_before(self, grey: float | None) -> None:
        """Show one grey from 0 to 1 in its place; None for the sky."""
        self._actor.SetVisibility(grey is None)
        self.renderer.SetBackground(*(self._below if grey is None else (grey, grey, grey)))


def lights() -> list[Any]:
    """Give three soft lights that go with the camera: warm key, cool fill, rim from behind."""
    out = []
    for place, colour, strength in (
        ((-0.9, 1.6, 1.8), (1.0, 0.975, 0.94), 0.78),
        ((1.6, 0.3, 1.4), (0.93, 0.96, 1.0), 0.34),
        ((0.2, 1.2, -1.8), (1.0, 1.0, 1.0), 0.22),
    ):
        light = vtkLight()
        light.SetLightTypeToCameraLight()
        light.SetPosition(*place)
        light.SetFocalPoint(0.0, 0.0, 0.0)
        light.SetColor(*colour)
        light.SetIntensity(strength)
        out.append(light)
    return out
