"""Say what a tool in the scene can do with mouse, keys and paint."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen

from app.look import Theme
from solver.engine.maths.rotation import Array


class Tool:
    """Take mouse and keys before camera and selection do; each answer tells whether it was taken."""

    is_busy = False
    """Whether it is in the middle of something, so that no names are shown under the mouse."""
    hint = ""
    """What the status line says while the tool is in hand; empty while it is not."""

    def pressed(self, event: QMouseEvent) -> bool:
        """Take a button that goes down; all until its release then belongs to the tool."""
        return False

    def moved(self, event: QMouseEvent) -> bool:
        """Follow the mouse, with the button held or without."""
        return False

    def released(self, event: QMouseEvent) -> None:
        """End what began with the button."""

    def clicked(self, event: QMouseEvent) -> bool:
        """Take a click of the left button that no tool has pressed for, before it selects."""
        return False

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key is the tool's, even where it is a shortcut."""
        return False

    def typed(self, event: QKeyEvent) -> bool:
        """Take a key."""
        return False

    def takes_tab(self, ahead: bool) -> bool:
        """Whether Tab, or Shift+Tab, is its own, instead of going to the next panel."""
        return False

    def entered(self, ahead: bool) -> None:
        """Begin again: the scene got the keyboard by Tab, or by Shift+Tab."""

    def paint(self, painter: QPainter) -> None:
        """Paint over the scene."""

    def options(self) -> list[QRectF]:
        """Where what it paints may stand instead, if it goes where nobody is; the first is the usual one."""
        return []

    def covers(self) -> dict[str, QRectF]:
        """Where it paints over the picture whatever one does, by what stands there."""
        return {}


_FROM_CORNER, _LENGTH, _LETTER = 44.0, 24.0, 33.0
AXES_PX = _FROM_CORNER + _LETTER + 8.0
"""Room that the axes take in the lower left corner."""
LOW_PX = 280
"""In a lower view the key has the place of the axes."""
_VEIL = 0.65
"""How much of what is seen a veil over it covers."""


def paint_axes(
    painter: QPainter, eye: tuple[Array, Array, Array], height: int, theme: Theme
) -> None:
    """Draw x, y and z of the ground in the lower left corner, where there is room; `eye` is right, upright, towards."""
    if height < LOW_PX:
        return
    right, upright, towards = eye
    middle = QPointF(_FROM_CORNER, height - _FROM_CORNER)

    def draw(edge: QColor | None) -> None:
        for i in sorted(range(3), key=lambda k: float(towards[k])):
            way = QPointF(float(right[i]), -float(upright[i]))
            own = QColor(theme.text if towards[i] > -0.3 else theme.muted)
            painter.setPen(QPen(edge or own, 1.6))
            painter.drawLine(middle, middle + way * _LENGTH)
            if way.manhattanLength() > 0.15:
                box = QRectF(0, 0, 16, 16)
                box.moveCenter(middle + way * _LETTER)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "xyz"[i])

    paint_edged(painter, theme, draw)


def paint_edged(painter: QPainter, theme: Theme, draw: Callable[[QColor | None], None]) -> None:
    """Draw over what is bright or dark: first its shadow, in the colour of the ground."""
    edge = QColor(theme.panel)
    edge.setAlpha(_EDGE)
    painter.translate(_AWAY)
    draw(edge)
    painter.translate(-_AWAY)
    draw(None)


_AWAY = QPointF(1.0, 1.0)
_EDGE = 220
"""How much of what lies below an edge covers, of 255."""


def paint_label(painter: QPainter, text: str, at: QPointF, inside: QRect, theme: Theme) -> None:
    """Write a name beside a point, within the widget."""
    box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-8, -4, 8, 4)
    box.moveTopLeft(at + QPointF(14.0, 16.0))
    box.moveRight(min(box.right(), inside.right() - 4.0))
    box.moveBottom(min(box.bottom(), inside.bottom() - 4.0))
    painter.setPen(QColor(theme.line))
    painter.setBrush(QColor(theme.raised))
    painter.drawRoundedRect(box, 5.0, 5.0)
    painter.setPen(QColor(theme.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def paint_coming(painter: QPainter, text: str, inside: QRect, theme: Theme) -> None:
    """Let what is seen pale, and write in its middle what is to take its place."""
    veil = QColor(theme.window)
    veil.setAlphaF(_VEIL)
    painter.fillRect(inside, veil)
    box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-14, -8, 14, 8)
    box.moveCenter(QRectF(inside).center())
    painter.setPen(QColor(theme.line))
    painter.setBrush(QColor(theme.raised))
    painter.drawRoundedRect(box, 6.0, 6.0)
    painter.setPen(QColor(theme.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
