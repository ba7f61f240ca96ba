"""Frontal crash of a car: driver with three-point belt and airbag. The default sample."""

from __future__ import annotations

from typing import Literal

from solver.bodies.library import insert
from solver.project.document import Project
from solver.project.studies import OptimumStudy, SampleStudy
from solver.project.study_parts import ChannelResponse, FigureResponse
from tools.samples.asking import ASSUMED, asking, between, channel, figure
from tools.samples.common import (
    KMH,
    VEHICLE,
    following,
    in_vehicle,
    on_wheel,
    seated,
    settled,
    spread,
    vehicle,
    without_unused,
)

HIPS = (0.0, -0.36, 0.0)
DRIVER = "driver"
SPEED = 57.09 * KMH
BELT = "driver_three_point_belt_load_belt_tension_2"
Goal = Literal["none", "minimise"]


def build() -> Project:
    """Build the sample."""
    project = driver(
        "hybrid_iii_50m",
        "Frontal crash at 57 km/h: Hybrid III driver with belt, airbag and knee bag",
        "A saloon hits a rigid wall with its full width, as in NHTSA's test 10146, whose measured deceleration drives it. "
        "The Hybrid III 50th-percentile man sits as far from wheel and dash as was measured there. Laws of seat, interior, belt and "
        "bags are assumed; the steering column's load, the airbag's size, its inflator's ports and when it fires are the middle of what makers and others print. docs/validation.md holds the driver against that test.",
    )
    return asking(project, *_studies())


def driver(
    who: str,
    title: str,
    note: str,
    ahead: tuple[float, float] = (0.0, 0.0),
    hands: tuple[float, float, float] = (-0.06, 0.18, -0.05),
    elbows_rad: float = 0.3,
    duration_s: float = 0.15,
) -> Project:
    """Seat a dummy in the car, farther ahead (m) and lower by a way than the man of the test."""
    project = vehicle(
        title,
        note,
        "Pulse and clearances: NHTSA test 10146; dummy: docs/dummies.md; seat, interior, belt and bags of the library, marked as assumed",
        duration_s,
        load_case="frontal",
    )
    x, y, z = HIPS
    car = (x - ahead[0], y, z + ahead[1])
    project = insert(project, "car_10146", attach_to=VEHICLE, from_speed=SPEED)
    project = seated(project, "driving", HIPS, DRIVER, spread(elbows_rad), who=who)
    project = insert(project, "car_seat", "seat", attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = insert(project, "car_driver_10146", "car", attach_to=VEHICLE, at=car, on=DRIVER)
    project = insert(project, "driver_airbag_hot", DRIVER, attach_to=VEHICLE, at=car, on=DRIVER)
    project = settled(project, on_wheel(DRIVER, hands))
    project = insert(
        project, "three_point_slip_left", DRIVER, attach_to=VEHICLE, at=HIPS, on=DRIVER
    )
    # the retractor pulls a little, on thighs too
    project = following(
        settled(project),
        in_vehicle("driver_head", "Head in the car"),
        in_vehicle("driver_upper_torso", "Chest in the car"),
        in_vehicle("driver_lower_torso", "Pelvis in the car"),
    )
    return without_unused(project)


def _studies() -> tuple[SampleStudy, OptimumStudy]:
    """Ask what belt and bag do, and which designs nothing else beats."""
    device = "harnesses/driver_three_point_belt/straps/belt/end_device"
    parameters = (
        between("limit", "functions/driver_load_limit/form/y", 0.5, 1.5, is_factor=True),
        between("pretension_time", f"{device}/pretensioner/trigger/time_s", 0.006, 0.03),
        between("bag_time", "airbags/driver_bag/trigger/time_s", 0.006, 0.03),
        between("vent", "airbags/driver_bag/vents/0/area_m2", 0.003, 0.008),
    )
    return (
        SampleStudy(
            id="belt_and_bag",
            name="Belt and bag",
            note="What load limit, times and vent do to head, chest and neck.",
            source=ASSUMED,
            parameters=parameters,
            responses=_responses("none"),
            curves=(
                "driver_head_acceleration_resultant",
                BELT,
            ),
            drawing="sobol",
            runs=128,
        ),
        OptimumStudy(
            id="belt_and_bag_front",
            name="Belt and bag, the front",
            note="Designs of which none is better for the head without being worse for the chest. The head may not "
            "reach the rim.",
            source=ASSUMED,
            parameters=parameters,
            responses=_responses("minimise"),
            start_runs=24,
            most_runs=360,
        ),
    )


def _responses(goal: Goal) -> tuple[FigureResponse | ChannelResponse, ...]:
    """Ask for head, chest and neck with the limits of 49 CFR 571.208, and for what the occupant hits."""
    wanted = goal == "minimise"
    return (
        figure("hic", "HIC15", goal=goal, at_most=700.0),
        figure("chest", "chest_3ms", goal=goal, at_most=60.0),
        figure("deflection", "chest_deflection", at_most=0.063),
        figure("nij", "Nij", at_most=1.0),
        channel("head_on_rim", "contacts/car_head-rim/force/resultant", at_most=1.0 if wanted else None),
        channel("chest_on_rim", "contacts/car_chest-rim/force/resultant"),
        channel("belt", BELT),
        channel("head_way", "driver_head_position_in_vehicle_x"),
    )  # fmt: skip
