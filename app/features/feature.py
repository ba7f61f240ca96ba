"""What all features have in common."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QObject

from app.workbench import Workbench
from solver.base.boundary import Ended


class Feature(QObject):
    """Bring commands, panels and tools of the scene to a workbench when it is made."""

    name: ClassVar[str] = ""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.bench = bench

    def may_close(self) -> bool:
        """Whether the window may be closed; this may ask."""
        return True

    def escape(self) -> bool:
        """Use Esc, where nothing else has a use for it; tells whether it was used."""
        return False

    def end(self) -> None:
        """End what goes on: the window is being closed."""

    def break_off(self, why: Ended) -> None:
        """End likewise, but without a question asked before: what is unsaved is kept for the next start."""
        self.end()
