"""Draw what a joint may do: its axes, an arc or a line for each coordinate, the cone of a ball, and how it stands.

An arc lies across its axis. It counts from a direction of the frame that the turns before it have led to: z of
turns about x and y, x of those about z.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np

from solver.engine.maths.rotation import Array, about_axis, from_angles
from solver.project.angles import bend_and_twist
from solver.project.document import Project
from solver.project.joint_table import carrying, contour_of, driven_axes, is_rigid, row_of
from solver.project.joints import Joint
from solver.project.motions import Driver, FrameDriver
from solver.project.pose import turn
from solver.project.posing import angles_of
from solver.project.ranges import Range, bend_range, bends, ranges_of, twists
from solver.scene.meshes import Mesh, curl, double_arrow
from solver.scene.placing import Pose

# Arrows of drivers: around an axis that is turned, along one that is slid, where they stand at the start.

CURL_M, ALONG_M = 0.045, 0.11
"""Drawn radius of an arrow around an axis, and length of one along it."""

Motor = tuple[str, str, Mesh]
"""Element, segment that carries the arrow, and the arrow in that segment's axes."""


def motors_of(project: Project, pose: Pose) -> Iterator[Motor]:
    """The arrows of all drivers."""
    joints = {joint.id: joint for joint in carrying(project.joints)} if project.drivers else {}
    for driver in project.drivers:
        joint = joints.get(driver.joint)
        known = joint is not None and joint.parent in pose and joint.child in pose
        if joint is not None and known and driver.axis in driven_axes(joint):
            yield _of_axis(project, pose, joint, driver)
    for one in project.frame_drivers:
        if one.moved.segment in pose and one.seen_from.segment in pose:
            yield _of_frame(pose, one)


def _of_axis(project: Project, pose: Pose, joint: Joint, driver: Driver) -> Motor:
    """Show an axis in the parent where it is the first of its joint, else in the child."""
    row, names = row_of(joint), driven_axes(joint)
    R_WF = pose[joint.parent].R_WS @ turn(joint.parent_frame.orientation)
    for freedom in row.freedoms:
        if freedom.name == driver.axis:
            break
        if freedom in row.turns:
            angle = angles_of(project, joint.id, pose)[row.freedoms.index(freedom)]
            R_WF = R_WF @ about_axis(freedom.axis, angle)
    axis = R_WF[:, "xyz".index(next(f.axis for f in row.freedoms if f.name == driver.axis))]
    bearer = joint.parent if driver.axis == names[0] else joint.child
    at = pose[joint.child]
    place = at.p_W + at.R_WS @ np.array(joint.child_frame.position_m)
    return _placed(f"drivers/{driver.id}", bearer, pose, place, axis, driver.turns)


def _of_frame(pose: Pose, driver: FrameDriver) -> Motor:
    """Show a component at the frame that is moved, along or about the axis by which it is counted."""
    (R_A, _), (R_B, place) = (
        (
            pose[one.segment].R_WS @ turn(one.frame.orientation),
            pose[one.segment].p_W + pose[one.segment].R_WS @ np.array(one.frame.position_m),
        )
        for one in (driver.seen_from, driver.moved)
    )
    if driver.component == "pitch":
        axis = np.cross(R_A[:, 2], R_B[:, 0])
        size = float(np.linalg.norm(axis))
        axis = axis / size if size > 1e-9 else R_A[:, 1]
    elif driver.component == "roll":
        axis = R_B[:, 0]
    else:
        axis = R_A[:, "xyz".index("z" if driver.component == "yaw" else driver.component)]
    name = f"frame_drivers/{driver.id}"
    return _placed(name, driver.moved.segment, pose, place, axis, driver.turns)


def _placed(element: str, bearer: str, pose: Pose, place: Array, axis: Array, turns: bool) -> Motor:
    at = pose[bearer]
    here, along = at.R_WS.T @ (place - at.p_W), at.R_WS.T @ axis
    mesh = _mesh(tuple(here.round(9).tolist()), tuple(along.round(9).tolist()), turns)
    return element, bearer, mesh


@lru_cache(maxsize=256)
def _mesh(place: tuple[float, ...], axis: tuple[float, ...], turns: bool) -> Mesh:
    """Make an arrow once: what is not changed is the same object, and is not drawn again."""
    centre, along = np.array(place), np.array(axis)
    return curl(centre, along, CURL_M) if turns else double_arrow(centre, along, ALONG_M)


