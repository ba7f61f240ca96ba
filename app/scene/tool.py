"""Say what a tool in the scene can do with mouse, keys and paint."""

from __future__ import annotations

from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter


class Tool:
    """Take mouse and keys before camera and selection do; each answer tells whether it was taken."""

    is_busy = False
    """Whether it is in the middle of something, so that no names are shown under the mouse."""
    hint = ""
    """What the status line says while the tool is in hand; empty while it is not."""

    def pressed(self, event: QMouseEvent) -> bool:
        """Take a button that goes down; all until its release then belongs to the tool."""
        return False

    def moved(self, event: QMouseEvent) -> bool:
        """Follow the mouse, with the button held or without."""
        return False

    def released(self, event: QMouseEvent) -> None:
        """End what began with the button."""

    def clicked(self, event: QMouseEvent) -> bool:
        """Take a click of the left button that no tool has pressed for, before it selects."""
        return False

    def wants(self, event: QKeyEvent) -> bool:
        """Tell whether a key is the tool's, even where it is a shortcut."""
        return False

    def typed(self, event: QKeyEvent) -> bool:
        """Take a key."""
        return False

    def takes_tab(self, ahead: bool) -> bool:
        """Tell whether Tab, or Shift+Tab, is its own, instead of going to the next panel."""
        return False

    def entered(self, ahead: bool) -> None:
        """Begin anew: the scene got the keyboard by Tab, or by Shift+Tab."""

    def paint(self, painter: QPainter) -> None:
        """Paint over the scene."""
