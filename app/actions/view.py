"""The View menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.actions.action import Action, with_project
from app.forms.units import SYSTEMS
from app.scene.camera import View
from app.texts import UNITS_TIP

if TYPE_CHECKING:
    from app.window import MainWindow

_VIEWS: tuple[tuple[View, str, str], ...] = (
    ("iso", "&Oblique", "0"),
    ("front", "&Front", "1"),
    ("side", "&Side", "2"),
    ("top", "&Top", "3"),
    ("back", "&Back", "Ctrl+1"),
    ("left", "&Left side", "Ctrl+2"),
    ("bottom", "Belo&w", "Ctrl+3"),
)
_SCHEMES = (
    ("system", "As the &system", Qt.ColorScheme.Unknown),
    ("light", "&Light", Qt.ColorScheme.Light),
    ("dark", "&Dark", Qt.ColorScheme.Dark),
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
        Action(f"view.{view}", "&View", title, _look(view), key, with_project)
        for view, title, key in _VIEWS
    ),
    Action(
        "view.fit",
        "&View",
        "Show &everything",
        lambda w: w.viewport.fit(),
        "Home",
        with_project,
        line_before=True,
    ),
    Action(
        "view.selected",
        "&View",
        "Show sele&cted",
        lambda w: w.viewport.fit(w.document.selection),
        "F",
        with_project,
    ),
    Action(
        "view.parallel",
        "&View",
        "&Parallel projection",
        lambda w: w.set_parallel(not w.parallel),
        "5",
        with_project,
        is_on=lambda w: w.parallel,
        line_before=True,
    ),
    Action(
        "view.joints",
        "&View",
        "&Joints",
        lambda w: w.set_joints(not w.joints),
        "Shift+J",
        with_project,
        is_on=lambda w: w.joints,
    ),
    *(
        Action(
            f"view.{name}",
            "&View",
            title,
            _scheme(scheme),
            is_on=_has_scheme(scheme),
            choice="&Colours",
            line_before=name == "system",
        )
        for name, title, scheme in _SCHEMES
    ),
    *(
        Action(
            f"view.units_{system}",
            "&View",
            title,
            _units(system),
            is_on=_has_units(system),
            choice="&Units",
            tip=UNITS_TIP,
        )
        for system, title in SYSTEMS.items()
    ),
)
