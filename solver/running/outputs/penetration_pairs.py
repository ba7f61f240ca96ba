"""Choose what a run is watched for: which surfaces should not pass through which, and how deep they may go."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.tree import Array
from solver.model.functions import Numbered
from solver.project.checks.index import Index
from solver.project.checks.people import parts_of_people, words_of
from solver.project.contact import FormulaLaw, PlaneContact
from solver.project.document import Project
from solver.project.geometry import Surface, SurfaceRef, powers_of
from solver.project.joint_table import carrying
from solver.project.memo import first_alike, memoised
from solver.project.pose import Placed, plane_extent, start_pose, turn
from solver.project.segments import GROUND, Plane

Numbers = NDArray[np.intp]
Key = tuple[str, str]
"""Segment and surface."""

DEEP = 0.5
"""Part of the smallest semi-axis up to which surfaces may be in each other."""

LIMBS, HEAD = (
    ("arm", "forearm", "hand", "leg", "thigh", "femur", "shank", "tibia", "foot", "knee", "ankle"),
    "head",
)
LIMB_M = 0.01
"""Words of limbs of people, and how deep (m) these may be in what nobody allowed: skin gives way so far (*assumed*). Heads are held
like them, but by their own trunk, from which necks keep them."""


@dataclass(frozen=True)
class MonitoredPairs:
    """Hold surfaces and planes as arrays, and the pairs of them that are looked at.

    Rows of `pairs` and `on_planes` are numbers of two surfaces, or of a surface and a plane; beside them stand
    the depth (m) from which they are told of and the contact that allows them, empty where none does.
    """

    segments: tuple[str, ...]
    surfaces: tuple[Key, ...]
    planes: tuple[str, ...]
    at: Numbers
    centre: Array
    R_SE: Array
    semi_axes: Array
    powers: Array
    reach: Array
    plane_at: Numbers
    corner: Array
    edges: Array
    pairs: Numbers
    pair_limit: Array
    pair_contact: tuple[str, ...]
    pair_given: Array
    """Depth (m) that the law of a pair is given for, however thick both are; zero of pairs without a contact."""
    may_lie: NDArray[np.bool_]
    """Whether a pair may lie in each other from the start and yet go too deep: one is a limb, or another's head, and no part joins both."""
    on_planes: Numbers
    plane_limit: Array
    plane_contact: tuple[str, ...]
    unbounded: NDArray[np.bool_]
    holds: NDArray[np.bool_]
    bags: tuple[str, ...]
    in_bags: Numbers
    """Numbers of a surface and of a bag that does not touch it."""
    inside: tuple[tuple[str, Key, Key, float], ...]
    """Contacts inside: their id, both surfaces, and the depth from which they are reported."""

    def pair(self, n: int) -> tuple[str, str, str]:
        """The paths of a pair of surfaces and of the contact that allows it."""
        i, j = self.pairs[n]
        return self._path(self.surfaces[i]), self._path(self.surfaces[j]), _of(self.pair_contact[n])

    def plane(self, n: int) -> tuple[str, str, str]:
        """The paths of a surface, a plane, and the contact that allows them."""
        i, j = self.on_planes[n]
        return self._path(self.surfaces[i]), f"planes/{self.planes[j]}", _of(self.plane_contact[n])

    def bag(self, n: int) -> tuple[str, str, str]:
        """The paths of a surface and of a bag, between which nothing is allowed."""
        i, j = self.in_bags[n]
        return self._path(self.surfaces[i]), f"airbags/{self.bags[j]}", ""

    def inner(self, n: int) -> tuple[str, str, str]:
        """The paths of both surfaces of a contact inside, and its own."""
        contact, a, b, _ = self.inside[n]
        return self._path(a), self._path(b), _of(contact)

    def _path(self, key: Key) -> str:
        """The path of a segment, and of its surface where it has several."""
        segment, surface = key
        several = sum(one == segment for one, _ in self.surfaces) > 1
        return f"segments/{segment}/{surface}" if several else f"segments/{segment}"


class _Touching(NamedTuple):
    """Which surfaces contacts and bags name, and which others do: all that pairs need to know of those who name them."""

    by_contacts: frozenset[Key]
    by_bags: frozenset[Key]
    panels: frozenset[Key]
    named: frozenset[Key]
    ends: tuple[tuple[str, float], ...]
    """Of laws the depth to which they are given."""


def monitored_pairs(project: Project) -> MonitoredPairs:
    """Look through a checked project for what can meet."""
    index, bags = Index(project), project.airbags
    touching = _Touching(
        frozenset(_key(ref) for ref, path in index.surface_refs if path.startswith("contacts")),
        frozenset(_key(touch) for bag in bags for touch in bag.touches),
        frozenset(_key(panel) for bag in bags for panel in bag.panels),
        frozenset(_key(ref) for ref, _ in index.surface_refs),
        tuple(law_ends(project).items()),
    )
    return _monitored_pairs(project, first_alike(touching))


