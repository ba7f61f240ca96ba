"""Runs: solving, watching, and what is kept of them."""

from __future__ import annotations

HEADLINE = "{name} is {value:.4g}."
OUTDATED = "The model has changed since {name}; F5 runs it again."
NOTHING_TO_FILM = "There is no finished run yet: press F5 first."
RESULTS_SAVE_TITLE = "Save the results"
STILL_RUNNING = "The run goes on; save it once it has ended."
RESTORED = "Take the model back from {name}"
RIDES = "The camera goes with {name}."
TRAIL_ON = "The way of {name} is drawn."
TRAIL_OFF = "The way of {name} is no longer drawn."
STANDS = "The camera stands on the ground."
LIVE = "Live"
"""The name of the run that follows every change."""
BAG_FIRES, BAG_FULL = "{name} fires", "{name} is full"
BAG, BELT = "Bag", "Belt"
"""The only one of a model, where there is no room for its name."""
BELT_LOCKS = "{name} locks"
ENDED: dict[str, str] = {
    "completed": "{name} is done: {ms:g} ms in {took:.2f} s.",
    "cancelled": "{name} was cancelled after {took:.2f} s; what it found can be played.",
}
FAILED = "{name} failed. {why}"
GAINED = "{name}: {first}."
GAINED_MORE = "{name}: {first}. {count} more such notes are in the log of its report."
TOO_DEEP = "{one} too deep in {other}"
TOO_DEEP_SHORT = "too deep"
PASSED = "{name}: {first}."
PASSED_MORE = "{name}: {first}. {count} more pairs are in the log of its report."

# live
LIVE_WAITS = "Live waits: {why}"

# runs
RUN_NUMBER = "Run {number}"
DAMAGED = "'{file}' is damaged: the model inside cannot be read."

# keeping runs
NOT_KEPT = (
    "The run could not be kept: {why} It is there until you close the window; save it elsewhere "
    "if you need it later."
)
DELETED = "Deleted {names}."
TAKEN_OFF = "Took {names} from the list; the file stays."
PUT_BACK = "Bring back"

# solving
OWN_ERROR = "The solver met an error of its own: {kind}: {failure}"
NO_MEMORY = "There is not enough memory for this run. Lower the rate of its channels or frames."

# study
HAS_ERRORS = "The model has errors; mend them first, then run it."
HAS_NO_RUN = "The model has no run: add one, which says how long to solve."
SHOW_ERROR = "Show the first"
ADD_RUN = "Add a run of 200 ms"

# runs of unlike length seen together
OVER = "{names}: over by now; the last state stays."
RUN_ENDS = "{name} ends"
