"""Say how far joints go, and draw it: by hand, against the engine's own torques, and in any pose."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.editing.grips import coordinates
from solver.base.places import samples
from solver.project import Project, load_project, validated
from solver.project.angles import contour_limit
from solver.project.joint_table import carrying, row_of
from solver.project.posing import angles_of
from solver.project.ranges import Range, bend_range, function_range, ranges_of, twists
from solver.scene.placing import pose_at_start
from solver.scene.reach import JointState, Reach, limits, reach
from tests.models import Bench, hung

STOP = {"stop_rad": 0.5, "quadratic_nm_per_rad2": 20.0}
ELBOW = {"kind": "table", "x": [-0.65, -0.15, -0.05, 2.3, 2.4, 2.9], "y": [-132, -7, 0, 0, 7, 132]}


def function(id_: str, form: dict[str, Any]) -> dict[str, Any]:
    return {"id": id_, "x_unit": "rad", "y_unit": "N*m", "form": form}


def one(data: Any) -> tuple[Project, Any]:
    project = validated(data)
    return project, project.joints[0]


def drawn(project: Project, joint: Any, values: tuple[float, ...], **more: Any) -> Reach:
    known = limits(project, joint, angles_of(project, joint.id))
    now = JointState(values, **more)
    return reach(project, joint, known, pose_at_start(project), now, 0.1)


def test_a_range_ends_where_its_law_does() -> None:
    project, joint = one(
        hung({"kind": "pin", "spring": {"torque": "f"}}, functions=[function("f", ELBOW)])
    )
    found = ranges_of(project, joint, (0.0,))["angle"]
    assert found == Range(-0.05, 2.3, -0.65, 2.9)
    places = {
        -0.7: "beyond",
        -0.06: "stop",
        -0.05: "free",
        0.0: "free",
        2.31: "stop",
        2.91: "beyond",
    }
    assert {value: found.where(value) for value in places} == places
    project, joint = one(hung({"kind": "pin", "spring": STOP}))
    assert ranges_of(project, joint, (0.0,))["angle"] == Range(-0.5, 0.5)
    project, joint = one(hung({"kind": "pin", "spring": {"linear_nm_per_rad": 5.0}}))
    assert ranges_of(project, joint, (0.0,))["angle"].is_free


def test_the_sector_of_an_angle_is_round() -> None:
    project, joint = one(hung({"kind": "pin", "spring": STOP}))
    made = drawn(project, joint, (0.0,))
    (free,) = [places for tone, places in made.strokes if tone == "free"]
    at, rim = free[0], free[1:-1] - free[0]
    assert np.linalg.norm(rim, axis=1) == pytest.approx(np.full(len(rim), 0.1))
    turned = (rim[1:] * rim[:-1]).sum(axis=1) / 0.1**2
    assert np.arccos(turned.clip(-1.0, 1.0)).max() < math.radians(8.0), "between two corners"
    assert math.acos(float(rim[0] @ rim[-1]) / 0.1**2) == pytest.approx(1.0)
    assert (free[-1] == at).all()


def test_a_function_without_negative_arguments_holds_for_both_sides() -> None:
    forms = {
        "both": {"kind": "table", "x": [0.0, 0.3, 0.8], "y": [0.0, 0.0, 50.0]},
        "first": {"kind": "polynomial", "coefficients": [0.0, 10.0], "x_min": -1.5, "x_max": 1.2},
        "none": {"kind": "constant", "value": 0.0},
        "smooth": {"kind": "table", "between": "spline", "x": [0.0, 0.5, 1.0], "y": [0.0, 1.0, 4.0]},
    }  # fmt: skip
    made = [function(name, form) for name, form in forms.items()]
    project, _ = one(hung({"kind": "pin"}, functions=made))
    assert function_range(project, "both") == Range(-0.3, 0.3, -0.8, 0.8)
    assert function_range(project, "first") == Range(0.0, 0.0, -1.5, 1.2)
    assert function_range(project, "first").is_resisted
    assert function_range(project, "first").where(1.0) == "free", "there is no stop to be in"
    assert function_range(project, "first").where(1.3) == "beyond"
    assert function_range(project, "none").is_free
    assert function_range(project, "smooth") == Range(0.0, 0.0, -1.0, 1.0)
    assert function_range(project, None).is_free


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("pin", {"": "spring"}),
        ("universal", {"first": "first", "second": "second"}),
        ("euler", {"precession": "precession", "nutation": "nutation", "spin": "spin"}),
    ],
)
def test_the_engine_begins_to_push_where_the_range_says(kind: str, names: dict[str, str]) -> None:
    """Just inside there is no torque, just beyond there is one, about each axis and to both sides."""
    spring = {"stop_rad": 0.4, "quadratic_nm_per_rad2": 500.0}
    joint: dict[str, Any] = {"kind": kind}
    for field in names.values():
        own = spring if kind == "pin" else {"centre_rad": 0.9, "spring": spring}
        joint[field] = own
    project, found = one(hung(joint))
    row = row_of(found)
    inside = tuple(0.0 if kind == "pin" else 0.9 for _ in row.turns)
    ranges = ranges_of(project, found, inside)
    for n, turn in enumerate(row.turns):
        for edge, way in ((ranges[turn.name].high, 1.0), (ranges[turn.name].low, -1.0)):
            held = []
            for beyond in (-1e-3, 1e-3):
                values = list(inside)
                values[n] = edge + way * beyond
                bench = Bench(hung(joint, values))
                bench.rates(bench.q, bench.v)
                held.append(bench.held(bench.q, bench.v))
            assert held[0] == pytest.approx(0.0, abs=1e-15)
            assert held[1] == pytest.approx(500.0 * 1e-9 / 3.0, rel=1e-3)


def test_laws_on_an_axis_stop_it_too() -> None:
    curve = function("curve", {"kind": "table", "x": [0.0, 0.1, 0.4], "y": [0.0, 0.0, 9.0]})
    stop = {"kind": "stop", "lower": -0.2, "upper": 0.7, "above": "curve"}
    law = {
        "id": "law", "coordinate": {"kind": "joint", "joint": "joint", "axis": "angle"},
        "zero": 0.05, "laws": [stop],
    }  # fmt: skip
    data = hung({"kind": "pin", "spring": STOP}, functions=[curve], coordinate_forces=[law])
    project, joint = one(data)
    found = ranges_of(project, joint, (0.0,))["angle"]
    assert (found.low, found.high) == pytest.approx((-0.25, 0.5))
    assert (found.least, found.most) == pytest.approx((-0.55, 1.15))
    data["coordinate_forces"][0] |= {"side": "above"}
    project, joint = one(data)
    assert ranges_of(project, joint, (0.0,))["angle"].low == -0.5


def test_a_ball_bends_to_its_table_its_contour_and_its_cone() -> None:
    project = load_project(samples() / "frontal.json")
    hip = next(joint for joint in project.joints if joint.id == "driver_right_hip")
    # the table of the right hip: free to 1.5 behind, 0.4 beside, 0.26 ahead
    for azimuth, begin, end in (
        (-math.pi, 1.5, 2.5), (math.pi, 1.5, 2.5), (0.0, 0.26, 1.1), (0.5 * math.pi, 0.4, 1.6),
        (0.3, 0.26, 1.6), (-0.3, 0.26, 1.6), (2.5, 0.4, 2.5),
    ):  # fmt: skip
        found = bend_range(project, hip, azimuth)
        assert (found.high, found.most) == (begin, end), azimuth
    assert twists(project, hip) == Range(-0.6, 0.6)
    torque = function("torque", {"kind": "table", "x": [0.0, 0.4], "y": [0.0, 30.0]})
    contour = {"contour": {"kind": "library", "name": "hip"}, "torque": "torque"}
    project, joint = one(hung({"kind": "ball", "globographic": contour}, functions=[torque]))
    for azimuth in np.linspace(-3.0, 3.0, 7):
        found = bend_range(project, joint, float(azimuth))
        limit = contour_limit(project, joint.globographic, float(azimuth))
        assert found.high == pytest.approx(limit)
        assert found.most > limit


def test_the_engine_finds_a_contours_torque_at_its_end_where_it_is_drawn() -> None:
    """Beyond the drawn end the torque grows no more: the depth there is the curve's last argument."""
    from solver.engine.forces.joints.contours import contour_depth

    torque = function("torque", {"kind": "table", "x": [0.0, 0.3], "y": [0.0, 30.0]})
    contour = {"contour": {"kind": "library", "name": "shoulder"}, "torque": "torque"}
    data = hung({"kind": "ball", "globographic": contour}, functions=[torque])
    project, joint = one(data)
    system = Bench(data).system
    for azimuth in (-2.0, -0.4, 0.7, 2.6):
        end = bend_range(project, joint, azimuth).most
        if end < 3.1:
            axis = (math.sin(end) * math.cos(azimuth), math.sin(end) * math.sin(azimuth), math.cos(end))  # fmt: skip
            depth = contour_depth(system.joints.contours, system.curves, 0, *axis)[0]
            assert depth == pytest.approx(0.3, abs=1e-4)


