"""Cards C.2.b, C.4 and C.5: vehicles that move in six components.

What stands on the cards becomes accelerations joined by lines, which is exact: those of cubics are such lines too.
Linear ones follow the ground's axes, angular ones the vehicle's own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths import profile
from solver.engine.maths.rotation import Array, from_angles, turns_of
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.numbers import DEGREE
from solver.exchange.decks.order import Row
from solver.project.angles import angles_from
from solver.project.forms import cubics
from solver.project.functions import Function, Table
from solver.project.histories import curve_of, position
from solver.project.motions import History, Motion
from solver.project.pose import turn

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

PLACES, SPEEDS = 1, 2
"""What cards C.5 give; 3 and cards C.4 give accelerations."""
ANGLES = ("yaw", "pitch", "roll")
ABOUT = ("roll", "pitch", "yaw")
"""Angle that turns about x, y and z alone."""
UNIT = {"x": "m/s2", "y": "m/s2", "z": "m/s2", "yaw": "rad/s2", "pitch": "rad/s2", "roll": "rad/s2"}
STEEP = np.cos(np.radians(1.0))
"""Sine of the pitch from which on yaw and roll are no longer told apart."""


@dataclass
class VectorHistory:
    """A quantity with three components over time, and what it starts from."""

    times: Array
    values: Array
    place: Array
    rate: Array


Made = tuple[list[dict[str, Any]], dict[str, Any] | None]
"""Components of a motion, and the turn of its axes."""


def take_six(taking: Taking, block: list[Row], name: str) -> Made:
    """A vehicle's motion and note where it starts."""
    row, second, rows = block[1], block[2], block[3:]
    units, gives = taking.units, second["gives"]
    if gives and len(rows) < gives:
        taking.refuse(
            second,
            "points",
            Sentence(
                "its tables give {what} and need {least} points at least.", what=gives, least=gives
            ),
        )
        return [], None
    if not gives and row["interval"] <= 0.0:
        taking.refuse(row, "interval", Sentence("the time between points is above zero."))
        return [], None
    linear, angular = (
        np.array([one["linear"] for one in rows]),
        np.array([one["angular"] for one in rows]),
    )
    if gives:
        times = np.array([one["time"] for one in rows]) * units.time
        if np.any(np.diff(times[gives - 1 :]) <= 0.0):
            taking.refuse(rows[-1], "time", Sentence("times must increase from card to card."))
            return [], None
    else:
        times = (row["first_time"] + np.arange(len(rows)) * row["interval"]) * units.time
    scale = {
        0: -units.g * units.acceleration,
        1: units.length,
        2: units.speed,
        3: -units.g * units.acceleration,
    }[gives]
    turning = DEGREE / (1.0, 1.0, units.time, units.time**2)[gives or 3]
    first = max(gives - 1, 0)
    shifts = VectorHistory(times[first:], linear[first:] * scale, np.zeros(3), np.zeros(3))
    turns = VectorHistory(times[first:], angular[first:] * turning, np.zeros(3), np.zeros(3))
    R = from_angles([a * DEGREE for a in row["angles"]], "zyx")
    origin = np.array(row["origin"]) * units.length
    if gives == 0:
        shifts.rate = row["speed"] * units.speed * R[:, 0]
        turns.rate = np.array(second["rate"]) * (DEGREE / units.time)
    if gives > PLACES:
        origin, R = linear[0] * units.length, from_angles(angular[0] * DEGREE, "zyx")
    if gives > SPEEDS:
        shifts.rate, turns.rate = linear[1] * units.speed, angular[1] * (DEGREE / units.time)
    if gives in (PLACES, SPEEDS):
        degree = second["degree"]
        if degree != 3:
            taking.rule(
                second,
                Sentence("Cubics join its points, not curves of degree {degree}.", degree=degree),
            )
        _smooth(shifts, gives)
        _smooth(turns, gives)
    if gives == PLACES:
        _begin(taking, name, shifts.place, np.eye(3))
        taking.rule(second, "After the last point the acceleration stays.")
        return [*_along(taking, block, name, shifts), *_about(taking, block, name, turns)], None
    shifts.place = origin
    return _turned(taking, block, name, shifts, turns, R)


