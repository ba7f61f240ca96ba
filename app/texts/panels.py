"""Panels beside the scene: outline, inspector, problems, runs, injury figures, timeline, run control."""

from __future__ import annotations

from solver.words import msgid

RUN_MODEL = msgid("Model")
RUN_FIRST = (msgid("Run"), msgid("Status"))
RUN_LAST = (
    msgid("Simulated"),
    msgid("Took"),
    msgid("Steps"),
    msgid("Energy error"),
    RUN_MODEL,
    msgid("When"),
    msgid("Note"),
)
"""Columns before and behind those of the main figures."""

MORE, LESS = msgid("more"), msgid("less")
"""Links that unfold and fold a long note."""
INSTANT = msgid("{ms:.1f} ms")
CFC = msgid("CFC {cfc}")
REAL_TIME = msgid("real time")


NO_RUN_YET = msgid("No run yet. F5 solves the model.")

LIMIT_SOURCE = msgid("Limit {limit:g} {unit}: {source}")
