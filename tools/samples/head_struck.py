"""A head struck on its forehead, on a neck that is held below (002, experiments 6-1 to 6-5; their curves are lost)."""

from __future__ import annotations

from solver.bodies.library import insert
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.geometry import Ellipsoid
from solver.project.joints import LockedJoint
from solver.project.motions import Load
from solver.project.outputs import PointOutput, RotationOutput
from solver.project.runs import Run
from solver.project.segments import GROUND, Segment

PEAK_N, DURATION_S = 2000.0, 0.01
HALF_SINE = (
    0.0,
    0.156434,
    0.309017,
    0.453990,
    0.587785,
    0.707107,
    0.809017,
    0.891007,
    0.951057,
    0.987688,
    1.0,
)
"""Sines of 0 to 90 degrees, every nine."""


def build() -> Project:
    """Build the sample."""
    sines = (*HALF_SINE, *HALF_SINE[-2::-1])
    blow = Table(
        x=tuple(round(DURATION_S * k / 20, 6) for k in range(21)),
        y=tuple(round(PEAK_N * s, 3) for s in sines), between="spline",
    )  # fmt: skip
    project = Project(
        title="Head struck",
        note="A blow of 2 kN for 10 ms on the forehead of a relaxed man whose first thoracic vertebra is held. In the first "
        "milliseconds the head moves as if it were free: force over mass.",
        source="Huston and Passerello (1978), experiments 6-1 to 6-5, whose force is not printed: half a sine, assumed. Neck: as its library entry says",
        segments=(
            Segment(
                id="t1", name="First thoracic vertebra", mass_kg=10.0, inertia_kgm2=(0.1, 0.1, 0.1), group="Head and neck",
                note="Held; its mass does not matter.", surfaces_are="part",
                surfaces=(Ellipsoid(id="body", semi_axes_m=(0.0085, 0.011, 0.0075), centre_m=(-0.008, 0.0, 0.003), note="Drawn only; assumed."),),
            ),
        ),
        joints=(LockedJoint(id="held", name="Held", parent=GROUND, child="t1"),),
        functions=(Function(id="blow", name="Blow", x_unit="s", y_unit="N", form=blow),),
        loads=(
            Load(id="blow", name="Blow on the forehead", segment="head", point_m=(0.0994, 0.0, 0.0), direction=(-1.0, 0.0, 0.0), history="blow"),
        ),
        runs=(Run(id="run", name="120 ms", duration_s=0.12),),
        outputs=(
            PointOutput(id="head_acceleration", name="Head's mass centre", segment="head", cfc=1000),
            RotationOutput(id="head_angular_acceleration", name="Head", segment="head", quantity="acceleration"),
            RotationOutput(id="head_pitch", name="Pitch of the head", segment="head", angles="about_axis"),
        ),
    )  # fmt: skip
    return insert(project, "head_and_neck", attach_to="t1")
