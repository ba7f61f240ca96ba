"""Cards D.6, D.8, D.9 and F.10: constraints, springs, forces by time, actuators; E.6 and F.7: winds."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array, from_angles
from solver.exchange.decks.bodies import Planes, surface
from solver.exchange.decks.functions import Functions, GivenFunctions
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.numbers import DEGREE
from solver.exchange.decks.order import Row
from solver.project.links import LinearSpring, TabulatedSpring

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

# Cards E.6 and F.7: winds.

Course = tuple[Array, Array]
"""Times and values of a curve."""


def take_winds(taking: Taking, functions: Functions, planes: Planes) -> None:
    """Take the winds."""
    deck = taking.deck
    blocks = {
        block[0]["number"]: block for block in deck.blocks("E.6.a", "E.6.b", "E.6.c", "E.6.d")
    }
    for row in deck.of("F.7.a"):
        taking.took(row)
    for block in deck.blocks("F.7.b", "F.7.c"):
        _wind(taking, functions, planes, block, blocks)
    for block in blocks.values():
        for one in block:
            if not taking.is_told(one):
                taking.note(one, "No segment stands in this wind.")


def _wind(
    taking: Taking,
    functions: Functions,
    planes: Planes,
    cards: list[Row],
    blocks: dict[int, list[Row]],
) -> None:
    row = cards[0]
    positive = Row(row.card, {**row.values, "segment": abs(row["segment"])}, row.line, row.last)
    ref, front = surface(taking, positive, "segment", "ellipsoid"), planes.of(row)
    block = blocks.get(row["function"])
    if ref is None or front is None or block is None:
        taking.impossible(row, "A wind needs a surface, a plane and a function of cards E.6.")
        return
    made = _blowing(taking, block, _coefficient(taking, functions, row, blocks))
    if made is None:
        return
    blockers = [value for one in cards for value in one["blockers"]][: 2 * row["count"]]
    target: dict[str, Any] = {
        "surface": ref, "method": "outline" if row["segment"] < 0 else "whole",
    }  # fmt: skip
    shields = list[dict[str, str]]()
    for k in range(0, len(blockers), 2):
        by = Row(
            row.card, {**row.values, "segment": blockers[k], "ellipsoid": blockers[k + 1]}, row.line
        )
        found = surface(taking, by, "segment", "ellipsoid")
        if found:
            shields.append(found)
    if shields:
        target["shields"] = shields
    name = taking.named("winds", f"wind_{ref['segment']}", "wind")
    path = taking.add("winds", row, id=name, group="Loads", plane=front, targets=[target], **made)
    for one in (*cards, *block):
        taking.took(one, path)


def _coefficient(
    taking: Taking, functions: Functions, row: Row, blocks: dict[int, list[Row]]
) -> Course:
    """The coefficient of a wind over time: cards E.6 hold it as their first value, others as a function."""
    number = row["drag"]
    if number == 0:
        return np.zeros(1), np.ones(1)
    if number in blocks:
        rows = blocks[number][3:]
        for one in blocks[number]:
            taking.took(one)
        ends = np.array([one["row"][:2] for one in rows]) if rows else np.ones((1, 2))
        return ends[:, 0] * taking.units.time, ends[:, 1]
    value = functions.value(row, number, "drag")
    if not isinstance(value, str):
        return np.zeros(1), np.array([1.0 if value is None else value])
    form = taking.element("functions", value)["form"]
    if form["kind"] != "table":
        taking.impossible(
            row, "The coefficient of a wind is a constant or a table; it is taken as 1."
        )
        return np.zeros(1), np.ones(1)
    return np.array(form["x"]), np.array(form["y"])


def _blowing(taking: Taking, block: list[Row], coefficient: Course) -> dict[str, Any] | None:
    head, number = block[1], block[0]["number"]
    if head["d"][0] != 0.0:
        sentence = "Wind by the speed of a segment through a gas: give the air's velocity and density instead."
        taking.impossible(head, sentence)
        return None
    units = taking.units
    made: dict[str, Any] = {"kind": "pressure", "relative_to": taking.segment(head, "reference")}
    rows = [one["row"] for one in block[3:]]
    there = {one["id"]: one for one in taking.data.get("functions", [])}
    for k, axis in enumerate("xyz", 1):
        pressure = (
            np.array([one[0] * units.time for one in rows]),
            np.array([one[k] * units.pressure for one in rows]),
        )
        x, y = _product(pressure, coefficient)
        form = {"kind": "table", "x": x.tolist(), "y": y.tolist()}
        name = f"f{number}_{axis}"
        if name not in there or there[name]["form"] != form:
            name = taking.named("functions", name, "wind")
            taking.add(
                "functions", block[0], id=name, group="Curves", name=block[0]["title"].strip(),
                x_unit="s", y_unit="Pa", form=form,
            )  # fmt: skip
        made[f"pressure_{axis}"] = name
    return made


def _product(one: Course, other: Course) -> Course:
    """Multiply two curves of lines; where both slope, eight lines follow the parabola."""
    if len(other[0]) < 2 or np.ptp(other[1]) == 0.0:
        return one[0], one[1] * other[1][0]
    corners = np.union1d(one[0], other[0])
    x = np.union1d(corners, np.concatenate([np.linspace(a, b, 9) for a, b in pairwise(corners)]))
    return x, np.interp(x, *one) * np.interp(x, *other)


# Cards D.6, D.8, D.9 and F.10: constraints, springs, forces by time, actuators.

CONSTRAINTS = {1: "zero_distance", 2: "fixed_distance"}
STRING = 5
"""Type of a heavy string among the constraints; it has two cards."""


def take_forces(taking: Taking, functions: Functions, planes: Planes) -> None:
    """Take all of them."""
    _constraints(taking)
    for number, row in enumerate(taking.deck.of("D.8"), 1):
        _spring(taking, functions, row, number)
    for number, row in enumerate(taking.deck.of("D.9"), 1):
        _load(taking, functions, row, number)
    take_winds(taking, functions, planes)
    for number, row in enumerate(taking.deck.of("F.10"), 1):
        _actuator(taking, functions, row, number)


def _constraints(taking: Taking) -> None:
    rows = taking.deck.of("D.6")
    number = 0
    while number < len(rows):
        row, last = rows[number], number + 1 == len(rows)
        if row["type"] == STRING and not last:
            _string(taking, row, rows[number + 1], number + 1)
            number += 2
            continue
        if row["type"] == STRING:
            taking.refuse(
                row,
                "type",
                Sentence("a heavy string (type 5) has two cards; the second is missing."),
            )
            return
        _constraint(taking, row, number + 1)
        number += 1


def _string(taking: Taking, row: Row, told: Row, number: int) -> None:
    """Take a heavy string: its ends on one card, its masses, stiffness, damping and length on the next."""
    units = taking.units
    mass = units.force / units.acceleration
    a, b, ab = (value * mass for value in told["first_point"])
    k, d, length = told["second_point"]
    name = taking.named("tension_elements", f"string_{number}", "string")
    path = taking.add(
        "tension_elements", row, id=name, group="Links", mass_a_kg=a, mass_b_kg=b, mass_ab_kg=ab,
        stiffness_n_per_m=k * (units.force / units.length), damping_ns_per_m=d * (units.force / units.speed),
        damping_law="printed" if d else "along",
        rest_length_m=length * units.length, **_ends(taking, row),
    )  # fmt: skip
    taking.took(row, path)
    taking.rule(told, "Its masses are masses, not weights: force by acceleration.", path)


def _ends(taking: Taking, row: Row) -> dict[str, Any]:
    return {
        side: {"segment": taking.segment(row, field),
               "position_m": taking.lengths(row[f"{field}_point"])}
        for side, field in (("a", "first"), ("b", "second"))
    }  # fmt: skip


def _constraint(taking: Taking, row: Row, number: int) -> None:
    kind = CONSTRAINTS.get(row["type"])
    if kind is None:
        sentence = "Types 1, 2 and 5 are taken; rolling and sliding come from F.1 and F.3 with no base function."
        taking.impossible(row, sentence)
        return
    name = taking.named("constraints", f"constraint_{number}", "constraint")
    path = taking.add("constraints", row, id=name, group="Links", kind=kind, **_ends(taking, row))
    if kind == "fixed_distance":
        taking.rule(row, "The distance at the start is held.", path)
    taking.took(row, path)


def _spring(taking: Taking, functions: Functions, row: Row, number: int) -> None:
    units = taking.units
    name = taking.named("springs", f"spring_{number}", "spring")
    fields: dict[str, Any] = {
        "rest_length_m": abs(row["rest"]) * units.length,
        **_ends(taking, row),
    }
    spring, damping = row["spring"], row["damping"]
    if row["rest"] < 0.0:
        force = functions.of(row, int(spring[0]), "force") if spring[0] else None
        rate = functions.of(row, int(damping[0]), "pull_by_rate") if damping[0] else None
        fields |= {
            "kind": "tabulated",
            "force": force,
            "damping": rate,
            "tension_only": spring[1] != 0.0,
        }
        taking.rule(
            row,
            "A rest length below zero: its numbers are functions of elongation and of its rate.",
        )
    else:
        fields |= {
            "kind": "linear",
            "stiffness_n_per_m": abs(spring[0]) * (units.force / units.length),
            "stiffness_n_per_m2": spring[1] * (units.force / units.length**2),
            "damping_ns_per_m": damping[0] * (units.force / units.speed),
            "damping_ns2_per_m2": damping[1] * (units.force / units.speed**2),
            "tension_only": spring[0] <= 0.0,
        }
        if spring[0] <= 0.0:
            taking.rule(row, "A stiffness not above zero: it only pulls.")
    path = taking.add("springs", row, id=name, group="Links", **fields)
    taking.took(row, path)


def _load(taking: Taking, functions: Functions, row: Row, number: int) -> None:
    kind = "torque" if row["segment"] < 0 else "force"
    segment = taking.segment(row, "segment", abs(row["segment"]))
    by = functions.of(row, row["function"], f"{kind}_by_time")
    axis = from_angles([a * DEGREE for a in row["angles"]], "zyx")[:, 0]
    if by is None:
        taking.impossible(row, "A force needs a function of time.")
        return
    name = taking.named("loads", f"{kind}_{number}", "load")
    path = taking.add(
        "loads", row, id=name, group="Loads", kind=kind, segment=segment, history=by,
        point_m=taking.lengths(row["point"]) if kind == "force" else None,
        direction=[float(value) for value in axis],
    )  # fmt: skip
    taking.rule(
        row, "It acts along the first of the axes that its angles turn, fixed in the segment.", path
    )


def _actuator(taking: Taking, functions: Functions, row: Row, number: int) -> None:
    joint = taking.joint(row, "joint", row["joint"])
    target = functions.value(row, row["target"], "angle_by_time")
    if joint is None or target is None:
        taking.impossible(row, "An actuator needs a pin and a function of its target.")
        return
    made = taking.element("joints", joint)
    if made["kind"] != "pin":
        taking.refuse(
            row,
            "joint",
            Sentence(
                "joint {joint} is no pin (type 1 on card B.3), and only those are driven.",
                joint=joint,
            ),
        )
        return
    law: dict[str, Any] = {"kind": "actuator", "target": target}
    for name, role in (
        ("proportional", "gain"),
        ("derivative", "rate_gain"),
        ("integral", "sum_gain"),
    ):
        value = functions.value(row, row[name], role)
        if value is not None:
            law[name] = value
    if taking.segment(row, "base") != made["parent"]:
        taking.impossible(
            row, "Its angle counts from the outer segment; here it counts from the inner one."
        )
    name = taking.named("coordinate_forces", f"actuator_{number}", "actuator")
    path = taking.add(
        "coordinate_forces", row, id=name, group="Links", zero=0.0, laws=[law],
        coordinate={"kind": "joint", "joint": joint, "axis": "angle"},
    )  # fmt: skip
    sentence = "The rate of its target and its sum count with their right signs, each actuator with a sum of its own."
    taking.rule(row, sentence, path)


def give_forces(giving: Giving, functions: GivenFunctions) -> dict[str, list[Row]]:
    """The cards D.6, D.8 and D.9."""
    return {
        "D.6": _given_constraints(giving),
        "D.8": _given_springs(giving, functions),
        "D.9": _given_loads(giving, functions),
    }


def _given_ends(giving: Giving, one: Any) -> dict[str, Any]:
    return {
        "first": giving.segment(one.a.segment), "first_point": giving.lengths(one.a.position_m),
        "second": giving.segment(one.b.segment), "second_point": giving.lengths(one.b.position_m),
    }  # fmt: skip


def _given_constraints(giving: Giving) -> list[Row]:
    types = {kind: number for number, kind in CONSTRAINTS.items()}
    rows = list[Row]()
    for one in giving.project.constraints:
        if one.kind not in types:
            giving.lose(
                f"constraints/{one.id}",
                "A deck has points in one place and at a distance alone; others are left out.",
            )
            continue
        if one.breakage is not None:
            giving.lose(f"constraints/{one.id}", "A constraint of a deck does not break.")
        if getattr(one, "distance_m", None) is not None:
            giving.lose(f"constraints/{one.id}", "A deck holds the distance at the start.")
        rows.append(card("D.6", type=types[one.kind], **_given_ends(giving, one)))
    units = giving.units
    mass, rate = units.force / units.acceleration, units.force / units.speed
    for string in giving.project.tension_elements:
        masses = (string.mass_a_kg, string.mass_b_kg, string.mass_ab_kg)
        if string.damping_ns_per_m and string.damping_law != "printed":
            giving.lose(
                f"tension_elements/{string.id}", "A deck's string damps across its line, too."
            )
        k = giving.number(string.stiffness_n_per_m, units.force / units.length)
        last = (
            k,
            giving.number(string.damping_ns_per_m, rate),
            giving.number(string.rest_length_m, units.length),
        )
        rows.append(card("D.6", type=STRING, **_given_ends(giving, string)))
        rows.append(
            card("D.6", type=STRING, first_point=giving.numbers(masses, mass), second_point=last)
        )
    return rows


def _given_springs(giving: Giving, functions: GivenFunctions) -> list[Row]:
    units, rows = giving.units, list[Row]()
    for one in giving.project.springs:
        path = f"springs/{one.id}"
        if not isinstance(one, LinearSpring | TabulatedSpring):
            giving.lose(path, "A bushing or a disc has no card; it is left out.")
            continue
        rest = one.rest_length_m
        if rest is None:
            a, b = (giving.pose[end.segment].of(end.position_m) for end in (one.a, one.b))
            rest = float(np.linalg.norm(a - b))
        length = giving.number(rest, units.length)
        if isinstance(one, TabulatedSpring):
            spring = (float(functions.of(one.force, "force")), float(one.tension_only))
            damping = (float(functions.of(one.damping, "pull_by_rate")), 0.0)
            length = -length
        else:
            stiff = giving.number(one.stiffness_n_per_m, units.force / units.length)
            spring = (
                -stiff if one.tension_only else stiff,
                giving.number(one.stiffness_n_per_m2, units.force / units.length**2),
            )
            damping = (giving.number(one.damping_ns_per_m, units.force / units.speed),
                       giving.number(one.damping_ns2_per_m2, units.force / units.speed**2))  # fmt: skip
            if stiff == 0.0 and not one.tension_only:
                giving.lose(path, "A damper alone only pulls in a deck.")
        rows.append(
            card("D.8", rest=length, spring=spring, damping=damping, **_given_ends(giving, one))
        )
    return rows


def _given_loads(giving: Giving, functions: GivenFunctions) -> list[Row]:
    rows = list[Row]()
    for one in giving.project.loads:
        if one.axes != "segment":
            giving.lose(
                f"loads/{one.id}",
                "A force of a deck turns with its segment; one along the ground's axes is left out.",
            )
            continue
        x, y, z = np.array(one.direction) / np.linalg.norm(one.direction)
        number = giving.segment(one.segment)
        rows.append(card(
            "D.9", segment=-number if one.kind == "torque" else number, point=giving.lengths(one.point_m),
            function=functions.of(one.history, f"{one.kind}_by_time"),
            angles=(math.degrees(math.atan2(y, x)), math.degrees(-math.asin(max(-1.0, min(1.0, z)))), 0.0),
        ))  # fmt: skip
    return rows
