"""Join the document, its runs and the player to the scene: run it, watch it, look back at the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app import texts
from app.document import Document
from app.jobs.turns import Turns
from app.memory import give_back
from app.run_view.cameras import Cameras
from app.run_view.course import carrier
from app.run_view.director import Director
from app.run_view.marks import Mark, marks
from app.run_view.overlays import Overlays
from app.run_view.player import Player
from app.run_view.record import ENDED, Age, Catalogue, RunRecord, headline, vehicle
from app.run_view.runs import Runs
from app.run_view.solving import cannot_go_on
from app.scene.viewport import Viewport
from solver.base.words import plural, tr
from solver.injury import reference
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory

if TYPE_CHECKING:
    from app.run_view.playback import Playback
    from app.run_view.replay import Replay
_REST_MS, _SAME_S = 2000, 1e-6
"""When, after another run is shown, those not seen leave the memory; and how near to each other ends are the same."""


class RunView(QObject):
    """Show either the model as it is edited, or an instant of the current run.

    `spoke` says what the status line should, `refused` that the model has errors to mend first,
    `compared_changed` that other runs are compared, `began` that a run was asked for, `failed` which
    run has failed.
    """

    switched = Signal(bool)
    shown = Signal(float)
    """An instant (s) of the current run stands in the scene."""
    run_shown = Signal()
    compared_changed = Signal()
    spoke = Signal(str)
    refused = Signal()
    began = Signal()
    grown = Signal()
    """More has been found of the run that is coming."""
    failed = Signal(object)

    def __init__(self, document: Document, viewport: Viewport, parent: QObject | None = None):
        super().__init__(parent)
        self.document, self.viewport = document, viewport
        self.runs, self.player, self.catalogue = Runs(self), Player(self), Catalogue()
        self.turns = Turns(self)
        """What can wait for a turn of its own once another run is shown."""
        self.playback: Playback | None = None
        self._marks: list[Mark] | None = None
        """What happened in the current run, once it is over and somebody has asked."""
        self.overlays, self.director = Overlays(), Director(viewport)
        self.cameras, self.is_keyed = Cameras(), False
        """Cameras that are keyed along runs of the project, and whether runs are looked at through them."""
        self.trails: tuple[str, ...] = ()
        self.wanted_run: str | None = None
        self.ghost: RunRecord | None = None
        self.coming: RunRecord | None = None
        """A run that takes the place of the current one when it ends; its curves are seen as they grow."""
        self.compared: tuple[RunRecord, ...] = ()
        """Runs that stand beside each other in the table of differences; the first is the base."""
        self.judges = Judges(self)
        self.apart: tuple[RunRecord, ...] = ()
        """The runs that are seen in views of their own."""
        self.is_split = False
        """Whether the run or the model is seen in several views."""
        self.is_on = self._follows = self._is_left = self._rides_own = False
        """Whether the run is shown; followed while it is solved; left for the model meanwhile."""
        self._ends: list[tuple[str, float]] = []
        self._over: list[str] = []
        self._age = Age()
        self.runs.fits = lambda record: not self.is_outdated(record)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._let_go)
        self.runs.shown.connect(self._show_run)
        self.runs.listed.connect(self._on_listed)
        self.runs.changed.connect(self._on_changed)
        self.runs.ended.connect(self._on_ended)
        self.player.moved.connect(self._on_moved)
        self.player.changed.connect(self._flow)

    def run(self) -> None:
        """Solve the model as it is now; with errors, say what stands in the way."""
        obstacle = self.obstacle()
        if obstacle:
            self.refused.emit()
            self.spoke.emit(obstacle)
            return
        self._begin(None)

    def go_on(self) -> None:
        """Solve on from the run that is shown, or say why that cannot be."""
        record = self.runs.current
        before = None if record is None else record.trajectory
        obstacle = self.obstacle() or cannot_go_on(self.document.project, self.chosen_run(), before)
        if obstacle:
            self.spoke.emit(obstacle)
        else:
            self._begin(before)

    def _begin(self, before: Trajectory | None) -> None:
        self._follows, self._is_left = True, False
        self.player.pause()
        self.player.go(0.0)
        record = self.runs.start(self.document.project, self.chosen_run(), before=before)
        self.viewport.follow(record.is_solving)
        self.began.emit()

    def chosen_run(self) -> str | None:
        """The id of the project's run that is solved: the chosen one, or else the first."""
        ids = [run.id for run in self.document.project.runs]
        return self.wanted_run if self.wanted_run in ids else (ids[0] if ids else None)

    def obstacle(self, *, needs_run: bool = True) -> str:
        """Say what stands in the way of a run; empty for nothing."""
        if any(problem.severity == "error" for problem in self.document.problems_now()):
            return tr(texts.words.HAS_ERRORS)
        return tr(texts.words.HAS_NO_RUN) if needs_run and not self.document.project.runs else ""

    @property
    def replay(self) -> Replay | None:
        """The current run as it is played; None before its first instant."""
        return None if self.playback is None else self.playback.replay

    def set_ghost(self, record: RunRecord | None) -> None:
        """Choose the run that is drawn faintly beside the current one; another ends a comparison."""
        self.ghost = record
        if self.compared and record not in self.compared:
            self.compared = ()
            self.compared_changed.emit()
        self._dress()
        self.run_shown.emit()

    def set_apart(self, records: Sequence[RunRecord]) -> None:
        """Say which runs are seen in views of their own."""
        self.apart = tuple(records)
        self._flow()
        self._dress()
        self.run_shown.emit()

    def compare(self, records: Sequence[RunRecord]) -> None:
        """Set runs beside each other: the last is shown, the first drawn faintly with it."""
        self.compared = tuple(records)
        if self.compared:
            self.runs.show(self.compared[-1])
            self.set_ghost(self.compared[0])
            self.switch(True)
        self.compared_changed.emit()

    def beside(self, record: RunRecord) -> list[RunRecord]:
        """List the runs that are drawn beside one: the ghost, and what it is compared with."""
        ghost = (self.ghost,) if self.ghost is not None else ()
        compared = self.compared if record in self.compared else ()
        found = dict.fromkeys((*ghost, *compared))
        return [one for one in found if one is not record and not one.is_running]

    def set_cameras(self, cameras: Cameras, is_on: bool) -> None:
        """Have other keyed cameras, and look through them or not."""
        self.cameras, self.is_keyed = cameras, is_on and bool(cameras.keys)
        if self.playback is not None:
            self._dress()
            self._hold()
            self.run_shown.emit()

    def set_overlays(self, overlays: Overlays) -> None:
        """Choose what is seen beside the run."""
        self.overlays = overlays
        self._dress()

    def look_again(self) -> None:
        """Show the instant again: what is selected may have more to say."""
        show_reaches(self.document, self.overlays, self.playback, self.viewport)
        self._on_moved(self.player.time)

    def toggle_trail(self, segment: str) -> bool:
        """Draw the way of a segment's centre, or no longer; tell which."""
        on = segment not in self.trails
        self.trails = tuple(n for n in self.trails if n != segment) + ((segment,) if on else ())
        self._dress()
        return on

    def _dress(self) -> None:
        """Give the showing what is wanted now, and show the instant again."""
        show_reaches(self.document, self.overlays, self.playback, self.viewport)
        if (playback := self.playback) is None:
            return
        playback.overlays, playback.trails, ghost = self.overlays, self.trails, self.ghost
        playback.cameras = self.cameras if self.is_keyed else Cameras()
        if ghost is None or ghost is self.runs.current or ghost.is_running:
            playback.set_beside(None, None)
        else:
            playback.set_beside(ghost.project, ghost.trajectory)
        self.player.set_range(self._end(), self.player.frame)

    def own_end(self) -> float:
        """The last instant of the current run (s)."""
        return 0.0 if self.replay is None else self.replay.motion.end

    def _end(self) -> float:
        """The last instant of the longest run that is seen; while one grows, its own."""
        current = self.runs.current
        if current is None or self.playback is None or current.is_running:
            self._ends = []
            return self.own_end()
        seen = dict.fromkeys((current, self.ghost, *self.apart))
        self._ends = [
            (one.name, float(one.trajectory.time[-1]))
            for one in seen
            if one is not None and one.trajectory is not None and one.has_ended
        ]
        return max((end for _, end in self._ends), default=0.0)

    def cancel(self) -> None:
        """Stop the run that goes on; what it has found stays."""
        running = self.runs.running()
        if running is not None and running.solving is not None:
            running.solving.cancel()

    def toggle_pause(self) -> None:
        """Hold the run that goes on, or let it go on."""
        running = self.runs.running()
        if running is None or running.solving is None:
            return
        if running.solving.is_paused:
            running.solving.resume()
        else:
            running.solving.pause()

    def toggle_play(self) -> None:
        """Play the current run, or hold it."""
        self.switch(True)
        self.player.toggle()

    def shuttle(self, way: int) -> None:
        """Let time run on (1) or back (-1), faster each time; 0 holds it."""
        self.switch(True)
        if way:
            self.player.shuttle(way)
        else:
            self.player.pause()

    def step(self, frames: int) -> None:
        """Go on by some frames, or back."""
        self.switch(True)
        self.player.step(frames)

    def go(self, t: float) -> None:
        """Show an instant of the current run (s)."""
        self.switch(True)
        self.player.pause()
        self.player.go(t)

    def is_outdated(self, record: RunRecord) -> bool:
        """Whether the model has changed since a run."""
        return self._age.is_outdated(record, self.document.project)

    def switch(self, on: bool) -> None:
        """Look at the current run, or at the model."""
        self._is_left = not on
        on = on and self.replay is not None
        if not on:
            self.player.pause()
        if on != self.is_on:
            self.is_on = on
            if on:
                self._enter()
            else:
                self.viewport.update_project(self.document.project)
            self.switched.emit(on)
            self._hold()

    def ride(self, segment: str = GROUND, turns_too: bool = True) -> None:
        """Let the camera go with a segment of the run."""
        if self.playback is not None:
            self._rides_own = True
            self.playback.ride(segment, turns_too)
            self.player.go(self.player.time)
            self._hold()

    def forget(self) -> None:
        """Another project has been opened, which the scene shows in a moment: its runs are others."""
        self.ghost, self.coming, self.trails = None, None, ()
        self.player.pause()
        self.director.forget()
        if self.is_on:
            self.is_on = False
            self.switched.emit(False)
        self.runs.clear()

    def _enter(self) -> None:
        record = self.runs.current
        if record is not None and self.replay is not None:
            # where it is the document's, it stands there already
            is_old = self.is_outdated(record)
            self.viewport.update_project(record.project if is_old else self.document.project)
            self.player.go(self.player.time)

    def _hold(self) -> None:
        """See people over the whole run, or where there are none all that moves where all is seen at the start."""
        if not self.is_on or self.replay is None or self.playback is None or self.is_keyed:
            self.viewport.frame(None, None)
        elif not self.director.frame(self.playback, self.player.time, self._is_whole()):
            self.viewport.hold(self.replay.ways())

    def _is_whole(self) -> bool:
        record = self.runs.current
        return record is not None and record.has_ended

    def _show_run(self, record: RunRecord | None) -> None:
        self.playback, self._marks = None, None
        self._rest.start()
        self.viewport.follow(record is not None and record.is_solving)
        if record is None or record.trajectory is None:
            self.player.set_range(0.0, 1e-3)
            if record is None:
                self.switch(False)
        else:
            self._load(record)
        self.run_shown.emit()
        # what stands over the scene has followed by now
        self._hold()

    def _let_go(self) -> None:
        """Read runs that are not seen from where they are kept, and give their memory back."""
        seen = (self.runs.current, self.ghost, *self.apart, *self.compared)
        for record in self.runs.records:
            if record not in seen:
                record.leave_memory()
        give_back()

    def _on_listed(self) -> None:
        records = self.runs.records
        left = tuple(record for record in self.compared if record in records)
        if left != self.compared:
            self.compared = left if len(left) > 1 else ()
            self.set_ghost(self.compared[0] if self.compared else None)
            self.compared_changed.emit()
        if self.ghost is not None and self.ghost not in records:
            self.set_ghost(None)

    def _load(self, record: RunRecord) -> None:
        from app.run_view.playback import Playback

        assert record.trajectory is not None
        self.playback = Playback(record.project, record.trajectory)
        self._go_along(self.playback)
        self._dress()
        self.player.set_range(self._end(), self.playback.replay.motion.frame_s)
        if self.is_on:
            self._enter()

    def _go_along(self, playback: Playback) -> None:
        """Let the camera go with what carries people: as it turns where it is driven, level where it goes its own way."""
        self._rides_own, driven = False, vehicle(playback.replay.project)
        if driven != GROUND:
            playback.ride(driven)
        else:
            playback.ride(carrier(playback.replay), turns_too=False)

    def _on_changed(self, record: RunRecord) -> None:
        """Follow a run that goes on: the scene shows its newest instant until somebody scrubs."""
        if record is self.coming and record.is_running:
            self.grown.emit()
        if record is not self.runs.current:
            return
        self._marks = None
        self.viewport.follow(record.is_solving)
        follows = self._follows and self.player.time >= self.player.end
        if self.replay is None and record.trajectory is not None and len(record.trajectory.time):
            self._load(record)
            if not self._is_left:
                self.switch(True)
                self._hold()
        if self.playback is not None:
            self.playback.refresh()
            motion = self.playback.replay.motion
            self.player.end, self.player.frame = self._end(), motion.frame_s
            if follows and motion.end > self.player.time:
                self.player.go(motion.end)
        self.run_shown.emit()

    def _on_ended(self, record: RunRecord) -> None:
        solving = record.solving
        if solving is None or (record.fleeting and record.status == "cancelled"):
            return
        words = ENDED.get(record.status, texts.words.FAILED)
        ms, took = 1e3 * record.duration_s, solving.wall_s
        ending = tr(words, name=record.name, ms=ms, took=took, why=record.message)
        notes = () if record.fleeting else (*solving.warnings, *solving.gains, *solving.lacks)
        more = plural("One note stands beside it.", "{n} notes stand beside it.", len(notes)) if notes else ""  # fmt: skip
        self.spoke.emit(" ".join(filter(None, (ending, headline(record), more))))
        if record.status == "failed":
            self.failed.emit(record)
        if record is self.runs.current and self._follows:
            self._follows = False
            # where all goes is known only now
            if self.playback is not None and not self._rides_own:
                self._go_along(self.playback)
            self._hold()
            if self.is_on and record.status == "completed":
                self.player.go(0.0)
                self.player.play()

    def _on_moved(self, t: float) -> None:
        if self.is_on and self.playback is not None:
            self.viewport.show_moment(self.playback, t)
            self.shown.emit(t)
            self._tell_over(t)

    def split(self, on: bool) -> None:
        """See the run or the model in several views, or in one."""
        self.is_split = on
        self._flow()

    def _flow(self) -> None:
        """Let pictures come as fast as they can while time runs; several views stay at one instant."""
        self.viewport.flow(self.player.is_playing and not self.apart and not self.is_split)

    def _tell_over(self, t: float) -> None:
        """Say of which runs the last state is seen, as they ended before the instant."""
        over = [name for name, end in self._ends if t > end + _SAME_S]
        if over != self._over:
            self._over = over
            if over:
                self.spoke.emit(tr("{names}: over by now; the last state stays.", names=", ".join(over)))  # fmt: skip

    def marks(self) -> list[Mark]:
        """List the marks of the current run, and the ends of runs that a longer one is seen with."""
        record = self.runs.current
        if record is None or record.trajectory is None or record.is_running:
            return []
        before = self.player.end - _SAME_S
        ends = [Mark(end, tr("{name} ends", name=name), "end") for name, end in self._ends if end < before]  # fmt: skip
        if self._marks is None:
            self._marks = marks(record.project, record.trajectory)
        keys = [Mark(key.time_s, tr("Camera"), "camera") for key in self.cameras.keys]
        return [*self._marks, *ends, *keys]


MOST = 4
"""Of more selected joints only the one selected last is shown: arcs over arcs tell nothing."""


def selected_joints(document: Document) -> tuple[str, ...]:
    """Name the selected joints that are shown."""
    chosen = [one for one in dict.fromkeys(document.chosen) if one.startswith("joints/")]
    if len(chosen) > MOST:
        chosen = [one for one in chosen if one == document.selection]
    return tuple(one.partition("/")[2] for one in chosen)


def show_reaches(
    document: Document, overlays: Overlays, playback: Playback | None, viewport: Viewport
) -> None:
    """Let the scene, of the model or of a run, show what the selected joints may do, where that is wanted."""
    joints = selected_joints(document)
    if playback is not None:
        playback.joints = joints
    viewport.show_reaches(joints if overlays.reach else (), overlays.system)


class Judges(QObject):
    """The standards whose limits alone injury panel, comparison and report show; none: all that fit."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.standards: tuple[str, ...] = ()

    def choose(self, standards: tuple[str, ...]) -> None:
        """Choose others."""
        if standards != self.standards:
            self.standards = standards
            self.changed.emit()

    @property
    def names(self) -> str:
        """Name them; empty where all limits are shown."""
        return ", ".join(reference().standards[one].name for one in self.standards)
