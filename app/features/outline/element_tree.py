"""A tree whose items stand for elements: drag them, drop them, type their names."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.guard import guard
from app.having import having
from app.widgets.carrying import ELEMENT, packed
from solver.base.words import tr

PATH = Qt.ItemDataRole.UserRole
WORDS = Qt.ItemDataRole.UserRole + 1
NAME, MARK = 0, 1
PEOPLE = "people/"
"""Before the root of a person: its row stands for all segments."""


class ElementTree(QTreeWidget):
    """Select several, edit names in place, and tell what was dropped where."""

    dropped = Signal(list, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        having(self, headerHidden=True, indentation=14, uniformRowHeights=True)
        self.setAccessibleName(tr("Outline"))
        self.setColumnCount(2)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(MARK, QHeaderView.ResizeMode.Fixed)
        self.header().resizeSection(MARK, 26)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)

    def paths(self) -> list[str]:
        """Give the selected elements, the current one last."""
        current = self.currentItem()
        items = [item for item in self.selectedItems() if item is not current]
        if current is not None and current.isSelected():
            items.append(current)
        return [str(item.data(NAME, PATH)) for item in items if item.data(NAME, PATH) is not None]

    @guard
    def mimeData(self, items: Sequence[QTreeWidgetItem]) -> QMimeData:
        """Pack what the tree itself needs, and the elements for a plot."""
        return packed(ELEMENT, self.paths(), super().mimeData(items))

    @guard
    def edit(self, index, trigger=None, event=None):  # type: ignore[no-untyped-def]
        """Let only names be edited, not marks."""
        if trigger is None:
            return super().edit(index)
        if index.column() != NAME:
            return False
        return super().edit(index, trigger, event)

    @guard
    def dropEvent(self, event: QDropEvent) -> None:
        """Tell what was dropped; the document decides what that means."""
        item: QTreeWidgetItem | None = self.itemAt(event.position().toPoint())
        paths = self.paths()
        # the tree itself moves nothing: it is listed anew from the document
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        if paths:
            self.dropped.emit(paths, item)
