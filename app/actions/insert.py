"""The Insert menu: everything that can be added, from the list of makers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.actions.action import Action, with_project
from app.editing.making import MAKERS, Maker
from solver.project import Project

if TYPE_CHECKING:
    from app.window import MainWindow

_KEYS = {"segments": "Ctrl+Shift+G", "joints.pin": "Ctrl+Shift+J", "planes": "Ctrl+Shift+L"}
_FAMILIES = (
    "segments",
    "planes",
    "functions",
    "contacts",
    "belts",
    "springs",
    "motions",
    "outputs",
)
"""Lists above which the menu has a line."""


def _add(maker: Maker) -> Callable[[MainWindow], None]:
    return lambda window: window.editing.add(maker)


def _heading(maker: Maker) -> str:
    """Give the submenu of a list that has several kinds."""
    several = sum(one.list_name == maker.list_name for one in MAKERS) > 1
    return str(Project.model_fields[maker.list_name].title) if several else ""


INSERT: tuple[Action, ...] = tuple(
    Action(
        f"insert.{maker.id}",
        _add(maker),
        _KEYS.get(maker.id, ""),
        with_project,
        choice=_heading(maker),
        line_before=maker.list_name in _FAMILIES
        and maker is next(one for one in MAKERS if one.list_name == maker.list_name),
        icon=maker.list_name,
    )
    for maker in MAKERS
)
