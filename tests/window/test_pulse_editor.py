"""The editor of pulses, with a real mouse: handles, integrals, words, the library."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.editors.pulse_editor import _PULSE_UNSOUND
from solver.base.places import samples
from solver.base.words import tr
from solver.bodies.library.entries import entry
from solver.bodies.library.pulses import facts
from solver.model.functions import end_of, pulse_path
from solver.project.changes import value_at
from solver.project.motions import Driver, FrameDriver, HalfSine, MotionComponent
from tests.window.test_function_editor import drag
from tests.window.waiting import offered

pytestmark = [pytest.mark.window, pytest.mark.one_window]
SLED = "motions/sled_motion"
PULSE = f"{SLED}/components/0/pulse"
G = 9.80665


@pytest.fixture
def editor(window: Any, qtbot: Any) -> Any:
    window.open_file(samples() / "sled.json")
    window.bench.document.select(SLED)
    QApplication.processEvents()
    return window.panels["editor"].current


def pulse(window: Any) -> Any:
    return value_at(window.bench.document.project, PULSE)


def half_sine(window: Any) -> None:
    window.bench.document.edit(
        PULSE, HalfSine(amplitude=-20 * G, start_s=0.01, duration_s=0.1), "half sine"
    )
    window.bench.document.history.clear()
    window.panels["editor"].current.canvas.fit()
    QApplication.processEvents()


def test_integrals_are_exact(window: Any, editor: Any) -> None:
    made = HalfSine(amplitude=100.0, start_s=0.02, duration_s=0.1)
    component = MotionComponent(
        component="x", quantity="acceleration", pulse=made, start_rate=-3.0, start_value=1.0
    )
    project = window.bench.document.project
    assert end_of(project, component) == pytest.approx(0.12)
    path = pulse_path(project, component, 0.15)
    known = facts(made)
    assert path.speed[0] == -3.0
    assert path.speed[-1] == pytest.approx(-3.0 + 100.0 * 0.1 * 2.0 / math.pi, rel=1e-12)
    way = known.way + (0.15 - 0.12) * known.speed_change
    assert path.place[-1] == pytest.approx(1.0 - 3.0 * 0.15 + way, rel=1e-12)
    assert np.max(path.acceleration) == pytest.approx(100.0, rel=1e-12)


def test_the_three_quantities_stand_beside_each_other(window: Any, editor: Any) -> None:
    known = facts(pulse(window), window.bench.document.project.functions)
    path = editor.motion_path
    assert path.speed[-1] - path.speed[0] == pytest.approx(known.speed_change, rel=1e-9)
    assert f"{3.6 * known.speed_change:.4g} km/h" in editor.facts.text()
    assert [c.units[1] for c in editor.canvases.values()] == ["g", "m/s", "mm"]
    # only what is given has handles: the points of its function
    assert len(editor.canvases["acceleration"].handles) > 3
    assert not len(editor.canvases["velocity"].handles)


def test_points_of_the_pulses_function_are_dragged_here(window: Any, editor: Any) -> None:
    canvas = editor.canvas
    name = pulse(window).function
    peak = int(np.argmax(np.abs(canvas.handles[:, 1])))
    x, y = canvas.handles[peak]
    drag(canvas, (x, y), (x, 0.5 * y))
    form = value_at(window.bench.document.project, f"functions/{name}/form")
    assert pulse(window).scale * form.y[peak] / G == pytest.approx(0.5 * y, rel=0.05)
    assert window.bench.document.history.count() == 1
    QTest.mouseClick(editor.link, Qt.MouseButton.LeftButton)
    assert window.bench.document.selection == f"functions/{name}"


def test_a_half_sine_is_dragged_by_peak_start_and_end(window: Any, editor: Any) -> None:
    half_sine(window)
    canvas = editor.canvas
    assert canvas.handles.ravel() == pytest.approx([10, 0, 60, -20, 110, 0])
    drag(canvas, (60, -20), (60, -12))
    assert pulse(window).amplitude / G == pytest.approx(-12, abs=0.4)
    assert pulse(window).duration_s == pytest.approx(0.1)
    drag(canvas, (110, 0), (90, 0))
    assert pulse(window).duration_s == pytest.approx(0.08, abs=0.002)
    drag(canvas, (10, 0), (20, 0))
    end = pulse(window).start_s + pulse(window).duration_s
    assert pulse(window).start_s == pytest.approx(0.02, abs=0.002)
    assert end == pytest.approx(0.09, abs=0.002)
    assert window.bench.document.history.count() == 3
    assert window.bench.document.history.undoText() == "Shape the pulse of Sled"
    for _ in range(3):
        window.bench.document.undo()
    assert pulse(window).amplitude == pytest.approx(-20 * G)


def test_the_top_of_a_triangle_goes_sideways(window: Any, editor: Any) -> None:
    half_sine(window)
    change = facts(pulse(window)).speed_change
    editor.kind.show_data("triangle")
    editor.kind.activated.emit(editor.kind.currentIndex())
    assert pulse(window).kind == "triangle"
    assert facts(pulse(window)).speed_change == pytest.approx(change)
    editor.canvas.fit()
    x, y = editor.canvas.handles[1]
    drag(editor.canvas, (x, y), (x - 25.0, y))
    assert pulse(window).peak_ratio == pytest.approx(0.25, abs=0.02)


def test_a_speed_change_is_typed(window: Any, editor: Any) -> None:
    half_sine(window)
    editor.change.setFocus()
    editor.change.selectAll()
    QTest.keyClicks(editor.change, "-50 km/h")
    QTest.keyClick(editor.change, Qt.Key.Key_Return)
    assert facts(pulse(window)).speed_change == pytest.approx(-50 / 3.6)
    assert pulse(window).duration_s == pytest.approx(0.1)
    assert "-50 km/h" in editor.facts.text()


def test_a_pulse_comes_from_the_library(window: Any, editor: Any) -> None:
    named = {a.text(): a for a in offered(editor.library)}
    assert len(named) > 20
    # one that is looked at is seen faintly beside one's own, until the menu closes
    before, lines = window.bench.document.project, len(editor.canvas._lines)
    looked_at = next(
        a for name, a in named.items() if name.startswith(entry("wheelchair_20g").name)
    )
    looked_at.hover()
    assert len(editor.canvas._lines) == lines + 1
    assert np.min(editor.canvas._lines[-1].getData()[1]) == pytest.approx(-20.0, rel=1e-6)
    editor.library.menu().aboutToHide.emit()
    assert len(editor.canvas._lines) == lines
    assert window.bench.document.project is before
    editor._insert("wheelchair_20g")
    motions = window.bench.document.project.motions
    assert [m.segment for m in motions] == ["vehicle"]
    assert motions[0].components[0].pulse.kind == "trapezoid"
    assert window.bench.document.selection == f"motions/{motions[0].id}"
    editor._insert("car_full_width_56")
    editor._insert("car_full_width_56")
    assert len(window.bench.document.project.motions) == 1
    for _ in range(3):
        window.bench.document.undo()
    assert window.bench.document.project.motions[0].id == "sled_motion"


def test_a_driver_is_shaped_like_a_motion(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "pendulum.json")
    document = window.bench.document
    joint = document.project.joints[0]
    driver = Driver(
        id="motor",
        joint=joint.id,
        quantity="velocity",
        pulse=HalfSine(amplitude=2.0, duration_s=0.1),
    )
    document.edit("drivers", (driver,), "drive")
    document.select("drivers/motor")
    QApplication.processEvents()
    editor = window.panels["editor"].current
    assert editor.canvas is editor.canvases["velocity"]
    assert editor.canvas.units[1] == "rad/s"
    assert editor.library.isHidden()
    path = editor.motion_path
    assert path.place[-1] == pytest.approx(0.5 * math.pi + 0.4 / math.pi)
    editor.canvas.dragged.emit(1, 0.05, 3.0)
    editor.canvas.released.emit()
    assert value_at(document.project, "drivers/motor/pulse").amplitude == pytest.approx(3.0)


def test_a_driver_of_a_frame_has_no_pulse_where_joints_form_a_ring(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "pendulum.json")
    document = window.bench.document
    joint = document.project.joints[0]
    moved = {"segment": joint.child}
    pulse = HalfSine(amplitude=2.0, duration_s=0.1)
    driver = FrameDriver(id="push", component="x", quantity="velocity", moved=moved, pulse=pulse)
    document.edit("frame_drivers", (driver,), "drive")
    document.select("frame_drivers/push")
    QApplication.processEvents()
    editor = window.panels["editor"].current
    assert editor.motion_path is not None
    document.edit(f"joints/{joint.id}/parent", joint.child, "ring")
    assert editor.motion_path is None
    assert editor.bar.hint.text() == tr(_PULSE_UNSOUND)
    document.undo()
    assert editor.motion_path is not None
    assert editor.bar.hint.text() == ""
