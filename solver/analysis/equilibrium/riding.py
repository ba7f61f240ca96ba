"""Let what rests on a moving segment start with its motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.analysis.equilibrium.statics import Statics
from solver.project.contact import PlaneContact, surfaces_of
from solver.project.document import Project
from solver.project.posing import members, root_of
from solver.project.segments import GROUND
from solver.project.start import RootStart


def starting_at_rest(project: Project, statics: Statics, roots: Sequence[str]) -> Project:
    """Let whole bodies share the motion of what bears most of them, with no speeds of their own."""
    starts = {r.segment: r for r in project.initial.roots}
    still: set[str] = set()
    for root in roots:
        bearer = bearing(project, statics, root)
        start = starts.get(root, RootStart(segment=root))
        starts[root] = start.model_copy(
            update={"moves_with": bearer, "velocity_m_per_s": (0.0, 0.0, 0.0)}
        )
        still |= set(members(project, root))
    children = {j.id: j.child for j in project.joints}
    initial = project.initial.model_copy(
        update={
            "roots": tuple(starts.values()),
            "attitudes": tuple(
                a.model_copy(update={"angular_velocity_rad_per_s": (0.0, 0.0, 0.0)})
                if a.segment in still
                else a
                for a in project.initial.attitudes
            ),
            "joints": tuple(
                s.model_copy(update={"rates": ()}) if children[s.joint] in still else s
                for s in project.initial.joints
            ),
        }
    )
    return project.model_copy(update={"initial": initial})


def bearing(project: Project, statics: Statics, root: str) -> str:
    """Name the segment that presses most on a body at the last evaluation; the ground if none does."""
    own, planes = set(members(project, root)), {p.id: p.segment for p in project.planes}
    loads: dict[str, float] = {}
    for contact, row in zip(project.contacts, statics.system.contacts.seen, strict=True):
        ends = {end.segment for end in surfaces_of(contact)}
        if isinstance(contact, PlaneContact):
            ends.add(planes[contact.plane])
        others = ends - own
        if len(others) == 1 and ends & own:
            name = root_of(project, others.pop())
            loads[name] = loads.get(name, 0.0) + float(np.linalg.norm(row[:3]))
    return max(loads, key=lambda name: loads[name]) if loads and max(loads.values()) > 0 else GROUND
