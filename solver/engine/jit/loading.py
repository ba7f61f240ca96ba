"""Load Numba when something is first compiled or called: half a second that a look at a project need not wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable

_waiting: list[Callable[[], object]] = []
_lock = threading.RLock()
_is_loaded = False


def load() -> None:
    """Load it, and let it know what waits for it; whoever asks meanwhile waits too."""
    global _is_loaded
    if _is_loaded:
        return
    with _lock:
        if not _is_loaded:
            from solver.engine.jit import compiling  # noqa: F401 (sets Numba up)

            for tell in _waiting:
                tell()
            _waiting.clear()
            _is_loaded = True


def when_loaded(tell: Callable[[], object]) -> None:
    """Tell it something as soon as it is there."""
    with _lock:
        if _is_loaded:
            tell()
        else:
            _waiting.append(tell)
