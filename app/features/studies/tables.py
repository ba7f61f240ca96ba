"""All runs as a table, what is known of each response, and the matrix of signs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QMenu,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.features.studies.going import StudyTable
from app.features.studies.view import Columns, View, best, keeps_limits
from app.fonts import wide
from app.guard import guard
from app.with_properties import with_properties
from solver.base.words import msgid, tr

_STATES = (msgid("waiting"), msgid("done"), msgid("partly"), msgid("failed"))
"""What is said of a run, by the number that the table holds."""
_WARNED = msgid("done, with a warning")
_FAILED = 3
_Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class _Runs(QAbstractTableModel):
    """The table's cells as they are asked for."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.columns: Columns | None = None
        self.order = np.zeros(0, int)
        self.good = np.zeros(0, bool)
        self.best: frozenset[int] = frozenset()
        self.colours = ("", "", "")
        self._by, self._down = -1, False

    def show(self, columns: Columns, colours: tuple[str, str, str]) -> None:
        """Show another table."""
        self.beginResetModel()
        self.columns, self.colours = columns, colours
        self.good, self.best = keeps_limits(columns.seen), frozenset(best(columns.seen))
        self._sort()
        self.endResetModel()

    @guard
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order runs by a column; those without a number come last."""
        self.beginResetModel()
        self._by, self._down = column - 1, order == Qt.SortOrder.DescendingOrder
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        columns = self.columns
        if columns is None:
            return
        self.order = np.arange(len(columns.values))
        if 0 <= self._by < len(columns.names):
            value = columns.values[:, self._by]
            self.order = np.argsort(-value if self._down else value, kind="stable")
        elif self._down:
            self.order = self.order[::-1]

    @guard
    def rowCount(self, parent: _Index = _NONE) -> int:
        """Count the runs."""
        return 0 if parent.isValid() else len(self.order)

    @guard
    def columnCount(self, parent: _Index = _NONE) -> int:
        """Count the columns: the number of the run before, its state behind all."""
        return 0 if parent.isValid() or self.columns is None else len(self.columns.names) + 2

    @guard
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Name the columns."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if self.columns is None or section == 0:
            return tr("Run")
        n = section - 1
        return self.columns.title(n) if n < len(self.columns.names) else tr("State")

    @guard
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell."""
        columns = self.columns
        if columns is None or not index.isValid():
            return None
        run, n = int(self.order[index.row()]), index.column() - 1
        state = int(columns.seen.status[run])
        if role == Qt.ItemDataRole.DisplayRole:
            if n < 0:
                return str(run)
            if n < len(columns.names):
                return columns.written(columns.values[run, n], n)
            return tr(_WARNED if state == 1 and self._message(run) else _STATES[state])
        if role == Qt.ItemDataRole.ForegroundRole:
            good, bad, muted = self.colours
            if state == _FAILED:
                return QBrush(QColor(bad))
            if run in self.best:
                return QBrush(QColor(good))
            return None if self.good[run] else QBrush(QColor(muted))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._message(run) or None
        if role == Qt.ItemDataRole.TextAlignmentRole and n < len(columns.names):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _message(self, run: int) -> str:
        """Give why a run failed, or what it warns of."""
        result = None if self.columns is None else self.columns.seen.result
        return "" if result is None else result.rows.messages[run]


