"""What is seen beside a run: forces, loads, the start, trails; part of the View menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.actions.action import Action, with_project

if TYPE_CHECKING:
    from app.window import MainWindow

_SIGHTS = (
    ("forces", "Shift+F"),
    ("patches", "Shift+U"),
    ("loads", "Shift+B"),
    ("start", "Shift+S"),
)


def _toggle(name: str) -> Callable[[MainWindow], None]:
    return lambda window: window.desk.toggle_sight(name)


def _is_on(name: str) -> Callable[[MainWindow], bool]:
    return lambda window: bool(getattr(window.study.sights, name))


def _with_segment(window: MainWindow) -> bool:
    replay = window.study.replay
    kind, _, name = window.document.selection.partition("/")
    return replay is not None and kind == "segments" and name in replay.motion.names


SIGHTS: tuple[Action, ...] = (
    *(
        Action(
            f"view.{name}",
            _toggle(name),
            key,
            with_project,
            is_on=_is_on(name),
            choice="sights",
        )
        for name, key in _SIGHTS
    ),
    Action(
        "view.trail",
        lambda w: w.desk.toggle_trail(),
        "Shift+T",
        _with_segment,
        is_on=lambda w: w.document.selection.partition("/")[2] in w.study.trails,
        choice="sights",
    ),
    Action(
        "view.beside",
        lambda w: w.side_by_side.toggle(),
        "Shift+D",
        lambda w: with_project(w) and (w.side_by_side.is_open or bool(w.side_by_side.others())),
        is_on=lambda w: w.side_by_side.is_open,
    ),
)
