"""Show and change who may touch what, and by which law, as a matrix."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.editors.bar import Bar
from app.editors.contact_cells import (
    Cell,
    Heading,
    allowed,
    contacts_by_pair,
    of_body,
    planes,
    refused,
    surfaces,
    why_not,
)
from app.editors.own_keys import PassedOn
from app.elements import called, find, name_of
from app.forms.choices import Choice
from app.forms.hands import Hands
from app.look import LIGHT, Theme
from app.plots.plot import LINES
from app.told import told
from solver.project import Project
from solver.project.contact import WEBBING_KINDS, PlaneContact
from solver.project.geometry import SurfaceRef

_NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex
_HEAD_PX, _CELL_PX = 116, 30
_BRIGHT = 0.45
"""Lightness from which a colour has dark digits on it."""


class MatrixModel(QAbstractTableModel):
    """Hold rows of surfaces, columns of planes or surfaces, and the law of each pair."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.project: Project = Project()
        self.rows: list[Heading] = []
        self.columns: list[Heading] = []
        self.found: dict[Any, Any] = {}
        self.laws: list[str] = []
        self.law_names: dict[str, str] = {}

    def show_project(self, project: Project, against: str, words_: str) -> None:
        """Show the pairs whose names hold some words."""
        wanted = words_.casefold()
        rows = surfaces(project)
        columns = planes(project) if against == "planes" else list(rows)
        pairs = contacts_by_pair(project)
        if wanted:
            of_rows = [h for h in rows if wanted in f"{h.name} {h.group}".casefold()]
            of_columns = [h for h in columns if wanted in f"{h.name} {h.group}".casefold()]
            # a name of a column alone shows that column with all surfaces
            rows, columns = of_rows or rows, of_columns if not of_rows else columns
        keep = rows == self.rows and columns == self.columns
        if not keep:
            self.beginResetModel()
        self.project, self.found = project, pairs
        self.rows, self.columns = rows, columns
        self.laws = [law.id for law in project.contact_laws if law.kind not in WEBBING_KINDS]
        self.law_names = {law.id: name_of(law) for law in project.contact_laws}
        if keep:
            corner = self.index(len(rows) - 1, len(columns) - 1)
            self.dataChanged.emit(self.index(0, 0), corner)
        else:
            self.endResetModel()

    @told
    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Count the surfaces."""
        return 0 if parent.isValid() else len(self.rows)

    @told
    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Count the planes or surfaces."""
        return 0 if parent.isValid() else len(self.columns)

    @told
    def headerData(self, section: int, way: Qt.Orientation, role: int = 0) -> Any:
        """Name rows and columns."""
        heads = self.columns if way == Qt.Orientation.Horizontal else self.rows
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return heads[section].name
        return None

    def cell(self, index: Index) -> Cell:
        """Give the pair of a cell."""
        row, column = self.rows[index.row()], self.columns[index.column()]
        assert isinstance(row.side, SurfaceRef)
        return Cell(row.side, column.side)

    def contacts(self, index: Index) -> list[Any]:
        """Give the contacts of a cell."""
        cell = self.cell(index)
        return list(self.found.get((cell.surface, cell.other), ()))

    @told
    def data(self, index: Index, role: int = 0) -> Any:
        """Write the number of the law in its colour; the tip says it in words."""
        there = self.contacts(index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignCenter)
        if role == Qt.ItemDataRole.BackgroundRole:
            if there:
                return self.colour(there[0].law)
            if why_not(self.project, self.cell(index)):
                return QColor(self.theme.line)
        if role == Qt.ItemDataRole.ForegroundRole and there:
            # what reads better on the law's colour
            bright = self.colour(there[0].law).lightnessF() > _BRIGHT
            return QColor("#1a1a1a" if bright else "#ffffff")
        if role == Qt.ItemDataRole.DisplayRole and there:
            return str(self.number(there[0].law)) + ("+" if len(there) > 1 else "")
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            pair = f"{self.rows[index.row()].name} – {self.columns[index.column()].name}"
            if not there:
                reason = why_not(self.project, self.cell(index))
                return f"{pair}: {reason or texts.editors.NOT_ALLOWED}"
            named = ", ".join(self.law_names.get(one.law, one.law) for one in there)
            return f"{pair}: {named}"
        return None

    def number(self, law: str) -> int:
        """Give the number of a law among those of surfaces, from 1."""
        return self.laws.index(law) + 1 if law in self.laws else 0

    def colour(self, law: str) -> QColor:
        """Give a law's colour."""
        return QColor(LINES[(self.number(law) - 1) % len(LINES)])


