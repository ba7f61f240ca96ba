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
        self.has_project = False
        self.project = Project()
        self.problems: tuple[Problem, ...] = ()
        self.selection = PROJECT

    def open(self, path: Path) -> None:
        """Open a project file and check it; raises ProjectError with all problems."""
        opened = open_project(path)
        self.adopt(opened.project, path, opened.notes)

    def adopt(
        self, project: Project, path: Path | None = None, notes: tuple[Problem, ...] = ()
    ) -> None:
        """Take a project as it is; `path` is where it was read."""
        from solver.project.checks import check

        self.path, self.has_project = path, True
        self.project = project
        self.problems = (*check(project), *notes)
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
