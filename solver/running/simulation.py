"""Run a project: from its checks to results in memory or in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from solver.base.places import __version__
from solver.base.words import Sentence
from solver.engine.dynamics.tree import Array
from solver.engine.signals import SignalError
from solver.injury import assess, body_sensors
from solver.model.compile import Model, compile_model
from solver.model.method import method_of
from solver.model.refusal import SimulationError
from solver.project.canonical import to_json
from solver.project.checks import Checked, checked
from solver.project.document import Project
from solver.project.runs import Run
from solver.results import ResultsWriter
from solver.results.events import Event
from solver.results.layout import ChannelSpec, InjuryValue
from solver.results.memory import EVERYTHING, MemoryTrajectory, SparseTrajectory, Wanted
from solver.results.trajectory import Frame, Trajectory, present
from solver.running.checkpoint import Keep, keep_state
from solver.running.course import Course
from solver.running.outputs.channels import channels
from solver.running.outputs.events import Events
from solver.running.outputs.frames import ids
from solver.running.outputs.recorder import Outcome, Sink
from solver.running.outputs.room import refuse_beyond_disk, refuse_beyond_memory
from solver.running.restart import Restart
from solver.running.state import State
from solver.running.warm import compile_parts

__all__ = [
    "Course",
    "Outcome",
    "Simulation",
    "Sink",
    "State",
    "ToFile",
    "chosen_run",
    "method_of",
    "project_bytes",
    "simulate",
    "simulate_to_file",
]

MOST_CHECKPOINTS = 1000
"""States that a run keeps at most."""

KEPT_EACH_S = 30.0
"""Seconds of the clock after which the state of a run that is written to a file stands beside it."""

NOT_ASSESSED = Sentence("note: the run was cancelled: no injury figures of it were computed")


def chosen_run(project: Project, wanted: str | None) -> Run:
    """Give a run of a project by its id; the first if none is named."""
    if not project.runs:
        raise SimulationError("The project has no run; add one to 'runs' with a duration.")
    for run in project.runs:
        if wanted in (None, run.id):
            return run
    names = ", ".join(run.id for run in project.runs)
    raise SimulationError(
        "The project has no run '{wanted}'; it has {names}.", wanted=wanted, names=names
    )


class Simulation:
    """Run one project; `go` does it, and may be called in any thread.

    A project is checked first: raises ProjectError where it has errors. `Checked` has been.
    With `wanted` it is one of many, to be read once (`sparse`): no more than that is recorded, no state is kept,
    and NotRecorded is raised where only a whole record can say what went wrong.
    """

    def __init__(
        self,
        project: Project | Checked,
        run: str | None = None,
        restart: Restart | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        """Compile a run; one that is taken up again goes on from what was found before."""
        ready = checked(project)
        project = self.project = ready.project
        self.run = chosen_run(project, run)
        self._restart = restart
        self._state = None if restart is None else restart.checked(project, self.run)
        self.model: Model = compile_model(ready)
        sensors = body_sensors(project) if self.run.body_sensors else []
        self._channels = channels(self.model, sensors)
        self._wanted, self._made = wanted, self._channels
        if wanted is not None and not wanted.is_all:
            self._made = channels(self.model, sensors, wanted.channels)

    @property
    def ids(self) -> dict[str, tuple[str, ...]]:
        """Name the elements of each group of results."""
        return dict(ids(self.model))

    @property
    def names(self) -> tuple[str, ...]:
        """Name all that an event may name."""
        return Events(self.model).names()

    @property
    def specs(self) -> list[ChannelSpec]:
        """Describe the channels."""
        return [spec for one in self._channels for spec in one.specs]

    def go(
        self,
        sinks: Sequence[Sink],
        progress: Callable[[float], object] | None = None,
        cancel: Callable[[], bool] | None = None,
        compiling: Callable[[int, int], object] | None = None,
        keep: Callable[[float, bytes], object] | None = None,
    ) -> Outcome:
        """Solve, and hand frames, samples and steps to all sinks as they come.

        `cancel` is asked again and again; what was found until then has been handed over. Ctrl+C
        does the same before it is raised. `compiling` is told how many of how many parts of the
        solver are compiled, where some are not yet. `keep` is given the state each half minute, as bytes.
        """
        course = self.begin(cancel, compiling)
        if self._restart is not None and self._state is not None:
            self._restart.take_up(course, self._state, present(self.ids), sinks)
        try:
            pauses = self._pauses(course.last_unhurried) if self._wanted is None else []
            kept = None if keep is None else Keep(keep, KEPT_EACH_S)
            course.go_on(sinks, None, progress, cancel, pauses=pauses, keep=kept)
        finally:
            if course.stopped is not None and self._wanted is None:
                keep_state(course.stopped, sinks)
        return course.finished()

    def _pauses(self, last: float) -> list[float]:
        """Give the times at which states are kept: each interval, and as late as can be."""
        interval = self.run.checkpoint_interval_s
        count = 0 if interval is None else min(int(last / interval), MOST_CHECKPOINTS)
        inner = [n * (interval or 0.0) for n in range(1, count + 1)]
        return sorted({time for time in (*inner, last) if 0.0 < time <= last})

    def begin(
        self,
        cancel: Callable[[], bool] | None = None,
        compiling: Callable[[int, int], object] | None = None,
    ) -> Course:
        """Give the run at its start, to be taken on in pieces; kernels are compiled where they are not."""
        notes = compile_parts(self.model, cancel, compiling)
        course = Course(self.project, self.run, self.model, self._made, self._wanted)
        course.outcome.notes += notes
        return course

    def memory(self) -> MemoryTrajectory:
        """Give room for the results in memory; it can be read while `go_into` fills it."""
        refuse_beyond_memory(self.project, self.run)
        text = partial(project_bytes, self.project)
        return MemoryTrajectory(self.ids, self.specs, text, self.run.id)

    def sparse(self) -> SparseTrajectory:
        """Give room for what is wanted, which notes what is read of it."""
        refuse_beyond_memory(self.project, self.run)
        text = partial(project_bytes, self.project)
        return SparseTrajectory(self.ids, self.specs, text, self.run.id, self._wanted or EVERYTHING)

    def go_into(
        self,
        memory: MemoryTrajectory,
        progress: Callable[[float], object] | None = None,
        cancel: Callable[[], bool] | None = None,
        compiling: Callable[[int, int], object] | None = None,
    ) -> Outcome:
        """Solve into memory, with the injury figures at the end."""
        outcome = self.go([memory], progress, cancel, compiling)
        _assess(self.project, memory, outcome)
        memory.finish(outcome.status, outcome.message, outcome.injury, outcome.notes)
        return outcome


class ToFile:
    """Write a run into a results file as it comes."""

    def __init__(self, writer: ResultsWriter) -> None:
        self._writer = writer

    def add_frames(self, time: Array, frames: Frame) -> None:
        """Take several instants."""
        self._writer.frames(time, frames)

    def add_samples(self, name: str, time: Array, value: Array) -> None:
        """Take samples of one channel."""
        self._writer.samples(name, time, value)

    def add_steps(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Take steps of the integrator."""
        self._writer.steps(columns)

    def add_events(self, events: Sequence[Event]) -> None:
        """Take what happened."""
        self._writer.events(events)

    def add_checkpoint(self, time: float, data: Callable[[], bytes]) -> None:
        """Take a state from which the run can be taken up again."""
        self._writer.checkpoint(time, data())


