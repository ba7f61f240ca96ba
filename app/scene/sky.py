"""Light a scene, and put the sky behind it."""

from __future__ import annotations

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

from app.look import Theme, rgb
from app.scene.actors import poly_data
from app.scene.meshes import Mesh


class Sky:
    """Fill what lies behind everything with two colours that run into each other.

    VTK's own gradient is dithered, which costs as much as all bodies together where there is no
    graphics processor. This one has a renderer of its own, below the others.
    """

    def __init__(self) -> None:
        self.renderer = vtkRenderer()
        corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
        self._data = poly_data(Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]])), faces=True)
        whole = vtkCoordinate()
        whole.SetCoordinateSystemToNormalizedViewport()
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(self._data)
        mapper.SetTransformCoordinate(whole)
        actor = vtkActor2D()
        actor.SetMapper(mapper)
        self.renderer.AddViewProp(actor)
        self._actor, self._below = actor, (0.0, 0.0, 0.0)

    def paint(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        ends = np.array([rgb(theme.sky_bottom), rgb(theme.sky_top)])
        colours = np.round(255.0 * ends[[0, 0, 1, 1]]).astype(np.uint8)
        self._data.GetPointData().SetScalars(numpy_to_vtk(colours, deep=True))
        red, green, blue = ends[0]
        self._below = (float(red), float(green), float(blue))
        self.renderer.SetBackground(*self._below)

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
