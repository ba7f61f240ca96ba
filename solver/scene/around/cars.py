"""Show a car around who drives it or is driven, and around a front that meets somebody outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.segments import Plane
from solver.scene.around import bodywork
from solver.scene.around.bodywork import KINDS, WORDS, Form, Pair
from solver.scene.around.build import (
    Around,
    NoseLine,
    Point,
    Room,
    Shell,
    box,
    ends,
    pane,
    rounded,
    slab,
)
from solver.scene.furnishing import Stuff, furnished
from solver.scene.meshes import Mesh

WIDE_M = 1.45
"""Width of a car's room (m); assumed."""
_WALL_M = 0.03
"""How far outside of the floor a car's side stands (m)."""
_SKIN_M = 0.115
"""How far outside of that its skin is (m)."""
_BELT_LINE = 0.62
"""How high the lower edge of the windows is, as a part of the roof's height; assumed."""
_ROOF_M, _LEAST_ROOF_M = 0.03, 0.9
"""How far above the header the roof's edge runs, and how high it is where nothing tells (m)."""
_RAKE = 0.55
"""How steeply a windscreen rises over its length where only its upper edge is known; assumed."""
_LEGROOM_M = 0.68
"""How far hips are ahead of those behind, at least (m)."""


@dataclass(frozen=True, slots=True)
class Inside:
    """What a car's cabin is known by, besides its floor and toe board."""

    others: tuple[Plane, ...]
    """A header, a windscreen, a door, a seat's back and what stands before the knees are heeded."""
    wheel: Point | None
    """Where a steering wheel is (m, axes of the segment)."""
    ring: Point | None
    """Where a belt comes from its pillar."""
    has_panel: bool
    words: str = ""
    """The title, which may name a kind of car."""
    shell: Shell | None = None
    """The body and the wheels that the model has of its own."""


def kind_of(words: str) -> str:
    """The kind of car that words name, or a saloon."""
    found = (kind for kind, known in WORDS.items() if re.search(rf"\b({known})\b", words.lower()))
    return next(found, "sedan")


def cabin(floor: Plane, board: Plane, known: Inside) -> Iterator[Around]:
    """Show a car around a floor and its toe board: cut open towards the eye, so that one sees who sits in it."""
    low, rise = furnished(floor), furnished(board)
    if low is None or rise is None or low.front is None:
        return
    words = ("header", "windscreen", "door", "back", "knee", "cushion")
    named = {word: p for p in known.others for word in words if word in p.name.lower()}
    of = [floor, board, *(p for p in known.others if p.id == getattr(named.get("header"), "id", None))]  # fmt: skip
    room = Room.of_planes(floor.segment, low.middle, rise.middle - low.middle, low.front, of)
    ground, toe = room.corners(floor), room.corners(board)
    seen = {word: room.corners(plane) for word, plane in named.items()}
    side = _outer(room, known.wheel, known.ring, seen.get("door"))
    wall = side * (0.5 * float(np.ptp(ground[:, 1])) + _WALL_M)
    far = wall - side * WIDE_M
    top, belt, cowl = _front(seen, float(toe[:, 0].max()))
    crest = max(top[1], float(seen["header"][:, 2].max()) if "header" in seen else 0.0) + _ROOF_M
    kind = kind_of(known.words)
    form = _formed(kind, float(toe[:, 0].max()), 0.5 * (wall + far), (top, (cowl, belt)), crest)
    form = _fitted(form, room, known.shell)
    if not form.is_sound:
        return
    post = _post(room, seen.get("back"), known.ring, wall, np.array(form.top))
    yield from _shell(room, form, side)
    yield from _cut_open(room, form, post, side if "door" in named else 0.0)
    yield from _screens(room, form, has_screen="windscreen" in named)
    if not known.has_panel:
        face = _face(room, seen.get("knee"), known.wheel, cowl)
        if face is not None:
            yield _panel(room, form, face)
    yield from _seats(room, form, seen)


