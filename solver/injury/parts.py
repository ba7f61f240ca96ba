"""Which segments are which parts of which occupant, told by trees, ids and names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from solver.project.document import Project
from solver.project.joint_table import carrying
from solver.project.joints import Joint
from solver.project.memo import memoised
from solver.project.segments import GROUND, Segment

_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("head", ("head",)),
    ("head", ("headform",)),
    ("neck", ("neck",)),
    ("upper_torso", ("upper", "torso|trunk")),
    ("centre_torso", ("centre|center|central|middle|mid", "torso|trunk")),
    ("lower_torso", ("lower", "torso|trunk")),
    ("upper_torso", ("thorax|chest",)),
    ("centre_torso", ("abdomen",)),
    ("lower_torso", ("pelvis|hips",)),
    ("upper_leg", ("upper", "leg")),
    ("upper_leg", ("thigh|femur",)),
    ("lower_leg", ("lower", "leg")),
    ("lower_leg", ("shank|shin|tibia|calf",)),
    ("foot", ("foot",)),
    ("upper_torso", ("torso",)),
)
"""Parts by words that must all be there; the first rule that fits holds."""

_ARMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("upper_arm", ("upper", "arm")),
    ("upper_arm", ("humerus",)),
    ("forearm", ("lower", "arm")),
    ("forearm", ("forearm|ulna",)),
    ("hand", ("hand",)),
)
"""Parts of arms, likewise: no figure is judged on them, so that a body is told by the others."""

_CODES = {
    "H": "head", "N": "neck", "UT": "upper_torso", "CT": "centre_torso", "LT": "lower_torso",
    "RUL": "right_upper_leg", "LUL": "left_upper_leg", "RLL": "right_lower_leg",
    "LLL": "left_lower_leg", "RF": "right_foot", "LF": "left_foot",
}  # fmt: skip
_ARM_CODES = {
    "RUA": "right_upper_arm", "LUA": "left_upper_arm", "RLA": "right_forearm", "LLA": "left_forearm",
}  # fmt: skip
"""The short ids of the old programs; they count only where a tree has both LT and UT."""

_SIDES = {"left": "left", "l": "left", "lh": "left", "right": "right", "r": "right", "rh": "right"}
_NO_BODY = {
    "rest", "restraint", "pad", "liner", "board", "lamp", "light", "rail", "guide", "anchor", "bracket",
    "cover", "panel", "plate", "support", "airbag", "bag", "belt", "seat", "cushion", "bolster", "load",
}  # fmt: skip
_SIDED = ("upper_leg", "lower_leg", "foot")
_HAVE_SIDES = (*_SIDED, *dict(_ARMS))


@dataclass(frozen=True, slots=True)
class Occupant:
    """A body: its name, and its segments by part."""

    name: str
    segments: Mapping[str, str]

    def part_of(self, segment: str) -> str:
        """The part that a segment is, empty if none."""
        return next((part for part, id_ in self.segments.items() if id_ == segment), "")


@memoised
def occupants(project: Project) -> list[Occupant]:
    """Find all bodies of a project, in the order of its segments."""
    trees = _trees(project)
    codes = {
        root
        for root in set(trees.values())
        if {"LT", "UT"} <= {id_ for id_, its in trees.items() if its == root}
    }
    found: list[tuple[Segment, str, str]] = []
    for segment in _with_mass(project):
        part, stem = _part(segment.id, segment.name)
        if not part and trees[segment.id] in codes:
            part, stem = _CODES.get(segment.id, ""), ""
        if part:
            found.append((segment, part, stem))
    found = _one_neck(project, found)
    groups: dict[tuple[str, str], dict[str, str]] = {}
    stems: dict[tuple[str, str], str] = {}
    for segment, part, stem in found:
        root = trees[segment.id]
        parts = [p for s, p, _ in found if trees[s.id] == root]
        # two bodies in one tree, such as on one sled, are told by what is before their parts' names
        key = (root, stem.lower() if len(set(parts)) < len(parts) else "")
        groups.setdefault(key, {}).setdefault(part, segment.id)
        stems.setdefault(key, stem)
    # several that are legs alone, without a trunk in their tree, are those of a robot that walks
    together = Counter(root for root, _ in groups)
    whole = {root for (root, _), its in groups.items() if not _is_legs(its)}
    for key in [key for key in groups if together[key[0]] > 1 and key[0] not in whole]:
        del groups[key], stems[key]
    return [Occupant(name, groups[key]) for key, name in _names(groups, stems).items()]


def _is_legs(its: Mapping[str, str]) -> bool:
    return all(part.removeprefix("left_").removeprefix("right_") in _SIDED for part in its)


@memoised
def arms(project: Project, occupant: Occupant) -> Mapping[str, str]:
    """The parts of a body's arms: segments attached to it, in the order of its segments."""
    parent = {joint.child: joint.parent for joint in carrying(project.joints)}
    others = {
        segment
        for one in occupants(project)
        if one != occupant
        for segment in one.segments.values()
    }
    own, found = set(occupant.segments.values()), dict[str, str]()
    has_codes = {"LT", "UT"} <= own
    for segment in _with_mass(project):
        part, _ = _part(segment.id, segment.name, _ARMS)
        part = part or (_ARM_CODES.get(segment.id, "") if has_codes else "")
        at, seen = segment.id, set[str]()
        while part and at and at not in own | others | seen:
            seen.add(at)
            at = parent.get(at, "")
        if part and at in own and segment.id not in own:
            found.setdefault(part, segment.id)
    return found


