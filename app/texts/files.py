"""Files: what is asked, what was written, and work that was left unsaved."""

from __future__ import annotations

SAVED = "Saved {file}."
SAVED_COPY = "Saved a copy as {file}; you go on working on {here}."
BACKED_UP = "The older file was kept as {file}."
PROJECT_FILES = "Projects (*.json);;All files (*)"
OPEN_TITLE = "Open a project"
RESULTS_FILES = "Results (*.h5);;All files (*)"
RESULTS_TITLE = "Open results"
SAVE_TITLE = "Save the project"
COPY_TITLE = "Save a copy"
UNSAVED_TITLE = "Unsaved work"
UNSAVED = "{name} has changes that are not saved. Save them before closing?"
NEW_NAME = "Untitled"
LEFT_BEHIND = (
    "The program ended without saving {name} ({when}). Nothing is lost: shall it be opened?"
)
RECOVER = "Open it"
DISCARD = "Discard it"
NOT_RECOVERED = "What was left could not be read: {why}"
WRITTEN = "Wrote {file}."
NOT_WRITTEN = "{file} could not be written. Choose another name or folder."
WRITING = "Writing {file} …"
SAVE_AS = "Save as…"
NOT_READ = "It cannot be read: {why}"
