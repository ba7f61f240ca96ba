"""Find where every segment is at time zero: roots, attitudes, joints and motions decide.

Nothing comes apart. This is the one start pose: checks, window, settling and runs all begin from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from solver.maths.rotation import Array, about_axis, from_angles
from solver.project.document import Project
from solver.project.forms import value_at
from solver.project.functions import Function
from solver.project.geometry import Frame, Orientation
from solver.project.joints import JointBase
from solver.project.motions import Motion, MotionComponent
from solver.project.segments import GROUND, Plane, ThreePoints

ROTATION_COUNT: Mapping[str, int] = {"none": 0, "pin_y": 1, "pin_z": 1, "ball": 3}


@dataclass(frozen=True, slots=True)
class Placed:
    """Hold a segment's start: `R_WS` turns its components to ground, `p_W` is its mass centre (m)."""

    R_WS: Array
    p_W: Array


@dataclass(frozen=True, slots=True)
class Moved:
    """Hold how far a motion has brought its segment by time zero, ground axes.

    The segment is turned by `R_W` about its mass centre, and shifted by `by_W` (m).
    """

    R_W: Array
    by_W: Array

    def onto(self, placed: Placed) -> Placed:
        """Give where a segment is that was placed there before its motion."""
        return Placed(self.R_W @ placed.R_WS, placed.p_W + self.by_W)

    def back(self, placed: Placed) -> Placed:
        """Give where a segment must be placed so that its motion begins there."""
        return Placed(self.R_W.T @ placed.R_WS, placed.p_W - self.by_W)


def turn(orientation: Orientation) -> Array:
    """Give the rotation matrix of an orientation."""
    return from_angles(orientation.angles_rad, orientation.order)


def plane_corners(plane: Plane) -> tuple[Array, Array, Array]:
    """Give corner and two edges of a plane in its segment's axes; the front is along their product."""
    at = plane.placement
    if isinstance(at, ThreePoints):
        corner = np.array(at.p1_m)
        return corner, np.array(at.p2_m) - corner, np.array(at.p3_m) - corner
    R = turn(at.frame.orientation)
    edge, other = at.length_m * R[:, 0], at.width_m * R[:, 1]
    return np.array(at.frame.position_m) - 0.5 * (edge + other), edge, other


def values_needed(joint: JointBase) -> int:
    """Count the coordinates that a joint's start may set."""
    kind = joint.kind  # type: ignore[attr-defined]
    if kind == "slip":
        return 1 + ROTATION_COUNT[joint.rotation]  # type: ignore[attr-defined]
    return {"free": 6, "locked": 0, "ball": 3, "pin": 1, "universal": 2, "euler": 3}[kind]


def across(joint: JointBase, values: tuple[float, ...]) -> tuple[Array, Array]:
    """Give the turn of the child's frame and its origin (m) in the parent's frame."""
    kind = joint.kind  # type: ignore[attr-defined]
    q = tuple(values) or (0.0,) * values_needed(joint)
    origin = np.zeros(3)
    if kind == "locked":
        return np.eye(3), origin
    if kind == "pin":
        return about_axis("y", q[0]), origin
    if kind == "universal":
        return about_axis("x", q[0]) @ about_axis("y", q[1]), origin
    if kind == "euler":
        return from_angles(q, "zxz"), origin
    if kind == "ball":
        return from_angles(q, "zyx"), origin
    if kind == "free":
        return from_angles(q[3:], "zyx"), np.array(q[:3])
    origin[2] = q[0]
    rotation = joint.rotation  # type: ignore[attr-defined]
    if rotation == "none":
        return np.eye(3), origin
    if rotation == "ball":
        return from_angles(q[1:], "zyx"), origin
    return about_axis(rotation[-1], q[1]), origin


def moved_at_start(project: Project) -> dict[str, Moved]:
    """Give how far motions have brought their segments by time zero; carried segments have none."""
    carried = {joint.child for joint in project.joints}
    functions = {function.id: function for function in project.functions}
    moved: dict[str, Moved] = {}
    for motion in project.motions:
        if motion.segment not in carried and motion.segment not in moved:
            moved[motion.segment] = _moved(motion, functions)
    return moved


