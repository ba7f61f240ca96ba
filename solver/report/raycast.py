"""Draw solids as a picture by casting a ray through every pixel: orthographic, shaded, with outlines.

No window, no graphics card and no mesh: ellipsoids are cut in closed form, hyperellipsoids by bisection and Newton's method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.hyperellipsoids import outwards

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

SMOOTH = 2
"""Rays along each side of a pixel."""
EDGE_M = 0.035
"""A step in depth (m) that is drawn as an outline."""
LIFT_M = 0.045
"""Straps are drawn this much nearer (m): between two of their points they would cut into bodies."""
HALVINGS = 18
"""Bisections along a ray: a metre is cut to some micrometres."""
FAR = -1e9


@dataclass(frozen=True, slots=True)
class Solid:
    """An ellipsoid or hyperellipsoid in ground axes."""

    R: Array
    centre: Array
    semi: Array
    powers: Array
    tone: tuple[float, float, float]
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A parallelogram: a corner and two edges."""

    corner: Array
    edge: Array
    other: Array
    tone: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Cord:
    """A line that is drawn with a width (m)."""

    points: Array
    width: float
    tone: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Ground:
    """How high the ground lies along a direction up (m)."""

    up: Array
    level: float


@dataclass(frozen=True, slots=True)
class Camera:
    """Look along -`back`: axes of the picture (unit vectors) and what it shows (m)."""

    right: Array
    up: Array
    low: tuple[float, float]
    high: tuple[float, float]
    ghosts: bool = False
    """Whether what the vehicle carries is drawn as a veil."""
    ground: Ground | None = None
    """What people stand on; white where there is none."""

    @property
    def height_m(self) -> float:
        """How much is shown upwards."""
        return self.high[1] - self.low[1]

    @property
    def basis(self) -> Array:
        """The axes right, up and towards the viewer as columns."""
        return np.stack([self.right, self.up, np.cross(self.right, self.up)], axis=1)


def picture(
    solids: Sequence[Solid],
    sheets: Sequence[Sheet],
    cords: Sequence[Cord],
    camera: Camera,
    height: int,
) -> NDArray[np.uint8]:
    """An RGB picture (rows from the top), `height` pixels high, on white."""
    canvas = _Canvas(camera, height * SMOOTH)
    for number, solid in enumerate(solids):
        if solid.opacity >= 1.0:
            canvas.solid(solid, number + 1)
    canvas.outline()
    for cord in cords:
        canvas.cord(cord)
    for sheet in sorted(sheets, key=lambda s: canvas.depth_of(s.corner + 0.5 * (s.edge + s.other))):
        canvas.sheet(sheet)
    for number, solid in enumerate(solids):
        if solid.opacity < 1.0:
            canvas.solid(solid, number + 1)
    return canvas.finished()


