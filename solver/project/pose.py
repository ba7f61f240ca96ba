"""Find where every segment is at time zero: roots, attitudes, joints and motions decide.

Nothing comes apart. This is the one start pose: checks, window, settling and runs all begin from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from solver.base.words import Refusal, Sentence
from solver.engine.maths.rotation import Array, cross, from_angles
from solver.project import forms
from solver.project.airbags import Airbag
from solver.project.bending.shapes import Bent, bent_at_start
from solver.project.changes import value_at, words_of
from solver.project.document import Project
from solver.project.fields import Part
from solver.project.frames import Axes, OwnFrame, axes_of
from solver.project.functions import Function
from solver.project.geometry import Frame, Orientation
from solver.project.joint_table import driven_axes, row_of
from solver.project.joints import JointBase
from solver.project.memo import memoised
from solver.project.motions import (
    ConstantHistory,
    FrameDriver,
    HalfSine,
    Haversine,
    History,
    Motion,
    Prescribed,
    RootStart,
    Trapezoid,
    Triangle,
)
from solver.project.problems import did_you_mean
from solver.project.segments import GROUND, Plane, ThreePoints


@dataclass(frozen=True, slots=True)
class Placed:
    """Hold a segment's start: `R_WS` turns its components to ground, `p_W` is its mass centre (m)."""

    R_WS: Array
    p_W: Array

    def of(self, place: Iterable[float]) -> Array:
        """Where a place of the segment is (m, ground axes)."""
        out: Array = self.p_W + self.R_WS @ np.asarray(tuple(place))
        return out


@dataclass(frozen=True, slots=True)
class Moved:
    """Hold how far a motion has brought its segment by time zero, ground axes.

    The segment is turned by `R_W` about its mass centre, and shifted by `by_W` (m).
    """

    R_W: Array
    by_W: Array

    def onto(self, placed: Placed) -> Placed:
        """Where a segment is that was placed there before its motion."""
        return Placed(self.R_W @ placed.R_WS, placed.p_W + self.by_W)

    def back(self, placed: Placed) -> Placed:
        """Where a segment must be placed so that its motion begins there."""
        return Placed(self.R_W.T @ placed.R_WS, placed.p_W - self.by_W)


def turn(orientation: Orientation) -> Array:
    """The rotation matrix of an orientation."""
    return from_angles(orientation.angles_rad, orientation.order)


ENDLESS_M = 1000.0
"""How far (m) a plane reaches both ways in a direction in which it does not end."""


def plane_corners(plane: Plane) -> tuple[Array, Array, Array]:
    """Give corner and two edges of a plane in its segment's axes; the front is along their product."""
    at = plane.placement
    if isinstance(at, ThreePoints):
        corner = np.array(at.p1_m)
        return corner, np.array(at.p2_m) - corner, np.array(at.p3_m) - corner
    R = turn(at.frame.orientation)
    edge, other = at.length_m * R[:, 0], at.width_m * R[:, 1]
    return np.array(at.frame.position_m) - 0.5 * (edge + other), edge, other


def four_corners(plane: Plane) -> Array:
    """Give all corners of a plane, one after the other around it, in its segment's axes (4, 3)."""
    corner, edge, other = plane_corners(plane)
    return np.array([corner, corner + edge, corner + edge + other, corner + other])


def plane_extent(plane: Plane) -> tuple[Array, Array, Array]:
    """Give corner and edges as they bound a plane: a direction in which it does not end reaches `ENDLESS_M`."""
    corner, edge, other = plane_corners(plane)
    if plane.ends == "both" or not plane.bounded:
        return corner, edge, other
    long = other if plane.ends == "first" else edge
    reach = ENDLESS_M * long / max(float(np.linalg.norm(long)), 1e-12)
    corner = corner + 0.5 * long - reach
    return (corner, edge, 2.0 * reach) if plane.ends == "first" else (corner, 2.0 * reach, other)


def edge_of(plane: Plane, edge: str) -> tuple[Array, Array]:
    """Where an edge of a plane begins and how it goes on (m), in its segment's axes."""
    corner, one, two = plane_corners(plane)
    way, side = (one, two) if edge.startswith("first") else (two, one)
    return (corner + side if edge.endswith("far") else corner), way


