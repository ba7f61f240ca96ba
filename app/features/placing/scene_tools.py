"""Select by a box, measure between points, and what is written over the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen

from app import texts
from app.document import Document
from app.elements import called, contact_ends, element_label, find
from app.scene.handles import paint_dot
from app.scene.lens import Lens
from app.scene.tool import Tool, paint_label
from app.scene.viewport import Viewport
from solver.base.units import convert, display_unit, pretty, show
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.model.paths import length_of
from solver.project import Project
from solver.project.coordinates import (
    DistanceCoordinate,
)
from solver.project.pose import plane_corners
from solver.project.schema import links
from solver.scene.placing import Pose, in_ground, pose_at_start
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import belt_line, strap_stops

_CLICK_PX = 4.0


class Boxing(Tool):
    """Draw the box and select; with Ctrl, add to what is selected.

    It begins with Shift. A plain one, behind all other tools, begins without, where another button
    than the left one turns the scene.
    """

    def __init__(self, document: Document, view: Viewport, *, plain: bool = False) -> None:
        self._document, self._view, self._plain = document, view, plain
        self._start: QPointF | None = None
        self._end = QPointF()

    @property
    def is_busy(self) -> bool:  # type: ignore[override]
        """Whether a box is drawn."""
        return self._start is not None

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Say what the box selects."""
        return (
            tr("Everything whose middle lies in the box is selected; Ctrl adds to what is.")
            if self._start is not None
            else ""
        )

    def pressed(self, event: QMouseEvent) -> bool:
        """Begin a box."""
        left = Qt.MouseButton.LeftButton
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        wanted = self._view.turn_button != left if self._plain else shift
        if event.button() != left or not wanted or self._view.lens is None:
            return False
        self._start = self._end = event.position()
        return True

    def moved(self, event: QMouseEvent) -> bool:
        """Draw the box."""
        if self._start is None:
            return False
        self._end = event.position()
        self._view.update()
        return True

    def released(self, event: QMouseEvent) -> None:
        """Select what is inside; a mere click adds the element under the mouse."""
        start, self._start = self._start, None
        self._view.update()
        if start is None:
            return
        keep = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        box = QRectF(start, event.position()).normalized()
        if box.width() + box.height() < _CLICK_PX:
            element = self._view.element_at(event.position())
            if self._plain:
                self._view.clicked.emit(element)
            else:
                self._document.select(element, add=True)
            return
        found = self.inside(box)
        before = [p for p in self._document.chosen if p and p not in found] if keep else []
        self._document.select_all([*before, *found])

    def inside(self, box: QRectF) -> list[str]:
        """Name the elements whose middle is seen inside a box."""
        lens = self._view.lens
        if lens is None:
            return []
        middles = self._view.stage.middles()
        names = [n for n in middles if lens.is_ahead(middles[n])]
        if not names:
            return []
        seen = lens.pixels(np.array([middles[n] for n in names]))
        return [n for n, (x, y) in zip(names, seen, strict=True) if box.contains(x, y)]

    def paint(self, painter: QPainter) -> None:
        """Draw the box."""
        if self._start is not None:
            colour = QColor(self._view.theme.accent)
            painter.setPen(QPen(colour, 1.2))
            colour.setAlpha(40)
            painter.setBrush(colour)
            painter.drawRect(QRectF(self._start, self._end))


class Measuring(Tool):
    """Take two clicks and show their distance, along x, y and z too, until Esc."""

    def __init__(self, view: Viewport, say: Callable[[str], None]) -> None:
        self._view, self._say = view, say
        self.system = "metric"
        self.is_on = False
        self.points: list[Array] = []

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Say what to click."""
        return tr("Click two points of what is seen; Esc ends measuring.") if self.is_on else ""

    def toggle(self) -> None:
        """Begin to measure, or end it."""
        self.is_on = not self.is_on
        self.points = []
        self._view.setFocus()
        self._view.update()

    def pressed(self, event: QMouseEvent) -> bool:
        """Take a point on the surface under the mouse; beside everything the camera turns."""
        if not self.is_on or event.button() != Qt.MouseButton.LeftButton or event.modifiers():
            return False
        if not self._view.element_at(event.position()):
            return False
        place = self._view.stage.picked_place()
        self.points = [*self.points[-1:], place] if len(self.points) < 2 else [place]
        if len(self.points) == 2:
            self._say(
                tr("{words}. Click again to measure again; Esc ends measuring.", words=self.words())
            )
        self._view.update()
        return True

    def words(self) -> str:
        """Say the distance, and its parts along the ground's axes."""
        by = self.points[1] - self.points[0]
        parts = "  ".join(f"{a} {self._said(float(v))}" for a, v in zip("xyz", by, strict=True))
        return f"{self._said(float(np.linalg.norm(by)))}   {parts}"

    def wants(self, event: QKeyEvent) -> bool:
        """Keep Esc while measuring."""
        return self.is_on and event.key() == Qt.Key.Key_Escape

    def typed(self, event: QKeyEvent) -> bool:
        """End measuring with Esc."""
        if self.wants(event):
            self.toggle()
            return True
        return False

    def paint(self, painter: QPainter) -> None:
        """Draw the points, the line and its length."""
        lens = self._view.lens
        if lens is None or not self.points:
            return
        seen = [lens.pixel(point) for point in self.points]
        if len(seen) == 2:
            painter.setPen(QPen(QColor(self._view.theme.accent), 1.6, Qt.PenStyle.DashLine))
            ends = [QPointF(float(p[0]), float(p[1])) for p in seen]
            painter.drawLine(*ends)
        for at in seen:
            paint_dot(painter, at, self._view.theme, True, False)
        if len(seen) == 2:
            middle = 0.5 * (seen[0] + seen[1])
            between = QPointF(float(middle[0]), float(middle[1]))
            paint_label(painter, self.words(), between, self._view.rect(), self._view.theme)

    def _said(self, metres: float) -> str:
        unit = display_unit("m", self.system)
        return f"{convert(metres, 'm', unit):.{ {'mm': 1, 'm': 4}.get(unit, 2) }f} {pretty(unit)}"


