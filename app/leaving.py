"""End the program in order where somebody asks from outside, by TERM or HUP: nobody is there to be asked."""

from __future__ import annotations

import contextlib
import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

from app.application import Application
from solver.base.boundary import Ended, endings


class Leaving(QObject):
    """Wait for these signals, and let all windows keep what they have; `code` is then that of the process.

    Qt waits outside Python, where no handler of Python's comes to its turn: a socket wakes it.
    """

    def __init__(self, application: Application) -> None:
        super().__init__(application)
        self.code = 0
        self._application, self._ended = application, 0
        self._here, self._there = socket.socketpair()
        for one in (self._here, self._there):
            one.setblocking(False)
        self._before = signal.set_wakeup_fd(self._there.fileno(), warn_on_full_buffer=False)
        self._ours = endings()
        for number in self._ours:
            signal.signal(number, self._hear)
        self._notifier = QSocketNotifier(self._here.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_woken)

    def close(self) -> None:
        """Leave signals as they were."""
        self._notifier.setEnabled(False)
        for number in self._ours:
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(self._before)
        self._here.close()
        self._there.close()

    def _hear(self, number: int, _: object) -> None:
        """Note which came first; what is to be done is no work for a handler."""
        self._ended = self._ended or number

    def _on_woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._here.recv(4096)
        if not self._ended or self.code:
            return
        why = Ended(self._ended)
        self.code = why.code
        try:
            self._application.leave(why)
        finally:
            QApplication.exit(self.code)
