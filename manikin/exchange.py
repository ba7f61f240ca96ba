"""Models of other programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from manikin.model import Model
from solver.exchange.decks import CardNote
from solver.exchange.decks import read_ain as _read_ain


@dataclass(frozen=True)
class ReadDeck:
    """Hold the `model` made of a deck, and the `report`: what became of every card (docs/decks.md)."""

    model: Model
    report: tuple[CardNote, ...]

    @property
    def lost(self) -> tuple[CardNote, ...]:
        """Give what could not be taken, with the reasons."""
        return tuple(one for one in self.report if one.how == "impossible")

    def __repr__(self) -> str:
        return f"<Deck of {len(self.report)} cards, {len(self.lost)} not possible: {self.model!r}>"


def read_ain(path: Path | str) -> ReadDeck:
    """Read a deck of CVS-IV or ATB: `.ain` in columns, `.lin` in free form (docs/decks.md).

    Raises ProjectError with every line, column and field that cannot be read.
    """
    made = _read_ain(path)
    return ReadDeck(Model(made.project), made.notes)
