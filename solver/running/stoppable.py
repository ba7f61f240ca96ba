"""Long work of kernels that can be stopped: in a thread of its own, with a flag that they look at."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Generic, TypeVar

from solver.base import boundary
from solver.engine.dynamics.tree import IntArray
from solver.engine.integrate.flow import GO_ON, HAND_OVER, STOP_NOW

T = TypeVar("T")

LOOK_S = 0.02
"""Time between looks whether work is to stop."""

HAND_OVER_S = 0.25
"""Time after which kernels hand over what they have, so that it is shown and kept."""

LET_GO_S = 0.05
"""Time that kernels are given to see that they shall stop; what still compiles then is left alone."""

LINGER_S = 1.0
"""Time that a thread without work waits for more."""


class Stoppable:
    """Do one piece of work after the other, until somebody asks to stop.

    `flag` is what kernels look at, `cancel` is asked in the thread that calls `do`. Ctrl+C is kept, so
    that what was found until then can be taken, and is raised by `pass_on`; in a `with` of it that holds
    wherever a signal comes that `ending_well` looks after. Nobody leaves a `with` of
    it, whatever is raised there and wherever Ctrl+C came, before all that was given has been done.
    """

    def __init__(self, flag: IntArray, cancel: Callable[[], bool] | None) -> None:
        self._flag, self._cancel = flag, cancel
        self._interrupt: KeyboardInterrupt | None = None
        self._line, self._kernels = _Line("beside kernels"), _Line("kernels")

    def __enter__(self) -> Stoppable:
        boundary.hold_back(self._keep)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, _: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.wait()
                boundary.let_through(self._keep)
                self.pass_on()
                return
            self._flag[0] = STOP_NOW
            with suppress(Exception):
                # what was raised first is what is told
                self.wait()
        finally:
            boundary.let_through(self._keep)
            self._line.close()
            self._kernels.close()

    def _keep(self, interrupt: KeyboardInterrupt) -> None:
        """Stop, and keep why."""
        self._flag[0], self._interrupt = STOP_NOW, interrupt

    @property
    def is_asked(self) -> bool:
        """Look whether to stop; once asked, always asked."""
        if self._flag[0] != STOP_NOW and self._cancel is not None and self._cancel():
            self._flag[0] = STOP_NOW
        return bool(self._flag[0] == STOP_NOW)

    def do(self, work: Callable[[], T], is_compiled: bool = False) -> T | None:
        """What work gives; nothing where it was stopped before its kernels could see the flag.

        Those that are compiled see it, and are waited for.
        """
        self._flag[0] = STOP_NOW if self._flag[0] == STOP_NOW else GO_ON
        piece = _Piece(work)
        self._kernels.add(piece.do, 1)
        return self._waited(piece, time.perf_counter(), is_compiled)

    def beside(self, work: Callable[[], object], size: int = 1) -> None:
        """Let work be done in a thread beside this one, behind all that was given before, always to its end."""
        self._line.add(work, size)

    def wait(self, most: int = 0) -> None:
        """Wait until what is to be done beside is no larger than that; raises what a piece of it has raised.

        Ctrl+C is kept.
        """
        while True:
            try:
                return self._line.wait(most)
            except KeyboardInterrupt as interrupt:
                self._keep(interrupt)

    def _waited(self, piece: _Piece[T], since: float, is_compiled: bool) -> T | None:
        """Wait for work that may be stopped."""
        try:
            while not piece.done.wait(LOOK_S) and not self.is_asked:
                if time.perf_counter() - since > HAND_OVER_S:
                    self._flag[0] = HAND_OVER
        except KeyboardInterrupt as interrupt:
            self._keep(interrupt)
        may_compile = self._flag[0] == STOP_NOW and not is_compiled
        if not piece.done.wait(LET_GO_S if may_compile else None):
            # nothing else waits behind it
            self._kernels.close()
            self._kernels = _Line("kernels")
            return None
        return piece.result()

    def pass_on(self) -> None:
        """Raise the interrupt that came meanwhile."""
        if self._interrupt is not None:
            raise self._interrupt


class _Line:
    """Do pieces of work one after the other in a thread, which ends some time behind the last of them.

    A piece that is let go does not keep the program from ending.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = threading.Condition()
        self._waiting = deque[tuple[Callable[[], object], int]]()
        self._failure: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def add(self, work: Callable[[], object], size: int) -> None:
        with self._changed:
            # wherever an interrupt comes, what waits has a thread
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._waiting.append((work, size))
            self._changed.notify_all()

    def wait(self, most: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: sum(size for _, size in self._waiting) <= most)
            failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def close(self) -> None:
        """Let the thread end with what waits now."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._waiting:
                    self._changed.wait_for(lambda: self._waiting or self._is_closed, LINGER_S)
                if not self._waiting:
                    self._thread = None
                    return
            failure = None
            try:
                self._waiting[0][0]()
            except BaseException as found:  # noqa: BLE001 (raised again in the thread that waits)
                failure = found
            with self._changed:
                self._waiting.popleft()
                if failure is not None:
                    self._failure = failure
                    self._waiting.clear()
                self._changed.notify_all()


class _Piece(Generic[T]):
    """Do one piece of work in another thread; keep what it gives or raises."""

    def __init__(self, work: Callable[[], T]) -> None:
        self.done = threading.Event()
        self._work, self._found, self._failure = work, list[T](), list[BaseException]()

    def do(self) -> None:
        try:
            self._found.append(self._work())
        except BaseException as failure:  # noqa: BLE001 (raised again in the thread that asked for it)
            self._failure.append(failure)
        self.done.set()

    def result(self) -> T:
        if self._failure:
            raise self._failure[0]
        return self._found[0]
