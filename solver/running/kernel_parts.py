"""The kernels that are compiled on their own: arguments of the types each gets, and which models need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from solver.model.compile import Model
from solver.model.motions import rows_of_drivers

SMALLEST: dict[str, Any] = {
    "format": "manikin-project",
    "schema_version": 4,
    "segments": [{"id": "body", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}],
    "runs": [{"id": "run", "duration_s": 0.01}],
}
"""A project whose arrays have the types of every other's."""

THREE = (0.0, 0.0, 0.0)


class Example:
    """Arguments of the types that every model has."""

    def __init__(self) -> None:
        from solver.engine.forces.state import Bodies, Elements, Moment, State
        from solver.engine.forces.system import make_work
        from solver.engine.integrate.flow import make_flow
        from solver.engine.integrate.plan import Plan, make_history
        from solver.engine.integrate.samples import make_samples
        from solver.model.compile import compile_model, method_of
        from solver.project import validated

        project = validated(SMALLEST)
        model = compile_model(project)
        s = self.s = model.system
        w = self.w = make_work(s, model.trees.speeds, model.rows)
        f = self.f = make_flow(model.q, model.v, model.z, model.states, *model.marks())
        self.block, self.history = make_samples(s, w, f, 1), make_history(1)
        self.method = method_of(project.runs[0], model)
        self.equations = self.method.implicit.equations
        self.plan = Plan(model.breaks, 1.0, np.zeros(1))
        self.t, self.locked, self.m, self.space = s.tree, s.locked, w.motion, w.space
        self.a, self.g = w.applied, w.g
        self.state = State(f.qs, f.vs, f.zs)
        self.bodies = Bodies(s.tree, s.locked, w.motion, w.space, f.q, f.v)
        self.moment = Moment(0.0, 0.0, s.triggers.fires)
        self.elements = Elements(f.z, f.power_now)
        self.course, self.modes = np.zeros(1), np.zeros(1, np.int64)


class Part(NamedTuple):
    """One kernel that is compiled on its own, arguments of the types it gets, and who needs it."""

    kernel: Any
    arguments: Callable[[Example], tuple[Any, ...]]
    is_needed: Callable[[Model], bool] = lambda _: True

    @property
    def name(self) -> str:
        """Give its name."""
        return str(self.kernel.py_func.__name__)


