"""List the runs: what they are called, how they ended, what they took."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QBrush, QColor
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
from app.look import LIGHT, Theme
from app.study.record import RunRecord
from app.study.study import Study

_WIDTHS = (150, 170, 90, 80, 80, 100, 130)
_NOTE = 7


class RunsPanel(QWidget):
    """Show every run; a click shows it in the scene, a double click renames it."""

    restore_asked = Signal(object)
    report_asked = Signal(object)
    save_asked = Signal(object)

    def __init__(self, study: Study, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.study, self._theme = study, LIGHT
        self.tree = QTreeWidget(rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setHeaderLabels(list(texts.panels.RUN_COLUMNS))
        self.tree.setAccessibleName(texts.panels.RUNS)
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in enumerate(_WIDTHS):
            self.tree.setColumnWidth(column, width)
        self.tree.currentItemChanged.connect(lambda item, _: self._on_chosen(item))
        self.tree.itemChanged.connect(self._on_edited)
        self.tree.itemSelectionChanged.connect(self._show_choice)
        self.compare = QToolButton(
            text=texts.comparing.COMPARE, toolTip=texts.comparing.COMPARE_TIP
        )
        self.compare.clicked.connect(self.compare_chosen)
        self.report = QToolButton(text=texts.comparing.REPORT, toolTip=texts.comparing.REPORT_TIP)
        self.report.clicked.connect(lambda: self.report_asked.emit(self.to_compare()))
        self.choice = QLabel(objectName="muted")
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 6, 8, 2)
        bar.setSpacing(8)
        for widget in (self.compare, self.report, self.choice):
            bar.addWidget(widget)
        bar.addStretch(1)
        empty = QLabel(texts.panels.NO_RUNS, objectName="muted")
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
        self._items: dict[int, QTreeWidgetItem] = {}
        runs = study.runs
        runs.listed.connect(self.refresh)
        runs.changed.connect(self._write)
        runs.shown.connect(self._mark)
        runs.ended.connect(lambda _: self._show_choice())
        study.document.opened.connect(self.refresh)
        self._show_choice()

    def chosen(self) -> list[RunRecord]:
        """Give the runs that are chosen and have ended, in the order of the list."""
        items = self.tree.selectedItems()
        found = [r for r in self.study.runs.records if self._items.get(id(r)) in items]
        return [record for record in found if record.has_ended]

    def to_compare(self) -> list[RunRecord]:
        """Give the chosen runs; where one alone is chosen, that and the one before it."""
        chosen = self.chosen()
        if len(chosen) != 1:
            return chosen
        ended = [record for record in self.study.runs.records if record.has_ended]
        place = ended.index(chosen[0])
        return ended[max(0, place - 1) : place + 1]

    def compare_chosen(self) -> None:
        """Set the chosen runs beside each other."""
        records = self.to_compare()
        if len(records) > 1:
            self.study.compare(records)

    def set_theme(self, theme: Theme) -> None:
        """Colour the words anew."""
        self._theme = theme
        self.refresh()

    def refresh(self) -> None:
        """List all runs again."""
        self.tree.blockSignals(True)
        self.tree.clear()
        self._items = {}
        for record in self.study.runs.records:
            item = QTreeWidgetItem(self.tree)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self._items[id(record)] = item
            self._write(record)
        self._stack.setCurrentIndex(1 if self._items else 0)
        self.tree.blockSignals(False)
        self._mark(self.study.runs.current)

    def record_of(self, item: QTreeWidgetItem | None) -> RunRecord | None:
        """Give the run of a row."""
        for record in self.study.runs.records:
            if item is not None and self._items.get(id(record)) is item:
                return record
        return None

    def _write(self, record: RunRecord) -> None:
        item = self._items.get(id(record))
        if item is None:
            return
        solving, trajectory, t = record.solving, record.trajectory, self._theme
        reached = (
            float(trajectory.time[-1]) if trajectory is not None and len(trajectory.time) else 0
        )
        outdated = self.study.is_outdated(record)
        words = (
            record.name,
            status_words(record),
            texts.panels.REACHED.format(ms=1e3 * reached),
            f"{solving.wall_s:.2f} s" if solving is not None else "",
            f"{solving.steps}" if solving is not None and solving.steps else "",
            f"{solving.energy_balance_J:.2g} J" if solving is not None and solving.steps else "",
            texts.panels.CHANGED_SINCE if outdated else texts.panels.AS_NOW,
            record.note,
        )
        before = self.tree.blockSignals(True)
        for column, text in enumerate(words):
            item.setText(column, text)
        colour = {"failed": t.error, "cancelled": t.warning}.get(record.status, t.text)
        item.setForeground(1, QBrush(QColor(colour)))
        item.setForeground(6, QBrush(QColor(t.warning if outdated else t.muted)))
        item.setToolTip(1, record.message)
        self.tree.blockSignals(before)

    def _mark(self, record: RunRecord | None) -> None:
        """Make the shown run the current row; where it is chosen with others, they stay so."""
        before = self.tree.blockSignals(True)
        item = self._items.get(id(record)) if record is not None else None
        if self.tree.currentItem() is not item:
            self.tree.setCurrentItem(item)
        self.tree.blockSignals(before)
        self._show_choice()

    def _show_choice(self) -> None:
        records = self.to_compare()
        self.compare.setEnabled(len(records) > 1)
        self.report.setEnabled(1 <= len(records) <= 2)
        names = [record.name for record in records]
        self.choice.setText(
            texts.comparing.COMPARED.format(first=names[0], others=", ".join(names[1:]))
            if len(names) > 1
            else texts.comparing.CHOOSE_RUNS
        )

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        record = self.record_of(item)
        if record is not None:
            self.study.runs.show(record)
            self.study.switch(True)

    def _on_edited(self, item: QTreeWidgetItem, column: int) -> None:
        record = self.record_of(item)
        if record is None:
            return
        if column == 0 and item.text(0) != record.name:
            self.study.runs.rename(record, item.text(0))
        elif column == _NOTE:
            record.note = item.text(column)
        else:
            self._write(record)

    def _menu(self, at: QPoint) -> None:
        record = self.record_of(self.tree.itemAt(at))
        if record is not None:
            self.menu_of(record).popup(self.tree.viewport().mapToGlobal(at))

    def menu_of(self, record: RunRecord) -> QMenu:
        """Offer what can be done with a run."""
        menu, runs = QMenu(self), self.study.runs
        if record.is_running or record.is_waiting:
            menu.addAction(texts.panels.CANCEL_RUN, lambda: runs.cancel(record))
        item = self._items[id(record)]
        menu.addAction(texts.panels.RENAME_RUN, lambda: self.tree.editItem(item, 0))
        menu.addAction(texts.panels.NOTE_RUN, lambda: self.tree.editItem(item, _NOTE))
        menu.addAction(texts.panels.SAVE_RUN, lambda: self.save_asked.emit(record)).setEnabled(
            not record.is_running and record.trajectory is not None
        )
        is_ghost = record is self.study.ghost
        beside = menu.addAction(
            texts.panels.NOT_BESIDE if is_ghost else texts.panels.BESIDE,
            lambda: self.study.set_ghost(None if is_ghost else record),
        )
        beside.setEnabled(is_ghost or (record is not runs.current and not record.is_running))
        menu.addAction(texts.panels.RESTORE_RUN, lambda: self.restore_asked.emit(record))
        menu.addSeparator()
        menu.addAction(texts.panels.REMOVE_RUN, lambda: runs.remove(record))
        return menu


def status_words(record: RunRecord) -> str:
    """Say how a run stands."""
    solving = record.solving
    if record.is_waiting:
        return texts.panels.RUN_STATUS["waits"]
    if solving is None or solving.stage == "ended":
        return texts.panels.RUN_STATUS.get(record.status, record.status)
    if solving.is_paused:
        return texts.panels.PAUSED.format(percent=100 * solving.fraction)
    if solving.is_first_on_machine and solving.fraction == 0.0:
        return texts.panels.PREPARING
    return texts.panels.RUNNING.format(percent=100 * solving.fraction)
