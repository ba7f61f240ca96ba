"""Do long things one after the other, each in a turn of the event loop of its own, so that none holds up the window."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Turns(QObject):
    """Keep what is to be done later; keys and the mouse are heard between any two things."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[Callable[[], object]] = deque()
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._next)
        self._is_painted = False

    def add(self, work: Callable[[], object]) -> None:
        """Do something once all that waits is done."""
        self._waiting.append(work)
        self._timer.start()

    def clear(self) -> None:
        """Do nothing of what waits."""
        self._waiting.clear()
        self._timer.stop()
        self._is_painted = False

    def _next(self) -> None:
        # every second turn is left to painting what was changed before, and to what has come meanwhile
        self._is_painted = not self._is_painted
        if self._is_painted:
            self._timer.start()
            return
        work = self._waiting.popleft()
        if self._waiting:
            self._timer.start()
        work()