def parts() -> Iterator[Part]:
    """Give all of them, those that take longest first."""
    from solver.engine.dynamics import drive, forward, rows, tree
    from solver.engine.forces import (
        belts,
        breakable,
        breaking,
        drivers,
        driving,
        loads,
        relocking,
        springs,
        strikes,
        switches,
        system,
        triggers,
        winds,
    )
    from solver.engine.forces.airbags import kernels as airbags
    from solver.engine.forces.contacts import concave, hyper, meeting, normals, pairs
    from solver.engine.forces.contacts import kernels as contacts
    from solver.engine.forces.coordinates import controlled, sensed
    from solver.engine.forces.coordinates import kernels as coordinates
    from solver.engine.forces.joints import bearings, relaxing
    from solver.engine.forces.joints import kernels as joints
    from solver.engine.forces.straps import kernels as harness
    from solver.engine.forces.straps import memory, retractors
    from solver.engine.integrate import advance, control, convergence, radau, samples, vei
    from solver.engine.maths import sections
    from solver.model import law_paths
    from solver.project.runs import StepsByError

    def has(path: str) -> Callable[[Model], bool]:
        """Say who needs a kernel: models with entries there."""
        return lambda model: len(attrgetter(path)(model.system)) > 0

    def has_rows(model: Model) -> bool:
        return model.rows > 0

    def strikes_something(model: Model) -> bool:
        s = model.system
        return strikes.impact_room(s.contacts, s.laws, s.switches)[0] > 0

    def meets_along_normals(model: Model) -> bool:
        return bool(model.system.contacts.normal.any())

    def has_hyperellipsoids(model: Model) -> bool:
        return contact(model) and bool(model.system.surfaces.is_hyper.any())

    def has_vei(model: Model) -> bool:
        return any(run.integrator.kind == "vei" for run in model.project.runs)

    def has_implicit(model: Model) -> bool:
        return any(isinstance(run.integrator, StepsByError) for run in model.project.runs)

    straps, bags, contact, belt = (
        has("straps.model.kind"), has("bags.model.body"), has("contacts.kind"), has("belts.a"),
    )  # fmt: skip
    yield Part(contacts.contact_forces, lambda e: (
        e.s.contacts, e.s.laws, e.s.surfaces, e.s.planes, e.s.curves, e.m, e.w.applied.torque, e.w.applied.force, e.w.g, 0, e.w.sums,
    ), contact)  # fmt: skip
    yield Part(pairs.touch_pair, lambda e: (
        e.s.surfaces, e.m, 0, 0, False, False, e.s.contacts.warm, 0, e.s.contacts.touch,
    ), contact)  # fmt: skip
    yield Part(harness.strap_forces, lambda e: (
        0.0, e.s.straps, e.s.retractors, e.s.laws, e.s.surfaces, e.s.curves, e.m, e.w.applied.torque, e.w.applied.force, e.w.g, 0, e.w.sums,
    ), straps)  # fmt: skip
    yield Part(airbags.bag_forces, lambda e: (
        e.s.bags, e.s.triggers, e.s.surfaces, e.s.planes, e.s.curves, e.t, e.m, e.s.gravity, 0.0, e.f.z, e.f.z, 0,
        e.w.applied.torque, e.w.applied.force, e.w.g, 0, e.w.sums, e.w.turn,
    ), bags)  # fmt: skip
    yield Part(strikes.collide, lambda e: (
        e.w.impacts, e.s.contacts, e.s.laws, e.s.surfaces, e.s.planes, e.s.curves, e.s.switches, e.s.joints, e.t, e.locked,
        e.m, e.space, e.w.rows, e.f.fire, 0, 0, 0, e.f.q, e.f.v, e.w.load,
    ), strikes_something)  # fmt: skip
    yield Part(concave.least_other, lambda e: (
        e.s.surfaces, 0, 0, THREE, e.s.contacts.touch, False,
    ), meets_along_normals)  # fmt: skip
    yield Part(normals.meet_by_points, lambda e: (
        e.s.surfaces, 0, 0, THREE, e.s.contacts.warm, 0, e.s.contacts.touch,
    ), has_hyperellipsoids)  # fmt: skip
    yield Part(meeting.closest_points, lambda e: (
        e.s.surfaces, 0, 0, THREE, e.s.contacts.warm, 0, e.s.contacts.touch,
    ), has_hyperellipsoids)  # fmt: skip
    yield Part(hyper.touch_scaled, lambda e: (
        e.s.surfaces, 0, 0, THREE, THREE, e.s.contacts.touch,
    ), has_hyperellipsoids)  # fmt: skip
    yield Part(vei.take_in, lambda e: (e.f, e.method.vei), has_vei)
    yield Part(vei.predict, lambda e: (e.t, e.locked, e.f, e.method.vei), has_vei)
    yield Part(system.gather_rows, lambda e: (e.s, e.m, 0.0, 0.0, e.w.rows), has_rows)
    yield Part(control.tell, lambda e: (e.t, e.locked, e.f, e.method, e.plan, e.history, -1, e.w.g))
    yield Part(forward.accelerations, lambda e: (
        e.t, e.locked, e.f.v, e.m, e.w.applied, e.s.gravity, e.space, e.f.now,
    ))  # fmt: skip
    yield Part(rows.constrain, lambda e: (e.t, e.locked, e.m, e.space, e.w.rows, e.f.now), has_rows)
    yield Part(joints.joint_torques, lambda e: (e.s.joints, e.s.curves, e.bodies, e.a, e.w.sums))
    yield Part(relaxing.relaxing_torques, lambda e: (
        e.s.relaxings, e.t, e.f.v, e.f.z, e.f.powers, e.w.applied.tau, e.w.sums,
    ), has("relaxings.body"))  # fmt: skip
    yield Part(bearings.balance_bearings, lambda e: (
        e.s.joints.bearings, e.s.joints.eulers, e.bodies, 0, e.w.load, e.a.tau, e.w.sums,
    ), lambda model: len(model.system.joints.bearings.body) > 0)  # fmt: skip
    yield Part(control.ask, lambda e: (e.t, e.locked, e.f, e.method, e.plan, e.history))
    yield Part(advance.advance, lambda e: (e.s, e.w, e.f, e.method, e.plan, e.block, e.history))
    yield Part(triggers.watch_triggers, lambda e: (
        e.s.triggers, e.bodies, e.s.contacts.seen, e.s.belts.seen, e.s.straps, e.s.bags.workspace.seen, 0.0, e.g,
    ), has("triggers.what"))  # fmt: skip
    yield Part(samples.take, lambda e: (e.s, e.w, e.f, e.block, 0))
    yield Part(
        system.evaluate,
        lambda e: (e.s, e.w, 0.0, 0.0, e.state, e.f.now, e.f.power_now),
    )
    yield Part(belts.belt_forces, lambda e: (
        e.s.belts, e.s.laws, e.s.surfaces, e.s.curves, e.m, e.a, e.g,
    ), belt)  # fmt: skip
    yield Part(winds.wind_forces, lambda e: (
        e.s.winds, e.s.surfaces, e.s.planes, e.s.curves, e.m, 0.0, e.a, e.g,
    ), has("winds.surface"))  # fmt: skip
    yield Part(contacts.switch_contact, lambda e: (
        e.s.contacts, e.s.laws, e.s.surfaces, e.s.planes, e.s.curves, e.m, 0,
    ), has("contacts.kind"))  # fmt: skip
    yield Part(
        memory.remember_straps,
        lambda e: (e.s.straps, e.s.retractors, e.s.laws, e.s.curves),
        straps,
    )
    yield Part(memory.turn_straps, lambda e: (e.s.straps, e.s.laws, e.s.curves, 0, 0.0), straps)
    yield Part(memory.end_straps, lambda e: (e.s.straps, e.s.retractors, 0.0), straps)
    yield Part(
        retractors.draw_in, lambda e: (e.s.retractors, e.s.curves, e.s.triggers.fires, 0.0), straps
    )
    yield Part(tree.kinematics, lambda e: (e.t, e.locked, e.f.q, e.f.v, e.m))
    yield Part(drivers.drive_axes, lambda e: (
        e.s.drivers, e.t, e.moment, e.f.q, e.f.v, e.f.now,
    ), has("drivers.axis"))  # fmt: skip
    yield Part(
        drivers.driver_rows,
        lambda e: (e.s.drivers, e.m, e.moment, e.w.rows),
        lambda model: rows_of_drivers(model.system.drivers) > 0,
    )
    yield Part(drivers.watch_drivers, lambda e: (
        e.s.drivers, e.s.joints, e.bodies, e.w.rows, e.moment, e.a, e.w.load, e.g,
    ), has("drivers.axis"))  # fmt: skip
    yield Part(driving.switch_driver, lambda e: (
        0, e.s.drivers, e.s.joints, e.bodies, e.w.rows, e.moment, e.w.load,
    ), has("drivers.axis"))  # fmt: skip
    yield Part(drive.drive, lambda e: (e.s.drives, e.t, 0.0, 0.0, e.f.q, e.f.v, e.f.now))
    yield Part(advance._correct, lambda e: (e.s, e.w, e.f, e.f.q, e.f.v), has_rows)
    yield Part(rows.find_impulses, lambda e: (e.w.rows,), has_rows)
    yield Part(
        retractors.retractor_events,
        lambda e: (e.s.retractors, e.m, e.space, 0.0, e.w.g, 0),
        has("retractors.point"),
    )
    yield Part(switches.watch, lambda e: (
        e.s.switches, e.s.joints, e.s.breakings, e.bodies, e.a.tau, e.w.load, e.g,
    ), has("switches.kind"))  # fmt: skip
    yield Part(switches.switch, lambda e: (
        0, e.s.switches, e.s.joints, e.s.breakings, e.bodies, e.w.rows, e.f.z, e.w.load,
    ), has("switches.kind"))  # fmt: skip
    yield Part(breaking.breaking_forces, lambda e: (
        e.s.breakings, e.m, e.f.z, e.f.power_now, e.w.applied.torque, e.w.applied.force, e.w.sums,
    ), has("breakings.body"))  # fmt: skip
    yield Part(relocking.relock_rows, lambda e: (
        e.s.breakings, 0, e.t, e.locked, e.m, e.w.rows, 0, e.f.q, e.f.v,
    ), has("breakings.body"))  # fmt: skip
    yield Part(relocking.relock, lambda e: (
        e.s.breakings, 0, e.t, e.locked, e.m, 0, 0, e.f.q, e.f.v, e.f.z,
    ), has("breakings.body"))  # fmt: skip
    parted = has("breakables.what")
    yield Part(breakable.breakable_forces, lambda e: (
        e.s.breakables, e.s.pairs, e.m, e.f.z, e.f.power_now, e.w.applied.torque, e.w.applied.force, e.w.sums,
    ), parted)  # fmt: skip
    yield Part(breakable.breakable_events, lambda e: (
        e.s.breakables, e.s.pairs, e.s.rolls, e.s.edge_constraints, e.m, e.w.rows, e.w.g, 0,
    ), parted)  # fmt: skip
    yield Part(breakable.switch_breakable, lambda e: (
        0, 0, e.s.breakables, e.s.pairs, e.s.rolls, e.s.edge_constraints, e.m, e.w.rows, e.f.z,
    ), parted)  # fmt: skip
    yield Part(springs.line_forces, lambda e: (
        e.s.lines, e.s.curves, e.m, e.a, e.w.on_b, e.w.sums,
    ), has("lines.a"))  # fmt: skip
    yield Part(
        springs.bushing_forces,
        lambda e: (e.s.bushings, e.m, e.a, e.w.bushing, e.w.sums),
        has("bushings.a"),
    )
    yield Part(
        loads.load_forces,
        lambda e: (e.s.loads, e.moment, e.m, e.a),
        has("loads.body"),
    )
    yield Part(coordinates.coordinate_forces, lambda e: (
        e.s.coordinates, e.s.joints.eulers, e.s.curves, e.bodies, e.moment, e.elements, e.a, e.g,
    ), has("coordinates.kind"))  # fmt: skip
    yield Part(sensed.keep_sensed, lambda e: (e.s.coordinates, 0.0, False), has("coordinates.lag"))
    yield Part(
        controlled.take_samples,
        lambda e: (e.s.coordinates, e.s.curves, e.moment, e.f.z),
        lambda m: len(m.system.coordinates.period) + len(m.system.coordinates.stop_law) > 0,
    )
    yield Part(coordinates.lead, lambda e: (
        e.s.coordinates, e.s.curves, 0, e.course, e.course, e.course, e.course,
    ), lambda _: False)  # fmt: skip
    yield Part(
        coordinates.switch_coordinate,
        lambda e: (e.s.coordinates, e.s.curves, 0),
        has("coordinates.row"),
    )
    yield Part(
        belts.switch_belt, lambda e: (e.s.belts, e.s.laws, e.s.surfaces, e.s.curves, e.m, 0), belt
    )
    yield Part(airbags.switch_bag, lambda e: (
        e.s.bags, e.s.surfaces, e.t, e.locked, e.m, 0, e.f.zs, e.f.power_now, e.f.first_state, e.f.q, e.f.v, e.s.gravity,
        e.w.load, e.w.turn,
    ), bags)  # fmt: skip
    yield Part(control.ready, lambda e: (e.f, 0.0))
    yield Part(
        joints.resisted,
        lambda e: (e.s.joints, e.s.curves, 0, 0, e.course, e.course, np.zeros((2, 1))),
    )
    yield Part(
        convergence.judge,
        lambda e: (e.t, e.locked, e.m, e.space.alpha, e.space.acc, e.f, e.method.vei),
        has_vei,
    )
    yield Part(radau.factor, lambda e: (e.equations, 1e-3), has_implicit)
    yield Part(radau.factor_pair, lambda e: (e.equations, 1e-3), has_implicit)
    yield Part(radau.solve_single, lambda e: (e.equations, 1e-3, e.f.xs, e.f.vs), has_implicit)
    yield Part(
        radau.solve_pair,
        lambda e: (e.equations, 1e-3, e.f.xs, e.f.vs, e.f.xs, e.f.vs),
        has_implicit,
    )
    yield Part(law_paths.follow, lambda e: (
        e.s.laws, e.s.curves, 0, e.course, e.course, e.course, e.course, e.modes, np.zeros((1, 14)),
    ), lambda _: False)  # fmt: skip
    # where a belt is laid, before there is a model
    yield Part(sections.ray, lambda _: (np.ones((3, 6)), 0.0), lambda _: False)
    yield Part(
        sections.where_normal,
        lambda _: (np.ones((3, 6)), 0.0, 1.0, 0.0, 1.0),
        lambda _: False,
    )
