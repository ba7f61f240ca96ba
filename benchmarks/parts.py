"""One evaluation of the default sample by its parts, beside what Pinocchio takes for the dynamics of the same tree."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.bodies import Body
from benchmarks.engines import NotHere
from benchmarks.history import note
from solver.base.places import samples
from solver.engine.dynamics.forward import accelerations
from solver.engine.dynamics.modes import no_modals
from solver.engine.dynamics.tree import FREE, Array, Tree, by_levels, kinematics
from solver.engine.forces.airbags.kernels import bag_forces
from solver.engine.forces.contacts.kernels import contact_forces
from solver.engine.forces.joints.kernels import joint_torques
from solver.engine.forces.joints.springs import relaxing_torques
from solver.engine.forces.state import Bodies, Elements, Moment, State
from solver.engine.forces.straps.kernels import strap_forces
from solver.engine.forces.surfaces import place_surfaces
from solver.engine.forces.switches import watch
from solver.engine.forces.system import (
    BAG_EVENTS,
    CAUSES,
    CONTACT_EVENTS,
    STRAP_EVENTS,
    System,
    Work,
    around_of,
    evaluate,
    make_work,
)
from solver.engine.integrate.advance import advance
from solver.engine.integrate.control import ready
from solver.engine.integrate.flow import make_flow
from solver.engine.integrate.plan import SWITCHED, Plan, make_history
from solver.engine.integrate.samples import make_samples
from solver.engine.jit.kernels import kernel
from solver.model.compile import Model, compile_model
from solver.project import load_project
from solver.running.simulation import method_of

AT = (0.02, 0.065, 0.1)
"""Instants (s): before the bag, at the peak of the belt, in the bag."""

NOTHING, ALL, KINEMATICS, JOINTS, RELAXING, SURFACES, CONTACTS, STRAPS, BAG, SWEEP, WATCHED = range(11)  # fmt: skip
PARTS = {
    ALL: "one evaluation",
    KINEMATICS: "- kinematics",
    SWEEP: "- accelerations",
    JOINTS: "- springs, stops and friction of joints",
    RELAXING: "- relaxing dampers",
    WATCHED: "- events of joints",
    SURFACES: "- places of surfaces",
    CONTACTS: "- contacts",
    STRAPS: "- belt",
    BAG: "- bag",
}
LOOP, ROUNDS = 100, 60


@kernel
def _loop(part: int, system: System, work: Work, t: float, state: State, rates: Array, powers: Array) -> int:  # fmt: skip
    tree, motion, applied, sums = system.tree, work.motion, work.applied, work.sums
    moment = Moment(t, t, system.triggers.fires)
    bodies = Bodies(tree, system.locked, motion, work.space, state.q, state.v)
    around = around_of(system, motion)
    for _ in range(LOOP):
        if part == ALL:
            evaluate(system, work, t, t, state, rates, powers)
        elif part == KINEMATICS:
            kinematics(tree, system.locked, state.q, state.v, motion)
        elif part == JOINTS:
            joint_torques(system.joints, system.curves, bodies, applied, sums)
        elif part == RELAXING:
            relaxing_torques(system.relaxings, tree, state.v, state.z, powers, applied.tau, sums)
        elif part == SURFACES:
            place_surfaces(system.surfaces, system.planes, motion)
        elif part == CONTACTS:
            g = work.g[system.first[CONTACT_EVENTS] :]
            contact_forces(system.contacts, around, applied, g, sums)
        elif part == STRAPS:
            g = work.g[system.first[STRAP_EVENTS] :]
            strap_forces(system.straps, around, t, applied, g, sums)
        elif part == BAG:
            gas = Elements(state.z[len(CAUSES) :], powers[len(CAUSES) :])
            g = work.g[system.first[BAG_EVENTS] :]
            bag_forces(system.bags, around, tree, moment, gas, applied, g, sums)
        elif part == SWEEP:
            accelerations(
                tree, system.locked, state.v, motion, applied, system.gravity, work.space, rates
            )
        elif part == WATCHED:
            watch(
                system.switches, system.joints, system.breakings, bodies, applied.tau, work.load, work.g,
            )  # fmt: skip
    return 0


def model_of(sample: str = "frontal") -> Model:
    """A sample as arrays."""
    return compile_model(load_project(samples() / f"{sample}.json")).fresh()


def stand(model: Model, at: float) -> tuple[Work, State]:
    """Let a model run to an instant; gives what an evaluation needs there."""
    work = make_work(model.system, model.trees.speeds, model.rows)
    flow = make_flow(model.q, model.v, model.z, model.states, *model.marks())
    block, history = make_samples(model.system, work, flow, 1), make_history(100_000)
    method, code = method_of(model.project.runs[0], model), SWITCHED
    ready(flow, 0.0)
    while code == SWITCHED:
        plan = Plan(model.breaks, at, np.array([at]))
        code = advance(model.system, work, flow, method, plan, block, history)
    return work, State(flow.q.copy(), flow.v.copy(), flow.z.copy())


def times_of(model: Model, work: Work, at: float, state: State) -> dict[int, float]:
    """The least times (s) of all parts, taken in turns; what a loop of nothing takes is taken off."""
    rates, powers = np.zeros_like(state.v), np.zeros(len(state.z))
    least = dict.fromkeys((NOTHING, *PARTS), 1.0)
    for _ in range(ROUNDS):
        for part in least:
            # what the parts add up to does not grow
            for sum_ in work.applied:
                sum_[:] = 0.0
            start = time.thread_time()
            _loop(part, model.system, work, at, state, rates, powers)
            least[part] = min(least[part], (time.thread_time() - start) / LOOP)
    return {part: least[part] - least[NOTHING] for part in PARTS}


def tree_alone(model: Model, state: State) -> Body:
    """The model's tree at a state, with all its joints open; bags, which have no mass, are left out."""
    tree: Tree = model.system.tree
    count = len(tree.parent)
    while tree.kind[count - 1] == FREE and tree.mass[count - 1] == 0.0:
        count -= 1
    cut = Tree(*(column[:count] for column in tree[:-1]), no_modals(count))._replace(
        order=by_levels(tree.parent[:count])
    )
    q_end, v_end = (int(at[count]) if count < len(at) else None for at in (tree.at_q, tree.at_v))
    return Body(cut, state.q[:q_end].copy(), state.v[:v_end].copy(), model.system.gravity)


