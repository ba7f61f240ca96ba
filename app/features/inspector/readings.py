"""Results of the selected element beside its parameters: values at the instant shown, each with its course."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from app import texts
from app.curves.curves import Curve, Wanted, curve, number, numbers
from app.curves.offers import Reading, readings
from app.fonts import Shortened
from app.guard import guard
from app.look import LIGHT, LINES, Theme
from app.run_view.run_view import RunView
from app.widgets.carrying import QUANTITY, Handle
from app.with_properties import with_properties
from solver.base.units import pretty
from solver.base.words import tr
from solver.results import ResultsError

_LABEL, _SPARK_PX, _PAD = 0.38, 34, 8
"""Part of the width for the name, least width of a course that is drawn, and room around."""
_POINTS = 240
"""So many points of a course are drawn."""
_LOOKS = 6
"""While a run goes on, every so many looks fetch the courses again."""


class ReadingRow(QWidget):
    """Show one row; a click or Enter draws its curves in the plots, a drag carries them there."""

    asked = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.theme = LIGHT
        self.words = ""
        self.names: tuple[str, ...] = ()
        self.curves: Sequence[Curve] = ()
        self.time = 0.0
        self._course: QPixmap | None = None
        self._widest = 0.0
        Handle(self, lambda: self.names, QUANTITY)

    @guard
    def sizeHint(self) -> QSize:
        """Ask for a line of text."""
        return QSize(200, self.fontMetrics().height() + _PAD)

    def show_row(self, reading: Reading, curves: Sequence[Curve]) -> None:
        """Show another row."""
        self.words, self.names, self.curves = reading.words, reading.names, curves
        self._course, self._widest = None, 0.0
        self.setAccessibleName(reading.words)
        peaks = (tr("peak {value} at {ms:.1f} ms", value=number(peak), ms=when) for peak, when in (one.peak() for one in curves))  # fmt: skip
        lines = [f"{one.label}: {peak} " for one, peak in zip(curves, peaks, strict=True)]
        self.setToolTip("\n".join([*lines, tr("A click draws it in the plots; it can be dragged into one.")]))  # fmt: skip
        self.show_instant(self.time)

    def show_instant(self, t: float) -> None:
        """Show the values at an instant (s)."""
        self.time = t
        self.setAccessibleDescription(self.value)
        self.update()

    @property
    def value(self) -> str:
        """Write the values with their unit."""
        if not self.curves:
            return ""
        return f"{numbers(self.curves, self.time)} {pretty(self.curves[0].unit)}".rstrip()

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Write the name and the values, and draw the course with the instant between them."""
        painter = QPainter(self)
        theme, width = self.theme, self.width()
        if self.underMouse() or self.hasFocus():
            painter.fillRect(self.rect(), QColor(theme.accent_soft))
        metrics = QFontMetricsF(self.font())
        value = self.value
        # the widest so far: what stands before it shall not jump while time runs
        value_px = self._widest = max(self._widest, metrics.horizontalAdvance(value) + 2.0)
        label_px = max(0.0, min(_LABEL * width, width - value_px - _PAD))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.muted))
        shown = metrics.elidedText(self.words, Qt.TextElideMode.ElideRight, label_px)
        painter.drawText(QRectF(0, 0, label_px, self.height()), middle, shown)
        painter.setPen(QColor(theme.text))
        box = QRectF(width - value_px, 0, value_px, self.height())
        painter.drawText(box, middle | Qt.AlignmentFlag.AlignRight, value)
        room = QRectF(label_px + _PAD, 3, width - value_px - label_px - 2 * _PAD, self.height() - 6)
        if room.width() >= _SPARK_PX and self.curves:
            self._draw_course(painter, room)

    def _draw_course(self, painter: QPainter, room: QRectF) -> None:
        """Draw the course, kept as a picture while its room stays, and where the instant is."""
        ratio = self.devicePixelRatioF()
        size = QSize(int(room.width()), int(room.height()))
        if self._course is None or self._course.deviceIndependentSize().toSize() != size:
            self._course = QPixmap(size * ratio)
            self._course.setDevicePixelRatio(ratio)
            self._course.fill(Qt.GlobalColor.transparent)
            brush = QPainter(self._course)
            brush.setRenderHint(QPainter.RenderHint.Antialiasing)
            for n, one in enumerate(self.curves):
                brush.setPen(QPen(QColor(LINES[n % len(LINES)]), 1.0))
                brush.drawPolyline(_line(one, self.curves, size))
            brush.end()
        painter.drawPixmap(room.topLeft(), self._course)
        end = float(self.curves[0].time_ms[-1]) if len(self.curves[0].time_ms) else 0.0
        if end > 0.0:
            x = room.left() + room.width() * min(max(1e3 * self.time / end, 0.0), 1.0)
            painter.setPen(QPen(QColor(self.theme.accent), 1.0))
            painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the course again."""
        self._course = None
        super().resizeEvent(event)

    @guard
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Draw the curves in the plots."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):  # fmt: skip
            self.asked.emit(list(self.names))

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Draw the curves by Enter or Space; arrows go from row to row."""
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self.asked.emit(list(self.names))
            case Qt.Key.Key_Down:
                self.focusNextChild()
            case Qt.Key.Key_Up:
                self.focusPreviousChild()
            case _:
                super().keyPressEvent(event)

    @guard
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the row."""
        self.menu().popup(event.globalPos())

    def menu(self) -> QMenu:
        """Make the menu of the row: all of it in the plots, or one curve of several."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr(texts.words.DRAW), lambda: self.asked.emit(list(self.names)))
        if len(self.curves) > 1:
            menu.addSeparator()
            for one in self.curves:
                menu.addAction(one.label, partial(self.asked.emit, [one.wanted.name]))
        return menu


