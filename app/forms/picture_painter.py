"""Paint a picture of fields in the colours of a theme; the field that was asked for stands out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QImage, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QApplication

from app.forms.field_pictures import SIZE, Part, Stroke, Words
from app.look import Theme

_HEAD, _FINE = 7.0, 2.0
"""Length of an arrow's head in units of the picture, and pixels of the image for one of the page."""


def drawn(parts: Sequence[Part], labels: Mapping[str, str], field: str, looks: tuple[Theme, float]) -> QImage:  # fmt: skip
    """Draw parts with the labels of their fields, in a theme and a scale."""
    theme, scale = looks
    image = QImage(round(_FINE * scale * SIZE[0]), round(_FINE * scale * SIZE[1]), QImage.Format.Format_ARGB32_Premultiplied)  # fmt: skip
    image.setDevicePixelRatio(_FINE)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        for one in sorted(parts, key=lambda part: isinstance(part, Words)):
            is_asked = bool(field) and one.field == field
            colour = theme.accent if is_asked else theme.text if one.field else theme.muted
            if isinstance(one, Stroke):
                _line(painter, one, QColor(colour), QColor(theme.accent_soft))
            else:
                font = QApplication.font()
                font.setPointSizeF(font.pointSizeF() * 0.92 / scale)
                font.setBold(is_asked)
                painter.setFont(font)
                painter.setPen(QColor(colour))
                words = one.text or labels.get(one.field, "")
                wide = QFontMetricsF(font).horizontalAdvance(words)
                left = one.at[0] - wide if one.right else one.at[0]
                painter.drawText(QPointF(max(2.0, min(left, SIZE[0] - wide - 2.0)), one.at[1]), words)  # fmt: skip
    return image


def _line(painter: QPainter, one: Stroke, colour: QColor, soft: QColor) -> None:
    pen = QPen(colour, one.width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    if one.dashed:
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    points = [QPointF(*at) for at in one.points]
    if one.filled:
        painter.setBrush(QBrush(soft))
        painter.drawPolygon(QPolygonF(points))
    else:
        painter.drawPolyline(points)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if one.arrow and len(points) > 1:
        tip, before = points[-1], points[-2]
        turn = math.atan2(tip.y() - before.y(), tip.x() - before.x())
        wings = [
            QPointF(tip.x() - _HEAD * math.cos(turn + by), tip.y() - _HEAD * math.sin(turn + by))
            for by in (0.45, -0.45)
        ]
        painter.setBrush(colour)
        painter.setPen(QPen(colour, 1.0))
        painter.drawPolygon(QPolygonF([tip, *wings]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
