"""Show the document as a tree of groups and elements, with a search field."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.elements import PROJECT, START, element_path, elements, kind_word, name_of
from app.look import LIGHT, Theme
from solver.project import Problem, Project

_PATH = Qt.ItemDataRole.UserRole
_WORDS = Qt.ItemDataRole.UserRole + 1
_MANY, _FEW = 12, 6
"""Headings with more entries than this begin closed, on the first level and below it."""


class Outline(QWidget):
    """Let people find and select elements."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.search = QLineEdit(placeholderText="Search the model", clearButtonEnabled=True)
        self.search.textChanged.connect(self._filter)
        self.tree = QTreeWidget(headerHidden=True, indentation=14, uniformRowHeights=True)
        self.tree.setAccessibleName("Outline")
        self.tree.currentItemChanged.connect(self._on_current)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 0, 0)
        layout.setSpacing(8)
        above = QHBoxLayout()
        above.setContentsMargins(0, 0, 8, 0)
        above.addWidget(self.search)
        layout.addLayout(above)
        layout.addWidget(self.tree)
        self._items: dict[str, QTreeWidgetItem] = {}
        self._groups: dict[str, QTreeWidgetItem] = {}
        self._faults: dict[str, str] = {}
        self._theme = LIGHT

    def show_project(self, project: Project, problems: Iterable[Problem]) -> None:
        """List a project: groups first as they come, then what has no group by kind."""
        self.tree.blockSignals(True)
        self.search.clear()
        self.tree.clear()
        self._items, self._groups = {}, {}
        self._item(self.tree.invisibleRootItem(), PROJECT, project.title or "Project")
        everything = list(elements(project))
        for path, item in everything:
            if item.group:
                heading = self._heading(item.group, path, everything)
                self._item(heading, path, name_of(item))
        for path, item in everything:
            if not item.group:
                title = _list_title(path)
                self._item(self._group(title), path, name_of(item))
        self._item(self.tree.invisibleRootItem(), START, "Start")
        for group in self._groups.values():
            group.setExpanded(group.childCount() <= (_MANY if group.parent() is None else _FEW))
        self._mark(problems)
        self.tree.setCurrentItem(self._items[PROJECT])
        self.tree.blockSignals(False)

    def select(self, path: str) -> None:
        """Show an element as selected, and bring it into view."""
        item = self._items.get(path)
        if item is not None and item is not self.tree.currentItem():
            self.tree.setCurrentItem(item)
            self.tree.scrollToItem(item)

    def selected(self) -> str:
        """Give the path of the selected element."""
        item = self.tree.currentItem()
        return str(item.data(0, _PATH) or "") if item is not None else ""

    def visible_paths(self) -> list[str]:
        """List the elements that the search leaves."""
        return [path for path, item in self._items.items() if not item.isHidden()]

    def set_theme(self, theme: Theme) -> None:
        """Paint the marks of problems anew."""
        self._theme = theme
        self._paint_marks()

    def _heading(self, group: str, path: str, everything: list) -> QTreeWidgetItem:  # type: ignore[type-arg]
        """Find the group; below it a heading for each kind where it holds several kinds."""
        kinds = {p.split("/", 1)[0] for p, item in everything if item.group == group}
        if len(kinds) == 1:
            return self._group(group)
        return self._group(f"{group}/{_list_title(path)}")

    def _group(self, name: str) -> QTreeWidgetItem:
        """Find or make a heading; slashes nest."""
        if name not in self._groups:
            above, _, last = name.rpartition("/")
            parent = self._group(above) if above else self.tree.invisibleRootItem()
            item = QTreeWidgetItem(parent, [last])
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item.setForeground(0, QBrush(QColor(self._theme.muted)))
            self._groups[name] = item
        return self._groups[name]

    def _item(self, parent: QTreeWidgetItem, path: str, text: str) -> None:
        item = QTreeWidgetItem(parent, [text])
        item.setData(0, _PATH, path)
        item.setData(0, _WORDS, f"{text} {path} {kind_word(path)}".casefold())
        item.setToolTip(
            0, f"{text}: {kind_word(path)} '{path.rpartition('/')[2]}'" if path else text
        )
        self._items.setdefault(path, item)

    def _mark(self, problems: Iterable[Problem]) -> None:
        self._faults = {}
        for problem in problems:
            path = element_path(problem.path)
            if path and problem.severity != "note" and self._faults.get(path) != "error":
                self._faults[path] = problem.severity
        for path in self._faults:
            if path in self._items:
                item = self._items[path]
                item.setText(0, f"{item.text(0)}  ▲")
        self._paint_marks()

    def _paint_marks(self) -> None:
        for path, severity in self._faults.items():
            if path in self._items:
                colour = self._theme.error if severity == "error" else self._theme.warning
                self._items[path].setForeground(0, QBrush(QColor(colour)))
        for group in self._groups.values():
            group.setForeground(0, QBrush(QColor(self._theme.muted)))

    def _filter(self, text: str) -> None:
        """Hide what does not contain every word of the search."""
        words = text.casefold().split()
        for item in self._items.values():
            item.setHidden(not all(word in item.data(0, _WORDS) for word in words))
        for group in reversed(self._groups.values()):
            children = [group.child(i) for i in range(group.childCount())]
            group.setHidden(all(child.isHidden() for child in children))
            if words:
                group.setExpanded(True)

    def _on_current(self, item: QTreeWidgetItem | None, _: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(0, _PATH) is not None:
            self.chosen.emit(str(item.data(0, _PATH)))


def _list_title(path: str) -> str:
    name = path.split("/", 1)[0]
    return str(Project.model_fields[name].title)
