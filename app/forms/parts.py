"""Add the sections of a form: parts inside a part, and lists with their entries."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QGridLayout, QMenu, QToolButton

from app import texts
from app.editing.shape import Shape, fields_of, lowered, raised, spoken_word
from app.forms.building import Building
from app.forms.place import Place
from app.forms.references import ReferenceEdit
from app.forms.section import Line, Section, add_words
from app.forms.words import entry_title, singular, tip
from solver.base.words import msgid, tr
from solver.project.fields import Part
from solver.project.kinds import kind_words

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
        """Give the models among which the kind of an entry chooses; none for other parts."""
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
                menu.addAction(raised(spoken_word(kind))).triggered.connect(
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
