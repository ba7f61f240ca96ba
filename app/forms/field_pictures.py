"""Pictures of what fields mean, drawn of lines as data: joints, surfaces, planes, contacts, bags, straps, spools, motions; no Qt in here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Three = tuple[float, float, float]
SIZE: Point = (360.0, 200.0)
"""Width and height of a picture, in its own units."""
_MIDDLE: Point = (170.0, 105.0)
_ROUND = 48


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, closed where it is filled; `field` is what it stands for, empty for what is there anyway."""

    points: tuple[Point, ...]
    field: str = ""
    width: float = 1.4
    dashed: bool = False
    arrow: bool = False
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A field's label, or a letter, at a place; `right` says that it ends there."""

    at: Point
    field: str
    text: str = ""
    right: bool = False


Part = Stroke | Words


def seen(place: Three, scale: float = 1.0) -> Point:
    """Where a place is seen by one who stands at the right, a little above: x ahead, y towards him, z down."""
    x, y, z = place
    return _MIDDLE[0] + scale * (x - 0.42 * y), _MIDDLE[1] + scale * (z + 0.30 * y)


def _path(places: Iterable[Three], field: str = "", **looks: bool) -> Stroke:
    return Stroke(tuple(seen(one) for one in places), field, **looks)


def _arrow(start: Three, end: Three, field: str, text: str = "") -> list[Part]:
    """An arrow with its label beyond its tip."""
    a, b = seen(start), seen(end)
    far = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    at = b[0] + 8.0 * (b[0] - a[0]) / far, b[1] + 10.0 * (b[1] - a[1]) / far + 4.0
    return [Stroke((a, b), field, 2.0, arrow=True), Words(at, field, text, right=b[0] < a[0] - 1.0)]


def _ring(middle: Three, a: Three, b: Three, start: float = 0.0, end: float = 2.0 * math.pi) -> list[Three]:  # fmt: skip
    """Points of an ellipse that two half axes span."""
    turns = [start + (end - start) * n / _ROUND for n in range(_ROUND + 1)]
    return [
        tuple(m + math.cos(t) * p + math.sin(t) * q for m, p, q in zip(middle, a, b, strict=True))  # type: ignore[misc]
        for t in turns
    ]


def _axes(at: Three = (-120.0, 40.0, 45.0), long: float = 26.0) -> list[Part]:
    """The axes of a frame with their letters."""
    x, y, z = at
    return [
        *_arrow(at, (x + long, y, z), "", "x"),
        *_arrow(at, (x, y + long, z), "", "y"),
        *_arrow(at, (x, y, z + long), "", "z"),
    ]


def _link(end: Three, field: str) -> list[Part]:
    """A part from the joint to an end, with its label there."""
    at = seen(end)
    right = at[0] < _MIDDLE[0]
    beside = (at[0] - 8.0 if right else at[0] + 8.0), at[1] + 4.0
    return [Stroke((_MIDDLE, at), field, 7.0), Words(beside, field, right=right)]


def _parts() -> list[Part]:
    return [*_link((-75.0, 0.0, 25.0), "parent"), *_link((70.0, 0.0, -45.0), "child")]


def _pin() -> list[Part]:
    turn = _ring((0.0, 62.0, 0.0), (20.0, 0.0, 0.0), (0.0, 0.0, 20.0), 0.3, 5.2)
    return [
        *_parts(),
        _path([(0.0, -70.0, 0.0), (0.0, 62.0, 0.0)], dashed=True),
        *_arrow((0.0, 62.0, 0.0), (0.0, 95.0, 0.0), "", "y"),
        _path(turn, "spring", arrow=True),
        Words((178.0, 148.0), "spring"),
    ]


