"""The page of the project: the scene in the middle, and panels around it that people arrange."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, QMargins, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabBar, QTabWidget, QWidget

from app.guard import guard
from app.panel import Panel
from app.shell.dock import PLACES, Corner, Dock, Look, TabStrip

_BELOW_PX = 230
"""First height of what is below the scene."""
_FIRST = (1366, 730)
"""Size of a page that was never shown; what is arranged then needs some room."""


Tabs = dict[Dock, tuple[TabStrip, int]]
"""The row of tabs in which a dock has one, and which of them it is."""


class Docks(QMainWindow):
    """The docks by the names of their panels, and say where each is and which are in front."""

    menu_asked = Signal(object, object)
    """The menu of a dock is wanted at this point of the screen."""

    def __init__(self, scene: QWidget, panels: Sequence[Panel]) -> None:
        super().__init__(flags=Qt.WindowType.Widget)
        options = QMainWindow.DockOption
        self.setDockOptions(options.AllowTabbedDocks | options.AllowNestedDocks)
        self.setDocumentMode(True)
        for area in PLACES.values():
            self.setTabPosition(area, QTabWidget.TabPosition.North)
        self.scene = scene
        self.setCentralWidget(scene)
        self.docks = {panel.name: Dock(panel, self) for panel in panels}
        self.is_folded = False
        self.away: list[Dock] = []
        """Hidden while something else has all the room."""
        self._in_front: list[Dock] = []
        self._wanted: list[Dock] = []
        self._floats: list[Dock] = []
        """In windows of their own, hidden while the page is."""
        self._kept: QByteArray | None = None
        self._is_busy = self._was_shown = self._is_restored = False
        self._remark, self._height = "", _BELOW_PX
        self._usual: int | None = None
        """The height to go back to from the half of all."""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.settle)
        for dock in self.docks.values():
            for change in (dock.visibilityChanged, dock.topLevelChanged, dock.dockLocationChanged):
                change.connect(lambda _: self._later.start())
            dock.menu_asked.connect(partial(self.menu_asked.emit, dock))
        self.resize(*_FIRST)
        self.arrange()

    # where things are

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
            for tab in reversed(range(strip.bar.count())):
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

    # what is done with them

    def arrange(self) -> None:
        """Put every panel where it is at first."""
        self.fold(False)
        self.leave_alone(scene=False, below=False)
        self._usual = None
        first: dict[str, Dock] = {}
        for dock in self.docks.values():
            # in this order: what is nowhere cannot be docked
            dock.setFloating(False)
            self.removeDockWidget(dock)
            place = dock.panel.place
            if place == "below" and place in first:
                self.tabifyDockWidget(first[place], dock)
            else:
                self.addDockWidget(PLACES[place], dock)
                first.setdefault(place, dock)
            dock.show()
        self._share_width(first)
        if "below" in first:
            first["below"].raise_()
        self.settle()
        self._height = _BELOW_PX
        self.set_below_height(self._height)

    def _share_width(self, beside: Mapping[str, Dock]) -> None:
        """Give what is beside the scene its first widths."""
        widths = {p: px for p, px in first_widths(self.width()).items() if p in beside}
        docks, sizes = [beside[place] for place in widths], list(widths.values())
        self.resizeDocks(docks, sizes, Qt.Orientation.Horizontal)

    def open(self, name: str) -> None:
        """Show a panel in front of others, wherever it is."""
        dock = self.docks[name]
        if dock.isHidden():
            if self.away:
                self._wanted.append(dock)
                return
            dock.show()
        if self.place(dock) == "below":
            self.fold(False)
        found = self.strip(dock)
        if found is None:
            dock.raise_()
        else:
            # to raise the dock would have the scene drawn again
            found[0].bar.setCurrentIndex(found[1])
        self.settle()

    def show_panel(self, name: str, shown: bool) -> None:
        """Show or hide a panel."""
        if shown:
            self.open(name)
        else:
            self.docks[name].close()
            self.settle()

    def move_panel(self, name: str, place: str) -> None:
        """Put a panel to another side of the scene, or into a window of its own."""
        dock = self.docks[name]
        there = [one for one in self.docks.values() if self.place(one) == place and one is not dock]
        if place == "window":
            dock.setFloating(True)
            dock.size_window()
            dock.move(self.mapToGlobal(QPoint(self.width() // 3, self.height() // 4)))
            bring_on_screen(dock)
        else:
            dock.setFloating(False)
            # with all its height, even where it was folded
            dock.show_as("title", is_front=True, is_folded=False)
            self.addDockWidget(PLACES[place], dock)
            if there and (place == "below" or sum(map(self.is_front, there)) > 1):
                self.tabifyDockWidget(there[-1], dock)
        self.open(name)
        if place in ("left", "right") and self.strip(dock) is None:
            needed = min(dock.panel.widget.minimumSizeHint().width(), self.width() // 2)
            wide = max([one.width() for one in there] + [self.width() // 3, needed])
            self.resizeDocks([dock], [wide], Qt.Orientation.Horizontal)
            self._lay_out_now()
            side = [one for one in [*there, dock] if self.is_front(one)]
            self.resizeDocks(side, [self.height()] * len(side), Qt.Orientation.Vertical)
            self._lay_out_now()

    def fold(self, away: bool) -> None:
        """Leave only tabs and titles of what is below, so that the scene has the room."""
        if away == self.is_folded:
            return
        self._keep_height()
        self.is_folded = away
        self.settle()
        # at once: what is about to be clicked in the scene must not move later
        self.set_below_height(0 if away else self._height)

    def _keep_height(self) -> None:
        if self._was_shown and self.isVisible() and not self.is_folded:
            self._lay_out_now()
            self._height = self.below_height() or self._height

    def give_half(self, wanted: bool) -> None:
        """A table of many rows half of the height, and take it back; a hand may change that."""
        now, half = self.below_height(), self.height() // 2
        if wanted and self._usual is None and 0 < now < half and not self.away:
            self._usual = now
            self.set_below_height(half)
        elif not wanted and self._usual is not None:
            usual, self._usual = self._usual, None
            if now == half:
                self.set_below_height(usual)

    def set_below_height(self, height: int) -> None:
        """What is below the scene a height, with its tabs."""
        tabs = self._tabs()
        docks = [dock for dock in self.below() if self.is_front(dock, tabs) and dock.isVisible()]
        for _ in range(2) if docks else ():
            more = height - self.below_height()
            if more:
                sizes = [max(1, self._whole_height(dock) + more) for dock in docks]
                self.resizeDocks(docks, sizes, Qt.Orientation.Vertical)
                self._lay_out_now()

    def _whole_height(self, dock: Dock) -> int:
        """Give the height of a dock with its tabs, as Qt counts it."""
        found = self.strip(dock)
        return dock.height() + (0 if found is None else found[0].bar.height())

    def leave_alone(self, scene: bool, below: bool) -> None:
        """Hide all but the scene, or all but what is below it; windows of their own stay."""
        self._is_busy = True
        self._bring_back()
        hidden = ("left", "right", "below") if scene else ("left", "right") if below else ()
        away = [dock for dock in self.docks.values() if self.place(dock) in hidden]
        tabs = self._tabs() if away else {}
        self._in_front = [dock for dock in away if self.is_front(dock, tabs)]
        self.away = away
        if self.away:
            self._keep_height()
        self.setUpdatesEnabled(False)
        for dock in self.away:
            dock.hide()
        self.scene.setVisible(not below)
        self.setUpdatesEnabled(True)
        self._is_busy = False
        self.settle()

    def _bring_back(self) -> None:
        away, in_front = self.away, [*self._in_front, *self._wanted]
        was_alone = self.scene.isHidden()
        self.away, self._in_front, self._wanted = [], [], []
        if not away and not was_alone:
            return
        self.scene.show()
        for dock in away:
            dock.show()
        for dock in in_front:
            dock.show()
            dock.raise_()
        self.settle()
        if not self.is_folded:
            self.set_below_height(self._height)

    def show_windows(self, shown: bool) -> None:
        """Show panels that have windows of their own, or hide them while another page is in front."""
        if shown:
            for dock in self._floats:
                dock.show()
            self._floats, self._kept = [], None
        elif self._kept is None and not self._floats:
            self._kept = self.kept()
            self._floats = [one for one in self.docks.values() if self.place(one) == "window"]
            for dock in self._floats:
                dock.hide()

    def kept(self) -> QByteArray | None:
        """Write down where everything is; None for a page that was never shown."""
        if not self._was_shown or self._kept is not None:
            return self._kept
        self.leave_alone(scene=False, below=False)
        self.fold(False)
        self.give_half(False)
        self._keep_height()
        return saved_layout(self, self.docks, self._height)

    def restore(self, data: QByteArray) -> None:
        """Put everything where it was left; what does not fit is dropped."""
        self.fold(False)
        height = restore(self, self.docks, data)
        if height is None:
            self.arrange()
        self._height = height or self._height
        self._is_restored = height is not None
        for dock in self.docks.values():
            if self.place(dock) == "window":
                bring_on_screen(dock)
        self.settle()

    def remark(self, sentence: str) -> None:
        """Say something about what the panels that are below at first show."""
        if sentence != self._remark:
            self._remark = sentence
            self._say()

    def count(self, name: str, number: int) -> None:
        """Write on a panel's tab how many things are in it; nothing for none."""
        self.docks[name].show_count(number)
        self._say()

    @guard
    def showEvent(self, event: QShowEvent) -> None:
        """Look again at what is in front."""
        super().showEvent(event)
        self.settle()
        if not self._was_shown:
            self._was_shown = True
            if not self._is_restored:
                self._share_width({self.place(one): one for one in self.docks.values()})
            self._lay_out_now()
            self.set_below_height(0 if self.is_folded else self._height)

    def settle(self) -> None:
        """Let titles and panels follow from where the docks are."""
        self._later.stop()
        self._lay_out_now()
        here = QApplication.focusWidget()
        left = [one for one in self.docks.values() if here and one.isAncestorOf(here)]
        tabs = self._tabs()
        for dock in self.docks.values():
            place = self.place(dock)
            look: Look = "title"
            if dock in tabs:
                look = "nothing"
            elif place == dock.panel.place and place != "below":
                look = "grip"
            folded = self.is_folded and place == "below"
            dock.show_as(look, is_front=self.is_front(dock, tabs), is_folded=folded)
        for dock in left:
            found = tabs.get(dock)
            front = None if found is None else self._titled(found[0].front_title())
            if front is not None and front is not dock:
                front.take_keyboard()
        self._say()
        self._lay_out_now()

    def _lay_out_now(self) -> None:
        layout = self.layout()
        if layout is not None and self.isVisible():
            layout.activate()

    def _say(self) -> None:
        """Write the remark beside those panels that it is about, and tips on tabs."""
        tabs = self._tabs()
        for dock in self.docks.values():
            found = tabs.get(dock)
            remark = self._remark if dock.panel.place == "below" else ""
            if found is None:
                dock.title.corner.say(remark)
                continue
            strip, tab = found
            strip.bar.setTabToolTip(tab, dock.panel.tip or dock.panel.title)
            if strip.bar.currentIndex() == tab:
                strip.corner.about = dock.panel.widget
                strip.say(remark)

    def _strips(self) -> Iterator[TabStrip]:
        """The rows of tabs; Qt makes them as it needs them, and keeps them for later."""
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            strip = next((one for one in bar.children() if isinstance(one, TabStrip)), None)
            if strip is None:
                strip = TabStrip(bar, self, self._titled)
                strip.clicked_in_front.connect(self._fold_by_click)
                strip.menu_asked.connect(self.menu_asked)
                strip.turned.connect(self._on_turn)
            yield strip

    def _titled(self, title: str) -> Dock | None:
        return next((one for one in self.docks.values() if one.windowTitle() == title), None)

    def _on_turn(self, dock: Dock | None) -> None:
        if not self._is_busy and dock is not None and self.place(dock) == "below":
            self.fold(False)
        self._later.start()

    def _fold_by_click(self, dock: Dock) -> None:
        if self.place(dock) == "below":
            self.fold(not self.is_folded)


