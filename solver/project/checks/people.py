"""Check that joints of people have an end of motion about every free axis (third pass)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from solver.base.words import Sentence, joined
from solver.project.azimuths import FlexureTable
from solver.project.belts import AnchorPoint, Belt, Harness, RingPoint
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.coordinate_forces import (
    HillMuscle,
    LinearResistance,
    PlasticHinge,
    RateResistance,
    RestResistance,
    StopResistance,
)
from solver.project.coordinates import JointCoordinate
from solver.project.document import Project
from solver.project.forms import last_argument, value_at
from solver.project.joint_table import axes_of, ball_of, contour_of, is_cut
from solver.project.joints import Joint, Lock, Spring
from solver.project.posing import root_of
from solver.project.problems import Problem, listed
from solver.project.segments import GROUND, Segment

PARTS = (
    "head", "neck", "torso", "thorax", "chest", "abdomen", "pelvis", "hips", "lumbar", "ribs", "clavicle", "shoulder",
    "arm", "forearm", "hand", "leg", "thigh", "femur", "shank", "tibia", "foot",
)  # fmt: skip
"""Words in ids and names of segments of people."""
NO_PARTS = (
    "rest",
    "restraint",
    "pad",
    "board",
    "liner",
    "support",
    "airbag",
    "bag",
    "belt",
    "seat",
    "robot",
    "link",
)
"""Words beside them of things that are none."""


WHOLE = (({"head"},), ({"upper", "torso"}, {"thorax"}, {"chest"}), ({"lower", "torso"}, {"pelvis"}))
"""Words of parts without which a tree is no person."""


def parts_of_people(index: Index) -> set[str]:
    """The segments that are parts of people, by ids and names: a person has a head, a chest and a pelvis in one tree."""
    words = {one.id: words_of(one) for one in index.project.segments}
    tree = {name: name for name in words}

    def root(name: str) -> str:
        while tree[name] != name:
            name = tree[name]
        return name

    for joint in index.project.joints:
        if joint.parent in tree and joint.child in tree:
            tree[root(joint.child)] = root(joint.parent)
    trees: dict[str, list[str]] = {}
    for name in words:
        trees.setdefault(root(name), []).append(name)
    found = set[str]()
    for its in trees.values():
        parts = [name for name in its if words[name]]
        if all(any(way <= words[one] for one in parts for way in ways) for ways in WHOLE):
            found |= {one for one in parts if not words[one].isdisjoint(PARTS)}
    return found


def words_of(segment: Segment) -> set[str]:
    """The words of a segment's id and name; none of what is no part of a person."""
    words = set(re.findall(r"[a-z]+", f"{segment.id} {segment.name}".lower()))
    return words if words.isdisjoint(NO_PARTS) else set()


ENDING = (
    LinearResistance,
    RestResistance,
    StopResistance,
    RateResistance,
    HillMuscle,
    PlasticHinge,
)
"""Laws that resist the more the farther a joint goes. Friction and damping do not, and muscles and actuators have a bound."""


@finds(
    PHYSICS,
    warning={"joint-endless": "Nothing ends the motion of a person's joint about a free axis."},
)
def ends_of_people(index: Index) -> Iterator[Problem]:
    """Find joints of people that go on without end about an axis."""
    people = parts_of_people(index)
    by_laws = {
        (one.coordinate.joint, one.coordinate.axis)
        for one in index.project.coordinate_forces
        if isinstance(one.coordinate, JointCoordinate)
        and any(isinstance(law, ENDING) for law in one.laws)
    }
    for joint, path in index.elements("joints"):
        if joint.parent not in people or joint.child not in people:
            continue
        endless = list(_endless(index, joint, {axis for id_, axis in by_laws if id_ == joint.id}))
        if endless:
            sentence = Sentence(
                "Nothing ends the motion of '{joint}': no spring, stop, function or contour resists {axes}.",
                joint=joint.id,
                axes=joined(", ", endless),
            )
            hint = "Give it a stop, or lock the axis; where muscles alone hold it, add a spring or a law of rest or stop."
            yield problem("joint-endless", path, sentence, hint)


JACKET, SIDE_RIB, RIBS = "jacket", "left_rib_1", "left_ribs"
"""What a dummy's chest has, what it has besides where it is made for crashes from the side, and what a person with a flexible spine has."""


@finds(
    PHYSICS,
    warning={"dummy-direction": "A dummy is made for crashes from another direction."},
)
def directions_of_dummies(index: Index) -> Iterator[Problem]:
    """Find dummies for crashes from ahead in one from the side or from behind, and those for sides in others; people are made for all."""
    kind = index.project.load_case
    if kind not in ("side", "frontal", "rear"):
        return
    known = {one.id for one in index.project.segments}
    for segment, path in index.elements("segments"):
        if all(shape.id != JACKET for shape in segment.surfaces):
            continue
        stem = segment.id.removesuffix("upper_torso")
        is_for_sides = f"{stem}{SIDE_RIB}" in known
        if f"{stem}{RIBS}" in known:
            continue
        if kind == "side" and not is_for_sides:
            sentence = Sentence("The dummy of '{segment}' is made for crashes from ahead, and this is one from the side: its ribs, belly and pelvis do not give way there, and no standard limits it.", segment=segment.id)  # fmt: skip
        elif kind == "rear" and not is_for_sides:
            sentence = Sentence("The dummy of '{segment}' is made for crashes from ahead, and this is one from behind: its spine has joints in belly and neck alone, and its neck is stiffer backwards than a person's.", segment=segment.id)  # fmt: skip
        elif kind != "side" and is_for_sides:
            sentence = Sentence("The dummy of '{segment}' is made for crashes from the side, and this is none: its chest does not give way from ahead, and no standard limits it.", segment=segment.id)  # fmt: skip
        else:
            continue
        hint = "Put a dummy that is made for it in its place, or set another 'load_case'."
        yield problem("dummy-direction", path, sentence, hint)


