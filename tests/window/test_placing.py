"""Place by hand in a real window: drag handles, type numbers, leave it, take it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.editing.grips import grips
from app.scene.handles import Part
from solver.base.places import samples
from solver.project import save_project
from solver.scene.placing import pose_at_start
from tests.window.belted import belted
from tests.window.waiting import until_active

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton


def at(pixel: Any) -> QPoint:
    return QPoint(round(float(pixel[0])), round(float(pixel[1])))


def drag(view: Any, start: QPoint, by: QPoint, keys: Any = None, release: bool = True) -> None:
    keys = Qt.KeyboardModifier.NoModifier if keys is None else keys
    QTest.mouseMove(view, start)
    QTest.mousePress(view, LEFT, keys, start)
    for k in range(1, 5):
        QTest.mouseMove(view, start + by * k / 4)
    if release:
        QTest.mouseRelease(view, LEFT, keys, start + by)


def handle(window: Any, part: Part) -> QPoint:
    handles = window.features["placing"].move.holding.handles()
    return at(handles.point_of(part, window.bench.viewport.lens))


@pytest.fixture
def placed(window: Any, seated_file: Any) -> Any:
    window.open_file(seated_file)
    window.bench.viewport.grab()
    return window


def test_the_lens_sees_what_vtk_draws(placed: Any) -> None:
    view = placed.bench.viewport
    for parallel in (False, True):
        view.set_parallel(parallel)
        for element in ("joints/knee_r", "joints/shoulder_l", "joints/neck_top"):
            seen = view.pixel_of(element)
            grip = placed.features["placing"].move
            placed.bench.document.select(element)
            found = view.lens.pixel(grip.grip.p_W)
            assert np.allclose(found, [seen.x(), seen.y()], atol=1.5)


def test_an_anchor_is_dragged_along_an_axis_as_one_step(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    document.select("belts/lap")
    before = document.project
    drag(view, handle(placed, Part("axis", 2)), QPoint(0, -60))
    old, new = before.belts[0].anchor_a.position_m, document.project.belts[0].anchor_a.position_m
    assert new[2] < old[2] - 0.05
    assert new[:2] == old[:2]
    assert document.history.count() == 1
    assert document.history.undoText() == "Move Anchor A of Lap belt"
    placed.features["elements"].undo()
    assert document.project == before


def test_the_scene_follows_a_drag_and_esc_leaves_it(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    document.select("segments/pelvis")
    before, was = document.project, view.pixel_of("segments/head")
    drag(view, handle(placed, Part("axis", 0)), QPoint(60, 10), release=False)
    assert view.pixel_of("segments/head").x() > was.x() + 30
    assert document.project is before
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=QPoint(60, 60))
    assert document.project is before
    assert document.history.count() == 0
    assert abs(view.pixel_of("segments/head").x() - was.x()) < 1.5


def test_keys_move_and_turn_by_typed_numbers(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    document.select("segments/pelvis")
    placed.activateWindow()
    until_active(placed)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_G)
    assert placed.features["placing"].move.operation is not None
    for key in "z-12.5":
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_Return)
    root = next(r for r in document.project.initial.roots if r.segment == "pelvis")
    assert root.position_m == pytest.approx((0.0, 0.0, -0.0125))
    assert document.history.undoText() == "Move Pelvis"
    QTest.keyClick(view, Qt.Key.Key_R)
    for key in "y10":
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_Return)
    turned = next(a for a in document.project.initial.attitudes if a.segment == "pelvis")
    assert turned.orientation.angles_rad[1] == pytest.approx(0.25 + np.radians(10.0), abs=1e-6)
    assert document.history.count() == 2
    # digits are views again once nothing is moved
    QTest.keyClick(view, Qt.Key.Key_1)
    assert view.lens.camera.azimuth == 0.0


def test_ctrl_snaps(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    document.select("planes/floor")
    before = np.array(document.project.planes[2].placement.p1_m)
    drag(view, handle(placed, Part("axis", 0)), QPoint(47, 13), Qt.KeyboardModifier.ControlModifier)
    went = np.array(document.project.planes[2].placement.p1_m) - before
    assert went[0] > 0.02
    assert np.allclose(went / 0.01, np.round(went / 0.01), atol=1e-6)
    assert np.allclose(went[1:], 0.0)


def test_with_shift_as_well_it_ends_on_the_grid(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    document.select("planes/floor")
    ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    first = np.array(document.project.planes[2].placement.p1_m)
    drag(view, handle(placed, Part("axis", 0)), QPoint(13, 3))
    middle = placed.features["placing"].move.grip.p_W[0]
    start = handle(placed, Part("axis", 0))
    drag(view, start, QPoint(47, 13), ctrl, release=False)
    QTest.mouseRelease(view, LEFT, ctrl | shift, start + QPoint(47, 13))
    end = placed.features["placing"].move.grip.p_W[0]
    assert np.array(document.project.planes[2].placement.p1_m)[0] > first[0] + 0.02
    assert abs(middle / 0.01 - round(middle / 0.01)) > 1e-3
    assert end / 0.01 == pytest.approx(round(end / 0.01), abs=1e-4)


def test_a_corner_is_taken_by_its_dot(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    document.select("planes/floor")
    grip = next(g for g in placed.features["placing"].move.grips if g.path == "corner/2")
    before = document.project.planes[2].placement
    drag(view, at(view.lens.pixel(grip.p_W)), QPoint(25, 5))
    after = document.project.planes[2].placement
    assert after.p2_m != before.p2_m
    assert (after.p1_m, after.p3_m) == (before.p1_m, before.p3_m)
    assert after.p2_m[2] == pytest.approx(before.p2_m[2], abs=1e-5)


def test_tab_goes_from_point_to_point_and_on_to_the_next_panel(placed: Any) -> None:
    placed.bench.document.select("harnesses/shoulder")
    tool, view = placed.features["placing"].move, placed.bench.viewport
    placed.activateWindow()
    until_active(placed)
    view.setFocus()
    titles = []
    for _ in tool.grips:
        titles.append(tool.grip.title)
        QTest.keyClick(view, Qt.Key.Key_Tab)
    assert titles == ["Anchor 1", "Point 2", "Point 3", "Point 4", "Point 5", "Anchor 6"]
    assert not view.hasFocus(), "after the last point Tab leaves the scene"
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    assert view.hasFocus()
    assert tool.grip.title == "Anchor 6"
    for _ in tool.grips:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    assert not view.hasFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert view.hasFocus()
    assert tool.grip.title == "Anchor 1"


def test_a_click_beside_the_handles_still_selects(placed: Any) -> None:
    placed.bench.document.select("belts/lap")
    there = placed.bench.viewport.pixel_of("segments/head")
    QTest.mouseClick(placed.bench.viewport, LEFT, pos=there.toPoint())
    assert placed.bench.document.selection == "segments/head"


def test_a_strap_dragged_by_its_anchor_is_laid_anew_and_tells_its_length(
    window: Any, tmp_path: Path
) -> None:
    save_project(belted(), tmp_path / "belted.json")
    window.open_file(tmp_path / "belted.json")
    document, view, tool = (
        window.bench.document,
        window.bench.viewport,
        window.features["placing"].move,
    )
    document.select("harnesses/driver_three_point_belt")
    # the first grip carries the handles: another is taken by its dot
    tool.next_grip()
    grip = next(g for g in tool.grips if g.path == "straps/0/points/0")
    before = document.project
    start = at(view.lens.pixel(grip.p_W))
    drag(view, start, QPoint(-24, -12), release=False)
    seen = next(i for i in view.stage.items if i.shape.part == "lap").mesh
    assert document.project is before
    assert "mm longer" in tool._words(tool.operation, view.lens)
    assert "lap" not in tool._words(tool.operation, view.lens), "it is the only one that is told"
    QTest.mouseRelease(view, LEFT, pos=start + QPoint(-24, -12))
    old, new = before.harnesses[0], document.project.harnesses[0]
    assert new.straps[1] == old.straps[1]
    lap, was = new.straps[0].points, old.straps[0].points
    assert 0.005 < np.linalg.norm(np.subtract(lap[0].position_m, was[0].position_m)) < 0.3
    assert (lap[-1], len(lap)) == (was[-1], len(was))
    assert all(one.position_m != other.position_m for one, other in zip(lap[1:-1], was[1:-1], strict=True))  # fmt: skip
    item = next(i for i in view.stage.items if i.shape.part == "lap")
    assert np.allclose(item.mesh.points, seen.points, atol=2e-4), "what was seen is what stands"
    assert document.history.count() == 1
    window.features["elements"].undo()
    assert document.project == before


def test_a_strap_is_laid_anew_by_a_command(window: Any) -> None:
    window.open_file(samples() / "sled.json")
    document = window.bench.document
    entry = window.menus.entries["place.lay"]
    window.menus.refresh()
    assert not entry.isEnabled(), "nothing is selected"
    document.select("harnesses/harness")
    assert window.menus.entries["place.lay"].isEnabled()
    before = document.project
    window.menus.run("place.lay")
    assert document.history.undoText() == "Lay Lap and shoulder harness again"
    assert document.project.harnesses[0].straps[0].points != before.harnesses[0].straps[0].points
    assert "is laid again: lap " in window.status.words.text()
    window.features["elements"].undo()
    assert document.project == before


def test_alt_puts_what_is_moved_onto_points_and_surfaces(placed: Any) -> None:
    """An anchor goes to the very place of another point, and onto the seat where the mouse is over it; what it goes onto is said."""
    document, view = placed.bench.document, placed.bench.viewport
    tool = placed.features["placing"].move
    document.select("belts/lap")
    before = document.project
    start = handle(placed, Part("free"))
    corner = next(g for g in grips(before, pose_at_start(before), "planes/seat") if g.path == "corner/2")  # fmt: skip
    drag(view, start, QPoint(10, 10), release=False)
    move(view, at(view.lens.pixel(corner.p_W)))
    assert tool.operation.onto == f"{corner.title} of Seat cushion"
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.AltModifier, at(view.lens.pixel(corner.p_W)))
    anchor = document.project.belts[0].anchor_a
    place = pose_at_start(document.project)[anchor.segment].of(anchor.position_m)
    assert place == pytest.approx(corner.p_W, abs=1e-5)
    assert document.history.count() == 1
    document.undo()
    assert document.project == before

    # level with the corner along one axis alone
    drag(view, handle(placed, Part("axis", 2)), QPoint(0, 10), release=False)
    move(view, at(view.lens.pixel(corner.p_W)))
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.AltModifier, at(view.lens.pixel(corner.p_W)))
    old, new = before.belts[0].anchor_a.position_m, document.project.belts[0].anchor_a.position_m
    assert new[:2] == old[:2]
    anchor = document.project.belts[0].anchor_a
    place = pose_at_start(document.project)[anchor.segment].of(anchor.position_m)
    assert place[2] == pytest.approx(corner.p_W[2], abs=1e-5)
    document.undo()

    head = view.pixel_of("segments/head")
    drag(view, handle(placed, Part("free")), QPoint(10, 10), release=False)
    move(view, head.toPoint() + QPoint(0, -12))
    assert tool.operation.onto == "surface of Head"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=QPoint(60, 60))
    assert document.project == before


def move(view: Any, there: QPoint) -> None:
    """Move the mouse with Alt held."""
    where = QPointF(there)
    event = QMouseEvent(QEvent.Type.MouseMove, where, QPointF(view.mapToGlobal(there)), Qt.MouseButton.NoButton, LEFT, Qt.KeyboardModifier.AltModifier)  # fmt: skip
    QApplication.sendEvent(view, event)
