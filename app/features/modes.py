"""Modes of the model, or of an instant of a run, found in the background and seen in the scene."""

from __future__ import annotations

import math
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSlider,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.command import Command
from app.elements import with_names
from app.features.feature import Feature
from app.fonts import Shortened, wide
from app.history import Change
from app.jobs.task import Task
from app.panel import Panel
from app.run_view.record import without_studies
from app.scene.viewport import Views
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, plural, tr
from solver.project import Project
from solver.project.names import in_full
from solver.project.pose import Placed
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory
from solver.scene.placing import Pose
from solver.scene.shapes import links, surfaces_of, webbing

if TYPE_CHECKING:
    from solver.analysis.linear import Linear, Mode
_NO_RUN = msgid("There is no run; F5 solves the model.")


class Given(Exception):
    """Say that the modes are not wanted any more."""


class Modes(Feature):
    """Find modes, list them, and let the scene swing."""

    name = "modes"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        panel = self.panel = ModesPanel()
        self.linear: Linear | None = None
        self.swing = Swing(bench.views, self)
        self._project: Project | None = None
        self._of: Project | None = None
        """The model that the modes are of, without its studies."""
        self._given = threading.Event()
        bench.commands.add(
            Command(
                "run.modes",
                tr("Find m&odes"),
                tr("Find frequencies, damping and shapes of small motions about the instant chosen in Modes."),
                lambda: self.find(panel.where.currentData()),
                enabled=bench.has_project,
            )
        )  # fmt: skip
        bench.panels.add(
            Panel(
                "modes",
                panel,
                "below",
                tr("Modes"),
                tr("How the model moves when it moves a little: frequencies, damping, shapes"),
                go_to=(tr("&Modes"), tr("Go to the modes.")),
                topic="guide#modes",
                moods=("build",),
                asked_in=("build",),
            )
        )
        panel.find_asked.connect(self.find)
        panel.mode_chosen.connect(self.show)
        panel.stop_asked.connect(self.rest)
        panel.size_changed.connect(self._on_size)
        bench.document.opened.connect(self._forget)
        bench.document.changed.connect(self._on_changed)
        bench.run_view.switched.connect(lambda _: self._leave())
        bench.run_view.shown.connect(lambda _: self._leave())

    def find(self, where: str) -> None:
        """Find the modes of the start, at rest, or of the instant that is shown."""
        bench = self.bench
        bench.panels.open("modes")
        record = bench.run_view.runs.current
        if where == "now" and (record is None or record.trajectory is None or not record.has_ended):
            bench.say(tr(_NO_RUN))
            return
        obstacle = "" if where == "now" else bench.run_view.obstacle()
        if obstacle:
            bench.say(obstacle)
            return
        self.rest()
        self._given.set()
        given = self._given = threading.Event()
        if where == "now" and record is not None and record.trajectory is not None:
            project = record.project
            work = partial(_of_run, record.trajectory, bench.run_view.player.time, given)
        else:
            project = bench.document.project
            work = partial(_of_model, project, bench.run_view.chosen_run(), where == "rest", given)
        task = Task(work, self)
        task.done.connect(partial(self._on_found, project, given))
        task.failed.connect(partial(self._on_failed, given))
        self.panel.say(tr("Looking for modes …"), busy=True)
        task.start()

    def show(self, number: int) -> None:
        """Let the scene swing in a mode."""
        if self.linear is None or self._project is None:
            return
        shape = Shape(self._project, self.linear, self.linear.modes[number])
        shape.amplitude_m = 1e-3 * self.panel.slider.value()
        self.bench.run_view.switch(False)
        self.swing.start(shape)
        self.panel.swings(True)

    def rest(self) -> None:
        """Show the model as it is."""
        if self.swing.is_on:
            self._leave()
            for view in self.bench.views.all:
                view.update_project(self.bench.document.project)

    def escape(self) -> bool:
        """Stop the motion, where nothing else has a use for Esc."""
        was = self.swing.is_on
        self.rest()
        return was

    def end(self) -> None:
        """Give up what is sought: the window is being closed."""
        self._given.set()
        self.swing.stop()

    def _leave(self) -> None:
        """Leave the scene to anyone who shows something else in it."""
        if self.swing.is_on:
            self.swing.stop()
            self.panel.swings(False)

    def _on_changed(self, change: Change) -> None:
        self._leave()
        if self.linear is not None and without_studies(change.after) != self._of:
            self.panel.say(tr("The model has changed since these modes were found."))

    def _forget(self) -> None:
        self._leave()
        self._given.set()
        self.linear = self._project = None
        self.panel.show_linear(self.bench.document.project, None)
        self.panel.say("")

    def _on_size(self, size_m: float) -> None:
        if self.swing.shape is not None:
            self.swing.shape.amplitude_m = size_m

    def _on_found(self, project: Project, given: threading.Event, linear: Linear) -> None:
        if given.is_set():
            return
        self.linear, self._project, self._of = linear, project, without_studies(project)
        self.panel.show_linear(project, linear)
        text = plural("{n} mode", "{n} modes", len(linear.modes))
        if linear.notes:
            text = f"{text}. {with_names(project, linear.notes[0])}"
        self.panel.say(text)

    def _on_failed(self, given: threading.Event, failure: Exception) -> None:
        if given.is_set():
            return
        self.panel.say("")
        self.bench.tell_failed(failure)


