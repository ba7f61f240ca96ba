"""Pictures of what fields mean, drawn of lines as data: joints, surfaces, planes, contacts, bags, straps, pulses; no Qt in here."""

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


def _damped_law() -> list[Part]:
    def f(d: float) -> Point:
        return 60.0 + 220.0 * d, 165.0 - 120.0 * d

    turns = [n / _ROUND for n in range(_ROUND + 1)]
    loading = tuple(
        (f(t)[0], f(t)[1] - 45.0 * math.sqrt(max(0.0, 1.0 - t * t)) * 0.55) for t in turns
    )
    back = tuple((x, min(165.0, 2.0 * f(t)[1] - y)) for (x, y), t in zip(loading, turns, strict=True))  # fmt: skip
    return [
        Stroke(((60.0, 165.0), (320.0, 165.0)), arrow=True),
        Words((322.0, 182.0), "", "d", right=True),
        Stroke(((60.0, 165.0), (60.0, 20.0)), arrow=True),
        Words((50.0, 30.0), "", "F", right=True),
        Stroke((f(0.0), f(1.0)), "stiffness_n_per_m", 2.0),
        Words((250.0, 96.0), "stiffness_n_per_m"),
        Stroke(loading, "damping_ns_per_m", dashed=True),
        Stroke(back, "damping_ns_per_m", dashed=True),
        Words((150.0, 62.0), "damping_ns_per_m", right=True),
    ]


def pulse_course(kind: str, t: float, peak: float = 0.5, rise: float = 0.25, fall: float = 0.25) -> float:  # fmt: skip
    """A pulse of height and length one."""
    if kind == "half_sine":
        return math.sin(math.pi * t)
    if kind == "haversine":
        return math.sin(math.pi * t) ** 2
    if kind == "triangle":
        return t / peak if t < peak else (1.0 - t) / (1.0 - peak)
    return min(1.0, t / rise, (1.0 - t) / fall)


def _pulse(kind: str, *marks: tuple[str, float, float]) -> Callable[[], list[Part]]:
    """A pulse over time; `marks` are parts of its duration with the fields that say them."""
    left, right, low, high = 100.0, 300.0, 150.0, 40.0

    def at(t: float, f: float) -> Point:
        return left + (right - left) * t, low - (low - high) * f

    def draw() -> list[Part]:
        course = tuple(at(n / 200, pulse_course(kind, n / 200)) for n in range(201))
        found: list[Part] = [
            Stroke(((50.0, low), (335.0, low)), arrow=True),
            Words((345.0, low + 16.0), "", "t", right=True),
            Stroke(((50.0, low), (50.0, 20.0)), arrow=True),
            Stroke(course, "", 2.2),
            Stroke((at(0.5, 1.0), (50.0, high)), "amplitude", dashed=True),
            Words((56.0, high - 6.0), "amplitude"),
            Stroke(((50.0, low + 10.0), (left, low + 10.0)), "start_s", 2.0, arrow=True),
            Words((74.0, low + 28.0), "start_s", right=True),
            Stroke(((left, low + 10.0), (right, low + 10.0)), "duration_s", 2.0, arrow=True),
            Words((200.0, low + 28.0), "duration_s"),
        ]
        for field, begin, end in marks:
            y = low - 12.0
            found.append(Stroke((at(begin, 0.0), at(end, 0.0)), field, 3.0))
            found.append(Words((at((begin + end) / 2, 0.0)[0] - 12.0, y), field))
        return found

    return draw


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


PICTURES: dict[str, Callable[[], list[Part]]] = {
    "PinJoint": _pin,
    "BallJoint": _ball,
    "UniversalJoint": _universal,
    "SlipJoint": _slip,
    "Ellipsoid": _ellipsoid,
    "Hyperellipsoid": _hyperellipsoid,
    "ThreePoints": _plane,
    "PlaneContact": _contact,
    "KelvinVoigtLaw": _damped_law,
    "HalfSine": _pulse("half_sine"),
    "Haversine": _pulse("haversine"),
    "Triangle": _pulse("triangle", ("peak_ratio", 0.0, 0.5)),
    "Trapezoid": _pulse("trapezoid", ("rise_ratio", 0.0, 0.25), ("fall_ratio", 0.75, 1.0)),
    "Airbag": _airbag,
    "Strap": _strap,
}
"""The models of the schema that have a picture."""


def fields_in(parts: Sequence[Part]) -> set[str]:
    """Name the fields that a picture tells of."""
    return {one.field for one in parts if one.field}
