"""Cards C: how vehicles move; B.2 bodies that are vehicles move the same way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from solver.exchange.decks.order import Row
from solver.words import Sentence

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

MASS = "Its motion is prescribed, so its mass does not matter."


def take_vehicles(taking: Taking) -> None:
    """Take the vehicles as segments with prescribed motions; the last is the primary one."""
    blocks = taking.deck.blocks("C.1", "C.2", "C.3")
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
    title, row, tables = block[0], block[1], block[2:]
    units = taking.units
    if row["option"] or row["reference"]:
        taking.impossible(
            row, "Motion seen from another segment: the option of this card is not taken."
        )
    angles = (row["angles"][0], row["angles"][1], 0.0)
    fields: dict[str, Any] = {
        "axes": taking.turn(row, "angles", angles),
    }
    pulse: dict[str, Any]
    if row["points"] < 0:
        taking.impossible(
            row, "A motion in six components: the columns of its tables are in no source here."
        )
        return
    if row["points"] == 0:
        if not row["speed"]:
            taking.rule(row, "Neither speed nor table: the vehicle stands.")
            taking.took(title)
            return
        if row["duration"] <= 0.0:
            taking.refuse(row, "duration", Sentence("a half sine needs a duration above zero."))
            return
        duration = row["duration"] * units.time
        speed = row["speed"] * units.speed
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
        speed = row["speed"] * units.speed
    component = {"component": "x", "pulse": pulse, "start_rate": speed}
    motion = taking.named("motions", f"{name}_motion", "motion")
    path = taking.add(
        "motions", row, id=motion, name=title["title"].strip(), group="Vehicle", segment=name,
        components=[component], **fields,
    )  # fmt: skip
    for one in (title, row, *tables):
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
