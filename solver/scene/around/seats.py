"""Show what belongs to a seat of an aircraft and to an ejection seat, around the planes that bear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.pose import plane_corners
from solver.project.segments import Plane
from solver.scene.around.build import Around, Room, beam, box, ends, slab
from solver.scene.furnishing import furnished
from solver.scene.meshes import Mesh

_BEHIND_M = 0.10
"""How far behind its plane a cushion ends (m)."""
_ARM, _ARM_M, _ARM_HIGH_M = (-0.02, 0.36), (0.045, 0.05), 0.20
"""Where an armrest begins and ends before the back, its width and thickness, and how high over the cushion it is (m)."""
_HEAD_M, _HEAD_WIDE_M = (0.005, 0.18, 0.07), 0.30
"""Where a headrest begins and ends above the back, and half of how thick it is, and how wide (m)."""
_RAIL_M, _RAIL_APART_M = (0.06, 0.05), 0.30
"""Width and thickness of the rails of an ejection seat, and how far apart they are (m)."""
_KIT_M, _BOX_M, _OVER_M = 0.15, 0.20, 0.08
"""Height of the kit below the cushion, how deep a head box is, and how far rails end above it (m)."""
_WING_M = 0.045
"""Half of how thick the sides of a back are (m)."""


def room_of(pan: Plane, back: Plane, floor: Plane | None = None) -> Room | None:
    """The axes of a seat, from the middle of the line where cushion and back are nearest; None for flat ones."""
    ways = [furnished(plane) for plane in (pan, back, floor) if plane is not None]
    fronts = [way.front for way in ways if way is not None and way.front is not None]
    if len(fronts) < len(ways):
        return None
    up = fronts[-1] if floor is not None else fronts[0]
    ahead = fronts[1] - (fronts[1] @ up) * up
    if float(np.linalg.norm(ahead)) < 0.3:
        return None
    corner, edge, other = plane_corners(pan)
    # the rear end of the cushion
    rear = corner + 0.5 * (edge + other)
    for way in (edge, other):
        along = float(way @ ahead)
        if abs(along) > 0.5 * float(np.linalg.norm(way) * np.linalg.norm(ahead)):
            rear = rear - 0.5 * np.sign(along) * way
    of = [plane for plane in (pan, back) if plane is not None]
    return Room.of_planes(pan.segment, rear, ahead, up, of)


def _sizes(room: Room, pan: Plane, back: Plane) -> tuple[float, float, float, Array, Array]:
    """Give half the width of a seat, the ends of its cushion ahead and up, and the back's foot and top (ahead, up)."""
    seat, rest = room.corners(pan), room.corners(back)
    half = 0.5 * float(np.ptp(seat[:, 1]))
    _, front = ends(seat, 0)
    foot, top = ends(rest, 2)
    return half, float(front[0]), float(front[2]), foot[[0, 2]], top[[0, 2]]


Seat = tuple[Plane, Plane, Plane | None]
"""Cushion and back of a seat, and the back of the one before it."""


def aircraft(seats: tuple[Seat, ...], floor: Plane | None) -> Iterator[Around]:
    """Show seats in a row of three or more: frame, armrests, headrests, empty seats beside, and the row in front."""
    rooms = [room_of(pan, back, floor) for pan, back, _ in seats]
    room = rooms[0]
    if room is None:
        return
    half, long, high, foot, top = _sizes(room, *seats[0][:2])
    pitch = 2.0 * half + _ARM_M[0]
    places = [round(float(room.corners(pan)[:, 1].mean()), 6) for pan, _, _ in seats]
    empty = _empty(places, pitch)
    ground = None if floor is None else float(room.corners(floor)[:, 2].mean())
    if ground is not None:
        across = (*places, *empty)
        frame = _frame(min(across) - half, max(across) + half, long, ground)
        yield room.place(frame, "metal", is_solid=True)
    armed: list[float] = []
    for at in empty:
        arms = [at - 0.5 * pitch, at + 0.5 * pitch]
        armed += arms
        seat = list(_seat(half, long, high, foot, top, at))
        side = float(np.sign(at - np.mean(places)))
        front = (0.0, -side, 0.0)
        yield room.place(seat, "cloth", is_solid=True, front=front)
        yield room.place(_armrests(foot, arms), "leather", is_solid=False, front=front)
    for own, at, (pan, back, row) in zip(rooms, places, seats, strict=True):
        if own is None:
            continue
        wide, _, _, low, end = _sizes(own, pan, back)
        yield own.place(_shell(wide, low, end), "trim", is_solid=True)
        arms = [s for s in (at - 0.5 * pitch, at + 0.5 * pitch) if _is_free(s, armed)]
        armed += arms
        own_arms = list(_armrests(low, [s - at for s in arms]))
        yield own.place([_headrest(end, 0.0)], "cloth", is_solid=True)
        if own_arms:
            yield own.place(own_arms, "leather", is_solid=False)
        if row is not None:
            ways = [s - at for s in empty if abs(s - at) < 1.5 * pitch]
            yield from _row(own, row, ways, long, ground)


