"""The camera frames the whole motion of all people by itself, and what is written stands where nobody is."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.run_view.cameras import CameraKey, Cameras, put_onboard
from app.run_view.course import course_of
from app.scene.covering import Aside, Thing, met
from app.scene.framing import Framed, frame, held, meet
from app.scene.lens import Lens, Margins, OrbitCamera
from app.scene.picking import Sight, on_faces
from solver.base.places import samples
from solver.engine.maths.rotation import matrices
from solver.injury.parts import bodies, ends
from solver.project import load_project
from solver.project.pose import Placed
from solver.scene.meshes import body
from tests.models import base, project, segment
from tests.window.waiting import until
from tools import framing

UP = np.array([0.0, 0.0, -1.0])
NAMES = ("frontal", "pedestrian", "ground_rollover")


@pytest.mark.parametrize("parallel", [False, True])
def test_a_camera_comes_as_near_as_margins_let_it(parallel: bool) -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        camera = OrbitCamera(UP)
        camera.parallel = parallel
        camera.azimuth, camera.elevation = rng.uniform(0.0, 6.0), rng.uniform(-1.0, 1.0)
        places = rng.normal(size=(50, 3)) * rng.uniform(0.2, 2.0) + rng.normal(size=3)
        left, right, above, below = rng.uniform(0.02, 0.3, 4)
        camera.fit_within(places, 655.0 / 625.0, Margins(left, right, above, below))
        seen = Lens(camera, 655.0, 625.0).pixels(places) / (655.0, 625.0)
        spare = np.array(
            [seen.min(axis=0) - (left, above), (1.0 - right, 1.0 - below) - seen.max(axis=0)]
        )
        assert spare.min() > -1e-9
        assert spare.max(axis=0).min() < 1e-9, "one pair of margins is reached on both sides"


def test_floors_on_which_bodies_were_dots_and_legs_of_robots_are_not_framed() -> None:
    body = np.array([[0.0, 0.0, 0.0], [0.3, 0.3, 1.7]])
    room, floor = 4.0 * body, 40.0 * body
    assert [one is body or one is room for one in held([(True, floor), (False, body), (True, room)])] == [True, True]  # fmt: skip
    (alone,) = held([(True, floor)])
    assert alone is floor, "there is nothing else"
    leg = base(segments=[segment("FR_thigh", 1.0), segment("trunk", 5.0)])
    leg["segments"][0]["surfaces"] = [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [0.1] * 3}]
    motion = SimpleNamespace(names=["FR_thigh", "trunk"], time=np.array([0.0, 0.1]))
    replay = SimpleNamespace(project=project(leg), motion=motion, seen_at=lambda _: dict.fromkeys(motion.names, Placed(np.eye(3), np.zeros(3))))  # fmt: skip
    assert not course_of(replay).has_people  # type: ignore[arg-type]


def test_a_frame_keeps_ends_from_what_is_written() -> None:
    rng = np.random.default_rng(5)
    camera, size = OrbitCamera(UP), (655.0, 625.0)
    places = rng.uniform(-0.6, 0.6, size=(400, 3))
    boxes = [(0.0, 550.0, 85.0, 625.0), (150.0, 580.0, 500.0, 625.0), (550.0, 10.0, 645.0, 100.0)]
    camera.fit(places, size[0] / size[1])
    assert meet(Lens(camera, *size).pixels(places), boxes), "nothing to keep from"
    frame(camera, size, (places, places), boxes)
    seen = Lens(camera, *size).pixels(places)
    assert not meet(seen, boxes)
    assert np.all(seen > 0.0)
    assert np.all(seen < size)


def test_lines_of_sight_are_met_as_by_another_method() -> None:
    rng = np.random.default_rng(7)
    mesh = body((0.3, 0.2, 0.4), (2.0, 2.0, 2.0), 12, 7)
    quaternion = rng.normal(size=4)
    at = Placed(matrices((quaternion / np.linalg.norm(quaternion))[None])[0], rng.normal(size=3))
    eyes = at.p_W + 2.0 * rng.normal(size=(150, 3))
    places = at.p_W + 0.4 * rng.normal(size=(150, 3))
    lens = Lens(OrbitCamera(UP), 100.0, 100.0)
    expected = []
    for eye, place in zip(eyes, places, strict=True):
        away = float(np.linalg.norm(place - eye))
        hit = on_faces(mesh, at, Sight(eye, (place - eye) / away, lens))
        expected.append(hit is not None and hit.away < away)
    assert 20 < sum(expected) < 130
    assert met(Thing("x", mesh, at), eyes, places).tolist() == expected


def test_ends_are_those_of_everybody() -> None:
    project = load_project(samples() / "braking.json")
    assert [one["head"] for one in ends(project)] == ["relaxed_head", "braced_head"]
    assert all(
        set(one.values()) <= set(body)
        for one, body in zip(ends(project), bodies(project), strict=True)
    )


@pytest.mark.window
@pytest.mark.usefixtures("stored_runs")
@pytest.mark.parametrize("name", NAMES)
def test_all_are_seen_over_the_whole_run(lasting_window: Any, name: str) -> None:
    window = lasting_window
    window.resize(1280, 800)
    framing.show(window, samples() / f"{name}.json")
    assert [str(one) for one in framing.faults(window, name)] == []
    assert framing.filled(window) > 0.6, "so far away that nothing is seen"


@pytest.mark.window
@pytest.mark.usefixtures("stored_runs")
def test_what_people_have_chosen_stays_until_home(lasting_window: Any) -> None:
    window = lasting_window
    framing.show(window, samples() / "rear_seat.json")
    view, run_view = window.bench.viewport, window.bench.run_view
    camera = view.stage.camera
    directed = camera.azimuth, camera.distance
    course = course_of(run_view.replay)
    motion = course.middles - course.middles.mean(axis=0)
    along = ((motion @ camera.axes()[2]) ** 2).sum() / (motion**2).sum()
    assert along < 0.25, "across the motion"
    at = QPoint(view.width() // 2, view.height() // 3)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseMove(view, at + QPoint(80, 0))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at + QPoint(80, 0))
    own = camera.azimuth, camera.distance
    assert own != directed
    run_view.switch(False)
    run_view.switch(True)
    window.resize(1200, 760)
    framing.settle(window)
    assert (view.stage.camera.azimuth, view.stage.camera.distance) == own
    window.bench.commands.run("view.fit")
    framing.settle(window)
    assert view.stage.camera.azimuth == own[0]
    assert not view.is_own
    assert list(framing.faults(window, "home")) == []


@pytest.mark.window
@pytest.mark.usefixtures("stored_runs")
def test_a_bag_before_a_head_goes_aside_and_comes_back(lasting_window: Any) -> None:
    window = lasting_window
    window.resize(1280, 800)
    framing.show(window, samples() / "frontal.json")
    view, run_view = window.bench.viewport, window.bench.run_view
    run_view.go(0.075)
    framing.settle(window)
    bag = next(item for item in view.stage.items if item.shape.kind == "bag")

    def becomes(faint: bool) -> None:
        """In motion it is looked for now and then."""
        until(lambda: framing.settle(window) or bag.marks.faint == faint)

    becomes(True)
    window.application.choose("sees_past", False)
    becomes(False)
    window.application.choose("sees_past", True)
    becomes(True)
    run_view.switch(False)
    becomes(False)  # a model that is edited is solid


def a_key(t: float, azimuth: float, glides: bool = False, rider: str = "") -> CameraKey:
    return CameraKey(t, (0.0, 0.0, -1.0), 2.0, azimuth, 0.1, rider=rider, glides=glides)


def test_keyed_cameras_cut_and_glide(tmp_path: Path) -> None:
    cameras = Cameras().with_key(a_key(0.1, 6.2, glides=True)).with_key(a_key(0.0, 1.0))
    cameras = cameras.with_key(a_key(0.2, 0.1)).with_key(a_key(0.3, 2.0, rider="car"))
    assert [one.time_s for one in cameras.keys] == [0.0, 0.1, 0.2, 0.3]

    def at(t: float) -> float:
        key = cameras.at(t)
        assert key is not None
        return key.azimuth

    assert (at(0.0), at(0.0999)) == (1.0, 1.0), "it cuts"
    assert at(0.1) == pytest.approx(6.2)
    assert at(0.15) == pytest.approx(6.2 + 0.5 * (0.1 - 6.2 + 2.0 * np.pi)), "the shorter way"
    assert (at(0.2), at(0.29)) == (0.1, 0.1)
    assert [one.time_s for one in cameras.without(cameras.keys[1]).keys] == [0.0, 0.2, 0.3]
    file = tmp_path / "runs" / "cameras.json"
    cameras.write(file)
    assert Cameras.read(file) == cameras
    file.write_text(file.read_text().replace("2.0", '"far"'))
    assert Cameras.read(file) == Cameras()
    Cameras().write(file)
    assert not file.exists()


def test_a_camera_onboard_looks_along_the_x_axis() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        q = rng.normal(size=4)
        at = Placed(matrices((q / np.linalg.norm(q))[None])[0], rng.normal(size=3))
        camera = OrbitCamera(UP)
        put_onboard(camera, at)
        assert camera.axes()[2] == pytest.approx(-at.R_WS[:, 0])
        assert camera.eye() == pytest.approx(at.p_W + 0.12 * at.R_WS[:, 0])


@pytest.mark.window
@pytest.mark.usefixtures("stored_runs")
def test_keys_are_looked_through_and_kept(lasting_window: Any) -> None:
    window = lasting_window
    framing.show(window, samples() / "double_pendulum.json")
    bench = window.bench
    run_view, view = bench.run_view, bench.viewport
    for t, side in ((0.0, "side"), (0.5, "top")):
        run_view.go(t)
        bench.commands.run(f"view.{side}")
        bench.commands.run("run.key_camera")
    assert [m.time for m in run_view.marks() if m.kind == "camera"] == [0.0, 0.5]
    run_view.go(0.3)
    assert view.stage.camera.elevation == 0.0
    bench.commands.run("run.glide_camera")
    run_view.go(0.25)
    assert view.stage.camera.elevation == pytest.approx(np.pi / 4.0)
    run_view.go(0.6)
    assert view.stage.camera.elevation == pytest.approx(np.pi / 2.0)
    view.turn_by(0.0, -30.0)
    turned = view.stage.camera.elevation
    bench.commands.run("run.keyed_camera")
    run_view.go(0.1)
    assert view.stage.camera.elevation == turned, "from where one looks oneself"
    framing.show(window, samples() / "rear_seat.json")
    assert run_view.cameras == Cameras()
    framing.show(window, samples() / "double_pendulum.json")
    assert len(run_view.cameras.keys) == 2
    run_view.go(0.6)
    assert view.stage.camera.elevation == pytest.approx(np.pi / 2.0)
    bench.document.select("segments/" + bench.document.project.segments[0].id)
    bench.commands.run("run.unkey_camera")
    bench.commands.run("run.unkey_camera")
    assert run_view.cameras == Cameras()
    assert not run_view.is_keyed
    bench.commands.run("run.follow")
    assert run_view.replay.turns_too is False
    assert run_view.replay.rider == bench.document.project.segments[0].id


def test_a_framing_is_known_again_and_what_stands_aside_is_settled_at_rest() -> None:
    places, camera, known = np.random.default_rng(3).normal(size=(40, 3)), OrbitCamera(UP), Framed()
    other = OrbitCamera(UP)
    for size in ((600.0, 400.0), (500.0, 400.0), (600.0, 400.0)):
        known.frame(camera, size, (places, places[:3]), [(0.0, 0.0, 90.0, 40.0)])
        frame(other, size, (places, places[:3]), [(0.0, 0.0, 90.0, 40.0)])
        assert camera.distance == other.distance
        assert np.array_equal(camera.target, other.target)
    aside, pose = Aside(), object()
    assert [aside.is_settled(pose, (1.0,)) for _ in range(5)] == [False] * 4 + [True]
    assert not aside.is_settled(pose, (2.0,))
    assert not aside.is_settled({}, (2.0,))
