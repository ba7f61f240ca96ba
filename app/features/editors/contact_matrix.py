"""Show and change who may touch what, and by which law, as a matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QVBoxLayout, QWidget

from app import texts
from app.elements import called, find, name_of
from app.features.editors.bar import Bar, button
from app.features.editors.contact_cells import Cell, allowed, of_body, refused, why_not
from app.features.editors.matrix_model import MatrixModel
from app.features.editors.matrix_table import MatrixTable
from app.features.editors.missing import Missing
from app.features.editors.missing_sheet import MissingSheet
from app.forms.choices import Choice
from app.forms.form_commands import FormCommands
from app.guard import guard
from app.look import Theme
from app.study.record import RunRecord
from solver.base.words import msgid, plural, tr
from solver.bodies.library.suggesting import Suggestion, with_suggested
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
        self.bar = Bar(self.against, self.law, self.search, self.missing)
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

    def _show_missing(self) -> None:
        """Offer to add what is missing, and say why."""
        found = self.model.missing
        if self.sheet is not None and self.sheet.found != tuple(found):
            # the model is another one by now
            self.sheet.reject()
        self.missing.setVisible(bool(found))
        words = plural("Add {n} missing contact…", "Add {n} missing contacts…", len(found))
        self.missing.setText(words)
        told = [f"{name_of(one.contact)}: {one.why}" for one in found[:_MOST_TOLD]]
        if len(found) > _MOST_TOLD:
            told.append(tr("and {n} more", n=len(found) - _MOST_TOLD))
        self.missing.setToolTip("\n".join(told))

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
