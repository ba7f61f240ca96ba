"""What the scene shows: more of the View menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.actions.action import Action, with_project

if TYPE_CHECKING:
    from app.window import MainWindow


def _drawn(window: MainWindow) -> bool:
    return with_project(window) and window.viewport.stage is not None


def _picked(window: MainWindow) -> bool:
    return _drawn(window) and bool(window.editing.elements())


def _note(name: str) -> Callable[[MainWindow], None]:
    return lambda window: window.placing.toggle_note(name)


def _has_note(name: str) -> Callable[[MainWindow], bool]:
    return lambda window: bool(getattr(window.placing.notes, name))


_NOTES = (
    ("names", "&Names", "Shift+N", "Write the names of segments, planes and airbags over the scene."),
    ("centres", "Centres of &mass", "Shift+M", "Mark the mass centre of every segment."),
    ("pairs", "Contact pa&irs", "Shift+K", "Join what is selected with everything that it may touch."),
)  # fmt: skip

SHOW: tuple[Action, ...] = (
    *(
        Action(
            f"view.{name}",
            "&View",
            title,
            _note(name),
            key,
            _drawn,
            is_on=_has_note(name),
            in_scene=True,
            tip=tip,
        )
        for name, title, key, tip in _NOTES
    ),
    Action(
        "view.hide",
        "&View",
        "&Hide selected",
        lambda w: w.placing.looks.hide(),
        "H",
        _picked,
        line_before=True,
        in_scene=True,
        tip="Hide what is selected in the scene; the model is not changed.",
    ),
    Action(
        "view.isolate",
        "&View",
        "Show &only selected",
        lambda w: w.placing.looks.isolate(),
        "Shift+H",
        _picked,
        in_scene=True,
        tip="Hide everything else.",
    ),
    Action(
        "view.unhide",
        "&View",
        "Sho&w all that is hidden",
        lambda w: w.placing.looks.show_all(),
        "Alt+H",
        _drawn,
        in_scene=True,
        tip="Show everything again.",
    ),
    Action(
        "view.see_through",
        "&View",
        "See throu&gh",
        lambda w: w.placing.looks.see_through(),
        "T",
        _drawn,
        in_scene=True,
        tip="See through what is selected, or through all bodies; once more makes them solid.",
    ),
    Action(
        "view.cut",
        "&View",
        "C&ut open",
        lambda w: w.placing.looks.cut(),
        "Shift+X",
        _drawn,
        in_scene=True,
        tip="Cut the scene across x, then y, then z, then not at all; [ and ] move the cut.",
    ),
    Action(
        "view.cut_back",
        "&View",
        "Move the cut bac&k",
        lambda w: w.placing.looks.move_cut(-1),
        "[",
        _drawn,
        in_scene=True,
    ),
    Action(
        "view.cut_on",
        "&View",
        "Move the cut o&n",
        lambda w: w.placing.looks.move_cut(1),
        "]",
        _drawn,
        in_scene=True,
    ),
    Action(
        "view.measure",
        "&View",
        "Meas&ure a distance",
        lambda w: w.placing.measuring.toggle(),
        "M",
        _drawn,
        is_on=lambda w: w.placing.measuring.is_on,
        in_scene=True,
        tip="Click two points of what is seen; their distance is shown, along x, y and z too.",
    ),
)
