"""What is written over the scene: names, centres of mass, a joint's axes and reach, contact pairs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.document import Document
from app.elements import called, contact_ends, find, spoken
from app.scene.dragging import about
from app.scene.lens import Lens
from app.scene.tool import Tool
from app.scene.viewport import Viewport
from solver.maths.rotation import Array
from solver.project.joint_table import axes_of, ball_of, contour_of, is_free, row_of
from solver.project.pose import turn
from solver.project.stops import contour_limit, limit_of
from solver.scene.placing import in_ground

_AXIS_M, _FAN_M, _STEPS = 0.11, 0.09, 48


class Notes(Tool):
    """Paint what is asked for; nothing of it can be clicked."""

    def __init__(self, document: Document, view: Viewport) -> None:
        self._document, self._view = document, view
        self.names = self.centres = self.pairs = False

    def paint(self, painter: QPainter) -> None:
        """Paint everything that is switched on, and the selected joint."""
        lens = self._view.lens
        if lens is None:
            return
        self._joint(painter, lens)
        if self.pairs or self._document.selection.startswith("contacts/"):
            self._contacts(painter, lens)
        if self.centres:
            self._masses(painter, lens)
        if self.names:
            self._names(painter, lens)

    def _names(self, painter: QPainter, lens: Lens) -> None:
        """Write the names of segments and planes, where they do not cover each other."""
        taken = list[QRectF]()
        project = self._document.project
        places = {
            n: p
            for n, p in self._view.stage.middles().items()
            if n.startswith(("segments/", "planes/", "airbags/")) and lens.is_ahead(p)
        }
        towards = lens.camera.axes()[2]
        for element in sorted(places, key=lambda n: -float(places[n] @ towards)):
            x, y = lens.pixel(places[element])
            text = spoken(project, element)
            box = _box(painter, text, QPointF(float(x), float(y)))
            if any(box.intersects(other) for other in taken):
                continue
            taken.append(box)
            self._plate(painter, box, text)

    def _plate(self, painter: QPainter, box: QRectF, text: str) -> None:
        """Write words on a plate, so that they are read on any ground."""
        fill = QColor(self._view.theme.raised)
        fill.setAlpha(205)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(box, 4.0, 4.0)
        painter.setPen(QColor(self._view.theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _masses(self, painter: QPainter, lens: Lens) -> None:
        """Mark mass centres by the usual sign: a circle with two dark quarters."""
        hidden = self._view.stage.visibility.hidden
        pose = self._view.stage.pose
        for segment in self._document.project.segments:
            if segment.id not in pose or f"segments/{segment.id}" in hidden:
                continue
            place = pose[segment.id].p_W
            if not segment.mass_kg or not lens.is_ahead(place):
                continue
            x, y = lens.pixel(place)
            box = QRectF(float(x) - 5.5, float(y) - 5.5, 11.0, 11.0)
            painter.setPen(QPen(QColor("#26241f"), 1.2))
            painter.setBrush(QColor("#ffffff"))
            painter.drawEllipse(box)
            painter.setBrush(QColor("#26241f"))
            painter.drawPie(box, 0, 90 * 16)
            painter.drawPie(box, 180 * 16, 90 * 16)

    def _contacts(self, painter: QPainter, lens: Lens) -> None:
        """Join the selected element with everything that it may touch."""
        project, middles = self._view.project, self._view.stage.middles()
        selected = self._document.selection
        found: list[tuple[str, Array, Array]] = []
        for contact in project.contacts:
            ends = contact_ends(contact)
            mine = f"contacts/{contact.id}" == selected
            if len(ends) != 2 or not (mine or selected in ends):
                continue
            if any(end not in middles for end in ends):
                continue
            one, two = (lens.pixel(middles[end]) for end in ends)
            found.append((called(project, contact), one, two))
        painter.setPen(QPen(QColor(self._view.theme.accent), 1.8, Qt.PenStyle.DotLine))
        for _, one, two in found:
            painter.drawLine(_point(one), _point(two))
        taken: list[QRectF] = []
        for text, one, two in found:
            box = _box(painter, text, _point(0.5 * (one + two)))
            while under := next((other for other in taken if box.intersects(other)), None):
                box.moveTop(under.bottom() + 2.0)
            taken.append(box)
            self._plate(painter, box, text)

    def _joint(self, painter: QPainter, lens: Lens) -> None:
        """Draw axes and stops of the selected joint."""
        selection = self._document.selection
        joint: Any = find(self._view.project, selection)
        pose = self._view.stage.pose
        if not selection.startswith("joints/") or joint is None:
            return
        if joint.parent not in pose or joint.child not in pose or is_free(joint):
            return
        at = in_ground(pose, joint.parent, joint.parent_frame.position_m)
        R_WP = pose[joint.parent].R_WS @ turn(joint.parent_frame.orientation)
        R_WC = pose[joint.child].R_WS @ turn(joint.child_frame.orientation)
        axes, turns = axes_of(joint), about_axes(joint, R_WP, R_WC)
        shown = range(3) if len(axes) != 1 else ("xyz".index(axes[0].turn.axis),)
        for axis in shown:
            for R, style, size in (
                (R_WP, Qt.PenStyle.SolidLine, _AXIS_M),
                (R_WC, Qt.PenStyle.DotLine, 0.8 * _AXIS_M),
            ):
                tip = at + size * R[:, axis]
                painter.setPen(QPen(QColor(self._view.theme.axes[axis]), 1.8, style))
                painter.drawLine(_point(lens.pixel(at)), _point(lens.pixel(tip)))
            painter.drawText(_point(lens.pixel(at + 1.12 * _AXIS_M * R_WP[:, axis])), "xyz"[axis])
        for way in turns:
            ring = _ring_about(way)
            painter.setPen(QPen(QColor(self._view.theme.muted), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([_point(p) for p in lens.pixels(at + _FAN_M * ring)]))
        for line in reach_lines(self._view.project, joint, R_WP, R_WC):
            seen = lens.pixels(at + _FAN_M * line)
            painter.setPen(QPen(QColor(self._view.theme.accent), 1.4))
            fill = QColor(self._view.theme.accent)
            fill.setAlpha(38)
            painter.setBrush(fill)
            painter.drawPolygon(QPolygonF([_point(p) for p in seen]))


def _box(painter: QPainter, text: str, middle: QPointF) -> QRectF:
    """Give the room that words take about a place."""
    box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-5, -2, 5, 2)
    box.moveCenter(middle)
    return box


def about_axes(joint: Any, R_WP: Array, R_WC: Array) -> list[Array]:
    """Give the axes (ground axes) about which a joint turns: one of a pin, three of a ball.

    Of successive turns the first is about the parent's axis, the last about the child's, the one
    between them across both.
    """
    if ball_of(joint) is not None:
        return list(R_WP.T)
    order = row_of(joint).order
    found = [R_WP[:, "xyz".index(axis)] for axis in order[:1]]
    if len(order) > 1:
        last = R_WC[:, "xyz".index(order[-1])]
        between = np.cross(last, found[0])
        size = float(np.linalg.norm(between))
        # where both lie along each other the joint is locked about the one between
        found += [between / size] if len(order) > 2 and size > 1e-9 else []
        found.append(last)
    return found


def _ring_about(axis: Array) -> Array:
    """Give a closed ring of unit size about an axis."""
    side = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    side /= np.linalg.norm(side)
    turns = np.linspace(0.0, 2.0 * math.pi, _STEPS + 1)[:, None]
    ring: Array = np.cos(turns) * side + np.sin(turns) * np.cross(axis, side)
    return ring


def reach_lines(project: Any, joint: Any, R_WP: Array, R_WC: Array) -> list[Array]:
    """Give closed lines of unit size around a joint's point that show how far it goes without a stop.

    A pin has a fan in which its child's x axis may lie; bending has the cone, or the contour, of the
    child's z axis.
    """
    out = []
    axes = axes_of(joint)
    if len(axes) == 1 and not row_of(joint).slides:
        axis = "xyz".index(axes[0].turn.axis)
        limit = limit_of(axes[0].spring)
        if math.isfinite(limit):
            out.append(_fan(R_WP[:, axis], R_WP[:, axis - 1], min(limit, math.pi)))
            out.append(np.array([np.zeros(3), R_WC[:, axis - 1]]))
    ball, contour = ball_of(joint), contour_of(joint)
    cone = limit_of(ball.flexure) if ball is not None else math.inf
    if contour is None and not math.isfinite(cone):
        return out
    azimuths = np.linspace(0.0, 2.0 * math.pi, _STEPS + 1)
    ring = []
    for azimuth in azimuths:
        limit = cone
        if contour is not None:
            try:
                limit = min(limit, contour_limit(project, contour, float(azimuth)))
            except StopIteration:  # the contour's function is not there
                return out
        limit = min(limit, math.pi)
        level = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
        ring.append(R_WP @ (math.sin(limit) * level + math.cos(limit) * np.array([0.0, 0.0, 1.0])))
    out.append(np.array(ring))
    out.append(np.array([np.zeros(3), R_WC[:, 2]]))
    return out


def _fan(axis: Array, middle: Array, limit: float) -> Array:
    angles = np.linspace(-limit, limit, _STEPS)
    return np.array([np.zeros(3), *(about(axis, float(a)) @ middle for a in angles), np.zeros(3)])


def _point(at: Array) -> QPointF:
    return QPointF(float(at[0]), float(at[1]))
