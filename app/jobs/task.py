"""Do one thing in a thread of its own, and tell the window when it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

_LOOK_MS = 40


class Task(QObject):
    """Run a function; `done` gives what it gave, `failed` the exception that it raised."""

    done = Signal(object)
    failed = Signal(object)

    def __init__(self, work: Callable[[], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._result: object = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="task", daemon=True)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._on_look)

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self._look.start()

    def _run(self) -> None:
        try:
            self._result = self._work()
        except Exception as failure:  # noqa: BLE001  (handed to the window's thread)
            self._failure = failure

    def _on_look(self) -> None:
        if self._thread.is_alive():
            return
        self._look.stop()
        if self._failure is not None:
            self.failed.emit(self._failure)
        else:
            self.done.emit(self._result)
        self.deleteLater()
