"""The editor of laws on a coordinate: its course, its ends, and the run that is seen on it as a dot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.engine.test_coordinate_forces import slider, table

pytestmark = pytest.mark.window

STOP = {"kind": "stop", "upper": 0.05, "above": "push", "energy_ratio": 0.7, "offset_ratio": 0.1}


@pytest.fixture
def editor(window: Any, qtbot: Any, tmp_path: Path) -> Any:
    push = table("push", "m", "N", [0.0, 0.1], [0.0, 4000.0])
    data = slider(2.0, 0.0, 2.0, STOP, functions=[push], duration=0.12)
    data["coordinate_forces"][0]["name"] = "A catch"
    path = tmp_path / "catch.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    window.open_file(path)
    window.bench.document.select("coordinate_forces/law")
    made = window.panels["editor"].current
    qtbot.waitUntil(lambda: made.found is not None, timeout=120_000)
    return made


def test_laws_are_drawn_as_far_as_they_tell(editor: Any) -> None:
    assert editor.bar.heading.text() == "A catch"
    assert np.max(editor.found.way) == pytest.approx(0.15)
    assert np.max(editor.found.force) == pytest.approx(4000.0)
    assert "is lost" in editor.facts.text()
    assert len(editor.canvas.handles) == 0
    line = editor.high_line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "100 mm")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert np.max(editor.found.way) == pytest.approx(0.1)
    line.selectAll()
    QTest.keyClicks(line, "-10 mm")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert np.max(editor.found.way) == pytest.approx(0.1)


def test_the_run_that_is_seen_stands_on_the_laws_as_a_dot(
    window: Any, editor: Any, qtbot: Any
) -> None:
    QTest.mouseClick(window.panels["run_control"].run, Qt.MouseButton.LeftButton)
    run_view = window.bench.run_view
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    window.bench.document.select("coordinate_forces/law")
    run_view.player.pause()
    run_view.player.go(0.03)
    run = run_view.runs.current.trajectory
    row = int(np.argmin(np.abs(run.time - 0.03)))
    laws = run.table("coordinate_forces")
    assert editor.dot == pytest.approx((laws["way"][row, 0], laws["force"][row, 0]), rel=1e-6)
    assert editor.dot[1] > 100.0
    assert editor.canvas.handles[0][0] == pytest.approx(1e3 * editor.dot[0])
    # it stands on the way up
    assert np.interp(editor.dot[0], editor.found.way[:202], editor.found.force[:202]) == (
        pytest.approx(editor.dot[1], rel=1e-3)
    )
