"""Show which contacts are missing before they are added: who would touch what, by which law, and why."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.elements import called, contact_ends, spoken
from app.fonts import em
from app.having import having
from app.widgets.sheet import Sheet
from solver.base.words import plural, tr
from solver.bodies.library.suggesting import Suggestion
from solver.project import Project

_WIDE_EM, _HIGH_EM = 56.0, 16.0


class MissingSheet(Sheet):
    """List what is missing, all of it ticked; a row shows its pair in the matrix beside."""

    looked = Signal(object)
    """The suggestion of the current row."""
    taken = Signal(list)
    """The suggestions that are ticked shall be added."""

    def __init__(self, parent: QWidget, project: Project, found: Sequence[Suggestion]) -> None:
        super().__init__(parent, tr("Missing contacts"), "guide#editors", width_em=_WIDE_EM)
        self.found = tuple(found)
        words = QLabel(
            tr(
                "What is ticked is added as one step, which can be undone. A row shows its pair in the matrix."
            )
        )
        self.column.addWidget(having(words, objectName="muted", wordWrap=True))
        self.tree = having(QTreeWidget(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setAccessibleName(tr("Missing contacts"))
        self.tree.setHeaderLabels([tr("May touch"), tr("What"), tr("Law"), tr("Why")])
        self.tree.setMinimumHeight(round(_HIGH_EM * em()))
        laws = {law.id: called(project, law) for law in project.contact_laws}
        for one in self.found:
            ends = [spoken(project, end) for end in contact_ends(one.contact)]
            law = str(getattr(one.contact, "law", ""))
            item = QTreeWidgetItem(self.tree, [*ends, laws.get(law, law), str(one.why)])
            item.setCheckState(0, Qt.CheckState.Checked)
            item.setToolTip(3, str(one.why))
        header = self.tree.header()
        for column in range(3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.why = having(QLabel(), objectName="muted", wordWrap=True)
        self.tree.currentItemChanged.connect(lambda *_: self._look())
        self.tree.itemChanged.connect(lambda *_: self._count())
        self.column.addWidget(self.tree, 1)
        self.column.addWidget(self.why)
        self.add = having(QPushButton(), objectName="primary", default=True)
        self.add.clicked.connect(self._take)
        close = QPushButton(tr("Cancel"))
        close.clicked.connect(self.reject)
        self.add_buttons(close, self.add)
        self._count()
        if self.found:
            self.tree.setCurrentItem(self._item(0))

    def ticked(self) -> list[Suggestion]:
        """Give what shall be added."""
        rows = range(self.tree.topLevelItemCount())
        return [
            one
            for row, one in zip(rows, self.found, strict=True)
            if self._item(row).checkState(0) == Qt.CheckState.Checked
        ]

    def _item(self, row: int) -> QTreeWidgetItem:
        item = self.tree.topLevelItem(row)
        assert item is not None
        return item

    def _count(self) -> None:
        count = len(self.ticked())
        self.add.setText(plural("Add {n} contact", "Add {n} contacts", count))
        self.add.setEnabled(count > 0)

    def _look(self) -> None:
        row = self.tree.currentIndex().row()
        if row >= 0:
            # the column shows its beginning
            self.why.setText(str(self.found[row].why))
            self.looked.emit(self.found[row])

    def _take(self) -> None:
        chosen = self.ticked()
        self.accept()
        self.taken.emit(chosen)
