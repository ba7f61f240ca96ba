"""Arms moved by drivers while a car brakes: one reaches for the dash, the other braces, and both let go in the crash."""

from __future__ import annotations

import math

import numpy as np

from solver.project.belts import ChannelTrigger
from solver.project.contact import HystereticLaw, PlaneContact
from solver.project.document import Project
from solver.project.functions import Function, Polynomial, Table
from solver.project.geometry import Frame, FrameRef, Orientation, SurfaceRef
from solver.project.joints import LockedJoint
from solver.project.motions import (
    Component,
    ConstantHistory,
    Driver,
    FrameDriver,
    History,
    Initial,
    JointStart,
    Motion,
    MotionComponent,
)
from solver.project.outputs import ElementOutput, PointOutput
from solver.project.pose import start_pose
from solver.project.runs import Run
from solver.project.segments import Plane, PlaneFrame
from tools.samples.common import VEHICLE, pitched, seated, vehicle

TORSO = "upper_torso"
KEPT = (TORSO, "right_upper_arm", "right_forearm", "left_upper_arm", "left_forearm")
HAND_M = (0.013, -0.008, 0.19)
"""Where the middle of the fist is in the forearm, whose segment has the hand."""

REACH_S, REACH_M = 0.6, {"x": 0.16, "y": -0.12, "z": 0.06}
"""How long the right hand goes, and how far (assumed)."""

REACTION_S, BRACE_S, ELBOW_RAD, ARM_RAD = 0.2, 0.3, -0.35, 0.3
"""Time from braking to bracing, how long that takes, and by how much elbow and upper arm turn (assumed)."""

BRAKING, BRAKES_S, CRASH_S, CRASH, LASTS_S = 7.8, 0.1, 0.9, 200.0, 0.08
"""Braking (m/s2) and when it begins, when the crash does, its peak (m/s2) and how long it lasts (assumed)."""


def _least_jerk(id_: str, name: str, unit: str, way: float, lasts: float) -> Function:
    """The speed of a movement of least jerk: way (30 s^2 - 60 s^3 + 30 s^4) / lasts, s in parts of it."""
    parts = [way * c / lasts ** (n + 1) for n, c in enumerate((0.0, 0.0, 30.0, -60.0, 30.0))]
    return Function(
        id=id_, name=name, group="Movements", x_unit="s", y_unit=unit,
        source="Form: Flash and Hogan, J. Neurosci. 5 (1985), 1688-1703; way and duration assumed",
        form=Polynomial(coefficients=tuple(round(c, 12) for c in parts), x_min=0.0, x_max=lasts),
    )  # fmt: skip


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Arms that reach and brace before a crash",
        "A trunk that is fixed in a car, with both arms. While the car brakes the right hand goes to the dash, moved by "
        "drivers along x, y and z of the car; its elbow finds its own way. The left arm is held until braking has been "
        "felt, then it braces: a driver of the elbow's axis and drivers of the upper arm's angles as seen from the trunk. "
        "As the crash begins the right arm is let go, and the left one soon after its movement ends.",
        "Body as printed; movements of least jerk (Flash and Hogan, 1985); ways, times, braking and crash assumed",
        1.05,
    )  # fmt: skip
    whole = seated(project, "driving", (0.0, -0.36, 0.0), "man")
    names = {f"man_{name}" for name in KEPT}
    at, car = start_pose(whole)[f"man_{TORSO}"], start_pose(whole)[VEHICLE]
    R, p = car.R_WS.T @ at.R_WS, car.R_WS.T @ (at.p_W - car.p_W)
    x, y, z = (float(c) for c in np.round(p, 6))
    lean = math.atan2(float(R[0, 2]), float(R[0, 0]))
    trunk = LockedJoint(
        id="seat", name="Seat", parent=VEHICLE, child=f"man_{TORSO}",
        parent_frame=Frame(position_m=(x, y, z), orientation=pitched(round(lean, 6))),
        note="The trunk does not move in the car: only arms are looked at.",
    )  # fmt: skip
    joints = [j for j in whole.joints if {j.parent, j.child} <= names]
    moved = {j.id for j in joints}
    starts = [one for one in whole.initial.joints if one.joint in moved]
    starts = [_aside(one) for one in starts]
    middle, end = CRASH_S + 0.5 * LASTS_S, CRASH_S + LASTS_S
    braking = Table(
        x=(0.0, BRAKES_S, BRAKES_S + 0.2, CRASH_S, middle, end, 1.05),
        y=(0.0, 0.0, -BRAKING, -BRAKING, -CRASH, 0.0, 0.0),
    )
    functions = (
        Function(id="braking", name="Braking and crash", group="Movements", x_unit="s", y_unit="m/s2", form=braking, source="Assumed"),
        *(_least_jerk(f"reach_{c}", f"Reach along {c}", "m/s", way, REACH_S) for c, way in REACH_M.items()),
        _least_jerk("extend", "Elbow stretches", "rad/s", ELBOW_RAD, BRACE_S),
        _least_jerk("raise", "Arm is raised", "rad/s", ARM_RAD, BRACE_S),
        Function(
            id="dash_force", name="Dash", x_unit="m", y_unit="N", source="Assumed",
            form=Table(x=(0.0, 0.15), y=(0.0, 6000.0)),
        ),
    )  # fmt: skip
    felt = PointOutput(
        id="braking", name="The car brakes", segment=VEHICLE, quantity="acceleration"
    )
    return project.model_copy(update={
        "segments": (*project.segments, *(s for s in whole.segments if s.id in names)),
        "joints": (trunk, *joints),
        "functions": functions,
        "planes": (_dash(),),
        "contact_laws": (HystereticLaw(id="padding", name="Padding", base="dash_force", energy_ratio=0.5, offset_ratio=0.25, friction=0.3, source="Assumed"),),
        "contacts": tuple(
            PlaneContact(
                id=f"{side}_forearm_dash", plane="dash", law="padding",
                surface=SurfaceRef(segment=f"man_{side}_forearm", surface=_surface(whole, f"man_{side}_forearm")),
            )
            for side in ("right", "left")
        ),
        "motions": (_crash(),),
        "drivers": (_elbow(),),
        "frame_drivers": (_hand("x"), _hand("y"), _hand("z"), _arm("yaw"), _arm("pitch"), _arm("roll")),
        "initial": Initial(roots=project.initial.roots, joints=tuple(starts)),
        "outputs": (
            felt,
            *(
                PointOutput(
                    id=f"{side}_hand", name=f"{side.capitalize()} hand in the car", segment=f"man_{side}_forearm",
                    point_m=_mirrored(HAND_M, side), quantity="position", relative_to=VEHICLE, axes="relative",
                )
                for side in ("right", "left")
            ),
            ElementOutput(id="elbow", name="Left elbow", of="drivers", element="left_elbow"),
            ElementOutput(id="hand_x", name="Right hand along x", of="frame_drivers", element="right_hand_x"),
            ElementOutput(id="arm_pitch", name="Left upper arm", of="frame_drivers", element="left_arm_pitch"),
        ),
        "runs": (Run(id="run", name="1.05 s", duration_s=1.05, frame_interval_s=0.005),),
    })  # fmt: skip


