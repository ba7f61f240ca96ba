"""What holds coordinates and bodies of OpenSim's models to each other: functions of coordinates, and constraints."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from solver.base.words import msgid
from solver.engine.maths.rotation import Array, from_angles
from solver.exchange.trees.bodies import Axis, End, ReadNotes, Tie, frame_of
from solver.exchange.trees.xml import Element

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

Frames = Callable[[str, Element], End]
ZERO = (0.0, 0.0, 0.0)
PER_LINE = 8
"""Pieces of a spline by piece of a function with corners."""
MOST_TERMS = 6
"""Coefficients of a polynomial that a coupling takes."""


@dataclass
class Coordinate:
    """A coordinate of the file, and how the axis that it moves counts: angle = factor q + shift."""

    name: str
    value: float
    speed: float
    is_locked: bool
    axis: Axis | None = None
    factor: float = 1.0
    shift: float = 0.0
    leader: tuple[Coordinate, Course] | None = None
    """What it follows, and by which function."""
    range: tuple[float, float] | None = None
    """Where the file clamps it: its ends."""

    prescribed: Element | None = None
    """Function of time by which it moves."""

    def ends(self) -> tuple[float, float]:
        """The ends of the axis that it moves."""
        low, high = self.range or (-np.inf, np.inf)
        return self.factor * low + self.shift, self.factor * high + self.shift


class Course(NamedTuple):
    """A function of one coordinate: coefficients from that without a power on, or a cubic spline."""

    numbers: tuple[float, ...]
    spline: CubicSpline | None = None
    scale: float = 1.0
    is_rounded: bool = False
    """Whether its corners are rounded."""

    @property
    def is_straight(self) -> bool:
        """Whether it is a line."""
        return self.spline is None and not any(self.numbers[2:])

    def at(self, x: float, order: int = 0) -> float:
        """Its value, or a derivative of it; beyond a spline's ends it goes straight on."""
        if self.spline is None:
            made = np.polynomial.Polynomial(self.numbers)
            return float((made.deriv(order) if order else made)(x))
        low, high = self.spline.x[0], self.spline.x[-1]
        near = min(max(x, low), high)
        beyond = (x - near) * float(self.spline(near, 1))
        return self.scale * (float(self.spline(near, order)) + (0.0 if order else beyond))

    def scaled(self, factor: float) -> Course:
        """The function by a factor."""
        numbers = tuple(factor * one for one in self.numbers)
        return self._replace(numbers=numbers, scale=factor * self.scale)


def function_in(held: Element) -> Element | None:
    """Find the function that an element holds."""
    for tag in ("function", "coupled_coordinates_function"):
        inner = held.first(tag)
        if inner is not None and inner.children:
            return inner.children[0]
    known = [one for one in held.children if one.tag.endswith(("Function", "Spline", "Constant"))]
    return known[0] if known else None


def course_of(one: Element | None) -> Course | None:
    """Read a function; none where it is of a kind that is not known."""
    if one is None:
        return Course((0.0,))
    one.seen = True
    match one.tag:
        case "MultiplierFunction":
            inner = course_of(function_in(one))
            return inner.scaled(one.values("scale", 1, (1.0,))[0]) if inner else None
        case "Constant":
            return Course(one.values("value", 1, (0.0,)))
        case "LinearFunction":
            slope, start = one.values("coefficients", 2, (1.0, 0.0))
            return Course((start, slope))
        case "PolynomialFunction":
            return Course(one.values("coefficients", 0)[::-1])
        case "SimmSpline" | "NaturalCubicSpline" | "PiecewiseLinearFunction" | "GCVSpline":
            return _spline(one)
    return None


