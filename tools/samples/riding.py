"""What of a crash goes across a whole car once it stands on wheels."""

from __future__ import annotations

from solver.project.document import Project
from solver.project.segments import ThreePoints

ACROSS = {"car_windscreen_glass": 0.68, "car_header": 0.55}
"""Half widths (m) of what goes across the whole car here, and before the driver alone where he is all that is modelled."""


def across(project: Project) -> Project:
    """Make glass and header of a crash as wide as the car."""
    planes = []
    for plane in project.planes:
        at, half = plane.placement, ACROSS.get(plane.id)
        if half is not None and isinstance(at, ThreePoints):
            (x1, _, z1), (x2, _, z2), (x3, _, z3) = at.p1_m, at.p2_m, at.p3_m
            wide = {"p1_m": (x1, -half, z1), "p2_m": (x2, half, z2), "p3_m": (x3, -half, z3)}
            plane = plane.model_copy(update={"placement": at.model_copy(update=wide)})
        planes.append(plane)
    return project.model_copy(update={"planes": tuple(planes)})
