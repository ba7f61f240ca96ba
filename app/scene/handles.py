"""Draw the handles that move and turn, and find the one under the mouse; sizes in pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.look import Theme
from app.scene.lens import Lens
from solver.engine.maths.rotation import Array

Flags = NDArray[np.bool_]

ARROW_PX, RING_PX, CORNER_PX, DOT_PX = 78.0, 60.0, 26.0, 5.0
_NEAR_PX, _STEPS = 7.0, 64
_TURNS = np.linspace(0.0, 2.0 * math.pi, _STEPS + 1)


@dataclass(frozen=True)
class Handles:
    """The place of handles (ground axes), their axes in columns, and what they may do."""

    p_W: Array
    axes: Array
    moves: bool = True
    turns: bool = False
    rings: tuple[int, ...] = (0, 1, 2)
    """Axes about which it turns, where it does."""

    def part_at(self, lens: Lens, x: float, y: float) -> Part | None:
        """Name the handle under a pixel; the middle first, then arrows, planes and rings."""
        at = np.array([x, y])
        middle = lens.pixel(self.p_W)
        if self.moves and float(np.linalg.norm(at - middle)) < _NEAR_PX + 2.0:
            return Part("free")
        best, least = None, _NEAR_PX
        if self.moves:
            for axis in self._seen_axes(lens):
                far = _to_line(at, middle, lens.pixel(self._tip(lens, axis)))
                if far < least:
                    best, least = Part("axis", axis), far
            if least > 0.5 * _NEAR_PX:
                for axis in self._seen_planes(lens):
                    if _inside(at, lens.pixels(self._square(lens, axis))):
                        return Part("plane", axis)
        if self.turns:
            for axis in self.rings:
                ring = lens.pixels(self._ring(lens, axis)[self._front(lens, axis)])
                far = float(np.linalg.norm(ring - at, axis=1).min()) if len(ring) else math.inf
                if far < min(least, _NEAR_PX):
                    best, least = Part("turn", axis), far
        return best

    def point_of(self, part: Part, lens: Lens) -> Array:
        """A pixel at which a handle can be taken."""
        if part.way == "axis":
            near, far = lens.pixel(self.p_W), lens.pixel(self._tip(lens, part.axis))
            taken: Array = near + 0.85 * (far - near)
            return taken
        if part.way == "plane":
            square: Array = lens.pixels(self._square(lens, part.axis)).mean(axis=0)
            return square
        if part.way == "turn":
            return self._clearest(lens, part.axis)
        return lens.pixel(self.p_W)

    def _clearest(self, lens: Lens, axis: int) -> Array:
        """The pixel of a ring's near side that is farthest from all other handles."""
        others = [self.p_W[None, :]]
        others += [self._ring(lens, k)[self._front(lens, k)] for k in self.rings if k != axis]
        if self.moves:
            reach = np.linspace(0.0, 1.0, 24)[:, None]
            others += [
                self.p_W + reach * (self._tip(lens, k) - self.p_W) for k in self._seen_axes(lens)
            ]
        taken = lens.pixels(np.vstack(others))
        ring = lens.pixels(self._ring(lens, axis)[self._front(lens, axis)])
        far = np.linalg.norm(ring[:, None, :] - taken[None, :, :], axis=2).min(axis=1)
        clearest: Array = ring[int(np.argmax(far))]
        return clearest

    def paint(self, painter: QPainter, lens: Lens, theme: Theme, hot: Part | None) -> None:
        """Draw rings, squares and arrows; the one under the mouse is wider and brighter."""
        if not lens.is_ahead(self.p_W):
            return
        if self.turns:
            for axis in self.rings:
                self._paint_ring(painter, lens, theme, axis, hot == Part("turn", axis))
        if self.moves:
            for axis in self._seen_planes(lens):
                self._paint_square(painter, lens, theme, axis, hot == Part("plane", axis))
            for axis in self._seen_axes(lens):
                self._paint_arrow(painter, lens, theme, axis, hot == Part("axis", axis))
            paint_dot(painter, lens.pixel(self.p_W), theme, True, hot == Part("free"))

    def _paint_arrow(
        self, painter: QPainter, lens: Lens, theme: Theme, axis: int, hot: bool
    ) -> None:
        start, end = lens.pixel(self.p_W), lens.pixel(self._tip(lens, axis))
        way = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
        side = np.array([-way[1], way[0]])
        colour = _colour(theme, axis, hot)
        painter.setPen(QPen(colour, 3.4 if hot else 2.2))
        painter.drawLine(_point(start + 7.0 * way), _point(end - 6.0 * way))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        head = [end + 3.0 * way, end - 9.0 * way + 5.0 * side, end - 9.0 * way - 5.0 * side]
        painter.drawPolygon(QPolygonF([_point(p) for p in head]))
        painter.setPen(colour)
        box = QRectF(0, 0, 16, 16)
        box.moveCenter(_point(end + 13.0 * way))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "xyz"[axis])

    def _paint_square(
        self, painter: QPainter, lens: Lens, theme: Theme, axis: int, hot: bool
    ) -> None:
        colour = _colour(theme, axis, hot)
        painter.setPen(QPen(colour, 1.2))
        colour.setAlpha(170 if hot else 80)
        painter.setBrush(colour)
        square = lens.pixels(self._square(lens, axis))
        painter.drawPolygon(QPolygonF([_point(p) for p in square]))

    def _paint_ring(
        self, painter: QPainter, lens: Lens, theme: Theme, axis: int, hot: bool
    ) -> None:
        points = lens.pixels(self._ring(lens, axis))
        front = self._front(lens, axis)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        faint = QColor(theme.muted)
        faint.setAlpha(70)
        ahead = front[:-1] & front[1:]
        # one line for each stretch on the near side, and on the far side
        ends = [0, *(np.flatnonzero(ahead[1:] != ahead[:-1]) + 1), _STEPS]
        for start, end in pairwise(ends):
            near = QPen(_colour(theme, axis, hot), 3.2 if hot else 2.0)
            painter.setPen(near if ahead[start] else QPen(faint, 1.0))
            painter.drawPolyline(QPolygonF([_point(p) for p in points[start : end + 1]]))

    def _size(self, lens: Lens, pixels: float) -> float:
        return pixels * lens.metres_per_pixel(self.p_W)

    def _tip(self, lens: Lens, axis: int) -> Array:
        tip: Array = self.p_W + self._size(lens, ARROW_PX) * self.axes[:, axis]
        return tip

    def _square(self, lens: Lens, axis: int) -> Array:
        """The corners of a plane's square, in the quarter that is farthest from the arrows."""
        size = self._size(lens, CORNER_PX)
        one, two = size * self.axes[:, axis - 2], size * self.axes[:, axis - 1]
        tips = lens.pixels(np.array([self._tip(lens, k) for k in range(3)]))
        middle = lens.pixel(self.p_W)
        quarters = [(a * one, b * two) for a in (1.0, -1.0) for b in (1.0, -1.0)]

        def free(quarter: tuple[Array, Array]) -> float:
            at = lens.pixel(self.p_W + 0.85 * (quarter[0] + quarter[1]))
            return min(_to_line(at, middle, tip) for tip in tips)

        one, two = max(quarters, key=free)
        corners = ((0.55, 0.55), (1.15, 0.55), (1.15, 1.15), (0.55, 1.15))
        return np.array([self.p_W + a * one + b * two for a, b in corners])

    def _ring(self, lens: Lens, axis: int) -> Array:
        one, two = self.axes[:, axis - 2], self.axes[:, axis - 1]
        ring = np.outer(np.cos(_TURNS), one) + np.outer(np.sin(_TURNS), two)
        whole: Array = self.p_W + self._size(lens, RING_PX) * ring
        return whole

    def _front(self, lens: Lens, axis: int) -> Flags:
        """Tell which points of a ring are on the near side; a ring that faces the eye is all near."""
        towards = lens.camera.axes()[2]
        if abs(float(self.axes[:, axis] @ towards)) > 0.97:
            return np.ones(_STEPS + 1, dtype=bool)
        front: Flags = (self._ring(lens, axis) - self.p_W) @ towards >= -1e-12
        return front

    def _seen_axes(self, lens: Lens) -> list[int]:
        towards = lens.camera.axes()[2]
        return [k for k in range(3) if abs(float(self.axes[:, k] @ towards)) < 1.0 - FLAT**2]

    def _seen_planes(self, lens: Lens) -> list[int]:
        towards = lens.camera.axes()[2]
        return [k for k in range(3) if abs(float(self.axes[:, k] @ towards)) > 0.4]


