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
from solver.model.compile import Force, Model, method_of, refuse_unknown, with_forces
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
    Instants,
    OutputBlock,
    OutputBuffer,
    instants,
    joined,
    nearness,
)
from solver.running.outputs.recorder import Outcome, Recorder, Sink
from solver.running.state import RunArrays, State, alike, check, lasting, unfit
from solver.running.stoppable import Stoppable

AHEAD = 4 * ROWS
"""Samples by which kernels may be ahead of those who take what they found."""

Pusher = Callable[[], Sequence[float]]
"""Give a force (N) or a torque (N*m) for the step that begins."""


class Stepper:
    """Take a run on, from its start or from a state, and hand over what is found."""

    def __init__(
        self, project: Project, run: Run, compiled: Model, channels: Sequence[Channels],
        wanted: Wanted | None = None,
    ) -> None:  # fmt: skip
        self._project, self._run, self._near = project, run, nearness(run)
        model = self._model = compiled.fresh()
        self._system = model.system
        self._work = make_work(model.system, model.trees.speeds, model.rows)
        self._flow = make_flow(model.q, model.v, model.z, model.states, *model.marks())
        self._method = method_of(run, model)
        self._held = RunArrays(compiled.system, self._work, self._flow, self._method)
        # rolling pairs may touch together, joints go together, and impulses have something to say besides
        more = 2 + 2 * len(model.system.rolls.kind) + int(np.sum(model.frees()))
        steps = STEPS_AT_ONCE if wanted is None else STEPS_LATER
        self._block, self._step_by_step = (self._room(most, more) for most in (steps, 1))
        self._recorder = Recorder(compiled, channels, run, wanted)
        self._grid: Iterator[Instants] = instants(run)
        self._left: Instants | None = None
        self._breaks = model.breaks
        self._forces: dict[str, Force] = {}
        self._wanted: dict[str, Force] = {}
        self._pushers: dict[str, Pusher] = {}
        self._is_ready, self._step = False, 0.0
        self._has_come_back = False
        """Whether kernels have come back: before that they may still be compiled."""
        self.stopped: State | None = None
        """The state in which the run was cancelled, where it may be taken up there."""
        self._counters = self._flow.counters
        self.sampled = -1.0
        """The last instant of frames and channels (s); below zero before the first."""

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
            if self._pushers or self._wanted != self._forces:
                made = int(np.searchsorted(due.times, self.time, side="right"))
                if made:
                    # instants of steps that are made see the forces of these
                    due = due.first(made)
                else:
                    self._set_forces()
            modes = self._model.modes()
            plan = Plan(self._breaks, self._run.duration_s, due.times)
            code, stands = None, True
            kernels.wait(AHEAD)
            samples, history = self._step_by_step if self._pushers else self._block
            if not kernels.is_asked:
                work = partial(
                    advance, self._system, self._work, flow, self._method, plan, samples, history
                )
                code = kernels.do(work, self._has_come_back)
                stands = self._has_come_back = code is not None
            if code is not None:
                taken, steps = int(flow.counters[SAMPLED_NOW]), int(flow.counters[STEPS_NOW])
                if steps:
                    self._step = float(history.step[steps - 1])
                events = int(flow.counters[EVENTS_NOW])
                found = OutputBlock(
                    due.first(taken), modes.at(taken), samples, history, steps, events
                )
                may_wait = code == SWITCHED and not self._pushers
                for together in gathered.offer(found, may_wait):
                    flush(together)
                if taken:
                    self.sampled = float(due.times[taken - 1])
                    if self._left is not None:
                        self._left = self._left.behind(self.sampled + self._near)
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
        return self._recorder.finished(self._counters, self._system, self._method.implicit)

    @property
    def outcome(self) -> Outcome:
        """How the run goes, to be added to."""
        return self._recorder.outcome

    def state(self) -> State:
        """All that the run knows now."""
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
            "forces": dict(self._forces),
            "wanted": dict(self._wanted),
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
        self._pushers, self._is_ready = {}, True
        self._forces, self._wanted = dict(state.forces), dict(state.wanted)
        self._system = with_forces(self._model, self._forces)
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

    def push(self, name: str, force: Force | None, pusher: Pusher | None = None) -> None:
        """Let a force act from the next step on, or no longer; a pusher gives its value for each step."""
        self._pushers.pop(name, None)
        self._wanted.pop(name, None)
        if force is not None:
            refuse_unknown(self._model, force.segment)
            self._wanted[name] = force
        if force is not None and pusher is not None:
            self._pushers[name] = pusher

    def _set_forces(self) -> None:
        """Let the wanted forces act on the step that begins."""
        for name, pusher in self._pushers.items():
            self._wanted[name] = self._wanted[name].of(pusher())
        if self._wanted == self._forces:
            return
        self._forces = dict(self._wanted)
        self._system = with_forces(self._model, self._forces)
        # the rates of the present state are others now
        self._flow.counters[FRESH] = 0
        if self._method.kind == VEI:
            vei = self._method.vei
            vei.numbers[LAST_H], vei.counts[GOOD] = 0.0, 0
            self._flow.clock[H_NEXT] = 0.0

    def room(self) -> tuple[Model, System, Work, Flow, RunArrays]:
        """What evaluations at the present state read and write; the run must not go on afterwards."""
        self._get_ready_once()
        return self._model, self._system, self._work, self._flow, self._held

    def present(self) -> tuple[Model, System, float, Array, Array, Array, Motion]:
        """The model, its system with the forces from outside, time, q, v, z and the motion now."""
        flow, motion = self._flow, make_motion(self._system.tree)
        system = with_forces(self._model, self._wanted)
        kinematics(system.tree, system.locked, flow.q, flow.v, motion)
        return self._model, system, self.time, flow.q, flow.v, flow.z, motion

    def motion_of(self, segment: str) -> tuple[Array, Array, Array, Array]:
        """Give turn R_WS, place of the mass centre, its velocity and the angular velocity, ground axes."""
        refuse_unknown(self._model, segment)
        trees, motion = self._model.trees, self.present()[-1]
        i = trees.body_of[segment]
        R, w = motion.R[i].reshape(3, 3), motion.w[i]
        arm = -R @ trees.origin[segment]
        return R, motion.p[i] + arm, motion.v[i] + np.cross(w, arm), w
