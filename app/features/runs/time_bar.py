"""The line of the timeline: a run from start to end, marks below it, and in which state each connector was when."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QToolTip, QWidget

from app import texts
from app.guard import guard
from app.look import LIGHT, Theme, mix_hex, read_on
from app.paint_cache import PaintCache
from app.run_view.lanes import STATES, Lane, Span, State
from app.run_view.marks import Mark
from solver.base.words import msgid, tr

EDGE, _BAR_Y, _KNOB = 10.0, 12.0, 7.0
_WORDS, _GAP, _ROW, _ROWS = 176.0, 10.0, 15.0, 2
_HEIGHT = 58
_SAME_S = 2e-4
"""Of marks nearer to each other than this one has its words."""
_AT = msgid("{what}, {ms:.1f} ms")


class TimeBar(QAbstractSlider):
    """Show a run as a line; a drag scrubs, a click on a mark goes to it and selects its element.

    For screen readers it is a slider whose value is the instant (ms), and its description tells what happened when.
    """

    asked = Signal(float)
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(160, _HEIGHT)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.theme = LIGHT
        self.time, self.end, self.solved = 0.0, 0.0, 0.0
        self.marks: list[Mark] = []
        self.without = tr(texts.words.NO_RUN_YET)
        """What stands below the line while there is no run."""
        self._kept = PaintCache(self)
        self._is_told = True
        self.valueChanged.connect(self._on_value)

    def show_run(self, end: float, solved: float, marks: Sequence[Mark]) -> None:
        """Show a run of a length, how far it is solved (s), and what happened."""
        self.end, self.solved, self.marks = end, solved, list(marks)
        told = [tr(_AT, what=one.words, ms=1e3 * one.time) for one in self.marks]
        self.setAccessibleDescription("; ".join(told) if end > 0.0 else self.without)
        self._tell(lambda: self.setRange(0, round(1e3 * end)))
        self.update()

    def go(self, t: float) -> None:
        """Put the knob on an instant (s)."""
        self.time = t
        self._tell(lambda: self.setValue(round(1e3 * t)))
        self.update()

    def _tell(self, change: Callable[[], None]) -> None:
        """Tell screen readers alone, who hear of a value by themselves."""
        self._is_told = False
        change()
        self._is_told = True

    def _on_value(self, ms: int) -> None:
        if self._is_told:
            self.asked.emit(1e-3 * ms)

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave keys to the window, which has steps of a frame and of a mark."""
        event.ignore()

    @guard
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what is around."""
        event.ignore()

    @guard
    def sizeHint(self) -> QSize:
        """Ask for room for the line and the rows of words."""
        return QSize(400, _HEIGHT)

    def x_of(self, t: float) -> float:
        """The place of an instant."""
        room = self.width() - 2.0 * EDGE
        return EDGE + room * (t / self.end if self.end > 0.0 else 0.0)

    def _t_of(self, x: float) -> float:
        room = max(self.width() - 2.0 * EDGE, 1.0)
        return min(max((x - EDGE) / room, 0.0), 1.0) * self.end

    def mark_at(self, at: QPointF) -> Mark | None:
        """The mark under the mouse: its arrow, or its words."""
        if at.y() <= _BAR_Y + 3.0:
            return None
        near = [mark for mark in self.marks if abs(at.x() - self.x_of(mark.time)) < 5.0]
        if near and at.y() < _BAR_Y + 14.0:
            return min(near, key=lambda mark: abs(at.x() - self.x_of(mark.time)))
        metrics = QFontMetricsF(self.font())
        for mark, words, place in self.labels(metrics):
            width = metrics.horizontalAdvance(words)
            if QRectF(place.x(), place.y() - _ROW + 3.0, width, _ROW).contains(at):
                return mark
        return None

    def labels(self, metrics: QFontMetricsF) -> list[tuple[Mark, str, QPointF]]:
        """Give the words that have room below the line, each in the first row that is free, and as long as its row lets it be."""
        rows: list[list[tuple[Mark, float, float]]] = [[] for _ in range(_ROWS)]
        for mark in self.marks:
            if any(abs(mark.time - other.time) < _SAME_S for row in rows for other, _, _ in row):
                continue  # the tooltip tells of both
            width = min(metrics.horizontalAdvance(mark.short or mark.words), _WORDS)
            left = max(2.0, min(self.x_of(mark.time) - 4.0, self.width() - width))
            free = next((row for row in rows if not row or left > row[-1][2] + _GAP), None)
            if free is not None:
                free.append((mark, left, left + width))
        found: list[tuple[Mark, str, QPointF]] = []
        for number, row in enumerate(rows):
            start, ends = 2.0, [*(left - _GAP for _, left, _ in row[1:]), float(self.width())]
            for (mark, left, _), end in zip(row, ends, strict=False):
                words = mark.short or mark.words
                words = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, end - start)
                width = metrics.horizontalAdvance(words)
                left = max(start, min(left, end - width))
                found.append((mark, words, QPointF(left, _BAR_Y + 25.0 + _ROW * number)))
                start = left + width + _GAP
        return found

    @guard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the instant, or to the mark."""
        mark = self.mark_at(event.position())
        self.asked.emit(mark.time if mark else self._t_of(event.position().x()))
        if mark is not None and mark.element:
            self.chosen.emit(mark.element)

    @guard
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub while a button is held."""
        if event.buttons():
            self.asked.emit(self._t_of(event.position().x()))

    @guard
    def event(self, event: QEvent) -> bool:
        """Name the mark under the mouse."""
        if isinstance(event, QHelpEvent):
            mark = self.mark_at(QPointF(event.pos()))
            words = tr(_AT, what=mark.words, ms=1e3 * mark.time) if mark else ""
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw what a run has, which stays as it is while it plays, and the knob."""
        t = self.theme
        shows = (tuple(self.marks), self.end, self.solved, t, self.without)
        with QPainter(self) as painter:
            self._kept.paint(painter, shows, self._paint_run)
            if self.end <= 0.0:
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(QColor(t.accent))
            painter.setPen(QPen(QColor(t.panel), 2.0))
            at = QPointF(self.x_of(self.time), _BAR_Y)
            painter.drawEllipse(at, _KNOB, _KNOB)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(t.accent), 1.5))
                painter.drawEllipse(at, _KNOB + 2.5, _KNOB + 2.5)

    def _paint_run(self, painter: QPainter) -> None:
        """Draw line, spans, marks with as many words as have room."""
        t = self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_line(painter, t.line, self.width() - EDGE)
        if self.end <= 0.0:
            painter.setPen(QColor(t.muted))
            room = self.width() - 2 * EDGE
            words = painter.fontMetrics().elidedText(
                self.without, Qt.TextElideMode.ElideRight, int(room)
            )
            painter.drawText(QPointF(EDGE, _BAR_Y + 25.0), words)
            return
        self._paint_line(painter, t.muted, self.x_of(min(self.solved, self.end)))
        self._paint_spans(painter)
        self._paint_marks(painter)

    def _paint_line(self, painter: QPainter, colour: str, until: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(EDGE, _BAR_Y - 2.0, until - EDGE, 4.0), 2.0, 2.0)

    def _paint_spans(self, painter: QPainter) -> None:
        """Draw windows of time, shorter ones stronger, as they lie inside longer ones."""
        spans = [(one.until - one.time, one) for one in self.marks if one.until is not None]
        spans.sort(key=lambda pair: -pair[0])
        for n, (length, mark) in enumerate(spans):
            colour = QColor(self.theme.warning)
            colour.setAlphaF(1.0 if n == len(spans) - 1 else 0.45)
            painter.setBrush(colour)
            x = self.x_of(mark.time)
            width = max(2.0, self.x_of(mark.time + length) - x)
            painter.drawRect(QRectF(x, _BAR_Y - 4.0, width, 8.0))

    def _paint_marks(self, painter: QPainter) -> None:
        t = self.theme
        colours = {
            "touch": t.muted,
            "bag": t.accent,
            "belt": t.text,
            "injury": t.warning,
            "through": t.error,
            "lack": t.error,
            "impact": t.accent,
            "end": t.muted,
            "camera": t.good,
        }
        painter.setPen(Qt.PenStyle.NoPen)
        for mark in self.marks:
            x, top = self.x_of(mark.time), _BAR_Y + 6.0
            painter.setBrush(QColor(colours[mark.kind]))
            painter.drawPolygon(
                QPolygonF([QPointF(x, top), QPointF(x + 4, top + 6), QPointF(x - 4, top + 6)])
            )
        painter.setPen(QColor(t.muted))
        for _, words, place in self.labels(QFontMetricsF(self.font())):
            painter.drawText(place, words)


