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
            "&File",
            title,
            _new(name),
            "Ctrl+N" if name == "empty" else "",
            choice="&New",
            tip=f"Begin a new project. {tip}",
        )
        for name, title, tip in TEMPLATES
    ),
    Action(
        "file.window",
        "&File",
        "New &window",
        lambda w: w.studio.new_window(),
        "Ctrl+Shift+N",
        tip="Open a second window, for another project or to copy between the two.",
    ),
    Action(
        "file.open",
        "&File",
        "&Open…",
        lambda w: w.files.ask_for_file(),
        "Ctrl+O",
        line_before=True,
        tip="Open a project file.",
    ),
    Action(
        "file.samples",
        "&File",
        "&Welcome page",
        lambda w: w.show_welcome(),
        "Ctrl+Shift+O",
        tip="Samples, templates and recent files.",
    ),
    Action(
        "file.save",
        "&File",
        "&Save",
        lambda w: w.files.save(),
        "Ctrl+S",
        with_project,
        line_before=True,
        tip="Save the project under its present name.",
    ),
    Action(
        "file.save_as",
        "&File",
        "Save &as…",
        lambda w: w.files.save_as(),
        "Ctrl+Shift+S",
        with_project,
        tip="Save under another name and go on with that file.",
    ),
    Action(
        "file.save_copy",
        "&File",
        "Save a &copy…",
        lambda w: w.files.save_copy(),
        "",
        with_project,
        tip="Write a copy and go on with the present file.",
    ),
    Action(
        "file.close",
        "&File",
        "&Close window",
        lambda w: w.close(),
        "Ctrl+W",
        line_before=True,
        tip="Close this window; unsaved work is asked about.",
    ),
    Action(
        "file.quit",
        "&File",
        "&Quit",
        lambda w: w.quit(),
        "Ctrl+Q",
        tip="Close all windows; unsaved work is asked about.",
    ),
)
