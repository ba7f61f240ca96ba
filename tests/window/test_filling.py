"""Mass and moments of a segment's shape, by one button and a density."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from solver.project.filling import filled, volume

pytestmark = pytest.mark.window


def test_a_segment_takes_the_moments_of_its_shape(
    window: Any, seated_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open_file(seated_file)
    document, panel = window.bench.document, window.panels["inspector"]
    document.select("planes/floor")
    assert not panel.fill.isVisible()
    document.select("segments/head")
    head = next(one for one in document.project.segments if one.id == "head")
    offered: list[float] = []

    def answer(*given: Any) -> tuple[float, bool]:
        offered.append(given[3])
        return answers[len(offered) - 1], True

    kept = head.mass_kg / volume(head.surfaces[0])
    answers = [round(kept, 1), 1200.0]
    monkeypatch.setattr(QInputDialog, "getDouble", answer)
    panel.area.ensureWidgetVisible(panel.fill)
    QTest.mouseClick(panel.fill, Qt.MouseButton.LeftButton)
    assert offered == [pytest.approx(kept)]
    first = next(one for one in document.project.segments if one.id == "head")
    assert first == filled(head)
    assert first.mass_kg == head.mass_kg
    assert document.history.count() == 1
    QTest.mouseClick(panel.fill, Qt.MouseButton.LeftButton)
    made = next(one for one in document.project.segments if one.id == "head")
    assert made.mass_kg == pytest.approx(1200.0 * volume(head.surfaces[0]))
    assert "filled evenly" in window.status.words.text()
    document.history.undo()
    document.history.undo()
    assert head in document.project.segments
