"""Paths of OpenSim's muscles, ligaments and springs: points that move or come and go, and wrap objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array, from_angles
from solver.exchange.trees.bodies import End, Line, Move, Over, ReadNotes
from solver.exchange.trees.osim_ties import Coordinate, Course, course_of, function_in
from solver.exchange.trees.xml import Element

Frames = Callable[..., End]
ZERO = (0.0, 0.0, 0.0)
KINDS: dict[str, Any] = {"WrapSphere": "sphere", "WrapCylinder": "cylinder", "WrapEllipsoid": "ellipsoid"}  # fmt: skip
FAR = 10.0
"""A straight function moves a point as far as this (rad, m)."""


@dataclass
class Paths:
    """Read paths: wrap objects by name, coordinates, frames."""

    wraps: Mapping[str, Over]
    coordinates: Mapping[str, Coordinate]
    frame: Frames
    read_notes: ReadNotes

    def read(self, one: Element) -> tuple[list[End], Line]:
        """Give the points of a path, and what it has beside."""
        path = one.first("GeometryPath") or (one.first("path") or one).first("GeometryPath")
        if path is None:
            return [], Line()
        ends, beside, number = list[End](), Line(), dict[int, int]()
        for n, p in enumerate(_members(path, "PathPointSet")):
            only = None
            if p.tag == "ConditionalPathPoint":
                only, counts = self._only(p)
                if not counts:
                    continue
            number[n] = len(ends)
            self._point(p, ends, beside)
            if only is not None:
                beside.only[number[n]] = only
        for wrap in _members(path, "PathWrapSet"):
            over = self._over(wrap, number)
            beside.over += [over] if over else []
        return ends, beside

    def _point(self, p: Element, ends: list[End], beside: Line) -> None:
        place = np.array(p.values("location", 3, ZERO))
        moving = list[tuple[int, Coordinate, Course]]()
        for k, axis in enumerate("xyz") if p.tag == "MovingPathPoint" else ():
            of, by = self.coordinates.get(_last(p, f"{axis}_coordinate")), p.first(f"{axis}_location")  # fmt: skip
            course = course_of(function_in(by)) if by is not None else None
            if by is not None and course is None:
                raise by.wrong(by.tag, "functions of this kind are not read; make it a SimmSpline through some of its points")  # fmt: skip
            if course is None:
                continue
            still = course.is_straight and not any(course.numbers[1:])
            if of is None or of.axis is None or still:
                place[k] = course.at(of.value if of is not None else 0.0)
            else:
                place[k] = 0.0
                moving.append((k, of, course))
        body, origin, R = self.frame(p.child_text("socket_parent_frame") or p.child_text("body"), p)
        moves = [m for k, of, course in moving for m in _moves(R[:, k], of, course)]
        if moves:
            beside.moves[len(ends)] = moves
        ends.append((body, origin + R @ place, R))

    def _only(self, p: Element) -> tuple[tuple[Any, float, float] | None, bool]:
        """Within which range of an axis a point counts; or whether it does for good."""
        q = self.coordinates.get(_last(p, "coordinate"))
        low, high = sorted(p.values("range", 2, (0.0, 0.0)))
        if q is None:
            raise p.wrong("coordinate", "there is no coordinate of this name")
        if q.axis is None:
            return None, low <= q.value <= high
        return (q.axis, q.factor * low + q.shift, q.factor * high + q.shift), True

    def _over(self, one: Element, number: Mapping[int, int]) -> Over | None:
        name = one.child_text("wrap_object")
        found = self.wraps.get(name)
        if found is None:
            self.read_notes.say("Wrap object '{name}' is left out: it is switched off, or a torus, which has no like here; a sphere or a cylinder within which the line stays may stand for it.", name=name)  # fmt: skip
            return None
        begin, end = (int(v) for v in one.values("range", 2, (-1.0, -1.0)))
        counted = sorted(number)
        first = next((number[n] for n in counted if n >= begin - 1), 0) if begin > 0 else 0
        last = next((number[n] for n in reversed(counted) if n <= end - 1), 0) if end > 0 else len(number) - 1  # fmt: skip
        if first >= last:
            return None
        made = Over(**{**vars(found), "first": first, "last": last})
        if found.kind == "ellipsoid":
            self.read_notes.say("Lines run round ellipsoids the shortest way; OpenSim's own way is near that.")  # fmt: skip
        return made


def _members(path: Element, tag: str) -> list[Element]:
    return [p for s in path.all(tag) for o in s.all("objects") for p in o.children]


def _last(one: Element, tag: str) -> str:
    return (one.child_text(f"socket_{tag}") or one.child_text(tag)).rsplit("/", 1)[-1]


def _moves(way: Array, q: Coordinate, course: Course) -> list[Move]:
    """Moves along the axes of a body by a function of a coordinate: of that coordinate's axis."""
    assert q.axis is not None
    if course.spline is not None:
        x = course.spline.x
        # two more points, so that no spline through all of them is another one
        x = np.sort([*x, (x[0] + x[1]) / 2.0, (x[-2] + x[-1]) / 2.0])
    else:
        count = 2 if course.is_straight else 41
        x = np.linspace(-FAR, FAR, count)
    X = [q.factor * float(v) + q.shift for v in x]
    Y = np.array([course.at(float(v)) for v in x])
    sense = 1 if q.factor > 0.0 else -1
    return [
        Move(k, q.axis, X[::sense], [float(y) for y in (w * Y)[::sense]])
        for k, w in enumerate(way)
        if abs(w) > 1e-14
    ]


def read_wraps(holders: Sequence[tuple[str, Element]], frame: Frames, read_notes: ReadNotes) -> dict[str, Over]:  # fmt: skip
    """Read the wrap objects of bodies, by their names."""
    found = dict[str, Over]()
    for holder, held in holders:
        for one in _members(held, "WrapObjectSet"):
            made = _wrap(one, holder, frame)
            if made is not None:
                found[made.name] = made
    return found


def _wrap(one: Element, holder: str, frame: Frames) -> Over | None:
    name, kind = one.given.get("name", ""), KINDS.get(one.tag)
    if kind is None or one.child_text("active", "true") == "false":
        return None
    body, origin, R = frame(holder, one)
    place = origin + R @ np.array(one.values("translation", 3, ZERO))
    end = (body, place, R @ from_angles(one.values("xyz_body_rotation", 3, ZERO), "xyz"))
    size = one.values("dimensions", 3) if kind == "ellipsoid" else one.values("radius", 1) * 3
    if not min(size) > 0.0:
        raise one.wrong("radius", "it is not above zero")
    made = Over(name, kind, end, tuple(size))
    if kind == "cylinder":
        made.length = one.values("length", 1, (1.0,))[0]
    quadrant = one.child_text("quadrant", "all").strip().lower()
    if quadrant[-1:] in ("x", "y", "z") and len(quadrant) <= 2:
        sign = -1.0 if quadrant[0] == "-" else 1.0
        made.side = [sign * float(one_) for one_ in np.eye(3)["xyz".index(quadrant[-1])]]
    return made
