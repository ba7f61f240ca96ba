"""Lay the ground below the model: a grid that fades out, and a soft shadow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkTexture

from app.look import Theme
from app.scene.actors import actor_of, poly_data, put
from app.scene.drawn import Drawn
from app.scene.lens import OrbitCamera
from app.scene.sky import Road
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.pose import Placed
from solver.scene.meshes import Mesh, sheet
from solver.scene.placing import Pose, lowest_swing
from solver.scene.tones import rgb

SPACING_M = 0.5
MOST = 80
"""Lines to each side at most: farther than that they stand wider apart."""
_PIXELS = 36
_SHADING = ("body", "vehicle")
_BENEATH = (*_SHADING, "belt", "plane")
_SOFT_M, _SOFTER, _FAINTER_M, _EDGE = 0.03, 0.22, 0.55, 1.6
"""Softness of a shadow's edge at the ground and for each metre above it, over what height it fades, how far it goes."""
_IS_LEVEL = 0.999
"""Cosine of the most that a road may lean whose height is the ground's."""
_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class Ground:
    """Where the ground lies and how dark shadows are on it."""

    middle: Array
    ahead: Array
    side: Array
    depth: float


class Floor:
    """The actors of grid and shadow; they are drawn before everything that is clear."""

    def __init__(self, renderer: Any, first: Any) -> None:
        """Draw in a renderer, and load what that takes with the one that is drawn `first`."""
        self.road = Road(renderer)
        self._grid, self._shadow = vtkActor(), vtkActor()
        for actor in (self._shadow, self._grid):
            actor.SetMapper(vtkPolyDataMapper())
            actor.GetProperty().SetLighting(False)
            actor.ForceTranslucentOn()
            actor.PickableOff()
            actor.VisibilityOff()
            renderer.AddActor(actor)
        self._laid: list[Any] = []
        self._lies = False
        self._ground: Ground | None = None
        self._shaded: list[Any] = []
        # VTK reads our own arrays, so that a shade costs no copy
        self._patch = np.zeros((4, 3), np.float32)
        zero = np.zeros(3)
        self._sheet = poly_data(sheet(zero, zero, zero), faces=True)
        self._sheet.GetPoints().SetData(numpy_to_vtk(self._patch))
        self._sheet.GetPointData().SetTCoords(numpy_to_vtk(_CORNERS, deep=True))
        put(self._shadow, self._sheet)
        self._pixels = np.zeros((_PIXELS * _PIXELS, 4), dtype=np.uint8)
        self._image = vtkImageData()
        self._image.SetDimensions(_PIXELS, _PIXELS, 1)
        self._image.GetPointData().SetScalars(numpy_to_vtk(self._pixels))
        texture = vtkTexture()
        texture.SetInputData(self._image)
        texture.InterpolateOn()
        texture.RepeatOff()
        self._shadow.SetTexture(texture)
        # to load a texture waits for all that has been begun by then: here that is nothing yet
        loading = actor_of(poly_data(sheet(zero, zero, zero), faces=True))
        loading.SetTexture(texture)
        loading.GetProperty().SetLighting(False)
        loading.ForceOpaqueOn()
        first.AddActor(loading)

    @property
    def middle(self) -> Array:
        """The middle of the grid; that of ground axes where there is none."""
        return np.zeros(3) if self._ground is None else self._ground.middle

    def lay(
        self,
        items: Sequence[Drawn],
        project: Project,
        pose: Pose,
        camera: OrbitCamera,
        theme: Theme,
        around: Sequence[tuple[Mesh, Placed]] = (),
    ) -> None:
        """Lay the grid below things in a pose, and below what stands around them, unless it lies there already."""
        meshes = [item.shape.mesh for item in items if item.shape.kind in _BENEATH]
        meshes += [mesh for mesh, _ in around]
        below = [pose, theme, *meshes]
        same = len(below) == len(self._laid)
        if not same or any(a is not b for a, b in zip(below, self._laid, strict=True)):
            self._laid = below
            swing = lowest_swing(project, camera.up)
            places = [mesh.points @ at.R_WS.T + at.p_W for mesh, at in around]
            lowest = min([swing, *(float((each @ camera.up).min()) for each in places)])
            self._lay(items, lowest, camera, theme)
        self._lies = any(item.shape.framed for item in items)
        self._grid.SetVisibility(self._lies)

    def show_grid(self, on: bool) -> None:
        """Show the grid where it lies, or leave it away; shadows stay."""
        self._grid.SetVisibility(on and self._lies)

    def _lay(self, items: Sequence[Drawn], swing: float, camera: OrbitCamera, theme: Theme) -> None:
        framed = [item for item in items if item.shape.framed]
        if not framed:
            self._ground = None
            return
        points = np.vstack([item.points() for item in framed])
        up, ahead = camera.up, camera.ahead
        side = np.cross(ahead, up)
        low, high = points.min(axis=0), points.max(axis=0)
        middle = 0.5 * (low + high)
        middle = middle + (_level(items, points, swing, up) - float(middle @ up)) * up
        reach = 0.75 * float(np.linalg.norm(high - low)) + 0.6
        self._ground = Ground(middle, ahead, side, theme.shadow)
        self._shaded = []
        self.road.lay(items, middle, reach)
        put(self._grid, grid(middle, ahead, side, 1.6 * reach, theme))

    def shade(self, items: Sequence[Drawn], around: Sequence[tuple[Mesh, Placed]] = ()) -> None:
        """Let things, and what stands around them, throw their shadow where they are now, also while a run plays."""
        solid = [(_thrown(item), item.at) for item in items if item.is_seen and _throws(item)]
        solid += around
        ground = self._ground
        self._shadow.SetVisibility(ground is not None and bool(solid))
        if ground is None or not solid:
            return
        now = [at for _, at in solid]
        if len(now) == len(self._shaded) and all(
            a is b for a, b in zip(now, self._shaded, strict=True)
        ):
            return
        self._shaded = now
        rounds = [_oval(mesh) for mesh, _ in solid]
        turns = np.array([at.R_WS for at in now])
        centres = np.array([at.p_W for at in now])
        centres += np.einsum("nij,nj->ni", turns, np.array([centre for centre, _ in rounds]))
        ovals = turns @ np.array([oval for _, oval in rounds]) @ turns.transpose(0, 2, 1)
        dark, corner, size = shadow(ground, centres, ovals)
        self._pixels[:, 3] = np.round(255.0 * ground.depth * dark).ravel()
        self._image.GetPointData().GetScalars().Modified()
        self._image.Modified()
        place = ground.middle + corner[0] * ground.ahead + corner[1] * ground.side
        place = place + 0.001 * np.cross(ground.side, ground.ahead)
        self._patch[:] = place + (_CORNERS * size) @ np.array([ground.ahead, ground.side])
        self._sheet.GetPoints().GetData().Modified()
        self._sheet.GetPoints().Modified()


