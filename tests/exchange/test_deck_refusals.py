"""Every refusal of a deck: its sentence names line, columns, card and field, and what would do."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import solver.exchange.decks as package
from solver.exchange.decks.importing import taken
from solver.exchange.decks.order import Row
from solver.exchange.decks.taking import Taking
from solver.exchange.decks.writing import write_deck
from solver.project import ProjectError
from tests.decks import Small, card, constant, plane, table

HERE = Path(package.__file__).parent
Change = Callable[[Small], Any]


def whole() -> Small:
    """A deck that has all that is refused when it is wrong."""
    deck = Small(3)
    deck.shapes["D.2"] = plane(1)
    deck.shapes["D.5"] = [card("D.5", number=9, semi_axes=(3, 3, 5))]
    deck.functions = [*table(1, 0, 0, 1, 100), *constant(2, 0.3)]
    deck.contacts["F.1.b"] = [card("F.1.b", plane=1, carrier=5, segment=1, ellipsoid=9, functions=(1, 0, 0, 0, 2))]  # fmt: skip
    deck.contacts["F.3.b"] = [card("F.3.b", first=1, first_ellipsoid=1, second=3, second_ellipsoid=3, functions=(1,))]  # fmt: skip
    deck.counts["more"] = 1
    deck.late = [card("F.10", joint=1, base=1, target=2, proportional=2)]
    deck.joints[0].values["type"] = 1
    return deck


def put(name: str, nth: int = 0, **values: Any) -> Change:
    """Change the fields of one card."""

    def change(rows: list[Row]) -> None:
        row = [one for one in rows if one.name == name][nth]
        for field, value in values.items():
            old = row.values[field]
            row.values[field] = (*value, *old[len(value) :]) if isinstance(old, tuple) else value

    return change  # type: ignore[return-value]


def bent(change: Callable[[Small], None]) -> Change:
    """Change the deck before its cards stand."""
    change.early = True  # type: ignore[attr-defined]
    return change


@bent
def chained(deck: Small) -> None:
    for row in deck.joints:
        row.values |= {"inner": -row["inner"], "type": 0}
    deck.late, deck.counts["more"] = [], 0
    deck.flexible = [card("B.7.a", count=1, segments=(1,)), *[card("B.7.b")] * 4]


@bent
def uneven(deck: Small) -> None:
    chained(deck)
    deck.flexible = [card("B.7.a", count=1, segments=(2,)), card("B.7.b", values=(0, 1)), *[card("B.7.b")] * 3]  # fmt: skip


@bent
def six(deck: Small) -> None:
    deck.vehicle = [card("C.1"), card("C.2", points=-3, interval=0.1), card("C.2.b", gives=1, points=3), *[card("C.5")] * 3]  # fmt: skip


@bent
def slow(deck: Small) -> None:
    deck.vehicle = [card("C.1"), card("C.2", points=-3), card("C.2.b"), *[card("C.4")] * 3]


@bent
def pointless(deck: Small) -> None:
    deck.vehicle = [card("C.1"), card("C.2", points=-3, interval=0.1), card("C.2.b", gives=2, points=0), card("C.5")]  # fmt: skip


@bent
def standing(deck: Small) -> None:
    deck.vehicle = [card("C.1"), card("C.2", points=2), card("C.3")]


@bent
def half(deck: Small) -> None:
    deck.shapes["D.6"] = [card("D.6", type=5, first=1, second=2)]


@bent
def euler(deck: Small) -> None:
    deck.joints[1].values |= {"type": -11}
    deck.springs[1].append(card("B.4.b"))
    deck.rubs[1] += [card("B.5.b"), card("B.5.c")]


@bent
def azimuth(deck: Small) -> None:
    deck.springs[1][0].values["first"] = (-7, 0, 0, 0)
    deck.azimuths = [card("E.7.a", number=3), card("E.7.b"), card("E.7.c", angles=2, azimuths=1), card("E.7.d")]  # fmt: skip


@bent
def twisted(deck: Small) -> None:
    azimuth(deck)
    deck.springs[1][0].values |= {"first": (0, 0, 0, 0), "second": (-7, 0, 0, 0)}


@bent
def projected(deck: Small) -> None:
    deck.turns[1] = card("G.3", orders=(-1, 0, 0))
    deck.turns.insert(2, card("G.3.b", numbers=(1, 1, 2, 1)))


@bent
def hurt(deck: Small) -> None:
    deck.counts["histories"] = 1


CASES: tuple[tuple[Change, str], ...] = (
    (put("F.1.b", plane=7), r"columns 1-4: Card F.1.b, field plane: there is no plane 7; cards D.2 make 1"),
    (put("B.2.a", semi_axes=(-1, 2, 3)), r"columns 31-48: Card B.2.a, field semi_axes: every semi-axis of an ellipsoid is above zero, or none"),
    (put("D.5", semi_axes=(0, 1, 1)), r"Card D.5, field semi_axes: every semi-axis is above zero"),
    (put("F.1.b", segment=0), r"columns 9-12: Card F.1.b, field segment: a surface is on a segment, not on the ground: 1 to 4"),
    (put("F.3.b", second_ellipsoid=4), r"columns 13-16: .* segment S2 has no ellipsoid 4: its own is 3, cards D.5 make 9"),
    (chained, r"segment 2 lies within a flexible element and has no cards B.7.b: name it here"),
    (uneven, r"Card B.7.b, field values: the three matrices of a segment are symmetric"),
    (pointless, r"field points: its tables give 2 and need 2 points at least"),
    (slow, r"Card C.2, field interval: the time between points is above zero"),
    (six, r"Card C.5, field time: times must increase from card to card"),
    (put("A.3", length="MI"), r"columns 1-4: Card A.3, field length: 'MI' is no unit known here; IN, .*MM are"),
    (put("A.3", gravity=(0, 0, 0)), r"columns 49-60: Card A.3, field size: no masses follow from weights without gravity; give its size"),
    (put("A.4", steps=0), r"columns 5-8: Card A.4, field steps: outputs and the time between them make no duration: both are above zero"),
    (put("G.1", velocities=7), r"columns 47-50: Card G.1, field velocities: 7 says no way .*; 0, 1 and 2 do"),
    (put("G.3", 1, orders=(3, 3, 1)), r"columns 61-69: Card G.3, field orders: 3 3 1 turns about one axis twice in a row"),
    (projected, r"Card G.3.b, field numbers: 1 and 1 are not two axes of the segment"),
    (put("G.3", 2, reference=-1), r"columns 70-72: Card G.3, field reference: -1 is not the segment that carries this one: -2 is, or 0"),
    (half, r"columns 1-6: Card D.6, field type: a heavy string \(type 5\) has two cards; the second is missing"),
    (put("F.10", joint=2), r"columns 1-4: Card F.10, field joint: joint J2 is no pin \(type 1 on card B.3\)"),
    (put("F.10", joint=5), r"Card F.10, field joint: 5 is no joint; there are 2"),
    (put("F.1.b", functions=(8,)), r"columns 17-36: Card F.1.b, field functions: there is no function 8; cards E.1 make 1, 2, and 0 is none"),
    (put("B.3.a", 1, inner=3), r"columns 7-10: Card B.3.a, field inner: segment 3 does not come before segment 3, .*: 1 to 2 do, and 0 begins another tree"),
    (put("B.3.a", 1, type=9), r"columns 11-14: Card B.3.a, field type: 9 is no type of joint: -10 to 7 are"),
    (euler, r"Card B.3.a, field type: type -11 is no state of an Euler joint: 4 and -4 to -10 are, or 1 to 8 in columns 51-54"),
    (azimuth, r"columns 1-24: Card B.4.a, field first: there is no function 7: cards E.7 make 3"),
    (twisted, r"Card B.4.a, field first: there is no function 7: cards E.7 make 3"),
    (put("B.4.a", 1, first=(1, 0, 0, 2)), r"columns 1-24: Card B.4.a, field first: the part given back is 2; it lies between 0 and 1"),
    (put("B.5.a", 1, impulse=0.2), r"columns 55-60: Card B.5.a, field impulse: 0.2 is no factor of an impulse; it lies between 0.5 and 1"),
    (put("C.2", speed=10), r"columns 25-30: Card C.2, field duration: a half sine needs a duration above zero"),
    (standing, r"columns 61-66: Card C.2, field interval: the time between points is above zero"),
    (put("F.1.b", carrier=77), r"columns 5-8: Card F.1.b, field carrier: 77 is no segment; there are 4"),
    (put("B.3.b", 1, orders=(3, 3, 1)), r"columns 69-80: Card B.3.b, field orders: 3 3 1 turns about one axis twice"),
    (hurt, r"Card H.12, field numbers: 9 is none of the 0 histories of H.1; 0 means none"),
)  # fmt: skip
"""What is done to the deck, and what is said."""


def sites() -> dict[tuple[str, int], str]:
    """Every call that refuses a card, by file and first line."""
    found = dict[tuple[str, int], str]()
    for file in sorted(HERE.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "refuse":  # fmt: skip
                found |= {(file.name, line): f"{file.name}:{node.lineno}" for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}  # fmt: skip
    return found


def test_every_refusal_names_its_place_and_what_would_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place in the source that refuses is come to, so that a new one needs a row above."""
    all_sites, seen = sites(), set[str]()
    refuse = Taking.refuse

    def watched(self: Taking, row: Row, field: str, sentence: Any) -> None:
        frame = sys._getframe(1)
        seen.add(all_sites[Path(frame.f_code.co_filename).name, frame.f_lineno])
        refuse(self, row, field, sentence)

    monkeypatch.setattr(Taking, "refuse", watched)
    for change, said in CASES:
        deck = whole()
        if hasattr(change, "early"):
            change(deck)
        rows = deck.rows()
        if deck.counts.pop("histories", 0):
            flags = next(one for one in rows if one.name == "A.5")
            flags.values["flags"] = (0, 0, 0, 2, *[0] * 32)
            rows.append(card("H.12", sets=1, numbers=(1, 9)))
        elif not hasattr(change, "early"):
            change(rows)  # type: ignore[arg-type]
        text = "\n".join(write_deck(rows).lines)
        with pytest.raises(ProjectError) as failure:
            taken(text.encode())
        problems = failure.value.problems
        assert any(re.search(said, str(one)) for one in problems), (
            said,
            [str(one) for one in problems],
        )
        for one in problems:
            line = re.match(r"line (\d+)", one.path)
            assert line, one
            assert 1 <= int(line[1]) <= text.count("\n") + 1
            name = re.search(r"Card ([A-Z]\.\d+(?:\.\w+)?)", str(one))
            assert name, one
    assert not set(all_sites.values()) - seen


def test_a_deck_that_cannot_be_gone_through_says_what_to_do() -> None:
    lines = write_deck(whole().rows()).lines
    at = next(n for n, line in enumerate(lines) if "CHAIN" in line)
    deformable = [*lines[:at], lines[at][:40] + "     2" + lines[at][46:], *lines[at + 1 :]]
    for cut, said in (
        (lines[: at + 3], f"line {at + 4}: The deck ends where card .* was expected: add it, or lower the count"),
        (deformable, f"line {at + 1}: Card B.1: .* Write 0 as their number and leave out their cards"),
    ):  # fmt: skip
        with pytest.raises(ProjectError, match=said):
            taken("\n".join(cut).encode())
