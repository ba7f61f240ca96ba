"""The reach of what is selected, shown as a see-through mesh that can be undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.look import LIGHT
from app.scene.paints import Marks, paint
from tests.analysis.test_reach import torus

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def test_a_marker_shows_what_it_reaches(window: Any, qtbot: Any, tmp_path: Path) -> None:
    model = torus().add_marker("tip", segment="c", point_m=(0.2, 0.0, 0.0))
    model.save(tmp_path / "arm.json")
    window.open_file(tmp_path / "arm.json")
    bench, document = window.bench, window.bench.document
    document.select("")
    assert window.features["reaching"]._wanted() is None
    document.select("markers/tip")
    bench.commands.run("place.reach_of")
    qtbot.waitUntil(lambda: bool(document.project.meshes), timeout=60_000)
    mesh = document.project.meshes[0]
    assert (mesh.segment, mesh.see_through) == ("ground", True)
    assert document.selection == "meshes/reach_c"
    assert "3.1" in window.status.words.text()
    shown = [one for one in bench.viewport.stage.items if one.shape.element == "meshes/reach_c"]
    assert [one.shape.kind for one in shown] == ["reach"]
    assert paint("reach", 0, Marks(), LIGHT).is_clear
    document.history.undo()
    assert not document.project.meshes
