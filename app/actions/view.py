"""The View menu: from where the scene is seen, and what the window wears."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.actions.action import Action, with_project
from app.forms.units import SYSTEMS
from app.scene.camera import View

if TYPE_CHECKING:
    from app.window import MainWindow

_VIEWS: tuple[tuple[View, str], ...] = (
    ("iso", "0"),
    ("front", "1"),
    ("side", "2"),
    ("top", "3"),
    ("back", "Ctrl+1"),
    ("left", "Ctrl+2"),
    ("bottom", "Ctrl+3"),
)
_SCHEMES = (
    ("system", Qt.ColorScheme.Unknown),
    ("light", Qt.ColorScheme.Light),
    ("dark", Qt.ColorScheme.Dark),
)


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


def _look(view: View) -> Callable[[MainWindow], None]:
    return lambda window: window.viewport.look(view)


def _scheme(scheme: Qt.ColorScheme) -> Callable[[MainWindow], None]:
    return lambda window: window.studio.set_scheme(scheme)


def _has_scheme(scheme: Qt.ColorScheme) -> Callable[[MainWindow], bool]:
    return lambda window: window.studio.settings.scheme == scheme


def _units(system: str) -> Callable[[MainWindow], None]:
    return lambda window: window.studio.set_units(system)


def _has_units(system: str) -> Callable[[MainWindow], bool]:
    return lambda window: window.studio.settings.units == system


VIEW: tuple[Action, ...] = (
    *(
        Action(f"view.{view}", _look(view), key, with_project, choice="look")
        for view, key in _VIEWS
    ),
    *(
        Action(f"view.turn_{name}", do, key, with_project, choice="turn", in_scene=True)
        for name, key, do in _TURNS
    ),
    Action("view.fit", lambda w: w.viewport.fit(), "Home", with_project),
    Action(
        "view.selected",
        lambda w: w.viewport.fit(w.document.selection),
        "F",
        with_project,
    ),
    Action(
        "view.nearer",
        lambda w: w.viewport.come_nearer(_NEARER),
        "+",
        with_project,
        also=("=",),
        in_scene=True,
    ),
    Action(
        "view.farther",
        lambda w: w.viewport.come_nearer(1.0 / _NEARER),
        "-",
        with_project,
        in_scene=True,
    ),
    Action(
        "view.parallel",
        lambda w: w.set_parallel(not w.parallel),
        "5",
        with_project,
        is_on=lambda w: w.parallel,
    ),
)

DRESS: tuple[Action, ...] = (
    *(
        Action(
            f"view.{name}",
            _scheme(scheme),
            is_on=_has_scheme(scheme),
            choice="colours",
            line_before=name == "system",
        )
        for name, scheme in _SCHEMES
    ),
    *(
        Action(
            f"view.units_{system}",
            _units(system),
            is_on=_has_units(system),
            choice="units",
        )
        for system in SYSTEMS
    ),
)
