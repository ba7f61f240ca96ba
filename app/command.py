"""Describe a command: its words, its key, what it does, and when it makes sense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """One command; `is_on` makes it a switch, `choice` puts it into a menu within its menu.

    The first word of the id is the menu. `&` in the title stands before the letter that Alt chooses;
    `words` gives a title that tells more, such as what will be undone; `also` are further keys.
    """

    id: str
    title: str
    tip: str
    do: Callable[[], object]
    key: str = ""
    enabled: Callable[[], bool] = _always
    is_on: Callable[[], bool] | None = None
    choice: str = ""
    in_scene: bool = False
    """The key works only while the scene has the keyboard, as letters and arrows must."""
    words: Callable[[], str] | None = None
    also: tuple[str, ...] = ()
    icon: str = ""
    fill: Callable[[QMenu], None] | None = None
    """Makes it a menu of its own, which is filled whenever it opens."""

    @property
    def menu(self) -> str:
        """Name the menu in which it stands."""
        return self.id.split(".", 1)[0]

    @property
    def plain(self) -> str:
        """Give the title without the mark of its key."""
        return self.title.replace("&", "")

    @property
    def full_tip(self) -> str:
        """Say what it does, and by which key: 'Solve the model. (F5)'."""
        if not self.key:
            return self.tip
        key = QKeySequence(self.key).toString(QKeySequence.SequenceFormat.NativeText)
        return f"{self.tip} ({key})"
