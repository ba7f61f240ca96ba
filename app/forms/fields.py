"""Add the rows of a form: one editor for each field, as the schema says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QToolButton

from app import texts
from app.editing.shape import Shape, fields_of, lowered, raised, word_label
from app.elements import element_label
from app.forms.choices import Choice, Flag, MenuChoice, WithButton
from app.forms.lines import (
    LongText,
    NamesLine,
    NumberLine,
    NumberOrWord,
    NumbersLine,
    RowsLine,
    ValueLine,
    VectorEdit,
)
from app.forms.references import ReferenceEdit, SurfaceEdit
from app.forms.section import Building, Place, Row, add_words
from app.forms.units import Units, units_of_curve
from app.forms.words import NameLine, field_label, siblings, tip
from app.icons import icon
from app.with_properties import with_properties
from solver.base.words import tr
from solver.project import Project
from solver.project.fields import Part
from solver.project.pose import FrameError, carrier_of, place_from, place_in
from solver.project.schema import kind_words
from solver.project.segments import unpack

_LONG = ("note", "source")


class Fields:
    """Build rows into the grids of a form."""

    def __init__(self, form: Building) -> None:
        self._form = form

    def add(self, grid: QGridLayout, at: Place, shapes: Iterable[Shape], level: int) -> None:
        """Add fields of the part at a place; its kind comes first."""
        part = self._form.part_at(at)
        for shape in sorted(shapes, key=lambda one: one.name != "kind"):
            self._field(grid, at.below(shape.name), at, part, shape, level)

    def row(self, grid: QGridLayout, at: Place, label: str, tip: str, editor: Any) -> Row:
        """Add a row whose editor shows the value at a place."""
        row = self._form.add_row(grid, at, label, tip, editor)
        if hasattr(editor, "refused"):
            editor.refused.connect(row.refuse)
        if hasattr(editor, "accepted"):
            editor.accepted.connect(row.accept)
        self._form.bind(at, editor)
        return row

    def commit(self, at: Place) -> Callable[[Any, bool], bool]:
        """What takes a value over, and says at its row why not."""

        def commit(value: Any, step: bool) -> bool:
            refusal = self._form.commands.set(at.path, value, step)
            row = self._form.row_of(at)
            if row is not None:
                row.refuse(refusal)
            return not refusal

        return commit

    def absent(self, grid: QGridLayout, at: Place, shape: Shape, fit: Callable[[], object]) -> None:
        """Add a row for an optional part that is not there, with a button that fits it."""
        # what is added stands in the label beside it
        button = with_properties(QPushButton(tr("Add")), objectName="small")
        button.clicked.connect(lambda: fit())
        self._form.add_row(grid, at, shape.label, tip(shape), button)
        button.setAccessibleName(add_words(lowered(shape.label)))

    def _field(
        self, grid: QGridLayout, at: Place, holder: Place, part: Part, shape: Shape, level: int
    ) -> None:
        parts = self._form.parts
        if shape.name == "kind":
            models = parts.family(holder) or siblings(type(part))
            if len([k for m in models for k in kind_words(m)]) > 1:
                self._kind(grid, at, holder, shape, models)
        elif shape.editor in ("part", "union"):
            parts.part(grid, at, part, shape, level)
        elif shape.editor == "turn":
            self._turn(grid, at, shape)
        elif shape.editor == "matrix":
            for i in range(3):
                self._vector(grid, at.below(str(i)), shape, shape.label if i == 0 else "")
        elif shape.editor in ("parts", "refs", "surfaces"):
            parts.entries(grid, at, shape, level)
        elif shape.editor == "vector":
            if getattr(part, shape.name) is None:
                commands = self._form.commands
                self.absent(grid, at, shape, lambda: commands.set(at.path, (0.0, 0.0, 0.0)))
            else:
                self._vector(grid, at, shape, shape.label)
        elif shape.editor == "number_or_ref":
            self._number_or_function(grid, at, part, shape)
        else:
            self.row(grid, at, shape.label, tip(shape), self._editor(at, part, shape))

    def _editor(self, at: Place, part: Part, shape: Shape) -> Any:
        """Make the editor of a field that one editor shows."""
        form, commit = self._form, self.commit(at)
        commands, unit = form.commands, form.unit_of(at, shape.unit)
        if shape.editor in ("number", "count"):
            whole = shape.editor == "count"
            line = NumberLine(commit, commands.units, unit, whole=whole, optional=shape.optional)
            return self._pinnable(line, at)
        if shape.editor == "number_or_word":
            return NumberOrWord(commit)
        if shape.editor == "names":
            return NamesLine(commit)
        if shape.editor == "numbers":
            return NumbersLine(commit, commands.units, unit)
        if shape.editor == "rows":
            return RowsLine(commit, commands.units, unit)
        if shape.name == "packed":
            return Counted()
        if shape.editor == "flag":
            return Flag(commit)
        if shape.editor == "choice":
            return _choice(shape, commit)
        if shape.editor == "surface":
            return self.surface(commit, optional=shape.optional)
        if shape.editor == "ref":
            return self._reference(at, part, shape)
        say = field_label(part, shape.name)
        if say is not None:
            return NameLine(commit, lambda name: say(commands.project, name))
        return LongText(commit) if shape.name in _LONG else ValueLine(commit)

    def surface(
        self, commit: Callable[[Any, bool], bool], optional: bool = False, holds: bool = False
    ) -> SurfaceEdit:
        """Make an editor that names a surface; what `holds` a bag is an ellipsoid, the vehicle's first."""
        form = self._form
        editor = SurfaceEdit(
            lambda: form.commands.project, commit, form.theme, optional=optional, holds=holds
        )
        editor.go.connect(form.commands.go)
        return editor

    def _vector(self, grid: QGridLayout, at: Place, shape: Shape, label: str) -> VectorEdit:
        form = self._form
        frame = form.commands.seen_in
        if frame and carrier_of(form.commands.project, at.path) is not None:
            placed = FramedEdit(
                self.commit(at),
                form.commands.units,
                frame,
                lambda: form.commands.project,
                lambda: at.path,
            )
            text = tr(
                "Shown in the frame {name}.",
                name=element_label(form.commands.project, f"frames/{frame}"),
            )
            self.row(grid, at, label, f"{tip(shape)}\n{text}", placed)
            return placed
        commits = [self.commit(at.below(str(i))) for i in range(3)]
        editor = VectorEdit(
            lambda i, value, step: commits[i](value, step),
            form.commands.units,
            form.unit_of(at, shape.unit),
        )
        for i, line in enumerate(editor.lines):
            self._pinnable(line, at.below(str(i)))
        self.row(grid, at, label, tip(shape), editor)
        return editor

    def _pinnable(self, line: NumberLine, at: Place) -> NumberLine:
        """Let a number get a slider, and be varied."""
        line.pin = lambda: self._form.commands.pin.emit(at.path)
        line.vary = lambda: self._form.commands.vary.emit(at.path)
        line.path = lambda: at.path
        return line

    def _turn(self, grid: QGridLayout, at: Place, shape: Shape) -> None:
        """Add three angles, and a button for the order of their axes."""
        angles, order = fields_of(shape.models[0])
        where, ordered = at.below(angles.name), at.below(order.name)
        editor = self._vector(grid, where, angles, shape.label)
        self._form.rows[where.path].label.setToolTip(f"{shape.help}\n{angles.help}")
        button = MenuChoice(self.commit(ordered), order, self._form.theme)
        row = editor.layout()
        assert row is not None
        row.addWidget(button)
        self._form.bind(ordered, button)

    def _reference(self, at: Place, part: Part, shape: Shape) -> ReferenceEdit:
        webbing = None
        if shape.target == "contact_laws":
            webbing = type(part).__name__ in ("Belt", "Strap")
        commands = self._form.commands
        editor = ReferenceEdit(
            shape.target,
            lambda: commands.project,
            self.commit(at),
            self._form.theme,
            optional=shape.optional,
            units=units_of_curve(commands.project, at.path, shape)
            if shape.target == "functions"
            else ("", ""),
            webbing=webbing,
            words=shape.words,
        )
        editor.go.connect(commands.go)
        editor.new_asked.connect(lambda: commands.make_for(at.path, shape))
        return editor

    def _number_or_function(self, grid: QGridLayout, at: Place, part: Part, shape: Shape) -> None:
        """Add a number with a button that turns it into a function, or the other way round."""
        form, commands = self._form, self._form.commands
        by_function = isinstance(getattr(part, shape.name), str)
        unit = form.unit_of(at, shape.unit)
        if by_function:
            editor: Any = self._reference(at, part, shape)
        else:
            line = NumberLine(self.commit(at), commands.units, unit, optional=shape.optional)
            editor = self._pinnable(line, at)
        button = with_properties(
            QToolButton(), objectName="quiet", icon=icon("functions", form.theme.muted)
        )
        button.setToolTip(tr("A number") if by_function else tr("A function"))
        button.setAccessibleName(f"{shape.label}: {button.toolTip()}")
        button.setCheckable(True)
        button.setChecked(by_function)
        usual = type(part).model_fields[shape.name].default
        number = usual if isinstance(usual, float) else 1.0

        def change() -> None:
            if by_function:
                commands.set(at.path, number)
            else:
                commands.make_for(at.path, shape)

        button.clicked.connect(lambda: change())
        self.row(grid, at, shape.label, tip(shape), WithButton(editor, button))

    def _kind(
        self,
        grid: QGridLayout,
        at: Place,
        holder: Place,
        shape: Shape,
        models: tuple[type[Part], ...],
    ) -> None:
        editor = Choice()
        for model in models:
            for kind in kind_words(model):
                editor.addItem(raised(word_label(kind)), kind)
        row = self.row(grid, at, shape.label, shape.help, editor)
        change = self._form.commands.change_kind
        editor.activated.connect(
            lambda i: row.refuse(change(holder.path, models, editor.itemData(i)))
        )


