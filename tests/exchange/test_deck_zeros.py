"""What a zero means: each row of that table of docs/decks.md, beside the default written out and beside another value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from solver.exchange.decks.importing import taken
from solver.exchange.decks.order import Row
from solver.exchange.decks.writing import write_deck
from solver.model.functions import Numbered
from solver.project import Project
from tests.decks import Small, card, constant, plane, table

VEHICLE = 4
ORIGIN = {"id", "source", "note", "law"}


def whole() -> Small:
    """Three segments, the second on a pin, the third on a slide, above a floor, in a car that moves."""
    deck = Small(3)
    deck.joints[0].values["type"] = 1
    deck.joints[1].values |= {"type": 5, "state": -1}
    deck.axes = [
        card("B.3.b", inner_angles=(10, 20, 30), outer_angles=(5, 6, 7)) for _ in deck.joints
    ]
    deck.springs = [
        [card("B.4.a", first=(1, 0, 0, 0.7), second=(1, 0, 0, 0.7))] for _ in deck.joints
    ]
    deck.vehicle = [card("C.1", title="CAR"), card("C.2", speed=100, duration=1)]
    deck.shapes["D.2"] = plane(1)
    deck.shapes["D.5"] = [card("D.5", number=9, semi_axes=(3, 3, 5), powers=(4, 0, 0))]
    deck.functions = [
        *table(1, 0, 0, 1, 100), *constant(2, 0.3), *constant(3, 1.0), *constant(4, 0.0), *constant(5, 0.5),
        card("E.1", number=6, title="BOTH"), card("E.2", d=(0, 1, 0)), card("E.3", a=(0, 100)), *table(7, 0, 0, 0.1, 1000),
    ]  # fmt: skip
    deck.contacts["F.1.b"] = [card("F.1.b", plane=1, carrier=VEHICLE, segment=1, ellipsoid=9, functions=(1, 0, 0, 0, 2))]  # fmt: skip
    deck.contacts["F.3.b"] = [card("F.3.b", first=1, first_ellipsoid=1, second=3, second_ellipsoid=3, functions=(6,))]  # fmt: skip
    deck.counts["harnesses"] = 1
    end = {"segment": VEHICLE, "directed": 1, "follows": 1}
    deck.late = [
        card("F.8.a", belts=(1,)), card("F.8.b", points=(2,)), card("F.8.c", functions=(7,)),
        card("F.8.d1", **end, point=(-5, 10, 5)), card("F.8.d2", direction=(0, 0, 1)), card("F.8.d1", **end, point=(-5, -10, 5)), card("F.8.d2"),
    ]  # fmt: skip
    deck.turns = [card("G.3", angles=(10, 20, 30)) for _ in range(3)]
    return deck


def rows_of(**histories: Any) -> list[Row]:
    """The deck's cards, with some cards H."""
    rows = whole().rows()
    for n, row in enumerate(rows):
        if row.name in ("H.1", "H.2", "H.3"):
            rows[n] = card(row.name, count=1, segment=2)
        if row.name in ("H.4", "H.5", "H.6", "H.9"):
            rows[n] = card(row.name, count=1, pairs=(0, 2))
    flags = next(one for one in rows if one.name == "A.5")
    flags.values["flags"] = (0, 0, 0, 2, *[0] * 32)
    return [*rows, card("H.12", sets=1, numbers=(1, 1))]


def made(name: str, nth: int, field: str, value: Any) -> Project:
    """The project of the deck with one field changed; of several numbers those that are given, where they are."""
    rows = rows_of()
    row = [one for one in rows if one.name == name][nth]
    old = row.values[field]
    if isinstance(value, dict):
        row.values[field] = tuple(value.get(k, one) for k, one in enumerate(old))
    else:
        row.values[field] = value
    return taken("\n".join(write_deck(rows).lines).encode()).project


def plain(one: Any) -> Any:
    """An element without what only says where it comes from; functions by what they are, not by name."""
    if isinstance(one, dict):
        return {key: plain(value) for key, value in one.items() if key not in ORIGIN}
    return [plain(value) for value in one] if isinstance(one, list) else one


def told(project: Project) -> Any:
    data = project.model_dump(mode="json")
    slopes = [one for one in data["functions"] if one["y_unit"] == "N*m"]
    return {key: plain(value) for key, value in (data | {"functions": slopes}).items() if key not in ("note", "source")}  # fmt: skip


