"""What is written for others: pictures, movies, reports, moving scenes."""

from __future__ import annotations

NO_MODEL_INSIDE = "The model inside the results cannot be read."
NO_SEGMENT = "There is no segment '{name}'; there are {names}."

MOVIE, SCENE = "movie", "scene"
WRITE = "Write…"
CANCEL = "Cancel"

CANNOT_WRITE = "'{file}' cannot be written: {why}."
