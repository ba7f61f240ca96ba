"""Build the form of an element from the schema, and turn it to others that have the same fields."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QGridLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from app import texts
from app.editing.shape import Shape, fields_of, lowered, raised, word_label
from app.elements import with_names
from app.forms.fields import Fields
from app.forms.form_commands import FormCommands
from app.forms.lines import NumberLine
from app.forms.places import unit_in
from app.forms.references import ReferenceEdit
from app.forms.section import Building, Line, Place, Row, Section, add_words, new_grid
from app.forms.words import entry_title, ids_in, singular, structure, tip
from app.look import Theme
from app.widgets.carrying import FIELD, Handle
from solver.base.words import msgid, tr
from solver.project import Problem, ProjectError
from solver.project.changes import value_at
from solver.project.fields import Part
from solver.project.schema import kind_words

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
        """What must be written again when the form turns to another element, in order."""
        self._lent_units: list[tuple[Place, str, str]] = []
        """Fields whose unit comes from other fields, and the unit with which they were built."""
        self._turns = False

    @property
    def path(self) -> str:
        """The path of the part that is shown."""
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
        """Whether the form shows a part and has the right rows, so that `refresh` is enough."""
        same = path == self.path and self.fits(path, part)
        return same and ids_in(part, self._skipped) == self._ids

    def fits(self, path: str, part: Part) -> bool:
        """Whether the form has the right rows and units for a part."""
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
                found.setdefault(path, with_names(self.commands.project, sentence))
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
        """The unit of a field: its own, or that which other fields lend it."""
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
        form = weakref.ref(self)
        row.label.draws = lambda: picture_of(form(), at)
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
    """The paths of a row's numbers, by which the mouse carries them."""
    return [] if row is None else [line.path() for line in _lines_of(row)]


def _lines_of(row: Row) -> list[NumberLine]:
    own = [row.editor] if isinstance(row.editor, NumberLine) else []
    return [one for one in (*own, *row.editor.findChildren(NumberLine)) if one.can_be_pinned()]


_REMOVE_ENTRY = msgid("Remove")

NAMES = ("name", "id", "group", "note", "source")
"""Fields that say what a thing is called; they stand last."""
_MANY = 6
"""Lists with more entries than this begin closed."""


class _Title:
    """Name a section after the entry that it shows, also when that becomes another one."""

    def __init__(self, section: Section, say: Callable[[Any], str]) -> None:
        self._section, self._say = section, say

    def show_value(self, item: Any) -> None:
        """Name it."""
        self._section.name(self._say(item))

    def show_mixed(self, items: tuple[Any, ...]) -> None:
        """Name it after the entry of the element whose fields are shown."""
        self.show_value(items[0])


