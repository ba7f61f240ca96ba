"""Draw surfaces as a picture: lit triangles into a buffer of depths, then shade beside what is near; no window and no graphics card.

The same surfaces give the same bytes. One looks along parallel lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, map_coordinates, uniform_filter

from solver.engine.jit.kernels import kernel
from solver.engine.maths.rotation import Array
from solver.scene.instant import Surface

SMOOTH = 2
"""Rays along each side of a pixel."""


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


# Kernel: fill triangles into a picture, each pixel by what is nearest there.


@kernel
def fill(points: Any, faces: Any, colours: Any, is_closed: bool, picture: Any, depth: Any) -> None:
    """Draw triangles with a colour at each point into a picture of rows from the top.

    `points` (n, 3) are in pixels, right and down, and nearness (m). What is closed is not seen from within: its faces
    turn against the clock from outside.
    """
    rows, columns = depth.shape
    for n in range(len(faces)):
        a, b, c = faces[n, 0], faces[n, 1], faces[n, 2]
        ax, ay, bx, by = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
        cx, cy = points[c, 0], points[c, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        # y goes down: what turns against the clock is below zero
        if abs(area) < 1e-9 or (is_closed and area > 0.0):
            continue
        left = max(math.ceil(min(ax, bx, cx)), 0)
        right = min(math.floor(max(ax, bx, cx)), columns - 1)
        top = max(math.ceil(min(ay, by, cy)), 0)
        bottom = min(math.floor(max(ay, by, cy)), rows - 1)
        for i in range(top, bottom + 1):
            for j in range(left, right + 1):
                p = ((bx - j) * (cy - i) - (by - i) * (cx - j)) / area
                q = ((cx - j) * (ay - i) - (cy - i) * (ax - j)) / area
                r = 1.0 - p - q
                if p < -1e-9 or q < -1e-9 or r < -1e-9:
                    continue
                near = p * points[a, 2] + q * points[b, 2] + r * points[c, 2]
                if near > depth[i, j]:
                    depth[i, j] = near
                    for k in range(3):
                        picture[i, j, k] = p * colours[a, k] + q * colours[b, k] + r * colours[c, k]


Picture = NDArray[np.uint8]
Shades = NDArray[np.float32]

_AMBIENT, _DIFFUSE, _SHINE, _SHARP = 0.28, 0.74, 0.06, 14.0
_LIGHTS = (
    ((-0.9, 1.6, 1.8), (1.0, 0.975, 0.94), 0.78),
    ((1.6, 0.3, 1.4), (0.93, 0.96, 1.0), 0.34),
    ((0.2, 1.2, -1.8), (1.0, 1.0, 1.0), 0.22),
)
"""Warm key, cool fill and rim from behind, in the axes of the picture, as in the window."""
_NEAR_M, _CREASE_M, _DARKEST = 0.03, 0.05, 0.28
"""How far what is nearer shades what is behind it, over which step in depth, and how much."""
_EDGE_M, _EDGE = 0.03, 0.62
"""A step in depth that is drawn as an outline, and what is left of the colour there."""
_VEIL = 0.3
"""How much is seen of what surrounds people, where it must not hide them."""
_SKY, _HAZE, _GROUND = (np.array(c) / 255.0 for c in ((222, 231, 239), (247, 247, 245), (221, 218, 211)))  # fmt: skip
_HAZY_M, _SKY_M = 3.0, 3.0
"""How far behind what is seen the ground has faded into haze, and how high over that the sky is whole."""
_CELL_M, _SOFT_M, _FADES_M, _SHADOW, _MOST_CELLS = 0.02, 0.045, 0.55, 0.42, 1500
"""Cells of a shadow on the ground, its softness, over which height it fades, how dark it is, and cells along it at most."""


def rendered(
    surfaces: Sequence[Surface], camera: Camera, height: int, paper: float = 1.0
) -> Picture:
    """An RGB picture (rows from the top), `height` pixels high, on paper between black (0) and white where there is no ground."""
    return _Drawing(camera, height * SMOOTH, paper).of(surfaces, camera.ground)


def cut_out(surfaces: Sequence[Surface], camera: Camera, height: int) -> Picture:
    """The same as red, green, blue and how opaque: before any paper it looks as if it were drawn on it."""
    white, black = (rendered(surfaces, camera, height, paper).astype(float) for paper in (1, 0))
    opaque = 255.0 - (white - black).min(axis=2, keepdims=True)
    own = np.clip(255.0 * black / np.maximum(opaque, 1.0), 0.0, 255.0)
    out: Picture = np.round(np.dstack([own, opaque])).astype(np.uint8)
    return np.ascontiguousarray(out)


class _Drawing:
    """The pixels of a picture, SMOOTH along each side of those that are kept."""

    def __init__(self, camera: Camera, height: int, paper: float) -> None:
        self._paper = np.float32(paper)
        self._is_veiled = camera.ghosts
        (x0, y0), (x1, y1) = camera.low, camera.high
        self._B = camera.basis
        self._scale = height / (y1 - y0)
        self._h = height
        self._w = SMOOTH * max(1, round((x1 - x0) * self._scale / SMOOTH))
        self._corner = np.array([x0, y1])

    def of(self, surfaces: Sequence[Surface], ground: Ground | None) -> Picture:
        """Draw what is solid, then what is seen through, the farthest first."""
        surfaces = [one for one in surfaces if len(one.faces)]
        seen = [(one, one.opacity_from(self._B[:, 2])) for one in surfaces]
        if self._is_veiled:
            # what bears nothing would hide them by many veils
            seen = [(one, part) for one, part in seen if one.element or not one.is_around]
            seen = [(one, min(part, _VEIL) if one.is_around else part) for one, part in seen]
        depth = np.full((self._h, self._w), -np.inf, np.float32)
        colour = self._behind(surfaces, ground)
        for one, part in seen:
            if part >= 1.0:
                self._lay(one, colour, depth)
        self._shade(colour, depth)
        clear = [one for one in seen if one[1] < 1.0]
        for one, part in sorted(clear, key=lambda s: float((s[0].points @ self._B[:, 2]).mean())):
            self._veil(one, part, colour, depth)
        rays = [colour[i::SMOOTH, j::SMOOTH] for i in range(SMOOTH) for j in range(SMOOTH)]
        mean = np.add.reduce(rays) / len(rays)
        out: Picture = np.round(255.0 * np.clip(mean, 0.0, 1.0)).astype(np.uint8)
        return out

    def _lay(self, one: Surface, colour: Shades, depth: Shades) -> None:
        """Draw a surface where it is nearest."""
        _fill(one, self._placed(one.points), self._lit(one), colour, depth)

    def _veil(self, one: Surface, part: float, colour: Shades, depth: Shades) -> None:
        """Draw a surface through which one sees, over what is behind it."""
        points = self._placed(one.points)
        low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0) + 2.0
        left, top = np.clip(low, 0, (self._w, self._h)).astype(int)
        right, bottom = np.clip(high, 0, (self._w, self._h)).astype(int)
        points[:, :2] -= (left, top)
        behind = colour[top:bottom, left:right]
        before = behind.copy()
        _fill(one, points, self._lit(one), before, depth[top:bottom, left:right].copy())
        behind += np.float32(part) * (before - behind)

    def _placed(self, points: Array) -> Array:
        """Points in pixels, right and down, and nearness (m)."""
        out = points @ self._B
        out[:, :2] = (out[:, :2] - self._corner) * (self._scale, -self._scale) - 0.5
        return np.asarray(out)

    def _lit(self, one: Surface) -> Array:
        normals = one.normals @ self._B
        if not one.is_closed:
            # a sheet has two sides
            normals *= np.where(normals[:, 2:] < 0.0, -1.0, 1.0)
        return _lit(normals, one.colours)

    def _shade(self, colour: Shades, depth: Shades) -> None:
        """Darken what lies close behind something nearer, and the outlines."""
        seen = np.isfinite(depth)
        if not seen.any():
            return
        # shades are soft: a place for each pixel that is kept is enough
        some = seen[::SMOOTH, ::SMOOTH]
        flat = np.where(some, depth[::SMOOTH, ::SMOOTH], np.float32(0.0))
        wide = 2 * round(_NEAR_M * self._scale / SMOOTH) + 1
        share, mean = _softened(some.astype(np.float32), wide), _softened(flat, wide)
        # what lies far behind is shaded by nothing
        step = np.maximum(mean / np.maximum(share, 1e-6) - flat, 0.0) / _CREASE_M
        dark = _finer(np.where(some, 1.0 - _DARKEST * step * np.exp(1.0 - step), 1.0))
        far = np.where(seen, depth, depth[seen].min() - 1.0)
        for axis in (0, 1):
            one, other = np.moveaxis(far, axis, 0)[:-1], np.moveaxis(far, axis, 0)[1:]
            marks = np.moveaxis(dark, axis, 0)
            marks[:-1][one - other > _EDGE_M] = _EDGE
            marks[1:][other - one > _EDGE_M] = _EDGE
        colour *= np.where(seen, dark, 1.0)[..., None].astype(np.float32)

    def _behind(self, surfaces: Sequence[Surface], ground: Ground | None) -> Shades:
        """What is behind everything: ground with soft shadows that fades into haze, and the sky; else the paper."""
        if ground is None or not surfaces:
            return np.full((self._h, self._w, 3), self._paper)
        # it is smooth: a place for each pixel that is kept is enough
        h, w = self._h // SMOOTH, self._w // SMOOTH
        x = self._corner[0] + (np.arange(w) + 0.5) * SMOOTH / self._scale
        y = self._corner[1] - (np.arange(h) + 0.5) * SMOOTH / self._scale
        cloud = np.vstack([one.points for one in surfaces])
        up, slope = self._B.T @ ground.up, max(float(self._B[:, 2] @ ground.up), 1e-3)
        # how near to the eye each row meets the ground, and how far that is behind all
        meets = (ground.level - y * float(up[1])) / slope
        away = np.maximum(float((cloud @ self._B[:, 2]).mean()) - meets, 0.0)
        haze = np.clip(away / _HAZY_M, 0.0, 1.0)[:, None]
        sky = np.clip((away - _HAZY_M) * slope / _SKY_M, 0.0, 1.0)[:, None]
        row = _GROUND + haze * (_HAZE - _GROUND)
        row = row + sky * (_SKY - row)
        dark = self._shadow(surfaces, ground, x, y, meets)
        out = row[:, None] * (1.0 - dark[..., None])
        return _finer(out)

    def _shadow(
        self, surfaces: Sequence[Surface], ground: Ground, x: Array, y: Array, meets: Array
    ) -> Array:
        """How dark the ground is at each pixel, by what is above it; `meets` is how near each row meets it."""
        right = self._B[:, 0]
        back = np.cross(right, ground.up)
        # the same seen from below, in cells
        axes = np.column_stack([right, back, -ground.up])
        placed = [one.points @ axes for one in surfaces]
        margin = 4.0 * _SOFT_M + _CELL_M
        low = np.min([one.min(axis=0) for one in placed], axis=0)[:2] - margin
        high = np.max([one.max(axis=0) for one in placed], axis=0)[:2] + margin
        size = np.minimum(np.ceil((high - low) / _CELL_M) + 1, _MOST_CELLS).astype(int)
        nearest = np.full((size[1], size[0]), -np.inf, np.float32)
        nothing = np.zeros((*nearest.shape, 3), np.float32)
        for one, points in zip(surfaces, placed, strict=True):
            points[:, :2] = (points[:, :2] - low) / _CELL_M
            _fill(replace(one, is_closed=False), points, one.colours, nothing, nearest)
        above = np.maximum(-nearest - ground.level, 0.0)
        dense = gaussian_filter(np.exp(-above / _FADES_M), _SOFT_M / _CELL_M)
        # places on the ground, along the picture's right and along the way back to the eye
        depth = y * float(self._B[:, 1] @ back) + meets * float(self._B[:, 2] @ back)
        columns = np.broadcast_to((x - low[0]) / _CELL_M, (len(y), len(x)))
        rows = np.broadcast_to(((depth - low[1]) / _CELL_M)[:, None], columns.shape)
        out = np.zeros(rows.shape)
        near = (depth > low[1]) & (depth < high[1])
        if near.any():
            found = map_coordinates(dense, [rows[near], columns[near]], order=1, mode="constant")
            out[near] = _SHADOW * found
        return out


def _fill(one: Surface, points: Array, colours: Array, picture: Shades, depth: Shades) -> None:
    faces = np.ascontiguousarray(one.faces, np.int64)
    fill(points, faces, np.ascontiguousarray(colours), one.is_closed, picture, depth)


def _finer(values: Array) -> Shades:
    """Give each pixel that is kept to its SMOOTH by SMOOTH rays."""
    return np.repeat(np.repeat(values.astype(np.float32), SMOOTH, axis=0), SMOOTH, axis=1)


def _softened(values: Shades, wide: int) -> Shades:
    """Give running means of means: nearly a bell."""
    for _ in range(2):
        values = uniform_filter(values, wide, mode="constant")
    return values


def _lit(normal: Array, tone: Array) -> Array:
    """Light colours (n, 3) with normals in the axes of the picture."""
    light, shine = np.full((len(normal), 3), _AMBIENT), np.zeros((len(normal), 1))
    for place, colour, strength in _LIGHTS:
        way = np.array(place) / np.linalg.norm(place)
        fall = np.maximum(normal @ way, 0.0)[:, None]
        light += _DIFFUSE * strength * fall * np.array(colour)
        half = np.add(way, (0.0, 0.0, 1.0))
        half /= np.linalg.norm(half)
        shine += strength * np.maximum(normal @ half, 0.0)[:, None] ** _SHARP * (fall > 0.0)
    return np.asarray(tone * light + _SHINE * shine)