def _ball() -> list[Part]:
    cone = _ring((45.0, 0.0, -30.0), (10.0, 0.0, 16.0), (0.0, 26.0, 0.0))
    twist = _ring((57.0, 0.0, -37.0), (6.0, 0.0, 9.0), (0.0, 14.0, 0.0), 0.4, 5.6)
    return [
        *_parts(),
        _path(_ring((0.0, 0.0, 0.0), (11.0, 0.0, 0.0), (0.0, 0.0, 11.0)), filled=True),
        _path(cone, "flexure", dashed=True),
        Words((200.0, 118.0), "flexure"),
        _path(twist, "torsion", arrow=True),
        Words((214.0, 44.0), "torsion", right=True),
    ]


def _universal() -> list[Part]:
    first = _ring((62.0, 0.0, 0.0), (0.0, 16.0, 0.0), (0.0, 0.0, 16.0), 0.4, 5.4)
    second = _ring((0.0, 62.0, 0.0), (16.0, 0.0, 0.0), (0.0, 0.0, 16.0), 0.4, 5.4)
    return [
        *_link((-80.0, 0.0, -22.0), "parent"),
        *_link((30.0, 0.0, -72.0), "child"),
        *_arrow((-40.0, 0.0, 0.0), (85.0, 0.0, 0.0), "first"),
        _path(first, "first", arrow=True),
        *_arrow((0.0, -40.0, 0.0), (0.0, 88.0, 0.0), "second"),
        _path(second, "second", arrow=True),
    ]


def _slip() -> list[Part]:
    turn = _ring((0.0, 0.0, 42.0), (18.0, 0.0, 0.0), (0.0, 18.0, 0.0), 0.3, 5.4)
    return [
        *_link((-75.0, 0.0, 10.0), "parent"),
        *_link((75.0, 0.0, -30.0), "child"),
        *_arrow((0.0, 0.0, -70.0), (0.0, 0.0, 68.0), "slide"),
        _path(turn, "rotation", arrow=True),
        Words((200.0, 152.0), "rotation"),
    ]


def _powers_ring(a: float, b: float, power: float) -> list[Point]:
    """Half axes' lengths along a curve |x/a|^p + |y/b|^p = 1."""
    out = []
    for n in range(2 * _ROUND + 1):
        t = math.pi * n / _ROUND
        c, s = math.cos(t), math.sin(t)
        out.append((a * math.copysign(abs(c) ** (2.0 / power), c), b * math.copysign(abs(s) ** (2.0 / power), s)))  # fmt: skip
    return out


def outline(axes: Three, power: float) -> tuple[Point, ...]:
    """How far |x/a|^p + |y/b|^p + |z/c|^p = 1 is seen to reach, all around: where a direction of the picture is farthest."""
    a, b, c = axes
    out = []
    for turn in _turns(2 * _ROUND):
        u, v = math.cos(turn), math.sin(turn)
        slopes = a * u, b * (0.30 * v - 0.42 * u), c * v
        steep = [math.copysign(abs(one) ** (1.0 / (power - 1.0)), one) for one in slopes]
        size = sum(abs(one) ** power for one in steep) ** (1.0 / power)
        x, y, z = (one / size for one in steep)
        out.append(seen((a * x, b * y, c * z)))
    return tuple(out)


def _surface(power: float) -> list[Part]:
    a, b, c = 88.0, 60.0, 48.0
    return [
        Stroke(outline((a, b, c), power), filled=True),
        _path([(x, 0.0, z) for x, z in _powers_ring(a, c, power)], dashed=True),
        _path([(x, y, 0.0) for x, y in _powers_ring(a, b, power)], dashed=True),
        _path([(0.0, y, z) for y, z in _powers_ring(b, c, power)], dashed=True),
        *_arrow((0.0, 0.0, 0.0), (a, 0.0, 0.0), "semi_axes_m", "a"),
        *_arrow((0.0, 0.0, 0.0), (0.0, b, 0.0), "semi_axes_m", "b"),
        *_arrow((0.0, 0.0, 0.0), (0.0, 0.0, c), "semi_axes_m", "c"),
        Words((268.0, 132.0), "semi_axes_m"),
        _path(_ring((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 0.0, 3.0)), "centre_m"),
        Words((166.0, 96.0), "centre_m", right=True),
        *_axes((-120.0, 40.0, 40.0)),
    ]


