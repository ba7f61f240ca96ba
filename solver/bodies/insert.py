"""Put bodies into projects: under a prefix, at a place, with what they touch."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from solver.bodies.body import LEFT, RIGHT, ROOT, SURFACE, Body, BodyError, tidy3
from solver.bodies.own_contacts import (
    begun,
    bones,
    flesh,
    is_bony,
    lying_pairs,
    own_law,
    own_pairs,
)
from solver.bodies.posture import held
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from, joint_values
from solver.project.contact import Contact, PlaneContact, SurfaceContact
from solver.project.coordinate_forces import CoordinateForce
from solver.project.coordinates import JointCoordinate
from solver.project.document import Project
from solver.project.fields import ZERO3, Vec3
from solver.project.geometry import Orientation, SurfaceRef
from solver.project.joint_table import row_of
from solver.project.joints import Joint
from solver.project.merging import MergeError, merged, prefixed
from solver.project.motions import AttitudeStart, Initial, JointStart, RootStart
from solver.project.outputs import FilterClass, PointOutput
from solver.project.pose import Placed, across, turn
from solver.project.reading import validated
from solver.project.runs import Run
from solver.project.segments import GROUND

Anchor = Literal["root", "hips", "lowest"]
ANCHORS: tuple[Anchor, ...] = ("root", "hips", "lowest")
SENSORS: tuple[tuple[str, str, FilterClass], ...] = (
    ("head", "head", 1000),
    ("chest", "upper_torso", 180),
    ("pelvis", "lower_torso", 1000),
)
"""Accelerometers in mass centres: name, segment, and the channel class of SAE J211 for it."""
STILL = 1e-8
"""Angles of joints (rad) below which nothing is written."""


@dataclass(frozen=True, slots=True)
class Place:
    """Say where a body goes, in the axes of `relative_to`.

    `anchor` is what of the body comes to `position_m`: the root's mass centre, the middle of both hip
    joints, or, for the place's z alone, the point that lies lowest along +z (x and y are then the hips').
    `orientation` turns the whole body. It moves with `moves_with`, and `velocity_m_per_s` is added.
    """

    position_m: Vec3 = ZERO3
    orientation: Orientation = field(default_factory=Orientation)
    anchor: Anchor = "root"
    relative_to: str = GROUND
    moves_with: str = GROUND
    velocity_m_per_s: Vec3 = ZERO3


@dataclass(frozen=True, slots=True)
class Touch:
    """Allow a segment of the body to press on a plane, or on a surface.

    `segment` is a plain id of the body. `on` is the id of a plane of the project, or SEGMENT.SURFACE of the
    project; with `own` it is another segment of the same body, by its plain id, or SEGMENT.SURFACE.
    """

    segment: str
    on: str
    law: str
    own: bool = False
    surface: str = SURFACE


def insert_body(
    project: Project,
    body: Body,
    prefix: str = "",
    at: Place | None = None,
    *,
    group: str = "Occupant",
    touches: Sequence[Touch] = (),
    sensors: bool = False,
    own_contacts: bool = True,
) -> Project:
    """A new project that has the body in it; ids are the plain ones behind `prefix` and '_'.

    The root has an attitude, and every joint its own angles, so that a joint that is turned later takes
    along what it carries. With `sensors`, accelerometers in head, chest and pelvis are among the outputs.
    With `own_contacts`, parts of the body that could pass through each other press on each other instead.
    """
    at = at or Place()
    _refuse_unknown(project, at)
    lead = f"{prefix}_" if prefix else ""
    piece = prefixed(_toned(_alone(body, at, group, sensors), body, group), prefix)
    root = piece.initial.roots[0].model_copy(
        update={"relative_to": at.relative_to, "moves_with": at.moves_with}
    )
    attitudes = tuple(
        a.model_copy(update={"relative_to": at.relative_to}) for a in piece.initial.attitudes
    )
    start = piece.initial.model_copy(update={"roots": (root,), "attitudes": attitudes})
    contacts = tuple(_contact(project, body, lead, group, touch) for touch in touches)
    piece = piece.model_copy(update={"initial": start, "contacts": contacts})
    # reading it as plain data says at once what an id or a number may not be
    piece = validated(piece.model_dump())
    if own_contacts:
        piece = _with_flesh(piece, body, at, lead, group, touches)
    try:
        return merged(project, piece)
    except MergeError as failure:
        raise BodyError(str(failure)) from None


def _alone(body: Body, at: Place, group: str, sensors: bool) -> Project:
    """The body as a piece of a project, with plain ids, at its place in the carrier's axes."""
    placed = placed_at(body, at)
    root = placed[ROOT]
    angles = {joint.id: _angles(joint, placed) for joint in body.joints}
    under = {"group": group}
    also = body.also or Project()
    return Project(
        segments=tuple(s.model_copy(update=under) for s in body.segments),
        joints=tuple(j.model_copy(update=under) for j in body.joints),
        functions=tuple(f.model_copy(update=under) for f in body.functions),
        contact_laws=tuple(law.model_copy(update=under) for law in also.contact_laws),
        coordinate_forces=tuple(f.model_copy(update=under) for f in also.coordinate_forces),
        outputs=(
            *(_sensor(group, *one) for one in SENSORS),
            *(one.model_copy(update=under) for one in also.outputs),
        )
        if sensors
        else (),
        initial=Initial(
            roots=(
                RootStart(
                    segment=ROOT,
                    position_m=tidy3(root.p_W),
                    velocity_m_per_s=at.velocity_m_per_s,
                ),
            ),
            attitudes=_root_attitude(root, at),
            joints=tuple(
                JointStart(joint=id_, values=values)
                for id_, values in angles.items()
                if any(values)
            ),
        ),
    )