class _Canvas:
    """Hold colour, depth and the number of the solid at every ray."""

    def __init__(self, camera: Camera, height: int) -> None:
        (x0, y0), (x1, y1) = camera.low, camera.high
        self._B, self._camera = camera.basis, camera
        self._scale = height / (y1 - y0)
        self._h = height
        self._w = SMOOTH * max(1, round((x1 - x0) * self._scale / SMOOTH))
        self._x = x0 + (np.arange(self._w) + 0.5) / self._scale
        self._y = y1 - (np.arange(self._h) + 0.5) / self._scale
        self._colour = np.ones((self._h, self._w, 3))
        self._depth = np.full((self._h, self._w), FAR)
        self._number = np.zeros((self._h, self._w), np.int32)

    def depth_of(self, point: Array) -> float:
        """How near a point is to the viewer."""
        return float(point @ self._B[:, 2])

    def _window(self, low: Array, high: Array) -> tuple[slice, slice]:
        """The rows and columns of a box in the picture."""
        columns = np.searchsorted(self._x, (low[0], high[0]))
        rows = np.searchsorted(-self._y, (-high[1], -low[1]))
        return slice(int(rows[0]), int(rows[1])), slice(int(columns[0]), int(columns[1]))

    def solid(self, solid: Solid, number: int) -> None:
        """Draw one solid where it is nearest."""
        R, centre = self._B.T @ solid.R, self._B.T @ solid.centre
        round_ = bool(np.all(solid.powers == 2.0))
        reach = np.sqrt((R**2) @ solid.semi**2) if round_ else np.abs(R) @ solid.semi
        rows, columns = self._window(centre - reach, centre + reach)
        x, y = np.meshgrid(self._x[columns] - centre[0], self._y[rows] - centre[1])
        if x.size == 0:
            return
        if round_:
            hit, z, normal = _cut_ellipsoid(R, solid.semi, x, y)
        else:
            hit, z, normal = _cut_hyper(R, solid, x, y)
        depth = np.where(hit, z + centre[2], FAR)
        seen = hit & (depth > self._depth[rows, columns])
        colour = _shade(normal, np.array(solid.tone))
        part = self._colour[rows, columns]
        mixed = part + solid.opacity * (colour - part)
        if solid.opacity < 1.0:
            # the rim of a bag shows where it ends
            rim = np.clip(1.0 - normal[..., 2], 0.0, 1.0)[..., None] ** 3
            mixed -= 0.35 * rim * (mixed - 0.45)
        part[seen] = np.clip(mixed, 0.0, 1.0)[seen]
        if solid.opacity >= 1.0:
            self._depth[rows, columns][seen] = depth[seen]
            self._number[rows, columns][seen] = number

    def outline(self) -> None:
        """Darken where one solid ends before another, or before nothing."""
        edge = np.zeros(self._depth.shape, bool)
        for axis in (0, 1):
            one, two = _neighbours(self._number, axis)
            here, there = _neighbours(self._depth, axis)
            differs = np.asarray((one != two) & (np.abs(here - there) > EDGE_M), bool)
            nearer = np.asarray(here > there, bool)
            first, second = _neighbours(edge, axis)
            first |= differs & nearer
            second |= differs & ~nearer
        self._colour[edge] *= 0.45

    def cord(self, cord: Cord) -> None:
        """Draw a line as a band of constant width; what bodies hide is left out."""
        points = cord.points @ self._B
        radius = max(0.5 * cord.width * self._scale, 1.5)
        for a, b in pairwise(points):
            self._band(a, b, radius, np.array(cord.tone), LIFT_M)

    def _band(self, a: Array, b: Array, radius: float, tone: Array, lift: float) -> None:
        reach = radius / self._scale
        low = np.minimum(a, b)[:2] - reach
        high = np.maximum(a, b)[:2] + reach
        rows, columns = self._window(low, high)
        x, y = np.meshgrid(self._x[columns], self._y[rows])
        if x.size == 0:
            return
        d = b[:2] - a[:2]
        length = float(d @ d)
        t = ((x - a[0]) * d[0] + (y - a[1]) * d[1]) / length if length > 0.0 else np.zeros_like(x)
        t = np.clip(t, 0.0, 1.0)
        off = np.hypot(x - a[0] - t * d[0], y - a[1] - t * d[1])
        depth = a[2] + t * (b[2] - a[2]) + lift
        seen = (off <= reach) & (depth > self._depth[rows, columns])
        self._colour[rows, columns][seen] = (tone * (1.0 - 0.25 * (off / reach)[..., None]))[seen]

    def sheet(self, sheet: Sheet) -> None:
        """Draw a plane as a veil over what is behind it, with its edges."""
        corner, edge, other = (self._B.T @ v for v in (sheet.corner, sheet.edge, sheet.other))
        tone = np.array(sheet.tone)
        turn = edge[0] * other[1] - edge[1] * other[0]
        if abs(turn) > 0.02 * float(np.linalg.norm(edge) * np.linalg.norm(other)):
            ends = np.stack([corner, corner + edge, corner + other, corner + edge + other])
            rows, columns = self._window(ends.min(0), ends.max(0))
            x, y = np.meshgrid(self._x[columns] - corner[0], self._y[rows] - corner[1])
            s = (x * other[1] - y * other[0]) / turn
            t = (y * edge[0] - x * edge[1]) / turn
            depth = corner[2] + s * edge[2] + t * other[2]
            inside = (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
            part = self._colour[rows, columns]
            front = inside & (depth >= self._depth[rows, columns])
            part[front] += 0.22 * (tone - part[front])
        a, b = corner, corner + edge
        c, d = corner + edge + other, corner + other
        for start, end in ((a, b), (b, c), (c, d), (d, a)):
            self._band(start, end, 0.55 * SMOOTH, 0.75 * tone, 0.0)

    def finished(self) -> NDArray[np.uint8]:
        """The picture, each pixel the mean of its rays."""
        h, w = self._h // SMOOTH, self._w // SMOOTH
        whole = self._colour[: h * SMOOTH, : w * SMOOTH].reshape(h, SMOOTH, w, SMOOTH, 3)
        out: NDArray[np.uint8] = np.round(255.0 * whole.mean(axis=(1, 3))).astype(np.uint8)
        return out


def _neighbours(values: NDArray[Any], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """All but the last and all but the first along an axis."""
    if axis == 0:
        return values[:-1], values[1:]
    return values[:, :-1], values[:, 1:]


def _cut_ellipsoid(R: Array, semi: Array, x: Array, y: Array) -> tuple[Mask, Array, Array]:
    """Where rays hit, how near, and the normals there; all in picture axes from the centre."""
    M = R @ np.diag(1.0 / semi**2) @ R.T
    b = M[0, 2] * x + M[1, 2] * y
    c = M[0, 0] * x * x + 2.0 * M[0, 1] * x * y + M[1, 1] * y * y - 1.0
    root = b * b - M[2, 2] * c
    hit = root >= 0.0
    z = (-b + np.sqrt(np.maximum(root, 0.0))) / M[2, 2]
    normal = np.stack([x, y, z], axis=-1) @ M
    return hit, z, _unit(normal)


def _cut_hyper(R: Array, solid: Solid, x: Array, y: Array) -> tuple[Mask, Array, Array]:
    """Cut |x/a|^p + |y/b|^q + |z/c|^r = 1, which along a ray is convex: its least by bisection, then out."""
    powers, reach = solid.powers, float(np.linalg.norm(solid.semi))
    foot = (x[..., None] * R[0] + y[..., None] * R[1]) / solid.semi
    along = R[2] / solid.semi

    def local(z: Array) -> Array:
        return np.asarray(foot + z[..., None] * along)

    def rising(z: Array) -> Array:
        at = local(z)
        return np.asarray((powers * np.sign(at) * np.abs(at) ** (powers - 1.0)) @ along > 0.0)

    # the ray is cut to where it is inside the box around the body
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(-1.0 - foot) / along, (1.0 - foot) / along])
    ends = np.where(np.abs(along) > 1e-12, ends, np.array([-reach, reach])[:, None, None, None])
    low, high = np.max(ends.min(0), axis=-1), np.min(ends.max(0), axis=-1)
    possible = (low <= high) & np.all((np.abs(along) > 1e-12) | (np.abs(foot) <= 1.0), axis=-1)
    hit, z = np.zeros(x.shape, bool), np.zeros(x.shape)
    if not possible.any():
        return hit, z, np.zeros((*x.shape, 3))
    foot, low, high = foot[possible], low[possible], high[possible]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        up = rising(middle)
        high, low = np.where(up, middle, high), np.where(up, low, middle)
    near = 0.5 * (low + high)
    hit[possible] = inside = np.sum(np.abs(local(near)) ** powers, axis=-1) <= 1.0
    ways = np.broadcast_to(along, foot.shape)
    near[inside] += outwards(local(near)[inside], ways[inside], powers)
    z[possible] = near
    at = local(near)
    normal = np.zeros((*x.shape, 3))
    normal[possible] = (powers * np.sign(at) * np.abs(at) ** (powers - 1.0) / solid.semi) @ R.T
    return hit, z, _unit(normal)


def _unit(vectors: Array) -> Array:
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(size, 1e-30))


_LIGHT = np.array([-0.35, 0.65, 0.70]) / np.linalg.norm([-0.35, 0.65, 0.70])


def _shade(normal: Array, tone: Array) -> Array:
    """Light from above and the viewer's left, with a soft highlight."""
    lit = np.clip(normal @ _LIGHT, 0.0, 1.0)[..., None]
    sky = 0.5 + 0.5 * normal[..., 1:2]
    colour = tone * (0.42 + 0.16 * sky + 0.50 * lit) + 0.10 * lit**24
    return np.asarray(np.clip(colour, 0.0, 1.0))
