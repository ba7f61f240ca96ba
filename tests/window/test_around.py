"""What stands around people says where one is, hides nobody, and is nothing that anybody touches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.look import LIGHT
from app.scene.stage import Stage
from solver.base.places import samples
from solver.editing import next_seat, persons
from solver.project import Project, load_project
from solver.project.pose import Placed, plane_corners
from solver.scene.around import surroundings as who
from solver.scene.around.build import Around, Room, beam, box, prism
from solver.scene.around.struck import seen_at
from solver.scene.around.surroundings import stands_in_a_row, surroundings
from solver.scene.instant import Instants
from solver.scene.meshes import Mesh
from solver.scene.people.build import people
from solver.scene.placing import pose_at_start
from solver.scene.shapes import shapes
from solver.scene.webbing import body_of

CAR = ("frontal", "rear_impact", "side_impact")
KNOWN = (*CAR, "aircraft_14g", "aircraft_16g", "padded_wall", "ejection_seat", "rear_seat", "child_seat", "pedestrian")  # fmt: skip


def around(name: str) -> tuple[Project, list[Around]]:
    project = load_project(samples() / f"{name}.json")
    return project, surroundings(project, pose_at_start(project))


def sides(found: list[Around]) -> list[Around]:
    """Pillars and doors of a car's sides."""
    return [one for one in found if one.is_solid and one.stuff == "trim" and one.front is not None and abs(one.front[1]) > 0.9]  # fmt: skip


def test_only_planes_that_say_what_they_are_have_something_around_them() -> None:
    for name in ("sled", "lap_belt", "seat_ride", "pendulum", "bouncing_ball", "fall"):
        assert around(name)[1] == [], name
    project, found = around("frontal")
    assert found
    nameless = [p.model_copy(update={"name": f"Plane {n}"}) for n, p in enumerate(project.planes)]
    bare = project.model_copy(update={"planes": tuple(nameless)})
    assert surroundings(bare, pose_at_start(bare)) == []


@pytest.mark.parametrize("name", KNOWN)
def test_nothing_solid_stands_where_somebody_is(name: str) -> None:
    project, found = around(name)
    assert any(one.is_solid for one in found) or name == "rear_seat"
    pose = pose_at_start(project)
    inside = {s for person in people(project) for s in person.segments}
    bodies = [body_of(one, s.id, pose) for s in project.segments if s.id in inside for one in s.surfaces]  # fmt: skip
    assert bodies
    for one in (one for one in found if one.is_solid):
        at = pose[one.segment]
        corners = one.mesh.points[one.mesh.faces]
        places = np.vstack([corners.reshape(-1, 3), corners.mean(axis=1)]) @ at.R_WS.T + at.p_W
        for body in bodies:
            away = np.abs((places - body.p_W) @ body.R_WE) / body.axes
            assert (away**body.powers).sum(axis=1).min() > 1.0, one.stuff


def test_a_childs_seat_has_sides_and_a_booster_has_horns_on_a_bench() -> None:
    project, found = around("child_seat")

    def parts(of: list[Around]) -> list[Around]:
        return [one for one in of if "planes/bench_seat_pan" in one.of]

    booster, bench = parts(found)
    assert (booster.stuff, bench.stuff) == ("trim", "cloth")
    names = {"bench_seat_pan": "Shell", "bench_seat_back": "Back of the shell"}
    planes = tuple(p.model_copy(update={"name": names.get(p.id, p.name)}) for p in project.planes)
    shelled = project.model_copy(update={"planes": planes})
    shell, _ = parts(surroundings(shelled, pose_at_start(shelled)))
    # z is down: wings go up beside the head, horns to the hips
    back = next(p for p in planes if p.id == "bench_seat_back")
    top = plane_corners(back)[0][2] + plane_corners(back)[1][2]
    assert shell.mesh.points[:, 2].min() < 0.8 * top
    assert booster.mesh.points[:, 2].min() > 0.3 * top
    for one in (shell, booster):
        middle = 0.5 * (one.mesh.points[:, 1].min() + one.mesh.points[:, 1].max())
        assert middle == pytest.approx(0.36, abs=1e-6)


