"""What all cards share: their names, systems of units and axes, and where segments start."""

from __future__ import annotations

from typing import Any

from solver.base.words import Sentence
from solver.exchange.variseg.cards import DEGREE, GROUND, SPECS, UNITS, Axes, Card, System
from solver.project.problems import Problem, error


class Placing:
    """Hold cards by kind and name, the elements made of them, and what is wrong."""

    def __init__(self, cards: list[Card], problems: list[Problem]) -> None:
        """Take the cards of a text, and the list that problems go to."""
        self.cards, self.problems = cards, problems
        self.data: dict[str, Any] = {
            "format": "manikin-project",
            "schema_version": 4,
            "title": "VARISEG",
        }
        self.units = dict(UNITS)
        self.axes: dict[str, Axes] = {GROUND: Axes()}
        self.by: dict[str, dict[str, Card]] = {kind: {} for kind in SPECS}

    def _wrong(self, card: Card, sentence: Sentence) -> None:
        what = Sentence("Card {card} {name}: {why}", card=card.kind, name=card.name, why=sentence)
        self.problems.append(error("variseg-value", f"line {card.line}", what))

    def _system(self, card: Card, otherwise: str = "SI") -> System:
        name = card.text("UNIT") or otherwise
        if name not in self.units:
            self._wrong(card, Sentence("there is no system of units '{name}'.", name=name))
        return self.units.get(name, System())

    def _of(self, card: Card, name: str, kind: str = "SEG") -> str:
        """The name in a field, if there is a card for it."""
        text = card.text(name)
        if text not in self.by[kind] and not (
            kind == "SEG" and text == GROUND and name in ("FROM", "SEG")
        ):
            self._wrong(
                card,
                Sentence(
                    "field {field}: there is no card {kind} {told}.",
                    field=name,
                    kind=kind,
                    told=text or "?",
                ),
            )
        return text

    def _add(self, kind: str, card: Card, /, **fields: Any) -> str:
        element = {"id": card.name, "source": f"line {card.line}, card {card.kind}", **fields}
        self.data.setdefault(kind, []).append(element)
        return f"{kind}/{card.name}"

    def _point(self, card: Card, segment: str, x: str, z: str, units: System) -> list[float]:
        """A point in a segment's axes here."""
        a, b = self._axes(segment).inside(
            card.number(x) * units.length, card.number(z) * units.length
        )
        return [a, 0.0, -b]

    def _axes(self, segment: str) -> Axes:
        card = self.by["SEG"].get(segment)
        if card is None:
            return Axes()
        return Axes(omega=card.number("OMEG") * DEGREE, sense=card.number("ELAM"))

    def _placed(self, name: str, path: tuple[str, ...] = ()) -> Axes:
        """Where a segment's system starts in the inertial one; systems may count from others."""
        if name in self.axes:
            return self.axes[name]
        own, card = self._axes(name), self.by["RSEG"].get(name)
        if card is None or name in path:
            if card is not None:
                self._wrong(
                    card,
                    Sentence(
                        "its system counts from itself: {path}.", path=" - ".join((*path, name))
                    ),
                )
            return own
        units = self._system(
            card, self.by["SEG"][name].text("UNIT") if name in self.by["SEG"] else "SI"
        )
        seen = self._placed(card.text("COORD"), (*path, name))
        at = seen.turned(
            seen.inside(card.number("X") * units.length, card.number("Z") * units.length)
        )
        speed = units.length / units.time
        moved = seen.turned(seen.inside(card.number("XDOT") * speed, card.number("ZDOT") * speed))
        made = Axes(
            (seen.place[0] + at[0], seen.place[1] + at[1]), seen.angle + seen.sense * card.number("TH") * units.angle,
            (seen.velocity[0] + moved[0] - seen.rate * at[1], seen.velocity[1] + moved[1] + seen.rate * at[0]),
            seen.rate + seen.sense * card.number("THDOT") * units.angle / units.time, own.omega, own.sense,
        )  # fmt: skip
        self.axes[name] = made
        return made
