"""Hold the open project, what is wrong with it, and what is selected."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.elements import PROJECT, element_path, find
from solver.project import Problem, Project, open_project


class Document(QObject):
    """Tell every panel about the same project and the same selection."""

    opened = Signal()
    selected = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.project = Project()
        self.problems: tuple[Problem, ...] = ()
        self.selection = PROJECT

    def open(self, path: Path) -> None:
        """Open a project file and check it; raises ProjectError with all problems."""
        from solver.project.checks import check

        opened = open_project(path)
        self.path = path
        self.project = opened.project
        self.problems = (*check(opened.project), *opened.notes)
        self.selection = PROJECT
        self.opened.emit()
        self.selected.emit(PROJECT)

    def select(self, path: str) -> None:
        """Select the element that a path leads to; the project itself where there is none."""
        chosen = element_path(path)
        if find(self.project, chosen) is None:
            chosen = PROJECT
        if chosen != self.selection:
            self.selection = chosen
            self.selected.emit(chosen)