def test_a_side_in_which_somebody_stands_is_not_drawn() -> None:
    """A driver who has been moved sideways through the door; all else stays."""
    project, found = around("frontal")
    root = next(r for r in project.initial.roots if r.segment == "driver_lower_torso")
    wheel = pose_at_start(project)["car_steering_wheel"].p_W[1]
    near = min(sides(found), key=lambda one: abs(one.middle[1] - wheel))
    gone: dict[int, set[int]] = {}
    for mm in (0, 50, 400, 1500):
        x, y, z = root.position_m
        aside = y + np.sign(near.middle[1] - wheel) * 1e-3 * mm
        moved = root.model_copy(update={"position_m": (x, float(aside), z)})
        roots = tuple(moved if r is root else r for r in project.initial.roots)
        other = project.model_copy(update={"initial": project.initial.model_copy(update={"roots": roots})})  # fmt: skip
        left = surroundings(other, pose_at_start(other))
        gone[mm] = {id(one) for one in found} - {id(one) for one in left}
    assert gone[0] == gone[50] == set()
    assert id(near) in gone[400]
    assert all(abs(one.middle[1] - near.middle[1]) < 0.1 for one in found if id(one) in gone[400])
    assert 3 <= len(gone[400]) <= 4, "bars, door, lining and windows of that side"
    assert gone[1500] == set(), "outside of the car he stands in nothing"


@pytest.mark.parametrize("name", KNOWN)
def test_who_sits_where_he_belongs_stands_in_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, found = around(name)
    monkeypatch.setattr(who, "_bodies", lambda *_: ())
    assert {id(one) for one in surroundings(project, pose_at_start(project))} == set(map(id, found))


def test_armrests_do_not_hang_in_the_air() -> None:
    """Between seats, where nothing else is, something reaches from each down to the beams of the frame (z is down)."""
    _, found = around("aircraft_14g")
    (beams,) = (one.mesh.points for one in found if one.is_solid and one.stuff == "metal")
    seats = [one.mesh.points for one in found if one.stuff == "leather" and one.front is not None]
    assert len(seats) == 2
    for points in seats:
        for at in (0.2525, 0.7575):
            arm = points[np.abs(np.abs(points[:, 1]) - at) < 0.024]
            assert len(arm) > 8
            assert arm[:, 2].max() > beams[:, 2].min() - 1e-3


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_solid_is_closed_and_seen_from_outside(name: str) -> None:
    for one in around(name)[1]:
        points, normals = one.mesh.points, one.mesh.normals
        assert normals is not None
        a, b, c = points[one.mesh.faces].transpose(1, 0, 2)
        outward = np.cross(b - a, c - a)
        assert np.all(np.einsum("ij,ij->i", outward, normals[one.mesh.faces[:, 0]]) > 0.0) or not one.is_solid  # fmt: skip
        if one.is_solid:
            assert float(np.einsum("ij,ij->", a - a[0], outward)) > 0.0
            assert outward.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-6)


def test_a_car_has_its_wall_on_the_drivers_side_and_both_look_in() -> None:
    project, found = around("frontal")
    pose = pose_at_start(project)
    wheel = pose["car_steering_wheel"].p_W - pose["vehicle"].p_W
    assert who._wheel(project, pose, "vehicle") == pytest.approx(wheel, abs=1e-3)
    others = tuple(one for one in project.segments if one.id != "car_steering_wheel")
    assert who._wheel(project.model_copy(update={"segments": others}), pose, "vehicle") is None
    walls = sides(found)
    assert len(walls) == 4, "bars and door of both sides"
    off = [float(wall.middle[1] - wheel[1]) for wall in walls]
    assert min(map(abs, off)) < 0.55 < 0.9 < max(map(abs, off))
    assert min(off) < 0.0 < max(off), "the driver sits between them"
    for wall in walls:
        assert wall.front is not None
        assert float((pose["driver_head"].p_W - pose["vehicle"].p_W - wall.middle) @ wall.front) > 0
    # the pillar behind the door stands where the belt comes from it
    ring = np.array([p.position_m for h in project.harnesses for s in h.straps for p in s.points if p.kind == "ring" and p.segment == "vehicle"])  # fmt: skip
    near = min(walls[::2], key=lambda wall: abs(float(wall.middle[1] - wheel[1])))
    high = ring[np.argmin(ring[:, 2])]
    assert np.linalg.norm((near.mesh.points - high)[:, [0, 2]], axis=1).min() < 0.15