def _of_model(project: Project, run: str | None, rest: bool, given: threading.Event) -> Linear:
    """Linearise a model about its start; or settled first, with all speeds taken away."""
    from solver.analysis.linear import linearise_course
    from solver.analysis.linear.operating_point import course_of, settled

    made = settled(project) if rest else project
    course = course_of(made, 0.0, run)
    return linearise_course(course, still=rest, progress=partial(_watch, given))


def _of_run(run: Trajectory, at: float, given: threading.Event) -> Linear:
    """Linearise a run about an instant."""
    from solver.analysis.linear import linearise_course
    from solver.analysis.linear.operating_point import course_of_results

    return linearise_course(course_of_results(run, at), progress=partial(_watch, given))


def _watch(given: threading.Event, _: float) -> None:
    if given.is_set():
        raise Given


_MOST_MM = 200
_KINDS = {
    "rigid": msgid("rigid"), "neutral": msgid("neutral"), "oscillation": msgid("oscillation"), "decay": msgid("decay"),
    "growth": msgid("growth"),
}  # fmt: skip


class ModesPanel(QWidget):
    """Show the modes of one instant."""

    find_asked = Signal(str)
    """Modes shall be found: of the `start`, at `rest`, or `now`."""
    mode_chosen = Signal(int)
    stop_asked = Signal()
    size_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.where = QComboBox()
        self.where.setAccessibleName(tr("Instant about which modes are found"))
        self.where.setToolTip(tr("Instant about which modes are found"))
        for words, data in (
            (tr("At the start"), "start"), (tr("Settled, at rest"), "rest"), (tr("At the instant shown"), "now"),
        ):  # fmt: skip
            self.where.addItem(words, data)
        self.go = with_properties(QPushButton(tr("Find modes")), objectName="main")
        self.go.setToolTip(tr("Linearise the model there: frequencies, damping and shapes of small motions"))  # fmt: skip
        self.go.clicked.connect(lambda: self.find_asked.emit(self.where.currentData()))
        self.words = Shortened(60)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(5, _MOST_MM)
        self.slider.setValue(50)
        self.slider.setFixedWidth(wide(140))
        self.slider.setAccessibleName(tr("Size of the motion that is shown"))
        self.slider.setToolTip(tr("Size of the motion that is shown"))
        self.slider.valueChanged.connect(lambda mm: self.size_changed.emit(1e-3 * mm))
        self.stop = QPushButton(tr("Stop"))
        self.stop.setToolTip(tr("Show the model at rest again"))
        self.stop.clicked.connect(self.stop_asked)
        top = QHBoxLayout()
        top.setContentsMargins(8, 4, 8, 2)
        top.setSpacing(8)
        for widget in (self.where, self.go):
            top.addWidget(widget)
        top.addWidget(self.words, 1)
        top.addWidget(with_properties(QLabel(tr("Size")), objectName="muted"))
        top.addWidget(self.slider)
        top.addWidget(self.stop)
        self.tree = with_properties(QTreeWidget(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setAccessibleName(tr("Modes"))
        self.tree.setHeaderLabels([
            tr("Mode"), tr("Kind"), tr("Frequency (Hz)"), tr("Damping (%)"), tr("What moves most"), tr("Mass moved x, y, z (%)"),
        ])  # fmt: skip
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.currentItemChanged.connect(lambda item, _: self._on_chosen(item))
        self.hint = with_properties(
            QLabel(tr("How the model moves when it moves a little: frequencies and damping of its modes stand here, and a click lets the scene swing in one.")),
            objectName="muted", wordWrap=True,
        )  # fmt: skip
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(self.tree)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(holder, 1)
        self.swings(False)

    def show_linear(self, project: Project, linear: Linear | None) -> None:
        """List modes; none where there are none to show."""
        self.tree.clear()
        self._stack.setCurrentIndex(int(linear is not None))
        if linear is None:
            return
        names = {s.id: in_full(project, "segments", s) for s in project.segments}
        for n, mode in enumerate(linear.modes):
            QTreeWidgetItem(self.tree, [str(n + 1), *_cells(linear, mode, names)])

    def swings(self, on: bool) -> None:
        """Whether the scene swings now."""
        self.stop.setEnabled(on)
        if not on:
            self.tree.blockSignals(True)
            self.tree.setCurrentIndex(QModelIndex())
            self.tree.blockSignals(False)

    def say(self, words: str, busy: bool = False) -> None:
        """Say how far it is, or what there is to note."""
        self.words.say(words)
        self.go.setEnabled(not busy)

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.mode_chosen.emit(self.tree.indexOfTopLevelItem(item))


def _cells(linear: Linear, mode: Mode, names: dict[str, str]) -> list[str]:
    """Write a mode: kind, frequency, damping, the two segments with most energy, effective mass."""
    swings = mode.kind == "oscillation"
    most = [n for n in np.argsort(-mode.energy)[:2] if mode.energy[n] > 0.05]
    moved = ", ".join(f"{names.get(linear.segments[n], linear.segments[n])} {100.0 * mode.energy[n]:.0f} %" for n in most)  # fmt: skip
    return [
        tr(_KINDS[mode.kind]),
        f"{mode.frequency_hz:.4g}" if mode.kind != "rigid" else "0",
        f"{100.0 * mode.damping:.3g}" if swings or mode.kind == "growth" else "",
        moved,
        ", ".join(f"{100.0 * part:.0f}" for part in mode.effective),
    ]


_STILL = Placed(np.eye(3), np.zeros(3))
_EACH_MS = 33
_SLOWEST_HZ, _FASTEST_HZ = 0.4, 1.2
"""Between these a mode is shown, whatever its own frequency: the eye cannot follow more."""


class Shape:
    """Show a mode at a phase as a scene shows an instant of a run."""

    def __init__(self, project: Project, linear: Linear, mode: Mode) -> None:
        self.project, self.linear, self.mode = project, linear, mode
        self.amplitude_m = 0.05
        self._surfaces = surfaces_of(project)

    def pose(self, phase: float) -> Pose:
        """Where all segments are."""
        places, turns = self.linear.posed(self.mode, self.amplitude_m, phase)
        pose = {
            name: Placed(turn, place)
            for name, place, turn in zip(self.linear.segments, places, turns, strict=True)
        }
        return {GROUND: _STILL} | pose

    def show(self, stage: Any, t: float) -> None:
        """Show a phase (rad) on a stage."""
        pose = self.pose(t)
        shapes = (*webbing(self.project, self._surfaces, pose), *links(self.project, pose))
        from app.scene.form import Form

        forms = {(s.element, s.part): Form(s.mesh, None, False) for s in shapes}
        stage.move(pose, forms, {f"airbags/{bag.id}": None for bag in self.project.airbags})


class Swing(QObject):
    """Move the scene while a mode is shown."""

    def __init__(self, views: Views, parent: QObject) -> None:
        super().__init__(parent)
        self._views = views
        self.shape: Shape | None = None
        self._timer = QTimer(self, interval=_EACH_MS)
        self._timer.timeout.connect(self._on_tick)
        self._begun = 0.0

    @property
    def is_on(self) -> bool:
        """Whether a mode is shown."""
        return self.shape is not None

    def start(self, shape: Shape) -> None:
        """Show a mode."""
        self.shape, self._begun = shape, time.monotonic()
        for view in self._views.all:
            view.update_project(shape.project)
        self._timer.start()

    def stop(self) -> None:
        """Show no mode any more; the scene stays as it is until somebody shows something else."""
        self.shape = None
        self._timer.stop()

    def _on_tick(self) -> None:
        if self.shape is None:
            return
        own = self.shape.mode.frequency_hz
        shown = min(max(own, _SLOWEST_HZ), _FASTEST_HZ)
        phase = 2.0 * math.pi * shown * (time.monotonic() - self._begun)
        for view in self._views.all:
            view.show_moment(self.shape, phase)