def _smooth(course: VectorHistory, gives: int) -> None:
    """Make accelerations of places or speeds that cubics join."""
    x, y = course.times, course.values
    if len(x) == 1:
        course.place, course.values = (y[0] if gives == PLACES else np.zeros(3)), np.zeros((1, 3))
        course.rate = y[0] if gives == SPEEDS else np.zeros(3)
        return
    c = np.stack([cubics(Table(x=tuple(x), y=tuple(y[:, k]), between="spline")) for k in range(3)])
    h, early = x[-1] - x[-2], x[0]
    if gives == PLACES:
        ends = 2.0 * c[:, -1, 2] + 6.0 * c[:, -1, 3] * h
        course.values = np.vstack([2.0 * c[:, :, 2].T, ends])
        course.rate = c[:, 0, 1] - early * course.values[0]
        course.place = c[:, 0, 0] - early * c[:, 0, 1] + 0.5 * early**2 * course.values[0]
        return
    # the acceleration of cubic speeds is a parabola in each interval: eight lines, whose corners lie on it
    parts = [x[k] + (x[k + 1] - x[k]) * np.arange(8) / 8 for k in range(len(x) - 1)]
    steps = [t - x[k] for k, t in enumerate(parts)] + [np.array([h])]
    course.values = np.vstack([
        (c[:, min(k, len(x) - 2), 1:2] + 2.0 * c[:, min(k, len(x) - 2), 2:3] * s + 3.0 * c[:, min(k, len(x) - 2), 3:4] * s**2).T
        for k, s in enumerate(steps)
    ])  # fmt: skip
    course.times = np.concatenate([*parts, x[-1:]])
    course.rate = c[:, 0, 0] - early * course.values[0]


def _begin(taking: Taking, name: str, origin: Array, R: Array) -> None:
    """Say where the vehicle starts."""
    start = taking.data["initial"]
    root = next(one for one in start["roots"] if one["segment"] == name)
    root["position_m"] = [float(v) for v in origin]
    turn = {"angles_rad": list(angles_from(R, "zyx"))}
    others = [one for one in start["attitudes"] if one["segment"] != name]
    start["attitudes"] = [*others, {"segment": name, "orientation": turn}]


def _turned(
    taking: Taking,
    block: list[Row],
    name: str,
    shifts: VectorHistory,
    turns: VectorHistory,
    R: Array,
) -> Made:
    """Give the motion of what turns about its own axes: about one that stays exactly, else by its angles."""
    second = block[2]
    taking.rule(
        second,
        "Linear accelerations follow the ground's axes, angular ones the vehicle's own; after the last point they stay.",
    )
    rates = np.vstack([turns.values, turns.rate])
    sizes = np.linalg.norm(rates, axis=1)
    _begin(taking, name, shifts.place, R)
    if not sizes.any():
        return _along(taking, block, name, shifts), None
    u = rates[np.argmax(sizes)] / sizes.max()
    if np.linalg.norm(np.cross(rates, u), axis=1).max() <= 1e-12 * sizes.max():
        return _about_one(taking, block, name, shifts, turns, R, u)
    return _about_all(taking, block, name, shifts, turns, R)