Tone = Literal[
    "x", "y", "z", "ring", "free", "stop", "shell", "end", "resisted", "thin", "pointer", "met"
]  # fmt: skip
"""What a part means; shell and thin are stop and resisted on the sphere of a ball, whose far side is seen too."""


_STEP_RAD = math.radians(5.0)
_AROUND, _ROWS = 72, 6
_AXIS, _POINTER, _INNER, _TWIST, _MARK = 1.25, 1.08, 0.72, 0.34, 0.1
"""In parts of the radius: lengths of axes and pointer, where the band of a stop begins, radius of torsion's arc at
the pointer's tip, and size of marks on lines."""
_OPEN_RAD, _OPEN_M = math.radians(25.0), 0.02
"""How far a stop that ends nowhere is drawn (*assumed*)."""
_MOST_M = 0.25
"""How far a slide that nothing stops is drawn to each side (*assumed*)."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class JointState:
    """A joint's own coordinates (rad and m), in the order of its chain, and what holds it just now."""

    values: tuple[float, ...]
    held: frozenset[str] = frozenset()
    """Names of coordinates that a lock holds."""
    is_broken: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One coordinate as it is drawn: its name, unit, value and range."""

    name: str
    unit: str
    value: float
    range: Range
    is_held: bool = False


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where a pointer starts (m), and its direction; of a slide, where it stands and along what."""

    name: str
    at: Array
    way: Array


@dataclass(frozen=True, slots=True)
class Reach:
    """Hold everything that is drawn of a joint, in ground axes."""

    at: Array
    readings: list[Reading] = field(default_factory=list)
    strokes: list[tuple[Tone, Array]] = field(default_factory=list)
    areas: list[tuple[Tone, Mesh]] = field(default_factory=list)
    letters: list[tuple[Literal["x", "y", "z"], Array]] = field(default_factory=list)
    pointers: list[Pointer] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Limits:
    """What of a joint does not change while it moves."""

    axes: Mapping[str, Range]
    twist: Range
    begin: Array
    end: Array
    """Flexure at which stops begin and end all round."""


_AZIMUTHS = np.linspace(0.0, 2.0 * math.pi, _AROUND + 1)


def limits(project: Project, joint: Joint, start: tuple[float, ...]) -> Limits:
    """Find how far a joint goes that starts with these coordinates."""
    begin, end = bends(project, joint, _AZIMUTHS)
    return Limits(ranges_of(project, joint, start), twists(project, joint), begin, end)


def reach(
    project: Project, joint: Joint, known: Limits, pose: Pose, now: JointState, radius: float
) -> Reach:
    """Draw a joint as it stands; of one that holds its child altogether, or is broken, the axes alone."""
    bearer = pose[joint.parent]
    R = bearer.R_WS @ turn(joint.parent_frame.orientation)
    at = bearer.of(joint.parent_frame.position_m)
    out = Reach(at)
    if is_rigid(joint) or now.is_broken:
        for letter in ("x", "y", "z"):
            _axis(out, at, R, letter, radius)
        return out
    row = row_of(joint)
    is_ball = row.acts == "ball"
    for freedom, value in zip(row.freedoms, now.values, strict=True):
        held = freedom.name in now.held
        if freedom in row.slides:
            way = R[:, "xyz".index(freedom.axis)]
            one = Reading(freedom.name, "m", value, known.axes[freedom.name], held)
            _line(out, at, way, freedom.axis, one, radius)
            at = at + value * way
        elif not is_ball:
            _axis(out, at, R, freedom.axis, radius)
            one = Reading(freedom.name, "rad", value, known.axes[freedom.name], held)
            zero = "x" if freedom.axis == "z" else "z"
            _arc(out, at, R[:, "xyz".index(freedom.axis)], R[:, "xyz".index(zero)], one, radius)
            R = R @ about_axis(freedom.axis, value)
    if is_ball:
        _ball(out, project, joint, known, at, R, now, radius)
    elif contour_of(joint) is not None:
        # precession and nutation of the child's axis are as those of a ball
        R_P = bearer.R_WS @ turn(joint.parent_frame.orientation)
        _cone(out, at, R_P, known, radius)
    return out


