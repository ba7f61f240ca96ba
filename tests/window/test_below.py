"""What is below the scene: folded where it has nothing to say, opened by what has, and by a click."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from solver.base.places import samples
from tests.window.seated import seated
from tests.window.waiting import until_active

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Write a project with a belt whose law is not there."""
    project = seated()
    project["belts"][0]["law"] = "webbin"
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(project), encoding="utf-8")
    return file


def click_on(window: Any, name: str) -> None:
    bar, place = window.panels.tab(name)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place.center())


def heights(window: Any) -> tuple[int, int]:
    return window.panels.scene.height(), window.panels.docks.below_height()


def test_the_scene_has_the_room_of_an_empty_list_of_problems(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "frontal.json")
    qtbot.waitUntil(lambda: window.bench.document.problems != (), timeout=20_000)
    docks, tabs = window.panels.docks, window.panels.tab("problems")[0].sizeHint().height()
    assert docks.is_folded
    qtbot.waitUntil(lambda: docks.below_height() == tabs, timeout=20_000)
    tall = window.panels.scene.height()
    click_on(window, "problems")
    assert not docks.is_folded
    qtbot.waitUntil(
        lambda: window.panels["problems"].isVisible() and docks.below_height() > 100, timeout=20_000
    )
    assert window.panels.scene.height() < tall - 100
    shared = heights(window)
    click_on(window, "problems")
    qtbot.waitUntil(lambda: window.panels.scene.height() == tall, timeout=20_000)
    click_on(window, "editor")
    assert window.panels.front().name == "editor"
    qtbot.waitUntil(lambda: heights(window) == shared, timeout=20_000)
    window.activateWindow()
    until_active(window)
    QTest.keyClick(window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert docks.is_folded
    window.panels.open("runs")
    assert not docks.is_folded


def test_what_stands_in_the_way_of_a_run_is_in_sight(window: Any, qtbot: Any, broken: Path) -> None:
    window.open_file(broken)
    qtbot.waitUntil(lambda: window.bench.document.problems != (), timeout=20_000)
    assert not window.panels.docks.is_folded
    assert window.panels["problems"].isVisible()


def test_the_panels_below_alone_are_unfolded(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "frontal.json")
    window.panels.toggle_below_alone()
    assert not window.panels.docks.is_folded
    assert not window.panels.scene.isVisible()
    window.panels.toggle_below_alone()
    assert window.panels.scene.isVisible()


def test_the_matrix_of_contacts_has_half_of_the_height_while_it_is_shown(
    window: Any, qtbot: Any
) -> None:
    window.open_file(samples() / "frontal.json")
    window.panels.open("problems")
    usual = heights(window)[1]
    window.menus.run("edit.contacts")
    upper, lower = heights(window)
    assert abs(upper - lower) <= 2
    assert lower > usual
    document = window.bench.document
    document.select(f"functions/{document.project.functions[0].id}")
    assert heights(window)[1] == usual
    window.menus.run("edit.contacts")
    window.panels.docks.set_below_height(lower - 60)
    document.select(f"functions/{document.project.functions[0].id}")
    assert heights(window)[1] == lower - 60, "a hand has set this"


def test_a_scene_that_is_open_does_not_move_when_its_checks_are_through(
    window: Any, qtbot: Any, broken: Path
) -> None:
    window.open_file(broken)
    at_once = heights(window)
    assert window.panels["problems"].tree.topLevelItemCount() > 0
    qtbot.waitUntil(lambda: not window.bench.document._checker.is_busy(), timeout=20_000)
    assert heights(window) == at_once
