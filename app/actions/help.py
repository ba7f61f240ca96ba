"""The Help menu."""

from __future__ import annotations

from app.actions.action import Action

HELP: tuple[Action, ...] = (
    Action(
        "help.palette",
        lambda w: w.show_palette(),
        "Ctrl+K",
        also=("Ctrl+Shift+P",),
    ),
    Action("help.here", lambda w: w.show_help(), "F1", line_before=True),
    Action("help.tour", lambda w: w.show_tour()),
    Action("help.guide", lambda w: w.show_guide()),
    Action("help.keys", lambda w: w.show_keys(), "Ctrl+F1"),
)
