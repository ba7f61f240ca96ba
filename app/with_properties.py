"""Qt properties at the place where a widget is made.

Qt takes them as keywords of the constructor too, which those who check types cannot see.
"""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject

Q = TypeVar("Q", bound=QObject)


def with_properties(made: Q, **properties: object) -> Q:
    """What was made, with these properties; raises AttributeError for one that it does not have."""
    for name, value in properties.items():
        if not made.setProperty(name, value):
            raise AttributeError(f"{type(made).__name__} has no property {name!r}")
    return made
