"""Three sizes of a person in the same crash, compared by two clicks."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, QSize

import manikin as mk
from app.editing.persons import people
from tests.window.playing import Play

pytestmark = pytest.mark.window


def test_three_sizes_compared_in_two_clicks(window: Any, qtbot: Any) -> None:
    """Click the driver, Three sizes."""
    play = Play(window, qtbot, "sizes", QSize(1280, 800))
    document, study = window.bench.document, window.bench.study
    model = mk.sample("frontal").with_values({"runs/run/duration_s": 0.06})
    document.adopt(model.project)
    play.until_checked()
    (driver,) = people(document.project)
    outline = window.panels["outline"]
    play.click(
        outline.tree.viewport(),
        QPointF(outline.tree.visualItemRect(outline.item(driver.path)).center()),
    )  # 1
    play.click(window.panels["inspector"].person.buttons["run.sizes"])  # 2
    play.until(lambda: len(study.compared) == 3, 240.0)
    assert [round(people(r.project)[0].mass_kg, 1) for r in study.compared] == [49.0, 77.7, 102.5]
    assert all(record.status == "completed" for record in study.compared)
    assert study.compared[1].project == document.project, "who sits there already is run as he is"
    assert all("percentile" in record.name for record in study.compared)
    play.step("compared")
