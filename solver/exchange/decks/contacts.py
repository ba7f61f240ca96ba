"""Cards F.1 and F.3: who may touch what, and by which law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.bodies import surface
from solver.exchange.decks.functions import Functions, constant_of, d_of
from solver.exchange.decks.planes import Planes

if TYPE_CHECKING:
    from solver.exchange.decks.order import Row
    from solver.exchange.decks.taking import Taking

EDGES = {0: ("sharp", False), -1: ("none", False), -2: ("none", True)}
"""Edge option of a plane contact: how its edges count, and whether force stays behind it; below -2 sharp and kept."""


class Laws:
    """Make contact laws of the five functions of a contact, each set once."""

    def __init__(self, taking: Taking, functions: Functions) -> None:
        self.taking, self.functions = taking, functions
        self._made: dict[tuple[tuple[int, ...], str], str] = {}

    def of(self, row: Row, kind: str = "contact", on_plane: bool = False) -> str | None:
        """Give the law of a card's functions; kind is contact or webbing."""
        numbers: tuple[int, ...] = tuple(row["functions"])
        key = (numbers if kind == "contact" else numbers[:4], kind)
        if key not in self._made:
            made = self._make(row, numbers, kind)
            if made is None:
                return None
            self._made[key] = made
        name = self._made[key]
        ratio = d_of(self.taking, numbers[0], 4)
        if on_plane and ratio:
            self.taking.element("contact_laws", name)["application_ratio"] = ratio
        return name

    def _make(self, row: Row, numbers: tuple[int, ...], kind: str) -> str | None:
        taking, functions = self.taking, self.functions
        prefix = "" if kind == "contact" else "webbing_"
        base = functions.of(row, numbers[0], "force" if kind == "contact" else "webbing")
        if base is None:
            return None
        fields: dict[str, Any] = {"base": base}
        rated = any(number < 0 for number in numbers[1:4])
        if rated:
            fields["kind"] = "rate" if kind == "contact" else "rate_webbing"
            for name, number in zip(("factor", "gate", "damping"), numbers[1:4], strict=True):
                fields[name] = functions.of(row, number, prefix + name)
            if min(numbers[1:4]) < 0 < max(numbers[1:4]):
                taking.rule(
                    row, "One function number below zero makes all three terms of the rate."
                )
            taking.rule(row, "Force by rate; the sum is never below zero here.")
        else:
            fields["kind"] = "hysteretic" if kind == "contact" else "webbing"
            fields["spike"] = functions.of(
                row, numbers[1], "force" if kind == "contact" else "webbing"
            )
            fields["energy_ratio"] = functions.value(row, numbers[2], prefix + "ratio")
            fields["offset_ratio"] = functions.value(row, numbers[3], prefix + "ratio")
        if kind == "contact":
            fields |= self._friction(row, numbers[4])
        spelled = "_".join(
            str(number) for number in (numbers if kind == "contact" else numbers[:4])
        )
        name = taking.named("contact_laws", f"{prefix}{spelled}", "law")
        fields = {key: value for key, value in fields.items() if value is not None}
        taking.add("contact_laws", row, id=name, group="Laws", **fields)
        return name

    def _friction(self, row: Row, number: int) -> dict[str, Any]:
        taking = self.taking
        made: dict[str, Any] = {}
        if number:
            made["friction"] = self.functions.value(row, number, "ratio")
        impulse = d_of(taking, number, 3)
        if impulse:
            made["restitution"] = 2.0 * impulse - 1.0
            taking.rule(
                row, "D3 of the friction function is the factor of an impulse at first contact."
            )
        return made


def take_contacts(taking: Taking, functions: Functions, planes: Planes, laws: Laws) -> None:
    """Take contacts with planes and between segments."""
    for row in taking.deck.of("F.1.a", "F.2.a", "F.3.a"):
        taking.took(row)
    for row in taking.deck.of("F.1.b"):
        _on_plane(taking, row, planes, laws)
    for row in taking.deck.of("F.3.b"):
        _between(taking, row, laws)


def _on_plane(taking: Taking, row: Row, planes: Planes, laws: Laws) -> None:
    plane = planes.of(row)
    ref = surface(taking, row, "segment", "ellipsoid")
    if plane is None or ref is None:
        return
    name = f"{ref['segment']}-{plane}"
    if row["functions"][0] == 0:
        _rolls(taking, row, name, plane=plane, surface=ref)
        return
    law = laws.of(row, on_plane=True)
    if law is None:
        return
    option: int = row["option"]
    edge, holds = ("fade", False) if option > 0 else EDGES.get(option, ("sharp", True))
    path = taking.add(
        "contacts", row, id=taking.named("contacts", name, "contact"), group="Contacts", kind="plane",
        plane=plane, surface=ref, law=law, edge=edge, holds_when_behind=holds,
    )  # fmt: skip
    taking.took(row, path)


def _between(taking: Taking, row: Row, laws: Laws) -> None:
    first = surface(taking, row, "first", "first_ellipsoid")
    second = surface(taking, row, "second", "second_ellipsoid")
    if first is None or second is None:
        return
    name = f"{first['segment']}-{second['segment']}"
    if row["functions"][0] == 0:
        _rolls(taking, row, name, surface=first, other=second)
        return
    law = laws.of(row)
    if law is None:
        return
    path = taking.add(
        "contacts", row, id=taking.named("contacts", name, "contact"), group="Contacts",
        kind="surfaces", first=first, second=second, law=law, depth="centres",
    )  # fmt: skip
    taking.rule(
        row, "The depth is measured along the line of centres, as the deck's program does.", path
    )


def _rolls(taking: Taking, row: Row, name: str, **between: Any) -> None:
    """Without a base function a pair rolls or slides on each other once it has touched."""
    number = row["functions"][4]
    sliding = constant_of(taking, number) or 0.0
    rolling = d_of(taking, number, 4)
    path = taking.add(
        "constraints", row, id=taking.named("constraints", name, "contact"), group="Contacts",
        kind="roll_slide", static_friction=rolling, sliding_friction=sliding, holds="pressing",
        starts="on_touch", **between,
    )  # fmt: skip
    told = Sentence(
        "Without a base function it rolls and slides from the first touch on; D4 of the friction function rolls."
    )
    taking.rule(row, told, path)
