"""Choose columns and units of a file of numbers, with the curve that they give."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QWidget,
)

from app import texts
from app.curves.canvas import Canvas
from app.curves.points import NotATable, Pasted, Points, in_order, read_table, unit_in
from app.document import Document
from app.forms.choices import Choice, Whole
from app.forms.units import Units, known
from app.look import Theme
from app.settings import Settings
from app.widgets.sheet import Fields, Sheet, in_row
from app.with_properties import with_properties
from solver.base.units import UnitError, convert, display_unit, pretty, unit
from solver.base.units.table import UNITS
from solver.base.words import tr
from solver.project.curves import LARGEST_CSV, text_of
from solver.project.functions import CsvCurve, Function

_FIELD_EM = 28.0
"""A column and its unit stand beside each other."""


def ask_for_table(parent: QWidget) -> Path | None:
    """Ask which file of numbers is meant; the folder is remembered."""
    settings = Settings()
    name, _ = QFileDialog.getOpenFileName(
        parent,
        tr(texts.words.CSV_TITLE),
        settings.folder("csv"),
        tr("Tables of numbers (*.csv *.txt *.tsv *.dat);;All files (*)"),
    )
    if name:
        settings.keep_folder("csv", Path(name).parent)
    return Path(name) if name else None


def beside(document: Document, file: Path) -> str:
    """A file's path as seen from the open project; empty where it does not lie below it."""
    project = document.path
    if project is None or not file.resolve().is_relative_to(project.resolve().parent):
        return ""
    return file.resolve().relative_to(project.resolve().parent).as_posix()


def open_csv(
    file: Path, function: Function, units: Units, parent: QWidget, beside: str = ""
) -> CsvDialog:
    """Offer columns of a file; NotATable says why it has none."""
    try:
        is_large = file.stat().st_size > LARGEST_CSV
        text = "" if is_large else text_of(file.read_bytes())
    except OSError as failure:
        why = failure.strerror or failure
        raise NotATable(tr("{file} cannot be read: {why}.", file=file.name, why=why)) from None
    if is_large:
        raise NotATable(tr("{file} is larger than 64 MB.", file=file.name))
    if text is None:
        raise NotATable(tr("{file} is no text.", file=file.name))
    try:
        return CsvDialog(text, function, units, beside, parent)
    except (NotATable, UnitError) as refusal:
        raise NotATable(tr("{file}: {why}", file=file.name, why=refusal)) from None


