"""Segments that may be lost while a model comes to rest: those that nothing ties to what stands still."""

from __future__ import annotations

from collections.abc import Iterator

from solver.project.document import Project
from solver.project.joint_table import carrying, row_of
from solver.project.links import LinearSpring, TabulatedSpring
from solver.project.segments import GROUND


def may_be_lost(project: Project) -> tuple[str, ...]:
    """Name the segments that can go as far as they like: no joint that only turns, spring or constraint holds them back."""
    ties = [*_ties(project)]
    tied, grows = {GROUND, *(motion.segment for motion in project.motions)}, True
    while grows:
        more = {name for tie in ties if tied & tie for name in tie} - tied
        tied, grows = tied | more, bool(more)
    return tuple(one.id for one in project.segments if one.id not in tied)


def _ties(project: Project) -> Iterator[set[str]]:
    """Give the pairs of segments that cannot go far from each other."""
    for joint in carrying(project.joints):
        if not row_of(joint).slides:
            yield {joint.parent, joint.child}
    for spring in project.springs:
        bare = isinstance(spring, LinearSpring) and not (spring.stiffness_n_per_m or spring.stiffness_n_per_m2)  # fmt: skip
        if not bare and not (isinstance(spring, TabulatedSpring) and spring.force is None):
            yield {spring.a.segment, spring.b.segment}
    for string in project.tension_elements:
        if string.stiffness_n_per_m:
            yield {string.a.segment, string.b.segment}
    for one in project.constraints:
        if one.kind in ("zero_distance", "fixed_distance"):
            yield {one.a.segment, one.b.segment}
