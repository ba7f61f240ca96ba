"""What helps people about in one window: palette, guide and the page of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.keys import KeySheet
from app.palette import Palette

if TYPE_CHECKING:
    from app.window import MainWindow


class HelpDesk:
    """Open what helps."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def palette(self) -> Palette:
        """Open the command palette."""
        found = Palette(self._window)
        found.show()
        return found

    def here(self, widget: QWidget | None = None) -> None:
        """Open the guide where it tells of a widget, or of what has the keyboard."""
        from app.guide.asking import topic_for

        self.guide(topic_for(self._window, widget))

    def guide(self, topic: str = "", asked_in: QWidget | None = None) -> None:
        """Open the guide, at a topic or where it was left; a dialog may have asked for it."""
        from app.guide.asking import HOME
        from app.guide.window import GuideWindow

        guide = self._window.findChild(GuideWindow) or GuideWindow(self._window)
        guide.open(topic or guide.browser.topic or HOME, asked_in)

    def keys(self) -> None:
        """Open the page of keyboard shortcuts."""
        KeySheet(self._window).show()
