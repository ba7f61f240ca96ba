"""Changes of the model: steps of the history, what cannot be done, mends, and points to take hold of."""

from __future__ import annotations

from solver.words import msgid

RENAMED = msgid("Rename {old} to {new}")
ADDED = msgid("Add {name}")
