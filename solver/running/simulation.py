"""Run a project: from its checks to results in memory or in a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from solver.base.places import __version__
from solver.base.words import Sentence
from solver.engine.dynamics.tree import Array
from solver.engine.signals import SignalError
from solver.injury import assess, body_sensors
from solver.model.compile import Model, compile_model, method_of
from solver.model.own import OwnLaw, with_laws
from solver.project.amounts import amounts, size
from solver.project.checks import Checked, checked
from solver.project.document import Project
from solver.project.problems import SimulationError
from solver.project.runs import Run
from solver.project.saving import to_json
from solver.results import ResultsWriter
from solver.results.events import Event
from solver.results.layout import ChannelSpec, InjuryValue
from solver.results.memory import EVERYTHING, MemoryTrajectory, SparseTrajectory, Wanted
from solver.results.trajectory import Frame, Trajectory, present
from solver.running.checkpoint import CheckpointTimer, keep_state
from solver.running.common import STATES_KEPT, Solved
from solver.running.outputs.channels import channels
from solver.running.outputs.frames import Events, ids
from solver.running.outputs.recorder import Outcome, Sink
from solver.running.readouts import Readouts
from solver.running.restart import Restart
from solver.running.state import State
from solver.running.stepper import Stepper
from solver.running.warm import about_level, compile_parts

# Whether this machine has room for what a run stores; a run without room is not begun.

HINT = "Store frames further apart, sample outputs at a lower rate, or end the run earlier."


SPARED = 0.2
"""Part of the free memory that stays with whatever else is at work."""


def free_memory() -> float | None:
    """The memory that this program may still take (bytes); none where nothing says so."""
    found = (_of_the_machine(), _of_its_group(), _of_this_process())
    return min((left for left in found if left is not None), default=None)


def _of_the_machine() -> float | None:
    fields = _fields(Path("/proc/meminfo"))
    if "MemAvailable" in fields:
        return fields["MemAvailable"]
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return None


def _of_its_group(
    root: Path = Path("/sys/fs/cgroup"), of: Path = Path("/proc/self/cgroup")
) -> float | None:
    """What a container's limit leaves; files that can be read again count as free."""
    try:
        path = next(line[3:] for line in of.read_text().splitlines() if line.startswith("0::"))
    except (OSError, StopIteration):
        return None
    group, found = root / path.strip("/"), []
    for one in (group, *group.parents):
        if one != root and root not in one.parents:
            break
        try:
            most = (one / "memory.max").read_text().strip()
            used = float((one / "memory.current").read_text())
        except (OSError, ValueError):
            continue
        if most != "max":
            found.append(
                float(most) - used + _fields(one / "memory.stat").get("inactive_file", 0.0)
            )
    return max(0.0, min(found)) if found else None


def _of_this_process() -> float | None:
    """What limits set for this program leave, such as that of `ulimit -v`."""
    try:
        import resource
    except ImportError:
        return None
    used, found = _fields(Path("/proc/self/status")), []
    for limit, name in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
        most, _ = resource.getrlimit(limit)
        if most != resource.RLIM_INFINITY and name in used:
            found.append(max(0.0, most - used[name]))
    return min(found, default=None)


def _fields(file: Path) -> dict[str, float]:
    """Read lines such as 'VmData: 12 kB' or 'inactive_file 12'; in bytes."""
    fields: dict[str, float] = {}
    try:
        lines = file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return fields
    for line in lines:
        name, *rest = line.replace(":", " ").split()
        if rest and rest[0].isdigit():
            fields[name] = float(rest[0]) * (1024.0 if rest[1:] == ["kB"] else 1.0)
    return fields


def refuse_beyond_memory(project: Project, run: Run) -> None:
    """Refuse a run whose results do not fit into the memory that is left."""
    needed, left = amounts(project, run), free_memory()
    if left is not None and needed.in_memory > (1.0 - SPARED) * left:
        raise SimulationError(
            "Run '{run}' stores {said}; in memory it takes up to {size}, and {size_2} are free. {hint}",
            run=run.id,
            said=needed.said,
            size=size(needed.in_memory),
            size_2=size(left),
            hint=HINT,
        )


def refuse_beyond_disk(project: Project, run: Run, file: Path) -> None:
    """Refuse a run whose results file does not fit onto its disk."""
    needed = amounts(project, run)
    try:
        left = shutil.disk_usage(file.absolute().parent).free
    except OSError:
        return
    if needed.on_disk > left:
        raise SimulationError(
            "Run '{run}' stores {said}; {size} are free where '{file}' is to be. {hint}",
            run=run.id,
            said=needed.said,
            size=size(left),
            file=file.name,
            hint=HINT,
        )


