"""Turn the way of the mouse into a shift along an axis or a plane, or into an angle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.scene.lens import Lens
from solver.engine.maths.rotation import Array

Way = Literal["axis", "plane", "free", "turn"]

FLAT = 0.12
"""Sine of the angle to the eye below which an axis, or a plane, is too foreshortened to be dragged."""


@dataclass(frozen=True, slots=True)
class Part:
    """Name one handle: along an axis, in the plane across it, in the plane of the screen, or a turn."""

    way: Way
    axis: int = 0


@dataclass(frozen=True)
class Drag:
    """Hold where a drag began: at a place (ground axes), with axes in columns, at a pixel."""

    part: Part
    p_W: Array
    axes: Array
    x: float
    y: float

    def shift(self, lens: Lens, x: float, y: float) -> Array:
        """Give the shift (m, ground axes) for the mouse at another pixel."""
        if self.part.way == "axis":
            axis = self.axes[:, self.part.axis]
            along = _along(self.p_W, axis, lens, x, y) - _along(
                self.p_W, axis, lens, self.x, self.y
            )
            return along * axis
        normal = lens.camera.axes()[2]
        if self.part.way == "plane":
            own = self.axes[:, self.part.axis]
            if abs(float(own @ lens.ray(x, y)[1])) > FLAT:
                normal = own
        return _on_plane(self.p_W, normal, lens, x, y) - _on_plane(
            self.p_W, normal, lens, self.x, self.y
        )

    def axis(self, lens: Lens) -> Array:
        """Give the axis of a turn: of the handle, or towards the eye."""
        if self.part.way == "turn":
            own: Array = self.axes[:, self.part.axis]
            return own
        return lens.camera.axes()[2]

    def angle(self, lens: Lens, x: float, y: float) -> float:
        """Give the turn (rad) about the axis for the mouse at another pixel."""
        middle = lens.pixel(self.p_W)
        axis, towards = self.axis(lens), lens.camera.axes()[2]
        facing = float(axis @ towards)
        if abs(facing) < FLAT:
            # seen from the edge: across the axis on the screen, 90 pixels are one radian
            on_screen = (
                lens.pixel(self.p_W + 20.0 * lens.metres_per_pixel(self.p_W) * axis) - middle
            )
            across = np.array([-on_screen[1], on_screen[0]]) / max(
                float(np.linalg.norm(on_screen)), 1e-9
            )
            return float(np.array([x - self.x, y - self.y]) @ across) / 90.0
        one, two = np.array([self.x, self.y]) - middle, np.array([x, y]) - middle
        swept = math.atan2(
            float(one[0] * two[1] - one[1] * two[0]), float(one @ two)
        )  # clockwise on the screen, whose y points down
        return -swept if facing > 0.0 else swept


def about(axis: Array, angle: float) -> Array:
    """Give the turn by an angle (rad) about a unit axis (Rodrigues)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    R: Array = np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)
    return R


def _along(p: Array, axis: Array, lens: Lens, x: float, y: float) -> float:
    """Give the distance from p along an axis to where it comes nearest to a pixel's line."""
    eye, way = lens.ray(x, y)
    cosine = float(axis @ way)
    across = 1.0 - cosine * cosine
    if across < 1e-9:
        return 0.0
    apart = eye - p
    return (float(apart @ axis) - cosine * float(apart @ way)) / across


def _on_plane(p: Array, normal: Array, lens: Lens, x: float, y: float) -> Array:
    """Give the point of a plane through p that is seen at a pixel."""
    eye, way = lens.ray(x, y)
    facing = float(normal @ way)
    if abs(facing) < 1e-9:
        return p
    hit: Array = eye + (float((p - eye) @ normal) / facing) * way
    return hit