def test_a_door_of_the_model_is_not_drawn_twice_and_a_seat_in_a_row_has_no_legs_of_its_own() -> (
    None
):
    clear = {name: sum(not one.is_solid for one in around(name)[1]) for name in CAR}
    assert clear["side_impact"] == clear["rear_impact"] - 1
    for name, is_so in (("aircraft_16g", True), ("padded_wall", True), ("rear_impact", False)):
        project = around(name)[0]
        seat = next(plane for plane in project.planes if plane.id == "seat_seat_pan")
        assert stands_in_a_row(project, seat) is is_so
        drawn = next(s for s in shapes(project, pose_at_start(project)) if s.element == "planes/seat_seat_pan")  # fmt: skip
        assert drawn.furniture is not None
        assert (drawn.furniture.frame is None) is is_so


def test_two_beside_each_other_sit_in_one_row() -> None:
    """The second has no legs as in a car; the empty seat is on the free side, and none stands in the second's."""
    project = around("aircraft_16g")[0]
    done = next_seat.copy_to_next_seat(project, persons.people(project)[0])
    project, second = done.project, done.made
    pose = pose_at_start(project)
    pans = [p for p in project.planes if stands_in_a_row(project, p)]
    assert len(pans) == 2
    drawn = [s for s in shapes(project, pose) if s.element in {f"planes/{p.id}" for p in pans}]
    assert [s.furniture.frame for s in drawn if s.furniture is not None] == [None, None]
    found = surroundings(project, pose)
    assert sum(one.stuff == "metal" for one in found) == 1, "one frame bears all three"
    y = float(pose[second.root].p_W[1] - pose[pans[0].segment].p_W[1])
    assert abs(y) > 0.5
    empty = [one for one in found if one.front is not None and one.stuff == "cloth"]
    assert empty
    assert all(one.middle[1] * y < 0.0 for one in empty)
    again = surroundings(project, pose)
    assert [id(one) for one in found] == [id(one) for one in again]


def test_it_is_built_once_and_planes_that_lie_anywhere_do_no_harm() -> None:
    project, found = around("aircraft_16g")
    again = surroundings(project, pose_at_start(project))
    assert [id(one) for one in found] == [id(one) for one in again]
    floor = next(p for p in project.planes if p.id == "seat_floor")
    rng = np.random.default_rng(5)
    for name in KNOWN:
        project = load_project(samples() / f"{name}.json")
        for _ in range(6):
            planes = [
                p.model_copy(
                    update={
                        "placement": floor.placement.model_copy(
                            update={
                                k: tuple(rng.choice([0.0, 0.0, 1.0, -0.3], 3))
                                for k in ("p1_m", "p2_m", "p3_m")
                            }
                        )
                    }
                )
                for p in project.planes
            ]
            wild = project.model_copy(update={"planes": tuple(planes)})
            for one in surroundings(wild, pose_at_start(wild)):
                assert np.all(np.isfinite(one.mesh.points))


def test_bars_and_boxes_are_as_large_as_asked() -> None:
    bar = beam(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), 0.2, 0.1)
    assert np.ptp(bar.points, axis=0) == pytest.approx([1.0, 0.1, 0.2])
    made = box((0.0, -1.0, 0.0), (2.0, 1.0, 0.5))
    a, b, c = made.points[made.faces].transpose(1, 0, 2)
    assert float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0) == pytest.approx(2.0 * 2.0 * 0.5)
    assert len(made.lines) == 2 + 4
    ring = np.column_stack([np.cos(np.arange(24) * np.pi / 12), np.zeros(24), np.sin(np.arange(24) * np.pi / 12)])  # fmt: skip
    assert len(prism(ring, np.array([0.0, 1.0, 0.0])).lines) == 2, "what is round has no corners"
    room = Room("a", np.zeros(3), np.column_stack([[1.0, 0, 0], [0, 1.0, 0], [0, 0, -1.0]]), frozenset())  # fmt: skip
    placed = room.place([made], "trim", is_solid=True).mesh
    a, b, c = placed.points[placed.faces].transpose(1, 0, 2)
    assert float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0) == pytest.approx(2.0)


