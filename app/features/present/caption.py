"""The instant of a run in large letters over the scene, and what happens then, for those who look on from afar."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app import texts
from app.scene.tool import Tool
from app.scene.viewport import Viewport
from app.study.marks import Mark
from app.study.study import Study
from solver.base.words import tr

_LETTER = 0.034
"""Height of the instant's letters, as a part of the view's; what happens has letters of two thirds."""
_LEAST_PX, _SMALLER, _TOP_PX, _VEIL = 15.0, 0.66, 14.0, 214
_STAYS_S, _SPAN = 1.6, 3
"""So long (s, of the one who looks) what has happened stays written, and so many things at most."""


class Caption(Tool):
    """Paint it while a run is presented."""

    def __init__(self, study: Study, view: Viewport) -> None:
        self._study, self._view = study, view
        self.is_on = False
        self.marks: list[Mark] = []

    def told(self, t: float) -> list[str]:
        """Say what happens at an instant (s), or happened so shortly before that one still reads it."""
        since = t - _STAYS_S * self._study.player.speed
        now = [m for m in self.marks if since <= m.time <= t or m.time <= t <= (m.until or m.time)]
        return list(dict.fromkeys(mark.words for mark in now))[-_SPAN:]

    def paint(self, painter: QPainter) -> None:
        """Write the instant at the top, what happens below it."""
        if not (self.is_on and self._study.is_on):
            return
        t = self._study.player.time
        if self._study.player.is_playing and self._view.picture is not None:
            t = self._view.picture.seen
        size = max(_LEAST_PX, _LETTER * self._view.height())
        lines = [(tr(texts.words.INSTANT, ms=1e3 * t), size)]
        lines += [(words, _SMALLER * size) for words in self.told(t)]
        top = _TOP_PX
        for words, letters in lines:
            font = QFont(painter.font())
            font.setPixelSize(round(letters))
            metrics = QFontMetricsF(font)
            box = QRectF(0.0, top, metrics.horizontalAdvance(words) + letters, 1.5 * letters)
            box.moveCenter(QPointF(0.5 * self._view.width(), box.center().y()))
            veil = QColor(self._view.theme.raised)
            veil.setAlpha(_VEIL)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(veil)
            painter.drawRoundedRect(box, 5.0, 5.0)
            painter.setFont(font)
            painter.setPen(QColor(self._view.theme.text))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
            top = box.bottom() + 4.0
