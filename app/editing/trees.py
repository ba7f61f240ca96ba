"""Find the trees of joints that stand free, and their trunks."""

from __future__ import annotations

from solver.project import Project
from solver.project.joint_table import carrying
from solver.project.posing import members, root_of
from solver.project.segments import GROUND

_WITH_ARMS = 3
"""Branches of a segment that bears a neck and two arms: the trunk ends there."""
_HEAVY = 0.4
"""Without such a segment, a branch without one of this part of the heaviest one's mass is no longer trunk."""


def bodies(project: Project) -> list[str]:
    """Name the roots of the trees that are neither driven nor fixed to the ground."""
    driven = {motion.segment for motion in project.motions}
    roots = dict.fromkeys(root_of(project, segment.id) for segment in project.segments)
    return [root for root in roots if root != GROUND and root not in driven]


def trunk(project: Project, root: str) -> tuple[str, ...]:
    """Name the segments from a root up the heaviest branch, without head and limbs: up to the one that bears the arms."""
    mass = {segment.id: segment.mass_kg or 0.0 for segment in project.segments}

    def heaviest(names: tuple[str, ...]) -> float:
        return max((mass.get(name, 0.0) for name in names), default=0.0)

    least = _HEAVY * heaviest(members(project, root))
    found, heavy, top = [root], 1, 0
    while True:
        below = [j.child for j in carrying(project.joints) if j.parent == found[-1]]
        branches = {child: members(project, child) for child in below if child not in found}
        if len(branches) >= _WITH_ARMS and len(found) > 1:
            top = len(found)
        weight = {child: sum(mass.get(n, 0.0) for n in names) for child, names in branches.items()}
        ahead = max(weight, key=lambda child: weight[child], default="")
        if not ahead:
            return tuple(found[: top or heavy])
        if heavy == len(found) and heaviest(branches[ahead]) >= least:
            heavy += 1
        found.append(ahead)
