"""Find any command or element by typing a few letters of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from app.elements import called, elements, kind_word
from app.guard import guard
from app.icons import icon
from app.shell.menus import Menus
from app.workbench import Workbench
from solver.base.words import msgid, tr

_PALETTE = msgid("Type a command or the name of an element")

_MOST = 40
_ICON_PX = 16
_ASIDE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Offer:
    """One line: what it says, what is searched, and what it does."""

    words: str
    aside: str
    search: str
    icon: QIcon
    do: Callable[[], object]


class _Line(QStyledItemDelegate):
    """Draw what an offer says, and at the right, paler, where it stands and its key."""

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
        place = option.rect.adjusted(0, 0, -10, 0)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, right, str(index.data(_ASIDE)))
        painter.restore()


class Palette(QDialog):
    """List what fits the typed words; Enter does the first."""

    def __init__(self, bench: Workbench, menus: Menus) -> None:
        window = bench.window
        super().__init__(window, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("panel")
        self.setAccessibleName(tr(_PALETTE))
        self.field = QLineEdit(placeholderText=tr(_PALETTE))
        self.field.setAccessibleName(tr(_PALETTE))
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.list.setItemDelegate(_Line(self.list))
        self.list.setAccessibleName(tr(_PALETTE))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self._offers = list(offers(bench, menus))
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
        words = text.casefold().split()
        fit = [one for one in self._offers if all(word in one.search for word in words)]
        if words:
            typed = " ".join(words)
            fit.sort(
                key=lambda one: (
                    one.words.casefold() != typed,
                    not one.words.casefold().startswith(words[0]),
                )
            )
        self._shown = fit[:_MOST]
        self.list.clear()
        for offer in self._shown:
            item = QListWidgetItem(offer.icon, offer.words)
            item.setData(_ASIDE, offer.aside)
            self.list.addItem(item)
        self.list.setCurrentRow(0)


def offers(bench: Workbench, menus: Menus) -> Iterable[Offer]:
    """List the commands that make sense now, then the elements of the project."""
    colour = bench.theme.muted
    empty = QPixmap(_ICON_PX, _ICON_PX)
    empty.fill(Qt.GlobalColor.transparent)
    blank = QIcon(empty)
    menus.refresh()
    for id_, entry in menus.entries.items():
        command = menus.commands[id_]
        if not entry.isEnabled() or id_ == "help.palette":
            continue
        words = entry.text().replace("&", "")
        where = menus.where(command)
        keys = entry.shortcut().toString(entry.shortcut().SequenceFormat.NativeText)
        yield Offer(
            words,
            f"{where}    {keys}".rstrip(),
            f"{words} {where} {command.tip}".casefold(),
            icon(command.icon, colour) if command.icon else blank,
            entry.trigger,
        )
    if bench.has_project():
        project = bench.document.project
        for path, item in elements(project):
            name = called(project, item)
            yield Offer(
                name,
                kind_word(path),
                f"{name} {path} {kind_word(path)}".casefold(),
                icon(path.split("/", 1)[0], colour),
                partial(bench.document.select, path),
            )
