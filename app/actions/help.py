"""The Help menu."""

from __future__ import annotations

from app.actions.action import Action

HELP: tuple[Action, ...] = (
    Action(
        "help.palette",
        lambda w: w.help.palette(),
        "Ctrl+K",
        also=("Ctrl+Shift+P",),
    ),
    Action("help.here", lambda w: w.help.here(), "F1", line_before=True),
    Action("help.tour", lambda w: w.tour.begin()),
    Action("help.guide", lambda w: w.help.guide()),
    Action("help.keys", lambda w: w.help.keys(), "Ctrl+F1"),
)
