"""Cards F.8: harnesses; D.3 and F.2: simple belts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.bodies import centre_of, surface
from solver.exchange.decks.contacts import Laws
from solver.exchange.decks.functions import Functions, constant_of, d_of
from solver.exchange.decks.order import Row

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

TIES = 100
"""A segment's code above it names a junction by its hundreds."""
ENDS_FIXED = Sentence("Both ends of a belt are fixed points of a segment, with both flags set.")


def take_harnesses(taking: Taking, functions: Functions, laws: Laws) -> None:
    """Take the harnesses, their belts and points."""
    deck = taking.deck
    heads = deck.of("F.8.a")
    if not heads:
        return
    head = heads[0]
    rows = iter(deck.of("F.8.b", "F.8.c", "F.8.d1", "F.8.d2"))
    paths = list[str]()
    number = 0
    for belts in head["belts"]:
        if belts:
            number += 1
            paths.append(_harness(taking, functions, laws, rows, belts, number))
    if head["iterations"] or head["tolerance"]:
        taking.rule(head, "Limit and tolerance of the balance are not needed here.", *paths)
    taking.took(head, *paths)


def _harness(
    taking: Taking, functions: Functions, laws: Laws, rows: Iterator[Row], belts: int, number: int
) -> str:
    counts = list[int]()
    told = list[Row]()
    while len(counts) < belts:
        row = next(rows)
        told.append(row)
        counts += row["points"]
    straps = [
        _strap(taking, functions, laws, rows, count, k) for k, count in enumerate(counts[:belts], 1)
    ]
    name = taking.named("harnesses", f"harness_{number}", "harness")
    path = taking.add("harnesses", told[0], id=name, group="Belts", straps=straps)
    for row in told:
        taking.took(row, path)
    return path


def _strap(
    taking: Taking, functions: Functions, laws: Laws, rows: Iterator[Row], count: int, number: int
) -> dict[str, Any]:
    head = next(rows)
    law = laws.of(head, "webbing")
    points = list[dict[str, Any]]()
    for k in range(count):
        first, second = next(rows), next(rows)
        points.append(_point(taking, functions, laws, first, second, k in (0, count - 1)))
        taking.took(first)
        taking.took(second)
    taking.took(head)
    return {
        "id": f"belt_{number}",
        "law": law or "",
        "slack_m": head["slack"] * taking.units.length,
        "points": points,
    }


def _point(
    taking: Taking, functions: Functions, laws: Laws, row: Row, second: Row, is_end: bool
) -> dict[str, Any]:
    code, tie = row["segment"] % TIES, row["segment"] // TIES
    segment = taking.segment(row, "segment", code)
    place = [r * taking.units.length for r in row["point"]]
    offset = taking.lengths(second["offset"])
    if row["ellipsoid"] == 0:
        there = [a + b for a, b in zip(place, offset, strict=True)]
        return _place(taking, functions, row, second, segment, there, is_end, tie)
    on = Row(row.card, {**row.values, "segment": code}, row.line, row.last)
    ref = surface(taking, on, "segment", "ellipsoid")
    if ref is None:
        return {}
    centre = centre_of(taking, ref)
    if any(offset):
        taking.rule(
            second, "On an ellipsoid the offset is its centre; what stands here is not used."
        )
    position = [a + b for a, b in zip(place, centre, strict=True)]
    if tie:
        friction = (
            functions.value(row, row["functions"][4], "ratio") if row["functions"][4] else 0.0
        )
        return {"kind": "junction", "junction": f"tie_{tie}", "surface": ref, "position_m": position,
                "friction": friction}  # fmt: skip
    made: dict[str, Any] = {
        "kind": "surface", "surface": ref, "position_m": position,
        "follows": "webbing" if row["follows"] else "body",
    }  # fmt: skip
    number = row["functions"][4]
    if number:
        across, along = _pair(taking, functions, row, number)
        made |= {"friction_along": along, "friction_across": across}
    if number < 0:
        made["may_leave"] = False
    if row["functions"][0]:
        made["flesh"] = laws.of(row)
    if row["directed"]:
        made["preferred_direction"] = list(second["direction"])
    return made


def _pair(taking: Taking, functions: Functions, row: Row, number: int) -> tuple[Any, float]:
    """Give friction across and along: D2 and D4 of the function."""
    across = constant_of(taking, number)
    along = d_of(taking, number, 4)
    if across is None:
        taking.rule(row, "Friction by depth holds across the belt; D4 is the one along it.")
        return functions.of(row, number, "ratio"), along
    functions.value(row, number, "ratio")
    return across, along


def _place(
    taking: Taking, functions: Functions, row: Row, second: Row, segment: str,
    position: list[float], is_end: bool, tie: int,
) -> dict[str, Any]:  # fmt: skip
    """Make a point without an ellipsoid: an anchor at an end, a ring between."""
    if is_end:
        if not (row["directed"] and row["follows"]):
            taking.rule(row, ENDS_FIXED)
        if any(second["direction"]):
            taking.note(second, "The direction of an end is not needed: it holds the belt there.")
        if tie:
            taking.impossible(
                row, "A junction in the air: the tie of belts at an anchor is left out."
            )
        return {"kind": "anchor", "segment": segment, "position_m": position}
    number = row["functions"][4]
    friction = _pair(taking, functions, row, number)[1] if number else 0.0
    if row["follows"] or not number:
        taking.impossible(
            row, "A point that holds the webbing between the ends: taken as a ring without a hold."
        )
    return {"kind": "ring", "segment": segment, "position_m": position, "friction": friction}


def take_belts(taking: Taking, laws: Laws) -> None:
    """Take simple belts; the card F.2.b says what each lies on."""
    lying = {row["belt"]: row for row in taking.deck.of("F.2.b")}
    for number, block in enumerate(taking.deck.blocks("D.3.a", "D.3.b", "D.3.c"), 1):
        row = lying.get(number)
        if row is None:
            for one in block:
                taking.impossible(one, "No card F.2.b says on what it lies.")
            continue
        ref, law = surface(taking, row, "segment", "ellipsoid"), laws.of(row, "webbing")
        carrier = taking.segment(row, "carrier")
        if ref is None or law is None:
            taking.impossible(row, "A belt needs an ellipsoid and a function of force by strain.")
            continue
        slack = block[2]["slack"]
        if slack < 0.0:
            taking.impossible(block[2], "Its length is given instead of slack; taken as just taut.")
        a, b = block[1]["anchor_a"], block[1]["anchor_b"]
        path = taking.add(
            "belts", block[0], id=taking.named("belts", f"belt_{number}", "belt"),
            name=block[0]["title"].strip(), group="Belts",
            anchor_a={"segment": carrier, "position_m": taking.lengths(a)},
            anchor_b={"segment": carrier, "position_m": taking.lengths(b)},
            surface=ref, law=law, slack_m=max(slack, 0.0) * taking.units.length,
            fixed_point_m=taking.lengths(block[2]["fixed"]),
            friction="infinite" if row["functions"][4] else "none",
        )  # fmt: skip
        taking.rule(row, "A friction function other than 0 holds the belt on the body.", path)
        for one in block:
            taking.took(one, path)