FLOOR = ("F.1.b", 0, "functions")
ROWS: tuple[tuple[tuple[str, int, str], Any, Any, Any], ...] = (
    # card, which of its kind, field; what means nothing; the same written out; something else
    (("B.3.b", 0, "orders"), (0,) * 6, (3, 2, 1, 3, 2, 1), (1, 2, 3, 1, 2, 3)),
    (("B.4.a", 0, "first"), (1, 0, 0, 0.7), (1, 5, 5, 0.7), (2, 0, 0, 0.7)),
    (("D.5", 0, "powers"), (4, 0, 0), (4, 4, 4), (4, 3, 3)),
    (("D.5", 0, "powers"), (0, 0, 0), (2, 2, 2), (4, 4, 4)),
    (FLOOR, (1, 0, 0, 0, 2), (1, 0, 3, 4, 2), (1, 0, 5, 0, 2)),
    (("F.8.a", 0, "iterations"), 0, 10, None),
    (("F.8.a", 0, "tolerance"), 0.0, 0.01, None),
    (("G.3", 1, "orders"), (0, 0, 0), (1, 2, 3), (3, 2, 1)),
    (("G.3", 1, "reference"), 0, VEHICLE + 1, 1),
    (("H.2", 0, "reference"), 0, VEHICLE, 1),
    (("H.3", 0, "reference"), 0, VEHICLE, 1),
    (("H.5", 0, "pairs"), {0: 0}, {0: VEHICLE}, {0: 1}),
    (("H.6", 0, "pairs"), {0: 0}, {0: VEHICLE}, {0: 1}),
    (("H.12", 0, "window"), 0.0, 0.036, 0.015),
)  # fmt: skip


@pytest.mark.parametrize(("place", "nothing", "written", "other"), ROWS)
def test_a_zero_means_its_default(
    place: tuple[str, int, str], nothing: Any, written: Any, other: Any
) -> None:
    zero = told(made(*place, nothing))
    assert zero == told(made(*place, written))
    if other is not None:
        assert zero != told(made(*place, other))


ALONE: tuple[tuple[tuple[str, int, str], Any, Callable[[Project], Any], Any], ...] = (
    # what no number could write out: a field, another value, what is looked at, what it is at zero
    (("B.3.a", 1, "tension"), -5.0, lambda p: (p.joints[1].slide.release_below_n, p.joints[1].slide.locked), (None, True)),
    (("B.5.a", 0, "unlock"), 5.0, lambda p: p.joints[0].lock.unlock_torque_nm, None),
    (("B.5.a", 0, "lock"), 5.0, lambda p: p.joints[0].lock.lock_torque_nm, None),
    (("B.5.a", 0, "lock_rate"), 5.0, lambda p: p.joints[0].lock.lock_rate_rad_per_s, None),
    (("B.5.a", 0, "impulse"), 0.75, lambda p: p.joints[0].spring.restitution, None),
    (("B.4.a", 0, "first_stop"), 10.0, lambda p: p.joints[0].spring.stop_rad, 0.0),
    (FLOOR, (1, 6, 0, 0, 2), lambda p: p.contact_laws[0].spike, None),
    (FLOOR, (0, 0, 0, 0, 2), lambda p: [one.kind for one in p.constraints], []),
    (("F.1.b", 0, "option"), 1, lambda p: p.contacts[0].edge, "sharp"),
    (("G.1", 0, "velocities"), 1, lambda p: p.initial.roots[1].moves_with, "vehicle"),
    (("H.1", 0, "reference"), 1, lambda p: [(o.axes, o.relative_to) for o in p.outputs if (getattr(o, "quantity", ""), o.kind) == ("acceleration", "point")], [("segment", "ground")]),
    (("H.4", 0, "pairs"), {0: 1}, lambda p: [o.relative_to for o in p.outputs if (getattr(o, "quantity", ""), o.kind) == ("acceleration", "rotation")], ["ground"]),
)  # fmt: skip


@pytest.mark.parametrize(("place", "other", "look", "expected"), ALONE)
def test_a_zero_means_none(
    place: tuple[str, int, str], other: Any, look: Callable[[Project], Any], expected: Any
) -> None:
    zero = taken("\n".join(write_deck(rows_of()).lines).encode()).project
    assert look(zero) == expected
    assert look(made(*place, other)) != expected


def test_functions_whose_ends_are_zero_are_constant_or_have_one_part() -> None:
    project = taken("\n".join(write_deck(rows_of()).lines).encode()).project
    assert project.contact_laws[0].friction == 0.3  # type: ignore[union-attr]
    numbered = Numbered(project)
    base = project.contact_laws[1].base  # type: ignore[union-attr]
    inch, pound = 0.0254, 4.4482216152605
    found = [numbered.value(base, x * inch) / pound for x in (-0.5, 0.0, 0.5, 1.0, 2.0)]
    assert found == pytest.approx([0.0, 0.0, 50.0, 100.0, 100.0])
