"""What is seen beside a run: forces, loads, the start, trails; part of the View menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.actions.action import Action, with_project

if TYPE_CHECKING:
    from app.window import MainWindow

_SIGHTS = (
    ("forces", "Contact &forces", "Shift+F", "Arrows at the contacts of a run: 10 cm for 1 kN, twice as long for four times the force"),
    ("loads", "Belt loads as c&olours", "Shift+B", "Webbing takes its colour from its tension; the legend tells how much"),
    ("start", "Start pose as &ghost", "Shift+S", "The pose at the start of the run, drawn faintly"),
)  # fmt: skip


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
            "&View",
            title,
            _toggle(name),
            key,
            with_project,
            is_on=_is_on(name),
            line_before=name == "forces",
            tip=tip,
        )
        for name, title, key, tip in _SIGHTS
    ),
    Action(
        "view.trail",
        "&View",
        "&Trail of the selected segment",
        lambda w: w.desk.toggle_trail(),
        "Shift+T",
        _with_segment,
        is_on=lambda w: w.document.selection.partition("/")[2] in w.study.trails,
        tip="The way of the segment's mass centre through the run",
    ),
)
