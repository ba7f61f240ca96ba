"""From cards to the text of a deck: canonical columns, or free form with every digit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from solver.base.words import Refusal
from solver.exchange.decks.cards import LABELS, Card, Field
from solver.exchange.decks.numbers import written
from solver.exchange.decks.order import Row, walk

MOST_LABEL = 8
NOT_ASKED = {
    "B.1": " 0",
    "H.1": " 0",
    "H.1+": " 0",
    "H.2": " 0",
    "H.2+": " 0",
    "H.3": " 0",
    "H.3+": " 0",
}
"""What the old program reads of a card in free form beyond its fields here: deformable bodies, their nodes."""
CLOSE = 1e-6
"""Relative change of a number from which on it counts as one whose digits did not go in."""


class DeckError(Refusal):
    """Say in one sentence why a deck cannot be written."""


DUST = 1e-9
"""What is smaller in the units of a deck is a rest of arithmetic."""


@dataclass
class Text:
    """Hold the lines of a deck, and which numbers had more digits than their columns."""

    lines: list[str] = field(default_factory=list)
    shortened: list[tuple[str, str, float, float]] = field(default_factory=list)
    """Card, field, the number and what became of it."""

    @property
    def largest(self) -> tuple[float, str]:
        """Give the largest relative change of a number, and its card; what is nearly nothing may become so."""
        found = ((abs(b - a) / max(abs(a), DUST), card) for card, _, a, b in self.shortened)
        return max(found, default=(0.0, ""))


def write_deck(rows: Iterable[Row], free: bool = False, whole: bool = True) -> Text:
    """Write cards in the order that a deck has; a ValueError names a card that stands where another is due."""
    text = Text()
    steps = walk(whole, free)
    ask = next(steps)
    for row in rows:
        if row.name != ask.card.name:
            raise ValueError(row.name, ask.card.name)
        line = _free(row, ask.entries) if free else _fixed(row, text)
        text.lines.append(line)
        try:
            ask = steps.send(row)
        except StopIteration:
            return text
    raise ValueError("", ask.card.name)


def _values(row: Row, one: Field) -> tuple[Any, ...]:
    blank: Any = "" if one.kind == "A" else 0
    value = row.values.get(one.name)
    if value is None:
        return (blank,) * one.slots
    values = tuple(value) if one.count else (value,)
    return values + (blank,) * (one.slots - len(values))


def _fixed(row: Row, text: Text) -> str:
    card = row.card
    line = ""
    for one in card.fields:
        line = line.ljust(one.start)
        for value in _values(row, one):
            line += _cell(row, one, value, text)
    if card.end <= LABELS:
        line = f"{line.ljust(LABELS)}{_label(card)}"
    return line.rstrip()


def _label(card: Card) -> str:
    name = card.name.rstrip("+").split(" ")[0]
    return name[:MOST_LABEL]


def _cell(row: Row, one: Field, value: Any, text: Text) -> str:
    if one.kind == "A":
        return str(value)[: one.width].ljust(one.width)
    if one.kind == "I":
        told = str(int(value)).rjust(one.width)
        if len(told) > one.width:
            raise DeckError(
                "Card {card}, field {field}: {value} does not go into {width} columns.",
                card=row.name, field=one.name, value=value, width=one.width,
            )  # fmt: skip
        return told
    number = float(value)
    put = written(number, one.width)
    if put is None:
        raise DeckError(
            "Card {card}, field {field}: {value:g} does not go into {width} columns; free form (.lin) has no such limit.",
            card=row.name, field=one.name, value=number, width=one.width,
        )  # fmt: skip
    became = float(put)
    if became != number:
        text.shortened.append((row.name, one.name, number, became))
    return put


def _free(row: Row, entries: int | None) -> str:
    parts = list[str]()
    fields = [one for one in row.card.fields if not one.fixed_only]
    for one in fields:
        values = _values(row, one)
        if one is fields[-1] and entries is not None:
            values = values[:entries]
        for value in values:
            if one.kind == "A":
                parts.append('"' + str(value).replace('"', "'") + '"')
            elif one.kind == "I":
                parts.append(str(int(value)))
            else:
                parts.append(repr(float(value)))
    beyond = NOT_ASKED.get(row.name, "")
    if row.name == "B.7.a":  # the old program reads the count from a line of its own
        parts = [f"{parts[0]}  Card B.7.a\n", *parts[1 : 1 + row["count"]]]
    return " " + " ".join(parts) + f"{beyond}  Card {_label(row.card)}"