def test_arcs_end_at_the_stops() -> None:
    project, joint = one(
        hung({"kind": "pin", "spring": {"torque": "f"}}, functions=[function("f", ELBOW)])
    )
    made = drawn(project, joint, (0.3,))
    parent = np.array(joint.parent_frame.position_m)
    # about y, from z towards x
    angles = {
        tone: [np.arctan2(*(p - parent)[:, [0, 2]].T) for t, p in made.strokes if t == tone]
        for tone in ("free", "stop", "end")
    }
    (sector,) = angles["free"]
    assert (sector[1], sector[-2]) == pytest.approx((-0.05, 2.3))
    bands = sorted((float(a.min()), float(a.max())) for a in angles["stop"])
    assert np.allclose(bands, [(-0.65, -0.05)] * 2 + [(2.3, 2.9)] * 2, atol=1e-9)
    assert sorted(float(a[0]) for a in angles["end"]) == pytest.approx([-0.65, 2.9])
    assert all(np.allclose(points[:, 1], 0.0) for tone, points in made.strokes if tone != "y")


def test_a_cone_lies_where_the_engine_begins_to_push() -> None:
    project, joint = one(hung({"kind": "ball", "flexure": STOP, "torsion": STOP}))
    made = drawn(project, joint, (0.2, 0.7, -0.3))
    rim = next(points for tone, points in made.strokes if tone == "free")
    ways = (rim - made.at) / np.linalg.norm(rim - made.at, axis=1)[:, None]
    assert np.arccos(ways[:, 2]) == pytest.approx(0.5)
    flexure, torsion = made.readings
    data = hung({"kind": "ball", "flexure": STOP, "torsion": STOP}, [0.2, 0.7, -0.3])
    bench = Bench(data)
    bench.rates(bench.q, bench.v)
    assert (flexure.value, torsion.value) == pytest.approx(bench.system.joints.balls.angle[0])
    tones = [tone for tone, _ in made.strokes]
    assert "met" in tones, "flexure is beyond its stop"
    assert "pointer" in tones, "torsion is not"


