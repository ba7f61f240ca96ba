"""Transport aircraft seat, forward test of 16 g: tolerances of its figures."""

from __future__ import annotations

from solver.bodies.library import insert
from solver.project.document import Project
from solver.project.studies import SampleStudy
from solver.project.study_parts import StudyParameter, Triangular
from tools.samples.aircraft_dummy import HIPS, belted, in_seat
from tools.samples.asking import ASSUMED, about, asking, between, channel, figure
from tools.samples.common import OCCUPANT, VEHICLE, vehicle


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Aircraft seat: forward test of 16 g, and how sure its figures are",
        "The same test as in 'aircraft_dummy' with the row in front at a pitch of 0.8 m, and a study of what its "
        "tolerances make of the figures.",
        "Pulse as published; dummy: docs/dummies.md; seat, belt and row in front of the library, marked as assumed",
        0.2,
        load_case="aircraft",
    )
    project = in_seat(project, "far25_straight")
    project = insert(project, "aircraft_row", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    return asking(belted(project), _tolerances())


def _tolerances() -> SampleStudy:
    """Ask how sure the test's figures are, with the limits of 14 CFR 25.562(c)(5) and (6)."""
    return SampleStudy(
        id="tolerances",
        name="Tolerances of the seat test",
        note="How figures spread with how the test is set up and parts are made, and how often limits are kept. "
        "HIC counts while the head touches something.",
        source=ASSUMED,
        parameters=(
            StudyParameter(
                id="slack",
                path="harnesses/lap_belt/straps/lap/slack_m",
                spread=Triangular(low=0.0, mode=0.005, high=0.03),
            ),
            about("webbing", "functions/nylon_18_tension/form/y", 1.0, 0.05, is_factor=True),
            about("row", "functions/seat_back_ahead_force/form/y", 1.0, 0.1, is_factor=True),
            about("row_top", "planes/row_in_front/placement/p3_m/0", 0.6, 0.01),
            between("cushion_friction", "contact_laws/seat_aircraft_cushion/friction", 0.3, 0.5),
            about("pulse", "motions/pulse/components/0/pulse/amplitude", 1.0, 0.02, is_factor=True),
            about("head_mass", "segments/occupant_head/mass_kg", 1.0, 0.01, is_factor=True),
        ),
        responses=(
            figure("hic", "contact_HIC", at_most=1000.0),
            figure("hic15", "HIC15", at_most=1000.0),
            figure("femur_left", "femur_compression_left", at_most=10_008.0),
            figure("femur_right", "femur_compression_right", at_most=10_008.0),
            channel("belt", "lap_belt_load_lap_tension_1"),
            channel("head_way", "occupant_head_position_in_vehicle_x"),
        ),
        curves=("occupant_head_acceleration_resultant",),
        runs=200,
    )