def _spline(one: Element) -> Course:
    x, y = (np.array(one.values(tag, 0, ())) for tag in ("x", "y"))
    if len(x) < 2 or len(x) != len(y) or not (np.diff(x) > 0.0).all():
        raise one.wrong(one.tag, "its points cannot be read")
    if len(x) == 2:
        slope = float((y[1] - y[0]) / (x[1] - x[0]))
        return Course((float(y[0]) - slope * float(x[0]), slope))
    from scipy.interpolate import CubicSpline

    half = int(one.values("half_order", 1, (3.0,))[0]) if one.tag == "GCVSpline" else 0
    if one.tag == "PiecewiseLinearFunction":
        fine = np.interp(np.arange(PER_LINE * (len(x) - 1) + 1) / PER_LINE, np.arange(len(x)), x)
        spline = CubicSpline(fine, np.interp(fine, x, y), bc_type="natural")
        return Course((), spline, is_rounded=True)
    if half:
        return Course((), _natural(one, x, y, half))
    ends: Any = tuple((2, bend) for bend in _bends(x, y))
    return Course((), CubicSpline(x, y, bc_type=ends))


def _natural(one: Element, x: Array, y: Array, half: int) -> CubicSpline:
    """Give the natural spline of a degree of 2 half - 1 as cubics through close points of it, as far beyond its ends as it is long.

    Beyond its ends a natural spline is a polynomial of the degree half - 1 (de Boor, A practical guide to splines, 1978, XIII; Woltring 1986).
    """
    from scipy.interpolate import CubicSpline, make_interp_spline

    if not 2 <= half <= 4 or len(x) < 2 * half:
        raise one.wrong("half_order", "it is 2, 3 or 4 (a degree of 3, 5 or 7), and the function has twice as many points at least")  # fmt: skip
    if any(one.values("error_variance", 1, (0.0,))):
        raise one.wrong("error_variance", "splines that smooth are not read; give it points that have been smoothed, and 0 here")  # fmt: skip
    if half == 2:
        return CubicSpline(x, y, bc_type="natural")
    flat: Any = [(order, 0.0) for order in range(half, 2 * half - 1)]
    spline = make_interp_spline(x, y, k=2 * half - 1, bc_type=(flat, flat))
    fine = np.interp(np.arange(CLOSE * (len(x) - 1) + 1) / CLOSE, np.arange(len(x)), x)
    values, long = spline(fine), x[-1] - x[0]
    ends = [
        (end, [float(spline(end, order)) / math.factorial(order) for order in range(half)])
        for end in (x[0], x[-1])
    ]
    steps = long * np.arange(1, CLOSE * len(x) + 1) / (CLOSE * len(x))
    beyond = [np.polynomial.Polynomial(numbers)(way * steps) for (_, numbers), way in zip(ends, (-1.0, 1.0), strict=True)]  # fmt: skip
    X = np.concatenate([x[0] - steps[::-1], fine, x[-1] + steps])
    Y = np.concatenate([beyond[0][::-1], values, beyond[1]])
    tail: list[Any] = [float(np.polynomial.Polynomial(n).deriv()(way * long)) for (_, n), way in zip(ends, (-1.0, 1.0), strict=True)]  # fmt: skip
    return CubicSpline(X, Y, bc_type=((1, tail[0]), (1, tail[1])))


CLOSE = 24
"""Pieces of cubics by piece of a spline of a higher degree."""


def _bends(x: Array, y: Array) -> tuple[float, float]:
    """Curvatures at both ends where the third derivative there is that of the cubic through four points.

    So splines of SIMM end (Forsythe, Malcolm and Moler 1977); of three points it is zero there.
    """
    n, h = len(x), np.diff(x)
    A, b = np.zeros((n, n)), np.zeros(n)
    for k in range(1, n - 1):
        A[k, k - 1 : k + 2] = h[k - 1], 2.0 * (h[k - 1] + h[k]), h[k]
        b[k] = 6.0 * ((y[k + 1] - y[k]) / h[k] - (y[k] - y[k - 1]) / h[k - 1])
    A[0, :2], A[-1, -2:] = (-1.0 / h[0], 1.0 / h[0]), (-1.0 / h[-1], 1.0 / h[-1])
    if n > 3:
        b[0], b[-1] = (6.0 * np.polyfit(x[s] - x[s][0], y[s], 3)[0] for s in (slice(4), slice(-4, None)))  # fmt: skip
    bend = np.linalg.solve(A, b)
    return float(bend[0]), float(bend[-1])