def _cut_open(room: Room, form: Form, post: Pair, struck: float) -> Iterator[Around]:
    """Both sides and the roof, of which one sees the inside; of the side that is `struck` there are pillars alone."""
    for s in (-1.0, 1.0):
        front = (0.0, -s, 0.0)
        bars = list(bodywork.posts(form, s, post))
        yield room.place(bars, "trim", is_solid=True, front=front)
        panes = [pane(corners) for corners in bodywork.windows(form, s, post)]
        if s == struck:
            continue
        yield room.place([_door(form, s)], "trim", is_solid=True, front=front)
        yield room.place(_lining(form, s, post), "leather", is_solid=True, front=front)
        yield room.place(panes, "glass", is_solid=False, front=front)
    yield room.place([bodywork.roof(form)], "trim", is_solid=False)


def _screens(room: Room, form: Form, *, has_screen: bool = False) -> Iterator[Around]:
    for n, corners in enumerate(bodywork.screens(form)):
        if n or not has_screen:
            yield room.place([pane(corners)], "glass", is_solid=False)


def _panel(room: Room, form: Form, face: Pair) -> Around:
    half = form.half - _SKIN_M - 0.04
    made = _dash(face, form.cowl[1], form.cowl[0], form.middle - half, form.middle + half)
    return room.place([made], "trim", is_solid=True, front=(-1.0, 0.0, 0.0))


def behind_a_seat(
    seat: Plane, floor: Plane, bench: Plane | None, known: Inside
) -> Iterator[Around]:
    """Show a car around who sits behind its front seat: where that stands says where all else is."""
    own, low = furnished(seat), furnished(floor)
    if own is None or low is None or own.front is None or low.front is None:
        return
    room = Room.of_planes(floor.segment, low.middle, -own.front, low.front, [seat, floor])
    back = room.corners(seat)
    foot, _ = ends(back, 2)
    hip, beside = float(foot[0]) + 0.22, float(back[:, 1].mean())
    # a car is described from its middle
    across = float(own.middle @ room.axes[:, 1])
    middle = beside - across if 0.1 < abs(across) < 0.6 else beside
    rear = room.corners(bench) if bench is not None else back
    toe = hip + 1.02
    crest = max(1.22, float(rear[:, 2].max()) + 0.25)
    form = _formed(kind_of(known.words), toe, middle, ((hip + 0.36, crest - 0.12), (hip + 0.98, 0.78)), crest, float(rear[:, 0].min()) - 0.14)  # fmt: skip
    if not form.is_sound:
        return
    side = float(np.sign(across)) or 1.0
    yield from _shell(room, form, side)
    yield from _cut_open(room, form, (hip - 0.28, hip - 0.20), 0.0)
    yield from _screens(room, form)
    yield _panel(room, form, (hip + 0.62, 0.48))
    other = 2.0 * middle - beside
    if abs(other - beside) > 0.45:
        front = (0.0, float(np.sign(beside - other)), 0.0)
        yield room.place([bodywork.seat((hip, other, 0.38))], "cloth", is_solid=True, front=front)


def _front(seen: dict[str, Array], toe: float) -> tuple[Pair, float, float]:
    """The upper edge of the windscreen (ahead, up), how high its foot is, and how far ahead."""
    if "header" in seen:
        _, front = ends(seen["header"], 0)
        top = float(front[0]), float(front[2])
    elif "windscreen" in seen:
        _, high = ends(seen["windscreen"], 2)
        top = float(high[0]), float(high[2])
    else:
        top = toe - 0.75, _LEAST_ROOF_M
    if "windscreen" in seen:
        foot, _ = ends(seen["windscreen"], 2)
        return top, float(foot[2]), float(foot[0])
    belt = _BELT_LINE * (top[1] + _ROOF_M)
    return top, belt, max(toe, top[0] + (top[1] - belt) / _RAKE)


def _formed(kind: str, toe: float, middle: float, screen: tuple[Pair, Pair], crest: float, behind: float = np.inf) -> Form:  # fmt: skip
    """The lines of a car of a kind around feet that are so far ahead; its windscreen is known at its top and its foot, and what its tail is `behind`."""
    own = KINDS[kind]
    top, (cowl, belt) = screen
    first = toe + own.axle
    last = min(first - own.base, behind - 0.12)
    tail = last - own.behind
    two_boxes = own.deck < 0.1
    end = tail + (0.30 if two_boxes else own.deck + 0.62)
    return Form(
        nose=max(first + own.overhang, cowl + 0.45), tail=tail, axles=(first, last), road=-own.clear, wheel=own.wheel,
        middle=middle, half=0.5 * WIDE_M + _SKIN_M, lip=belt - own.lip, cowl=(cowl, belt), top=top,
        rear=(end, crest - 0.07), crest=crest, deck=(tail + own.deck + 0.03, belt + 0.02),
        firewall=toe + 0.04, bulkhead=tail + 0.12 if two_boxes else last + 0.12,
    )  # fmt: skip


