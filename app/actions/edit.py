"""The Edit menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import texts
from app.actions.action import Action, with_elements, with_project

if TYPE_CHECKING:
    from app.window import MainWindow


def _undo_words(window: MainWindow) -> str:
    return texts.actions.UNDO.format(step=window.document.history.undoText()).rstrip()


def _redo_words(window: MainWindow) -> str:
    return texts.actions.REDO.format(step=window.document.history.redoText()).rstrip()


def _has_problems(window: MainWindow) -> bool:
    return window.shows_project() and any(p.severity != "note" for p in window.document.problems)


def _has_mends(window: MainWindow) -> bool:
    return window.shows_project() and bool(window.document.mends)


EDIT: tuple[Action, ...] = (
    Action(
        "edit.undo",
        lambda w: w.editing.undo(),
        "Ctrl+Z",
        lambda w: w.shows_project() and w.document.history.canUndo(),
        words=_undo_words,
        icon="undo",
    ),
    Action(
        "edit.redo",
        lambda w: w.editing.redo(),
        "Ctrl+Shift+Z",
        lambda w: w.shows_project() and w.document.history.canRedo(),
        words=_redo_words,
        also=("Ctrl+Y",),
        icon="redo",
    ),
    Action(
        "edit.cut",
        lambda w: w.editing.cut(),
        "Ctrl+X",
        with_elements,
        line_before=True,
    ),
    Action(
        "edit.copy",
        lambda w: w.editing.copy(),
        "Ctrl+C",
        with_elements,
    ),
    Action(
        "edit.paste",
        lambda w: w.editing.paste(),
        "Ctrl+V",
        with_project,
    ),
    Action(
        "edit.duplicate",
        lambda w: w.editing.duplicate(),
        "Ctrl+D",
        with_elements,
    ),
    Action(
        "edit.rename",
        lambda w: w.outline.rename(w.document.selection),
        "F2",
        with_elements,
        line_before=True,
    ),
    Action(
        "edit.delete",
        lambda w: w.editing.delete(),
        "Del",
        with_elements,
    ),
    Action(
        "edit.find",
        lambda w: w.panels.find(),
        "Ctrl+F",
        with_project,
        line_before=True,
    ),
    *(
        Action(
            f"edit.{name}",
            lambda w, name=name: w.panels.open_editor(name),
            "",
            with_project,
            line_before=name == "contacts",
        )
        for name in ("contacts", "outputs")
    ),
    Action(
        "edit.problem",
        lambda w: w.panels.go_to_problem(),
        "F4",
        _has_problems,
        line_before=True,
    ),
    Action(
        "edit.mend",
        lambda w: w.problems.mend(),
        "Shift+F4",
        _has_mends,
    ),
    Action(
        "edit.nothing",
        lambda w: w.document.select(""),
        "Ctrl+Shift+A",
        with_project,
    ),
    Action("edit.preferences", lambda w: w.wearing.show_preferences(), "Ctrl+,", line_before=True),
)
