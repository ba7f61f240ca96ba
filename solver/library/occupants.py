"""Who sits there: the segments of an occupant by the part of the body that each one is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solver.project.document import Project
from solver.project.geometry import SurfaceRef

ROLES: tuple[str, ...] = (
    "lower_torso", "centre_torso", "upper_torso", "neck", "head",
    "right_upper_leg", "right_lower_leg", "right_foot",
    "left_upper_leg", "left_lower_leg", "left_foot",
    "right_upper_arm", "right_forearm", "left_upper_arm", "left_forearm",
)  # fmt: skip
"""Parts of a body of 15 segments; further ones, such as hands, go by their own name."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """Hold the prefix of an occupant and the first surface of each of its parts."""

    prefix: str
    surfaces: Mapping[str, SurfaceRef]


def occupant(project: Project, prefix: str = "") -> Occupant | None:
    """Find the occupant whose segments are named `prefix_part`; None where there is none."""
    ahead = f"{prefix}_" if prefix else ""
    found = {
        segment.id[len(ahead) :]: SurfaceRef(segment=segment.id, surface=segment.surfaces[0].id)
        for segment in project.segments
        if segment.id.startswith(ahead) and segment.surfaces
    }
    return Occupant(prefix, found) if any(role in found for role in ROLES) else None


def occupants(project: Project) -> tuple[Occupant, ...]:
    """Find every occupant of a project."""
    prefixes = dict.fromkeys(
        segment.id[: -len("lower_torso")].rstrip("_")
        for segment in project.segments
        if segment.id.endswith("lower_torso")
    )
    return tuple(who for prefix in prefixes if (who := occupant(project, prefix)))
