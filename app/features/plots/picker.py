"""The list of everything that a run holds, with a search; from here quantities are dragged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QMenu,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.curves.finding import Entry, QuantityGroup, ranked, shelves
from app.guard import guard
from app.home import home
from app.widgets.carrying import QUANTITY, packed
from app.widgets.items import rows_of
from app.with_properties import with_properties
from solver.base.atomic import write_atomic
from solver.base.words import msgid, tr
from solver.project import Project
from solver.results.measured import TEST, measured_channels
from solver.results.quantities import QuantityInfo

_SEARCH = msgid("Search quantities")
_NOTHING = msgid("Nothing is called so")
_NOTHING_TIP = msgid(
    "No quantity of this run has all of these words; fewer of them find more. Injury figures stand in the tab Injury."
)
_NAME, _BELOW = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_TESTS = -1
"""What stands as `_BELOW` of the branch of tests."""


class _Tree(QTreeWidget):
    """Let people drag the names of quantities."""

    @guard
    def mimeData(self, items: Sequence[QTreeWidgetItem]) -> QMimeData:
        """Pack the chosen quantities."""
        return packed(QUANTITY, [n for item in items if (n := item.data(0, _NAME))])


class Picker(QWidget):
    """Show quantities by person, part and element; typed words list what fits them, the best first.

    A double click or Enter draws one.
    """

    chosen = Signal(str)
    across_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit(placeholderText=tr(_SEARCH), clearButtonEnabled=True)
        self.search.setToolTip(
            tr(
                "Words of a person, part or quantity, such as: head acceleration; Enter draws the best"
            )
        )
        self.search.setAccessibleName(tr(_SEARCH))
        self.search.textChanged.connect(lambda _: self._list())
        self.search.returnPressed.connect(self._take_first)
        self.search.installEventFilter(self)
        self.tree = with_properties(_Tree(), headerHidden=True, uniformRowHeights=True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.tree.setDragEnabled(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setAccessibleName(tr("Quantities"))
        self.tree.itemActivated.connect(lambda item, _: self._take(item))
        self.tree.itemExpanded.connect(self._fill)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._offer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.search)
        layout.addWidget(self.tree)
        self._shown: tuple[str, ...] = ()
        self._of: Project | None = None
        self._shelves: list[QuantityGroup] = []
        self._entries: list[Entry] | None = None
        self.recent = Recent()
        self._below: list[tuple[list[QuantityGroup], int]] = []
        """What branches will hold once they open, and how deep it is."""

    def show_infos(self, project: Project, infos: Mapping[str, QuantityInfo]) -> None:
        """List the quantities of a run; the same list is left as it stands."""
        if tuple(infos) == self._shown and project is self._of:
            return
        self._shown, self._of = tuple(infos), project
        self._shelves, self._entries = shelves(project, infos), None
        self._list()

    def clear(self) -> None:
        """List nothing: there is no run."""
        self._shown, self._of, self._shelves, self._entries = (), None, [], None
        self.tree.clear()

    @property
    def entries(self) -> list[Entry]:
        """All quantities, worded once somebody searches."""
        if self._entries is None:
            self._entries = [entry for shelf in self._shelves for entry in shelf.entries()]
        return self._entries

    def use(self, name: str) -> None:
        """Remember that a quantity was drawn; it stands among those used last when the list is made again."""
        self.recent.use(name)

    def _list(self) -> None:
        """Show the tree, or what fits the typed words in one list."""
        text = self.search.text().strip()
        self.tree.clear()
        self._below.clear()
        self.tree.setRootIsDecorated(not text)
        if text:
            for entry in ranked(self.entries, text, self.recent.names):
                self._row(self.tree, entry, self._line(entry))
            for one in measured_channels() if self._shown else ():
                if all(word in one.whole.casefold() for word in text.casefold().split()):
                    self._test_row(self.tree, one.key, one.whole)
            first = self.tree.topLevelItem(0)
            if first is not None:
                self.tree.setCurrentItem(first)
            elif self._shown:
                nothing = QTreeWidgetItem(self.tree, [tr(_NOTHING)])
                nothing.setToolTip(0, tr(_NOTHING_TIP))
                nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            return
        lately = self._lately()
        if lately:
            head = QTreeWidgetItem(self.tree, [tr("Recently used")])
            for entry in lately:
                self._row(head, entry, self._line(entry))
        self._branches(self.tree, self._shelves, 0)
        if self._shown:
            branch = self._test_row(self.tree, "", tr("Tests"))
            branch.setToolTip(
                0,
                tr(
                    "Curves of tests that come with the program; drag one into a plot, or a whole test"
                ),
            )
            branch.setData(0, _BELOW, _TESTS)
            branch.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)

    def _test_row(
        self, parent: QTreeWidget | QTreeWidgetItem, key: str, words: str
    ) -> QTreeWidgetItem:
        item = QTreeWidgetItem(parent, [words])
        item.setToolTip(0, words)
        item.setData(0, _NAME, key)
        return item

    def _fill_tests(self, branch: QTreeWidgetItem) -> None:
        """List the tests that come with the program, each with its curves."""
        titles = dict[str, QTreeWidgetItem]()
        for one in measured_channels():
            if one.test not in titles:
                titles[one.test] = self._test_row(branch, f"{TEST}{one.test}", one.title)
            self._test_row(titles[one.test], one.key, one.name)

    def _line(self, entry: Entry) -> str:
        """Write it among others; where there is one person alone, that name takes the room of what tells them apart."""
        alone = len({shelf.branches[0] for shelf in self._shelves if shelf.owned}) == 1
        return entry.whole if alone else entry.line

    def _lately(self) -> list[Entry]:
        """Word what was used last, as far as this run has it."""
        wanted = set(self.recent.names)
        found = {
            info.name: shelf.entry(info)
            for shelf in (self._shelves if wanted else ())
            for info in shelf.infos
            if info.name in wanted
        }
        return [found[name] for name in self.recent.names if name in found]

    def _branches(
        self, parent: QTreeWidget | QTreeWidgetItem, found: Iterable[QuantityGroup], level: int
    ) -> None:
        """Make the branches of one level and the quantities that have no further one; a branch is filled when it opens."""
        below: dict[str, list[QuantityGroup]] = {}
        for shelf in found:
            if len(shelf.branches) > level:
                below.setdefault(shelf.branches[level], []).append(shelf)
                continue
            for entry in shelf.entries():
                self._row(parent, entry, entry.words)
        for words, members in below.items():
            branch = QTreeWidgetItem(parent, [words])
            branch.setToolTip(0, words)
            branch.setData(0, _BELOW, len(self._below))
            self._below.append((members, level + 1))
            branch.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)

    def _fill(self, item: QTreeWidgetItem) -> None:
        below = item.data(0, _BELOW)
        if item.childCount() or below is None:
            return
        if below == _TESTS:
            self._fill_tests(item)
        else:
            self._branches(item, *self._below[below])

    def _row(self, parent: QTreeWidget | QTreeWidgetItem, entry: Entry, words: str) -> None:
        item = QTreeWidgetItem(parent, [words])
        item.setData(0, _NAME, entry.name)
        item.setToolTip(0, f"{entry.whole}\n{entry.about}")
        if entry.is_recorded:
            # a word behind it would take the room of what tells components apart
            font = item.font(0)
            font.setItalic(True)
            item.setFont(0, font)
            text = tr("{quantity} (recorded)", quantity=words)
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, text)

    @guard
    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        """Let arrow keys move in the list while one types."""
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if is_key and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):  # type: ignore[attr-defined]
            QApplication.sendEvent(self.tree, event)
            return True
        return False

    def _take(self, item: QTreeWidgetItem) -> None:
        name = item.data(0, _NAME)
        if name:
            self.chosen.emit(name)

    def _take_first(self) -> None:
        item = self.tree.currentItem() or next(iter(rows_of(self.tree)), None)
        if item is not None:
            self._take(item)

    def _offer(self, at: QPoint) -> None:
        item = self.tree.itemAt(at)
        menu = None if item is None else self.menu_of(item)
        if menu is not None:
            menu.popup(self.tree.viewport().mapToGlobal(at))

    def menu_of(self, item: QTreeWidgetItem) -> QMenu | None:
        """Offer what can be done with a quantity."""
        name = item.data(0, _NAME)
        if not name:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr(texts.words.DRAW), lambda: self.chosen.emit(name))
        if not name.startswith(TEST):
            menu.addAction(tr("Lay across, in place of time"), lambda: self.across_asked.emit(name))
        return menu


MOST = 12


class Recent:
    """Read and write one small file; a damaged one counts as empty, and one that cannot be written is let be."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or home()) / "plot_recent.json"
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = []
        names = found if isinstance(found, list) else []
        self.names = [name for name in names if isinstance(name, str)][:MOST]

    def use(self, name: str) -> None:
        """Put a quantity in front."""
        self.names = [name, *(one for one in self.names if one != name)][:MOST]
        try:
            write_atomic(self._file, json.dumps(self.names, ensure_ascii=False))
        except OSError:
            # what was used last is a comfort: it is remembered while the window stands
            return


_LIST_PX, _LEAST_PX, _PLOTS_PX = 230, 150, 1100
"""How wide the list is at first and at least, and the plots at first."""


class Halves(QSplitter):
    """Lend the plots room of the list, and take it back where it is not enough for them."""

    def __init__(self, list_: QWidget, plots: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False)
        list_.setMinimumWidth(_LEAST_PX)
        self.addWidget(list_)
        self.addWidget(plots)
        self.setSizes([_LIST_PX, _PLOTS_PX])
        self.setStretchFactor(1, 1)
        self._own = 0
        """How wide the list was before it lent some of that; zero where it has lent nothing."""
        self.splitterMoved.connect(self._on_hand)

    def lend(self, width: int) -> None:
        """Give the plots a width (px), if the list has that much to spare."""
        now, whole = self.sizes()[0], sum(self.sizes())
        if whole - width >= _LEAST_PX:
            self._own = self._own or now
            self.setSizes([whole - width, width])
        elif self._own and whole > self._own:
            own, self._own = self._own, 0
            self.setSizes([own, whole - own])

    def _on_hand(self, *_: int) -> None:
        self._own = 0
