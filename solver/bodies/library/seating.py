"""Let a body sit as another one did: its posture, its hips, its feet where those of the other were."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from solver.base.words import Sentence
from solver.bodies.body import LEFT, RIGHT, Body, tidy3
from solver.bodies.insert import Place, placed_at
from solver.bodies.library.entries import Entry
from solver.bodies.library.occupants import MAIN, Occupant, ahead_of
from solver.engine.maths.hyperellipsoids import farthest
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.contact import PlaneContact
from solver.project.document import Project
from solver.project.geometry import Orientation, SurfaceRef, powers_of
from solver.project.joint_table import row_of
from solver.project.joints import Joint
from solver.project.pose import Placed, plane_corners, start_pose, turn
from solver.project.posing import angles_of, with_attitude, with_joint
from solver.project.segments import Segment

_SITS = 0.7
"""Cosine between thigh and vertical below which a body sits."""
_LIES = 0.5
"""Cosine between trunk and vertical below which a body lies."""
_DRIVES = 0.25
"""How far (m) both hands are ahead of the chest in one who drives."""

DRIVES_WITH = ("hand",)
"""What holds a wheel."""
_LEAST, _MOST = 0.02, 0.995
"""Of a leg's length, how near and how far from the hip its ankle may come."""


def posture_of(project: Project, who: Occupant) -> str:
    """Tell by trunk and thighs whether an occupant sits, drives, stands or lies."""
    at = start_pose(project)
    up = np.array(project.gravity_m_per_s2, float)
    down = up / max(float(np.linalg.norm(up)), 1e-12) if np.any(up) else np.array((0.0, 0.0, 1.0))
    ahead = ahead_of(who.prefix)
    trunk, thigh = (at.get(f"{ahead}{part}") for part in ("lower_torso", "right_upper_leg"))
    chest = at.get(f"{ahead}upper_torso")
    if trunk is None or thigh is None or chest is None:
        return "seated"
    if abs(float(chest.R_WS[:, 2] @ down)) < _LIES:
        return "lying"
    if abs(float(thigh.R_WS[:, 2] @ down)) > _SITS:
        return "standing"
    hands = [at.get(f"{ahead}{side}_forearm") for side in ("right", "left")]
    reach = [float((h.p_W - chest.p_W) @ trunk.R_WS[:, 0]) for h in hands if h is not None]
    return "driving" if reach and min(reach) > _DRIVES else "seated"


def sitting(body: Body, turns: Mapping[str, Array], prefix: str) -> Body:
    """A body with the attitudes of the old one's parts; what that had not goes with the part it belongs to."""
    ahead, own = ahead_of(prefix), {part: turn(one) for part, one in body.attitudes.items()}
    new = dict(own)
    for part in own:
        main = next((n for n in (part, MAIN.get(part, "")) if f"{ahead}{n}" in turns), None)
        if main is not None and main in own:
            new[part] = turns[f"{ahead}{main}"] @ own[main].T @ own[part]
    made = {part: Orientation(angles_rad=tidy3(angles_from(R, "zyx"))) for part, R in new.items()}
    return replace(body, attitudes=made)


def hips_of(project: Project, at: Mapping[str, Placed], ahead: str) -> Array:
    """The middle of both hip joints in ground axes (m)."""
    hips = [j for j in project.joints if j.id in (f"{ahead}left_hip", f"{ahead}right_hip")]
    if len(hips) != 2:
        return at[f"{ahead}lower_torso"].p_W
    middle: Array = np.mean([at[j.parent].of(j.parent_frame.position_m) for j in hips], axis=0)
    return middle


def feet_of(project: Project, at: Mapping[str, Placed], ahead: str) -> dict[str, Placed]:
    """Where the soles are below both ankles, in ground axes, with the attitudes of the feet."""
    segments = {s.id: s for s in project.segments}
    found = {}
    for side in (RIGHT, LEFT):
        ankle = next((j for j in project.joints if j.id == f"{ahead}{side}ankle"), None)
        if ankle is not None and ankle.child in at:
            foot = at[ankle.child]
            below = np.array((0.0, 0.0, _sole(segments[ankle.child], ankle)))
            point = foot.of(ankle.child_frame.position_m) + foot.R_WS @ below
            found[side] = Placed(foot.R_WS, point)
    return found


