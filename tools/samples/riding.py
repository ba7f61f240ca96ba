"""What sits in a car on wheels: seat, floor and occupant of a crash as a part of its mass."""

from __future__ import annotations

from solver.project.document import Project
from solver.project.segments import ThreePoints
from tools.samples.common import VEHICLE

INSIDE_KG, INSIDE_KGM2 = 60.0, (8.0, 8.0, 8.0)
"""Mass and inertia of what is around the occupant (*assumed*)."""

ACROSS = {"car_windscreen_glass": 0.68, "car_header": 0.55}
"""Half widths (m) of what goes across the whole car here, and before the driver alone where he is all that is modelled."""


def interior(project: Project) -> tuple[Project, float]:
    """Make the vehicle of a crash a part of a car, glass and header as wide as it; and give the mass of all that rides (kg)."""
    inside = [
        one.model_copy(
            update={
                "mass_kg": INSIDE_KG,
                "inertia_kgm2": INSIDE_KGM2,
                "note": "A part of the car's mass.",
            }
        )
        if one.id == VEHICLE
        else one
        for one in project.segments
    ]
    planes = []
    for plane in project.planes:
        at, half = plane.placement, ACROSS.get(plane.id)
        if half is not None and isinstance(at, ThreePoints):
            (x1, _, z1), (x2, _, z2), (x3, _, z3) = at.p1_m, at.p2_m, at.p3_m
            across = {"p1_m": (x1, -half, z1), "p2_m": (x2, half, z2), "p3_m": (x3, -half, z3)}
            plane = plane.model_copy(update={"placement": at.model_copy(update=across)})
        planes.append(plane)
    project = project.model_copy(update={"segments": tuple(inside), "planes": tuple(planes)})
    return project, sum(one.mass_kg for one in inside)
