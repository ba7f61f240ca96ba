"""Two trunks in a car that brakes: one relaxed, one that braces once it feels the braking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.bodies.body import Holding
from solver.bodies.posture import held
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.geometry import Frame
from solver.project.joints import LockedJoint
from solver.project.motions import History, Initial, Motion, MotionComponent
from solver.project.outputs import ElementOutput, PointOutput
from solver.project.pose import start_pose
from solver.project.runs import Run
from tools.samples.common import VEHICLE, in_vehicle, seated, vehicle

PELVIS = "lower_torso"
KEPT = (PELVIS, "centre_torso", "upper_torso", "neck", "head")
PEOPLE = {"relaxed": 0.36, "braced": -0.36}
"""Who sits where across the car (m)."""

BRAKING, BRAKES_S, RISE_S, LASTS_S = 7.8, 0.1, 0.15, 0.9
"""Braking (m/s2), when it begins, how fast it rises, and how long the run lasts (assumed)."""

TONE = Holding(frequency_hz=1.0, damping=0.5)
"""What holds both upright: just more than their weight asks for (assumed)."""

FELT, REACTION_S = -1.0, 0.1
"""Acceleration (m/s2) at which braking is felt, and the time from there to bracing (assumed)."""

BRACED = Holding(
    frequency_hz=2.5, damping=0.7, reflex_s=0.04, ramp_s=0.1, delay_s=REACTION_S,
    trigger={"kind": "channel", "output": "braking", "component": "x", "level": FELT, "rising": False},
)  # fmt: skip
"""What one of them adds (assumed; reflexes of 30 to 80 ms are usual)."""


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Braking before a crash: relaxed and braced",
        "Two trunks, upright, their pelves fixed in a car that brakes with 0.8 g. Weak actuators at all joints hold "
        "both; one braces: a tenth of a second after it feels the braking, stiffer actuators hold the posture of the "
        "start. These sense 40 ms late and come up over 100 ms. Arms and belts are left out.",
        "Body as printed; braking, times and stiffness assumed",
        LASTS_S,
    )
    felt = PointOutput(
        id="braking", name="The car brakes", segment=VEHICLE, quantity="acceleration"
    )
    project = project.model_copy(update={"outputs": (felt,)})
    for name, across in PEOPLE.items():
        project = _with_trunk(project, name, across)
    project = held(project, _segments("relaxed"), TONE)
    project = held(project, _segments("braced"), TONE)
    more = {
        one.coordinate: one.laws
        for one in held(
            project.model_copy(update={"coordinate_forces": ()}), _segments("braced"), BRACED
        ).coordinate_forces
    }
    forces = tuple(
        one.model_copy(update={"laws": (*one.laws, *more.get(one.coordinate, ()))})
        for one in project.coordinate_forces
    )
    braking = Table(x=(0.0, BRAKES_S, BRAKES_S + RISE_S, LASTS_S), y=(0.0, 0.0, -BRAKING, -BRAKING))
    followed = [in_vehicle(f"{name}_head", f"Head in the car, {name}") for name in PEOPLE]
    loads = [
        ElementOutput(
            id=f"{name}_neck_held", name=f"Neck about y, {name}", group="Posture",
            of="coordinate_forces", element=f"{name}_neck_pivot_turn_y_held",
        )
        for name in PEOPLE
    ]  # fmt: skip
    run = Run(
        id="run", name="900 ms", duration_s=LASTS_S, frame_interval_s=0.005, channel_rate_hz=1000.0
    )
    return project.model_copy(
        update={
            "coordinate_forces": forces,
            "functions": (
                *project.functions,
                Function(id="braking", name="Braking", x_unit="s", y_unit="m/s2", form=braking, source="Assumed"),
            ),
            "motions": (
                Motion(
                    id="driving", name="Driving and braking", group="Vehicle", source="Assumed", segment=VEHICLE,
                    components=(
                        MotionComponent(component="x", pulse=History(function="braking"), start_rate=20.0),
                    ),
                ),
            ),
            "outputs": (*project.outputs, *followed, *loads),
            "runs": (run,),
        }
    )  # fmt: skip


def _segments(name: str) -> list[str]:
    return [f"{name}_{part}" for part in KEPT]


def _with_trunk(project: Project, name: str, across: float) -> Project:
    """Add pelvis, trunk, neck and head of a man, his pelvis fixed in the car."""
    bare = project.model_copy(update={"outputs": ()})
    whole = seated(bare, "standing", (0.0, across, -0.6), name)
    names = set(_segments(name))
    at, car = start_pose(whole)[f"{name}_{PELVIS}"], start_pose(whole)[VEHICLE]
    x, y, z = (float(c) for c in np.round(car.R_WS.T @ (at.p_W - car.p_W), 6))
    seat = LockedJoint(
        id=f"{name}_seat", name="Seat", parent=VEHICLE, child=f"{name}_{PELVIS}",
        parent_frame=Frame(position_m=(x, y, z)), note="The pelvis does not move in the car.",
    )  # fmt: skip
    joints = [j for j in whole.joints if {j.parent, j.child} <= names]
    moved = {j.id for j in joints}
    starts = [one for one in whole.initial.joints if one.joint in moved]
    functions = {one.id for one in project.functions}
    return project.model_copy(
        update={
            "segments": (*project.segments, *(s for s in whole.segments if s.id in names)),
            "joints": (*project.joints, seat, *joints),
            "functions": (
                *project.functions,
                *(f for f in whole.functions if f.id not in functions and _is_used(f.id, joints)),
            ),
            "initial": Initial(
                roots=project.initial.roots, joints=(*project.initial.joints, *starts)
            ),
        }
    )


def _is_used(function: str, joints: Sequence[object]) -> bool:
    return any(function in str(joint) for joint in joints)
