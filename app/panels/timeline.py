"""The timeline below the scene: play, scrub, speed, and marks of what happened."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QToolButton, QToolTip, QWidget

from app import texts
from app.look import LIGHT, Theme
from app.study.marks import Mark
from app.study.player import SPEEDS, Player
from app.told import told

_EDGE, _BAR_Y, _WORDS = 10.0, 12.0, 150.0


class Bar(QWidget):
    """Show the whole run as a line, the instant as a knob, marks below it; a drag scrubs."""

    asked = Signal(float)
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(160, 46)
        self.setMouseTracking(True)
        self.setAccessibleName(texts.panels.TIMELINE)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.theme = LIGHT
        self.time, self.end, self.solved = 0.0, 0.0, 0.0
        self.marks: list[Mark] = []

    @told
    def sizeHint(self) -> QSize:
        """Ask for room for the line and one row of words."""
        return QSize(400, 46)

    def x_of(self, t: float) -> float:
        """Give the place of an instant."""
        room = self.width() - 2.0 * _EDGE
        return _EDGE + room * (t / self.end if self.end > 0.0 else 0.0)

    def _t_of(self, x: float) -> float:
        room = max(self.width() - 2.0 * _EDGE, 1.0)
        return min(max((x - _EDGE) / room, 0.0), 1.0) * self.end

    def mark_at(self, at: QPointF) -> Mark | None:
        """Give the mark under the mouse."""
        for mark in self.marks:
            x = self.x_of(mark.time)
            if at.y() > _BAR_Y + 3.0 and abs(at.x() - x) < 5.0:
                return mark
        return None

    @told
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the instant, or to the mark."""
        mark = self.mark_at(event.position())
        self.asked.emit(mark.time if mark else self._t_of(event.position().x()))
        if mark is not None and mark.element:
            self.chosen.emit(mark.element)

    @told
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub while a button is held."""
        if event.buttons():
            self.asked.emit(self._t_of(event.position().x()))

    @told
    def event(self, event: QEvent) -> bool:
        """Name the mark under the mouse."""
        if isinstance(event, QHelpEvent):
            mark = self.mark_at(QPointF(event.pos()))
            words = f"{mark.words}, {1e3 * mark.time:.1f} ms" if mark else ""
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    @told
    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw line, spans, marks with as many words as have room, and the knob."""
        t = self.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(t.line))
            painter.drawRoundedRect(
                QRectF(_EDGE, _BAR_Y - 2.0, self.width() - 2 * _EDGE, 4.0), 2.0, 2.0
            )
            if self.end <= 0.0:
                return
            painter.setBrush(QColor(t.muted))
            until = self.x_of(min(self.solved, self.end))
            painter.drawRoundedRect(QRectF(_EDGE, _BAR_Y - 2.0, until - _EDGE, 4.0), 2.0, 2.0)
            for mark in self.marks:
                if mark.until is not None:
                    painter.setBrush(QColor(t.warning))
                    x = self.x_of(mark.time)
                    width = max(2.0, self.x_of(mark.until) - x)
                    painter.drawRect(QRectF(x, _BAR_Y - 4.0, width, 8.0))
            self._paint_marks(painter)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(t.panel), 2.0))
            painter.setBrush(QColor(t.accent))
            painter.drawEllipse(QPointF(self.x_of(self.time), _BAR_Y), 7.0, 7.0)

    def _paint_marks(self, painter: QPainter) -> None:
        t, metrics, free = self.theme, QFontMetricsF(self.font()), -1e9
        colours = {"touch": t.muted, "bag": t.accent, "belt": t.text, "injury": t.warning}
        for mark in self.marks:
            x = self.x_of(mark.time)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours[mark.kind]))
            top = _BAR_Y + 6.0
            painter.drawPolygon(
                QPolygonF([QPointF(x, top), QPointF(x + 4, top + 6), QPointF(x - 4, top + 6)])
            )
            words = metrics.elidedText(mark.words, Qt.TextElideMode.ElideRight, _WORDS)
            width = metrics.horizontalAdvance(words)
            left = max(2.0, min(x - 4.0, self.width() - width))
            if left > free:
                painter.setPen(QColor(t.muted))
                painter.drawText(QPointF(left, top + 18.0), words)
                free = left + width + 10.0


class Timeline(QWidget):
    """Join the buttons, the bar and the read-out to a player."""

    chosen = Signal(str)

    def __init__(self, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.player = player
        self.play = _button("▶", texts.panels.PLAY, player.toggle)
        self.back = _button("◂", texts.panels.FRAME_BACK, lambda: player.step(-1))
        self.ahead = _button("▸", texts.panels.FRAME_ON, lambda: player.step(1))
        self.loop = _button("↻", texts.panels.LOOP, lambda: None)
        self.loop.setCheckable(True)
        self.loop.setChecked(player.loops)
        self.loop.toggled.connect(player.set_loops)
        self.bar = Bar()
        self.bar.asked.connect(self._scrub)
        self.bar.chosen.connect(self.chosen)
        self.readout = QLabel(texts.panels.AT_START)
        self.readout.setMinimumWidth(76)
        self.readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.speed = QComboBox()
        self.speed.setToolTip(texts.panels.SPEED_TIP)
        self.speed.setAccessibleName(texts.panels.SPEED)
        for speed in SPEEDS:
            self.speed.addItem(texts.panels.REAL_TIME if speed == 1.0 else f"× {speed:g}", speed)
        self.speed.setCurrentIndex(SPEEDS.index(player.speed))
        self.speed.currentIndexChanged.connect(lambda i: player.set_speed(SPEEDS[i]))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 2, 8, 2)
        layout.setSpacing(4)
        for widget in (self.back, self.play, self.ahead):
            layout.addWidget(widget)
        layout.addWidget(self.bar, 1)
        for widget in (self.readout, self.speed, self.loop):
            layout.addWidget(widget)
        player.moved.connect(self._on_moved)
        player.changed.connect(self._on_changed)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.bar.theme = theme
        self.bar.update()

    def show_run(self, duration: float, solved: float, marks: Sequence[Mark]) -> None:
        """Show the length of a run, how far it is solved, and its marks."""
        self.bar.end, self.bar.solved, self.bar.marks = duration, solved, list(marks)
        self.bar.update()

    def _scrub(self, t: float) -> None:
        self.player.pause()
        self.player.go(t)

    def _on_moved(self, t: float) -> None:
        self.bar.time = t
        self.readout.setText(texts.panels.INSTANT.format(ms=1e3 * t))
        self.bar.update()

    def _on_changed(self) -> None:
        self.play.setText("❚❚" if self.player.is_playing else "▶")
        index = SPEEDS.index(self.player.speed) if self.player.speed in SPEEDS else 0
        self.speed.setCurrentIndex(index)
        self.loop.setChecked(self.player.loops)


def _button(text: str, tip: str, do: object) -> QToolButton:
    button = QToolButton(text=text, toolTip=tip)
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setFixedWidth(34)
    button.clicked.connect(do)
    return button
