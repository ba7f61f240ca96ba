"""A rigid pendulum let go from level: its period is known in closed form."""

from __future__ import annotations

import math

from solver.project.document import Project
from solver.project.geometry import Ellipsoid, Frame
from solver.project.joints import PinJoint
from solver.project.motions import Initial, JointStart
from solver.project.outputs import JointOutput, RotationOutput
from solver.project.runs import Run
from solver.project.segments import Segment

LENGTH = 1.0


def build() -> Project:
    """Build the sample."""
    rod = Segment(
        id="rod",
        name="Rod",
        note="A thin rod of 1 m, hung from its upper end.",
        mass_kg=2.0,
        inertia_kgm2=(2.0 / 12.0, 2.0 / 12.0, 1e-4),
        surfaces=(Ellipsoid(id="rod", semi_axes_m=(0.02, 0.02, 0.5)),),
    )
    pivot = PinJoint(
        id="pivot",
        name="Pivot",
        parent="ground",
        child="rod",
        child_frame=Frame(position_m=(0.0, 0.0, -0.5 * LENGTH)),
    )
    return Project(
        title="Pendulum: a rod let go from level",
        note="Small swings would take 2 pi sqrt(2 L / 3 g) = 1.638 s; from level the period is 1.18034 times "
        "as long (complete elliptic integral of modulus sin 45 degrees), 1.933 s. The run lasts two periods.",
        source="Closed form of the physical pendulum",
        segments=(rod,),
        joints=(pivot,),
        initial=Initial(joints=(JointStart(joint="pivot", values=(0.5 * math.pi,)),)),
        outputs=(
            RotationOutput(id="rate", name="Rate of turning", segment="rod", quantity="velocity"),
            JointOutput(
                id="pivot_force", name="Force in the pivot", joint="pivot", quantity="force"
            ),
            JointOutput(id="pivot_angle", name="Angle", joint="pivot", quantity="angle"),
        ),
        runs=(
            Run(
                id="swing",
                name="Two periods",
                duration_s=3.8667,
                frame_interval_s=0.01,
                channel_rate_hz=1000.0,
            ),
        ),
    )