@pytest.mark.window
def test_near_sides_are_edges_alone_and_nothing_of_it_is_measured() -> None:
    project, found = around("frontal")
    stage = Stage(LIGHT)
    stage.show(project)
    wide = np.ptp(np.vstack([one.mesh.points for one in found]), axis=0)[1]
    assert np.ptp(stage._points(), axis=0)[1] < 1.25 < 1.4 < wide
    drawn: dict[str, set[int]] = {}
    for view in ("side", "left"):
        stage.look(view, 1.5)
        stage.prepare(640, 480)
        pieces = {style: batch._pieces for style, batch in stage.crowd._batches.items()}
        meshes = {id(one.mesh) for one in found}
        drawn[view] = {id(p.mesh) for style in ("solid", "clear") for p in pieces[style]}
    both = [one for one in found if one.front is not None and abs(one.front[1]) > 0.9]
    assert len(both) >= 8
    for one in both:
        assert (id(one.mesh) in drawn["side"]) != (id(one.mesh) in drawn["left"]), one.stuff
    stage.prepare(640, 480, quick=True)
    left = {id(p.mesh) for p in stage.crowd._batches["clear"]._pieces}
    assert not left & meshes, "while things move, edges say enough"
    stage.visibility.surroundings = False
    stage.prepare(640, 480)
    left = {id(p.mesh) for batch in stage.crowd._batches.values() for p in batch._pieces}
    assert not left & {id(one.mesh) for one in found}
    stage.visibility.surroundings = True
    # a hidden car takes along what stands for it
    assert len(stage._around()) == len(found)
    stage.visibility.hidden = {f"planes/{plane.id}" for plane in project.planes}
    assert stage._around() == []
    stage.visibility.hidden = set()
    stage.visibility.people = "shapes"
    stage.prepare(640, 480)
    left = {id(p.mesh) for batch in stage.crowd._batches.values() for p in batch._pieces}
    assert not left & {id(one.mesh) for one in found}, "shapes are what is solved, and nothing else"


def test_a_wall_stands_where_a_motion_names_it_and_the_nose_folds_as_far_as_the_car_goes_on() -> (
    None
):
    project, found = around("frontal")
    pose = pose_at_start(project)
    start = pose["vehicle"]
    (wall,) = (one for one in found if one.stuff == "concrete")
    assert wall.segment == "ground"
    (nose,) = (one for one in found if one.group == "nose" and one.stuff == "paint")
    first = float(wall.mesh.points[:, 0].min())
    assert float(nose.mesh.points[:, 0].max()) + start.p_W[0] == pytest.approx(
        first - 0.01, abs=2e-3
    )
    assert seen_at(nose, start) is nose.mesh
    for gone in (0.1, 0.4, 0.7):
        at = Placed(start.R_WS, start.p_W + np.array([gone, 0.0, 0.0]))
        for one in (
            one for one in found if one.group == "nose" and one.stuff in ("paint", "leather")
        ):
            pressed = seen_at(one, at)
            assert pressed.faces is one.mesh.faces
            assert float(pressed.points[:, 0].max()) + at.p_W[0] < first + 0.01
        pressed = seen_at(nose, at)
        # where the cabin begins all is as it was
        still = nose.mesh.points[:, 0] < nose.mesh.points[:, 0].min() + 1e-6
        assert np.abs(pressed.points - nose.mesh.points)[still].max() < 1e-9
        assert pressed.normals is not None
        lit = np.linalg.norm(pressed.normals[np.unique(pressed.faces)], axis=1)
        assert lit == pytest.approx(np.ones(len(lit)), abs=1e-6)
    names = [m.model_copy(update={"name": "Child seat test: 48 km/h"}) for m in project.motions]
    bare = project.model_copy(update={"motions": tuple(names)})
    assert not any(one.stuff == "concrete" or one.press for one in surroundings(bare, pose))


