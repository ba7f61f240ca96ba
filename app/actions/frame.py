"""What of the window is seen: more of the View menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.actions.action import Action, with_project
from app.panels_desk import PLACES

if TYPE_CHECKING:
    from app.window import MainWindow


def _go(name: str) -> Callable[[MainWindow], None]:
    return lambda window: window.panels.go_to(name)


FRAME: tuple[Action, ...] = (
    Action(
        "view.scene_alone",
        lambda w: w.panels.toggle_scene_alone(),
        "F11",
        with_project,
        is_on=lambda w: w.panels.is_scene_alone,
        line_before=True,
    ),
    Action(
        "view.below",
        lambda w: w.panels.toggle_below(),
        "Ctrl+J",
        with_project,
        is_on=lambda w: not w.drawer.is_folded,
    ),
    Action(
        "view.below_alone",
        lambda w: w.panels.toggle_below_alone(),
        "F12",
        with_project,
        is_on=lambda w: w.panels.is_below_alone,
    ),
    *(
        Action(f"view.go_{name}", _go(name), f"Alt+{key}", with_project, choice="panels")
        for key, name in enumerate(PLACES)
    ),
)
