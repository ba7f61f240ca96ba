"""Runs: solving, watching, and what is kept of them."""

from __future__ import annotations

NOTHING_TO_FILM = "There is no finished run to film: press F5 first."
RESULTS_SAVE_TITLE = "Save the results"
STILL_RUNNING = "The run goes on; save it once it has ended."
RESTORED = "Take the model back from {name}"
RIDES = "The camera goes with {name}."
TRAIL_ON = "The way of {name} is drawn."
TRAIL_OFF = "The way of {name} is no longer drawn."
STANDS = "The camera stands on the ground."