@pytest.mark.window
def test_a_nose_before_legs_is_seen_through_in_a_model_too_and_from_beside_it_is_there() -> None:
    stage = Stage(LIGHT)
    stage.show(around("side_impact")[0])
    noses = {one for one in stage.around if one.stuff == "paint"}
    assert len(noses) == 2, "nose and tail"
    for view, is_before in (("front", True), ("side", False)):
        stage.look(view, 1.5)  # type: ignore[arg-type]
        for _ in range(4):
            stage.prepare(640, 480)
        assert bool(noses & stage._aside.keys) is is_before, view
        assert all(isinstance(one, Around) for one in stage._aside.keys), "nothing of the model"
    stage.visibility.surroundings = False
    stage.prepare(640, 480)
    assert not stage._aside.keys


@pytest.mark.window
def test_a_key_and_a_button_switch_it_and_it_is_remembered(lasting_window: Any) -> None:
    window = lasting_window
    window.open_file(samples() / "ejection_seat.json")
    stage, bar = window.bench.viewport.stage, window.features["runs"].sights
    button = next(b for b in bar.buttons if b.text() == "Around")
    assert stage.visibility.surroundings
    window.menus.run("view.around")
    assert not stage.visibility.surroundings
    assert not window.menus.entries["view.around"].isChecked()
    assert not button.isChecked()
    assert not window.bench.settings.sight("around")
    window.open_file(samples() / "frontal.json")
    assert not window.bench.viewport.stage.visibility.surroundings, "the next project is seen alike"
    button.click()
    assert stage.visibility.surroundings
    assert button.isChecked()
    assert window.bench.settings.sight("around")


@pytest.mark.window
def test_it_says_why_nothing_is_drawn(lasting_window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    window, said = lasting_window, list[str]()
    monkeypatch.setattr(window.bench, "say", said.append)
    for name, words in (("pendulum", "No plane"), ("frontal", "V changes"), ("frontal", "drawn;")):
        window.open_file(samples() / f"{name}.json")
        visibility = window.bench.viewport.stage.visibility
        visibility.surroundings = False
        visibility.people = "shapes" if words == "V changes" else "skin"
        window.menus.run("view.around")
        assert words in said[-1]


@pytest.mark.parametrize("name", ["braking_car", "pedestrian_car", "ground_rollover"])
def test_a_car_with_wheels_and_a_shell_of_its_own_gets_a_body_over_them(name: str) -> None:
    """The body is as long as its shell, its arches stand over its wheels, and it hides the shell, which stays in the model."""
    project = load_project(samples() / f"{name}.json")
    pose = pose_at_start(project)
    found = surroundings(project, pose)
    painted = [one for one in found if one.stuff == "paint"]
    assert painted
    assert not [one for one in found if one.stuff == "metal"], "its wheels are its own"
    own = {s.element: s for s in shapes(project, pose)}["meshes/car_shell"]
    assert own.furniture is not None
    assert not len(own.furniture.mesh.faces)
    assert len(own.mesh.faces) > 100

    def along(mesh: Mesh, segment: str) -> np.ndarray:  # type: ignore[type-arg]
        at, car = pose[segment], pose["car"]
        placed = mesh.points @ at.R_WS.T + at.p_W
        return np.asarray((placed - car.p_W) @ car.R_WS[:, 0])

    there = np.concatenate([along(one.mesh, one.segment) for one in painted])
    shell = along(own.mesh, own.segment)
    assert there.max() == pytest.approx(shell.max(), abs=0.02)
    assert there.min() == pytest.approx(shell.min(), abs=0.02)
    assert project.meshes == load_project(samples() / f"{name}.json").meshes
    for is_on in (True, False):
        drawn = [one for one in Instants(project, None, around=is_on).at() if one.element == "meshes/car_shell"]  # fmt: skip
        assert bool(sum(len(one.faces) for one in drawn)) != is_on, (
            "without a body it is seen itself"
        )