def _ball(
    out: Reach, project: Project, joint: Joint, known: Limits, at: Array, R: Array, now: JointState, radius: float
) -> None:  # fmt: skip
    for letter in ("x", "y", "z"):
        _axis(out, at, R, letter, radius)
    row = row_of(joint)
    bend, twist, axis = bend_and_twist(from_angles(row.turned(now.values), row.order))
    azimuth = math.atan2(-axis[0], axis[1])
    held = not now.held.isdisjoint(one.name for one in row.turns)
    _cone(out, at, R, known, radius)
    bent = R @ about_axis("z", azimuth) @ about_axis("y", bend) @ about_axis("z", -azimuth)
    flexed = Reading("flexure", "rad", bend, bend_range(project, joint, azimuth), held)
    out.readings.append(flexed)
    _point(out, "flexure", at, bent[:, 2], bent[:, 0], flexed, radius)
    tip = at + _POINTER * radius * bent[:, 2]
    one = Reading("torsion", "rad", twist, known.twist, held)
    _arc(out, tip, bent[:, 2], bent[:, 0], one, _TWIST * radius)


def _axis(out: Reach, at: Array, R: Array, letter: str, radius: float) -> None:
    name: Literal["x", "y", "z"] = letter  # type: ignore[assignment]
    tip = at + _AXIS * radius * R[:, "xyz".index(letter)]
    out.strokes.append((name, np.array([at, tip])))
    out.letters.append((name, at + (_AXIS + 0.14) * (tip - at) / _AXIS))


def _arc(out: Reach, at: Array, axis: Array, zero: Array, one: Reading, radius: float) -> None:
    """Draw an angle: the sector in which it is free, the bands of its stops, and a pointer."""
    side = np.cross(axis, zero)

    def places(low: float, high: float, size: float) -> Array:
        steps = max(2, math.ceil((high - low) / _STEP_RAD) + 1)
        angles = np.linspace(low, high, steps)[:, None]
        found: Array = at + size * radius * (np.cos(angles) * zero + np.sin(angles) * side)
        return found

    known, free = one.range, one.range.high - one.range.low
    if known.is_free or free >= 2.0 * math.pi:
        out.strokes.append(("ring", places(0.0, 2.0 * math.pi, 1.0)))
    else:
        # of one that is stopped to one side alone, a half turn of the other is drawn
        low = known.low if math.isfinite(known.low) else min(one.value, known.high - math.pi)
        high = known.high if math.isfinite(known.high) else max(one.value, known.low + math.pi)
        if not known.is_resisted:
            rim = places(low, high, 1.0)
            out.areas.append(("free", _fan(at, rim)))
            out.strokes.append(("free", np.vstack([at, rim, at])))
        room = 2.0 * math.pi - (high - low)
        tone: Tone = "resisted" if known.is_resisted else "stop"
        for near, far, way in ((known.high, known.most, 1.0), (known.low, known.least, -1.0)):
            if not math.isfinite(near):
                continue
            stretch = min(abs(far - near) if math.isfinite(far) else _OPEN_RAD, room)
            ends = sorted((near, near + way * stretch))
            outer, inner = places(ends[0], ends[1], 1.0), places(ends[0], ends[1], _INNER)
            out.areas.append((tone, _band(outer, inner)))
            out.strokes.extend(((tone, outer), (tone, inner)))
            if math.isfinite(far) and stretch < room:
                out.strokes.append(("end", np.vstack([places(far, far, s)[:1] for s in (_INNER, 1.1)])))  # fmt: skip
    way_ = math.cos(one.value) * zero + math.sin(one.value) * side
    out.readings.append(one)
    across = -math.sin(one.value) * zero + math.cos(one.value) * side
    _point(out, one.name, at, way_, across, one, radius)


def _point(
    out: Reach, name: str, at: Array, way: Array, across: Array, one: Reading, radius: float
) -> None:
    """Draw a pointer with its head, whose colour tells whether it is in a stop."""
    tone: Tone = "pointer" if one.range.where(one.value) == "free" else "met"
    tip, neck = at + _POINTER * radius * way, at + (_POINTER - 2.0 * _MARK) * radius * way
    half = 0.6 * _MARK * radius * across
    out.strokes.append((tone, np.array([at, neck])))
    out.areas.append((tone, Mesh(np.array([tip, neck + half, neck - half]), np.array([[0, 1, 2]]))))
    out.pointers.append(Pointer(name, at, way))


