"""A label whose tip shows a picture of what its field means, with the words below it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QImage, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from app.guard import guard
from app.with_properties import with_properties

_SHOWN_MS, _BELOW_PX, _RIM_PX = 20_000, 20, 10
_ENDS = (QEvent.Type.Leave, QEvent.Type.MouseButtonPress, QEvent.Type.Hide, QEvent.Type.Wheel)


class PicturedLabel(QLabel):
    """Show the picture beside the tip, where there is one; else the tip alone."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.draws: Callable[[], QImage | None] = lambda: None
        """Draws what the field means."""
        self.tip: QFrame | None = None
        """What is shown while the mouse rests here."""

    @guard
    def event(self, event: QEvent) -> bool:
        """Show the tip with its picture once the mouse rests, and take it away when it goes."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            image = self.draws()
            if image is not None:
                self._show(image, event.globalPos())
                return True
        elif event.type() in _ENDS:
            self.close_tip()
        return super().event(event)

    def close_tip(self) -> None:
        """Take the tip away."""
        if self.tip is not None:
            self.tip.close()
            self.tip = None

    def _show(self, image: QImage, at: QPoint) -> None:
        self.close_tip()
        tip = self.tip = with_properties(
            QFrame(self, Qt.WindowType.ToolTip), objectName="picture_tip"
        )
        tip.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        tip.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        drawing, words = QLabel(), QLabel(self.toolTip(), wordWrap=True)
        drawing.setPixmap(QPixmap.fromImage(image))
        column = QVBoxLayout(tip)
        column.setContentsMargins(_RIM_PX, _RIM_PX, _RIM_PX, _RIM_PX)
        column.addWidget(drawing)
        column.addWidget(words)
        words.setFixedWidth(round(image.deviceIndependentSize().width()))
        tip.adjustSize()
        screen = self.screen().availableGeometry()
        left = min(at.x(), screen.right() - tip.width())
        below = at.y() + _BELOW_PX
        top = below if below + tip.height() < screen.bottom() else at.y() - tip.height() - _RIM_PX
        tip.move(max(left, screen.left()), max(top, screen.top()))
        tip.show()
        QTimer.singleShot(_SHOWN_MS, tip, tip.close)