class CsvDialog(Sheet):
    """Show what a file holds, and take two of its columns as points."""

    taken = Signal(object, object)
    """Points (SI), and how to read them from the file again, or None to keep the points."""

    def __init__(
        self, text: str, function: Function, units: Units, beside: str, parent: QWidget
    ) -> None:
        super().__init__(parent, tr(texts.words.CSV_TITLE), "guide#editors", form=Fields(_FIELD_EM))
        self._text, self._beside, self._function = text, beside, function
        self.found: Pasted = read_table(text)
        self._system = units.system
        si = (function.x_unit, function.y_unit)
        self.columns = (Choice(), Choice())
        self.units = tuple(_units(one, units.system) for one in si)
        self.skip = Whole(0, 1000)
        self.skip.setValue(self.found.skipped)
        self.how = with_properties(QLabel(""), objectName="muted", wordWrap=True)
        self.canvas = Canvas()
        self.link = with_properties(
            QCheckBox(tr("Keep reading from the file, whenever the project is opened")),
            toolTip=tr("The project then names the file, and reads it whenever it is opened"),
        )
        self.complaint = with_properties(QLabel(""), objectName="error", wordWrap=True)
        self.take = with_properties(
            QPushButton(tr("Take the points")),
            objectName="primary",
            default=True,
            toolTip=tr("Put these points in place of those of the function (Enter)"),
        )
        self.take.clicked.connect(self._take)
        cancel = with_properties(
            QPushButton(tr("Cancel")), toolTip=tr("Leave the function as it is (Esc)")
        )
        cancel.clicked.connect(self.reject)
        labels = (tr("Arguments"), tr("Values"))
        for label, column, box in zip(labels, self.columns, self.units, strict=True):
            self.form.add(label, in_row(column, box))
            column.setAccessibleName(label)
            box.setAccessibleName(tr("{label}, unit", label=label))
            column.activated.connect(lambda _: self._draw())
            box.activated.connect(lambda _: self._draw())
        self.form.add(tr("Heading rows"), self.skip)
        self.form.addRow("", self.link)
        self.column.addWidget(self.how)
        self.column.addLayout(self.form)
        self.column.addWidget(self.canvas, 1)
        self.column.addWidget(self.complaint)
        self.add_buttons(cancel, self.take)
        self.skip.valueChanged.connect(self._read)
        self._list_columns()
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.canvas.set_theme(theme)

    def points(self) -> Points:
        """The points that are chosen (SI)."""
        si = (self._function.x_unit, self._function.y_unit)
        out = []
        for column, box, to in zip(self.columns, self.units, si, strict=True):
            values = self.found.columns[column.currentData()]
            source = box.currentData()
            out.append([convert(v, source, to) if source != to else v for v in values])
        return in_order(out[0], out[1])

    def curve(self) -> CsvCurve | None:
        """Say how to read the same points from the file again, where that can be done."""
        if not self._can_link():
            return None
        si = (self._function.x_unit, self._function.y_unit)
        scales = [
            unit(box.currentData()).factor / unit(to).factor
            for box, to in zip(self.units, si, strict=True)
        ]
        return CsvCurve(
            path=self._beside,
            x_column=self.columns[0].currentData() + 1,
            y_column=self.columns[1].currentData() + 1,
            skip_rows=self.found.skipped,
            x_scale=scales[0],
            y_scale=scales[1],
        )

    def _can_link(self) -> bool:
        """Whether the file can be read again: it lies beside the project, in order, as CSV."""
        offsets = any(unit(box.currentData()).offset for box in self.units)
        x = self.found.columns[self.columns[0].currentData()]
        rises = all(a < b for a, b in pairwise(x))
        plain = self.found.separator in (",", ";", "\t")
        plain = plain and (not self.found.decimal_comma or self.found.separator == ";")
        return bool(self._beside) and plain and rises and not offsets

    def _read(self) -> None:
        try:
            self.found = read_table(self._text, self.skip.value())
        except NotATable as refusal:
            self.complaint.setText(str(refusal))
            self.take.setEnabled(False)
            return
        self._list_columns()
        self._draw()

    def _list_columns(self) -> None:
        heads = self.found.headings
        count = len(self.found.columns)
        for number, box in enumerate(self.columns):
            before = box.currentData()
            box.clear()
            for i in range(count):
                name = tr("column {n}", n=i + 1)
                box.addItem(f"{heads[i]} ({name})" if heads and heads[i] else name, i)
            box.setCurrentIndex(min(number if before is None else before, count - 1))
        self.how.setText(f"{self.found.said().capitalize()}.")
        for number, box in enumerate(self.units):
            self._guess_unit(number, box)

    def _guess_unit(self, number: int, box: Choice) -> None:
        """Take the unit that a heading names, as in 'Time [ms]' or 'Force (kN)'."""
        column = self.columns[number].currentData()
        if column is None or not self.found.headings:
            return
        si = (self._function.x_unit, self._function.y_unit)[number]
        try:
            named = unit_in(self.found.headings[column], si)
        except NotATable:
            # the person sees the columns, and may choose others
            return
        if named and box.findData(named) < 0:
            box.addItem(pretty(named), named)
        if named:
            box.setCurrentIndex(box.findData(named))

    def _draw(self) -> None:
        x, y = self.points()
        shown = tuple(display_unit(u, self._system) if known(u) else u
                      for u in (self._function.x_unit, self._function.y_unit))  # fmt: skip
        to = [
            [convert(v, si, there) if known(si) else v for v in values]
            for values, si, there in zip(
                (x, y), (self._function.x_unit, self._function.y_unit), shown, strict=True
            )
        ]
        self.canvas.name_axes("", "", *(pretty(one) for one in shown))
        self.canvas.show_lines([(to[0], to[1], 0, "solid")])
        self.canvas.fit()
        self.complaint.setText("")
        self.take.setEnabled(True)
        can = self._can_link()
        self.link.setEnabled(can)
        self.link.setToolTip(
            ""
            if can
            else tr(
                "The file does not lie in the project's folder, or its numbers have decimal commas."
            )
        )
        if not can:
            self.link.setChecked(False)

    def _take(self) -> None:
        self.taken.emit(self.points(), self.curve() if self.link.isChecked() else None)
        self.accept()


def _units(si_unit: str, system: str) -> Choice:
    """List the units in which a quantity may be given; that of the display comes first."""
    box = Choice()
    if not known(si_unit):
        box.addItem(tr(texts.words.NO_UNIT), "1")
        box.addItem("%", "%")
        return box
    wanted = unit(si_unit).dimension
    names = [display_unit(si_unit, system), si_unit]
    names += [name for name, one in UNITS.items() if one.dimension == wanted and name.isascii()]
    names += [one for one in _COMPOUND if unit(one).dimension == wanted]
    for name in dict.fromkeys(names):
        if name not in ("'", '"', "mil", "yd", "mi", "km", "dm", "G", "min", "h", "um"):
            box.addItem(pretty(name), name)
    return box


_COMPOUND = (
    "m/s", "km/h", "ft/s", "in/s", "m/s2", "mm/ms2", "ft/s2", "N/mm", "kN/m", "N/m", "lbf/in",
    "N*m", "in*lbf", "ft*lbf", "mm2", "cm2", "in2", "deg/s", "rad/s", "kg/s", "gram/ms", "N*s/m",
)  # fmt: skip
"""Units without a name of their own that files come in."""
