"""A car on its tyres brakes, dives and strikes a man in mid-stride."""

from __future__ import annotations

import math

from solver.analysis.equilibrium.settling import settle
from solver.bodies import Place
from solver.bodies.dimensions import adult_dimensions
from solver.bodies.library import insert
from solver.bodies.people import human
from solver.bodies.suspension import BumpCurves
from solver.bodies.vehicles import Car, on_wheels
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.geometry import Orientation
from solver.project.motions import History, Motion, MotionComponent
from solver.project.outputs import ElementOutput, PointOutput
from solver.project.runs import BogackiShampine, Run
from tools.samples.common import (
    KMH,
    VEHICLE,
    following,
    free_body,
    pitched,
    vehicle,
    without_unused,
)
from tools.samples.pedestrian import WALKER, knee, shin

CAR = "car"
SPEED, RISE_S, LASTS_S = 40.0 * KMH, 0.1, 0.6
"""Speed (m/s) as the pedal is pressed, in what time it goes down, and how long the run lasts (*assumed*)."""

AHEAD, AWAY_M, NOSE_M = 0.22, 3.6, 1.0
"""His middle before the front where they touch, how much farther away he stands, and how far the front is ahead of the axle (m)."""

STRIDE_RAD = math.radians(14.0)
"""Each leg to its side of upright: half a metre between the feet, the struck one behind (*assumed*)."""

LIMBS = ("clavicle", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
"""Joints of each side that are locked as he stands; his spine bears by its own tone, as a lock that holds next to nothing would open at once."""
OPENS_AT = 3.0
"""Parts of what a joint bears as he stands from which on it gives way (*assumed*)."""

ROAD_CAR = Car(
    speed_m_per_s=SPEED, front_brake_nm="front_brake", rear_brake_nm="rear_brake",
    front_axle=BumpCurves(ahead=(0.085,)), rear_axle=BumpCurves(ahead=(-0.2,)),
)  # fmt: skip
"""A saloon whose wheels go ahead in front and back behind as they travel up, which takes some 30 % of its dive and lift under brakes (*assumed*)."""
FRONT_NM, REAR_NM = 1180.0, 455.0
"""Torque of each brake: 0.78 g, shared about as the axles bear it then (*assumed*)."""


def build(course: tuple[Array, Array] | None = None) -> Project:
    """Build the sample; with times and speeds the front stays level and drives as they say, for comparison."""
    project = vehicle(
        "Pedestrian struck by a car that brakes",
        "A saloon on its tyres drives at 40 km/h; its brakes come on, its nose dives by 2.5 degrees, and 0.36 s later, at 32 km/h, it strikes a man "
        "in mid-stride from the side. Bumper, bonnet and windscreen go with its sprung body. He stands at rest, joints of the limbs locked until they bear "
        "three times as much; both shins break and a knee tears.",
        "Body: docs/bodies.md; car front and pavement of the library, car, brakes and suspension marked as assumed",
        LASTS_S,
        load_case="pedestrian",
    )
    place = Place(
        position_m=(AHEAD + AWAY_M, 0.0, 0.0),
        orientation=Orientation(angles_rad=(0.5 * math.pi, 0.0, 0.0)),
        anchor="lowest",
    )
    stride = {
        f"{side}_{part}_leg": pitched(sign * STRIDE_RAD)
        for side, sign in (("right", -1.0), ("left", 1.0))
        for part in ("upper", "lower")
    }
    man = human(adult_dimensions("male"))
    project = free_body(project, "standing", place, WALKER, man, stride)
    project = insert(project, "pavement_plane", "road", at=(0.0, 0.0, 0.0), on=WALKER)
    # aside he balances on two feet in a row, as everybody does: nothing would hold him there
    free = [f"{WALKER}_lower_torso.{way}" for way in ("z", "roll")]
    limbs = [f"{WALKER}_{side}_{joint}" for side in ("right", "left") for joint in LIMBS]
    project = settle(project, free, lock=limbs, opens_at=OPENS_AT).project
    project = insert(project, "car_front", "car", attach_to=VEHICLE, on=WALKER)
    project = _driven(project, course) if course else _braked(project)
    run = Run(
        id="run", name=f"{LASTS_S:g} s", duration_s=LASTS_S, frame_interval_s=0.004, channel_rate_hz=10_000.0,
        integrator=BogackiShampine(),
    )  # fmt: skip
    legs = [one(side) for side in ("right", "left") for one in (knee, shin)]
    project = following(without_unused(project), *legs)
    return project.model_copy(update={"runs": (run,)})


def _braked(project: Project) -> Project:
    """Put the front on a car with tyres and brakes."""
    pedal = Table(x=(0.0, RISE_S, 10.0), y=(0.0, 1.0, 1.0))
    brakes = [
        Function(
            id=f"{axle}_brake", name=f"{axle.capitalize()} brakes", x_unit="s", y_unit="N*m", source="Assumed",
            form=pedal.model_copy(update={"y": tuple(torque * y for y in pedal.y)}),
        )
        for axle, torque in (("front", FRONT_NM), ("rear", REAR_NM))
    ]  # fmt: skip
    # the shapes are a part of the car, and weigh next to nothing by themselves
    light = {"mass_kg": 1.0, "inertia_kgm2": (0.1, 0.1, 0.1), "surfaces_are": "part"}
    segments = tuple(
        one.model_copy(update=light) if one.id == "car_car_front_shape" else one
        for one in project.segments
    )
    outputs = [
        PointOutput(id="braking", name="The car brakes", segment=CAR, quantity="acceleration"),
        *(
            ElementOutput(id=f"{name}_tyre", name=f"{name.replace('_', ' ').capitalize()} tyre", of="tyres", element=f"{CAR}_{name}")
            for name in ("front_left", "rear_left")
        ),
    ]  # fmt: skip
    project = project.model_copy(
        update={
            "segments": segments,
            "functions": (*project.functions, *brakes),
            "outputs": (*project.outputs, *outputs),
        }
    )
    return on_wheels(project, VEHICLE, ROAD_CAR, CAR, -NOSE_M, 0.0, inside_kg=1.0)


def _driven(project: Project, course: tuple[Array, Array]) -> Project:
    """Let the front drive level, as a course of speed says."""
    time, speed = course
    form = Table(x=tuple(map(float, time)), y=tuple(map(float, speed)))
    drives = Function(id="course", name="Speed", x_unit="s", y_unit="m/s", form=form)
    x = MotionComponent(component="x", quantity="velocity", pulse=History(function="course"))
    motion = Motion(id="driving", name="Driving and braking", segment=VEHICLE, components=(x,))
    return project.model_copy(
        update={"functions": (*project.functions, drives), "motions": (motion,)}
    )
