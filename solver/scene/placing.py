"""Place as much of a project as can be placed, even where its references are broken."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.bodies.library.entries import LibraryError
from solver.bodies.library.pulses import facts
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.expanding import expanded
from solver.project.functions import Function
from solver.project.joints import BallJoint, EulerJoint, JointBase, PinJoint, UniversalJoint
from solver.project.motions import ConstantHistory, Motion, MotionComponent
from solver.project.pose import Placed, four_corners, start_pose, values_needed
from solver.project.segments import GROUND, Segment

# How far down what swings from a joint, or rolls over as prescribed, may come.

_OVER_RAD = np.radians(60.0)
"""How far what carries a camera rolls or pitches at most, for it to turn along (assumed)."""
_BESIDE_M = 0.12
"""Half as thick as what is drawn around planes and places is, at most."""
_TURNS = (PinJoint, BallJoint, UniversalJoint, EulerJoint)


def lowest_swing(project: Project, up: Array) -> float:
    """The height (m) below which no chain hangs, each stretched out downwards, and nothing rolls; infinity where none does."""
    reach = _Reach(project)
    swinging = [
        float(np.array(joint.parent_frame.position_m) @ up) - reach.below(joint)
        for joint in project.joints
        if joint.parent == GROUND and isinstance(joint, _TURNS)
    ]
    rolling = [_rolled(project, m, up) for m in project.motions if turns_over(project, m.segment)]
    return min((*swinging, *rolling), default=np.inf)


def turns_over(project: Project, segment: str) -> bool:
    """Whether a segment rolls or pitches over as prescribed: then who rides on it sees the world turn, not it."""
    T = max((run.duration_s for run in project.runs), default=0.0)
    found = [
        _angle(one, T, project.functions)
        for motion in project.motions
        for one in motion.components
        if motion.segment == segment and one.component in ("roll", "pitch")
    ]
    return any(abs(angle) > _OVER_RAD for angle in found)


def _angle(one: MotionComponent, T: float, functions: Sequence[Function]) -> float:
    """The angle (rad) that a component has made by a time (s); of a pulse that goes on after it, the most that this can be."""
    if isinstance(one.pulse, ConstantHistory):
        value = one.pulse.value
        made = {"position": 1.0, "velocity": T, "acceleration": 0.5 * T * T}[one.quantity] * value
    else:
        try:
            did = facts(one.pulse, functions)
        except LibraryError:  # a formula without an end
            return 0.0
        if one.quantity == "position":
            return did.peak
        if one.quantity == "velocity":
            made = math.copysign(min(abs(did.speed_change), abs(did.peak) * T), did.speed_change)
        else:
            made = did.way + did.speed_change * max(0.0, T - did.end_s)
            made = math.copysign(min(abs(made), 0.5 * abs(did.peak) * T * T), made)
    rate = one.start_rate * T if one.quantity == "acceleration" else 0.0
    return made + rate + (0.0 if one.quantity == "position" else one.start_value)


def _rolled(project: Project, motion: Motion, up: Array) -> float:
    """How low (m) anything comes that goes with a segment which turns over, about the axes that it turns about."""
    pose = start_pose(project)
    at = pose[motion.segment]
    over = {one.component for one in motion.components} & {"roll", "pitch"}
    across = np.array([over == {"pitch"}, over == {"roll"}, True]) | (len(over) > 1)
    corners = [
        at.of(corner)
        for plane in project.planes
        if plane.segment == motion.segment
        for corner in four_corners(plane)
    ]
    bodies = [pose[s.id].of(f.centre_m) for s in project.segments for f in s.surfaces]
    away = [np.linalg.norm(((p - at.p_W) @ at.R_WS)[across]) for p in (*corners, *bodies)]
    return float(at.p_W @ up) - max(map(float, away), default=0.0) - _BESIDE_M


class _Reach:
    """Know how far a chain of segments reaches from where it hangs."""

    def __init__(self, project: Project) -> None:
        self._segments = {one.id: one for one in project.segments}
        self._below: dict[str, list[JointBase]] = {}
        for joint in project.joints:
            self._below.setdefault(joint.parent, []).append(joint)

    def below(self, joint: JointBase, seen: frozenset[str] = frozenset()) -> float:
        """How far (m) from a joint its child, and all that it carries, may come."""
        name, at = joint.child, joint.child_frame.position_m
        if name in seen or name not in self._segments:
            return 0.0
        farther = (
            _apart(one.parent_frame.position_m, at) + self.below(one, seen | {name})
            for one in self._below.get(name, ())
        )
        return max((_size(self._segments[name], at), *farther))


def _size(segment: Segment, at: Sequence[float]) -> float:
    """How far (m) the surfaces of a segment are from one of its points, at most."""
    return max((_apart(s.centre_m, at) + max(s.semi_axes_m) for s in segment.surfaces), default=0.0)


def _apart(a: Sequence[float], b: Sequence[float]) -> float:
    return float(np.linalg.norm(np.subtract(a, b)))


Pose = Mapping[str, Placed]


@dataclass(frozen=True, slots=True)
class Stretched(Placed):
    """A place whose turn stretches too, as that of a bag that fills."""


def pose_at_start(project: Project) -> Pose:
    """The start pose, leaving out joints and starts that lead nowhere or in a ring."""
    return _of(expanded(project)).pose


def placeable(project: Project) -> Project:
    """Leave out what the start pose cannot use: unknown ends, second parents, rings."""
    made = _of(project)
    update = {"joints": made.joints, "initial": made.initial}
    return project.model_copy(update=update)


@dataclass(frozen=True)
class _Made:
    """A pose, what it was made from, and what of that could be used."""

    names: tuple[str, ...]
    old: tuple[Any, ...]
    joints: Any
    initial: Any
    pose: Pose

    def fits(self, names: tuple[str, ...], project: Project) -> bool:
        """Whether a project stands as this one: the same segments, and all that places them."""
        same = all(a is b for a, b in zip(self.old, _placing(project), strict=True))
        return same and self.names == names


def _placing(project: Project) -> tuple[Any, ...]:
    """All of a project that places segments; a motion may begin where a function says."""
    functions = project.functions if project.motions or project.drivers else ()
    return project.joints, project.initial, project.motions, project.drivers, functions


_recent: deque[_Made] = deque(maxlen=6)
"""Poses of the last versions: everybody who draws or edits one version asks for the same pose."""


def _of(project: Project) -> _Made:
    names = tuple(segment.id for segment in project.segments)
    for made in tuple(_recent):
        if made.fits(names, project):
            return made
    sound = _placeable(project)
    pose = start_pose(sound)
    made = _Made(names, _placing(project), sound.joints, sound.initial, pose)
    _recent.append(made)
    return made


def _placeable(project: Project) -> Project:
    known = {segment.id for segment in project.segments}
    ends = known | {GROUND}
    carried: dict[str, JointBase] = {}
    for joint in project.joints:
        if joint.child in known and joint.parent in ends and joint.child not in carried:
            carried[joint.child] = joint

    def parent_of(name: str) -> str | None:
        return carried[name].parent if name in carried else None

    for name in _ringed(known, parent_of):
        carried.pop(name, None)
    roots = {
        start.segment: start
        for start in project.initial.roots
        if start.segment in known and start.segment not in carried and start.relative_to in ends
    }
    for name in _ringed(known, lambda n: roots[n].relative_to if n in roots else parent_of(n)):
        roots.pop(name, None)
    attitudes = {
        start.segment: start
        for start in project.initial.attitudes
        if start.segment in known and start.relative_to in ends
    }
    for name in _ringed(
        known, lambda n: attitudes[n].relative_to if n in attitudes else parent_of(n)
    ):
        attitudes.pop(name, None)
    joints = {joint.id: joint for joint in carried.values()}
    settings = tuple(
        start
        for start in project.initial.joints
        if start.joint in joints and len(start.values) in (0, values_needed(joints[start.joint]))
    )
    initial = project.initial.model_copy(
        update={
            "roots": tuple(roots.values()),
            "attitudes": tuple(attitudes.values()),
            "joints": settings,
        }
    )
    return project.model_copy(update={"joints": tuple(carried.values()), "initial": initial})


def in_ground(pose: Pose, segment: str, point: tuple[float, float, float] | Array) -> Array:
    """A point of a segment in ground axes (m)."""
    placed = pose[segment]
    at_W: Array = placed.p_W + placed.R_WS @ np.asarray(point, float)
    return at_W


def up_of(project: Project) -> Array:
    """The unit vector against gravity; against z where there is no gravity (z points down)."""
    gravity = np.array(project.gravity_m_per_s2)
    size = float(np.linalg.norm(gravity))
    return -gravity / size if size > 0.0 else np.array([0.0, 0.0, -1.0])


def _ringed(names: set[str], before: Callable[[str], str | None]) -> set[str]:
    """Name all that depend on themselves, or on such a ring."""
    sound: set[str] = {GROUND}
    ringed: set[str] = set()
    for name in names:
        climb: list[str] = []
        here: str | None = name
        while here is not None and here not in sound and here not in ringed:
            climb.append(here)
            here = before(here)
            if here in climb:
                ringed.update(climb)
                break
        if here is None or here in sound:
            sound.update(climb)
        else:
            ringed.update(climb)
    return ringed
