"""Put a piece of a project into another: new ids, a new carrier, a new place.

In a piece, `ground` stands for whatever will carry it, and places are counted from the piece's own
origin. Ids that begin with `@` name a part of the occupant; they are left for the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from solver.base.words import Refusal, Sentence
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.beams import BeamEnd
from solver.project.belts import AnchorPoint, JunctionPoint, RingPoint
from solver.project.crash_frames import CrashFrame
from solver.project.document import LISTS, Project
from solver.project.fields import Part
from solver.project.frames import OwnFrame
from solver.project.geometry import Frame, FrameRef, Orientation, PointRef
from solver.project.joints import JointBase
from solver.project.motions import AttitudeStart, Initial, RootStart
from solver.project.outputs import ElementOutput
from solver.project.pose import Placed, turn
from solver.project.problems import listed
from solver.project.segments import GROUND, Plane, SegmentMesh, ThreePoints

Rename = Callable[[str, str], str]
"""Gives the new id for a list's name and an id in it."""

Vector = tuple[float, float, float]
ROLE = "@"
OWN = ("runs", "studies")
"""Lists that a piece does not bring along."""


class MergeError(Refusal, ValueError):
    """Say in a sentence why a piece cannot be put into a project."""


def rebuilt(part: Any, visit: Callable[[Any], Any]) -> Any:
    """Give a part again, from the inside out, each part as `visit` gives it back."""
    changes: dict[str, Any] = {}
    for name in type(part).model_fields:
        value = getattr(part, name)
        if isinstance(value, Part):
            changes[name] = rebuilt(value, visit)
        elif isinstance(value, tuple) and any(isinstance(one, Part) for one in value):
            changes[name] = tuple(rebuilt(one, visit) for one in value)
    changed = {name: new for name, new in changes.items() if new != getattr(part, name)}
    return visit(part.model_copy(update=changed) if changed else part)


def renamed(fragment: Project, rename: Rename) -> Project:
    """Give the piece with every id of its lists, and every reference to one, as `rename` says."""

    def led(value: Any) -> Any:
        if value is None or isinstance(value, tuple):
            return value and tuple(led(one) for one in value)
        list_, _, rest = value.partition("/")
        id_, dash, behind = rest.partition("/")
        return f"{list_}/{rename(list_, id_)}{dash}{behind}" if list_ in LISTS else value

    def refer(part: Any) -> Any:
        changes: dict[str, Any] = {}
        for name, field in type(part).model_fields.items():
            extra = field.json_schema_extra
            if isinstance(extra, dict) and "leads_to" in extra:
                changes[name] = led(getattr(part, name))
                continue
            if not isinstance(extra, dict) or "refers_to" not in extra:
                continue
            to, value = str(extra["refers_to"]), getattr(part, name)
            if to in OWN or value in extra.get("words", ()):
                continue
            if isinstance(value, str):
                changes[name] = rename(to, value)
            elif isinstance(value, tuple):
                changes[name] = tuple(rename(to, one) for one in value)
        if isinstance(part, ElementOutput):
            changes["element"] = rename(part.of, part.element)
        return part.model_copy(update=changes) if changes else part

    lists = {
        name: tuple(
            item.model_copy(update={"id": rename(name, item.id)})
            for item in getattr(fragment, name)
        )
        for name in LISTS
        if name not in OWN
    }
    new: Project = rebuilt(fragment.model_copy(update=lists), refer)
    return new


def prefixed(fragment: Project, prefix: str, carrier: str = GROUND) -> Project:
    """Give the piece with `prefix_` before its ids, carried by `carrier` instead of the ground."""
    ahead = f"{prefix}_" if prefix else ""

    def rename(to: str, name: str) -> str:
        if to == "segments" and name == GROUND:
            return carrier
        return name if name.startswith(ROLE) else f"{ahead}{name}"

    return renamed(fragment, rename)


def moved(fragment: Project, at: Vector, by: Orientation | None = None) -> Project:
    """The piece with all that the ground carries in it turned `by`, then set down `at` (m)."""
    return shifted(fragment, {GROUND: Placed(turn(by or Orientation()), np.array(at))})


def shifted(fragment: Project, on: Mapping[str, Placed]) -> Project:
    """The piece with all that some segments carry turned and shifted, as is told for each of them in its own axes."""
    if all(not way.p_W.any() and np.array_equal(way.R_WS, np.eye(3)) for way in on.values()):
        return fragment
    new: Project = shifted_part(fragment, on)
    return new


