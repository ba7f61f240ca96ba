"""Frontal crash of a car: driver with three-point belt and airbag. The default sample."""

from __future__ import annotations

from typing import Literal

from solver.equilibrium import Reach
from solver.library import insert
from solver.project.document import Project
from solver.project.geometry import PointRef
from solver.project.studies import OptimumStudy, SampleStudy
from solver.project.study_parts import ChannelResponse, FigureResponse
from tools.samples.asking import ASSUMED, asking, between, channel, figure
from tools.samples.common import KMH, VEHICLE, following, in_vehicle, seated, settled, vehicle

HIPS = (0.0, -0.36, 0.0)
DRIVER = "driver"
Goal = Literal["none", "minimise"]


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Frontal crash at 56 km/h: driver with three-point belt and airbag",
        "The 50th-percentile man of the library, belted by a pretensioned, load-limited three-point belt, "
        "meets a 60 l airbag in the wheel. The car hits a rigid wall with its full width. Laws of seat, "
        "interior, belt and bag are assumed: a place to start from, not a car.",
        "Body as printed; pulse, seat, interior, belt and bag of the library, all marked as assumed",
        0.12,
    )
    project = insert(project, "car_full_width_56", attach_to=VEHICLE, from_speed=56.0 * KMH)
    project = seated(project, "driving", HIPS, DRIVER)
    project = insert(project, "car_seat", "seat", attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = insert(project, "car_driver", "car", attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = insert(project, "driver_airbag", DRIVER, attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = settled(project, [_hand(side) for side in (1.0, -1.0)])
    project = insert(project, "three_point_left", DRIVER, attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = following(
        project,
        in_vehicle("driver_head", "Head in the car"),
        in_vehicle("driver_upper_torso", "Chest in the car"),
        in_vehicle("driver_lower_torso", "Pelvis in the car"),
    )
    return asking(project, *_studies())


def _studies() -> tuple[SampleStudy, OptimumStudy]:
    """Ask what belt and bag do, and which designs nothing else beats."""
    device = "harnesses/driver_three_point_belt/straps/shoulder/end_device"
    parameters = (
        between("limit", "functions/driver_load_limit/form/y", 0.5, 1.5, is_factor=True),
        between("pretension_time", f"{device}/pretensioner/trigger/time_s", 0.006, 0.03),
        between("bag_time", "airbags/driver_bag/trigger/time_s", 0.006, 0.03),
        between("vent", "airbags/driver_bag/vents/0/area_m2", 0.001, 0.005),
    )
    return (
        SampleStudy(
            id="belt_and_bag",
            name="Belt and bag",
            note="What load limit, times and vent do to head, chest and neck. The chest of this body is rigid: it "
            "has no deflection, so its acceleration is asked for.",
            source=ASSUMED,
            parameters=parameters,
            responses=_responses("none"),
            curves=(
                "driver_head_acceleration_resultant",
                "driver_three_point_belt_load_shoulder_tension_2",
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
        figure("nij", "Nij", at_most=1.0),
        channel("head_on_rim", "contacts/car_head-rim/force/resultant", at_most=1.0 if wanted else None),
        channel("chest_on_rim", "contacts/car_chest-rim/force/resultant"),
        channel("belt", "driver_three_point_belt_load_shoulder_tension_2"),
        channel("head_way", "driver_head_position_in_vehicle_x"),
    )  # fmt: skip


def _hand(side: float) -> Reach:
    """Keep the end of a forearm at the wheel's rim."""
    forearm = "driver_right_forearm" if side > 0 else "driver_left_forearm"
    return Reach(
        PointRef(segment=forearm, position_m=(0.0, side * 0.015, 0.22)),
        PointRef(segment="car_steering_wheel", position_m=(-0.03, side * 0.17, -0.05)),
    )
