"""Load what is wanted soon, in a thread of its own, so that nobody waits for it at the first use."""

from __future__ import annotations

import importlib
import subprocess
import sys
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot

from solver.engine.jit.loading import load
from solver.project import Project

_SCENE = ("app.scene.stage", "app.scene.screen")
_FIRST = ("solver.project.checks", "app.run_view.playback", "app.curves.plot", "h5py")
"""What the first project wants that is opened, behind the scene: checks, runs, plots and results."""
_WANTED = ("scipy.optimize", "scipy.interpolate", "scipy.signal", "PIL.ImageDraw", "PIL.ImageFont")
"""Fits and routes, splines, filters of curves, and words in movies; behind Numba, without which nothing is solved."""


def load_ahead(make: Callable[[], object]) -> threading.Thread:
    """Begin to load; returns at once. What the scene wants being there, it is made in a turn of its own."""
    ready = _Ready(make)
    _waiting.add(ready)
    thread = threading.Thread(target=_load, args=(ready,), name="ahead", daemon=True)
    thread.start()
    return thread


class _Ready(QObject):
    """Call in the window's thread what the other thread has made ready."""

    loaded = Signal()

    def __init__(self, make: Callable[[], object]) -> None:
        super().__init__()
        self._make = make
        self.loaded.connect(self._do, Qt.ConnectionType.QueuedConnection)

    @Slot()
    def _do(self) -> None:
        _waiting.discard(self)
        self._make()


_waiting: set[_Ready] = set()
"""Those whose call is still to come, which would be lost with them once the thread has ended."""


def _load(ready: _Ready) -> None:
    for name in _SCENE:
        importlib.import_module(name)
    ready.loaded.emit()
    for name in _FIRST:
        importlib.import_module(name)
    # what checks a file as it is read is built with the first one, unless it is there
    Project.model_rebuild()
    load()
    for name in _WANTED:
        importlib.import_module(name)


class CompiledAhead:
    """Compile what is missing of the solver beside the window, at low priority, until it is closed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Begin, where something is missing; returns at once."""
        from solver.engine.jit.compiled import are_all_compiled

        if not are_all_compiled():
            words = [sys.executable, "-m", "solver.running.warm", "--kindly"]
            nothing = subprocess.DEVNULL
            self._process = subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing)

    def close(self) -> None:
        """Stop."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
