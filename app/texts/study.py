"""Runs: solving, watching, and what is kept of them."""

from __future__ import annotations

from solver.words import msgid

NOTHING_TO_FILM = msgid("There is no finished run yet: press F5 first.")
BAG_FIRES, BAG_FULL = msgid("{name} fires"), msgid("{name} is full")
BAG, BELT = msgid("Bag"), msgid("Belt")
"""The only one of a model, where there is no room for its name."""
FAILED = msgid("{name} failed. {why}")


HAS_ERRORS = msgid("The model has errors; mend them first, then run it.")
HAS_NO_RUN = msgid("The model has no run: add one, which says how long to solve.")