def values_needed(joint: JointBase) -> int:
    """Count the coordinates that a joint's start may set."""
    return row_of(joint).coordinates


def across(joint: JointBase, values: tuple[float, ...]) -> tuple[Array, Array]:
    """Give the turn of the child's frame and its origin (m) in the parent's frame."""
    row = row_of(joint)
    q = tuple(values) or (0.0,) * row.coordinates
    origin = np.zeros(3)
    for slide, slid in zip(row.slides, row.slid(q), strict=False):
        origin["xyz".index(slide.axis)] = slid
    if row.leading:
        origin = from_angles(q[: row.leading], row.order[: row.leading]) @ origin
    return from_angles(row.turned(q), row.order) if row.order else np.eye(3), origin


def moved_at_start(project: Project) -> dict[str, Moved]:
    """How far motions have brought their segments by time zero; carried segments have none."""
    carried = {joint.child for joint in project.joints}
    moved: dict[str, Moved] = {}
    for motion in project.motions:
        if motion.segment not in carried and motion.segment not in moved:
            moved[motion.segment] = _moved(motion, project)
    return moved


def _moved(motion: Motion, project: Project) -> Moved:
    given = any(c.quantity == "position" for c in motion.components)
    functions = {function.id: function for function in project.functions} if given else {}
    at = {c.component: value_at_start(c, functions) for c in motion.components}
    x, y, z, yaw, pitch, roll = (
        at.get(name, 0.0) for name in ("x", "y", "z", "yaw", "pitch", "roll")
    )
    R_WM = turn(motion.axes)
    R_W = R_WM @ from_angles((yaw, pitch, roll), "zyx") @ R_WM.T
    return Moved(R_W, R_WM @ np.array([x, y, z]))


def value_at_start(component: Prescribed, functions: Mapping[str, Function]) -> float:
    """The displacement (m) or angle (rad) of a component at time zero.

    A function that is missing or has no sound points gives none.
    """
    if component.quantity != "position":
        return component.start_value or 0.0
    match pulse := component.pulse:
        case History():
            function = functions.get(pulse.function)
            value = None if function is None else forms.value_at(function.form, 0.0)
            return 0.0 if value is None else pulse.scale * value
        case ConstantHistory():
            return pulse.value
        case Triangle():
            jumps = pulse.peak_ratio == 0.0
        case Trapezoid():
            jumps = pulse.rise_ratio == 0.0
        case HalfSine() | Haversine():
            jumps = False
        case _:
            assert_never(pulse)
    # of the pulses only those that jump up at time zero are not nothing there
    return pulse.amplitude if jumps and pulse.start_s == 0.0 else 0.0


def joint_values(project: Project) -> dict[str, tuple[float, ...]]:
    """The coordinates of joints at time zero that are set, or driven; others are zero."""
    values = {start.joint: start.values for start in project.initial.joints}
    joints = {joint.id: joint for joint in project.joints} if project.drivers else {}
    functions = {function.id: function for function in project.functions} if joints else {}
    for driver in project.drivers:
        joint = joints.get(driver.joint)
        if joint is None or not driver.gives_start or driver.axis not in driven_axes(joint):
            continue
        here = list(values.get(joint.id) or (0.0,) * values_needed(joint))
        here[driven_axes(joint).index(driver.axis)] = value_at_start(driver, functions)
        values[joint.id] = tuple(here)
    return values


def component_of(pose: Mapping[str, Placed], driver: FrameDriver) -> float:
    """Where a driven component (m or rad) is in a pose."""
    (R_A, p_A), (R_B, p_B) = (
        _frame(pose[one.segment], one.frame) for one in (driver.seen_from, driver.moved)
    )
    if not driver.turns:
        return float(R_A[:, "xyz".index(driver.component)] @ (p_B - p_A))
    R = R_A.T @ R_B
    if driver.component == "pitch":
        return math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    return (
        math.atan2(R[1, 0], R[0, 0]) if driver.component == "yaw" else math.atan2(R[2, 1], R[2, 2])
    )


