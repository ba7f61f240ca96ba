"""Whose limits are shown: those of chosen standards, or all that fit body and push."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from solver.injury import reference


class Judges(QObject):
    """Hold the standards whose limits alone injury panel, comparison and report show; none: all that fit."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.standards: tuple[str, ...] = ()

    def choose(self, standards: tuple[str, ...]) -> None:
        """Choose others."""
        if standards != self.standards:
            self.standards = standards
            self.changed.emit()

    @property
    def names(self) -> str:
        """Name them; empty where all limits are shown."""
        return ", ".join(reference().standards[one].name for one in self.standards)
