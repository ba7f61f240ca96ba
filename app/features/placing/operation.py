"""One move or turn that goes on: what the mouse and the typed number make of it, and its words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from app.editing.grips import Grip
from app.scene.dragging import Drag, Part, Way, about
from app.scene.lens import Lens
from solver.base.units import UnitError, display_unit, parse, show
from solver.base.words import tr
from solver.engine.maths.rotation import Array

_STEPS_M = {"inch_pound": 0.0254 / 2.0}
_STEP_M, _STEP_RAD = 0.01, math.radians(5.0)


@dataclass(frozen=True)
class Operation:
    """Hold what is moved or turned, from where, along what, and the number that is typed."""

    kind: Literal["move", "turn"]
    grip: Grip
    drag: Drag
    system: str = "metric"
    number: str = ""
    lock: str = ""
    """'', or 'x', 'y', 'z' of the ground, or 'own x' and so on."""

    def locked(self, axis: int) -> Operation:
        """Keep to an axis of the ground; the same again: of the element; once more: none."""
        name = "xyz"[axis]
        after = {"": name, name: f"own {name}", f"own {name}": ""}
        lock = after.get(self.lock, name)
        axes = self.grip.R_W if lock.startswith("own") else np.eye(3)
        way: Way = "axis" if self.kind == "move" else "turn"
        part = Part(way, axis) if lock else Part("free")
        return replace(self, lock=lock, drag=replace(self.drag, part=part, axes=axes))

    def with_typed(self, text: str) -> Operation:
        """Go on with another typed number; a move without an axis then goes along x."""
        op = replace(self, number=text)
        if text and self.kind == "move" and op.drag.part.way != "axis":
            op = op.locked(0)
        return op

    def shift(self, lens: Lens, x: float, y: float, snap: bool) -> Array:
        """Give the shift in ground axes (m)."""
        part = self.drag.part
        if self.number and part.way == "axis":
            return self._typed("m") * self.drag.axes[:, part.axis]
        found = self.drag.shift(lens, x, y)
        if not snap:
            return found
        step = _STEPS_M.get(self.system, _STEP_M)
        axes = self.drag.axes if part.way in ("axis", "plane") else np.eye(3)
        snapped: Array = axes @ (step * np.round(axes.T @ found / step))
        return snapped

    def angle(self, lens: Lens, x: float, y: float, snap: bool) -> float:
        """Give the turn (rad)."""
        if self.number:
            return self._typed("rad")
        found = self.drag.angle(lens, x, y)
        return _STEP_RAD * round(found / _STEP_RAD) if snap else found

    def turn(self, lens: Lens, x: float, y: float, snap: bool) -> Array:
        """Give the turn in ground axes."""
        return about(self.drag.axis(lens), self.angle(lens, x, y, snap))

    def words(self, lens: Lens, x: float, y: float, snap: bool) -> str:
        """Say what is moved, along what and how far."""
        part, title = self.drag.part, self.grip.title
        axis = self.lock or ("xyz"[part.axis] if part.way in ("axis", "turn") else "")
        if self.number:
            try:
                self._typed("m" if self.kind == "move" else "rad")
            except UnitError:
                return f"{title}   {axis}  {self.number} ?"
        if self.kind == "turn":
            said = _said(self.angle(lens, x, y, snap), "rad", self.system)
            return f"{title}   {axis or tr('about the view')}  {self.number + ' = ' if self.number else ''}{said}"
        if self.grip.slides and not self.number:
            return title
        shift = self.shift(lens, x, y, snap)
        if axis:
            along = float(self.drag.axes[:, part.axis] @ shift)
            typed = f"{self.number} = " if self.number else ""
            return f"{title}   {axis}  {typed}{_said(along, 'm', self.system)}"
        three = (f"{'xyz'[k]} {_said(float(shift[k]), 'm', self.system)}" for k in range(3))
        return f"{title}   {'   '.join(three)}"

    def _typed(self, si_unit: str) -> float:
        if self.number in ("-", "+", ".", "-."):
            return 0.0
        return parse(self.number, si_unit, display_unit(si_unit, self.system))


def _said(value: float, si_unit: str, system: str) -> str:
    """Write a length to a tenth of a millimetre, an angle to a tenth of a degree, with its sign."""
    finest = 1e-4 if si_unit == "m" else math.radians(0.1)
    rounded = finest * round(value / finest)
    text = show(rounded, si_unit, display_unit(si_unit, system), digits=5).replace(" °", "°")
    return f"+{text}" if rounded > 0.0 else text
