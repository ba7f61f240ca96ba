"""The File menu."""

from __future__ import annotations

from app.actions.action import Action

FILE: tuple[Action, ...] = (
    Action("file.open", "&File", "&Open…", lambda w: w.ask_for_file(), "Ctrl+O"),
    Action("file.samples", "&File", "&Samples", lambda w: w.show_welcome(), "Ctrl+Shift+O"),
    Action("file.quit", "&File", "&Quit", lambda w: w.quit(), "Ctrl+Q", line_before=True),
)
