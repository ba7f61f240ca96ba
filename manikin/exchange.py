"""Models of other programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from manikin.model import Model, the_model
from solver.exchange.decks import CardNote
from solver.exchange.decks import read_ain as _read_ain
from solver.exchange.decks import write_ain as _write_ain


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


def write_ain(model: Model, path: Path | str) -> tuple[str, ...]:
    """Write a deck of ATB: `.ain` in columns, `.lin` in free form with every digit (docs/decks.md).

    Gives what the deck cannot say of the model. Raises DeckError where it would be another model without
    that, and ProjectError where the model has errors.
    """
    return tuple(_write_ain(the_model(model).checked().project, path).lines())
