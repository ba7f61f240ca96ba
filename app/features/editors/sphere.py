"""Paint a sphere with curves and points on it; drag to turn it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QRadialGradient,
)
from PySide6.QtWidgets import QWidget

from app.features.editors.contour_course import on_sphere
from app.guard import guard
from app.look import LIGHT, LINES, Theme, mix_hex
from solver.engine.maths.rotation import Array

Flags = NDArray[np.bool_]

_TILT, _SPIN = math.radians(35.0), math.radians(-30.0)
_STEP = math.radians(30.0)


class Sphere(QWidget):
    """Show a contour about the pole, the way that was gone, and the present direction."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(140, 120)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self._theme = LIGHT
        self.tilt, self.spin = _TILT, _SPIN
        self.contour = self.way = np.zeros((0, 3))
        self.direction: Array | None = None
        self.beyond = False
        self._from: QPointF | None = None
        circle = np.linspace(0.0, 2.0 * math.pi, 73)
        self._net = [on_sphere(np.full(73, k * _STEP), circle) for k in range(1, 6)]
        self._net += [
            on_sphere(np.linspace(0.0, math.pi, 37), np.full(37, k * _STEP)) for k in range(12)
        ]

    @guard
    def sizeHint(self) -> QSize:
        """Ask for a square."""
        return QSize(260, 220)

    def show_contour(
        self, contour: Array, way: Array, direction: Array | None, beyond: bool
    ) -> None:
        """Show a closed contour, a way and a direction, all on the unit sphere."""
        self.contour, self.way, self.direction, self.beyond = contour, way, direction, beyond
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.update()

    def seen(self, points: Array) -> tuple[Array, Flags]:
        """Give where points are seen (pixels from the left top), and whether they lie in front."""
        c, s = math.cos(self.spin), math.sin(self.spin)
        a, b = math.cos(self.tilt), math.sin(self.tilt)
        x = c * points[:, 0] - s * points[:, 1]
        y = s * points[:, 0] + c * points[:, 1]
        # seen from above: the pole is tilted upwards from the middle
        across, height, depth = x, a * y + b * points[:, 2], a * points[:, 2] - b * y
        r = self._radius()
        place = np.column_stack([0.5 * self.width() + r * across, 0.5 * self.height() - r * height])
        is_near: Flags = depth >= 0.0
        return place, is_near

    def _radius(self) -> float:
        return 0.5 * min(self.width(), self.height()) - 14.0

    @guard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to turn the sphere."""
        self._from = event.position()

    @guard
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn the sphere."""
        if self._from is None:
            return
        by = event.position() - self._from
        self._from = event.position()
        self.spin += by.x() / self._radius()
        self.tilt = min(max(self.tilt + by.y() / self._radius(), 0.0), math.pi)
        self.update()

    @guard
    def mouseReleaseEvent(self, _: QMouseEvent) -> None:
        """Leave it so."""
        self._from = None

    @guard
    def mouseDoubleClickEvent(self, _: QMouseEvent) -> None:
        """Turn it back to where it was at first."""
        self.tilt, self.spin = _TILT, _SPIN
        self.update()

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint ball, net, contour, way and direction, the back first."""
        t = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle, r = QPointF(0.5 * self.width(), 0.5 * self.height()), self._radius()
            light = QRadialGradient(middle - QPointF(0.35 * r, 0.4 * r), 1.6 * r)
            light.setColorAt(0.0, QColor(t.raised))
            light.setColorAt(1.0, QColor(mix_hex(t.panel, t.muted, 0.35)))
            painter.setPen(QPen(QColor(t.muted), 1.0))
            painter.setBrush(light)
            painter.drawEllipse(middle, r, r)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for line in self._net:
                self._draw(painter, line, QColor(mix_hex(t.panel, t.muted, 0.45)), 0.6, back=False)
            self._fill(painter)
            self._draw(painter, self.contour, QColor(LINES[1]), 2.2, back=True)
            self._draw(painter, self.way, QColor(LINES[2]), 1.6, back=True)
            pole, front = self.seen(np.array([[0.0, 0.0, 1.0]]))
            if front[0]:
                painter.setPen(QColor(t.muted))
                painter.drawText(QPointF(*pole[0]) + QPointF(5, -4), "z")
                painter.setBrush(QColor(t.muted))
                painter.drawEllipse(QPointF(*pole[0]), 2.5, 2.5)
            for axis, name in zip(np.eye(3)[:2], "xy", strict=True):
                place, front = self.seen(axis[None])
                if front[0]:
                    painter.setPen(QColor(t.muted))
                    painter.drawText(QPointF(*place[0]) + QPointF(4, 4), name)
            self._mark(painter, middle)

    def _fill(self, painter: QPainter) -> None:
        """Tint what lies within the contour, where all of it is in front."""
        if not len(self.contour):
            return
        place, front = self.seen(self.contour)
        if front.all():
            tone = QColor(LINES[1])
            tone.setAlpha(36)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tone)
            painter.drawPolygon(QPolygonF([QPointF(*p) for p in place]))
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _draw(
        self, painter: QPainter, points: Array, colour: QColor, width: float, *, back: bool
    ) -> None:
        """Draw a line; its part behind the sphere dashed and faint, or not at all."""
        if len(points) < 2:
            return
        place, front = self.seen(points)
        faint = QColor(colour)
        faint.setAlpha(90)
        for wanted in (False, True) if back else (True,):
            pen = QPen(colour if wanted else faint, width)
            if not wanted:
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            run: list[QPointF] = []
            for p, is_front in zip(place, front, strict=True):
                if is_front == wanted:
                    run.append(QPointF(*p))
                    continue
                if len(run) > 1:
                    painter.drawPolyline(QPolygonF(run))
                run = []
            if len(run) > 1:
                painter.drawPolyline(QPolygonF(run))

    def _mark(self, painter: QPainter, middle: QPointF) -> None:
        """Draw the present direction as an arrow from the middle; red and square beyond the stop."""
        if self.direction is None:
            return
        place, front = self.seen(self.direction[None])
        colour = QColor(self._theme.error if self.beyond else LINES[0])
        if not front[0]:
            colour.setAlpha(120)
        painter.setPen(QPen(colour, 1.6))
        tip = QPointF(*place[0])
        painter.drawLine(middle, tip)
        painter.setBrush(colour)
        if self.beyond:
            painter.drawRect(int(tip.x()) - 5, int(tip.y()) - 5, 10, 10)
        else:
            painter.drawEllipse(tip, 5.0, 5.0)
