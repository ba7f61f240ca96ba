"""A person on a cushion over a floor that shakes up and down: ride and vibration."""

from __future__ import annotations

import math

from solver.project.document import Project
from solver.project.functions import Function, Random
from solver.project.geometry import Ellipsoid, PointRef
from solver.project.joints import Slide, SlipJoint
from solver.project.links import LinearSpring
from solver.project.motions import History, Initial, JointStart, Motion, MotionComponent, RootStart
from solver.project.outputs import ElementOutput, PointOutput
from solver.project.runs import Run
from solver.project.segments import Segment
from solver.project.studies import GridStudy, OptimumStudy
from solver.project.study_parts import (
    ChannelResponse,
    FormulaResponse,
    RideResponse,
    StudyParameter,
    Uniform,
)

GRAVITY = 9.80665
PERSON = "Wei and Griffin, J. Sound Vib. 214 (1998) 121: model with two masses on a frame, mean of 60 persons; numbers from memory, not looked up"
ASSUMED = "assumed: No measured seat behind it; within the range usual for a foam cushion"
SHAKER = "assumed: A laboratory's usual input: even acceleration from 0.5 to 20 Hz"

CUSHION_N_PER_M, CUSHION_NS_PER_M = 50_000.0, 500.0
FRAME_KG = 6.7
MASSES = (
    ("body", "Body", 33.4, 35_776.0, 761.0, 0.35),
    ("viscera", "Viscera", 10.7, 38_374.0, 458.0, 0.20),
)
"""Masses on the frame: mass (kg), stiffness (N/m), damping (N s/m), height over the frame (m)."""
LINE_HZ, LOW_HZ, HIGH_HZ = 0.125, 0.5, 20.0
RMS_M_PER_S2 = 1.0
UNPRESSED_M, PRESSED_M = 0.42, 0.03
"""Height of the frame over the floor with nobody on the cushion, and by how much it may be pressed in: assumed."""
LEAD_S = 4.0
"""Time before measuring starts: what was there at the start has died away."""


