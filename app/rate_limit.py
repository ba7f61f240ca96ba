"""Do what follows a run no more often than people can see or read it."""

from __future__ import annotations

import time


class RateLimit:
    """Say at most once in so many milliseconds that something is due."""

    def __init__(self, ms: float) -> None:
        self._least_s = 1e-3 * ms
        self._last = -1e9

    def is_due(self) -> bool:
        """Whether the last time it was due lies long enough ago; from then on it is not."""
        now = time.monotonic()
        due = now - self._last >= self._least_s
        if due:
            self._last = now
        return due
