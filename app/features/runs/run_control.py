"""The corner from which a run is started, watched and stopped, its commands, and what is seen beside a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QMenuBar,
    QProgressBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from app.command import Command
from app.guard import guard
from app.jobs.compiling import COMPILING
from app.panel import MOODS
from app.run_view.record import RunRecord
from app.scene.viewport import Viewport
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr

_HOLD = msgid("Hold")
_MOODS = {
    "build": (msgid("Build"), "run.model"),
    "run": (msgid("&Run"), "run.vary_it"),
    "understand": (msgid("Understand"), "run.study"),
}
"""The moods of the window: the words on their buttons, and their commands."""

_LONG_S = 3600.0
"""Time left (s) from which on a run is said to hardly go on."""


class RunControl(QWidget):
    """Offer the three moods, Run, and while it runs: progress, Hold and Cancel."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        run_view, live, tip_of = bench.run_view, bench.live, bench.tip_of
        self.run_view, self._width = run_view, 0
        self.moods = {
            mood: _mood(tr(words).replace("&", ""), tip_of(command))
            for mood, (words, command) in _MOODS.items()
        }
        for mood, button in self.moods.items():
            button.clicked.connect(partial(self._on_mood, bench, _MOODS[mood][1]))
        bench.mood_changed.connect(self._show_mood)
        self._show_mood(MOODS[0])
        self.progress = QProgressBar(textVisible=True, maximum=1000)
        self.progress.setFixedSize(190, 24)
        self.progress.setAccessibleName(tr("Progress of the run"))
        self.hold = with_properties(
            QPushButton(tr(_HOLD)), objectName="small", toolTip=tip_of("run.hold")
        )
        self.cancel = with_properties(
            QPushButton(tr("Cancel")), objectName="small", toolTip=tip_of("run.cancel")
        )
        self.live = with_properties(QPushButton(tr("Live")), objectName="small", checkable=True)
        self.live.setToolTip(tip_of("run.live"))
        self.which = with_properties(QComboBox(), toolTip=tr("Which of the model's runs is solved"))
        self.which.setAccessibleName(tr("Which run"))
        self.run = with_properties(QPushButton(tr("▶  Run")), objectName="run")
        self.run.setToolTip(tip_of("run.run"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 2, 8, 2)
        layout.setSpacing(0)
        self.moods["build"].setProperty("place", "first")
        self.moods["understand"].setProperty("place", "last")
        for button in self.moods.values():
            layout.addWidget(button)
        layout.addSpacing(12)
        layout.addWidget(self.live)
        layout.addSpacing(6)
        for widget in (self.progress, self.hold, self.cancel, self.which, self.run):
            layout.addWidget(widget)
            layout.addSpacing(0 if widget is self.run else 6)
        self.run.clicked.connect(run_view.run)
        self.which.activated.connect(self._on_which)
        run_view.document.opened.connect(self._list_runs)
        run_view.document.changed.connect(lambda _: self._list_runs())
        self.live.toggled.connect(live.switch)
        live.switched.connect(self.live.setChecked)
        self.cancel.clicked.connect(run_view.cancel)
        self.hold.clicked.connect(self._on_hold)
        run_view.runs.changed.connect(lambda _: self.refresh())
        run_view.runs.listed.connect(self.refresh)
        run_view.run_shown.connect(self.refresh)
        self.refresh()

    def _on_mood(self, bench: Workbench, command: str) -> None:
        bench.commands.run(command)
        self._show_mood(bench.panels.mood)

    def _show_mood(self, mood: str) -> None:
        # no group of buttons: Qt would let Tab go to one of them alone
        for name, button in self.moods.items():
            button.setChecked(name == mood)

    def refresh(self) -> None:
        """Show what can be done now."""
        running = self.run_view.runs.running()
        at_work = running is not None and running.is_running
        for widget in (self.progress, self.hold, self.cancel):
            widget.setVisible(at_work)
        self.run.setVisible(not at_work)
        self.which.setVisible(not at_work and self.which.count() > 1)
        if at_work and running is not None:
            self._show_progress(running)
        self._make_room()

    def _make_room(self) -> None:
        """Let the menu bar give its corner the width that it needs now."""
        bar, wanted = self.parentWidget(), self.sizeHint().width()
        if isinstance(bar, QMenuBar) and wanted != self._width:
            self._width = wanted
            QApplication.sendEvent(bar, QResizeEvent(bar.size(), bar.size()))

    def _list_runs(self) -> None:
        """Offer the runs of the model where there are several."""
        self.which.clear()
        for run in self.run_view.document.project.runs:
            self.which.addItem(run.name or run.id, run.id)
        self.which.setCurrentIndex(max(0, self.which.findData(self.run_view.chosen_run())))
        self.refresh()

    def _on_which(self) -> None:
        self.run_view.wanted_run = self.which.currentData()

    def _show_progress(self, record: RunRecord) -> None:
        solving = record.solving
        assert solving is not None
        # else each value is painted at once, and with it all that waits to be painted
        self.progress.setUpdatesEnabled(False)
        tip = ""
        if solving.fraction == 0.0 and solving.compiling is not None:
            done, of = solving.compiling
            self.progress.setFormat(tr(COMPILING, part=min(done + 1, of), of=of))
            tip = tr(
                "What this model needs of the solver is compiled for this machine, and kept. The rest follows."
            )
        elif solving.stage == "preparing":
            self.progress.setFormat(tr("Preparing …"))
        else:
            reached, whole = 1e3 * solving.fraction * record.duration_s, 1e3 * record.duration_s
            words, tip = pace(solving.left_s, reached, whole)
            self.progress.setFormat(words)
        self.progress.setValue(round(1000 * solving.fraction))
        self.progress.setUpdatesEnabled(True)
        self.progress.setToolTip(tip)
        self.hold.setText(tr("Go on") if solving.is_paused else tr(_HOLD))

    def _on_hold(self) -> None:
        self.run_view.toggle_pause()
        self.refresh()


def _mood(text: str, tip: str) -> QPushButton:
    button = with_properties(QPushButton(text), objectName="mood", checkable=True, toolTip=tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def pace(left: float | None, reached: float, whole: float) -> tuple[str, str]:
    """Say how far a run is (ms), with the time that is left (s); and more where it hardly goes on."""
    if left is None or left < 1.0:
        return tr("{reached:.0f} of {whole:.0f} ms", reached=reached, whole=whole), ""
    if left < _LONG_S:
        words = tr("{reached:.0f} of {whole:.0f} ms, {left:.0f} s left", reached=reached, whole=whole, left=left)  # fmt: skip
        return words, ""
    words = tr("{reached:.2f} ms: hardly goes on", reached=reached)
    return words, tr("Its steps have become very short. Cancel keeps what there is; the log then says what it found.")  # fmt: skip


def solving(
    bench: Workbench, save: Callable[[RunRecord | None], object], compare: Callable[[], object]
) -> tuple[Command, ...]:
    """The commands."""
    run_view, live = bench.run_view, bench.live

    def is_running() -> bool:
        return bench.has_project() and run_view.runs.running() is not None

    def may_go_on() -> bool:
        record = run_view.runs.current
        return bench.has_project() and record is not None and record.has_ended

    def plays() -> bool:
        return bench.has_project() and run_view.replay is not None

    def may_compare() -> bool:
        ended = [record for record in run_view.runs.records if record.has_ended]
        return bench.has_project() and len(ended) > 1

    return (
        Command(
            "run.run",
            tr("&Run"),
            tr("Solve the model; scene and curves follow while it works."),
            run_view.run,
            "F5",
            bench.has_project,
        ),
        Command(
            "run.hold",
            tr("&Hold or go on"),
            tr("Hold the solver where it is, or let it go on."),
            run_view.toggle_pause,
            "F6",
            is_running,
        ),
        Command(
            "run.cancel",
            tr("&Cancel"),
            tr("End the run now; what was solved so far is kept."),
            run_view.cancel,
            "Shift+F5",
            is_running,
        ),
        Command(
            "run.go_on",
            tr("&Go on from this run"),
            tr(
                "Solve on from where the run that is shown has come to: after it was cancelled, or "
                "once its duration is longer. All else must be as it was."
            ),
            run_view.go_on,
            enabled=may_go_on,
        ),
        Command(
            "run.live",
            tr("Run after every change, &live"),
            tr("Solve again by itself after every change, with the run of before beside it."),
            lambda: live.switch(not live.is_on),
            "Ctrl+L",
            bench.has_project,
            is_on=lambda: live.is_on,
        ),
        Command(
            "run.save",
            tr("Save r&esults…"),
            tr("Write the run into a results file, with its exact model."),
            lambda: save(run_view.runs.current),
            enabled=plays,
            choice="written",
        ),
        Command(
            "run.compare",
            tr("Compare r&uns"),
            tr("Set the chosen runs, or the last two, side by side: figures, peaks, models."),
            compare,
            "F9",
            may_compare,
        ),
    )


_FROM_EDGE, _HEIGHT, _ROOMY_PX = 12, 28, 260
_AXES_PX, _SCALE_PX = 100, (170, 48)
"""Room that the axes take at the left of the lower edge, and the bar of a length at its right, with its height."""


class SightBar(QFrame):
    """Stand at the lower edge of a view while a run is looked at; each button does what its command does."""

    def __init__(
        self,
        over: Viewport,
        sights: Sequence[tuple[str, Command]],
        camera: Callable[[], QMenu] | None = None,
    ) -> None:
        super().__init__(over)
        with_properties(self, objectName="floating")
        self.setAccessibleName(tr("What is seen beside a run"))
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(2)
        self.buttons: list[QToolButton] = []
        self._sights = tuple(command for _, command in sights)
        for words, command in sights:
            button = with_properties(QToolButton(), objectName="quiet", checkable=True, text=words)
            button.setToolTip(command.full_tip)
            button.setAccessibleName(command.plain)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, do=command.do: do())
            row.addWidget(button)
            self.buttons.append(button)
        if camera is not None:
            self.camera = with_properties(QToolButton(), objectName="quiet", text=tr("Camera"))
            self.camera.setToolTip(tr("What the camera goes with, and keyed cameras along the run"))
            self.camera.setAccessibleName(tr("Camera"))
            self.camera.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.camera.clicked.connect(lambda _=False: self._offer(camera()))
            row.addWidget(self.camera)
        self.setFixedHeight(_HEIGHT)
        self._over, self._wanted = over, False
        over.installEventFilter(self)
        self.hide()

    def _offer(self, menu: QMenu) -> None:
        """Open what the camera can do above its button."""
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        at = self.camera.mapToGlobal(QPoint(0, 0))
        menu.popup(at - QPoint(0, menu.sizeHint().height()))

    def show_for(self, wanted: bool) -> None:
        """Be there while a run is looked at, with what is on pressed."""
        self._wanted = wanted
        for button, command in zip(self.buttons, self._sights, strict=True):
            button.setChecked(command.is_on is not None and command.is_on())
        self._place()

    @guard
    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        """Keep to the lower edge of the view."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        """Stand in the middle of the lower edge, or above the bar of a length where both have no room; a small view leaves it to the keys."""
        over = self._over
        self.adjustSize()
        is_roomy = over.width() >= self.width() and over.height() >= _ROOMY_PX
        self.setVisible(self._wanted and is_roomy)
        left, spare = (over.width() - self.width()) // 2, over.width() - self.width()
        is_narrow = left < max(_AXES_PX, _SCALE_PX[0])
        if is_narrow:
            left = max(0, min(max(left, _AXES_PX), spare))
        below = _SCALE_PX[1] if is_narrow else _FROM_EDGE
        self.move(left, over.height() - _HEIGHT - below)
        over.covered_px = over.height() - self.y() if self.isVisibleTo(over) else 0
