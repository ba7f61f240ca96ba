"""What can be found by typing: commands, elements, their fields and values, preferences, the guide."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QPixmap

from app.editing.shape import Shape, fields_of, word_label
from app.elements import called, elements, kind_word, place
from app.features.all import MENUS
from app.forms.places import unit_in
from app.forms.units import Units
from app.icons import icon
from app.preferences import CHOICES, LABELS, PREFERENCES, TIPS
from app.shell.menus import Menus
from app.workbench import Workbench
from solver.base.words import tr
from solver.project.fields import Part

ICON_PX = 16
_MOST, _FIELDS, _SECTIONS = 28, 12, 6
"""So many commands and elements, fields and sections of the guide are listed at most."""
_ROWS = 60
"""Parts in longer lists than this, such as points of curves, are found in their editor alone."""
_LEAST = 3
"""Shorter words are looked for neither in fields nor inside other words."""
_WORD = re.compile(r"\d[\d.,]*|[^\W_]+")
_IN_ALL = frozenset({"id", "kind", "group", "note", "source"})
"""Fields that say what an element is, not how it is made."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One line: what it says, what stands aside, what is searched, and what it does."""

    words: str
    aside: str
    search: str
    icon: QIcon
    do: Callable[[], object]


class Offers:
    """All that can be found in a window as it is now, or the commands of one menu."""

    def __init__(self, bench: Workbench, menus: Menus, menu: str = "") -> None:
        self._bench, self._menus, self._menu = bench, menus, menu
        self._colour, self._units = bench.theme.muted, Units(bench.settings.units)
        empty = QPixmap(ICON_PX, ICON_PX)
        empty.fill(Qt.GlobalColor.transparent)
        self._blank = QIcon(empty)
        self._parts: list[tuple[str, Part, str]] = []
        """The elements by their paths, and what they are called as it is searched."""
        menus.refresh()
        self._named = list(self._commands())
        if not menu:
            self._named += [*self._elements(), *self._figures(), *self._preferences()]

    def find(self, text: str) -> list[Offer]:
        """What fits the typed words: what is called so, then fields and values, then what the guide says."""
        words = _folded(text).split()
        fit = [one for one in self._named if all(_has(one.search, word) for word in words)]
        if self._menu or not words:
            return fit
        typed = " ".join(words)
        fit.sort(key=lambda one: _rank(one, typed, words))
        return [*fit[:_MOST], *self._fields(words), *self._sections(typed)]

    def _commands(self) -> Iterator[Offer]:
        """The commands that make sense now; those of one menu in its groups."""
        menus = self._menus
        entries = [(id_, entry, menus.commands[id_]) for id_, entry in menus.entries.items()]
        if self._menu:
            entries = [one for one in entries if one[2].menu == self._menu]
            groups = [one[2].choice for one in entries]
            entries.sort(key=lambda one: groups.index(one[2].choice))
        for id_, entry, command in entries:
            if not entry.isEnabled() or id_ == "help.palette" or id_.endswith(".more"):
                continue
            words, where = entry.text().replace("&", ""), menus.where(command)
            keys = entry.shortcut().toString(entry.shortcut().SequenceFormat.NativeText)
            yield Offer(
                words,
                f"{where}    {keys}".rstrip(),
                _folded(f"{words} {where} {command.tip} {id_}"),
                icon(command.icon, self._colour) if command.icon else self._blank,
                entry.trigger,
            )

    def _elements(self) -> Iterator[Offer]:
        """The elements of the project."""
        project = self._bench.document.project
        for path, item in elements(project) if self._bench.has_project() else ():
            name, kind = called(project, item), kind_word(path)
            search = _folded(f"{name} {path} {kind} {_kind(item)}")
            self._parts.append((path, item, search))
            yield Offer(name, kind, search, self._icon(path), self._select(path))

    def _preferences(self) -> Iterator[Offer]:
        """The preferences, and what each may be chosen to be."""
        choose, where = self._bench.application.choose, tr("Preferences")
        for one in PREFERENCES:
            label = tr(LABELS[one.name])
            search = _folded(f"{label} {where} {tr(TIPS[one.name])} {LABELS[one.name]} {one.name}")
            show = partial(self._menus.run, "edit.preferences")
            yield Offer(label, where, search, self._blank, show)
            values = one.choices or ((True, False) if isinstance(one.usual, bool) else ())
            for value in values:
                said = (
                    tr("on")
                    if value is True
                    else tr("off")
                    if value is False
                    else tr(CHOICES[one.name][str(value)])
                )
                words, english = f"{label}: {said}", CHOICES.get(one.name, {}).get(str(value), "")
                do = partial(choose, one.name, value)
                yield Offer(
                    words, where, f"{search}{_folded(f'{said} {english}')}", self._blank, do
                )

    def _figures(self) -> Iterator[Offer]:
        """The injury figures of the run that is shown, where they are known."""
        record = self._bench.run_view.runs.current
        found = record.assess() if record is not None and record.is_assessed else None
        units = self._units
        for one in found.figures if found is not None else ():
            value = units.with_unit(units.short(one.value, one.unit), one.unit)
            words = f"{one.body} › {one.title}" if one.body else one.title
            asked = partial(self._bench.figure_asked.emit, one)
            yield Offer(words, value, _folded(f"{words} {one.name}"), self._blank, asked)

    def _fields(self, words: list[str]) -> Iterator[Offer]:
        """Fields that are called so, or hold a value that begins so; of what is selected first."""
        if max(map(len, words)) < _LEAST:
            return
        project, chosen = self._bench.document.project, self._bench.document.selection
        left = _FIELDS
        for path, item, whose in sorted(self._parts, key=lambda one: one[0] != chosen):
            asked = [word for word in words if not _has(whose, word)]
            if not asked and len(words) > 1:
                # a field may be called as its element is, as the plane of a contact with one
                asked = words[:1]
            for field, shape, value, label in _inside(item, path) if asked else ():
                rest = [word for word in asked if not _has(label, word)]
                if rest and not any(_may_hold(value, word) for word in rest):
                    continue
                said = self._shown(field, shape, value)
                if not all(f" {word}" in _folded(said) for word in rest):
                    continue
                yield Offer(place(project, field), said, "", self._icon(path), self._select(field))
                left -= 1
                if not left:
                    return

    def _shown(self, path: str, shape: Shape, value: Any) -> str:
        """A value as its field shows it."""
        if isinstance(value, bool):
            return tr("on") if value else tr("off")
        if isinstance(value, str):
            return value if not shape.choices else word_label(value)
        units = self._units
        unit = unit_in(self._bench.document.project, path, shape.unit)
        many = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(one, int | float) for one in many):
            return ""
        return units.with_unit(", ".join(units.short(one, unit) for one in many), unit)

    def _sections(self, typed: str) -> Iterator[Offer]:
        """Sections of the guide in which the words stand."""
        for title, page, topic in islice(self._bench.guide_sections(typed), _SECTIONS):
            asked = partial(self._bench.help_asked.emit, topic, self._bench.window)
            yield Offer(title, tr("Guide › {page}", page=page), "", self._blank, asked)

    def _select(self, path: str) -> Callable[[], object]:
        return partial(self._bench.document.select, path)

    def _icon(self, path: str) -> QIcon:
        return icon(path.split("/", 1)[0], self._colour)


