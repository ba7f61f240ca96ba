"""Decks of CVS-IV and of the Articulated Total Body program (docs/decks.md).

`numbers` reads and writes numbers and texts as Fortran does; `cards` says what stands on each card, `order` which
card follows which. `reading` and `writing` go by these two, so that a card is described once. The rest makes a project
of cards and cards of a project, one module for each group, both ways side by side.
"""

from solver.exchange.decks.importing import Imported, read_ain
from solver.exchange.decks.taking import CardNote, report_lines
from solver.exchange.decks.writing import DeckError, Exported, write_ain

__all__ = ["CardNote", "DeckError", "Exported", "Imported", "read_ain", "report_lines", "write_ain"]