def _empty(places: Sequence[float], pitch: float) -> list[float]:
    """Where empty seats stand (m): as many as make a row of three, to both sides or to the one that is free."""
    low, high = min(places) - pitch, max(places) + pitch
    if len(places) == 1:
        return [low, high]
    return [low if places[1] > places[0] else high] if len(places) == 2 else []


def _is_free(at: float, armed: Sequence[float]) -> bool:
    """Whether no armrest is near: two seats share the one between them."""
    return all(abs(at - other) > 4.0 * _ARM_M[0] for other in armed)


def _seat(
    half: float, long: float, high: float, foot: Array, top: Array, at: float
) -> Iterator[Mesh]:
    """A seat as large as the one that bears, beside it, without a face that would be taken for one that bears."""
    low, wide = at - half, at + half
    yield slab(((0.0, 0.0), (long, high), (long, high - 0.09), (0.0, -0.09)), low, wide)
    up = (top - foot) / np.linalg.norm(top - foot)
    behind = 0.09 * np.array([-up[1], up[0]])
    yield slab([tuple(p) for p in (foot, top, top + behind, foot + behind)], low, wide)
    yield _headrest(top, at)


def _headrest(top: Array, at: float) -> Mesh:
    low, end, half = _HEAD_M
    profile = (
        (-half, low), (0.2 * half, low), (0.4 * half, low + 0.03), (0.4 * half, end - 0.04), (0.1 * half, end),
        (-0.8 * half, end), (-1.1 * half, end - 0.03),
    )  # fmt: skip
    half_wide = 0.5 * _HEAD_WIDE_M
    placed = [(float(top[0] + x), float(top[1] + z)) for x, z in profile]
    return slab(placed, at - half_wide, at + half_wide)


def _armrests(foot: Array, places: Sequence[float]) -> Iterator[Mesh]:
    """Give armrests on the struts that carry them from the frame."""
    (begins, ends), (wide, thick) = _ARM, _ARM_M
    x, under = float(foot[0] + begins), -_BEHIND_M - 0.02
    for at in places:
        low = (x, at - 0.5 * wide, _ARM_HIGH_M - thick)
        yield box(low, (float(foot[0] + ends), at + 0.5 * wide, _ARM_HIGH_M))
        strut = ((x + 0.04, under), (x + 0.13, under), (x + 0.10, low[2]), (x + 0.01, low[2]))
        yield slab(strut, at - 0.3 * wide, at + 0.3 * wide)


def _shell(half: float, foot: Array, top: Array) -> Iterator[Mesh]:
    """Give the shell behind a back: thin, and where nobody comes."""
    up = (top - foot) / np.linalg.norm(top - foot)
    back = np.array([-up[1], up[0]])
    a, b = foot + _BEHIND_M * back + 0.02 * up, top + _BEHIND_M * back - 0.01 * up
    profile = (a, b, b + 0.5 * _WING_M * back, a + _WING_M * back)
    yield slab([tuple(p) for p in profile], -half, half)