@memoised
def ends(project: Project) -> list[dict[str, str]]:
    """Name the segments of head, hands and feet of each body, or what a hand or foot sits on where it has none."""
    found = []
    for one in occupants(project):
        its = {**one.segments, **arms(project, one)}
        named = {"head": its.get("head", "")}
        for side in ("left", "right"):
            named[f"{side} hand"] = _first(its, side, "hand", "forearm", "upper_arm")
            named[f"{side} foot"] = _first(its, side, "foot", "lower_leg", "upper_leg")
        found.append({name: segment for name, segment in named.items() if segment})
    return found


@memoised
def bodies(project: Project) -> list[tuple[str, ...]]:
    """Name all segments of each body, arms included."""
    return [tuple({**one.segments, **arms(project, one)}.values()) for one in occupants(project)]


def _with_mass(project: Project) -> list[Segment]:
    """The segments but links without mass between joints, which imported models call after a body (`torso_1`)."""
    return [one for one in project.segments if one.mass_kg > 0.0]


def _first(its: Mapping[str, str], side: str, *parts: str) -> str:
    return next((its[f"{side}_{part}"] for part in parts if f"{side}_{part}" in its), "")


def _one_neck(
    project: Project, found: list[tuple[Segment, str, str]]
) -> list[tuple[Segment, str, str]]:
    """Keep the first of necks that are linked to each other, as one of the body whose head they carry."""
    necks = {segment.id for segment, part, _ in found if part == "neck"}
    stems = {segment.id: stem for segment, part, stem in found if part == "head"}
    linked: dict[str, set[str]] = {}
    for joint in carrying(project.joints):
        linked.setdefault(joint.parent, set()).add(joint.child)
        linked.setdefault(joint.child, set()).add(joint.parent)
    out, seen = [], set[str]()
    for segment, part, stem in found:
        if segment.id in seen:
            continue
        chain, left = {segment.id}, [segment.id]
        while part == "neck" and left:
            more = (linked.get(left.pop(), set()) & necks) - chain
            chain |= more
            left += more
        seen |= chain
        if len(chain) > 1:
            heads = sorted(h for one in chain for h in linked[one] & stems.keys())
            stem = stems[heads[0]] if heads else stem
        out.append((segment, part, stem))
    return out


