"""What is written for others: pictures, movies, reports, moving scenes."""

from __future__ import annotations

from solver.words import msgid

NO_MODEL_INSIDE = msgid("The model inside the results cannot be read.")
NO_SEGMENT = msgid("There is no segment '{name}'; there are {names}.")

MOVIE, SCENE = "movie", "scene"
WRITE = msgid("Write…")
CANCEL = msgid("Cancel")

CANNOT_WRITE = msgid("'{file}' cannot be written: {why}.")
