"""The tool that carries what is not yet in the model: by itself, by arrows, and by a ring that turns it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from app.scene.dragging import Drag, Part
from app.scene.handles import Handles
from app.scene.overlay import paint_label
from app.scene.tool import Tool
from app.scene.viewport import Viewport
from solver.base.words import tr
from solver.engine.maths.rotation import Array

_STEP_M, _STEP_RAD = 0.01, np.radians(5.0)
_VERTICAL = 2


@dataclass(frozen=True, slots=True)
class Load:
    """Hold what is carried: its place (m), the axes of its carrier in columns, and its turn (rad)."""

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
        """Tell whether it is carried, or about to be taken."""
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