def _ellipsoid() -> list[Part]:
    return _surface(2.0)


def _hyperellipsoid() -> list[Part]:
    return [*_surface(5.0), Stroke(outline((88.0, 60.0, 48.0), 2.0), dashed=True), Words((262.0, 40.0), "powers")]  # fmt: skip


CORNERS: dict[str, Three] = {
    "p1_m": (-75.0, 30.0, 25.0),
    "p2_m": (85.0, 30.0, 0.0),
    "p3_m": (-75.0, -75.0, 25.0),
}
"""Where the corners of the drawn plane are; its front is along (p2 - p1) x (p3 - p1)."""


def _plane() -> list[Part]:
    one, two, three = CORNERS.values()
    fourth: Three = (two[0] + three[0] - one[0], two[1] + three[1] - one[1], two[2] + three[2] - one[2])  # fmt: skip
    middle: Three = ((two[0] + three[0]) / 2, (two[1] + three[1]) / 2, (two[2] + three[2]) / 2)
    n = cross(minus(two, one), minus(three, one))
    long = 55.0 / math.hypot(*n)
    tip: Three = (middle[0] + long * n[0], middle[1] + long * n[1], middle[2] + long * n[2])
    found: list[Part] = [
        _path([one, two, fourth, three], filled=True),
        *_arrow(one, two, ""),
        *_arrow(one, three, ""),
        *_arrow(middle, tip, ""),
    ]
    for name, corner in CORNERS.items():
        at = seen(corner)
        found.append(_dot(at, name))
        right = corner[0] < 0.0
        beside = at[0] - 8.0 if right else at[0] + 8.0
        found.append(Words((beside, at[1] + 5.0), name, right=right))
    return found


def minus(a: Three, b: Three) -> Three:
    """One place less another."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def cross(a: Three, b: Three) -> Three:
    """The cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(at: Point, field: str) -> Stroke:
    return Stroke(tuple((at[0] + 3.0 * math.cos(t), at[1] + 3.0 * math.sin(t)) for t in _turns(12)), field, 2.0)  # fmt: skip


def _turns(count: int) -> list[float]:
    return [2.0 * math.pi * n / count for n in range(count + 1)]


def _contact() -> list[Part]:
    round_ = tuple((170.0 + 70.0 * math.cos(t), 75.0 + 62.0 * math.sin(t)) for t in _turns(_ROUND))
    return [
        Stroke(round_, "surface", filled=True),
        Words((88.0, 60.0), "surface", right=True),
        Stroke(((40.0, 115.0), (320.0, 115.0)), "plane", 2.4),
        Words((322.0, 108.0), "plane", right=True),
        Stroke(((170.0, 115.0), (170.0, 137.0)), "law", 2.0, arrow=True),
        Stroke(((130.0, 137.0), (215.0, 137.0)), "law", dashed=True),
        Words((180.0, 154.0), "law", "d"),
        Stroke(((170.0, 180.0), (170.0, 141.0)), "law", 2.6, arrow=True),
        Words((180.0, 180.0), "law", "F(d)"),
    ]


def _airbag() -> list[Part]:
    full = _ring((20.0, 0.0, -5.0), (62.0, 0.0, 0.0), (0.0, 0.0, 66.0))
    return [
        _path([(-72.0, 0.0, -60.0), (-72.0, 0.0, 60.0)], "panels", filled=True),
        Stroke((seen((-72.0, 0.0, -60.0)), seen((-72.0, 0.0, 60.0))), "panels", 4.0),
        Words((90.0, 40.0), "panels", right=True),
        _path(full, filled=True),
        *_arrow((20.0, 0.0, -5.0), (82.0, 0.0, -5.0), "semi_axes_m"),
        *_arrow((20.0, 0.0, -5.0), (20.0, 0.0, 61.0), "semi_axes_m", "c"),
        _dot(seen((-72.0, 0.0, -5.0)), "deployment_point_m"),
        Words((90.0, 104.0), "deployment_point_m", right=True),
        *_arrow((-72.0, 0.0, 30.0), (-20.0, 0.0, 30.0), "orientation"),
    ]


