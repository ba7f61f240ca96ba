"""Draw the small icons of kinds and actions; plain forms that read at 16 pixels."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

End = Literal["pin", "clamp"]


def _filled(p: QPainter, box: QRectF) -> None:
    p.save()
    p.setBrush(p.pen().color())
    p.drawRect(box)
    p.restore()


def _end(p: QPainter, x: float, end: End, lock: bool) -> None:
    """Draw a pin as a ring, a clamp as a block; a lock fills the ring."""
    if end == "clamp":
        _filled(p, QRectF(x - 0.8, 6.2, 1.6, 3.6))
        return
    p.save()
    p.setBrush(p.pen().color() if lock else Qt.BrushStyle.NoBrush)
    p.drawEllipse(QPointF(x, 8.0), 1.7, 1.7)
    p.restore()


def _crack(p: QPainter) -> None:
    _line(p, (8.6, 11.2), (7.0, 13.0), (8.8, 13.0), (7.4, 15.2))


def _strut(
    p: QPainter, one: End, other: End, *, rigid: bool = False, locks: bool = False, breaks: bool = False
) -> None:  # fmt: skip
    """Draw two bodies, and between them a link as one bar, a strut as a rod in a sleeve."""
    _line(p, (1.0, 3.0), (1.0, 13.0))
    _line(p, (15.0, 3.0), (15.0, 13.0))
    _end(p, 2.8, one, locks)
    _end(p, 13.2, other, locks)
    left, right = (4.5 if one == "pin" else 3.6), (11.5 if other == "pin" else 12.4)
    if rigid:
        _line(p, (left, 8.0), (right, 8.0))
    else:
        _line(p, (left, 8.0), (6.0, 8.0))
        p.drawRect(QRectF(6.0, 6.4, 3.4, 3.2))
        _line(p, (8.0, 8.0), (right, 8.0))
        if locks:
            _filled(p, QRectF(7.0, 4.2, 1.6, 2.2))
    if breaks:
        _crack(p)


def _pin(p: QPainter, *, locks: bool = False, breaks: bool = False) -> None:
    _line(p, (1.5, 13.0), (6.6, 9.0))
    _line(p, (9.4, 7.2), (14.5, 3.0))
    p.save()
    p.setBrush(p.pen().color() if locks else Qt.BrushStyle.NoBrush)
    p.drawEllipse(QPointF(8.0, 8.0), 2.2, 2.2)
    p.restore()
    if breaks:
        _crack(p)


def _rolling(p: QPainter) -> None:
    p.drawEllipse(QRectF(3.0, 2.0, 8.0, 8.0))
    _line(p, (7.0, 6.0), (9.6, 3.8))
    _line(p, (1.0, 10.4), (15.0, 10.4))
    _crack(p)


def _neck(p: QPainter) -> None:
    p.drawEllipse(QRectF(8.2, 1.0, 6.4, 5.4))
    _line(p, (1.5, 14.5), (8.5, 14.5))
    p.drawEllipse(QPointF(5.0, 13.0), 1.3, 1.3)
    p.drawEllipse(QPointF(9.4, 6.8), 1.3, 1.3)
    _line(p, (5.6, 11.8), (6.4, 10.8), (7.8, 11.2), (6.8, 9.4), (8.4, 9.6), (8.8, 8.0))


def _shoulder(p: QPainter) -> None:
    p.save()
    pen = p.pen()
    pen.setStyle(Qt.PenStyle.DotLine)
    p.setPen(pen)
    p.drawEllipse(QPointF(7.0, 7.0), 5.4, 5.4)
    p.restore()
    _line(p, (7.0, 7.0), (9.2, 9.0))
    p.drawEllipse(QPointF(9.2, 9.0), 1.2, 1.2)
    _line(p, (10.0, 9.9), (15.0, 15.0))


FORMS_OF_CONNECTORS: dict[str, Callable[[QPainter], None]] = {
    "connector_pin": _pin,
    "connector_extensional_none": partial(_strut, one="clamp", other="clamp"),
    "connector_extensional_both": partial(_strut, one="pin", other="pin"),
    "connector_extensional_one": partial(_strut, one="clamp", other="pin"),
    "connector_rigid_none": partial(_strut, one="clamp", other="clamp", rigid=True),
    "connector_rigid_one": partial(_strut, one="clamp", other="pin", rigid=True),
    "connector_rigid_both": partial(_strut, one="pin", other="pin", rigid=True),
    "connector_pin_locks": partial(_pin, locks=True),
    "connector_pin_breaks": partial(_pin, locks=True, breaks=True),
    "connector_breaks_both": partial(_strut, one="pin", other="pin", locks=True, breaks=True),
    "connector_breaks_one": partial(_strut, one="clamp", other="pin", locks=True, breaks=True),
    "connector_breaks_none": partial(_strut, one="clamp", other="clamp", locks=True, breaks=True),
    "connector_rolling": _rolling,
    "connector_neck": _neck,
    "connector_shoulder": _shoulder,
}
"""By the kinds of their makers (`app/editing/new_connectors.py`)."""


_SIZE = 16
_SCALE = 3


def _line(p: QPainter, *points: tuple[float, float]) -> None:
    p.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))


def _arc(p: QPainter, box: tuple[float, float, float, float], start: float, span: float) -> None:
    p.drawArc(QRectF(*box), round(16 * start), round(16 * span))


def _curve(p: QPainter, *points: tuple[float, float]) -> None:
    path = QPainterPath(QPointF(*points[0]))
    for a, b, c in zip(points[1::3], points[2::3], points[3::3], strict=True):
        path.cubicTo(QPointF(*a), QPointF(*b), QPointF(*c))
    p.drawPath(path)


def _segment(p: QPainter) -> None:
    p.drawEllipse(QRectF(4, 1.5, 8, 13))


def _joint(p: QPainter) -> None:
    _line(p, (2, 13), (6.5, 9))
    _line(p, (9.5, 7), (14, 3))
    p.drawEllipse(QPointF(8, 8), 2.2, 2.2)


def _plane(p: QPainter) -> None:
    p.drawPolygon(QPolygonF([QPointF(1.5, 11), QPointF(6, 5), QPointF(14.5, 5), QPointF(10, 11)]))


def _function(p: QPainter) -> None:
    _line(p, (2, 2), (2, 14), (14, 14))
    _curve(p, (3, 12.5), (8, 12), (8, 5), (13.5, 3.5))


def _law(p: QPainter) -> None:
    _line(p, (2, 2), (2, 14), (14, 14))
    _curve(p, (3, 13), (6, 7), (9, 4), (13, 3))
    _curve(p, (13, 3), (11, 9), (9, 12.5), (6, 13.5))


def _contact(p: QPainter) -> None:
    p.drawEllipse(QPointF(8, 6), 4.2, 4.2)
    _line(p, (1.5, 11.5), (14.5, 11.5))
    for x in (3, 6.5, 10):
        _line(p, (x + 2, 11.5), (x, 14.5))


def _belt(p: QPainter) -> None:
    _line(p, (2, 4), (14, 12))
    _line(p, (2, 7.5), (11, 13.5))


def _harness(p: QPainter) -> None:
    _line(p, (3, 2), (8, 9), (13, 2))
    _line(p, (8, 9), (8, 14.5))
    _line(p, (2.5, 11), (13.5, 11))


def _airbag(p: QPainter) -> None:
    p.drawEllipse(QPointF(7, 8), 5, 6)
    _line(p, (14, 3), (14, 13))
    _line(p, (12, 8), (14, 8))


def _spring(p: QPainter) -> None:
    _line(p, (1, 8), (3, 8), (4.5, 4), (7, 12), (9.5, 4), (12, 12), (13, 8), (15, 8))


def _string(p: QPainter) -> None:
    _curve(p, (1.5, 5), (5, 13), (11, 13), (14.5, 5))


def _constraint(p: QPainter) -> None:
    p.drawEllipse(QPointF(5, 8), 3.5, 3.5)
    p.drawEllipse(QPointF(11, 8), 3.5, 3.5)


def _flexible(p: QPainter) -> None:
    for i, (x, y) in enumerate(((4, 13), (5, 9), (7.5, 5.5), (11.5, 3.5))):
        p.drawEllipse(QPointF(x, y), 1.9 - 0.1 * i, 1.9 - 0.1 * i)


def _beam(p: QPainter) -> None:
    _curve(p, (1.5, 12), (5, 11), (10, 9), (14.5, 3))
    _line(p, (1.5, 8), (1.5, 16))


def _crash_frame(p: QPainter) -> None:
    _line(p, (1.5, 3), (6, 3), (9, 6.5), (14.5, 4.5))
    _line(p, (1.5, 13), (6, 13), (9, 9.5), (14.5, 11.5))
    for x, y in ((6, 3), (9, 6.5), (6, 13), (9, 9.5)):
        p.drawEllipse(QPointF(x, y), 1.1, 1.1)


def _motion(p: QPainter) -> None:
    _line(p, (1.5, 8), (14, 8))
    _line(p, (10, 4), (14, 8), (10, 12))


def _motor(p: QPainter) -> None:
    _arc(p, (3, 3, 10, 10), 60, 290)
    _line(p, (9.2, 1.0), (11.2, 4.4), (7.4, 5.6))
    _line(p, (6.6, 8), (9.4, 8))
    _line(p, (8, 6.6), (8, 9.4))


def _wind(p: QPainter) -> None:
    for y, end in ((4.5, 11), (8, 14.5), (11.5, 9)):
        _curve(p, (1.5, y), (5, y - 2.5), (8, y + 2.5), (end, y))


def _load(p: QPainter) -> None:
    _line(p, (8, 1.5), (8, 11))
    _line(p, (4.5, 7.5), (8, 11), (11.5, 7.5))
    _line(p, (3, 14), (13, 14))


def _marker(p: QPainter) -> None:
    p.drawEllipse(QRectF(4.5, 4.5, 7, 7))
    _line(p, (8, 1.5), (8, 14.5))
    _line(p, (1.5, 8), (14.5, 8))


def _mesh(p: QPainter) -> None:
    p.drawPolygon(QPolygonF([QPointF(8, 1.5), QPointF(14.5, 12), QPointF(1.5, 12)]))
    _line(p, (4.75, 6.75), (11.25, 6.75), (8, 12), (4.75, 6.75))


def _frame(p: QPainter) -> None:
    _line(p, (4, 12), (4, 2))
    _line(p, (4, 12), (14, 12))
    _line(p, (4, 12), (10.5, 5.5))


def _units(p: QPainter) -> None:
    p.drawRect(QRectF(1.5, 5.5, 13, 5))
    for x in (4, 6.5, 9, 11.5):
        _line(p, (x, 5.5), (x, 8))


def _symmetry(p: QPainter) -> None:
    _line(p, (8, 1.5), (8, 14.5))
    p.drawPolygon(QPolygonF([QPointF(6, 4), QPointF(6, 12), QPointF(1.5, 8)]))
    p.drawPolygon(QPolygonF([QPointF(10, 4), QPointF(10, 12), QPointF(14.5, 8)]))


def _output(p: QPainter) -> None:
    _line(p, (1.5, 9), (4, 9), (6, 3), (9, 13.5), (11, 8), (14.5, 8))


def _run(p: QPainter) -> None:
    p.drawPolygon(QPolygonF([QPointF(4, 2.5), QPointF(13, 8), QPointF(4, 13.5)]))


def _study(p: QPainter) -> None:
    _line(p, (2.5, 1.5), (2.5, 13.5), (14.5, 13.5))
    for x, y in ((5, 10.5), (7.5, 8.5), (8.5, 4), (11, 6.5), (13, 2.5)):
        p.drawEllipse(QPointF(x, y), 0.8, 0.8)


def _project(p: QPainter) -> None:
    p.drawRoundedRect(QRectF(2.5, 1.5, 11, 13), 1.5, 1.5)
    for y in (5, 8, 11):
        _line(p, (5, y), (11, y))


def _start(p: QPainter) -> None:
    _line(p, (4, 14.5), (4, 2))
    _line(p, (4, 2.5), (12.5, 2.5), (10.5, 5.2), (12.5, 8), (4, 8))


def _body(p: QPainter) -> None:
    p.drawEllipse(QRectF(6.4, 1.6, 3.2, 3.6))
    _line(p, (8, 5.2), (7, 10), (12, 10.4), (12.6, 14.4))
    _line(p, (7.7, 6.6), (11.4, 8.2))


def _books(p: QPainter) -> None:
    p.drawRect(QRectF(3, 2.5, 2.6, 11))
    p.drawRect(QRectF(5.6, 2.5, 2.6, 11))
    _line(p, (9.6, 3.2), (12, 2.5), (13.8, 12.8), (11.4, 13.4), (9.6, 3.2))


def _plus(p: QPainter) -> None:
    _line(p, (8, 3), (8, 13))
    _line(p, (3, 8), (13, 8))


def _cross(p: QPainter) -> None:
    _line(p, (4, 4), (12, 12))
    _line(p, (12, 4), (4, 12))


def _up(p: QPainter) -> None:
    _line(p, (4, 10), (8, 6), (12, 10))


def _down(p: QPainter) -> None:
    _line(p, (4, 6), (8, 10), (12, 6))


def _right(p: QPainter) -> None:
    _line(p, (6, 4), (10, 8), (6, 12))


def _back(p: QPainter) -> None:
    _line(p, (13.5, 8), (3, 8))
    _line(p, (7, 4), (3, 8), (7, 12))


def _goto(p: QPainter) -> None:
    _line(p, (2.5, 8), (13, 8))
    _line(p, (9, 4), (13, 8), (9, 12))


def _copy(p: QPainter) -> None:
    p.drawRoundedRect(QRectF(2.5, 2.5, 8, 8), 1, 1)
    p.drawRoundedRect(QRectF(5.5, 5.5, 8, 8), 1, 1)


def _play(p: QPainter) -> None:
    p.setBrush(p.pen().color())
    p.drawPolygon(QPolygonF([QPointF(5, 3), QPointF(12.5, 8), QPointF(5, 13)]))


def _pause(p: QPainter) -> None:
    p.setBrush(p.pen().color())
    for x in (4.5, 9.5):
        p.drawRect(QRectF(x, 3.5, 2, 9))


def _step_back(p: QPainter) -> None:
    _line(p, (9.5, 4), (5.5, 8), (9.5, 12))


def _step_on(p: QPainter) -> None:
    _line(p, (6.5, 4), (10.5, 8), (6.5, 12))


def _loop(p: QPainter) -> None:
    _arc(p, (3, 3, 10, 10), 70, 290)
    _line(p, (5.6, 1.2), (9.4, 3.1), (6.4, 6.2))


def _undo(p: QPainter) -> None:
    _arc(p, (3, 4, 10, 9), -60, 200)
    _line(p, (3, 3), (3.6, 7.4), (7.8, 6.4))


def _redo(p: QPainter) -> None:
    _arc(p, (3, 4, 10, 9), 40, 200)
    _line(p, (13, 3), (12.4, 7.4), (8.2, 6.4))


def _tyre(p: QPainter) -> None:
    p.drawEllipse(QRectF(2.5, 1.5, 11, 11))
    p.drawEllipse(QRectF(5.5, 4.5, 5, 5))
    _line(p, (1.5, 14), (14.5, 14))


FORMS: dict[str, Callable[[QPainter], None]] = {
    "": _project, "initial": _start, "segments": _segment, "joints": _joint, "planes": _plane,
    "functions": _function, "contact_laws": _law, "contacts": _contact, "belts": _belt,
    "harnesses": _harness, "airbags": _airbag, "springs": _spring, "tyres": _tyre, "coordinate_forces": _spring, "tension_elements": _string,
    "constraints": _constraint, "beams": _beam, "crash_frames": _crash_frame, "flexible_elements": _flexible, "modal_bodies": _flexible, "motions": _motion, "drivers": _motor, "frame_drivers": _motor,
    "winds": _wind, "loads": _load, "markers": _marker, "meshes": _mesh, "frames": _frame, "unit_systems": _units, "symmetry": _symmetry, "outputs": _output, "runs": _run, "studies": _study, "assumed": _study,
    "body": _body, "library": _books, "plus": _plus, "cross": _cross, "up": _up, "down": _down, "right": _right, "goto": _goto, "back": _back,
    "copy": _copy, "undo": _undo, "redo": _redo, "play": _play, "pause": _pause,
    "step_back": _step_back, "step_on": _step_on, "loop": _loop, **FORMS_OF_CONNECTORS,
}  # fmt: skip


@lru_cache(maxsize=256)
def icon(name: str, colour: str) -> QIcon:
    """Draw an icon in a colour: of a list of the document, or of an action."""
    pixmap = QPixmap(_SIZE * _SCALE, _SIZE * _SCALE)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(_SCALE, _SCALE)
        pen = QPen(QColor(colour), 1.3)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        FORMS[name](painter)
    return QIcon(pixmap)


def severity_icon(severity: str, colour: str) -> QIcon:
    """Draw a mark whose form says the same as its colour: square, triangle, dot."""
    pixmap = QPixmap(32, 32)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        if severity == "error":
            painter.drawRoundedRect(6, 6, 20, 20, 4, 4)
        elif severity == "warning":
            triangle = QPolygonF([QPointF(16, 5), QPointF(28, 26), QPointF(4, 26)])
            painter.drawPolygon(triangle)
        else:
            painter.drawEllipse(9, 9, 14, 14)
    return QIcon(pixmap)
