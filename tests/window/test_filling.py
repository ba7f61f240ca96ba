"""Mass and moments of a segment's shape, by one button and a density."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QInputDialog

from solver.project.inertia import filled, volume

pytestmark = pytest.mark.window


def test_a_segment_takes_the_moments_of_its_shape(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    document, panel = window.bench.document, window.panels["inspector"]
    document.select("planes/floor")
    assert not panel.fill.isVisible()
    document.select("segments/head")
    head = next(one for one in document.project.segments if one.id == "head")
    kept = head.mass_kg / volume(head.surfaces[0])

    def press(density: float | None) -> None:
        QTest.mouseClick(panel.fill, Qt.MouseButton.LeftButton)
        dialog = window.findChild(QInputDialog)
        assert dialog.doubleValue() == pytest.approx(kept, abs=0.06)
        if density is not None:
            dialog.setDoubleValue(density)
        QTest.keyClick(dialog.findChild(QAbstractSpinBox), Qt.Key.Key_Return)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    panel.area.ensureWidgetVisible(panel.fill)
    press(None)
    first = next(one for one in document.project.segments if one.id == "head")
    assert first == filled(head)
    assert first.mass_kg == head.mass_kg
    assert document.history.count() == 1
    press(1200.0)
    made = next(one for one in document.project.segments if one.id == "head")
    assert made.mass_kg == pytest.approx(1200.0 * volume(head.surfaces[0]))
    assert "filled evenly" in window.status.words.text()
    document.history.undo()
    document.history.undo()
    assert head in document.project.segments
    window.features["filling"].fill("nobody", None)
    assert document.history.index() == 0
