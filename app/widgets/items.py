"""Rows of Qt's trees as lists."""

from __future__ import annotations

from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem


def rows_of(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    """Give the rows at the top of a tree."""
    found = (tree.topLevelItem(i) for i in range(tree.topLevelItemCount()))
    return [item for item in found if item is not None]


def children_of(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    """Give the rows below one."""
    found = (item.child(i) for i in range(item.childCount()))
    return [child for child in found if child is not None]