__all__ = [
    "Outcome",
    "Simulation",
    "Sink",
    "State",
    "Stepper",
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
        laws: Sequence[OwnLaw] = (),
        solved: Sequence[Solved] = (),
        keeps_states: bool = False,
    ) -> None:
        """Compile a run; one that is taken up again goes on from what was found before.

        With `solved` runs of like models it begins where it begins to differ from one of these, where this can be told (`common`).
        With `keeps_states` others may begin so from this one: the states that it takes for that change nothing.
        """
        ready = checked(project)
        project = self.project = ready.project
        self.run = chosen_run(project, run)
        self._restart = restart
        self._state = None if restart is None else restart.checked(project, self.run)
        self._laws, self._solved, self._keeps = laws, tuple(solved), keeps_states
        self._course: Stepper | None = None
        self.begins_at = 0.0
        """The time (s) up to which the run is that of the one before, once it has begun."""
        self.model: Model = with_laws(
            compile_model(ready, getattr(self.run.integrator, "as_program", False)), laws
        )
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
        solver are compiled, where some are not yet. `keep` is given the state each half minute, as bytes. One of many
        runs that nobody can stop is solved in this thread alone.
        """
        course = self.begin(cancel, compiling)
        if self._restart is not None and self._state is not None:
            self._restart.take_up(course, self._state, present(self.ids), sinks)
        elif self._solved and not self._laws and self._wanted is None:
            self._begin_late(course, sinks)
        if self._wanted is not None and cancel is None:
            course.go_through(sinks)
            return course.finished()
        try:
            pauses = self._pauses(course.last_restartable) if self._wanted is None else []
            kept = None if keep is None else CheckpointTimer(keep, KEPT_EACH_S)
            course.go_on(sinks, None, progress, cancel, pauses=pauses, keep=kept)
        finally:
            if course.stopped is not None and self._wanted is None:
                keep_state(course.stopped, sinks)
        return course.finished()

    def _begin_late(self, course: Stepper, sinks: Sequence[Sink]) -> None:
        """Set a run to where it begins to differ from one that was solved before, of several as late as can be."""
        found = [(one, one.latest(self.model, self.run, course.held)) for one in self._solved]
        known = [(one, state) for one, state in found if state is not None]
        if known:
            solved, state = max(known, key=lambda one: one[1].time)
            solved.take_up(state, course, self.model, present(self.ids), sinks)
            self.begins_at = state.time

    def stop(self) -> None:
        """Ask the run to end with the step that it is at; any thread may."""
        if self._course is not None:
            self._course.stop()

    def solved(self, memory: MemoryTrajectory) -> Solved:
        """Give the run with what it has found, for others to begin from."""
        return Solved(self.model, self.run, memory)

    def _pauses(self, last: float) -> list[float]:
        """The times at which states are kept: each interval, and as late as can be."""
        interval = self.run.checkpoint_interval_s
        if self._keeps and interval is None:
            interval = self.run.duration_s / STATES_KEPT
        count = 0 if interval is None else min(int(last / interval), MOST_CHECKPOINTS)
        inner = [n * (interval or 0.0) for n in range(1, count + 1)]
        return sorted({time for time in (*inner, last) if 0.0 < time <= last})

    def begin(
        self,
        cancel: Callable[[], bool] | None = None,
        compiling: Callable[[int, int], object] | None = None,
    ) -> Stepper:
        """Give the run at its start, to be taken on in pieces; kernels are compiled where they are not."""
        # of many runs the first has seen to it
        is_first = self._wanted is None or self._wanted.is_all
        notes = compile_parts(self.model, cancel, compiling) if is_first else ()
        course = Stepper(self.project, self.run, self.model, self._made, self._wanted)
        laws = [one.note() for one in self._laws]
        course.outcome.notes += (*notes, *about_level(), *laws)
        self._course = course
        return course

    def readouts(self, course: Stepper | None = None) -> Readouts:
        """What reads quantities of a run under way; energies count from the start of that. Without a run it knows names."""
        made = Readouts(self.model, self._channels, partial(project_bytes, self.project))
        if course is not None:
            made.instant.frames.energy = course.energy
        return made

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
    """The exact project as it stands in results, with its curves inside."""
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
