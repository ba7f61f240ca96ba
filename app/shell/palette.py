"""Find anything by typing a few letters of it: commands, elements, fields, preferences, the guide."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from app.guard import guard
from app.shell.menus import Menus
from app.shell.offers import ICON_PX, Offer, Offers, menu_title
from app.workbench import Workbench
from solver.base.words import msgid, tr

_PALETTE = msgid("Type a command, an element, a field, a value")
_MENU = msgid("Type a command of the menu {menu}")

_EDGE_PX = 10
_ASIDE = Qt.ItemDataRole.UserRole


class _Line(QStyledItemDelegate):
    """Draw what an offer says, and at the right, paler, where it stands and its key."""

    @guard
    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Leave room for what stands aside."""
        super().initStyleOption(option, index)
        aside = option.fontMetrics.horizontalAdvance(str(index.data(_ASIDE)))
        room = option.rect.width() - aside - ICON_PX - 4 * _EDGE_PX
        middle = Qt.TextElideMode.ElideMiddle
        option.text = option.fontMetrics.elidedText(option.text, middle, max(room, 0))

    @guard
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint the line, then what stands aside."""
        super().paint(painter, option, index)
        painter.save()
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        place = option.rect.adjusted(0, 0, -_EDGE_PX, 0)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, right, str(index.data(_ASIDE)))
        painter.restore()


class Palette(QDialog):
    """List what fits the typed words; Enter does the first."""

    def __init__(self, bench: Workbench, menus: Menus, menu: str = "") -> None:
        window = bench.window
        super().__init__(window, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("panel")
        asked = tr(_MENU, menu=menu_title(menu)) if menu else tr(_PALETTE)
        self.setAccessibleName(asked)
        self.field = QLineEdit(placeholderText=asked)
        self.field.setAccessibleName(asked)
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setIconSize(QSize(ICON_PX, ICON_PX))
        self.list.setItemDelegate(_Line(self.list))
        self.list.setAccessibleName(asked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self._offers = Offers(bench, menus, menu)
        self._shown: list[Offer] = []
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(lambda _: self.accept_current())
        self.resize(min(620, window.width() - 80), 420)
        middle = window.mapToGlobal(window.rect().center())
        self.move(
            middle.x() - self.width() // 2, window.mapToGlobal(window.rect().topLeft()).y() + 60
        )
        self._filter("")
        self.field.setFocus()

    def shown(self) -> list[str]:
        """List the words of what fits."""
        return [offer.words for offer in self._shown]

    def accept_current(self) -> None:
        """Close, then do what is chosen."""
        row = self.list.currentRow()
        if 0 <= row < len(self._shown):
            offer = self._shown[row]
            self.close()
            offer.do()

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let arrow keys move in the list while one types, and Enter choose."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = Qt.Key(event.key())
            steps = {
                Qt.Key.Key_Down: 1,
                Qt.Key.Key_Up: -1,
                Qt.Key.Key_PageDown: 8,
                Qt.Key.Key_PageUp: -8,
            }
            if key in steps:
                row = min(max(self.list.currentRow() + steps[key], 0), self.list.count() - 1)
                self.list.setCurrentRow(row)
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.accept_current()
                return True
        return super().eventFilter(watched, event)

    def _filter(self, text: str) -> None:
        self._shown = self._offers.find(text)
        self.list.clear()
        for offer in self._shown:
            item = QListWidgetItem(offer.icon, offer.words)
            item.setData(_ASIDE, offer.aside)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
