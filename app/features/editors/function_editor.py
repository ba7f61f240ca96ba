"""Edit a function: drag its points, type them, paste them, read them from a file, or give a formula."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.curves.canvas import Canvas
from app.curves.csv_dialog import ask_for_table, beside, open_csv
from app.curves.points import (
    NotATable,
    Points,
    in_order,
    moved,
    put_in,
    read_table,
    units_text,
    with_point,
    without,
)
from app.editing.examples import Offer, functions_like
from app.editing.shape import field_of, word_label
from app.elements import find, name_of
from app.features.editors.bar import Bar, LibraryButton, button
from app.features.editors.table import PointsTable
from app.forms.choices import Choice
from app.forms.form import Form
from app.forms.form_commands import FormCommands
from app.forms.units import Units
from app.look import LIGHT, Theme
from app.with_properties import with_properties
from solver.base.words import msgid, plural, tr
from solver.engine.maths.rotation import Array
from solver.project.curves import CurveError, read_curve
from solver.project.forms import samples
from solver.project.functions import Constant, CsvCurve, Function, Table
from solver.project.schema import kind_words

_IMPORTED = msgid("Read points of {name} from a file")
_TABULATE = msgid("Make a table")


class FunctionEditor(QWidget):
    """Show one function as a curve, with its points or its formula beside it."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.commands, self._theme, self.path = commands, LIGHT, ""
        self.canvas = Canvas()
        self.canvas.dragged.connect(self._on_dragged)
        self.canvas.released.connect(commands.document.end_gesture)
        self.canvas.added.connect(self._on_added)
        self.canvas.removed.connect(lambda i: self._remove([i]))
        self.canvas.picked.connect(self._on_picked)
        self.table = PointsTable(lambda points: self._set(points, tr("Change points of {name}")))
        self.table.points.refused.connect(self._say)
        self.table.pasted.connect(self._on_pasted)
        self.table.clicked.connect(lambda at: self.canvas.pick(min(at.row(), self._count() - 1)))
        self.kind = Choice()
        self.kind.setAccessibleName(tr("Kind of function"))
        self.kind.setToolTip(tr("How the value follows from the argument"))
        for model in field_of(Function, "form").models:
            for one in kind_words(model):
                self.kind.addItem(word_label(one), one)
        self.kind.activated.connect(lambda _: self._change_kind())
        self.between = Choice()
        self.between.setAccessibleName(tr("Between points"))
        self.between.setToolTip(
            tr("How the points are joined; a position over time needs a spline")
        )
        for one in field_of(Table, "between").choices:
            self.between.addItem(word_label(one), one)
        self.between.activated.connect(lambda _: self._change_between())
        self.paste = button(tr("Paste"), tr("Put two columns from a spreadsheet in place of all points (Ctrl+V in the table)"), lambda: self._on_pasted(
            QApplication.clipboard().text(), 0, 0))  # fmt: skip
        self.copy = button(
            tr("Copy"), tr("Copy the points for a spreadsheet (Ctrl+C in the table)"), self._on_copy
        )
        self.csv = button(
            tr("From CSV…"),
            tr("Read the points from a file of numbers, with a choice of columns and units"),
            self._ask_for_csv,
        )
        self.tabulate = button(
            tr(_TABULATE),
            tr("Put points in place of the formula, to drag and type them"),
            self._tabulate,
        )
        self.library = LibraryButton(
            tr(texts.words.LIBRARY), functions_like, self._take_example, self.function
        )
        self.library.setToolTip(
            tr(
                "Look at functions of the library that have the same units beside this one, and take one in its place with its source"
            )
        )
        self.library.looked_at.connect(self.refresh)
        self.bar = Bar(self.kind, self.between, self.library, self.paste, self.copy, self.csv,
                       self.tabulate)  # fmt: skip
        self.hint = self.bar.hint
        self.beyond = with_properties(QLabel(""), objectName="muted")
        self.form_area = with_properties(QScrollArea(), objectName="form", widgetResizable=True)
        self.form: Form | None = None
        self.side = QStackedWidget()
        self.side.addWidget(self.table)
        self.side.addWidget(self.form_area)
        self._lay_out()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(4, 0, 0, 2)
        column.setSpacing(0)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.beyond)
        whole = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        whole.addWidget(left)
        whole.addWidget(self.side)
        whole.setStretchFactor(0, 1)
        whole.setSizes([900, 260])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(whole, 1)

    # showing

    def show_element(self, path: str) -> None:
        """Show a function."""
        if path != self.path:
            self.path = path
            self.canvas.current = -1
            self._say("")
            self.canvas.fit()
        self.refresh()

    def refresh(self) -> None:
        """Show the present version."""
        function = self.function()
        if function is None:
            return
        form, units = function.form, self.commands.units
        si = (function.x_unit, function.y_unit)
        self.bar.heading.setText(name_of(function))
        self.kind.show_data(form.kind)
        is_table = isinstance(form, Table)
        linked = isinstance(form, Table) and form.csv is not None
        self.between.setVisible(is_table)
        if isinstance(form, Table):
            self.between.show_data(form.between)
        self.paste.setVisible(is_table and not linked)
        self.copy.setVisible(is_table)
        self.tabulate.setVisible(not is_table or linked)
        self.tabulate.setText(tr("Copy the points in") if linked else tr(_TABULATE))
        points = self._points()
        self.canvas.name_axes("", "", units.name(si[0]), units.name(si[1]))
        self._draw(function, points)
        if is_table:
            self.side.setCurrentWidget(self.table)
            self.table.points.show_points(points, si, units, linked)
            if isinstance(form, Table) and form.csv is not None:
                self._say(
                    tr(
                        "The points stand in {file}; copy them in to change them here.",
                        file=form.csv.path,
                    )
                )
        else:
            self._show_form(function)
            self.side.setCurrentWidget(self.form_area)
        self.beyond.setText(beyond(form, points, si, units))

    def function(self) -> Function | None:
        """The function that is shown."""
        found = find(self.commands.project, self.path)
        return found if isinstance(found, Function) else None

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.canvas.set_theme(theme)

    def _draw(self, function: Function, points: Points) -> None:
        si = (function.x_unit, function.y_unit)
        x, y, ends = course(function.form, points)
        lines = []
        if len(x):
            for end_x, end_y in ends:
                lines.append((*self._shown(si, end_x, end_y), 0, "faint"))
            lines.append((*self._shown(si, x, y), 0, "solid"))
        if self.library.seen is not None:
            form = self.library.seen.what.form
            its = (form.x, form.y) if isinstance(form, Table) else ((), ())
            lines.append((*self._shown(si, *course(form, its)[:2]), 3, "beside"))
        handles: Any = ()
        if self._may_drag(function):
            handles = np.column_stack(self._shown(si, *points))
        self.canvas.show_lines(lines, handles)

    def _show_form(self, function: Function) -> None:
        path = f"{self.path}/form"
        if self.form is not None and self.form.is_true_for(path, function.form):
            self.form.refresh()
            return
        self.form = Form(self.commands, self._theme)
        self.form.setContentsMargins(8, 4, 8, 8)
        self.form.show_part(path, function.form, ("kind",), ())
        self.form.column.addStretch(1)
        old = self.form_area.takeWidget()
        if old is not None:
            old.deleteLater()
        self.form_area.setWidget(self.form)

    def _shown(self, si: tuple[str, str], x: Any, y: Any) -> tuple[Array, Array]:
        show = self.commands.units.shown_all
        return show(x, si[0]), show(y, si[1])

    def _points(self) -> Points:
        """The points of a table, from the file where one holds them."""
        function = self.function()
        if function is None or not isinstance(function.form, Table):
            return (), ()
        form, file = function.form, self.commands.document.path
        if form.csv is not None and not form.x and file is not None:
            try:
                return read_curve(form.csv, file.parent)
            except CurveError as failure:
                self._say(f"{failure} {failure.hint}".rstrip())
                return (), ()
        length = min(len(form.x), len(form.y))
        return form.x[:length], form.y[:length]

    def _may_drag(self, function: Function) -> bool:
        return isinstance(function.form, Table) and function.form.csv is None

    def _count(self) -> int:
        return len(self._points()[0])

    def _say(self, sentence: str) -> None:
        self.bar.say(sentence)

    # changing

    def _set(self, points: Points, text: str, merge_key: str | None = None) -> None:
        function = self.function()
        if function is None:
            return
        table = {"kind": "table", "x": points[0], "y": points[1]}
        if isinstance(function.form, Table):
            table["between"] = function.form.between
        text = tr(text, name=name_of(function))
        refusal = self.commands.document.edit(f"{self.path}/form", table, text, merge_key)
        self._say(refusal[0].sentence if refusal else "")

    def _si(self, x: float, y: float) -> tuple[float, float]:
        function = self.function()
        assert function is not None
        of = self.commands.units.from_shown
        return of(x, function.x_unit), of(y, function.y_unit)

    def _on_dragged(self, number: int, x: float, y: float) -> None:
        points = moved(*self._points(), number, *self._si(x, y))
        self._set(points, tr(texts.words.MOVED), merge_key=f"points/{self.path}")

    def _on_added(self, x: float, y: float) -> None:
        function = self.function()
        if function is None or not self._may_drag(function):
            self._say(tr("A formula has no points to add to: make a table of it first."))
            return
        points, at = with_point(*self._points(), *self._si(x, y))
        self.canvas.current = at
        self._set(points, tr("Add a point to {name}"))
        self._on_picked(at)

    def _on_picked(self, number: int) -> None:
        at = self.table.points.index(number, 0)
        self.table.setCurrentIndex(at)
        self.table.scrollTo(at)

    def _remove(self, gone: list[int]) -> None:
        self._set(without(*self._points(), gone), tr("Remove points of {name}"))

    def _on_copy(self) -> None:
        QApplication.clipboard().setText(self.table.copied())
        self._say(plural("Copied {n} point.", "Copied {n} points.", self._count()))

    def _on_pasted(self, text: str, row: int, column: int) -> None:
        """Put a pasted table in place of all points; one column goes where the cursor stands."""
        function = self.function()
        if function is None or self.table.points.locked:
            return
        units, si = self.commands.units, (function.x_unit, function.y_unit)
        try:
            found = read_table(text)
            points = put_in(found, self._points(), row, column, units, si)
        except NotATable as refusal:
            self._say(str(refusal))
            return
        self._set(points, tr("Paste points into {name}"))
        self.canvas.fit()
        self._say(
            tr(
                "Read {how}; taken as {units}.",
                how=found.said(),
                units=units_text(found, units, si, max(column, 0)),
            )
        )

    def _change_kind(self) -> None:
        models = field_of(Function, "form").models
        refusal = self.commands.change_kind(f"{self.path}/form", models, self.kind.currentData())
        self._say(refusal)
        self.refresh()

    def _take_example(self, offer: Offer) -> None:
        """Put the course of a function of the library, with its source, in place of this one's."""
        function, taken = self.function(), offer.what
        if function is None:
            return
        made = function.model_copy(update={"form": taken.form, "source": taken.source})
        project = self.commands.project
        kept = tuple(made if one is function else one for one in project.functions)
        text = tr("Take {course} for {name}", course=offer.title, name=name_of(function))
        self.commands.document.replace(project.model_copy(update={"functions": kept}), text)
        self.canvas.fit()

    def _change_between(self) -> None:
        function, chosen = self.function(), self.between.currentData()
        if function is not None:
            text = tr("Join the points of {name} in another way", name=name_of(function))
            self.commands.document.edit(f"{self.path}/form/between", chosen, text)

    def _tabulate(self) -> None:
        function = self.function()
        if function is not None:
            points = self._points()
            x, y = points if isinstance(function.form, Table) else course(function.form, points)[:2]
            self._set(
                in_order([float(v) for v in x], [float(v) for v in y]), tr("Make a table of {name}")
            )

    # files

    def _ask_for_csv(self) -> None:
        name = ask_for_table(self)
        if name is not None:
            self.read_csv(name)

    def read_csv(self, file: Path) -> None:
        """Offer to take points from a file."""
        function = self.function()
        if function is None:
            return
        try:
            dialog = open_csv(
                file, function, self.commands.units, self, beside(self.commands.document, file)
            )
        except NotATable as refusal:
            self._say(str(refusal))
            return
        dialog.taken.connect(self._take_csv)
        dialog.set_theme(self._theme)
        dialog.open()

    def _take_csv(self, points: Points, link: CsvCurve | None) -> None:
        if link is None:
            self._set(points, tr(_IMPORTED))
            return
        function = self.function()
        if function is not None:
            text = tr(_IMPORTED, name=name_of(function))
            # the points stay in memory, as they do when a file is opened
            old = function.form
            between = old.between if isinstance(old, Table) else "lines"
            table = Table(x=points[0], y=points[1], between=between, csv=link)
            refusal = self.commands.document.edit(f"{self.path}/form", table, text)
            if refusal:
                self._say(refusal[0].sentence)


