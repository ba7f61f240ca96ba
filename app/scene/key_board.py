"""Paint the key of a run over the scene, and words at places in it."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPolygonF

from app.kept import Kept
from app.scene.key import Key, Tag
from app.scene.key_sheet import WIDTH, Area, Ramp, Sheet, Words, flat_sheet, sheet, tag_boxes
from app.scene.lens import Lens
from app.scene.tool import Tool
from app.scene.viewport import Viewport

_LEFT, _ABOVE_AXES, _LINE = 16.0, 96.0, 18.0
_VEIL = 214
_NARROW_PX = 480
_MOST = 0.22
"""A key that would cover more of the view is left out: what it explains would not be seen."""
_BELOW_PLATE = (12.0, 46.0)
_PAD = (7.0, 3.0)
"""Room about words at a place."""
_ROOM = QRect(0, 0, 4000, 4000)
"""In which words at a place are measured."""


class KeyBoard(Tool):
    """Show what colours and arrows mean: above the axes, or at the top of a narrow view."""

    def __init__(self, view: Viewport) -> None:
        self._view = view
        self.only_tags = False
        """Whether the key itself stands elsewhere."""
        self._says: object = None
        self._made = Sheet((), 0.0, 0.0)
        self._kept = Kept(view)

    def paint(self, painter: QPainter) -> None:
        """Paint the key, and the words at their places."""
        lens, picture = self._view.lens, self._view.picture
        if lens is None or picture is None:
            return
        key = picture.key
        self._tags(painter, lens, key)
        if not self.only_tags:
            self._sheet(painter, key)

    def _sheet(self, painter: QPainter, key: Key) -> None:
        view = self._view
        is_narrow = view.width() < _NARROW_PX
        says = (key.scales, key.signs, key.note, is_narrow)
        if says != self._says:
            self._says, self._made = says, flat_sheet(key) if is_narrow else sheet(key)
        made = self._made
        if not made.parts or made.width * made.height > _MOST * view.width() * view.height():
            return
        above = max(8.0, view.height() - _ABOVE_AXES - made.height)
        left, top = _BELOW_PLATE if is_narrow else (_LEFT, above)
        area = QRectF(left, top, made.width, made.height).toAlignedRect()
        self._kept.paint(painter, (says, view.theme), partial(self._paint_sheet, area), area)

    def _paint_sheet(self, area: QRect, painter: QPainter) -> None:
        made, theme = self._made, self._view.theme
        painter.translate(area.topLeft())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._veil(painter, QRectF(0.0, 0.0, made.width, made.height), 6.0)
        for part in made.parts:
            if isinstance(part, Words):
                painter.setPen(QColor(theme.muted if part.muted else theme.text))
                box = QRectF(part.x - (WIDTH if part.from_right else 0.0), part.y, WIDTH, _LINE)
                side = (
                    Qt.AlignmentFlag.AlignRight if part.from_right else Qt.AlignmentFlag.AlignLeft
                )
                painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, part.text)
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            if isinstance(part, Area):
                painter.setBrush(QColor(part.tone))
                painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in part.corners]))
            else:
                self._ramp(painter, part)

    def _ramp(self, painter: QPainter, ramp: Ramp) -> None:
        colours = QLinearGradient(ramp.x, 0.0, ramp.x + ramp.width, 0.0)
        for place, tone in zip(np.linspace(0.0, 1.0, len(ramp.tones)), ramp.tones, strict=True):
            colours.setColorAt(float(place), QColor(tone))
        painter.setPen(QColor(self._view.theme.line))
        painter.setBrush(colours)
        painter.drawRoundedRect(QRectF(ramp.x, ramp.y, ramp.width, ramp.height), 2.0, 2.0)

    def _tags(self, painter: QPainter, lens: Lens, key: Key) -> None:
        metrics = painter.fontMetrics()

        def size(tag: Tag) -> tuple[float, float]:
            words = metrics.boundingRect(_ROOM, _side(tag), tag.words)
            return words.width() + 2.0 * _PAD[0], words.height() + 2.0 * _PAD[1]

        for tag, (left, top, width, height) in tag_boxes(key.tags, lens, size):
            box = QRectF(left, top, width, height)
            self._veil(painter, box, 4.0)
            painter.setPen(QColor(self._view.theme.text))
            inside = box.adjusted(_PAD[0], _PAD[1], -_PAD[0], -_PAD[1])
            painter.drawText(inside, _side(tag), tag.words)

    def _veil(self, painter: QPainter, box: QRectF, round_: float) -> None:
        fill = QColor(self._view.theme.raised)
        fill.setAlpha(_VEIL)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(box, round_, round_)


def _side(tag: Tag) -> int:
    """Give how the words of a tag stand in their box."""
    flags = Qt.AlignmentFlag.AlignLeft if tag.other else Qt.AlignmentFlag.AlignHCenter
    return int(flags | Qt.AlignmentFlag.AlignVCenter)
