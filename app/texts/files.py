"""Files: what is asked, what was written, and work that was left unsaved."""

from __future__ import annotations

RESULTS_FILES = "Results (*.h5);;All files (*)"
NEW_NAME = "Untitled"
WRITTEN = "Wrote {file}."
