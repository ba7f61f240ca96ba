"""Draw pictures one by one in the window's thread, and hand them to a writer in another."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.features.movie.film import Picture

_AHEAD = 6
"""So many pictures may wait for the writer; more would only fill the memory."""
_WAIT_MS = 5


class Films(Protocol):
    """Be something that draws instants."""

    def part(self, t: float) -> Picture | None:
        """Draw a part of an instant (s), so that the window stays alive; the last gives it whole."""

    def close(self) -> None:
        """Give the graphics memory back."""


class Takes(Protocol):
    """Be something that takes pictures and makes a file of them."""

    def add(self, picture: Picture) -> None:
        """Take one picture."""

    def finish(self) -> Path:
        """End the file and give it its name."""

    def abandon(self) -> None:
        """Leave nothing behind."""


class Filming(QObject):
    """Write instants into a file while the window stays alive; `cancel` leaves nothing behind."""

    progressed = Signal(int)
    written = Signal(object)
    failed = Signal(str)

    def __init__(
        self, film: Films, times: Sequence[float], into: Takes, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._film, self._times, self._into = film, list(times), into
        self._drawn = 0
        self._waiting: queue.Queue[Picture | None] = queue.Queue(_AHEAD + 1)
        self._given_up = threading.Event()
        self._path: Path | None = None
        self._why = ""
        # no daemon: where the program ends now, what was begun is still taken away
        self._thread = threading.Thread(target=self._write, name="film writer")
        self._tick = QTimer(self, interval=0)
        self._tick.timeout.connect(self._step)
        # anyone who closes the window ends what is drawn in it; the writer would wait for ever
        self.destroyed.connect(self._given_up.set)

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self._tick.start()

    def cancel(self) -> None:
        """Stop at once; the writer takes away what it has begun."""
        self._given_up.set()
        self._end_drawing()
        self.deleteLater()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the writer; tell whether it is done."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _step(self) -> None:
        """Draw the next picture where there is room, or report the end."""
        if not self._thread.is_alive():
            self._end_drawing()
            self.deleteLater()
            if self._path is not None:
                self.written.emit(self._path)
            elif not self._given_up.is_set():
                self.failed.emit(self._why)
            return
        busy = self._drawn > len(self._times) or self._waiting.qsize() >= _AHEAD
        self._tick.setInterval(_WAIT_MS if busy else 0)
        if busy:
            return
        if self._drawn < len(self._times):
            try:
                picture = self._film.part(self._times[self._drawn])
            except Exception as failure:  # noqa: BLE001 (what was begun is taken away, whatever it is)
                self.cancel()
                self.failed.emit(str(failure) or type(failure).__name__)
                return
            if picture is None:
                return
            self._waiting.put(picture)
            self.progressed.emit(self._drawn + 1)
        else:
            self._waiting.put(None)
        self._drawn += 1

    def _end_drawing(self) -> None:
        if self._tick.isActive():
            self._tick.stop()
            self._film.close()

    def _write(self) -> None:
        """Take pictures until there are no more, in a thread of its own."""
        try:
            while not self._given_up.is_set():
                try:
                    picture = self._waiting.get(timeout=0.05)
                except queue.Empty:
                    continue
                if picture is None:
                    self._path = self._into.finish()
                    return
                self._into.add(picture)
        except Exception as failure:  # noqa: BLE001 (told in the window)
            self._why = str(failure)
        self._into.abandon()