class RunTable(View):
    """List all runs; a double click shows one in the scene."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = _Runs(self)
        self.table = with_properties(QTableView(), sortingEnabled=True, showGrid=False)
        self.table.setModel(self.model)
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.setAccessibleName(tr("Runs of the study"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._offer)
        self.table.verticalHeader().hide()
        self.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.table.doubleClicked.connect(lambda i: self.run_asked.emit(int(self.model.order[i.row()])))  # fmt: skip
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)

    def draw(self) -> None:
        """Show the rows."""
        if self.seen is not None:
            t = self.theme
            self.model.show(Columns(self.seen, self.units), (t.good, t.error, t.muted))

    def current(self) -> int:
        """The run of the selected row; -1 for none."""
        return next(iter(self.selected()), -1)

    def selected(self) -> list[int]:
        """The runs of all selected rows."""
        rows = self.table.selectionModel().selectedRows()
        return [int(self.model.order[one.row()]) for one in rows]

    def _offer(self, at: QPoint) -> None:
        """Offer what can be done with the selected runs."""
        runs = self.selected()
        if not runs:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("See this run"), lambda: self.run_asked.emit(runs[0]))
        pages = menu.addAction(
            tr("A page of curves for each"), lambda: self.several_asked.emit(runs)
        )
        pages.setEnabled(len(runs) > 1)
        pair = menu.addAction(tr("Both side by side"), lambda: self.pair_asked.emit(runs))
        pair.setEnabled(len(runs) == 2)
        menu.popup(self.table.viewport().mapToGlobal(at))


class Figures(View):
    """Say of each response what the study has found out, in words and numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.words.setContentsMargins(8, 4, 8, 2)
        self.table = plain_table(tr("What is known of each response"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.words)
        layout.addWidget(self.table, 1)

    @staticmethod
    def suits(seen: StudyTable) -> bool:
        """Whether the answers are there."""
        return seen.result is not None and "responses" in seen.result.answers

    def draw(self) -> None:
        """Write the table."""
        seen = self.seen
        if seen is None or seen.result is None:
            return
        answers, columns = seen.result.answers, Columns(seen, self.units)
        self.words.setText(_outcome_text(seen, answers))
        heads = [
            tr("Response"), tr("Mean"), tr("Spread"), tr("Least"), tr("5 %"), tr("Middle"), tr("95 %"), tr("Largest"),
            tr("Limit kept"),
        ]  # fmt: skip
        rows = []
        for k, name in enumerate(seen.layout.responses):
            about, n = answers["responses"][name], columns.parameters + k
            rows.append(
                [columns.title(n), *_numbers(about, columns, n), _limit_text(about.get("limit"))]
            )
        fill_table(self.table, heads, rows)
        share_width(self.table, (0,), wide(60))


class Signs(View):
    """Show the matrix of signs of a sensitivity; a click shows both ends of a number side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = plain_table(tr("Which number moves what, and which way"))
        self.table.cellClicked.connect(self._on_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self._runs: dict[tuple[int, int], list[int]] = {}

    @staticmethod
    def suits(seen: StudyTable) -> bool:
        """Whether there are signs."""
        return seen.result is not None and "sensitivity" in seen.result.answers

    def draw(self) -> None:
        """Write the matrix: parameters below each other, responses beside each other."""
        seen = self.seen
        if seen is None or seen.result is None:
            return
        found = seen.result.answers["sensitivity"]
        columns, self._runs = Columns(seen, self.units), {}
        names, asked = seen.layout.parameters, seen.layout.responses
        rows = [[columns.title(k)] for k in range(len(names))]
        fill_table(self.table, [tr("Parameter"), *seen.titles[len(names) :]], rows)
        share_width(self.table, range(len(asked) + 1), wide(110))
        for i, name in enumerate(names):
            for j, response in enumerate(asked):
                cell, item = found[response][name], QTableWidgetItem(found[response][name]["mark"])
                self.table.setItem(i, j + 1, item)
                runs = cell["runs"]
                self._runs[i, j] = runs[2:4] if len(runs) == 4 else runs[:2]
                item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                item.setBackground(QBrush(self._tone(cell["mark"])))
                item.setToolTip(self._tip(cell, columns, columns.parameters + j))

    def _tone(self, mark: str) -> QColor:
        """Colour rises and falls, the stronger the deeper; both with their signs, so that nobody needs the colour."""
        tone = QColor(self.theme.error if mark.startswith("+") else self.theme.accent)
        tone.setAlpha({"++": 110, "--": 110, "+": 45, "-": 45, "+-": 70}.get(mark, 0))
        return tone

    def _tip(self, cell: Mapping[str, Any], columns: Columns, n: int) -> str:
        if cell["change"] is None:
            return tr("Runs are missing here.")
        change = float(columns.in_units(cell["change"], n) - columns.in_units(0.0, n))
        words = tr("{change:+.4g} {unit} over the whole range.", change=change, unit=columns.units.name(columns.si[n]))  # fmt: skip
        if cell["elasticity"] is not None:
            words += " " + tr("1 % more of it gives {part:+.3g} %.", part=cell["elasticity"])
        return words + "\n" + tr("Click: both ends side by side.")

    def _on_clicked(self, row: int, column: int) -> None:
        runs = self._runs.get((row, column - 1), [])
        if len(runs) == 2:
            self.pair_asked.emit([int(n) for n in runs])


def plain_table(name: str) -> QTableWidget:
    """An empty table that is only looked at."""
    table = with_properties(QTableWidget(), showGrid=False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setAccessibleName(name)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.verticalHeader().hide()
    head = table.horizontalHeader()
    head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    head.setTextElideMode(Qt.TextElideMode.ElideRight)
    return table


def share_width(table: QTableWidget, columns: Iterable[int], least_px: int) -> None:
    """Let columns share the room that others leave; long words are cut, and their tip says them whole."""
    table.horizontalHeader().setMinimumSectionSize(least_px)
    for n in columns:
        table.horizontalHeader().setSectionResizeMode(n, QHeaderView.ResizeMode.Stretch)
        head = table.horizontalHeaderItem(n)
        if head is not None:
            head.setToolTip(head.text())
    for row in range(table.rowCount()):
        cell = table.item(row, 0)
        if cell is not None:
            cell.setToolTip(cell.text())


def fill_table(table: QTableWidget, heads: list[str], rows: list[list[str]]) -> None:
    """Write a table again."""
    table.clear()
    table.setColumnCount(len(heads))
    table.setRowCount(len(rows))
    table.setHorizontalHeaderLabels(heads)
    for i, row in enumerate(rows):
        for j, words in enumerate(row):
            table.setItem(i, j, QTableWidgetItem(words))


def _outcome_text(seen: StudyTable, answers: Mapping[str, Any]) -> str:
    """Say in a sentence or two what came of the study."""
    out = [
        tr("{done} of {runs} runs have come back, {failed} of them failed; {kept} keep all limits.",
           done=answers["done"], runs=answers["runs"], failed=answers["failed"], kept=answers["kept"])
    ]  # fmt: skip
    runs = best(seen)
    if len(runs) == 1:
        out.append(tr("Run {run} serves the goal best.", run=runs[0]))
    elif runs:
        out.append(tr("{count} runs make the front between the goals.", count=len(runs)))
    return " ".join(out)


def _numbers(about: Mapping[str, Any], columns: Columns, n: int) -> list[str]:
    if "mean" not in about:
        return ["–"] * 7
    zero = float(columns.in_units(0.0, n))
    mean = columns.written(about["mean"], n)
    if "mean_interval" in about:
        half = float(columns.in_units(0.5 * float(np.diff(about["mean_interval"])[0]), n)) - zero
        mean = f"{mean} ± {half:.2g}"
    spread = float(columns.in_units(about["deviation"], n)) - zero
    middle = about["percentiles"]
    return [
        mean, f"{spread:.3g}", columns.written(about["least"], n),
        *(columns.written(middle[p], n) for p in ("5", "50", "95")), columns.written(about["largest"], n),
    ]  # fmt: skip


def _limit_text(limit: Mapping[str, Any] | None) -> str:
    """Write how often a limit is kept, with its interval."""
    if limit is None or "probability" not in limit:
        return ""
    words = f"{100.0 * limit['probability']:.1f} %"
    if "interval" in limit:
        low, high = (100.0 * x for x in limit["interval"])
        words += " " + tr("({low:.1f} to {high:.1f} %)", low=low, high=high)
    return words
