"""The list of everything that a run holds, with a search; from here quantities are dragged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QMimeData, QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.curves.curves import spoken_name
from app.guard import guard
from app.having import having
from app.widgets.carrying import QUANTITY, packed
from app.widgets.items import children_of, rows_of
from solver.project import Project
from solver.results.layout import said
from solver.results.quantities import QuantityInfo
from solver.words import msgid, tr

_GROUPS: dict[str, str] = {
    "channels": msgid("Recorded channels"),
    "integrator": msgid("Solver"),
    "energy": msgid("Energy"),
    "harnesses": msgid("Harnesses"),
    "strap_points": msgid("Points of straps"),
    "airbag_contacts": msgid("Airbags on segments"),
    "point_contacts": msgid("Point contacts"),
    "actuators": msgid("Actuators"),
    "flexible_elements": msgid("Members of flexible elements"),
}
_SEARCH = msgid("Search quantities")
_RECORDED = msgid("recorded: {quantity}")

_NAME = Qt.ItemDataRole.UserRole


class _Tree(QTreeWidget):
    """Let people drag the names of quantities."""

    @guard
    def mimeData(self, items: Sequence[QTreeWidgetItem]) -> QMimeData:
        """Pack the chosen quantities."""
        return packed(QUANTITY, [n for item in items if (n := item.data(0, _NAME))])


class Picker(QWidget):
    """Show quantities by group and element; a double click draws one."""

    chosen = Signal(str)
    across_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit(placeholderText=tr(_SEARCH), clearButtonEnabled=True)
        self.search.setAccessibleName(tr(_SEARCH))
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._take_first)
        self.tree = having(_Tree(), headerHidden=True, uniformRowHeights=True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.tree.setDragEnabled(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setAccessibleName(tr("Quantities"))
        self.search.setAccessibleName(tr(_SEARCH))
        self.tree.itemDoubleClicked.connect(lambda item, _: self._take(item))
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._offer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.search)
        layout.addWidget(self.tree)
        self._shown: tuple[str, ...] = ()

    def show_infos(self, project: Project, infos: Mapping[str, QuantityInfo]) -> None:
        """List the quantities of a run; the same list is left as it stands."""
        if tuple(infos) == self._shown:
            return
        self._shown = tuple(infos)
        self.tree.clear()
        branches: dict[str, QTreeWidgetItem] = {}
        for name, info in infos.items():
            # what is said of many quantities alike stands once, above them
            whole = spoken_name(project, name)
            of, _, what = whole.partition(" · ") if info.element else whole.rpartition(" · ")
            has_many = bool(of and what) and (bool(info.element) or info.group == "channels")
            parent = self._branch(branches, info, info.element or of if has_many else "", of)
            item = QTreeWidgetItem(parent, [what if has_many else whole.rpartition(" · ")[2]])
            item.setData(0, _NAME, name)
            meaning = _RECORDED if info.group == "channels" else info.meaning
            means = tr(meaning, quantity=said(info.column)) if meaning else ""
            about = f"{means} ({info.unit})" if means else info.unit
            item.setToolTip(0, f"{whole}\n{about}")
        self._filter(self.search.text())

    def clear(self) -> None:
        """List nothing: there is no run."""
        self._shown = ()
        self.tree.clear()

    def _branch(
        self, branches: dict[str, QTreeWidgetItem], info: QuantityInfo, of: str, words: str
    ) -> QTreeWidgetItem:
        """Give the branch of a group, or of an element or output in it."""
        if info.group not in branches:
            title = (
                tr(_GROUPS[info.group])
                if info.group in _GROUPS
                else tr(texts.elements.MANY.get(info.group, info.group)).capitalize()
            )
            branches[info.group] = QTreeWidgetItem(self.tree, [title.replace("_", " ")])
        if not of:
            return branches[info.group]
        key = f"{info.group}/{of}"
        if key not in branches:
            branches[key] = QTreeWidgetItem(branches[info.group], [words])
            branches[key].setToolTip(0, words)
        return branches[key]

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        for item in rows_of(self.tree):
            self._keep(item, words, "")

    def _keep(self, item: QTreeWidgetItem, words: list[str], above: str) -> bool:
        """Hide what does not hold all words, and open what does."""
        text = f"{above} {item.text(0)}".lower()
        if item.childCount() == 0:
            kept = all(word in text for word in words)
        else:
            kept = sum(self._keep(child, words, text) for child in children_of(item)) > 0
            item.setExpanded(bool(words) and kept)
        item.setHidden(not kept)
        return kept

    def _take(self, item: QTreeWidgetItem) -> None:
        name = item.data(0, _NAME)
        if name:
            self.chosen.emit(name)

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
        menu.addAction(tr("Lay across, in place of time"), lambda: self.across_asked.emit(name))
        return menu

    def _take_first(self) -> None:
        stack = rows_of(self.tree)
        while stack:
            item = stack.pop(0)
            if item.isHidden():
                continue
            if item.data(0, _NAME):
                self._take(item)
                return
            stack[:0] = children_of(item)
