"""Lay the ground below the model: a grid that fades out, and a soft shadow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkTexture

from app.look import Theme, rgb
from app.scene.actors import poly_data, put
from app.scene.camera import OrbitCamera
from app.scene.drawn import Drawn
from app.scene.meshes import Mesh, sheet
from app.scene.placing import Pose
from solver.maths.rotation import Array

SPACING_M = 0.5
MOST = 80
"""Lines to each side at most: farther than that they stand wider apart."""
_PIXELS = 160
_SIDES = 20
_SHADING = ("body", "vehicle", "belt")
_BENEATH = (*_SHADING, "plane")


class Floor:
    """Hold the actors of grid and shadow; they are drawn before everything that is clear."""

    def __init__(self, renderer: Any) -> None:
        self._grid, self._shadow = vtkActor(), vtkActor()
        for actor in (self._shadow, self._grid):
            actor.SetMapper(vtkPolyDataMapper())
            actor.GetProperty().SetLighting(False)
            actor.ForceTranslucentOn()
            actor.PickableOff()
            actor.VisibilityOff()
            renderer.AddActor(actor)
        self._laid: list[Any] = []

    def hide_shadow(self) -> None:
        """Show no shadow: things are elsewhere now."""
        self._shadow.VisibilityOff()

    def lay(self, items: Sequence[Drawn], pose: Pose, camera: OrbitCamera, theme: Theme) -> None:
        """Lay grid and shadow below things in a pose, unless they lie there already."""
        meshes = [item.shape.mesh for item in items if item.shape.kind in _BENEATH]
        below = [pose, theme, *meshes]
        same = len(below) == len(self._laid)
        if not same or any(a is not b for a, b in zip(below, self._laid, strict=True)):
            self._laid = below
            self._lay(items, camera, theme)
        for actor in (self._shadow, self._grid):
            actor.SetVisibility(any(item.shape.framed for item in items))

    def _lay(self, items: Sequence[Drawn], camera: OrbitCamera, theme: Theme) -> None:
        framed = [item for item in items if item.shape.framed]
        if not framed:
            return
        places = [item.points() for item in framed]
        points = np.vstack(places)
        up, ahead = camera.up, camera.ahead
        side = np.cross(ahead, up)
        low, high = points.min(axis=0), points.max(axis=0)
        middle = 0.5 * (low + high)
        middle = middle + (float((points @ up).min()) - float(middle @ up) - 0.002) * up
        reach = 0.75 * float(np.linalg.norm(high - low)) + 0.6
        solid = [at for at, item in zip(places, framed, strict=True) if item.shape.kind in _SHADING]
        data, texture = shadow(solid, middle, ahead, side, reach, theme)
        put(self._shadow, data)
        self._shadow.SetTexture(texture)
        put(self._grid, grid(middle, ahead, side, 1.6 * reach, theme))


def spacing_of(reach: float) -> float:
    """Give the distance of lines (m): half a metre, or 1, 2, 5, 10 ... where there would be too many."""
    spacing, steps = SPACING_M, cycle((2.0, 2.0, 2.5))
    while reach / spacing > MOST:
        spacing *= next(steps)
    return spacing


def grid(middle: Array, ahead: Array, side: Array, reach: float, theme: Theme) -> Any:
    """Make the data of lines half a metre apart, or more in a large scene, fading away from the middle."""
    spacing = spacing_of(reach)
    count = max(4, int(np.ceil(reach / spacing)))
    ticks = np.arange(-count, count + 1) * spacing
    fine = np.linspace(-count * spacing, count * spacing, 8 * count + 1)
    points: list[Array] = []
    lines: list[tuple[int, ...]] = []
    for one, other in ((ahead, side), (side, ahead)):
        for tick in ticks:
            first = len(points)
            points += [middle + tick * one + t * other for t in fine]
            lines.append(tuple(range(first, first + len(fine))))
    where = np.array(points)
    data = poly_data(Mesh(where, lines=tuple(lines)), faces=False)
    far = np.linalg.norm(where - middle, axis=1) / (count * spacing)
    alpha = np.clip(1.0 - far, 0.0, 1.0) ** 1.3 * 150.0
    colour = np.empty((len(where), 4), dtype=np.uint8)
    colour[:, :3] = np.round(255.0 * np.array(rgb(theme.grid)))
    colour[:, 3] = alpha.astype(np.uint8)
    data.GetPointData().SetScalars(numpy_to_vtk(colour, deep=True))
    return data


def shadow(
    bodies: Sequence[Array], middle: Array, ahead: Array, side: Array, reach: float, theme: Theme
) -> tuple[Any, Any]:
    """Make the shadow of bodies (points in ground axes) as a soft dark patch; higher is fainter.

    Gives the data of a sheet and its texture.
    """
    up = np.cross(side, ahead)
    edge = np.linspace(-reach, reach, _PIXELS)
    u, v = np.meshgrid(edge, edge)
    dark = np.zeros_like(u)
    turns = np.linspace(0.0, 2.0 * np.pi, _SIDES + 1)[:-1]
    for points in bodies:
        flat = points - middle
        height = max(0.0, float((flat @ up).min()))
        x, y = flat @ ahead, flat @ side
        # only the part of the patch that lies below the body
        columns = slice(*np.searchsorted(edge, (x.min(), x.max())))
        rows = slice(*np.searchsorted(edge, (y.min(), y.max())))
        here = (rows, columns)
        inside = np.ones_like(u[here], dtype=bool)
        for turn in turns:
            c, s = np.cos(turn), np.sin(turn)
            inside &= c * u[here] + s * v[here] <= float((c * x + s * y).max())
        dark[here] = np.maximum(dark[here], inside * np.exp(-height / 0.7))
    soft = _blurred(_blurred(dark, 5), 4)
    alpha = np.round(255.0 * theme.shadow * np.clip(soft, 0.0, 1.0)).astype(np.uint8)
    # what is drawn costs time for each pixel, though nothing is seen of it
    rows, columns = (_span(np.any(alpha, axis=axis)) for axis in (1, 0))
    alpha = alpha[rows, columns]
    high, wide = alpha.shape
    pixels = np.zeros((high, wide, 4), dtype=np.uint8)
    pixels[..., 3] = alpha
    image = vtkImageData()
    image.SetDimensions(wide, high, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(pixels.reshape(-1, 4), deep=True))
    texture = vtkTexture()
    texture.SetInputData(image)
    texture.InterpolateOn()
    texture.RepeatOff()
    left, right = edge[columns][[0, -1]]
    near, far = edge[rows][[0, -1]]
    corner = middle + left * ahead + near * side + 0.001 * up
    data = poly_data(sheet(corner, (right - left) * ahead, (far - near) * side), faces=True)
    where = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    data.GetPointData().SetTCoords(numpy_to_vtk(where, deep=True))
    return data, texture


def _span(used: NDArray[np.bool_]) -> slice:
    """Give the span that holds all that is used, and at least two."""
    found = np.flatnonzero(used)
    first, last = (found[0], found[-1]) if len(found) else (0, 1)
    return slice(max(0, int(first) - 1), max(int(last) + 2, int(first) + 2))


def _blurred(picture: Array, half: int) -> Array:
    """Smooth a picture by a bell over `half` pixels to each side."""
    bell = np.exp(-0.5 * (np.arange(-2 * half, 2 * half + 1) / half) ** 2)
    bell /= bell.sum()
    for axis in (0, 1):
        picture = np.apply_along_axis(np.convolve, axis, picture, bell, mode="same")
    return picture
