"""People made by hand: which segments are trunk and head, how far their joints go, and where they sit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.bodies import library_body
from solver.bodies.library import Entry
from solver.bodies.library.occupants import Occupant, occupants
from solver.engine.maths.rotation import Array
from solver.injury.parts import occupants as told
from solver.project import Project
from solver.project.geometry import SurfaceRef
from solver.project.inertia import largest_surface, volume
from solver.project.joint_table import carrying
from solver.project.joints import BallJoint, Friction, Spring
from solver.project.memo import memoised
from solver.project.pose import plane_corners, turn
from solver.project.posing import root_of
from solver.project.segments import Segment
from solver.scene.placing import in_ground, placeable, pose_at_start, up_of

SPINE = ("lower_torso", "centre_torso", "upper_torso", "neck", "head")
"""Parts of a trunk with its head, from below."""
_JOINTS = ("pelvis", "waist", "neck_pivot", "head_pivot")
"""Those of the printed body between them; and those of a dummy, which resist before any stop."""
_DUMMY, _DUMMYS = "es_2re", ("lumbar", "waist", "neck_base", "condyles")
_HEAD_M3, _TRUNK_M3 = (0.0025, 0.007), (0.008, 0.06)
"""Volumes of what is taken for a head, or for half a trunk, where no name tells: those of children and large men (assumed)."""


@dataclass(frozen=True, slots=True)
class Stops:
    """How far a joint of a person goes, and where that is from."""

    flexure: Spring
    torsion: Spring
    friction: Friction
    note: str
    source: str


def stops_between(project: Project, parent: str, child: str) -> Stops | None:
    """The stops of a joint between two parts of a trunk with its head; None where they are none.

    They are those of the printed body's joints on the way from one to the other, one behind the other; before
    them it resists as those of a dummy do whose neck is alike all round.
    """
    ends = _ends(project, parent, child)
    if ends is None:
        return None
    low, high = sorted(SPINE.index(part) for part in ends)
    if low == high:
        return None
    way = _way("male-50", _JOINTS[low:high])
    firm = _way(_DUMMY, _DUMMYS[low:high])
    flexure, torsion = (
        _behind([getattr(one, name) for one in way], [getattr(one, name) for one in firm])
        for name in ("flexure", "torsion")
    )
    viscous = 1.0 / sum(1.0 / one.friction.viscous_nms_per_rad for one in way)
    friction = way[0].friction.model_copy(update={"viscous_nms_per_rad": _tidy(viscous)})
    bent, twisted = (round(math.degrees(one.stop_rad)) for one in (flexure, torsion))
    names = " and ".join(one.name.lower() for one in way)
    return Stops(
        flexure,
        torsion,
        friction,
        f"Stops of a person: it bends by {bent} and twists by {twisted} degrees before they resist.",
        f"Stops of the library's 50th-percentile man, {names}: {way[0].source.partition('Axes and torques: ')[2]}. "
        "Before them as firm as the library's ES-2re. Counted from the pose in which it was made: assumed, within 10 degrees.",
    )


def _way(body: str, names: Sequence[str]) -> list[BallJoint]:
    known = library_body(body)
    return [one for name in names if isinstance(one := known.joint(name), BallJoint)]


def _behind(springs: Sequence[Spring], firm: Sequence[Spring]) -> Spring:
    """Springs one behind the other, that bear the same torque: their stops add up, and so do turns beyond them."""
    soft = sum(1.0 / math.sqrt(one.quadratic_nm_per_rad2) for one in springs)
    return springs[0].model_copy(
        update={
            "linear_nm_per_rad": _tidy(1.0 / sum(1.0 / one.linear_nm_per_rad for one in firm)),
            "stop_rad": _tidy(sum(one.stop_rad for one in springs)),
            "quadratic_nm_per_rad2": _tidy(soft**-2),
        }
    )


def _tidy(value: float) -> float:
    return float(f"{value:.6g}")


def _ends(project: Project, parent: str, child: str) -> tuple[str, str] | None:
    """Which parts two segments are: by name, else by size where the child stands above the parent."""
    named = {id_: part for one in told(project) for part, id_ in one.segments.items()}
    segments = {one.id: one for one in project.segments}
    if parent not in segments or child not in segments:
        return None
    sizes = _by_size(project, segments[parent], segments[child])
    below, above = (named.get(id_) or part for id_, part in zip((parent, child), sizes, strict=True))  # fmt: skip
    return (below, above) if below in SPINE and above in SPINE else None


def _by_size(project: Project, parent: Segment, child: Segment) -> tuple[str, str]:
    """What two segments are by their sizes; empty where that tells nothing."""
    pose = pose_at_start(project)
    if parent.id not in pose or child.id not in pose:
        return "", ""
    below, above = (_volume(one) for one in (parent, child))
    rise = (_middle(project, child) - _middle(project, parent)) @ up_of(project)
    if rise <= 0.0 or not _TRUNK_M3[0] <= below <= _TRUNK_M3[1]:
        return "", ""
    if _HEAD_M3[0] <= above <= _HEAD_M3[1]:
        return "upper_torso", "head"
    return ("lower_torso", "upper_torso") if _TRUNK_M3[0] <= above <= _TRUNK_M3[1] else ("", "")


def _volume(segment: Segment) -> float:
    surface = largest_surface(segment)
    return 0.0 if surface is None else volume(surface)


def _middle(project: Project, segment: Segment) -> Array:
    surface = largest_surface(segment)
    local = (0.0, 0.0, 0.0) if surface is None else surface.centre_m
    return in_ground(pose_at_start(project), segment.id, local)


@memoised
def by_hand(project: Project) -> tuple[Occupant, ...]:
    """Those who have trunks and heads, but not the names of the library's bodies."""
    ours = {ref.segment for who in occupants(project) for ref in who.surfaces.values()}
    sound = placeable(project)
    found: dict[str, dict[str, str]] = {}
    for one in told(project):
        for part, id_ in one.segments.items():
            if id_ not in ours:
                found.setdefault(root_of(sound, id_), {}).setdefault(part, id_)
    segments = {one.id: one for one in project.segments}
    for joint in carrying(sound.joints):
        pair = (joint.parent, joint.child)
        if ours & {*pair} or not {*pair} <= segments.keys():
            continue
        known = found.setdefault(root_of(sound, joint.child), {})
        parts = _ends(project, *pair)
        for part, id_ in zip(parts or (), pair, strict=parts is not None):
            if id_ not in known.values():
                known.setdefault(part, id_)
    return tuple(
        Occupant("", dict(_outer(segments, parts)), {})
        for parts in found.values()
        if {"lower_torso", "upper_torso"} & parts.keys()
    )


