"""Files: what is asked, what was written, and work that was left unsaved."""

from __future__ import annotations

from solver.words import msgid

RESULTS_FILES = msgid("Results (*.h5);;All files (*)")
NEW_NAME = msgid("Untitled")
WRITTEN = msgid("Wrote {file}.")