def _throws(item: Drawn) -> bool:
    """Whether something throws a shadow: what is solid, but not the road that it falls on."""
    furniture = item.shape.furniture
    return item.shape.kind in _SHADING or (furniture is not None and furniture.stuff != "road")


def _thrown(item: Drawn) -> Mesh:
    """What throws the shadow of a thing: what stands for it is often smaller than its plane."""
    furniture = item.shape.furniture
    return item.mesh if furniture is None else furniture.mesh


def _level(items: Sequence[Drawn], points: Array, swing: float, up: Array) -> float:
    """How high the ground lies: just above a level road, else just below the lowest point, also of what swings."""
    for item in items:
        road = item.shape.furniture
        if road is None or road.stuff != "road" or road.front is None or not item.is_seen:
            continue
        if float(item.at.R_WS @ road.front @ up) > _IS_LEVEL:
            return float((item.at.p_W + item.at.R_WS @ road.middle) @ up) + 0.002
    return min(float((points @ up).min()), swing) - 0.002


@lru_cache(maxsize=1024)
def _oval(mesh: Mesh) -> tuple[Array, Array]:
    """The middle of a mesh and the matrix of the ellipsoid about it that is as large."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    middle = 0.5 * (low + high)
    away = mesh.points - middle
    spread = away.T @ away / len(away)
    # as large as its box along each axis
    scale = 0.5 * (high - low) / np.sqrt(np.maximum(np.diag(spread), 1e-12))
    return middle, spread * np.outer(scale, scale)


def shadow(ground: Ground, centres: Array, ovals: Array) -> tuple[Array, Array, Array]:
    """How dark the ground is below ellipsoids, 0 to 1 in rows, and the corner and size of that patch (m).

    What is near the ground darkens it sharply, what is high faintly and softly.
    """
    up = np.cross(ground.side, ground.ahead)
    away = centres - ground.middle
    flat = np.array([ground.ahead, ground.side])
    middle = away @ flat.T
    height = np.maximum(away @ up - np.sqrt(np.maximum(ovals @ up @ up, 0.0)), 0.0)
    soft = (_SOFT_M + _SOFTER * height) ** 2
    spread = flat @ ovals @ flat.T
    before = np.sqrt(np.linalg.det(spread + _SOFT_M**2 * np.eye(2)))
    spread = spread + soft[:, None, None] * np.eye(2)
    strength = np.exp(-height / _FAINTER_M) * before / np.sqrt(np.linalg.det(spread))
    reach = _EDGE * np.sqrt(np.einsum("nii->ni", spread))
    low, high = (middle - reach).min(axis=0), (middle + reach).max(axis=0)
    x, y = (np.linspace(low[i], high[i], _PIXELS) for i in range(2))
    # half of the digits take half of the time, and are far more than a shade has
    inverse = np.linalg.inv(spread).astype(np.float32)
    u = (x[None, :] - middle[:, :1]).astype(np.float32)
    v = (y[None, :] - middle[:, 1:]).astype(np.float32)
    far = (2.0 * inverse[:, 0, 1, None] * v)[:, :, None] * u[:, None, :]
    far += (inverse[:, 0, 0, None] * u * u)[:, None, :]
    far += (inverse[:, 1, 1, None] * v * v)[:, :, None]
    far *= far
    far *= np.float32(-0.7)
    np.exp(far, out=far)
    far *= strength.astype(np.float32)[:, None, None]
    dark: Array = 1.0 - np.prod(1.0 - far, axis=0)
    return dark, low, high - low


def spacing_of(reach: float) -> float:
    """The distance of lines (m): half a metre, or 1, 2, 5, 10 ... where there would be too many."""
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
    ways = ((ahead, side), (side, ahead))
    where = np.concatenate(
        [middle + ticks[:, None, None] * one + fine[:, None] * other for one, other in ways]
    ).reshape(-1, 3)
    lines = np.arange(len(where)).reshape(-1, len(fine))
    data = poly_data(Mesh(where, lines=tuple(map(tuple, lines.tolist()))), faces=False)
    far = np.linalg.norm(where - middle, axis=1) / (count * spacing)
    alpha = np.clip(1.0 - far, 0.0, 1.0) ** 1.3 * 150.0
    colour = np.empty((len(where), 4), dtype=np.uint8)
    colour[:, :3] = np.round(255.0 * np.array(rgb(theme.grid)))
    colour[:, 3] = alpha.astype(np.uint8)
    data.GetPointData().SetScalars(numpy_to_vtk(colour, deep=True))
    return data
