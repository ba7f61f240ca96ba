"""A panel that can be moved: a dock whose title is slim, a mere grip, or nothing where its tab tells all."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.guard import guard
from app.having import having
from app.panel import Panel
from app.shell.corner import Corner
from app.shell.tabbing import neighbour, tab_order
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
    """Hold a panel at a side of the scene or in a window of its own."""

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
        self._holder.setWidget(panel.widget)
        self.setWidget(self._holder)

    def show_count(self, number: int) -> None:
        """Write behind the name how many things are in it; nothing for none."""
        words = f"{self.panel.title}  {number}" if number else self.panel.title
        self.setWindowTitle(words)
        self.title.name.setText(words)

    def show_as(self, look: Look, *, is_front: bool, is_folded: bool) -> None:
        """Show the panel where nothing is before it; folded it has no height."""
        self.title.show_as(look)
        self.panel.widget.setVisible(is_front)
        self._holder.setMinimumHeight(0 if is_folded else _NEEDED.height())
        self._holder.setMaximumHeight(0 if is_folded else _NO_LIMIT)
        layout = self.layout()
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
        self._dock, self._look = dock, "title"
        self.name = having(QLabel(dock.panel.title), objectName="section")
        self.corner = Corner(dock.panel.widget)
        away = having(QToolButton(), objectName="help", text="✕")
        away.setToolTip(tr("Hide this panel; View → Panels shows it again"))
        away.setAccessibleName(tr("Hide {panel}", panel=dock.panel.title))
        away.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        away.clicked.connect(dock.close)
        self._inside = QWidget(self)
        self._inside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self._inside)
        row.setContentsMargins(12, 2, 4, 1)
        row.addWidget(self.name, 1)
        row.addWidget(self.corner)
        row.addWidget(away)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.addWidget(self._inside)
        self.setToolTip(tr("Drag to put this panel elsewhere; a right click offers where"))

    def show_as(self, look: Look) -> None:
        """Be a whole title, a grip or nothing."""
        if look != self._look:
            self._look = look
            self._inside.setVisible(look == "title")
            self._whole.setContentsMargins(0, _GRIP.height() if look == "grip" else 0, 0, 0)
            self.setCursor(
                Qt.CursorShape.OpenHandCursor if look == "grip" else Qt.CursorShape.ArrowCursor
            )
            self.update()

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
