"""List the runs: what they are called, how they ended, their main figures, what they took."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStackedLayout,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.features.runs.run_rows import RunRow, heads, main_figures, widths
from app.fonts import Shortened, wide
from app.guard import guard
from app.look import LIGHT, Theme
from app.run_view.record import RunRecord
from app.run_view.run_view import RunView
from app.widgets.items import edit_in_place
from app.widgets.own_keys import OwnKeys
from app.with_properties import with_properties
from solver.base.words import plural, tr


class RunTree(OwnKeys, QTreeWidget):
    """List runs; F2 renames and Del deletes them, not the selected elements of the model."""

    own_keys = ("Del", "F2")
    delete_asked = Signal()

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Rename and delete runs."""
        if event.key() == Qt.Key.Key_Delete:
            self.delete_asked.emit()
        elif event.key() == Qt.Key.Key_F2 and (item := self.currentItem()) is not None:
            edit_in_place(self, item, 0)
        else:
            super().keyPressEvent(event)


class RunsPanel(QWidget):
    """Show every run; a click shows it in the scene, a double click renames it."""

    beside_asked = Signal(object)
    """Another run shall be seen in a view of its own; None: no longer."""
    restore_asked = Signal(object)
    report_asked = Signal(object)
    save_asked = Signal(object)
    delete_asked = Signal(object)

    def __init__(self, run_view: RunView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.run_view, self._theme = run_view, LIGHT
        self.figures: list[str] = []
        """The injury figures that have columns of their own."""
        self._items: dict[RunRecord, RunRow] = {}
        self._beside: RunRecord | None = None
        self.tree = with_properties(
            RunTree(), rootIsDecorated=False, uniformRowHeights=True, sortingEnabled=True
        )
        self.tree.setAccessibleName(tr("Runs"))
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.tree.currentItemChanged.connect(lambda item, _: self._on_chosen(item))
        self.tree.itemChanged.connect(self._on_edited)
        self.tree.itemSelectionChanged.connect(self._show_choice)
        self.tree.delete_asked.connect(lambda: self.delete_asked.emit(self._selected()))
        self.compare = with_properties(
            QToolButton(),
            text=tr("Compare"),
            toolTip=tr("Set the chosen runs beside each other: scene, curves, figures, models"),
        )
        self.compare.clicked.connect(self.compare_chosen)
        self.report = with_properties(
            QToolButton(),
            text=tr(texts.words.REPORT),
            toolTip=tr("Write a report of the chosen run, or of two side by side"),
        )
        self.report.clicked.connect(lambda: self.report_asked.emit(self.to_compare()))
        self.beside = with_properties(
            QToolButton(),
            text=tr("Side by side"),
            toolTip=tr("See two runs in two views, at the same instants and from the same place"),
            checkable=True,
        )
        self.beside.clicked.connect(self._ask_beside)
        self.choice = Shortened()
        self._lay_out()
        self._show_heads()
        self._sort_as_made()
        runs, document = run_view.runs, run_view.document
        runs.listed.connect(self.refresh)
        runs.changed.connect(self._write)
        runs.shown.connect(self._mark)
        runs.ended.connect(lambda _: self.refresh())
        document.opened.connect(self.refresh)
        document.changed.connect(lambda _: self._write_all() if self.isVisible() else None)
        self._show_choice()

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 6, 8, 2)
        bar.setSpacing(8)
        for widget in (self.compare, self.beside, self.report):
            bar.addWidget(widget)
        bar.addWidget(self.choice, 1)
        empty = with_properties(
            QLabel(tr("No runs yet. Press F5 to run the model.")), objectName="muted"
        )
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        holder, listed = QWidget(), QWidget()
        inner = QVBoxLayout(listed)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(2)
        inner.addLayout(bar)
        inner.addWidget(self.tree, 1)
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(empty)
        self._stack.addWidget(listed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 0, 0, 0)
        layout.addWidget(holder)

    def chosen(self) -> list[RunRecord]:
        """The runs that are chosen and have ended, in the order in which they were made."""
        return [record for record in self._selected() if record.has_ended]

    def to_compare(self) -> list[RunRecord]:
        """The chosen runs; where one alone is chosen, that and the one before it."""
        chosen = self.chosen()
        if len(chosen) != 1:
            return chosen
        ended = [record for record in self.run_view.runs.records if record.has_ended]
        place = ended.index(chosen[0])
        return ended[max(0, place - 1) : place + 1]

    def compare_chosen(self) -> None:
        """Set the chosen runs beside each other."""
        records = self.to_compare()
        if len(records) > 1:
            self.run_view.compare(records)

    def show_beside(self, record: RunRecord | None) -> None:
        """Show which run is seen in a view of its own."""
        self._beside = record
        self._show_choice()

    def _ask_beside(self) -> None:
        """Ask for the chosen runs side by side, or for one view again."""
        if self._beside is not None:
            self.beside_asked.emit(None)
            return
        records = self.to_compare()
        if len(records) == 2:
            first, last = records
            self.run_view.runs.show(last)
            self.beside_asked.emit(first)
        self._show_choice()

    def set_theme(self, theme: Theme) -> None:
        """Colour the words again."""
        self._theme = theme
        self._write_all()

    @guard
    def showEvent(self, event: QShowEvent) -> None:
        """Say which runs belong to an older model, which is not followed while nobody looks."""
        self._write_all()
        super().showEvent(event)

    def refresh(self) -> None:
        """List all runs again; those that stay keep their rows, and whether they are chosen."""
        records = self.run_view.runs.records
        before = self.tree.blockSignals(True)
        figures = main_figures(records)
        moves = figures != self.figures and self.tree.sortColumn() >= len(texts.words.RUN_FIRST)
        if figures != self.figures:
            self.figures = figures
            self._show_heads()
        for record in [one for one in self._items if one not in records]:
            item = self._items.pop(record)
            self.tree.takeTopLevelItem(self.tree.indexOfTopLevelItem(item))
        for record in records:
            if record not in self._items:
                self._items[record] = RunRow(self.tree, record)
        self.tree.blockSignals(before)
        self._write_all()
        if moves:
            # the column that it was sorted by has another place
            self._sort_as_made()
        self._stack.setCurrentIndex(1 if self._items else 0)
        self._mark(self.run_view.runs.current)

    def record_of(self, item: QTreeWidgetItem | None) -> RunRecord | None:
        """The run of a row."""
        return item.record if isinstance(item, RunRow) else None

    def row_of(self, record: RunRecord) -> RunRow:
        """The row of a run."""
        return self._items[record]

    @property
    def _note(self) -> int:
        return self.tree.columnCount() - 1

    def _show_heads(self) -> None:
        words = heads(self.figures, self.run_view.runs.records)
        self.tree.setColumnCount(len(words))
        self.tree.setHeaderLabels(words)
        for column, width in enumerate(widths(self.figures)):
            self.tree.setColumnWidth(column, wide(width))

    def _sort_as_made(self) -> None:
        self.tree.sortByColumn(self._note - 1, Qt.SortOrder.AscendingOrder)

    def _selected(self) -> list[RunRecord]:
        chosen = {self.record_of(item) for item in self.tree.selectedItems()}
        return [record for record in self.run_view.runs.records if record in chosen]

    def _write_all(self) -> None:
        for record in self._items:
            self._write(record)

    def _write(self, record: RunRecord) -> None:
        item = self._items.get(record)
        if item is None:
            return
        before = self.tree.blockSignals(True)
        item.show_run(self.figures, self.run_view.is_outdated(record), self._theme)
        self.tree.blockSignals(before)

    def _mark(self, record: RunRecord | None) -> None:
        """Make the shown run the current row; where it is chosen with others, they stay so."""
        before = self.tree.blockSignals(True)
        item = self._items.get(record) if record is not None else None
        if self.tree.currentItem() is not item:
            if item is None:
                self.tree.setCurrentIndex(QModelIndex())
            else:
                self.tree.setCurrentItem(item)
        self.tree.blockSignals(before)
        self._show_choice()

    def _show_choice(self) -> None:
        records = self.to_compare()
        self.compare.setEnabled(len(records) > 1)
        self.beside.setChecked(self._beside is not None)
        self.beside.setEnabled(self._beside is not None or len(records) == 2)
        self.report.setEnabled(1 <= len(records) <= 2)
        names = [record.name for record in records]
        self.choice.say(
            tr(texts.words.COMPARED, first=names[0], others=", ".join(names[1:]))
            if len(names) > 1
            else tr("Choose several runs with Ctrl or Shift to compare them.")
        )

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        record = self.record_of(item)
        if record is not None:
            self.run_view.runs.show(record)
            self.run_view.switch(True)

    def _on_edited(self, item: QTreeWidgetItem, column: int) -> None:
        record = self.record_of(item)
        if record is None:
            return
        if column == 0 and item.text(0) != record.name:
            self.run_view.runs.rename(record, item.text(0))
        elif column == self._note and item.text(column) != record.note:
            self.run_view.runs.note(record, item.text(column))
        else:
            self._write(record)

    def _menu(self, at: QPoint) -> None:
        record = self.record_of(self.tree.itemAt(at))
        if record is not None:
            self.menu_of(record).popup(self.tree.viewport().mapToGlobal(at))

    def menu_of(self, record: RunRecord) -> QMenu:
        """Offer what can be done with a run, and with those that are chosen with it."""
        menu, runs = QMenu(self), self.run_view.runs
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        item, chosen = self._items[record], self._selected()
        if record.is_running or record.is_waiting:
            menu.addAction(tr("Cancel this run"), lambda: runs.cancel(record))
        menu.addAction(tr("Rename"), lambda: edit_in_place(self.tree, item, 0))
        menu.addAction(tr("Write a note"), lambda: edit_in_place(self.tree, item, self._note))
        menu.addAction(tr("Save results as…"), lambda: self.save_asked.emit(record)).setEnabled(
            not record.is_running and record.trajectory is not None
        )
        is_ghost = record is self.run_view.ghost
        beside = menu.addAction(
            tr("Draw no longer over the current run")
            if is_ghost
            else tr("Draw faintly over the current run"),
            lambda: self.run_view.set_ghost(None if is_ghost else record),
        )
        beside.setEnabled(is_ghost or (record is not runs.current and not record.is_running))
        is_beside = record is self._beside
        own_view = menu.addAction(
            tr("Close the view of this run")
            if is_beside
            else tr("Show beside the current run, in a view of its own"),
            lambda: self.beside_asked.emit(None if is_beside else record),
        )
        own_view.setEnabled(is_beside or (record is not runs.current and record.has_ended))
        menu.addAction(
            tr("Take the model back from this run"), lambda: self.restore_asked.emit(record)
        )
        menu.addSeparator()
        gone = chosen if record in chosen else [record]
        words = tr("Delete") if record.file is None else tr("Take from the list; the file stays")
        if len(gone) > 1:
            words = plural("Delete {n} run", "Delete {n} runs", len(gone))
        menu.addAction(words, lambda: self.delete_asked.emit(gone))
        return menu