def _strap() -> list[Part]:
    body = tuple((190.0 + 62.0 * math.cos(t), 118.0 + 66.0 * math.sin(t)) for t in _turns(_ROUND))
    ring, anchor, end = (92.0, 46.0), (60.0, 170.0), (322.0, 176.0)
    over = tuple((190.0 + 66.0 * math.cos(t), 118.0 - 70.0 * math.sin(t)) for t in [2.1 - 1.9 * n / 20 for n in range(21)])  # fmt: skip
    return [
        Stroke(body, filled=True),
        Stroke((anchor, ring, *over, end), "points", 3.0),
        Words((262.0, 70.0), "points"),
        _dot(anchor, "start_device"),
        Words((70.0, 186.0), "start_device"),
        _dot(ring, ""),
        _dot(end, "end_device"),
        Words((326.0, 194.0), "end_device", right=True),
    ]


def _euler() -> list[Part]:
    first = _ring((0.0, 0.0, 62.0), (18.0, 0.0, 0.0), (0.0, 18.0, 0.0), 0.3, 5.4)
    nodes = _ring((0.0, 62.0, 0.0), (16.0, 0.0, 0.0), (0.0, 0.0, 16.0), 0.4, 5.4)
    last = _ring((50.0, 0.0, -55.0), (11.0, 0.0, 10.0), (0.0, 15.0, 0.0), 0.3, 5.4)
    return [
        *_link((-80.0, 0.0, 12.0), "parent"),
        *_link((72.0, 0.0, -79.0), "child"),
        _path([(0.0, 0.0, -60.0), (0.0, 0.0, 75.0)], dashed=True),
        _path(first, "precession", arrow=True),
        Words((194.0, 176.0), "precession"),
        _path([(0.0, -70.0, 0.0), (0.0, 75.0, 0.0)], dashed=True),
        _path(nodes, "nutation", arrow=True),
        Words((128.0, 150.0), "nutation", right=True),
        _path(last, "spin", arrow=True),
        Words((240.0, 70.0), "spin"),
    ]


def _six() -> list[Part]:
    yaw = _ring((0.0, 0.0, 58.0), (18.0, 0.0, 0.0), (0.0, 18.0, 0.0), 0.3, 5.4)
    pitch = _ring((0.0, 66.0, 0.0), (16.0, 0.0, 0.0), (0.0, 0.0, 16.0), 0.4, 5.4)
    roll = _ring((70.0, 0.0, 0.0), (0.0, 16.0, 0.0), (0.0, 0.0, 16.0), 0.4, 5.4)
    return [
        *_link((-75.0, 0.0, -40.0), "parent"),
        *_link((45.0, 0.0, -72.0), "child"),
        *_arrow((0.0, 0.0, 0.0), (100.0, 0.0, 0.0), "x"),
        *_arrow((0.0, 0.0, 0.0), (0.0, 100.0, 0.0), "y"),
        *_arrow((0.0, 0.0, 0.0), (0.0, 0.0, 76.0), "z"),
        _path(roll, "roll", arrow=True),
        Words((250.0, 134.0), "roll"),
        _path(pitch, "pitch", arrow=True),
        Words((116.0, 124.0), "pitch", right=True),
        _path(yaw, "yaw", arrow=True),
        Words((196.0, 166.0), "yaw"),
    ]


