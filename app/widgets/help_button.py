"""Ask for help: F1, and the quiet button of panels and dialogs that stands for it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from app.having import having
from solver.base.words import tr


class HelpAsked(QEvent):
    """Tell the window that the guide is asked for: about a topic, or else about a widget."""

    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self, widget: QWidget, topic: str) -> None:
        super().__init__(self.KIND)
        self.widget, self.topic = widget, topic


def ask_for_help(widget: QWidget, topic: str = "") -> None:
    """Let the window that all stands in open the guide."""
    window = widget
    while (parent := window.parentWidget()) is not None:
        window = parent
    QApplication.sendEvent(window, HelpAsked(widget, topic))


def help_by_key(dialog: QWidget, topic: str) -> None:
    """Let F1 in a dialog open the guide at what tells of it."""
    key = QShortcut(QKeySequence(Qt.Key.Key_F1), dialog)
    key.activated.connect(lambda: ask_for_help(dialog, topic))


class HelpButton(QToolButton):
    """Stand for F1 where the mouse is; Tab passes it by, since F1 is nearer then."""

    def __init__(self) -> None:
        super().__init__()
        having(self, text="?", objectName="help", toolTip=tr("What the guide tells of this (F1)"))
        self.setAccessibleName(tr("Help"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
