"""The File menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.actions.action import Action, with_project
from app.files import TEMPLATES

if TYPE_CHECKING:
    from app.window import MainWindow


def _new(template: str) -> Callable[[MainWindow], None]:
    return lambda window: window.files.new(template)


FILE: tuple[Action, ...] = (
    *(
        Action(
            f"file.new_{name}",
            _new(name),
            "Ctrl+N" if name == "empty" else "",
            choice="new",
        )
        for name in TEMPLATES
    ),
    Action(
        "file.window",
        lambda w: w.studio.new_window(),
        "Ctrl+Shift+N",
    ),
    Action(
        "file.open",
        lambda w: w.files.ask_for_file(),
        "Ctrl+O",
        line_before=True,
    ),
    Action(
        "file.samples",
        lambda w: w.show_welcome(),
        "Ctrl+Shift+O",
    ),
    Action(
        "file.save",
        lambda w: w.files.save(),
        "Ctrl+S",
        with_project,
        line_before=True,
    ),
    Action(
        "file.save_as",
        lambda w: w.files.save_as(),
        "Ctrl+Shift+S",
        with_project,
    ),
    Action(
        "file.save_copy",
        lambda w: w.files.save_copy(),
        "",
        with_project,
    ),
    Action(
        "file.close",
        lambda w: w.close(),
        "Ctrl+W",
        line_before=True,
    ),
    Action(
        "file.quit",
        lambda w: w.quit(),
        "Ctrl+Q",
    ),
)
