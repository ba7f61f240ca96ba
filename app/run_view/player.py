"""Keep the instant that is shown, and let it run."""

from __future__ import annotations

import math

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

SPEEDS = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
"""Seconds of the run shown in one second."""
_PER_S, _NEARLY = 60.0, 1e-6
"""Pictures in a second, at most; a part of an instant that is none."""


class Player(QObject):
    """Play, step, stop; everybody who shows an instant listens to `moved`."""

    moved = Signal(float)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.time, self.end, self.frame = 0.0, 0.0, 1e-3
        self.speed, self.loops = 0.05, True
        self._way, self._over = 1, 0.0
        """1 where time runs on, -1 where it runs back; and how far the clock is past the instant that is shown (s)."""
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=6)
        self._timer.timeout.connect(self._tick)

    @property
    def is_playing(self) -> bool:
        """Whether time runs."""
        return self._timer.isActive()

    def set_range(self, end: float, frame: float) -> None:
        """Play another run, or the same one that has grown."""
        self.end, self.frame = end, frame
        if end <= 0.0:
            self.pause()
        self.go(self.time)

    @property
    def pitch(self) -> float:
        """How far apart the instants are that are shown while time runs (s): parts of a frame, no more than there are pictures."""
        return self.frame / max(1, math.ceil(_PER_S * self.frame / self.speed - _NEARLY))

    def go(self, t: float) -> None:
        """Show an instant."""
        self.time, self._over = min(max(t, 0.0), self.end), 0.0
        self.moved.emit(self.time)

    def play(self) -> None:
        """Let time run; from the start where it has reached the end."""
        self._begin(1)

    def shuttle(self, way: int) -> None:
        """Let time run on (1) or back (-1); where it does already, faster."""
        if self.is_playing and way == self._way:
            place = SPEEDS.index(self.speed) if self.speed in SPEEDS else 1
            self.set_speed(SPEEDS[max(place - 1, 0)])
        else:
            self._begin(way)

    def _begin(self, way: int) -> None:
        if self.end <= 0.0:
            return
        self._way = way
        if way > 0 and self.time >= self.end:
            self.go(0.0)
        elif way < 0 and self.time <= 0.0:
            self.go(self.end)
        self._clock.start()
        self._timer.start()
        self.changed.emit()

    def pause(self) -> None:
        """Hold time."""
        if self.is_playing:
            self._timer.stop()
            self.changed.emit()

    def toggle(self) -> None:
        """Play or hold."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def step(self, frames: int) -> None:
        """Go on by some frames, or back."""
        self.pause()
        self.go(self.time + frames * self.frame)

    def set_speed(self, speed: float) -> None:
        """Choose how fast time runs."""
        self.speed = speed
        self.changed.emit()

    def set_loops(self, loops: bool) -> None:
        """Choose whether the end leads back to the start."""
        self.loops = loops
        self.changed.emit()

    def _tick(self) -> None:
        gone = 1e-9 * self._clock.nsecsElapsed() * self.speed
        ahead = self.time + self._over + self._way * gone
        self._clock.restart()
        first, last = (0.0, self.end) if self._way > 0 else (self.end, 0.0)
        if 0.0 < ahead < self.end:
            # what was laid at an instant is there when a run plays again
            t = min(round(ahead / self.pitch) * self.pitch, self.end)
            if t != self.time:
                self.go(t)
            self._over = ahead - t
        elif self.loops:
            self.go(first)
        else:
            self.pause()
            self.go(last)