def test_of_a_locked_or_broken_joint_nothing_but_axes_is_drawn() -> None:
    project, joint = one(hung({"kind": "locked"}))
    made = drawn(project, joint, ())
    assert [tone for tone, _ in made.strokes] == ["x", "y", "z"]
    assert (made.areas, made.readings, made.pointers) == ([], [], [])
    project, joint = one(hung({"kind": "pin", "spring": STOP}))
    broken = drawn(project, joint, (0.1,), is_broken=True)
    assert [tone for tone, _ in broken.strokes] == ["x", "y", "z"]
    assert broken.readings == []


def test_every_joint_of_every_sample_can_be_drawn_and_points_to_its_child() -> None:
    """The last pointer of a joint lies in its child's frame, wherever the body is."""
    count = 0
    for file in sorted(samples().glob("*.json")):
        project = load_project(file)
        pose = pose_at_start(project)
        for joint in carrying(project.joints):
            values = angles_of(project, joint.id, pose)
            made = drawn(project, joint, values)
            row, count = row_of(joint), count + 1
            if not row.turns:
                continue
            from solver.project.pose import turn

            R_WC = pose[joint.child].R_WS @ turn(joint.child_frame.orientation)
            last = made.pointers[-1].way
            axis = "x" if row.acts == "ball" or row.turns[-1].axis == "z" else "z"
            assert last == pytest.approx(R_WC[:, "xyz".index(axis)], abs=1e-6), joint.id
    assert count > 300


def test_a_slide_is_a_line_with_its_stops() -> None:
    force = {
        "id": "force", "x_unit": "m", "y_unit": "N",
        "form": {"kind": "table", "x": [-0.02, -0.01, 0.03, 0.05], "y": [-90.0, 0.0, 0.0, 900.0]},
    }  # fmt: skip
    joint = {"kind": "slip", "rotation": "pin_y", "slide": {"force": "force"}}
    project, found = one(hung(joint, functions=[force]))
    assert ranges_of(project, found, (0.0, 0.0))["slide"] == Range(-0.01, 0.03, -0.02, 0.05)
    made = drawn(project, found, (0.04, 0.2))
    free = next(points for tone, points in made.strokes if tone == "free")
    assert free[:, 2] - made.at[2] == pytest.approx([-0.01, 0.03])
    slide, angle = made.pointers
    assert slide.at - made.at == pytest.approx([0.0, 0.0, 0.04])
    assert angle.at == pytest.approx(slide.at), "it turns where it has slid to"
    assert [one.range.where(one.value) for one in made.readings] == ["stop", "free"]


def test_sliders_go_as_far_as_nothing_stops() -> None:
    """A knee's whole free range, not a turn to either side; a column's slide from fixed to its end."""
    project = load_project(samples() / "frontal.json")
    for id_, unit in (("driver_right_knee", "rad"), ("car_steering_wheel_mount", "m")):
        joint = next(one for one in project.joints if one.id == id_)
        (found,) = coordinates(project, joint)
        free = ranges_of(project, joint, (found.value,))[found.name]
        assert (found.unit, found.low, found.high) == (unit, free.low, free.high)
        assert free.low <= found.value <= free.high
        assert free.high - free.low < math.pi
