"""Stiffness after Hertz, contours of measured points, all poses, and the table of impacts: found by the palette, used by the mouse."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidget

from app.features.editors.measured import HertzDialog, SinusDialog
from app.features.poses_dialog import PosesDialog, point_of
from app.features.runs.impacts_dialog import ImpactsDialog
from solver.project import validated
from solver.project.azimuths import PolynomialContour
from solver.project.changes import value_at
from solver.project.hertz import Sphere, hertz_stiffness
from tests.engine.test_impact_outputs import chain
from tests.models import base
from tests.window.playing import Play
from tests.window.solving import solved

pytestmark = [pytest.mark.window, pytest.mark.one_window]
LONG, SHORT = 0.4, 0.3


def arm() -> Any:
    """Two pins about y above each other, a ball joint at the hand, and a law that takes a stiffness after Hertz."""

    def frame(z: float) -> Any:
        return {"position_m": [0.0, 0.0, z]}

    return base(
        segments=[
            {"id": name, "mass_kg": 1.0, "inertia_kgm2": [0.01] * 3, "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [0.03, 0.03, size / 2]}]}
            for name, size in (("upper", LONG), ("lower", SHORT), ("hand", 0.1))
        ],
        joints=[
            {"id": "shoulder", "kind": "pin", "parent": "ground", "child": "upper", "parent_frame": frame(0.0), "child_frame": frame(-LONG / 2)},
            {"id": "elbow", "kind": "pin", "parent": "upper", "child": "lower", "parent_frame": frame(LONG / 2), "child_frame": frame(-SHORT / 2)},
            {"id": "wrist", "kind": "ball", "parent": "lower", "child": "hand", "parent_frame": frame(SHORT / 2), "child_frame": frame(-0.05)},
        ],
        initial={"joints": [{"joint": "elbow", "values": [0.9]}]},
        functions=[{"id": "stop", "x_unit": "rad", "y_unit": "N*m", "form": {"kind": "table", "x": [0.0, 0.5], "y": [0.0, 100.0]}}],
        contact_laws=[{"id": "steel", "kind": "hunt_crossley", "stiffness_n_per_mn": 1e6, "exponent": 1.2, "damping_s_per_m": 0.1}],
    )  # fmt: skip


@pytest.fixture
def play(window: Any, qtbot: Any, tmp_path: Path) -> Play:
    file = tmp_path / "arm.json"
    file.write_text(json.dumps(arm()), encoding="utf-8")
    window.open_file(file)
    return Play(window, qtbot, "measured")


def click_row(play: Play, table: QTreeWidget, number: int) -> None:
    item = table.topLevelItem(number)
    assert item is not None
    play.click(table.viewport(), table.visualItemRect(item).center().toPointF())


def test_a_law_gets_the_stiffness_of_two_balls(window: Any, play: Play) -> None:
    document = window.bench.document
    document.select("contact_laws/steel")
    play.choose("Stiffness after Hertz")
    dialog = play.dialog(HertzDialog)
    assert "N/m^1.5" in dialog.said.text()
    play.click(dialog.lines[0][0])
    play.write("25 mm")
    play.click(dialog.lines[1][0])
    play.write("-50 mm")
    play.click(dialog.lines[1][1])
    play.write("70")
    play.step("hertz")
    wanted = hertz_stiffness(Sphere(0.025, 2.1e11, 0.3), Sphere(-0.05, 7e10, 0.3))
    assert f"{wanted:.4g}" in dialog.said.text()
    play.click(dialog.take)
    law = document.project.contact_laws[0]
    assert (law.stiffness_n_per_mn, law.exponent) == (pytest.approx(wanted, rel=1e-12), 1.5)
    # the editor of the law has a button for it
    play.come_back()
    editor = window.panels["editor"].current
    play.click(editor.hertz)
    dialog = play.dialog(HertzDialog)
    play.click(dialog.lines[0][0])
    play.write("-25 mm")
    assert "hollow" in dialog.said.text()
    assert not dialog.take.isEnabled()
    dialog.reject()


def test_a_joint_gets_the_contour_of_measured_points(window: Any, play: Play) -> None:
    document = window.bench.document
    document.select("joints/wrist")
    play.choose("Stop contour of measured points")
    dialog = play.dialog(SinusDialog)
    assert not dialog.take.isEnabled()
    around = [2.0 * math.pi * k / 24 for k in range(24)]
    rows = [(80 * math.sin(0.6) * math.cos(a), 80 * math.sin(0.6) * math.sin(a), 80 * math.cos(0.6)) for a in around]  # fmt: skip
    # a level circle determines no sphere: its centre is said
    dialog.centre.setFocus()
    play.key(Qt.Key.Key_Down)
    play.click(dialog.points.viewport())
    dialog.points.setPlainText("1, 2\n")
    assert "Line 1" in dialog.said.text()
    dialog.points.setPlainText("\n".join(", ".join(f"{v:.6f}" for v in row) for row in rows))
    play.step("sinus")
    assert "24 points" in dialog.said.text()
    assert "80 mm" in dialog.said.text()
    play.click(dialog.take)
    contour = value_at(document.project, "joints/wrist/globographic/contour")
    assert isinstance(contour, PolynomialContour)
    assert contour.coefficients[0] == pytest.approx(0.6, abs=1e-6)
    assert value_at(document.project, "joints/wrist/globographic/torque") == "stop"
    play.come_back()
    document.select("")
    document.select("joints/wrist")
    play.click(window.panels["editor"].current.measured)
    play.dialog(SinusDialog).reject()


def test_both_poses_of_an_arm_are_listed_shown_and_taken_over(window: Any, play: Play) -> None:
    document = window.bench.document
    document.select("segments/lower")
    play.choose("All poses of it")
    dialog = play.dialog(PosesDialog)
    play.click(dialog.find_button)
    play.until(lambda: not dialog.is_busy)
    assert dialog.found is not None
    assert [one.starts > 20 for one in dialog.found.poses] == [True, True]
    elbows = [one.coordinates["elbow.angle"] for one in dialog.found.poses]
    assert sorted(elbows) == pytest.approx([-0.9, 0.9], abs=1e-9)
    click_row(play, dialog.table, elbows.index(min(elbows)))
    play.step("poses")
    assert "°" in dialog.table.topLevelItem(0).text(1)
    play.click(dialog.apply_button)
    start = {one.joint: one.values[0] for one in document.project.initial.joints}
    assert start["elbow"] == pytest.approx(-0.9, abs=1e-9)
    play.come_back()
    # too far away: no pose, and a sentence
    play.choose("All poses of it")
    dialog = play.dialog(PosesDialog)
    play.click(dialog.lines[2])
    play.write("2 m")
    play.until(lambda: not dialog.is_busy)
    play.click(dialog.find_button)
    play.until(lambda: not dialog.is_busy)
    assert "No pose meets this" in dialog.said.text()
    dialog.reject()


def test_what_no_joint_carries_has_no_poses(window: Any, play: Play) -> None:
    document = window.bench.document
    free = {"id": "free", "mass_kg": 1.0, "inertia_kgm2": [0.1] * 3}
    marker = {"id": "dot", "segment": "free", "point_m": [0.1, 0.0, 0.0]}
    data = document.project.model_dump()
    data |= {"segments": [*data["segments"], free], "markers": [marker]}
    document.replace(validated(data), "A marker on a free body", select=["markers/dot"])
    window.menus.run("place.poses")
    assert window.findChild(PosesDialog) is None
    assert point_of(document.project, "markers/dot") is None


def test_impacts_are_listed_with_what_they_took(window: Any, qtbot: Any, tmp_path: Path) -> None:
    file = tmp_path / "chain.json"
    file.write_text(json.dumps(chain(0.5, 0.2)), encoding="utf-8")
    solved(window, qtbot, file)
    play = Play(window, qtbot, "impacts")
    play.choose("list the impacts")
    dialog = play.dialog(ImpactsDialog)
    assert dialog.impacts
    first = dialog.impacts[0]
    click_row(play, dialog.table, 0)
    play.step("impacts")
    assert window.bench.run_view.player.time == pytest.approx(first.time, abs=1e-6)
    assert window.bench.document.selection == first.element
    row = dialog.table.topLevelItem(0)
    assert [row.text(k).split(" ", 1)[-1] for k in (0, 2, 3, 4, 5)] == [
        "ms",
        "N·s",
        "N·s",
        "J",
        "kg",
    ]
    assert float(row.text(4).split()[0]) == pytest.approx(first.loss, rel=5e-3)
    dialog.reject()
