"""Ready parts with their sources: laws, webbing, cushions, pulses, seats, interiors, bags, belts."""

from __future__ import annotations

from solver.bodies.library.entries import CATEGORIES, Entry, LibraryError, entries, entry, fragment
from solver.bodies.library.inserting import insert
from solver.bodies.library.occupants import Occupant, occupant

__all__ = [
    "CATEGORIES",
    "Entry",
    "LibraryError",
    "Occupant",
    "entries",
    "entry",
    "fragment",
    "insert",
    "occupant",
]
