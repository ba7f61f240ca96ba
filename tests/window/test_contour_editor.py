"""The contour of a joint's stop on a sphere: where it points, what is left, points that are dragged."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.editors.contour_course import angle_to_stop, on_sphere, polar
from solver.base.places import samples
from solver.project.angles import TURN, stop_angles
from solver.project.azimuths import FunctionContour, GlobographicStop, LibraryContour
from solver.project.changes import value_at, with_value
from solver.project.functions import Function
from tests.window.solving import solved
from tests.window.test_function_editor import drag
from tests.window.waiting import offered

pytestmark = [pytest.mark.window, pytest.mark.one_window]
JOINT = "joints/neck_top"


@pytest.fixture
def editor(window: Any, seated_file: Path) -> Any:
    window.open_file(seated_file)
    document = window.bench.document
    torque = Function.model_validate(
        {"id": "stop", "x_unit": "rad", "y_unit": "N*m",
         "form": {"kind": "table", "x": [0.0, 0.5], "y": [0.0, 100.0]}}
    )  # fmt: skip
    project = document.project
    project = project.model_copy(update={"functions": (*project.functions, torque)})
    contour = LibraryContour(kind="library", name="neck")
    stop = GlobographicStop(contour=contour, torque="stop")
    document.replace(with_value(project, f"{JOINT}/globographic", stop), "stop", select=[JOINT])
    document.history.clear()
    QApplication.processEvents()
    return window.panels["editor"].current


def test_a_sphere_knows_angle_and_azimuth() -> None:
    angle, azimuth = np.array([0.3, 1.2, 2.0]), np.array([0.1, 3.0, 5.0])
    for k, point in enumerate(on_sphere(angle, azimuth)):
        assert polar(point) == pytest.approx((angle[k], azimuth[k]))
        assert np.linalg.norm(point) == pytest.approx(1.0)


def test_the_room_before_the_stop_is_said(window: Any, editor: Any) -> None:
    project = window.bench.document.project
    joint = next(j for j in project.joints if j.id == "neck_top")
    now = editor.direction()
    # the neck leans by 0.05 rad and the head stands upright
    assert polar(now)[0] == pytest.approx(0.05, abs=1e-9)
    left = angle_to_stop(project, joint, now)
    limit = stop_angles(project, joint.globographic.contour, [polar(now)[1]])[0]
    assert left == pytest.approx(limit - 0.05)
    assert f"{math.degrees(left):.1f}° left" in editor.bar.hint.text()
    assert len(editor.sphere.contour) == 181
    assert editor.sphere.contour[0] == pytest.approx(editor.sphere.contour[-1])


def test_beyond_the_stop_is_said_and_marked(window: Any, editor: Any) -> None:
    joint = value_at(window.bench.document.project, JOINT)
    child = joint.child_frame.model_copy(
        update={"orientation": joint.child_frame.orientation.model_copy(
            update={"angles_rad": (0.0, 2.5, 0.0)})}
    )  # fmt: skip
    window.bench.document.edit(f"{JOINT}/child_frame", child, "bend")
    assert "beyond" in editor.bar.hint.text()
    assert editor.sphere.beyond


def test_another_contour_is_chosen_from_the_library(window: Any, editor: Any) -> None:
    before = editor.sphere.contour.copy()
    editor.choice.setCurrentIndex((editor.choice.currentIndex() + 1) % editor.choice.count())
    editor.choice.activated.emit(editor.choice.currentIndex())
    contour = value_at(window.bench.document.project, f"{JOINT}/globographic/contour")
    assert contour.name == editor.choice.currentData() != "neck"
    assert not np.allclose(before, editor.sphere.contour)
    window.bench.document.undo()
    assert np.allclose(before, editor.sphere.contour)


def test_points_are_made_and_dragged(window: Any, editor: Any) -> None:
    was = editor.sphere.contour.copy()
    QTest.mouseClick(editor.make, Qt.MouseButton.LeftButton)
    contour = value_at(window.bench.document.project, f"{JOINT}/globographic/contour")
    assert isinstance(contour, FunctionContour)
    assert len(editor.canvas.handles) == 25
    assert np.max(np.abs(was - editor.sphere.contour)) < 0.05
    x, y = editor.canvas.handles[6]
    drag(editor.canvas, (x, y), (x, y - 15.0))
    form = value_at(window.bench.document.project, f"functions/{contour.angle}/form")
    assert math.degrees(form.y[6]) == pytest.approx(y - 15.0, abs=1.5)
    # the two ends are one place
    x, y = editor.canvas.handles[0]
    drag(editor.canvas, (x, y), (x, y - 10.0))
    form = value_at(window.bench.document.project, f"functions/{contour.angle}/form")
    assert form.y[0] == form.y[-1]
    assert form.between == "spline", "corners would let the depth jump"
    assert (form.x[0], form.x[-1]) == pytest.approx((0.0, TURN))
    assert window.bench.document.history.count() == 3
    for _ in range(3):
        window.bench.document.undo()
    assert np.allclose(was, editor.sphere.contour)


def test_the_sphere_is_turned_by_the_mouse(window: Any, editor: Any) -> None:
    sphere = editor.sphere
    spin, tilt = sphere.spin, sphere.tilt
    QTest.mousePress(sphere, Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    QTest.mouseMove(sphere, QPoint(90, 80))
    QApplication.processEvents()
    QTest.mouseRelease(sphere, Qt.MouseButton.LeftButton, pos=QPoint(90, 80))
    assert sphere.spin > spin
    assert sphere.tilt > tilt
    QTest.mouseDClick(sphere, Qt.MouseButton.LeftButton)
    assert (sphere.spin, sphere.tilt) == (spin, tilt)


def test_the_eye_sees_the_pole_in_front(window: Any, editor: Any) -> None:
    sphere = editor.sphere
    place, front = sphere.seen(np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]))
    assert front.tolist() == [True, False]
    middle = np.array([0.5 * sphere.width(), 0.5 * sphere.height()])
    away = np.hypot(*(place[0] - middle))
    assert away == pytest.approx(sphere._radius() * math.sin(sphere.tilt))
    # the pole is tilted upwards
    assert place[0][1] < middle[1]


def test_the_sphere_follows_a_run(window: Any, qtbot: Any, tmp_path: Path) -> None:
    data = json.loads((samples() / "double_pendulum.json").read_text(encoding="utf-8"))
    data["functions"] = [
        {"id": "stop", "x_unit": "rad", "y_unit": "N*m",
         "form": {"kind": "table", "x": [0.0, 0.5], "y": [0.0, 100.0]}}
    ]  # fmt: skip
    data["joints"][1] |= {
        "kind": "ball",
        "globographic": {"contour": {"kind": "library", "name": "hip"}, "torque": "stop"},
    }
    data["runs"][0] |= {"duration_s": 0.3}
    data["runs"][0].pop("integrator")
    file = tmp_path / "swing.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    record = solved(window, qtbot, file)
    window.bench.document.select("joints/elbow")
    window.panels.show_mood("run")
    window.panels.open("editor")
    assert window.panels.mood == "run", "an editor beside a run"
    window.bench.run_view.switch(True)
    QApplication.processEvents()
    editor = window.panels["editor"].current
    window.bench.run_view.go(0.0)
    first = editor.direction()
    window.bench.run_view.go(record.duration_s)
    last = editor.direction()
    assert np.linalg.norm(last - first) > 0.01
    assert len(editor.sphere.way) > 10
    assert editor.sphere.way[0] == pytest.approx(first, abs=1e-6)
    assert editor.sphere.way[-1] == pytest.approx(last, abs=1e-6)
    assert np.linalg.norm(editor.sphere.way, axis=1) == pytest.approx(1.0)
    window.bench.run_view.switch(False)
    assert not len(editor.sphere.way)
    assert editor.direction() == pytest.approx(first, abs=1e-6)


def test_a_contour_of_the_library_lies_beside_ones_own_and_is_taken(
    window: Any, editor: Any
) -> None:
    document = window.bench.document
    editor.make_points()
    before, lines = document.project, len(editor.canvas._lines)
    actions = {action.text(): action for action in offered(editor.library)}
    assert len(actions) == 9
    assert "Figure 6.11" in actions["Hip"].toolTip()
    actions["Hip"].hover()
    x, y = editor.canvas._lines[1].getData()
    hip = stop_angles(document.project, LibraryContour(kind="library", name="hip"), np.radians(x))
    assert len(editor.canvas._lines) == lines + 1
    assert np.radians(y) == pytest.approx(hip, abs=1e-9)
    assert np.arccos(editor.sphere.beside[:, 2]) == pytest.approx(hip, abs=1e-9)
    editor.library.menu().aboutToHide.emit()
    assert (len(editor.canvas._lines), len(editor.sphere.beside)) == (lines, 0)
    assert document.project is before
    actions["Hip"].trigger()
    assert value_at(document.project, f"{JOINT}/globographic/contour").name == "hip"
    document.undo()
    assert document.project == before
