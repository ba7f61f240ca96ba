"""Show all keyboard shortcuts on one page, from the list of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import texts

if TYPE_CHECKING:
    from app.window import MainWindow

_COLUMNS = 2


class KeySheet(QDialog):
    """List keys by menu; any key closes it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle(texts.KEYS)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("panel")
        inside = QWidget(objectName="panel")
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(24, 16, 24, 16)
        columns.setSpacing(48)
        sections = sheet(window)
        halves: list[list[tuple[str, list[tuple[str, str]]]]] = [[] for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for title, rows in sections:
            at = heights.index(min(heights))
            halves[at].append((title, rows))
            heights[at] += len(rows) + 2
        for half in halves:
            column = QVBoxLayout()
            column.setSpacing(16)
            for title, rows in half:
                column.addLayout(_section(title, rows))
            column.addStretch()
            columns.addLayout(column)
        area = QScrollArea(widgetResizable=True)
        area.setWidget(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        self.resize(720, min(640, window.height() - 40))


def sheet(window: MainWindow) -> list[tuple[str, list[tuple[str, str]]]]:
    """Give the keys of each menu, then those of mouse and fields."""
    found: dict[str, list[tuple[str, str]]] = {}
    for id_, action in window.menus.actions.items():
        keys = [
            k.toString(k.SequenceFormat.NativeText) for k in window.menus.entries[id_].shortcuts()
        ]
        if any(keys):
            title = action.menu.replace("&", "")
            found.setdefault(title, []).append((", ".join(keys), action.plain.rstrip("…")))
    return [*found.items(), *texts.MORE_KEYS]


def _section(title: str, rows: list[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    grid.addWidget(QLabel(title, objectName="section"), 0, 0, 1, 2)
    for row, (keys, words) in enumerate(rows, 1):
        grid.addWidget(QLabel(keys, objectName="key"), row, 0)
        grid.addWidget(QLabel(words), row, 1)
    grid.setColumnMinimumWidth(0, 110)
    grid.setColumnStretch(1, 1)
    return grid
