"""A panel that can be moved: a dock whose title is slim, a mere grip, or nothing where its tab tells all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QScrollArea,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app.guard import guard
from app.panel import Panel
from app.shell.tabbing import neighbour, tab_order
from app.widgets.sheet import HelpButton, ask_for_help
from app.with_properties import with_properties
from solver.base.words import tr

Look = Literal["nothing", "grip", "title"]
"""What a dock shows above its panel."""

_NO_LIMIT = 16777215
"""Height (px) that no widget has."""
_NEEDED = QSize(140, 60)
"""So much room has a panel at least."""
_GRIP = QSize(28, 7)
_LEAST, _MOST = QSize(480, 380), QSize(720, 600)
"""First sizes of a panel in a window of its own: neither a strip nor a wall."""
_SIDES = Qt.DockWidgetArea
PLACES = {
    "left": _SIDES.LeftDockWidgetArea,
    "right": _SIDES.RightDockWidgetArea,
    "below": _SIDES.BottomDockWidgetArea,
}


class Dock(QDockWidget):
    """A panel at a side of the scene or in a window of its own."""

    menu_asked = Signal(object)
    """The menu of what can be done with it is wanted at this point of the screen."""

    def __init__(self, panel: Panel, page: QMainWindow) -> None:
        super().__init__(panel.title, page)
        self.panel = panel
        self.setObjectName(panel.name)
        left, right, below = PLACES.values()
        self.setAllowedAreas(left | right | below)
        self.title = Title(self)
        self.setTitleBarWidget(self.title)
        # a panel may be smaller than all of it; what has no room then is reached by a bar
        self._holder = QScrollArea(widgetResizable=True)
        self._holder.setObjectName("form")
        self._holder.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._holder.setMinimumSize(_NEEDED)
        self.setWidget(self._holder)
        self._is_front = False
        self.destroyed.connect(panel.widget.deleteLater)

    def fill(self) -> None:
        """Put the panel inside, which is about to be seen: Qt styles all that is in a window, be it hidden."""
        if self._holder.widget() is None:
            self._holder.setWidget(self.panel.widget)
            self.panel.widget.setVisible(self._is_front)

    @guard
    def showEvent(self, event: QShowEvent) -> None:
        """Be filled before anything is painted; while the page changes its mood, only what comes to the front."""
        if self.updatesEnabled():
            self.fill()
        super().showEvent(event)

    def show_count(self, number: int) -> None:
        """Write behind the name how many things are in it; nothing for none."""
        words = f"{self.panel.title}  {number}" if number else self.panel.title
        self.setWindowTitle(words)
        self.title.call(words)

    def show_as(self, look: Look, *, is_front: bool, is_folded: bool) -> None:
        """Show the panel where nothing is before it; folded it has no height."""
        self.title.show_as(look)
        self._is_front = is_front
        if is_front and self.isVisible():
            self.fill()
        if self._holder.widget() is not None:
            self.panel.widget.setVisible(is_front)
        self._holder.setMinimumHeight(0 if is_folded else _NEEDED.height())
        self._holder.setMaximumHeight(0 if is_folded else _NO_LIMIT)
        layout = self.layout() if self.isVisible() else None
        if layout is not None:
            # the dock's own limits follow at once: it would keep no height at all where it is given one now
            layout.activate()
        edge = 1 if self.isFloating() else 0
        self.setContentsMargins(edge, edge, edge, edge)

    def take_title(self) -> QPointF:
        """Have a whole title at once, and tell where to take hold of it."""
        self.show_as("title", is_front=True, is_folded=False)
        layout = self.layout()
        if layout is not None:
            layout.activate()
        place = self.title.geometry()
        return QPointF(min(place.width() // 2, 60), place.center().y())

    def take_keyboard(self) -> None:
        """Give the keyboard to what had it here last, or to what comes first."""
        last = self.panel.widget.focusWidget()
        stops = tab_order((self.panel.widget,)) if last is None else [last]
        if stops:
            stops[0].setFocus()

    def size_window(self) -> None:
        """Give a window of its own a size that fits one; at the side of a page it had another."""
        if self.isFloating():
            self.resize(self.size().boundedTo(_MOST).expandedTo(_LEAST))

    @guard
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line around a window of its own, which no desktop draws."""
        super().paintEvent(event)
        if self.isFloating():
            painter = QPainter(self)
            painter.setPen(self.palette().placeholderText().color())
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    @guard
    def focusNextPrevChild(self, ahead: bool) -> bool:
        """Let Tab go through a window of its own; elsewhere the whole window is gone through."""
        if not self.isFloating():
            return super().focusNextPrevChild(ahead)
        found = neighbour(self, (self.panel.widget,), ahead)
        if found is not None:
            found.setFocus(Qt.FocusReason.TabFocusReason)
        return found is not None


