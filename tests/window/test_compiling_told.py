"""Anyone who waits for the solver to be compiled sees how far that is."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from app.features.crash.dialog import CrashDialog

pytestmark = pytest.mark.window


def test_a_new_crash_says_which_part_is_compiled(window: Any, qtbot: Any, monkeypatch: Any) -> None:
    """The first time on a machine a new crash comes to rest only once the solver is compiled."""
    go_on, done = threading.Event(), []

    def compiled(model: Any, cancel: Any, progress: Any) -> tuple[str, ...]:
        if not done:
            progress(1, 5)
            go_on.wait(60.0)
            progress(5, 5)
            done.append(model)
        return ()

    monkeypatch.setattr("solver.analysis.equilibrium.statics.compile_parts", compiled)
    dialog = CrashDialog(window.bench, None)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.shown is not None, timeout=240_000)
    dialog.take(run=False)
    said = "Compiling the solver: part 2 of 5"
    qtbot.waitUntil(lambda: dialog.figures.text() == said, timeout=240_000)
    go_on.set()
    qtbot.waitUntil(lambda: dialog.figures.text() == "Coming to rest …", timeout=240_000)
    qtbot.waitUntil(lambda: dialog.made is not None, timeout=120_000)
