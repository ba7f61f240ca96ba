"""Lines over a plot: what happened when, by name, and a second cursor from which differences are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.curves.curves import Happening
from app.guard import guard
from app.look import Theme

_LETTERS, _LETTER_PX = 26, 6.6
"""So many letters of a name stand at a line at most, and what one takes; all of it stands in the timeline."""
_SHARE, _LEAST_PX = 0.55, 120.0
"""Names take so much of a plot's height at most; lower plots show lines alone."""
_ALPHA = 150
_NEAR_PX = 4.0
_APART_PX = 13.0
"""Lines that are nearer to each other have one name."""


class EventLines(pg.GraphicsObject):  # type: ignore[misc]
    """Draw instants as lines with names along them, as one thing; names that would lie on each other are left out."""

    def __init__(self, view: Any) -> None:
        self._box = view.getPlotItem().vb
        super().__init__(self._box)
        self.shown: tuple[Happening, ...] = ()
        self._tone = QColor()
        self._font = QFont(view.font())
        self.setZValue(-1)
        self._box.sigRangeChanged.connect(lambda *_: self.update())
        self._box.sigResized.connect(lambda *_: self.prepareGeometryChange())

    def show_events(self, events: Sequence[Happening], theme: Theme) -> None:
        """Show other instants; the same ones stay as they are."""
        tone = QColor(theme.muted)
        tone.setAlpha(_ALPHA)
        if (tuple(events), tone) != (self.shown, self._tone):
            self.shown, self._tone = tuple(events), tone
            self.update()

    @guard
    def boundingRect(self) -> QRectF:
        """The whole box of the curves."""
        return QRectF(self._box.rect())

    def named(self) -> list[tuple[Happening, str]]:
        """Give the instants that have a name beside their line, and how it is cut."""
        low, high = self._box.viewRange()[0]
        height, last, out = self._box.height(), -1e9, []
        letters = int(min(_LETTERS, _SHARE * height / _LETTER_PX))
        for event in sorted(self.shown, key=lambda one: one.time_ms):
            at = self._across(event)
            if height < _LEAST_PX or not low <= event.time_ms <= high or at - last < _APART_PX:
                continue
            last, words = at, event.words
            out.append(
                (event, words if len(words) <= letters else f"{words[: letters - 1].rstrip()}…")
            )
        return out

    def _across(self, event: Happening) -> float:
        """How far right an instant stands (pixels)."""
        low, high = self._box.viewRange()[0]
        return float(self._box.width() * (event.time_ms - low) / max(high - low, 1e-12))

    @guard
    def paint(self, painter: QPainter, *_: object) -> None:
        """Draw the lines, and the names from the top down."""
        painter.setPen(QPen(self._tone, 1.0, Qt.PenStyle.DotLine))
        height = self._box.height()
        for event in self.shown:
            x = round(self._across(event)) + 0.5
            if 0.0 <= x <= self._box.width():
                painter.drawLine(QPointF(x, 0.0), QPointF(x, height))
        painter.setFont(self._font)
        painter.setPen(self._tone)
        metrics = QFontMetricsF(self._font)
        for event, words in self.named():
            painter.save()
            painter.translate(self._across(event) + metrics.descent(), 0.02 * height)
            painter.rotate(90.0)
            painter.drawText(QPointF(0.0, 0.0), words)
            painter.restore()

    @guard
    def hoverEvent(self, event: Any) -> None:
        """Tell what happened at the line under the mouse."""
        x = None if event.isExit() else event.pos().x()
        near = (
            []
            if x is None
            else sorted((abs(self._across(e) - x), n) for n, e in enumerate(self.shown))
        )
        found = self.shown[near[0][1]] if near and near[0][0] <= _NEAR_PX else None
        self.setToolTip("" if found is None else f"{found.words}: {found.time_ms:.1f} ms")


class SecondCursor:
    """Show an instant to which differences are counted; a drag moves it."""

    def __init__(self, view: Any, moved: Callable[[float], None]) -> None:
        self.time: float | None = None
        self.line = pg.InfiniteLine(angle=90, movable=True)
        self.line.sigDragged.connect(lambda line: moved(1e-3 * line.value()))
        self.line.hide()
        view.addItem(self.line, ignoreBounds=True)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.line.setPen(pg.mkPen(theme.warning, width=1, style=Qt.PenStyle.DashLine))
        self.line.setHoverPen(pg.mkPen(theme.warning, width=3))

    def put(self, time: float | None) -> None:
        """Put it on an instant (s); None takes it away."""
        self.time = time
        self.line.setVisible(time is not None)
        if time is not None:
            self.line.blockSignals(True)
            self.line.setValue(1e3 * time)
            self.line.blockSignals(False)
