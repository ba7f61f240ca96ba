"""Find the page of the guide that tells of what has the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from app.guide.reference import place_of
from solver.project import ProjectError

if TYPE_CHECKING:
    from app.window import MainWindow

HOME = "guide"
PANELS = {
    "welcome": "guide#the-first-five-minutes",
    "unreadable": "checks#first-pass-files-types-and-ranges",
    "viewport": "guide#the-scene",
    "outline": "guide#building-a-model",
    "inspector": "guide#building-a-model",
    "timeline": "guide#runs-and-playback",
    "run_control": "guide#runs-and-playback",
    "problems": "guide#when-something-is-wrong",
    "editors": "guide#editors",
    "plots": "guide#curves",
    "injury": "guide#injury-figures",
    "runs": "guide#keeping-runs",
    "compare": "guide#comparing-runs",
    "whatif": "guide#what-if",
}
"""Topics of the parts of a window, by the names that the window has for them."""
DIALOGS = {
    "preferences": "guide#as-you-like-it",
    "body": "bodies",
    "library": "library",
    "settle": "settle",
    "movie": "guide#pictures-movies-and-reports",
    "strip": "guide#pictures-movies-and-reports",
    "template": "guide#curves",
    "channel": "guide#curves",
    "csv": "guide#editors",
    "keys": "guide#the-scene",
}
_OF_ELEMENTS = ("viewport", "outline", "inspector", "editors")
"""Parts in which what is selected is what people ask about."""


def topic_for(window: MainWindow, widget: QWidget | None = None) -> str:
    """Give the topic of a widget, or of what has the keyboard: the nearest that something is known of."""
    here = widget or QApplication.focusWidget()
    parts = {getattr(window, name): name for name in PANELS}
    while here is not None and here is not window:
        name = parts.get(here)
        if name == "problems":
            return _of_problem(window) or PANELS[name]
        if name in _OF_ELEMENTS:
            return _of_element(window, name) or PANELS[name]
        if name is not None:
            return PANELS[name]
        here = here.parentWidget()
    return HOME if window.shows_project() else PANELS["welcome"]


def help_by_key(dialog: QWidget, name: str) -> None:
    """Let F1 in a dialog open the guide at what tells of it."""
    key = QShortcut(QKeySequence(Qt.Key.Key_F1), dialog)
    key.activated.connect(lambda: show_help(dialog, name))


def show_help(dialog: QWidget, name: str) -> None:
    """Open the guide at what tells of a dialog."""
    from app.window import MainWindow

    here = dialog.parentWidget()
    while not isinstance(here, MainWindow):
        here = here.parentWidget()
    here.help.guide(DIALOGS[name], dialog)


def _of_element(window: MainWindow, name: str) -> str:
    document = window.document
    path = window.inspector.focused() if name == "inspector" else ""
    return _element(window, path or document.selection)


def _of_problem(window: MainWindow) -> str:
    return _element(window, window.problems.current_path())


def _element(window: MainWindow, path: str) -> str:
    if not path or not window.shows_project():
        return ""
    try:
        place = place_of(window.document.project, path)
    except ProjectError:
        return ""
    return f"element:{place}" if place else ""
