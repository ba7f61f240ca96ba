"""What of the window is seen, and turning the scene by keys: more of the View menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.actions.action import Action, with_project
from app.panels_desk import PLACES

if TYPE_CHECKING:
    from app.window import MainWindow

_TURN_PX = 30.0
"""A key turns as far as a drag over so many pixels: 15 degrees."""
_NEARER = 1.25


def _turn(right: float, down: float) -> Callable[[MainWindow], None]:
    return lambda window: window.viewport.turn_by(_TURN_PX * right, _TURN_PX * down)


_TURNS = (
    ("left", "Shift+Left", _turn(1.0, 0.0)),
    ("right", "Shift+Right", _turn(-1.0, 0.0)),
    ("up", "Shift+Up", _turn(0.0, 1.0)),
    ("down", "Shift+Down", _turn(0.0, -1.0)),
)


def _go(name: str) -> Callable[[MainWindow], None]:
    return lambda window: window.panels.go_to(name)


FRAME: tuple[Action, ...] = (
    Action(
        "view.nearer",
        lambda w: w.viewport.come_nearer(_NEARER),
        "+",
        with_project,
        also=("=",),
        line_before=True,
        in_scene=True,
    ),
    Action(
        "view.farther",
        lambda w: w.viewport.come_nearer(1.0 / _NEARER),
        "-",
        with_project,
        in_scene=True,
    ),
    *(
        Action(f"view.turn_{name}", do, key, with_project, choice="turn", in_scene=True)
        for name, key, do in _TURNS
    ),
    *(
        Action(f"view.go_{name}", _go(name), f"Alt+{key}", with_project, choice="panels")
        for key, name in enumerate(PLACES)
    ),
    Action(
        "view.scene_alone",
        lambda w: w.panels.toggle_scene_alone(),
        "F11",
        with_project,
        is_on=lambda w: w.panels.is_scene_alone,
        line_before=True,
    ),
    Action(
        "view.below_alone",
        lambda w: w.panels.toggle_below_alone(),
        "F12",
        with_project,
        is_on=lambda w: w.panels.is_below_alone,
    ),
)
