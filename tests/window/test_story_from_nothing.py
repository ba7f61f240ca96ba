"""From nothing: a plane, a seated man, settled and belted by two clicks, a pulse drawn, and a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from app.features.placing.body_dialog import BodyDialog
from app.features.placing.settle_dialog import SettleDialog
from solver.project import Project
from solver.project.changes import value_at
from tests.window.playing import Play
from tests.window.test_function_editor import spot

pytestmark = pytest.mark.window
G = 9.80665


def seen(window: Any, place: tuple[float, float, float]) -> QPointF:
    return QPointF(*window.bench.viewport.lens.pixel(np.array(place)))


def test_a_belted_man_on_a_sled_from_an_empty_project(window: Any, qtbot: Any) -> None:
    play = Play(window, qtbot, "from_nothing")
    document, view = window.bench.document, window.bench.viewport
    play.click(window.panels["welcome"].templates["empty"])
    empty = document.project
    assert empty == Project(runs=empty.runs)
    assert len(empty.runs) == 1
    play.looks("empty")
    play.click(window.features["placing"].empty.buttons["insert.planes"])
    assert [plane.id for plane in document.project.planes] == ["plane"]
    assert not window.features["placing"].empty.isVisible()
    play.step("plane")

    play.choose("insert a body")
    body = play.dialog(BodyDialog)
    body.fields.pose.setFocus()
    play.type("Sea")
    play.until(lambda: body.person.pose == "seated")
    assert body.person.anchor == "hips"
    play.until(lambda: view.pixel_of("segments/man_head") is not None)
    head = view.pixel_of("segments/man_head")
    assert view.rect().contains(head.toPoint()), "all of the body is in sight"
    play.looks("body")
    play.click(body.insert)
    play.come_back()
    project = document.project
    assert {c.plane for c in project.contacts if c.kind == "plane"} == {"plane"}

    play.choose("settle")
    settle = play.dialog(SettleDialog)
    play.until(lambda: not settle.is_busy and settle.settle_button.isEnabled(), 240.0)
    play.click(settle.settle_button)
    play.until(lambda: settle.settlement is not None and not settle.is_busy, 240.0)
    play.step("settled")
    before = document.project
    play.click(settle.apply_button)
    assert document.project is not before
    play.come_back()

    assert view.hasFocus(), "keys of the scene work at once"
    play.key(Qt.Key.Key_3)
    play.choose("strap by two clicks")
    for side in (1.0, -1.0):
        play.click(view, seen(window, (-0.22, 0.25 * side, 0.0)))
    assert document.selection == "harnesses/lap_belt"
    points = document.project.harnesses[0].straps[0].points
    assert {p.surface.segment for p in points if p.kind == "surface"} == {"man_lower_torso"}
    play.looks("belted")

    play.choose("pulse")
    assert document.selection == "motions/pulse"
    project = document.project
    assert project.motions[0].segment == project.planes[0].segment == "vehicle"
    assert {p.segment for p in points[:: len(points) - 1]} == {"ground"}
    ends = project.harnesses[0].straps[0].points[:: len(points) - 1]
    assert {p.segment for p in ends} == {"vehicle"}
    assert "Vehicle" in window.status.words.text()
    canvas = window.panels["editor"].current.canvas
    canvas.fit()
    x, y = canvas.handles[int(np.argmax(np.abs(canvas.handles[:, 1])))]
    assert y == pytest.approx(-20.0)
    play.drag(canvas.viewport(), QPointF(spot(canvas, x, y)), QPointF(spot(canvas, x, -15.0)))
    pulse = value_at(document.project, "motions/pulse/components/0/pulse")
    assert pulse.amplitude == pytest.approx(-15.0 * G, rel=0.02)
    play.looks("pulse")

    play.until_checked()
    assert not [p for p in document.problems if p.severity == "error"]
    play.key(Qt.Key.Key_F5)
    record = play.until_solved()
    assert record.status == "completed"
    assert record.trajectory.table("harnesses")["tension"].max() > 1000.0
    window.bench.run_view.go(0.1)
    play.looks("solved")
    while document.history.canUndo():
        window.menus.run("edit.undo")
    assert document.project == empty
    assert window.features["placing"].empty.isVisible()
