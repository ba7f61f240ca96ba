"""A run under way: arrays, steps, frames to anyone who wants them; it can pause, and be set back.

A pause does not touch the steps. The run goes on until the first instant at or behind the wanted time
has been sampled; by then the integrator stands at the end of the step that holds it. A state is all
that steps depend on, every memory of laws, webbing, gas and switches among it, and what outputs follow
on from block to block. A run that goes on from it therefore takes the same steps to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from solver.base.words import tr
from solver.engine.integrate.advance import advance
from solver.engine.integrate.flow import EVENTS_NOW, GO_ON, SAMPLED_NOW, STEPS_NOW, STOP_NOW
from solver.engine.integrate.implicit import refactorise
from solver.engine.integrate.plan import SWITCHED, Plan
from solver.model.set_forces import refuse_unknown, with_forces
from solver.project.problems import SimulationError
from solver.running.checkpoint import CheckpointTimer, keep_state
from solver.running.course import Course
from solver.running.outputs.failures import GOING_ON, failure_text
from solver.running.outputs.frames import ROWS, OutputBlock, OutputBuffer, instants
from solver.running.outputs.impacts import blows_of
from solver.running.outputs.recorder import Sink
from solver.running.state import State, alike, lasting
from solver.running.state_fits import check, unfit
from solver.running.stoppable import Stoppable

AHEAD = 4 * ROWS
"""Samples by which kernels may be ahead of those who take what they found."""


class Stepper(Course):
    """Take a run on, from its start or from a state, and hand over what is found."""

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

    def stop(self) -> None:
        """Ask the run to end with the step that it is at; any thread may, and nobody waits for a look."""
        self._flow.wish[0] = STOP_NOW

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
                    due.first(taken), modes.at(taken), samples, history, steps, events,
                    blows_of(self._work),
                )  # fmt: skip
                may_wait = code == SWITCHED and not self.outside.pushers
                for together in gathered.offer(found, may_wait):
                    flush(together)
                self._note(found.due, float(history.step[steps - 1]) if steps else None)
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

    def _keep(self, kernels: Stoppable, take: Callable[[State], object]) -> None:
        """Hand over the state, once all that was found before has been handed over."""
        if self.outcome.status == "completed" and self.is_restartable:
            kernels.beside(partial(self._flush_state, take, self._stand()))

    def _flush_state(self, take: Callable[[State], object], stand: dict[str, Any]) -> None:
        if self.outcome.status == "completed":
            take(self._state(stand))

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
            "project": self.project,
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
        theirs, ours = state.project, self.project
        if theirs is not ours and lasting(theirs) != lasting(ours):
            raise SimulationError("The state belongs to another model; it cannot go on here.")
        if is_read:
            self._check(state)
        self._is_ready = True
        self._waiting.taken()
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

    def is_of(self, state: State) -> bool:
        """Whether a state is of this model."""
        return state.project is self.project or lasting(state.project) == lasting(self.project)

    def _check(self, state: State) -> None:
        """Raise SimulationError where a state could not be one of this run."""
        for force in (*state.forces.values(), *state.wanted.values()):
            refuse_unknown(self._model, force.segment)
        now = list(self._held.named(with_forces(self._model, state.forces)))
        if state.layout == self._held.layout and len(now) == len(state.arrays):
            check(state.arrays, state.breaks, now, self._held.start)
            if not alike(state.memories, self._recorder.memory()):
                raise unfit("memories")
