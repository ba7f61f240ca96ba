"""Go on through time: the loop about the one call of the equations of motion."""

from __future__ import annotations

from solver.forces.system import SOLVED, System, Work, evaluate
from solver.integrate.control import EVALUATE, SAMPLING, History, Method, Plan, ask, tell
from solver.integrate.flow import AT, PHASE, SAMPLED_NOW, STEPS_NOW, WITHIN, Flow
from solver.integrate.samples import Samples, take
from solver.maths.kernels import kernel


@kernel
def advance(
    system: System, work: Work, flow: Flow, method: Method, plan: Plan, samples: Samples,
    history: History,
) -> int:  # fmt: skip
    """Step until all planned times are sampled or the history is full; give why it came back."""
    tree, locked, clock, counters = system.tree, system.locked, flow.clock, flow.counters
    counters[SAMPLED_NOW] = counters[STEPS_NOW] = 0
    while True:
        code = ask(tree, locked, flow, method, plan, history)
        if code != EVALUATE:
            return code
        status = evaluate(
            system, work, clock[AT], clock[WITHIN], flow.qs, flow.vs, flow.now, flow.power_now
        )
        if counters[PHASE] == SAMPLING:
            take(tree, locked, system.gravity, work, flow, samples, counters[SAMPLED_NOW])
            counters[SAMPLED_NOW] += 1
        code = tell(tree, locked, flow, method, plan, history, SOLVED, status, work.g)
        if code != EVALUATE:
            return code
