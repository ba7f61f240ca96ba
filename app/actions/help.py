"""The Help menu."""

from __future__ import annotations

from app.actions.action import Action

HELP: tuple[Action, ...] = (
    Action(
        "help.palette",
        "&Help",
        "&Find a command…",
        lambda w: w.show_palette(),
        "Ctrl+K",
        tip="Type what you want to do, or the name of an element.",
        also=("Ctrl+Shift+P",),
    ),
    Action(
        "help.keys",
        "&Help",
        "&Keyboard shortcuts",
        lambda w: w.show_keys(),
        "F1",
        tip="All keys on one page.",
    ),
)
