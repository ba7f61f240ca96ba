"""Carry elements by the mouse from the scene, the outline or the inspector to a plot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.guard import guard
from solver.results.quantities import QuantityInfo

ELEMENT = "application/x-manikin-element"
"""What carried elements are called among programs."""

_WHOLE = ("resultant", "")
"""Of the components of a column these say all."""
_BESIDE = {"airbags": ("airbag_contacts",), "constraints": ("point_contacts",)}
"""Groups that a list has beside that of its name."""
_LEFT_OUT = ("quaternion_wxyz", "state")
"""Columns that nobody draws first."""


def pack(paths: Sequence[str], mime: QMimeData | None = None) -> QMimeData:
    """Pack elements for a drag."""
    mime = mime or QMimeData()
    mime.setData(ELEMENT, "\n".join(paths).encode())
    return mime


def unpack(mime: QMimeData) -> list[str]:
    """Give the elements of a drag; none where it carries something else."""
    return bytes(mime.data(ELEMENT).data()).decode().splitlines()


def carry(source: QWidget, paths: Sequence[str]) -> None:
    """Let the mouse carry elements until it is let go."""
    drag = QDrag(source)
    drag.setMimeData(pack(paths))
    drag.exec(Qt.DropAction.CopyAction)


def offers(infos: Mapping[str, QuantityInfo], path: str) -> list[str]:
    """List the quantities of an element: of vectors the resultant, of a strap or touch each one."""
    group, _, id_ = path.partition("/")
    groups = {group, *_BESIDE.get(group, ())}
    if group == "outputs":
        return [n for n, i in infos.items() if i.group == "channels" and _is_part(n, id_, "_")]
    mine = [
        info
        for info in infos.values()
        if info.group in groups
        and info.column not in _LEFT_OUT
        and _is_part(info.element, id_, ".")
    ]
    whole = {(i.group, i.element, i.column) for i in mine if i.component in _WHOLE}
    return [
        info.name
        for info in mine
        if info.component in _WHOLE or (info.group, info.element, info.column) not in whole
    ]


def _is_part(name: str, id_: str, joint: str) -> bool:
    return name == id_ or name.startswith(id_ + joint)


class Handle(QObject):
    """Make a widget something to take an element by."""

    def __init__(self, widget: QWidget, paths: Callable[[], Sequence[str]]) -> None:
        super().__init__(widget)
        self._widget, self._paths = widget, paths
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
            if way >= QApplication.startDragDistance():
                self._pressed = None
                carry(self._widget, self._paths())
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._pressed = None
        return False
