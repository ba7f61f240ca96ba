"""Text is shown as it is written: names come out of files, and files from anywhere.

Qt takes text that looks like HTML for HTML, in labels, tips and questions alike: a project called
`<img src=…>` would have a picture loaded and drawn. So all of them show plain text, but those few that
say that theirs is rich, and escape what they are given.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLayoutItem, QProxyStyle

from app.guard import guard


class PlainStyle(QProxyStyle):
    """Draw as Fusion does, and let every label that has not said otherwise show plain text.

    Tips are labels, and so is what questions say.
    """

    @guard
    def polish(self, what: Any) -> Any:
        """Take in what is about to be shown for the first time."""
        if isinstance(what, QLayoutItem):
            # a widget for which PySide takes the item of a layout that was at its address before
            return None
        if isinstance(what, QLabel) and what.textFormat() == Qt.TextFormat.AutoText:
            what.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(what)


def show_plain_text() -> None:
    """Let all windows of the program show text as it is written."""
    application = QApplication.instance()
    if isinstance(application, QApplication) and not isinstance(application.style(), PlainStyle):
        application.setStyle(PlainStyle("Fusion"))
