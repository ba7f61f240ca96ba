"""The solver as users run it: the same occupant through the whole engine."""

from __future__ import annotations

import json
import time
from functools import cache
from typing import Any

import numpy as np

from benchmarks.bodies import Body, places
from benchmarks.engines import END, Trial, warm
from solver.base.places import samples
from solver.engine.dynamics.tree import Array
from solver.engine.forces.state import State
from solver.engine.forces.system import CAUSES, System, Work, evaluate, make_work
from solver.engine.integrate.advance import advance
from solver.engine.integrate.control import ready
from solver.engine.integrate.flow import EVALUATIONS, make_flow
from solver.engine.integrate.plan import SAMPLED, Plan, make_history
from solver.engine.integrate.samples import make_samples
from solver.engine.jit.kernels import kernel
from solver.model.compile import Model, compile_model
from solver.project import validated
from solver.running.simulation import method_of

FRAMES = ("id", "kind", "parent", "child", "parent_frame", "child_frame")


@cache
def model(*, torques: bool) -> Model:
    """The sled's occupant alone, with the torques of its joints or without."""
    data = json.loads((samples() / "sled.json").read_text(encoding="utf-8"))
    for name in (
        "contacts", "harnesses", "outputs", "motions", "planes", "contact_laws", "studies"
    ):  # fmt: skip
        data[name] = []
    data["segments"] = [s for s in data["segments"] if s["id"] != "vehicle"]
    begins = data["initial"]
    begins["roots"] = [root for root in begins["roots"] if root["segment"] != "vehicle"]
    for start in (*begins["roots"], *begins["attitudes"]):
        for name in ("relative_to", "moves_with"):
            start.pop(name, None)
    if not torques:
        data["joints"] = [{k: j[k] for k in FRAMES if k in j} for j in data["joints"]]
        data["functions"] = []
    data["runs"] = [{"id": "run", "duration_s": END, "integrator": {"kind": "dopri"}}]
    return compile_model(validated(data))


def motion(body: Body, relative: float) -> Trial:
    """Run the passive motion at a tolerance."""
    made = model(torques=False)
    work = make_work(made.system, made.trees.speeds, made.rows)
    method = method_of(made.project.runs[0], made)._replace(
        relative=relative, absolute=relative / 100.0, largest=1.0
    )
    flow = make_flow(body.q, body.v, made.z, made.states, *made.marks())
    block = make_samples(made.system, work, flow, 1)
    history = make_history(100_000)
    plan = Plan(np.zeros(0), END, np.array([END]))

    def measure() -> float:
        flow.q[:], flow.v[:] = body.q, body.v
        ready(flow, 0.0)
        start = time.perf_counter()
        code = advance(made.system, work, flow, method, plan, block, history)
        assert code == SAMPLED
        return time.perf_counter() - start

    seconds = warm(measure)
    return Trial(
        "Dormand-Prince 5(4), the solver's own",
        f"tolerance {relative:.0e}",
        seconds,
        int(flow.counters[EVALUATIONS]),
        places(body, flow.q),
    )


def evaluation() -> float:
    """Time a loop of evaluations with the torques, stops and friction of all joints."""
    made = model(torques=True)
    work = make_work(made.system, made.trees.speeds, made.rows)
    rates, powers = np.zeros_like(made.v), np.zeros(len(CAUSES))
    loop = 20_000

    def measure() -> float:
        start = time.perf_counter()
        _evaluate(loop, made.system, work, made.q, made.v, rates, powers)
        return (time.perf_counter() - start) / loop

    return warm(measure)


@kernel
def _evaluate(
    loop: int, system: System, work: Work, q: Array, v: Array, rates: Array, powers: Array
) -> Any:
    for _ in range(loop):
        evaluate(system, work, 0.0, 0.0, State(q, v, powers), rates, powers)
    return 0