_LANE, _THICK, _PAD = 15.0, 12.0, 3.0
MOST, FEW, LOW = 4, 2, 720
"""Lanes that are seen at once, and in a window less high than this (px); others are reached by scrolling."""


def colour_of(state: State, theme: Theme) -> str:
    """The colour of a state; what each says is written in it, too, where there is room."""
    return {
        "free": mix_hex(theme.panel, theme.good, 0.45),
        "held": mix_hex(theme.panel, theme.muted, 0.55),
        "partly": mix_hex(theme.panel, theme.muted, 0.3),
        "sliding": mix_hex(theme.panel, theme.warning, 0.55),
        "breaking": mix_hex(theme.panel, theme.error, 0.55),
        "broken": theme.error,
        "sticking": mix_hex(theme.panel, theme.accent, 0.3),
        "rolling": mix_hex(theme.panel, theme.accent, 0.55),
        "apart": mix_hex(theme.panel, theme.line, 0.6),
    }[state]


class StateLanes(QWidget):
    """Draw one lane a connector; a click goes to the instant and selects the connector."""

    asked = Signal(float)
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("States of connectors"))
        self.theme = LIGHT
        self.time, self.end = 0.0, 0.0
        self.lanes: list[Lane] = []
        self.across: Callable[[], int] = self.width
        """How wide the line above is, with which the lanes go: a scroll bar beside them takes nothing of it."""
        self._kept = PaintCache(self)
        self.setVisible(False)

    def show_lanes(self, lanes: Sequence[Lane], end: float) -> None:
        """Show lanes over a run of a length (s); without any take no room."""
        self.lanes, self.end = list(lanes), end
        self.setVisible(bool(self.lanes))
        self.setFixedHeight(self.room(len(self.lanes)))
        self.setAccessibleDescription("; ".join(self.told(lane) for lane in self.lanes))
        self.update()

    @staticmethod
    def room(count: int) -> int:
        """The height of so many lanes (px)."""
        return int(_LANE * count) + 2

    @staticmethod
    def told(lane: Lane) -> str:
        """Say a lane in words: 'Knee: fixed to 12 ms, breaking to 20 ms, broken'."""
        lines = [
            tr("{state} to {ms:.1f} ms", state=one.words, ms=1e3 * one.end) for one in lane.spans[:-1]
        ]  # fmt: skip
        return f"{lane.name}: {', '.join([*lines, lane.spans[-1].words])}"

    @guard
    def sizeHint(self) -> QSize:
        """Ask for room for all lanes."""
        return QSize(400, self.room(len(self.lanes)))

    def x_of(self, t: float) -> float:
        """The place of an instant, as the line above has it."""
        room = self.across() - 2.0 * EDGE
        return EDGE + room * (t / self.end if self.end > 0.0 else 0.0)

    def span_at(self, at: QPointF) -> tuple[Lane, Span] | None:
        """The lane and the span under the mouse."""
        row = int(at.y() // _LANE)
        if not 0 <= row < len(self.lanes):
            return None
        lane = self.lanes[row]
        for span in reversed(lane.spans):
            if at.x() >= self.x_of(span.start) - 1.0:
                return lane, span
        return None

    @guard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the beginning of a state, and select its connector."""
        found = self.span_at(event.position())
        if found is not None:
            self.asked.emit(found[1].start)
            self.chosen.emit(found[0].element)

    @guard
    def event(self, event: QEvent) -> bool:
        """Name the state under the mouse."""
        if isinstance(event, QHelpEvent):
            found = self.span_at(QPointF(event.pos()))
            words = ""
            if found is not None:
                lane, span = found
                words = tr(
                    "{name}: {state}, {start:.1f} to {end:.1f} ms",
                    name=lane.name, state=span.words, start=1e3 * span.start, end=1e3 * span.end,
                )  # fmt: skip
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw all lanes, which stay as they are while a run plays, and the instant."""
        with QPainter(self) as painter:
            self._kept.paint(
                painter, (tuple(self.lanes), self.end, self.theme, self.across()), self._paint_lanes
            )
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.accent), 1.5))
            x = self.x_of(self.time)
            painter.drawLine(QPointF(x, 0.0), QPointF(x, float(self.height())))

    def _paint_lanes(self, painter: QPainter) -> None:
        """Draw all lanes with the words that have room."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = painter.font()
        font.setPixelSize(10)
        painter.setFont(font)
        metrics = painter.fontMetrics()
        for row, lane in enumerate(self.lanes):
            top = _LANE * row + 1.0
            # the name stands where there is most room for it
            widest = max(lane.spans, key=lambda span: span.end - span.start)
            for span in lane.spans:
                left, right = self.x_of(span.start), self.x_of(span.end)
                box = QRectF(left, top, max(right - left, 1.5), _THICK)
                painter.setPen(Qt.PenStyle.NoPen)
                ground = colour_of(span.state, self.theme)
                painter.setBrush(QColor(ground))
                painter.drawRect(box)
                short = tr(STATES[span.state])
                named = (f"{lane.name}: {short}", lane.name) if span is widest else ()
                for words in (*named, short):
                    if metrics.horizontalAdvance(words) + 2 * _PAD < box.width():
                        painter.setPen(QColor(read_on(ground)))
                        inside = box.adjusted(_PAD, 0.0, 0.0, 0.0)
                        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, words)
                        break
