"""Cards C: how vehicles move; B.2 bodies that are vehicles move the same way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths import profile
from solver.exchange.decks.components import give_six, take_six
from solver.exchange.decks.giving import Giving, card, many
from solver.exchange.decks.numbers import YAW_FIRST, taken_turn
from solver.exchange.decks.order import Row
from solver.project.functions import Table
from solver.project.histories import curve_of, shape
from solver.project.motions import ConstantHistory, History, Motion
from solver.project.pose import turn

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

MASS = "Its motion is prescribed, so its mass does not matter."


def take_vehicles(taking: Taking) -> None:
    """Take the vehicles as segments with prescribed motions; the last is the primary one."""
    blocks = taking.deck.blocks("C.1", "C.2", "C.2.b", "C.3", "C.4", "C.5")
    for number, block in enumerate(blocks, 1):
        title, row = block[0], block[1]
        last = number == len(blocks)
        own = 0 < row["segment"] <= len(taking.segments) and not last
        if own:
            name = taking.segments[row["segment"] - 1]
        else:
            name = taking.named("segments", "vehicle" if last else f"vehicle_{number}", "vehicle")
            taking.segments.append(name)
            path = taking.add(
                "segments", row, id=name, name=title["title"].strip(), group="Vehicle", note=MASS,
                mass_kg=1000.0, inertia_kgm2=[500.0] * 3, surfaces=[],
            )  # fmt: skip
            taking.took(title, path)
            taking.took(row, path)
        _roots(taking).append({
            "segment": name, "position_m": taking.lengths(row["origin"]),
        })  # fmt: skip
        _motion(taking, block, name)


def _roots(taking: Taking) -> list[dict[str, Any]]:
    start = taking.data.setdefault("initial", {"roots": [], "attitudes": []})
    roots: list[dict[str, Any]] = start["roots"]
    return roots


def _motion(taking: Taking, block: list[Row], name: str) -> None:
    row, units = block[1], taking.units
    if row["option"] or row["reference"]:
        taking.impossible(
            row, "Motion seen from another segment: the option of this card is not taken."
        )
    if row["points"] < 0:
        components, axes = take_six(taking, block, name)
        _add(taking, block, name, components, axes)
        return
    angles = (row["angles"][0], row["angles"][1], 0.0)
    pulse: dict[str, Any]
    speed = row["speed"] * units.speed
    if row["points"] == 0 and not row["speed"]:
        pulse, speed = {"kind": "constant", "value": 0.0}, 0.0
        taking.rule(row, "Neither speed nor table: the vehicle stands.")
    elif row["points"] == 0:
        if row["duration"] <= 0.0:
            taking.refuse(row, "duration", Sentence("a half sine needs a duration above zero."))
            return
        duration = row["duration"] * units.time
        taking.rule(
            row, "A half sine of deceleration takes away the whole speed within the duration."
        )
        pulse = {
            "kind": "half_sine",
            "amplitude": -speed * math.pi / (2.0 * duration),
            "duration_s": duration,
        }
    else:
        pulse = {"kind": "function", "function": _table(taking, block), "scale": -1.0}
    component = {"component": "x", "pulse": pulse, "start_rate": speed}
    _add(taking, block, name, [component], taken_turn(angles, (), YAW_FIRST))


def _add(
    taking: Taking, block: list[Row], name: str, components: list[dict[str, Any]], axes: dict[str, Any] | None
) -> None:  # fmt: skip
    title = block[0]["title"].strip()
    path = taking.add(
        "motions", block[1], id=taking.named("motions", f"{name}_motion", "motion"), name=title,
        group="Vehicle", segment=name, components=components, axes=axes,
    )  # fmt: skip
    for one in block:
        taking.took(one, path)


def _table(taking: Taking, block: list[Row]) -> str:
    title, row, tables = block[0], block[1], block[2:]
    units = taking.units
    count, step = row["points"], row["interval"] * units.time
    if step <= 0.0:
        taking.refuse(row, "interval", Sentence("the time between points is above zero."))
    values = [value for one in tables for value in one["values"]][:count]
    gravity = units.g * units.acceleration
    first = row["first_time"] * units.time
    if values and values[-1]:
        taking.rule(tables[-1], "After its last point the deceleration stays.")
    name = taking.named("functions", "deceleration", "deceleration")
    path = taking.add(
        "functions", tables[0], id=name, name=title["title"].strip(), group="Curves",
        x_unit="s", y_unit="m/s2",
        form={"kind": "table", "x": [first + k * step for k in range(count)],
              "y": [value * gravity for value in values]},
    )  # fmt: skip
    for one in tables:
        taking.took(one, path)
    return name


def give_vehicles(giving: Giving) -> list[Row]:
    """The cards C: each segment that moves as prescribed; the last is the primary vehicle."""
    rows = list[Row]()
    motions = {one.segment: one for one in giving.project.motions}
    own = [name for name in giving.order if name in motions]
    for name in (*own, *giving.vehicles):
        number = giving.segment(name)
        is_last = name == giving.vehicles[-1]
        title = next((s.name for s in giving.project.segments if s.id == name), "") or name
        rows.append(card("C.1", title=title[:72]))
        rows += _given_motion(giving, motions.get(name), name, 0 if is_last else number)
    return rows


def _given_motion(giving: Giving, motion: Motion | None, name: str, number: int) -> list[Row]:
    placed = giving.pose.get(name)
    origin = giving.lengths(placed.p_W) if placed is not None else ()
    if motion is None:
        return [card("C.2", origin=origin, segment=number)]
    path = f"motions/{motion.id}"
    one = motion.components[0]
    placed_straight = placed is None or np.array_equal(placed.R_WS, np.eye(3))
    if (
        len(motion.components) > 1
        or one.component not in "xyz"
        or one.quantity != "acceleration"
        or not placed_straight
    ):
        return give_six(giving, motion, number)
    if isinstance(one.pulse, ConstantHistory) and one.pulse.value == one.start_rate == 0.0:
        return [card("C.2", origin=origin, segment=number)]
    along = turn(motion.axes)[:, "xyz".index(one.component)]
    pulse, functions = one.pulse, {f.id: curve_of(f) for f in giving.project.functions}
    gravity = giving.units.g * giving.units.acceleration
    form: Any = giving.functions[pulse.function].form if isinstance(pulse, History) else None
    end = giving.project.runs[0].duration_s if giving.project.runs else 0.1
    step = _even(form) if isinstance(form, Table) and form.between == "lines" else None
    if isinstance(form, Table) and step is not None and isinstance(pulse, History):
        first, values = form.x[0], [-pulse.scale * value for value in form.y]
    else:
        first, step = 0.0, max(0.001, end / 1000.0)
        values = [
            -profile.value(shape(pulse, functions), k * step)[0] for k in range(int(end / step) + 2)
        ]
        giving.lose(path, "The pulse is written as points at even times, joined by lines.")
    yaw = math.degrees(math.atan2(along[1], along[0]))
    pitch = math.degrees(-math.asin(max(-1.0, min(1.0, along[2]))))
    head = card(
        "C.2", angles=(yaw, pitch, 0.0), speed=giving.number(one.start_rate, giving.units.speed),
        origin=origin, points=len(values), first_time=first, interval=step, segment=number,
    )  # fmt: skip
    return [head, *many("C.3", "values", giving.numbers(values, gravity))]


def _even(form: Table) -> float | None:
    """The time between points that stand at even times."""
    if len(form.x) < 2 or len(form.x) > 999:
        return None
    step = form.x[1] - form.x[0]
    step = float(f"{step:.12g}")
    return (
        step
        if all(math.isclose(form.x[0] + k * step, x, abs_tol=1e-12) for k, x in enumerate(form.x))
        else None
    )
