"""Name the document's elements as people do, and find them by path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from app import texts
from solver.project import LISTS, Project
from solver.project.fields import Part

PROJECT = ""
_QUOTED = re.compile(r"'(?P<id>[\w.-]+)'")
START = "initial"


def elements(project: Project) -> Iterator[tuple[str, Any]]:
    """Give every element with its path, in the order of the document."""
    for name in LISTS:
        for item in getattr(project, name):
            yield f"{name}/{item.id}", item


def element_path(path: str) -> str:
    """Cut a path into the document down to its element: `segments/head/mass_kg` is in segments/head."""
    words = path.split("/")
    if words[0] in LISTS and len(words) > 1:
        return "/".join(words[:2])
    return START if words[0] == START else PROJECT


def find(project: Project, path: str) -> Part | None:
    """Find an element, the start or the project itself; None where there is no such thing."""
    if path == PROJECT:
        return project
    if path == START:
        return project.initial
    name, _, wanted = path.partition("/")
    items = getattr(project, name) if name in LISTS else ()
    return next((item for item in items if item.id == wanted), None)


def name_of(item: Any) -> str:
    """Give what people read: the name, or the id where that is empty."""
    return str(item.name or item.id)


def spoken(project: Project, path: str) -> str:
    """Name a path: 'Head', 'Start', or the project's title."""
    if path == PROJECT:
        return project.title or texts.elements.PROJECT
    if path == START:
        return texts.elements.START
    item = find(project, path)
    return path.rsplit("/", 1)[-1] if item is None else name_of(item)


def said(project: Project, sentence: str) -> str:
    """Put names in place of ids in quotes, where only one element has the id and another name."""

    def name(quoted: re.Match[str]) -> str:
        id_, dot, axis = quoted["id"].partition(".")
        found = [item for _, item in elements(project) if item.id == id_]
        known = len(found) == 1 and found[0].name
        return f"‘{found[0].name}{dot and ', '}{axis}’" if known else quoted[0]

    return _QUOTED.sub(name, sentence)


def kind_word(path: str) -> str:
    """Say what a path stands for: 'segment', 'belt', 'start'."""
    if path in (PROJECT, START):
        return texts.elements.A_PROJECT if path == PROJECT else texts.elements.A_START
    return texts.elements.ONE[path.split("/", 1)[0]]


def place(project: Project, path: str) -> str:
    """Say where a problem is, in labels instead of field names: 'Head › Surfaces › skull'."""
    words = [w for w in path.split("/") if w]
    if not words:
        return texts.elements.PROJECT
    here: Any = project
    shown: list[str] = []
    for step, word in enumerate(words):
        if isinstance(here, Part):
            field = type(here).model_fields.get(word)
            is_list = step == 0 and word in LISTS and len(words) > 1
            if not is_list:
                shown.append(field.title if field and field.title else word)
            here = getattr(here, word, None)
        elif isinstance(here, tuple):
            here = _item(here, word)
            shown.append(_item_word(here, word))
        else:
            shown.append(word)
    return " › ".join(shown)


def _item(items: tuple[Any, ...], word: str) -> Any:
    for item in items:
        if getattr(item, "id", None) == word:
            return item
    return items[int(word)] if word.isdecimal() and int(word) < len(items) else None


def _item_word(item: Any, word: str) -> str:
    if getattr(item, "id", None) is not None and hasattr(item, "name"):
        return name_of(item)
    return str(int(word) + 1) if word.isdecimal() else word