def table() -> str:
    """The tables of this part."""
    model = model_of()
    made: list[tuple[float, dict[int, float], Body]] = []
    for at in AT:
        model = model.fresh()
        work, state = stand(model, at)
        made.append((at, times_of(model, work, at, state), tree_alone(model, state)))
    system = model.system
    head = " | ".join(f"{at * 1e3:g} ms" for at, _, _ in made)
    lines = [
        "## One evaluation of the default sample", "",
        f"{len(system.tree.parent)} bodies with {len(made[0][2].v)} speeds, {len(system.contacts.model.kind)} pairs that may touch, "
        "belt and bag, at three instants of its run. Each part is called again and again from one loop, all in turns; the least of "
        f"{ROUNDS} rounds, in time of the processor.", "",
        f"| part, µs | {head} | asked |", "|---|" + "---|" * (len(made) + 1),
    ]  # fmt: skip
    for part, name in PARTS.items():
        cells = " | ".join(f"{times[part] * 1e6:.2f}" for _, times, _ in made)
        lines.append(f"| {name} | {cells} |  |")
    return "\n".join([*lines, *_beside(made), ""])


def _beside(made: list[tuple[float, dict[int, float], Body]]) -> list[str]:
    """Tell how many times what Pinocchio takes for the accelerations of the tree alone."""
    try:
        theirs, how = _in_loop([body for _, _, body in made])
    except NotHere:
        theirs, how = _from_python([body for _, _, body in made])
    cells = " | ".join(f"{seconds * 1e6:.2f}" for seconds in theirs)

    def by_that(parts: tuple[int, ...]) -> str:
        rows = zip(made, theirs, strict=True)
        return " | ".join(f"{sum(t[p] for p in parts) / s:.2f}" for (_, t, _), s in rows)

    most = max(times[ALL] / s for (_, times, _), s in zip(made, theirs, strict=True))
    note("evaluation", f"{most:.2f}")
    return [
        f"| Pinocchio: `aba` of the same tree, all joints open, nothing else ({how}) | {cells} |  |",
        f"| the whole evaluation, by that | {by_that((ALL,))} | ≤ 4 |",
        f"| kinematics and accelerations, by that | {by_that((KINEMATICS, SWEEP))} |  |",
    ]


def _in_loop(bodies: list[Body]) -> tuple[list[float], str]:
    """Time its loop in C++, compiled for this processor."""
    from benchmarks.engines.pinocchio import Engine

    engines = [Engine(body) for body in bodies]
    return [min(engine.evaluation() for _ in range(5)) for engine in engines], "a loop in C++"


def _from_python(bodies: list[Body]) -> tuple[list[float], str]:
    """Time its calls as it is installed, less what a call for one body takes."""
    import pinocchio as pin

    from tests.oracles import InPinocchio

    calls = []
    for body in [*bodies, tree_of_one(bodies[0])]:
        twin = InPinocchio(body.tree, body.g)
        q, v = twin.coordinates(body.q), twin.speeds(body.q, body.v)
        calls.append((twin.model, twin.data, q, v, np.zeros_like(v)))
    least = [1.0] * len(calls)
    for _ in range(40 * ROUNDS):
        for n, call in enumerate(calls):
            start = time.thread_time()
            for _ in range(5):
                pin.aba(*call)
            least[n] = min(least[n], (time.thread_time() - start) / 5)
    return [one - least[-1] for one in least[:-1]], "called from Python, less a call for one body"


def tree_of_one(body: Body) -> Body:
    """The first body alone, which is free."""
    tree = Tree(*(column[:1] for column in body.tree))
    return Body(tree, body.q[:7], body.v[:6], body.g)


if __name__ == "__main__":
    print(table())
