"""Set the soles of whoever sits in a seat on the floor that the seat brings along."""

from __future__ import annotations

import math

import numpy as np

from solver.base.words import Sentence
from solver.bodies.body import LEFT, RIGHT
from solver.bodies.library.entries import Entry
from solver.bodies.library.occupants import Occupant, ahead_of
from solver.bodies.library.reseating import posture_of
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
    """Give the surfaces of both feet."""
    legs = [_leg(project, who, side) for side in (RIGHT, LEFT)]
    feet = {leg[1].child for leg in legs if leg is not None}
    return {ref for ref in who.surfaces.values() if ref.segment in feet}


def _leg(project: Project, who: Occupant, side: str) -> tuple[Joint, Joint] | None:
    """Give knee and ankle."""
    joints = {joint.id: joint for joint in project.joints}
    knee, ankle = (joints.get(f"{ahead_of(who.prefix)}{side}{name}") for name in ("knee", "ankle"))
    return None if knee is None or ankle is None or knee.kind not in _BENDS else (knee, ankle)


def _contact(project: Project, foot: str, floor: str) -> SurfaceRef | None:
    """Give the surface of a foot that may touch the floor."""
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
    """Give a point of a plane and what is up from it, in ground axes."""
    plane = next(one for one in project.planes if one.id == floor)
    corner, edge, other = plane_corners(plane)
    carrier = at[plane.segment]
    up = carrier.R_WS @ np.cross(edge, other)
    return carrier.of(corner), up / np.linalg.norm(up)


def _below(project: Project, touch: SurfaceRef, foot: Placed, up: Array) -> float:
    """Give how far a foot reaches below its mass centre."""
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
    """Give a level foot that points where it points now: its long axis is z, and x is up."""
    way = R[:, 2] - float(R[:, 2] @ up) * up
    if float(np.linalg.norm(way)) < 0.1:
        way = ahead - float(ahead @ up) * up
    size = float(np.linalg.norm(way))
    if size < 1e-6:
        return None
    way = way / size
    return np.column_stack((up, np.cross(way, up), way))
