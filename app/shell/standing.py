"""Where panels stand on the page of the project, and which of them are in front."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QTabBar, QWidget

from app.shell.dock import PLACES, Corner, Dock, TabStrip

Tabs = dict[Dock, tuple[TabStrip, int]]
"""The row of tabs in which a dock has one, and which of them it is."""


class Standing(QMainWindow):
    """The docks by the names of their panels, and say where each is and which are in front."""

    docks: dict[str, Dock]

    def __init__(self) -> None:
        super().__init__(flags=Qt.WindowType.Widget)
        self.away: list[Dock] = []
        """Hidden while something else has all the room."""
        self._in_front: list[Dock] = []

    def place(self, dock: Dock) -> str:
        """Name where a dock is: left, right, below, or in a window of its own; nothing if hidden."""
        if dock.isHidden():
            return ""
        if dock.isFloating():
            return "window"
        area = self.dockWidgetArea(dock)
        return next((name for name, one in PLACES.items() if one == area), "")

    def below(self) -> list[Dock]:
        """List the docks below the scene."""
        return [dock for dock in self.docks.values() if self.place(dock) == "below"]

    def strip(self, dock: Dock) -> tuple[TabStrip, int] | None:
        """The tabs among which a dock has one, and which it is; None where it has none."""
        return self._tabs().get(dock)

    def _tabs(self) -> Tabs:
        """The tabs of all docks that have one: to ask for each alone would go through all of them each time."""
        docked = [one for one in self.docks.values() if self.place(one) not in ("", "window")]
        by_title = {one.windowTitle(): one for one in docked}
        found: Tabs = {}
        # an older row goes a moment after the one in its place has come
        for strip in sorted(self._strips(), key=lambda one: one.bar.isVisible()):
            # Qt leaves that of one panel alone somewhere out of sight
            for tab in reversed(range(strip.bar.count() if strip.bar.count() > 1 else 0)):
                dock = by_title.get(strip.bar.tabText(tab))
                if dock is not None:
                    found[dock] = strip, tab
        return found

    def corner_of(self, name: str) -> Corner:
        """What stands beside a panel's title, or beside the tabs that it is among."""
        dock = self.docks[name]
        found = self.strip(dock)
        return dock.title.corner if found is None else found[0].corner

    def is_front(self, dock: Dock, tabs: Tabs | None = None) -> bool:
        """Whether a dock is seen as soon as the page is."""
        if dock in self.away:
            return dock in self._in_front
        found = (self._tabs() if tabs is None else tabs).get(dock)
        return bool(self.place(dock)) and (found is None or found[0].bar.currentIndex() == found[1])

    def front(self) -> Dock | None:
        """The dock in front of those below the scene, be they hidden for a while."""
        tabs, all_of_them = self._tabs(), self.docks.values()
        seen = [one for one in all_of_them if self.is_front(one, tabs) and not one.isFloating()]
        return next((one for one in seen if self.dockWidgetArea(one) == PLACES["below"]), None)

    def in_order(self, place: str) -> list[QWidget]:
        """List the tabs and panels at one side, as one reads them."""
        found: list[QWidget] = []
        tabs = self._tabs()
        for dock in self.docks.values():
            if self.place(dock) == place and self.is_front(dock, tabs):
                strip = tabs.get(dock)
                found += [dock] if strip is None else [strip[0].bar, dock]
        return sorted(found, key=lambda one: (one.y(), one.x()))

    def below_height(self) -> int:
        """The height of all that is below the scene, with its tabs."""
        # Qt keeps docks that lie behind others above the window
        tops = [one.y() for one in self.in_order("below") if one.y() >= 0]
        return self.height() - min(tops) if tops else 0

    def _side(self, dock: Dock) -> str:
        """Name the side at which a dock stands, be it hidden."""
        area = self.dockWidgetArea(dock)
        return next((name for name, one in PLACES.items() if one == area), "")

    def is_shown(self, name: str) -> bool:
        """Whether a panel is somewhere in this mood, be it behind others or hidden for a while."""
        dock = self.docks[name]
        return dock in self.away or not dock.isHidden()

    def _whole_height(self, dock: Dock, tabs: Tabs) -> int:
        """Give the height of a dock with its tabs, as Qt counts it."""
        found = tabs.get(dock)
        return dock.height() + (0 if found is None else found[0].bar.height())

    def _strips(self) -> Iterator[TabStrip]:
        """The rows of tabs; Qt makes them as it needs them, and keeps them for later."""
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            strip = next((one for one in bar.children() if isinstance(one, TabStrip)), None)
            if strip is None:
                strip = TabStrip(bar, self, self._titled)
                self._follow(strip)
            yield strip

    def _titled(self, title: str) -> Dock | None:
        return next((one for one in self.docks.values() if one.windowTitle() == title), None)

    def _follow(self, strip: TabStrip) -> None:
        """Listen to a new row of tabs."""
        raise NotImplementedError
