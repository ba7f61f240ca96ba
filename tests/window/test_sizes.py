"""Three sizes of a person in the same crash, compared and a page for the customer: four clicks."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QSize
from PySide6.QtWidgets import QFileDialog

import manikin as mk
from app.features.placing.people import sized
from solver.base.words import Sentence
from solver.bodies import Body
from solver.bodies.library import replacing
from solver.editing.persons import people
from solver.project import Project
from tests.window.playing import Play

pytestmark = pytest.mark.window


def test_three_sizes_compared_in_four_clicks(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Click the driver, Three sizes, Report…, Save."""
    monkeypatch.setattr(
        replacing,
        "left_out",
        lambda old, new, _: None if new is old else Sentence("Left out: Tape."),
    )
    play = Play(window, qtbot, "sizes", QSize(1280, 800))
    document, run_view = window.bench.document, window.bench.run_view
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
    play.until(lambda: len(run_view.compared) == 3, 240.0)
    assert [round(people(r.project)[0].mass_kg, 1) for r in run_view.compared] == [
        49.0,
        77.7,
        102.5,
    ]
    assert all(record.status == "completed" for record in run_view.compared)
    assert run_view.compared[1].project == document.project, (
        "who sits there already is run as he is"
    )
    assert all("percentile" in record.name for record in run_view.compared)
    # what a size has nothing for is said, and of which size
    told = window.notice.words.text().splitlines()
    assert told == [f"{run_view.compared[n].name}: Left out: Tape." for n in (0, 2)]
    play.step("compared")
    # what differs in results and size stands first; within the bodies there are hundreds of fields, folded
    tree = window.panels["compare"].tree
    play.until(lambda: tree.topLevelItemCount() == 5)
    tops = [tree.topLevelItem(n) for n in range(5)]
    assert [top.text(0).split(" (")[0] for top in tops] == [
        "Injury figures",
        "Who sits there",
        "Peaks",
        "What differs in the models",
        "What differs within the bodies",
    ]
    assert [top.isExpanded() for top in tops] == [True, True, True, False, False]
    mass = tops[1].child(0)
    assert [mass.text(column) for column in (0, 1, 2, 4)] == ["Driver: mass", "49 kg", "77.71 kg", "102.5 kg"]  # fmt: skip
    lengths = [tops[1].child(n).text(0) for n in range(1, tops[1].childCount())]
    assert "Driver: hip to knee" in lengths
    page = tmp_path / "sizes.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(page), ""))
    play.until(lambda: window.panels["compare"].report.isEnabled())
    play.click(window.panels["compare"].report)  # 3, and Save is 4
    play.until(lambda: page.exists() and page.stat().st_size > 10_000, 240.0)
    text = page.read_text(encoding="utf-8")
    for record in run_view.compared:
        # called by what tells it apart from the others
        assert record.name.rpartition(", ")[2] in text


def test_who_was_edited_is_none_of_the_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stiffen the neck of the mid-size man, mass and parts as before: the library's man takes his place."""
    model = mk.sample("frontal")
    seated: list[str] = []

    def reseat(project: Project, prefix: str, body: Body) -> Any:
        seated.append(body.title)
        bare = tuple(one for one in project.outputs if "chest" not in one.id)
        return SimpleNamespace(project=project.model_copy(update={"outputs": bare}))

    monkeypatch.setattr("solver.analysis.crash.scenes.reseated", reseat)
    (driver,) = people(model.project)
    found = sized(model.project, driver)
    assert found[1].project is model.project
    assert len(seated) == 2
    # what a size has nothing for is told of that size
    assert found[1].lost is None
    assert "Chest acceleration" in str(found[0].lost)
    edited = model.with_value("joints/driver_condyles/friction/viscous_nms_per_rad", 2.0).project
    seated.clear()
    sized(edited, driver)
    assert len(seated) == 3
