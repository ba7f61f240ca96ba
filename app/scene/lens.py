"""Say where a point is seen, and on which line a pixel lies: the camera's arithmetic without VTK."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.scene.camera import FIELD_RAD, OrbitCamera
from solver.engine.maths.rotation import Array

_NEAREST = 1e-6


@dataclass(frozen=True)
class Lens:
    """Hold a camera and the size of the picture; pixels count from the upper left corner."""

    camera: OrbitCamera
    width: float
    height: float

    def pixels(self, points: Array) -> Array:
        """Give the pixels (n, 2) of points in ground axes (n, 3)."""
        right, upright, towards = self.camera.axes()
        seen = (np.atleast_2d(points) - self.camera.target) @ np.column_stack(
            [right, upright, towards]
        )
        scale = self._scale(self.camera.distance - seen[:, 2])
        return np.column_stack(
            [0.5 * self.width + scale * seen[:, 0], 0.5 * self.height - scale * seen[:, 1]]
        )

    def pixel(self, point: Array) -> Array:
        """Give the pixel of one point."""
        seen: Array = self.pixels(point)[0]
        return seen

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """Give a point and the unit direction, away from the eye, of what is seen at a pixel."""
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
        """Tell whether a point is before the eye."""
        towards = self.camera.axes()[2]
        depth = self.camera.distance - float((point - self.camera.target) @ towards)
        return self.camera.parallel or depth > 1e-3

    def metres_per_pixel(self, point: Array) -> float:
        """Give the size of a pixel at a point (m)."""
        return 1.0 / float(self.scale_at(point[None])[0])

    def scale_at(self, points: Array) -> Array:
        """Give the pixels for a metre at points (n, 3); those behind the eye count as very near."""
        towards = self.camera.axes()[2]
        return self._scale(self.camera.distance - (points - self.camera.target) @ towards)

    def _scale(self, depth: Array) -> Array:
        """Give the pixels for a metre at depths (m)."""
        slope = math.tan(FIELD_RAD / 2.0)
        far = np.full_like(depth, self.camera.distance) if self.camera.parallel else depth
        scale: Array = 0.5 * self.height / (slope * np.maximum(far, _NEAREST))
        return scale
