"""Try in a thread what somebody may choose otherwise meanwhile: the last choice counts, and none after the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from app.jobs.task import Task


class Trying:
    """Do one thing at a time; `again` is called when one was asked for while another was under way."""

    def __init__(self, parent: QObject, again: Callable[[], object]) -> None:
        self.is_over = False
        self._parent, self._again = parent, again
        self._task: Task | None = None
        self._asked = False

    @property
    def is_busy(self) -> bool:
        """Tell whether something is under way."""
        return self._task is not None

    def ask_again(self) -> None:
        """Begin anew when what is under way has ended."""
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
