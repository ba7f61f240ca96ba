"""Show and change who may touch what, and by which law, as a matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QTableView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.editing.examples import Offer, patterns, with_pattern
from app.elements import called, contact_ends, element_label, find, name_of
from app.features.editors.bar import Bar, LibraryButton, button
from app.features.editors.contact_cells import (
    Cell,
    MatrixModel,
    Missing,
    allowed,
    of_body,
    refused,
    why_not,
)
from app.fonts import em
from app.forms.choices import Choice
from app.forms.form_commands import FormCommands
from app.guard import guard
from app.look import Theme
from app.run_view.record import RunRecord
from app.widgets.own_keys import PassedOn
from app.widgets.sheet import Sheet
from app.with_properties import with_properties
from solver.base.words import msgid, plural, tr
from solver.bodies.library.inserting import Suggestion, with_suggested
from solver.project import Project
from solver.project.contact import PlaneContact

_FILTER = msgid("Filter by name")
_MOST_TOLD = 12


class ContactMatrix(QWidget):
    """A click lets a pair touch by the law that is chosen, or forbids it again."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.commands, self.path = commands, ""
        self.against = Choice()
        self.against.setAccessibleName(tr("Against"))
        self.against.setMinimumContentsLength(19)
        for title, value in (
            (tr("surfaces on planes"), "planes"),
            (tr("surfaces on surfaces"), "surfaces"),
        ):
            self.against.addItem(title, value)
        self.against.activated.connect(lambda _: self.refresh())
        self.law = Choice()
        self.law.setAccessibleName(tr("Law of new contacts"))
        self.law.setToolTip(
            tr("A click on a cell lets the pair touch by this law; another click forbids it")
        )
        self.law.setMinimumContentsLength(18)
        self.search = QLineEdit(placeholderText=tr(_FILTER), clearButtonEnabled=True)
        self.search.setMaximumWidth(200)
        self.search.setAccessibleName(tr(_FILTER))
        self.search.textChanged.connect(lambda _: self.refresh())
        self.missing = button(
            tr("Add missing contacts…"),
            tr("Look at what the library, or the run that is shown, says is missing, and add it"),
            self.look_at_missing,
        )
        self.missing.hide()
        self.examples = LibraryButton(
            tr("Examples"), patterns, self._take_pattern, lambda: self.commands.project
        )
        self.examples.setToolTip(
            tr(
                "Look at what touches what in the samples, as far as it fits this model, and take it with its laws"
            )
        )
        self.examples.looked_at.connect(self._look_at_pattern)
        self.bar = Bar(self.against, self.law, self.search, self.examples, self.missing)
        self.bar.heading.setText(tr(texts.words.MATRIX))
        self.table = MatrixTable()
        self.model = MatrixModel(self)
        self.table.setModel(self.model)
        self.current_run: Callable[[], RunRecord | None] = lambda: None
        """Gives the run of which is told what passed through what; the panel says which."""
        self.sheet: MissingSheet | None = None
        """The list of what is missing, while it is looked at."""
        self._missing = Missing(self, self.model.show_missing)
        self._missing.changed.connect(self._show_missing)
        self.table.horizontalHeader().sectionClicked.connect(self._on_column)
        self.table.verticalHeader().sectionClicked.connect(self._on_row)
        self.table.entered.connect(lambda at: self.bar.say(self.model.data(
            at, Qt.ItemDataRole.ToolTipRole)))  # fmt: skip
        self.table.clicked.connect(self._on_clicked)
        self.table.customContextMenuRequested.connect(self._on_menu)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.table, 1)

    def show_element(self, path: str) -> None:
        """Show the matrix; the pair of a selected contact, and what it touches."""
        self.path = path
        one = find(self.commands.project, path) if path.startswith("contacts/") else None
        if one is not None:
            kind = "planes" if isinstance(one, PlaneContact) else "surfaces"
            if kind != self.against.currentData():
                self.against.show_data(kind)
                self.search.clear()
        self.refresh()
        if one is not None:
            self._point_at(one)

    def refresh(self) -> None:
        """Show the present version."""
        self.model.show_project(
            self.commands.project, self.against.currentData(), self.search.text().strip()
        )
        self._missing.look(self.commands.project, self.current_run())
        chosen = self.law.currentData()
        laws = [(id_, self.model.law_names[id_]) for id_ in self.model.laws]
        shown = [(self.law.itemData(i), self.law.itemText(i)) for i in range(self.law.count())]
        wanted = [(id_, f"{n}  {name}") for n, (id_, name) in enumerate(laws, 1)]
        if shown != wanted:
            self.law.clear()
            for id_, text in wanted:
                self.law.addItem(text, id_)
            self.law.setCurrentIndex(max(0, self.law.findData(chosen)))
        if not self.model.rows or not self.model.columns:
            empty = (
                tr("There are no planes yet: Insert › Plane adds one.")
                if self.model.rows
                else tr("There are no surfaces yet: Insert › Segment adds one with a surface.")
            )
            self.bar.say(tr("Nothing has such a name.") if self.search.text() else empty)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.model.theme = theme
        self.table.set_theme(theme)

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space lets the selected pairs touch, Del forbids them."""
        cells = self._selected()
        if cells and event.key() == Qt.Key.Key_Space:
            self.allow(cells)
        elif cells and event.key() == Qt.Key.Key_Delete:
            self.forbid(cells)
        else:
            super().keyPressEvent(event)

    def allow(self, cells: list[Cell]) -> None:
        """Let pairs touch by the chosen law, as one step."""
        document = self.commands.document
        able = [cell for cell in cells if not why_not(document.project, cell)]
        if not able:
            self.bar.say(why_not(document.project, cells[0]) if cells else "")
            return
        project = allowed(document.project, able, self.law.currentData() or "")
        count = len(project.contacts) - len(document.project.contacts)
        text = plural("Allow a contact", "Allow {n} contacts", len(able))
        document.replace(project, text)
        self.refresh()
        self.bar.say(
            plural(
                "{n} contact added; {others} had been there and follow the chosen law now.",
                "{n} contacts added; {others} had been there and follow the chosen law now.",
                count,
                others=len(able) - count,
            )
        )

    def look_at_missing(self) -> None:
        """List what is missing, to be added or not."""
        if self.sheet is not None:
            self.sheet.raise_()
            return
        if not self.model.missing:
            return
        sheet = MissingSheet(self.window(), self.commands.document.project, self.model.missing)
        sheet.looked.connect(lambda one: self._point_at(one.contact))
        sheet.taken.connect(self.add_missing)
        sheet.finished.connect(self._forget_sheet)
        self.sheet = sheet
        sheet.show()

    def _forget_sheet(self) -> None:
        self.sheet = None

    def add_missing(self, wanted: Sequence[Suggestion]) -> None:
        """Add contacts that are missing, as one step."""
        document = self.commands.document
        project = document.project
        if not wanted:
            return
        made = with_suggested(project, wanted)
        text = plural("Add a missing contact", "Add {n} missing contacts", len(wanted))
        document.replace(made, text)
        self.refresh()
        self.bar.say(plural("{n} contact added.", "{n} contacts added.", len(wanted)))

    def _look_at_pattern(self) -> None:
        """Mark the pairs of the pattern at which mouse or keys are; once the menu closes, what is missing."""
        seen = self.examples.seen
        self.model.show_missing(self._missing.found if seen is None else seen.what.contacts)
        self.bar.say("" if seen is None else seen.tip)

    def _take_pattern(self, offer: Offer) -> None:
        """Add what fits of a pattern, with the laws that it needs, as one step."""
        document = self.commands.document
        made = with_pattern(document.project, offer.what)
        count = len(offer.what.contacts)
        document.replace(made, tr("Take what touches what from {title}", title=offer.title))
        self.refresh()
        self.bar.say(plural("{n} contact added.", "{n} contacts added.", count))

    def _show_missing(self) -> None:
        """Offer to add what is missing, and say why."""
        found = self.model.missing
        if self.sheet is not None and self.sheet.found != tuple(found):
            # the model is another one by now
            self.sheet.reject()
        self.missing.setVisible(bool(found))
        words = plural("Add {n} missing contact…", "Add {n} missing contacts…", len(found))
        self.missing.setText(words)
        lines = [f"{name_of(one.contact)}: {one.why}" for one in found[:_MOST_TOLD]]
        if len(found) > _MOST_TOLD:
            lines.append(tr("and {n} more", n=len(found) - _MOST_TOLD))
        self.missing.setToolTip("\n".join(lines))

    def forbid(self, cells: list[Cell]) -> None:
        """Take the contacts of pairs away, with what cannot be without them."""
        gone = refused(self.commands.project, cells)
        if gone:
            self.commands.document.delete(gone)
            self.refresh()

    def _on_clicked(self, index: QModelIndex) -> None:
        cells = self._selected()
        if len(cells) > 1:
            self.bar.say(
                tr(
                    "{n} pairs: Space lets them touch, Del forbids it, a right click shows more.",
                    n=len(cells),
                )
            )
            return
        there = self.model.contacts(index)
        cell = self.model.cell(index)
        lacking = None if there else self.model.suggestion(index)
        if lacking is not None:
            self.add_missing([lacking])
            return
        law = self.law.currentData()
        if not there or any(one.law != law for one in there):
            self.allow([cell])
        else:
            self.forbid([cell])

    def _on_column(self, column: int) -> None:
        side = self.model.columns[column].side
        if isinstance(side, str):
            self._menu_of([self.model.cell(self.model.index(row, column))
                           for row in range(self.model.rowCount())])  # fmt: skip

    def _on_row(self, row: int) -> None:
        self._menu_of([self.model.cell(self.model.index(row, column))
                       for column in range(self.model.columnCount())])  # fmt: skip

    def _on_menu(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        if index.isValid():
            self.menu(index).popup(self.table.viewport().mapToGlobal(at))

    def menu(self, index: QModelIndex) -> QMenu:
        """Offer what can be done with a cell, with all of a body, with a row and a column."""
        menu = self._new_menu()
        cell = self.model.cell(index)
        for one in self.model.contacts(index):
            path = f"contacts/{one.id}"
            menu.addAction(
                tr("Show the contact {name}", name=called(self.commands.project, one))
            ).triggered.connect(lambda _=False, path=path: self.commands.document.select(path))
        body = of_body(self.commands.project, cell.surface, self.model.rows)
        whole = [Cell(one, cell.other) for one in body]
        group = self.model.rows[index.row()].group or tr("the ungrouped")
        other = self.model.columns[index.column()].name
        for title, cells, do in (
            (msgid("Let all of {body} touch {other}"), whole, self.allow),
            (msgid("Let nothing of {body} touch {other}"), whole, self.forbid),
        ):
            text = tr(title, body=group, other=other)
            menu.addAction(text).triggered.connect(lambda _=False, cells=cells, do=do: do(cells))
        selected = self._selected()
        if len(selected) > 1:
            menu.addSeparator()
            self._offer(menu, selected)
        return menu

    def _menu_of(self, cells: list[Cell]) -> None:
        menu = self._new_menu()
        self._offer(menu, cells)
        menu.popup(self.cursor().pos())

    def _offer(self, menu: QMenu, cells: list[Cell]) -> None:
        for title, do in (
            (msgid("Let these {n} pairs touch"), self.allow),
            (msgid("Let none of these {n} pairs touch"), self.forbid),
        ):
            menu.addAction(tr(title, n=len(cells))).triggered.connect(
                lambda _=False, do=do: do(cells)
            )

    def _new_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _selected(self) -> list[Cell]:
        return [self.model.cell(index) for index in self.table.selectionModel().selectedIndexes()]

    def _point_at(self, contact: Any) -> None:
        """Bring the cell of a contact into sight."""
        first = contact.surface if isinstance(contact, PlaneContact) else contact.first
        other = contact.plane if isinstance(contact, PlaneContact) else contact.second
        row = next((i for i, h in enumerate(self.model.rows) if h.side == first), -1)
        column = next((i for i, h in enumerate(self.model.columns) if h.side == other), -1)
        if row >= 0 and column >= 0:
            index = self.model.index(row, column)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index)
            self.law.show_data(contact.law)
            self.bar.say(self.model.data(index, Qt.ItemDataRole.ToolTipRole))


_HEAD_PX, _CELL_PX = 116, 30


class SlantedHeads(QHeaderView):
    """Write the names of columns upwards, so that many columns stay in sight."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(_CELL_PX)
        self.setDefaultSectionSize(_CELL_PX)

    @guard
    def sizeHint(self) -> QSize:
        """Take the height of a long name."""
        return QSize(super().sizeHint().width(), _HEAD_PX)

    @guard
    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Write one name from below upwards."""
        name = str(self.model().headerData(section, Qt.Orientation.Horizontal, 0) or "")
        painter.save()
        painter.translate(rect.left(), rect.bottom())
        painter.rotate(-90)
        text = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, rect.height() - 8)
        painter.setPen(self.palette().text().color())
        painter.drawText(
            QRect(4, 0, rect.height() - 6, rect.width()), int(Qt.AlignmentFlag.AlignVCenter), text
        )
        painter.restore()


class MatrixTable(PassedOn, QTableView):
    """Show cells; Space and Del reach the matrix around them."""

    own_keys = ("Space", "Del")

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalHeader(SlantedHeads(self))
        rows = self.verticalHeader()
        rows.setDefaultSectionSize(22)
        rows.setSectionsClickable(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setAccessibleName(tr(texts.words.MATRIX))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.setStyleSheet(
            f"QTableView {{ background: {theme.panel}; gridline-color: {theme.line}; }}"
            f"QTableCornerButton::section {{ background: {theme.panel}; border: none; }}"
        )


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
        self.column.addWidget(with_properties(words, objectName="muted", wordWrap=True))
        self.tree = with_properties(QTreeWidget(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setAccessibleName(tr("Missing contacts"))
        self.tree.setHeaderLabels([tr("May touch"), tr("What"), tr("Law"), tr("Why")])
        self.tree.setMinimumHeight(round(_HIGH_EM * em()))
        laws = {law.id: called(project, law) for law in project.contact_laws}
        for one in self.found:
            ends = [element_label(project, end) for end in contact_ends(one.contact)]
            law = str(getattr(one.contact, "law", ""))
            item = QTreeWidgetItem(self.tree, [*ends, laws.get(law, law), str(one.why)])
            item.setCheckState(0, Qt.CheckState.Checked)
            item.setToolTip(3, str(one.why))
        header = self.tree.header()
        for column in range(3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.why = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.tree.currentItemChanged.connect(lambda *_: self._look())
        self.tree.itemChanged.connect(lambda *_: self._count())
        self.column.addWidget(self.tree, 1)
        self.column.addWidget(self.why)
        self.add = with_properties(QPushButton(), objectName="primary", default=True)
        self.add.clicked.connect(self._take)
        close = QPushButton(tr("Cancel"))
        close.clicked.connect(self.reject)
        self.add_buttons(close, self.add)
        self._count()
        if self.found:
            self.tree.setCurrentItem(self._item(0))

    def ticked(self) -> list[Suggestion]:
        """What shall be added."""
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
