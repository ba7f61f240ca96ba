"""Do long things one after the other, each in a turn of the event loop of its own, so that none holds up the window."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer

_ASK_MS = 10


class Turns(QObject):
    """Keep what is to be done later; keys and the mouse are heard between any two things."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[tuple[bool, Callable[[], object]]] = deque()
        """What is to be done; or what must be true first, and is then left."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._next)
        self._is_painted = False

    def add(self, work: Callable[[], object]) -> None:
        """Do something once all that waits is done."""
        self._waiting.append((False, work))
        self._timer.start(0)

    def wait_until(self, is_true: Callable[[], bool]) -> None:
        """Leave what is added from now on until something is true, which is asked now and then."""
        self._waiting.append((True, is_true))
        self._timer.start(0)

    def clear(self) -> None:
        """Do nothing of what waits."""
        self._waiting.clear()
        self._timer.stop()
        self._is_painted = False

    def _next(self) -> None:
        # every second turn is left to painting what was changed before, and to what has come meanwhile
        self._is_painted = not self._is_painted
        if self._is_painted:
            self._timer.start(0)
            return
        is_asked, work = self._waiting[0]
        if is_asked and not work():
            self._is_painted = True
            self._timer.start(_ASK_MS)
            return
        self._waiting.popleft()
        if self._waiting:
            self._timer.start(0)
        if not is_asked:
            work()


class Transition:
    """Leave on the screen what was seen until all is there; keys and the mouse are heard meanwhile."""

    def __init__(self, hold: Callable[[bool], object], turns: Turns) -> None:
        """Begin open; `hold` leaves the screen as it is, or lets it be painted again."""
        self._hold, self._turns = hold, turns
        self._falls = 0

    def fall(self) -> None:
        """Leave the screen as it is from now on; what another fall still had to do is left away."""
        self._falls += 1
        self._hold(True)

    def rise_after(
        self, *steps: Callable[[], object], once: Callable[[], bool] = lambda: True
    ) -> None:
        """Do some steps `once` all is ready for them, in turns behind those that wait, and let the screen be painted."""
        fall = self._falls
        rise: Callable[[], object] = partial(self._hold, False)
        self._turns.wait_until(lambda: fall != self._falls or once())
        for step in (*steps, rise):
            self._turns.add(partial(self._do, step, self._falls))

    def _do(self, step: Callable[[], object], fall: int) -> None:
        if fall == self._falls:
            step()
