"""Markers that were seen, painted over the scene: a dot each, with a line to the model's own point."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from app.features.tracks.gaps import Gap
from app.look import LINES
from app.scene.overlay import paint_label
from app.scene.tool import Tool

if TYPE_CHECKING:
    from app.scene.viewport import Viewport

_DOT_PX, _OWN_PX = 3.5, 3.0
_NEAR_PX = 9.0
_SEEN = LINES[1]
"""Colour of what was seen."""


class Dots(Tool):
    """Paint markers; a click on one, or the mouse over it, names it."""

    def __init__(
        self, view: Viewport, gaps: Callable[[], list[Gap]], chosen: Callable[[str], object]
    ) -> None:
        self._view, self._gaps, self._chosen = view, gaps, chosen
        self.selected = ""
        self.hovered = ""
        self.pixels: dict[str, QPointF] = {}
        """Where what was seen was painted last."""

    def moved(self, event: QMouseEvent) -> bool:
        """Name the marker under the mouse."""
        over = self._at(event.position()) if not event.buttons() else ""
        if over != self.hovered:
            self.hovered = over
            self._view.update()
        return False

    def clicked(self, event: QMouseEvent) -> bool:
        """Choose the marker under the mouse."""
        over = self._at(event.position())
        if over:
            self._chosen(over)
        return bool(over)

    def paint(self, painter: QPainter) -> None:
        """Paint lines, the model's points, what was seen, and names."""
        lens, self.pixels = self._view.lens, {}
        found = self._gaps() if lens is not None else []
        if lens is None or not found:
            return
        theme = self._view.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        own = dict[str, QPointF]()
        for one in found:
            if one.seen is not None and lens.is_ahead(one.seen):
                self.pixels[one.name] = QPointF(*lens.pixel(one.seen))
            if one.own is not None and lens.is_ahead(one.own):
                own[one.name] = QPointF(*lens.pixel(one.own))
        painter.setPen(QPen(QColor(_SEEN), 1.8))
        for name, at in self.pixels.items():
            if name in own:
                painter.drawLine(own[name], at)
        painter.setPen(QPen(QColor(theme.text), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for at in own.values():
            painter.drawEllipse(at, _OWN_PX, _OWN_PX)
        painter.setBrush(QColor(_SEEN))
        for name, at in self.pixels.items():
            wide = _DOT_PX + 2.0 * (name in (self.selected, self.hovered))
            painter.setPen(QPen(QColor(theme.panel), 1.0))
            painter.drawEllipse(at, wide, wide)
        for name in dict.fromkeys((self.selected, self.hovered)):
            if name in self.pixels:
                paint_label(painter, name, self.pixels[name], self._view.rect(), theme)

    def _at(self, place: QPointF) -> str:
        near = {n: float(np.hypot(at.x() - place.x(), at.y() - place.y())) for n, at in self.pixels.items()}  # fmt: skip
        name = min(near, key=lambda n: near[n], default="")
        return name if name and near[name] <= _NEAR_PX else ""
