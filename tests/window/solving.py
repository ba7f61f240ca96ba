"""Solve a sample in a window, and wait for what it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from solver.base.places import samples

CATCH = samples() / "airbag_catch.json"


def solved(window: Any, qtbot: Any, file: Path = CATCH) -> Any:
    """Open a file, run it by mouse, and give its record."""
    window.open_file(file)
    QTest.mouseClick(window.panels["run_control"].run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    record = window.bench.run_view.runs.current
    assert (record.status, record.message) == ("completed", "")
    return record


def saved(qtbot: Any, task: Any) -> None:
    """Wait until a file is written in the background."""
    with qtbot.waitSignal(task.done, timeout=240_000):
        pass
