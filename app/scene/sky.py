"""Light a scene, and put the sky behind it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkActor2D,
    vtkCoordinate,
    vtkLight,
    vtkPolyDataMapper,
    vtkPolyDataMapper2D,
    vtkRenderer,
)

from app.look import Theme
from app.scene.actors import poly_data, put
from app.scene.drawn import Drawn
from app.scene.lens import FIELD_RAD
from app.scene.paints import AMBIENT, DIFFUSE
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.meshes import Mesh
from solver.scene.tones import STUFF_TONES, rgb

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
        self._horizon, self._part = 0.5, 1.0

    def paint(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        red, green, blue = rgb(theme.ground)
        self._below = (red, green, blue)
        self.renderer.SetBackground(*self._below)
        self._lay()

    def face(self, horizon: float, part: float = 1.0) -> None:
        """Lay the horizon so high, in heights from below of the picture or the `part` of it that is shown; it may be out of it."""
        if abs(horizon - self._horizon) > 1e-4 or part != self._part:
            self._horizon, self._part = horizon, part
            self._lay()

    def _lay(self) -> None:
        if self._theme is None:
            return
        rows = np.sort([*np.linspace(0.0, 1.0, _ROWS), min(max(self._horizon, 0.0), 1.0)])
        slopes = 2.0 * math.tan(FIELD_RAD / 2.0) * self._part * (rows - self._horizon)
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
    """Three soft lights that go with the camera: warm key, cool fill, rim from behind."""
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


_RINGS, _AROUND = 14, 48
_FAR_M, _FURTHER = 60.0, 12.0
"""Where a road has faded away (m), or so many times as far as what stands on it reaches."""
_FADES = 1.6


def is_soft(item: Drawn) -> bool:
    """Whether a road is shown by this, and not as a slab: one without edges that is not selected."""
    made, marks = item.shape.furniture, item.marks
    return made is not None and made.is_endless and not (marks.selected or marks.faint)


class Road:
    """The actor of the road; it is drawn before shadow and grid."""

    def __init__(self, renderer: Any) -> None:
        self._actor = vtkActor()
        self._actor.SetMapper(vtkPolyDataMapper())
        look = self._actor.GetProperty()
        look.SetAmbient(AMBIENT)
        look.SetDiffuse(DIFFUSE)
        look.BackfaceCullingOn()
        self._actor.ForceTranslucentOn()
        self._actor.PickableOff()
        self._actor.VisibilityOff()
        renderer.AddActor(self._actor)
        self._item: Drawn | None = None
        self._at: Placed | None = None

    def lay(self, items: Iterable[Drawn], middle: Array, reach: float) -> None:
        """Lay it below the middle of what stands on it."""
        made = ((item, item.shape.furniture) for item in items)
        self._item = next((one for one, road in made if road is not None and road.is_endless), None)
        self._at = None
        if self._item is None:
            return
        road, at = self._item.shape.furniture, self._item.at
        assert road is not None
        assert road.front is not None
        place = at.R_WS.T @ (middle - at.p_W)
        place = place - ((place - road.middle) @ road.front) * road.front
        put(self._actor, disc(place, road.front, max(_FAR_M, _FURTHER * reach)))

    def show(self, is_furnished: bool) -> None:
        """Show it where it is now, unless shapes are shown, or it is hidden or marked."""
        item = self._item
        seen = item is not None and is_furnished and item.is_drawn and is_soft(item)
        self._actor.SetVisibility(seen)
        if item is None or not seen or item.at is self._at:
            return
        self._at = item.at
        whole = np.eye(4)
        whole[:3, :3], whole[:3, 3] = item.at.R_WS, item.at.p_W
        matrix = vtkMatrix4x4()
        matrix.DeepCopy(whole.ravel().tolist())
        self._actor.SetUserMatrix(matrix)


def disc(middle: Array, front: Array, far: float) -> Any:
    """Make the data of a disc (m) that is whole in its middle and fades away to its edge."""
    one = np.cross(front, np.eye(3)[int(np.argmin(np.abs(front)))])
    one /= np.linalg.norm(one)
    other = np.cross(front, one)
    # rings stand closer where more is seen of them
    part = (np.arange(1, _RINGS + 1) / _RINGS) ** 2
    angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    rim = np.outer(np.cos(angle), one) + np.outer(np.sin(angle), other)
    points = np.vstack([middle, *(middle + far * p * rim for p in part)])
    k = np.arange(_AROUND)
    after = (k + 1) % _AROUND
    first = np.column_stack([np.zeros(_AROUND, int), 1 + k, 1 + after, 1 + after])
    faces = [first]
    for ring in range(_RINGS - 1):
        inner, outer = 1 + ring * _AROUND, 1 + (ring + 1) * _AROUND
        faces.append(np.column_stack([inner + k, outer + k, outer + after, inner + after]))
    normals = np.tile(front, (len(points), 1))
    data = poly_data(Mesh(points, np.vstack(faces), normals=normals), faces=True)
    colour = np.empty((len(points), 4), dtype=np.uint8)
    colour[:, :3] = np.round(255.0 * np.array(rgb(STUFF_TONES["road"])))
    left = (1.0 - np.concatenate([[0.0], np.repeat(part, _AROUND)])) ** _FADES
    colour[:, 3] = np.round(255.0 * left)
    data.GetPointData().SetScalars(numpy_to_vtk(colour, deep=True))
    return data
