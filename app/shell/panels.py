"""Lay out the panels of a window: pages, the scene with what stands beside it, and the tabs below."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from app.panel import Panel, Place
from app.settings import Settings
from app.shell.drawer import Drawer
from app.widgets.splits import split, stacked

_BESIDE, _BELOW = (236, 746, 384), (500, 230)
"""First widths of what is left of the scene, the scene and what is right; heights of it and the tabs."""


class PanelLayout(QObject):
    """Hold the panels by their names, and say which of them is seen."""

    page_shown = Signal(bool)
    """Another page is in front; tells whether it is the project."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._panels: dict[str, Panel] = {}
        self.is_scene_alone = self.is_below_alone = False
        self.pages = QStackedWidget()
        self.drawer: Drawer
        self.scene: QWidget
        self.columns: QSplitter
        self.work: QSplitter

    def add(self, panel: Panel) -> None:
        """Add a panel; `lay_out` puts it into its place."""
        self._panels[panel.name] = panel

    def lay_out(self, views: QWidget, settings: Settings) -> None:
        """Put all panels into their places, as wide as they were left."""
        self.scene = stacked(views, *self._widgets("under_scene"))
        upper = (*self._widgets("left"), self.scene, *self._widgets("right"))
        self.columns = split(Qt.Orientation.Horizontal, upper, _BESIDE)
        self.drawer = Drawer(self.all("below"))
        self.work = split(Qt.Orientation.Vertical, (self.columns, self.drawer), _BELOW)
        for page in (*self._widgets("page"), self.work):
            self.pages.addWidget(page)
        for name, part in (("columns", self.columns), ("work", self.work)):
            state = settings.layout(name)
            if state is not None:
                part.restoreState(state)

    def remember(self, settings: Settings) -> None:
        """Keep how wide everything is."""
        self.drawer.fold(False)
        self.drawer.give_half(False)
        settings.keep_layout("columns", self.columns.saveState())
        settings.keep_layout("work", self.work.saveState())

    def all(self, *places: Place) -> list[Panel]:
        """List the panels of some places."""
        return [one for place in places for one in self._panels.values() if one.place == place]

    def find(self, name: str) -> Panel:
        """Give a panel."""
        return self._panels[name]

    def __getitem__(self, name: str) -> Any:
        return self._panels[name].widget

    def at(self, widget: QWidget) -> Panel | None:
        """Give the panel that a widget is."""
        return next((one for one in self._panels.values() if one.widget is widget), None)

    def front(self) -> Panel:
        """Give the panel in front of those below the scene."""
        return next(p for p in self.all("below") if p.widget is self.drawer.currentWidget())

    def has_keyboard(self, name: str) -> bool:
        """Tell whether the keyboard is somewhere in a panel."""
        widget: QWidget = self[name]
        here = widget.window().focusWidget()
        return here is not None and widget.isAncestorOf(here)

    def open(self, name: str) -> None:
        """Bring a panel below the scene to the front."""
        self.drawer.open(name)

    def fold(self, away: bool) -> None:
        """Leave only the tabs of the panels below the scene, or show the one in front again."""
        self.drawer.fold(away)

    def give_half(self, wanted: bool) -> None:
        """Give the panels below the scene half of the height, or take it back."""
        self.drawer.give_half(wanted)

    def count(self, name: str, number: int) -> None:
        """Write on a panel's tab how many things are in it; nothing for none."""
        self.drawer.tell_count(name, number)

    def remark(self, sentence: str) -> None:
        """Say something about what the panels below the scene show."""
        self.drawer.remark(sentence)

    def tab(self, name: str) -> tuple[QWidget, QRect]:
        """Give the place of a panel's tab, in the bar of tabs."""
        bar = self.drawer.tabBar()
        return bar, bar.tabRect(self.drawer.indexOf(self[name]))

    def show_page(self, name: str = "") -> None:
        """Bring a page to the front; without a name the project."""
        self.pages.setCurrentWidget(self[name] if name else self.work)
        for corner in self._widgets("corner"):
            corner.setVisible(not name)
        self.page_shown.emit(not name)

    def shows_project(self) -> bool:
        """Tell whether a project is shown, and no page."""
        return self.pages.currentWidget() is self.work

    def in_order(self) -> list[QWidget]:
        """List what is shown, as one reads it."""
        page = self.pages.currentWidget()
        middle = [page] if page is not None else []
        if page is self.work:
            middle = [*self._widgets("left", "scene", "under_scene", "right"), self.drawer]
        return [*middle, *self._widgets("corner", "floating")]

    def go_to(self, name: str) -> None:
        """Give the keyboard to a panel, and bring it to the front."""
        panel = self._panels[name]
        is_below = panel.place == "below"
        if (self.is_scene_alone and panel.place != "scene") or (
            self.is_below_alone and not is_below
        ):
            self._show_alone(scene=False, below=False)
        if is_below:
            self.drawer.open(name)
        place = panel.stops or panel.widget
        stops = [one for one in (place, *place.findChildren(QWidget)) if _is_stop(one)]
        if stops:
            stops[0].setFocus(Qt.FocusReason.TabFocusReason)

    def toggle_scene_alone(self) -> None:
        """Hide all panels but the scene, or bring them back."""
        self._show_alone(scene=not self.is_scene_alone, below=False)

    def toggle_below(self) -> None:
        """Leave only the tabs of the panels below the scene, or show the panel in front again."""
        self._show_alone(scene=False, below=False)
        self.drawer.fold(not self.drawer.is_folded)

    def toggle_below_alone(self) -> None:
        """Hide the scene and what is beside it, so that tables and curves have all the room."""
        self._show_alone(scene=False, below=not self.is_below_alone)

    def _show_alone(self, *, scene: bool, below: bool) -> None:
        self.is_scene_alone, self.is_below_alone = scene, below
        if below:
            self.drawer.fold(False)
        for widget in (*self._widgets("left", "right"), self.drawer):
            widget.setVisible(not scene)
        self.columns.setVisible(not below)
        if scene:
            (self.find("scene").stops or self["scene"]).setFocus()
        elif below:
            self.drawer.tabBar().setFocus()

    def _widgets(self, *places: Place) -> list[QWidget]:
        return [panel.widget for panel in self.all(*places)]


def _is_stop(widget: QWidget) -> bool:
    """Tell whether Tab stops at a widget."""
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes_tab and widget.isEnabled() and widget.isVisible()
