"""What can be taken of the selected element: its grips, the one that carries handles, the one under the mouse."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QPainter

from app.editing.grips import Grip, grips
from app.elements import element_label, elements
from app.look import Theme
from app.scene.handles import DOT_PX, Handles, Part, paint_dot
from app.scene.lens import Lens
from app.scene.picking import Sight, all_at, meant
from solver.base.words import tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.scene.placing import pose_at_start

if TYPE_CHECKING:
    from app.scene.stage import Stage

_NEAR_PX = 9.0


class Holding:
    """Find and draw grips; nothing is changed here."""

    def __init__(self) -> None:
        self.own_axes = False
        self.is_on = True
        self.grips: tuple[Grip, ...] = ()
        self.active = 0
        self.hot: Part | None = None
        self.hot_grip = -1

    @property
    def grip(self) -> Grip | None:
        """The grip that carries the handles."""
        return self.grips[self.active] if self.grips else None

    @property
    def is_hot(self) -> bool:
        """Whether the mouse is over something that can be taken."""
        return self.hot is not None or self.hot_grip >= 0

    def cool(self) -> None:
        """Forget what is under the mouse."""
        self.hot, self.hot_grip = None, -1

    def find(self, project: Project, element: str) -> None:
        """Look for the grips of an element; the handles stay where they are, if there still is a grip."""
        self.grips = grips(project, pose_at_start(project), element) if self.is_on else ()
        self.active = min(self.active, max(0, len(self.grips) - 1))

    def choose(self, path: str | None) -> None:
        """Give the handles to the grip of a path, or else to the first."""
        paths = [grip.path for grip in self.grips]
        self.active = paths.index(path) if path in paths else 0

    def path_of(self, field: str) -> str | None:
        """The path of the grip that a field of the element belongs to."""
        return next(
            (g.path for g in self.grips if g.path and f"{field}/".startswith(f"{g.path}/")), None
        )

    def follow(self, place: Array) -> None:
        """Give the handles to the grip nearest to a place: a strap laid again may have other points."""
        if self.grips:
            away = [float(np.linalg.norm(grip.p_W - place)) for grip in self.grips]
            self.active = int(np.argmin(away))

    def handles(self) -> Handles | None:
        """The handles at the active grip."""
        grip = self.grip
        if grip is None:
            return None
        if grip.pivot_W is not None and grip.pin is not None:
            # about other axes a pin does not turn
            return Handles(grip.pivot_W, grip.R_W, False, grip.turns, (grip.pin,))
        axes = grip.R_W if self.own_axes else np.eye(3)
        if grip.pivot_W is not None:
            return Handles(grip.pivot_W, axes, False, grip.turns)
        return Handles(grip.p_W, axes, grip.moves, grip.turns)

    def take(self, lens: Lens, x: float, y: float) -> Part | None:
        """Take the handle under a pixel, or the dot of another grip, which then carries the handles."""
        part, found = self._under(lens, x, y)
        if found < 0:
            return part
        self.active = found
        return Part("free")

    def light(self, lens: Lens, x: float, y: float) -> bool:
        """Look what is under the mouse; tell whether that has changed."""
        before = (self.hot, self.hot_grip)
        self.hot, self.hot_grip = self._under(lens, x, y)
        return before != (self.hot, self.hot_grip)

    def _under(self, lens: Lens, x: float, y: float) -> tuple[Part | None, int]:
        """The handle under a pixel, or the number of the grip whose dot is there.

        A dot that lies on an arrow or a ring is before it: it is the smaller one.
        """
        handles = self.handles()
        part = handles.part_at(lens, x, y) if handles else None
        if part == Part("free"):
            return part, -1
        found = self._grip_at(lens, x, y, DOT_PX + 1.0 if part else _NEAR_PX)
        return (None, found) if found >= 0 else (part, -1)

    def _grip_at(self, lens: Lens, x: float, y: float, within: float) -> int:
        best, least = -1, within
        for number, grip in enumerate(self.grips):
            far = float(np.linalg.norm(lens.pixel(grip.p_W) - np.array([x, y])))
            if number != self.active and far < least:
                best, least = number, far
        return best

    def paint(self, painter: QPainter, lens: Lens, theme: Theme, held: Part | None) -> None:
        """Draw the dots of all grips and the handles of one; the held handle is bright."""
        handles = self.handles()
        if handles is None:
            return
        for number, grip in enumerate(self.grips):
            if number != self.active and lens.is_ahead(grip.p_W):
                paint_dot(painter, lens.pixel(grip.p_W), theme, False, number == self.hot_grip)
        handles.paint(painter, lens, theme, held or self.hot)


class Targets:
    """Points and surfaces of everything else, onto which what is moved can be put."""

    def __init__(self, project: Project, moving: Collection[str]) -> None:
        self._project, self._moving = project, frozenset(moving)
        pose = pose_at_start(project)
        self._points = [
            (grip.p_W, element, grip)
            for element, _ in elements(project)
            if element not in self._moving
            for grip in grips(project, pose, element)
        ]

    def at(self, stage: Stage, lens: Lens, x: float, y: float) -> tuple[Array, str] | None:
        """The place under a pixel and what it is: a point that is near, else a surface; None over nothing."""
        best, least = None, _NEAR_PX
        for place, element, grip in self._points:
            far = float(np.linalg.norm(lens.pixel(place) - np.array([x, y])))
            if far < least and lens.is_ahead(place):
                best, least = (place, element, grip), far
        if best is not None:
            name = element_label(self._project, best[1])
            words = name if best[2].title == name else tr("{grip} of {name}", grip=best[2].title, name=name)  # fmt: skip
            return best[0], words
        items = [i for i in stage.items if i.shape.element not in self._moving]
        hit = meant(all_at(items, Sight.at(lens, x, y), is_furnished=stage.visibility.is_furnished))
        if hit is None or not hit.element:
            return None
        name = element_label(self._project, hit.element)
        return hit.hit.place, tr("surface of {name}", name=name)
