"""Cards B.1 and B.2: segments with their ellipsoids; D.5: further ellipsoids; D.7: symmetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.exchange.decks.order import Row
from solver.words import Sentence

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

BODY = "body"
"""Id of a segment's own ellipsoid."""


def take_segments(taking: Taking) -> None:
    """Take the segments of the body."""
    deck, units = taking.deck, taking.units
    taking.ellipsoids = {row["number"]: row for row in deck.of("D.5")}
    for number, block in enumerate(deck.blocks("B.2.a", "B.2.b"), 1):
        row = block[0]
        name = taking.named("segments", row["name"], f"segment_{number}")
        taking.segments.append(name)
        axes = taking.turn(block[1], "angles", block[1]["angles"]) if len(block) > 1 else None
        own = taking.ellipsoids.get(number)
        shape = _replaced(taking, own) if own else _own(taking, row)
        path = taking.add(
            "segments", row, id=name, name=row["name"].strip(), group="Occupant",
            mass_kg=row["weight"] * units.mass,
            inertia_kgm2=[value * units.inertia for value in row["inertia"]],
            principal_axes=axes, surfaces=[shape] if shape else [],
        )  # fmt: skip
        for one in block:
            taking.took(one, path)
        if row["weight"] == 0.0:
            taking.rule(row, "Without weight: what holds it must make its motion determined.")
        if own:
            taking.took(own, f"{path}/surfaces/{BODY}")


def _own(taking: Taking, row: Row) -> dict[str, Any] | None:
    axes = row["semi_axes"]
    if not any(axes):
        taking.rule(row, "Without semi-axes it has no surface.")
        return None
    if min(axes) <= 0.0:
        why = Sentence("every semi-axis of an ellipsoid is above zero, or none is given.")
        taking.refuse(row, "semi_axes", why)
        return None
    made = {"id": BODY, "name": row["name"].strip(), "kind": "ellipsoid",
            "semi_axes_m": taking.lengths(axes)}  # fmt: skip
    if any(row["centre"]):
        made["centre_m"] = taking.lengths(row["centre"])
    return made


def _replaced(taking: Taking, row: Row) -> dict[str, Any] | None:
    return shape_of(taking, row, BODY)


def shape_of(taking: Taking, row: Row, name: str) -> dict[str, Any] | None:
    """Make a surface of a card D.5."""
    if min(row["semi_axes"]) <= 0.0:
        taking.refuse(row, "semi_axes", Sentence("every semi-axis is above zero."))
        return None
    made: dict[str, Any] = {
        "id": name, "name": f"Ellipsoid {row['number']}", "kind": "ellipsoid",
        "source": f"line {row.line}, card {row.name}",
        "semi_axes_m": taking.lengths(row["semi_axes"]),
        "centre_m": taking.lengths(row["centre"]),
    }  # fmt: skip
    turn = taking.turn(row, "angles", row["angles"])
    if turn:
        made["orientation"] = turn
    powers = [power or row["powers"][0] for power in row["powers"]]
    if any(power > 2.0 for power in powers):
        made["kind"] = "hyperellipsoid"
        made["powers"] = [max(power, 2.0) for power in powers]
        if powers != list(row["powers"]):
            taking.rule(row, "A power left out is the first one.")
    return made


def surface(taking: Taking, row: Row, segment_field: str, field: str) -> dict[str, str] | None:
    """Give the surface that a segment and an ellipsoid on a card mean; an ellipsoid of D.5 is put there."""
    number: int = row[field]
    segment = taking.segment(row, segment_field)
    if segment == "ground":
        taking.refuse(row, segment_field, Sentence("a surface is on a segment, not on the ground."))
        return None
    there = taking.element("segments", segment)["surfaces"]
    index = taking.segments.index(segment) + 1
    if number == index and any(one["id"] == BODY for one in there):
        return {"segment": segment, "surface": BODY}
    name = f"e{number}"
    if any(one["id"] == name for one in there):
        return {"segment": segment, "surface": name}
    shape = _shape_numbered(taking, number, name)
    if shape is None:
        why = Sentence("there is no ellipsoid {number}.", number=number)
        taking.refuse(row, field, why)
        return None
    there.append(shape)
    card = taking.ellipsoids.get(number)
    if card is not None:
        taking.took(card, f"segments/{segment}/surfaces/{name}")
    return {"segment": segment, "surface": name}


def _shape_numbered(taking: Taking, number: int, name: str) -> dict[str, Any] | None:
    card = taking.ellipsoids.get(number)
    if card is not None:
        return shape_of(taking, card, name)
    bodies = taking.deck.of("B.2.a")
    if 0 < number <= len(bodies) and any(bodies[number - 1]["semi_axes"]):
        made = _own(taking, bodies[number - 1])
        return made and {**made, "id": name}
    return None


def centre_of(taking: Taking, ref: dict[str, str]) -> list[float]:
    """Give the centre of a surface."""
    there = taking.element("segments", ref["segment"])["surfaces"]
    found = next(one for one in there if one["id"] == ref["surface"])
    return list(found.get("centre_m", (0.0, 0.0, 0.0)))


def take_rest(taking: Taking) -> None:
    """Say what became of ellipsoids without a user, and of symmetry."""
    for row in taking.deck.of("D.5"):
        if not taking.is_told(row):
            taking.note(row, "No contact and no belt uses it, so it belongs to no segment.")
    for row in taking.deck.of("D.7"):
        if any(row["flags"]):
            sentence = "Segments held symmetrical: set it under symmetry; the flags name no plane."
            taking.impossible(row, sentence)
        else:
            taking.took(row)
    for row in taking.deck.of("B.7.a", "B.7.b"):
        taking.impossible(row, "Flexible elements are read; their matrices have no like here.")