def _frame(low: float, high: float, long: float, ground: float) -> Iterator[Mesh]:
    """The frame below seats: two beams across, and two legs of three bars each."""
    under = -_BEHIND_M - 0.02
    fore, aft = 0.82 * long, 0.12 * long
    for x in (fore, aft):
        yield beam(((x, low, under), (x, high, under)), 0.04, 0.04, (0.0, 0.0, 1.0))
    for s in (0.68 * low + 0.32 * high, 0.32 * low + 0.68 * high):
        yield beam(((fore, s, under), (fore + 0.02, s, ground)), 0.035, 0.03)
        yield beam(((fore + 0.01, s, ground + 0.03), (aft, s, under)), 0.03, 0.03)
        yield beam(((aft, s, under), (aft - 0.04, s, ground)), 0.035, 0.03)
        yield box((aft - 0.12, s - 0.03, ground), (fore + 0.10, s + 0.03, ground + 0.015))


def _row(
    room: Room, row: Plane, empty: Sequence[float], long: float, ground: float | None
) -> Iterator[Around]:
    """Show the seat whose back a plane is, with tray and pocket as lines on it, and the ones before empty seats."""
    corners = room.corners(row)
    foot, top = (end[[0, 2]] for end in ends(corners, 2))
    up = (top - foot) / np.linalg.norm(top - foot)
    back = np.array([-up[1], up[0]])
    own = Room(room.segment, room.origin, room.axes, frozenset({f"planes/{row.id}"}))
    half = 0.5 * float(np.ptp(corners[:, 1]))

    def on(along: float, off: float) -> tuple[float, float]:
        place = foot + along * (top - foot) + off * back
        return float(place[0]), float(place[1])

    tray = slab((on(0.50, 0.0), on(0.80, 0.0), on(0.80, 0.006), on(0.50, 0.006)), -0.8 * half, 0.8 * half)  # fmt: skip
    pocket = slab((on(0.14, 0.0), on(0.42, 0.0), on(0.42, 0.006), on(0.14, 0.006)), -0.7 * half, 0.7 * half)  # fmt: skip
    latch = slab((on(0.80, 0.0), on(0.83, 0.0), on(0.83, 0.008), on(0.80, 0.008)), -0.04, 0.04)
    yield own.place([tray, pocket, latch], "trim", is_solid=False)
    # the face of the seat in front is a hand ahead of its back
    face = -0.11 * back
    x = float(foot[0] + face[0])
    pan = ((x, 0.0), (x + long, 0.04), (x + long, -0.05), (x, -0.09))
    rest = (on(0.0, 0.0), on(1.0, 0.0), on(1.0, -0.11), on(0.0, -0.11))
    for at in (0.0, *empty):
        seat = [_headrest(top + face, at), slab(pan, at - half, at + half)]
        if at:
            seat.append(slab(rest, at - half, at + half))
        if at and ground is not None:
            s = 0.5 * at
            seat += [
                beam(((x + off, s, -0.1), (x + off, s, ground)), 0.035, 0.03)
                for off in (0.06, 0.8 * long)
            ]
        front = (0.0, -float(np.sign(at)), 0.0) if at else None
        yield own.place(seat, "cloth", is_solid=True, front=front)