def _fitted(form: Form, room: Room, shell: Shell | None) -> Form:
    """The lines of a car over the wheels that it has, as long as the body that the model shows."""
    if shell is None:
        return form
    wheels, ends_ = room.seen(np.array(shell.wheels)), room.seen(np.array(shell.corners))
    last, first = float(wheels[:, 0].min()), float(wheels[:, 0].max())
    nose, tail = float(ends_[:, 0].max()), float(ends_[:, 0].min())
    middle = float(wheels[:, 1].mean())
    return replace(
        form, nose=nose, tail=tail, axles=(first, last), road=float(wheels[:, 2].mean()) - shell.radius, wheel=shell.radius,
        middle=middle, half=float(np.abs(ends_[:, 1] - middle).max()), rear=(tail + form.rear[0] - form.tail, form.rear[1]),
        deck=(tail + form.deck[0] - form.tail, form.deck[1]), bulkhead=min(tail + form.bulkhead - form.tail, last + 0.12), has_wheels=True,
    )  # fmt: skip


def _shell(room: Room, form: Form, side: float) -> Iterator[Around]:
    """Nose and tail with what is on them, wheels, and the floor below the cabin."""
    for rear in (False, True):
        ends_ = (form.tail, form.bulkhead) if rear else (form.firewall, form.nose)
        group = "tail" if rear else "nose"
        line = None if rear else _line(room, form, side)
        yield room.place([bodywork.lump(form, *ends_)], "paint", is_solid=True, group=group, line=line)  # fmt: skip
        yield from _end(room, form, rear=rear, line=line)
    half = form.half - 0.12
    pan = box((form.bulkhead, form.middle - half, -0.07), (form.firewall, form.middle + half, -0.03))  # fmt: skip
    yield room.place([pan], "carpet", is_solid=True)


def _line(room: Room, form: Form, side: float) -> NoseLine:
    """How the nose lies in the axes of the segment."""
    base = room.origin + room.axes @ (form.firewall, form.middle, 0.0)
    ahead, up, start = (rounded(each) for each in (room.axes[:, 0], room.axes[:, 2], base))
    long = form.nose - form.firewall
    return NoseLine(ahead, up, start, long, form.cowl[1], form.half, form.road, side)


def _end(room: Room, form: Form, *, rear: bool, line: NoseLine | None = None) -> Iterator[Around]:
    """Wheels, lamps and trim of one end."""
    group = "tail" if rear else "nose"
    lamps: Stuff = "tail_lamp" if rear else "lamp"
    rubber, rims = bodywork.wheels(form, form.axles[int(rear)])
    parts: tuple[tuple[Mesh, Stuff], ...] = (
        (rubber, "leather"), (rims, "metal"), (bodywork.trim(form, rear=rear), "leather"), (bodywork.lamps(form, rear=rear), lamps),
    )  # fmt: skip
    for mesh, stuff in (one for one in parts if len(one[0].faces)):
        yield room.place([mesh], stuff, is_solid=True, group=group, line=line)


def _door(form: Form, side: float) -> Mesh:
    return bodywork.wall(form, side, form.bulkhead, form.firewall)


def _lining(form: Form, side: float, post: tuple[float, float]) -> list[Mesh]:
    """Armrest and pocket on the inside of a door, ahead of its post."""
    s = form.middle + side * (form.half - 0.115)
    low, high = sorted((s, s - side * 0.05))
    belt = form.belt(post[1])
    rest = ((post[1] + 0.12, 0.66 * belt), (form.cowl[0] - 0.35, 0.70 * belt), (form.cowl[0] - 0.38, 0.60 * belt), (post[1] + 0.14, 0.57 * belt))  # fmt: skip
    pocket = ((post[1] + 0.15, 0.10), (form.cowl[0] - 0.32, 0.10), (form.cowl[0] - 0.34, 0.28), (post[1] + 0.15, 0.24))  # fmt: skip
    return [slab(rest, low, high), slab(pocket, low, high)]