def floor_density() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Give lines (Hz) and density (m2/Hz) of a displacement whose acceleration has the same density at all of them."""
    lines = [LINE_HZ * n for n in range(round(LOW_HZ / LINE_HZ), round(HIGH_HZ / LINE_HZ) + 1)]
    level = RMS_M_PER_S2**2 / (len(lines) * LINE_HZ)
    return tuple(lines), tuple(level / (2.0 * math.pi * f) ** 4 for f in lines)


def build() -> Project:
    """Build the sample."""
    lines, density = floor_density()
    shaking = Function(
        id="shaking",
        name="Way of the floor",
        note="1 m/s2 r.m.s. of acceleration; its period is 8 s.",
        source=SHAKER,
        x_unit="s",
        y_unit="m",
        form=Random(
            low_hz=LOW_HZ,
            high_hz=HIGH_HZ,
            line_hz=LINE_HZ,
            density_hz=lines,
            density=tuple(float(f"{d:.6g}") for d in density),
            seed=1,
            ease_s=1.0,
            duration_s=LEAD_S + 1.0 / LINE_HZ + 2.0,
        ),
    )
    carried = FRAME_KG + sum(mass for _, _, mass, *_ in MASSES)
    return Project(
        title="Ride on a seat: a person on a cushion over a floor that shakes",
        note="How much of the floor's shaking reaches who sits on it. The person is three masses that move up and "
        "down: a frame on the cushion, and the body and the viscera on it, on springs and dampers. The floor shakes "
        "with 1 m/s2 r.m.s. from 0.5 to 20 Hz. Its studies vary the cushion and ask for the weighted acceleration "
        "of ISO 2631-1, its dose, and the SEAT factor.",
        source=f"{PERSON}; cushion and floor assumed",
        segments=(
            Segment(
                id="floor",
                name="Floor",
                note="Prescribed; its mass does not matter.",
                mass_kg=50.0,
                inertia_kgm2=(1.0, 1.0, 1.0),
                surfaces=(Ellipsoid(id="plate", semi_axes_m=(0.25, 0.25, 0.02)),),
            ),
            Segment(
                id="frame",
                name="Frame",
                source=PERSON,
                note="What of the person rests on the cushion and moves with it.",
                mass_kg=FRAME_KG,
                inertia_kgm2=(0.05, 0.05, 0.05),
                surfaces=(Ellipsoid(id="seat", semi_axes_m=(0.2, 0.2, 0.05)),),
            ),
            *(
                Segment(
                    id=id_,
                    name=name,
                    source=PERSON,
                    mass_kg=mass,
                    inertia_kgm2=(0.5, 0.5, 0.3) if id_ == "body" else (0.05, 0.05, 0.05),
                    surfaces=(
                        Ellipsoid(
                            id="shape",
                            semi_axes_m=(0.12, 0.18, 0.25) if id_ == "body" else (0.09, 0.12, 0.1),
                        ),
                    ),
                )
                for id_, name, mass, *_ in MASSES
            ),
        ),
        joints=(
            SlipJoint(
                id="seat",
                name="Up and down on the seat",
                parent="floor",
                child="frame",
                slide=Slide(),
            ),
            *(
                SlipJoint(
                    id=f"{id_}_guide",
                    name=f"{name}, up and down",
                    parent="frame",
                    child=id_,
                    slide=Slide(),
                )
                for id_, name, *_ in MASSES
            ),
        ),
        functions=(shaking,),
        springs=(
            _spring(
                "cushion",
                "Cushion",
                ASSUMED,
                "floor",
                "frame",
                CUSHION_N_PER_M,
                CUSHION_NS_PER_M,
                UNPRESSED_M,
            ),
            *(
                _spring(
                    f"{id_}_spring",
                    name,
                    PERSON,
                    "frame",
                    id_,
                    stiff,
                    damp,
                    height + mass * GRAVITY / stiff,
                )
                for id_, name, mass, stiff, damp, height in MASSES
            ),
        ),
        motions=(
            Motion(
                id="shaker",
                name="Shaker",
                segment="floor",
                components=(
                    MotionComponent(
                        component="z", quantity="position", pulse=History(function="shaking")
                    ),
                ),
            ),
        ),
        initial=Initial(
            roots=(RootStart(segment="floor"),),
            joints=(
                JointStart(
                    joint="seat", values=(carried * GRAVITY / CUSHION_N_PER_M - UNPRESSED_M,)
                ),
                *(
                    JointStart(joint=f"{id_}_guide", values=(-height,))
                    for id_, *_, height in MASSES
                ),
            ),
        ),
        outputs=(
            PointOutput(id="floor_acceleration", name="Acceleration of the floor", segment="floor"),
            PointOutput(
                id="seat_acceleration", name="Acceleration on the cushion", segment="frame"
            ),
            PointOutput(id="body_acceleration", name="Acceleration of the body", segment="body"),
            ElementOutput(id="cushion_load", name="Cushion", of="springs", element="cushion"),
        ),
        runs=(
            Run(
                id="ride",
                name="12 s",
                duration_s=LEAD_S + 1.0 / LINE_HZ,
                frame_interval_s=0.02,
                channel_rate_hz=1000.0,
            ),
        ),
        studies=_studies(),
    )


def _spring(
    id_: str, name: str, source: str, below: str, above: str,
    stiffness: float, damping: float, rest: float,
) -> LinearSpring:  # fmt: skip
    """A spring and damper between two mass centres."""
    return LinearSpring(
        id=id_,
        name=name,
        source=source,
        a=PointRef(segment=below),
        b=PointRef(segment=above),
        stiffness_n_per_m=stiffness,
        damping_ns_per_m=damping,
        rest_length_m=rest,
    )


def _studies() -> tuple[GridStudy, OptimumStudy]:
    """What is asked: a map of the cushion, and the best one within a way."""
    parameters = (
        StudyParameter(
            id="stiffness", path="springs/cushion/stiffness_n_per_m", spread=Uniform(low=15e3, high=120e3)
        ),
        StudyParameter(
            id="damping", path="springs/cushion/damping_ns_per_m", spread=Uniform(low=200.0, high=3000.0)
        ),
    )  # fmt: skip
    return (
        GridStudy(
            id="cushion",
            name="Map of the cushion",
            note="How ride depends on stiffness and damping.",
            source=ASSUMED,
            parameters=parameters,
            responses=_responses(),
            levels=6,
        ),
        OptimumStudy(
            id="best_cushion",
            name="Best cushion",
            note="Least SEAT factor of a cushion that is never pressed in by more than 30 mm.",
            source=ASSUMED,
            parameters=parameters,
            responses=_responses(goal=True),
            start_runs=8,
            most_runs=60,
        ),
    )


def _responses(
    *, goal: bool = False
) -> tuple[RideResponse | ChannelResponse | FormulaResponse, ...]:
    up, measured = "acceleration_z", {"from_s": LEAD_S}
    return (
        RideResponse(id="floor_rms", quantity=f"floor_{up}", weighting="Wk", take="rms", **measured),
        RideResponse(id="seat_rms", quantity=f"seat_{up}", weighting="Wk", take="rms", **measured),
        RideResponse(id="seat_vdv", quantity=f"seat_{up}", weighting="Wk", take="vdv", **measured),
        RideResponse(id="floor_vdv", quantity=f"floor_{up}", weighting="Wk", take="vdv", **measured),
        FormulaResponse(id="seat_factor", formula="seat_rms / floor_rms", goal="minimise" if goal else "none"),
        FormulaResponse(id="vdv_factor", formula="seat_vdv / floor_vdv"),
        ChannelResponse(
            id="shortest", quantity="cushion_load_length", take="min",
            at_least=UNPRESSED_M - PRESSED_M if goal else None, **measured,
        ),
    )  # fmt: skip
