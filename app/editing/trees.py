"""Find the trees of joints that stand free, and their trunks."""

from __future__ import annotations

from solver.project import Project
from solver.project.joint_table import carrying
from solver.project.posing import members, root_of
from solver.project.segments import GROUND

_HEAVY = 0.4
"""A branch without a segment of this part of the heaviest one's mass is no longer trunk: neck and head."""


def bodies(project: Project) -> list[str]:
    """Name the roots of the trees that are neither driven nor fixed to the ground."""
    driven = {motion.segment for motion in project.motions}
    roots = dict.fromkeys(root_of(project, segment.id) for segment in project.segments)
    return [root for root in roots if root != GROUND and root not in driven]


def trunk(project: Project, root: str) -> tuple[str, ...]:
    """Name the segments from a root up the heaviest branch, without head and limbs."""
    mass = {segment.id: segment.mass_kg or 0.0 for segment in project.segments}

    def heaviest(names: tuple[str, ...]) -> float:
        return max((mass.get(name, 0.0) for name in names), default=0.0)

    least = _HEAVY * heaviest(members(project, root))
    found = [root]
    while True:
        below = [j.child for j in carrying(project.joints) if j.parent == found[-1]]
        branches = {child: members(project, child) for child in below if child not in found}
        weight = {child: sum(mass.get(n, 0.0) for n in names) for child, names in branches.items()}
        ahead = max(weight, key=lambda child: weight[child], default="")
        if not ahead or heaviest(branches[ahead]) < least:
            return tuple(found)
        found.append(ahead)
