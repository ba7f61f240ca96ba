"""Cards B.1 and B.2: segments with their ellipsoids; D.5: further ellipsoids; D.7: symmetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.words import Sentence
from solver.exchange.decks.giving import Giving, card, short
from solver.exchange.decks.order import Row
from solver.project.angles import angles_from
from solver.project.geometry import Ellipsoid, Orientation, SurfaceRef, powers_of
from solver.project.inertia import inertia_of
from solver.project.pose import turn
from solver.project.segments import Segment

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
        axes = taking.turn(block[1], "angles") if len(block) > 1 else None
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
    turn = taking.turn(row, "angles")
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


def give_segments(giving: Giving) -> list[Row]:
    """Give the cards B.1 and B.2."""
    project, units = giving.project, giving.units
    rows = [
        card(
            "B.1",
            segments=len(giving.order),
            joints=max(len(giving.order) - 1, 0),
            title=project.title[:20],
        )
    ]
    names = set[str]()
    for number, name in enumerate(giving.order, 1):
        one = next(one for one in project.segments if one.id == name)
        own = next((s for s in one.surfaces if _is_plain(s)), None)
        for surface_ in one.surfaces:
            giving.ellipsoids[name, surface_.id] = number if surface_ is own else _next(giving)
        moments, axes = _inertia(giving, one)
        angles = giving.turn(axes)[0] if any(axes.angles_rad) else None
        rows.append(card(
            "B.2.a", name=short(one.name or name, names), weight=giving.number(one.mass_kg, units.mass),
            inertia=giving.numbers(moments, units.inertia),
            semi_axes=giving.lengths(own.semi_axes_m) if own else (),
            centre=giving.lengths(own.centre_m) if own else (), principal=int(angles is not None),
        ))  # fmt: skip
        if angles is not None:
            rows.append(card("B.2.b", angles=angles))
    return rows


def _is_plain(surface: Ellipsoid) -> bool:
    return surface.kind == "ellipsoid" and not any(surface.orientation.angles_rad)


def _next(giving: Giving) -> int:
    others = [n for n in giving.ellipsoids.values() if n > len(giving.order)]
    return max([*others, len(giving.order) + len(giving.vehicles)]) + 1


def _inertia(giving: Giving, one: Segment) -> tuple[tuple[float, ...], Orientation]:
    """Give principal moments and their axes as yaw, pitch and roll."""
    axes = one.principal_axes
    if not any(one.products_kgm2):
        if axes.order == "zyx":
            return one.inertia_kgm2, axes
        return one.inertia_kgm2, Orientation(angles_rad=angles_from(turn(axes), "zyx"))
    moments, R = np.linalg.eigh(inertia_of(one))
    if np.linalg.det(R) < 0.0:
        R[:, 0] = -R[:, 0]
    giving.lose(
        f"segments/{one.id}",
        "Products of inertia became principal moments and their axes: the same body.",
    )
    return tuple(float(m) for m in moments), Orientation(angles_rad=angles_from(R, "zyx"))


def give_ellipsoids(giving: Giving) -> list[Row]:
    """Give the cards D.5: all surfaces that are not a segment's own."""
    rows = list[Row]()
    for name in giving.vehicles:
        one = next((s for s in giving.project.segments if s.id == name), None)
        for surface_ in one.surfaces if one else ():
            giving.ellipsoids[name, surface_.id] = _next(giving)
    for one in giving.project.segments:
        for surface_ in one.surfaces:
            number = giving.ellipsoids.get((one.id, surface_.id), 0)
            if number <= len(giving.order):
                continue
            turned = surface_.orientation
            if turned.order != "zyx":
                turned = Orientation(angles_rad=angles_from(turn(turned), "zyx"))
            powers = powers_of(surface_)
            rows.append(card(
                "D.5", number=number, semi_axes=giving.lengths(surface_.semi_axes_m),
                centre=giving.lengths(surface_.centre_m), angles=giving.turn(turned)[0],
                powers=powers if max(powers) > 2.0 else (),
            ))  # fmt: skip
    return sorted(rows, key=lambda row: int(row["number"]))


def centre_given(giving: Giving, ref: SurfaceRef) -> tuple[float, float, float]:
    """Give the centre of a surface of the project."""
    segment = next(one for one in giving.project.segments if one.id == ref.segment)
    return next(one for one in segment.surfaces if one.id == ref.surface).centre_m
