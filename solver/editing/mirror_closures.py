"""Mirror images of couplings and of points on curves."""

from __future__ import annotations

from typing import Any

from solver.editing.mirror_joints import mirrored_function, sign_of_axis
from solver.project.closures import PointOnCurve
from solver.project.couplings import BeltDrive, Coupled
from solver.project.document import Project
from solver.project.links import Coupling


def mirrored_coupling(project: Project, one: Coupling, copy: Any) -> tuple[Project, Any]:
    """The project, with a function that was needed, and a coupling of the mirror images of both axes."""
    joints = {joint.id: joint for joint in project.joints}
    s, t = (sign_of_axis(joints[axis.joint], axis.axis) for axis in (one.first, one.second))
    update: dict[str, Any] = {}
    if isinstance(one, Coupled):
        if one.start_value is not None:
            update["start_value"] = t * one.start_value + 0.0
        if one.function is not None:
            update["scale"] = t * one.scale
            if s < 0.0:
                project, update["function"] = mirrored_function(
                    project, one.function, 0.0, 1.0, holds_both_ways=False
                )
        update["coefficients"] = tuple(t * s**n * c + 0.0 for n, c in enumerate(one.coefficients))
    elif isinstance(one, BeltDrive):
        update["crossed"] = one.crossed != (s * t < 0.0)
    else:
        field = {"gear": "ratio", "rack": "radius_m", "screw": "lead_m"}[one.kind]
        update[field] = s * t * getattr(one, field)
    if not isinstance(one, Coupled) and one.offset is not None:
        field = "offset_rad" if one.second.turns else "offset_m"
        update[field] = t * one.offset + 0.0
    return project, copy.model_copy(update=update)


def mirrored_curve(copy: PointOnCurve) -> PointOnCurve:
    """A curve of which the frame is mirrored: its y goes the other way, and right is left."""
    return copy.model_copy(
        update={
            "y_m": tuple(0.0 - y for y in copy.y_m),
            "side": "left" if copy.side == "right" else "right",
        }
    )
