"""A strap by two clicks: where anchors come to be, over what it is laid, and that it holds in a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from solver.base.places import samples
from solver.bodies.library.occupants import is_thigh, occupant
from solver.editing.strapping import bodies, laid_between, line_of, mirror_image, strapped, trunk
from solver.model.route import RouteError
from solver.project import Project, load_project, save_project
from solver.project.geometry import PointRef
from solver.scene.placing import in_ground, pose_at_start
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import body_of
from tests.rows import rows
from tests.window.belted import belted
from tests.window.waiting import until_active

LEFT = Qt.MouseButton.LeftButton
HIP = np.array([-0.12, 0.28, 0.1])


def bare(name: str = "frontal") -> Project:
    return load_project(samples() / f"{name}.json").model_copy(update={"harnesses": ()})


def beside(project: Project, *by: tuple[float, float, float]) -> list[PointRef]:
    """Give anchors on the vehicle at places counted from the middle of the hips."""
    pose = pose_at_start(project)
    hips, at = pose["driver_lower_torso"].p_W, pose["vehicle"]
    places = [at.R_WS.T @ (hips + np.array(one) - at.p_W) for one in by]
    return [PointRef(segment="vehicle", position_m=tuple(p.tolist())) for p in places]


@rows("file", sorted(samples().glob("*.json")), ids=lambda f: f.stem)
def test_a_trunk_is_hips_to_chest(file: Any) -> None:
    project = load_project(file)
    for root in bodies(project):
        names = trunk(project, root)
        assert names[0] == root
        if root.endswith("lower_torso"):
            ends = [name.removeprefix(root.removesuffix("lower_torso")) for name in names]
            printed = ["lower_torso", "centre_torso", "upper_torso"]
            flexible = [
                "lower_torso",
                "lumbar_1",
                "centre_torso",
                "lumbar_2",
                "lower_ribs",
                "upper_torso",
            ]
            assert ends in (printed, flexible)


@pytest.mark.parametrize(
    ("ends", "over", "name"),
    [
        (((-0.1, 0.28, 0.1), (-0.1, -0.28, 0.1)), {"lower_torso"}, "Lap belt"),
        (((-0.3, 0.25, -0.7), (0.0, -0.28, 0.1)), {"sternum"}, "Shoulder belt"),
    ],
)
def test_a_strap_runs_over_what_lies_between_and_through_nothing(
    ends: Any, over: set[str], name: str
) -> None:
    project = bare()
    start, end = beside(project, *ends)
    made = strapped(project, (), start, end)
    touched = {wrap.surface.segment.removeprefix("driver_") for wrap in made.found.wraps}
    assert over <= touched
    assert made.name == name
    pose, surfaces = pose_at_start(project), surfaces_of(project)
    line = line_of(made.project, made.project.harnesses[0].straps[0].points)
    who = occupant(project, "driver")
    assert who is not None
    # without a crease between crests and thighs it lies on the crests alone
    creased = {wrap.surface for wrap in made.found.wraps if is_thigh(wrap.surface)}
    for ref in (*who.under_strap("lower_torso"), *who.under_strap("upper_torso")):
        if is_thigh(ref) and ref not in creased:
            continue
        body = body_of(surfaces[ref.segment, ref.surface], ref.segment, pose)
        deep = (np.abs((line - body.p_W) @ body.R_WE / body.axes) ** body.powers).sum(axis=1)
        assert deep.min() > 0.96
    # pelvis and belly give way by their own laws, the belly at one point
    points = made.project.harnesses[0].straps[0].points
    on = [(p.surface.segment, p.flesh) for p in points if p.kind == "surface"]
    assert all(flesh == who.flesh_of(segment) for segment, flesh in on)
    assert ("driver_lower_torso", "driver_belt_flesh") in on or name != "Lap belt"
    assert sum(segment == "driver_centre_torso" for segment, _ in on) <= 1
    # it lies before the body
    ahead = pose["driver_lower_torso"].R_WS[:, 0]
    assert (line[1:-1] @ ahead).max() > (line[[0, -1]] @ ahead).max() + 0.1


def test_the_plane_of_a_strap_can_be_turned() -> None:
    project = bare()
    start, end = beside(project, (-0.1, 0.28, 0.1), (-0.1, -0.28, 0.1))
    flat, turned = (laid_between(project, start, end, turn) for turn in (0.0, 0.1))
    assert turned.angle_rad == pytest.approx(flat.angle_rad + 0.1)


def test_the_mirror_image_of_an_anchor_is_on_the_other_side() -> None:
    project = bare()
    (anchor,) = beside(project, (-0.1, 0.28, 0.1))
    image = mirror_image(project, anchor)
    assert image is not None
    pose = pose_at_start(project)
    at = pose["driver_lower_torso"]
    own = [at.R_WS.T @ (in_ground(pose, p.segment, p.position_m) - at.p_W) for p in (anchor, image)]
    assert own[1] == pytest.approx(own[0] * (1.0, -1.0, 1.0), abs=2e-5)


def test_where_nobody_is_there_is_no_strap() -> None:
    empty = bare().model_copy(update={"segments": (), "joints": (), "initial": bare().initial})
    points = [PointRef(segment="ground", position_m=(0.0, y, 0.0)) for y in (-0.3, 0.3)]
    with pytest.raises(RouteError, match="no body"):
        laid_between(empty.model_copy(update={"motions": ()}), *points)


@pytest.fixture
def sits(window: Any) -> Any:
    """Open a driver without belts."""
    window.open_file(samples() / "frontal.json")
    window.bench.document.delete(["harnesses/driver_three_point_belt"])
    window.bench.viewport.grab()
    window.activateWindow()
    until_active(window)
    window.bench.viewport.setFocus()
    return window


def seen(window: Any, *by: float) -> QPoint:
    """Give the pixel of a place counted from the middle of the hips."""
    hips = pose_at_start(window.bench.document.project)["driver_lower_torso"].p_W
    x, y = window.bench.viewport.lens.pixel(hips + np.array(by))
    return QPoint(round(x), round(y))


def point_at(window: Any, qtbot: Any, where: QPoint) -> None:
    """Move the mouse there, and wait until the tool has seen it: the display reports it when it likes."""
    tool = window.features["placing"].strapping
    before = tool._here
    QTest.mouseMove(window.bench.viewport, where)
    qtbot.waitUntil(lambda: tool._here != before, timeout=20_000)


@pytest.mark.window
def test_two_clicks_belt_a_person_and_the_belt_holds(sits: Any, qtbot: Any) -> None:
    document, view, tool = (
        sits.bench.document,
        sits.bench.viewport,
        sits.features["placing"].strapping,
    )
    before, steps = document.project, document.history.count()
    sits.menus.run("place.strap")
    assert sits.features["placing"].move.grips == ()
    QTest.mouseClick(view, LEFT, pos=seen(sits, *HIP))
    assert tool.first is not None
    assert document.project is before
    other = seen(sits, -0.12, -0.28, 0.1)
    point_at(sits, qtbot, other)
    (shown,) = [item for item in view.stage.items if item.shape.kind == "belt"]
    assert "length" in tool._words()
    QTest.mouseClick(view, LEFT, pos=other)
    assert not tool.is_on
    assert document.history.count() == steps + 1
    assert document.history.undoText() == "Add Lap belt"
    assert document.selection == "harnesses/lap_belt"
    assert sits.features["placing"].move.grips, "its anchors can be dragged at once"
    (strap,) = document.project.harnesses[0].straps
    assert [p.kind for p in strap.points][:: len(strap.points) - 1] == ["anchor", "anchor"]
    assert {p.surface.segment for p in strap.points[1:-1]} == {"driver_lower_torso"}
    pose = pose_at_start(document.project)
    ends = [in_ground(pose, p.segment, p.position_m) for p in (strap.points[0], strap.points[-1])]
    sides = [(end - pose["driver_lower_torso"].p_W)[1] for end in ends]
    assert sides[0] * sides[1] < 0.0
    (item,) = [item for item in view.stage.items if item.shape.kind == "belt"]
    assert np.allclose(item.mesh.points, shown.mesh.points, atol=1e-3)
    document.edit("runs/0/duration_s", 0.05, "Shorten")
    sits.bench.run_view.run()
    qtbot.waitUntil(lambda: sits.bench.run_view.runs.running() is None, timeout=240_000)
    record = sits.bench.run_view.runs.current
    assert record.status == "completed", record.message
    assert record.trajectory.table("harnesses")["tension"].max() > 200.0
    sits.features["elements"].undo()
    sits.features["elements"].undo()
    assert document.project == before


@pytest.mark.window
def test_enter_takes_the_mirror_image_and_arrows_turn_the_strap(sits: Any) -> None:
    view, tool, document = (
        sits.bench.viewport,
        sits.features["placing"].strapping,
        sits.bench.document,
    )
    QTest.keyClick(view, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    assert tool.is_on
    QTest.mouseClick(view, LEFT, pos=seen(sits, *HIP))
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Up)
    QTest.keyClick(view, Qt.Key.Key_Return)
    (strap,) = document.project.harnesses[0].straps
    image = mirror_image(document.project, PointRef(segment=strap.points[0].segment, position_m=strap.points[0].position_m))  # fmt: skip
    assert image is not None
    assert strap.points[-1].position_m == image.position_m
    flat = strapped(bare(), (), *(PointRef(segment=p.segment, position_m=p.position_m) for p in (strap.points[0], strap.points[-1])))  # fmt: skip
    assert flat.project.harnesses[0].straps[0].points != strap.points, "it was turned"


@pytest.mark.window
def test_a_drag_turns_the_view_and_esc_leaves_everything(sits: Any, qtbot: Any) -> None:
    document, view, tool = (
        sits.bench.document,
        sits.bench.viewport,
        sits.features["placing"].strapping,
    )
    document.select("segments/driver_lower_torso")
    before, steps = document.project, document.history.count()
    sits.menus.run("place.strap")
    azimuth = view.lens.camera.azimuth
    start = seen(sits, *HIP)
    QTest.mousePress(view, LEFT, pos=start)
    for k in range(1, 5):
        QTest.mouseMove(view, start + QPoint(10 * k, 0))
    QTest.mouseRelease(view, LEFT, pos=start + QPoint(40, 0))
    assert view.lens.camera.azimuth != azimuth
    assert tool.first is None
    QTest.mouseClick(view, LEFT, pos=seen(sits, *HIP))
    point_at(sits, qtbot, seen(sits, -0.12, -0.28, 0.1))
    assert any(item.shape.kind == "belt" for item in view.stage.items)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not tool.is_on
    assert not any(item.shape.kind == "belt" for item in view.stage.items)
    assert document.project is before
    assert document.history.count() == steps
    assert sits.features["placing"].move.grips
    QTest.mouseClick(view, LEFT, pos=view.pixel_of("segments/driver_head").toPoint())
    assert document.selection == "segments/driver_head", "a click selects again"


@pytest.mark.window
def test_an_anchor_is_taken_from_another_strap_and_the_strap_joins_its_harness(
    window: Any, tmp_path: Path
) -> None:
    save_project(belted(), tmp_path / "belted.json")
    window.open_file(tmp_path / "belted.json")
    window.bench.viewport.grab()
    document, view, tool = (
        window.bench.document,
        window.bench.viewport,
        window.features["placing"].strapping,
    )
    belt = "harnesses/driver_three_point_belt"
    document.select(belt)
    lap = document.project.harnesses[0].straps[0]
    pose = pose_at_start(document.project)
    window.menus.run("place.strap")
    for point in (lap.points[0], lap.points[-1]):
        x, y = view.lens.pixel(in_ground(pose, point.segment, point.position_m))
        QTest.mouseClick(view, LEFT, pos=QPoint(round(x) + 3, round(y) - 2))
    assert document.selection == belt
    new = document.project.harnesses[0].straps[-1]
    assert len(document.project.harnesses[0].straps) == 3
    assert (new.points[0].position_m, new.points[-1].position_m) == (lap.points[0].position_m, lap.points[-1].position_m)  # fmt: skip
    assert new.law == lap.law or new.law in {law.id for law in document.project.contact_laws}
    assert not tool.is_on


@pytest.mark.window
def test_a_strap_that_cannot_be_laid_says_why_and_waits(sits: Any, qtbot: Any) -> None:
    document, view, tool = (
        sits.bench.document,
        sits.bench.viewport,
        sits.features["placing"].strapping,
    )
    before = document.project
    sits.menus.run("place.strap")
    QTest.mouseClick(view, LEFT, pos=seen(sits, *HIP))
    point_at(sits, qtbot, seen(sits, -0.12, -0.28, 0.1))
    for _ in range(12):
        # over the iliac crests, and beyond
        QTest.keyClick(view, Qt.Key.Key_Up)
    QTest.mouseClick(view, LEFT, pos=seen(sits, -0.12, -0.28, 0.1))
    assert tool.is_on
    assert document.project is before
    assert sits.status.words.text() == tool._excuse != ""
