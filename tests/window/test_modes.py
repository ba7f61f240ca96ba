"""Modes in the window: found in the background, listed, and seen in the scene."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import manikin as mk
from solver.analysis.linear import linearise_course
from solver.analysis.linear.operating_point import course_of
from solver.base.places import samples
from solver.project import load_project
from solver.project.motions import JointStart

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton


def found(window: Any, qtbot: Any, where: str = "start") -> Any:
    modes = window.features["modes"]
    modes.linear = None
    panel = modes.panel
    panel.where.setCurrentIndex(panel.where.findData(where))
    window.panels.open("modes")
    QTest.mouseClick(panel.go, LEFT)
    qtbot.waitUntil(lambda: modes.linear is not None, timeout=240_000)
    return modes


def test_the_scene_swings_in_the_mode_that_is_clicked(window: Any, qtbot: Any) -> None:
    file = samples() / "double_pendulum.json"
    window.open_file(file)
    modes = found(window, qtbot)
    tree = modes.panel.tree
    exact = linearise_course(course_of(load_project(file)))
    assert tree.topLevelItemCount() == len(exact.modes)
    for n, mode in enumerate(exact.modes):
        assert tree.topLevelItem(n).text(2) == (f"{mode.frequency_hz:.4g}" if mode.frequency_hz else "0")  # fmt: skip
    viewport = window.bench.viewport
    still = {item.shape.element: item.at for item in viewport._stage.items}
    number = next(n for n, mode in enumerate(exact.modes) if mode.kind != "neutral")
    item = tree.topLevelItem(number)
    tree.scrollToItem(item)
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualItemRect(item).center())
    assert modes.swing.is_on

    def moved() -> float:
        return max(
            float(np.abs(one.at.p_W - still[one.shape.element].p_W).max())
            for one in viewport._stage.items if one.shape.element.startswith("segments/")
        )  # fmt: skip

    qtbot.waitUntil(lambda: moved() > 1e-3, timeout=20_000)
    assert moved() < 0.06, "the size that is set: 50 mm"
    modes.panel.slider.setValue(200)
    qtbot.waitUntil(lambda: moved() > 0.06, timeout=20_000)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not modes.swing.is_on
    assert moved() == 0.0


def test_whatever_else_is_shown_ends_the_motion(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "double_pendulum.json")
    modes = found(window, qtbot)
    modes.show(0)
    window.bench.document.edit("segments/lower/mass_kg", 2.0, "another")
    assert not modes.swing.is_on
    assert "has changed" in modes.panel.words.text()
    modes.show(0)
    window.bench.document.history.setClean()
    window.open_file(samples() / "pendulum.json")
    assert modes.linear is None
    assert not modes.swing.is_on


def test_at_rest_means_without_the_speeds_of_the_start(window: Any, qtbot: Any) -> None:
    """What swings past: settled, and standing, as from Python."""
    begins = JointStart(joint="hinge", values=(0.5 * np.pi,), rates=(8.0,))
    model = mk.sample("double_pendulum").with_values({"initial/joints": (begins,)})
    window.bench.document.adopt(model.project)
    modes = found(window, qtbot, "rest")
    exact, moving = mk.linearise(model, rest=True), mk.linearise(model)
    hz = [[mode.frequency_hz for mode in one.modes] for one in (modes.linear, exact, moving)]
    assert hz[0] == pytest.approx(hz[1])
    assert hz[0] != pytest.approx(hz[2])
    assert np.any(moving._standing.v)
    assert not np.any(modes.linear._standing.v)


def test_at_rest_a_car_at_56_km_per_h_stands(window: Any, qtbot: Any) -> None:
    """To settle leaves the speed of the vehicle as it is."""
    window.open_file(samples() / "frontal.json")
    assert not np.any(found(window, qtbot, "rest").linear._standing.v)


def test_of_a_run_the_instant_that_is_shown_is_taken(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "pendulum.json")
    modes, run_view = window.features["modes"], window.bench.run_view
    said: list[str] = []
    window.bench.say = said.append
    modes.find("now")
    assert said, "there is no run"
    run_view.run()
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    run_view.go(1.0)
    found(window, qtbot, "now")
    assert modes.linear.time == pytest.approx(1.0, abs=1e-6)
