"""The tool that poses: with Alt held a limb is taken and follows the mouse as far as its joint lets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from app import texts
from app.document import Document
from app.editing.grips import WHOLE, grips
from app.editing.moving import CannotMove, moved, turned
from app.elements import element_label
from app.scene.handles import Drag, Part, about
from app.scene.tool import Tool, paint_label
from app.scene.viewport import Viewport
from solver.base.words import tr, within
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.joint_table import carrying, row_of
from solver.project.pose import turn
from solver.scene.placing import pose_at_start

_SOME = 0.2


class Limbs(Tool):
    """Turn the joint above the segment that was taken; a body's root is shifted instead."""

    def __init__(
        self,
        document: Document,
        view: Viewport,
        say: Callable[[str], None],
        shown: Callable[[Project], None],
    ) -> None:
        self._document, self._view, self._say = document, view, say
        self._shown = shown
        self.is_on = True
        self.mode = False
        """Whether limbs are taken without Alt."""
        self.segment = ""
        self._drag: Drag | None = None
        self._result: Project | None = None

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Say how limbs are taken, or how far the one goes that is held."""
        if self.segment:
            return tr("The limb follows as far as its joint goes; let go to keep the pose.")
        return (
            tr("Drag a limb to pose it; Shift+P ends posing.") if self.mode and self.is_on else ""
        )

    @property
    def is_busy(self) -> bool:  # type: ignore[override]
        """Whether a limb is held."""
        return bool(self.segment)

    def pressed(self, event: QMouseEvent) -> bool:
        """Take the limb under the mouse."""
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        left = event.button() == Qt.MouseButton.LeftButton
        if not self.is_on or not left or not (alt or self.mode):
            return False
        at = event.position()
        element = self._view.element_at(at)
        place = self._view.stage.picked_place() if element else None
        if not element.startswith("segments/") or place is None:
            return False
        self._document.select(element)
        found = grips(self._document.project, pose_at_start(self._document.project), element)
        if not found or not (found[0].turns or found[0].moves):
            self._say(
                tr(
                    "{name} is held by a locked joint.",
                    name=element_label(self._document.project, element),
                )
            )
            return True
        self.segment = element
        self._drag = Drag(Part("free"), place, np.eye(3), at.x(), at.y())
        return True

    def moved(self, event: QMouseEvent) -> bool:
        """Let the limb follow the mouse in the scene alone."""
        lens = self._view.lens
        if self._drag is None or lens is None:
            return False
        by = self._drag.shift(lens, event.position().x(), event.position().y())
        try:
            self._result = followed(self._document.project, self.segment, self._drag.p_W, by)
        except CannotMove as reason:
            self._say(str(reason))
            return True
        self._view.preview_project(self._result)
        self._shown(self._result)
        return True

    def released(self, event: QMouseEvent) -> None:
        """Make the pose one step of the history."""
        result, segment = self._result, self.segment
        self._drag, self._result, self.segment = None, None, ""
        if result is not None:
            name = element_label(self._document.project, segment)
            self._document.replace(result, tr(texts.scene.POSED, name=name))
        self._view.update()

    def cancel(self) -> None:
        """Leave the pose as it was."""
        if self.segment:
            self._drag, self._result, self.segment = None, None, ""
            self._view.update_project(self._document.project)
            self._shown(self._document.project)

    def wants(self, event: QKeyEvent) -> bool:
        """Keep Esc while a limb is held."""
        return self.is_busy and event.key() == Qt.Key.Key_Escape

    def typed(self, event: QKeyEvent) -> bool:
        """Leave the pose with Esc."""
        if self.wants(event):
            self.cancel()
            return True
        return False

    def paint(self, painter: QPainter) -> None:
        """Name what is held."""
        if self.segment:
            shown = self._result or self._document.project
            text = element_label(shown, self.segment)
            joint = carrier(shown, self.segment)
            if joint is not None:
                text = f"{text}   {joint_words(shown, joint)}"
            paint_label(painter, text, self._view.mouse, self._view.rect(), self._view.theme)


def carrier(project: Project, element: str) -> Any:
    """The joint that carries a segment; None for a root."""
    name = element.partition("/")[2]
    return next((j for j in carrying(project.joints) if j.child == name), None)


def joint_words(project: Project, joint: Any) -> str:
    """Say the angles of a joint."""
    from app.editing.grips import coordinates

    lines = [
        f"{within(one.title)} {np.degrees(one.value):.0f}°" for one in coordinates(project, joint)
        if one.unit == "rad"
    ]  # fmt: skip
    return ",  ".join(lines)


def followed(project: Project, element: str, place_W: Array, by_W: Array) -> Project:
    """Turn a segment so that a point of it follows a shift, within what its joint allows."""
    joint = carrier(project, element)
    if joint is None:
        return moved(project, element, WHOLE, by_W)
    pose = pose_at_start(project)
    grip = grips(project, pose, element)[0]
    assert grip.pivot_W is not None
    was = along_limb(place_W - grip.pivot_W, grip.p_W - grip.pivot_W)
    wanted = was + by_W
    axis = None
    order = row_of(joint).order
    if len(order) == 1:
        column = "xyz".index(order)
        axis = (pose[joint.parent].R_WS @ turn(joint.parent_frame.orientation))[:, column]
    return turned(project, element, WHOLE, nearest_turn(was, wanted, axis))


def along_limb(away: Array, limb: Array) -> Array:
    """The part of a way from the joint that lies along the limb; where little does, all of it.

    A limb is taken at its skin: seen from the side it would else twist about itself as it is bent.
    """
    size = float(np.linalg.norm(limb))
    if size < 1e-6:
        return away
    along = limb / size
    part = float(away @ along)
    return part * along if part > _SOME * float(np.linalg.norm(away)) else away


def nearest_turn(was: Array, wanted: Array, axis: Array | None = None) -> Array:
    """Give the least turn that brings one direction nearest to another, about an axis where one is given."""
    if axis is not None:
        was, wanted = was - (was @ axis) * axis, wanted - (wanted @ axis) * axis
    across = np.cross(was, wanted)
    size = float(np.linalg.norm(across))
    if size < 1e-12:
        return np.eye(3)
    return about(across / size, float(np.arctan2(size, was @ wanted)))
