"""Build the form of an element from the schema, and turn it to others that have the same fields."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QGridLayout, QMenu, QVBoxLayout, QWidget

from app import texts
from app.editing.shape import fields_of
from app.elements import said
from app.forms.fields import Fields
from app.forms.form_commands import FormCommands
from app.forms.lines import NumberLine
from app.forms.parts import NAMES, Parts
from app.forms.place import Place
from app.forms.places import unit_in
from app.forms.section import Row, Section, new_grid
from app.forms.words import ids_in, structure
from app.look import Theme
from app.widgets.carrying import FIELD, Handle
from solver.base.words import tr
from solver.project import Problem, ProjectError
from solver.project.changes import value_at
from solver.project.fields import Part

__all__ = ["NAMES", "Form"]


class Form(QWidget):
    """Show the fields of one part; every editor sets its field through the commands.

    Everything in it asks its `Place` for its path, so that the form of one segment becomes that of
    another without a single new widget. Where several elements are selected it shows the current one,
    what differs as mixed.
    """

    def __init__(
        self, commands: FormCommands, theme: Theme, opened: dict[str, bool] | None = None
    ) -> None:
        super().__init__()
        self.commands, self.theme = commands, theme
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self.rows: dict[str, Row] = {}
        self.sections: dict[str, Section] = {}
        self.opened: dict[str, bool] = {} if opened is None else opened
        """Which sections people have opened or closed, by path."""
        self.fields, self.parts = Fields(self), Parts(self)
        self._root = Place("")
        self._model: type[Part] | None = None
        self._skipped: frozenset[str] = frozenset()
        self._seen_in = ""
        self._structure: Any = None
        self._ids: Any = None
        self._shown: list[tuple[Place, Any]] = []
        """Places and the editors that show what stands there."""
        self._last: dict[Place, tuple[Any, ...]] = {}
        self._placed_rows: list[tuple[Place, Row]] = []
        self._placed_sections: list[tuple[Place, Section, Callable[[], bool]]] = []
        self._followers: list[Callable[[], None]] = []
        """What must be written anew when the form turns to another element, in order."""
        self._lent_units: list[tuple[Place, str, str]] = []
        """Fields whose unit comes from other fields, and the unit with which they were built."""
        self._turns = False

    @property
    def path(self) -> str:
        """Give the path of the part that is shown."""
        return self._root.path

    def show_part(self, path: str, part: Part, skip: Iterable[str], last: Iterable[str]) -> None:
        """Build the form: `skip` is left out, `last` stands in a section of its own."""
        self._root.word, self._model, ends = path, type(part), tuple(last)
        self._skipped, self._seen_in = frozenset(skip), self.commands.seen_in
        self._structure = structure(part, self._skipped)
        self._ids = ids_in(part, self._skipped)
        holder = QWidget()
        grid = new_grid(holder, 0)
        shapes = [shape for shape in fields_of(type(part)) if shape.name not in self._skipped]
        self.fields.add(grid, self._root, [s for s in shapes if s.name not in ends], 0)
        named = [s for s in shapes if s.name in ends]
        if named:
            fill = partial(self.fields.add, at=self._root, shapes=named, level=1)
            at = self._root.below("#names")
            self.parts.section(
                grid, at, tr(texts.words.NAMES_AND_NOTES), "", fill, 0, lambda: False
            )
        self.column.addWidget(holder)

    def is_true_for(self, path: str, part: Part) -> bool:
        """Tell whether the form shows a part and has the right rows, so that `refresh` is enough."""
        same = path == self.path and self.fits(path, part)
        return same and ids_in(part, self._skipped) == self._ids

    def fits(self, path: str, part: Part) -> bool:
        """Tell whether the form has the right rows and units for a part."""
        if type(part) is not self._model or self._seen_in != self.commands.seen_in:
            return False
        if structure(part, self._skipped) != self._structure:
            return False
        before, self._root.word = self._root.word, path
        try:
            project = self.commands.project
            return all(unit_in(project, at.path, own) == unit for at, own, unit in self._lent_units)
        finally:
            self._root.word = before

    def turn_to(self, path: str) -> None:
        """Show another part, for which the form fits, or the same after its entries were moved."""
        self._root.word, self._turns = path, True
        self._ids = ids_in(self.part_at(self._root), self._skipped)
        for follow in self._followers:
            follow()
        self.rows = {at.path: row for at, row in self._placed_rows}
        self.sections = {at.path: section for at, section, _ in self._placed_sections}
        for row in self.rows.values():
            row.accept()
        self._last.clear()
        for at, section, usual in tuple(self._placed_sections):
            section.open(self.opened.get(at.path, usual()))
        self._turns = False
        self.refresh()

    def refresh(self) -> None:
        """Show the present values."""
        if self._seen_in:
            # the frame, and where segments start, may have changed
            self._last.clear()
        for at, editor in self._shown:
            try:
                values = self._values(at)
            except ProjectError:
                continue
            # a checked part has the same numbers in new tuples
            if values != self._last.get(at):
                self._show(at, editor, values)

    def show_problems(self, problems: Iterable[Problem]) -> None:
        """Say below each field what is wrong with it, and mark closed sections."""
        found: dict[str, str] = {}
        for problem in problems:
            if problem.severity == "note":
                continue
            path = problem.path
            while path and path not in self.rows and path not in self.sections:
                path = path.rpartition("/")[0]
            if path:
                sentence = f"{problem.sentence} {problem.hint}".rstrip()
                found.setdefault(path, said(self.commands.project, sentence))
        for path, row in self.rows.items():
            row.fault(found.get(path, ""))
        for path, section in self.sections.items():
            inside = [
                words for at, words in found.items() if at == path or at.startswith(f"{path}/")
            ]
            section.mark.setText("▲" if inside else "")
            section.mark.setToolTip("\n".join(inside))

    def reveal(self, path: str) -> Row | None:
        """Open the sections around a field and go to it."""
        words = path.split("/")
        for end in range(1, len(words) + 1):
            section = self.sections.get("/".join(words[:end]))
            if section is not None:
                section.open()
        while words:
            row = self.rows.get("/".join(words))
            if row is not None:
                row.editor.setFocus()
                return row
            words.pop()
        return None

    # what the parts of the form tell it while they are built

    def part_at(self, at: Place) -> Any:
        """Give the present value at a place."""
        return value_at(self.commands.project, at.path)

    def bind(self, at: Place, editor: Any) -> None:
        """Let an editor show the value at a place, now and after every change."""
        self._shown.append((at, editor))
        self._show(at, editor, self._values(at))

    def _values(self, at: Place) -> tuple[Any, ...]:
        """Give the value at a place, then those of the other selected elements that have the field."""
        path, project = at.path, self.commands.project
        others = (value_at(project, twin) for twin in self.commands.twins(path))
        return (value_at(project, path), *others)

    def _show(self, at: Place, editor: Any, values: tuple[Any, ...]) -> None:
        self._last[at] = values
        if any(one != values[0] for one in values):
            editor.show_mixed(values)
        elif hasattr(editor, "show_value"):
            editor.show_value(values[0])
        else:
            editor.show_data(values[0])

    def follow(self, write: Callable[[], None]) -> None:
        """Call something now, and whenever the form turns to another element."""
        self._followers.append(write)
        write()

    def unit_of(self, at: Place, own: str) -> str:
        """Give the unit of a field: its own, or that which other fields lend it."""
        unit = unit_in(self.commands.project, at.path, own)
        if not own or "|" in own:
            self._lent_units.append((at, own, unit))
        return unit

    def add_row(self, grid: QGridLayout, at: Place, label: str, tip: str, editor: QWidget) -> Row:
        """Add a row with its label and editor."""
        row = Row(grid, label, tip, editor)
        row.label.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        row.label.customContextMenuRequested.connect(lambda at: self._show_menu(row, at))
        # what listens to a label must not hold the row: both are let go together
        weak = weakref.ref(row)
        Handle(row.label, lambda: numbers_of(weak()), FIELD)
        self._placed_rows.append((at, row))
        self.rows[at.path] = row
        return row

    def menu_of(self, row: Row) -> QMenu | None:
        """Offer a slider and a study for each number of a row; none where it has no number."""
        lines = _lines_of(row)
        if not lines:
            return None
        menu = QMenu(row.label)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for n, line in enumerate(lines):
            parts = (
                [tr(a) for a in texts.words.ANGLES] if line.si_unit == "rad" else texts.words.AXES
            )
            several = tr("Pin {part} as slider", part=parts[n % len(parts)])
            if line.pin is not None:
                menu.addAction(several if len(lines) > 1 else tr(texts.words.PIN), line.pin)
        for n, line in enumerate(lines):
            parts = (
                [tr(a) for a in texts.words.ANGLES] if line.si_unit == "rad" else texts.words.AXES
            )
            several = tr("Vary {part} in a study", part=parts[n % len(parts)])
            if line.vary is not None:
                menu.addAction(several if len(lines) > 1 else tr(texts.words.VARY), line.vary)
        return menu

    def _show_menu(self, row: Row, at: QPoint) -> None:
        menu = self.menu_of(row)
        if menu is not None:
            menu.popup(row.label.mapToGlobal(at))

    def row_of(self, at: Place) -> Row | None:
        """Give the row of a place, or of what it is in."""
        path = at.path
        while path and path not in self.rows:
            path = path.rpartition("/")[0]
        return self.rows.get(path)

    def add_section(self, at: Place, section: Section, usual: Callable[[], bool]) -> None:
        """Keep a section, open or closed as people left it, or else as is usual."""
        self._placed_sections.append((at, section, usual))
        self.sections[at.path] = section
        section.open(self.opened.get(at.path, usual()))
        section.toggled.connect(lambda on: self._on_toggled(at, on))

    def _on_toggled(self, at: Place, on: bool) -> None:
        if not self._turns:
            self.opened[at.path] = on


def numbers_of(row: Row | None) -> list[str]:
    """Give the paths of a row's numbers, by which the mouse carries them."""
    return [] if row is None else [line.path() for line in _lines_of(row)]


def _lines_of(row: Row) -> list[NumberLine]:
    own = [row.editor] if isinstance(row.editor, NumberLine) else []
    return [one for one in (*own, *row.editor.findChildren(NumberLine)) if one.can_be_pinned()]
