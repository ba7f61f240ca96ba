"""Changes of the model: steps of the history, what cannot be done, mends, and points to take hold of."""

from __future__ import annotations

RENAMED = "Rename {old} to {new}"
ADDED = "Add {name}"
