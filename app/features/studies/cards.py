"""The kinds of studies as cards: a picture, a title, and the question in a sentence or two."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.studies.making import KINDS, Kind
from app.guard import guard
from app.having import having
from app.look import LIGHT, Theme
from solver.base.words import tr

_WIDE, _HIGH = 250, 92
_PICTURE = 84


def _dots(p: QPainter, box: QRectF, places: list[tuple[float, float]], size: float = 2.4) -> None:
    for x, y in places:
        p.drawEllipse(QPointF(box.left() + x * box.width(), box.bottom() - y * box.height()), size, size)  # fmt: skip


def _line(p: QPainter, box: QRectF, places: list[tuple[float, float]]) -> None:
    p.drawPolyline(QPolygonF([QPointF(box.left() + x * box.width(), box.bottom() - y * box.height()) for x, y in places]))  # fmt: skip


def _bell(p: QPainter, box: QRectF) -> None:
    x = np.linspace(0.0, 1.0, 40)
    _line(p, box, [(float(u), float(0.9 * np.exp(-((u - 0.5) ** 2) / 0.03))) for u in x])
    _line(p, box, [(0.72, 0.0), (0.72, 1.0)])


def _signs(p: QPainter, box: QRectF) -> None:
    for n, (x, y) in enumerate(
        [(0.2, 0.75), (0.5, 0.75), (0.8, 0.75), (0.2, 0.25), (0.5, 0.25), (0.8, 0.25)]
    ):
        at = QRectF(box.left() + x * box.width() - 12, box.bottom() - y * box.height() - 10, 24, 20)  # fmt: skip
        p.drawText(at, Qt.AlignmentFlag.AlignCenter, ("++", "0", "−", "+", "−−", "0")[n])


def _grid(p: QPainter, box: QRectF) -> None:
    _dots(p, box, [(x, y) for x in (0.1, 0.37, 0.63, 0.9) for y in (0.15, 0.5, 0.85)])


def _walks(p: QPainter, box: QRectF) -> None:
    _line(p, box, [(0.1, 0.2), (0.4, 0.2), (0.4, 0.6), (0.8, 0.6), (0.8, 0.9)])
    _line(p, box, [(0.2, 0.9), (0.2, 0.45), (0.65, 0.45), (0.65, 0.1)])
    _dots(p, box, [(0.1, 0.2), (0.4, 0.2), (0.4, 0.6), (0.8, 0.6), (0.8, 0.9)])


def _shares(p: QPainter, box: QRectF) -> None:
    side = min(box.width(), box.height())
    pie = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
    p.drawEllipse(pie)
    for part in (0.0, 0.55, 0.8):
        a = 2.0 * np.pi * part
        p.drawLine(pie.center(), QPointF(pie.center().x() + side / 2 * np.cos(a), pie.center().y() - side / 2 * np.sin(a)))  # fmt: skip


def _front(p: QPainter, box: QRectF) -> None:
    _line(p, box, [(0.1, 0.95), (0.16, 0.55), (0.32, 0.3), (0.6, 0.16), (0.95, 0.1)])
    _dots(p, box, [(0.3, 0.7), (0.5, 0.5), (0.45, 0.8), (0.7, 0.4), (0.8, 0.65)], 1.8)
    _dots(p, box, [(0.32, 0.3)], 4.0)


def _fit(p: QPainter, box: QRectF) -> None:
    x = np.linspace(0.0, 1.0, 30)
    _line(p, box, [(float(u), float(0.1 + 0.8 * np.sin(np.pi * u) ** 2)) for u in x])
    _dots(p, box, [(float(u), float(0.1 + 0.8 * np.sin(np.pi * u) ** 2 + 0.06 * np.sin(40 * u))) for u in x[::4]])  # fmt: skip


PICTURES: dict[str, Callable[[QPainter, QRectF], None]] = {
    "sample": _bell, "local": _signs, "grid": _grid, "morris": _walks, "sobol": _shares, "optimum": _front, "fit": _fit,
}  # fmt: skip


class Card(QPushButton):
    """Show one kind; a click begins a study."""

    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self.kind, self.theme = kind, LIGHT
        self.setAccessibleName(kind.title)
        self.setAccessibleDescription(kind.question)
        self.setToolTip(kind.question)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @guard
    def sizeHint(self) -> QSize:
        """Ask for room for the picture and four lines."""
        letters = self.fontMetrics()
        return QSize(_PICTURE + 30 * letters.averageCharWidth(), max(_HIGH, 7 * letters.height()))

    @guard
    def minimumSizeHint(self) -> QSize:
        """Be no smaller than that."""
        return self.sizeHint()

    @guard
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint frame, picture and words."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.accent), 1.8))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            PICTURES[self.kind.name](painter, QRectF(14, 16, _PICTURE - 28, self.height() - 32))
            words = QRectF(_PICTURE, 9, self.width() - _PICTURE - 10, self.height() - 14)
            font = painter.font()
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(QColor(self.theme.text))
            painter.drawText(words, Qt.AlignmentFlag.AlignTop, self.kind.title)
            font.setBold(False)
            painter.setFont(font)
            painter.setPen(QColor(self.theme.muted))
            below = words.adjusted(0, 1.3 * painter.fontMetrics().height(), 0, 0)
            painter.drawText(below, Qt.TextFlag.TextWordWrap, self.kind.question)


class Cards(QWidget):
    """Offer all kinds, as many beside each other as fit."""

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = having(
            QLabel(tr("A study runs the model many times. What do you want to know?")), objectName="muted"
        )  # fmt: skip
        self.cards = [Card(kind) for kind in KINDS]
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.addWidget(self.words)
        layout.addLayout(self._grid)
        layout.addStretch(1)
        for card in self.cards:
            card.clicked.connect(lambda _=False, kind=card.kind: self.asked.emit(kind))
        self._across = 0
        self.lay(1280)

    def lay(self, width: int) -> None:
        """Lay out as many cards beside each other as fit."""
        across = max(1, min(4, (width - 24) // (self.cards[0].sizeHint().width() + 8)))
        if across == self._across:
            return
        self._across = across
        for n, card in enumerate(self.cards):
            self._grid.addWidget(card, n // across, n % across)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        for card in self.cards:
            card.theme = theme
            card.update()