def _strut() -> list[Part]:
    one, other = (-55.0, 0.0, 35.0), (55.0, 0.0, -35.0)
    a, b = seen(one), seen(other)
    turns = [
        _path(_ring(at, (17.0, 0.0, 0.0), (0.0, 0.0, 17.0), 0.5, 5.6), field, arrow=True)
        for at, field in ((one, "at_parent"), (other, "at_child"))
    ]
    shift = (-14.0, -22.0)
    return [
        Stroke(((40.0, 168.0), a), "parent", 7.0),
        Words((26.0, 188.0), "parent"),
        Stroke((b, (310.0, 40.0)), "child", 7.0),
        Words((316.0, 34.0), "child"),
        Stroke((a, b), "length", 3.0),
        Stroke(((a[0] + shift[0], a[1] + shift[1]), (b[0] + shift[0], b[1] + shift[1])), "rest_length_m", dashed=True, arrow=True),
        Words((136.0, 66.0), "rest_length_m", right=True),
        Words((182.0, 122.0), "length"),
        *turns,
        Words((138.0, 158.0), "at_parent"),
        Words((236.0, 100.0), "at_child"),
    ]  # fmt: skip


def _locked() -> list[Part]:
    block = [(-9.0, 0.0, -9.0), (9.0, 0.0, -9.0), (9.0, 0.0, 9.0), (-9.0, 0.0, 9.0), (-9.0, 0.0, -9.0)]  # fmt: skip
    return [
        *_parts(),
        _path(block, filled=True),
        *_arrow((0.0, 0.0, 0.0), (48.0, 0.0, 0.0), "parent_frame"),
        *_arrow((0.0, 0.0, 0.0), (0.0, 0.0, 48.0), "parent_frame", "z"),
    ]


def _free() -> list[Part]:
    one, other = (-85.0, 0.0, 30.0), (60.0, 0.0, -30.0)
    return [
        Stroke((seen((-125.0, 0.0, 50.0)), seen(one)), "parent", 7.0),
        Words((52.0, 178.0), "parent"),
        Stroke((seen(other), seen((105.0, 0.0, -55.0))), "child", 7.0),
        Words((284.0, 48.0), "child"),
        _path([one, other], dashed=True, arrow=True),
        *_arrow(one, (-85.0, 0.0, -15.0), "parent_frame"),
        *_arrow(other, (60.0, 0.0, 15.0), "child_frame"),
    ]


_BODY: tuple[Point, ...] = (
    (96.0, 128.0), (96.0, 108.0), (126.0, 102.0), (148.0, 78.0), (206.0, 78.0), (228.0, 100.0), (258.0, 106.0), (262.0, 128.0), (96.0, 128.0),
)  # fmt: skip
"""A car from the side; ahead is right."""


def _car(field: str, shift: float = 0.0, **looks: bool) -> list[Part]:
    wheels = [
        tuple((x + shift + 13.0 * math.cos(t), 130.0 + 13.0 * math.sin(t)) for t in _turns(20))
        for x in (128.0, 230.0)
    ]
    body = tuple((x + shift, y) for x, y in _BODY)
    return [Stroke(body, field, **looks), *(Stroke(one, field) for one in wheels)]


def _motion() -> list[Part]:
    pitch = tuple((178.0 + 24.0 * math.cos(t), 104.0 + 24.0 * math.sin(t)) for t in (0.3 + 4.6 * n / 40 for n in range(41)))  # fmt: skip
    return [
        *_car("segment", filled=True),
        Words((150.0, 166.0), "segment"),
        Stroke(((178.0, 104.0), (300.0, 104.0)), "components", 2.0, arrow=True),
        Stroke(pitch, "components", 2.0, arrow=True),
        Words((270.0, 92.0), "components"),
        Stroke(((50.0, 60.0), (92.0, 60.0)), "axes", 2.0, arrow=True),
        Stroke(((50.0, 60.0), (50.0, 102.0)), "axes", 2.0, arrow=True),
        Words((96.0, 64.0), "axes", "x"),
        Words((46.0, 118.0), "axes", "z"),
        Words((40.0, 44.0), "axes"),
    ]


def _component() -> list[Part]:
    return [
        *_car("", -66.0),
        *_car("", 40.0, filled=True),
        Stroke(((128.0, 160.0), (218.0, 160.0)), "start_value", 2.0, arrow=True),
        Words((140.0, 180.0), "start_value"),
        Stroke(((302.0, 92.0), (342.0, 92.0)), "start_rate", 2.4, arrow=True),
        Words((344.0, 78.0), "start_rate", right=True),
        Stroke(((40.0, 40.0), (110.0, 40.0)), "component", 2.0, arrow=True),
        Words((40.0, 28.0), "component"),
    ]


