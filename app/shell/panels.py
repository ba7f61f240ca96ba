"""Lay out the panels of a window: pages, and on that of the project the scene with docks around it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QByteArray, QObject, QRect, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QMenu,
    QSpacerItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.panel import MOODS, Panel, Place
from app.settings import Settings
from app.shell.docks import Docks
from app.shell.tabbing import tab_order
from app.widgets.splits import stacked
from solver.base.words import msgid, tr

_MOVES = {
    "left": msgid("To the &left of the scene"),
    "right": msgid("To the &right of the scene"),
    "below": msgid("&Below the scene"),
    "window": msgid("In a &window of its own"),
}

_SCENE_PX = 360
"""The least width of the scene."""


class PanelLayout(QObject):
    """The panels by their names, and say which of them is seen."""

    page_shown = Signal(bool)
    """Another page is in front; tells whether it is the project."""
    mood_shown = Signal(str)
    """The window is in another mood."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._panels: dict[str, Panel] = {}
        self.pages = QStackedWidget()
        self.scene: QWidget
        self.docks: Docks

    def add(self, panel: Panel) -> None:
        """Add a panel; `lay_out` puts it into its place."""
        self._panels[panel.name] = panel

    def lay_out(self, views: QWidget, settings: Settings) -> None:
        """Put all panels into their places, or where they were left."""
        self.scene = stacked(views, *self._widgets("under_scene"))
        layout = self.scene.layout()
        assert isinstance(layout, QVBoxLayout)
        # panels beside it give way first
        layout.addSpacerItem(QSpacerItem(_SCENE_PX, 0))
        self.docks = Docks(self.scene, self.all("left", "right", "below"))
        self.docks.menu_asked.connect(lambda dock, at: self.menu_of(dock.panel.name).popup(at))
        for page in (*self._widgets("page"), self.docks):
            self.pages.addWidget(page)
        state = settings.layout("docks")
        if state is not None:
            self.docks.restore(state)
            self.docks.show_windows(self.shows_project())

    def remember(self, settings: Settings) -> None:
        """Keep how everything is arranged, and close the windows of panels."""
        state = self.docks.kept()
        if state is not None:
            settings.keep_layout("docks", state)
        self.docks.show_windows(False)

    def workspace(self) -> QByteArray | None:
        """Write down how the panels of all moods are arranged; None for a page that was never shown."""
        folded = self.docks.is_folded
        state = self.docks.kept()
        self.docks.fold(folded)
        return state

    def take_workspace(self, state: QByteArray) -> bool:
        """Arrange the panels of all moods as they were written down; whether they could be."""
        self._show_alone(scene=False, below=False)
        return self.docks.restore(state)

    def all(self, *places: Place) -> list[Panel]:
        """List the panels of some places."""
        return [one for place in places for one in self._panels.values() if one.place == place]

    def widgets(self) -> list[QWidget]:
        """List all panels, be they in the window yet or not."""
        return [one.widget for one in self._panels.values()]

    def find(self, name: str) -> Panel:
        """A panel."""
        return self._panels[name]

    def __getitem__(self, name: str) -> Any:
        return self._panels[name].widget

    def at(self, widget: QWidget) -> Panel | None:
        """The panel that a widget is."""
        return next((one for one in self._panels.values() if one.widget is widget), None)

    def front(self) -> Panel | None:
        """The panel in front of those below the scene; None where none stands there."""
        dock = self.docks.front()
        return None if dock is None else dock.panel

    def is_front(self, name: str) -> bool:
        """Whether nothing lies before a panel, wherever it is."""
        return self.docks.is_front(self.docks.docks[name])

    def has_keyboard(self, name: str) -> bool:
        """Whether the keyboard is somewhere in a panel."""
        widget: QWidget = self[name]
        here = QApplication.focusWidget() or widget.window().focusWidget()
        return here is not None and widget.isAncestorOf(here)

    @property
    def mood(self) -> str:
        """What the window is for just now."""
        return self.docks.mood

    def show_mood(self, mood: str) -> None:
        """Show the panels of another mood, as they were left there."""
        if mood != self.mood:
            self.docks.show_mood(mood)
            self.mood_shown.emit(mood)

    def forget_called(self) -> None:
        """Take away the panels that only some projects need: another project is opened."""
        self.docks.forget_called()

    def open(self, name: str) -> None:
        """Bring a panel beside or below the scene to the front, wherever it was put, in its own mood where it is not in this one."""
        moods = self.find(name).moods
        if self.mood in moods or self.docks.is_shown(name):
            self.docks.open(name)
            return
        had_keyboard = any(self.has_keyboard(one.panel.name) for one in self.docks.below())
        # the nearest mood: an editor asked for beside a run keeps the run in the scene
        here = MOODS.index(self.mood)
        self.show_mood(min(moods, key=lambda one: abs(MOODS.index(one) - here)))
        self.docks.open(name)
        if had_keyboard:
            self.docks.docks[name].take_keyboard()

    def is_open(self) -> bool:
        """Whether more than the tabs is seen of the panels below the scene."""
        return not self.docks.is_folded

    def fold(self, away: bool) -> None:
        """Leave only the tabs of the panels below the scene, or show the one in front again."""
        self.docks.fold(away)

    def give_half(self, wanted: bool) -> None:
        """The panels below the scene half of the height, or take it back."""
        self.docks.give_half(wanted)

    def count(self, name: str, number: int) -> None:
        """Write on a panel's tab how many things are in it; nothing for none."""
        self.docks.count(name, number)

    def remark(self, sentence: str) -> None:
        """Say something about what the panels below the scene show."""
        self.docks.remark(sentence)

    def tab(self, name: str) -> tuple[QWidget, QRect]:
        """Give the place of a panel's tab in its bar of tabs, or else its title."""
        dock = self.docks.docks[name]
        found = self.docks.strip(dock)
        if found is None:
            return dock.title, dock.title.rect()
        bar = found[0].bar
        return bar, bar.tabRect(found[1])

    def show_page(self, name: str = "") -> None:
        """Bring a page to the front; without a name the project."""
        self.docks.show_windows(not name)
        self.pages.setCurrentWidget(self[name] if name else self.docks)
        for corner in self._widgets("corner"):
            corner.setVisible(not name)
        self.page_shown.emit(not name)

    def shows_project(self) -> bool:
        """Whether a project is shown, and no page."""
        return self.pages.currentWidget() is self.docks

    def hold(self, on: bool) -> None:
        """Leave on the screen what is seen, whatever becomes of it, or paint it again."""
        self.pages.setUpdatesEnabled(not on)

    def in_order(self) -> list[QWidget]:
        """List what is shown, as one reads it."""
        page = self.pages.currentWidget()
        middle = [page] if page is not None else []
        if page is self.docks:
            left, right, below = (self.docks.in_order(one) for one in ("left", "right", "below"))
            middle = [*left, *self._widgets("scene", "under_scene"), *right, *below]
        return [*middle, *self._widgets("corner", "floating")]

    def go_to(self, name: str) -> None:
        """Give the keyboard to a panel, and bring it to the front."""
        panel = self._panels[name]
        if panel.place == "scene":
            if self.is_below_alone:
                self._show_alone(scene=False, below=False)
        else:
            if self.docks.docks[name] in self.docks.away or self.is_scene_alone:
                self._show_alone(scene=False, below=False)
            self.open(name)
            panel.widget.activateWindow()
        place = panel.stops or panel.widget
        stops = [one for one in (place, *place.findChildren(QWidget)) if _is_stop(one)]
        if stops:
            stops[0].setFocus(Qt.FocusReason.TabFocusReason)

    def is_shown(self, name: str) -> bool:
        """Whether a panel is somewhere, be it behind others."""
        return self.docks.is_shown(name)

    def toggle(self, name: str) -> None:
        """Hide a panel, or show it where it was."""
        shown = not self.is_shown(name)
        self._show_alone(scene=False, below=False)
        self.docks.show_panel(name, shown)

    def move_panel(self, name: str, place: str) -> None:
        """Put a panel to another side of the scene, or into a window of its own."""
        self._show_alone(scene=False, below=False)
        self.docks.move_panel(name, place)

    def menu_of(self, name: str) -> QMenu:
        """Make the menu of what can be done with a panel."""
        menu = QMenu(self.docks)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for place, words in _MOVES.items():
            entry = menu.addAction(tr(words))
            entry.setEnabled(self.docks.place(self.docks.docks[name]) != place)
            entry.triggered.connect(lambda _, place=place: self.move_panel(name, place))
        menu.addSeparator()
        menu.addAction(tr("&Hide"), lambda: self.toggle(name))
        menu.addAction(tr("&Arrange all as at first"), self.arrange)
        return menu

    def arrange(self) -> None:
        """Put every panel of this mood where it is at first."""
        self.docks.arrange()

    @property
    def is_scene_alone(self) -> bool:
        """Whether all panels are hidden for the sake of the scene."""
        return bool(self.docks.away) and not self.is_below_alone

    @property
    def is_below_alone(self) -> bool:
        """Whether the scene is hidden for the sake of what is below it."""
        return self.docks.scene.isHidden()

    def toggle_scene_alone(self) -> None:
        """Hide all panels but the scene, or bring them back."""
        self._show_alone(scene=not self.is_scene_alone, below=False)

    def toggle_below(self) -> None:
        """Leave only the tabs of the panels below the scene, or show the panel in front again."""
        self._show_alone(scene=False, below=False)
        self.docks.fold(not self.docks.is_folded)

    def toggle_below_alone(self) -> None:
        """Hide the scene and what is beside it, so that tables and curves have all the room."""
        self._show_alone(scene=False, below=not self.is_below_alone)

    def _show_alone(self, *, scene: bool, below: bool) -> None:
        if below:
            self.docks.fold(False)
        self.docks.leave_alone(scene, below)
        if scene:
            (self.find("scene").stops or self["scene"]).setFocus()
        elif below:
            shown = tab_order(self.docks.in_order("below"))
            if shown:
                shown[0].setFocus()

    def _widgets(self, *places: Place) -> list[QWidget]:
        return [panel.widget for panel in self.all(*places)]


def _is_stop(widget: QWidget) -> bool:
    """Whether Tab stops at a widget."""
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes_tab and widget.isEnabled() and widget.isVisible()