def _toned(piece: Project, body: Body, group: str) -> Project:
    """Give the piece with what holds its posture, in a group of its own."""
    if body.tone is None:
        return piece
    before = {one.id for one in piece.coordinate_forces}
    made = held(piece, body.toned, body.tone)
    # a disc bears what presses it by itself
    along = {joint.id for joint in body.joints if joint.id in body.rests and row_of(joint).slides}
    forces = tuple(
        one if one.id in before else one.model_copy(update={"group": f"{group}/Posture"})
        for one in made.coordinate_forces
        if one.id in before or not _slides(one, along)
    )
    return made.model_copy(update={"coordinate_forces": forces})


def _slides(one: CoordinateForce, joints: Set[str]) -> bool:
    at = one.coordinate
    return isinstance(at, JointCoordinate) and at.joint in joints and at.axis == "slide"


def _with_flesh(
    piece: Project, body: Body, at: Place, lead: str, group: str, touches: Sequence[Touch]
) -> Project:
    """The piece with the contacts of the body's parts with each other, and their law."""
    asked = {frozenset((t.segment, t.on.partition(".")[0])) for t in touches if t.own}
    placed = placed_at(body, at)
    begins = dict.fromkeys(own_pairs(body, placed), 0.0) | lying_pairs(body, placed)
    pairs = {
        pair: from_m
        for pair, from_m in begins.items()
        if frozenset(name.partition(".")[0] for name in pair) not in asked
    }
    if not pairs:
        return piece
    kinds = sorted({(is_bony(pair), from_m) for pair, from_m in pairs.items()} | {(False, 0.0)})
    whole = {bony: bones(body) if bony else flesh() for bony, _ in kinds}
    laws = {kind: begun(whole[kind[0]], kind[1]) for kind in kinds}
    contacts = tuple(
        SurfaceContact(
            id=f"{lead}{a.replace('.', '_')}-{b.replace('.', '_')}",
            group=f"{group}/Own contacts",
            first=_own_surface(body, lead, a),
            second=_own_surface(body, lead, b),
            law=lead + (own_law((a, b)) or laws[is_bony((a, b)), from_m][1].id),
        )
        for (a, b), from_m in pairs.items()
    )
    parts = Project(
        functions=tuple({f.id: f for curves, _ in laws.values() for f in curves}.values()),
        contact_laws=tuple(law for _, law in laws.values()),
    )
    named = prefixed(parts, lead.removesuffix("_")) if lead else parts
    own: dict[str, Sequence[Any]] = {
        name: [one.model_copy(update={"group": group}) for one in getattr(named, name)]
        for name in ("functions", "contact_laws")
    }
    own["contacts"] = contacts
    return piece.model_copy(
        update={name: (*getattr(piece, name), *more) for name, more in own.items()}
    )


def body_project(
    body: Body, *, title: str = "", duration_s: float = 0.2, own_contacts: bool = True
) -> Project:
    """A project with the body alone, its lowest point in the plane z = 0."""
    empty = Project(
        title=title or body.title,
        note=body.note,
        source=body.source,
        runs=(Run(id="run", duration_s=duration_s),),
    )
    place = Place(anchor="lowest")
    return insert_body(empty, body, at=place, sensors=True, own_contacts=own_contacts)


def _refuse_unknown(project: Project, at: Place) -> None:
    known = {segment.id for segment in project.segments} | {GROUND}
    for what, segment in (("relative to", at.relative_to), ("moves with", at.moves_with)):
        if segment not in known:
            raise BodyError(
                "There is no segment '{segment}' for '{what}' in the project.",
                segment=segment,
                what=what,
            )
    if at.anchor not in ANCHORS:
        raise BodyError(
            "There is no anchor '{anchor}'. There are: {anchors}.",
            anchor=at.anchor,
            anchors=", ".join(ANCHORS),
        )


