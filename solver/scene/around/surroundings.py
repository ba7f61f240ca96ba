"""Tell from a model what stands around its people."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.injury.parts import occupants
from solver.project import Project
from solver.project.belts import RingPoint
from solver.project.pose import plane_corners
from solver.project.segments import Plane
from solver.scene.around.build import Around, Point, Room, beam, drum, ends, pane, slab
from solver.scene.around.seats import Seat, aircraft, ejection, seat_in_front
from solver.scene.furnishing import furnished, is_called_dashboard, is_called_wheel, start_together
from solver.scene.meshes import Mesh
from solver.scene.placing import Pose
from solver.scene.webbing import Body, body_of

# Show a car around who drives it or is driven, and around a front that meets somebody outside.

WIDE_M = 1.45
"""Width of a car's room (m); assumed."""
_WALL_M = 0.03
"""How far outside of the floor a car's side stands (m)."""
_BELT_LINE = 0.62
"""How high the lower edge of the windows is, as a part of the roof's height; assumed."""
_ROOF_M, _LEAST_ROOF_M = 0.03, 0.9
"""How far above the header the roof's edge runs, and how high it is where nothing tells (m)."""
_RAKE = 0.55
"""How steeply a windscreen rises over its length where only its upper edge is known; assumed."""
_PILLAR_M = (0.050, 0.028)
_SILL_M, _DOOR_M = 0.06, 0.035
_WHEEL_M, _CLEAR_M = 0.31, 0.2
"""Radius of a wheel, and how high a car's floor is over the road (m); assumed, as what follows."""
_LONG_M, _BASE_M, _OVERHANG_M, _ROOF_LONG_M = 3.7, 2.5, 0.55, 1.3
"""From a bonnet's front to the tail, between the axles, from the bonnet's front to the first axle, and along the roof (m)."""


def cabin(
    floor: Plane,
    board: Plane,
    others: Sequence[Plane],
    wheel: Point | None,
    ring: Point | None,
    has_panel: bool,
) -> Iterator[Around]:
    """Show pillars, rails, doors, windscreen and dashboard around a floor and its toe board.

    `wheel` is where a steering wheel is and `ring` where a belt comes from its pillar (m, axes of the segment); of the
    `others` a header, a windscreen, a door, a seat's back and what stands before the knees are heeded.
    """
    low, rise = furnished(floor), furnished(board)
    if low is None or rise is None or low.front is None:
        return
    named = {word: p for p in others for word in ("header", "windscreen", "door", "back", "knee") if word in p.name.lower()}  # fmt: skip
    of = [floor, board, *(p for p in others if p.id == getattr(named.get("header"), "id", None))]
    room = Room.of_planes(floor.segment, low.middle, rise.middle - low.middle, low.front, of)
    ground, toe = room.corners(floor), room.corners(board)
    seen = {word: room.corners(plane) for word, plane in named.items()}
    side = _outer(room, wheel, ring, seen.get("door"))
    wall = side * (0.5 * float(np.ptp(ground[:, 1])) + _WALL_M)
    far = wall - side * WIDE_M

    if "header" in seen:
        rim = seen["header"]
        rear, front = ends(rim, 0)
        top = np.array([front[0], front[2]])
        roof = np.array([rear[0], max(rear[2], front[2]) + _ROOF_M])
    elif "windscreen" in seen:
        rim = seen["windscreen"]
        _, high = ends(rim, 2)
        top = np.array([high[0], high[2]])
        roof = top + np.array([-0.15, _ROOF_M])
    else:
        top = np.array([float(toe[:, 0].max()) - 0.75, _LEAST_ROOF_M])
        roof = top + np.array([-0.2, _ROOF_M])
    belt = _BELT_LINE * float(roof[1])
    cowl = max(float(toe[:, 0].max()), float(top[0] + (top[1] - belt) / _RAKE))
    if "windscreen" in seen:
        foot, _ = ends(seen["windscreen"], 2)
        cowl, belt = float(foot[0]), float(foot[2])
    post = _post(room, seen.get("back"), ring, wall, roof)

    for s in (wall, far):
        inward = -np.sign(s - 0.5 * (wall + far))
        bars = _side(s, inward, top, roof, belt, cowl, post)
        yield room.place(bars, "trim", is_solid=True, front=(0.0, inward, 0.0))
        if "door" in named and s == wall:
            continue
        door = [_door(s, -inward * _DOOR_M, belt, cowl, post)]
        yield room.place(door, "metal", is_solid=False, front=(0.0, inward, 0.0))
    a, b = wall - side * 0.04, far + side * 0.04
    if "windscreen" not in named:
        glass = pane(((top[0], a, top[1]), (top[0], b, top[1]), (cowl, b, belt), (cowl, a, belt)))
        yield room.place([glass], "glass", is_solid=False)
    if not has_panel:
        face = _face(room, seen.get("knee"), wheel, cowl)
        if face is not None:
            yield room.place([_dash(face, belt, cowl, min(a, b), max(a, b))], "trim", is_solid=False)  # fmt: skip


