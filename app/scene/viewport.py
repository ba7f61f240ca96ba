"""Take mouse and keys over the scene: turn, move and zoom it, name and select what is under the mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.elements import element_label, kind_word
from app.guard import guard
from app.look import Theme
from app.scene.framing import Box, box_of
from app.scene.scene_view import SceneView
from app.scene.tool import AXES_PX, LOW_PX, Tool, paint_coming, paint_label
from solver.base.words import tr
from solver.project import Project

_CLICK_PX = 4.0


class Viewport(SceneView):
    """Turn, move and zoom the scene; tell which element was clicked."""

    clicked = Signal(str)
    carried = Signal(str)
    """An element is taken along by Ctrl and a drag."""
    taken = Signal()
    """The keyboard is here now."""
    previewed = Signal(object)
    """A project is shown as it would be."""
    hinted = Signal(str)
    """Another tool is in hand, or none: what the status line shall say of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.tools: list[Tool] = []
        """What may take the mouse and the keys before the camera and the selection do."""
        self.turn_button = Qt.MouseButton.LeftButton
        """Whose drag turns the scene; any other moves it, but the left one is then left to tools."""
        self.wheel_nearer = 1.0
        """1 where the wheel turned ahead comes nearer, -1 where it goes away."""
        self.tells: Callable[[str], str] = lambda _: ""
        """What is said of an element under the mouse behind its name."""
        self.coming = ""
        """What is said over the scene, which pales, while something else is made that takes its place."""
        self._held: Tool | None = None
        self._hint = ""
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragged = False
        self._mouse = QPointF()
        self._shows_focus = False
        self._hover = QTimer(self, singleShot=True, interval=25)
        self._hover.timeout.connect(self._look_under_mouse)

    @property
    def mouse(self) -> QPointF:
        """The last place of the mouse."""
        return self._mouse

    @property
    def has_keyboard_mark(self) -> bool:
        """Whether the keyboard came here by Tab, and a frame says so."""
        return self._shows_focus

    def preview_project(self, project: Project) -> None:
        """Show how the project would be, here and in other views of it."""
        super().preview_project(project)
        self.previewed.emit(project)

    def announce(self, words: str) -> None:
        """Say what is to take the place of what is seen; empty once it is there."""
        if words != self.coming:
            self.coming = words
            self.update()

    def hovered(self) -> str:
        """Name the element under the mouse; empty for none."""
        return "" if self._stage is None else self._stage.hovered

    def close_graphics(self) -> None:
        """Give the graphics memory back; nothing can be drawn afterwards."""
        self._hover.stop()
        super().close_graphics()

    def paint_over(self, painter: QPainter) -> None:
        """Let the tools paint, and write the name of what is under the mouse."""
        hint = next((tool.hint for tool in self.tools if tool.hint), "")
        if hint != self._hint:
            self._hint = hint
            self.hinted.emit(hint)
        for tool in self.tools:
            painter.save()
            tool.paint(painter)
            painter.restore()
        busy = self._held is not None or any(tool.is_busy for tool in self.tools)
        element = self.hovered()
        if element and self._pressed is None and not busy:
            text = f"{element_label(self._project, element)}  ·  {kind_word(element)}{self.tells(element)}"
            paint_label(painter, text, self._mouse, self.rect(), self.theme)
        if self.coming:
            paint_coming(painter, self.coming, self.rect(), self.theme)
        if self._shows_focus:
            painter.setPen(QPen(QColor(self.theme.accent), 3.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect())

    def covered(self) -> dict[str, QRectF]:
        """What lies over the picture, in its pixels, by what it is."""
        low = float(self.height()) - AXES_PX
        corner = {"axes": QRectF(0.0, low, AXES_PX, AXES_PX)}
        found = corner if self.height() >= LOW_PX else {}
        for tool in self.tools:
            found |= tool.covers()
        for part in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if part.isVisibleTo(self):
                found[part.accessibleName() or type(part).__name__] = QRectF(part.geometry())
        return found

    def written_over(self) -> tuple[list[Box], list[Box]]:
        """What lies over the picture wherever one looks, and where the key may stand."""
        movable = [box for tool in self.tools for box in tool.options()]
        moves = {name for tool in self.tools if tool.options() for name in tool.covers()}
        boxes = [box for name, box in self.covered().items() if name not in moves]
        return [box_of(one) for one in boxes], [box_of(one) for one in movable]

    @guard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag, of a tool first."""
        self._mouse = event.position()
        self._held = next((tool for tool in self.tools if tool.pressed(event)), None)
        if self._held is not None:
            return
        self._pressed = self._last = event.position()
        self._dragged = False

    @guard
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn with the left button, move with any other; name what is under it."""
        self._mouse = event.position()
        if self._held is not None:
            self._held.moved(event)
            return
        if self._pressed is None or self._stage is None:
            if any(tool.moved(event) for tool in self.tools):
                self._forget_hovered()
            else:
                self._hover.start()
            return
        if not self._dragged and (self._mouse - self._pressed).manhattanLength() < _CLICK_PX:
            return
        if not self._dragged and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            element = self.element_at(self._pressed)
            if element:
                self._pressed = None
                self.carried.emit(element)
                return
        self._dragged = self.is_own = True
        step, self._last = self._mouse - self._last, self._mouse
        is_shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.buttons() == self.turn_button and not is_shifted:
            self._stage.camera.orbit(step.x(), step.y())
        else:
            self._stage.camera.pan(step.x(), step.y(), self.height())
        self.turned.emit()
        self._refresh_quickly()

    @guard
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what was clicked."""
        if self._held is not None:
            held, self._held = self._held, None
            held.released(event)
            return
        was_click = self._pressed is not None and not self._dragged
        if self._pressed is not None and self._dragged:
            # the hand has let go: all pixels at once
            self.refresh()
        self._pressed = None
        if not was_click or event.button() != Qt.MouseButton.LeftButton:
            return
        if not any(tool.clicked(event) for tool in self.tools):
            self.clicked.emit(self.element_at(event.position()))

    @guard
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Come close to what was double-clicked; show everything on empty space."""
        self.fit(self.element_at(event.position()))

    @guard
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Come nearer or go away."""
        if self._stage is not None and not self._held:
            self._stage.camera.zoom(1.0015 ** (self.wheel_nearer * event.angleDelta().y()))
            self.is_own = True
            # another element may come under the mouse
            self._stage.mark(hovered="")
            self._hover.start()
            self.turned.emit()
            self._refresh_quickly()

    def turn_by(self, right_px: float, down_px: float) -> None:
        """Turn as a drag of the mouse over so many pixels does."""
        if self._stage is not None:
            self.is_own = True
            self._stage.camera.orbit(right_px, down_px)
            self.turned.emit()
            self._refresh_quickly()

    def come_nearer(self, factor: float) -> None:
        """Come nearer (above 1) or go away."""
        if self._stage is not None:
            self.is_own = True
            self._stage.camera.zoom(factor)
            self.turned.emit()
            self._refresh_quickly()

    @guard
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Forget that it had the keyboard."""
        self._shows_focus = False
        super().focusOutEvent(event)
        self.update()

    @guard
    def event(self, event: QEvent) -> bool:
        """Keep keys for a tool at work that would else be shortcuts, such as digits and letters."""
        if event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            if any(tool.wants(event) for tool in self.tools):
                event.accept()
                return True
        return super().event(event)

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give keys to the tool at work."""
        if not any(tool.typed(event) for tool in self.tools):
            super().keyPressEvent(event)

    @guard
    def focusNextPrevChild(self, ahead: bool) -> bool:
        """Let Tab reach a tool that has a use for it, and leave the scene when none has any more."""
        taken = any(tool.takes_tab(ahead) for tool in self.tools)
        return not taken and super().focusNextPrevChild(ahead)

    @guard
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell tools that the keyboard came by Tab, and show that it is here."""
        super().focusInEvent(event)
        reasons = {Qt.FocusReason.TabFocusReason: True, Qt.FocusReason.BacktabFocusReason: False}
        self._shows_focus = event.reason() in reasons
        self.taken.emit()
        self.update()
        if self._shows_focus:
            for tool in self.tools:
                tool.entered(reasons[event.reason()])

    @guard
    def leaveEvent(self, _: Any) -> None:
        """Forget the name under the mouse."""
        self._forget_hovered()

    def _forget_hovered(self) -> None:
        self._hover.stop()
        if self._stage is not None and self._stage.mark(hovered=""):
            self.refresh()

    def _look_under_mouse(self) -> None:
        if self._stage is None or self._pressed is not None:
            return
        if self._stage.mark(hovered=self.element_at(self._mouse)):
            self.refresh()
        else:
            self.update()


MOST = 3
"""So many views stand beside the first at most."""


class Views(QSplitter):
    """Show one view, or several in two columns; of several runs all have one camera, anyone who turns it."""

    opened = Signal()
    """There is a further view now."""
    looks_asked = Signal(object)
    """Views of one run or model are to look so, the first of them first; without any there is one."""

    def __init__(self, first: Viewport, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent, childrenCollapsible=False)
        self.setHandleWidth(1)
        self.first = first
        self.others: list[Viewport] = []
        self.looks: tuple[str, ...] = ()
        """How several views of one run or model look; empty where there is one, or views of other runs."""
        self._hand = first
        first.taken.connect(lambda: self._take(first))
        self._columns = (self._column(), self._column())
        self._columns[0].addWidget(first)
        self._columns[1].hide()
        first.turned.connect(lambda: self._turn(first))

    def _column(self) -> QSplitter:
        column = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        column.setHandleWidth(1)
        self.addWidget(column)
        return column

    @property
    def second(self) -> Viewport | None:
        """The view beside the first one."""
        return self.others[0] if self.others else None

    @property
    def all(self) -> tuple[Viewport, ...]:
        """The views that there are."""
        return (self.first, *self.others)

    @property
    def in_hand(self) -> Viewport:
        """The view that keys mean: of several with cameras of their own that which had the keyboard last."""
        return self._hand if self.looks and self._hand in self.others else self.first

    def open_beside(self, count: int) -> None:
        """Let so many views stand beside the first, all equally large; those that are open stay."""
        before = len(self.others)
        while len(self.others) > count:
            self._close_last()
        while len(self.others) < count:
            view = Viewport()
            view.setAccessibleName(tr("Scene from another side") if self.looks else tr("Scene of the other run"))  # fmt: skip
            view.set_theme(self.first.theme)
            view.turned.connect(lambda view=view: self._turn(view))
            view.taken.connect(lambda view=view: self._take(view))
            # right of the first, below it, and right of that
            self._columns[(len(self.others) + 1) % 2].addWidget(view)
            self.others.append(view)
        if count == before:
            return
        self._columns[1].setVisible(count > 0)
        self.setSizes([max(1, self.width() // 2)] * 2)
        for column in self._columns:
            column.setSizes([max(1, column.height() // 2)] * column.count())
        self.align()
        if count > before:
            self.opened.emit()

    def show_others(self, on: bool) -> None:
        """Show the other views, or leave all room to the first."""
        for view in self.others:
            view.setVisible(on)
        self._columns[1].setVisible(on and bool(self.others))

    def _close_last(self) -> None:
        """Close the last view and give its graphics memory back."""
        view = self.others.pop()
        view.close_graphics()
        view.setParent(None)
        view.deleteLater()

    def _take(self, view: Viewport) -> None:
        self._hand = view

    def _turn(self, turned: Viewport) -> None:
        """Draw all others as one of them was turned."""
        for view in self.all:
            if view is not turned and not self.looks:
                view.turn_along()

    def align(self) -> None:
        """Let all look at what is shown, hidden and cut in the first one, through its camera or their own."""
        for view in self.others:
            view.see_as(self.first, with_camera=not self.looks)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        for view in self.all:
            view.set_theme(theme)