def _endless(index: Index, joint: Joint, ended: set[str]) -> Iterator[Sentence]:
    """Name the axes of a joint that nothing holds in the end, but those on which laws do."""
    ball = ball_of(joint)
    if ball is None:
        for axis in axes_of(joint):
            if not (axis.turn.name in ended or _is_held(axis.lock) or _ends(index, axis.spring)):
                yield axis.turn.label
        return
    if _is_held(ball.lock) or (ball.lock.locked and is_cut(joint)):
        # a cut that tells what it bears until it breaks
        return
    bends = (
        {"turn_x", "turn_y"} <= ended or contour_of(joint) is not None or _ends(index, ball.flexure)
    )
    if not (bends or (ball.by_azimuth is not None and _ends_all_round(index, ball.by_azimuth))):
        yield Sentence("flexure")
    if not ("turn_z" in ended or _ends(index, ball.torsion)):
        yield Sentence("torsion")


def _is_held(lock: Lock) -> bool:
    return lock.locked and lock.unlock_torque_nm is None


def _ends(index: Index, spring: Spring) -> bool:
    """Whether a spring resists in the end, to both sides."""
    if spring.torque is not None:
        return _resists(index, spring.torque)
    return (
        spring.linear_nm_per_rad > 0.0
        or spring.quadratic_nm_per_rad2 > 0.0
        or spring.cubic_nm_per_rad3 > 0.0
    )


def _ends_all_round(index: Index, table: FlexureTable) -> bool:
    return all(_resists(index, one.torque) for one in table.around)


def _resists(index: Index, name: str) -> bool:
    """Whether a torque function ends above zero."""
    form = index.functions[name].form
    end = last_argument(form)
    last = None if end is None else value_at(form, end)
    return last is None or last > 0.0


# Check that what holds people goes along with them, and that planes are met by something (third pass).


@finds(
    PHYSICS,
    warning={
        "anchor-stays": "A belt is anchored on ground, but whom it holds starts on what moves."
    },
)
def left_behind(index: Index) -> Iterator[Problem]:
    """Find anchors and rings on ground of belts over somebody who starts with a vehicle that is driven."""
    if not _rides(index.project):
        return
    for name in ("belts", "harnesses"):
        for belt, path in index.elements(name):
            carrier = carrier_of(index.project, belt)
            if carrier is None:
                continue
            for where, segment in _held(belt):
                if segment == GROUND:
                    sentence = Sentence(
                        "This end of '{belt}' stays on ground while '{carrier}' moves away with whom it holds.",
                        belt=belt.id,
                        carrier=carrier,
                    )
                    hint = Sentence("Let '{carrier}' carry it.", carrier=carrier)
                    yield problem("anchor-stays", f"{path}/{where}", sentence, hint)


def carrier_of(project: Project, belt: Belt | Harness) -> str | None:
    """Name the driven segment with which somebody under a belt starts; none where nobody does."""
    rides = _rides(project)
    over = {root_of(project, one) for one in _over(belt)} if rides else set()
    return next((rides[root] for root in sorted(over) if root in rides), None)


def _rides(project: Project) -> dict[str, str]:
    driven = {motion.segment for motion in project.motions}
    return {r.segment: r.moves_with for r in project.initial.roots if r.moves_with in driven}


@finds(PHYSICS, note={"plane-untouched": "No element meets a plane."})
def untouched(index: Index) -> Iterator[Problem]:
    """Find planes that nothing refers to: whatever comes there goes through."""
    met = {ref.value for ref in index.refs if ref.field.to == "planes"}
    found = [(plane.id, path) for plane, path in index.elements("planes") if plane.id not in met]
    if not found:
        return
    names = [id_ for id_, _ in found]
    sentence = Sentence("Nothing may touch '{plane}'; it is only seen.", plane=names[0])
    if len(found) > 1:
        sentence = Sentence(
            "Nothing may touch {count} planes, which are only seen: {names}.",
            count=len(found),
            names=listed(names),
        )
    hint = "Let something touch it in 'Who may touch what', where that is meant."
    yield problem("plane-untouched", found[0][1], sentence, hint)


def _over(belt: Belt | Harness) -> set[str]:
    """Name the segments that a belt lies on."""
    if isinstance(belt, Belt):
        return {belt.surface.segment}
    points = [point for strap in belt.straps for point in strap.points]
    surfaces = [getattr(point, "surface", None) for point in points]
    return {one.segment for one in surfaces if one is not None}


def _held(belt: Belt | Harness) -> Iterator[tuple[str, str]]:
    """Where a belt is held, and by which segment."""
    if isinstance(belt, Belt):
        yield "anchor_a/segment", belt.anchor_a.segment
        yield "anchor_b/segment", belt.anchor_b.segment
        return
    for strap in belt.straps:
        for n, point in enumerate(strap.points):
            if isinstance(point, AnchorPoint | RingPoint):
                yield f"straps/{strap.id}/points/{n}/segment", point.segment