class _Slanted(QHeaderView):
    """Write the names of columns upwards, so that many columns stay in sight."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(_CELL_PX)
        self.setDefaultSectionSize(_CELL_PX)

    @told
    def sizeHint(self) -> QSize:
        """Take the height of a long name."""
        return QSize(super().sizeHint().width(), _HEAD_PX)

    @told
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


class _Table(PassedOn, QTableView):
    """Let Space and Del reach the matrix around it."""

    own_keys = ("Space", "Del")


class ContactMatrix(QWidget):
    """A click lets a pair touch by the law that is chosen, or forbids it again."""

    def __init__(self, hands: Hands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hands, self.path = hands, ""
        self.against = Choice()
        self.against.setAccessibleName(texts.editors.AGAINST)
        self.against.setMinimumContentsLength(19)
        for title, value in (
            (texts.editors.AGAINST_PLANES, "planes"),
            (texts.editors.AGAINST_SURFACES, "surfaces"),
        ):
            self.against.addItem(title, value)
        self.against.activated.connect(lambda _: self.refresh())
        self.law = Choice()
        self.law.setAccessibleName(texts.editors.WITH_LAW)
        self.law.setToolTip(texts.editors.WITH_LAW_TIP)
        self.law.setMinimumContentsLength(18)
        self.search = QLineEdit(placeholderText=texts.editors.FILTER, clearButtonEnabled=True)
        self.search.setMaximumWidth(200)
        self.search.setAccessibleName(texts.editors.FILTER)
        self.search.textChanged.connect(lambda _: self.refresh())
        self.bar = Bar(self.against, self.law, self.search)
        self.bar.heading.setText(texts.editors.MATRIX)
        self.table = _Table()
        self.model = MatrixModel(self)
        self.table.setModel(self.model)
        self.table.setHorizontalHeader(_Slanted(self.table))
        self.table.horizontalHeader().sectionClicked.connect(self._on_column)
        rows = self.table.verticalHeader()
        rows.setDefaultSectionSize(22)
        rows.setSectionsClickable(True)
        rows.sectionClicked.connect(self._on_row)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setFrameShape(QTableView.Shape.NoFrame)
        self.table.setTabKeyNavigation(False)
        self.table.setMouseTracking(True)
        self.table.setAccessibleName(texts.editors.MATRIX)
        self.table.entered.connect(lambda at: self.bar.say(self.model.data(
            at, Qt.ItemDataRole.ToolTipRole)))  # fmt: skip
        self.table.clicked.connect(self._on_clicked)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_menu)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.table, 1)

    def show_element(self, path: str) -> None:
        """Show the matrix; the pair of a selected contact, and what it touches."""
        self.path = path
        one = find(self.hands.project, path) if path.startswith("contacts/") else None
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
            self.hands.project, self.against.currentData(), self.search.text().strip()
        )
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
            empty = texts.editors.NO_PLANES if self.model.rows else texts.editors.NO_SURFACES
            self.bar.say(texts.editors.NOTHING_FOUND if self.search.text() else empty)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.model.theme = theme
        self.table.setStyleSheet(
            f"QTableView {{ background: {theme.panel}; gridline-color: {theme.line}; }}"
            f"QTableCornerButton::section {{ background: {theme.panel}; border: none; }}"
        )

    @told
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
        document = self.hands.document
        able = [cell for cell in cells if not why_not(document.project, cell)]
        if not able:
            self.bar.say(why_not(document.project, cells[0]) if cells else "")
            return
        project = allowed(document.project, able, self.law.currentData() or "")
        count = len(project.contacts) - len(document.project.contacts)
        text = (
            texts.editors.ALLOWED_ONE
            if len(able) == 1
            else texts.editors.ALLOWED.format(n=len(able))
        )
        document.replace(project, text)
        self.refresh()
        self.bar.say(texts.editors.ALLOWED_NOW.format(n=count, others=len(able) - count))

    def forbid(self, cells: list[Cell]) -> None:
        """Take the contacts of pairs away, with what cannot be without them."""
        gone = refused(self.hands.project, cells)
        if gone:
            self.hands.document.delete(gone)
            self.refresh()

    def _on_clicked(self, index: QModelIndex) -> None:
        cells = self._selected()
        if len(cells) > 1:
            self.bar.say(texts.editors.MANY_CELLS.format(n=len(cells)))
            return
        there = self.model.contacts(index)
        cell = self.model.cell(index)
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
                texts.editors.SHOW_CONTACT.format(name=called(self.hands.project, one))
            ).triggered.connect(lambda _=False, path=path: self.hands.document.select(path))
        body = of_body(self.hands.project, cell.surface, self.model.rows)
        whole = [Cell(one, cell.other) for one in body]
        group = self.model.rows[index.row()].group or texts.editors.NO_GROUP
        other = self.model.columns[index.column()].name
        for title, cells, do in (
            (texts.editors.ALLOW_BODY, whole, self.allow),
            (texts.editors.FORBID_BODY, whole, self.forbid),
        ):
            text = title.format(body=group, other=other)
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
            (texts.editors.ALLOW_ALL, self.allow),
            (texts.editors.FORBID_ALL, self.forbid),
        ):
            menu.addAction(title.format(n=len(cells))).triggered.connect(
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
