"""Show the document as a tree of groups and elements: find, select, name, group, mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QDropEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app import texts
from app.elements import PROJECT, START, element_path, elements, kind_word
from app.guard import guard
from app.icons import icon, severity_icon
from app.look import LIGHT, Theme
from app.widgets.carrying import ELEMENT, packed
from app.widgets.items import children_of, edit_in_place
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.editing.persons import Person, chosen_person, people
from solver.project import LISTS, Problem, Project
from solver.project.names import called_at, in_full

_OUTLINE_SEARCH = msgid("Search the model")
_OUTLINE_ADD = msgid("Add an element")

_MANY, _FEW = 12, 6
"""Headings with more entries than this begin closed, on the first level and below it."""


_LEAST_PX = 160
_INDENT_PX, _NARROW_PX, _CLOSE_PX = 14, 220, 9
"""How far elements stand in; in a list narrower than that names need the room."""


class Outline(QWidget):
    """Let people find and select elements."""

    chosen = Signal(list)
    """Elements were selected, the current one last."""
    renamed = Signal(str, str)
    """An element was given another name."""
    dropped = Signal(list, str, str)
    """Elements were dropped on an element's path, or on a group's name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._late: Project | None = None
        """Another project that is still to be listed."""
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.search = QLineEdit(placeholderText=tr("Search"), clearButtonEnabled=True)
        self.search.setAccessibleName(tr(_OUTLINE_SEARCH))
        self.search.textChanged.connect(self._filter)
        self.add = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add.setToolTip(tr(_OUTLINE_ADD))
        self.add.setAccessibleName(tr(_OUTLINE_ADD))
        self._tree = ElementTree()
        # names of contacts begin alike
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.itemSelectionChanged.connect(self._on_selection)
        self.tree.itemChanged.connect(self._on_edited)
        self.tree.dropped.connect(self._on_drop)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._on_menu)
        self.menu: QMenu | None = None
        """What opens on a right click."""
        self.setMinimumWidth(_LEAST_PX)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 0, 0)
        layout.setSpacing(8)
        above = QHBoxLayout()
        above.setContentsMargins(0, 0, 8, 0)
        above.setSpacing(6)
        above.addWidget(self.search)
        above.addWidget(self.add)
        layout.addLayout(above)
        layout.addWidget(self.tree)
        self._items: dict[str, QTreeWidgetItem] = {}
        self._groups: dict[str, QTreeWidgetItem] = {}
        self._root = QTreeWidgetItem()
        self._rows: list[tuple[str, str, str]] = []
        self._faults: dict[str, Problem] = {}
        self._people: dict[str, Person] = {}
        self._project = self._told = Project.empty()
        self._theme = LIGHT

    @property
    def tree(self) -> ElementTree:
        """The list."""
        self.catch_up()
        return self._tree

    def show_project(self, project: Project) -> None:
        """List another project once there is time, or as soon as anybody asks: see `catch_up`."""
        self._late = project
        with QSignalBlocker(self._tree):
            self._tree.clear()
        self._items, self._groups, self._faults = {}, {}, {}
        self.search.clear()

    def catch_up(self) -> None:
        """List another project now: groups first as they come, then what has no group by kind."""
        project, self._late = self._late, None
        if project is None:
            return
        self._list(project)
        for group in self._groups.values():
            group.setExpanded(group.childCount() <= (_MANY if group.parent() is None else _FEW))
        if self.search.text():
            self._filter(self.search.text())
        self.select((PROJECT,))

    def update_project(self, project: Project) -> None:
        """List another version; what was open stays open."""
        self.catch_up()
        if _reads_alike(self._told, project) or _rows(project) == self._rows:
            self._told = project
            return
        closed = {name for name, group in self._groups.items() if not group.isExpanded()}
        selected = self.tree.paths()
        scroll = self.tree.verticalScrollBar().value()
        self._list(project)
        for name, group in self._groups.items():
            group.setExpanded(name not in closed)
        self._filter(self.search.text())
        self._paint_marks()
        self.select(selected)
        self.tree.verticalScrollBar().setValue(scroll)

    def select(self, paths: Sequence[str]) -> None:
        """Show elements as selected, and bring the last into view; whole people as one row."""
        if self._late is not None and tuple(paths) == (PROJECT,):
            return
        self.catch_up()
        person = chosen_person(self._project, paths)
        paths = (person.path,) if person is not None else paths
        if list(paths) == self.tree.paths():
            return
        self.tree.blockSignals(True)
        self.tree.clearSelection()
        for path in paths:
            item = self._items.get(path)
            if item is not None:
                self.tree.setCurrentItem(item, 0, self.tree.selectionModel().SelectionFlag.Select)
                self.tree.scrollToItem(item)
        self.tree.blockSignals(False)

    def selected(self) -> str:
        """The path of the current element."""
        paths = self.tree.paths()
        return paths[-1] if paths else ""

    def item(self, path: str) -> QTreeWidgetItem:
        """The row of an element."""
        self.catch_up()
        return self._items[path]

    def rename(self, path: str) -> None:
        """Let people type another name in place."""
        current = self.tree.paths()
        path = current[-1] if current and current[-1] in self._people else path
        item = self._items.get(path)
        if item is not None and isValid(item) and path not in (PROJECT, START):
            self.tree.scrollToItem(item)
            edit_in_place(self.tree, item, NAME)

    def visible_paths(self) -> list[str]:
        """List the elements that the search leaves."""
        self.catch_up()
        return [path for path, item in self._items.items() if not item.isHidden()]

    def marked(self) -> set[str]:
        """List the elements that carry the mark of a problem."""
        self.catch_up()
        return set(self._faults) & set(self._items)

    def set_theme(self, theme: Theme) -> None:
        """Paint icons and marks again."""
        self._theme = theme
        self.add.setIcon(icon("plus", theme.text))
        self._paint()

    def mark(self, problems: Iterable[Problem]) -> None:
        """Mark the elements that have problems, each by its gravest."""
        self._faults = {}
        for problem in problems:
            path = element_path(problem.path)
            before = self._faults.get(path)
            graver = before is None or (before.severity, problem.severity) == ("warning", "error")
            if problem.severity != "note" and graver:
                self._faults[path] = problem
        self._paint_marks()

    def _list(self, project: Project) -> None:
        self._tree.blockSignals(True)
        self._tree.clear()
        self._items, self._groups = {}, {}
        self._rows, self._told = _rows(project), project
        # put together outside of the tree, which would look at each word that is written
        root = self._root = QTreeWidgetItem()
        self._item(root, PROJECT, project.title or tr(texts.elements.PROJECT))
        self._project, self._people = project, {one.path: one for one in people(project)}
        for path, one in self._people.items():
            self._item(self._group(tr("People")), path, one.name)
        everything = self._rows[len(self._people) + 1 :]
        kinds: dict[str, set[str]] = {}
        for path, _, group in everything:
            kinds.setdefault(group, set()).add(path.split("/", 1)[0])
        for path, text, group in everything:
            if group:
                several = len(kinds[group]) > 1
                heading = f"{group}/{_list_title(path)}" if several else group
                self._item(self._group(heading), path, text)
        for path, text, group in everything:
            if not group:
                self._item(self._group(_list_title(path)), path, text)
        self._item(root, START, tr(texts.elements.START))
        self._paint()
        self._tree.blockSignals(True)
        self._tree.addTopLevelItems(root.takeChildren())
        for item in self._groups.values():
            item.setExpanded(True)
        self._tree.blockSignals(False)

    def _group(self, name: str) -> QTreeWidgetItem:
        """Find or make a heading; slashes nest."""
        if name not in self._groups:
            above, _, last = name.rpartition("/")
            parent = self._group(above) if above else self._root
            item = QTreeWidgetItem(parent, [last])
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDropEnabled)
            self._groups[name] = item
        return self._groups[name]

    def _item(self, parent: QTreeWidgetItem, path: str, text: str) -> None:
        item = QTreeWidgetItem(parent, [text])
        item.setData(NAME, PATH, path)
        kind = kind_word(path)
        item.setData(NAME, WORDS, f"{text} {path} {kind}".casefold())
        flags = item.flags() | Qt.ItemFlag.ItemIsDropEnabled
        if path not in (PROJECT, START):
            flags |= Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled
        tip = f"{text}: {kind} '{path.rpartition('/')[2]}'" if path else text
        if path.startswith(PEOPLE):
            flags &= ~(Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled)
            tip = _tip(self._people[path])
        item.setFlags(flags)
        item.setToolTip(NAME, tip)
        self._items.setdefault(path, item)

    def _paint(self) -> None:
        muted = QBrush(QColor(self._theme.muted))
        self._tree.blockSignals(True)
        for path, item in self._items.items():
            kind = "body" if path.startswith(PEOPLE) else path.split("/", 1)[0]
            item.setIcon(NAME, icon(kind, self._theme.muted))
        for group in self._groups.values():
            group.setForeground(NAME, muted)
        self._tree.blockSignals(False)
        self._paint_marks()

    def _paint_marks(self) -> None:
        """Put a mark beside what has a problem, and beside closed headings above it."""
        self._tree.blockSignals(True)
        t = self._theme
        for path, item in self._items.items():
            fault = self._faults.get(path)
            if fault is None and not item.toolTip(MARK):
                continue
            if fault is None:
                item.setData(MARK, Qt.ItemDataRole.DecorationRole, None)
                item.setToolTip(MARK, "")
            else:
                colour = t.error if fault.severity == "error" else t.warning
                item.setIcon(MARK, severity_icon(fault.severity, colour))
                item.setToolTip(MARK, f"{fault.sentence} {fault.hint}".rstrip())
        self._tree.blockSignals(False)

    def _filter(self, text: str) -> None:
        """Hide what does not contain every word of the search."""
        words = text.casefold().split()
        for item in self._items.values():
            item.setHidden(not all(word in item.data(NAME, WORDS) for word in words))
        for group in reversed(self._groups.values()):
            group.setHidden(all(child.isHidden() for child in children_of(group)))
            if words:
                group.setExpanded(True)

    def _on_selection(self) -> None:
        paths = self.tree.paths()
        if paths:
            whole = [self._people[p].paths if p in self._people else (p,) for p in paths]
            self.chosen.emit(list(dict.fromkeys(one for paths in whole for one in paths)))

    def _on_edited(self, item: QTreeWidgetItem, column: int) -> None:
        # an element may be deleted while its name is typed
        path = item.data(NAME, PATH) if isValid(item) else None
        if column == NAME and path:
            old = next((text for one, text, _ in self._rows if one == path), "")
            # whose it is stands behind the name, and is none of it
            name = called_at(self._project, path) if path.partition("/")[0] in LISTS else old
            new = item.text(NAME).strip().removesuffix(old.removeprefix(name)).strip()
            self.tree.blockSignals(True)
            item.setText(NAME, old)
            self.tree.blockSignals(False)
            if new and new != name:
                self.renamed.emit(str(path), new)

    def _on_drop(self, paths: list[str], item: QTreeWidgetItem | None) -> None:
        target = item.data(NAME, PATH) if item is not None else None
        group = next((name for name, one in self._groups.items() if one is item), "")
        self.dropped.emit(paths, str(target or ""), group)

    def _on_menu(self, at: QPoint) -> None:
        if self.menu is not None:
            self.menu.popup(self.tree.viewport().mapToGlobal(at))


