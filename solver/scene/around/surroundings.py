"""Tell from a model what stands around its people."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from solver.injury.parts import occupants
from solver.project import Project
from solver.project.belts import RingPoint
from solver.project.joint_table import is_rigid
from solver.project.pose import plane_corners, turn
from solver.project.segments import Plane, unpack
from solver.scene.around.build import Around, Point, Shell, rounded
from solver.scene.around.cars import Inside, behind_a_seat, cabin, from_outside
from solver.scene.around.seats import Seat, aircraft, child, ejection, seat_in_front
from solver.scene.around.struck import against, trolley
from solver.scene.furnishing import furnished, is_called_dashboard, is_called_wheel, start_together
from solver.scene.placing import Pose
from solver.scene.webbing import Body, body_of

_PAN = "seat cushion|seat bucket"
_FLAT_M, _LARGE_M = 0.2, 0.4
"""What is no thicker than this, and larger than that, is a wall: one is on one side of it."""
_FLIES = r"\b(aircraft|airliner|aeroplane|airplane|bus|coach|train)\b"


def surroundings(project: Project, pose: Pose) -> list[Around]:
    """List what a picture adds to a model at its start: nothing where its planes do not say what they stand for."""
    found: list[Around] = []
    with np.errstate(all="ignore"):
        for segment in dict.fromkeys(plane.segment for plane in project.planes):
            if segment in pose:
                planes = [p for p in project.planes if p.segment == segment and p.bounded]
                found += _around(project, pose, segment, planes)
        found = list(against(project, pose, found))
    # planes that lie nowhere near each other make no room
    found = [one for one in found if np.all(np.isfinite(one.mesh.points))]
    bodies = list(_bodies(project, pose)) if found else []
    return [one for one in found if not _holds(one, bodies, pose)]


def _bodies(project: Project, pose: Pose) -> Iterator[Body]:
    """The surfaces of people in ground axes."""
    inside = {segment for one in occupants(project) for segment in one.segments.values()}
    for segment in project.segments:
        if segment.id in inside and segment.id in pose:
            for surface in segment.surfaces:
                yield body_of(surface, segment.id, pose)


def _holds(one: Around, bodies: Sequence[Body], pose: Pose) -> bool:
    """Whether a body stands in something flat, such as a car's side when it has been moved through its door: half in, half out."""
    low, high = one.mesh.points.min(axis=0), one.mesh.points.max(axis=0)
    flat = int(np.argmin(high - low))
    if high[flat] - low[flat] > _FLAT_M or np.sort(high - low)[1] < _LARGE_M:
        return False
    at, deep = pose[one.segment], np.zeros(3)
    for body in bodies:
        centre = at.R_WS.T @ (body.p_W - at.p_W)
        deep[flat] = np.linalg.norm((at.R_WS.T @ body.R_WE)[flat] * body.axes)
        if np.all(centre > low - deep) and np.all(centre < high + deep):
            return True
    return False


def _around(project: Project, pose: Pose, segment: str, planes: list[Plane]) -> Iterator[Around]:
    floor, board = _called(planes, "floor"), _called(planes, "toe board")
    bonnet, screen = _called(planes, "bonnet|hood"), _called(planes, "windscreen|windshield")
    other = _called(planes, "back of the front seat")
    in_row: list[Seat] = []
    for pan, own in _seats(planes):
        back, head = _called(own, "seat back"), _called(own, "head box")
        if back is None:
            continue
        if head is not None:
            yield from _once(ejection, pan, back, head)
        elif _is_aircraft(project, planes):
            in_row.append((pan, back, _called(own, "row in front")))
    if in_row:
        yield from _once(aircraft, tuple(in_row), floor)
    if floor is not None and board is not None:
        others = [p for p in project.planes if p.segment != segment]
        doors = [p for p in others if "door" in p.name.lower()]
        backs = [p for p in others if _called([p], "seat back") and start_together(project, segment, p.segment)]  # fmt: skip
        near = tuple(p for p in (*planes, *doors, *backs) if p not in (floor, board))
        wheel, ring = _wheel(project, pose, segment), _ring(project, segment)
        shell = _shell(project, pose, segment)
        has_panel = any(is_called_dashboard(one) for one in project.segments)
        yield from _once(
            cabin, floor, board, Inside(near, wheel, ring, has_panel, project.title, shell)
        )
        yield from trolley(project, doors, floor)
    small = _called(planes, "shell|booster")
    rest = _called(
        [p for p in planes if p is not small and p is not other], "back of the shell|bench back"
    )
    if small is not None and rest is not None:
        yield from _once(child, small, rest, floor)
    if other is not None:
        yield from _once(seat_in_front, other, floor)
        if floor is not None and board is None:
            bench = _called(planes, "bench back|back of the shell")
            yield from _once(behind_a_seat, other, floor, bench, Inside((), None, None, False, project.title))  # fmt: skip
    if bonnet is not None and screen is not None:
        yield from _outside(project, pose, bonnet, screen)


@lru_cache(maxsize=32)
def _once(make: Callable[..., Iterator[Around]], *what: Hashable) -> tuple[Around, ...]:
    """Build once what stands around the same planes: while others change it is the same object."""
    return tuple(make(*what))


