"""A test table on six servo-hydraulic cylinders, each with a control law of blocks (after Leimbach and Hahn; numbers are made up)."""

from __future__ import annotations

import math
from typing import Any

from solver.project.blocks import HydraulicLaw
from solver.project.coordinate_forces import CoordinateForce
from solver.project.coordinates import DistanceCoordinate
from solver.project.document import Project
from solver.project.functions import Function, Sum
from solver.project.geometry import Hyperellipsoid, PointRef
from solver.project.outputs import ElementOutput, PointOutput
from solver.project.runs import Run
from solver.project.segments import Segment

MASS_KG = 800.0
RADIUS_M, LENGTH_M, UNDER_M = 0.7, 1.0, 0.1
AREA_M2, VOLUME_M3, BULK_PA, SUPPLY_PA = 2.0e-3, 4.0e-4, 1.4e9, 21.0e6
RATED_M3_S, DROP_PA = 1.0e-3, 3.5e6
PACE = 40.0
"""How fast a cylinder closes what is off (1/s)."""
HEAVE_M, SWAY_M, PER_S = 0.02, 0.015, 2.0 * math.pi * 1.5
"""Ways of the table, upwards and along x, and its angular frequency."""

Cylinder = tuple[str, tuple[float, float, float], tuple[float, float, float], str]


def cylinders() -> tuple[Cylinder, ...]:
    """Name, end on the table, way to the end on ground, and target of the six: one along x, two along y, three below."""
    out: list[Cylinder] = [("x", (-RADIUS_M, 0.0, 0.0), (-LENGTH_M, 0.0, 0.0), "sway")]
    for name, x in (("y_front", 0.5), ("y_rear", -0.5)):
        out.append((name, (x, -RADIUS_M, 0.0), (0.0, -LENGTH_M, 0.0), "still"))
    for name, angle in (("z_front", 0.0), ("z_left", 120.0), ("z_right", -120.0)):
        a = math.radians(angle)
        at = (round(RADIUS_M * math.cos(a), 9), round(RADIUS_M * math.sin(a), 9), UNDER_M)
        out.append((name, at, (0.0, 0.0, LENGTH_M), "heave"))
    return tuple(out)


def _target(id_: str, size: float, order: int) -> Function:
    """A way from rest, size (1 - cos wt) / 2, or its rate."""
    half = 0.5 * size
    terms: list[Any] = [{"kind": "sine", "amplitude": half * PER_S, "omega": PER_S, "x_max": 10.0}]
    if order == 0:
        cosine = {"kind": "sine", "amplitude": -half, "omega": PER_S, "phase_rad": 0.5 * math.pi, "x_max": 10.0}  # fmt: skip
        terms = [{"kind": "constant", "value": half}, cosine]
    form = Sum.model_validate({"kind": "sum", "terms": terms})
    unit = "m/s" if order else "m"
    return Function.model_validate({"id": id_, "x_unit": "s", "y_unit": unit, "form": form})


def _force(cylinder: Cylinder) -> CoordinateForce:
    name, at, way, target = cylinder
    foot = tuple(round(a + b, 9) for a, b in zip(at, way, strict=True))
    line = DistanceCoordinate(
        kind="distance",
        a=PointRef(segment="ground", position_m=foot),
        b=PointRef(segment="table", position_m=at),
    )
    # opening by which the piston runs at 1 m/s without load
    runs = AREA_M2 / (RATED_M3_S * math.sqrt(0.5 * SUPPLY_PA / DROP_PA))
    weight = MASS_KG * 9.80665 / 3.0 / AREA_M2 if name.startswith("z") else 0.0
    is_still = target == "still"
    law: dict[str, Any] = {
        "kind": "hydraulic", "valve_flow_m3_per_s": RATED_M3_S, "valve_drop_pa": DROP_PA, "supply_pa": SUPPLY_PA, "area_a_m2": AREA_M2,
        "area_b_m2": AREA_M2, "volume_a_m3": VOLUME_M3, "volume_b_m3": VOLUME_M3, "bulk_modulus_pa": BULK_PA, "leak_m3_per_pa_s": 2.0e-12,
        "pressure_a_pa": 0.5 * (SUPPLY_PA + weight), "pressure_b_pa": 0.5 * (SUPPLY_PA - weight),
        "sensors": [{"name": "length", "coordinate": line.model_dump()}],
        "blocks": [
            {"name": "wanted", "kind": "source", "value": 0.0 if is_still else target},
            {"name": "ahead", "kind": "source", "value": 0.0 if is_still else f"{target}_rate"},
            {"name": "off", "kind": "sum", "inputs": [{"of": "wanted"}, {"of": "length", "gain": -1.0}]},
            {"name": "asked", "kind": "sum", "inputs": [{"of": "off", "gain": PACE * runs}, {"of": "ahead", "gain": runs}]},
            {"name": "limited", "kind": "limiter", "lower": -1.0, "upper": 1.0, "inputs": [{"of": "asked"}]},
            {"name": "spool", "kind": "second_order", "frequency_hz": 120.0, "damping_ratio": 0.8, "inputs": [{"of": "limited"}]},
        ],
        "output": "spool",
    }  # fmt: skip
    laws = (HydraulicLaw.model_validate(law), {"kind": "viscous", "damping": 8000.0})
    return CoordinateForce.model_validate(
        {"id": name, "group": "Cylinders", "coordinate": line, "laws": laws}
    )


def build() -> Project:
    """Build the sample."""
    functions = [
        _target(f"{name}{'_rate' if order else ''}", size, order)
        for name, size in (("heave", HEAVE_M), ("sway", SWAY_M))
        for order in (0, 1)
    ]
    box = Hyperellipsoid(id="box", semi_axes_m=(0.8, 0.8, 0.1), powers=(10.0, 10.0, 10.0))
    outputs = (
        PointOutput(id="table_position", segment="table", quantity="position"),
        *(
            ElementOutput(id=f"{name}_cylinder", of="coordinate_forces", element=name)
            for name in ("x", "z_front")
        ),
    )
    return Project(
        title="Test table on six servo-hydraulic cylinders",
        note="Three cylinders below, two along y and one along x hold a table of 800 kg with its load. Each has a servo valve with a swing of its own, "
        "two chambers of oil, and a control law of blocks: its length is sensed, what is off and the wanted rate ask for an opening, which is limited. "
        "The table heaves by 20 mm and sways by 15 mm at 1.5 Hz.",
        source="Arrangement after Leimbach and Hahn (seed 001), whose data are lost in print; all numbers are made up",
        segments=(
            Segment(id="table", name="Table", mass_kg=MASS_KG, inertia_kgm2=(180.0, 180.0, 340.0), surfaces=(box,)),
        ),
        functions=tuple(functions),
        coordinate_forces=tuple(_force(one) for one in cylinders()),
        outputs=outputs,
        runs=(Run.model_validate({"id": "run", "duration_s": 1.5, "frame_interval_s": 0.01, "channel_rate_hz": 500.0, "integrator": {"kind": "dopri"}}),),
    )  # fmt: skip
