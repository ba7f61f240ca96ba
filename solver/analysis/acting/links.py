"""What joints, springs, strings and constraints hold with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.analysis.acting.seen import Seen, units
from solver.analysis.acting.share import Share
from solver.project.joint_table import carrying
from solver.project.links import EdgeOnEdge, PairSymmetry, RollSlide
from solver.project.links import FixedDistance as Fixed
from solver.project.links import ZeroDistance as Zero


def of_joints(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what joints hold with, at the segment's own point of each."""
    joints = {joint.id: joint for joint in carrying(seen.project.joints)}
    for id_, row in seen.rows("joints"):
        joint = joints.get(id_)
        if joint is None or segment not in (joint.parent, joint.child):
            continue
        sign = 1.0 if joint.child == segment else -1.0
        frame = joint.child_frame if joint.child == segment else joint.parent_frame
        where = seen.points(segment, frame.position_m)
        yield Share("joints", f"joints/{id_}", sign * row["force"], where)


def of_springs(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what springs, dampers, bushings and discs pull with; results tell it on end B."""
    known = {one.id: one for one in seen.project.springs}
    for id_, row in seen.rows("springs"):
        for end, sign in ((known[id_].a, -1.0), (known[id_].b, 1.0)):
            if end.segment == segment:
                yield Share("springs", f"springs/{id_}", sign * row["force"])


def of_strings(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what heavy strings pull with, less what their masses at the segment's end need (4.50).

    What they damp as printed (4.59) acts across them, too, which their tension does not tell apart.
    """
    tensions = {id_: row["tension"] for id_, row in seen.rows("tension_elements")}
    for one in seen.project.tension_elements:
        if segment not in (one.a.segment, one.b.segment):
            continue
        ends = [(end.segment, end.position_m) for end in (one.a, one.b)]
        at = [seen.points(*end) for end in ends]
        speeds, moved = zip(*(seen.rates(*end) for end in ends), strict=True)
        for n, mass in enumerate((one.mass_a_kg, one.mass_b_kg)):
            if ends[n][0] == segment:
                way = at[1 - n] - at[n]
                pull = tensions[one.id][:, None] * units(way)
                if one.damping_law == "printed":
                    taut = np.maximum(np.linalg.norm(way, axis=1) - one.rest_length_m, 0.0)
                    pull = one.stiffness_n_per_m * taut[:, None] * units(way)
                    pull = pull + one.damping_ns_per_m * (speeds[1 - n] - speeds[n])
                weight = (mass + one.mass_ab_kg) * np.array(seen.project.gravity_m_per_s2)
                needed = mass * moved[n] + one.mass_ab_kg * moved[1 - n]
                yield Share("springs", f"tension_elements/{one.id}", pull + weight - needed, at[n])


def of_constraints(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what constraints hold with; results tell it on the first segment."""
    known = {one.id: one for one in seen.project.constraints}
    planes = {plane.id: plane.segment for plane in seen.project.planes}
    for id_, row in seen.rows("constraints"):
        for end, sign in zip(_ends(known[id_], planes), (1.0, -1.0), strict=True):
            if end == segment:
                yield Share("constraints", f"constraints/{id_}", sign * row["force"])


def _ends(one: Zero | Fixed | RollSlide | EdgeOnEdge, planes: dict[str, str]) -> tuple[str, str]:
    """Name the segments that a constraint joins, the first one first."""
    if isinstance(one, RollSlide):
        other = one.other.segment if one.other is not None else planes[one.plane or ""]
        return one.surface.segment, other
    if isinstance(one, EdgeOnEdge):
        return planes[one.plane], planes[one.on]
    return one.a.segment, one.b.segment


def of_symmetry(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what holds segments symmetrical."""
    known = {one.id: one for one in seen.project.symmetry}
    for id_, row in seen.rows("symmetry"):
        one = known[id_]
        first, second = (
            (one.first, one.second) if isinstance(one, PairSymmetry) else (one.segment, "")
        )
        if segment == first:
            yield Share("constraints", f"symmetry/{id_}", row["force"])
        if segment == second:
            yield Share("constraints", f"symmetry/{id_}", row["force_on_second"])
