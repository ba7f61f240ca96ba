"""The page of the project: the scene in the middle, and panels around it that people arrange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget

from app.guard import guard
from app.panel import MOODS, Panel
from app.shell.dock import PLACES, Dock, Look, TabStrip
from app.shell.layouts import (
    Arrangement,
    Kept,
    bring_on_screen,
    first_widths,
    restore,
    saved_layout,
)
from app.shell.standing import Standing, Tabs

_BELOW_PX, _MOST_PX = 230, 420
"""First height of what is below the scene while one builds; elsewhere it has half of all, but no more than this."""
_FIRST = (1366, 730)
"""Size of a page that was never shown; what is arranged then needs some room."""
_MOST = 4
"""So many tabs has a mood at most below the scene, but for those that people have put there."""


class Docks(Standing):
    """Arrange the docks, mood by mood, and keep how they are arranged."""

    menu_asked = Signal(object, object)
    """The menu of a dock is wanted at this point of the screen."""

    def __init__(self, scene: QWidget, panels: Sequence[Panel]) -> None:
        super().__init__()
        options = self.DockOption
        self.setDockOptions(options.AllowTabbedDocks | options.AllowNestedDocks)
        self.setDocumentMode(True)
        for area in PLACES.values():
            self.setTabPosition(area, QTabWidget.TabPosition.North)
        self.scene = scene
        self.setCentralWidget(scene)
        self.docks = {panel.name: Dock(panel, self) for panel in panels}
        self.is_folded = False
        self.mood: str = MOODS[0]
        self._moods: dict[str, Arrangement] = {mood: self._first(mood) for mood in MOODS}
        """How the moods that are not seen were left; that which is seen as it was when it came."""
        self._folded: dict[str, bool] = dict.fromkeys(MOODS[1:], True)
        """Whether only the tabs of what is below are seen in moods that are not seen."""
        self._called: list[str] = []
        """Panels that only some projects need, as they were asked for."""
        self._alone: tuple[str, ...] = ()
        """The sides that are hidden for that."""
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

    # what is done with them

    def arrange(self) -> None:
        """Put every panel of this mood where it is at first."""
        self.fold(False)
        self.leave_alone(scene=False, below=False)
        self._usual = None
        before = self._moods[self.mood]
        at_first = self._moods[self.mood] = self._first(self.mood)
        first: dict[str, Dock] = {}
        # what stands in several moods is the last tab of each
        for name, dock in sorted(self.docks.items(), key=lambda one: len(one[1].panel.moods) > 1):
            is_away = dock.isFloating() or self._side(dock) not in ("", dock.panel.place)
            if is_away and name not in (*at_first.shown, *before.shown):
                # put elsewhere in another mood
                continue
            # in this order: what is nowhere cannot be docked
            dock.setFloating(False)
            self.removeDockWidget(dock)
            place = dock.panel.place
            if place != "left" and place in first:
                self.tabifyDockWidget(first[place], dock)
            else:
                self.addDockWidget(PLACES[place], dock)
                first.setdefault(place, dock)
            dock.setVisible(name in at_first.shown)
        self._share_width(first)
        for name, dock in self.docks.items():
            if name not in at_first.shown and not dock.isFloating():
                dock.hide()
        for name in at_first.front:
            self.docks[name].raise_()
        self.settle()
        self._height = self._first_height(self.mood)
        self.set_below_height(self._height)

    def _share_width(self, beside: Mapping[str, Dock]) -> None:
        """Give what is beside the scene its first widths."""
        widths = {p: px for p, px in first_widths(self.width()).items() if p in beside}
        docks, sizes = [beside[place] for place in widths], list(widths.values())
        self.resizeDocks(docks, sizes, Qt.Orientation.Horizontal)

    # moods

    def _first(self, mood: str) -> Arrangement:
        """What a mood shows at first, and which of it is in front."""
        shown = [n for n, one in self.docks.items() if one.panel.stays_in(mood)]
        # what belongs to another mood before comes last
        shown.sort(key=lambda name: self.docks[name].panel.moods[:1] not in ((), (mood,)))
        front: dict[str, str] = {}
        for name in shown:
            front.setdefault(self.docks[name].panel.place, name)
        return Arrangement(shown, list(front.values()))

    def _first_height(self, mood: str) -> int:
        """How high what is below the scene is at first: curves and tables of runs need more room than problems."""
        return _BELOW_PX if mood == MOODS[0] else min(max(self.height() // 2, _BELOW_PX), _MOST_PX)

    def show_mood(self, mood: str) -> None:
        """Show what another mood shows, as it was left there; windows of their own stay."""
        if mood == self.mood:
            return
        self._keep_mood()
        was, self.mood = self.mood, mood
        here = QApplication.focusWidget()
        had_keyboard = here is not None and any(one.isAncestorOf(here) for one in self.below())
        new, alone = self._moods[mood], self._alone
        docked = [one for one in self.docks.values() if not one.isFloating()]
        shown = [one for one in docked if one.panel.name in new.shown]
        away = [one for one in shown if self._side(one) in alone]
        self._is_busy = True
        self.setUpdatesEnabled(False)
        # the new ones come before the others go: a side that is empty would lose its size
        for dock in shown:
            dock.setHidden(dock in away)
        for dock in docked:
            if dock not in shown:
                dock.hide()
        self.away, self._wanted = away, []
        self._in_front = [one for one in away if one.panel.name in new.front]
        # the rows of tabs follow only now
        self._lay_out_now()
        tabs = self._tabs()
        for dock in shown:
            if dock.panel.name in new.front and dock in tabs:
                tabs[dock][0].bar.setCurrentIndex(tabs[dock][1])
        self._folded[was], self.is_folded = self.is_folded, self._folded.pop(mood, False)
        self._height, self._usual = new.below or self._first_height(mood), None
        self._is_busy = False
        self.settle()
        if not alone:
            self._take_sizes(new.sizes)
            self.set_below_height(0 if self.is_folded else self._height)
        self.setUpdatesEnabled(True)
        front = self.front() if had_keyboard else None
        if front is not None:
            front.take_keyboard()

    def _keep_mood(self) -> None:
        """Note how the mood that is seen is left."""
        tabs, old = self._tabs(), self._moods[self.mood]
        is_seen = self._was_shown and not self._alone
        if is_seen:
            self.give_half(False)
            self._keep_height()
        self._moods[self.mood] = Arrangement(
            [n for n, one in self.docks.items() if (n in old.shown if one.isFloating() else self.is_shown(n))],
            [n for n, one in self.docks.items() if self.is_front(one, tabs)],
            self._height,
            self._sizes(tabs) if is_seen else old.sizes,
        )  # fmt: skip

    def _sizes(self, tabs: Tabs) -> dict[str, list[int]]:
        """How wide and high the panels are that are seen beside and below the scene, as Qt counts it."""
        seen = {n: one for n, one in self.docks.items() if one.isVisible() and not one.isFloating()}
        front = {n: one for n, one in seen.items() if self.is_front(one, tabs)}
        return {n: [one.width(), self._whole_height(one, tabs)] for n, one in front.items()}

    def _take_sizes(self, wanted: Mapping[str, list[int]]) -> None:
        """Give the panels these sizes (px), where they have others."""
        for _ in range(2):
            now = self._sizes(self._tabs())
            for n, way in enumerate((Qt.Orientation.Horizontal, Qt.Orientation.Vertical)):
                other = [name for name in now if name in wanted and now[name][n] != wanted[name][n]]
                if other:
                    docks = [self.docks[name] for name in other]
                    self.resizeDocks(docks, [wanted[name][n] for name in other], way)
                    self._lay_out_now()

    def forget_called(self) -> None:
        """Take away the panels that only some projects need, but for those that people have put elsewhere."""
        self._called = []
        for name, dock in self.docks.items():
            is_moved = dock.isFloating() or self._side(dock) != dock.panel.place
            for mood in () if is_moved else dock.panel.asked_in:
                one = self._moods[mood]
                one.shown = [other for other in one.shown if other != name]
                if mood == self.mood:
                    if dock in self.away:
                        self.away.remove(dock)
                    dock.hide()
        self.settle()

    def _make_room(self, dock: Dock) -> None:
        """Let older ones go of the panels that only some projects need, where there are too many tabs."""
        name = dock.panel.name
        self._called = [one for one in self._called if one != name] + [name]
        there = [one for one in self.below() if one.panel.place == "below"]
        for old in [self.docks[one] for one in self._called if one != name]:
            if len(there) > _MOST and old in there and self.mood in old.panel.asked_in:
                there.remove(old)
                old.hide()

    def open(self, name: str) -> None:
        """Show a panel in front of others, wherever it is."""
        dock = self.docks[name]
        if dock.isHidden():
            if self.away:
                self._wanted.append(dock)
                return
            dock.show()
        if self.mood in dock.panel.asked_in:
            self._make_room(dock)
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
                sizes = [max(1, self._whole_height(dock, tabs) + more) for dock in docks]
                self.resizeDocks(docks, sizes, Qt.Orientation.Vertical)
                self._lay_out_now()

    def leave_alone(self, scene: bool, below: bool) -> None:
        """Hide all but the scene, or all but what is below it; windows of their own stay."""
        self._is_busy = True
        self._bring_back()
        hidden = ("left", "right", "below") if scene else ("left", "right") if below else ()
        self._alone = hidden
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
        self.away, self._in_front, self._wanted, self._alone = [], [], [], ()
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
        self._keep_mood()
        kept = Kept(
            self.width(), self.height(), self._height, self.mood, list(self.docks), self._moods
        )
        return saved_layout(self, kept)

    def restore(self, data: QByteArray) -> bool:
        """Put everything where it was left; what does not fit is dropped, which it tells."""
        self.fold(False)
        mood, size = self.mood, self.size()
        kept = restore(self, self.docks, data)
        if kept is None:
            self.arrange()
        else:
            self._moods, self._height, self.mood = kept.moods, kept.below, kept.mood
            if self._was_shown:
                self.resize(size)
                self.set_below_height(self._height)
            self.show_mood(mood)
        self._is_restored = kept is not None
        for dock in self.docks.values():
            if self.place(dock) == "window":
                bring_on_screen(dock)
        self.settle()
        return kept is not None

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
            if self._is_restored:
                self._take_sizes(self._moods[self.mood].sizes)
            else:
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
            if dock in tabs or (not place and not dock.title.is_built):
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
                dock.title.say(remark)
                continue
            strip, tab = found
            strip.bar.setTabToolTip(tab, dock.panel.tip or dock.panel.title)
            if strip.bar.currentIndex() == tab:
                strip.corner.about = dock.panel.widget
                strip.say(remark)

    def _follow(self, strip: TabStrip) -> None:
        """Listen to a new row of tabs."""
        strip.clicked_in_front.connect(self._fold_by_click)
        strip.menu_asked.connect(self.menu_asked)
        strip.turned.connect(self._on_turn)

    def _on_turn(self, dock: Dock | None) -> None:
        if not self._is_busy and dock is not None and self.place(dock) == "below":
            self.fold(False)
        self._later.start()

    def _fold_by_click(self, dock: Dock) -> None:
        if self.place(dock) == "below":
            self.fold(not self.is_folded)
