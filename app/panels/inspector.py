"""Show the numbers of the selected element; units and help come from the schema."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.change import Change
from app.elements import PROJECT, START, find, kind_word, spoken
from app.forms.facts import Fact, facts, used_by
from app.look import LIGHT, Theme
from solver.project import LISTS, Project

_LINK = Qt.ItemDataRole.UserRole
_USUAL = Qt.ItemDataRole.UserRole + 1


class Inspector(QWidget):
    """Say what the selected element is, and lead to its neighbours."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.heading = QLabel(objectName="heading", wordWrap=True)
        self.kind = QLabel(objectName="muted")
        self.note = QLabel(objectName="muted", wordWrap=True)
        self.tree = QTreeWidget(headerHidden=True, indentation=10, columnCount=2)
        self.tree.setAccessibleName("Inspector")
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.tree.header().setStretchLastSection(True)
        self.tree.setColumnWidth(0, 130)
        self.tree.itemClicked.connect(self._on_click)
        self.tree.itemActivated.connect(self._on_click)
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        top.addWidget(self.kind, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        top.setContentsMargins(0, 0, 4, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 8, 0)
        layout.setSpacing(8)
        layout.addLayout(top)
        layout.addWidget(self.note)
        layout.addWidget(self.tree, 1)
        self._theme = LIGHT
        self._path = PROJECT

    def show_element(self, project: Project, path: str) -> None:
        """Show an element, the start, or the project as a whole."""
        self._path = path
        item = find(project, path)
        self.heading.setText(spoken(project, path))
        self.kind.setText(kind_word(path))
        said = [getattr(item, "note", ""), getattr(item, "source", "")]
        said[1] = f"Source: {said[1]}" if said[1] else ""
        self.note.setText("\n".join(words for words in said if words))
        self.note.setVisible(bool(self.note.text()))
        self.tree.clear()
        root = self.tree.invisibleRootItem()
        if item is None:
            return
        for fact in facts(project, item):
            self._add(root, fact)
        if path == PROJECT:
            self._add_counts(root, project)
        uses = [] if path in (PROJECT, START) else used_by(project, path)
        if uses:
            section = self._add(root, Fact("Used by", str(len(uses)), inside=uses))
            section.setExpanded(len(uses) <= 16)
        self._paint()

    def update_project(self, change: Change) -> None:
        """Show another version of the same element."""
        self.show_element(change.after, self._path)

    def set_theme(self, theme: Theme) -> None:
        """Colour labels and links anew."""
        self._theme = theme
        self._paint()

    def _add_counts(self, root: QTreeWidgetItem, project: Project) -> None:
        for name in LISTS:
            count = len(getattr(project, name))
            if count:
                info = Project.model_fields[name]
                self._add(root, Fact(info.title or name, str(count), info.description or ""))

    def _add(self, parent: QTreeWidgetItem, fact: Fact) -> QTreeWidgetItem:
        item = QTreeWidgetItem(parent, [fact.label, fact.value])
        item.setToolTip(0, f"{fact.label}\n{fact.help}".rstrip())
        item.setToolTip(1, "\n".join(t for t in (fact.full or fact.value, fact.help) if t))
        item.setData(0, _LINK, fact.link)
        item.setData(0, _USUAL, fact.usual)
        for one in fact.inside:
            self._add(item, one)
        item.setExpanded(bool(fact.inside) and not fact.usual)
        return item

    def _paint(self) -> None:
        """Mute labels, colour links, and grey what is at its usual value."""
        muted, link = QBrush(QColor(self._theme.muted)), QBrush(QColor(self._theme.accent))
        text = QBrush(QColor(self._theme.text))
        waiting = [self.tree.invisibleRootItem()]
        bold = QFont(self.tree.font())
        bold.setWeight(QFont.Weight.DemiBold)
        while waiting:
            item = waiting.pop()
            children = [item.child(i) for i in range(item.childCount())]
            for child in children:
                child.setForeground(0, text if child.childCount() else muted)
                if child.childCount() and not child.data(0, _USUAL):
                    child.setFont(0, bold)
                usual = muted if child.data(0, _USUAL) else text
                child.setForeground(1, link if child.data(0, _LINK) else usual)
            waiting.extend(children)

    def _on_click(self, item: QTreeWidgetItem, column: int) -> None:
        path = item.data(0, _LINK)
        if path and column == 1:
            self.chosen.emit(path)