def coupled(name: str, first: Coordinate, second: Coordinate, course: Course) -> Tie | None:
    """Let the axis of a coordinate follow that of another; none where it has none, or the function is beyond us."""
    if first.axis is None or second.axis is None:
        return None
    axes = first.axis, second.axis
    if course.spline is not None:
        x = course.spline.x
        # two more points, so that no spline through all of them is another one
        x = np.sort([*x, (x[0] + x[1]) / 2.0, (x[-2] + x[-1]) / 2.0])
        X = [first.factor * float(one) + first.shift for one in x]
        Y = [second.factor * course.at(float(one)) + second.shift for one in x]
        way = 1 if first.factor > 0.0 else -1
        return Tie(name, "coupled", axes, knots=(X[::way], Y[::way]))
    back = np.polynomial.Polynomial((-first.shift / first.factor, 1.0 / first.factor))
    made = second.factor * np.polynomial.Polynomial(course.numbers)(back) + second.shift
    numbers = tuple(map(float, made.coef)) if isinstance(made, np.polynomial.Polynomial) else (float(made),)  # fmt: skip
    return Tie(name, "coupled", axes, numbers) if len(numbers) <= MOST_TERMS else None


@dataclass
class Following:
    """What a coordinate moves beside its own axis, by a function."""

    joint: str
    first: Coordinate
    second: Coordinate
    course: Course


def settle(coordinates: Sequence[Coordinate]) -> None:
    """Let what follows start where its function says, as OpenSim does: what leads stays where it is."""
    moved, rounds = True, len(coordinates)
    while moved and rounds > 0:
        moved, rounds = False, rounds - 1
        for one in coordinates:
            if one.leader is None:
                continue
            first, course = one.leader
            value, one.speed = course.at(first.value), course.at(first.value, 1) * first.speed
            if abs(value - one.value) > SAME:
                moved, one.value = True, value
            if one.axis is not None and not one.axis.is_held:
                one.axis.start = one.factor * one.value + one.shift
                one.axis.speed = one.factor * one.speed


SAME = 1e-14
"""Values (rad, m) that are no farther apart are one."""


def follow(parts: Sequence[Following], read_notes: ReadNotes) -> list[Tie]:
    """Couple what follows a coordinate; what follows one that moves nothing by itself is held."""
    found = list[Tie]()
    for one in parts:
        if one.course.is_rounded:
            read_notes.say(ROUNDED, name=one.second.name)
        tie = coupled(one.second.name, one.first, one.second, one.course)
        if tie is not None:
            found.append(tie)
        elif one.second.axis is not None:
            one.second.axis.is_held, one.second.axis.speed = True, 0.0
            read_notes.say(
                "Joint '{name}': what depends on coordinate '{coordinate}' by a function stands still at its value at the start.",
                name=one.joint, coordinate=one.first.name,
            )  # fmt: skip
    return found


ROUNDED = msgid("'{name}': the corners of its function are rounded.")
SETTINGS = {"components", "isDisabled", "isEnforced", "Appearance"}


def read_constraints(
    parts: Sequence[Element],
    coordinates: Mapping[str, Coordinate],
    frame: Callable[..., End],
    offsets: Callable[[Element], dict[str, End]],
    read_notes: ReadNotes,
) -> list[Tie]:
    """Read the constraints of a model; those that have no like are named with their number."""
    found, left = list[Tie](), Counter[str]()
    for one in parts:
        name = one.given.get("name", one.tag)
        if one.child_text("isDisabled") == "true" or one.child_text("isEnforced") == "false":
            read_notes.say(
                "Constraint '{name}' is switched off in the file and left out.", name=name
            )
            continue
        ends = _Ends(one, frame, offsets(one))
        made: list[Tie] | None
        match one.tag:
            case "CoordinateCouplerConstraint":
                made = _coupler(name, one, coordinates, read_notes)
            case "ConstantDistanceConstraint":
                made = [Tie(name, "fixed_distance", ends=ends.pair("body_", "point_"), distance=one.values("constant_distance", 1)[0])]  # fmt: skip
            case "PointConstraint":
                made = [Tie(name, "zero_distance", ends=ends.pair("body_", "location_body_"))]
            case "WeldConstraint":
                made = [Tie(name, "weld", ends=ends.frames())]
            case "PointOnLineConstraint":
                made = [Tie(name, "point_on_line", ends=ends.line())]
            case _:
                left[one.tag] += 1
                continue
        if made is None:
            read_notes.say("Constraint '{name}' is left out: a coupler lets a coordinate follow others that move axes, by a spline of one or by polynomials of the fifth degree at most, without products of several.", name=name)  # fmt: skip
            continue
        found += made
        read_notes.rest_within(one, SETTINGS)
    for tag, count in left.items():
        read_notes.say("Constraints of kind {kind} are left out ({count}).", kind=tag, count=count)
    return found