def _pose(body: Body, R: Array) -> dict[str, Placed]:
    """Place every segment from the root's mass centre, the whole body turned."""
    placed = {ROOT: Placed(R @ turn(body.attitudes[ROOT]), np.zeros(3))}
    for joint in body.joints:
        parent = placed[joint.parent]
        R_WC = R @ turn(body.attitudes[joint.child])
        # what the joint does not allow is left out, as it would be at the start
        R_WP = parent.R_WS @ turn(joint.parent_frame.orientation)
        R_C = turn(joint.child_frame.orientation)
        values = _values(joint, R_WP.T @ R_WC @ R_C)
        R_WS = R_WP @ across(joint, values)[0] @ R_C.T
        point = parent.p_W + parent.R_WS @ np.array(joint.parent_frame.position_m)
        placed[joint.child] = Placed(R_WS, point - R_WS @ np.array(joint.child_frame.position_m))
    return placed


def placed_at(body: Body, at: Place) -> dict[str, Placed]:
    """Place every segment in the axes of `relative_to`."""
    placed = _pose(body, turn(at.orientation))
    target = np.array(at.position_m, float)
    shift = target.copy()
    if at.anchor != "root":
        joints = [body.joint(side + "hip") for side in (RIGHT, LEFT)]
        hips = [placed[one.parent].of(one.parent_frame.position_m) for one in joints]
        shift = target - 0.5 * (hips[0] + hips[1])
        if at.anchor == "lowest":
            shift[2] = target[2] - _lowest(body, placed)
    return {name: Placed(p.R_WS, p.p_W + shift) for name, p in placed.items()}


def _lowest(body: Body, placed: dict[str, Placed]) -> float:
    lowest = -math.inf
    for segment in body.segments:
        here = placed[segment.id]
        surface = next((s for s in segment.surfaces if s.id == SURFACE), None)
        if surface is None:
            continue
        R = here.R_WS @ turn(surface.orientation)
        centre = here.p_W + here.R_WS @ np.array(surface.centre_m)
        reach = float(np.linalg.norm(R[2] * np.array(surface.semi_axes_m)))
        lowest = max(lowest, float(centre[2]) + reach)
    return lowest


def _angles(joint: Joint, placed: dict[str, Placed]) -> tuple[float, ...]:
    parent, child = placed[joint.parent], placed[joint.child]
    R_WP = parent.R_WS @ turn(joint.parent_frame.orientation)
    R_WC = child.R_WS @ turn(joint.child_frame.orientation)
    slides, found = len(row_of(joint).slides), _values(joint, R_WP.T @ R_WC)
    turns = tidy3([*found[slides:], 0.0, 0.0, 0.0][:3])[: len(found) - slides]
    return tuple(v if abs(v) > STILL else 0.0 for v in (*found[:slides], *turns))


def _values(joint: Joint, R_PC: Array) -> tuple[float, ...]:
    """The coordinates of a joint that has turned so far and slid nowhere."""
    like = (0.0,) * (len(row_of(joint).slides) + 3)
    return joint_values(joint, R_PC, np.zeros(3), like)


def _root_attitude(root: Placed, at: Place) -> tuple[AttitudeStart, ...]:
    x, y, z = (a if abs(a) > STILL else 0.0 for a in tidy3(angles_from(root.R_WS, "zyx")))
    if not any((x, y, z)) and at.relative_to == GROUND:
        return ()
    return (AttitudeStart(segment=ROOT, orientation=Orientation(angles_rad=(x, y, z))),)


def _sensor(group: str, name: str, segment: str, filter_class: FilterClass) -> PointOutput:
    return PointOutput(
        id=f"{name}_acceleration",
        name=f"{name.capitalize()} acceleration",
        group=group,
        segment=segment,
        quantity="acceleration",
        with_gravity=True,
        cfc=filter_class,
    )


def _contact(project: Project, body: Body, lead: str, group: str, touch: Touch) -> Contact:
    if touch.law not in {law.id for law in project.contact_laws}:
        raise BodyError("There is no contact law '{law}' in the project.", law=touch.law)
    first = _own_surface(body, lead, f"{touch.segment}.{touch.surface}")
    common: dict[str, Any] = {"group": group, "law": touch.law}
    text = touch.on.replace(".", "_")
    if touch.own:
        second = _own_surface(body, lead, touch.on)
        return SurfaceContact(
            id=f"{lead}{touch.segment}_{text}", first=first, second=second, **common
        )
    if "." in touch.on:
        segment, _, surface = touch.on.partition(".")
        return SurfaceContact(
            id=f"{lead}{touch.segment}_{text}",
            first=first,
            second=SurfaceRef(segment=segment, surface=surface),
            **common,
        )
    if touch.on not in {plane.id for plane in project.planes}:
        raise BodyError(
            "There is no plane '{on}' in the project; a surface is named SEGMENT.SURFACE.",
            on=touch.on,
        )
    return PlaneContact(id=f"{lead}{touch.segment}_{text}", plane=touch.on, surface=first, **common)


def _own_surface(body: Body, lead: str, name: str) -> SurfaceRef:
    segment, _, surface = name.partition(".")
    surface = surface or SURFACE
    if surface not in {s.id for s in body.segment(segment).surfaces}:
        raise BodyError(
            "The body's segment '{segment}' has no surface '{surface}'.",
            segment=segment,
            surface=surface,
        )
    return SurfaceRef(segment=lead + segment, surface=surface)
