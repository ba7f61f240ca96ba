"""Show all keyboard shortcuts on one page, from the list of commands."""

from __future__ import annotations

from html import escape

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
from app.features.all import MENUS
from app.having import having
from app.shell.menus import Menus
from app.widgets.help_button import help_by_key
from solver.base.words import tr

_COLUMNS = 2
Section = tuple[str, list[tuple[str, str]]]
"""A heading, and its keys with what they do."""


class KeySheet(QDialog):
    """List keys by menu, in columns."""

    def __init__(self, window: QWidget, menus: Menus, muted: str) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("panel")
        inside = having(QWidget(), objectName="page")
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(24, 16, 24, 16)
        columns.setSpacing(40)
        halves: list[list[Section]] = [[] for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for section in sheet(menus):
            at = heights.index(min(heights))
            halves[at].append(section)
            heights[at] += len(section[1]) + 2
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
        help_by_key(self, "guide#the-scene")
        self.resize(min(1040, window.width() - 40), min(680, window.height() - 40))


def sheet(menus: Menus) -> list[Section]:
    """Give the keys of each menu, then those of mouse and fields."""
    found: dict[str, list[tuple[str, str]]] = {}
    for id_, entry in menus.entries.items():
        command, shortcuts = menus.commands[id_], entry.shortcuts()
        keys = [k.toString(k.SequenceFormat.NativeText) for k in shortcuts]
        if any(keys):
            title = tr(MENUS[command.menu][0]).replace("&", "")
            words = command.plain.rstrip("…")
            if command.choice and command.is_on is None:
                words = f"{menus.where(command).rpartition(' › ')[2]}: {words.lower()}"
            found.setdefault(title, []).append((", ".join(keys), words))
    more = [
        (tr(title), [(tr(keys), tr(words)) for keys, words in rows])
        for title, rows in texts.words.MORE_KEYS
    ]
    return [*found.items(), *more]


def _html(section: Section, muted: str) -> str:
    """Write one section as a table."""
    title, rows = section
    lines = "".join(
        f"<tr><td style='padding: 2px 20px 2px 0'><b>{escape(keys)}</b></td>"
        f"<td style='padding: 2px 0'>{escape(words)}</td></tr>"
        for keys, words in rows
    )
    return f"<p style='color: {muted}'><b>{escape(title)}</b></p><table>{lines}</table>"