def _moved(motion: Motion, functions: Mapping[str, Function]) -> Moved:
    at = {c.component: value_at_start(c, functions) for c in motion.components}
    x, y, z, yaw, pitch, roll = (
        at.get(name, 0.0) for name in ("x", "y", "z", "yaw", "pitch", "roll")
    )
    R_WM = turn(motion.axes)
    R_W = R_WM @ from_angles((yaw, pitch, roll), "zyx") @ R_WM.T
    return Moved(R_W, R_WM @ np.array([x, y, z]))


def value_at_start(component: MotionComponent, functions: Mapping[str, Function]) -> float:
    """Give the displacement (m) or angle (rad) of a component at time zero.

    A function that is missing or has no sound points gives none.
    """
    if component.quantity != "position":
        return component.start_value
    pulse = component.pulse
    if pulse.kind == "function":
        function = functions.get(pulse.function)
        value = None if function is None else value_at(function.form, 0.0)
        return 0.0 if value is None else pulse.scale * value
    if pulse.kind == "constant":
        return pulse.value
    # of the pulses only those that jump up at time zero are not nothing there
    steep = (pulse.kind == "triangle" and pulse.peak_ratio == 0.0) or (
        pulse.kind == "trapezoid" and pulse.rise_ratio == 0.0
    )
    return pulse.amplitude if steep and pulse.start_s == 0.0 else 0.0


def start_pose(project: Project) -> dict[str, Placed]:
    """Place every segment and the ground, as a run has them at time zero.

    The project must have passed the checks of references: a tree without rings. An attitude wins
    over a joint's own coordinates; the joint's point is then kept together and the attitude taken
    as given (the checks refuse one that the joint does not allow). A motion goes on from where its
    segment is placed; what counts from a segment counts from where its motion has brought it.
    """
    carried = {joint.child: joint for joint in project.joints}
    roots = {start.segment: start for start in project.initial.roots}
    attitudes = {start.segment: start for start in project.initial.attitudes}
    settings = {start.joint: start.values for start in project.initial.joints}
    placed: dict[str, Placed] = {GROUND: Placed(np.eye(3), np.zeros(3))}
    turned: dict[str, Array] = {GROUND: np.eye(3)}
    moved = moved_at_start(project)
    segments = [segment.id for segment in project.segments]

    def turn_from(name: str) -> str | None:
        """Name the segment from which the attitude of this one is counted."""
        if name in attitudes:
            return attitudes[name].relative_to
        return carried[name].parent if name in carried else None

    def place_from(name: str) -> str | None:
        """Name the segment from which the place of this one is counted."""
        if name in carried:
            return carried[name].parent
        return roots[name].relative_to if name in roots else None

    for name in _in_order(segments, turn_from):
        if name in attitudes:
            start = attitudes[name]
            turned[name] = turned[start.relative_to] @ turn(start.orientation)
        elif name in carried:
            joint = carried[name]
            R_PC, _ = across(joint, settings.get(joint.id, ()))
            R_WP = turned[joint.parent] @ turn(joint.parent_frame.orientation)
            turned[name] = R_WP @ R_PC @ turn(joint.child_frame.orientation).T
        else:
            turned[name] = np.eye(3)
        if name in moved:
            turned[name] = moved[name].R_W @ turned[name]
    for name in _in_order(segments, place_from):
        p_W = np.zeros(3)
        if name in carried:
            joint = carried[name]
            _, origin = across(joint, settings.get(joint.id, ()))
            point = _point(placed[joint.parent], joint.parent_frame, origin)
            p_W = point - turned[name] @ np.array(joint.child_frame.position_m)
        elif name in roots:
            base = placed[roots[name].relative_to]
            p_W = base.p_W + base.R_WS @ np.array(roots[name].position_m)
        if name in moved:
            p_W = p_W + moved[name].by_W
        placed[name] = Placed(turned[name], p_W)
    return placed


def _in_order(names: Iterable[str], before: Callable[[str], str | None]) -> list[str]:
    """Sort names so that each stands behind the one it depends on; without recursion."""
    done: dict[str, None] = {GROUND: None}
    for name in names:
        climb: list[str] = []
        here: str | None = name
        while here is not None and here not in done:
            climb.append(here)
            here = before(here)
        done.update(dict.fromkeys(reversed(climb)))
    del done[GROUND]
    return list(done)


def _point(parent: Placed, frame: Frame, origin: Array) -> Array:
    """Give the joint's point in ground axes (m), moved by `origin` in the joint's frame."""
    local = np.array(frame.position_m) + turn(frame.orientation) @ origin
    return parent.p_W + parent.R_WS @ local
