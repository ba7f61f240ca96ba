"""Build the form of an element from the schema, and keep it true while the project changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QGridLayout, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from app import texts
from app.elements import said
from app.forms.editors import (
    Beside,
    Choice,
    Flag,
    LongText,
    MenuChoice,
    NumberLine,
    NumbersLine,
    ValueLine,
    VectorEdit,
)
from app.forms.hands import Hands
from app.forms.references import ReferenceEdit, SurfaceEdit
from app.forms.section import Line, Row, Section, add_words, new_grid
from app.forms.shape import Shape, fields_of, kind_words, lowered, spoken_word
from app.forms.units import unit_at
from app.forms.words import entry_title, siblings, signature, singular, tip
from app.icons import icon
from app.look import Theme
from solver.project import Problem, ProjectError
from solver.project.changes import value_at
from solver.project.fields import Part

NAMES = ("name", "id", "group", "note", "source")
"""Fields that say what a thing is called; they stand last."""
_LONG = ("note", "source")
_MANY = 6
"""Lists with more entries than this begin closed."""


class Form(QWidget):
    """Show the fields of one part; every editor sets its field through the hands."""

    def __init__(self, hands: Hands, theme: Theme) -> None:
        super().__init__()
        self.hands, self._theme = hands, theme
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self.rows: dict[str, Row] = {}
        self.sections: dict[str, Section] = {}
        self.opened: dict[str, bool] = {}
        """Which sections people have opened or closed, by path."""
        self._shown: list[tuple[str, Callable[[Any], object]]] = []
        self._last: dict[str, Any] = {}
        self._families: dict[str, tuple[type[Part], ...]] = {}
        """Among which models the kind of a part chooses, by path."""
        self._signature: Any = None
        self._path = ""

    def show_part(self, path: str, part: Part, skip: Iterable[str], last: Iterable[str]) -> None:
        """Build the form anew: `skip` is left out, `last` stands in a section of its own."""
        self._path, self._skip, self._end = path, frozenset(skip), tuple(last)
        self._signature = signature(part)
        self.rows, self.sections, self._shown, self._last = {}, {}, [], {}
        holder = QWidget()
        grid = new_grid(holder, 0)
        shapes = fields_of(type(part))
        self._fields(
            grid, path, part, [s for s in shapes if s.name not in {*self._skip, *self._end}], 0
        )
        ends = [s for s in shapes if s.name in self._end]
        if ends:
            fill = partial(self._fields, path=path, part=part, shapes=ends, level=1)
            self._section(grid, f"{path}/#names", texts.forms.NAMES_AND_NOTES, "", fill, 0, False)
        self.column.addWidget(holder)

    def is_true_for(self, path: str, part: Part) -> bool:
        """Tell whether the form has the right rows for a part, so that showing values is enough."""
        return path == self._path and signature(part) == self._signature

    def refresh(self) -> None:
        """Show the present values."""
        project = self.hands.project
        for path, show in self._shown:
            try:
                value = value_at(project, path)
            except ProjectError:
                continue
            if value is not self._last.get(path, self):
                self._last[path] = value
                show(value)

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
                found.setdefault(path, said(self.hands.project, sentence))
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

    # building

    def _fields(
        self, grid: QGridLayout, path: str, part: Part, shapes: Iterable[Shape], level: int
    ) -> None:
        for shape in sorted(shapes, key=lambda one: one.name != "kind"):
            where = f"{path}/{shape.name}" if path else shape.name
            self._field(grid, where, part, shape, level)

    def _field(self, grid: QGridLayout, path: str, part: Part, shape: Shape, level: int) -> None:
        value = getattr(part, shape.name)
        if shape.name == "kind":
            models = self._families.get(path.rpartition("/")[0]) or siblings(type(part))
            if len([k for m in models for k in kind_words(m)]) > 1:
                self._kind(grid, path, shape, models)
        elif shape.editor in ("part", "union"):
            self._part(grid, path, part, shape, value, level)
        elif shape.editor == "turn":
            self._turn(grid, path, shape)
        elif shape.editor == "matrix":
            for i in range(3):
                label = shape.label if i == 0 else ""
                self._vector(grid, f"{path}/{i}", shape, label)
        elif shape.editor in ("parts", "refs", "surfaces"):
            self._list(grid, path, shape, value, level)
        else:
            self._simple(grid, path, part, shape, value)

    def _simple(self, grid: QGridLayout, path: str, part: Part, shape: Shape, value: Any) -> None:
        """Add a row for a field that one editor shows."""
        hands, commit = self.hands, self._commit(path)
        unit = unit_at(hands.project, path, shape.unit)
        editor: Any
        if shape.editor == "vector":
            if value is None:
                self._absent(grid, path, shape, lambda: hands.set(path, (0.0, 0.0, 0.0)))
            else:
                self._vector(grid, path, shape, shape.label)
            return
        if shape.editor in ("number", "count"):
            whole = shape.editor == "count"
            editor = NumberLine(commit, hands.units, unit, whole=whole, optional=shape.optional)
        elif shape.editor == "numbers":
            editor = NumbersLine(commit, hands.units, unit)
        elif shape.editor == "flag":
            editor = Flag(commit)
        elif shape.editor == "choice":
            editor = self._choice(shape, commit)
        elif shape.editor == "surface":
            editor = SurfaceEdit(
                lambda: hands.project, commit, self._theme, optional=shape.optional
            )
            editor.go.connect(hands.go)
        elif shape.editor == "ref":
            editor = self._reference(path, part, shape, commit)
        elif shape.editor == "number_or_ref":
            self._number_or_function(grid, path, part, shape, value, unit)
            return
        else:
            editor = LongText(commit) if shape.name in _LONG else ValueLine(commit)
        self._row(grid, path, shape.label, tip(shape), editor)

    def _row(self, grid: QGridLayout, path: str, label: str, tip: str, editor: Any) -> Row:
        row = Row(grid, path, label, tip, editor)
        self.rows[path] = row
        if hasattr(editor, "refused"):
            editor.refused.connect(row.refuse)
        if hasattr(editor, "accepted"):
            editor.accepted.connect(row.accept)
        show = getattr(editor, "show_value", None) or editor.show_data
        self._bind(path, show)
        return row

    def _bind(self, path: str, show: Callable[[Any], object]) -> None:
        self._shown.append((path, show))
        value = value_at(self.hands.project, path)
        self._last[path] = value
        show(value)

    def _commit(self, path: str) -> Callable[[Any, bool], bool]:
        def commit(value: Any, step: bool) -> bool:
            refusal = self.hands.set(path, value, step)
            row = self._row_of(path)
            if row is not None:
                row.refuse(refusal)
            return not refusal

        return commit

    def _row_of(self, path: str) -> Row | None:
        while path and path not in self.rows:
            path = path.rpartition("/")[0]
        return self.rows.get(path)

    def _vector(self, grid: QGridLayout, path: str, shape: Shape, label: str) -> VectorEdit:
        unit = unit_at(self.hands.project, path, shape.unit)
        editor = VectorEdit(
            lambda i, value, step: self._commit(f"{path}/{i}")(value, step), self.hands.units, unit
        )
        self._row(grid, path, label, tip(shape), editor)
        return editor

    def _turn(self, grid: QGridLayout, path: str, shape: Shape) -> None:
        """Add three angles, and a button for the order of their axes."""
        angles, order = fields_of(shape.models[0])
        where = f"{path}/{angles.name}"
        editor = self._vector(grid, where, angles, shape.label)
        self.rows[where].label.setToolTip(f"{shape.help}\n{angles.help}")
        button = MenuChoice(self._commit(f"{path}/{order.name}"), order, self._theme)
        editor.layout().addWidget(button)
        self._bind(f"{path}/{order.name}", button.show_value)

    def _choice(self, shape: Shape, commit: Callable[[Any, bool], bool]) -> Choice:
        editor = Choice()
        if shape.optional:
            editor.addItem(texts.forms.NONE, None)
        for one in shape.choices:
            editor.addItem(spoken_word(one) if isinstance(one, str) else str(one), one)
        editor.activated.connect(lambda i: commit(editor.itemData(i), False))
        return editor

    def _reference(self, path: str, part: Part, shape: Shape, commit: Any) -> ReferenceEdit:
        webbing = None
        if shape.target == "contact_laws":
            webbing = type(part).__name__ in ("Belt", "Strap")
        hands = self.hands
        editor = ReferenceEdit(
            shape.target,
            lambda: hands.project,
            commit,
            self._theme,
            optional=shape.optional,
            units=(shape.x_unit, shape.y_unit) if shape.target == "functions" else ("", ""),
            webbing=webbing,
        )
        editor.go.connect(hands.go)
        editor.new_asked.connect(lambda: hands.make_for(path, shape))
        return editor

    def _number_or_function(
        self, grid: QGridLayout, path: str, part: Part, shape: Shape, value: Any, unit: str
    ) -> None:
        """Add a number with a button that turns it into a function, or the other way round."""
        hands, commit = self.hands, self._commit(path)
        by_function = isinstance(value, str)
        if by_function:
            editor: Any = self._reference(path, part, shape, commit)
        else:
            editor = NumberLine(commit, hands.units, unit, optional=shape.optional)
        button = QToolButton(objectName="quiet", icon=icon("functions", self._theme.muted))
        button.setToolTip(texts.forms.BY_NUMBER if by_function else texts.forms.BY_FUNCTION)
        button.setAccessibleName(f"{shape.label}: {button.toolTip()}")
        button.setCheckable(True)
        button.setChecked(by_function)
        usual = type(part).model_fields[shape.name].default
        number = usual if isinstance(usual, float) else 1.0
        button.clicked.connect(
            lambda: hands.set(path, number) if by_function else hands.make_for(path, shape)
        )
        self._row(grid, path, shape.label, tip(shape), Beside(editor, button))

    def _absent(
        self, grid: QGridLayout, path: str, shape: Shape, fit: Callable[[], object]
    ) -> None:
        """Add a row for an optional part that is not there, with a button that fits it."""
        button = QPushButton(add_words(lowered(shape.label)), objectName="small")
        button.clicked.connect(lambda: fit())
        self.rows[path] = Row(grid, path, shape.label, tip(shape), button)

    # parts and lists

    def _part(
        self, grid: QGridLayout, path: str, part: Part, shape: Shape, value: Any, level: int
    ) -> None:
        if value is None:
            self._absent(grid, path, shape, lambda: self.hands.fit(path, shape.models[0], lowered(shape.label)))  # fmt: skip
            return
        field = type(part).model_fields[shape.name]
        usual = not field.is_required() and value == field.get_default(call_default_factory=True)
        fill = partial(self._fields, path=path, part=value, shapes=fields_of(type(value)), level=level + 1)  # fmt: skip
        section = self._section(grid, path, shape.label, tip(shape), fill, level, not usual)
        if shape.optional:
            what = lowered(shape.label)
            section.add_button(
                "cross", texts.forms.REMOVE_ENTRY, lambda: self.hands.take_off(path, what)
            )

    def _section(
        self,
        grid: QGridLayout,
        path: str,
        title: str,
        tip: str,
        fill: Callable[[QGridLayout], None],
        level: int,
        is_open: bool,
    ) -> Section:
        section = Section(title, tip, fill, self._theme, level)
        self.sections[path] = section
        grid.addWidget(section, grid.rowCount(), 0, 1, 2)
        section.open(self.opened.get(path, is_open))
        section.toggled.connect(lambda on: self.opened.__setitem__(path, on))
        return section

    def _list(
        self, grid: QGridLayout, path: str, shape: Shape, value: tuple[Any, ...], level: int
    ) -> None:
        fill = partial(self._entries, path=path, shape=shape, level=level + 1)
        is_open = 0 < len(value) <= _MANY
        section = self._section(grid, path, shape.label, tip(shape), fill, level, is_open)
        section.aside.setText(str(len(value)) if value else texts.forms.NONE)
        kinds = [(m, k) for m in shape.models for k in (kind_words(m) or [""])]
        if shape.editor == "parts" and len(kinds) > 1:
            button = section.add_button("plus", add_words(singular(shape)), lambda: None)
            menu = QMenu(button)
            for model, kind in kinds:
                do = partial(self._add, path, shape, model, kind)
                menu.addAction(spoken_word(kind).capitalize()).triggered.connect(
                    lambda _=False, do=do: do()
                )
            button.setMenu(menu)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        else:
            model = shape.models[0] if shape.models else None
            section.add_button(
                "plus", add_words(singular(shape)), partial(self._add, path, shape, model, "")
            )

    def _add(self, path: str, shape: Shape, model: type[Part] | None, kind: str) -> None:
        self.opened[path] = True
        hands = self.hands
        if shape.editor == "parts" and model is not None:
            refusal = hands.add_entry(path, model, singular(shape), kind)
        else:
            refusal = hands.add_reference(path, shape)
        if refusal:
            self.sections[path].mark.setText(refusal)

    def _entries(self, grid: QGridLayout, path: str, shape: Shape, level: int) -> None:
        """List the entries, each with its buttons."""
        items = value_at(self.hands.project, path)
        hands, what = self.hands, singular(shape)
        ids = {item.id for item in items if hasattr(item, "id")}
        for i, item in enumerate(items):
            where = f"{path}/{i if len(ids) < len(items) else item.id}"
            if shape.editor == "parts":
                self._families[where] = shape.models
                fill = partial(self._entry, path=where, part=item, level=level + 1)
                title = entry_title(hands.project, item, i)
                section = self._section(grid, where, title, "", fill, level, len(items) <= 2)
                row: Any = section
            else:
                row = Line(grid, self._theme)
                editor = self._entry_editor(where, shape)
                self.rows[where] = Row(row.grid, where, str(i + 1), shape.help, editor)
                self._bind(where, editor.show_value)
            if len(items) > 1:
                row.add_button(
                    "up", texts.forms.MOVE_UP, partial(hands.move_entry, path, i, -1, what)
                )
                row.add_button(
                    "down", texts.forms.MOVE_DOWN, partial(hands.move_entry, path, i, 1, what)
                )
            if shape.editor == "parts":
                row.add_button(
                    "copy", texts.forms.COPY_ENTRY, partial(hands.copy_entry, path, i, what)
                )
            row.add_button("cross", texts.forms.REMOVE_ENTRY, partial(self._remove, path, i, what))

    def _entry(self, grid: QGridLayout, path: str, part: Part, level: int) -> None:
        """Show the fields of an entry; what has names shows them last."""
        shapes = fields_of(type(part))
        ends = [s for s in shapes if s.name in NAMES] if hasattr(part, "name") else []
        self._fields(grid, path, part, [s for s in shapes if s not in ends], level)
        if ends:
            shown = [s for s in ends if s.name != "group"]
            fill = partial(self._fields, path=path, part=part, shapes=shown, level=level + 1)
            self._section(
                grid, f"{path}/#names", texts.forms.NAMES_AND_NOTES, "", fill, level, False
            )

    def _remove(self, path: str, index: int, what: str) -> None:
        refusal = self.hands.remove_entry(path, index, what)
        if refusal:
            self.sections[path].mark.setText(refusal)

    def _entry_editor(self, path: str, shape: Shape) -> Any:
        hands = self.hands
        commit = self._commit(path)
        if shape.editor == "surfaces":
            editor: Any = SurfaceEdit(lambda: hands.project, commit, self._theme)
        else:
            editor = ReferenceEdit(shape.target, lambda: hands.project, commit, self._theme)
        editor.go.connect(hands.go)
        return editor

    def _kind(
        self, grid: QGridLayout, path: str, shape: Shape, models: tuple[type[Part], ...]
    ) -> None:
        holder = path.rpartition("/")[0]
        editor = Choice()
        for model in models:
            for kind in kind_words(model):
                editor.addItem(spoken_word(kind).capitalize(), kind)
        editor.activated.connect(
            lambda i: self._change_kind(holder, path, models, editor.itemData(i))
        )
        self._row(grid, path, shape.label, shape.help, editor)

    def _change_kind(
        self, holder: str, path: str, models: tuple[type[Part], ...], kind: str
    ) -> None:
        refusal = self.hands.change_kind(holder, models, kind)
        row = self.rows.get(path)
        if row is not None:
            row.refuse(refusal)