_VERSION = 1
"""Another one wherever the docks of old cannot be put as they were."""

_WIDTHS = {"left": (0.12, 236, 0.2), "right": (0.18, 384, 0.3)}
"""What is usual (px), between two parts of the window's width."""


def first_widths(whole: int) -> dict[str, int]:
    """How wide what is beside the scene is at first, in a window so wide (px)."""
    return {
        place: round(sorted((least * whole, px, most * whole))[1])
        for place, (least, px, most) in _WIDTHS.items()
    }


def saved_layout(page: QMainWindow, names: Iterable[str], below: int) -> QByteArray:
    """Write down where all docks are, in a page of this size with docks of these names.

    What is below the scene has this height (px): Qt tells it only of a page that is shown.
    """
    state = bytes(page.saveState(_VERSION).data())
    head = f"{page.width()} {page.height()} {below} {' '.join(names)}\n"
    all_of_it = head.encode() + state
    return QByteArray(f"{zlib.crc32(all_of_it)} ".encode() + all_of_it)


def restore(page: QMainWindow, names: Iterable[str], data: QByteArray) -> int | None:
    """Put all docks where they were, and give the height of what is below the scene.

    None, and nothing done, for what is torn or of other docks.
    """
    check, _, all_of_it = bytes(data.data()).partition(b" ")
    if check != str(zlib.crc32(all_of_it)).encode():
        return None
    head, _, state = all_of_it.partition(b"\n")
    width, height, below, *known = head.decode().split(" ")
    if known != list(names):
        return None
    before = page.size()
    page.resize(int(width), int(height))
    if page.restoreState(QByteArray(state), _VERSION):
        return int(below)
    page.resize(before)
    return None


def bring_on_screen(window: QWidget, title_px: int = 0) -> None:
    """Move a window of its own so that all of it, or its title, is on a screen that is there.

    A window that was never shown has no title yet; `title_px` is the room that the desktop takes for one.
    """
    place = window.geometry().adjusted(0, 0, 0, title_px)
    areas = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    seen = [area.intersected(place) for area in areas]
    if not areas or any(one.contains(place) for one in areas):
        return
    most = max(range(len(areas)), key=lambda n: seen[n].width() * seen[n].height())
    inside = _inside(place, areas[most])
    window.move(inside.topLeft())
    window.resize(inside.size().shrunkBy(QMargins(0, 0, 0, title_px)))


def _inside(place: QRect, area: QRect) -> QRect:
    """Shift a rectangle into an area, and make it smaller where it must."""
    size = place.size().boundedTo(area.size())
    x = min(max(place.x(), area.x()), area.right() + 1 - size.width())
    y = min(max(place.y(), area.y()), area.bottom() + 1 - size.height())
    return QRect(x, y, size.width(), size.height())