def _about_one(
    taking: Taking,
    block: list[Row],
    name: str,
    shifts: VectorHistory,
    turns: VectorHistory,
    R: Array,
    u: Array,
) -> Made:
    axis = int(np.argmax(np.abs(u)))
    if abs(u[axis]) < 1.0 - 1e-15:
        side = np.cross(u, np.eye(3)[int(np.argmin(np.abs(u)))])
        side /= np.linalg.norm(side)
        R, axis = R @ np.column_stack([u, side, np.cross(u, side)]), 0
        turns = VectorHistory(
            turns.times,
            turns.values @ np.outer(u, (1, 0, 0)),
            turns.place,
            turns.rate @ np.outer(u, (1, 0, 0)),
        )
    if not np.array_equal(R, np.eye(3)):
        shifts = VectorHistory(shifts.times, shifts.values @ R, shifts.place, shifts.rate @ R)
    made = _component(
        taking, block, name, ABOUT[axis], turns.times, turns.values[:, axis], 0.0, turns.rate[axis]
    )
    return [*_along(taking, block, name, shifts), made], {"angles_rad": list(angles_from(R, "zyx"))}


def _about_all(
    taking: Taking,
    block: list[Row],
    name: str,
    shifts: VectorHistory,
    turns: VectorHistory,
    R: Array,
) -> Made:
    """Follow the attitude in small steps and give its yaw, pitch and roll."""
    end = max(float(turns.times[-1]), _duration(taking))
    count = int(
        np.clip(
            np.ceil(8.0 * end / max(float(np.diff(turns.times).min(initial=end)), end / 500)),
            100,
            4000,
        )
    )
    h = end / count
    rates = [
        profile.integral(
            profile.polyline(list(turns.times), list(turns.values[:, k])), turns.rate[k]
        )
        for k in range(3)
    ]
    at = np.array(
        [[profile.value(one, 0.5 * k * h)[0] for one in rates] for k in range(2 * count + 1)]
    )
    attitudes = [R]
    for k in range(count):
        # fourth order: the mean of the rate and a third of the turn that its change makes (Magnus)
        a, b, c = at[2 * k], at[2 * k + 1], at[2 * k + 2]
        by = h / 6.0 * (a + 4.0 * b + c) - h * h / 12.0 * np.cross(c - a, b)
        attitudes.append(attitudes[-1] @ _turn(by))
    angles = np.unwrap(turns_of(np.array(attitudes), "zyx"), axis=0)
    if np.abs(np.sin(angles[:, 1])).max() > STEEP:
        taking.impossible(
            block[2], "It pitches to 90 degrees, where yaw and roll are one; it does not turn here."
        )
        return _along(taking, block, name, shifts), None
    _begin(taking, name, shifts.place, np.eye(3))
    sentence = Sentence(
        "It turns about several axes: yaw, pitch and roll at {count} times, joined by cubics.",
        count=count + 1,
    )
    taking.rule(block[2], sentence)
    course = VectorHistory(np.linspace(0.0, end, count + 1), angles, np.zeros(3), np.zeros(3))
    _smooth(course, PLACES)
    return [*_along(taking, block, name, shifts), *_about(taking, block, name, course)], None


def _duration(taking: Taking) -> float:
    """How long the deck's run lasts (s)."""
    return float(sum(r["steps"] * r["interval"] * taking.units.time for r in taking.deck.of("A.4")))


def _turn(by: Array) -> Array:
    size = float(np.linalg.norm(by))
    if size == 0.0:
        return np.eye(3)
    x, y, z = by / size
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    out: Array = np.eye(3) + np.sin(size) * K + (1.0 - np.cos(size)) * (K @ K)
    return out


def _along(
    taking: Taking, block: list[Row], name: str, course: VectorHistory
) -> list[dict[str, Any]]:
    return [
        _component(
            taking, block, name, axis, course.times, course.values[:, k], 0.0, course.rate[k]
        )
        for k, axis in enumerate("xyz")
        if course.values[:, k].any() or course.rate[k] or k == 0
    ]


def _about(
    taking: Taking, block: list[Row], name: str, course: VectorHistory
) -> list[dict[str, Any]]:
    return [
        _component(
            taking,
            block,
            name,
            angle,
            course.times,
            course.values[:, k],
            course.place[k],
            course.rate[k],
        )
        for k, angle in enumerate(ANGLES)
        if course.values[:, k].any() or course.rate[k] or course.place[k]
    ]


