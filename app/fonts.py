"""Sizes that follow the size of text."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontInfo, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy

from app.guard import guard
from app.style import TEXT_PX
from app.with_properties import with_properties


def em() -> float:
    """The height of the usual text (pixels)."""
    return float(QFontInfo(QApplication.font()).pixelSize())


def wide(px: int) -> int:
    """The width (px) that something takes which is so wide in letters of the usual size."""
    return round(px * em() / TEXT_PX)


class Shortened(QLabel):
    """Say as much as there is room for, and all of it in the tip: long names in it push nothing."""

    def __init__(
        self, least_px: int = 0, cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__()
        self._cut = cut
        with_properties(self, objectName="muted")
        self._least_px = least_px
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def say(self, sentence: str) -> None:
        """Say another sentence."""
        self.setText(sentence)
        self.setToolTip(sentence)

    @property
    def shown(self) -> str:
        """What is seen of the sentence."""
        return self.fontMetrics().elidedText(self.text(), self._cut, self.contentsRect().width())

    @guard
    def minimumSizeHint(self) -> QSize:
        """Ask for little width."""
        return QSize(wide(self._least_px), super().minimumSizeHint().height())

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw what fits."""
        inside = self.contentsRect()
        with QPainter(self) as painter:
            painter.setPen(self.palette().windowText().color())
            middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(inside, middle, self.shown)
