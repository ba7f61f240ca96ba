"""Cards D.2: planes. A plane belongs to the segment that a contact or a wind names with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from solver.base.words import Sentence
from solver.exchange.decks.giving import Giving, card
from solver.exchange.decks.order import Row
from solver.project.pose import plane_corners
from solver.project.segments import ThreePoints

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking


class Planes:
    """Make planes for their users: one for each segment that carries it."""

    def __init__(self, taking: Taking) -> None:
        self.taking = taking
        self.blocks = {
            block[0]["number"]: block
            for block in taking.deck.blocks("D.2.a", "D.2.b", "D.2.c", "D.2.d")
        }
        self._made: dict[tuple[int, str], str] = {}
        users = [
            (row["plane"], taking.segment(row, "carrier"))
            for row in taking.deck.of("F.1.b", "F.7.b")
        ]
        vehicle = taking.segments[-1]
        for number in self.blocks:
            carriers = [carrier for plane, carrier in users if plane == number] or [vehicle]
            for carrier in dict.fromkeys(carriers):
                self._made[number, carrier] = self._make(number, carrier)
            if not any(plane == number for plane, _ in users):
                taking.rule(
                    self.blocks[number][0], "No contact names it; it is put on the vehicle."
                )

    def of(self, row: Row) -> str | None:
        """Give the plane that a card means."""
        number, carrier = row["plane"], self.taking.segment(row, "carrier")
        found = self._made.get((number, carrier))
        if found is None:
            why = Sentence("there is no plane {number}.", number=number)
            self.taking.refuse(row, "plane", why)
        return found

    def _make(self, number: int, carrier: str) -> str:
        block, taking = self.blocks[number], self.taking
        title = block[0]["title"].strip()
        name = taking.named("planes", f"plane_{number}", f"plane_{number}")
        corners = [taking.lengths(one["corner"]) for one in block[1:4]]
        path = taking.add(
            "planes", block[0], id=name, name=title, group="Vehicle", segment=carrier,
            placement={"kind": "points", "p1_m": corners[0], "p2_m": corners[1], "p3_m": corners[2]},
        )  # fmt: skip
        for one in block:
            taking.took(one, path)
        return name


def give_planes(giving: Giving) -> list[Row]:
    """Give the cards D.2."""
    rows = list[Row]()
    for number, one in enumerate(giving.project.planes, 1):
        giving.planes[one.id] = number
        corner, edge, other = plane_corners(one)
        at = one.placement
        corners: tuple[Iterable[float], ...] = (
            (at.p1_m, at.p2_m, at.p3_m)
            if isinstance(at, ThreePoints)
            else (corner, corner + edge, corner + other)
        )
        if one.bounded and one.ends != "both":
            giving.lose(
                f"planes/{one.id}",
                "A plane of a deck ends on all four sides, or is asked for without edges.",
            )
        rows.append(card("D.2.a", number=number, title=(one.name or one.id)[:20]))
        rows += [
            card(f"D.2.{letter}", corner=giving.lengths(p))
            for letter, p in zip("bcd", corners, strict=True)
        ]
    return rows
