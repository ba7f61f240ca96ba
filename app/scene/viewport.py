"""Show the stage in a widget: VTK draws into memory, Qt paints the picture and owns the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app import texts
from app.elements import kind_word, spoken
from app.look import LIGHT, Theme
from app.scene.camera import View
from app.scene.graphics import why_not
from app.scene.lens import Lens
from app.scene.overlay import paint_axes, paint_label
from app.scene.tool import Tool
from app.told import told
from solver.project import Project

if TYPE_CHECKING:
    from app.scene.screen import Screen
    from app.scene.stage import Stage
    from app.study.showing import Showing

_CLICK_PX = 4.0


class Viewport(QWidget):
    """Turn, move and zoom the scene; tell which element was clicked."""

    clicked = Signal(str)
    turned = Signal()
    """The camera looks from elsewhere now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 180)
        self.setAccessibleName(texts.scene.SCENE)
        self.excuse = why_not()
        self.theme = LIGHT
        self.is_closed = False
        self._project = Project()
        self._stage: Stage | None = None
        self.screen: Screen | None = None
        """The picture; None where nothing can be drawn."""
        self._to_fit = True
        self._floor_waits = False
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragged = False
        self._mouse = QPointF()
        self.tools: list[Tool] = []
        """What may take the mouse and the keys before the camera and the selection do."""
        self._held: Tool | None = None
        self.turn_button = Qt.MouseButton.LeftButton
        """Whose drag turns the scene; any other moves it, but the left one is then left to tools."""
        self.wheel_nearer = 1.0
        """1 where the wheel turned ahead comes nearer, -1 where it goes away."""
        self._hover = QTimer(self, singleShot=True, interval=25)
        self._hover.timeout.connect(self._look_under_mouse)
        if not self.excuse:
            self._build()

    def _build(self) -> None:
        from app.scene.screen import Screen
        from app.scene.stage import Stage

        self._stage = Stage(self.theme)
        self.screen = Screen(self._stage, self)
        self.screen.at_rest = self._lay_floor

    def show_project(self, project: Project) -> None:
        """Show another project as a whole, from the front right."""
        self._project = project
        if self._stage is not None:
            self._stage.show(project)
        self.look("iso")

    def update_project(self, project: Project) -> None:
        """Show a changed project, or another moment's, from where one looks; the floor follows at rest."""
        self._project = project
        if self._stage is not None:
            self._stage.update(project)
            self._floor_waits = True
        self._refresh_quickly()

    def camera(self) -> Any:
        """Give where the scene is seen from; None where nothing can be drawn."""
        return None if self._stage is None else self._stage.camera

    def preview_project(self, project: Project) -> None:
        """Show how the project would be, quickly; the document is as it was."""
        if self._stage is not None:
            self._stage.update(project)
            self._floor_waits = True
            self._refresh_quickly()

    @property
    def lens(self) -> Lens | None:
        """Give the present view as arithmetic; None where nothing can be drawn."""
        if self._stage is None:
            return None
        if self._to_fit:
            self._fit_now()
        return Lens(self._stage.camera, float(self.width()), float(self.height()))

    def _fit_now(self) -> None:
        if self._stage is not None:
            self._stage.fit(self.width() / max(1, self.height()))
            self._to_fit = False
            self.turned.emit()

    @property
    def stage(self) -> Any:
        """Give what is in the scene; None where nothing can be drawn."""
        return self._stage

    @property
    def mouse(self) -> QPointF:
        """Give the last place of the mouse."""
        return self._mouse

    def show_moment(self, showing: Showing, t: float) -> None:
        """Show an instant (s) of a run whose project is in the scene."""
        if self._stage is not None:
            self._floor_waits = False
            showing.show(self._stage, t)
            self._refresh_quickly()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.theme = theme
        if self._stage is not None:
            self._stage.set_theme(theme)
        self.refresh()

    def select(self, element: str, chosen: Sequence[str] = ()) -> None:
        """Mark the selected element, and the others that are chosen with it."""
        if self._stage is not None and self._stage.mark(selected=element, chosen=chosen):
            self._refresh_quickly()

    def look(self, view: View) -> None:
        """Look from a named side at everything."""
        if self._stage is not None:
            self._stage.camera.look(view)
        self.fit()

    def fit(self, element: str = "") -> None:
        """Show everything, or one element."""
        if self._stage is not None:
            self._stage.fit(self.width() / max(1, self.height()), element)
            self._to_fit = not self.isVisible()
            self.turned.emit()
        self.refresh()

    def see_as(self, other: Viewport) -> None:
        """Look through another view's camera, at what is shown, hidden and cut there."""
        if self._stage is not None and other._stage is not None:
            self._to_fit = False
            self._stage.camera = other._stage.camera
            if self._stage.showing is not other._stage.showing:
                self._stage.showing = other._stage.showing
                self._stage.show_again()

    def turn_along(self) -> None:
        """Draw again: another view has turned the camera that both have."""
        self._refresh_quickly()

    def sees_all(self) -> bool:
        """Tell whether one looks from so far that everything is seen."""
        return self._stage is not None and (
            self._to_fit or self._stage.sees_all(self.width() / max(1, self.height()))
        )

    def fit_when_painted(self) -> None:
        """Show everything in the room that there is by then."""
        self._to_fit = True
        self.refresh()

    def set_parallel(self, parallel: bool) -> None:
        """Choose parallel lines that stay parallel, or perspective."""
        if self._stage is not None:
            self._stage.camera.parallel = parallel
            self.turned.emit()
        self.refresh()

    def show_joints(self, visible: bool) -> None:
        """Show or hide the joints' markers."""
        if self._stage is not None:
            self._stage.show_joints(visible)
        self.refresh()

    def refresh(self) -> None:
        """Draw again as soon as Qt paints."""
        if self.screen is not None:
            self.screen.refresh()

    def _refresh_quickly(self) -> None:
        """Draw again while things move."""
        if self.screen is not None:
            self.screen.refresh_quickly()

    def settle(self) -> None:
        """Draw finely here and now, as for a picture that is kept."""
        if self.screen is not None:
            self.screen.settle()
            self.update()

    def _lay_floor(self) -> bool:
        """Let the floor follow what has moved; tells whether it had to."""
        waited, self._floor_waits = self._floor_waits, False
        if waited and self._stage is not None:
            self._stage.lay_floor()
        return waited

    def pixel_of(self, element: str) -> QPointF | None:
        """Give the place in the widget at which an element's middle is seen."""
        lens = self.lens
        if self._stage is None or lens is None:
            return None
        place = self._stage.place_of(element)
        return None if place is None else QPointF(*lens.pixel(place))

    def element_at(self, at: QPointF) -> str:
        """Name the element that is seen at a place in the widget; empty for none."""
        lens = self.lens
        return "" if self._stage is None or lens is None else self._stage.pick(lens, at.x(), at.y())

    def hovered(self) -> str:
        """Name the element under the mouse; empty for none."""
        return "" if self._stage is None else self._stage.hovered

    def close_graphics(self) -> None:
        """Give the graphics memory back; nothing can be drawn afterwards."""
        self._hover.stop()
        if self.screen is not None:
            self.screen.close()
        self.screen = self._stage = None
        self.is_closed = True

    @told
    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint the picture, the axes and the name under the mouse; or say why there is none."""
        with QPainter(self) as painter:
            if self._stage is None or self.screen is None:
                painter.drawText(
                    self.rect().adjusted(32, 32, -32, -32),
                    Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                    self.excuse,
                )
                return
            if self._to_fit:
                self._fit_now()
            self.screen.paint(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_axes(painter, self._stage.camera.axes(), self.height(), self.theme)
            for tool in self.tools:
                painter.save()
                tool.paint(painter)
                painter.restore()
            busy = self._held is not None or any(tool.is_busy for tool in self.tools)
            if self._stage.hovered and self._pressed is None and not busy:
                element = self._stage.hovered
                text = f"{spoken(self._project, element)}  ·  {kind_word(element)}"
                paint_label(painter, text, self._mouse, self.rect(), self.theme)

    @told
    def resizeEvent(self, _: QResizeEvent) -> None:
        """Draw for the new size."""
        self._refresh_quickly()

    @told
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag, of a tool first."""
        self._mouse = event.position()
        self._held = next((tool for tool in self.tools if tool.pressed(event)), None)
        if self._held is not None:
            return
        self._pressed = self._last = event.position()
        self._dragged = False

    @told
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
        self._dragged = True
        step, self._last = self._mouse - self._last, self._mouse
        is_shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.buttons() == self.turn_button and not is_shifted:
            self._stage.camera.orbit(step.x(), step.y())
        else:
            self._stage.camera.pan(step.x(), step.y(), self.height())
        self.turned.emit()
        self._refresh_quickly()

    @told
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what was clicked."""
        if self._held is not None:
            held, self._held = self._held, None
            held.released(event)
            return
        was_click = self._pressed is not None and not self._dragged
        self._pressed = None
        if not was_click or event.button() != Qt.MouseButton.LeftButton:
            return
        if not any(tool.clicked(event) for tool in self.tools):
            self.clicked.emit(self.element_at(event.position()))

    @told
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Come close to what was double-clicked; show everything on empty space."""
        self.fit(self.element_at(event.position()))

    @told
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Come nearer or go away."""
        if self._stage is not None and not self._held:
            self._stage.camera.zoom(1.0015 ** (self.wheel_nearer * event.angleDelta().y()))
            self.turned.emit()
            self._refresh_quickly()

    @told
    def event(self, event: QEvent) -> bool:
        """Keep keys for a tool at work that would else be shortcuts, such as digits and letters."""
        if event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            if any(tool.wants(event) for tool in self.tools):
                event.accept()
                return True
        return super().event(event)

    @told
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give keys to the tool at work."""
        if not any(tool.typed(event) for tool in self.tools):
            super().keyPressEvent(event)

    @told
    def focusNextPrevChild(self, ahead: bool) -> bool:
        """Let Tab reach a tool that uses it."""
        return not any(tool.uses_tab for tool in self.tools) and super().focusNextPrevChild(ahead)

    @told
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
