"""A car on four wheels brakes hard; its belted driver stiffens once he feels it."""

from __future__ import annotations

from dataclasses import replace

from solver.analysis.crash.build import crash
from solver.analysis.crash.cases import first
from solver.bodies.body import Holding
from solver.bodies.dummies import of_size
from solver.bodies.posture import held
from solver.bodies.vehicles import Car, on_wheels
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.outputs import ElementOutput, PointOutput
from solver.project.runs import BogackiShampine, Run
from tools.samples.common import VEHICLE, without_unused
from tools.samples.riding import across

CAR, DRIVER = "car", "driver"

SPEED, BRAKES_S, RISE_S, LASTS_S = 8.0, 0.2, 0.15, 1.6
"""Speed (m/s), when the pedal is pressed, how fast it goes down, and how long the run lasts (*assumed*)."""

FRONT_NM, REAR_NM = 1200.0, 440.0
"""Torque of each brake: 0.8 g, shared as the axles bear it then (*assumed*)."""

FELT, REACTION_S = -2.0, 0.1
"""Acceleration (m/s2) at which braking is felt, and the time from there to bracing (*assumed*, as in the sample braking)."""

BRACED = Holding(
    frequency_hz=2.5, damping=0.7, reflex_s=0.04, ramp_s=0.1, delay_s=REACTION_S,
    trigger={"kind": "channel", "output": "braking", "component": "x", "level": FELT, "rising": False},
)  # fmt: skip
TRUNK = ("lower_torso", "centre_torso", "upper_torso", "neck", "head")


def build() -> Project:
    """Build the sample."""
    project = crash(
        replace(first("frontal"), who=of_size("mid-size", "printed"), bag="", duration_s=LASTS_S)
    )
    project = across(project)
    pedal = Table(x=(0.0, BRAKES_S, BRAKES_S + RISE_S, LASTS_S), y=(0.0, 0.0, 1.0, 1.0))
    brakes = [
        Function(
            id=f"{axle}_brake", name=f"{axle.capitalize()} brakes", x_unit="s", y_unit="N*m", source="Assumed",
            form=pedal.model_copy(update={"y": tuple(torque * y for y in pedal.y)}),
        )
        for axle, torque in (("front", FRONT_NM), ("rear", REAR_NM))
    ]  # fmt: skip
    used = {
        one.function
        for motion in project.motions
        for one in (c.pulse for c in motion.components)
        if one.kind == "function"
    }
    functions = [one for one in project.functions if one.id not in used]
    project = project.model_copy(
        update={
            "functions": (*functions, *brakes),
            "load_case": "other",
        }
    )
    project = on_wheels(
        project, VEHICLE,
        Car(speed_m_per_s=SPEED, front_brake_nm="front_brake", rear_brake_nm="rear_brake"),
        CAR,
    )  # fmt: skip
    felt = PointOutput(
        id="braking", name="The car brakes", segment=VEHICLE, quantity="acceleration"
    )
    tyres = [
        ElementOutput(id=f"{name}_tyre", name=f"{name.replace('_', ' ').capitalize()} tyre", of="tyres", element=f"{CAR}_{name}")
        for name in ("front_left", "rear_left")
    ]  # fmt: skip
    project = project.model_copy(update={"outputs": (felt, *project.outputs, *tyres)})
    project = held(project, [f"{DRIVER}_{part}" for part in TRUNK], BRACED)
    run = Run(
        id="run", name=f"{LASTS_S:g} s", duration_s=LASTS_S, frame_interval_s=0.01, channel_rate_hz=10_000.0, body_sensors=False,
        integrator=BogackiShampine(),
    )  # fmt: skip
    return without_unused(project).model_copy(
        update={
            "title": "Car that brakes before a crash, with its driver",
            "note": "A saloon on four wheels with tyres rolls at 29 km/h and brakes with 0.8 g until it stands. It dives, its front tyres bear "
            "more, and as it stops it rocks back. The driver is belted; a tenth of a second after he feels the braking he holds his posture.",
            "source": "Body and parts: docs/bodies.md, docs/dummies.md; car, tyres, brakes and bracing assumed (docs/vehicles.md)",
            "runs": (run,),
        }
    )
