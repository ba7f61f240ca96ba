"""Tracks of markers in the window: read, seen beside the model, laid under it as a pose, or as its drivers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.command import Command
from app.features.feature import Feature
from app.features.tracks.panel import Dots, Gap, TracksPanel, gaps
from app.forms.units import Units
from app.jobs.task import Task
from app.panel import Panel
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.project import Project

if TYPE_CHECKING:
    from solver.analysis.tracking import Followed, PoseFit, Tracks
    from solver.engine.maths.rotation import Array
    from solver.exchange.opensim import MarkerTasks

_FILES = msgid("Tracks, set-ups of OpenSim (*.csv *.trc *.c3d *.xml);;All files (*)")
_CHANGED = msgid("The model has changed meanwhile; nothing was done.")
_SAME_S = 1e-9


class GivenUp(Exception):
    """Say that what is sought is not wanted any more."""


class TracksFeature(Feature):
    """The tracks, the panel and the dots in the scene."""

    name = "tracks"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.tracks: Tracks | None = None
        self.file: Path | None = None
        self.tasks: MarkerTasks | None = None
        """What a set-up asks for."""
        self.time = 0.0
        """Time of the tracks that is shown (s)."""
        panel = self.panel = TracksPanel()
        self.dots = Dots(bench.viewport, self.gaps, panel.choose)
        bench.viewport.tools.append(self.dots)
        self._given = threading.Event()
        self._add_commands()
        bench.panels.add(
            Panel(
                "tracks",
                panel,
                "below",
                tr("Tracks"),
                tr("Markers of a test beside those of the model: how far they are off, and what follows from them"),
                go_to=(tr("Trac&ks"), tr("Go to the tracks.")),
                topic="guide#tracks-of-a-test",
                moods=("build", "run"),
                asked_in=("build", "run"),
            )
        )  # fmt: skip
        panel.open_asked.connect(self.ask_for_file)
        panel.read_again.connect(self._read_again)
        panel.pose_asked.connect(self.pose)
        panel.drivers_asked.connect(self.drive)
        panel.motion_asked.connect(self.ask_for_motion)
        panel.stop_asked.connect(self.give_up)
        panel.moved.connect(self._on_slider)
        panel.begin_changed.connect(self._follow_run)
        panel.chosen.connect(self._on_chosen)
        panel.ticked.connect(self._look)
        bench.document.opened.connect(self._forget)
        bench.document.changed.connect(lambda _: self._look())
        bench.run_view.shown.connect(lambda _: self._follow_run())
        bench.run_view.switched.connect(lambda _: self._follow_run())
        bench.units_changed.connect(self._on_units)

    def _add_commands(self) -> None:
        def has_tracks() -> bool:
            return self.bench.has_project() and self.tracks is not None

        self.bench.commands.add(
            Command(
                "file.tracks",
                tr("Open trac&ks of markers…"),
                tr("Read the tracks of a test (CSV, TRC, C3D) and show them beside the model."),
                self.ask_for_file,
                enabled=self.bench.has_project,
            ),
            Command(
                "place.to_tracks",
                tr("Pose by trac&ks"),
                tr("Let the model start where its markers lie nearest to those of the tracks that are shown."),
                self.pose,
                enabled=has_tracks,
            ),
            Command(
                "run.by_tracks",
                tr("Drivers from trac&ks"),
                tr("Let drivers and motions lead the model along the tracks."),
                self.drive,
                enabled=has_tracks,
            ),
        )  # fmt: skip

    def ask_for_file(self) -> None:
        """Let people choose a file of tracks."""
        path = self.file or self.bench.document.path
        folder = str(path.parent) if path is not None else ""
        name = self.bench.ask_file("tracks", tr("Open tracks of markers"), tr(_FILES), folder)
        if name:
            self.open(Path(name))

    def open(self, file: Path) -> None:
        """Read a file of tracks, or a set-up of OpenSim's inverse kinematics for those that are read."""
        self.bench.panels.open("tracks")
        axes, unit = self.panel.axes.currentData(), self.panel.unit.currentData() or None
        words = tr("Reading {file} …", file=file.name)
        if file.suffix.lower() == ".xml":
            self._work(words, partial(_read_tasks, file), partial(self._on_tasks, file))
            return
        project = self.bench.document.project
        self._work(words, partial(_read, file, unit, axes, project), partial(self._on_read, file))

    def gaps(self) -> list[Gap]:
        """All markers as they stand in the scene now."""
        if self.tracks is None or not self.bench.has_project():
            return []
        replay = self.bench.run_view.replay if self.bench.run_view.is_on else None
        project = self.bench.document.project if replay is None else replay.project
        return gaps(project, self.bench.viewport.stage.pose, self._seen(), self.tracks.names)

    def pose(self) -> None:
        """Let the model start where its markers lie nearest to those that are shown."""
        project, seen, weights = self.bench.document.project, self._seen(), self.panel.weights()
        self._work(tr("Looking for the pose …"), partial(_posed, project, seen, weights, self.tasks), partial(self._on_posed, project))  # fmt: skip

    def drive(self) -> None:
        """Let drivers and motions lead the model along the tracks."""
        if self.tracks is None:
            return
        panel, project = self.panel, self.bench.document.project
        tracks = self.tracks.filled(1e-3 * panel.fill.value())
        given = threading.Event()
        work = partial(_driven, project, tracks, panel.weights(), self.tasks, panel.low_pass.value(), given)  # fmt: skip
        self._work(tr("Following the tracks …"), work, partial(self._on_driven, project), given)

    def ask_for_motion(self) -> None:
        """Ask where the motion that follows the tracks is to be written."""
        if self.tracks is None:
            return
        name = self.bench.ask_name("motion", tr("Save motion"), "motion.mot", tr("Motion of OpenSim (*.mot);;Table of OpenSim (*.sto)"))  # fmt: skip
        if name:
            self.save_motion(Path(name))

    def save_motion(self, file: Path) -> None:
        """Follow the tracks, and write the coordinates of every instant."""
        assert self.tracks is not None
        panel, project = self.panel, self.bench.document.project
        tracks = self.tracks.filled(1e-3 * panel.fill.value())
        given = threading.Event()
        work = partial(_written, file, project, tracks, panel.weights(), self.tasks, panel.low_pass.value(), given)  # fmt: skip
        self._work(tr("Following the tracks …"), work, lambda _: self.bench.tell_written(file), given)  # fmt: skip

    def give_up(self) -> None:
        """Stop what is sought."""
        self._given.set()
        self.panel.tell("")

    def end(self) -> None:
        """Stop what is sought: the window is being closed."""
        self._given.set()

    def _work(
        self, words: str, work: Callable[[], Any], then: Callable[[Any], object], given: threading.Event | None = None
    ) -> None:  # fmt: skip
        """Do something in the background, unless it is given up."""
        self._given.set()
        given = self._given = given or threading.Event()
        task = Task(work, self)

        def done(result: object) -> None:
            if not given.is_set():
                self.panel.tell("")
                then(result)

        def failed(failure: Exception) -> None:
            if not given.is_set():
                self.panel.tell("")
                self.bench.tell_failed(failure)

        task.done.connect(done)
        task.failed.connect(failed)
        self.panel.tell(words, busy=True)
        task.start()

    def _on_read(self, file: Path, tracks: Tracks) -> None:
        self.tracks, self.file = tracks, file
        self.time = float(tracks.time[0])
        self.panel.show_tracks(tracks)
        self.bench.commands.refresh()
        self.bench.say(tr(
            "{file}: {markers} markers from {first:.4g} to {last:.4g} s.",
            file=file.name, markers=len(tracks.names), first=tracks.time[0], last=tracks.time[-1],
        ))  # fmt: skip
        self._follow_run()

    def _on_tasks(self, file: Path, tasks: MarkerTasks) -> None:
        self.tasks = tasks
        count = sum(w > 0.0 for w in tasks.weights_of(self.bench.document.project).values())
        self.bench.say(tr("{file}: its weights and coordinates count from now on, as OpenSim means them: weights multiply squared distances; {count} markers of the model have one.", file=file.name, count=count))  # fmt: skip

    def _on_posed(self, project: Project, found: PoseFit) -> None:
        if not self._replaced(project, found.project, tr("Pose by tracks")):
            return
        off = float(self.panel.units.shown_all(found.rms, "m"))
        lines = [tr("Posed: root mean square {off:.4g} {unit} off.", off=off, unit=self.panel.units.name("m"))]  # fmt: skip
        lines += [
            tr("Not determined: {direction}.", direction=one.label) if one.open
            else tr("Weakly determined: {direction}.", direction=one.label)
            for one in found.weak
        ]  # fmt: skip
        self.panel.tell(" ".join(lines))

    def _on_driven(self, project: Project, found: tuple[Followed, Project]) -> None:
        followed, made = found
        if not self._replaced(project, made, tr("Drivers from tracks")):
            return
        self.panel.begin.setValue(float(followed.time[0]))
        name = self.panel.units.name("m")
        off, worst = (float(self.panel.units.shown_all(v, "m")) for v in (followed.rms, followed.miss.max()))  # fmt: skip
        words = tr(
            "{count} instants followed, {out} left out: root mean square {off:.4g} {unit} off, at worst {worst:.4g} {unit}.",
            count=len(followed.time), out=followed.left_out, off=off, worst=worst, unit=name,
        )  # fmt: skip
        self.panel.tell(words)

    def _replaced(self, before: Project, after: Project, words: str) -> bool:
        """Take a new project over as one step, unless the model is another one by now."""
        document = self.bench.document
        if document.project is not before:
            self.bench.say(tr(_CHANGED))
            return False
        document.replace(after, words)
        return True

    def _seen(self) -> dict[str, Array]:
        """The markers of the tracks that are shown."""
        tracks = self.tracks
        if tracks is None or not tracks.time[0] - _SAME_S <= self.time <= tracks.time[-1] + _SAME_S:
            return {}
        return tracks.at(float(np.clip(self.time, tracks.time[0], tracks.time[-1])))

    def _follow_run(self) -> None:
        """Go to the time of the run that is shown."""
        if self.tracks is not None and self.bench.run_view.is_on:
            self.time = self.panel.begin.value() + self.bench.run_view.player.time
        self._look()

    def _on_slider(self, number: int) -> None:
        if self.tracks is None:
            return
        self.time = float(self.tracks.time[number])
        if self.bench.run_view.is_on:
            self.bench.run_view.go(self.time - self.panel.begin.value())
        self._look()

    def _on_chosen(self, name: str) -> None:
        self.dots.selected = name
        self.bench.viewport.update()

    def _look(self) -> None:
        """Show the markers at this time, in scene and list."""
        if self.tracks is None:
            return
        self.panel.show_instant(self.time, int(np.argmin(np.abs(self.tracks.time - self.time))))
        if self.panel.isVisible():
            self.panel.show_gaps(self.gaps())
        self.bench.viewport.update()

    def _read_again(self) -> None:
        if self.file is not None:
            self.open(self.file)

    def _on_units(self, system: str) -> None:
        self.panel.units = Units(system)
        self._look()

    def _forget(self) -> None:
        self.give_up()
        self.tracks = self.file = self.tasks = None
        self.dots.selected = ""
        self.panel.show_tracks(None)
        self.panel.words.say("")


