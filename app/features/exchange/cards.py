"""What became of each card of a file: a list to search, whose rows lead to elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.fonts import wide
from app.guard import guard
from app.with_properties import with_properties
from solver.base.words import msgid, plural, tr

if TYPE_CHECKING:
    from solver.exchange.decks import CardNote

_NOTE = Qt.ItemDataRole.UserRole
_HEADINGS = (
    msgid("Line"),
    msgid("Card"),
    msgid("The file says"),
    msgid("Became"),
    msgid("How and why"),
)
_TEXT, _WHY = 2, 4
_NOTHING = msgid("Import a model of another program to see here what became of each of its cards.")
_BESIDE_PX, _ABOVE_PX = 16, 8
"""Room beside and above the words of a row."""
MOST_NAMED = 3


def _made(note: CardNote) -> str:
    """Name the elements that a card made, the first of many."""
    named = [one.rsplit("/", 1)[-1] for one in note.elements[:MOST_NAMED]]
    return f"→ {', '.join(named)}{' …' if len(note.elements) > MOST_NAMED else ''}" if named else ""


class Cards(QWidget):
    """Show a file's cards; a click leads to the element that a card made."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._element = ""
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.summary = with_properties(QLabel(tr(_NOTHING)), objectName="section", wordWrap=True)
        self.only = with_properties(QCheckBox(tr("Only what was not simply &taken")), visible=False)
        self.only.setToolTip(
            tr(
                "Hide cards all of whose content is in the project; those of a selected element are shown"
            )
        )
        self.only.toggled.connect(lambda _: self._filter())
        self.tree = with_properties(
            QTreeWidget(), rootIsDecorated=False, columnCount=len(_HEADINGS), uniformRowHeights=True
        )
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.tree.setHeaderLabels([tr(one) for one in _HEADINGS])
        self.tree.setAccessibleName(tr("Cards"))
        header = self.tree.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in ((0, 64), (1, 64), (_TEXT, 600), (3, 130)):
            self.tree.setColumnWidth(column, wide(width))
        header.sectionResized.connect(lambda *_: self._give_room())
        self.tree.itemClicked.connect(lambda item, _: self._on_click(item))
        self.tree.itemActivated.connect(lambda item, _: self._on_click(item))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 0)
        layout.setSpacing(4)
        row = QHBoxLayout()
        row.addWidget(self.summary, 1)
        row.addWidget(self.only)
        layout.addLayout(row)
        layout.addWidget(self.tree, 1)

    def show_report(self, name: str, notes: Sequence[CardNote], text: Sequence[str]) -> None:
        """List what became of each card, beside the lines of the file."""
        self.tree.clear()
        # what was hidden of another file says nothing of this one
        self.only.setChecked(False)
        self.only.setVisible(False)
        if not notes:
            self.summary.setText(tr(_NOTHING))
            return
        from solver.exchange.decks.taking import HOW

        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        items = list[QTreeWidgetItem]()
        for note in notes:
            lines = text[max(note.first - 1, 0) : note.last] if note.first else []
            why = " ".join([*(str(one) for one in note.says), _made(note)]).strip()
            item = QTreeWidgetItem(
                [
                    note.lines if note.first else "",
                    note.card,
                    "\n".join(lines),
                    # of a tree, and of what a file cannot say, the words alone tell
                    tr(HOW[note.how]) if note.card else "",
                    why,
                ]
            )
            item.setData(0, _NOTE, note)
            item.setFont(_TEXT, fixed)
            item.setToolTip(_TEXT, "\n".join(lines))
            item.setToolTip(_WHY, why)
            items.append(item)
        self.tree.addTopLevelItems(items)
        cards = [one for one in notes if one.card]
        # what is no card has no line, and words alone: they get the room
        for column in range(_WHY):
            self.tree.setColumnHidden(column, not cards)
        self.tree.setUniformRowHeights(bool(cards))
        self.tree.setWordWrap(not cards)
        self.only.setVisible(bool(cards))
        if cards:
            counts = {how: sum(one.how == how for one in cards) for how in HOW}
            became = ", ".join(f"{n} {tr(HOW[how])}" for how, n in counts.items() if n)
            counted = plural("{n} card", "{n} cards", len(cards))
            words = tr("{file}: {cards}; {became}.", file=name, cards=counted, became=became)
        else:
            words = plural(
                "{file}: {n} thing was changed or left out.",
                "{file}: {n} things were changed or left out.",
                len(notes),
                file=name,
            )
        self.summary.setText(words)
        self._give_room()
        self._filter()

    def _give_room(self) -> None:
        """Make rows of words alone as high as their words are in the width that they have."""
        if not self.tree.wordWrap():
            return
        letters, width = self.tree.fontMetrics(), self.tree.columnWidth(_WHY) - _BESIDE_PX
        for item in self._items():
            need = letters.boundingRect(QRect(0, 0, width, 0), Qt.TextFlag.TextWordWrap, item.text(_WHY))  # fmt: skip
            item.setSizeHint(_WHY, QSize(0, need.height() + _ABOVE_PX))

    def show_element(self, path: str) -> None:
        """Mark the cards of an element, those too that are hidden else, and bring the first into sight."""
        self._element = path
        self._filter()
        found = [item for item in self._items() if self._belongs(item, path)]
        self.tree.clearSelection()
        for item in found:
            item.setSelected(True)
        if found and not any(item is self.tree.currentItem() for item in found):
            self.tree.scrollToItem(found[0], QTreeWidget.ScrollHint.PositionAtCenter)

    @staticmethod
    def _belongs(item: QTreeWidgetItem, path: str) -> bool:
        note: CardNote = item.data(0, _NOTE)
        return any(one == path or one.startswith(f"{path}/") for one in note.elements)

    def _items(self) -> list[QTreeWidgetItem]:
        tree = self.tree
        return [
            item
            for n in range(tree.topLevelItemCount())
            if (item := tree.topLevelItem(n)) is not None
        ]

    def _filter(self) -> None:
        for item in self._items():
            is_taken = item.data(0, _NOTE).how == "taken"
            item.setHidden(
                self.only.isChecked() and is_taken and not self._belongs(item, self._element)
            )

    @guard
    def _on_click(self, item: QTreeWidgetItem) -> None:
        note: CardNote = item.data(0, _NOTE)
        if note.elements:
            self.chosen.emit(note.elements[0])