def _outer(room: Room, wheel: Point | None, ring: Point | None, door: Array | None) -> float:
    """On which side a car's wall is nearer: where the driver sits, a door stands or a belt comes from; or else away from the driver's place."""
    if wheel is None:
        beside = door if door is not None else None if ring is None else room.seen(np.array([ring]))
        return 1.0 if beside is None else float(np.sign(beside[:, 1].mean()))
    # a car is described from its middle, or from who sits there: then on the left
    return 1.0 if float(np.array(wheel) @ room.axes[:, 1]) > 0.1 else -1.0


def _post(
    room: Room, back: Array | None, ring: Point | None, wall: float, roof: Array
) -> tuple[float, float]:
    """Where the pillar behind a door stands, at its top and at its foot: at the belt's ring, or behind the seat."""
    if ring is not None:
        place = room.seen(np.array(ring))
        if abs(float(place[1]) - wall) < 0.4 and place[2] > 0.5 * roof[1]:
            return float(place[0]) - 0.03, float(place[0]) + 0.08
    behind = float(roof[0]) - 0.35 if back is None else float(back[:, 0].min()) - 0.08
    return behind, behind + 0.1


def _side(
    s: float, inward: float, top: Array, roof: Array, belt: float, cowl: float, post: tuple[float, float]
) -> list[Mesh]:  # fmt: skip
    """The bars of one side: windscreen pillar, edge of the roof, pillar behind the door, sill."""
    wide, thick = _PILLAR_M
    hinge = cowl - 0.06
    end = post[1], s, _SILL_M
    rail = (top[0], s, top[1]), (roof[0], s, roof[1]), (post[0] - 0.25, s, roof[1] - 0.01)
    return [
        beam(((cowl, s, belt), rail[0]), wide, thick),
        beam(rail, wide, thick),
        beam(((post[0], s, roof[1]), (post[1], s, belt), end), 1.3 * wide, thick),
        beam((end, (hinge, s, _SILL_M)), 1.5 * wide, thick),
        beam(((hinge, s, _SILL_M), (hinge + 0.02, s, belt)), wide, thick),
    ]


def _door(s: float, off: float, belt: float, cowl: float, post: tuple[float, float]) -> Mesh:
    """Give a door below its window, between the pillars, outside of where they are."""
    profile = ((post[1] + 0.05, 0.10), (cowl - 0.10, 0.10), (cowl - 0.06, belt), (post[1] + 0.04, belt))  # fmt: skip
    low, high = sorted((s, s + off))
    return slab(profile, low, high)


def _face(
    room: Room, knee: Array | None, wheel: Point | None, cowl: float
) -> tuple[float, float] | None:
    """How far ahead the face of the dashboard is, and how high its lower edge; None where nothing tells."""
    if knee is not None:
        _, upper = ends(knee, 2)
        return float(upper[0]) + 0.04, float(upper[2]) + 0.01
    if wheel is not None:
        place = room.seen(np.array(wheel))
        return float(place[0]) + 0.18, float(place[2]) - 0.12
    return cowl - 0.4, 0.45


def _dash(face: tuple[float, float], belt: float, cowl: float, low: float, high: float) -> Mesh:
    """A dashboard from the knees to the foot of the windscreen."""
    x, z = face
    brow = belt - 0.01
    profile = (
        (x, z), (x + 0.02, z + 0.6 * (brow - z)), (x + 0.05, brow - 0.02), (x + 0.10, brow),
        (cowl - 0.02, brow - 0.02), (cowl - 0.04, z + 0.02), (x + 0.12, z - 0.02),
    )  # fmt: skip
    return slab(profile, low, high)


