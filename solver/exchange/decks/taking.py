"""What is kept while a project is made of cards: units, names, elements with their cards, the report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from solver.base.words import Sentence, msgid, sentence_of, tr
from solver.exchange.decks.numbers import YAW_FIRST, NoTurn, Units, taken_turn
from solver.exchange.decks.order import Row
from solver.exchange.decks.reading import Deck
from solver.project.problems import Problem, error

# What became of every card of a deck.

How = Literal["taken", "rule", "note", "impossible"]
HOW: dict[How, str] = {
    "taken": msgid("taken"),
    "rule": msgid("taken with a rule"),
    "note": msgid("kept as a note"),
    "impossible": msgid("not possible"),
}
"""What can become of a card; the worst comes last."""
WORST: tuple[How, ...] = tuple(HOW)


def known(numbers: Iterable[int]) -> str:
    """Name the numbers that there are, for a sentence."""
    shown = sorted(numbers)
    more = ", ..." if len(shown) > NAMED else ""
    return f"{', '.join(str(one) for one in shown[:NAMED])}{more}" or "-"


NAMED = 12
"""How many numbers a sentence names."""


@dataclass(frozen=True, slots=True)
class CardNote:
    """Say what became of a card: how it was taken, why, and which elements it made or changed."""

    first: int
    """Line of the deck, from 1; 0 for the deck as a whole."""
    last: int
    card: str
    how: How
    says: tuple[Sentence, ...] = ()
    elements: tuple[str, ...] = ()
    """Paths into the project."""

    @property
    def lines(self) -> str:
        """Write its lines."""
        return f"{self.first}" if self.last <= self.first else f"{self.first}-{self.last}"

    def __str__(self) -> str:
        """Write it on one line."""
        text = " ".join(str(one) for one in self.says)
        made = ", ".join(self.elements[:4]) + (", ..." if len(self.elements) > 4 else "")
        parts = [f"{self.lines:>9}  {self.card:<7} {tr(HOW[self.how]):<18} {text}".rstrip()]
        return f"{parts[0]} [{made}]" if made else parts[0]


def report_lines(notes: Iterable[CardNote]) -> list[str]:
    """Write a report, one card a line, and how many of each kind there are."""
    notes = list(notes)
    counts = {how: sum(1 for one in notes if one.how == how) for how in HOW}
    summary = ", ".join(f"{n} {tr(HOW[how])}" for how, n in counts.items() if n)
    return [*(str(one) for one in notes), summary]


GROUND = "ground"
_NOT_IN_ID = re.compile(r"[^\w+-]+")


class Taking:
    """The project as it grows, and what became of each card."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.units = Units()
        self.data: dict[str, Any] = {"format": "manikin-project", "schema_version": 4}
        self.problems = list[Problem]()
        self.segments = list[str]()
        """Names by the deck's numbers, from 1: segments, then vehicles."""
        self.bags = list[str]()
        """Airbags; they are numbered after the vehicles, but are no segments here."""
        self.joints = list[str]()
        self.functions: dict[int, list[Row]] = {}
        """Cards of each function."""
        self.ellipsoids: dict[int, Row] = {}
        """Cards D.5 by number."""
        self._said: dict[int, tuple[How, list[Sentence], list[str]]] = {}
        self._names: dict[str, set[str]] = {}
        self.origin: dict[str, Row] = {}
        """Card behind each path into the project."""

    # what became of a card

    def took(self, row: Row, *elements: str) -> None:
        """Say that a card was taken, and into which elements."""
        self._tell(row, "taken", None, elements)

    def rule(self, row: Row, sentence: Sentence | str, *elements: str) -> None:
        """Say by which rule a card was taken."""
        self._tell(row, "rule", sentence_of(sentence), elements)

    def note(self, row: Row, sentence: Sentence | str, *elements: str) -> None:
        """Say that a card is kept as a note only."""
        self._tell(row, "note", sentence_of(sentence), elements)

    def impossible(self, row: Row, sentence: Sentence | str) -> None:
        """Say why a card, or a part of it, could not be taken."""
        self._tell(row, "impossible", sentence_of(sentence), ())

    def refuse(self, row: Row, field: str, sentence: Sentence) -> None:
        """Say that a card makes no sense: the deck is refused."""
        field_of_card = next((one for one in row.card.fields if one.name == field), None)
        place = f"line {row.line}"
        if field_of_card is not None and not self.deck.free:
            place += f", columns {field_of_card.start + 1}-{field_of_card.end}"
        what = Sentence(
            "Card {card}, field {field}: {why}", card=row.name, field=field, why=sentence
        )
        self.problems.append(error("deck-value", place, what))

    def _tell(self, row: Row, how: How, sentence: Sentence | None, elements: Iterable[str]) -> None:
        old, sentences, made = self._said.setdefault(id(row), (how, [], []))
        if WORST.index(how) > WORST.index(old):
            self._said[id(row)] = (how, sentences, made)
        if sentence is not None and sentence not in sentences:
            sentences.append(sentence)
        made += [one for one in elements if one not in made]

    def is_told(self, row: Row) -> bool:
        """Whether anything has been said of a card."""
        return id(row) in self._said

    def report(self) -> list[CardNote]:
        """What became of every card, in the deck's order."""
        notes = list[CardNote]()
        for row in self.deck.rows:
            how, sentences, made = self._said.get(id(row), ("impossible", [], []))
            if id(row) not in self._said:
                sentences = [Sentence("Nothing is known of what it would do here.")]
            if row.remarks and how == "taken":
                how = "rule"
            remarks = (*row.remarks, *sentences)
            notes.append(CardNote(row.line, row.last, row.name, how, remarks, tuple(made)))
        return notes

    # elements

    def named(self, kind: str, wanted: str, otherwise: str) -> str:
        """Give an id that is free in its list."""
        base = _NOT_IN_ID.sub("_", wanted.strip()).strip("_")[:60] or otherwise
        taken = self._names.setdefault(kind, {GROUND} if kind == "segments" else set())
        name, number = base, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        return name

    def add(self, kind: str, row: Row, /, **fields: Any) -> str:
        """Add an element and give its path."""
        there = self.data.setdefault(kind, [])
        element = {k: v for k, v in fields.items() if v is not None}
        element.setdefault("source", f"line {row.line}, card {row.name}")
        path = f"{kind}/{element['id']}"
        self.origin[path] = self.origin[f"{kind}/{len(there)}"] = row
        there.append(element)
        return path

    def element(self, kind: str, name: str) -> dict[str, Any]:
        """Give an element by its id."""
        return next(one for one in self.data[kind] if one["id"] == name)

    def segment(self, row: Row, field: str, number: int | None = None) -> str:
        """The segment that a number on a card means; 0 and the last number are the ground."""
        value = row[field] if number is None else number
        if value == 0 or value == len(self.segments) + len(self.bags) + 1:
            return GROUND
        if 0 < value <= len(self.segments):
            return self.segments[value - 1]
        why = Sentence(
            "{value} is no segment; there are {count}.", value=value, count=len(self.segments)
        )
        self.refuse(row, field, why)
        return GROUND

    def joint(self, row: Row, field: str, number: int) -> str | None:
        """The joint that a number on a card means."""
        if 0 < abs(number) <= len(self.joints) and self.joints[abs(number) - 1]:
            return self.joints[abs(number) - 1]
        self.refuse(
            row,
            field,
            Sentence(
                "{value} is no joint; there are {count}.", value=number, count=len(self.joints)
            ),
        )
        return None

    # numbers

    def lengths(self, values: Sequence[float]) -> list[float]:
        """Bring lengths to SI."""
        return [value * self.units.length for value in values]

    def turn(
        self, row: Row, field: str, orders: str = "", which: slice = slice(3),
        default: Sequence[int] = YAW_FIRST,
    ) -> dict[str, Any] | None:  # fmt: skip
        """An orientation from the angles of a field, and the field that says which axes they turn about."""
        numbers: Sequence[int] = row[orders][which] if orders else ()
        if any(numbers) and not numbers[0]:
            said_ = " ".join(str(one) for one in default)
            self.rule(row, Sentence("The first axis is 0: turned about {orders}.", orders=said_))
        try:
            return taken_turn(row[field], numbers, default)
        except NoTurn as failure:
            self.refuse(row, orders, failure.sentence)
            return None