def _coupler(
    name: str, one: Element, coordinates: Mapping[str, Coordinate], read_notes: ReadNotes
) -> list[Tie] | None:
    first = one.child_text("independent_coordinate_names").split()
    second = one.child_text("dependent_coordinate_name")
    for each in (*first, second):
        if each not in coordinates:
            raise one.wrong(each[:80] or "dependent_coordinate_name", "there is no coordinate of this name")  # fmt: skip
    (scale,) = one.values("scale_factor", 1, (1.0,))
    course: Course | None
    if len(first) > 1:
        parts = _parts(function_in(one), [coordinates[each] for each in first])
        if parts is None:
            return None
        moving, course = parts
        if len(moving) > 1:
            return _summed(name, moving, coordinates[second], scale)
        first = [moving[0][0].name] if moving else first[:1]
    else:
        course = course_of(function_in(one))
    if course is None:
        return None
    course = course.scaled(scale)
    if course.is_rounded:
        read_notes.say(ROUNDED, name=name)
    leads, follows = coordinates[first[0]], coordinates[second]
    still = course.is_straight and not any(course.numbers[1:])
    if follows.axis is not None and (still or (leads.axis is None and leads.is_locked)):
        # what follows what stands still for good does so too
        axis, there = follows.axis, follows.factor * course.at(leads.value) + follows.shift
        axis.is_held, axis.start, axis.speed = True, there, 0.0
        return []
    if follows.axis is None and leads.axis is not None and course.is_straight and any(course.numbers[1:]):  # fmt: skip
        # it moves nothing by itself: it counts as the axis that leads it, and all that follows it follows that one
        start, slope = course.numbers[:2]
        follows.axis, follows.factor = leads.axis, leads.factor / slope
        follows.shift = leads.shift - follows.factor * start
        return []
    made = coupled(name, leads, follows, course)
    if made is None:
        return None
    follows.leader = (leads, course)
    return [made]


Parts = list[tuple[Coordinate, tuple[float, ...]]]


def _parts(one: Element | None, leads: Sequence[Coordinate]) -> tuple[Parts, Course] | None:
    """Give a function of several coordinates as a polynomial of each that moves, the constant in the first; and of the last alone.

    None where it is of a kind that is not known, or where coordinates that move stand in one product.
    """
    if one is None:
        return None
    one.seen = True
    if one.tag == "MultiplierFunction":
        (factor,), inner = one.values("scale", 1, (1.0,)), _parts(function_in(one), leads)
        if inner is None:
            return None
        made = [(q, tuple(factor * a for a in numbers)) for q, numbers in inner[0]]
        return made, inner[1].scaled(factor)
    n = len(leads)
    if one.tag == "LinearFunction":
        *slopes, start = one.values("coefficients", n + 1)
        terms = [((0,) * n, start)]
        terms += [(tuple(int(k == m) for m in range(n)), a) for k, a in enumerate(slopes)]
    elif one.tag == "MultivariatePolynomialFunction":
        numbers, (order,) = one.values("coefficients", 0), one.values("order", 1)
        powers = _powers(n, int(order)) if 0 <= order <= MOST_ORDER else []
        if one.values("dimension", 1, (float(n),)) != (n,) or len(powers) != len(numbers):
            raise one.wrong("coefficients", "there are not as many as its dimension and order ask for")  # fmt: skip
        terms = list(zip(powers, numbers, strict=True))
    else:
        return None
    start, found = 0.0, dict[int, list[float]]()
    for power, a in terms:
        moving = [k for k in range(n) if power[k] and not leads[k].is_locked]
        a *= float(np.prod([leads[k].value ** power[k] for k in range(n) if k not in moving]))
        if not moving:
            start += a
        elif len(moving) == 1:
            row = found.setdefault(moving[0], [0.0] * (MOST_ORDER + 1))
            row[power[moving[0]]] += a
        elif a:
            return None
    made = [(leads[k], tuple(row)) for k, row in found.items() if any(row)]
    made = [(q, (start, *row[1:]) if k == 0 else row) for k, (q, row) in enumerate(made)]
    return made, Course(_short(made[-1][1]) if len(made) == 1 else (start,))


