"""Run a project: arrays, steps, frames to whoever wants them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from solver import __version__
from solver.dynamics.tree import Array
from solver.forces.straps import OPEN
from solver.forces.system import make_work
from solver.injury import Assessment, assess, body_sensors
from solver.integrate import control
from solver.integrate.advance import advance
from solver.integrate.control import History, Method, Plan, make_history, ready
from solver.integrate.flow import (
    EVALUATIONS,
    EVENTS_NOW,
    REJECTED,
    SAMPLED_NOW,
    STEPS,
    STEPS_NOW,
    Flow,
    T,
    make_flow,
)
from solver.integrate.samples import Samples, make_samples
from solver.integrate.stages import DOPRI, EULER, RK4, VEI
from solver.maths.kernels import are_compiled, mark_compiled
from solver.model.compile import Model, Modes, compile_model
from solver.model.convergence import compile_vei
from solver.model.refusal import SimulationError
from solver.outputs.channels import Channels, channels
from solver.outputs.events import Events
from solver.outputs.failures import why
from solver.outputs.finite import first_lost
from solver.outputs.frames import Block, Frames, ids
from solver.outputs.instants import ROWS, Instants, instants
from solver.outputs.ledger import Ledger
from solver.outputs.room import refuse_beyond_disk, refuse_beyond_memory
from solver.outputs.seen import Seen
from solver.outputs.watch import Passage, Watch, told
from solver.project.canonical import to_json
from solver.project.checks import Checked, checked
from solver.project.document import Project
from solver.project.runs import (
    DormandPrince,
    Run,
    RungeKutta4,
    SemiImplicitEuler,
    VectorExponential,
)
from solver.results import ResultsWriter
from solver.results.events import Event, log_of
from solver.results.layout import ChannelSpec, InjuryValue
from solver.results.memory import MemoryTrajectory
from solver.results.trajectory import Frame, Trajectory
from solver.stoppable import Stoppable
from solver.warm import compile_parts

STEPS_AT_ONCE = 400
"""Steps after which kernels hand over what they have, if their time does not come before."""

GOING_ON = (control.SAMPLED, control.PAUSED, control.SWITCHED, control.STOPPED)
"""Why kernels come back from what can go on."""

NOT_ASSESSED = "note: the run was cancelled: no injury figures of it were computed"


class Sink(Protocol):
    """Be one who takes frames, samples and steps as they come."""

    def add_frames(self, time: Array, frames: Frame) -> None:
        """Take several instants; each value has one row for each of them."""

    def add_samples(self, name: str, time: Array, value: Array) -> None:
        """Take samples of one channel."""

    def add_steps(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Take steps of the integrator: time, step, evaluations, rejected."""

    def add_events(self, events: Sequence[Event]) -> None:
        """Take what happened."""


