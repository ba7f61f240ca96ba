"""Part 572 neck pendulum: head and neck hang from an arm that is stopped."""

from __future__ import annotations

import math
from typing import Any

from solver.bodies import library_body
from solver.bodies.library.pulses import with_speed_change
from solver.project.document import Project
from solver.project.joints import Lock
from solver.project.motions import (
    AttitudeStart,
    Initial,
    Motion,
    MotionComponent,
    RootStart,
    Trapezoid,
)
from solver.project.outputs import PointOutput, RotationOutput
from solver.project.runs import Run
from solver.project.segments import Segment
from tools.samples.common import pitched

FEET_PER_S = 0.3048
SPEED = 23.5 * FEET_PER_S
G = 9.80665


def build() -> Project:
    """Build the sample."""
    body = library_body("male-50")
    arm = Segment(
        id="arm",
        name="Pendulum arm",
        group="Pendulum",
        note="Prescribed; its mass does not matter. Upside down, so that the head hangs from it.",
        mass_kg=30.0,
        inertia_kgm2=(1.0, 1.0, 1.0),
    )
    segments = [arm, *(_in_group(body.segment(name)) for name in ("neck", "head"))]
    # held until the arm is stopped: a neck of rubber would bear the head's weight
    held = Lock(locked=True, unlock_torque_nm=6.0)
    pivot = _in_group(body.joint("neck_pivot"), parent="arm", lock=held)
    project = Project(
        title="Neck pendulum of Part 572",
        note="Head and neck of the library's 50th-percentile man hang from an arm that is stopped from 23.5 ft/s "
        "within about 35 ms. 49 CFR 572.7 asks the dummy's head to turn by 68 +/- 5 degrees in all, by 30 "
        "degrees at 30 ms and by 60 at 60 ms, with at most 26 g. The body's neck was not fitted to that test.",
        source="49 CFR 572.7, neck; the pulse is a trapezoid in its manner; body as printed",
        segments=tuple(segments),
        joints=(pivot, _in_group(body.joint("head_pivot"), lock=held)),
        initial=Initial(
            roots=(RootStart(segment="arm"),),
            attitudes=(AttitudeStart(segment="arm", orientation=pitched(math.pi)),),
        ),
        runs=(Run(id="run", name="120 ms", duration_s=0.12),),
    )
    stop = with_speed_change(
        Trapezoid(amplitude=22.0 * G, duration_s=0.03, rise_ratio=0.08, fall_ratio=0.2),
        SPEED,
        keep="peak",
    )
    # upside down the head's forward is the ground's backward
    moving = Motion(
        id="stop",
        name="Arm is stopped",
        group="Pendulum",
        segment="arm",
        components=(MotionComponent(component="x", pulse=stop, start_rate=-SPEED),),
    )
    return project.model_copy(
        update={
            "motions": (moving,),
            "outputs": (
                PointOutput(
                    id="head_acceleration", name="Head acceleration", segment="head", cfc=1000
                ),
                RotationOutput(
                    id="head_turn",
                    name="Turn of the head (nutation)",
                    segment="head",
                    relative_to="arm",
                    angles="euler",
                ),
                PointOutput(
                    id="head_place",
                    name="Head from the arm",
                    segment="head",
                    quantity="position",
                    relative_to="arm",
                    axes="relative",
                ),
                PointOutput(id="arm_acceleration", name="Arm acceleration", segment="arm", cfc=60),
            ),
        }
    )


def _in_group(element: Any, **more: Any) -> Any:
    return element.model_copy(update={"group": "Head and neck", **more})