def _choice(shape: Shape, commit: Callable[[Any, bool], bool]) -> Choice:
    editor = Choice()
    if shape.optional:
        editor.addItem(tr(texts.words.NONE), None)
    for one in shape.choices:
        words = word_label(one) if isinstance(one, str) else str(one)
        editor.addItem(words or tr(texts.words.NONE), one)
    editor.activated.connect(lambda i: commit(editor.itemData(i), False))
    return editor


class FramedEdit(VectorEdit):
    """Show a place in an own frame; a component that is typed moves it along that axis."""

    def __init__(
        self,
        commit: Callable[[Any, bool], bool],
        units: Units,
        frame: str,
        project: Callable[[], Project],
        path: Callable[[], str],
    ) -> None:
        super().__init__(self._take, units, "m")
        self._set, self._frame, self._project, self._path = commit, frame, project, path

    def show_value(self, value: tuple[float, ...]) -> None:
        """Show the place (SI, segment axes) in the frame."""
        try:
            super().show_value(place_in(self._project(), self._frame, self._path()))
        except FrameError as failure:
            self.show_mixed((None,))
            self.setToolTip(str(failure))

    def _take(self, n: int, value: float, step: bool) -> bool:
        project, path = self._project(), self._path()
        try:
            place = list(place_in(project, self._frame, path))
            place[n] = value
            moved = place_from(project, self._frame, path, place)
        except FrameError as failure:
            self.refused.emit(str(failure))
            return False
        return self._set(moved, step)


class Counted(QLabel):
    """Say how many points and triangles a mesh has; they are not typed."""

    def show_value(self, packed: str) -> None:
        """Show the counts."""
        found = unpack(packed)
        self.setText(
            tr(
                "{points} points, {faces} triangles",
                points=len(found.points),
                faces=len(found.faces),
            )
            if found is not None
            else tr("cannot be unpacked")
        )

    def show_mixed(self, _: object) -> None:
        """Show that there are several meshes."""
        self.setText(tr("several meshes"))
