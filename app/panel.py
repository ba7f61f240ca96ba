"""Describe a panel: where it stands in the window, what it is called, and what the guide says of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtWidgets import QWidget

Place = Literal["page", "left", "scene", "right", "under_scene", "below", "corner", "floating"]
"""`below` are the tabs below the scene; a `page` takes the place of everything."""


Mood = Literal["build", "run", "understand"]
"""What the window is for just now: the model is made, it is solved and varied, or a run is looked at."""
MOODS: tuple[Mood, ...] = ("build", "run", "understand")


def _nothing() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel; those that the keyboard can be sent to have a title and a tip for that."""

    name: str
    widget: QWidget
    place: Place
    title: str = ""
    tip: str = ""
    go_to: tuple[str, str] = ("", "")
    """Title and tip of the command that sends the keyboard there."""
    topic: str = ""
    """The page and heading of the guide that report it."""
    asked: Callable[[], str] = _nothing
    """Gives the path of the element that F1 asks about; empty for the panel itself."""
    stops: QWidget | None = None
    """What of it takes the keyboard first."""
    moods: tuple[Mood, ...] = MOODS
    """In which it stands; in others it comes only where somebody puts it."""
    asked_in: tuple[Mood, ...] = ()
    """Moods in which it comes when it is asked for, and goes with the project: only some need it there."""
    parts: Mapping[str, QWidget] = field(default_factory=dict)
    """What in it can be pointed at, by name."""

    def is_in(self, mood: str) -> bool:
        """Whether it stands in a mood."""
        return mood in self.moods

    def stays_in(self, mood: str) -> bool:
        """Whether it stands in a mood from the first."""
        return mood in self.moods and mood not in self.asked_in
