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

FINER: Mapping[str, tuple[str, ...]] = {
    "upper_torso": ("sternum", "right_shoulder", "left_shoulder"),
    "neck": ("neck_1", "neck_2", "neck_3", "neck_4"),
    "right_upper_leg": ("right_knee_block",),
    "left_upper_leg": ("left_knee_block",),
    "right_forearm": ("right_hand",),
    "left_forearm": ("left_hand",),
}
"""What stands for a part as well, where a body is divided further: whatever touches the part touches these."""

BONES: Mapping[str, tuple[str, str]] = {
    "upper_torso": ("sternum", "body"),
    "lower_torso": ("lower_torso", "iliac"),
}
"""Segment and surface that hold a strap over a part."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """Hold the prefix of an occupant, the first surface of each of its parts, and its bones under straps."""

    prefix: str
    surfaces: Mapping[str, SurfaceRef]
    bones: Mapping[str, SurfaceRef]

    def of(self, role: str) -> Mapping[str, SurfaceRef]:
        """Give what stands for a part of the body, by its own name: one surface, more or none."""
        parts = (role, *FINER.get(role, ()))
        return {part: self.surfaces[part] for part in parts if part in self.surfaces}

    def under(self, role: str) -> tuple[SurfaceRef, ...]:
        """Give what a strap over a part lies on: bone where the body has it, else the part."""
        bone = self.front(role)
        if bone is None:
            return tuple(self.of(role).values())
        return (bone, *(one for part, one in self.of(role).items() if part not in (role, bone.segment)))

    def front(self, role: str) -> SurfaceRef | None:
        """Give the bone over whose front a strap goes."""
        segment, surface = BONES.get(role, ("", ""))
        return self.bones.get(f"{segment}.{surface}")


def occupant(project: Project, prefix: str = "") -> Occupant | None:
    """Find the occupant whose segments are named `prefix_part`; None where there is none."""
    ahead = f"{prefix}_" if prefix else ""
    found = {
        segment.id[len(ahead) :]: SurfaceRef(segment=segment.id, surface=segment.surfaces[0].id)
        for segment in project.segments
        if segment.id.startswith(ahead) and segment.surfaces
    }
    bones = {
        f"{segment.id[len(ahead) :]}.{shape.id}": SurfaceRef(segment=segment.id, surface=shape.id)
        for segment in project.segments
        if segment.id.startswith(ahead)
        for shape in segment.surfaces
        if (segment.id[len(ahead) :], shape.id) in BONES.values()
    }
    return Occupant(prefix, found, bones) if any(role in found for role in ROLES) else None


def occupants(project: Project) -> tuple[Occupant, ...]:
    """Find every occupant of a project."""
    prefixes = dict.fromkeys(
        segment.id[: -len("lower_torso")].rstrip("_")
        for segment in project.segments
        if segment.id.endswith("lower_torso")
    )
    return tuple(who for prefix in prefixes if (who := occupant(project, prefix)))