def _frame(at: Placed, frame: Frame) -> tuple[Array, Array]:
    """A frame's axes and origin (m), ground axes."""
    return at.R_WS @ turn(frame.orientation), at.p_W + at.R_WS @ np.array(frame.position_m)


@memoised
def bent_nodes(project: Project) -> Mapping[str, Bent]:
    """How joints at nodes of modal bodies that start bent stand against their frames in the parent."""
    joints = {joint.id: joint for joint in project.joints} if project.modal_bodies else {}
    return {
        name: bent
        for body in project.modal_bodies
        for name in body.nodes
        if name in joints
        and joints[name].parent == body.segment
        and (bent := bent_at_start(body, joints[name].parent_frame.position_m)) is not None
    }


def standing_frame(joint: JointBase, bent: Mapping[str, Bent]) -> tuple[Array, Array]:
    """Turn and place (m) of a joint's frame in its parent as it stands at the start; `bent` are the nodes that start so."""
    R, at = turn(joint.parent_frame.orientation), np.array(joint.parent_frame.position_m)
    node = bent.get(joint.id)
    return (R, at) if node is None else (node.R @ R, at + node.shift)


def start_pose(project: Project) -> dict[str, Placed]:
    """Place every segment and the ground, as a run has them at time zero.

    The project must have passed the checks of references: a tree without rings, else ValueError. An attitude wins
    over a joint's own coordinates; the joint's point is then kept together and the attitude taken
    as given (the checks refuse one that the joint does not allow). A motion goes on from where its
    segment is placed; what counts from a segment counts from where its motion has brought it.
    """
    pose = _start_pose(project)
    return {name: Placed(one.R_WS.copy(), one.p_W.copy()) for name, one in pose.items()}


@memoised
def _start_pose(project: Project) -> Mapping[str, Placed]:
    carried = {joint.child: joint for joint in project.joints}
    roots = {start.segment: start for start in project.initial.roots}
    attitudes = {start.segment: start for start in project.initial.attitudes}
    settings, bent = joint_values(project), bent_nodes(project)
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
            R_WP = turned[joint.parent] @ standing_frame(joint, bent)[0]
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
            R_P, at = standing_frame(joint, bent)
            p_W = placed[joint.parent].of(at + R_P @ origin) - turned[name] @ np.array(
                joint.child_frame.position_m
            )
        elif name in roots:
            base = placed[roots[name].relative_to]
            p_W = base.p_W + base.R_WS @ np.array(roots[name].position_m)
        if name in moved:
            p_W = p_W + moved[name].by_W
        placed[name] = Placed(turned[name], p_W)
    return placed


def _in_order(names: Iterable[str], before: Callable[[str], str | None]) -> list[str]:
    """Sort names so that each stands behind the one it depends on; without recursion. ValueError of a ring."""
    done: dict[str, None] = {GROUND: None}
    for name in names:
        climb: dict[str, None] = {}
        here: str | None = name
        while here is not None and here not in done:
            if here in climb:
                raise ValueError(f"'{here}' depends on itself")
            climb[here] = None
            here = before(here)
        done.update(dict.fromkeys(reversed(climb)))
    del done[GROUND]
    return list(done)


# The panel that carries an airbag: a surface or a plane, and where a bag stands on it.


@dataclass(frozen=True, slots=True)
class Panel:
    """Hold the segment that carries a bag, and in its axes the panel's centre (m) and axes."""

    segment: str
    centre: Array
    R: Array

    def of(self, place: Iterable[float]) -> Array:
        """Where a place on the panel is (m, segment axes)."""
        out: Array = self.centre + self.R @ np.asarray(tuple(place))
        return out


def panel_of(bag: Airbag, project: Project) -> Panel | None:
    """The panel that carries a bag, its first surface, else its first plane; None where that is not found.

    A plane's centre is its middle; x is along its first edge, z out of its front.
    """
    if bag.panels:
        ref = bag.panels[0]
        for segment in project.segments:
            for shape in segment.surfaces:
                if (segment.id, shape.id) == (ref.segment, ref.surface):
                    return Panel(segment.id, np.array(shape.centre_m), turn(shape.orientation))
    plane = next((one for one in project.planes if one.id in bag.planes[:1]), None)
    if bag.panels or plane is None:
        return None
    corner, one, two = plane_corners(plane)
    front = cross(one, two)
    x, z = one / np.linalg.norm(one), front / np.linalg.norm(front)
    R = np.stack([x, cross(z, x), z], axis=1)
    return Panel(plane.segment, corner + 0.5 * (one + two), R)


