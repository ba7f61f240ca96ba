"""Describe an action: its words, its key, what it does, and when it makes sense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from app import texts

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
    """Hold one action; `is_on` makes it a switch, `choice` puts it into a menu within its menu.

    The first word of the id is the menu; title and tip stand in `texts.actions`. `line_before`
    separates it from what stands above; `words` gives a title that tells more, such as what will be
    undone; `also` are further shortcuts.
    """

    id: str
    do: Callable[[MainWindow], object]
    shortcut: str = ""
    enabled: Callable[[MainWindow], bool] = _always
    is_on: Callable[[MainWindow], bool] | None = None
    choice: str = ""
    line_before: bool = False
    in_scene: bool = False
    """The key works only while the scene has the keyboard, as letters and arrows must."""
    words: Callable[[MainWindow], str] | None = None
    also: tuple[str, ...] = ()
    icon: str = ""

    @property
    def menu(self) -> str:
        """Name the menu in which it stands."""
        return self.id.split(".", 1)[0]

    @property
    def title(self) -> str:
        """Give the words of the menu, with the mark of its key."""
        return texts.actions.WORDS[self.id][0]

    @property
    def tip(self) -> str:
        """Say in a sentence what it does."""
        return texts.actions.WORDS[self.id][1]

    @property
    def full_tip(self) -> str:
        """Say what it does, and by which key: 'Solve the model. (F5)'."""
        if not self.shortcut:
            return self.tip
        key = QKeySequence(self.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
        return texts.actions.WITH_KEY.format(tip=self.tip, key=key)

    @property
    def where(self) -> str:
        """Say in which menu it stands: 'View › Units'."""
        words = [texts.actions.MENUS[self.menu]]
        if self.choice:
            words.append(texts.actions.CHOICES.get(self.choice, self.choice))
        return " › ".join(words).replace("&", "")

    @property
    def plain(self) -> str:
        """Give the title without the mark of its key."""
        return self.title.replace("&", "")
