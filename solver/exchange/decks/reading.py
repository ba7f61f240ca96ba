"""From the bytes of a deck to its cards: columns or free form; every error with its line and columns."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from solver.base.words import Sentence
from solver.exchange.decks.cards import LABELS, Card, Field
from solver.exchange.decks.numbers import has_inner_blank, integer, real, unquoted, values_of
from solver.exchange.decks.order import Ask, CountError, Row, Walk, walk
from solver.project.problems import Problem, ProjectError, error

# Fields of a line in columns.


class Columns:
    """Cut a line by widths; a comma within a field ends it there, as Fortran has it."""

    def __init__(self, line: str, card: Card) -> None:
        self.line, self.card = line, card
        self.shifts = "," in line and not any(one.kind == "A" for one in card.fields)
        self.at = 0
        self.number = 0
        self.starts = [one.start + k * one.width for one in card.fields for k in range(one.slots)]

    def next(self, width: int) -> tuple[str, int]:
        """Give the next field's text and its column."""
        if not self.shifts:
            self.at = self.starts[self.number]
        self.number += 1
        start = self.at
        text = self.line[start : start + width]
        if self.shifts and "," in text:
            text = text[: text.index(",")]
            self.at = start + len(text) + 1
        else:
            self.at = start + width
        return text, start

    def beyond(self) -> str:
        """What stands after the last field and before the label."""
        end = max(self.at, 0 if self.shifts else self.card.end)
        if self.card.end > LABELS or self.shifts:
            return self.line[max(end, 80) :].strip()
        return (self.line[end:LABELS].strip() + " " + self.line[80:].strip()).strip()


LARGEST_DECK = 20 * 10**6
MOST_ERRORS = 50
_LABEL = re.compile(r"(?:CARDS?\s+)?([A-I]\.\d+)", re.IGNORECASE)
_TRAILING = re.compile(r"CARDS?\s+([A-I]\.\d+)[\w.]*\s*$", re.IGNORECASE)
PER_ENTRY = {"pairs": 2, "blockers": 2}
"""Values that each entry of a list has, where a card counts its entries itself."""
_WHAT = {"I": "a whole number", "F": "a number", "A": "a text"}


@dataclass
class Deck:
    """The cards of a deck, in order, and what stands beside them."""

    rows: list[Row]
    whole: bool = True
    """Whether it is a whole deck, or the cards B of a body alone."""
    free: bool = False
    comments: list[tuple[int, str]] = field(default_factory=list)
    skipped: list[tuple[int, int, str]] = field(default_factory=list)
    """Lines that no card is known for, and after which card they stand."""
    remarks: list[Sentence] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def of(self, *names: str) -> list[Row]:
        """The rows of some cards, in order."""
        return [row for row in self.rows if row.name in names]

    def blocks(self, first: str, *others: str) -> list[list[Row]]:
        """The rows that begin with one card each and go on with others."""
        found = list[list[Row]]()
        for row in self.rows:
            if row.name == first:
                found.append([row])
            elif row.name in others and found:
                found[-1].append(row)
        return found


def read_deck(data: bytes, free: bool = False) -> Deck:
    """Read a deck; raises ProjectError with every problem that was found."""
    remarks = list[Sentence]()
    lines = _lines(data, remarks)
    reader = _Reader(lines, free, remarks)
    return reader.deck()


def _refused(code: str, sentence: Sentence) -> ProjectError:
    return ProjectError([error(code, "", sentence)])


