"""Wire the tools of the scene to one window: what is selected, what changes, what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.placing.hands import Hands

if TYPE_CHECKING:
    from app.window import MainWindow

_SYSTEMS = {"inch": "inch_pound"}


class PlacingDesk:
    """Hold the tools of a window's scene and keep them at what is shown."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        document, view = window.document, window.viewport
        self.hands = Hands(document, view, window.say)
        view.tools = [self.hands]
        for signal in (document.opened, document.changed, document.selected):
            signal.connect(self.look)
        window.study.switched.connect(self.look)
        window.studio.units_changed.connect(self.look)

    def look(self, *_: object) -> None:
        """Look again at what is selected; a run that is shown cannot be moved."""
        units = self._window.studio.settings.units
        self.hands.system = _SYSTEMS.get(units, units)
        self.hands.is_on = not self._window.study.is_on
        self.hands.look()

    def toggle_own_axes(self) -> None:
        """Lay the handles along the ground's axes, or along the element's own."""
        self.hands.own_axes = not self.hands.own_axes
        self._window.viewport.update()
