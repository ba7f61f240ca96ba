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


_NOTES = (("names", "Shift+N"), ("centres", "Shift+M"), ("pairs", "Shift+K"))

SHOW: tuple[Action, ...] = (
    Action(
        "view.joints",
        lambda w: w.set_joints(not w.joints),
        "Shift+J",
        with_project,
        is_on=lambda w: w.joints,
        choice="shown",
        line_before=True,
    ),
    *(
        Action(
            f"view.{name}",
            _note(name),
            key,
            _drawn,
            is_on=_has_note(name),
            choice="shown",
            in_scene=True,
        )
        for name, key in _NOTES
    ),
    Action(
        "view.bags",
        lambda w: w.placing.looks.fill_bags(),
        "Shift+A",
        _drawn,
        is_on=lambda w: _drawn(w) and w.placing.looks.showing.full_bags,
        choice="shown",
        in_scene=True,
    ),
    Action(
        "view.hide",
        lambda w: w.placing.looks.hide(),
        "H",
        _picked,
        in_scene=True,
    ),
    Action(
        "view.isolate",
        lambda w: w.placing.looks.isolate(),
        "Shift+H",
        _picked,
        in_scene=True,
    ),
    Action(
        "view.unhide",
        lambda w: w.placing.looks.show_all(),
        "Alt+H",
        _drawn,
        in_scene=True,
    ),
    Action(
        "view.see_through",
        lambda w: w.placing.looks.see_through(),
        "T",
        _drawn,
        in_scene=True,
    ),
    Action(
        "view.cut",
        lambda w: w.placing.looks.cut(),
        "Shift+X",
        _drawn,
        choice="section",
        in_scene=True,
    ),
    Action(
        "view.cut_back",
        lambda w: w.placing.looks.move_cut(-1),
        "[",
        _drawn,
        choice="section",
        in_scene=True,
    ),
    Action(
        "view.cut_on",
        lambda w: w.placing.looks.move_cut(1),
        "]",
        _drawn,
        choice="section",
        in_scene=True,
    ),
    Action(
        "view.measure",
        lambda w: w.placing.measuring.toggle(),
        "M",
        _drawn,
        is_on=lambda w: w.placing.measuring.is_on,
        in_scene=True,
    ),
)
