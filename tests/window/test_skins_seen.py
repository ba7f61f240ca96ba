"""People are seen with their skin: it is pointed at, marked, hidden and half seen through; belts lie on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from app.look import LIGHT
from app.scene.exposure import Exposure
from app.scene.floor import Ground, _thrown, shadow
from app.scene.lens import Lens
from app.scene.stage import Stage
from solver.base.places import samples
from solver.project import Project, load_project
from solver.project.geometry import Ellipsoid
from solver.project.pose import Placed
from solver.project.segments import Plane
from solver.scene.around.surroundings import surroundings
from solver.scene.furnishing import furnished, pedals, stands_for, steering, stood, wheel
from solver.scene.meshes import Mesh
from solver.scene.placing import pose_at_start
from solver.scene.shapes import shapes
from tests.window.test_window import pixels

pytestmark = [pytest.mark.window, pytest.mark.one_window]

HEAD = "segments/driver_head"


@pytest.fixture
def seen(window: Any, qtbot: Any) -> Any:
    window.open_file(samples() / "frontal_5f.json")
    qtbot.waitUntil(window.bench.viewport.is_ready, timeout=20_000)
    return window


def items(view: Any, element: str) -> list[Any]:
    """Give what the stage has of an element."""
    return [item for item in view.stage.items if item.shape.element == element]


def test_v_shows_skin_then_both_then_what_is_solved(seen: Any) -> None:
    view = seen.bench.viewport
    pictures = []
    for looks, covers in (("skin", True), ("both", False), ("shapes", False), ("skin", True)):
        assert view.stage.visibility.people == looks
        view.refresh()
        pictures.append(pixels(view))
        assert all(item.is_covered == covers for item in items(view, HEAD))
        assert all(item.is_seen for item in items(view, HEAD))
        seen.menus.run("view.people")
    assert np.array_equal(pictures[0], pictures[3])
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert (pictures[one] != pictures[other]).any(axis=-1).mean() > 0.02


def test_a_click_on_the_skin_selects_the_segment_that_moves_it(seen: Any) -> None:
    view = seen.bench.viewport
    view.look("left")
    pixels(view)
    for part in ("head", "left_upper_arm", "left_foot"):
        element = f"segments/driver_{part}"
        assert view.element_at(view.pixel_of(element)) == element
    # beside the head nothing is met
    head = view.pixel_of(HEAD)
    assert view.element_at(head + QPointF(0.0, -120.0)) == ""
    # what is hidden has no skin either
    before = pixels(view)
    seen.bench.document.select(HEAD)
    marked = pixels(view)
    assert (before != marked).any(axis=-1).mean() > 0.001
    seen.menus.run("view.hide")
    assert view.element_at(head) != HEAD


def test_people_have_fewer_points_while_they_move_and_are_small(seen: Any) -> None:
    view = seen.bench.viewport
    (worn,) = view.stage.cast._worn

    def drawn() -> list[int]:
        """Count the points of people that are seen."""
        pixels(view)
        both = (worn.actor, worn._with_fewer().actor)
        return [a.GetMapper().GetInput().GetNumberOfPoints() for a in both if a.GetVisibility()]

    count = len(worn.skin.mesh.points)
    view.refresh()
    assert drawn() == [count]
    view.fit()
    view.come_nearer(0.25)
    (few,) = drawn()
    assert few < 0.4 * count
    view.refresh()
    assert drawn() == [count], "at rest all are seen"
    view.come_nearer(16.0)
    assert drawn() == [count], "near all are seen"


def test_joints_of_people_are_seen_where_they_are_selected(seen: Any) -> None:
    view, document = seen.bench.viewport, seen.bench.document
    (knee,) = items(view, "joints/driver_left_knee")
    (mount,) = [i for i in view.stage.items if i.shape.element == "joints/car_steering_wheel_mount"]
    assert knee.is_covered
    assert not mount.is_covered
    joint = next(j for j in document.project.joints if j.id == "driver_left_knee")
    for element in (f"joints/{joint.id}", f"segments/{joint.child}", f"segments/{joint.parent}"):
        document.select(element)
        assert not knee.is_covered, element
    document.select(HEAD)
    assert knee.is_covered


def test_belts_lie_on_the_clothes(seen: Any) -> None:
    stage = seen.bench.viewport.stage
    stage.prepare(90, 60)
    (worn,) = stage.cast._worn
    laid = [item for item in stage.items if item.shape.kind == "belt"]
    assert laid
    cloth = worn.skin.cloth
    at = worn._points[cloth].astype(float) + worn._origin
    way = worn._normals[cloth].astype(float)

    def deepest(points: Any) -> float:
        gaps = []
        for point in points:
            near = np.argsort(((at - point) ** 2).sum(axis=1))[:3]
            gaps.append(float(((point - at[near]) * way[near]).sum(axis=1).mean()))
        return min(gaps)

    assert min(deepest(item.shape.mesh.points) for item in laid) < -0.01
    assert min(deepest(item.mesh.points) for item in laid) > -0.003
    stage.visibility.people = "shapes"
    stage.show_again()
    stage.prepare(90, 60)
    assert all(item.mesh is item.shape.mesh for item in laid)


def test_a_body_that_is_changed_gets_its_new_skin_at_rest(seen: Any) -> None:
    view, document = seen.bench.viewport, seen.bench.document
    (before,) = view.stage.cast._worn
    head = next(s for s in document.project.segments if s.id == "driver_head")
    axes = [1.2 * a for a in head.surfaces[0].semi_axes_m]
    document.edit(f"{HEAD}/surfaces/0/semi_axes_m", axes, "A larger head")
    assert view.stage.cast._worn == [before], "while it changes the skin stays"
    view.settle()
    (after,) = view.stage.cast._worn
    assert after is not before
    document.history.undo()
    view.settle()
    assert view.stage.cast._worn[0].skin is before.skin, "kept for equal bodies"


def test_a_plane_is_furnished_by_its_name_and_seen_from_its_front() -> None:
    def plane(name: str, front: float = 1.0) -> Plane:
        corners = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.4 * front, 0.0]]
        return Plane.model_validate({"id": "a", "name": name, "segment": "ground", "placement": dict(zip(("kind", "p1_m", "p2_m", "p3_m"), ("points", *corners), strict=True))})  # fmt: skip

    cushion = furnished(plane("Seat cushion"))
    assert cushion is not None
    assert cushion.stuff == "cloth"
    # it lies behind the plane, which is its front
    assert cushion.mesh.points[:, 2].max() == pytest.approx(0.0, abs=1e-9)
    assert np.ptp(cushion.mesh.points, axis=0) == pytest.approx([0.5, 0.4, 0.09])
    assert cushion.is_faced(np.array([0.2, 0.2, 1.0]))
    assert not cushion.is_faced(np.array([0.2, 0.2, -1.0]))
    for name, stuff in (("Floor", "carpet"), ("Knee bolster", "trim"), ("Bonnet", "metal")):
        made = furnished(plane(name))
        assert made is not None
        assert made.stuff == stuff
    pane = furnished(plane("Windscreen"))
    assert pane is not None
    assert pane.is_clear
    assert pane.frame is not None
    assert np.ptp(pane.frame.points, axis=0)[:2] == pytest.approx([0.5, 0.4])
    assert furnished(plane("Plane 1")) is None
    assert furnished(plane("Seat").model_copy(update={"bounded": False})) is None
    road = furnished(plane("Pavement").model_copy(update={"bounded": False}))
    assert road is not None
    assert np.ptp(road.mesh.points, axis=0)[:2].min() > 20.0
    rim = wheel(Ellipsoid.model_validate({"id": "rim", "semi_axes_m": [0.03, 0.19, 0.19]}))
    assert rim is not None
    assert np.ptp(rim.mesh.points, axis=0)[1:] == pytest.approx([0.38, 0.38], rel=0.01)
    assert rim.frame is not None
    ends = rim.frame.points[:, 0]
    assert ends.max() > 0.25 > 0.1 > -ends.min(), "the column leads ahead"
    assert wheel(Ellipsoid.model_validate({"id": "ball", "semi_axes_m": [0.1, 0.1, 0.1]})) is None


def test_a_seat_stands_on_the_floor_below_it_and_on_no_other() -> None:
    def plane(name: str, z: float, x: float = 0.0, segment: str = "ground") -> Plane:
        # z points down: the front of a plane is above it
        corners = [[x, 0.0, z], [x, 0.5, z], [x + 0.5, 0.0, z]]
        placement = dict(zip(("kind", "p1_m", "p2_m", "p3_m"), ("points", *corners), strict=True))
        return Plane.model_validate(
            {"id": name[:1].lower(), "name": name, "segment": segment, "placement": placement}
        )

    def of(*planes: Plane) -> Project:
        return Project.model_validate(
            {"format": "manikin-project", "schema_version": 4, "title": "Seat"}
        ).model_copy(update={"planes": planes})

    seat = plane("Seat cushion", 0.0)
    own = furnished(seat)
    assert own is not None
    assert own.front is not None
    assert own.front[2] == pytest.approx(-1.0)
    stands = stood(own, seat, of(seat, plane("Floor", 0.35)))
    assert stands.frame is not None
    assert stands.frame.points[:, 2].max() == pytest.approx(0.35)
    assert 0.0 < stands.frame.points[:, 2].min() < 0.1
    for other in (
        plane("Floor", -0.35),
        plane("Floor", 1.5),
        plane("Floor", 0.35, 2.0),
        plane("Floor", 0.35, segment="car"),
        plane("Door", 0.35),
    ):
        assert stood(own, seat, of(seat, other)).frame is None, other


def test_a_toe_board_has_pedals_where_somebody_drives() -> None:
    car = load_project(samples() / "frontal.json")
    pose = pose_at_start(car)

    def frame_of(project: Project) -> Mesh | None:
        board = next(s for s in shapes(project, pose) if s.element == "planes/car_toe_board")
        assert board.furniture is not None
        return board.furniture.frame

    made = frame_of(car)
    assert made is not None
    planes = {plane.id: plane for plane in car.planes}
    board, floor = furnished(planes["car_toe_board"]), furnished(planes["car_floor"])
    assert board is not None
    assert floor is not None
    assert board.front is not None
    away = (made.points - board.middle) @ board.front
    assert away.max() == pytest.approx(0.068, abs=1e-6), "the brake stands before the board"
    assert away.min() > -0.01
    # x ahead, y to the right, z down: the accelerator is the rightmost, the brake's pad above its middle
    right = made.points[:, 1] - board.middle[1]
    assert 0.1 < right.max() < 0.14
    assert right.min() == pytest.approx(-0.042, abs=1e-6)
    assert np.median(made.points[away > 0.055, 2]) < board.middle[2]
    nobody = tuple(one for one in car.segments if one.id != "car_steering_wheel")
    assert frame_of(car.model_copy(update={"segments": nobody})) is None
    assert pedals(planes["car_floor"], planes["car_toe_board"]) is None
    assert pedals(planes["car_toe_board"], planes["car_header"]) is None


def test_a_steering_wheel_has_one_rim() -> None:
    made = [Ellipsoid.model_validate({"id": id_, "semi_axes_m": axes}) for id_, axes in (("rim", [0.03, 0.19, 0.19]), ("hub", [0.02, 0.08, 0.08]), ("ball", [0.1, 0.1, 0.1]))]  # fmt: skip
    rim, hub, ball = (steering(one, made) for one in made)
    assert rim is not None
    assert hub is not None
    assert rim.frame is not None
    assert hub.frame is None
    assert np.ptp(hub.mesh.points, axis=0) == pytest.approx([0.04, 0.16, 0.16], rel=0.02)
    assert ball is None


def test_a_dashboard_is_seen_by_who_sits_behind_it_and_through_from_ahead() -> None:
    car = load_project(samples() / "frontal.json")
    board = next(one for one in car.segments if one.id == "car_dashboard")
    for part in board.surfaces:
        made = stands_for(board, part)
        assert made is not None
        assert made.stuff == "trim"
        behind, ahead = (made.middle + np.array([x, 0.0, -0.3]) for x in (-0.8, 0.8))
        assert made.is_faced(behind)
        assert not made.is_faced(ahead)
        assert np.ptp(made.mesh.points, axis=0) == pytest.approx(
            2.0 * np.array(part.semi_axes_m), rel=0.01
        )
    # and no second one is drawn around it
    with_, without = (
        surroundings(one, pose_at_start(one))
        for one in (
            car,
            car.model_copy(update={"segments": tuple(s for s in car.segments if s is not board)}),
        )
    )
    assert len(without) == len(with_) + 1
    assert stands_for(car.segments[0], board.surfaces[0]) is None


def test_one_points_through_what_is_seen_through() -> None:
    stage = Stage(LIGHT)
    stage.show(load_project(samples() / "frontal.json"))
    stage.look("front", 1.5)
    lens = Lens(stage.camera, 640.0, 480.0)
    stage.prepare(640, 480)
    (head,) = lens.pixels(stage.middle("segments/driver_head"))
    eye, glass = lens.camera.eye(), stage.middle("planes/car_windscreen_glass")
    assert np.linalg.norm(glass - eye) < np.linalg.norm(stage.middle("segments/driver_head") - eye)
    assert stage.pick(lens, *head) == "segments/driver_head"
    # where nothing is behind it, it is meant itself, and bare it is as any other shape
    corner = max(lens.pixels(stage._points("planes/car_windscreen_glass")), key=lambda at: at[0])
    assert stage.pick(lens, corner[0] - 3.0, corner[1] - 3.0) == "planes/car_windscreen_glass"
    stage.visibility.people = "shapes"
    assert stage.pick(lens, *head) == "planes/car_windscreen_glass"


def test_the_ground_is_darkest_below_what_touches_it() -> None:
    ground = Ground(np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0]), 0.5)
    ball = np.diag([0.01, 0.01, 0.01])
    up = np.cross(ground.side, ground.ahead)
    darkness = []
    for height in (0.1, 0.4, 1.2):
        dark, corner, size = shadow(ground, (height * up)[None], ball[None])
        assert 0.0 <= dark.min() <= dark.max() <= 1.0
        assert corner + 0.5 * size == pytest.approx([0.0, 0.0], abs=1e-9)
        darkness.append(float(dark.max()))
        assert float(dark[0, 0]) < 0.05
    assert darkness[0] > 2.0 * darkness[1] > 4.0 * darkness[2]


def test_the_shadow_goes_with_what_moves() -> None:
    project = load_project(samples() / "bouncing_ball.json")
    stage = Stage(LIGHT)
    exposure = Exposure(stage)
    stage.show(project)
    stage.look("iso", 1.5)
    exposure.snap(90, 60)
    corners = []
    for shift in (0.0, 0.7):
        way = np.array([shift, 0.0, 0.0])
        pose = {name: Placed(at.R_WS, at.p_W + way) for name, at in stage.pose.items()}
        stage.move(pose, {})
        stage.prepare(90, 60)
        actor = stage._floor._shadow
        assert actor.GetVisibility()
        corners.append(np.array(actor.GetMapper().GetInput().GetPoint(0)))
    assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(0.7, rel=1e-5)
    exposure.close()
    assert Lens(stage.camera, 90.0, 60.0) is not None


def test_a_back_throws_the_shadow_of_what_is_drawn_not_of_its_plane() -> None:
    """The row in front is a plane four metres wide, drawn as one seat's back: no streak crosses the ground."""
    project = load_project(samples() / "aircraft_16g.json")
    stage = Stage(LIGHT)
    exposure = Exposure(stage)
    stage.show(project)
    stage.look("iso", 1.5)
    exposure.snap(90, 60)
    planes = [one for one in stage.items if one.shape.kind == "plane"]
    (item,) = [one for one in planes if np.ptp(one.shape.mesh.points[:, 1]) > 3.0]
    assert np.ptp(_thrown(item).points[:, 1]) < 1.0
    actor = stage._floor._shadow
    corners = np.array([actor.GetMapper().GetInput().GetPoint(n) for n in range(4)])
    assert np.ptp(corners @ stage._floor._ground.side) < 3.0
    exposure.close()


