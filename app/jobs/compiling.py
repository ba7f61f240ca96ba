"""Say how far the solver is compiled while something waits for that, the first time on a machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel

from solver.base.words import msgid, tr

COMPILING = msgid("Compiling the solver: part {part} of {of}")

T = TypeVar("T")


class Compiling(QObject):
    """Write into a label which part is being compiled; after the last one it says again what it said before."""

    _told = Signal(int, int)

    def __init__(self, label: QLabel) -> None:
        super().__init__(label)
        self._label, self._before, self._said = label, "", ""
        self._told.connect(self._say)

    def told_of(self, work: Callable[[], T]) -> Callable[[], T]:
        """Give work that may be done in a thread, and is told of here."""

        def telling_work() -> T:
            from solver.analysis.equilibrium.statics import telling

            with telling(self._told.emit):
                return work()

        return telling_work

    def _say(self, done: int, of: int) -> None:
        if self._label.text() != self._said:
            self._before = self._label.text()
        self._said = tr(COMPILING, part=done + 1, of=of) if done < of else self._before
        self._label.setText(self._said)
