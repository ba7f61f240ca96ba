"""Carry what is not yet in the model: a tool with arrows and a ring, and a part that the mouse brings from the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)

from app.guard import guard
from app.scene.handles import Drag, Handles, Part
from app.scene.tool import Tool, paint_label
from app.scene.viewport import Viewport
from app.widgets.carrying import PART, names_in
from solver.base.words import tr
from solver.engine.maths.rotation import Array

_STEP_M, _STEP_RAD = 0.01, np.radians(5.0)
_VERTICAL = 2


@dataclass(frozen=True, slots=True)
class Load:
    """What is carried: its place (m), the axes of its carrier in columns, and its turn (rad)."""

    p_W: Array
    axes: Array
    turn: float


class Carrying(Tool):
    """Ask what is carried, and say where it is to be; with Ctrl in round steps."""

    def __init__(
        self,
        view: Viewport,
        load: Callable[[], Load],
        is_of_it: Callable[[str], bool],
        put: Callable[[Array, float], None],
        words: Callable[[], str],
    ) -> None:
        self._view, self._load, self._is_of_it = view, load, is_of_it
        self._put, self._words = put, words
        self._drag: Drag | None = None
        self._was: Load | None = None
        self._hot: Part | None = None

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Say how it is carried."""
        return (
            tr("Drag the body, its arrows or its ring; Ctrl keeps to round steps.")
            if self.is_busy
            else ""
        )

    @property
    def is_busy(self) -> bool:  # type: ignore[override]
        """Whether it is carried, or about to be taken."""
        return self._drag is not None or self._hot is not None

    def handles(self) -> Handles:
        """Give arrows, and one ring about the vertical of the carrier."""
        load = self._load()
        return Handles(load.p_W, load.axes, True, True, rings=(_VERTICAL,))

    def pressed(self, event: QMouseEvent) -> bool:
        """Take a handle, or the thing itself."""
        lens = self._view.lens
        keys = event.modifiers() & ~Qt.KeyboardModifier.ControlModifier
        if event.button() != Qt.MouseButton.LeftButton or keys or lens is None:
            return False
        at = event.position()
        load, part = self._load(), self.handles().part_at(lens, at.x(), at.y())
        place = load.p_W
        if part is None:
            if not self._is_of_it(self._view.element_at(at)):
                return False
            part, place = Part("free"), self._view.stage.picked_place()
        self._drag, self._was = Drag(part, place, load.axes, at.x(), at.y()), load
        return True

    def moved(self, event: QMouseEvent) -> bool:
        """Carry it with the mouse; without a button, light up the handle under it."""
        lens, at = self._view.lens, event.position()
        if lens is None:
            return False
        if self._drag is not None:
            self._follow(event)
            return True
        if event.buttons() != Qt.MouseButton.NoButton:
            return False
        before, self._hot = self._hot, self.handles().part_at(lens, at.x(), at.y())
        if before != self._hot:
            self._view.update()
        return self._hot is not None

    def released(self, event: QMouseEvent) -> None:
        """Leave it where it is."""
        self._follow(event)
        self._drag = self._was = None
        self._view.update()

    def _follow(self, event: QMouseEvent) -> None:
        lens, drag, was, at = self._view.lens, self._drag, self._was, event.position()
        if lens is None or drag is None or was is None:
            return
        snaps = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if drag.part.way == "turn":
            angle = drag.angle(lens, at.x(), at.y())
            self._put(
                was.p_W, was.turn + (_STEP_RAD * round(angle / _STEP_RAD) if snaps else angle)
            )
            return
        by = drag.shift(lens, at.x(), at.y())
        if snaps:
            by = was.axes @ (_STEP_M * np.round(was.axes.T @ by / _STEP_M))
        self._put(was.p_W + by, was.turn)

    def wants(self, event: QKeyEvent) -> bool:
        """Keep Esc while it is carried."""
        return self._drag is not None and event.key() == Qt.Key.Key_Escape

    def typed(self, event: QKeyEvent) -> bool:
        """Bring it back with Esc."""
        if self._was is None or not self.wants(event):
            return False
        self._put(self._was.p_W, self._was.turn)
        self._drag = self._was = None
        return True

    def paint(self, painter: QPainter) -> None:
        """Draw the handles, and where it is while it is carried."""
        lens = self._view.lens
        if lens is None:
            return
        held = self._drag.part if self._drag is not None else self._hot
        self.handles().paint(painter, lens, self._view.theme, held)
        if self._drag is not None:
            paint_label(
                painter, self._words(), self._view.mouse, self._view.rect(), self._view.theme
            )


_REST_MS = 80
"""So long the mouse rests before the part is shown where it is."""
Put = Callable[[str, str, Array], object]
"""Takes an entry, the element under the mouse, and the place there in ground axes."""


class Dropping(QObject):
    """Watch the scene as long as a dialog offers parts."""

    def __init__(
        self,
        view: Viewport,
        is_shown: Callable[[str], bool],
        show: Put,
        drop: Put,
        leave: Callable[[], object],
    ) -> None:
        super().__init__(view)
        self._view, self._is_shown = view, is_shown
        self._show, self._drop, self._leave = show, drop, leave
        self._id, self._at = "", QPointF()
        self._element, self._place = "", np.zeros(3)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._on_rest)
        self._took = view.acceptDrops()
        view.setAcceptDrops(True)
        view.installEventFilter(self)

    def end(self) -> None:
        """Leave the scene as it was."""
        self._rest.stop()
        self._view.removeEventFilter(self)
        self._view.setAcceptDrops(self._took)
        self.deleteLater()

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow a part over the scene; everything else goes its way."""
        if event.type() == QEvent.Type.DragLeave and self._id:
            self._id = ""
            self._rest.stop()
            self._leave()
            return True
        if not isinstance(event, QDropEvent):  # enter and move are of this kind, too
            return super().eventFilter(watched, event)
        ids = names_in(event.mimeData(), PART)
        if not ids:
            return super().eventFilter(watched, event)
        self._id, self._at = ids[0], event.position()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if isinstance(event, QDragEnterEvent | QDragMoveEvent):
            self._rest.start()
        else:
            self._rest.stop()
            self._look()
            carried, self._id = self._id, ""
            self._drop(carried, self._element, self._place)
        return True

    def _on_rest(self) -> None:
        if self._id:
            self._look()
            self._show(self._id, self._element, self._place)

    def _look(self) -> None:
        """Find what is under the mouse; where that is the part itself, go along at its height."""
        stage, lens = self._view.stage, self._view.lens
        if stage is None or lens is None:
            return
        element = self._view.element_at(self._at)
        found = stage.picked_place()
        if element and found is not None and not self._is_shown(element):
            self._element, self._place = element, found
            return
        if not element:
            self._element = ""
        up = stage.camera.up
        height = float(up @ (self._place if element else stage.ground_place))
        eye, way = lens.ray(self._at.x(), self._at.y())
        falls = float(up @ way)
        along = (height - float(up @ eye)) / falls if abs(falls) > 1e-6 else -1.0
        if along > 0.0:
            self._place = eye + along * way