def _aside(start: JointStart) -> JointStart:
    """Bend the right elbow, so that the hand has a way to go."""
    return (
        start.model_copy(update={"values": (0.3,)}) if start.joint == "man_right_elbow" else start
    )


def _surface(project: Project, segment: str) -> str:
    return next(s for s in project.segments if s.id == segment).surfaces[0].id


def _mirrored(place: tuple[float, float, float], side: str) -> tuple[float, float, float]:
    x, y, z = place
    return (x, y if side == "right" else -y, z)


def _dash() -> Plane:
    """Stand a dash before the hands, square to the way of the car."""
    frame = Frame(
        position_m=(0.52, -0.36, -0.35),
        orientation=Orientation(angles_rad=(0.0, -math.pi / 2.0, 0.0)),
    )
    placement = PlaneFrame(kind="frame", frame=frame, length_m=0.7, width_m=1.4)
    return Plane(id="dash", name="Dash", segment=VEHICLE, placement=placement, source="Assumed")


def _crash() -> Motion:
    """Let the car brake, and crash into something: both along x."""
    brake = MotionComponent(component="x", pulse=History(function="braking"), start_rate=13.9)
    return Motion(id="car", name="Car", segment=VEHICLE, components=(brake,), source="Assumed")


def _elbow() -> Driver:
    return Driver(
        id="left_elbow", name="Left elbow stretches", group="Bracing", joint="man_left_elbow", axis="angle",
        quantity="velocity", pulse=History(function="extend"), trigger=_felt(), until_s=BRACE_S + 0.1, before="held",
    )  # fmt: skip


def _felt() -> ChannelTrigger:
    return ChannelTrigger(
        output="braking", component="x", level=-2.0, rising=False, delay_s=REACTION_S
    )


def _hand(component: Component) -> FrameDriver:
    return FrameDriver(
        id=f"right_hand_{component}", name=f"Right hand along {component}", group="Reaching",
        moved=FrameRef(segment="man_right_forearm", frame=Frame(position_m=HAND_M)),
        seen_from=FrameRef(segment=VEHICLE), component=component,
        quantity="velocity", pulse=History(function=f"reach_{component}"), until_s=CRASH_S,
    )  # fmt: skip


def _arm(component: Component) -> FrameDriver:
    pulse = History(function="raise") if component == "pitch" else ConstantHistory(value=0.0)
    return FrameDriver(
        id=f"left_arm_{component}", name=f"Left upper arm: {component}", group="Bracing",
        moved=FrameRef(segment="man_left_upper_arm"), seen_from=FrameRef(segment=f"man_{TORSO}"),
        component=component, quantity="velocity", pulse=pulse,
        trigger=_felt(), until_s=BRACE_S + 0.1, before="held",
    )  # fmt: skip
