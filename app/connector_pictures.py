"""Pictures of connectors: two bodies with pins or clamps, a strut or a link between them, locks and cracks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

End = Literal["pin", "clamp"]


def _line(p: QPainter, *points: tuple[float, float]) -> None:
    p.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))


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


CONNECTOR_FORMS: dict[str, Callable[[QPainter], None]] = {
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
"""By the kinds of their makers (`app/editing/fresh_connectors.py`)."""
