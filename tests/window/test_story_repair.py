"""Repair: a project with six different faults; Problems leads through all of them; then it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from tests.window.playing import SHIFT, Play
from tests.window.seated import seated

pytestmark = pytest.mark.window


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    project = seated()
    ends = {"ball": ("flexure", "torsion"), "pin": ("spring",)}
    for joint in project["joints"]:
        for spring in ends.get(joint["kind"], ()):
            joint[spring] = {"linear_nm_per_rad": 20.0}
    project["belts"][0]["law"] = "webbin"
    project["contacts"][0]["surface"]["surface"] = "pelvs"
    project["joints"][3]["child"] = "heat"
    project["contact_laws"][1]["base"] = "webbing_pull"
    project["segments"][2] |= {"inertia_kgm2": [0.1, 0.1, 0.1], "products_kgm2": [0.0, 0.0, 0.5]}
    project["runs"], project["airbags"] = [], []
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(project), encoding="utf-8")
    return file


def test_problems_lead_through_six_faults_to_a_run(window: Any, qtbot: Any, broken: Path) -> None:
    play = Play(window, qtbot, "repair")
    window.open_file(broken)
    document, problems = window.bench.document, window.panels["problems"]
    play.key(Qt.Key.Key_F5)
    assert window.bench.run_view.runs.records == []
    assert "mend them first" in window.status.words.text()
    assert "mend them first" in window.notice.words.text()
    assert window.panels.front().widget is problems
    play.until_checked()
    play.looks("refused")
    met = []
    for _ in range(6):
        play.key(Qt.Key.Key_F4)
        problem = problems.tree.currentItem().data(0, Qt.ItemDataRole.UserRole + 2)
        met.append(problem.code)
        assert document.field == problem.path or document.selection == ""
        play.step(f"at_{problem.code}")
        before = document.project
        if problem in document.mends:
            play.key(Qt.Key.Key_F4, SHIFT)
        elif problem.code == "function-units":
            # the field has the keyboard: a part of the name is enough
            play.write("seat")
        else:
            assert problem.code == "inertia-negative"
            for number in ("0", "0"):
                play.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
                play.type(number)
                play.key(Qt.Key.Key_Tab)
            play.write("0")
        assert document.project is not before, problem
        play.until_checked()
        play.step("mended")
    assert len(set(met)) == 6
    assert not [p for p in document.problems if p.severity == "error"]
    assert not window.notice.isVisible(), "nothing stands in the way any more"
    play.looks("mended")
    play.key(Qt.Key.Key_F5)
    assert play.until_solved().status == "completed"
    play.step("runs")
    while document.history.canUndo():
        window.menus.run("edit.undo")
    assert json.loads(broken.read_text())["belts"][0]["law"] == document.project.belts[0].law
