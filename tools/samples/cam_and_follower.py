"""A cam that lifts a roller against a spring, driven by a wheel through a gear of two to one."""

from __future__ import annotations

import math

import numpy as np

from solver.project.closures import PointOnCurve
from solver.project.couplings import CoupledAxis, Gear
from solver.project.document import Project
from solver.project.geometry import (
    Ellipsoid,
    Frame,
    FrameRef,
    Hyperellipsoid,
    Orientation,
    PointRef,
)
from solver.project.joints import PinJoint, SlipJoint
from solver.project.links import LinearSpring
from solver.project.motions import ConstantHistory, Driver, Initial, JointStart
from solver.project.outputs import ElementOutput, PointOutput
from solver.project.runs import Run
from solver.project.segments import Segment

BASE_M, LIFT_M, ROLLER_M = 0.030, 0.012, 0.012
RISE = math.radians(75.0)
POINTS = 180
SPEED = 2.0 * math.pi * 5.0
"""Of the driving wheel (rad/s): five turns a second, so that the cam makes two and a half."""

UPWARDS = Orientation(angles_rad=(0.0, 0.0, math.pi))
"""Axes of which z goes up."""
CAM_AXES = Orientation(angles_rad=(0.0, 0.0, -0.5 * math.pi))
"""Axes of the cam's edge: x ahead, y up, z along the shaft."""
WHEEL_M, PINION_M = 0.06, 0.03
ROD_M = 0.05


def pitch_radius(angle: float) -> float:
    """How far the roller's middle is from the cam's: a cycloid up over 75 degrees, and down again."""
    away = abs((angle + math.pi) % (2.0 * math.pi) - math.pi)
    u = min(away / RISE, 1.0)
    return BASE_M + ROLLER_M + LIFT_M * (1.0 - u + math.sin(2.0 * math.pi * u) / (2.0 * math.pi))


def profile() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The cam's own edge: a roller's radius inside of the way of its middle."""
    angles = 2.0 * math.pi * np.arange(POINTS) / POINTS
    r = np.array([pitch_radius(a) for a in angles])
    step = 1e-6
    slope = np.array(
        [(pitch_radius(a + step) - pitch_radius(a - step)) / (2.0 * step) for a in angles]
    )
    place = np.stack([r * np.cos(angles), r * np.sin(angles)])
    along = np.stack([
        slope * np.cos(angles) - r * np.sin(angles), slope * np.sin(angles) + r * np.cos(angles)
    ])  # fmt: skip
    along = along / np.linalg.norm(along, axis=0)
    x, y = place - ROLLER_M * np.stack([along[1], -along[0]])
    return tuple(round(float(c), 9) for c in x), tuple(round(float(c), 9) for c in y)


def _disc(name: str, radius: float, half: float, aside: float) -> Hyperellipsoid:
    return Hyperellipsoid(
        id=name,
        semi_axes_m=(radius, half, radius),
        centre_m=(0.0, aside, 0.0),
        powers=(2.0, 12.0, 2.0),
    )


def build() -> Project:
    """Build the sample."""
    x, y = profile()
    low = BASE_M + ROLLER_M
    return Project(
        title="Cam and follower: a roller on a cam that a gear drives",
        note="A cycloid lifts the roller by 12 mm over 75 degrees of the cam, holds it for no time, and lets it down "
        "again; a spring of 4 N/mm presses it on. The driving wheel makes five turns a second, the cam half as many, the other way. "
        "The load across the cam's edge stays above zero: without the spring the follower would leave it.",
        source="Made up; lift and acceleration are those of a cycloid",
        segments=(
            Segment(id="pinion", name="Driving wheel", mass_kg=0.2, inertia_kgm2=(6e-5, 9e-5, 6e-5),
                    surfaces=(_disc("wheel", PINION_M, 0.006, -0.025),)),
            Segment(id="cam", name="Cam", note="The cam on its shaft, with the wheel that drives it.", mass_kg=0.9,
                    inertia_kgm2=(1e-3, 1.4e-3, 1e-3),
                    surfaces=(_disc("wheel", WHEEL_M, 0.006, -0.025), _disc("shaft", 0.008, 0.03, -0.005))),
            Segment(id="follower", name="Follower", mass_kg=0.25, inertia_kgm2=(2e-4, 2e-4, 2e-5),
                    surfaces=(Ellipsoid(id="rod", semi_axes_m=(0.012, 0.012, ROD_M)),)),
        ),
        joints=(
            PinJoint(id="drive_shaft", name="Driving shaft", parent="ground", child="pinion",
                     parent_frame=Frame(position_m=(-WHEEL_M - PINION_M, 0.0, 0.0))),
            PinJoint(id="camshaft", name="Camshaft", parent="ground", child="cam"),
            SlipJoint(id="guide", name="Guide", parent="ground", child="follower", rotation="none",
                      parent_frame=Frame(orientation=UPWARDS), child_frame=Frame(orientation=UPWARDS)),
        ),
        springs=(
            LinearSpring(id="spring", name="Spring", a=PointRef(segment="ground", position_m=(0.0, 0.0, -0.2)),
                         b=PointRef(segment="follower", position_m=(0.0, 0.0, -ROD_M)), stiffness_n_per_m=4000.0,
                         rest_length_m=0.2 - low - 2.0 * ROD_M + 0.006),
        ),
        constraints=(
            Gear(id="gear", name="Gear", first=CoupledAxis(joint="drive_shaft", axis="angle"),
                 second=CoupledAxis(joint="camshaft", axis="angle"), ratio=-PINION_M / WHEEL_M),
            PointOnCurve(id="roller", name="Roller on cam", a=FrameRef(segment="cam", frame=Frame(orientation=CAM_AXES)),
                         b=PointRef(segment="follower", position_m=(0.0, 0.0, ROD_M)), x_m=x, y_m=y, radius_m=ROLLER_M,
                         across="free"),
        ),
        drivers=(
            Driver(id="motor", name="Motor", joint="drive_shaft", axis="angle", quantity="velocity",
                   pulse=ConstantHistory(kind="constant", value=SPEED)),
        ),
        initial=Initial(joints=(
            JointStart(joint="camshaft", values=(0.0,), rates=(-SPEED * PINION_M / WHEEL_M,)),
            JointStart(joint="guide", values=(low + ROD_M,)),
        )),
        outputs=(
            PointOutput(id="lift", name="Place of the roller", segment="follower", point_m=(0.0, 0.0, ROD_M), quantity="position"),
            PointOutput(id="shock", name="Acceleration of the follower", segment="follower", quantity="acceleration"),
            ElementOutput(id="roller", name="Roller on cam", of="constraints", element="roller"),
            ElementOutput(id="gear", name="Gear", of="constraints", element="gear"),
            ElementOutput(id="motor", name="Motor", of="drivers", element="motor"),
        ),
        runs=(
            Run(id="turns", name="Three turns of the cam", duration_s=1.2, frame_interval_s=0.005, channel_rate_hz=1000.0),
        ),
    )  # fmt: skip
