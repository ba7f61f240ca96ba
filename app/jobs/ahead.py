"""Load what is wanted soon, in a thread of its own, so that nobody waits for it at the first use."""

from __future__ import annotations

import importlib
import subprocess
import sys
import threading

from solver.maths.loading import load

_FIRST = ("app.scene.stage", "app.study.playback", "app.curves.plot", "h5py")
"""What the first project wants that is opened: scene, runs, plots and results."""
_WANTED = ("scipy.optimize", "scipy.interpolate", "scipy.signal", "PIL.ImageDraw", "PIL.ImageFont")
"""Fits and routes, splines, filters of curves, and words in movies; behind Numba, without which nothing is solved."""


def load_ahead() -> threading.Thread:
    """Begin to load; returns at once."""
    thread = threading.Thread(target=_load, name="ahead", daemon=True)
    thread.start()
    return thread


def _load() -> None:
    for name in _FIRST:
        importlib.import_module(name)
    load()
    for name in _WANTED:
        importlib.import_module(name)


class CompiledAhead:
    """Compile what is missing of the solver beside the window, at low priority, until it is closed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Begin, where something is missing; returns at once."""
        from solver.maths.compiled import are_all_compiled

        if not are_all_compiled():
            words = [sys.executable, "-m", "solver.warm", "--kindly"]
            nothing = subprocess.DEVNULL
            self._process = subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing)

    def close(self) -> None:
        """Stop."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
