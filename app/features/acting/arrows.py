"""Paint what acts on a segment over the scene: an arrow for each force, with its name and size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.look import ACTING_TONES
from app.scene.key import LENGTH_M
from app.scene.tool import Tool
from solver.engine.maths.rotation import Array

if TYPE_CHECKING:
    from app.scene.viewport import Viewport

_HEAD_PX, _WIDE_PX = 11.0, 4.5
_NAMED, _FEW, _EACH_PX = 0.08, 3, 75
"""Smaller parts of the largest force have no name, nor more than a few, or one for so much height of the view: it would hide what it is about."""
_MOST = 8
"""So many arrows are named; more would hide what they point at."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """Hold a force (N) at a place (m) as the scene shows it, and what stands beside it."""

    source: str
    point: Array
    force: Array
    words: str


class Arrows(Tool):
    """Paint the arrows that are given, the largest first."""

    def __init__(self, view: Viewport, given: Callable[[], list[Arrow]]) -> None:
        self._view, self._given = view, given
        self.painted: list[str] = []
        """What was written last."""

    def paint(self, painter: QPainter) -> None:
        """Paint an arrow whose tip lies where the force acts, and its words at the other end."""
        lens, self.painted = self._view.lens, []
        if lens is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        taken: list[QRectF] = []
        given = self._given()[:_MOST]
        sizes = [float(np.linalg.norm(arrow.force)) for arrow in given]
        least = _NAMED * max(sizes, default=0.0)
        names = max(_FEW, self._view.height() // _EACH_PX)
        for arrow, size in zip(given, sizes, strict=True):
            long = LENGTH_M * np.sqrt(1e-3 * size)
            foot = arrow.point - long * arrow.force / size
            if not (lens.is_ahead(foot) and lens.is_ahead(arrow.point)):
                continue
            tip, start = QPointF(*lens.pixel(arrow.point)), QPointF(*lens.pixel(foot))
            tone = QColor(ACTING_TONES[arrow.source])
            _paint(painter, start, tip, tone)
            if size >= least and len(taken) < names:
                self._name(painter, arrow.words, start, tip, taken)

    def _name(
        self, painter: QPainter, words: str, start: QPointF, tip: QPointF, taken: list[QRectF]
    ) -> None:
        """Write beside the foot of an arrow, lower where something is written already."""
        theme = self._view.theme
        box = QRectF(painter.fontMetrics().boundingRect(words)).adjusted(-6.0, -2.0, 6.0, 2.0)
        box.moveCenter(start + QPointF(0.0, -12.0 if start.y() <= tip.y() else 12.0))
        room = QRectF(self._view.rect()).adjusted(4.0, 4.0, -4.0, -4.0)
        box.moveLeft(min(max(box.left(), room.left()), room.right() - box.width()))
        while any(box.intersects(other) for other in taken):
            box.translate(0.0, box.height() + 1.0)
        if not room.contains(box):
            return
        taken.append(box)
        self.painted.append(words)
        ground = QColor(theme.raised)
        ground.setAlpha(225)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, 4.0, 4.0)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _paint(painter: QPainter, start: QPointF, tip: QPointF, tone: QColor) -> None:
    way = tip - start
    long = float(np.hypot(way.x(), way.y()))
    if long < 1.0:
        return
    w = way / long
    side = QPointF(-w.y(), w.x())
    head = min(_HEAD_PX, 0.6 * long)
    neck = tip - w * head
    for colour, width in ((QColor(255, 255, 255, 170), 5.5), (tone, 3.2)):
        painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(start, neck)
    painter.setPen(QPen(QColor(255, 255, 255, 170), 1.0))
    painter.setBrush(tone)
    painter.drawPolygon(QPolygonF([tip, neck + side * _WIDE_PX, neck - side * _WIDE_PX]))
