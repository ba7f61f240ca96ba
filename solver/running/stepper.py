"""A run under way: arrays, steps, frames to anyone who wants them; it can pause, and be set back.

A pause does not touch the steps. The run goes on until the first instant at or behind the wanted time
has been sampled; by then the integrator stands at the end of the step that holds it. A state is all
that steps depend on, every memory of laws, webbing, gas and switches among it, and what outputs follow
on from block to block. A run that goes on from it therefore takes the same steps to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
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
    SAMPLED_NOW,
    STEPS_NOW,
    Flow,
    T,
    make_flow,
)
from solver.engine.integrate.implicit import refactorise
from solver.engine.integrate.plan import SWITCHED, History, Plan, make_history
from solver.engine.integrate.samples import Samples, make_samples
from solver.engine.integrate.stages import VEI
from solver.engine.integrate.vei import GOOD, LAST_H
from solver.engine.maths.rotation import cross
from solver.model.compile import Model, Modes, method_of, refuse_unknown, with_forces
from solver.project.document import Project
from solver.project.problems import SimulationError
from solver.project.runs import Run
from solver.results.memory import Wanted
from solver.running.checkpoint import CheckpointTimer, keep_state
from solver.running.outputs.channels import Channels
from solver.running.outputs.failures import GOING_ON, failure_text
from solver.running.outputs.frames import (
    ROWS,
    STEPS_AT_ONCE,
    STEPS_LATER,
    Energy,
    Instants,
    OutputBlock,
    OutputBuffer,
    instants,
    joined,
    nearness,
)
from solver.running.outputs.recorder import Outcome, Recorder, Sink
from solver.running.outside import Outside
from solver.running.state import RunArrays, State, alike, check, lasting, unfit
from solver.running.stoppable import Stoppable

AHEAD = 4 * ROWS
"""Samples by which kernels may be ahead of those who take what they found."""


class Stepper:
    """Take a run on, from its start or from a state, and hand over what is found."""

    def __init__(
        self, project: Project, run: Run, compiled: Model, channels: Sequence[Channels],
        wanted: Wanted | None = None,
    ) -> None:  # fmt: skip
        self._project, self._run, self._near = project, run, nearness(run)
        model = self._model = compiled.fresh()
        self.outside = Outside(model)
        self._work = make_work(model.system, model.trees.speeds, model.rows)
        self._flow = make_flow(model.q, model.v, model.z, model.states, *model.marks())
        self._method = method_of(run, model)
        self._motion = make_motion(model.system.tree)
        self._held = RunArrays(compiled.system, self._work, self._flow, self._method)
        # rolling pairs may touch together, joints go together, and impulses have something to say besides
        more = 2 + 2 * len(model.system.rolls.kind) + int(np.sum(model.frees()))
        steps = STEPS_AT_ONCE if wanted is None else STEPS_LATER
        self._block, self._step_by_step = (self._room(most, more) for most in (steps, 1))
        self._recorder = Recorder(compiled, channels, run, wanted)
        self._grid: Iterator[Instants] = instants(run)
        self._left: Instants | None = None
        self._breaks = model.breaks
        self._is_ready, self._step = False, 0.0
        self._gathered, self._sinks = OutputBuffer(), tuple[Sink, ...]()
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

    def go_on(
        self,
        sinks: Sequence[Sink],
        until: float | None = None,
        progress: Callable[[float], object] | None = None,
        cancel: Callable[[], bool] | None = None,
        exactly: bool = False,
        pauses: Sequence[float] = (),
        keep: CheckpointTimer | None = None,
    ) -> None:
        """Solve until a time (s) or to the end, and hand frames, samples and steps to all sinks.

        `cancel` is asked again and again; what was found until then has been handed over. Ctrl+C
        does the same before it is raised. With `exactly` a step ends at that time, and a frame is there.
        At `pauses` sinks get the state as well, where the run may be taken up from it; `keep` gets it now and then.
        """
        self.hand_over()
        self.outside.begin_course(exactly)
        # what was refused before left the wish to stop
        self._flow.wish[0] = GO_ON
        try:
            with Stoppable(self._flow.wish, cancel) as kernels:
                for pause in pauses:
                    if pause > self.sampled:
                        self._go_on(kernels, sinks, pause, progress, keep=keep)
                        self._keep(kernels, partial(keep_state, sinks=sinks))
                self._go_on(kernels, sinks, until, progress, exactly, keep)
        except KeyboardInterrupt:
            # wherever it came: instants may be missing, so nothing goes on from here
            self.outcome.status, self.outcome.message = "cancelled", tr("The run was cancelled.")
            raise

    def _go_on(
        self,
        kernels: Stoppable,
        sinks: Sequence[Sink],
        until: float | None,
        progress: Callable[[float], object] | None,
        exactly: bool = False,
        keep: CheckpointTimer | None = None,
    ) -> None:
        """Let kernels and those who take what they found work side by side."""
        out, flow = self.outcome, self._flow
        if not self._is_ready:
            kernels.do(self._get_ready_once)
        extra = self._stop_at(until) if exactly and until is not None else None
        gathered = OutputBuffer()

        def flush(found: list[OutputBlock]) -> None:
            """Let frames be made while kernels are at the next ones."""
            if not found:
                return
            work = partial(self._flush, sinks, progress, found, flow.counters.copy(), self.time)
            kernels.beside(work, 1 + sum(len(one.due.times) for one in found))

        while out.status == "completed":
            due = self._due(until) if extra is None else self._due_before(extra)
            if due is None:
                flush(gathered.taken())
                break
            due = self._let_act(due, extra)
            modes = self._model.modes()
            plan = Plan(self._breaks, self._run.duration_s, due.times)
            code, stands = None, True
            kernels.wait(AHEAD)
            samples, history = self._step_by_step if self.outside.pushers else self._block
            if not kernels.is_asked:
                work = partial(
                    advance, self._system, self._work, flow, self._method, plan, samples, history
                )
                code = kernels.do(work, self._has_come_back)
                stands = self._has_come_back = code is not None
            if code is not None:
                taken, steps, events = (
                    int(flow.counters[k]) for k in (SAMPLED_NOW, STEPS_NOW, EVENTS_NOW)
                )
                found = OutputBlock(
                    due.first(taken), modes.at(taken), samples, history, steps, events
                )
                may_wait = code == SWITCHED and not self.outside.pushers
                for together in gathered.offer(found, may_wait):
                    flush(together)
                self._note(found)
            if code in GOING_ON and not kernels.is_asked:
                if keep is not None and keep.is_due and self.is_restartable:
                    flush(gathered.taken())
                    self._keep(kernels, keep.taken())
                continue
            flush(gathered.taken())
            kernels.wait()
            goes_on = stands and code in (None, *GOING_ON)
            if out.status == "completed" and goes_on and self.is_restartable:
                self.stopped = self.state()
            kernels.pass_on()
            if out.status != "completed":
                break
            if code not in (None, *GOING_ON):
                out.status, out.message = "failed", failure_text(code, self._model, flow)
            else:
                out.status, out.message = "cancelled", tr("The run was cancelled.")

    def hop(self, sinks: Sequence[Sink], time: float, records: bool = True) -> None:
        """Go on to exactly a time (s), here and now: in this thread, which nobody stops before it has come back.

        What is found waits until it is worth handing over, or is asked for (`hand_over`); without `records` nothing is
        kept of the way but what happened.
        """
        end = self._stop_at(time)
        self.outside.begin_course(True)
        self._get_ready_once()
        flow, out, self._sinks = self._flow, self.outcome, tuple(sinks)
        flow.wish[0] = GO_ON
        while out.status == "completed":
            due = self._due_before(end) if records else self._due_alone(end)
            if due is None:
                return
            due, modes = self._let_act(due, end), self._model.modes()
            plan = Plan(self._breaks, self._run.duration_s, due.times)
            samples, history = self._step_by_step if self.outside.pushers else self._block
            code = advance(self._system, self._work, flow, self._method, plan, samples, history)
            taken, steps, events = (
                int(flow.counters[k]) for k in (SAMPLED_NOW, STEPS_NOW, EVENTS_NOW)
            )
            found = OutputBlock(due.first(taken), modes.at(taken), samples, history, steps, events)
            self._note(found)
            if records:
                for together in self._gathered.offer(found, may_wait=True):
                    self._flush(sinks, None, together, flow.counters.copy(), self.time)
            else:
                self._recorder.events(sinks, history, events)
            if taken:
                self.seen = samples, taken - 1, modes
            if code not in GOING_ON:
                self.hand_over()
                out.status, out.message = "failed", failure_text(code, self._model, flow)

    def look(self, sinks: Sequence[Sink]) -> tuple[Samples, int, Modes]:
        """Evaluate the present state: samples, which row of them, and the modes there."""
        if self.sampled < 0.0:
            self.hop(sinks, 0.0)
        else:
            modes, now = self._model.modes(), np.array([self.time])
            plan = Plan(self._breaks, self._run.duration_s, now)
            samples, history = self._step_by_step
            self._flow.wish[0] = GO_ON
            advance(self._system, self._work, self._flow, self._method, plan, samples, history)
            self.seen = samples, 0, modes
        return self.seen

    def hand_over(self) -> None:
        """Hand over what waits since the last hop."""
        waiting = self._gathered.taken()
        if waiting:
            self._flush(self._sinks, None, waiting, self._flow.counters.copy(), self.time)

    def _note(self, found: OutputBlock) -> None:
        """Note how far samples and steps have come."""
        if found.steps:
            self._step = float(found.history.step[found.steps - 1])
        if len(found.due.times):
            self.sampled = float(found.due.times[-1])
            if self._left is not None:
                self._left = self._left.behind(self.sampled + self._near)

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
        self._recorder.steps(sinks, one.history, one.steps, one.events)
        self.outcome.time = time
        if progress is not None:
            progress(time / self._run.duration_s)

    def _keep(self, kernels: Stoppable, take: Callable[[State], object]) -> None:
        """Hand over the state, once all that was found before has been handed over."""
        if self.outcome.status == "completed" and self.is_restartable:
            kernels.beside(partial(self._flush_state, take, self._stand()))

    def _flush_state(self, take: Callable[[State], object], stand: dict[str, Any]) -> None:
        if self.outcome.status == "completed":
            take(self._state(stand))

    def _room(self, steps: int, more: int) -> tuple[Samples, History]:
        """Make room for what one call of the kernels finds."""
        samples = make_samples(self._model.system, self._work, self._flow, ROWS)
        return samples, make_history(steps, more)

    def _get_ready_once(self) -> None:
        if not self._is_ready:
            ready(self._flow, 0.0)
            self._is_ready = True

    def _due(self, until: float | None) -> Instants | None:
        """The instants that are to be sampled next; none if the wanted time has come."""
        if until is not None and self.sampled >= until - self._near:
            return None
        while self._left is None or not len(self._left.times):
            self._left = next(self._grid, None)
            if self._left is None:
                return None
            self._left = self._left.behind(self.sampled + self._near)
        left = self._left
        if until is None:
            return left
        return left.first(int(np.searchsorted(left.times, until - self._near)) + 1)

    def _stop_at(self, time: float) -> float:
        """Let a step end at a time; raises SimulationError where the last one went past it.

        Gives that time, or the end of the last step where it is the same but for rounding.
        """
        time = min(time, self._run.duration_s)
        if abs(time - self.time) <= self._near:
            return self.time
        if time < self.time:
            raise SimulationError(
                "The last step ended at {time:.9g} s; only a later time than that can be met exactly.",
                time=self.time,
            )
        others = self._breaks[np.abs(self._breaks - time) > self._near]
        self._breaks = np.sort(np.append(others, time))
        return time

    def _due_before(self, time: float) -> Instants | None:
        """The instants up to a time, and that time itself as a frame."""
        if self.sampled >= time:
            return None
        found = self._due(time)
        if found is None:
            return None
        count = int(np.searchsorted(found.times, time - self._near))
        if count == len(found.times):
            return found
        if abs(found.times[count] - time) <= self._near:
            return found.first(count + 1).with_frame_at_end(time)
        return found.first(count).and_frame(time)

    def finished(self) -> Outcome:
        """How the run stands now, with all that there is to say about it."""
        self.hand_over()
        return self._recorder.finished(self._counters, self._system, self._method.implicit)

    @property
    def energy(self) -> Energy:
        """The energy account."""
        return self._recorder.energy

    @property
    def outcome(self) -> Outcome:
        """How the run goes, to be added to."""
        return self._recorder.outcome

    def state(self) -> State:
        """All that the run knows now."""
        self.hand_over()
        self._get_ready_once()
        return self._state(self._stand())

    def _stand(self) -> dict[str, Any]:
        """What kernels know now."""
        return {
            "time": self.time,
            "sampled": self.sampled,
            "q": self._flow.q.copy(),
            "v": self._flow.v.copy(),
            "project": self._project,
            "arrays": tuple(one.copy() for one in self._held.arrays(self._system)),
            "breaks": self._breaks.copy(),
            "forces": dict(self.outside.forces),
            "wanted": dict(self.outside.wanted),
            "inputs": self.outside.held.kept(),
            "asked": dict(self.outside.asked),
        }

    def _state(self, stand: dict[str, Any]) -> State:
        """The state of kernels together with what outputs have followed up to there."""
        return State(**stand, memories=deepcopy(self._recorder.memory()), layout=self._held.layout)

    def set_state(self, state: State, is_read: bool = False) -> None:
        """Go on from a state of the same model; raises SimulationError where it is of another.

        One that was read from a file is looked at, every number of it.
        """
        theirs, ours = state.project, self._project
        if theirs is not ours and lasting(theirs) != lasting(ours):
            raise SimulationError("The state belongs to another model; it cannot go on here.")
        if is_read:
            self._check(state)
        self._is_ready = True
        self._gathered.taken()
        self.outside.recall(state.forces, state.wanted, state.inputs, state.asked)
        mine = self._held.arrays(self._system)
        shapes = [one.shape for one in mine], [one.shape for one in state.arrays]
        if state.layout != self._held.layout or shapes[0] != shapes[1]:
            raise SimulationError(
                "The state is of another model, or of another version of the program."
            )
        for now, then in zip(mine, state.arrays, strict=True):
            now[...] = then
        refactorise(self._method.implicit)
        self._breaks, self.sampled = state.breaks.copy(), state.sampled
        self._grid, self._left = instants(self._run), None
        self._recorder.recall(deepcopy(state.memories))

    def _check(self, state: State) -> None:
        """Raise SimulationError where a state could not be one of this run."""
        for force in (*state.forces.values(), *state.wanted.values()):
            refuse_unknown(self._model, force.segment)
        now = list(self._held.named(with_forces(self._model, state.forces)))
        if state.layout == self._held.layout and len(now) == len(state.arrays):
            check(state.arrays, state.breaks, now, self._held.start)
            if not alike(state.memories, self._recorder.memory()):
                raise unfit("memories")

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

    def motion_of(self, segment: str) -> tuple[Array, Array, Array, Array]:
        """Give turn R_WS, place of the mass centre, its velocity and the angular velocity, ground axes."""
        refuse_unknown(self._model, segment)
        system, flow, trees, motion = self._system, self._flow, self._model.trees, self._motion
        kinematics(system.tree, system.locked, flow.q, flow.v, motion)
        i = trees.body_of[segment]
        R, w = motion.R[i].reshape(3, 3).copy(), motion.w[i].copy()
        arm = -R @ trees.origin[segment]
        return R, motion.p[i] + arm, motion.v[i] + cross(w, arm), w
