"""Everything that the window says in English, by subject; labels and help of fields stand in the schema.

Whoever shows words takes them from here: `texts.plots.SAVE`. Sentences with gaps are filled by
`format`, so that another language may put the gaps elsewhere.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from app.texts import (
    actions,
    comparing,
    editing,
    editors,
    elements,
    files,
    forms,
    guide,
    library,
    making,
    outputs,
    panels,
    plots,
    preferences,
    scene,
    study,
    tour,
    whatif,
    window,
)

__all__ = [
    "actions",
    "comparing",
    "editing",
    "editors",
    "elements",
    "files",
    "forms",
    "guide",
    "library",
    "making",
    "outputs",
    "panels",
    "plots",
    "preferences",
    "scene",
    "study",
    "tour",
    "whatif",
    "window",
]


def translate(say: Callable[[str], str]) -> None:
    """Say every text in another language, before any other module of the window is imported.

    Tables of the window are made from texts when it is imported: later would be too late for them.
    """
    done: dict[int, Any] = {}
    subjects: list[ModuleType] = [globals()[name] for name in __all__]
    for subject in subjects:
        for name, value in list(vars(subject).items()):
            if name.lstrip("_")[:1].isupper():
                setattr(subject, name, _said(value, say, done))


def _said(value: Any, say: Callable[[str], str], done: dict[int, Any]) -> Any:
    """Translate a text, or a table of them; a table that two subjects share is translated once."""
    if isinstance(value, str):
        return say(value)
    if isinstance(value, tuple | list):
        return type(value)(_said(one, say, done) for one in value)
    if isinstance(value, dict):
        if id(value) not in done:
            said = {key: _said(one, say, done) for key, one in value.items()}
            done[id(value)] = said
            done[id(said)] = said
        return done[id(value)]
    return value