def simulate_to_file(
    project: Project | Checked,
    path: Path,
    run: str | None = None,
    progress: Callable[[float], object] | None = None,
    cancel: Callable[[], bool] | None = None,
    compiling: Callable[[int, int], object] | None = None,
    restart: Restart | None = None,
) -> Outcome:
    """Check a project and solve it into a results file; whatever ends the run, the file is whole.

    With a `restart` it goes on from earlier results, which stay as they are.
    """
    simulation = Simulation(project, run, restart)
    project = simulation.project
    refuse_beyond_disk(project, simulation.run, path)
    with ResultsWriter(
        path,
        simulation.ids,
        simulation.specs,
        project_bytes(project),
        __version__,
        simulation.run.id,
        simulation.names,
    ) as writer:
        outcome = simulation.go([ToFile(writer)], progress, cancel, compiling, writer.state)
        for line in outcome.notes:
            writer.log(line)

        def figures(written: Trajectory) -> list[InjuryValue]:
            for line in _assess(project, written, outcome):
                writer.log(line)
            return outcome.injury

        writer.finish(outcome.status, outcome.message, figures)
    return outcome


def _assess(project: Project, run: Trajectory, outcome: Outcome) -> tuple[Sentence, ...]:
    """Compute the injury figures of a run that has ended; give the notes about them.

    Who cancels a run waits for none.
    """
    if outcome.status == "cancelled":
        outcome.notes.append(NOT_ASSESSED)
        return (NOT_ASSESSED,)
    try:
        assessment = assess(run, project, status=outcome.status, notes=outcome.notes)
    except SignalError as failure:
        # how the run ended is told all the same
        note = Sentence("note: no injury figures were computed: {why}", why=failure.said)
        outcome.notes.append(note)
        return (note,)
    outcome.assessment = assessment
    outcome.injury = [figure.stored() for figure in assessment.figures]
    outcome.notes += assessment.notes
    return assessment.notes


def project_bytes(project: Project) -> bytes:
    """Give the exact project as it stands in results, with its curves inside."""
    return to_json(project, embed_curves=True).encode()


def simulate(
    project: Project | Checked,
    run: str | None = None,
    progress: Callable[[float], object] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Trajectory:
    """Check a project, solve it and give its motion, in memory.

    Raises ProjectError where the project has errors; `checked` gives one that is not checked again.

    `progress` is told the part that is done, `cancel` is asked fifty times a second whether to stop.
    """
    simulation = Simulation(project, run)
    memory = simulation.memory()
    simulation.go_into(memory, progress, cancel)
    return memory