def with_feet(body: Body, place: Place, soles: Mapping[str, Placed]) -> Body:
    """Bend hips and knees, in the plane of ahead and down, so that the soles come to where others were.

    Legs that do not reach so far stay as they are.
    """
    at = placed_at(body, place)
    new = dict(body.attitudes)
    for side, sole in soles.items():
        hip, knee, ankle = (body.joint(f"{side}{name}") for name in ("hip", "knee", "ankle"))
        points = [at[j.child].of(j.child_frame.position_m) for j in (hip, knee, ankle)]
        rise = np.array((0.0, 0.0, _sole(body.segment(ankle.child), ankle)))
        turns = _bent(points[0], points[1], points[2], sole.p_W - sole.R_WS @ rise)
        if turns is None:
            continue
        for above, below, angle in ((hip, knee, turns[0]), (knee, ankle, turns[1])):
            c, s = math.cos(angle), math.sin(angle)
            R = np.array(((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)))
            for part in _from_to(body, above.child, below.parent):
                angles = angles_from(R @ turn(new[part]), "zyx")
                new[part] = Orientation(angles_rad=tidy3(angles))
    return replace(body, attitudes=new)


def _bent(hip: Array, knee: Array, ankle: Array, goal: Array) -> tuple[float, float] | None:
    """How far thigh and shank turn about y so that the ankle comes to a goal; None if it cannot."""
    thigh, shank, way = ((p[0], p[2]) for p in (knee - hip, ankle - knee, goal - hip))
    a, b, d = (math.hypot(*v) for v in (thigh, shank, way))
    if not abs(a - b) + _LEAST * (a + b) < d < _MOST * (a + b):
        return None
    bend = math.acos((a * a + d * d - b * b) / (2.0 * a * d))
    # as the knee stands out now: above the line from hip to ankle where one sits
    side = math.copysign(1.0, thigh[0] * shank[1] - thigh[1] * shank[0])
    line = math.atan2(way[1], way[0])
    first = line - side * bend
    corner = (a * math.cos(first), a * math.sin(first))
    second = math.atan2(d * math.sin(line) - corner[1], d * math.cos(line) - corner[0])
    was = math.atan2(thigh[1], thigh[0]), math.atan2(shank[1], shank[0])
    # a turn about y leads from z to x
    return was[0] - first, was[1] - second


def _from_to(body: Body, first: str, last: str) -> list[str]:
    """Name the segments from one down to another, both included."""
    above = {joint.child: joint.parent for joint in body.joints}
    found = [last]
    while found[-1] != first:
        found.append(above[found[-1]])
    return found


def _sole(foot: Segment, ankle: Joint) -> float:
    """How far (m) a foot reaches below its ankle, along its own z."""
    lowest = max((s.centre_m[2] + s.semi_axes_m[2] for s in foot.surfaces), default=0.0)
    return lowest - ankle.child_frame.position_m[2]


# Set the soles of the occupant who sits in a seat on the floor that the seat brings along.

HANGS_M = 0.02
"""Soles that are higher than this above their floor do not reach it."""
_STANDS = math.cos(math.radians(60.0))
"""Cosine of how far a plane leans at most on which one stands: a toe board is one, the front of a seat is none."""
_LEANS_RAD = math.radians(75.0)
"""How far a shank leans ahead at most."""
_BENDS = ("pin", "universal")
"""Knees whose first turn bends them."""


def floor_of(one: Entry, prefix: str = "") -> str:
    """Name the plane of an inserted entry that soles stand on."""
    return ahead_of(prefix) + one.feet_on


def on_floor(project: Project, who: Occupant, floor: str) -> Project:
    """Bend knees and ankles so that feet stand level on a plane; thighs stay as they lie.

    Where a leg is too short, its shank hangs upright with a level foot: `hanging` tells by how much.
    """
    for side in (RIGHT, LEFT):
        leg = _leg(project, who, side)
        if leg is not None and _contact(project, leg[1].child, floor) is not None:
            project = _standing(project, *leg, floor)
    return project


def hanging(project: Project, who: Occupant) -> Sentence | None:
    """Say by how much soles of who sits do not reach a floor that they may touch; None where they stand on one, or have none."""
    if posture_of(project, who) not in ("seated", "driving"):
        return None
    at, gaps = start_pose(project), []
    pull = np.array(project.gravity_m_per_s2)
    level = _STANDS * float(np.linalg.norm(pull))
    for contact in project.contacts:
        if isinstance(contact, PlaneContact) and contact.surface in _soles(project, who):
            point, up = _plane(project, at, contact.plane)
            if float(-up @ pull) < level:
                continue
            foot = at[contact.surface.segment]
            gaps.append(float((foot.p_W - point) @ up) - _below(project, contact.surface, foot, up))
    if not gaps or min(gaps) <= HANGS_M:
        return None
    return Sentence(
        "The soles of '{who}' are {gap:.0f} mm above the floor: these legs are too short for this seat.",
        who=who.prefix or "lower_torso",
        gap=1e3 * min(gaps),
    )