def full_bag(bag: Airbag, project: Project) -> Placed | None:
    """Place the full bag in the axes of the segment that carries it; None without a panel."""
    panel = panel_of(bag, project)
    if panel is None:
        return None
    R = turn(bag.orientation)
    return Placed(R, panel.of(bag.deployment_point_m) - R[:, 0] * bag.semi_axes_m[0])


def panel_segments(bag: Airbag, project: Project) -> set[str]:
    """Name the segments of all panels of a bag."""
    planes = {plane.segment for plane in project.planes if plane.id in bag.planes}
    return planes | {ref.segment for ref in bag.panels}


# Places of segments in own frames, and back: within a segment at any time, across segments at the start.

_NO_PLACES = ("semi_axes_m", "centre_offset_m", "deployment_point_m")


class FrameError(Refusal, ValueError):
    """Say in one sentence why a place cannot be told in a frame."""


def axes_in(project: Project, frame: str, segment: str) -> Axes:
    """An own frame as it stands in a segment; in another than its own as both are at the start."""
    found = axes_of(project.frames).get(frame)
    if found is None:
        hint = did_you_mean(frame, [one.id for one in project.frames]) or Sentence("")
        raise FrameError("There is no frame '{frame}' that can be used. {hint}", frame=frame, hint=hint)  # fmt: skip
    if found.segment == segment:
        return found
    pose = start_pose(project)
    for name in (segment, found.segment):
        if name not in pose:
            raise FrameError("There is no segment '{segment}'.", segment=name)
    here, there = pose[segment], pose[found.segment]
    R = here.R_WS.T @ there.R_WS
    origin = here.R_WS.T @ (there.of(found.origin_m) - here.p_W)
    return Axes(segment, origin, R @ found.square, R @ found.axes, found.mirror)


def carrier_of(project: Project, path: str) -> str | None:
    """Name the segment in whose axes the place at a path is given; none for what is no place of a segment."""
    words = words_of(path)
    name = words[-1]
    if not name.endswith("_m") or name in _NO_PLACES:
        return None
    for end in range(len(words) - 1, 0, -1):
        holder = value_at(project, "/".join(words[:end]))
        if not isinstance(holder, Part):
            continue
        if isinstance(holder, OwnFrame):
            return None
        if isinstance(holder, RootStart):
            return holder.relative_to
        if words[end - 1] in ("parent_frame", "child_frame") and end > 1:
            joint = value_at(project, "/".join(words[: end - 1]))
            return str(getattr(joint, words[end - 1].removesuffix("_frame")))
        if words[0] == "segments" and end == 2:
            return words[1]
        if hasattr(holder, "surface"):
            on = getattr(holder.surface, "segment", None)
            return GROUND if holder.surface is None else on
        if isinstance(getattr(holder, "segment", None), str):
            return str(holder.segment)  # type: ignore[attr-defined]
    return None


def place_in(project: Project, frame: str, path: str) -> tuple[float, float, float]:
    """The place at a path in an own frame (m)."""
    found = _axes_at(project, frame, path).place_in(value_at(project, path))
    x, y, z = (float(v) for v in found)
    return x, y, z


def place_from(project: Project, frame: str, path: str, place: object) -> tuple[float, float, float]:  # fmt: skip
    """Give in the axes of its segment (m) what the place at a path becomes by a place in an own frame."""
    x, y, z = (float(v) for v in _axes_at(project, frame, path).place_of(np.array(place, float)))
    return x, y, z


def _axes_at(project: Project, frame: str, path: str) -> Axes:
    segment = carrier_of(project, path)
    if segment is None:
        raise FrameError("'{path}' is no place of a segment.", path=path)
    return axes_in(project, frame, segment)