def _names(
    groups: Mapping[tuple[str, str], Mapping[str, str]], stems: Mapping[tuple[str, str], str]
) -> dict[tuple[str, str], str]:
    """Name bodies by their stem; those that share one by their first segment; a single one not at all."""
    if len(groups) == 1:
        return dict.fromkeys(groups, "")
    shared = list(stems.values())
    return {
        key: stems[key]
        if stems[key] and shared.count(stems[key]) == 1
        else next(iter(its.values()))
        for key, its in groups.items()
    }


@lru_cache(maxsize=1024)
def _part(
    id_: str, name: str, rules: tuple[tuple[str, tuple[str, ...]], ...] = _RULES
) -> tuple[str, str]:
    """Give a segment's part and what stands beside it in its id."""
    for text in (id_, name):
        written = re.findall(r"[^\W\d_]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text))
        words = [word.lower() for word in written]
        written = written if text is id_ else words
        if _NO_BODY & set(words):
            return "", ""
        for part, needed in rules:
            hit = [next((w for w in words if w in n.split("|")), "") for n in needed]
            if all(hit):
                sides = [w for w in words if w in _SIDES]
                side = f"{_SIDES[sides[0]]}_" if sides and part in _HAVE_SIDES else ""
                used = {*hit, *sides} if part in _HAVE_SIDES else set(hit)
                return side + part, "_".join(w for w in written if w.lower() not in used)
    return "", ""


def part_by_words(id_: str, name: str) -> str:
    """The part of a body that id or name of a segment say, empty for none."""
    return _part(id_, name)[0]


def _trees(project: Project) -> dict[str, str]:
    """The root of each segment's tree."""
    parent = {j.child: j.parent for j in carrying(project.joints) if j.parent != GROUND}
    out = {}
    for segment in project.segments:
        root, steps = segment.id, 0
        while root in parent and steps < len(parent) + 1:
            root, steps = parent[root], steps + 1
        out[segment.id] = root
    return out


@memoised
def weight(project: Project, occupant: Occupant) -> float:
    """The mass of a body (kg): its parts, arms and whatever else is attached to them."""
    others = {
        segment
        for other in occupants(project)
        if other != occupant
        for segment in other.segments.values()
    }
    children: dict[str, list[str]] = {}
    for joint in carrying(project.joints):
        children.setdefault(joint.parent, []).append(joint.child)
    mass = {segment.id: segment.mass_kg for segment in project.segments}
    found: set[str] = set()
    left = list(occupant.segments.values())
    while left:
        one = left.pop()
        if one not in found and one not in others:
            found.add(one)
            left += children.get(one, [])
    return sum(mass[one] for one in found)


def joints_between(project: Project, one: str | None, other: str | None) -> list[Joint]:
    """Give the joints on the way from one segment to another, through any number of links.

    Nothing if there is no way but over the ground.
    """
    if one is None or other is None:
        return []
    held: dict[str, list[Joint]] = {}
    for joint in carrying(project.joints):
        if joint.parent != GROUND:
            held.setdefault(joint.parent, []).append(joint)
            held.setdefault(joint.child, []).append(joint)
    ways: dict[str, list[Joint]] = {one: []}
    ends = [one]
    for end in ends:
        for joint in held.get(end, ()):
            beyond = joint.child if joint.parent == end else joint.parent
            if beyond not in ways:
                ways[beyond] = [*ways[end], joint]
                ends.append(beyond)
    return ways.get(other, [])


def joint_towards(project: Project, segment: str | None, other: str | None) -> Joint | None:
    """Give the joint of a segment on the way to another."""
    way = joints_between(project, segment, other)
    return way[0] if way else None


def sides(occupant: Occupant) -> Iterator[tuple[str, str]]:
    """The sides of which a body has legs: what stands before and after a name."""
    for lead, tail in (("left_", "_left"), ("right_", "_right"), ("", "")):
        if any(f"{lead}{part}" in occupant.segments for part in _SIDED):
            yield lead, tail