def measure(
    project: Project,
    element: str,
    system: str,
    path: str = "",
    before: Project | None = None,
) -> str:
    """Say how long, or how large, an element is at the start; empty for what has no such figure.

    Where a point of a strap is held, `path` leads to it: that strap alone is told. `before` is the
    project to compare with: by how much webbing grows longer or shorter.
    """
    item: Any = find(project, element)
    list_name = element.partition("/")[0]
    if item is None:
        return ""
    if list_name in ("belts", "harnesses"):
        lengths = _lengths(project, element)
        held = path.split("/")[1] if path.startswith("straps/") else None
        if held is not None and 0 <= int(held) < len(item.straps):
            lengths = {n: m for n, m in lengths.items() if n == item.straps[int(held)].id}
        old = {} if before is None else _lengths(before, element)
        labels = {name: _long_by(m, old.get(name, m), system) for name, m in lengths.items()}
        if len(labels) == 1:
            return _long(next(iter(labels.values())))
        return ",  ".join(f"{name} {length}" for name, length in list(labels.items())[:4])
    if list_name == "planes":
        _, edge, other = plane_corners(item)
        sizes = (_length_text(float(np.linalg.norm(way)), system) for way in (edge, other))
        return " × ".join(sizes)
    if list_name in links():
        return _apart((item.a, item.b), pose_at_start(project), system)
    if list_name == "coordinate_forces" and isinstance(item.coordinate, DistanceCoordinate):
        line = item.coordinate
        if line.is_straight:
            return _apart((line.a, line.b), pose_at_start(project), system)
        return _long(_length_text(length_of(project, line, pose_at_start(project)), system))
    return ""


def _lengths(project: Project, element: str) -> dict[str, float]:
    """The lengths (m) of a belt, or of the straps of a harness by their ids."""
    item: Any = find(project, element)
    surfaces, pose = surfaces_of(project), pose_at_start(project)
    if item is None:
        return {}
    if element.startswith("belts/"):
        lines = {item.id: belt_line(item, surfaces, pose)}
    else:
        lines = {}
        for strap in item.straps:
            stops = strap_stops(strap, surfaces, pose)
            lines[strap.id] = None if stops is None else np.array([place for place, _ in stops])
    return {
        name: float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
        for name, line in lines.items()
        if line is not None
    }


def _long_by(metres: float, before: float, system: str) -> str:
    """Say a length, and by how much it has changed."""
    by = round(metres, 3) - round(before, 3)
    if abs(by) < 5e-4:
        return _length_text(metres, system)
    words = msgid("{length}, {by} longer") if by > 0.0 else msgid("{length}, {by} shorter")
    return tr(words, length=_length_text(metres, system), by=_length_text(abs(by), system))


def _apart(ends: tuple[Any, ...], pose: Pose, system: str) -> str:
    if any(end is None or end.segment not in pose for end in ends):
        return ""
    places = []
    for end in ends:
        assert end is not None
        frame = getattr(end, "frame", None)
        local = end.position_m if frame is None else frame.position_m
        places.append(in_ground(pose, end.segment, local))
    apart = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
    return _long(_length_text(apart, system))


def _long(length: str) -> str:
    return tr(texts.scene.LENGTH, length=length) if length else ""


def _length_text(metres: float, system: str) -> str:
    return show(round(metres, 3), "m", display_unit("m", system), digits=5)


class Notes(Tool):
    """Paint what is asked for; nothing of it can be clicked."""

    def __init__(self, document: Document, view: Viewport) -> None:
        self._document, self._view = document, view
        self.names = self.centres = self.pairs = False

    def paint(self, painter: QPainter) -> None:
        """Paint everything that is switched on."""
        lens = self._view.lens
        if lens is None:
            return
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
            text = element_label(project, element)
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


def _box(painter: QPainter, text: str, middle: QPointF) -> QRectF:
    """Give the room that words take about a place."""
    box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-5, -2, 5, 2)
    box.moveCenter(middle)
    return box


def _point(at: Array) -> QPointF:
    return QPointF(float(at[0]), float(at[1]))
