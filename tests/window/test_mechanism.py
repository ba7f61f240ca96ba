"""Loops and freedoms, the mend of open loops, and the line that finds files: as one does them in the window."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTreeWidgetItem

import manikin as mk
from app.features.car import CarDialog
from app.features.files.find_dialog import FindDialog
from app.features.placing.mechanism_dialog import MechanismDialog
from solver.base.places import samples
from solver.project import load_project, save_project
from solver.project.changes import with_value
from solver.project.checks import check

pytestmark = pytest.mark.one_window


@pytest.fixture
def open_loop(tmp_path: Path) -> Path:
    project = load_project(samples() / "four_bar.json")
    file = tmp_path / "long.json"
    save_project(with_value(project, "constraints/closure/a/position_m", (0.24, 0.0, 0.0)), file)
    return file


def test_ways_to_close_are_listed_shown_and_taken_over(qtbot, window, open_loop: Path) -> None:  # type: ignore[no-untyped-def]
    window.open_file(open_loop)
    document = window.bench.document
    before = document.project
    # what is to settle is closed first
    window.menus.run("place.settle")
    dialog = window.findChild(MechanismDialog)
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=60_000)
    assert len(dialog.ways) > 1
    assert "'" not in dialog.said.text()
    dialog.table.setCurrentItem(dialog.table.topLevelItem(1))
    assert dialog.apply_button.isEnabled()
    wanted = dialog.ways[1].project
    dialog.take_over()
    assert document.project == wanted
    assert document.project.constraints == before.constraints
    assert check(document.project) == ()
    document.undo()
    assert document.project == before
    # what was closed tells its facts
    document.redo()
    window.menus.run("place.mechanism")
    other = next(one for one in window.findChildren(MechanismDialog) if one is not dialog)
    qtbot.waitUntil(lambda: not other.is_busy, timeout=60_000)
    assert other.found is not None
    assert other.found.mobility == 1
    assert "mobility 1" in other.said.text()
    other.reject()


def test_the_mend_closes_the_loops_beside_the_window(qtbot, window, open_loop: Path) -> None:  # type: ignore[no-untyped-def]
    window.open_file(open_loop)
    document = window.bench.document
    (problem,) = document.problems_now()
    qtbot.waitUntil(lambda: problem in document.mends, timeout=20_000)
    problems = window.features["problems"]
    problems.panel.mend_asked.emit(problem, None)
    qtbot.waitUntil(lambda: check(document.project) == (), timeout=60_000)
    assert document.project.constraints[0].a.position_m == (0.24, 0.0, 0.0)
    document.undo()
    document.problems_now()
    qtbot.waitUntil(lambda: problem in document.mends, timeout=20_000)
    problems.panel.mend_asked.emit(problem, document.mends[problem].second)
    assert check(document.project) == ()
    assert document.project.constraints[0].b.position_m != (0.1875, 0.0, 0.0)


def test_files_are_found_and_opened(
    qtbot, window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("solver.store.index.user_cache", lambda: tmp_path / "cache")
    folder = tmp_path / "models"
    folder.mkdir()
    for name in ("pendulum", "four_bar"):
        shutil.copy(samples() / f"{name}.json", folder)
    window.menus.run("file.find")
    dialog = window.findChild(FindDialog)
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)
    assert "choose one" in dialog.said.text()
    dialog.line.setText("segments > ")
    dialog.look_up()
    assert "a number is to stand" in dialog.said.text()
    dialog.line.setText("segments > 2")
    dialog.look_up(folder)
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)
    rows: list[QTreeWidgetItem] = [dialog.table.topLevelItem(n) for n in range(dialog.table.topLevelItemCount())]  # fmt: skip
    assert [row.text(3) for row in rows] == ["four_bar.json"]
    assert "segments 3" in rows[0].text(2)
    dialog.table.setCurrentItem(rows[0])
    dialog.open_current()
    qtbot.waitUntil(lambda: window.bench.document.project.title.startswith("Four-bar"), timeout=20_000)  # fmt: skip


def test_a_car_is_put_into_the_model_by_its_numbers(window) -> None:  # type: ignore[no-untyped-def]
    window.open_file(samples() / "pendulum.json")
    document = window.bench.document
    before = document.project
    window.menus.run("insert.car")
    dialog = window.findChild(CarDialog)
    dialog.numbers["mass_kg"].setValue(100.0)
    dialog.numbers["wheel_kg"].setValue(50.0)
    dialog.take()
    assert "heavier than its wheels" in dialog.said.text()
    dialog.numbers["mass_kg"].setValue(1250.0)
    dialog.numbers["wheel_kg"].setValue(20.0)
    dialog.axles[1].setCurrentIndex(1)
    dialog.place[0].setValue(3.0)
    dialog.take()
    wanted = mk.Model(before).add_car(
        mass_kg=1250.0, at_m=(3.0, 0.0), rear_axle=mk.DoubleWishbone()
    )
    assert document.project == wanted.project
    # a second one on a new road has its own, though there is one
    window.menus.run("insert.car")
    again = next(one for one in window.findChildren(CarDialog) if one.isVisible())
    again.road.setCurrentIndex(again.road.count() - 1)
    steer = again.numbers["steer_rad"]
    assert steer.suffix() == "°"
    steer.setValue(99.0)
    again.take()
    wheels = [one for one in document.project.drivers if one.joint.startswith("car_2_front")]
    assert [one.pulse.value for one in wheels] == [0.7, 0.7]
    assert document.project.tyres[-1].roads == ("car_2_road",)
    document.undo()
    document.undo()
    assert document.project == before