def ejection(pan: Plane, back: Plane, head: Plane) -> Iterator[Around]:
    """Show rails, catapult, kit below the cushion, sides of the bucket and of the head box, and the handle."""
    room = room_of(pan, back)
    if room is None:
        return
    half, long, high, foot, top = _sizes(room, pan, back)
    up = (top - foot) / np.linalg.norm(top - foot)
    behind = np.array([-up[1], up[0]])
    box_ = room.corners(head)
    neck, crown = (end[[0, 2]] for end in ends(box_, 2))
    wide = 0.5 * float(np.ptp(box_[:, 1]))

    def way(start: Array, along: float, off: float) -> tuple[float, float]:
        place = start + along * up + off * behind
        return float(place[0]), float(place[1])

    def bar(s: float, off: float, size: tuple[float, float], low: float, end: float) -> Mesh:
        a, b = way(foot, low, off), way(crown, end, off)
        return beam(((a[0], s, a[1]), (b[0], s, b[1])), *size)

    apart = 0.5 * _RAIL_APART_M
    rails = [bar(s, 0.19, _RAIL_M, -0.34, _OVER_M) for s in (-apart, apart)]
    rails.append(bar(0.0, 0.18, (0.075, 0.075), -0.30, -0.12))
    yield room.place(rails, "metal", is_solid=True)

    shell = [
        slab((way(foot, -0.16, 0.10), way(top, 0.0, 0.10), way(top, 0.0, 0.15), way(foot, -0.16, 0.15)), -half, half),
        slab((way(neck, 0.0, 0.10), way(crown, 0.0, 0.10), way(crown, -0.03, _BOX_M), way(neck, 0.0, _BOX_M)), -wide, wide),
        # parachute box between back and head box, and drogue beside it
        *(slab((way(neck, 0.0, 0.09), way(crown, -0.02, 0.09), way(crown, -0.05, 0.17), way(neck, 0.0, 0.17)), min(s, s + t), max(s, s + t))
          for s, t in ((wide + 0.005, 0.05), (-wide - 0.005, -0.05))),
    ]  # fmt: skip
    yield room.place(shell, "leather", is_solid=True)

    under = -0.095
    kit = slab(((0.0, under), (long, high + under), (0.97 * long, high + under - 0.8 * _KIT_M), (0.0, under - _KIT_M)), -0.96 * half, 0.96 * half)  # fmt: skip
    yield room.place([kit], "carpet", is_solid=True)
    for side in (-1.0, 1.0):
        low, end = sorted((side * (half + 0.005), side * (half + 0.030)))
        profile = ((-0.02, -0.2), (long, high - 0.16), (long, high + 0.09), (0.35 * long, 0.14), (-0.02, 0.16))  # fmt: skip
        yield room.place([slab(profile, low, end)], "trim", is_solid=False, front=(0.0, -side, 0.0))
    handle = [(long + 0.01, -0.045, high - 0.13), (long + 0.05, -0.045, high - 0.09)]
    handle += [(long + 0.05, 0.045, high - 0.09), (long + 0.01, 0.045, high - 0.13)]
    yield room.place([beam(handle, 0.018, 0.018, (0.1, 0.2, 1.0))], "handle", is_solid=True)


_SHELL_M, _BASE_M = (0.03, 0.055), (0.10, 0.11)
"""How thick sides and back of a child's seat are, and how high what is below the cushion of one with sides, and of a booster (m)."""
_BENCH_M = (0.46, 0.14, 0.66)
"""Half the width of a bench that a child's seat stands on, how thick it is, and how far its back goes up (m)."""