def _lines(data: bytes, remarks: list[Sentence]) -> list[str]:
    """Cut the bytes of a deck into lines, whatever wrote them."""
    if len(data) > LARGEST_DECK:
        raise _refused(
            "deck-too-large",
            Sentence("A deck has at most {most:.0f} MB.", most=LARGEST_DECK / 1e6),
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace")
    else:
        data = data.split(b"\x1a", 1)[0]
        if b"\0" in data:
            raise _refused("deck-not-text", Sentence("The file is no text: it holds zero bytes."))
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
            remarks.append(Sentence("The text is not UTF-8; it was read as Windows-1252."))
    if "\t" in text:
        remarks.append(Sentence("Tabs were spread to every eighth column."))
    lines = re.split(r"\r\n|\r|\n", text)
    return [one.expandtabs(8) for one in lines]


class _Reader:
    """Go through the lines by the order of cards."""

    def __init__(self, lines: list[str], free: bool, remarks: list[Sentence]) -> None:
        self.lines, self.free, self.at = lines, free, 0
        self.problems = list[Problem]()
        self.made = Deck([], free=free, remarks=remarks, lines=lines)

    def deck(self) -> Deck:
        """Read all cards."""
        if not any(line.strip() for line in self.lines):
            raise _refused("deck-empty", Sentence("The deck is empty."))
        self.made.whole = not self._is_body()
        steps = walk(self.made.whole, self.free)
        try:
            self._go(steps)
        except CountError as failure:
            self._count(failure)
        if self.problems:
            raise ProjectError(self.problems)
        self._rest()
        return self.made

    def _go(self, steps: Walk) -> None:
        ask = next(steps)
        while True:
            if len(self.problems) >= MOST_ERRORS:
                return
            if ask.until:
                self._skip(ask)
                ask = steps.send(Row(ask.card, {}))
                continue
            if ask.if_there and not self._is_there(ask):
                ask = steps.send(Row(ask.card, {}))
                continue
            row = self._row(ask)
            if row is None:
                return
            self.made.rows.append(row)
            try:
                ask = steps.send(row)
            except StopIteration:
                return

    def _is_body(self) -> bool:
        """Whether the deck begins with card B.1: a body alone."""
        at = self._after_comments()
        if at >= len(self.lines):
            return False
        line = self.lines[at]
        label = self._label(line)
        if label:
            return label == "B.1"
        if self.free:
            values = values_of(line)
            return len(values) > 1 and all(v and v.isdigit() for v in values[:2])
        return bool(
            (integer(line[:6]) or 0) > 0 and (integer(line[6:12]) or -1) >= 0 and line[:1] == " "
        )

    def _label(self, line: str) -> str:
        found = _TRAILING.search(line) if self.free else _LABEL.match(line[LABELS:].strip())
        return found[1].upper() if found else ""

    def _after_comments(self) -> int:
        """Step over comments, which are kept, and give where the next card begins."""
        while self.at < len(self.lines) and self.lines[self.at].lstrip().startswith("#"):
            self.made.comments.append((self.at + 1, self.lines[self.at].lstrip()[1:].strip()))
            self.at += 1
        return self.at

    def _row(self, ask: Ask) -> Row | None:
        at = self.at if ask.card.is_text else self._after_comments()
        if at >= len(self.lines) and not self._is_blank_end(ask, at):
            if ask.may_end:
                self.made.remarks.append(
                    Sentence(
                        "The deck ends before card {card}; nothing was asked for by it.",
                        card=ask.card.name,
                    )
                )
            else:
                self._problem(
                    "deck-end",
                    at,
                    "",
                    Sentence(
                        "The deck ends where card {card} ({says}) was expected: add it, or lower the count on an earlier card that asks for it.",
                        card=ask.card.name,
                        says=ask.card.says,
                    ),
                )
            return None
        return self._free_row(ask) if self.free else self._fixed_row(ask)

    def _is_there(self, ask: Ask) -> bool:
        """Whether a card stands here that some decks leave out: by its label, else by its holding nothing."""
        at = self._after_comments()
        if at >= len(self.lines):
            return False
        line = self.lines[at]
        label = self._label(line)
        if self.free:
            value = next(iter(values_of(line)), None)
            return label == ask.card.group and value in (None, "0") and len(line.split()) <= 3
        return (label == ask.card.group or not label) and line[:LABELS].strip() in ("", "0")

    def _is_blank_end(self, ask: Ask, at: int) -> bool:
        """Whether a blank card at the very end may have been left out with its line end."""
        return ask.card.name == "H.10.c" and at == len(self.lines)

    def _fixed_row(self, ask: Ask) -> Row:
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        self.at += 1
        card = ask.card
        row = Row(card, {}, self.at, self.at)
        cut = Columns(line, card)
        for one in card.fields:
            wanted = one.slots
            if ask.entries is not None and one is card.fields[-1]:
                wanted = ask.entries
            values = [self._value(one, *cut.next(one.width), row) for _ in range(wanted)]
            if wanted < one.slots:
                values += [0] * (one.slots - wanted)
            row.values[one.name] = tuple(values) if one.count else values[0]
        label = self._label(line)
        if label and label != card.group and not self._same(label, card):
            row.remarks.append(
                Sentence(
                    "Its label says {label}; by the counts before it is {card}.",
                    label=label,
                    card=card.name,
                )
            )
        beyond = cut.beyond()
        if beyond:
            row.remarks.append(
                Sentence("Beyond its fields stands '{text}', which was not read.", text=beyond[:60])
            )
        return row

    def _same(self, label: str, card: Card) -> bool:
        return label[0] == card.group[0] == "E" or label == "D.1" == card.group

    def _value(self, one: Field, text: str, column: int, row: Row) -> Any:
        if one.kind == "A":
            return "".join(c if c.isprintable() else " " for c in text).rstrip()
        value = real(text) if one.kind == "F" else integer(text)
        if value is None:
            self._problem(
                "deck-number",
                row.line - 1,
                f", columns {column + 1}-{column + len(text)}" if column >= 0 else "",
                Sentence(
                    "Card {card}, field {field}: '{text}' stands where {what} is expected.",
                    card=row.name,
                    field=one.name,
                    text=text.strip()[:40],
                    what=Sentence(_WHAT[one.kind]),
                ),
            )
            return 0
        if column >= 0 and has_inner_blank(text):
            row.remarks.append(
                Sentence(
                    "Field {field}: '{text}' has a blank within; it was read as {value}.",
                    field=one.name,
                    text=text,
                    value=value,
                )
            )
        return value

    def _free_row(self, ask: Ask) -> Row:
        """Read as many values as the card has, from as many lines as they take."""
        card = ask.card
        fields = [one for one in card.fields if not one.fixed_only]
        row = Row(card, {}, self.at + 1, self.at + 1)
        values = list[str | None]()
        while len(values) < max(self._size(ask, fields, values), 1):
            if self.at >= len(self.lines):
                sentence = Sentence(
                    "The deck ends within card {card} ({says}).", card=card.name, says=card.says
                )
                self._problem("deck-end", self.at, "", sentence)
                break
            line = self.lines[self.at]
            self.at += 1
            values += values_of(_TRAILING.sub("", line))
            if self._slashed(line):
                break
        row.last = max(row.line, self.at)
        size = self._size(ask, fields, values)
        beyond, values = values[size:], values[:size]
        values += [None] * (sum(one.slots for one in fields) - len(values))
        taken = iter(values)
        for one in fields:
            read = [self._free_value(one, next(taken), row) for _ in range(one.slots)]
            row.values[one.name] = tuple(read) if one.count else read[0]
        for one in card.fields:
            if one.fixed_only:
                blank: Any = "" if one.kind == "A" else 0
                row.values[one.name] = (blank,) * one.count if one.count else blank
        if card.name == "B.1" and beyond:
            row.values["deformable"] = beyond[0] or ""
        return row

    def _size(self, ask: Ask, fields: list[Field], values: list[str | None]) -> int:
        """Tell how many values a card has: as asked for, or by the count that stands on it."""
        before, last = sum(one.slots for one in fields[:-1]), fields[-1]
        if ask.entries is not None:
            return before + ask.entries
        at = 0
        for one in fields:
            if one.name == "count":
                if at >= len(values):
                    return before + last.slots
                count = max(integer(values[at] or "") or 0, 0)
                if last.name == "point":
                    return before + last.slots if count else 1
                return before + min(count * PER_ENTRY.get(last.name, 1), last.slots)
            at += one.slots
        return before + last.slots

    def _slashed(self, line: str) -> bool:
        return bool(re.search(r"(?:^|[\s,])/", re.sub(r"\"[^\"]*\"|'[^']*'", "", line)))

    def _free_value(self, one: Field, text: str | None, row: Row) -> Any:
        if text is None:
            return "" if one.kind == "A" else 0
        if one.kind == "A":
            return unquoted(text).strip()
        return self._value(one, text, -1, row)

    def _skip(self, ask: Ask) -> None:
        """Step over cards that are not known, to the next one whose label is."""
        first = self.at
        while self.at < len(self.lines):
            if self._label(self.lines[self.at]) in ask.until:
                self.made.skipped.append((first + 1, self.at, ask.card.group))
                return
            self.at += 1
        self.at = len(self.lines)
        self._problem(
            "deck-unknown",
            first,
            "",
            Sentence(
                "Here stand cards whose columns no source tells, and no later card has a label ({labels}) to go on from: write its label into columns 73 to 80.",
                labels=", ".join(ask.until),
            ),
        )

    def _rest(self) -> None:
        left = [n for n in range(self.at, len(self.lines)) if self.lines[n].strip()]
        if left:
            self.made.skipped.append((left[0] + 1, left[-1] + 1, "I"))

    def _count(self, failure: CountError) -> None:
        row = failure.row
        told = next(one for one in row.card.fields if one.name == failure.field)
        if failure.most == 0:
            why = Sentence(
                "Card {card}: it has deformable bodies (version V); segments here are rigid. Write 0 as their number and leave out their cards: their segments then stay as rigid ones.",
                card=row.name,
            )
            self._problem("deck-deformable", row.line - 1, "", why)
            return
        self._problem(
            "deck-count",
            row.line - 1,
            "" if self.free else f", columns {told.start + 1}-{told.end}",
            Sentence(
                "Card {card}, field {field}: {value} cannot be a count; 0 to {most} can.",
                card=row.name,
                field=failure.field,
                value=str(row[failure.field])[:60],
                most=failure.most,
            ),
        )

    def _problem(self, code: str, at: int, columns: str, sentence: Sentence) -> None:
        self.problems.append(error(code, f"line {at + 1}{columns}", sentence))
