"""Panels beside the scene: outline, inspector, problems, runs, injury figures, timeline, run control."""

from __future__ import annotations

RUN_MODEL = "Model"
RUN_FIRST = ("Run", "Status")
RUN_LAST = ("Simulated", "Took", "Steps", "Energy error", RUN_MODEL, "When", "Note")
"""Columns before and behind those of the main figures."""

MORE, LESS = "more", "less"
"""Links that unfold and fold a long note."""
INSTANT = "{ms:.1f} ms"
CFC = "CFC {cfc}"
REAL_TIME = "real time"


NO_RUN_YET = "No run yet. F5 solves the model."

LIMIT_SOURCE = "Limit {limit:g} {unit}: {source}"