def _outer(
    segments: Mapping[str, Segment], parts: Mapping[str, str]
) -> Iterator[tuple[str, SurfaceRef]]:
    for part, id_ in parts.items():
        surface = largest_surface(segments[id_])
        if surface is not None:
            yield part, SurfaceRef(segment=id_, surface=surface.id)


def seated_at(project: Project, one: Entry, who: Occupant) -> Array | None:
    """Where a seat's origin is in ground axes (m) for its cushion and back to touch a trunk; None where there is none."""
    ref = who.surfaces.get("lower_torso")
    planes = {plane.id: plane for plane in one.fragment.planes}
    touched = dict.fromkeys(
        contact.plane
        for contact in one.fragment.contacts
        if contact.kind == "plane" and contact.surface.segment == "@lower_torso"
    )
    if ref is None or len(touched) != 2:
        return None
    segment = next(s for s in project.segments if s.id == ref.segment)
    surface = next(s for s in segment.surfaces if s.id == ref.surface)
    at, fixed = pose_at_start(project)[segment.id], pose_at_start(one.fragment)
    R = at.R_WS @ turn(surface.orientation)
    rows, far = [], []
    for name in touched:
        placed = fixed[planes[name].segment]
        corner, edge, other = (np.asarray(v) for v in plane_corners(planes[name]))
        n = placed.R_WS @ np.cross(edge, other)
        n /= np.linalg.norm(n)
        reach = float(np.linalg.norm(np.array(surface.semi_axes_m) * (R.T @ n)))
        rows.append(n)
        far.append(n @ (at.of(surface.centre_m) - placed.of(corner)) - reach)
    # across, the seat stands under the middle of the trunk
    middle = at.of(surface.centre_m)
    across = np.cross(rows[0], rows[1])
    rows.append(across / np.linalg.norm(across))
    far.append(rows[2] @ middle)
    place: Array = np.linalg.solve(np.array(rows), np.array(far))
    return place
