"""Runs: solving, watching, and what is kept of them."""

from __future__ import annotations

NOTHING_TO_FILM = "There is no finished run yet: press F5 first."
BAG_FIRES, BAG_FULL = "{name} fires", "{name} is full"
BAG, BELT = "Bag", "Belt"
"""The only one of a model, where there is no room for its name."""
FAILED = "{name} failed. {why}"


HAS_ERRORS = "The model has errors; mend them first, then run it."
HAS_NO_RUN = "The model has no run: add one, which says how long to solve."