def _read(file: Path, unit: str | None, axes: str, project: Project) -> Tracks:
    """Read tracks; those that bear a marker's name are called by its id."""
    from solver.analysis.tracking import read_tracks

    ids = {one.name: one.id for one in project.markers if one.name}
    tracks = read_tracks(file, unit, axes)
    return replace(tracks, names=tuple(ids.get(name, name) for name in tracks.names))


def _read_tasks(file: Path) -> MarkerTasks:
    from solver.exchange.opensim import read_tasks

    return read_tasks(file)


def _asked(project: Project, ticks: dict[str, float], tasks: MarkerTasks | None) -> dict[str, Any]:
    """Weights and coordinates; what has no tick does not count, whatever a set-up says."""
    if tasks is None:
        return {"weights": ticks}
    weights = {**tasks.weights_of(project), **ticks}
    return {"weights": weights, "weigh": "squares", "wanted": tasks.wanted}


def _posed(
    project: Project, seen: dict[str, Array], ticks: dict[str, float], tasks: MarkerTasks | None
) -> PoseFit:
    from solver.analysis.tracking import fit_pose

    return fit_pose(project, seen, **_asked(project, ticks, tasks))


def _followed(
    project: Project, tracks: Tracks, ticks: dict[str, float], tasks: MarkerTasks | None, low_pass: float, given: threading.Event
) -> Followed:  # fmt: skip
    """Follow the tracks from instant to instant."""
    from solver.analysis.tracking import follow

    def watch(_: float) -> None:
        if given.is_set():
            raise GivenUp

    if tasks is not None:
        tracks = tracks.between(tasks.begin_s, tasks.end_s)
    found = follow(project, tracks, told=watch, **_asked(project, ticks, tasks))
    return found.smoothed(low_pass) if low_pass > 0.0 else found


def _driven(project: Project, *how: Any) -> tuple[Followed, Project]:
    """Follow the tracks, and lead the model along them."""
    from solver.analysis.tracking import driven

    found = _followed(project, *how)
    return found, driven(project, found)


def _written(file: Path, project: Project, *how: Any) -> Path:
    """Follow the tracks, and write the coordinates."""
    from solver.exchange.opensim import write_storage
    from solver.results.trajectory import Channel

    found = _followed(project, *how)
    return write_storage(file, [Channel(name, found.time, value, unit) for name, value, unit in found.named()])  # fmt: skip
