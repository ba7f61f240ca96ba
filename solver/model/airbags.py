"""Make airbags into arrays."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.airbags.arrays import SEEN, STATES, TANK, Airbags
from solver.engine.forces.airbags.gas import COMPRESSIBLE, INCOMPRESSIBLE
from solver.engine.forces.airbags.shape import REGION, bag_volume, shell_inertia, solid_inertia
from solver.engine.maths.curve import NONE
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered, stops
from solver.model.points import point_on
from solver.model.surfaces import SurfaceNumbers
from solver.model.tree import Trees, turn
from solver.project.airbag_panels import panel_of
from solver.project.airbags import Airbag, MassFlowInflator, TankInflator
from solver.project.document import Project

LAWS = {"compressible": COMPRESSIBLE, "incompressible": INCOMPRESSIBLE}


def compile_airbags(
    project: Project, trees: Trees, numbers: SurfaceNumbers, functions: Numbered, first_trigger: int
) -> tuple[Airbags, Array]:
    """Give all bags, and their states at the start."""
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
    stop = [_stops(bag, functions) for bag in rows]
    ends = np.cumsum([0, *(len(s) for s in stop)])
    bags = Airbags(
        body=wholes(trees.bag_bodies),
        carrier=wholes(p[0] for p in placed),
        trigger=wholes(first_trigger + k for k in range(len(rows))),
        at=reals((p[1] for p in placed), 3),
        R=reals((turn(bag.orientation).ravel() for bag in rows), 9),
        semi=reals((bag.semi_axes_m for bag in rows), 3),
        offset=reals((bag.centre_offset_m for bag in rows), 3),
        number=reals((_numbers(bag) for bag in rows), 20),
        curve=wholes((_curves(bag, functions) for bag in rows), 3),
        vents=wholes(((vents[k], vents[k + 1]) for k in range(len(rows))), 2),
        vent=reals(((v.area_m2 * v.discharge, v.opens_at_pa) for b in rows for v in b.vents), 2),
        vent_law=wholes(LAWS[v.flow] for b in rows for v in b.vents),
        vent_stays=wholes(v.stays_open and v.opens_at_pa > 0.0 for b in rows for v in b.vents),
        vent_held=wholes(0 for b in rows for _ in b.vents),
        touches=wholes(((touches[k], touches[k + 1]) for k in range(len(rows))), 2),
        surface=wholes(number for one in touched for number in one),
        is_panel=wholes(n < len(bag.panels) + len(bag.planes)
                        for bag, one in zip(rows, touched, strict=True) for n in range(len(one))),
        ends=wholes(s < 0 and project.planes[-1 - s].bounded for one in touched for s in one),
        normal=np.zeros((count, 3)),
        stage=np.zeros(count, np.int64),
        pressed=np.zeros((count, 5)),
        regions=np.zeros((most, REGION)),
        best=np.zeros(most),
        corner=np.zeros((4, 2)),
        overlap=np.zeros(5),
        stops=wholes(((ends[k], ends[k + 1]) for k in range(len(rows))), 2),
        stop=reals(t for s in stop for t in s),
        ahead=wholes(ends[:-1]),
        state=wholes(0 for _ in rows),
        seen=np.zeros((len(rows), SEEN)),
        turn=np.zeros((len(rows), 9)),
    )  # fmt: skip
    states = np.zeros((len(rows), STATES))
    states[:, TANK] = bags.number[:, 8]
    return bags, states.ravel()


def _deployment(bag: Airbag, trees: Trees, project: Project) -> tuple[int, Array]:
    """Give the body that carries a bag, and the deployment point in it."""
    panel = panel_of(bag, project)
    assert panel is not None
    return point_on(trees, panel.segment, panel.of(bag.deployment_point_m))


def _numbers(bag: Airbag) -> list[float]:
    tank, flow = bag.inflator, bag.inflator
    throat = volume = heat = mass = 0.0
    inflow = 293.15
    if isinstance(tank, TankInflator):
        throat, volume, heat = (
            tank.throat_area_m2 * tank.discharge,
            tank.volume_m3,
            tank.temperature_k,
        )
        mass = tank.pressure_pa * volume / (bag.gas.gas_constant_j_per_kgk * heat)
        inflow = heat
    elif isinstance(flow, MassFlowInflator) and not isinstance(flow.temperature, str):
        inflow = flow.temperature
    leak = bag.leakage
    ratio = leak.ratio if leak is not None and not isinstance(leak.ratio, str) else 0.0
    a, b, c = bag.semi_axes_m
    inertia = solid_inertia(a, b, c) if bag.inertia == "solid" else shell_inertia(a, b, c)[:3]
    return [
        bag.fabric_mass_kg, bag.mass_factor, bag.gas.heat_ratio, bag.gas.gas_constant_j_per_kgk,
        bag.ambient_pressure_pa, throat, volume, heat, mass, bag.panel_stiffness_n_per_m,
        bag.friction, bag.friction_ramp_m_per_s, bag_volume(a, b, c), inflow,
        0.0 if leak is None else leak.area_m2, ratio, *inertia, inflow,
    ]  # fmt: skip


def _curves(bag: Airbag, functions: Numbered) -> tuple[int, int, int]:
    flow = heat = leak = NONE
    if isinstance(bag.inflator, MassFlowInflator):
        flow = functions.number(bag.inflator.flow)
        if isinstance(bag.inflator.temperature, str):
            heat = functions.number(bag.inflator.temperature)
    if bag.leakage is not None and isinstance(bag.leakage.ratio, str):
        leak = functions.number(bag.leakage.ratio)
    return flow, heat, leak


def _stops(bag: Airbag, functions: Numbered) -> tuple[float, ...]:
    """Give the ages of an inflator at which its curves want steps to end."""
    flow = bag.inflator
    if not isinstance(flow, MassFlowInflator):
        return ()
    names = [flow.flow, flow.temperature]
    return tuple(sorted({t for n in names if isinstance(n, str) for t in stops(functions[n])}))
