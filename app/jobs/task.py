"""Do one thing in a thread of its own, and tell the window when it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

_LOOK_MS = 40


class _Doing:
    """What a thread does, and what came of it: the thread holds this and no part of the window, which would end in it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.result: object = None
        self.failure: Exception | None = None

    def run(self) -> None:
        """Do it."""
        try:
            self.result = self.work()
        except Exception as failure:  # noqa: BLE001  (handed to the window's thread)
            self.failure = failure


class Task(QObject):
    """Run a function; `done` gives what it gave, `failed` the exception that it raised."""

    done = Signal(object)
    failed = Signal(object)

    def __init__(self, work: Callable[[], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._doing = _Doing(work)
        self._thread = threading.Thread(target=self._doing.run, name="task", daemon=True)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._on_look)

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self._look.start()

    def _on_look(self) -> None:
        if self._thread.is_alive():
            return
        self._look.stop()
        if self._doing.failure is not None:
            self.failed.emit(self._doing.failure)
        else:
            self.done.emit(self._doing.result)
        self.deleteLater()


class Trying:
    """Do one thing at a time; `again` is called when one was asked for while another was under way."""

    def __init__(self, parent: QObject, again: Callable[[], object]) -> None:
        self.is_over = False
        self._parent, self._again = parent, again
        self._task: Task | None = None
        self._asked = False

    @property
    def is_busy(self) -> bool:
        """Whether something is under way."""
        return self._task is not None

    def ask_again(self) -> None:
        """Begin again when what is under way has ended."""
        self._asked = True

    def do(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], object],
        failed: Callable[[Exception], object],
    ) -> None:
        """Do something in a thread; nothing is told of it once all is over."""

        def ended(tell: Callable[[Any], object], what: Any) -> None:
            self._task = None
            if self.is_over:
                return
            tell(what)
            if self._asked and not self.is_over:
                self._asked = False
                self._again()

        self._task = Task(work, self._parent)
        self._task.done.connect(lambda result: ended(then, result))
        self._task.failed.connect(lambda failure: ended(failed, failure))
        self._task.start()