@dataclass
class Outcome:
    """Say how a run ended, and what it took."""

    status: str = "completed"
    message: str = ""
    time: float = 0.0
    steps: int = 0
    evaluations: int = 0
    rejected: int = 0
    happened: list[Event] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What there is to say besides."""
    injury: list[InjuryValue] = field(default_factory=list)
    assessment: Assessment | None = None
    """All about the injury figures, limits and missing ones included."""
    energy_balance: float = 0.0
    """Largest error of the energy account (J)."""
    gains: tuple[str, ...] = ()
    """What gave more energy than it took, or than webbing would, in sentences."""
    passages: tuple[Passage, ...] = ()
    """What passed through what, the deepest first."""

    @property
    def log(self) -> tuple[str, ...]:
        """Give the lines of the log: notes, and events in words."""
        return log_of(self.notes, self.happened)


def chosen_run(project: Project, wanted: str | None) -> Run:
    """Give a run of a project by its id; the first if none is named."""
    if not project.runs:
        raise SimulationError("The project has no run; add one to 'runs' with a duration.")
    for run in project.runs:
        if wanted in (None, run.id):
            return run
    names = ", ".join(run.id for run in project.runs)
    raise SimulationError(f"The project has no run '{wanted}'; it has {names}.")


def method_of(run: Run, model: Model) -> Method:
    """Give a run's method in the kernels' form, with its memory if it has one."""
    i = run.integrator
    vei = compile_vei(i, model.trees)
    if isinstance(i, DormandPrince):
        return Method(
            DOPRI, i.relative_tolerance, i.absolute_tolerance, i.first_step_s or 0.0,
            i.largest_step_s, i.smallest_step_s, vei,
        )  # fmt: skip
    if isinstance(i, VectorExponential):
        return Method(VEI, 0.0, 0.0, i.first_step_s, i.largest_step_s, i.smallest_step_s, vei)
    kind = RK4 if isinstance(i, RungeKutta4) else EULER
    assert isinstance(i, RungeKutta4 | SemiImplicitEuler)
    return Method(kind, 0.0, 0.0, i.step_s, i.step_s, i.step_s, vei)


class Simulation:
    """Run one project; `go` does it, and may be called in any thread.

    A project is checked first: raises ProjectError where it has errors. `Checked` has been.
    """

    def __init__(self, project: Project | Checked, run: str | None = None) -> None:
        ready = checked(project)
        project = self.project = ready.project
        self.run = chosen_run(project, run)
        self.model: Model = compile_model(ready)
        self._sensors = body_sensors(project) if self.run.body_sensors else []
        self._channels: list[Channels] = channels(self.model, self._sensors)
        self._events, self._ledger = Events(self.model), Ledger()
        self._watch = Watch(project)

    @property
    def ids(self) -> dict[str, tuple[str, ...]]:
        """Name the elements of each group of results."""
        return dict(ids(self.model))

    @property
    def names(self) -> tuple[str, ...]:
        """Name all that an event may name."""
        return self._events.names()

    @property
    def specs(self) -> list[ChannelSpec]:
        """Describe the channels."""
        return [spec for c in self._channels for spec in c.specs]

    def go(
        self,
        sinks: Sequence[Sink],
        progress: Callable[[float], object] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Solve, and hand frames, samples and steps to all sinks as they come.

        `cancel` is asked again and again; what was found until then has been handed over. Ctrl+C
        does the same before it is raised.
        """
        out = Outcome(notes=list(self.model.notes))
        if not are_compiled():
            out.notes += compile_parts(cancel)
        model, run = self.model.fresh(), self.run
        work = make_work(model.system, model.trees.speeds, model.rows)
        flow = make_flow(model.q, model.v, model.z, model.states, model.level())
        samples = make_samples(model.system, work, flow, ROWS)
        history = make_history(STEPS_AT_ONCE)
        self._ledger, self._watch = Ledger(), Watch(self.project)
        # angles are followed on from block to block
        self._channels = channels(self.model, self._sensors)
        frames, method = Frames(model), method_of(run, model)
        kernels = Stoppable(flow.wish, cancel)
        kernels.do(partial(ready, flow, 0.0))
        for left in instants(run):
            while len(left.times) and out.status == "completed":
                modes = model.modes()
                plan = Plan(model.breaks, run.duration_s, left.times)
                code = None
                if not kernels.is_asked:
                    code = kernels.do(
                        partial(advance, model.system, work, flow, method, plan, samples, history)
                    )
                if code is not None:
                    taken = int(flow.counters[SAMPLED_NOW])
                    self._hand_over(sinks, frames, modes, samples, left, taken, out)
                    self._steps(sinks, history, flow, out)
                    left = left.after(taken)
                    out.time = float(flow.clock[T])
                    mark_compiled()
                    if progress is not None:
                        progress(out.time / run.duration_s)
                kernels.pass_on()
                if out.status != "completed":
                    break
                if code not in (None, *GOING_ON):
                    out.status, out.message = "failed", why(code, model, flow)
                elif kernels.is_asked:
                    out.status, out.message = "cancelled", "The run was cancelled."
            if out.status != "completed":
                break
        out.steps, out.evaluations = int(flow.counters[STEPS]), int(flow.counters[EVALUATIONS])
        out.rejected = int(flow.counters[REJECTED])
        out.gains = tuple(self._ledger.sentences())
        out.notes.extend(f"note: {sentence}" for sentence in out.gains)
        out.passages = self._watch.found()
        out.notes.extend(told(out.passages))
        balances = int(model.system.straps.counts[OPEN])
        if balances:
            out.notes.append(
                f"note: at {balances} of {out.evaluations} evaluations a harness came to no exact balance"
            )
        return out

    def memory(self) -> MemoryTrajectory:
        """Give room for the results in memory; it can be read while `go_into` fills it."""
        refuse_beyond_memory(self.project, self.run)
        return MemoryTrajectory(self.ids, self.specs, project_bytes(self.project), self.run.id)

    def go_into(
        self,
        memory: MemoryTrajectory,
        progress: Callable[[float], object] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Solve into memory, with the injury figures at the end."""
        outcome = self.go([memory], progress, cancel)
        _assess(self.project, memory, outcome)
        memory.finish(outcome.status, outcome.message, outcome.injury, outcome.notes)
        return outcome

    def _hand_over(
        self,
        sinks: Sequence[Sink],
        frames: Frames,
        modes: Modes,
        samples: Samples,
        left: Instants,
        taken: int,
        out: Outcome,
    ) -> None:
        """Make frames and channels of a block and give them to all sinks."""
        if taken == 0:
            return
        seen = Seen(self.model, modes, samples, taken)
        block = frames.block(seen, samples)
        wanted = np.flatnonzero(left.is_frame[:taken])
        bodies = frames.at_frames(seen, samples, wanted) if len(wanted) else {}
        values = [(c.specs, c.values(seen, samples, block)) for c in self._channels]
        lost = first_lost(seen.time, block, bodies, wanted, values)
        if lost is not None:
            taken, out.status, out.message = lost.row, "failed", lost.said
            if taken == 0:
                return
            block = _first_rows(block, taken)
            bodies = _first_rows(bodies, int(np.count_nonzero(wanted < taken)))
            wanted = wanted[wanted < taken]
        balance = float(np.max(np.abs(block["energy"]["balance"])))
        out.energy_balance = max(out.energy_balance, balance)
        self._ledger.take(block)
        dense = np.flatnonzero(left.is_sample[:taken])
        chosen = {
            group: {name: column[wanted] for name, column in columns.items()}
            for group, columns in block.items()
        }
        if len(wanted) and "segments" in bodies:
            depths = chosen["contacts"]["penetration"] if "contacts" in chosen else None
            self._watch.look(seen.time[wanted], bodies["segments"], depths)
        for sink in sinks:
            if len(wanted):
                sink.add_frames(seen.time[wanted], _joined(chosen, bodies))
            for specs, rows in values:
                for spec, value in zip(specs, rows, strict=True):
                    sink.add_samples(spec.name, seen.time[dense], value[dense])

    def _steps(self, sinks: Sequence[Sink], history: History, flow: Flow, out: Outcome) -> None:
        """Hand over the steps and events of one call."""
        count = int(flow.counters[STEPS_NOW])
        columns = {
            name: getattr(history, name)[:count].copy()
            for name in ("time", "step", "evaluations", "rejected")
        }
        happened = [
            self._events.event(
                float(history.event_time[n]), *(int(x) for x in history.event[n, :2])
            )
            for n in range(int(flow.counters[EVENTS_NOW]))
        ]
        happened = sorted([*happened, *self._watch.events()], key=lambda event: event.time)
        out.happened.extend(happened)
        for sink in sinks:
            sink.add_steps(columns)
            sink.add_events(happened)


def _first_rows(block: Frame, count: int) -> Block:
    """Give the first instants of a block."""
    return {
        group: {name: value[:count] for name, value in columns.items()}
        for group, columns in block.items()
    }


def _joined(one: Frame, other: Frame) -> Frame:
    groups = dict.fromkeys((*one, *other))
    return {group: {**one.get(group, {}), **other.get(group, {})} for group in groups}


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


def simulate_to_file(
    project: Project | Checked,
    path: Path,
    run: str | None = None,
    progress: Callable[[float], object] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Outcome:
    """Check a project and solve it into a results file; whatever ends the run, the file is whole."""
    simulation = Simulation(project, run)
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
        outcome = simulation.go([ToFile(writer)], progress, cancel)
        for line in outcome.notes:
            writer.log(line)

        def figures(written: Trajectory) -> list[InjuryValue]:
            for line in _assess(project, written, outcome):
                writer.log(line)
            return outcome.injury

        writer.finish(outcome.status, outcome.message, figures)
    return outcome


def _assess(project: Project, run: Trajectory, outcome: Outcome) -> tuple[str, ...]:
    """Compute the injury figures of a run that has ended; give the notes about them.

    Who cancels a run waits for none.
    """
    if outcome.status == "cancelled":
        outcome.notes.append(NOT_ASSESSED)
        return (NOT_ASSESSED,)
    assessment = outcome.assessment = assess(run, project)
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
