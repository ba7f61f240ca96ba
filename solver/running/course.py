"""Where a run stands: arrays, the steps that kernels take, the instants that are due, and what was found.

It goes on in this thread alone, as a loop of control does; `stepper` lets kernels and those who take what they found
work side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from solver.base.words import tr
from solver.engine.dynamics.tree import Array, IntArray, Motion, kinematics, make_motion
from solver.engine.forces.system import System, Work, make_work
from solver.engine.integrate.advance import advance
from solver.engine.integrate.control import ready
from solver.engine.integrate.flow import (
    EVENTS_NOW,
    FRESH,
    GO_ON,
    H_NEXT,
    NEXT_BREAK,
    SAMPLED_NOW,
    STEPS_NOW,
    Flow,
    T,
    make_flow,
)
from solver.engine.integrate.plan import History, Plan, make_history
from solver.engine.integrate.samples import Samples, make_samples
from solver.engine.integrate.stages import VEI
from solver.engine.integrate.vei import GOOD, LAST_H
from solver.engine.jit.direct import entry_of
from solver.engine.maths.rotation import cross
from solver.model.compile import Model, Modes, method_of
from solver.model.set_forces import refuse_unknown, with_forces
from solver.project.document import Project
from solver.project.problems import SimulationError
from solver.project.runs import Run
from solver.results.memory import Wanted
from solver.running.outputs.account import Energy
from solver.running.outputs.channels import Channels
from solver.running.outputs.failures import GOING_ON, failure_text
from solver.running.outputs.frames import (
    ENOUGH,
    ROWS,
    ROWS_LATER,
    STEPS_AT_ONCE,
    STEPS_LATER,
    Instants,
    OutputBlock,
    instants,
    joined,
    nearness,
)
from solver.running.outputs.impacts import Blow, blows_of
from solver.running.outputs.recorder import Outcome, Recorder, Sink
from solver.running.outside import Outside
from solver.running.state import RunArrays, State

AHEAD_STEPS = 50
"""Steps for which there is room at least where a hop begins."""


class WaitingRows:
    """Room for samples and steps of many hops, which are handed over together."""

    def __init__(self, samples: Samples, history: History, enough: int) -> None:
        self._samples, self._history, self._enough = samples, history, enough
        self._rows = self._steps = self._events = 0
        self._due: list[Instants] = []
        self._blows: tuple[Blow, ...] = ()
        self._modes: list[Modes] = []

    def fits(self, rows: int, modes: Modes) -> bool:
        """Whether there is room for so many more rows, in these modes."""
        steps = len(self._history.time) - max(self._steps, self._events)
        is_full = self._rows + rows > len(self._samples.time) or steps < AHEAD_STEPS
        return not is_full and (
            not self._modes or bool(np.array_equal(self._modes[0].kind, modes.kind))
        )

    @property
    def is_enough(self) -> bool:
        """Whether it is worth handing over."""
        return self._rows >= self._enough

    def place(self, one_step: bool) -> tuple[Samples, History]:
        """The room behind what waits; for one step alone where somebody is asked before each."""
        first, history = self._rows, self._history
        left = 1 if one_step else len(history.time) - max(self._steps, self._events)
        more = len(history.event) - len(history.time)
        steps, events = (
            slice(self._steps, self._steps + left),
            slice(self._events, self._events + left + more),
        )
        return Samples(*(one[first:] for one in self._samples)), History(
            history.time[steps], history.step[steps], history.worst[steps], history.evaluations[steps],
            history.rejected[steps], history.event_time[events], history.event[events],
        )  # fmt: skip

    def keep(
        self, found: Instants, modes: Modes, steps: int, events: int, blows: tuple[Blow, ...]
    ) -> None:
        """Keep what was found there."""
        self._blows += blows
        self._rows += len(found.times)
        self._steps += steps
        self._events += events
        self._due.append(found)
        self._modes.append(modes)

    def taken(self) -> list[OutputBlock]:
        """What waits, as a block, or nothing; there is room again once that has been used."""
        if not self._due:
            return []
        due = Instants(
            *(
                np.concatenate([getattr(one, name) for one in self._due])
                for name in ("times", "is_frame", "is_sample")
            )
        )
        counts = [len(one.times) for one in self._due]
        modes = Modes(
            self._modes[0].kind,
            *(
                np.repeat(np.stack(rows), counts, axis=0)
                for rows in zip(*(one[1:] for one in self._modes), strict=True)
            ),
        )
        found = OutputBlock(
            due, modes, self._samples, self._history, self._steps, self._events, self._blows
        )
        self._blows = ()
        self._rows = self._steps = self._events = 0
        self._due, self._modes = [], []
        return [found]


class Course:
    """A run under way, from its start or from a state."""

    def __init__(
        self, project: Project, run: Run, compiled: Model, channels: Sequence[Channels],
        wanted: Wanted | None = None,
    ) -> None:  # fmt: skip
        self.project, self._run, self.near = project, run, nearness(run)
        model = self._model = compiled.fresh()
        self.outside = Outside(model)
        self._work = make_work(model.system, model.trees.speeds, model.rows)
        self._flow = make_flow(model.q, model.v, model.z, model.states, *model.marks())
        self._method = method_of(run, model)
        self._motion = make_motion(model.system.tree)
        self._held = RunArrays(
            compiled.system, model.system.own, self._work, self._flow, self._method
        )
        # rolling pairs may touch together, joints go together, and impulses have something to say besides
        more = 2 + 2 * len(model.system.rolls.kind) + int(np.sum(model.frees()))
        steps, rows, enough = (STEPS_AT_ONCE, ROWS, ENOUGH) if wanted is None else (STEPS_LATER, ROWS_LATER, ROWS_LATER)  # fmt: skip
        self._block = self._room(steps, more, rows)
        self._step_by_step = self._room(1, more)
        self._recorder = Recorder(compiled, channels, run, wanted)
        self._grid: Iterator[Instants] = instants(run)
        self._left: Instants | None = None
        self._breaks = model.breaks
        self._is_ready, self._step = False, 0.0
        self._waiting, self._sinks = WaitingRows(*self._block, enough), tuple[Sink, ...]()
        self._entry: Callable[..., Any] | None = None
        self.seen = self._step_by_step[0], 0, model.modes()
        """Samples, a row of them, and the modes there: of the time to which the run has hopped last."""
        self._has_come_back = False
        """Whether kernels have come back: before that they may still be compiled."""
        self.stopped: State | None = None
        """The state in which the run was cancelled, where it may be taken up there."""
        self._counters = self._flow.counters
        self.sampled = -1.0
        """The last instant of frames and channels (s); below zero before the first."""

    @property
    def _system(self) -> System:
        """The system with what acts from outside."""
        return self.outside.system

    @property
    def held(self) -> RunArrays:
        """All arrays of the run, by name."""
        return self._held

    @property
    def time(self) -> float:
        """The end of the last step (s)."""
        return float(self._flow.clock[T])

    @property
    def is_restartable(self) -> bool:
        """Whether the run may be taken up here: all steps were chosen without a look at its end.

        Near it steps are cut that could be longer than half of what is left, so that the last one meets it.
        """
        left = self._run.duration_s - (self.time - self._step)
        if self._step <= 0.0 or float(self._method.largest) >= 0.49 * left:
            return False
        return self._held.is_finite(self._system)

    @property
    def last_restartable(self) -> float:
        """A time (s), as late as can be, at which a pause finds the run restartable."""
        longest, apart = float(self._method.largest), 1.0 / self._run.channel_rate_hz
        return self._run.duration_s - 2.1 * longest - apart

    @property
    def is_over(self) -> bool:
        """Whether all has been sampled, or whether the run cannot go on."""
        return self.outcome.status != "completed" or self.sampled >= self._run.duration_s

    def hop(self, sinks: Sequence[Sink], time: float, records: bool = True) -> None:
        """Go on to exactly a time (s), here and now: in this thread, which nobody stops before it has come back.

        What is found waits until it is worth handing over, or is asked for (`hand_over`); without `records` nothing is
        kept of the way but what happened.
        """
        try:
            self._hop(sinks, time, records)
        except KeyboardInterrupt:
            # wherever it came: instants may be missing, so nothing goes on from here
            self.outcome.status, self.outcome.message = "cancelled", tr("The run was cancelled.")
            raise

    def go_through(self, sinks: Sequence[Sink]) -> None:
        """Go on to the end, here and now, as one of many does that nobody follows and nobody stops."""
        self._hop(sinks, None, records=True)

    def _hop(self, sinks: Sequence[Sink], time: float | None, records: bool) -> None:
        """Go on to exactly a time (s), or to the end of the run."""
        end = None if time is None else self._stop_at(time)
        self.outside.begin_course(end is not None)
        self._get_ready_once()
        flow, out, self._sinks = self._flow, self.outcome, tuple(sinks)
        flow.wish[0] = GO_ON
        while out.status == "completed":
            due = self._due(None) if end is None else self._due_before(end) if records else self._due_alone(end)  # fmt: skip
            if due is None:
                return
            due, modes = self._let_act(due, end), self._model.modes()
            if not self._waiting.fits(len(due.times), modes):
                self.hand_over()
            samples, history = self._waiting.place(one_step=bool(self.outside.pushers))
            plan = Plan(self._breaks, self._run.duration_s, due.times)
            code = self._advance(plan, samples, history)
            taken, steps, events = flow.counters[[SAMPLED_NOW, STEPS_NOW, EVENTS_NOW]].tolist()
            found, blows = due.first(taken), blows_of(self._work)
            self._note(found, float(history.step[steps - 1]) if steps else None)
            if records:
                self._waiting.keep(found, modes, steps, events, blows)
            elif events:
                self._recorder.events(sinks, history, events, blows)
            if taken:
                self.seen = samples, taken - 1, modes
            if self._waiting.is_enough or code not in GOING_ON:
                self.hand_over()
            if code not in GOING_ON and out.status == "completed":
                out.status, out.message = "failed", failure_text(code, self._model, flow)

    def _advance(self, plan: Plan, samples: Samples, history: History) -> int:
        """Call the kernels, in this thread."""
        given = (self._system, self._work, self._flow, self._method, plan, samples, history)
        if self._entry is None:
            code = advance(*given)
            self._entry = entry_of(advance, given)
            return code
        return int(self._entry(*given))

    def look(self, sinks: Sequence[Sink]) -> tuple[Samples, int, Modes]:
        """Evaluate the present state: samples, which row of them, and the modes there."""
        if self.sampled < 0.0:
            self.hop(sinks, 0.0)
        else:
            modes, now = self._model.modes(), np.array([self.time])
            plan = Plan(self._breaks, self._run.duration_s, now)
            samples, history = self._step_by_step
            self._flow.wish[0] = GO_ON
            self._advance(plan, samples, history)
            self.seen = samples, 0, modes
        return self.seen

    def hand_over(self) -> None:
        """Hand over what waits since the last hop."""
        waiting = self._waiting.taken()
        if waiting:
            self._flush(self._sinks, None, waiting, self._flow.counters.copy(), self.time)

    def _note(self, found: Instants, step: float | None) -> None:
        """Note how far samples have come, and how long the last step was (s)."""
        if step is not None:
            self._step = step
        if len(found.times):
            self.sampled = float(found.times[-1])
            if self._left is not None:
                self._left = self._left.behind(self.sampled + self.near)

    def _due_alone(self, time: float) -> Instants | None:
        """That time alone; nothing once it has been sampled."""
        if self.sampled >= time:
            return None
        return Instants(np.array([time]), np.array([True]), np.array([False]))

    def _flush(
        self,
        sinks: Sequence[Sink],
        progress: Callable[[float], object] | None,
        found: list[OutputBlock],
        counters: IntArray,
        time: float,
    ) -> None:
        """Hand over what calls of the kernels have found, unless what came before was not finite."""
        if self.outcome.status != "completed":
            return
        self._counters = counters
        one = joined(found)
        self._recorder.take(sinks, one.samples, one.modes, one.due)
        self._recorder.steps(sinks, one.history, one.steps, one.events, one.blows)
        self.outcome.time = time
        if progress is not None:
            progress(time / self._run.duration_s)

    def finished(self) -> Outcome:
        """How the run stands now, with all that there is to say about it."""
        self.hand_over()
        out = self._recorder.finished(self._counters, self._system, self._method.implicit)
        out.notes += self.outside.notes()
        return out

    @property
    def energy(self) -> Energy:
        """The energy account."""
        return self._recorder.energy

    @property
    def outcome(self) -> Outcome:
        """How the run goes, to be added to."""
        return self._recorder.outcome

    def _room(self, steps: int, more: int, rows: int = ROWS) -> tuple[Samples, History]:
        """Make room for what one call of the kernels finds."""
        samples = make_samples(self._model.system, self._work, self._flow, rows)
        return samples, make_history(steps, more)

    def _get_ready_once(self) -> None:
        if not self._is_ready:
            ready(self._flow, 0.0)
            self._is_ready = True

    def _due(self, until: float | None) -> Instants | None:
        """The instants that are to be sampled next; none if the wanted time has come."""
        if until is not None and self.sampled >= until - self.near:
            return None
        while self._left is None or not len(self._left.times):
            self._left = next(self._grid, None)
            if self._left is None:
                return None
            self._left = self._left.behind(self.sampled + self.near)
        left = self._left
        if until is None:
            return left
        return left.first(int(np.searchsorted(left.times, until - self.near)) + 1)

    def _stop_at(self, time: float) -> float:
        """Let a step end at a time; raises SimulationError where the last one went past it.

        Gives that time, or the end of the last step where it is the same but for rounding.
        """
        time = min(time, self._run.duration_s)
        if abs(time - self.time) <= self.near:
            return self.time
        if time < self.time:
            raise SimulationError(
                "The last step ended at {time:.9g} s; only a later time than that can be met exactly.",
                time=self.time,
            )
        self.end_step_at(time)
        return time

    def end_step_at(self, time: float) -> None:
        """Let no step go beyond a later time (s)."""
        # those that are behind are forgotten: somebody may hop for long
        breaks, counters = self._breaks[self._flow.counters[NEXT_BREAK] :], self._flow.counters
        first, last = np.searchsorted(breaks, (time - self.near, time + self.near))
        self._breaks = np.concatenate((breaks[:first], (time,), breaks[last:]))
        counters[NEXT_BREAK] = 0

    def _due_before(self, time: float) -> Instants | None:
        """The instants up to a time, and that time itself as a frame."""
        if self.sampled >= time:
            return None
        found = self._due(time)
        if found is None:
            return None
        count = int(np.searchsorted(found.times, time - self.near))
        if count == len(found.times):
            return found
        if abs(found.times[count] - time) <= self.near:
            return found.first(count + 1).with_frame_at_end(time)
        return found.first(count).and_frame(time)

    def _let_act(self, due: Instants, end: float | None) -> Instants:
        """Let what is wanted from outside act on the step that begins; gives the instants that come before that."""
        if not self.outside.is_due:
            return due
        made = int(np.searchsorted(due.times, self.time, side="right"))
        if made:
            # instants of steps that are made see what acted on these
            return due.first(made)
        if self.outside.act(self.time, end):
            # the rates of the present state are others now
            self._flow.counters[FRESH] = 0
            if self._method.kind == VEI:
                vei = self._method.vei
                vei.numbers[LAST_H], vei.counts[GOOD] = 0.0, 0
                self._flow.clock[H_NEXT] = 0.0
        return due

    def room(self) -> tuple[Model, System, Work, Flow, RunArrays]:
        """What evaluations at the present state read and write; the run must not go on afterwards."""
        self._get_ready_once()
        return self._model, self._system, self._work, self._flow, self._held

    def present(self) -> tuple[Model, System, float, Array, Array, Array, Motion]:
        """The model, its system with the forces from outside, time, q, v, z and the motion now."""
        flow, motion = self._flow, make_motion(self._system.tree)
        system = with_forces(self.outside.held.model, self.outside.wanted)
        kinematics(system.tree, system.locked, flow.q, flow.v, motion)
        return self._model, system, self.time, flow.q, flow.v, flow.z, motion

    @property
    def start(self) -> System:
        """The system as it was at the start."""
        return self._held.at_start

    @property
    def breaks(self) -> Array:
        """Times that no step goes beyond (s)."""
        return self._breaks

    def go_on_behind(self, other: Course) -> None:
        """Sample what comes behind the step that another run has made last; what outputs follow goes on where it fits."""
        # instants of that step are of the other model
        self.sampled = max(other.sampled, other.time)
        self._grid, self._left = instants(self._run), None
        self._recorder.follow(other._recorder)

    def motion_of(self, segment: str) -> tuple[Array, Array, Array, Array]:
        """Give turn R_WS, place of the mass centre, its velocity and the angular velocity, ground axes."""
        refuse_unknown(self._model, segment)
        system, flow, trees, motion = self._system, self._flow, self._model.trees, self._motion
        kinematics(system.tree, system.locked, flow.q, flow.v, motion)
        i = trees.body_of[segment]
        R, w = motion.R[i].reshape(3, 3).copy(), motion.w[i].copy()
        arm = -R @ trees.origin[segment]
        return R, motion.p[i] + arm, motion.v[i] + cross(w, arm), w
