"""Words of what is drawn in the scene and over it."""

from __future__ import annotations

BAGS_FULL = "Airbags of the model are shown full."
BAGS_FOLDED = "Airbags of the model are shown folded, with their way out."