def _outside(project: Project, pose: Pose, bonnet: Plane, screen: Plane) -> tuple[Around, ...]:
    """Show the rest of a car over the road that there is."""
    own = pose[bonnet.segment]
    for road in project.planes:
        made = furnished(road)
        if made is None or made.stuff != "road" or road.segment not in pose:
            continue
        assert made.front is not None
        at = pose[road.segment]
        up = own.R_WS.T @ at.R_WS @ made.front
        place = own.R_WS.T @ (at.R_WS @ made.middle + at.p_W - own.p_W)
        return _once(
            from_outside, bonnet, screen, rounded(up), round(float(place @ up), 6), project.title,
            _shell(project, pose, bonnet.segment),
        )  # fmt: skip
    return ()


def _shell(project: Project, pose: Pose, segment: str) -> Shell | None:
    """The body for show and the wheels of a car that goes with a segment, in its axes."""
    own = pose[segment]
    tyres = [tyre for tyre in project.tyres if tyre.wheel in pose]
    for mesh in project.meshes if tyres else ():
        found = None if mesh.see_through or mesh.segment not in pose else unpack(mesh.packed)
        if found is None or not _goes_with(project, segment, mesh.segment):
            continue
        R, at = turn(mesh.frame.orientation), pose[mesh.segment]
        points = (found.points @ R.T + mesh.frame.position_m) @ at.R_WS.T + at.p_W
        points = (points - own.p_W) @ own.R_WS
        low, high = points.min(axis=0), points.max(axis=0)
        corners = product(*zip(low, high, strict=True))
        wheels = (own.R_WS.T @ (pose[tyre.wheel].p_W - own.p_W) for tyre in tyres)
        radius = max(tyre.radius_m for tyre in tyres)
        return Shell(tuple(map(rounded, wheels)), radius, tuple(rounded(np.array(c)) for c in corners))  # fmt: skip
    return None


def _goes_with(project: Project, one: str, other: str) -> bool:
    """Whether two segments are one body: by joints that are locked."""
    known = {one}
    locked = [(joint.parent, joint.child) for joint in project.joints if is_rigid(joint)]
    for _ in locked:
        known |= {end for pair in locked if known & set(pair) for end in pair}
    return other in known


def redrawn(project: Project, pose: Pose) -> frozenset[str]:
    """The segments whose body for show a better one stands for."""
    if not project.meshes or not project.tyres:
        return frozenset()
    painted = {one.segment for one in surroundings(project, pose) if one.stuff == "paint"}
    return frozenset(
        mesh.segment
        for mesh in project.meshes
        for segment in painted
        if not mesh.see_through and mesh.segment in pose and _goes_with(project, segment, mesh.segment)
    )  # fmt: skip


def stands_in_a_row(project: Project, plane: Plane) -> bool:
    """Whether a plane is the cushion of an aircraft's seat, which stands on a frame with those beside it."""
    planes = [p for p in project.planes if p.segment == plane.segment and p.bounded]
    return any(plane is pan for pan, _ in _seats(planes)) and _is_aircraft(project, planes)


def _is_aircraft(project: Project, planes: list[Plane]) -> bool:
    """Whether planes are those of an aircraft's seat: by words, or by a floor that it brings, as that of the library."""
    pan, floor = _called(planes, _PAN), _called(planes, "floor")
    if pan is None or not _called(planes, "seat back"):
        return False
    if _called(planes, "head box") or _called(planes, "toe board"):
        return False
    text = f"{project.title} {pan.id} {pan.name}".replace("_", " ").lower()
    if _called(planes, "row in front") or re.search(_FLIES, text):
        return True
    return floor is not None and floor.id.removesuffix("_floor") == pan.id.removesuffix("_seat_pan")


def _seats(planes: list[Plane]) -> list[tuple[Plane, list[Plane]]]:
    """List the cushions of seats, each with the planes that are nearest to it."""
    pans = [plane for plane in planes if _called([plane], _PAN)]
    middles = {plane.id: np.array([1.0, 0.5, 0.5]) @ plane_corners(plane) for plane in planes}
    own: dict[str, list[Plane]] = {pan.id: [] for pan in pans}
    for plane in planes if pans else ():
        near = min(pans, key=lambda pan: float(np.linalg.norm(middles[pan.id] - middles[plane.id])))
        own[near.id].append(plane)
    return [(pan, own[pan.id]) for pan in pans]


def _called(planes: list[Plane], words: str) -> Plane | None:
    """Give the first plane with one of these words in its name."""
    return next((p for p in planes if re.search(rf"\b({words})\b", p.name.lower())), None)


def _wheel(project: Project, pose: Pose, segment: str) -> Point | None:
    """Where a steering wheel is in the axes of a segment (m)."""
    own = pose[segment]
    for one in project.segments:
        if is_called_wheel(one.id) and one.id in pose:
            return rounded(own.R_WS.T @ (pose[one.id].p_W - own.p_W))
    return None


def _ring(project: Project, segment: str) -> Point | None:
    """Where a belt's guide ring is in the axes of the segment that carries it (m)."""
    for harness in project.harnesses:
        for strap in harness.straps:
            for n in (1, -2):
                point = strap.points[n] if len(strap.points) > 2 else None
                if isinstance(point, RingPoint) and point.segment == segment:
                    return point.position_m
    return None
