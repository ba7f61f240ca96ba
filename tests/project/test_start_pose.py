"""The one start pose: what checks, window and tools see is the first frame of a run, motions included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.analysis.equilibrium.diagnosis import health
from solver.engine.maths import profile
from solver.engine.maths.rotation import angle_between, from_angles
from solver.model.functions import Numbered
from solver.project import Project
from solver.project.checks import Checked, check
from solver.project.geometry import Orientation
from solver.project.histories import position
from solver.project.pose import start_pose, value_at_start
from solver.project.posing import with_attitude, with_tree_moved
from solver.running.simulation import simulate
from solver.scene.placing import pose_at_start
from tests.models import base, point, project, segment
from tests.rows import rows

KINDS = ("pin", "universal", "euler", "ball", "slip", "locked", "six")
COUNT = {"pin": 1, "universal": 2, "euler": 3, "ball": 3, "slip": 1, "locked": 0, "six": 6}
NAMES = ("x", "y", "z", "yaw", "pitch", "roll")


def pulse(rng: np.random.Generator, name: str) -> Any:
    """Give a pulse of any kind, some of which are not zero at time zero."""
    kind = rng.choice(["function", "constant", "half_sine", "haversine", "triangle", "trapezoid"])
    if kind == "function":
        return {
            "kind": "function",
            "function": "shift" if name in "xyz" else "turn",
            "scale": rng.normal(),
        }
    if kind == "constant":
        return {"kind": "constant", "value": rng.normal()}
    made = {"kind": kind, "amplitude": rng.normal(), "duration_s": rng.uniform(0.05, 2.0),
            "start_s": float(rng.choice([0.0, 0.02]))}  # fmt: skip
    steep = bool(rng.integers(2))
    if kind == "triangle":
        made["peak_ratio"] = 0.0 if steep else 0.4
    if kind == "trapezoid":
        made["rise_ratio"] = 0.0 if steep else 0.3
    return made


def component(rng: np.random.Generator, name: str, quantity: str = "") -> Any:
    quantity = quantity or str(rng.choice(["position", "velocity", "acceleration"]))
    made = {"component": name, "quantity": quantity, "pulse": pulse(rng, name)}
    if quantity != "position":
        made["start_value"] = rng.normal()
    return made


def driven_scene(seed: int) -> Project:
    """Give trees on driven segments, which count from each other, with attitudes and joints."""
    rng = np.random.default_rng(seed)
    cars = [f"car{n}" for n in range(3)]
    motions: list[Any] = [
        {"id": f"drive_{car}", "segment": car, "axes": {"angles_rad": rng.normal(size=3).tolist()},
         "components": [component(rng, n) for n in NAMES if rng.integers(2)] or [component(rng, "x")]}
        for car in cars
    ]  # fmt: skip
    names, joints, roots, attitudes, settings = list(cars), [], [], [], []
    for n, car in enumerate(cars):
        behind = "ground" if n == 0 else str(rng.choice(cars[:n]))
        roots.append(
            {"segment": car, "position_m": rng.normal(size=3).tolist(), "relative_to": behind}
        )
        attitudes.append({"segment": car, "relative_to": behind,
                          "orientation": {"angles_rad": rng.normal(size=3).tolist()}})  # fmt: skip
    for n in range(4):
        body, parent = f"body{n}", str(rng.choice(names))
        if n == 0:
            roots.append({"segment": body, "position_m": rng.normal(size=3).tolist(),
                          "relative_to": parent})  # fmt: skip
            attitudes.append({"segment": body, "relative_to": parent,
                              "orientation": {"angles_rad": rng.normal(size=3).tolist()}})  # fmt: skip
        else:
            kind = str(rng.choice(KINDS))
            joints.append({"id": f"joint{n}", "kind": kind, "parent": parent, "child": body,
                           "parent_frame": {"position_m": rng.normal(size=3).tolist(),
                                            "orientation": {"angles_rad": rng.normal(size=3).tolist()}},
                           "child_frame": {"position_m": rng.normal(size=3).tolist()}})  # fmt: skip
            settings.append(
                {"joint": f"joint{n}", "values": rng.uniform(0.1, 1.0, COUNT[kind]).tolist()}
            )
        names.append(body)
    curves = [
        {"id": name, "x_unit": "s", "y_unit": unit,
         "form": {"kind": "table", "x": [-0.3, 0.4, 1.0], "y": rng.normal(size=3).tolist()}}
        for name, unit in (("shift", "m/s2"), ("turn", "rad/s2"))
    ]  # fmt: skip
    return project(base(
        0.01, segments=[segment(n) for n in names], joints=joints, functions=curves, motions=motions,
        initial={"roots": roots, "attitudes": attitudes, "joints": settings},
    ))  # fmt: skip


def smooth(scene: Project) -> Project:
    """Give the scene with motions that a run allows: position at rest, the rest by acceleration."""
    motions = []
    for motion in scene.motions:
        components = []
        for one in motion.components:
            update: dict[str, Any] = {"quantity": "acceleration"}
            if one.quantity == "position":
                update = {
                    "pulse": {"kind": "constant", "value": one.pulse.__dict__.get("value", 0.7)}
                }
            components.append(type(one).model_validate({**one.model_dump(), **update}))
        motions.append(motion.model_copy(update={"components": tuple(components)}))
    return scene.model_copy(update={"motions": tuple(motions)})


@pytest.mark.parametrize("seed", range(12))
def test_the_start_pose_is_the_first_frame_of_a_run(seed: int) -> None:
    scene = smooth(driven_scene(seed))
    pose, run = start_pose(scene), simulate(Checked(scene))  # the curve's unit fits no pulse
    for one in scene.segments:
        first, there = run.segment(one.id), pose[one.id]
        w, x, y, z = first.quaternion_wxyz[0]
        R = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        assert first.position[0] == pytest.approx(there.p_W, abs=1e-12)
        assert np.abs(there.R_WS - R).max() < 1e-12


@rows("seed", range(40))
def test_a_motion_begins_where_its_profile_does(seed: int) -> None:
    """The value at time zero, in closed form, is that of the profile that a run follows."""
    scene = driven_scene(seed)
    functions = {f.id: f for f in scene.functions}
    for motion in scene.motions:
        for one in motion.components:
            exact = profile.value(position(one, Numbered(scene)), 0.0)[0]
            assert value_at_start(one, functions) == pytest.approx(exact, abs=1e-12)


def test_a_body_counts_from_where_its_car_has_been_brought() -> None:
    data = ride(20.0)
    data["initial"]["roots"].append({"segment": "body", "position_m": [0.0, 0.5, 0.0],
                                     "relative_to": "car"})  # fmt: skip
    scene = project(data)
    assert start_pose(scene)["body"].p_W == pytest.approx([20.0, 0.5, 0.0])
    assert simulate(scene).segment("body").position[0] == pytest.approx([20.0, 0.5, 0.0])


def ride(start: float, **parts: Any) -> Any:
    """Give a car that a motion has brought along x, turned and in a place of its own."""
    motion = {"id": "drive", "segment": "car", "components": [
        {"component": "x", "quantity": "velocity", "pulse": {"kind": "constant", "value": 0.0},
         "start_value": start}]}  # fmt: skip
    return base(
        0.01, segments=[segment("car", 1000.0), segment("body", 10.0)], motions=[motion],
        gravity_m_per_s2=[0.0, 0.0, 0.0], **{"initial": {"roots": []}, **parts},
    )  # fmt: skip


@pytest.mark.parametrize("ring", ["joints", "roots", "attitudes"])
def test_what_counts_from_itself_has_no_pose(ring: str) -> None:
    """Anyone who asks for one unchecked is refused, and never waits for good."""
    names = ("one", "two", "three")
    data = base(segments=[segment(name) for name in names])
    ends = list(zip(names, (*names[1:], names[0]), strict=True))
    if ring == "joints":
        data["joints"] = [{"kind": "ball", "id": a, "parent": b, "child": a} for a, b in ends]
    else:
        data["initial"] = {ring: [{"segment": a, "relative_to": b} for a, b in ends]}
    scene = project(data)
    assert [one for one in check(scene) if one.severity == "error"]
    for _ in range(2):
        with pytest.raises(ValueError, match="'one' depends on itself"):
            start_pose(scene)


BALL = {"kind": "ellipsoid", "id": "skin", "semi_axes_m": [0.2, 0.15, 0.1]}


def strapped(kind: str) -> Any:
    """Give a body 0.4 m behind a car that its motion has brought 20 m, held by webbing or springs."""
    web = {"id": "web_force", "x_unit": "1", "y_unit": "N",
           "form": {"kind": "table", "x": [0.0, 0.1], "y": [0.0, 8000.0]}}  # fmt: skip
    law = {"kind": "webbing", "id": "web", "base": "web_force"}
    data = ride(20.0, functions=[web], contact_laws=[law])
    data["segments"][1]["surfaces"] = [BALL]
    data["initial"]["roots"].append({"segment": "body", "position_m": [19.6, 0.0, 0.0]})
    left, right = point("car", -0.9, -0.4, 0.0), point("car", -0.9, 0.4, 0.0)
    skin = {"segment": "body", "surface": "skin"}
    if kind == "spring":
        data["springs"] = [{"kind": "linear", "id": "it", "a": left, "b": point("body"),
                            "stiffness_n_per_m": 1e4}]  # fmt: skip
    elif kind == "rod":
        data["constraints"] = [
            {"kind": "fixed_distance", "id": "it", "a": left, "b": point("body")}
        ]
    elif kind == "belt":
        data["belts"] = [{"id": "it", "anchor_a": left, "anchor_b": right, "surface": skin,
                          "fixed_point_m": [0.2, 0.0, 0.0], "law": "web"}]  # fmt: skip
    else:
        data["harnesses"] = [{"id": "it", "straps": [{"id": "lap", "law": "web", "points": [
            {"kind": "anchor", **left},
            {"kind": "surface", "surface": skin, "position_m": [0.2, 0.0, 0.0]},
            {"kind": "anchor", **right}]}]}]  # fmt: skip
    return data


@pytest.mark.parametrize("kind", ["spring", "rod", "belt", "harness"])
def test_lengths_at_the_start_are_measured_from_where_motions_begin(kind: str) -> None:
    scene = project(strapped(kind))
    assert not [one for one in check(scene) if one.severity == "error"]
    assert health(scene).worst_g < 1e-6
    run = simulate(scene)
    assert run.status == "completed"
    assert run.segment("body").position[-1] == pytest.approx([19.6, 0.0, 0.0], abs=1e-8)


def test_a_loop_is_closed_where_motions_begin_or_refused() -> None:
    data = ride(20.0)
    data["initial"]["roots"].append({"segment": "body", "position_m": [20.5, 0.0, 0.0]})
    hook = {"kind": "zero_distance", "id": "hook", "a": point("car", 0.5), "b": point("body")}
    data["constraints"] = [hook]
    assert not [one for one in check(project(data)) if one.severity == "error"]
    data["initial"]["roots"][0]["position_m"] = [0.5, 0.0, 0.0]
    assert [one for one in check(project(data)) if one.severity == "error"]


@pytest.mark.parametrize("seed", range(6))
def test_tools_that_pose_bring_driven_segments_to_where_they_are_wanted(seed: int) -> None:
    scene = driven_scene(seed)
    before = start_pose(scene)
    R, by = Orientation(angles_rad=(0.3, -0.2, 0.5)), (0.4, -1.0, 2.0)
    after = start_pose(with_tree_moved(scene, "car0", by, R))
    assert after["car0"].p_W == pytest.approx(before["car0"].p_W + by, abs=1e-8)
    turned = from_angles((0.3, -0.2, 0.5), "zyx") @ before["car0"].R_WS
    assert angle_between(turned, after["car0"].R_WS) < 1e-7
    attitude = start_pose(with_attitude(scene, "car1", R))["car1"]
    assert angle_between(from_angles((0.3, -0.2, 0.5), "zyx"), attitude.R_WS) < 1e-7
    assert attitude.p_W == pytest.approx(before["car1"].p_W, abs=1e-8)


def test_the_window_sees_a_motion_that_is_changed() -> None:
    one, other = project(ride(20.0)), project(ride(-3.0))
    again = one.model_copy(update={"motions": other.motions})
    assert pose_at_start(one)["car"].p_W[0] == 20.0
    assert pose_at_start(again)["car"].p_W[0] == -3.0
