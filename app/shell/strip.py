"""A row of tabs over docks that lie behind each other, with a corner at its right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from shiboken6 import isValid

from app.guard import guard
from app.shell.corner import Corner
from app.shell.dock import Dock
from solver.base.words import tr

_FOLLOWED = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show)
_SAID_PX = 100
"""So much room at least has what is said beside the tabs."""
_OUT = 3
"""So many times the way of a drag does the mouse go from the tabs to draw one out of them."""


class TabStrip(QObject):
    """Look after one of Qt's own bars of tabs: how it looks, and what the mouse does with its tabs."""

    clicked_in_front = Signal(object)
    """The tab of this dock was clicked where it was in front, and not dragged."""
    menu_asked = Signal(object, object)
    """The menu of a dock is wanted at this point of the screen."""
    turned = Signal(object)
    """Another dock is in front."""

    def __init__(self, bar: QTabBar, page: QWidget, find: Callable[[str], Dock | None]) -> None:
        super().__init__(bar)
        self.bar, self.corner = bar, Corner(page, page)
        self._find = find
        self._full = self._cut = 0
        self._pressed = QPoint(-1, -1)
        self._held: Dock | None = None
        """The mouse is down on its tab."""
        self._dragged: Dock | None = None
        self._is_cut = self._was_front = False
        bar.setExpanding(False)
        bar.setElideMode(Qt.TextElideMode.ElideNone)
        bar.setAccessibleName(tr("Panels"))
        bar.currentChanged.connect(lambda tab: self.turned.emit(self._dock(tab)))
        bar.destroyed.connect(self.corner.deleteLater)
        bar.installEventFilter(self)

    def tab(self, dock: Dock) -> int:
        """Give the number of a dock's tab; -1 for none."""
        title, bar = dock.windowTitle(), self.bar
        return next((n for n in range(bar.count()) if bar.tabText(n) == title), -1)

    def front_title(self) -> str:
        """Give the title of the dock in front."""
        return self.bar.tabText(self.bar.currentIndex())

    def _dock(self, tab: int) -> Dock | None:
        return self._find(self.bar.tabText(tab))

    def say(self, sentence: str) -> None:
        """Show a remark in the corner."""
        if sentence != self.corner.sentence:
            self.corner.say(sentence)
        self._place()

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the corner beside the tabs; tell clicks on the tab in front from drags."""
        kind = event.type()
        if kind == QEvent.Type.Hide:
            # a window that is taken down may have lost either of them before
            if isValid(self.corner):
                self.corner.hide()
        elif not isValid(self.bar):
            return False
        elif kind in _FOLLOWED:
            # a move that comes with another width is told of first
            if self.bar.width() != self._cut:
                self._full = self.bar.width()
            if not self._is_cut:
                self._place()
        elif isinstance(event, QMouseEvent):
            return self._follow(kind, event)
        elif isinstance(event, QContextMenuEvent):
            by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
            dock = self._dock(self.bar.currentIndex() if by_key else self.bar.tabAt(event.pos()))
            if dock is not None:
                self.menu_asked.emit(dock, event.globalPos())
            return True
        return False

    def _follow(self, kind: QEvent.Type, event: QMouseEvent) -> bool:
        """Tell clicks from drags; true for what the bar itself must not hear of."""
        at, left = event.position().toPoint(), Qt.MouseButton.LeftButton
        if kind == QEvent.Type.MouseButtonPress and event.button() == left:
            tab = self.bar.tabAt(at)
            self._pressed, self._dragged, self._held = at, None, self._dock(tab)
            self._was_front = 0 <= tab == self.bar.currentIndex()
        elif kind == QEvent.Type.MouseMove and event.buttons() & left:
            far = _OUT * QApplication.startDragDistance()
            if self._held and not self.bar.rect().adjusted(-far, -far, far, far).contains(at):
                self._draw_out(self._held, event)
                return True
            return self._pass_on(event)
        elif kind == QEvent.Type.MouseButtonRelease and event.button() == left:
            held, self._held = self._held, None
            if self._pass_on(event):
                self._dragged = None
                return True
            is_click = (at - self._pressed).manhattanLength() < QApplication.startDragDistance()
            if held is not None and self._was_front and is_click:
                self.clicked_in_front.emit(held)
        return False

    def _draw_out(self, dock: Dock, event: QMouseEvent) -> None:
        """Go on as if a dock were dragged by its title: Qt lets go of tabs only all at once."""
        self._held, self._was_front = None, False
        kinds, none, left = QEvent.Type, Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
        _send(self.bar, event, kinds.MouseButtonRelease, event.position(), left, none)
        _send(dock, event, kinds.MouseButtonPress, dock.take_title(), left, left)
        self._dragged = dock
        self._pass_on(event)
        dock.size_window()

    def _pass_on(self, event: QMouseEvent) -> bool:
        """Let the dock that is drawn out hear of the mouse."""
        dock = self._dragged
        if dock is not None:
            at = dock.mapFromGlobal(event.globalPosition())
            _send(dock, event, event.type(), at, event.button(), event.buttons())
        return dock is not None

    def _place(self) -> None:
        """Give the corner what the tabs leave, with room at least for some words of its remark."""
        self.corner.setVisible(self.bar.isVisible())
        if not self.bar.isVisible():
            return
        self._full = self._full or self.bar.width()
        tabs = sum(self.bar.tabRect(n).width() for n in range(self.bar.count()))
        width = min(self.corner.wanted, max(self._full - tabs, self.corner.least + _SAID_PX))
        self._is_cut, self._cut = True, self._full - width
        self.bar.resize(self._cut, self.bar.height())
        self._is_cut = False
        self.corner.give(width)
        place = self.bar.geometry()
        self.corner.setGeometry(place.right() + 1, place.y(), width, place.height())


def _send(
    goal: QWidget,
    event: QMouseEvent,
    kind: QEvent.Type,
    at: QPointF,
    button: Qt.MouseButton,
    held: Qt.MouseButton,
) -> None:
    """Tell a widget of the mouse, where an event says that it is."""
    place = event.globalPosition()
    QApplication.sendEvent(goal, QMouseEvent(kind, at, place, button, held, event.modifiers()))