@memoised
def _monitored_pairs(project: Project, touching: _Touching) -> MonitoredPairs:
    index = Index(project)
    idle = _for_belts_alone(index, touching)
    shapes = [
        (s.id, shape)
        for s in project.segments
        for shape in s.surfaces
        if (s.id, shape.id) not in idle
    ]
    keys = [(segment, shape.id) for segment, shape in shapes]
    number = {key: n for n, key in enumerate(keys)}
    rows = {GROUND: -1} | {s.id: n for n, s in enumerate(project.segments)}
    semi = np.array([shape.semi_axes_m for _, shape in shapes]).reshape(-1, 3)
    powers = np.array([powers_of(shape) for _, shape in shapes]).reshape(-1, 3)
    round_ = np.all(powers == 2.0, axis=1)
    reach = np.where(round_, semi.max(axis=1, initial=0.0), np.linalg.norm(semi, axis=1))
    ends = dict(touching.ends)
    corners = [plane_extent(plane) for plane in project.planes]
    pairs, flats, inside = [], [], []
    allowed: dict[frozenset[Key], None] = {}
    plane_number = {plane.id: n for n, plane in enumerate(project.planes)}
    on: set[tuple[Key, str]] = set()
    for c in project.contacts:
        if isinstance(c, PlaneContact):
            key = _key(c.surface)
            on.add((key, c.plane))
            plane = project.planes[plane_number[c.plane]]
            limit = max(DEEP * float(semi[number[key]].min()), ends[c.law])
            free = c.edge == "none" or not plane.bounded
            flats.append(
                (number[key], plane_number[c.plane], limit, c.id, free, c.holds_when_behind)
            )
            continue
        a, b = _key(c.first), _key(c.second)
        allowed[frozenset((a, b))] = None
        smaller = semi[number[a]] if c.inside else np.minimum(semi[number[a]], semi[number[b]])
        least = float(smaller.min())
        limit = max(DEEP * least, ends[c.law])
        if c.inside:
            inside.append((c.id, a, b, limit))
        else:
            larger = max(float(semi[number[a]].min()), float(semi[number[b]].min()))
            most = min(limit, most_of(least, larger))
            pairs.append((number[a], number[b], most, c.id, limit, False))
    stands = _stands_for(index)
    limbs, heads = (_outer(index, touching, words) for words in (LIMBS, (HEAD,)))

    def is_near_skin(a: Key, b: Key) -> bool:
        other_body = index.root_of[a[0]] != index.root_of[b[0]]
        return bool({a, b} & limbs or (other_body and {a, b} & heads))

    group, joined = index.rigid_group, _joined(index)
    beside = {s: {one for pair in joined if group[s] in pair for one in pair} for s, _ in keys}
    for a, b in _strangers(index, touching, keys):
        if not any(frozenset(pair) in allowed for pair in product(stands[a], stands[b])):
            i, j = number[a], number[b]
            limit = DEEP * float(np.minimum(semi[i], semi[j]).min())
            near = is_near_skin(a, b)
            may_lie = near and not beside[a[0]] & beside[b[0]]
            pairs.append((i, j, min(limit, LIMB_M) if near else limit, "", 0.0, may_lie))
    for key, plane in _strange_planes(index, touching, keys, project.planes):
        if not any((other, plane.id) in on for other in stands[key]):
            i = number[key]
            limit = DEEP * float(semi[i].min())
            limit = min(limit, LIMB_M) if key in limbs | heads else limit
            flats.append((i, plane_number[plane.id], limit, "", not plane.bounded, False))
    return MonitoredPairs(
        segments=tuple(s.id for s in project.segments),
        surfaces=tuple(keys),
        planes=tuple(plane_number),
        at=np.array([rows[segment] for segment, _ in keys], np.intp),
        centre=np.array([shape.centre_m for _, shape in shapes]).reshape(-1, 3),
        R_SE=np.array([index.turn(shape.orientation) for _, shape in shapes]).reshape(-1, 3, 3),
        semi_axes=semi,
        powers=powers,
        reach=reach,
        plane_at=np.array([rows[plane.segment] for plane in project.planes], np.intp),
        corner=np.array([corner for corner, _, _ in corners]).reshape(-1, 3),
        edges=np.array([(one, two) for _, one, two in corners]).reshape(-1, 2, 3),
        pairs=np.array([p[:2] for p in pairs], np.intp).reshape(-1, 2),
        pair_limit=np.array([p[2] for p in pairs], float),
        pair_contact=tuple(p[3] for p in pairs),
        pair_given=np.array([p[4] for p in pairs], float),
        may_lie=np.array([p[5] for p in pairs], bool),
        on_planes=np.array([f[:2] for f in flats], np.intp).reshape(-1, 2),
        plane_limit=np.array([f[2] for f in flats], float),
        plane_contact=tuple(f[3] for f in flats),
        unbounded=np.array([f[4] for f in flats], bool),
        holds=np.array([f[5] for f in flats], bool),
        bags=tuple(bag.id for bag in project.airbags),
        in_bags=np.array(
            [
                (number[key], n)
                for n, bag in enumerate(project.airbags)
                for touched in [{_key(ref) for ref in (*bag.touches, *bag.panels)}]
                for key in keys
                if key in limbs | heads and touched.isdisjoint(stands[key])
            ],
            np.intp,
        ).reshape(-1, 2),
        inside=tuple(inside),
    )


