"""Rows of Qt's trees as lists."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem


def rows_of(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    """The rows at the top of a tree."""
    found = (tree.topLevelItem(i) for i in range(tree.topLevelItemCount()))
    return [item for item in found if item is not None]


def children_of(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    """The rows below one."""
    found = (item.child(i) for i in range(item.childCount()))
    return [child for child in found if child is not None]


def edit_in_place(tree: QTreeWidget, item: QTreeWidgetItem, column: int) -> bool:
    """Let people type in a cell; tells whether they can, where Qt's own way complains on the terminal."""
    index = tree.indexFromItem(item, column)
    trigger = QAbstractItemView.EditTrigger.AllEditTriggers
    return index.isValid() and bool(tree.edit(index, trigger, None))  # type: ignore[call-overload]
