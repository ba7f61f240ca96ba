"""A small car is thrown off a dolly, trips over its tyres and rolls over the ground, with a belted driver."""

from __future__ import annotations

import math
from dataclasses import replace

from solver.analysis.crash.build import crash
from solver.analysis.crash.cases import first
from solver.bodies.dummies import of_size
from solver.bodies.vehicles import Car, on_wheels
from solver.project.document import Project
from solver.project.outputs import PointOutput
from solver.project.runs import BogackiShampine, Run
from tools.samples.common import VEHICLE, without_unused
from tools.samples.riding import across

CAR = "car"
TILT_RAD, ACROSS, ROLLING = math.radians(23.0), 25.0 * 0.44704, 1.5
"""Roll angle, speed to the side (25 mph) and roll rate with which it leaves the dolly (Ma, Menon and Lankarani, as a FMVSS 208 dolly test)."""

LIFT_M, LASTS_S = 0.45, 0.5
"""How high the dolly holds it, so that its lower tyres are about 0.2 m over the ground, and how long the run lasts (*assumed*)."""

CORNERS = 1e6
"""Stiffness of roof and body corners (N/m), as of a car with roll bars (*assumed*)."""


def build() -> Project:
    """Build the sample."""
    project = crash(replace(first("rollover"), who=of_size("mid-size"), duration_s=LASTS_S))
    project = across(project)
    car = Car(
        mass_kg=1150.0, wheelbase_m=2.5, track_m=1.45, height_m=0.54, length_m=4.0, width_m=1.72, roof_m=1.5,
        roll_rad=TILT_RAD, lift_m=LIFT_M, velocity_m_per_s=(0.0, ACROSS, 0.0),
        turning_rad_per_s=(ROLLING, 0.0, 0.0), corners_n_per_m=CORNERS,
    )  # fmt: skip
    project = on_wheels(project, VEHICLE, car, CAR, behind_m=1.3, over_road_m=0.5)
    outputs = (
        *project.outputs,
        PointOutput(id="car_acceleration", name="The car's mass centre", segment=CAR, quantity="acceleration"),
    )  # fmt: skip
    run = Run(
        id="run", name=f"{LASTS_S:g} s", duration_s=LASTS_S, frame_interval_s=0.01, channel_rate_hz=10_000.0,
        integrator=BogackiShampine(),
    )  # fmt: skip
    return without_unused(project).model_copy(
        update={
            "title": "Rollover on the ground: a small car with a belted driver",
            "note": "A small car leaves a tilted dolly to the side with 25 mph, 23 degrees of roll and 1.5 rad/s, as in the test that Ma, Menon and "
            "Lankarani tell of. Its tyres meet the ground and trip it; it rolls onto its roof, whose corners press on the ground and stay dented.",
            "source": "Start: Ma, Menon and Lankarani, seed 001; car, tyres, corners and occupant's surroundings assumed (docs/vehicles.md)",
            "load_case": "rollover",
            "outputs": outputs,
            "runs": (run,),
        }
    )
