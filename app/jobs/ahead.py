"""Load what is wanted soon, in a thread of its own, so that nobody waits for it at the first use."""

from __future__ import annotations

import importlib
import threading

_WANTED = ("scipy.signal", "PIL.ImageDraw", "PIL.ImageFont")
"""Filters of curves, and words in movies."""


def load_ahead() -> threading.Thread:
    """Begin to load; returns at once."""
    thread = threading.Thread(target=_load, name="ahead", daemon=True)
    thread.start()
    return thread


def _load() -> None:
    for name in _WANTED:
        importlib.import_module(name)
