"""Hold what the matrix of contacts shows: rows, columns, and the law of each pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QWidget

from app.elements import name_of
from app.features.editors.contact_cells import (
    Cell,
    Heading,
    contacts_by_pair,
    planes,
    surfaces,
    why_not,
)
from app.guard import guard
from app.look import LIGHT, LINES
from solver.base.words import tr
from solver.bodies.library.suggesting import Suggestion
from solver.project import Project
from solver.project.contact import StrapLaw
from solver.project.geometry import SurfaceRef

_NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex
_BRIGHT = 0.45
"""Lightness from which a colour has dark digits on it."""


class MatrixModel(QAbstractTableModel):
    """Hold rows of surfaces, columns of planes or surfaces, and the law of each pair."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.project: Project = Project.empty()
        self.rows: list[Heading] = []
        self.columns: list[Heading] = []
        self.found: dict[Any, Any] = {}
        self._wanted: dict[Any, Suggestion] = {}
        self.laws: list[str] = []
        self.law_names: dict[str, str] = {}
        self.missing: Sequence[Suggestion] = ()

    def show_missing(self, missing: Sequence[Suggestion]) -> None:
        """Mark pairs whose contact is missing."""
        self.missing = missing
        self._wanted = {one.pair: one for one in missing}
        if self.rows and self.columns:
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1)
            )

    def suggestion(self, index: Index) -> Suggestion | None:
        """Give the contact that a cell lacks; none where it has one, or needs none."""
        cell = self.cell(index)
        ends = (cell.surface, cell.other)
        return self._wanted.get(frozenset((*ends, "") if not isinstance(cell.other, str) else ends))

    def show_project(self, project: Project, against: str, words_: str) -> None:
        """Show the pairs whose names hold some words."""
        wanted = words_.casefold()
        rows = surfaces(project)
        columns = planes(project) if against == "planes" else list(rows)
        pairs = contacts_by_pair(project)
        if wanted:
            of_rows = [h for h in rows if wanted in f"{h.name} {h.group}".casefold()]
            of_columns = [h for h in columns if wanted in f"{h.name} {h.group}".casefold()]
            # a name of a column alone shows that column with all surfaces
            rows, columns = of_rows or rows, of_columns if not of_rows else columns
        keep = rows == self.rows and columns == self.columns
        if not keep:
            self.beginResetModel()
        self.project, self.found = project, pairs
        self.rows, self.columns = rows, columns
        self.laws = [law.id for law in project.contact_laws if not isinstance(law, StrapLaw)]
        self.law_names = {law.id: name_of(law) for law in project.contact_laws}
        if keep:
            corner = self.index(len(rows) - 1, len(columns) - 1)
            self.dataChanged.emit(self.index(0, 0), corner)
        else:
            self.endResetModel()

    @guard
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the surfaces."""
        return 0 if parent.isValid() else len(self.rows)

    @guard
    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count the planes or surfaces."""
        return 0 if parent.isValid() else len(self.columns)

    @guard
    def headerData(self, section: int, way: Qt.Orientation, role: int = 0) -> Any:
        """Name rows and columns."""
        heads = self.columns if way == Qt.Orientation.Horizontal else self.rows
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return heads[section].name
        return None

    def cell(self, index: Index) -> Cell:
        """Give the pair of a cell."""
        row, column = self.rows[index.row()], self.columns[index.column()]
        assert isinstance(row.side, SurfaceRef)
        return Cell(row.side, column.side)

    def contacts(self, index: Index) -> list[Any]:
        """Give the contacts of a cell."""
        cell = self.cell(index)
        return list(self.found.get((cell.surface, cell.other), ()))

    @guard
    def data(self, index: Index, role: int = 0) -> Any:
        """Write the number of the law in its colour; the tip says it in words."""
        there = self.contacts(index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignCenter)
        if role == Qt.ItemDataRole.BackgroundRole:
            if there:
                return self.colour(there[0].law)
            if self.suggestion(index) is not None:
                return QBrush(QColor(self.theme.accent), Qt.BrushStyle.Dense6Pattern)
            if why_not(self.project, self.cell(index)):
                return QColor(self.theme.line)
        if role == Qt.ItemDataRole.ForegroundRole and there:
            # what reads better on the law's colour
            bright = self.colour(there[0].law).lightnessF() > _BRIGHT
            return QColor("#1a1a1a" if bright else "#ffffff")
        if role == Qt.ItemDataRole.DisplayRole and not there:
            return "+" if self.suggestion(index) is not None else None
        if role == Qt.ItemDataRole.DisplayRole:
            return str(self.number(there[0].law)) + ("+" if len(there) > 1 else "")
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            pair = f"{self.rows[index.row()].name} – {self.columns[index.column()].name}"
            lacking = None if there else self.suggestion(index)
            if lacking is not None:
                return tr(
                    "{pair}: a contact is missing, as {why}. Click to add it, by {law}.",
                    pair=pair,
                    why=lacking.why,
                    law=self.law_names.get(lacking.contact.law, lacking.contact.law),
                )
            if not there:
                reason = why_not(self.project, self.cell(index))
                return f"{pair}: {reason or tr('may not touch. Click to allow it.')}"
            named = ", ".join(self.law_names.get(one.law, one.law) for one in there)
            return f"{pair}: {named}"
        return None

    def number(self, law: str) -> int:
        """Give the number of a law among those of surfaces, from 1."""
        return self.laws.index(law) + 1 if law in self.laws else 0

    def colour(self, law: str) -> QColor:
        """Give a law's colour."""
        return QColor(LINES[(self.number(law) - 1) % len(LINES)])
