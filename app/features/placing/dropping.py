"""Take a part that the mouse carries over the scene: where it is, on what, and that it is let go."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from app.guard import guard
from app.scene.viewport import Viewport
from app.widgets.carrying import PART, names_in
from solver.engine.maths.rotation import Array

_REST_MS = 80
"""So long the mouse rests before the part is shown where it is."""
Put = Callable[[str, str, Array], object]
"""Takes an entry, the element under the mouse, and the place there in ground axes."""


class Dropping(QObject):
    """Watch the scene as long as a dialog offers parts."""

    def __init__(
        self,
        view: Viewport,
        is_shown: Callable[[str], bool],
        show: Put,
        drop: Put,
        leave: Callable[[], object],
    ) -> None:
        super().__init__(view)
        self._view, self._is_shown = view, is_shown
        self._show, self._drop, self._leave = show, drop, leave
        self._id, self._at = "", QPointF()
        self._element, self._place = "", np.zeros(3)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._on_rest)
        self._took = view.acceptDrops()
        view.setAcceptDrops(True)
        view.installEventFilter(self)

    def end(self) -> None:
        """Leave the scene as it was."""
        self._rest.stop()
        self._view.removeEventFilter(self)
        self._view.setAcceptDrops(self._took)
        self.deleteLater()

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow a part over the scene; everything else goes its way."""
        if event.type() == QEvent.Type.DragLeave and self._id:
            self._id = ""
            self._rest.stop()
            self._leave()
            return True
        if not isinstance(event, QDropEvent):  # enter and move are of this kind, too
            return super().eventFilter(watched, event)
        ids = names_in(event.mimeData(), PART)
        if not ids:
            return super().eventFilter(watched, event)
        self._id, self._at = ids[0], event.position()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if isinstance(event, QDragEnterEvent | QDragMoveEvent):
            self._rest.start()
        else:
            self._rest.stop()
            self._look()
            carried, self._id = self._id, ""
            self._drop(carried, self._element, self._place)
        return True

    def _on_rest(self) -> None:
        if self._id:
            self._look()
            self._show(self._id, self._element, self._place)

    def _look(self) -> None:
        """Find what is under the mouse; where that is the part itself, go along at its height."""
        stage, lens = self._view.stage, self._view.lens
        if stage is None or lens is None:
            return
        element = self._view.element_at(self._at)
        found = stage.picked_place()
        if element and found is not None and not self._is_shown(element):
            self._element, self._place = element, found
            return
        if not element:
            self._element = ""
        up = stage.camera.up
        height = float(up @ (self._place if element else stage.ground_place))
        eye, way = lens.ray(self._at.x(), self._at.y())
        falls = float(up @ way)
        along = (height - float(up @ eye)) / falls if abs(falls) > 1e-6 else -1.0
        if along > 0.0:
            self._place = eye + along * way