def _folded(text: str) -> str:
    """A text as it is searched: small letters, a space before each word."""
    return "".join(f" {word}" for word in _WORD.findall(text.casefold()))


def _has(search: str, word: str) -> bool:
    """Whether a word begins one of a text, or stands in it where it is no short one: 'hic' is in no vehicle."""
    return f" {word}" in search or (len(word) > _LEAST and word in search)


def _rank(one: Offer, typed: str, words: list[str]) -> tuple[bool, bool, bool]:
    """What is called just so comes first, then what begins so, then what has such words."""
    said = _folded(one.words)
    return (
        said != f" {typed}",
        not said.startswith(f" {words[0]}"),
        not all(f" {word}" in said for word in words),
    )


def _may_hold(value: Any, word: str) -> bool:
    """Whether a value could begin so, as far as that is seen without units."""
    return isinstance(value, str | bool) or word[0].isdigit()


def _inside(part: Part, path: str, above: str = "") -> Iterator[tuple[str, Shape, Any, str]]:
    """The fields of an element and of the parts in it that hold a value, by their paths, with their labels."""
    for shape, said in _labels(type(part)):
        value = getattr(part, shape.name)
        here, label = f"{path}/{shape.name}", above + said
        if isinstance(value, Part):
            yield from _inside(value, here, label)
        elif isinstance(value, tuple) and value and isinstance(value[0], Part):
            for number, one in enumerate(value if len(value) <= _ROWS else ()):
                yield from _inside(one, f"{here}/{number}", label)
        elif value is not None and shape.name not in _IN_ALL:
            yield here, shape, value, label


@cache
def _labels(model: type[Part]) -> tuple[tuple[Shape, str], ...]:
    """The fields of a model with their labels as they are searched, and their names, which are English in every language."""
    return tuple((shape, _folded(f"{shape.label} {shape.name}")) for shape in fields_of(model))


def _kind(item: Part) -> str:
    """What kind of its list an element is, as people say it."""
    return word_label(getattr(item, "kind", ""))


def menu_title(menu: str) -> str:
    """What a menu is called."""
    return tr(MENUS[menu][0]).replace("&", "")
