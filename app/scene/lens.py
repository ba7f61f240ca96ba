"""The camera as arithmetic without VTK: where it stands, where a point is seen, on which line a pixel lies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from solver.engine.maths.rotation import Array

_NEAREST, _CLOSEST = 1e-6, 0.3
"""Depths (m) below which nothing is as near, and which nothing comes to be when one goes near."""


@dataclass(frozen=True, slots=True)
class Margins:
    """What is to be left free at the edges, as parts of the width and the height of a picture."""

    left: float
    right: float
    above: float
    below: float


@dataclass(frozen=True)
class Lens:
    """A camera and the size of the picture; pixels count from the upper left corner."""

    camera: OrbitCamera
    width: float
    height: float

    def pixels(self, points: Array) -> Array:
        """The pixels (n, 2) of points in ground axes (n, 3)."""
        right, upright, towards = self.camera.axes()
        seen = (np.atleast_2d(points) - self.camera.target) @ np.column_stack(
            [right, upright, towards]
        )
        scale = self._scale(self.camera.distance - seen[:, 2])
        return np.column_stack(
            [0.5 * self.width + scale * seen[:, 0], 0.5 * self.height - scale * seen[:, 1]]
        )

    def pixel(self, point: Array) -> Array:
        """The pixel of one point."""
        seen: Array = self.pixels(point)[0]
        return seen

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """A point and the unit direction, away from the eye, of what is seen at a pixel."""
        right, upright, towards = self.camera.axes()
        size = float(self._scale(np.array([self.camera.distance]))[0])
        across = ((x - 0.5 * self.width) * right - (y - 0.5 * self.height) * upright) / size
        at = self.camera.target + across
        if self.camera.parallel:
            return at, -towards
        eye = self.camera.target + self.camera.distance * towards
        way = at - eye
        return eye, way / np.linalg.norm(way)

    def is_ahead(self, point: Array) -> bool:
        """Whether a point is before the eye."""
        towards = self.camera.axes()[2]
        depth = self.camera.distance - float((point - self.camera.target) @ towards)
        return self.camera.parallel or depth > 1e-3

    def metres_per_pixel(self, point: Array) -> float:
        """The size of a pixel at a point (m)."""
        return 1.0 / float(self.scale_at(point[None])[0])

    def scale_at(self, points: Array) -> Array:
        """The pixels for a metre at points (n, 3); those behind the eye count as very near."""
        towards = self.camera.axes()[2]
        return self._scale(self.camera.distance - (points - self.camera.target) @ towards)

    def _scale(self, depth: Array) -> Array:
        """The pixels for a metre at depths (m)."""
        slope = math.tan(FIELD_RAD / 2.0)
        far = np.full_like(depth, self.camera.distance) if self.camera.parallel else depth
        scale: Array = 0.5 * self.height / (slope * np.maximum(far, _NEAREST))
        return scale


View = Literal["iso", "front", "side", "top", "back", "left", "bottom"]

_VIEWS: dict[str, tuple[float, float]] = {
    "iso": (52.0, 16.0),
    "front": (0.0, 0.0),
    "side": (90.0, 0.0),
    "top": (90.0, 90.0),
    "back": (180.0, 0.0),
    "left": (270.0, 0.0),
    "bottom": (90.0, -90.0),
}
"""Azimuth from straight ahead towards the right-hand side, and elevation, in degrees."""

FIELD_RAD = math.radians(28.0)
_STEEPEST = math.radians(90.0)


class OrbitCamera:
    """Hold target (m), distance (m), azimuth and elevation (rad) about the vertical."""

    def __init__(self, up: Array) -> None:
        ahead = np.array([1.0, 0.0, 0.0])
        if abs(ahead @ up) > 0.9:
            ahead = np.array([0.0, 1.0, 0.0])
        self.up = up
        self.ahead = ahead - (ahead @ up) * up
        self.ahead /= np.linalg.norm(self.ahead)
        self._side = np.cross(self.ahead, up)
        self.target = np.zeros(3)
        self.distance = 3.0
        self.parallel = False
        self.azimuth = self.elevation = 0.0
        self._turned = (math.nan, math.nan)
        self._axes: tuple[Array, Array, Array]
        self.look("iso")

    def look(self, view: View) -> None:
        """Look from one of the named sides."""
        azimuth, elevation = _VIEWS[view]
        self.azimuth, self.elevation = math.radians(azimuth), math.radians(elevation)

    def turned_to(self, up: Array) -> OrbitCamera:
        """Give the camera with another vertical, looking at the same target from the same side."""
        other = OrbitCamera(up)
        other.target, other.distance, other.parallel = self.target, self.distance, self.parallel
        other.azimuth, other.elevation = self.azimuth, self.elevation
        return other

    def axes(self) -> tuple[Array, Array, Array]:
        """Give right, upright and towards the eye, in ground axes."""
        turned = (self.azimuth, self.elevation)
        if turned != self._turned:
            # everybody who draws or paints one picture asks for them
            self._turned = turned
            ahead, aside = math.cos(self.azimuth), math.sin(self.azimuth)
            level = ahead * self.ahead + aside * self._side
            c, s = math.cos(self.elevation), math.sin(self.elevation)
            right = aside * self.ahead - ahead * self._side
            self._axes = right, c * self.up - s * level, c * level + s * self.up
        return self._axes

    def eye(self) -> Array:
        """Where the eye is (m)."""
        place: Array = self.target + self.distance * self.axes()[2]
        return place

    def orbit(self, right_px: float, down_px: float) -> None:
        """Turn by a drag of the mouse, half a degree for each pixel."""
        self.azimuth -= math.radians(0.5 * right_px)
        steep = self.elevation + math.radians(0.5 * down_px)
        self.elevation = min(_STEEPEST, max(-_STEEPEST, steep))

    def pan(self, right_px: float, down_px: float, height_px: float) -> None:
        """Move the target so that the scene follows the mouse."""
        metres = 2.0 * self.distance * math.tan(FIELD_RAD / 2.0) / max(height_px, 1.0)
        right, upright, _ = self.axes()
        self.target = self.target + metres * (down_px * upright - right_px * right)

    def zoom(self, factor: float) -> None:
        """Come nearer (above 1) or go away."""
        self.distance = min(1e5, max(0.01, self.distance / factor))

    def fit(self, points: Array, aspect: float, below: float = 0.0) -> None:
        """Show all points (n, 3), with a margin, without turning, above a part of the height that is covered."""
        if len(points) == 0:
            return
        right, upright, towards = self.axes()
        seen = points @ np.column_stack([right, upright, towards])
        middle = 0.5 * (seen.min(axis=0) + seen.max(axis=0))
        half = seen - middle
        slope = math.tan(FIELD_RAD / 2.0) / 1.10
        near = 0.0 if self.parallel else half[:, 2]
        across = np.abs(half[:, 0]) / (slope * aspect) + near
        over = (half[:, 1] / slope + near) / (1.0 - below)
        under = (-half[:, 1] / slope + (1.0 - 2.0 * below) * near) / (1.0 - below)
        self.distance = max(0.05, float(np.max([across, over, under])))
        middle[1] -= below * slope * self.distance
        self.target = middle[0] * right + middle[1] * upright + middle[2] * towards

    def fit_within(self, points: Array, aspect: float, margins: Margins) -> None:
        """Come as near to points (n, 3) as leaves margins free, without turning."""
        right, upright, towards = self.axes()
        seen = points @ np.column_stack([right, upright, towards])
        slope = math.tan(FIELD_RAD / 2.0)
        depth = seen[:, 2]
        bounds, nearest = [], float(depth.max()) + _CLOSEST
        for place, size, low, high in (
            (seen[:, 0], slope * aspect, margins.left, margins.right),
            (seen[:, 1], slope, margins.below, margins.above),
        ):
            # each edge of what is free is a plane through the eye
            first, last = size * (2.0 * low - 1.0), size * (1.0 - 2.0 * high)
            apart = last - first
            if self.parallel:
                away = float(np.ptp(place)) / apart + float(depth.mean())
                least, most = float(place.max()), float(place.min())
                nearest = max(nearest, away)
                bounds.append((first, last, least, most, float(depth.mean())))
            else:
                least, most = (
                    float((place + last * depth).max()),
                    float((place + first * depth).min()),
                )
                nearest = max(nearest, (least - most) / apart)
                bounds.append((first, last, least, most, 0.0))
        aside = [
            0.5 * (least - last * (nearest - level) + most - first * (nearest - level))
            for first, last, least, most, level in bounds
        ]
        self.distance = min(1e5, max(0.05, nearest - float(depth.mean())))
        self.target = aside[0] * right + aside[1] * upright + (nearest - self.distance) * towards

    @property
    def horizon(self) -> float:
        """How high the horizon lies, in heights of the picture from below; it may be out of it."""
        if self.parallel:
            return 1.0 if self.elevation >= 0.0 else 0.0
        steep = max(-1.5, min(1.5, self.elevation))
        return 0.5 + 0.5 * math.tan(steep) / math.tan(FIELD_RAD / 2.0)

    def apply(
        self, camera: Any, beside: tuple[float, float, float] = (0.0, 0.0, 1.0), aspect: float = 1.0
    ) -> tuple[float, float]:
        """Set a VTK camera, `beside` its place by so much to the right and up (m).

        Gives by what halves of its width and height the picture is to be moved so that what is as far
        away as the last number says stays where it is in it.
        """
        right, upright, towards = self.axes()
        off = beside[0] * right + beside[1] * upright
        camera.SetFocalPoint(*(self.target + off))
        camera.SetPosition(*(self.target + self.distance * towards + off))
        camera.SetViewUp(*upright)
        camera.SetViewAngle(math.degrees(FIELD_RAD))
        camera.SetParallelProjection(self.parallel)
        camera.SetParallelScale(self.distance * math.tan(FIELD_RAD / 2.0))
        half = beside[2] * math.tan(FIELD_RAD / 2.0)
        return -beside[0] / (half * aspect), -beside[1] / half


Pair = tuple[float, float]


@contextmanager
def part_seen(eye: Any, middle: Pair, size: Pair) -> Iterator[None]:
    """Let a VTK camera show only a part of what it shows: its middle and its size, in those of the whole."""
    kept = eye.GetWindowCenter(), eye.GetViewAngle(), eye.GetParallelScale()
    half = math.tan(0.5 * math.radians(kept[1])) * size[1]
    off = [(c + 2.0 * m - 1.0) / s for c, m, s in zip(kept[0], middle, size, strict=True)]
    eye.SetWindowCenter(*off)
    eye.SetViewAngle(2.0 * math.degrees(math.atan(half)))
    eye.SetParallelScale(kept[2] * size[1])
    try:
        yield
    finally:
        eye.SetWindowCenter(*kept[0])
        eye.SetViewAngle(kept[1])
        eye.SetParallelScale(kept[2])
