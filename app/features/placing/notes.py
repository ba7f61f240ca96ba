"""What is written over the scene: names, centres of mass, contact pairs."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.document import Document
from app.elements import called, contact_ends, spoken
from app.scene.lens import Lens
from app.scene.tool import Tool
from app.scene.viewport import Viewport
from solver.engine.maths.rotation import Array


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


def _box(painter: QPainter, text: str, middle: QPointF) -> QRectF:
    """Give the room that words take about a place."""
    box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-5, -2, 5, 2)
    box.moveCenter(middle)
    return box


def _point(at: Array) -> QPointF:
    return QPointF(float(at[0]), float(at[1]))
