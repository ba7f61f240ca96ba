"""Cards E.6 and F.7: winds."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.exchange.decks.bodies import surface
from solver.exchange.decks.functions import Functions
from solver.exchange.decks.order import Row
from solver.exchange.decks.planes import Planes

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

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
    told = Row(row.card, {**row.values, "segment": abs(row["segment"])}, row.line, row.last)
    ref, front = surface(taking, told, "segment", "ellipsoid"), planes.of(row)
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
    """Give the coefficient of a wind over time: cards E.6 hold it as their first value, others as a function."""
    number = row["drag"]
    if number == 0:
        return np.zeros(1), np.ones(1)
    if number in blocks:
        rows = blocks[number][3:]
        for one in blocks[number]:
            taking.took(one)
        told = np.array([one["row"][:2] for one in rows]) if rows else np.ones((1, 2))
        return told[:, 0] * taking.units.time, told[:, 1]
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