def _short(numbers: tuple[float, ...]) -> tuple[float, ...]:
    """Coefficients without noughts behind the last that counts."""
    return numbers[: max((k for k, a in enumerate(numbers) if a), default=0) + 1]


MOST_ORDER = 12
"""Order of a polynomial of several coordinates that is read."""


def _powers(n: int, order: int) -> list[tuple[int, ...]]:
    """Powers of n variables up to an order together, in OpenSim's order: those of the last one go fastest."""
    if n == 0:
        return [()]
    return [(k, *rest) for k in range(order + 1) for rest in _powers(n - 1, order - k)]


def _summed(name: str, parts: Parts, second: Coordinate, scale: float) -> list[Tie] | None:
    """Let a coordinate be the sum of polynomials of others; none where one of them moves no axis, or goes too high."""
    axes, terms = list[Axis](), list[tuple[float, ...]]()
    for q, numbers in [*((q, tuple(scale * a for a in row)) for q, row in parts), (second, (0.0, -1.0))]:  # fmt: skip
        if q.axis is None:
            return None
        back = np.polynomial.Polynomial((-q.shift / q.factor, 1.0 / q.factor))
        made: Any = np.polynomial.Polynomial(_short(numbers))(back)
        axes.append(q.axis)
        terms.append(tuple(map(float, made.coef)))
    if max(map(len, terms)) > MOST_TERMS:
        return None
    return [Tie(name, "sum", tuple(axes), terms=tuple(terms))]


class _Ends:
    """The ends of a constraint, by the names that both versions of such files have for them."""

    def __init__(self, one: Element, frame: Callable[..., End], local: dict[str, End]) -> None:
        self.one, self.frame, self.local = one, frame, local

    def _named(self, *tags: str) -> End:
        names = [self.one.child_text(tag) for tag in tags]
        return self.frame(next((name for name in names if name), ""), self.one, self.local)

    def _place(self, end: End, tag: str) -> End:
        body, place, R = end
        return body, place + R @ np.array(self.one.values(tag, 3, ZERO)), R

    def pair(self, body: str, place: str) -> list[End]:
        """Two points."""
        return [
            self._place(self._named(f"socket_{body}{n}", f"{body}{n}"), f"{place}{n}")
            for n in (1, 2)
        ]

    def frames(self) -> list[End]:
        """Two frames."""
        if self.one.first("body_1") is None:
            return [self._named(f"socket_frame{n}", f"socket_frame_{n}") for n in (1, 2)]
        found = list[End]()
        for n in (1, 2):
            body, place, R = self._place(self._named(f"body_{n}"), f"location_body_{n}")
            turned = from_angles(self.one.values(f"orientation_body_{n}", 3, ZERO), "xyz")
            found.append((body, place, R @ turned))
        return found

    def line(self) -> list[End]:
        """A frame whose z is the line, and the point that stays on it."""
        body, place, R = self._place(self._named("socket_line_body", "line_body"), "point_on_line")
        way: Any = np.array(self.one.values("line_direction_vec", 3))
        if not way.any():
            raise self.one.wrong("line_direction_vec", "it has no length")
        follower = self._named("socket_follower_body", "follower_body")
        point = self._place(follower, "point_on_follower")
        return [(body, place, R @ frame_of(way, 2)), point]
