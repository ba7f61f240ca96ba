"""The tool that measures between two points on what is seen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen

from app.scene.handles import paint_dot
from app.scene.overlay import paint_label
from app.scene.tool import Tool
from app.scene.viewport import Viewport
from solver.base.units import convert, display_unit, pretty
from solver.base.words import tr
from solver.engine.maths.rotation import Array


class Measuring(Tool):
    """Take two clicks and show their distance, along x, y and z too, until Esc."""

    def __init__(self, view: Viewport, say: Callable[[str], None]) -> None:
        self._view, self._say = view, say
        self.system = "metric"
        self.is_on = False
        self.points: list[Array] = []

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Say what to click."""
        return tr("Click two points of what is seen; Esc ends measuring.") if self.is_on else ""

    def toggle(self) -> None:
        """Begin to measure, or end it."""
        self.is_on = not self.is_on
        self.points = []
        self._view.setFocus()
        self._view.update()

    def pressed(self, event: QMouseEvent) -> bool:
        """Take a point on the surface under the mouse; beside everything the camera turns."""
        if not self.is_on or event.button() != Qt.MouseButton.LeftButton or event.modifiers():
            return False
        if not self._view.element_at(event.position()):
            return False
        place = self._view.stage.picked_place()
        self.points = [*self.points[-1:], place] if len(self.points) < 2 else [place]
        if len(self.points) == 2:
            self._say(
                tr("{words}. Click again to measure anew; Esc ends measuring.", words=self.words())
            )
        self._view.update()
        return True

    def words(self) -> str:
        """Say the distance, and its parts along the ground's axes."""
        by = self.points[1] - self.points[0]
        parts = "  ".join(f"{a} {self._said(float(v))}" for a, v in zip("xyz", by, strict=True))
        return f"{self._said(float(np.linalg.norm(by)))}   {parts}"

    def wants(self, event: QKeyEvent) -> bool:
        """Keep Esc while measuring."""
        return self.is_on and event.key() == Qt.Key.Key_Escape

    def typed(self, event: QKeyEvent) -> bool:
        """End measuring with Esc."""
        if self.wants(event):
            self.toggle()
            return True
        return False

    def paint(self, painter: QPainter) -> None:
        """Draw the points, the line and its length."""
        lens = self._view.lens
        if lens is None or not self.points:
            return
        seen = [lens.pixel(point) for point in self.points]
        if len(seen) == 2:
            painter.setPen(QPen(QColor(self._view.theme.accent), 1.6, Qt.PenStyle.DashLine))
            ends = [QPointF(float(p[0]), float(p[1])) for p in seen]
            painter.drawLine(*ends)
        for at in seen:
            paint_dot(painter, at, self._view.theme, True, False)
        if len(seen) == 2:
            middle = 0.5 * (seen[0] + seen[1])
            between = QPointF(float(middle[0]), float(middle[1]))
            paint_label(painter, self.words(), between, self._view.rect(), self._view.theme)

    def _said(self, metres: float) -> str:
        unit = display_unit("m", self.system)
        return f"{convert(metres, 'm', unit):.{ {'mm': 1, 'm': 4}.get(unit, 2) }f} {pretty(unit)}"
