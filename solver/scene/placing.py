"""Place as much of a project as can be placed, even where its references are broken."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.joints import JointBase
from solver.project.pose import Placed, start_pose, values_needed
from solver.project.segments import GROUND

Pose = Mapping[str, Placed]


@dataclass(frozen=True, slots=True)
class Stretched(Placed):
    """Hold a place whose turn stretches too, as that of a bag that fills."""


def pose_at_start(project: Project) -> Pose:
    """Give the start pose, leaving out joints and starts that lead nowhere or in a ring."""
    return _of(project).pose


def placeable(project: Project) -> Project:
    """Leave out what the start pose cannot use: unknown ends, second parents, rings."""
    made = _of(project)
    update = {"joints": made.joints, "initial": made.initial}
    return project.model_copy(update=update)


@dataclass(frozen=True)
class _Made:
    """Hold a pose, what it was made from, and what of that could be used."""

    names: tuple[str, ...]
    old: tuple[Any, ...]
    joints: Any
    initial: Any
    pose: Pose

    def fits(self, names: tuple[str, ...], project: Project) -> bool:
        """Tell whether a project stands as this one: the same segments, and all that places them."""
        same = all(a is b for a, b in zip(self.old, _placing(project), strict=True))
        return same and self.names == names


def _placing(project: Project) -> tuple[Any, ...]:
    """Give all of a project that places segments; a motion may begin where a function says."""
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
    """Give a point of a segment in ground axes (m)."""
    placed = pose[segment]
    at_W: Array = placed.p_W + placed.R_WS @ np.asarray(point, float)
    return at_W


def up_of(project: Project) -> Array:
    """Give the unit vector against gravity; against z where there is no gravity (z points down)."""
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