def _spool(*parts: Part) -> list[Part]:
    """A spool in its housing, from which webbing goes up to the right."""
    rims = [
        Stroke(tuple((110.0 + r * math.cos(t), 118.0 + r * math.sin(t)) for t in _turns(_ROUND)), filled=r > 40.0)
        for r in (46.0, 14.0)
    ]  # fmt: skip
    frame = Stroke(((58.0, 172.0), (58.0, 64.0)), "", 3.0)
    floor = Stroke(((40.0, 172.0), (180.0, 172.0)), "", 3.0)
    return [frame, floor, *rims, Stroke(((110.0, 72.0), (300.0, 40.0)), "", 3.4), *parts]


def _retractor() -> list[Part]:
    wound = tuple((110.0 + (16.0 + 4.5 * t) * math.cos(t), 118.0 + (16.0 + 4.5 * t) * math.sin(t)) for t in (2.0 * math.pi * n / 40 for n in range(41)))  # fmt: skip
    return _spool(
        Stroke(wound, "spool_m"),
        Words((92.0, 148.0), "spool_m"),
        Stroke(((230.0, 52.0), (306.0, 39.0)), "tension_n", 2.4, arrow=True),
        Words((308.0, 26.0), "tension_n", right=True),
        Stroke(((150.0, 84.0), (232.0, 70.0)), "lock_payout_m", 2.0, arrow=True),
        Words((180.0, 96.0), "lock_payout_m"),
        Stroke(((40.0, 184.0), (92.0, 184.0)), "lock_acceleration_m_per_s2", 2.4, arrow=True),
        Words((100.0, 190.0), "lock_acceleration_m_per_s2"),
        Stroke(tuple((110.0 + 52.0 * math.cos(t), 118.0 + 52.0 * math.sin(t)) for t in (0.1 + 1.3 * n / 20 for n in range(21))), "film_spool", 2.0, arrow=True),
        Words((166.0, 150.0), "film_spool"),
    )  # fmt: skip


def _pretensioner() -> list[Part]:
    burst = tuple((66.0 + (13.0 if n % 2 else 6.0) * math.cos(t), 44.0 + (13.0 if n % 2 else 6.0) * math.sin(t)) for n, t in enumerate(_turns(16)))  # fmt: skip
    return _spool(
        Stroke(burst, "trigger", filled=True),
        Words((40.0, 24.0), "trigger"),
        Stroke(((262.0, 62.0), (176.0, 77.0)), "stroke", 2.4, arrow=True),
        Words((200.0, 92.0), "stroke"),
        Stroke(((230.0, 52.0), (306.0, 39.0)), "force_limit_n", 2.4, arrow=True),
        Words((308.0, 26.0), "force_limit_n", right=True),
    )


SHAPES: dict[str, Callable[[], list[Part]]] = {
    "PinJoint": _pin,
    "BallJoint": _ball,
    "UniversalJoint": _universal,
    "EulerJoint": _euler,
    "SlipJoint": _slip,
    "SixJoint": _six,
    "ExtensionalJoint": _strut,
    "LockedJoint": _locked,
    "FreeJoint": _free,
    "Ellipsoid": _ellipsoid,
    "Hyperellipsoid": _hyperellipsoid,
    "ThreePoints": _plane,
    "PlaneContact": _contact,
    "Airbag": _airbag,
    "Strap": _strap,
    "Retractor": _retractor,
    "Pretensioner": _pretensioner,
    "Motion": _motion,
    "MotionComponent": _component,
}
"""The models of the schema of which a shape is drawn."""


def fields_in(parts: Sequence[Part]) -> set[str]:
    """Name the fields that a picture tells of."""
    return {one.field for one in parts if one.field}
