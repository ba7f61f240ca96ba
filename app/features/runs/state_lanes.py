"""Coloured lanes below the timeline: in which state each connector was when."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app.features.runs.time_bar import EDGE
from app.guard import guard
from app.kept import Kept
from app.look import LIGHT, Theme, mix_hex, read_on
from app.study.lanes import STATES, Lane, Span, State
from solver.base.words import tr

_ROW, _THICK, _PAD = 15.0, 12.0, 3.0
MOST, FEW, LOW = 4, 2, 720
"""Lanes that are seen at once, and in a window less high than this (px); others are reached by scrolling."""


def colour_of(state: State, theme: Theme) -> str:
    """Give the colour of a state; what each says is written in it, too, where there is room."""
    return {
        "free": mix_hex(theme.panel, theme.good, 0.45),
        "held": mix_hex(theme.panel, theme.muted, 0.55),
        "partly": mix_hex(theme.panel, theme.muted, 0.3),
        "sliding": mix_hex(theme.panel, theme.warning, 0.55),
        "breaking": mix_hex(theme.panel, theme.error, 0.55),
        "broken": theme.error,
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
        self._kept = Kept(self)
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
        """Give the height of so many lanes (px)."""
        return int(_ROW * count) + 2

    @staticmethod
    def told(lane: Lane) -> str:
        """Say a lane in words: 'Knee: fixed to 12 ms, breaking to 20 ms, broken'."""
        said = [
            tr("{state} to {ms:.1f} ms", state=one.words, ms=1e3 * one.end) for one in lane.spans[:-1]
        ]  # fmt: skip
        return f"{lane.name}: {', '.join([*said, lane.spans[-1].words])}"

    @guard
    def sizeHint(self) -> QSize:
        """Ask for room for all lanes."""
        return QSize(400, self.room(len(self.lanes)))

    def x_of(self, t: float) -> float:
        """Give the place of an instant, as the line above has it."""
        room = self.across() - 2.0 * EDGE
        return EDGE + room * (t / self.end if self.end > 0.0 else 0.0)

    def span_at(self, at: QPointF) -> tuple[Lane, Span] | None:
        """Give the lane and the span under the mouse."""
        row = int(at.y() // _ROW)
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
            top = _ROW * row + 1.0
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