def _reads_alike(before: Project, after: Project) -> bool:
    """Whether two versions are listed alike, which is found by what differs alone: to name hundreds of contacts takes long."""
    if before.title != after.title or _of_people(before) != _of_people(after):
        return False
    for name in LISTS:
        old, new = getattr(before, name), getattr(after, name)
        if len(old) != len(new):
            return False
        changed = ((a, b) for a, b in zip(old, new, strict=True) if a is not b) if old is not new else ()  # fmt: skip
        if any(_says(a) != _says(b) for a, b in changed):
            return False
    return True


def _says(item: Any) -> tuple[object, ...]:
    """What names of elements read of one: its own, and what of it contacts are called by."""
    surfaces = tuple((one.id, one.name) for one in getattr(item, "surfaces", ()))
    met = tuple(getattr(item, name, None) for name in ("first", "second", "surface", "plane"))
    return (type(item), item.id, item.name, item.group, surfaces, met)


def _of_people(project: Project) -> list[tuple[str, str, str]]:
    return [(one.path, one.name, "|".join(one.segments)) for one in people(project)]


def _rows(project: Project) -> list[tuple[str, str, str]]:
    rows = [(PROJECT, project.title, "")]
    rows += _of_people(project)
    for path, item in elements(project):
        rows.append((path, in_full(project, path.partition("/")[0], item), item.group))
    return rows


