"""Describe an action: its words, its key, what it does, and when it makes sense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.window import MainWindow


def _always(_: MainWindow) -> bool:
    return True


def with_project(window: MainWindow) -> bool:
    """Tell whether a project is shown."""
    return window.shows_project()


@dataclass(frozen=True, slots=True)
class Action:
    """Hold one action; `is_on` makes it a switch, `choice` one of several under a heading.

    `line_before` separates it from what stands above.
    """

    id: str
    menu: str
    title: str
    do: Callable[[MainWindow], None]
    shortcut: str = ""
    enabled: Callable[[MainWindow], bool] = _always
    is_on: Callable[[MainWindow], bool] | None = None
    choice: str = ""
    line_before: bool = False
    in_scene: bool = False
    """The key works only while the scene has the keyboard, as letters and arrows must."""