def shifted_part(whole: Any, on: Mapping[str, Placed]) -> Any:
    """A part, or a piece, with all that some segments carry turned and shifted."""

    def place(position: Vector, way: Placed) -> Vector:
        return _vector(way.p_W + way.R_WS @ np.array(position))

    def orient(orientation: Orientation, way: Placed) -> Orientation:
        return _orientation(way.R_WS @ turn(orientation), orientation)

    def framed(frame: Frame, way: Placed) -> Frame:
        return Frame(position_m=place(frame.position_m, way), orientation=orient(frame.orientation, way))  # fmt: skip

    def move(part: Any) -> Any:
        way = on.get(_carrier(part) or "")
        if way is None:
            return part
        if isinstance(part, PointRef | AnchorPoint | RingPoint | JunctionPoint):
            return part.model_copy(update={"position_m": place(part.position_m, way)})
        if isinstance(part, FrameRef | BeamEnd | CrashFrame | SegmentMesh):
            return part.model_copy(update={"frame": framed(part.frame, way)})
        if isinstance(part, OwnFrame):
            at = {"position_m": place(part.position_m, way), "orientation": orient(part.orientation, way)}  # fmt: skip
            return part.model_copy(update=at)
        if isinstance(part, JointBase):
            return part.model_copy(update={"parent_frame": framed(part.parent_frame, way)})
        if isinstance(part, RootStart):
            velocity = _vector(way.R_WS @ np.array(part.velocity_m_per_s))
            at = {"position_m": place(part.position_m, way), "velocity_m_per_s": velocity}
            return part.model_copy(update=at)
        if isinstance(part, AttitudeStart):
            return part.model_copy(update={"orientation": orient(part.orientation, way)})
        placement = _placement(part.placement, lambda p: place(p, way), lambda f: framed(f, way))
        return part.model_copy(update={"placement": placement})

    return rebuilt(whole, move)


def _carrier(part: Any) -> str | None:
    """The segment in whose axes a part has a place; None for what has none."""
    if isinstance(part, JunctionPoint):
        return GROUND if part.surface is None else None
    if isinstance(part, OwnFrame) and part.relative_to is not None:
        return None
    if isinstance(part, JointBase):
        return part.parent
    if isinstance(part, RootStart | AttitudeStart):
        return part.relative_to
    placed = (PointRef, AnchorPoint, RingPoint, FrameRef, BeamEnd, CrashFrame, SegmentMesh, OwnFrame, Plane)  # fmt: skip
    return part.segment if isinstance(part, placed) else None


def joined_to(fragment: Project, carrier: Placed) -> Project:
    """The piece with points that are counted in ground axes brought to the carrier's start."""

    def move(part: Any) -> Any:
        if isinstance(part, JunctionPoint) and part.surface is None:
            p_W = carrier.p_W + carrier.R_WS @ np.array(part.position_m)
            return part.model_copy(update={"position_m": _vector(p_W)})
        return part

    new: Project = rebuilt(fragment, move)
    return new


def merged(project: Project, fragment: Project) -> Project:
    """Give the project with the piece's elements behind its own; raises MergeError where ids clash.

    Title, gravity, runs and studies stay the project's own.
    """
    changes: dict[str, Any] = {}
    for name in LISTS:
        new = getattr(fragment, name)
        if not new or name in OWN:
            continue
        old = getattr(project, name)
        there = {item.id for item in old}
        twice = [item.id for item in new if item.id in there]
        if twice:
            raise MergeError(
                "{name}: {twice} {part} there already; choose another prefix.",
                name=name,
                twice=listed(twice),
                part=(Sentence("is") if len(twice) == 1 else Sentence("are")),
            )
        changes[name] = (*old, *new)
    start, more = project.initial, fragment.initial
    changes["initial"] = Initial(
        roots=(*start.roots, *more.roots),
        attitudes=(*start.attitudes, *more.attitudes),
        joints=(*start.joints, *more.joints),
    )
    return project.model_copy(update=changes)


def _placement(
    placement: Any, place: Callable[[Vector], Vector], framed: Callable[[Frame], Frame]
) -> Any:
    """Move a plane's corners or its frame."""
    if isinstance(placement, ThreePoints):
        corners = {name: place(getattr(placement, name)) for name in ("p1_m", "p2_m", "p3_m")}
        return placement.model_copy(update=corners)
    return placement.model_copy(update={"frame": framed(placement.frame)})


def _vector(p: Array) -> Vector:
    """A vector as the document writes it, without the last digits of a sum."""
    x, y, z = (float(f"{value:.12g}") if abs(value) > 1e-14 else 0.0 for value in p)
    return x, y, z


def _orientation(R: Array, like: Orientation) -> Orientation:
    """Give an orientation in the order of another."""
    if np.allclose(R, turn(like), rtol=0.0, atol=1e-15):
        return like
    angles = angles_from(R, like.order, like.angles_rad)
    return Orientation(angles_rad=_vector(np.array(angles)), order=like.order)
