"""A bar of a round length in the lower right corner: how large things are at the middle of the view."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.scene.tool import Tool
from app.scene.viewport import Viewport
from solver.base.units import convert, display_unit, pretty

_LONGEST_PX, _FROM_RIGHT, _FROM_BOTTOM = 120.0, 24.0, 22.0


class ScaleBar(Tool):
    """Draw the bar in the units that are shown."""

    def __init__(self, view: Viewport) -> None:
        self._view = view
        self.system = "metric"

    def length(self, metres_per_pixel: float) -> tuple[float, str]:
        """Give the longest round length that fits, in pixels, and its words."""
        unit = display_unit("m", self.system)
        longest = convert(_LONGEST_PX * metres_per_pixel, "m", unit)
        power = 10.0 ** math.floor(math.log10(longest))
        round_ = max(step * power for step in (1.0, 2.0, 5.0) if step * power <= longest)
        pixels = convert(round_, unit, "m") / metres_per_pixel
        return pixels, f"{round_:g} {pretty(unit)}"

    def paint(self, painter: QPainter) -> None:
        """Draw the bar with its length."""
        lens = self._view.lens
        if lens is None:
            return
        pixels, words = self.length(lens.metres_per_pixel(lens.camera.target))
        theme = self._view.theme
        right, bottom = self._view.width() - _FROM_RIGHT, self._view.height() - _FROM_BOTTOM
        painter.setPen(QPen(QColor(theme.muted), 1.4))
        painter.drawLine(QPointF(right - pixels, bottom), QPointF(right, bottom))
        for x in (right - pixels, right):
            painter.drawLine(QPointF(x, bottom - 4.0), QPointF(x, bottom + 4.0))
        box = QRectF(right - pixels - 20.0, bottom - 22.0, pixels + 40.0, 18.0)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
