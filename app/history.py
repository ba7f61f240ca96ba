"""Undo and redo by whole versions of the frozen project, which share what they have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QUndoCommand

from app.guard import guard
from solver.project import Project

_MERGING = 1


@dataclass(frozen=True, slots=True)
class Version:
    """Hold a project and what was selected in it."""

    project: Project
    chosen: tuple[str, ...]


class ReplaceProject(QUndoCommand):
    """Exchange one version for another; one with the same key takes the place of the last."""

    def __init__(
        self, show: Callable[[Version, str], None], old: Version, new: Version, text: str, key: str
    ) -> None:
        super().__init__(text)
        self._show, self._old, self.new, self.key = show, old, new, key

    @guard
    def undo(self) -> None:
        """Show the version before."""
        self._show(self._old, self.text())

    @guard
    def redo(self) -> None:
        """Show the version after."""
        self._show(self.new, self.text())

    @guard
    def id(self) -> int:
        """Tell Qt whether this one may merge at all."""
        return _MERGING if self.key else -1

    @guard
    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over what the next step of the same drag gives."""
        if not isinstance(other, ReplaceProject) or other.key != self.key:
            return False
        self.new = other.new
        self.setText(other.text())
        if self.new.project == self._old.project:
            self.setObsolete(True)
        return True