def child(pan: Plane, back: Plane, floor: Plane | None) -> Iterator[Around]:
    """Show a child's seat with its sides, head wings and base, or a booster with its horns, on a bench."""
    room = room_of(pan, back, floor)
    if room is None:
        return
    half, long, high, foot, top = _sizes(room, pan, back)
    up = (top - foot) / np.linalg.norm(top - foot)
    ahead = np.array([up[1], -up[0]])
    is_shell = "shell" in pan.name.lower()
    side, behind = _SHELL_M
    below = _BASE_M[0 if is_shell else 1]

    def on(along: float, off: float) -> tuple[float, float]:
        place = foot + along * (top - foot) + off * ahead
        return float(place[0]), float(place[1])

    thick = 2.0 * 0.045
    # legs hang before it
    fore, aft = (0.80 * long, 0.50 * long) if is_shell else (0.84 * long, 0.74 * long)
    base = ((-0.03, -thick), (fore, high * fore / long - thick), (aft, -thick - below), (0.0, -thick - below))  # fmt: skip
    parts = [slab(base, -0.86 * half, 0.86 * half)]
    if is_shell:
        parts.append(slab((on(-0.02, -thick), on(1.0, -thick), on(0.97, -thick - behind), on(-0.1, -thick - behind)), -half, half))  # fmt: skip
    for way in (-1.0, 1.0):
        if is_shell:
            low, end = sorted((way * (half + 0.004), way * (half + 0.004 + side)))
            cheek = (on(-0.02, -thick), on(-0.08, -thick), (0.0, -thick - 0.04), (long - 0.02, high - 0.085),
                     (long + 0.01, high - 0.02), (long - 0.03, high + 0.035), (0.6 * long, 0.5 * high + 0.065), on(0.30, 0.02))  # fmt: skip
            wing = (on(0.10, -thick), on(0.20, 0.06), on(0.40, 0.085), on(0.66, 0.07), on(0.76, -0.01), on(0.76, -thick))  # fmt: skip
            ear = (on(0.70, -thick), on(0.74, 0.07), on(0.80, 0.125), on(0.93, 0.12), on(1.01, 0.03), on(1.0, -thick))  # fmt: skip
            parts += [slab(_soft(one), low, end) for one in (cheek, wing, ear)]
        else:
            low, end = sorted((way * (half - 0.035), way * (half + 0.012)))
            level = 0.30 * high
            horn = ((0.05, level - 0.05), (0.24, level - 0.06), (0.255, level + 0.055), (0.22, level + 0.085), (0.07, level + 0.065))  # fmt: skip
            parts.append(slab(_soft(horn), low, end))
    yield room.place(parts, "trim", is_solid=True)
    wide, deep, tall = _BENCH_M
    under = -thick - below
    rear = on(0.0, -thick - (behind if is_shell else 0.0))[0]
    front = (0.50 if is_shell else 0.74) * long
    bench = ((rear - 0.04, under), (front - 0.02, under + 0.02), (front, under - 0.03), (front - 0.03, under - deep), (rear - 0.04, under - deep))  # fmt: skip
    seats = [slab(bench, -wide, wide)]
    if is_shell:
        start = np.array([rear - 0.05, under - 0.02])
        lean = tall * up
        rest = (start, start + lean, start + lean - 0.11 * ahead, start - 0.13 * ahead)
        seats.append(slab([(float(x), float(z)) for x, z in rest], -wide, wide))
    yield room.place(seats, "cloth", is_solid=True)


def _soft(profile: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Round the corners of a profile off, after Chaikin."""
    places = np.array(profile)
    for _ in range(2):
        after = np.roll(places, -1, axis=0)
        places = np.stack([0.75 * places + 0.25 * after, 0.25 * places + 0.75 * after], axis=1).reshape(-1, 2)  # fmt: skip
    return [(float(x), float(z)) for x, z in places]


def seat_in_front(
    back: Plane, floor: Plane | None, planes: Sequence[Plane] = ()
) -> Iterator[Around]:
    """Show the seat whose back stands before somebody on the bench: its cushion, its headrest, and the face of its back."""
    own = furnished(back)
    if own is None or own.front is None:
        return
    below = None if floor is None else furnished(floor)
    up = (
        below.front
        if below is not None and below.front is not None
        else np.cross(own.front, np.array([0.0, 1.0, 0.0]))
    )
    room = Room.of_planes(back.segment, own.middle, -own.front, up, [back])
    corners = room.corners(back)
    foot, top = (end[[0, 2]] for end in ends(corners, 2))
    half = 0.5 * float(np.ptp(corners[:, 1]))
    along = (top - foot) / np.linalg.norm(top - foot)
    face = 0.10 * np.array([along[1], -along[0]])
    seat = foot + face + 0.25 * (top - foot)
    pan = ((0.0, 0.0), (0.48, 0.07), (0.48, -0.05), (0.0, -0.12))
    parts = [
        slab([(float(seat[0] + x), float(seat[1] + z)) for x, z in pan], -half, half),
        _headrest(top + 0.6 * face, 0.0),
    ]
    for s in (-0.07, 0.07):
        post = top + 0.45 * face
        parts.append(beam(((post[0], s, post[1] - 0.02), (post[0], s, post[1] + 0.04)), 0.012, 0.012))  # fmt: skip
    yield room.place(parts, "cloth", is_solid=True)
