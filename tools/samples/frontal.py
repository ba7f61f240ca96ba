"""Frontal crash of a car: driver with three-point belt and airbag. The default sample."""

from __future__ import annotations

from solver.equilibrium import Reach
from solver.library import insert
from solver.project.document import Project
from solver.project.geometry import PointRef
from tools.samples.common import KMH, VEHICLE, following, in_vehicle, seated, settled, vehicle

HIPS = (0.0, -0.36, 0.0)
DRIVER = "driver"


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
    return following(
        project,
        in_vehicle("driver_head", "Head in the car"),
        in_vehicle("driver_upper_torso", "Chest in the car"),
        in_vehicle("driver_lower_torso", "Pelvis in the car"),
    )


def _hand(side: float) -> Reach:
    """Keep the end of a forearm at the wheel's rim."""
    forearm = "driver_right_forearm" if side > 0 else "driver_left_forearm"
    return Reach(
        PointRef(segment=forearm, position_m=(0.0, side * 0.015, 0.22)),
        PointRef(segment="car_steering_wheel", position_m=(-0.03, side * 0.17, -0.05)),
    )
