"""What became of every card of a deck."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from solver.base.words import Sentence, msgid, tr

How = Literal["taken", "rule", "note", "impossible"]
HOW: dict[How, str] = {
    "taken": msgid("taken"),
    "rule": msgid("taken with a rule"),
    "note": msgid("kept as a note"),
    "impossible": msgid("not possible"),
}
"""What can become of a card; the worst comes last."""
WORST: tuple[How, ...] = tuple(HOW)


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
        said = " ".join(str(one) for one in self.says)
        made = ", ".join(self.elements[:4]) + (", ..." if len(self.elements) > 4 else "")
        parts = [f"{self.lines:>9}  {self.card:<7} {tr(HOW[self.how]):<18} {said}".rstrip()]
        return f"{parts[0]} [{made}]" if made else parts[0]


def report_lines(notes: Iterable[CardNote]) -> list[str]:
    """Write a report, one card a line, and how many of each kind there are."""
    notes = list(notes)
    counts = {how: sum(1 for one in notes if one.how == how) for how in HOW}
    summary = ", ".join(f"{n} {tr(HOW[how])}" for how, n in counts.items() if n)
    return [*(str(one) for one in notes), summary]
