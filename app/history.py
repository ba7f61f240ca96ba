"""Undo and redo by whole versions of the frozen project, which share what they have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtGui import QUndoCommand

from app.guard import guard
from solver.project import LISTS, Project

_MERGING = 1


@dataclass(frozen=True, slots=True)
class Version:
    """A project and what was selected in it."""

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


@dataclass(frozen=True)
class Change:
    """Two versions and the words of what was done; parts that are the same object are untouched."""

    before: Project
    after: Project
    text: str

    @cached_property
    def lists(self) -> frozenset[str]:
        """Name the lists, and 'initial' or 'gravity_m_per_s2' and their like, that differ."""
        return frozenset(
            name
            for name in Project.model_fields
            if getattr(self.before, name) is not getattr(self.after, name)
        )

    @cached_property
    def elements(self) -> frozenset[str]:
        """The paths of elements that were added, removed or changed."""
        out: set[str] = {name for name in self.lists if name not in LISTS}
        for name in self.lists & set(LISTS):
            old = {item.id: item for item in getattr(self.before, name)}
            new = {item.id: item for item in getattr(self.after, name)}
            out |= {
                f"{name}/{key}"
                for key in old.keys() | new.keys()
                if old.get(key) is not new.get(key)
            }
        return frozenset(out)

    @cached_property
    def added(self) -> tuple[str, ...]:
        """The paths of new elements, in the order of the document."""
        return tuple(
            f"{name}/{item.id}"
            for name in LISTS
            if name in self.lists
            for item in getattr(self.after, name)
            if item.id not in {one.id for one in getattr(self.before, name)}
        )