_BEYOND = 0.12
"""How far the lines beyond the ends are drawn, in parts of the span."""

Ends = list[tuple[list[float], list[float]]]


def course(form: Any, points: Points) -> tuple[Array, Array, Ends]:
    """Give arguments and values (SI) between the ends, and the level lines beyond them."""
    if isinstance(form, Table):
        x, y = np.asarray(points[0], float), np.asarray(points[1], float)
        if form.between != "lines" and np.all(np.diff(x) > 0.0):
            drawn = Table(x=tuple(points[0]), y=tuple(points[1]), between=form.between)
            x, y = samples(drawn)
    elif isinstance(form, Constant):
        x, y = np.array([0.0, 1.0]), np.full(2, form.value)
    else:
        x, y = samples(form)
    if not len(x):
        return x, y, []
    reach = _BEYOND * (float(x[-1] - x[0]) or abs(float(x[0])) or 1.0)
    first, last = float(x[0]), float(x[-1])
    ends = [([first - reach, first], [float(y[0])] * 2), ([last, last + reach], [float(y[-1])] * 2)]
    return x, y, ends


def beyond(form: Any, points: Points, si: tuple[str, str], units: Units) -> str:
    """Say what the value is below the first and beyond the last argument."""
    if isinstance(form, Constant):
        return tr("The same value everywhere.")
    x, y, _ = course(form, points)
    if not len(x):
        return ""

    def said(value: float, unit: str) -> str:
        return units.with_unit(units.short(float(value), unit), unit)

    below, after = said(y[0], si[1]), said(y[-1], si[1])
    return tr(
        "Below {x_first} it stays {below}; beyond {x_last} it stays {after}.",
        x_first=said(x[0], si[0]),
        below=below,
        x_last=said(x[-1], si[0]),
        after=after,
    )