def _line(one: Curve, all_: Sequence[Curve], size: QSize) -> QPolygonF:
    """The points (pixels) of a course; courses of one row share their height."""
    finite = [c.value[np.isfinite(c.value)] for c in all_]
    low = min((float(v.min()) for v in finite if len(v)), default=0.0)
    high = max((float(v.max()) for v in finite if len(v)), default=0.0)
    time, value = one.time_ms, one.value
    if len(time) < 2 or not time[-1] > 0.0:
        return QPolygonF()
    step = max(1, len(time) // _POINTS)
    x = time[::step] / time[-1] * (size.width() - 1)
    y = (size.height() - 2) * (1.0 - (value[::step] - low) / ((high - low) or 1.0)) + 1.0
    if high == low:
        y = np.full(len(x), 0.5 * size.height())
    return QPolygonF([QPointF(a, b) for a, b in zip(x, y, strict=True) if np.isfinite(b)])


class Readings(QWidget):
    """Follow what is selected, the run that is shown and its instant; nothing is seen without a run."""

    asked = Signal(list)
    """These quantities shall be drawn in the plots."""
    awaited = Signal(bool)
    """What is seen beside waits for results, or no longer."""

    def __init__(self, run_view: RunView, system: str) -> None:
        super().__init__()
        self.run_view, self._system, self._theme = run_view, system, LIGHT
        self.path = ""
        self._looks = 0
        self._is_late = False
        self._late = QTimer(self, singleShot=True, interval=0)
        self._late.timeout.connect(lambda: self.show_element(self.path))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        self.title = with_properties(
            Shortened(cut=Qt.TextElideMode.ElideMiddle), objectName="section"
        )
        column.addWidget(self.title)
        self._column = column
        self._rows: list[ReadingRow] = []
        self._count = 0
        run_view.run_shown.connect(self._on_run)
        run_view.switched.connect(lambda _: self.show_element(self.path))
        run_view.player.moved.connect(self._on_moved)
        self.hide()

    @property
    def rows(self) -> list[ReadingRow]:
        """The rows that are seen."""
        if self._is_late:
            self.show_element(self.path)
        return self._rows[: self._count]

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for row in self._rows:
            row.theme = theme
            row.update()

    def set_units(self, system: str) -> None:
        """Show values in other units."""
        self._system = system
        self.show_element(self.path)

    def show_soon(self, path: str) -> None:
        """Show the results of an element in the next turn of the event loop, or as soon as anybody asks."""
        self.path = path
        if self.run_view.is_on and "/" in path:
            self._is_late = True
            self.awaited.emit(True)
            self._late.start()
        else:
            self.show_element(path)

    def show_element(self, path: str) -> None:
        """Show the results of an element; of none, or without a run, nothing."""
        self.path = path
        if self._is_late:
            self._is_late = False
            self._late.stop()
            self.awaited.emit(False)
        found = self._fetched() if self.run_view.is_on else []
        while len(self._rows) < len(found):
            row = ReadingRow()
            row.theme = self._theme
            row.asked.connect(self.asked)
            self._rows.append(row)
            self._column.addWidget(row)
        self._count = len(found)
        for row, (reading, curves) in zip(self._rows, found, strict=False):
            row.time = self.run_view.player.time
            row.show_row(reading, curves)
        for n, row in enumerate(self._rows):
            row.setVisible(n < self._count)
        self._show_title()
        self.setVisible(bool(found))

    def _fetched(self) -> list[tuple[Reading, list[Curve]]]:
        record = self.run_view.runs.current
        if record is None or "/" not in self.path:
            return []
        quantities = self.run_view.catalogue.of(record)
        if quantities is None:
            return []
        out = []
        for reading in readings(record.project, quantities.infos, self.path):
            try:
                curves = [curve(record.project, quantities, Wanted(n), self._system) for n in reading.names]  # fmt: skip
            except ResultsError:
                # a file that lost a table says so where its curves are asked for
                continue
            if reading.may_be_unused and not any(np.any(one.value) for one in curves):
                continue
            out.append((reading, curves))
        return out

    def _on_run(self) -> None:
        record = self.run_view.runs.current
        self._looks += 1
        if record is not None and record.is_running and self._looks % _LOOKS:
            return
        self.show_element(self.path)

    def _on_moved(self, t: float) -> None:
        if self.isVisible():
            self._show_title()
            for row in self.rows:
                row.show_instant(t)

    def _show_title(self) -> None:
        record = self.run_view.runs.current
        name = "" if record is None else record.name
        self.title.say(tr("Results of {run} at {ms:.1f} ms", run=name, ms=1e3 * self.run_view.player.time))  # fmt: skip
