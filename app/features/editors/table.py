"""The points of a curve as a table: typed in any unit, copied, pasted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QTableView, QWidget

from app.curves.points import Points, in_order, without
from app.forms.units import Units
from app.guard import guard
from app.widgets.own_keys import OwnKeys
from solver.base.units import UnitError
from solver.base.words import tr

_NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class PointsModel(QAbstractTableModel):
    """Show points (SI) in chosen units; the last, empty row takes a new point."""

    typed = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.x: tuple[float, ...] = ()
        self.y: tuple[float, ...] = ()
        self.si = ("1", "1")
        self.units = Units()
        self.locked = False
        self._half: dict[int, float] = {}
        """What has been typed into the last row so far, by column."""

    def show_points(self, points: Points, si: tuple[str, str], units: Units, locked: bool) -> None:
        """Show other points."""
        same = len(points[0]) == len(self.x) and si == self.si and locked == self.locked
        if same and units is self.units:
            self.x, self.y = points
            if not self.x:
                return
            last = self.index(len(self.x) - 1, 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        (self.x, self.y), self.si, self.units, self.locked = points, si, units, locked
        self._half = {}
        self.endResetModel()

    @guard
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the points, and the row for a new one."""
        return 0 if parent.isValid() else len(self.x) + (0 if self.locked else 1)

    @guard
    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count argument and value."""
        return 0 if parent.isValid() else 2

    @guard
    def headerData(self, section: int, way: Qt.Orientation, role: int = 0) -> Any:
        """Name columns by their units, rows by numbers."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if way == Qt.Orientation.Vertical:
            return str(section + 1) if section < len(self.x) else "+"
        return self.units.name(self.si[section]) or (tr("argument"), tr("value"))[section]

    @guard
    def data(self, index: Index, role: int = 0) -> Any:
        """A number, with all digits for typing."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return None
        if row >= len(self.x):
            if column not in self._half:
                return None
            value = self._half[column]
        else:
            value = (self.x, self.y)[column][row]
        write = self.units.short if role == Qt.ItemDataRole.DisplayRole else self.units.full
        return write(value, self.si[column])

    @guard
    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let everything be typed over, unless a file holds it."""
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        return flags if self.locked else flags | Qt.ItemFlag.ItemIsEditable

    @guard
    def setData(self, index: Index, text: Any, role: int = 0) -> bool:
        """Read a number or an expression, and tell the points that follow."""
        row, column = index.row(), index.column()
        if not str(text).strip() or str(text) == self.data(index, Qt.ItemDataRole.EditRole):
            return False
        try:
            value = self.units.read(str(text), self.si[column])
        except UnitError as failure:
            self.refused.emit(str(failure))
            return False
        x, y = list(self.x), list(self.y)
        if row < len(x):
            (x, y)[column][row] = value
        else:
            self._half[column] = value
            if len(self._half) < 2:
                self.dataChanged.emit(index, index)
                return True
            x.append(self._half.pop(0))
            y.append(self._half.pop(1))
        self.typed.emit(in_order(x, y))
        return True


class PointsTable(OwnKeys, QTableView):
    """Show the table; Ctrl+C copies, Ctrl+V pastes, Del takes rows away."""

    own_keys = ("Ctrl+C", "Ctrl+V", "Del")
    pasted = Signal(str, int, int)

    def __init__(self, commit: Callable[[Points], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.points = PointsModel(self)
        self.setModel(self.points)
        self.points.typed.connect(commit)
        self._commit = commit
        self.setAccessibleName(tr("Points"))
        self.setShowGrid(False)
        self.setAlternatingRowColors(False)
        self.setTabKeyNavigation(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setDefaultSectionSize(24)
        self.setMinimumWidth(190)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().setHighlightSections(False)

    def rows(self) -> list[int]:
        """The points whose cells are selected."""
        found = {i.row() for i in self.selectedIndexes() if i.row() < len(self.points.x)}
        return sorted(found)

    def copied(self) -> str:
        """Write the selected points, or all, for a spreadsheet: in shown units, with all digits."""
        model = self.points
        chosen = self.rows()
        chosen = chosen if len(chosen) > 1 else list(range(len(model.x)))
        lines = [
            "\t".join(
                model.units.full(one[i], model.si[k]) for k, one in enumerate((model.x, model.y))
            )
            for i in chosen
        ]
        return "\n".join(lines)

    def delete_rows(self) -> None:
        """Take the selected points away."""
        gone = self.rows()
        if gone and not self.points.locked:
            self._commit(without(self.points.x, self.points.y, gone))

    @guard
    def focusNextPrevChild(self, ahead: bool) -> bool:
        """Let Tab go from cell to cell, and out at the last; Shift+Tab out at the first."""
        model, here = self.model(), self.currentIndex()
        last = model.index(model.rowCount() - 1, model.columnCount() - 1)
        is_end = not here.isValid() or here == (last if ahead else model.index(0, 0))
        self.setTabKeyNavigation(not is_end)
        taken = super().focusNextPrevChild(ahead)
        self.setTabKeyNavigation(True)
        return taken

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, paste, delete."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QApplication.clipboard().setText(self.copied())
        elif event.matches(QKeySequence.StandardKey.Paste):
            at = self.currentIndex()
            row = at.row() if at.isValid() else len(self.points.x)
            self.pasted.emit(QApplication.clipboard().text(), row, max(at.column(), 0))
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_rows()
        else:
            super().keyPressEvent(event)