def _tip(one: Person) -> str:
    return tr("{name}: a person of {number} segments, {kg:.1f} kg", name=one.name, number=len(one.segments), kg=one.mass_kg)  # fmt: skip


def _list_title(path: str) -> str:
    name = path.split("/", 1)[0]
    return tr(str(Project.model_fields[name].title))


PATH = Qt.ItemDataRole.UserRole
WORDS = Qt.ItemDataRole.UserRole + 1
NAME, MARK, _MARK_PX = 0, 1, 26
PEOPLE = "people/"
"""Before the root of a person: its row stands for all segments."""


class ElementTree(QTreeWidget):
    """Select several, edit names in place, and tell what was dropped where."""

    dropped = Signal(list, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        with_properties(self, headerHidden=True, indentation=_INDENT_PX, uniformRowHeights=True)
        self.setAccessibleName(tr("Outline"))
        self.setColumnCount(2)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(MARK, QHeaderView.ResizeMode.Fixed)
        self.header().resizeSection(MARK, _MARK_PX)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room to names where there is little."""
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW_PX
        self.setIndentation(_CLOSE_PX if is_narrow else _INDENT_PX)
        self.header().resizeSection(MARK, _MARK_PX - 8 if is_narrow else _MARK_PX)

    def paths(self) -> list[str]:
        """The selected elements, the current one last."""
        current = self.currentItem()
        items = [item for item in self.selectedItems() if item is not current]
        if current is not None and current.isSelected():
            items.append(current)
        return [str(item.data(NAME, PATH)) for item in items if item.data(NAME, PATH) is not None]

    @guard
    def mimeData(self, items: Sequence[QTreeWidgetItem]) -> QMimeData:
        """Pack what the tree itself needs, and the elements for a plot."""
        return packed(ELEMENT, self.paths(), super().mimeData(items))

    @guard
    def edit(self, index, trigger=None, event=None):  # type: ignore[no-untyped-def]
        """Let only names be edited, not marks."""
        if trigger is None:
            return super().edit(index)
        if index.column() != NAME:
            return False
        return super().edit(index, trigger, event)

    @guard
    def dropEvent(self, event: QDropEvent) -> None:
        """Tell what was dropped; the document decides what that means."""
        item: QTreeWidgetItem | None = self.itemAt(event.position().toPoint())
        paths = self.paths()
        # the tree itself moves nothing: it is listed again from the document
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        if paths:
            self.dropped.emit(paths, item)
