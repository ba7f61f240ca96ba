"""Carry things by the mouse from one part of the window to another: elements, quantities, fields, figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.guard import guard

ELEMENT = "application/x-manikin-element"
QUANTITY = "application/x-manikin-quantity"
FIELD = "application/x-manikin-field"
FIGURE = "application/x-manikin-figure"
PART = "application/x-manikin-part"
"""What carried things are called among programs: paths of elements, names of quantities, paths of fields, names of
injury figures, entries of the library."""


def packed(kind: str, names: Sequence[str], mime: QMimeData | None = None) -> QMimeData:
    """Pack names for a drag, beside what it carries already."""
    mime = mime or QMimeData()
    mime.setData(kind, "\n".join(names).encode())
    return mime


def names_in(mime: QMimeData, kind: str) -> list[str]:
    """Give the names of a drag; none where it carries something else."""
    return bytes(mime.data(kind).data()).decode().splitlines()


def carry(source: QWidget, names: Sequence[str], kind: str = ELEMENT) -> None:
    """Let the mouse carry things until it is let go."""
    drag = QDrag(source)
    drag.setMimeData(packed(kind, names))
    drag.exec(Qt.DropAction.CopyAction)


class Handle(QObject):
    """Make a widget something to take an element, or something else, by."""

    def __init__(
        self, widget: QWidget, names: Callable[[], Sequence[str]], kind: str = ELEMENT
    ) -> None:
        super().__init__(widget)
        self._widget, self._names, self._kind = widget, names, kind
        self._pressed: QPointF | None = None
        widget.installEventFilter(self)

    @guard
    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        """Begin to carry once the mouse has moved far enough."""
        if not isinstance(event, QMouseEvent):
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = event.position()
            # else the moves that follow go to another widget
            return event.button() == Qt.MouseButton.LeftButton
        if event.type() == QEvent.Type.MouseMove and self._pressed is not None:
            way = (event.position() - self._pressed).manhattanLength()
            names = self._names()
            if way >= QApplication.startDragDistance() and names:
                self._pressed = None
                carry(self._widget, names, self._kind)
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._pressed = None
        return False
