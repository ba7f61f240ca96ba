"""Transport aircraft seat, forward test of 16 g."""

from __future__ import annotations

from solver.library import insert
from solver.library.pulses import facts
from solver.project.document import Project
from solver.project.studies import SampleStudy
from solver.project.study_parts import StudyParameter, Triangular
from tools.samples.asking import ASSUMED, about, asking, between, channel, figure
from tools.samples.common import OCCUPANT, VEHICLE, following, in_vehicle, seated, settled, vehicle

HIPS = (0.0, 0.0, 0.0)


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Aircraft seat: forward test of 16 g, lap belt only",
        "The 50th-percentile man of the library in a transport seat under the triangle of 14 CFR 25.562(b)(2), "
        "without its yaw, as for head injury. He folds over a nylon lap belt towards the row in front.",
        "Pulse as published; body as printed; seat, belt and row in front of the library, marked as assumed",
        0.25,
        load_case="aircraft",
    )
    project = insert(project, "far25_straight", attach_to=VEHICLE)
    pulse = project.motions[0].components[0].pulse
    project = insert(
        project,
        "far25_straight",
        attach_to=VEHICLE,
        replace=True,
        from_speed=-facts(pulse).speed_change,
    )
    project = seated(project, "seated", HIPS)
    project = insert(project, "aircraft_seat", "seat", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = insert(project, "aircraft_row", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = settled(project)
    project = insert(project, "aircraft_lap_belt", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = following(
        project,
        in_vehicle("occupant_head", "Head in the cabin"),
        in_vehicle("occupant_lower_torso", "Pelvis in the cabin"),
    )
    return asking(exact(project), _tolerances())


def exact(project: Project) -> Project:
    """Tighten the tolerance: when the belt snaps off his pelvis hangs on it."""
    runs = tuple(
        one.model_copy(
            update={
                "integrator": one.integrator.model_copy(
                    update={"relative_tolerance": 1e-6, "absolute_tolerance": 1e-8}
                )
            }
        )
        for one in project.runs
    )
    return project.model_copy(update={"runs": runs})


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
