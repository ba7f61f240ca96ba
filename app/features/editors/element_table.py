"""All elements of a list as rows, their numbers as columns: typed, copied to a spreadsheet, pasted from one."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView, QVBoxLayout, QWidget

from app.editing.cells import NAME, Column, cell, columns_of, written
from app.editing.naming import counted
from app.elements import element_label
from app.features.editors.bar import Bar, button
from app.fonts import wide
from app.forms.choices import Choice
from app.forms.form_commands import FormCommands
from app.guard import guard
from app.look import Theme
from app.widgets.own_keys import OwnKeys
from solver.base.words import tr
from solver.project import LISTS, Project

_NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class ElementModel(QAbstractTableModel):
    """Show the numbers of elements in shown units; what is typed is handed on as text."""

    typed = Signal(int, int, str)

    def __init__(self, commands: FormCommands, parent: QWidget) -> None:
        super().__init__(parent)
        self.commands = commands
        self.elements: tuple[str, ...] = ()
        self.columns: tuple[Column, ...] = ()

    def show_list(self, elements: tuple[str, ...], columns: tuple[Column, ...]) -> None:
        """Show other elements, or the present version of the same."""
        if (elements, columns) == (self.elements, self.columns):
            last = self.index(len(elements) - 1, len(columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.elements, self.columns = elements, columns
        self.endResetModel()

    @guard
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the elements."""
        return 0 if parent.isValid() else len(self.elements)

    @guard
    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count their numbers."""
        return 0 if parent.isValid() else len(self.columns)

    @guard
    def headerData(self, section: int, way: Qt.Orientation, role: int = 0) -> Any:
        """Name columns by field and unit, rows by the elements."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if way == Qt.Orientation.Vertical:
            return element_label(self.commands.project, self.elements[section])
        return self.heading(self.columns[section])

    def heading(self, column: Column) -> str:
        """What stands above a column: 'Mass (kg)'."""
        unit = self.commands.units.name(column.unit) if column.unit else ""
        return f"{column.title} ({unit})" if unit else column.title

    def text(self, row: int, column: int, digits: bool) -> str:
        """What a cell says, with all digits or with few."""
        value, one = cell(self.commands.project, self.elements[row], self.columns[column]), self.columns[column]  # fmt: skip
        if value is None or isinstance(value, str):
            return value or ""
        write = self.commands.units.full if digits else self.commands.units.short
        return write(value, one.unit)

    @guard
    def data(self, index: Index, role: int = 0) -> Any:
        """A number, with all digits for typing."""
        if role == Qt.ItemDataRole.TextAlignmentRole and self.columns[index.column()].path != NAME:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return None
        return self.text(index.row(), index.column(), role == Qt.ItemDataRole.EditRole)

    @guard
    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let be typed over what an element has."""
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        column = self.columns[index.column()]
        there = cell(self.commands.project, self.elements[index.row()], column)
        return flags if there is None else flags | Qt.ItemFlag.ItemIsEditable

    @guard
    def setData(self, index: Index, text: Any, role: int = 0) -> bool:
        """Hand on what was typed."""
        if str(text) == self.text(index.row(), index.column(), True):
            return False
        self.typed.emit(index.row(), index.column(), str(text))
        return True


class Cells(OwnKeys, QTableView):
    """Show the table; Ctrl+C copies, Ctrl+V pastes."""

    own_keys = ("Ctrl+C", "Ctrl+V", "Ctrl+A")
    copied = Signal()
    pasted = Signal()

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy and paste."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit()
        else:
            super().keyPressEvent(event)


class ElementTable(QWidget):
    """Choose a list, and change the numbers of its elements, one step for each paste."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.commands, self.path = commands, ""
        self.list = Choice()
        self.list.setAccessibleName(tr("List of elements"))
        self.list.setToolTip(tr("Which elements are shown as rows"))
        self.list.setMinimumContentsLength(18)
        self.list.activated.connect(lambda _: self.refresh())
        self.copy = button(tr("Copy"), tr("Copy the selected cells with their headings, for a spreadsheet (Ctrl+C)"), self.copy_cells)  # fmt: skip
        self.paste = button(tr("Paste"), tr("Paste cells of a spreadsheet from the current one on (Ctrl+V)"), self.paste_cells)  # fmt: skip
        self.bar = Bar(self.list, self.copy, self.paste)
        self.bar.heading.setText(tr("Table of elements"))
        self.table = Cells()
        self.model = ElementModel(commands, self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("Table of elements"))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        self.table.verticalHeader().setDefaultSectionSize(24)
        self.model.typed.connect(self._on_typed)
        self.table.copied.connect(self.copy_cells)
        self.table.pasted.connect(self.paste_cells)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.table, 1)

    @property
    def list_name(self) -> str:
        """The list whose elements are shown."""
        return str(self.list.currentData() or "")

    def show_element(self, path: str) -> None:
        """Show the list of what is selected."""
        self.path = path
        self.bar.say("")
        self._offer()
        there = self.list.findData(path.partition("/")[0])
        if there >= 0:
            self.list.setCurrentIndex(there)
        self.refresh()

    def refresh(self) -> None:
        """Show the present version."""
        self._offer()
        project, name = self.commands.project, self.list_name
        columns = columns_of(project, name) if name else ()
        before = self.model.columns
        self.model.show_list(_elements(project, name), columns)
        if columns != before:
            self.table.resizeColumnsToContents()
            self.table.setColumnWidth(0, max(self.table.columnWidth(0), wide(140)))

    def set_theme(self, theme: Theme) -> None:
        """Nothing here is drawn in colours of its own."""

    def _offer(self) -> None:
        project, before = self.commands.project, self.list_name
        there = [name for name in LISTS if getattr(project, name)]
        if there != [self.list.itemData(n) for n in range(self.list.count())]:
            self.list.clear()
            for name in there:
                self.list.addItem(tr(str(Project.model_fields[name].title)), name)
            self.list.setCurrentIndex(max(0, self.list.findData(before)))

    def copy_cells(self) -> None:
        """Put the selected cells, or all, on the clipboard as text with tabs, names and headings beside them."""
        model, chosen = self.model, self.table.selectedIndexes()
        rows = sorted({i.row() for i in chosen}) or list(range(len(model.elements)))
        columns = sorted({i.column() for i in chosen}) or list(range(len(model.columns)))
        if len(chosen) == 1:
            QApplication.clipboard().setText(model.text(rows[0], columns[0], True))
            return
        lines = ["\t".join(model.heading(model.columns[c]) for c in columns)]
        lines += ["\t".join(model.text(r, c, True) for c in columns) for r in rows]
        QApplication.clipboard().setText("\n".join(lines))
        self.bar.say(tr("Copied {rows} rows with their headings.", rows=len(rows)))

    def paste_cells(self) -> None:
        """Write the clipboard's cells over the table, from the current cell on; a row of headings is left out."""
        text = QApplication.clipboard().text()
        rows = [line.split("\t") for line in text.replace("\r\n", "\n").rstrip("\n").split("\n")]
        at, model = self.table.currentIndex(), self.model
        row, column = (at.row(), at.column()) if at.isValid() else (0, 0)
        titles = {model.heading(one) for one in model.columns}
        if rows and all(one.strip() in titles for one in rows[0]):
            rows = rows[1:]
        self._write(row, column, rows)

    def _on_typed(self, row: int, column: int, text: str) -> None:
        self._write(row, column, [[text]])

    def _write(self, row: int, column: int, rows: list[list[str]]) -> None:
        model, document = self.model, self.commands.document
        done = written(
            document.project,
            model.elements[row:],
            model.columns[column:],
            rows,
            self.commands.units.read,
            self.commands.units.full,
        )
        if done.count:
            what = counted(list(model.elements[row : row + len(rows)]))
            document.replace(done.project, tr("Change {count} numbers of {what}", count=done.count, what=what))  # fmt: skip
        said = tr("{count} cells changed.", count=done.count)
        self.bar.say(" ".join((said, *done.refused)) if done.refused or len(rows) > 1 else "")
        self.bar.hint.setToolTip("\n".join(done.refused))


def _elements(project: Project, list_name: str) -> tuple[str, ...]:
    items = getattr(project, list_name) if list_name else ()
    return tuple(f"{list_name}/{item.id}" for item in items)