class Title(QWidget):
    """Name a panel, and be what it is dragged by."""

    def __init__(self, dock: Dock) -> None:
        super().__init__(dock)
        self._dock, self._look = dock, "nothing"
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._inside: QWidget | None = None
        self.setToolTip(tr("Drag to put this panel elsewhere; a right click offers where"))

    @property
    def is_built(self) -> bool:
        """Whether its name and buttons are there."""
        return self._inside is not None

    def _build(self) -> QWidget:
        """Make name, remark and buttons once they are to be seen."""
        dock = self._dock
        away = with_properties(QToolButton(), objectName="help", text="✕")
        away.setToolTip(tr("Hide this panel; View → More… shows it again"))
        away.setAccessibleName(tr("Hide {panel}", panel=dock.panel.title))
        away.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        away.clicked.connect(dock.close)
        inside = self._inside = QWidget(self)
        inside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(inside)
        row.setContentsMargins(12, 2, 4, 1)
        row.addWidget(self.name, 1)
        row.addWidget(self.corner)
        row.addWidget(away)
        self._whole.addWidget(inside)
        return inside

    @cached_property
    def name(self) -> QLabel:
        """What the panel is called."""
        return with_properties(QLabel(self._dock.windowTitle()), objectName="section")

    @cached_property
    def corner(self) -> Corner:
        """What stands at its end."""
        return Corner(self._dock.panel.widget)

    def show_as(self, look: Look) -> None:
        """Be a whole title, a grip or nothing."""
        if look != self._look:
            self._look = look
            is_whole = look == "title"
            if is_whole or self._inside is not None:
                (self._inside or self._build()).setVisible(is_whole)
            self._whole.setContentsMargins(0, _GRIP.height() if look == "grip" else 0, 0, 0)
            self.setCursor(
                Qt.CursorShape.OpenHandCursor if look == "grip" else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def call(self, words: str) -> None:
        """Show another name."""
        if self._inside is not None:
            self.name.setText(words)

    def say(self, remark: str) -> None:
        """Say something about the panel; nothing for none."""
        if remark or self._inside is not None:
            (self._inside or self._build())
            self.corner.say(remark)

    @guard
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the grip."""
        if self._look == "grip":
            painter = QPainter(self)
            painter.fillRect(self.rect(), self.palette().base())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            colour = self.palette().placeholderText().color()
            colour.setAlpha(90)
            painter.setBrush(colour)
            middle = (self.width() - _GRIP.width()) / 2
            painter.drawRoundedRect(QRectF(middle, 2.5, _GRIP.width(), 3.0), 1.5, 1.5)

    @guard
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer where the panel can go."""
        self._dock.menu_asked.emit(event.globalPos())


_SPARE_PX, _WORDS_PX = 16, 28
"""Beside the button, and beside the words where there are some, as the style pads them."""


class Corner(QWidget):
    """Say something about a panel, and lead to the guide."""

    def __init__(self, about: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = about
        self.sentence = ""
        self.remark = with_properties(QLabel(), objectName="remark", visible=False)
        self.ask = HelpButton()
        self.ask.clicked.connect(lambda: ask_for_help(self.about))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.addWidget(self.remark, 1)
        row.addWidget(self.ask)

    def say(self, sentence: str) -> None:
        """Show a remark; nothing for none."""
        self.sentence = sentence
        self.remark.setToolTip(sentence)
        self.remark.setVisible(bool(sentence))
        self.give(self.wanted)

    @property
    def wanted(self) -> int:
        """How wide it is with the whole sentence."""
        words = self.remark.fontMetrics().horizontalAdvance(self.sentence)
        return self.least + (words + _WORDS_PX if self.sentence else 0)

    @property
    def least(self) -> int:
        """How wide it is without a sentence."""
        return self.ask.sizeHint().width() + _SPARE_PX

    def give(self, width: int) -> None:
        """Write as much of the sentence as so much room has."""
        room = width - self.least - _WORDS_PX
        metrics = self.remark.fontMetrics()
        self.remark.setText(metrics.elidedText(self.sentence, Qt.TextElideMode.ElideRight, room))


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

    def front_title(self) -> str:
        """The title of the dock in front."""
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