def _component(
    taking: Taking,
    block: list[Row],
    name: str,
    axis: str,
    times: Array,
    values: Array,
    place: float,
    rate: float,
) -> dict[str, Any]:
    pulse: dict[str, Any] = {"kind": "constant", "value": float(values[0])}
    if np.ptp(values):
        row = block[3]
        function = taking.named("functions", f"{name}_{axis}", "acceleration")
        form = {"kind": "table", "x": [float(v) for v in times], "y": [float(v) for v in values]}
        path = taking.add(
            "functions", row, id=function, name=block[0]["title"].strip(), group="Curves", x_unit="s",
            y_unit=UNIT[axis], form=form,
        )  # fmt: skip
        for one in block[3:]:
            taking.took(one, path)
        pulse = {"kind": "function", "function": function}
    made = {"component": axis, "pulse": pulse, "start_rate": float(rate)}
    return made | ({"start_value": float(place)} if place else {})


# Cards C.2.b and C.5 of a project's motions with several components: the way back of `components`.

FINE = 1e-12


def give_six(giving: Giving, motion: Motion, number: int) -> list[Row]:
    """Give decelerations and angular accelerations at times that lines join, and what they start from."""
    path = f"motions/{motion.id}"
    angles = [one for one in motion.components if one.component not in "xyz"]
    lines = [one for one in motion.components if one not in angles[1:]]
    if len(angles) > 1:
        giving.lose(path, "Of several angles only the first is written.")
    functions = {f.id: curve_of(f) for f in giving.project.functions}
    times = _times(giving, lines, path)
    A, R = turn(motion.axes), giving.pose[motion.segment].R_WS
    linear, angular = np.zeros((len(times), 3)), np.zeros((len(times), 3))
    rate, spin = np.zeros(3), np.zeros(3)
    for one in lines:
        course = position(one, functions)
        at = np.array([profile.value(course, float(t))[2] for t in times])
        _, first, _ = profile.value(course, 0.0)
        if one.component in "xyz":
            along = A[:, "xyz".index(one.component)]
            linear += np.outer(at, along)
            rate = rate + first * along
        else:
            about = R.T @ A[:, ABOUT.index(one.component)]
            angular += np.outer(at, about)
            spin = spin + first * about
    units = giving.units
    deceleration = units.g * units.acceleration
    rows = [
        card("C.2", points=-len(times), interval=float(np.diff(times).min()), segment=number),
        card("C.2.b", gives=3, degree=1, points=len(times)),
        card("C.5", linear=giving.lengths(giving.pose[motion.segment].p_W),
             angular=giving.numbers(angles_from(R, "zyx"), DEGREE)),
        card("C.5", linear=giving.numbers(rate, units.speed), angular=giving.numbers(spin, DEGREE)),
    ]  # fmt: skip
    return rows + [
        card("C.5", time=float(t), linear=giving.numbers(-a, deceleration), angular=giving.numbers(w, DEGREE))
        for t, a, w in zip(times, linear, angular, strict=True)
    ]  # fmt: skip


def _times(giving: Giving, told: list[Any], path: str) -> Array:
    """The times of the points: those of its tables where lines join all of them, else even ones."""
    end = giving.project.runs[0].duration_s if giving.project.runs else 0.1
    corners, exact = {0.0, end}, True
    for one in told:
        form = _table(one, giving.functions)
        if form is not None:
            corners |= {t for t in form.x if t >= 0.0}
        exact &= form is not None or one.pulse.kind == "constant"
        exact &= one.quantity == "acceleration"
    if exact:
        return np.array(sorted(corners))
    giving.lose(path, "The pulse is written as points at even times, joined by lines.")
    return np.linspace(0.0, end, min(math.ceil(end / 0.001), 1000) + 1)


def _table(one: Any, functions: dict[str, Function]) -> Table | None:
    if not isinstance(one.pulse, History):
        return None
    form = functions[one.pulse.function].form
    return form if isinstance(form, Table) and form.between == "lines" else None