def from_outside(bonnet: Plane, screen: Plane, upward: Point, road: float) -> Iterator[Around]:
    """Show the rest of a car whose front meets somebody: sides, roof and wheels over a road so high along `upward` (m, its axes)."""
    low, glass = furnished(bonnet), furnished(screen)
    if low is None or glass is None:
        return
    ahead, up = low.middle - glass.middle, np.array(upward)
    origin = low.middle - (float(low.middle @ up) - road) * up
    room = Room.of_planes(bonnet.segment, origin, ahead, up, [bonnet, screen])
    hood, pane_ = room.corners(bonnet), room.corners(screen)
    nose, lip = hood[np.argmax(hood[:, 0])][[0, 2]]
    cowl, belt = pane_[np.argmax(pane_[:, 0])][[0, 2]]
    rim = pane_[np.argmin(pane_[:, 0])]
    half = 0.5 * float(np.ptp(hood[:, 1])) + 0.02
    glass_half = 0.5 * float(np.ptp(pane_[:, 1]))
    tail, roof_end = nose - _LONG_M, float(rim[0]) - _ROOF_LONG_M
    body = (
        (nose - 0.02, _CLEAR_M + 0.1), (nose - 0.02, lip - 0.03), (cowl, belt - 0.02), (tail + 0.5, belt),
        (tail, belt - 0.08), (tail, _CLEAR_M + 0.1), (tail + 0.3, _CLEAR_M), (nose - 0.3, _CLEAR_M),
    )  # fmt: skip
    for way in (-1.0, 1.0):
        front = (0.0, -way, 0.0)
        a, b = sorted((way * half, way * (half - _DOOR_M)))
        yield room.place([slab(body, a, b)], "metal", is_solid=False, front=front)
        edge = (
            (float(rim[0]), way * glass_half, float(rim[2])),
            (roof_end, way * glass_half, float(rim[2]) + 0.02),
            (tail + 0.45, way * (half - 0.06), belt),
        )
        middle = 0.5 * (cowl + roof_end)
        post = (middle, way * glass_half, float(rim[2]) + 0.01), (middle - 0.05, way * (half - 0.04), belt)  # fmt: skip
        bars = [beam(edge, *_PILLAR_M), beam(post, *_PILLAR_M)]
        yield room.place(bars, "metal", is_solid=True, front=front)
    across = glass_half - 0.02
    roof = [(float(rim[0]), across, float(rim[2])), (float(rim[0]), -across, float(rim[2]))]
    roof += [(roof_end, -across, float(rim[2]) + 0.02), (roof_end, across, float(rim[2]) + 0.02)]
    yield room.place([pane(roof)], "metal", is_solid=False)
    axles = nose - _OVERHANG_M, nose - _OVERHANG_M - _BASE_M
    wheels = [drum((x, s * (half - 0.14), _WHEEL_M), _WHEEL_M, 0.2) for x in axles for s in (-1.0, 1.0)]  # fmt: skip
    yield room.place(wheels, "leather", is_solid=True)


_PAN = "seat cushion|seat bucket"
_FLAT_M, _LARGE_M = 0.15, 0.4
"""What is no thicker than this, and larger than that, is a wall: one is on one side of it."""
_FLIES = r"\b(aircraft|airliner|aeroplane|airplane)\b"


def surroundings(project: Project, pose: Pose) -> list[Around]:
    """List what a picture adds to a model at its start: nothing where its planes do not say what they stand for."""
    carriers = {tyre.carrier for tyre in project.tyres}
    if any(mesh.segment in carriers for mesh in project.meshes):
        # a car with wheels and a shell of its own
        return []
    found: list[Around] = []
    with np.errstate(all="ignore"):
        for segment in dict.fromkeys(plane.segment for plane in project.planes):
            if segment in pose:
                planes = [p for p in project.planes if p.segment == segment and p.bounded]
                found += _around(project, pose, segment, planes)
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
        has_panel = any(is_called_dashboard(one) for one in project.segments)
        yield from _once(cabin, floor, board, near, wheel, ring, has_panel)
    if other is not None:
        yield from _once(seat_in_front, other, floor)
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
        return _once(from_outside, bonnet, screen, _rounded(up), round(float(place @ up), 6))
    return ()


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
            return _rounded(own.R_WS.T @ (pose[one.id].p_W - own.p_W))
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


def _rounded(vector: Array) -> Point:
    """A vector without the last digits, which change from one sum to the next."""
    x, y, z = (round(float(part), 6) for part in vector)
    return x, y, z
