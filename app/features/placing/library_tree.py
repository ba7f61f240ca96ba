"""The library's entries by category, found by any word that they say of themselves."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QLabel, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.editing.from_library import has_place
from app.features.placing.thumbnails import SIZE, Picture, thumbnail
from app.guard import guard
from app.having import having
from app.icons import icon
from app.jobs.task import Task
from app.look import Theme
from app.widgets.carrying import PART, carry
from app.widgets.items import children_of
from solver.base.words import msgid, tr
from solver.bodies.library import CATEGORIES, entries

_SEARCH = msgid("Search seats, belts, airbags, laws, pulses")

_ID = Qt.ItemDataRole.UserRole
_WORDS = Qt.ItemDataRole.UserRole + 1
_ICONS = {
    "seats": "planes",
    "interiors": "planes",
    "belts": "harnesses",
    "airbags": "airbags",
    "pulses": "motions",
}
_LEAST_PX, _USUAL_PX = 64, 320


class _Parts(QTreeWidget):
    """Let the mouse take an entry along, to where it is to stand."""

    @guard
    def startDrag(self, _: Qt.DropAction) -> None:
        """Carry the entry; headings stay."""
        item = self.currentItem()
        id_ = "" if item is None else str(item.data(0, _ID) or "")
        if id_:
            carry(self, [id_], PART)

    @guard
    def sizeHint(self) -> QSize:
        """Ask for room for several pictures."""
        return QSize(super().sizeHint().width(), _USUAL_PX)


class LibraryTree(QWidget):
    """Let people find an entry; what stands in the scene comes first."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit(placeholderText=tr(_SEARCH), clearButtonEnabled=True)
        self.search.setAccessibleName(tr(_SEARCH))
        self.search.textChanged.connect(self._filter)
        self.tree = having(_Parts(), headerHidden=True, indentation=14)
        self.tree.setIconSize(QSize(*SIZE))
        self.tree.setDragEnabled(True)
        self.tree.setAccessibleName(tr("Entries of the library"))
        self.tree.setMinimumHeight(_LEAST_PX)
        self.tree.currentItemChanged.connect(self._on_current)
        self.nothing = having(
            QLabel(tr("Nothing in the library is called that.")), objectName="muted", visible=False
        )
        self._items: dict[str, QTreeWidgetItem] = {}
        found = sorted(CATEGORIES, key=lambda name: not any(map(has_place, entries(name))))
        for category in found:
            group = QTreeWidgetItem(self.tree, [tr(CATEGORIES[category])])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            group.setExpanded(category in ("seats", "belts"))
            for one in entries(category):
                item = QTreeWidgetItem(group, [one.name])
                item.setIcon(0, icon(_ICONS.get(category, "contact_laws"), theme.muted))
                item.setToolTip(0, tr("{name}: drag it into the scene", name=one.name))
                item.setData(0, _ID, one.id)
                told = (one.name, one.id, one.note, one.source, one.basis, tr(CATEGORIES[category]))
                item.setData(0, _WORDS, " ".join(told).casefold())
                self._items[one.id] = item
        self._open = [group for group in self._groups() if group.isExpanded()]
        self._waiting = list(self._items)
        self._task: Task | None = None
        self._draw_next()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.search)
        layout.addWidget(self.nothing)
        layout.addWidget(self.tree)

    def choose(self, id_: str) -> None:
        """Show an entry as the chosen one."""
        item = self._items[id_]
        self.tree.setCurrentItem(item)
        self.tree.scrollToItem(item)

    def current(self) -> str:
        """Give the chosen entry; empty for a heading."""
        item = self.tree.currentItem()
        return "" if item is None else str(item.data(0, _ID) or "")

    def visible(self) -> list[str]:
        """List the entries that the search leaves."""
        return [id_ for id_, item in self._items.items() if not item.isHidden()]

    @property
    def are_drawn(self) -> bool:
        """Tell whether all pictures are there."""
        return not self._waiting

    def _draw_next(self) -> None:
        """Draw one picture after the other in a thread; once drawn they are known to all windows."""
        if not self._waiting:
            return
        id_ = self._waiting[0]
        self._task = Task(lambda: thumbnail(id_), self)
        self._task.done.connect(lambda picture: self._on_drawn(id_, picture))
        # a part that cannot be drawn keeps its sign
        self._task.failed.connect(lambda _: self._on_drawn(id_, None))
        self._task.start()

    def _on_drawn(self, id_: str, picture: Picture | None) -> None:
        self._waiting.remove(id_)
        if picture is not None:
            height, width = picture.shape[:2]
            image = QImage(picture.tobytes(), width, height, QImage.Format.Format_RGBA8888).copy()
            image.setDevicePixelRatio(width / SIZE[0])
            self._items[id_].setIcon(0, QIcon(QPixmap.fromImage(image)))
        self._draw_next()

    def _groups(self) -> list[QTreeWidgetItem]:
        tops = (self.tree.topLevelItem(i) for i in range(self.tree.topLevelItemCount()))
        return [item for item in tops if item is not None]

    def _filter(self, text: str) -> None:
        """Hide what does not say every word; the first that is left is chosen."""
        words = text.casefold().split()
        for item in self._items.values():
            item.setHidden(not all(word in item.data(0, _WORDS) for word in words))
        for group in self._groups():
            left = [child for child in children_of(group) if not child.isHidden()]
            group.setHidden(not left)
            group.setExpanded(bool(words) or group in self._open)
        left_over = self.visible()
        self.nothing.setVisible(not left_over)
        if words and left_over and self.current() not in left_over:
            self.choose(left_over[0])

    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(0, _ID):
            self.chosen.emit(str(item.data(0, _ID)))
