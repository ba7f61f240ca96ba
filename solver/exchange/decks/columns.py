"""Fields of a line in columns."""

from __future__ import annotations

from solver.exchange.decks.cards import LABELS, Card


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
        """Give what stands after the last field and before the label."""
        end = max(self.at, 0 if self.shifts else self.card.end)
        if self.card.end > LABELS or self.shifts:
            return self.line[max(end, 80) :].strip()
        return (self.line[end:LABELS].strip() + " " + self.line[80:].strip()).strip()