def _cone(out: Reach, at: Array, R: Array, known: Limits, radius: float) -> None:
    """Draw where stops of a bend begin, as a cone about z, and the band of the sphere in which they work."""
    if not np.isfinite(known.begin).any():
        return
    begin = np.minimum(known.begin, math.pi)
    open_ = np.minimum(begin + _OPEN_RAD, math.pi)
    end = np.minimum(np.where(np.isfinite(known.end), known.end, open_), math.pi)

    def rim(bend: Array) -> Array:
        level = np.sin(bend)
        own = [level * np.cos(_AZIMUTHS), level * np.sin(_AZIMUTHS), np.cos(bend)]
        places: Array = at + radius * np.stack(own, axis=1) @ R.T
        return places

    resisted = bool((begin < _SAME).all())
    tone: Tone = "thin" if resisted else "shell"
    rows = [rim(begin + u * (end - begin)) for u in np.linspace(0.0, 1.0, _ROWS)]
    for one, other in zip(rows[1:], rows[:-1], strict=True):
        out.areas.append((tone, _band(one, other)))
    if not resisted:
        out.areas.append(("free", _fan(at, rows[0])))
        out.strokes.append(("free", rows[0]))
    if np.isfinite(known.end).any():
        out.strokes.append(("end", rows[-1]))


def _line(out: Reach, at: Array, way: Array, letter: str, one: Reading, radius: float) -> None:
    """Draw a slide: the stretch on which it is free, those of its stops, and where it stands."""
    known, value = one.range, one.value
    # bars lie across the way, in any direction
    across = np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))])
    across *= _MARK * radius / np.linalg.norm(across)

    def bar(to: float, size: float) -> Array:
        middle = at + to * way
        return np.array([middle - size * across, middle + size * across])

    low = known.low if math.isfinite(known.low) else min(value, min(known.high, 0.0) - _MOST_M)
    high = known.high if math.isfinite(known.high) else max(value, max(known.low, 0.0) + _MOST_M)
    out.strokes.append(("ring" if known.is_free else "free", np.array([at + low * way, at + high * way])))  # fmt: skip
    tone: Tone = "resisted" if known.is_resisted else "stop"
    for near, far, sign in ((known.high, known.most, 1.0), (known.low, known.least, -1.0)):
        if not math.isfinite(near):
            continue
        to = far if math.isfinite(far) else near + sign * _OPEN_M
        out.areas.append((tone, _band(bar(near, 1.0), bar(to, 1.0))))
        out.strokes.append((tone, np.array([at + near * way, at + to * way])))
        if math.isfinite(far):
            out.strokes.append(("end", bar(far, 1.6)))
    met: Tone = "pointer" if known.where(value) == "free" else "met"
    here, head = at + value * way, 2.0 * _MARK * radius * way
    side = np.cross(way, across)
    square = [here + head, here + across, here + side, here - across, here - side, here - head]
    faces = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (5, 2, 1), (5, 3, 2), (5, 4, 3), (5, 1, 4)]
    out.areas.append((met, Mesh(np.array(square), np.array(faces))))
    out.readings.append(one)
    out.pointers.append(Pointer(one.name, here, way))
    far_ = max(high, known.most if math.isfinite(known.most) else high, value) + 0.3 * radius
    name: Literal["x", "y", "z"] = letter  # type: ignore[assignment]
    out.letters.append((name, at + far_ * way))


def _fan(at: Array, rim: Array) -> Mesh:
    count = len(rim)
    faces = np.array([(0, k, k + 1) for k in range(1, count)])
    return Mesh(np.vstack([at, rim]), faces)


def _band(one: Sequence[Array] | Array, other: Sequence[Array] | Array) -> Mesh:
    count = len(one)
    k = np.arange(count - 1)
    faces = np.vstack([
        np.stack([k, k + 1, count + k], axis=1), np.stack([k + 1, count + k + 1, count + k], axis=1)
    ])  # fmt: skip
    return Mesh(np.vstack([one, other]), faces)