class Parts:
    """Build sections into the grids of a form."""

    def __init__(self, form: Building) -> None:
        self._form = form
        self._families: dict[Place, tuple[type[Part], ...]] = {}
        """Among which models the kind of an entry chooses."""

    def family(self, at: Place) -> tuple[type[Part], ...]:
        """The models among which the kind of an entry chooses; none for other parts."""
        return self._families.get(at, ())

    def part(self, grid: QGridLayout, at: Place, holder: Part, shape: Shape, level: int) -> None:
        """Add a section for a part inside a part, or a button that fits one that is not there."""
        form, what = self._form, lowered(shape.label)
        value = getattr(holder, shape.name)
        if value is None:
            model = shape.models[0]
            form.fields.absent(grid, at, shape, lambda: form.commands.fit(at.path, model, what))
            return
        field = type(holder).model_fields[shape.name]

        def is_changed() -> bool:
            usual = None if field.is_required() else field.get_default(call_default_factory=True)
            return bool(form.part_at(at) != usual)

        whole: type[Part] = type(value)
        fill = partial(form.fields.add, at=at, shapes=fields_of(whole), level=level + 1)
        section = self.section(grid, at, shape.label, tip(shape), fill, level, is_changed)
        if shape.optional:
            section.add_button(
                "cross", tr(_REMOVE_ENTRY), lambda: form.commands.take_off(at.path, what)
            )

    def section(
        self,
        grid: QGridLayout,
        at: Place,
        title: str,
        tip: str,
        fill: Callable[[QGridLayout], None],
        level: int,
        usual: Callable[[], bool],
    ) -> Section:
        """Add a section that `fill` fills when it is opened; `usual` tells whether it begins open."""
        section = Section(title, tip, fill, self._form.theme, level)
        grid.addWidget(section, grid.rowCount(), 0, 1, 2)
        self._form.add_section(at, section, usual)
        return section

    def entries(self, grid: QGridLayout, at: Place, shape: Shape, level: int) -> None:
        """Add a section for a list, with a button that adds to it."""
        count = len(self._form.part_at(at))
        fill = partial(self._entries, at=at, shape=shape, level=level + 1)
        is_short = 0 < count <= _MANY
        section = self.section(grid, at, shape.label, tip(shape), fill, level, lambda: is_short)
        section.aside.setText(str(count) if count else tr(texts.words.NONE))
        kinds = [(m, k) for m in shape.models for k in (kind_words(m) or ("",))]
        words = add_words(singular(shape))
        if shape.editor == "parts" and len(kinds) > 1:
            button = section.add_button("plus", words, lambda: None)
            menu = QMenu(button)
            for model, kind in kinds:
                do = partial(self._add, at, shape, model, kind)
                menu.addAction(raised(word_label(kind))).triggered.connect(
                    lambda _=False, do=do: do()
                )
            button.setMenu(menu)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        else:
            only = shape.models[0] if shape.models else None
            section.add_button("plus", words, partial(self._add, at, shape, only, ""))

    def _add(self, at: Place, shape: Shape, model: type[Part] | None, kind: str) -> None:
        form, path = self._form, at.path
        form.opened[path] = True
        if shape.editor == "parts" and model is not None:
            refusal = form.commands.add_entry(path, model, singular(shape), kind)
        else:
            refusal = form.commands.add_reference(path, shape)
        if refusal:
            form.sections[path].mark.setText(refusal)

    def _entries(self, grid: QGridLayout, at: Place, shape: Shape, level: int) -> None:
        """List the entries, each with its buttons."""
        items = self._form.part_at(at)
        for i in range(len(items)):
            entry = at.below("")
            self._form.follow(partial(self._name, at, entry, i))
            if shape.editor == "parts":
                row: Section | Line = self._part_entry(grid, at, entry, i, shape, level)
            else:
                row = self._plain_entry(grid, entry, i, shape)
            self._add_buttons(row, at, i, len(items), shape)

    def _name(self, at: Place, entry: Place, i: int) -> None:
        """Name the place of an entry: by its id where all have one, or else by its number."""
        items = self._form.part_at(at)
        ids = {item.id for item in items if hasattr(item, "id")}
        entry.word = str(i) if len(ids) < len(items) else items[i].id

    def _part_entry(
        self, grid: QGridLayout, at: Place, entry: Place, i: int, shape: Shape, level: int
    ) -> Section:
        form = self._form
        self._families[entry] = shape.models
        items = form.part_at(at)
        model: type[Part] = type(items[i])
        shapes = fields_of(model)
        fill = partial(self._entry, at=entry, shapes=shapes, level=level + 1)
        few = len(items) <= 2
        section = self.section(grid, entry, "", "", fill, level, lambda: few)
        form.bind(entry, _Title(section, lambda item: entry_title(form.commands.project, item, i)))
        return section

    def _plain_entry(self, grid: QGridLayout, entry: Place, i: int, shape: Shape) -> Line:
        form = self._form
        line = Line(grid, form.theme)
        row = form.add_row(line.grid, entry, str(i + 1), shape.help, self._plain(entry, shape))
        form.bind(entry, row.editor)
        return line

    def _plain(self, entry: Place, shape: Shape) -> Any:
        form, commit = self._form, self._form.fields.commit(entry)
        if shape.editor == "surfaces":
            return form.fields.surface(commit, holds=shape.name == "panels")
        editor = ReferenceEdit(shape.target, lambda: form.commands.project, commit, form.theme)
        editor.go.connect(form.commands.go)
        return editor

    def _add_buttons(
        self, row: Section | Line, at: Place, i: int, count: int, shape: Shape
    ) -> None:
        commands, what = self._form.commands, singular(shape)
        if count > 1:
            row.add_button("up", tr("Move up"), lambda: commands.move_entry(at.path, i, -1, what))
            row.add_button(
                "down", tr("Move down"), lambda: commands.move_entry(at.path, i, 1, what)
            )
        if shape.editor == "parts":
            row.add_button("copy", tr("Duplicate"), lambda: commands.copy_entry(at.path, i, what))
        row.add_button("cross", tr(_REMOVE_ENTRY), lambda: self._remove(at, i, what))

    def _entry(self, grid: QGridLayout, at: Place, shapes: tuple[Shape, ...], level: int) -> None:
        """Show the fields of an entry; what has names shows them last."""
        form = self._form
        named = (
            [s for s in shapes if s.name in NAMES] if any(s.name == "name" for s in shapes) else []
        )
        form.fields.add(grid, at, [s for s in shapes if s not in named], level)
        if named:
            shown = [s for s in named if s.name != "group"]
            fill = partial(form.fields.add, at=at, shapes=shown, level=level + 1)
            names = at.below("#names")
            title = tr(texts.words.NAMES_AND_NOTES)
            self.section(grid, names, title, "", fill, level, lambda: False)

    def _remove(self, at: Place, index: int, what: str) -> None:
        path = at.path
        refusal = self._form.commands.remove_entry(path, index, what)
        if refusal:
            self._form.sections[path].mark.setText(refusal)


def picture_of(form: Form | None, at: Place) -> QImage | None:
    """Draw what a field means, where its model has a picture that tells of it."""
    from app.forms.field_curves import PICTURES
    from app.forms.field_pictures import fields_in
    from app.forms.picture_painter import drawn

    holder, _, field = at.path.rpartition("/")
    if form is None:
        return None
    model: type[Part] = type(value_at(form.commands.project, holder))
    parts = PICTURES[model.__name__]() if model.__name__ in PICTURES else []
    if field not in fields_in(parts):
        return None
    labels = {one.name: one.label for one in fields_of(model)}
    return drawn(parts, labels, field, (form.theme, 1.0))
