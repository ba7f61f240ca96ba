"""What can be taken hold of, moved and turned: arithmetic without a window."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.editing.grips import grips
from app.editing.moving import CannotMove, moved, turned
from app.elements import elements, find
from app.features.placing.move_tool import Operation
from app.features.placing.scene_tools import measure
from app.scene.handles import Drag, Handles, Part, about
from app.scene.lens import Lens, OrbitCamera
from solver.project import Project, validated
from solver.project.changes import value_at
from solver.project.posing import members, root_of
from solver.scene.placing import pose_at_start
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import body_of
from tests.rows import rows
from tests.window.seated import seated

BY = np.array([0.013, -0.021, 0.034])


def rich() -> Project:
    """Give the seated occupant with one of every kind of thing that has a place."""
    data = seated()
    a, b = {"segment": "sled", "position_m": [0.1, 0.2, 0.3]}, {"segment": "arm_l"}
    data["planes"].append(
        {
            "id": "shelf",
            "segment": "sled",
            "placement": {
                "kind": "frame",
                "frame": {
                    "position_m": [0.4, 0.1, -0.6],
                    "orientation": {"angles_rad": [0.3, 0.2, -0.4]},
                },
                "length_m": 0.5,
                "width_m": 0.3,
            },
        }
    )
    data["springs"] = [
        {"id": "linear", "kind": "linear", "a": a, "b": b},
        {"id": "bush", "kind": "bushing", "a": {"segment": "sled"}, "b": {"segment": "head"}},
    ]
    data["tension_elements"] = [
        {"id": "string", "a": a, "b": b, "stiffness_n_per_m": 1.0, "rest_length_m": 0.5}
    ]
    data["constraints"] = [{"id": "rod", "kind": "fixed_distance", "a": a, "b": b}]
    data["outputs"] = [
        {
            "id": "eye",
            "kind": "point",
            "segment": "head",
            "point_m": [0.1, 0.0, 0.0],
            "quantity": "acceleration",
        }
    ]
    data["loads"] = [{"id": "push", "kind": "force", "segment": "head", "history": "foam"}]
    straps = data["harnesses"][0]["straps"]
    straps[0]["points"].insert(
        1, {"kind": "ring", "segment": "sled", "position_m": [-0.3, 0.2, -0.6]}
    )
    buckle = {"kind": "junction", "junction": "buckle", "position_m": [0.1, 0.0, 0.1]}
    anchor = {"kind": "anchor", "segment": "sled", "position_m": [0.1, 0.3, 0.2]}
    straps.append({"id": "one", "law": "webbing", "points": [anchor, buckle]})
    straps.append({"id": "two", "law": "webbing", "points": [buckle, anchor]})
    return validated(data)


PROJECTS = {"rich": rich()}


def held() -> list[tuple[str, str, str]]:
    return [
        (name, path, grip.path)
        for name, project in PROJECTS.items()
        for path, _ in elements(project)
        for grip in grips(project, pose_at_start(project), path)
    ]


def grip_of(project: Project, element: str, path: str):  # type: ignore[no-untyped-def]
    found = grips(project, pose_at_start(project), element)
    return next(grip for grip in found if grip.path == path)


def test_every_kind_of_thing_with_a_place_has_grips() -> None:
    kinds = {element.split("/")[0] for _, element, _ in held()}
    assert kinds >= {
        "segments", "joints", "planes", "belts", "harnesses", "airbags", "springs",
        "tension_elements", "constraints", "outputs", "loads",
    }  # fmt: skip


@rows(("name", "element", "path"), held())
def test_what_is_moved_goes_where_the_hand_goes(name: str, element: str, path: str) -> None:
    project = PROJECTS[name]
    before = grip_of(project, element, path)
    if not before.moves:
        with pytest.raises(CannotMove):
            moved(project, element, path, BY)
        return
    after = grip_of(moved(project, element, path, BY), element, path)
    went = after.p_W - before.p_W
    if before.slides:
        assert np.linalg.norm(went) > 0.1 * np.linalg.norm(BY)
        return
    if path.startswith("corner/") and getattr(find(project, element).placement, "frame", None):  # type: ignore[union-attr]
        plane = before.R_W[:, 2]
        assert np.allclose(went, BY - (BY @ plane) * plane, atol=3e-6)
        return
    assert np.allclose(went, BY, atol=3e-6)


@rows(("name", "element", "path"), held())
def test_what_is_turned_turns_in_its_place(name: str, element: str, path: str) -> None:
    project = PROJECTS[name]
    before = grip_of(project, element, path)
    if not before.turns or before.pivot_W is not None:
        return
    R = about(np.array([2.0, -1.0, 2.0]) / 3.0, 0.4)
    after = grip_of(turned(project, element, path, R), element, path)
    assert np.allclose(after.R_W, R @ before.R_W, atol=2e-6)
    assert np.allclose(after.p_W, before.p_W, atol=2e-6)


def test_a_joint_moves_without_moving_the_body() -> None:
    project = PROJECTS["rich"]
    before, after = (pose_at_start(p) for p in (project, moved(project, "joints/elbow_r", "", BY)))
    for name, placed in before.items():
        assert np.allclose(placed.p_W, after[name].p_W, atol=3e-6)
        assert np.allclose(placed.R_WS, after[name].R_WS)
    R = about(np.array([0.0, 0.0, 1.0]), 0.3)
    after = pose_at_start(turned(project, "joints/shoulder_r", "", R))
    assert all(np.allclose(before[n].R_WS, after[n].R_WS, atol=1e-6) for n in before)


def test_a_limb_turns_about_its_joint_and_takes_along_what_it_carries() -> None:
    project = PROJECTS["rich"]
    # attitudes count from ground here; joints alone carry a limb along
    grip = grip_of(project, "segments/arm_r", "")
    R = about(np.array([0.0, 1.0, 0.0]), 0.5)
    done = turned(project, "segments/arm_r", "", R)
    before, after = pose_at_start(project), pose_at_start(done)
    assert grip.pivot_W is not None
    for name in ("arm_r", "forearm_r"):
        assert np.allclose(after[name].R_WS, R @ before[name].R_WS, atol=1e-6)
        arm = before[name].p_W - grip.pivot_W
        assert np.allclose(after[name].p_W, grip.pivot_W + R @ arm, atol=1e-6)
    rest = set(before) - set(members(project, "arm_r"))
    assert all(np.allclose(before[n].p_W, after[n].p_W, atol=1e-9) for n in rest)


def test_a_pin_allows_no_turn_but_about_its_axis() -> None:
    project = PROJECTS["rich"]
    R = about(np.array([1.0, 0.0, 0.0]), 0.6)
    after = pose_at_start(turned(project, "segments/forearm_r", "", R))
    before = pose_at_start(project)
    y = before["arm_r"].R_WS[:, 1]
    assert np.allclose(after["forearm_r"].R_WS[:, 1], y, atol=1e-6)


def test_points_on_bodies_stay_on_them() -> None:
    project = PROJECTS["rich"]
    pose = pose_at_start(project)
    body = body_of(surfaces_of(project)["pelvis", "pelvis"], "pelvis", pose)
    done = moved(project, "belts/lap", "fixed_point_m", BY)
    at = grip_of(done, "belts/lap", "fixed_point_m").p_W
    assert (np.abs(body.unit(at)) ** body.powers).sum() == pytest.approx(1.0, abs=1e-4)


def test_a_dragged_corner_leaves_the_opposite_one() -> None:
    for number, opposite in ((1, 4), (2, 3), (3, 2), (4, 1)):
        frame = next(
            p for p in PROJECTS["rich"].planes if p.placement.kind == "frame" and p.bounded
        )
        element = f"planes/{frame.id}"
        project = PROJECTS["rich"]
        done = moved(project, element, f"corner/{number}", BY)
        one, two = (grip_of(p, element, f"corner/{opposite}").p_W for p in (project, done))
        assert np.allclose(one, two, atol=3e-6)


def test_a_broken_tree_says_why_it_cannot_be_posed() -> None:
    data = seated()
    data["joints"][0].update(parent="head")
    broken = validated(data)
    assert grips(broken, pose_at_start(broken), "segments/head")
    with pytest.raises(CannotMove, match="broken"):
        moved(broken, "segments/pelvis", "", BY)


def test_the_length_of_a_belt_follows_its_anchor() -> None:
    project = PROJECTS["rich"]
    was = float(measure(project, "belts/lap", "metric").split()[1])
    away = moved(project, "belts/lap", "anchor_a", np.array([-0.1, 0.0, 0.05]))
    now = float(measure(away, "belts/lap", "metric").split()[1])
    assert 20.0 < now - was < 120.0
    assert "in" in measure(project, "harnesses/shoulder", "inch_pound")


angle = st.floats(-1.4, 1.4)


def lens(parallel: bool, azimuth: float = 0.7, elevation: float = 0.3) -> Lens:
    camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
    camera.parallel, camera.azimuth, camera.elevation = parallel, azimuth, elevation
    camera.target = np.array([0.2, -0.1, 0.4])
    return Lens(camera, 900.0, 600.0)


@given(st.booleans(), angle, angle, st.floats(-90, 90), st.floats(-90, 90))
def test_a_plane_drag_keeps_under_the_mouse(
    parallel: bool, azimuth: float, elevation: float, dx: float, dy: float
) -> None:
    seen = lens(parallel, azimuth, elevation)
    p = np.array([0.3, 0.2, 0.5])
    x, y = seen.pixel(p)
    for part in (Part("free"), Part("plane", 0), Part("plane", 2)):
        shift = Drag(part, p, np.eye(3), x, y).shift(seen, x + dx, y + dy)
        if seen.is_ahead(p + shift):
            assert np.allclose(seen.pixel(p + shift), [x + dx, y + dy], atol=1e-6)


@given(st.booleans(), angle, st.floats(-1.0, 1.0), st.integers(0, 2), st.floats(-0.3, 0.3))
def test_an_axis_drag_and_a_turn_follow_what_they_hold(
    parallel: bool, azimuth: float, elevation: float, axis: int, amount: float
) -> None:
    seen = lens(parallel, azimuth, elevation)
    p = np.array([0.3, 0.2, 0.5])
    way = np.eye(3)[axis]
    facing = abs(float(way @ seen.camera.axes()[2]))
    start, end = seen.pixel(p), seen.pixel(p + amount * way)
    drag = Drag(Part("axis", axis), p, np.eye(3), *start)
    if facing < 0.95:
        assert np.allclose(drag.shift(seen, *end), amount * way, atol=1e-6)
    if facing > 0.9:
        across = np.eye(3)[axis - 1] * 0.05
        one, two = seen.pixel(p + across), seen.pixel(p + about(way, amount) @ across)
        held = Drag(Part("turn", axis), p, np.eye(3), *one)
        assert held.angle(seen, *two) == pytest.approx(amount, abs=0.1)


def test_a_ring_seen_from_the_edge_turns_the_near_side_with_the_mouse() -> None:
    seen = lens(True, 0.0, 0.0)
    p = seen.camera.target
    towards = seen.camera.axes()[2]
    for axis in (1, 2):
        near = p + 0.1 * towards
        x, y = seen.pixel(near)
        to = seen.pixel(p + about(np.eye(3)[axis], 0.3) @ (near - p))
        drag = Drag(Part("turn", axis), p, np.eye(3), x, y)
        assert drag.angle(seen, *to) > 0.02


@pytest.mark.parametrize("parallel", [True, False])
def test_handles_are_found_where_they_are_drawn(parallel: bool) -> None:
    seen = lens(parallel, 0.7, 0.55)
    handles = Handles(np.array([0.25, 0.0, 0.45]), np.eye(3), True, True)
    parts = [Part("free")] + [Part(w, k) for w in ("axis", "plane", "turn") for k in range(3)]  # type: ignore[arg-type]
    for part in parts:
        at = handles.point_of(part, seen)
        assert handles.part_at(seen, *at) == part
    assert handles.part_at(seen, 5.0, 5.0) is None


def test_numbers_locks_and_snapping() -> None:
    seen = lens(False)
    grip = grip_of(PROJECTS["rich"], "planes/seat", "")
    x, y = seen.pixel(grip.p_W)
    op = Operation("move", grip, Drag(Part("free"), grip.p_W, np.eye(3), x, y))
    assert np.allclose(op.with_typed("50").shift(seen, x, y, ""), [0.05, 0, 0])
    op = op.locked(2)
    assert np.allclose(op.with_typed("-2*25.4").shift(seen, x, y, ""), [0, 0, -0.0508])
    assert np.allclose(op.with_typed("1in").shift(seen, x, y, ""), [0, 0, 0.0254])
    own = op.locked(2)
    assert own.lock == "own z"
    assert np.allclose(own.with_typed("10").shift(seen, x, y, ""), 0.01 * grip.R_W[:, 2])
    assert own.locked(2).drag.part == Part("free")
    snapped = op.shift(seen, x + 31.0, y + 47.0, "step")
    assert np.allclose(snapped / 0.01, np.round(snapped / 0.01))
    assert op.with_typed("5").words(seen, x, y, "").endswith("z  5 = +5 mm")
    turn = Operation("turn", grip, op.drag).locked(1).with_typed("30")
    assert turn.angle(seen, x, y, "") == pytest.approx(math.radians(30.0))
    assert "30°" in turn.words(seen, x, y, "")


@pytest.mark.parametrize(
    ("part", "free"),
    [(Part("free"), (0, 1, 2)), (Part("plane", 1), (0, 2)), (Part("axis", 2), (2,))],
)
def test_on_the_grid_a_place_ends_on_whole_steps_of_the_ground(
    part: Part, free: tuple[int, ...]
) -> None:
    seen = lens(False)
    grip = replace(
        grip_of(PROJECTS["rich"], "planes/seat", ""), p_W=np.array([0.1234, -0.0561, 0.3077])
    )
    x, y = seen.pixel(grip.p_W)
    op = Operation("move", grip, Drag(part, grip.p_W, np.eye(3), x, y))
    end = grip.p_W + op.shift(seen, x + 31.0, y + 47.0, "grid")
    for axis in range(3):
        if axis in free:
            assert end[axis] / 0.01 == pytest.approx(round(end[axis] / 0.01), abs=1e-9)
        else:
            assert end[axis] == grip.p_W[axis], "along this it is not moved"
    assert np.linalg.norm(end - grip.p_W) > 0.01


def test_moving_a_body_moves_its_whole_tree_once() -> None:
    project = PROJECTS["rich"]
    done = moved(project, "segments/head", "", BY)
    before, after = pose_at_start(project), pose_at_start(done)
    for name in members(project, root_of(project, "head")):
        assert np.allclose(after[name].p_W - before[name].p_W, BY, atol=2e-6)
    assert np.allclose(after["sled"].p_W, before["sled"].p_W)
    assert value_at(done, "segments/head") is value_at(project, "segments/head")
