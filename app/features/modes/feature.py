"""Modes of the model, or of an instant of a run, found in the background and seen in the scene."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from app.change import Change
from app.command import Command
from app.elements import said
from app.features.feature import Feature
from app.features.modes.panel import ModesPanel
from app.features.modes.swing import Shape, Swing
from app.jobs.task import Task
from app.panel import Panel
from app.study.record import without_studies
from app.workbench import Workbench
from solver.base.words import msgid, plural, tr
from solver.project import Project
from solver.results.trajectory import Trajectory

if TYPE_CHECKING:
    from solver.analysis.linear import Linear

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
            )
        )
        panel.find_asked.connect(self.find)
        panel.mode_chosen.connect(self.show)
        panel.stop_asked.connect(self.rest)
        panel.size_changed.connect(self._on_size)
        bench.document.opened.connect(self._forget)
        bench.document.changed.connect(self._on_changed)
        bench.study.switched.connect(lambda _: self._leave())
        bench.study.shown.connect(lambda _: self._leave())

    def find(self, where: str) -> None:
        """Find the modes of the start, at rest, or of the instant that is shown."""
        bench = self.bench
        bench.panels.open("modes")
        record = bench.study.runs.current
        if where == "now" and (record is None or record.trajectory is None or not record.has_ended):
            bench.say(tr(_NO_RUN))
            return
        obstacle = "" if where == "now" else bench.study.obstacle()
        if obstacle:
            bench.say(obstacle)
            return
        self.rest()
        self._given.set()
        given = self._given = threading.Event()
        if where == "now" and record is not None and record.trajectory is not None:
            project = record.project
            work = partial(_of_run, record.trajectory, bench.study.player.time, given)
        else:
            project = bench.document.project
            work = partial(_of_model, project, bench.study.chosen_run(), where == "rest", given)
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
        self.bench.study.switch(False)
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
        """Leave the scene to whoever shows something else in it."""
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
        told = plural("{n} mode", "{n} modes", len(linear.modes))
        if linear.notes:
            told = f"{told}. {said(project, linear.notes[0])}"
        self.panel.say(told)

    def _on_failed(self, given: threading.Event, failure: Exception) -> None:
        if given.is_set():
            return
        self.panel.say("")
        self.bench.tell_failed(failure)


def _of_model(project: Project, run: str | None, rest: bool, given: threading.Event) -> Linear:
    """Linearise a model about its start; or settled first, with all speeds taken away."""
    from solver.analysis.linear import linearise_course
    from solver.analysis.linear.instants import course_of, settled

    made = settled(project) if rest else project
    course = course_of(made, 0.0, run)
    return linearise_course(course, still=rest, progress=partial(_watch, given))


def _of_run(run: Trajectory, at: float, given: threading.Event) -> Linear:
    """Linearise a run about an instant."""
    from solver.analysis.linear import linearise_course
    from solver.analysis.linear.instants import course_of_results

    return linearise_course(course_of_results(run, at), progress=partial(_watch, given))


def _watch(given: threading.Event, _: float) -> None:
    if given.is_set():
        raise Given
