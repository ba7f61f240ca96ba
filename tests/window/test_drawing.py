"""Drawing stays quick by what it does: few actors, one picture a turn, points as fine as seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.look import LIGHT
from app.scene import batch
from app.scene.batch import LEVELS, Batch, Piece, enough
from app.scene.drawn import Drawn
from app.scene.exposure import SHIFTS, Exposure
from app.scene.key import NO_KEY, Key
from app.scene.lens import Lens, OrbitCamera
from app.scene.picking import Sight, all_at
from app.scene.stage import Stage
from solver.engine.maths.rotation import about_axis
from solver.project import Project, validated
from solver.project.pose import Placed
from solver.scene.meshes import body, faceted, outline, sheet
from solver.scene.placing import Stretched
from solver.scene.shapes import Shape
from tests.window.seated import seated

pytestmark = pytest.mark.one_window
DRAWS_FINELY = True

HERE = Placed(np.eye(3), np.zeros(3))
TOWARDS = np.array([0.0, 0.0, 1.0])


def crowd(count: int) -> Project:
    """Make a project of many bodies that touch nothing."""
    surface = {"id": "s", "kind": "ellipsoid", "semi_axes_m": [0.1, 0.08, 0.2]}
    own = next(one for one in seated()["segments"] if one["id"] == "head")
    segments = [
        {**own, "id": f"b{n}", "name": f"B{n}", "surfaces": [surface]} for n in range(count)
    ]
    roots = [
        {"segment": f"b{n}", "position_m": [0.3 * (n % 8), 0.3 * (n // 8), 0.0]}
        for n in range(count)
    ]
    data = {key: seated()[key] for key in ("format", "schema_version")}
    return validated({**data, "segments": segments, "initial": {"roots": roots}})


@pytest.fixture
def view(window: Any, qtbot: Any) -> Any:
    window.bench.document.adopt(validated(seated()))
    qtbot.waitUntil(lambda: window.bench.viewport.picture.is_fine, timeout=20_000)
    return window.bench.viewport


@pytest.mark.window
def test_actors_do_not_grow_with_the_segments() -> None:
    counts = []
    for project in (crowd(2), crowd(40)):
        stage = Stage(LIGHT)
        exposure = Exposure(stage)
        stage.show(project)
        stage.look("iso", 1.5)
        exposure.snap(300, 200)
        counts.append(stage.renderer.VisibleActorCount() + stage.overlay.VisibleActorCount())
        exposure.close()
    assert counts[0] == counts[1]


@pytest.mark.window
def test_however_much_changes_in_a_turn_one_picture_is_drawn(window: Any, view: Any) -> None:
    # on a busy machine the finer picture would be due in the same turn
    view.follow(True)
    before = view.picture.drawn
    window.bench.document.select("segments/head")
    window.bench.document.edit("segments/head/mass_kg", 4.0, "mass")
    view.camera().orbit(5.0, 0.0)
    window.bench.document.select("segments/neck")
    QApplication.processEvents()
    assert view.picture.drawn == before + 1
    view.repaint()
    assert view.picture.drawn == before + 1, "nothing has changed since"
    view.follow(False)


@pytest.mark.window
def test_motion_is_drawn_plainly_and_rest_finely(window: Any, view: Any, qtbot: Any) -> None:
    screen = view.picture
    for step in range(4):
        at = QPoint(200 + 20 * step, 200)
        (QTest.mouseMove if step else QTest.mousePress)(view, *(() if step else (Qt.MouseButton.LeftButton,)), pos=at)  # fmt: skip
        view.repaint()
    before = screen.drawn
    assert not screen.is_fine
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(260, 200))
    qtbot.waitUntil(lambda: screen.is_fine, timeout=20_000)
    assert screen.drawn - before in (len(SHIFTS), len(SHIFTS) + 1), "one more where it was coarse"
    assert screen._image.height() == round(view.height() * view.devicePixelRatioF())
    window.bench.document.select("segments/neck")
    assert not screen.is_fine


@pytest.mark.window
def test_a_coarse_picture_has_all_its_pixels_before_it_is_fine(view: Any, qtbot: Any) -> None:
    screen = view.picture
    screen.coarseness = 2.0
    screen.refresh_quickly()
    view.repaint()
    full = round(view.height() * view.devicePixelRatioF())
    assert screen._image.height() == pytest.approx(full / screen.coarseness, abs=full / 4.0)
    before = screen.drawn
    qtbot.waitUntil(lambda: screen._image.height() == full, timeout=20_000)
    assert screen.drawn == before + 1, "one picture after the rest has come"
    assert not screen.is_fine
    qtbot.waitUntil(lambda: screen.is_fine, timeout=20_000)


@pytest.mark.window
def test_pictures_in_turn_are_those_that_were_asked_for_one_turn_later() -> None:
    stage = Stage(LIGHT)
    exposure = Exposure(stage)
    stage.show(crowd(3))
    stage.look("iso", 1.5)
    exposure.snap(90, 60, quick=True)
    alone = []
    for _ in range(3):
        stage.camera.orbit(40.0, 0.0)
        alone.append(exposure.snap(90, 60, quick=True).copy())
    assert not np.array_equal(alone[0], alone[1])
    stage.camera.orbit(-120.0, 0.0)
    shown = []
    for width in (90, 90, 60, 90):
        stage.camera.orbit(40.0, 0.0)
        taken = exposure.turn(width, 60)
        shown.append(taken if taken is None else taken.copy())
    assert shown[0] is None, "nothing was begun before"
    assert np.array_equal(shown[1], alone[0])
    assert np.array_equal(shown[2], alone[1])
    assert shown[3].shape == (60, 60, 4), "it has the size in which it was begun"
    assert exposure.is_turning
    exposure.snap(90, 60)
    assert not exposure.is_turning, "another picture was drawn over it"
    assert exposure.turn(90, 60) is None
    exposure.close()


@pytest.mark.window
def test_while_pictures_flow_each_is_drawn_once_and_at_the_end_the_present_one_is_seen(
    view: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, stage = view.picture, view.stage
    monkeypatch.setattr("app.scene.screen.coarser", lambda now, *_: now)
    view.flow(True)
    before = screen.drawn
    for n in range(4):
        stage.overlays.key = Key(note=str(n))
        view.camera().orbit(5.0, 0.0)
        view._refresh_quickly()
        view.repaint()
        assert screen.drawn == before + n + 1, "one picture for each"
        assert not n or screen.key.note == str(n - 1), "what is written belongs to what is seen"
        view.repaint()
        assert screen.drawn == before + n + 1, "nothing has changed since"
    view.flow(False)
    view.repaint()
    assert (screen.drawn, screen.key.note) == (before + 5, "3")
    present = screen._image.copy()
    screen.refresh()
    view.repaint()
    assert screen._image == present
    view.flow(True)
    view.refresh()
    view.repaint()
    assert screen.key is stage.overlays.key, "anyone who changes something else sees it at once"
    view.flow(False)
    stage.overlays.key = NO_KEY


@pytest.mark.window
def test_what_is_shown_stays_while_the_next_picture_is_drawn(view: Any) -> None:
    screen = view.picture
    screen.coarseness = 2.0
    screen.refresh_quickly()
    view.grab()
    shown = screen._image.copy()
    screen._refine()
    assert screen._image == shown, "a finer picture is begun in other memory"


@pytest.mark.window
def test_a_picture_that_is_kept_is_fine_at_once(view: Any) -> None:
    view.look("side")
    assert not view.picture.is_fine
    view.settle()
    assert view.picture.is_fine


@pytest.mark.window
def test_a_fine_picture_is_the_mean_of_plain_ones_and_nearer_to_the_truth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batch, "LEVELS", (96, 96))
    stage = Stage(LIGHT)
    exposure = Exposure(stage)
    try:
        stage.show(crowd(1))
        stage.look("side", 1.5)
        plain = exposure.snap(240, 160)[..., :3].astype(float)
        assert [exposure.add(240, 160) is None for _ in SHIFTS] == [True] * 7 + [False]
        assert exposure.add(120, 80) is None
        # a view that has become larger meanwhile begins again
        assert [exposure.add(240, 160) is None for _ in SHIFTS] == [True] * 7 + [False]
        fine = exposure.fine(240, 160)[..., :3].astype(float)
        large = exposure.snap(8 * 240, 8 * 160)[..., :3].astype(float)
    finally:
        exposure.close()
    true = large.reshape(160, 8, 240, 8, 3).mean(axis=(1, 3))
    off, rough = (np.abs(each - true) for each in (fine, plain))
    steps = rough > 40.0
    assert steps.sum() > 100, "plain pictures have steps"
    assert off[steps].mean() < 0.35 * rough[steps].mean()


@given(st.lists(st.floats(0.1, 3000.0), min_size=1, max_size=5))
def test_outlines_lie_within_half_a_pixel(radii: list[float]) -> None:
    for radius, n in zip(radii, enough(np.array(radii), [0] * len(radii)), strict=True):
        off = radius * (1.0 - np.cos(np.pi / n))
        assert off <= 0.51 or n == LEVELS[-1]


def test_a_slow_zoom_changes_few_meshes() -> None:
    now, changes = [0], 0
    for radius in np.geomspace(20.0, 200.0, 200):
        after = enough(np.array([radius]), now)
        changes, now = changes + (after != now), after
    assert changes <= 5
    assert enough(np.array([20.0]), [96]) != [96], "far too fine is not kept"


def test_long_bodies_have_fewer_points_around_than_along() -> None:
    slim = body((0.05, 0.3, 0.04), around=12, along=32)
    unit = slim.points / (0.05, 0.3, 0.04)
    assert np.linalg.norm(unit, axis=1) == pytest.approx(1.0)
    assert len(slim.points) == 12 * 15 + 2
    assert np.abs(slim.points[:, 1]).max() == pytest.approx(0.3), "its ends are points"
    normals = faceted(slim).normals
    assert slim.normals is not None
    assert normals is not None
    assert (normals.reshape(-1, 3, 3)[:, 0] * slim.normals[slim.faces].mean(axis=1)).sum(axis=1).min() > 0.0  # fmt: skip


def made(pieces: list[Piece], style: Any = "solid") -> Batch:
    batch = Batch(vtkRenderer(), style)
    batch.show(pieces, TOWARDS)
    return batch


def points_of(batch: Batch) -> Any:
    data = batch.actor.GetMapper().GetInput()
    found = np.array([data.GetPoint(i) for i in range(data.GetNumberOfPoints())])
    matrix = batch.actor.GetMatrix()
    whole = np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])
    return found @ whole[:3, :3].T + whole[:3, 3]


def test_pieces_are_drawn_where_they_are_and_moved_alone() -> None:
    ball = body((0.1, 0.2, 0.3), around=8)
    away = Placed(about_axis("x", 0.5), np.array([1.0, 2.0, 3.0]))
    pieces = [Piece(ball, HERE, (255, 0, 0, 255)), Piece(ball, away, (0, 255, 0, 255))]
    batch = made(pieces)
    both = np.vstack([ball.points, ball.points @ away.R_WS.T + away.p_W])
    assert points_of(batch) == pytest.approx(both, abs=1e-6)
    data = batch.actor.GetMapper().GetInput()
    moved = Placed(np.eye(3), np.array([0.0, 0.0, 5.0]))
    batch.show([pieces[0], Piece(ball, moved, (0, 0, 255, 255))], TOWARDS)
    assert batch.actor.GetMapper().GetInput() is data, "it was written, not made again"
    assert points_of(batch)[len(ball.points) :] == pytest.approx(ball.points + moved.p_W, abs=1e-6)
    colours = data.GetPointData().GetScalars()
    assert colours.GetTuple(0) == (255, 0, 0, 255)
    assert colours.GetTuple(len(ball.points)) == (0, 0, 255, 255)
    batch.show([], TOWARDS)
    assert not batch.actor.GetVisibility()


def test_what_rides_with_the_carrier_is_not_written_again() -> None:
    big, small = body((0.1, 0.2, 0.3), around=24), body((0.1, 0.1, 0.1), around=8)
    first, away = Placed(about_axis("x", 0.5), np.array([1.0, 2.0, 3.0])), HERE
    batch = made([Piece(big, first, (9, 9, 9, 255)), Piece(small, away, (9, 9, 9, 255))])
    written = batch._points[: len(big.points)].copy()
    batch._points[: len(big.points)] = 0.0
    then = Placed(about_axis("z", 0.2), np.array([4.0, 2.0, 3.0]))
    pieces = [Piece(big, then, (9, 9, 9, 255)), Piece(small, away, (9, 9, 9, 255))]
    batch.show(pieces, TOWARDS)
    assert not batch._points[: len(big.points)].any(), "its points are written once"
    batch._points[: len(big.points)] = written
    both = np.vstack([big.points @ then.R_WS.T + then.p_W, small.points])
    assert points_of(batch) == pytest.approx(both, abs=1e-5)


def test_far_from_the_origin_points_keep_their_digits() -> None:
    ball = body((0.1, 0.1, 0.1), around=8)
    far = Placed(np.eye(3), np.array([50_000.0, 0.0, -9_000.0]))
    batch = made([Piece(ball, far, (255, 0, 0, 255))])
    matrix = batch.actor.GetMatrix()
    own = np.array([matrix.GetElement(i, 3) for i in range(3)])
    assert points_of(batch) - far.p_W == pytest.approx(ball.points, abs=2e-5)
    assert np.abs(own - far.p_W).max() <= 50.0


def test_stretched_bags_keep_normals_across_their_surface() -> None:
    ball = body((0.1, 0.1, 0.1), around=12)
    A = np.diag([1.0, 2.0, 4.0]) @ about_axis("z", 0.3)
    batch = made([Piece(ball, Stretched(A, np.zeros(3)), (255, 0, 0, 255))])
    data = batch.actor.GetMapper().GetInput().GetPointData().GetNormals()
    normals = np.array([data.GetTuple(i) for i in range(len(ball.points))])
    back = np.linalg.inv(A)
    # across the surface |back x| = 0.1 its square grows fastest
    true = ball.points @ A.T @ back.T @ back
    for each in (normals, true):
        each /= np.linalg.norm(each, axis=1, keepdims=True)
    assert normals == pytest.approx(true, abs=1e-5)


def test_clear_faces_are_drawn_from_the_farthest_to_the_nearest() -> None:
    square = faceted(sheet(np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])), 0.4)
    places = [Placed(np.eye(3), np.array([0.0, 0.0, z])) for z in (1.0, -2.0, 0.0)]
    batch = made([Piece(square, at, (255, 0, 0, 80)) for at in places], "clear")

    def depths() -> Any:
        data, points = batch.actor.GetMapper().GetInput(), points_of(batch)
        rows = [data.GetCell(i).GetPointIds() for i in range(data.GetNumberOfCells())]
        return [points[[row.GetId(k) for k in range(3)]].mean(axis=0)[2] for row in rows]

    assert depths() == sorted(depths())
    batch.show(batch._pieces, -TOWARDS)
    assert depths() == sorted(depths(), reverse=True)


def test_sheets_are_drawn_in_pieces_and_outlines_hold_only_lines() -> None:
    whole = sheet(np.zeros(3), np.array([3.0, 0, 0]), np.array([0, 2.0, 0]))
    pieces = faceted(whole, 0.5)
    corners = pieces.points[pieces.faces]
    sizes = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)  # fmt: skip
    assert 0.5 * sizes.sum() == pytest.approx(6.0)
    assert np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max() <= 0.5
    assert outline(whole).points == pytest.approx(whole.points[[0, 1, 2, 3, 0]])


@pytest.fixture
def lens() -> Lens:
    camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
    camera.fit(np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]), 1.5)
    return Lens(camera, 600.0, 400.0)


def item(kind: Any, mesh: Any, at: Placed = HERE, name: str = "x/y") -> Drawn:
    return Drawn(Shape(name, kind, "ground", mesh), at)


def test_what_is_met_lies_on_the_surface_and_before_everything_else(lens: Lens) -> None:
    axes = (0.3, 0.2, 0.4)
    near = item("body", body(axes), Placed(about_axis("y", 0.4), np.zeros(3)), "near/a")
    behind = item("body", body(axes), Placed(np.eye(3), -2.0 * lens.camera.axes()[2]), "far/b")
    pixel = lens.pixel(np.array([0.05, 0.02, 0.1]))
    found = all_at([behind, near], Sight.at(lens, *pixel))
    first = min(found, key=lambda one: one.hit.away)
    assert first.element == "near/a"
    own = near.at.R_WS.T @ first.hit.place / axes
    assert np.linalg.norm(own) == pytest.approx(1.0, abs=5e-3)
    assert lens.pixel(first.hit.place) == pytest.approx(pixel, abs=0.01)
    assert all_at([near], Sight.at(lens, 2.0, 2.0)) == []
    near.is_hidden = True
    assert [one.element for one in all_at([near, behind], Sight.at(lens, *pixel))] in (
        [],
        ["far/b"],
    )


def test_a_section_is_seen_into(lens: Lens) -> None:
    ball = item("body", body((0.3, 0.3, 0.3)))
    sight = Sight.at(lens, *lens.pixel(np.zeros(3)))
    towards = lens.camera.axes()[2]
    whole = all_at([ball], sight)[0].hit.place @ towards
    cut = all_at([ball], sight, lambda places: places @ towards <= 0.0)[0].hit.place @ towards
    assert (whole, cut) == (pytest.approx(0.3, abs=5e-3), pytest.approx(-0.3, abs=5e-3))


def test_small_and_thin_things_are_met_a_little_beside(lens: Lens) -> None:
    ends = np.array([[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]])
    line = item("link", type(body((1, 1, 1)))(ends, lines=((0, 1),)))
    joint = item("joint", body((0.002, 0.002, 0.002), around=8))
    middle = lens.pixel(np.zeros(3))
    across = lens.pixels(ends)[1] - lens.pixels(ends)[0]
    side = np.array([-across[1], across[0]]) / np.linalg.norm(across)
    for thing in (line, joint):
        for off, met in ((0.0, 1), (2.5, 1), (6.0, 0)):
            sight = Sight.at(lens, *(middle + off * side))
            assert len(all_at([thing], sight)) == met, (thing.shape.kind, off)


@pytest.mark.own_window
@pytest.mark.window
def test_joints_are_picked_through_bodies_unless_they_are_not_shown(window: Any, view: Any) -> None:
    place = view.stage.place_of("joints/neck_top")
    at = QPointF(*view.lens.pixel(place))
    assert view.element_at(at) == "joints/neck_top"
    assert view.stage.picked_place() == pytest.approx(place, abs=0.02)
    window.menus.run("view.joints")
    assert view.element_at(at).startswith("segments/")


def test_a_still_picture_looks_at_everything_and_a_quick_one_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage, looked = Stage(LIGHT), []
    stage.show(validated(seated()))
    monkeypatch.setattr(stage._floor, "shade", lambda *what: looked.append(what))
    for quick, is_due, wanted in (
        (False, False, 1),
        (False, True, 1),
        (True, False, 0),
        (True, True, 1),
    ):
        monkeypatch.setattr(stage._pace, "is_due", lambda it=is_due: it)
        stage.prepare(64, 48, quick=quick)
        assert len(looked) == wanted, (quick, is_due)
        looked.clear()