def paint_dot(painter: QPainter, at: Array, theme: Theme, active: bool, hot: bool) -> None:
    """Draw the dot of a grip."""
    size = DOT_PX + (1.5 if hot else 0.0)
    painter.setPen(QPen(QColor(theme.accent), 1.8))
    painter.setBrush(QColor(theme.accent if active or hot else theme.raised))
    painter.drawEllipse(_point(at), size, size)


def _colour(theme: Theme, axis: int, hot: bool) -> QColor:
    colour = QColor(theme.axes[axis])
    return colour.lighter(125) if hot else colour


def _point(at: Array) -> QPointF:
    return QPointF(float(at[0]), float(at[1]))


def _to_line(at: Array, start: Array, end: Array) -> float:
    way = end - start
    t = float(np.clip((at - start) @ way / max(float(way @ way), 1e-9), 0.14, 1.1))
    return float(np.linalg.norm(at - start - t * way))


def _inside(at: Array, corners: Array) -> bool:
    edges = np.roll(corners, -1, axis=0) - corners
    ways = at - corners
    turns = edges[:, 0] * ways[:, 1] - edges[:, 1] * ways[:, 0]
    return bool((turns > 0.0).all() or (turns < 0.0).all())


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
    """Where a drag began: at a place (ground axes), with axes in columns, at a pixel."""

    part: Part
    p_W: Array
    axes: Array
    x: float
    y: float

    def shift(self, lens: Lens, x: float, y: float) -> Array:
        """The shift (m, ground axes) for the mouse at another pixel."""
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
        """The axis of a turn: of the handle, or towards the eye."""
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
    """The turn by an angle (rad) about a unit axis (Rodrigues)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    R: Array = np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)
    return R


def _along(p: Array, axis: Array, lens: Lens, x: float, y: float) -> float:
    """The distance from p along an axis to where it comes nearest to a pixel's line."""
    eye, way = lens.ray(x, y)
    cosine = float(axis @ way)
    across = 1.0 - cosine * cosine
    if across < 1e-9:
        return 0.0
    apart = eye - p
    return (float(apart @ axis) - cosine * float(apart @ way)) / across


def _on_plane(p: Array, normal: Array, lens: Lens, x: float, y: float) -> Array:
    """The point of a plane through p that is seen at a pixel."""
    eye, way = lens.ray(x, y)
    facing = float(normal @ way)
    if abs(facing) < 1e-9:
        return p
    hit: Array = eye + (float((p - eye) @ normal) / facing) * way
    return hit