def most_of(thin: Any, thick: Any) -> Any:
    """How deep two things go into each other at most, whatever their law, by their thickness from the middle.

    What a law is given for is how far both give way: the thicker to its middle, and no more than that the whole of the
    thinner has sunk in.
    """
    return np.minimum(thick, 2.0 * thin)


def _of(contact: str) -> str:
    return f"contacts/{contact}" if contact else ""


def _key(ref: SurfaceRef) -> Key:
    return ref.segment, ref.surface


def law_ends(project: Project) -> dict[str, float]:
    """For each law the depth (m) to which its curve is given, or a formula is meant; zero where nobody knows."""
    functions = Numbered(project)
    ends = {}
    for law in project.contact_laws:
        base = getattr(law, "base", None)
        if base is not None:
            ends[law.id] = float(functions[base].start[-1])
        else:
            ends[law.id] = law.deepest_m or 0.0 if isinstance(law, FormulaLaw) else 0.0
    return ends


def _for_belts_alone(index: Index, touching: _Touching) -> frozenset[Key]:
    """Find surfaces that only belts lie on, or airbags come out of."""
    pressed = touching.by_contacts | touching.by_bags
    first = {(s.id, s.surfaces[0].id) for s in index.project.segments if s.surfaces}
    return ((touching.named - first) | touching.panels) - pressed


def _outer(index: Index, touching: _Touching, words: Collection[str]) -> frozenset[Key]:
    """Find surfaces of parts of people with one of these words: the first of each part, and those that may touch something."""
    people, pressed = parts_of_people(index), touching.by_contacts | touching.by_bags
    return frozenset(
        (segment.id, shape.id)
        for segment in index.project.segments
        if segment.id in people and not words_of(segment).isdisjoint(words)
        for n, shape in enumerate(segment.surfaces)
        if n == 0 or (segment.id, shape.id) in pressed
    )


def _stands_for(index: Index) -> dict[Key, list[Key]]:
    """For each surface itself and those fixed to it that hold its centre: what may touch them is met there.

    Fixed to it are those of its segment and of segments behind rigid cuts.
    """
    group, pose = index.rigid_group, start_pose(index.project)
    rigid: dict[str, list[tuple[Key, Surface, Placed]]] = {}
    for segment in index.project.segments:
        rigid.setdefault(group[segment.id], []).extend(
            ((segment.id, one.id), one, pose[segment.id]) for one in segment.surfaces
        )
    found = {}
    for shapes in rigid.values():
        for key, one, at in shapes:
            middle = at.of(one.centre_m)
            found[key] = [
                other for other, shape, by in shapes if other == key or _holds(shape, by, middle)
            ]
    return found


def _holds(shape: Surface, at: Placed, point: Array) -> bool:
    """Whether a point of the ground's axes lies in the shape of a segment."""
    local = at.R_WS.T @ (point - at.p_W) - np.array(shape.centre_m)
    way = turn(shape.orientation).T @ local
    return float(np.sum(np.abs(way / shape.semi_axes_m) ** powers_of(shape))) < 1.0


def _bodies(index: Index, touching: _Touching) -> set[str]:
    """Name the lowest segments of the trees of which some surface may touch something.

    Where nothing of a mechanism may touch, its surfaces are there to be looked at.
    """
    return {index.root_of[segment] for segment, _ in touching.by_contacts | touching.by_bags}


def _strangers(index: Index, touching: _Touching, keys: list[Key]) -> Iterator[tuple[Key, Key]]:
    """The pairs of surfaces that can move against each other and are not joined by a joint."""
    bodies, joined = _bodies(index, touching), _joined(index)
    some = [key for key in keys if index.is_driven(key[0]) or index.root_of[key[0]] in bodies]
    for a, b in combinations(some, 2):
        if not _move_together(index, joined, a[0], b[0]):
            yield a, b


def _strange_planes(
    index: Index, touching: _Touching, keys: list[Key], planes: tuple[Plane, ...]
) -> Iterator[tuple[Key, Plane]]:
    bodies, joined = _bodies(index, touching), _joined(index)
    some = [key for key in keys if index.root_of[key[0]] in bodies]
    for key, plane in product(some, planes):
        if not _move_together(index, joined, key[0], plane.segment):
            yield key, plane


def _joined(index: Index) -> set[frozenset[str]]:
    """The pairs of rigid groups between which there is a joint."""
    group = index.rigid_group
    return {frozenset((group[j.parent], group[j.child])) for j in carrying(index.project.joints)}


def _move_together(index: Index, joined: set[frozenset[str]], a: str, b: str) -> bool:
    """Whether two segments are one, are neighbours, or both move as prescribed."""
    one, other = index.rigid_group[a], index.rigid_group[b]
    if one == other or frozenset((one, other)) in joined:
        return True
    return index.is_driven(a) and index.is_driven(b)
