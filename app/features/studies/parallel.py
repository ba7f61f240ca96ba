"""Parallel coordinates: each run a line through all its numbers; a range on an axis brushes runs."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.features.studies.going import Array
from app.features.studies.view import Columns, View, about_run, kept
from app.guard import guard
from app.having import having
from app.look import LIGHT, Theme
from solver.base.words import tr

_EDGE, _TOP, _FOOT = 90.0, 38.0, 22.0
_REACH = 12.0
_FAINT = 40


class _Lines(QWidget):
    """Paint axes and lines; a drag along an axis sets its range, a click on it takes it back."""

    def __init__(self, view: Parallel) -> None:
        super().__init__(view)
        self._view = view
        self.columns: Columns | None = None
        self.theme: Theme = LIGHT
        self.ranges: dict[int, tuple[float, float]] = {}
        """Of brushed axes the two ends, from 0 below to 1 on top."""
        self._held: tuple[int, float] | None = None
        self.places: Array = np.zeros((0, 0))
        self.runs: Array = np.zeros(0, int)
        self.setMinimumSize(240, 120)
        self.setAccessibleName(tr("All numbers of all runs"))
        self.setCursor(Qt.CursorShape.CrossCursor)

    def take(self, columns: Columns, theme: Theme) -> None:
        """Take another table."""
        self.columns, self.theme = columns, theme
        self.runs = np.flatnonzero(columns.seen.shown)
        value = columns.values[self.runs]
        with np.errstate(all="ignore"):
            low, high = (
                (np.nanmin(value, axis=0), np.nanmax(value, axis=0))
                if len(value) else (np.zeros(value.shape[1]), np.ones(value.shape[1]))
            )  # fmt: skip
            width = np.where(high > low, high - low, 1.0)
            self.places = np.where(high > low, (value - low) / width, 0.5)
        self.ends = np.stack([low, high])
        self.ranges = {n: r for n, r in self.ranges.items() if n < len(columns.names)}
        self.update()

    def brushed(self) -> Array:
        """Tell which of the runs lie in all ranges."""
        out = np.ones(len(self.runs), bool)
        for n, (low, high) in self.ranges.items():
            out &= (self.places[:, n] >= low) & (self.places[:, n] <= high)
        return out

    def _x(self, n: int) -> float:
        count = 1 if self.columns is None else max(len(self.columns.names) - 1, 1)
        return _EDGE + n * (self.width() - 2.0 * _EDGE) / count

    def _y(self, place: float) -> float:
        return _TOP + (1.0 - place) * (self.height() - _TOP - _FOOT)

    def _axis_at(self, x: float) -> int:
        """Give the axis near the mouse; -1 for none."""
        if self.columns is None:
            return -1
        off = [abs(self._x(n) - x) for n in range(len(self.columns.names))]
        n = int(np.argmin(off))
        return n if off[n] <= _REACH else -1

    def _place_at(self, y: float) -> float:
        return min(max(1.0 - (y - _TOP) / max(self.height() - _TOP - _FOOT, 1.0), 0.0), 1.0)

    def nearest(self, at: QPointF) -> int:
        """Give the run whose line is nearest to the mouse; -1 where none is near."""
        columns = self.columns
        if columns is None or not len(self.runs):
            return -1
        xs = np.array([self._x(n) for n in range(len(columns.names))])
        n = int(np.clip(np.searchsorted(xs, at.x()) - 1, 0, max(len(xs) - 2, 0)))
        m = min(n + 1, len(xs) - 1)
        part = (at.x() - xs[n]) / (xs[m] - xs[n]) if m > n else 0.0
        place = self.places[:, n] + np.clip(part, 0.0, 1.0) * (
            self.places[:, m] - self.places[:, n]
        )
        off = np.abs(_TOP + (1.0 - place) * (self.height() - _TOP - _FOOT) - at.y())
        off = np.where(self.brushed() & np.isfinite(off), off, np.inf)
        k = int(np.argmin(off))
        return int(self.runs[k]) if off[k] <= _REACH else -1

    @guard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a range, or choose a run."""
        n = self._axis_at(event.position().x())
        if n >= 0:
            self._held = n, self._place_at(event.position().y())
            self.ranges.pop(n, None)
        self._view.chosen = self.nearest(event.position()) if n < 0 else self._view.chosen
        self.update()
        self._view.tell()

    @guard
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the range larger."""
        if self._held is None:
            return
        n, first = self._held
        now = self._place_at(event.position().y())
        if abs(now - first) > 0.01:
            self.ranges[n] = min(first, now), max(first, now)
        self.update()
        self._view.tell()

    @guard
    def mouseReleaseEvent(self, _: QMouseEvent) -> None:
        """End the range."""
        self._held = None

    @guard
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show a run in the scene."""
        run = self.nearest(event.position())
        if run >= 0:
            self._view.run_asked.emit(run)

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint lines that are not brushed faintly, then those that are, then axes with their ends."""
        columns = self.columns
        if columns is None:
            return
        brushed, good = self.brushed(), kept(columns.seen)
        xs = [self._x(n) for n in range(len(columns.names))]
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.panel))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for k in np.argsort(brushed, kind="stable"):
                run = int(self.runs[k])
                tone = QColor(self.theme.accent if good[run] else self.theme.muted)
                chosen = run == self._view.chosen
                if not chosen:
                    tone.setAlpha(150 if brushed[k] and len(self.runs) < 400 else 70 if brushed[k] else _FAINT // 2)  # fmt: skip
                painter.setPen(QPen(tone if not chosen else QColor(self.theme.warning), 3.0 if chosen else 1.2))  # fmt: skip
                points = [QPointF(x, self._y(float(p))) for x, p in zip(xs, self.places[k], strict=True) if np.isfinite(p)]  # fmt: skip
                painter.drawPolyline(QPolygonF(points))
            for n, x in enumerate(xs):
                self._paint_axis(painter, columns, n, x)

    def _paint_axis(self, painter: QPainter, columns: Columns, n: int, x: float) -> None:
        painter.setPen(QPen(QColor(self.theme.text), 1.4))
        painter.drawLine(QPointF(x, self._y(0.0)), QPointF(x, self._y(1.0)))
        if n in self.ranges:
            low, high = self.ranges[n]
            tone = QColor(self.theme.accent)
            tone.setAlpha(90)
            painter.fillRect(
                QRectF(x - 5.0, self._y(high), 10.0, self._y(low) - self._y(high)), tone
            )
        room = (self.width() - 2.0 * _EDGE) / max(len(columns.names) - 1, 1)
        width = min(max(room - 6.0, 40.0), 2.0 * _EDGE)
        words = painter.fontMetrics().elidedText(columns.title(n), Qt.TextElideMode.ElideMiddle, int(width))  # fmt: skip
        middle = Qt.AlignmentFlag.AlignCenter
        painter.drawText(QRectF(x - width / 2, 2.0, width, 16.0), middle, words)
        painter.setPen(QColor(self.theme.muted))
        for end, y in ((1, 19.0), (0, self.height() - _FOOT + 4.0)):
            painter.drawText(QRectF(x - width / 2, y, width, 16.0), middle, columns.written(float(self.ends[end, n]), n))  # fmt: skip


class Parallel(View):
    """Show each run as a line through all its numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = _Lines(self)
        self.words = having(QLabel(), objectName="muted")
        self.words.setContentsMargins(8, 0, 8, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.lines, 1)
        layout.addWidget(self.words)

    def draw(self) -> None:
        """Paint the lines."""
        if self.seen is not None:
            self.lines.take(Columns(self.seen, self.units), self.theme)
            self.tell()

    def tell(self) -> None:
        """Say how many runs are brushed, and what the chosen one is."""
        lines = self.lines
        words = tr("{count} of {all} runs lie in all ranges. Drag along an axis to set one, click it to take it back, double-click a line to see the run.",
                   count=int(lines.brushed().sum()), all=len(lines.runs))  # fmt: skip
        self.words.setText(words)
        if lines.columns is not None and self.chosen >= 0:
            self.lines.setToolTip(about_run(lines.columns, self.chosen))