def test_who_is_selected_has_an_outline_and_keeps_face_and_clothes() -> None:
    project = load_project(samples() / "frontal_5f.json")
    stage = Stage(LIGHT)
    stage.show(project)
    (worn,) = stage.cast._worn
    stage.prepare(320, 240)
    plain = worn._colours.astype(float)
    assert len(worn._rim._cells) == 0
    body = [f"segments/{segment}" for segment in worn.person.segments]
    stage.mark(selected=body[0], chosen=body)
    stage.prepare(320, 240)
    assert len(worn._rim._cells) == len(worn.skin.mesh.faces)
    assert np.abs(worn._colours - plain).max() < 40.0, "clothes are told from skin as before"
    out = np.linalg.norm(worn._rim._points - worn._points, axis=1)
    assert (float(np.median(out)), float(out.max())) == pytest.approx((0.005, 0.005), rel=0.02)
    stage.mark(selected=HEAD, chosen=[HEAD])
    stage.prepare(320, 240)
    head = worn._elements.index(HEAD)
    assert set(worn.skin.owners[worn._rim._cells[:, 0]]) == {head}
    # drawn behind what is seen through, an outline would fill it
    stage.visibility.faint = {HEAD}
    stage.show_again()
    stage.prepare(320, 240)
    assert len(worn._rim._cells) == 0
    stage.visibility.faint = set()
    stage.visibility.people = "both"
    stage.show_again()
    stage.prepare(320, 240)
    assert len(worn._rim._cells) == 0
    for axis, count in ((0, 1), (-1, 0)):
        stage.visibility.axis = axis
        stage.show_again()
        stage.prepare(320, 240)
        planes = worn._rim.actor.GetMapper().GetClippingPlanes()
        assert (planes.GetNumberOfItems() if planes else 0) == count, (
            "it ends where the skin is cut"
        )
    stage.visibility.people = "shapes"
    stage.show_again()
    stage.prepare(320, 240)
    assert not worn._rim.actor.GetVisibility()
    stage.mark(selected="")
    stage.visibility.people = "skin"
    stage.show_again()
    stage.prepare(320, 240)
    assert len(worn._rim._cells) == 0
    assert np.array_equal(worn._colours, plain)
