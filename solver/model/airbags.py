"""Make airbags into arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.airbags.arrays import (
    SEEN,
    STATES,
    TANK,
    Airbags,
    BagMemory,
    BagModel,
    BagWorkspace,
)
from solver.engine.forces.airbags.gas import COMPRESSIBLE, INCOMPRESSIBLE
from solver.engine.forces.airbags.shape import REGION, bag_volume, shell_inertia, solid_inertia
from solver.engine.forces.bristles import BRISTLE
from solver.engine.forces.triggers import (
    ACCELERATION,
    ANGLES,
    BAG_PRESSURE,
    BELT_TENSION,
    CONTACT_FORCE,
    EULER_ANGLES,
    HARNESS_TENSION,
    NOT_FIRED,
    PLACE,
    SPIN,
    SPIN_RATE,
    VELOCITY,
    Triggers,
)
from solver.engine.maths.curve import NONE
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered, stops
from solver.model.surfaces import SurfaceNumbers
from solver.model.tree import Trees, point_on, turn
from solver.project.airbags import Airbag, MassFlowInflator, TankInflator
from solver.project.belts import ChannelTrigger, TimeTrigger
from solver.project.document import Project
from solver.project.outputs import ElementOutput, PointOutput, RotationOutput
from solver.project.pose import panel_of
from solver.project.problems import SimulationError

LAWS = {"compressible": COMPRESSIBLE, "incompressible": INCOMPRESSIBLE}


def compile_airbags(
    project: Project, trees: Trees, numbers: SurfaceNumbers, functions: Numbered, first_trigger: int
) -> tuple[Airbags, Array]:
    """All bags, and their states at the start."""
    rows = project.airbags
    planes = {plane.id: n for n, plane in enumerate(project.planes)}
    touched = [
        [
            *(numbers.number(ref) for ref in bag.panels),
            *(-1 - planes[name] for name in bag.planes),
            *(numbers.number(ref) for ref in bag.touches),
        ]
        for bag in rows
    ]
    touches = np.cumsum([0, *(len(t) for t in touched)])
    vents = np.cumsum([0, *(len(bag.vents) for bag in rows)])
    most = max((len(t) for t in touched), default=1)
    placed = [_deployment(bag, trees, project) for bag in rows]
    count = int(touches[-1])
    touching = count if any(_rests(bag) for bag in rows) else 0
    stop = [_stops(bag, functions) for bag in rows]
    ends = np.cumsum([0, *(len(s) for s in stop)])
    supplies, leaks = [_supply(b, functions) for b in rows], [_leak(b, functions) for b in rows]
    model = BagModel(
        body=wholes(trees.bag_bodies),
        carrier=wholes(p[0] for p in placed),
        trigger=wholes(first_trigger + k for k in range(len(rows))),
        at=reals((p[1] for p in placed), 3),
        R=reals((turn(bag.orientation).ravel() for bag in rows), 9),
        semi=reals((bag.semi_axes_m for bag in rows), 3),
        offset=reals((bag.centre_offset_m for bag in rows), 3),
        fabric=reals(bag.fabric_mass_kg for bag in rows),
        factor=reals(bag.mass_factor for bag in rows),
        moments=reals((_moments(bag) for bag in rows), 3),
        volume=reals(bag_volume(*bag.semi_axes_m) for bag in rows),
        gamma=reals(bag.gas.heat_ratio for bag in rows),
        gas=reals(bag.gas.gas_constant_j_per_kgk for bag in rows),
        ambient=reals(bag.ambient_pressure_pa for bag in rows),
        throat=reals(s.throat for s in supplies),
        tank_volume=reals(s.volume for s in supplies),
        tank_heat=reals(s.heat for s in supplies),
        tank_mass=reals(s.mass for s in supplies),
        flow_curve=wholes(s.flow for s in supplies),
        heat_curve=wholes(s.heat_curve for s in supplies),
        inflow_heat=reals(s.inflow_heat for s in supplies),
        leak_area=reals(0.0 if bag.leakage is None else bag.leakage.area_m2 for bag in rows),
        leak_curve=wholes(curve for curve, _ in leaks),
        leak_ratio=reals(ratio for _, ratio in leaks),
        spring=reals(bag.panel_stiffness_n_per_m for bag in rows),
        friction=reals(bag.friction for bag in rows),
        ramp=reals(bag.friction_ramp_m_per_s for bag in rows),
        grip=reals(bag.friction_stiffness_ratio if _rests(bag) else 0.0 for bag in rows),
        grip_damping=reals(bag.friction_damping_ratio for bag in rows),
        vents=wholes(((vents[k], vents[k + 1]) for k in range(len(rows))), 2),
        vent_hole=reals(v.area_m2 * v.discharge for b in rows for v in b.vents),
        vent_opens=reals(v.opens_at_pa for b in rows for v in b.vents),
        vent_law=wholes(LAWS[v.flow] for b in rows for v in b.vents),
        vent_stays=wholes(v.stays_open and v.opens_at_pa > 0.0 for b in rows for v in b.vents),
        touches=wholes(((touches[k], touches[k + 1]) for k in range(len(rows))), 2),
        surface=wholes(number for one in touched for number in one),
        is_panel=wholes(
            n < len(bag.panels) + len(bag.planes)
            for bag, one in zip(rows, touched, strict=True)
            for n in range(len(one))
        ),
        ends=wholes(s < 0 and project.planes[-1 - s].bounded for one in touched for s in one),
        stops=wholes(((ends[k], ends[k + 1]) for k in range(len(rows))), 2),
        stop=reals(t for s in stop for t in s),
    )
    memory = BagMemory(
        state=wholes(0 for _ in rows),
        ahead=wholes(ends[:-1]),
        vent_held=wholes(0 for b in rows for _ in b.vents),
        stage=np.zeros(count, np.int64),
        normal=np.zeros((count, 3)),
        bristle=np.zeros((touching, BRISTLE)),
        bristle_end=np.zeros((touching, BRISTLE)),
    )
    work = BagWorkspace(
        normal=np.zeros((count, 3)),
        depth=np.zeros(count),
        area=np.zeros(count),
        place=np.zeros((count, 3)),
        regions=np.zeros((most, REGION)),
        best=np.zeros(most),
        corner=np.zeros((4, 2)),
        overlap=np.zeros(5),
        seen=np.zeros((len(rows), SEEN)),
        turn=np.zeros((len(rows), 9)),
        turn_of_other=np.zeros((1, 9)),
        bristle=np.zeros((touching, BRISTLE)),
        load=np.zeros((count, 6)),
    )
    states = np.zeros((len(rows), STATES))
    states[:, TANK] = model.tank_mass
    return Airbags(model, memory, work), states.ravel()


def _rests(bag: Airbag) -> bool:
    """Whether friction of a bag holds by bristles."""
    return bag.friction > 0.0 and bag.friction_law == "bristle"


def _deployment(bag: Airbag, trees: Trees, project: Project) -> tuple[int, Array]:
    """The body that carries a bag, and the deployment point in it."""
    panel = panel_of(bag, project)
    assert panel is not None
    return point_on(trees, panel.segment, panel.of(bag.deployment_point_m))


class _Supply(NamedTuple):
    """Where a bag's gas comes from: a tank's throat, volume, temperature and mass; flow by curves; its first temperature."""

    throat: float = 0.0
    volume: float = 0.0
    heat: float = 0.0
    mass: float = 0.0
    flow: int = NONE
    heat_curve: int = NONE
    inflow_heat: float = 293.15


def _supply(bag: Airbag, functions: Numbered) -> _Supply:
    one = bag.inflator
    if isinstance(one, TankInflator):
        mass = (
            one.pressure_pa * one.volume_m3 / (bag.gas.gas_constant_j_per_kgk * one.temperature_k)
        )
        throat, heat = one.throat_area_m2 * one.discharge, one.temperature_k
        return _Supply(throat, one.volume_m3, heat, mass, inflow_heat=heat)
    flow = functions.number(one.flow)
    if isinstance(one.temperature, str):
        return _Supply(flow=flow, heat_curve=functions.number(one.temperature))
    return _Supply(flow=flow, inflow_heat=one.temperature)


def _leak(bag: Airbag, functions: Numbered) -> tuple[int, float]:
    """The curve of the open ratio of what leaks, or the ratio that is constant."""
    if bag.leakage is None:
        return NONE, 0.0
    ratio = bag.leakage.ratio
    return (functions.number(ratio), 0.0) if isinstance(ratio, str) else (NONE, ratio)


def _moments(bag: Airbag) -> tuple[float, float, float]:
    """The moments of inertia of a unit of mass."""
    if bag.inertia == "solid":
        return solid_inertia(*bag.semi_axes_m)
    return shell_inertia(*bag.semi_axes_m)[:3]


def _stops(bag: Airbag, functions: Numbered) -> tuple[float, ...]:
    """Give the ages of an inflator at which its curves want steps to end."""
    flow = bag.inflator
    if not isinstance(flow, MassFlowInflator):
        return ()
    names = [flow.flow, flow.temperature]
    return tuple(sorted({t for n in names if isinstance(n, str) for t in stops(functions[n])}))


# Make triggers into arrays.

POINT = {"position": PLACE, "velocity": VELOCITY, "acceleration": ACCELERATION}
ROTATION = {"velocity": SPIN, "acceleration": SPIN_RATE}
ELEMENT = {
    "contacts": CONTACT_FORCE,
    "belts": BELT_TENSION,
    "harnesses": HARNESS_TENSION,
    "airbags": BAG_PRESSURE,
}
COMPONENT = {"x": 0, "y": 1, "z": 2, "resultant": 3}

Row = tuple[int, int, int, int, int, Sequence[float], Sequence[float], Sequence[float], float, float, float]  # fmt: skip


def compile_triggers(
    project: Project, trees: Trees, rows: Sequence[TimeTrigger | ChannelTrigger]
) -> Triggers:
    """All triggers; those of a time know when they fire."""
    made = [_row(project, trees, trigger) for trigger in rows]
    times = [t.time_s if isinstance(t, TimeTrigger) else NOT_FIRED for t in rows]
    return Triggers(
        what=wholes(r[0] for r in made),
        body=wholes(r[1] for r in made),
        seen_from=wholes(r[2] for r in made),
        axes=wholes(r[3] for r in made),
        component=wholes(r[4] for r in made),
        point=reals((r[5] for r in made), 3),
        centre=reals((r[6] for r in made), 3),
        gravity=reals((r[7] for r in made), 3),
        level=reals(r[8] for r in made),
        sign=reals(r[9] for r in made),
        delay=reals(r[10] for r in made),
        fires=reals(times),
        waits=np.zeros(len(rows), np.int64),
    )


def _row(project: Project, trees: Trees, trigger: TimeTrigger | ChannelTrigger) -> Row:
    nothing = (0.0, 0.0, 0.0)
    if isinstance(trigger, TimeTrigger):
        return 0, -1, -1, -1, 0, nothing, nothing, nothing, 0.0, 1.0, 0.0
    output = next(o for o in project.outputs if o.id == trigger.output)
    component = COMPONENT[trigger.component]
    limits = (trigger.level, 1.0 if trigger.rising else -1.0, trigger.delay_s)
    if isinstance(output, PointOutput):
        body, at = point_on(trees, output.segment, output.point_m)
        other, centre = point_on(trees, output.relative_to, nothing)
        axes = body if output.axes == "segment" else other
        gravity = project.gravity_m_per_s2 if output.with_gravity else nothing
        what = POINT[output.quantity]
        return what, body, other, axes, component, at.tolist(), centre.tolist(), gravity, *limits
    if isinstance(output, ElementOutput) and output.of in ELEMENT:
        number = [e.id for e in getattr(project, output.of)].index(output.element)
        return ELEMENT[output.of], number, -1, -1, component, nothing, nothing, nothing, *limits
    turns = isinstance(output, RotationOutput) and (
        output.quantity in ROTATION or trigger.component != "resultant"
    )
    if isinstance(output, RotationOutput) and turns:
        body, _ = point_on(trees, output.segment, nothing)
        other, _ = point_on(trees, output.relative_to, nothing)
        what = EULER_ANGLES if output.angles == "euler" else ANGLES
        what = ROTATION.get(output.quantity, what)
        return what, body, other, body, component, nothing, nothing, nothing, *limits
    raise SimulationError(
        "A trigger cannot watch '{output}'. It watches the motion of a point, the turning of a segment, one of its angles, the force of a contact, the largest tension of a belt or a harness, or the pressure of an airbag; nothing was solved.",
        output=output.id,
    )
