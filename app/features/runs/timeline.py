"""The timeline below the scene: play, scrub, speed, and marks of what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.command import Command
from app.features.runs.time_bar import FEW, LOW, MOST, StateLanes, TimeBar
from app.guard import guard
from app.icons import icon
from app.look import LIGHT, Theme
from app.run_view.lanes import Lane
from app.run_view.marks import Mark
from app.run_view.player import SPEEDS
from app.widgets.still import Still
from app.workbench import Workbench
from solver.base.words import msgid, tr

_LOOP = msgid("Begin again at the end")

_LEAST_PX, _ROOMY_PX = 360, 400
"""The least width, and from which on there is room for all buttons."""


class Timeline(QWidget):
    """Join the buttons, the bar and the read-out to a player; without a run, say how to get one."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        player, commands = bench.run_view.player, bench.commands
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.player, self._view, self._theme = player, bench.viewport, LIGHT
        self.reads = False
        """Whether runs of the project are being read."""
        self.play = _button(player.toggle, commands.find("run.play"))
        self.back = _button(lambda: player.step(-1), commands.find("run.back"))
        self.ahead = _button(lambda: player.step(1), commands.find("run.ahead"))
        self.loop = _button()
        self.loop.setToolTip(tr(_LOOP))
        self.loop.setAccessibleName(tr(_LOOP))
        self.loop.setCheckable(True)
        self.loop.setChecked(player.loops)
        self.loop.toggled.connect(player.set_loops)
        self.bar = TimeBar()
        self.bar.asked.connect(self._scrub)
        self.chosen = self.bar.chosen
        self.lanes = StateLanes()
        self.lanes.across = self.bar.width
        self.lanes.asked.connect(self._scrub)
        self.lanes.chosen.connect(self.chosen)
        self._lane_room = QScrollArea()
        self._lane_room.setFrameShape(QFrame.Shape.NoFrame)
        self._lane_room.setWidgetResizable(True)
        self._lane_room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lane_room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lane_room.setWidget(self.lanes)
        self._lane_room.viewport().setAutoFillBackground(False)
        self.lanes.setAutoFillBackground(False)
        self._lane_room.setVisible(False)
        self.readout = QLabel()
        self.readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._still = Still(self.readout)
        self._still.setMinimumWidth(72)
        self.speed = QComboBox()
        self.speed.setToolTip(tr("How fast time runs"))
        self.speed.setAccessibleName(tr("Playback speed"))
        for speed in SPEEDS:
            words = tr(texts.words.REAL_TIME) if speed == 1.0 else f"× {speed:g}"
            self.speed.addItem(words, speed)
        self.speed.setCurrentIndex(SPEEDS.index(player.speed))
        self.speed.currentIndexChanged.connect(lambda i: player.set_speed(SPEEDS[i]))
        self.setMinimumWidth(_LEAST_PX)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 2, 8, 2)
        layout.setSpacing(6)
        # one above the other, so that the line of time has the width
        hands, steps, pace = QVBoxLayout(), QHBoxLayout(), QHBoxLayout()
        hands.setSpacing(4)
        for row, widgets in (
            (steps, (self.back, self.play, self.ahead)),
            (pace, (self.speed, self.loop)),
        ):
            row.setSpacing(4)
            for widget in widgets:
                row.addWidget(widget)
            hands.addLayout(row)
        hands.addStretch(1)
        layout.addLayout(hands)
        course = QVBoxLayout()
        course.setSpacing(0)
        course.addWidget(self.bar)
        course.addWidget(self._lane_room)
        layout.addLayout(course, 1)
        layout.addWidget(self._still, 0, Qt.AlignmentFlag.AlignTop)
        player.moved.connect(self._on_moved)
        player.changed.connect(self._on_changed)
        self.show_nothing()

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what keys do as well where there is little room."""
        super().resizeEvent(event)
        self.loop.setVisible(self.width() >= _ROOMY_PX)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = self.bar.theme = self.lanes.theme = theme
        for button, name in (
            (self.back, "step_back"),
            (self.ahead, "step_on"),
            (self.loop, "loop"),
        ):
            button.setIcon(icon(name, theme.text))
        self._on_changed()
        self.bar.update()
        self.lanes.update()

    def show_nothing(self, begins: bool = False) -> None:
        """Show that there is no run yet."""
        waits = tr("Reading the stored run …") if self.reads else tr(texts.words.NO_RUN_YET)
        self.bar.without = tr("The run begins …") if begins else waits
        self._enable(False)
        self._still.say("")
        self.bar.show_run(0.0, 0.0, ())
        self._show_lanes((), 0.0)

    def show_run(
        self, duration: float, solved: float, marks: Sequence[Mark], lanes: Sequence[Lane] = ()
    ) -> None:
        """Show the length of a run, how far it is solved, its marks, and the states of its connectors."""
        self._show_lanes(lanes, duration)
        self._enable(True)
        self.bar.show_run(duration, solved, marks)
        self._on_moved(self.player.time)

    def _show_lanes(self, lanes: Sequence[Lane], duration: float) -> None:
        self.lanes.show_lanes(lanes, duration)
        self._lane_room.setVisible(bool(lanes))
        most = FEW if self.window().height() < LOW else MOST
        self._lane_room.setFixedHeight(self.lanes.room(min(len(lanes), most)))

    def _enable(self, on: bool) -> None:
        for widget in (self.back, self.play, self.ahead, self.bar, self.speed, self.loop):
            widget.setEnabled(on)
        cursor = Qt.CursorShape.PointingHandCursor if on else Qt.CursorShape.ArrowCursor
        self.bar.setCursor(cursor)

    def _scrub(self, t: float) -> None:
        self.player.pause()
        self.player.go(t)

    def _on_moved(self, t: float) -> None:
        self.bar.go(t)
        # of the picture that is seen with it
        seen = self._view.instant_coming(t) if self.player.is_playing else t
        words = tr(texts.words.INSTANT, ms=1e3 * seen)
        self._still.say(words if self.bar.end > 0.0 else "")
        self.lanes.time = t
        self.lanes.update()

    def _on_changed(self) -> None:
        name = "pause" if self.player.is_playing else "play"
        self.play.setIcon(icon(name, self._theme.text))
        index = SPEEDS.index(self.player.speed) if self.player.speed in SPEEDS else 0
        self.speed.setCurrentIndex(index)
        self.loop.setChecked(self.player.loops)
        self._on_moved(self.player.time)


def _button(do: Callable[[], object] | None = None, command: Command | None = None) -> QToolButton:
    """Make a button that does the same as a command, with its words."""
    button = QToolButton()
    if command is not None:
        button.setToolTip(command.full_tip)
        button.setAccessibleName(command.plain)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setFixedWidth(34)
    if do is not None:
        button.clicked.connect(do)
    return button