def _seats(room: Room, form: Form, seen: dict[str, Array]) -> Iterator[Around]:
    """The empty front seat beside who sits in front, and the bench behind."""
    cushion = seen.get("cushion")
    if cushion is None:
        return
    rear, _ = ends(cushion, 0)
    hip = float(rear[0]) + 0.17, float(cushion[:, 1].mean()), float(rear[2]) + 0.11
    beside = 2.0 * form.middle - hip[1]
    if abs(beside - hip[1]) > 0.45:
        way = float(np.sign(beside - hip[1]))
        yield room.place([bodywork.seat((hip[0], beside, hip[2]))], "cloth", is_solid=True, front=(0.0, -way, 0.0))  # fmt: skip
    behind = max(hip[0] - 0.86, form.bulkhead + 0.36)
    if hip[0] - behind > _LEGROOM_M:
        bench = bodywork.seat((behind, form.middle, hip[2] + 0.02), 1.7 * (form.half - _SKIN_M), head=False)  # fmt: skip
        yield room.place([bench], "cloth", is_solid=True)


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


def from_outside(
    bonnet: Plane, screen: Plane, upward: Point, road: float, words: str, shell: Shell | None = None
) -> Iterator[Around]:
    """Show the rest of a car whose front meets somebody, over a road so high along `upward` (m, its axes)."""
    low, glass = furnished(bonnet), furnished(screen)
    if low is None or glass is None:
        return
    ahead, up = low.middle - glass.middle, np.array(upward)
    origin = low.middle - (float(low.middle @ up) - road) * up
    room = Room.of_planes(bonnet.segment, origin, ahead, up, [bonnet, screen])
    hood, pane_ = room.corners(bonnet), room.corners(screen)
    nose, lip = (float(v) for v in hood[np.argmax(hood[:, 0])][[0, 2]])
    cowl, belt = (float(v) for v in pane_[np.argmax(pane_[:, 0])][[0, 2]])
    rim = pane_[np.argmin(pane_[:, 0])]
    half = 0.5 * float(np.ptp(hood[:, 1])) + 0.05
    name = kind_of(words)
    own = KINDS["suv" if name == "sedan" and lip > _HIGH_LIP_M else name]
    axle = nose - own.overhang
    tail = min(axle - own.base - own.behind, float(rim[0]) - 1.4)
    end = tail + (0.30 if own.deck < 0.1 else own.deck + 0.62)
    form = Form(
        nose=nose, tail=tail, axles=(axle, axle - own.base), road=0.0, wheel=own.wheel, middle=float(hood[:, 1].mean()), half=half,
        lip=lip - _BELOW_M, cowl=(cowl, belt - _BELOW_M), top=(float(rim[0]), float(rim[2])), rear=(end, float(rim[2]) - 0.02), crest=float(rim[2]) + 0.06,
        deck=(tail + own.deck + 0.03, belt), firewall=cowl + 0.02, bulkhead=axle - own.base + 0.1 if own.deck > 0.1 else tail + 0.12,
    )  # fmt: skip
    form = _fitted(form, room, shell)
    if not form.is_sound:
        return
    post = form.top[0] - 0.62, form.top[0] - 0.52
    body = [bodywork.lump(form, form.firewall, form.nose, _DISHED), bodywork.lump(form, form.tail, form.bulkhead), bodywork.roof(form)]  # fmt: skip
    bars, dark, panes = list[Mesh](), list[Mesh](), list[Mesh]()
    for s in (-1.0, 1.0):
        body.append(_door(form, s))
        bars += bodywork.posts(form, s, post)
        dark.append(bodywork.gaps(form, s, post))
        panes += [bodywork.slate(corners) for corners in bodywork.windows(form, s, post)]
    *_, behind = bodywork.screens(form)
    yield room.place([*body, *bars], "paint", is_solid=True)
    yield room.place([*panes, bodywork.slate(behind)], "tint", is_solid=True)
    yield room.place(dark, "leather", is_solid=True)
    for rear in (False, True):
        yield from _end(room, form, rear=rear)


_DISHED = -2.0
"""How hollow the nose is below a bonnet that may be dented."""
_HIGH_LIP_M, _BELOW_M = 0.9, 0.03
"""How high the front edge of an off-road car's bonnet is, and how far below the plane that bears its metal is drawn (m); assumed."""
