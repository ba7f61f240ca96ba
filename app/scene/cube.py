"""The cube in the corner: it shows from where one looks, and a click on a side looks from there."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QPolygonF, QTransform

from app.kept import Kept
from app.scene.camera import OrbitCamera, View
from app.scene.tool import Tool
from app.scene.viewport import Viewport
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array

_SIDES_WORDS: dict[str, str] = {
    "front": msgid("Front"),
    "back": msgid("Back"),
    "side": msgid("Right"),
    "left": msgid("Left"),
    "top": msgid("Top"),
    "bottom": msgid("Below"),
}
"""Written on the cube of views."""

_HALF_PX, _FROM_EDGE_PX, _ROOM_PX = 25.0, 56.0, 112
_SIDES: tuple[tuple[View, tuple[int, int, int]], ...] = (
    ("front", (1, 0, 0)),
    ("back", (-1, 0, 0)),
    ("side", (0, 1, 0)),
    ("left", (0, -1, 0)),
    ("top", (0, 0, 1)),
    ("bottom", (0, 0, -1)),
)
"""View, and direction along ahead, right-hand side and up."""


class Cube(Tool):
    """Draw six sides; those that face the eye can be clicked."""

    def __init__(self, view: Viewport) -> None:
        self._view = view
        self._hot: View | None = None
        self._kept = Kept(view)

    def pressed(self, event: QMouseEvent) -> bool:
        """Look from the side that is clicked."""
        at = event.position()
        found = self.side_at(at.x(), at.y())
        if found is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._view.look(found)
        return True

    def moved(self, event: QMouseEvent) -> bool:
        """Light up the side under the mouse."""
        at = event.position()
        before, self._hot = self._hot, self.side_at(at.x(), at.y())
        if before != self._hot:
            self._view.update()
        return self._hot is not None

    def side_at(self, x: float, y: float) -> View | None:
        """Name the side at a pixel; None beside the cube."""
        for view, _, corners in self._seen():
            if QPolygonF(corners).containsPoint(QPointF(x, y), Qt.FillRule.OddEvenFill):
                return view
        return None

    def paint(self, painter: QPainter) -> None:
        """Draw the cube as it is seen from where one looks; a run does not turn it."""
        lens = self._view.lens
        if lens is None:
            return
        eye = tuple(way.tobytes() for way in (*lens.camera.axes(), lens.camera.ahead))
        room = QRect(self._view.width() - _ROOM_PX, 0, _ROOM_PX, _ROOM_PX)
        self._kept.paint(painter, (eye, self._view.theme, self._hot), self._paint_sides, room)

    def _paint_sides(self, painter: QPainter) -> None:
        """Draw the sides that face the eye, with their words lying on them."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._view.theme
        for view, word, corners in self._seen():
            fill = QColor(theme.accent_soft if view == self._hot else theme.raised)
            fill.setAlpha(235)
            painter.setBrush(fill)
            painter.setPen(QPen(QColor(theme.line), 1.2))
            painter.drawPolygon(QPolygonF(corners))
            flat = QPolygonF([QPointF(x, y) for x, y in ((0, 0), (60, 0), (60, 60), (0, 60))])
            lying = QTransform.quadToQuad(flat, QPolygonF(corners))
            if isinstance(lying, QTransform):
                painter.save()
                painter.setTransform(lying, True)
                painter.setPen(QColor(theme.text))
                painter.drawText(0, 0, 60, 60, Qt.AlignmentFlag.AlignCenter, word)
                painter.restore()

    def _seen(self) -> list[tuple[View, str, list[QPointF]]]:
        lens = self._view.lens
        if lens is None:
            return []
        camera = lens.camera
        middle = np.array([self._view.width() - _FROM_EDGE_PX, _FROM_EDGE_PX])
        out = []
        for view, way in _SIDES:
            ways = _frame(camera.ahead.tobytes(), camera.up.tobytes(), way)
            towards = camera.axes()[2]
            if float(ways[2] @ towards) > 0.08:
                out.append((view, tr(_SIDES_WORDS[view]), _corners(camera, ways, middle)))
        return out


@lru_cache(maxsize=64)
def _frame(ahead_: bytes, up_: bytes, way: tuple[int, int, int]) -> tuple[Array, Array, Array]:
    """Give right and up on a side, as its word is written, and the way out of it."""
    ahead, up = np.frombuffer(ahead_), np.frombuffer(up_)
    side = np.cross(ahead, up)
    out: Array = way[0] * ahead + way[1] * side + way[2] * up
    upright = up
    if way[2]:
        upright = side if way[2] < 0 else -side
    return np.cross(upright, out), upright, out


def _corners(camera: OrbitCamera, ways: tuple[Array, Array, Array], middle: Array) -> list[QPointF]:
    right, upright, out = ways
    eye_right, eye_up, _ = camera.axes()
    corners: list[Any] = []
    for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
        place = out + a * right + b * upright
        x, y = float(place @ eye_right), -float(place @ eye_up)
        corners.append(QPointF(middle[0] + _HALF_PX * x, middle[1] + _HALF_PX * y))
    return corners
