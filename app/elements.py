"""Name the document's elements as people do, and find them by path."""

from __future__ import annotations

from typing import Any

from app import texts
from solver.base.words import tr
from solver.editing.elements import PROJECT as PROJECT
from solver.editing.elements import START as START
from solver.editing.elements import element_path as element_path
from solver.editing.elements import elements as elements
from solver.editing.elements import find as find
from solver.project import LISTS, Project
from solver.project.fields import Part
from solver.project.names import called as called
from solver.project.names import name_of as name_of
from solver.project.names import with_names as with_names


def contact_ends(contact: Any) -> tuple[str, ...]:
    """The paths of both elements of a contact."""
    ends = []
    for name in ("surface", "first", "second"):
        ref = getattr(contact, name, None)
        if ref is not None and hasattr(ref, "segment"):
            ends.append(f"segments/{ref.segment}")
    if getattr(contact, "plane", None):
        ends.append(f"planes/{contact.plane}")
    return tuple(ends)


def element_label(project: Project, path: str) -> str:
    """Name a path: 'Head', 'Start', or the project's title."""
    if path == PROJECT:
        return project.title or tr(texts.elements.PROJECT)
    if path == START:
        return tr(texts.elements.START)
    item = find(project, path)
    return path.rsplit("/", 1)[-1] if item is None else called(project, item)


def kind_word(path: str) -> str:
    """Say what a path stands for: 'segment', 'belt', 'start'."""
    if path in (PROJECT, START):
        return tr("project") if path == PROJECT else tr("start")
    if path.startswith("people/"):
        return tr("person")
    return tr(texts.elements.ONE[path.split("/", 1)[0]])


def place(project: Project, path: str) -> str:
    """Say where a problem is, in labels instead of field names: 'Head › Surfaces › skull'."""
    words = [w for w in path.split("/") if w]
    if not words:
        return tr(texts.elements.PROJECT)
    here: Any = project
    shown: list[str] = []
    for step, word in enumerate(words):
        if isinstance(here, Part):
            field = type(here).model_fields.get(word)
            is_list = step == 0 and word in LISTS and len(words) > 1
            if not is_list:
                shown.append(tr(field.title) if field and field.title else word)
            here = getattr(here, word, None)
        elif isinstance(here, tuple):
            here = _item(here, word)
            shown.append(_item_word(project, here, word))
        else:
            shown.append(word)
    return " › ".join(shown)


def _item(items: tuple[Any, ...], word: str) -> Any:
    for item in items:
        if getattr(item, "id", None) == word:
            return item
    return items[int(word)] if word.isdecimal() and int(word) < len(items) else None


def _item_word(project: Project, item: Any, word: str) -> str:
    if getattr(item, "id", None) is not None and hasattr(item, "name"):
        return called(project, item)
    return str(int(word) + 1) if word.isdecimal() else word
