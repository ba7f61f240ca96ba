"""Choose curves of a measured test: a list to search, several at once, each beside what the run has of its kind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from app import texts
from app.widgets.sheet import Sheet
from app.with_properties import with_properties
from solver.base.units import pretty
from solver.base.words import msgid, plural, tr
from solver.exchange.measured.codes import read_code
from solver.exchange.measured.files import MeasuredTest
from solver.results.trajectory import Channel

_SEARCH = msgid("Search channels")
_HEIGHT_PX = 260
_ABOUT, _NOTES = 6, 4
"""Lines of the head and notes that are shown; all stand in the tip."""


class TestsDialog(Sheet):
    """Offer the channels of a test; `taken` gives the numbers of those that are wanted, and whether each goes beside the run's own."""

    __test__ = False
    taken = Signal(list, bool)

    def __init__(self, parent: QWidget, test: MeasuredTest, own: Sequence[str]) -> None:
        super().__init__(parent, tr("Curves of a test"), "guide#curves", width_em=44.0)
        self.search = QLineEdit(placeholderText=tr(_SEARCH), clearButtonEnabled=True)
        self.search.setAccessibleName(tr(_SEARCH))
        self.search.setToolTip(tr("Words of a place, a quantity or a code, such as: head acceleration"))  # fmt: skip
        self.search.textChanged.connect(self._list)
        self.list = with_properties(QListWidget(), uniformItemSizes=True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName(tr("Channels"))
        self.list.setMinimumHeight(_HEIGHT_PX)
        for number, one in enumerate(test.channels):
            words = channel_words(one)
            item = QListWidgetItem(tr("in the run: {words}", words=words) if own[number] else words, self.list)  # fmt: skip
            item.setData(Qt.ItemDataRole.UserRole, number)
            item.setToolTip(own[number] or one.code or one.name)
        self.list.itemSelectionChanged.connect(self._look)
        self.list.itemDoubleClicked.connect(lambda _: self._take())
        self.beside = with_properties(
            QCheckBox(tr("Each beside the run's own quantity, where it has one")),
            checked=any(own),
            enabled=any(own),
            toolTip=tr("Found by the channel's code: place, quantity, direction and seat"),
        )
        self.draw = with_properties(
            QPushButton(tr(texts.words.DRAW)),
            objectName="primary",
            default=True,
            toolTip=tr("Draw the chosen channels"),
        )
        self.draw.clicked.connect(self._take)
        cancel = with_properties(QPushButton(tr("Cancel")), toolTip=tr("Draw nothing (Esc)"))
        cancel.clicked.connect(self.reject)
        for lines, most in (
            ([f"{name}: {' '.join(value.split())}" for name, value in test.about], _ABOUT),
            ([str(one) for one in test.notes], _NOTES),
        ):
            if lines:
                self.column.addWidget(_few(lines, most))
        for widget in (self.search, self.list, self.beside):
            self.column.addWidget(widget, int(widget is self.list))
        self.add_buttons(cancel, self.draw)
        if self.list.count() == 1:
            self.list.setCurrentRow(0)
        self._look()

    def _list(self) -> None:
        words = self.search.text().lower().split()
        for row in range(self.list.count()):
            item = self.list.item(row)
            text = f"{item.text()} {item.toolTip()}".lower()
            item.setHidden(not all(word in text for word in words))
        self._look()

    def chosen(self) -> list[int]:
        """The numbers of the channels that are chosen and seen."""
        rows = (item for item in self.list.selectedItems() if not item.isHidden())
        return sorted(item.data(Qt.ItemDataRole.UserRole) for item in rows)

    def _look(self) -> None:
        count = len(self.chosen())
        self.draw.setEnabled(count > 0)
        self.draw.setText(plural("Draw {n} channel", "Draw {n} channels", count) if count else tr(texts.words.DRAW))  # fmt: skip

    def _take(self) -> None:
        if chosen := self.chosen():
            self.taken.emit(chosen, self.beside.isChecked())
            self.accept()


def _few(lines: list[str], most: int) -> QLabel:
    label = QLabel("\n".join([*lines[:most], *(["…"] if len(lines) > most else [])]))
    label.setTextFormat(Qt.TextFormat.PlainText)
    return with_properties(label, objectName="muted", wordWrap=True, toolTip="\n".join(lines[:40]))


def channel_words(one: Channel) -> str:
    """Say what a channel is: its code in words, its name, unit, class and code."""
    code = read_code(one.code)
    class_ = f"CFC {one.filtered_to}" if one.filtered_to else ""
    parts = (code.words() if code else "", one.name, pretty(one.unit), class_, one.code)
    return " · ".join(dict.fromkeys(part for part in parts if part))
