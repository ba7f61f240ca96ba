"""The Edit menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.actions.action import Action, with_elements, with_project
from app.editors.words import OFFERS

if TYPE_CHECKING:
    from app.window import MainWindow


def _undo_words(window: MainWindow) -> str:
    return f"&Undo {window.document.history.undoText()}".rstrip()


def _redo_words(window: MainWindow) -> str:
    return f"&Redo {window.document.history.redoText()}".rstrip()


EDIT: tuple[Action, ...] = (
    Action(
        "edit.undo",
        "&Edit",
        "&Undo",
        lambda w: w.editing.undo(),
        "Ctrl+Z",
        lambda w: w.shows_project() and w.document.history.canUndo(),
        words=_undo_words,
        tip="Take the last change back.",
        icon="undo",
    ),
    Action(
        "edit.redo",
        "&Edit",
        "&Redo",
        lambda w: w.editing.redo(),
        "Ctrl+Shift+Z",
        lambda w: w.shows_project() and w.document.history.canRedo(),
        words=_redo_words,
        tip="Do again what was undone.",
        also=("Ctrl+Y",),
        icon="redo",
    ),
    Action(
        "edit.cut",
        "&Edit",
        "Cu&t",
        lambda w: w.editing.cut(),
        "Ctrl+X",
        with_elements,
        line_before=True,
        tip="Put the selected elements on the clipboard and delete them.",
    ),
    Action(
        "edit.copy",
        "&Edit",
        "&Copy",
        lambda w: w.editing.copy(),
        "Ctrl+C",
        with_elements,
        tip="Put the selected elements on the clipboard, with the laws and functions they need.",
    ),
    Action(
        "edit.paste",
        "&Edit",
        "&Paste",
        lambda w: w.editing.paste(),
        "Ctrl+V",
        with_project,
        tip="Put elements from the clipboard into this project.",
    ),
    Action(
        "edit.duplicate",
        "&Edit",
        "D&uplicate",
        lambda w: w.editing.duplicate(),
        "Ctrl+D",
        with_elements,
        tip="Copy the selected elements beside themselves; segments with their joints.",
    ),
    Action(
        "edit.rename",
        "&Edit",
        "Re&name",
        lambda w: w.outline.rename(w.document.selection),
        "F2",
        with_elements,
        line_before=True,
        tip="Give the selected element another name.",
    ),
    Action(
        "edit.delete",
        "&Edit",
        "&Delete",
        lambda w: w.editing.delete(),
        "Del",
        with_elements,
        tip="Delete the selected elements, with what cannot be without them.",
    ),
    Action(
        "edit.find",
        "&Edit",
        "&Find an element",
        lambda w: w.find(),
        "Ctrl+F",
        with_project,
        line_before=True,
        tip="Search the outline.",
    ),
    *(
        Action(
            f"edit.{name}",
            "&Edit",
            title,
            lambda w, name=name: w.open_editor(name),
            "",
            with_project,
            line_before=name == "contacts",
            tip=f"{tip}.",
        )
        for name, title, tip in OFFERS
    ),
    Action(
        "edit.nothing",
        "&Edit",
        "Select &nothing",
        lambda w: w.document.select(""),
        "Ctrl+Shift+A",
        with_project,
        tip="Select the project as a whole.",
    ),
)