def _soles(project: Project, who: Occupant) -> set[SurfaceRef]:
    """The surfaces of both feet."""
    legs = [_leg(project, who, side) for side in (RIGHT, LEFT)]
    feet = {leg[1].child for leg in legs if leg is not None}
    return {ref for ref in who.surfaces.values() if ref.segment in feet}


def _leg(project: Project, who: Occupant, side: str) -> tuple[Joint, Joint] | None:
    """Give knee and ankle."""
    joints = {joint.id: joint for joint in project.joints}
    knee, ankle = (joints.get(f"{ahead_of(who.prefix)}{side}{name}") for name in ("knee", "ankle"))
    return None if knee is None or ankle is None or knee.kind not in _BENDS else (knee, ankle)


def _contact(project: Project, foot: str, floor: str) -> SurfaceRef | None:
    """The surface of a foot that may touch the floor."""
    return next(
        (
            contact.surface
            for contact in project.contacts
            if isinstance(contact, PlaneContact)
            and contact.plane == floor
            and contact.surface.segment == foot
        ),
        None,
    )


def _plane(project: Project, at: dict[str, Placed], floor: str) -> tuple[Array, Array]:
    """A point of a plane and what is up from it, in ground axes."""
    plane = next(one for one in project.planes if one.id == floor)
    corner, edge, other = plane_corners(plane)
    carrier = at[plane.segment]
    up = carrier.R_WS @ np.cross(edge, other)
    return carrier.of(corner), up / np.linalg.norm(up)


def _below(project: Project, touch: SurfaceRef, foot: Placed, up: Array) -> float:
    """How far a foot reaches below its mass centre."""
    segment = next(one for one in project.segments if one.id == touch.segment)
    surface = next(one for one in segment.surfaces if one.id == touch.surface)
    R = foot.R_WS @ turn(surface.orientation)
    way = -(up @ R) * np.array(surface.semi_axes_m)
    reach = farthest(way, np.array(powers_of(surface)))
    return float(way @ reach) - float(up @ foot.R_WS @ np.array(surface.centre_m))


def _standing(project: Project, knee: Joint, ankle: Joint, floor: str) -> Project:
    at = start_pose(project)
    point, up = _plane(project, at, floor)
    touch = _contact(project, ankle.child, floor)
    hinge = at[knee.parent].of(knee.parent_frame.position_m)
    heel = at[ankle.child].of(ankle.child_frame.position_m)
    axis = "xyz".index(row_of(knee).order[0])
    across = at[knee.parent].R_WS @ turn(knee.parent_frame.orientation)[:, axis]
    ahead = np.cross(across, -up)
    level = _level(at[ankle.child].R_WS, ahead, up)
    if touch is None or level is None:
        return project
    foot = Placed(level, np.zeros(3))
    sole = _below(project, touch, foot, up) + float(up @ foot.of(ankle.child_frame.position_m))
    # the shank turns about the knee: how far below it the ankle is to come, and how far it can
    shank, drop = heel - hinge, float((hinge - point) @ up) - sole
    along = float(shank @ across) * across
    side, down = shank - along, -up - float(-up @ across) * across
    length, steep = float(np.linalg.norm(side)), float(np.linalg.norm(down))
    share = (drop + float(along @ up)) / (length * steep)
    lean = math.acos(min(1.0, max(share, math.cos(_LEANS_RAD))))
    now = math.atan2(float(np.cross(down, side) @ across), float(down @ side))
    angle, *others = angles_of(project, knee.id, at)
    project = with_joint(project, knee.id, (angle + lean - now, *others))
    carrier = Orientation(angles_rad=angles_from(level, "zyx"))
    return with_attitude(project, ankle.child, carrier)


def _level(R: Array, ahead: Array, up: Array) -> Array | None:
    """A level foot that points where it points now: its long axis is z, and x is up."""
    way = R[:, 2] - float(R[:, 2] @ up) * up
    if float(np.linalg.norm(way)) < 0.1:
        way = ahead - float(ahead @ up) * up
    size = float(np.linalg.norm(way))
    if size < 1e-6:
        return None
    way = way / size
    return np.column_stack((up, np.cross(way, up), way))
