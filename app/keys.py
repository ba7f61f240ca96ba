"""Show all keyboard shortcuts on one page, from the list of actions."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.guide.asking import help_by_key

if TYPE_CHECKING:
    from app.window import MainWindow

_COLUMNS = 2
Section = tuple[str, list[tuple[str, str]]]
"""A heading, and its keys with what they do."""


class KeySheet(QDialog):
    """List keys by menu, in columns."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle(texts.window.KEYS)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("panel")
        inside = QWidget(objectName="page")
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(24, 16, 24, 16)
        columns.setSpacing(40)
        halves: list[list[Section]] = [[] for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for section in sheet(window):
            at = heights.index(min(heights))
            halves[at].append(section)
            heights[at] += len(section[1]) + 2
        muted = window.theme().muted
        for half in halves:
            label = QLabel("".join(_html(section, muted) for section in half))
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setWordWrap(True)
            columns.addWidget(label, 1)
        area = QScrollArea(widgetResizable=True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        help_by_key(self, "keys")
        self.resize(min(1040, window.width() - 40), min(680, window.height() - 40))


def sheet(window: MainWindow) -> list[Section]:
    """Give the keys of each menu, then those of mouse and fields."""
    found: dict[str, list[tuple[str, str]]] = {}
    for id_, action in window.menus.actions.items():
        shortcuts = window.menus.entries[id_].shortcuts()
        keys = [k.toString(k.SequenceFormat.NativeText) for k in shortcuts]
        if any(keys):
            title = texts.actions.MENUS[action.menu].replace("&", "")
            words = action.plain.rstrip("…")
            if action.choice and action.is_on is None:
                words = f"{action.where.rpartition(' › ')[2]}: {words.lower()}"
            found.setdefault(title, []).append((", ".join(keys), words))
    return [*found.items(), *texts.window.MORE_KEYS]


def _html(section: Section, muted: str) -> str:
    """Write one section as a table."""
    title, rows = section
    lines = "".join(
        f"<tr><td style='padding: 2px 20px 2px 0'><b>{escape(keys)}</b></td>"
        f"<td style='padding: 2px 0'>{escape(words)}</td></tr>"
        for keys, words in rows
    )
    return f"<p style='color: {muted}'><b>{escape(title)}</b></p><table>{lines}</table>"
