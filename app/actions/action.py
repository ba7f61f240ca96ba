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


def with_elements(window: MainWindow) -> bool:
    """Tell whether elements are selected that can be copied and deleted."""
    return window.shows_project() and bool(window.editing.elements())


@dataclass(frozen=True, slots=True)
class Action:
    """Hold one action; `is_on` makes it a switch, `choice` one of several under a heading.

    `line_before` separates it from what stands above; `words` gives a title that tells more, such
    as what will be undone; `tip` is what the status line says; `also` are further shortcuts.
    """

    id: str
    menu: str
    title: str
    do: Callable[[MainWindow], object]
    shortcut: str = ""
    enabled: Callable[[MainWindow], bool] = _always
    is_on: Callable[[MainWindow], bool] | None = None
    choice: str = ""
    line_before: bool = False
    in_scene: bool = False
    """The key works only while the scene has the keyboard, as letters and arrows must."""
    words: Callable[[MainWindow], str] | None = None
    tip: str = ""
    also: tuple[str, ...] = ()
    icon: str = ""

    @property
    def plain(self) -> str:
        """Give the title without the mark of its key."""
        return self.title.replace("&", "")
