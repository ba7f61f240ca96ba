"""Mirror images: twins are written, what has none gets one, everything stays consistent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.editing.moving import turned
from app.elements import find
from app.scene.handles import about
from solver.bodies import insert_body, library_body
from solver.bodies.parts import with_contours
from solver.editing.mirror_joints import (
    mirrored_laws,
    mirrored_values,
    reflected,
    scaled,
    with_form,
)
from solver.editing.mirroring import CannotMirror, mirrored, twin_of
from solver.editing.removing import removed
from solver.engine.maths.rotation import matrices
from solver.project import Project, validated
from solver.project.angles import contour_limit
from solver.project.bending.shapes import shapes_of
from solver.project.changes import checked, value_at, with_value
from solver.project.checks import check
from solver.project.coordinate_forces import (
    CoordinateForce,
)
from solver.project.functions import Function
from solver.project.geometry import FrameRef
from solver.project.histories import curve_of
from solver.project.joints import Axis
from solver.project.motions import ConstantHistory, Driver, FrameDriver
from solver.project.pose import plane_corners, plane_extent
from solver.project.posing import within_stops
from solver.running.simulation import simulate
from solver.scene.placing import pose_at_start
from tests.models import base
from tests.rows import rows
from tests.window.seated import seated

SEATED = validated(seated())
M = np.diag([1.0, -1.0, 1.0])


def errors(project: Project) -> set[str]:
    return {problem.path for problem in check(project) if problem.severity == "error"}


def test_a_limb_is_written_onto_its_twin_with_its_pose() -> None:
    project = with_value(SEATED, "segments/arm_r/mass_kg", 3.3)
    project = with_value(project, "segments/arm_r/surfaces/arm_r/centre_m", (0.01, 0.02, 0.03))
    R = about(np.array([0.6, 0.0, 0.8]), 0.5)
    project = turned(project, "segments/arm_r", "", R)
    done = mirrored(project, ["segments/arm_r", "segments/forearm_r"])
    assert done.made == ()
    assert set(done.paths) == {
        "segments/arm_l", "segments/forearm_l", "joints/shoulder_l", "joints/elbow_l",
    }  # fmt: skip
    out = done.project
    assert value_at(out, "segments/arm_l/mass_kg") == 3.3
    assert value_at(out, "segments/arm_l/surfaces/arm_l/centre_m") == (0.01, -0.02, 0.03)
    assert value_at(out, "segments/arm_l/name") == "Upper arm, left"
    pose = pose_at_start(out)
    for name in ("arm", "forearm"):
        right, left = pose[f"{name}_r"], pose[f"{name}_l"]
        assert np.allclose(left.R_WS, M @ right.R_WS @ M, atol=1e-9)
        assert np.allclose(left.p_W, M @ right.p_W, atol=1e-9)
    assert errors(out) == errors(project)


def test_what_has_no_twin_gets_one() -> None:
    data = seated()
    gone = {"arm_l", "forearm_l"}
    data["segments"] = [s for s in data["segments"] if s["id"] not in gone]
    data["joints"] = [j for j in data["joints"] if j["child"] not in gone]
    start = data["initial"]["attitudes"]
    data["initial"]["attitudes"] = [a for a in start if a["segment"] not in gone]
    project = validated(data)
    done = mirrored(project, ["segments/arm_r", "segments/forearm_r"])
    assert set(done.made) == {
        "segments/arm_l", "segments/forearm_l", "joints/shoulder_l", "joints/elbow_l",
    }  # fmt: skip
    whole, again = pose_at_start(SEATED), pose_at_start(done.project)
    for name in gone:
        assert np.allclose(whole[name].p_W, again[name].p_W, atol=1e-9)
    assert errors(done.project) == errors(project)
    assert twin_of(done.project, "segments/arm_l") == ["segments", "arm_r"][1]
    assert value_at(done.project, "segments/arm_l/name") == "Upper arm, left"


def test_a_torque_turns_its_twin_the_other_way_and_a_force_pushes_it_alike() -> None:
    """The mirror image of a screw has the other hand: an axis in the mirror's plane is turned round."""
    data = seated()
    data["functions"].append(
        {"id": "one", "x_unit": "s", "y_unit": "N", "form": {"kind": "constant", "value": 1.0}}
    )
    data["loads"] = [
        {
            "id": f"{kind}_r",
            "kind": kind,
            "segment": "arm_r",
            "direction": [1, 2, 3],
            "history": "one",
        }
        for kind in ("force", "torque")
    ]
    project = validated(data)
    done = mirrored(project, ["loads/force_r", "loads/torque_r"])
    loads = {load.id: load for load in done.project.loads}
    assert loads["force_l"].segment == loads["torque_l"].segment == "arm_l"
    assert loads["force_l"].direction == (1.0, -2.0, 3.0)
    assert loads["torque_l"].direction == (-1.0, 2.0, -3.0)


def test_a_plane_keeps_its_front_and_a_belt_changes_sides() -> None:
    data = seated()
    data["planes"][1]["placement"]["p1_m"] = [-0.38, 0.30, -0.62]
    project = validated(data)
    done = mirrored(project, ["planes/seat_back", "harnesses/shoulder"])
    assert done.made == ("planes/seat_back_mirrored", "harnesses/shoulder_mirrored")
    planes = {plane.id: plane for plane in done.project.planes}
    one, two = (plane_corners(planes[n]) for n in ("seat_back", "seat_back_mirrored"))
    assert np.allclose(M @ np.cross(one[1], one[2]), np.cross(two[1], two[2]))
    points = done.project.harnesses[1].straps[0].points
    assert points[0].position_m == (-0.42, -0.28, -0.62)
    assert points[1].surface.segment == "thorax"
    assert errors(done.project) == errors(project)


def test_twice_is_as_before() -> None:
    done = mirrored(mirrored(SEATED, ["segments/arm_r"]).project, ["segments/arm_l"]).project
    before, after = pose_at_start(SEATED), pose_at_start(done)
    assert all(np.allclose(before[n].p_W, after[n].p_W, atol=1e-9) for n in before)


def test_what_has_no_side_says_so() -> None:
    with pytest.raises(CannotMirror, match="foam"):
        mirrored(SEATED, ["functions/foam"])
    with pytest.raises(CannotMirror, match="Select"):
        mirrored(SEATED, [""])


STOP = {
    "id": "stop", "x_unit": "rad", "y_unit": "N*m",
    "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 60.0]},
}  # fmt: skip
TWIST = {
    "id": "twist", "x_unit": "rad", "y_unit": "N*m",
    "form": {"kind": "table", "x": [-1.0, 0.0, 0.3, 2.0], "y": [-50.0, 0.0, 4.0, 30.0]},
}  # fmt: skip
PULL = {
    "id": "pull", "x_unit": "m", "y_unit": "N",
    "form": {"kind": "table", "x": [-1.0, 0.0, 0.02, 1.0], "y": [-900.0, 0.0, 3.0, 500.0]},
}  # fmt: skip
BEND = {
    "id": "bend", "x_unit": "rad", "y_unit": "N*m",
    "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 15.0]},
}  # fmt: skip
RIM = {
    "id": "rim_r", "name": "Rim, right", "x_unit": "rad", "y_unit": "rad",
    "form": {"kind": "table", "x": [0.0, 1.0, 2.5, 2 * math.pi], "y": [0.5, 0.2, 0.8, 0.5]},
}  # fmt: skip


def rim_of(form: dict[str, Any]) -> dict[str, Any]:
    return {**RIM, "form": form}


TILTED = {"orientation": {"angles_rad": [0.3, -0.2, 0.5]}}
JOINTS: dict[str, dict[str, Any]] = {
    "library": {"kind": "ball", "globographic": {"contour": {"kind": "library", "name": "shoulder"}, "torque": "stop"}},
    "polynomial": {"kind": "ball", "globographic": {"contour": {"kind": "polynomial", "coefficients": [0.3, 0.12, 0.05, -0.06]}, "torque": "stop"}},
    "function": {"kind": "ball", "globographic": {"contour": {"kind": "function", "angle": "rim_r"}, "torque": "stop"}},
    "twisted": {"kind": "ball", "torsion": {"torque": "twist"}},
    "by_azimuth": {"kind": "ball", "by_azimuth": {"around": [{"azimuth_rad": -math.pi, "torque": "stop"}, {"azimuth_rad": -0.5, "torque": "bend"}, {"azimuth_rad": 1.2, "torque": "stop"}]}},
    "rubbing": {"kind": "ball", "torsion": {"torque": "twist"}, "friction": {"coefficient": 0.5, "radius_m": 0.05}},
    "universal": {"kind": "universal", "first": {"centre_rad": 0.4, "spring": {"torque": "twist"}}, "second": {"centre_rad": 0.2, "spring": {"linear_nm_per_rad": 30.0}}},
    "euler": {"kind": "euler", "precession": {"centre_rad": -0.5, "spring": {"linear_nm_per_rad": 20.0}}, "nutation": {"centre_rad": 0.3, "spring": {"torque": "twist"}}, "spin": {"spring": {"linear_nm_per_rad": 10.0}}},
    "euler_contour": {"kind": "euler", "spin": {"spring": {"linear_nm_per_rad": 5.0}}, "globographic": {"contour": {"kind": "library", "name": "neck"}, "torque": "stop"}},
    "slip": {"kind": "slip", "rotation": "pin_z", "torsion": {"torque": "twist"}},
    "pin": {"kind": "pin", "spring": {"torque": "twist"}},
    "six": {"kind": "six", "x": {"force": "pull"}, "y": {"force": "pull", "viscous_ns_per_m": 2.0}, "z": {"locked": True},
            "yaw": {"centre_rad": 0.2, "spring": {"torque": "twist"}}, "pitch": {"spring": {"torque": "twist"}}, "roll": {"spring": {"linear_nm_per_rad": 9.0}}},
}  # fmt: skip
STARTS = {
    "library": [0.7, 1.4, 0.9], "polynomial": [0.7, 0.9, 0.6], "function": [0.4, 0.5, -0.7],
    "twisted": [0.8, 0.2, 0.1], "by_azimuth": [0.2, 0.8, 0.4], "rubbing": [0.8, 0.2, 0.1], "universal": [0.9, -0.5], "euler": [0.6, 0.9, -0.4], "euler_contour": [0.6, 1.3, -0.4],
    "slip": [0.05, 0.7], "pin": [-0.6], "six": [0.05, -0.04, 0.0, 0.5, -0.4, 0.3],
}  # fmt: skip


def hanging(name: str) -> Project:
    """Give an arm that is attached to the ground by a joint, in a posture in which the joint resists."""
    arm = {
        "id": "arm_r", "mass_kg": 2.0, "inertia_kgm2": [0.02, 0.03, 0.01],
        "surfaces": [{"id": "arm_r", "kind": "ellipsoid", "semi_axes_m": [0.05, 0.06, 0.2]}],
    }  # fmt: skip
    joint = {
        **JOINTS[name], "id": "shoulder_r", "parent": "ground", "child": "arm_r",
        "parent_frame": {"position_m": [0.1, 0.3, -0.5], **TILTED},
        "child_frame": {"position_m": [0.0, 0.02, -0.2]},
    }  # fmt: skip
    return validated({
        "format": "manikin-project", "segments": [arm], "joints": [joint], "functions": [STOP, TWIST, RIM, PULL, BEND],
        "initial": {"joints": [{"joint": "shoulder_r", "values": STARTS[name]}]},
        "runs": [{"id": "run", "duration_s": 0.03}],
    })  # fmt: skip


@pytest.mark.parametrize("name", JOINTS)
def test_the_mirrored_joint_does_in_a_run_what_the_joint_does(name: str) -> None:
    done = mirrored(hanging(name), ["segments/arm_r"])
    assert {"segments/arm_l", "joints/shoulder_l"} <= set(done.made)
    assert errors(done.project) == set()
    run = simulate(done.project)
    assert run.status == "completed"
    table, joints = run.table("segments"), run.table("joints")
    right, left = (table.ids.index(f"arm_{side}") for side in "rl")
    place = table["position"]
    assert np.abs(place[-1, right] - place[0, right]).max() > 1e-4
    assert place[:, left] == pytest.approx(place[:, right] @ M, abs=1e-9)
    turn = matrices(table["quaternion_wxyz"].reshape(-1, 4)).reshape(*place.shape[:2], 3, 3)
    assert turn[:, left] == pytest.approx(M @ turn[:, right] @ M, abs=1e-9)
    torque = joints["torque"]
    right, left = (joints.ids.index(f"shoulder_{side}") for side in "rl")
    assert np.linalg.norm(torque[:, right], axis=1).max() > 1.0, "it resists"
    # a torque is an axial vector: its mirror image is turned round
    assert torque[:, left] == pytest.approx(-torque[:, right] @ M, abs=1e-6)


DRIVEN = [
    ("pin", "angle"), ("slip", "slide"), ("slip", "angle"),
    ("universal", "first"), ("universal", "second"), ("six", "x"), ("six", "y"), ("six", "yaw"),
    ("euler", "precession"), ("euler", "nutation"), ("euler", "spin"),
]  # fmt: skip


def test_an_euler_joint_that_starts_at_its_centres_does_so_in_the_mirror() -> None:
    """Also where no start is written down: all three angles change their sign."""
    project = hanging("euler")
    axis = {"centre_rad": 0.0, "spring": {"linear_nm_per_rad": 20.0}}
    (joint,) = project.joints
    data = joint.model_dump() | {"precession": axis, "nutation": axis, "spin": axis}
    initial = project.initial.model_copy(update={"joints": ()})
    project = project.model_copy(
        update={"joints": (type(joint).model_validate(data),), "initial": initial}
    )
    made = mirrored(project, ["segments/arm_r"]).project
    twin = next(j for j in made.joints if j.id == "shoulder_l")
    assert (twin.precession.centre_rad, twin.nutation.centre_rad, twin.spin.centre_rad) == (0, 0, 0)  # type: ignore[union-attr]
    assert made.initial.joints == ()


def test_held_slides_across_the_mirror_are_released_by_the_opposite_load() -> None:
    project = hanging("six")
    (joint,) = project.joints
    slide = {"locked": True, "release_below_n": -30.0, "release_above_n": 70.0}
    data = joint.model_dump() | {"x": slide, "y": slide}
    project = project.model_copy(update={"joints": (type(joint).model_validate(data),)})
    made = next(
        j for j in mirrored(project, ["segments/arm_r"]).project.joints if j.id == "shoulder_l"
    )
    sides = [(s.release_below_n, s.release_above_n) for s in (made.x, made.y)]  # type: ignore[union-attr]
    assert sides == [(-30.0, 70.0), (-70.0, 30.0)]


@pytest.mark.parametrize(("name", "axis"), DRIVEN)
def test_a_mirrored_driver_moves_its_joint_as_in_a_mirror(name: str, axis: str) -> None:
    driver = Driver(
        id="driver_r", joint="shoulder_r", axis=axis,  # type: ignore[arg-type]
        quantity="acceleration", start_rate=0.4,
        pulse=ConstantHistory(value=30.0),
    )  # fmt: skip
    project = hanging(name).model_copy(update={"drivers": (driver,)})
    done = mirrored(project, ["segments/arm_r", "drivers/driver_r"])
    assert "drivers/driver_l" in done.made
    assert errors(done.project) == set()
    table = simulate(done.project).table("segments")
    right, left = (table.ids.index(f"arm_{side}") for side in "rl")
    place = table["position"]
    assert np.abs(place[-1, right] - place[0, right]).max() > 1e-3
    assert place[:, left] == pytest.approx(place[:, right] @ M, abs=1e-9)


@pytest.mark.parametrize("component", ["x", "y", "yaw", "pitch", "roll"])
def test_a_mirrored_frame_driver_moves_its_frame_as_in_a_mirror(component: Any) -> None:
    driver = FrameDriver(
        id="driver_r", moved=FrameRef(segment="arm_r"), component=component, quantity="acceleration",
        start_rate=0.0, pulse=ConstantHistory(value=30.0),
    )  # fmt: skip
    project = hanging("twisted" if component in ("yaw", "pitch", "roll") else "six")
    project = project.model_copy(update={"frame_drivers": (driver,)})
    done = mirrored(project, ["segments/arm_r", "frame_drivers/driver_r"])
    assert "frame_drivers/driver_l" in done.made
    assert errors(done.project) == set()
    run = simulate(done.project)
    assert run.status == "completed", run.message
    table, seen = run.table("segments"), run.table("frame_drivers")
    right, left = (table.ids.index(f"arm_{side}") for side in "rl")
    place = table["position"]
    assert place[:, left] == pytest.approx(place[:, right] @ M, abs=1e-8)
    column = seen["way" if component in ("x", "y") else "angle"]
    assert np.ptp(column[:, 0]) > 5e-3
    sign = 1.0 if component in ("x", "pitch") else -1.0
    assert column[:, 1] == pytest.approx(sign * column[:, 0], abs=1e-8)


TURNING = {
    "id": "turning",
    "x_unit": "rad",
    "y_unit": "N*m",
    "form": {"kind": "table", "x": [-1.0, 0.0, 2.0], "y": [-4.0, 0.5, 9.0]},
}
GIVING = {
    "id": "giving",
    "x_unit": "rad",
    "y_unit": "N*m",
    "form": {"kind": "table", "x": [-1.0, 1.0], "y": [0.3, 0.9]},
}
AIM = {
    "id": "aim", "x_unit": "s", "y_unit": "rad",
    "form": {"kind": "table", "x": [0.0, 0.02, 0.05], "y": [0.0, 0.1, 0.4]},
}  # fmt: skip
GAIN = {
    "id": "gain", "x_unit": "rad", "y_unit": "N*m/rad",
    "form": {"kind": "table", "x": [-1.0, 1.0], "y": [10.0, 40.0]},
}  # fmt: skip
LAWS: dict[str, list[dict[str, Any]]] = {
    "stops": [{"kind": "stop", "lower": -1e-4, "upper": 5e-5, "above": "turning", "below": "giving"}],
    "one_way": [{"kind": "one_way_damper", "damping": 2.0, "growth": 5.0, "upper": 0.1}, {"kind": "one_way_damper", "damping": 1.0, "acts": "falling"}],
    "rate": [{"kind": "rate", "base": "turning"}],
    "hinge": [{"kind": "plastic", "stiffness": 40.0, "limit": "giving"}],
    "hinge_by_size": [{"kind": "plastic", "stiffness": 40.0, "limit": "giving", "limit_goes_by": "size", "limit_below": 0.2}],
    "muscle": [{"kind": "muscle", "stiffness": 20.0, "damping": 3.0}],
    "actuator": [{"kind": "actuator", "target": "aim", "proportional": "gain", "derivative": 2.0, "integral": 9.0}],
    "aim": [{"kind": "actuator", "target": -0.3, "proportional": "gain"}],
    "sensing": [
        {
            "kind": "actuator", "target": "aim", "proportional": "gain", "derivative": 2.0, "by_error": "turning",
            "senses": {"coordinate": {"kind": "angle", "axis": axis, "a": {"segment": "ground", "frame": TILTED}, "b": {"segment": "arm_r"}}, "zero": 0.1},
            "switch": {"size": 1.0, "on": 0.05},
        }
        for axis in "xy"
    ],
}  # fmt: skip


@rows("name", LAWS)
@rows("axis", ["first", "second", "x", "y", "z"])
def test_laws_of_coordinates_act_as_in_a_mirror(name: str, axis: str) -> None:
    """About axes whose angles change their sign in the mirror, and about one whose angle does not."""
    coordinate: dict[str, Any] = {"kind": "joint", "joint": "shoulder_r", "axis": axis}
    if axis in "xyz":
        coordinate = {
            "kind": "angle", "axis": axis, "a": {"segment": "ground", "frame": TILTED},
            "b": {"segment": "arm_r"},
        }  # fmt: skip
    project = hanging("universal")
    joint = project.joints[0].model_copy(update={"first": Axis(), "second": Axis()})
    force = {"id": "force_r", "coordinate": coordinate, "laws": LAWS[name]}
    functions = (
        *project.functions,
        *(Function.model_validate(f) for f in (TURNING, GIVING, AIM, GAIN)),
    )
    project = project.model_copy(
        update={
            "joints": (joint,), "functions": functions,
            "coordinate_forces": (CoordinateForce.model_validate(force),),
        }
    )  # fmt: skip
    done = mirrored(project, ["segments/arm_r", "coordinate_forces/force_r"])
    assert "coordinate_forces/force_l" in done.made
    assert errors(done.project) == set()
    run = simulate(done.project)
    table = run.table("segments")
    right, left = (table.ids.index(f"arm_{side}") for side in "rl")
    place = table["position"]
    assert place[:, left] == pytest.approx(place[:, right] @ M, abs=1e-9)
    torque = run.table("coordinate_forces")["torque"]
    assert np.abs(torque[:, 0]).max() > 1e-3
    assert np.abs(torque[:, 1]) == pytest.approx(np.abs(torque[:, 0]), abs=1e-6)


@pytest.mark.parametrize("zero", [None, 0.3])
@pytest.mark.parametrize(
    ("name", "axis"),
    [
        *(("library", f"turn_{axis}") for axis in "xyz"),
        *(("euler", axis) for axis in ("precession", "nutation", "spin")),
    ],
)
def test_laws_on_axes_of_balls_act_as_in_a_mirror(name: str, axis: str, zero: float | None) -> None:
    coordinate = {"kind": "joint", "joint": "shoulder_r", "axis": axis}
    laws = [*LAWS["stops"], {"kind": "linear", "stiffness": 5.0}]
    force = {"id": "force_r", "coordinate": coordinate, "laws": laws, "zero": zero}
    project = hanging(name)
    functions = (*project.functions, *(Function.model_validate(f) for f in (TURNING, GIVING)))
    project = project.model_copy(
        update={
            "functions": functions, "coordinate_forces": (CoordinateForce.model_validate(force),)
        }
    )  # fmt: skip
    done = mirrored(project, ["segments/arm_r", "coordinate_forces/force_r"])
    assert errors(done.project) == set()
    run = simulate(done.project)
    table = run.table("segments")
    right, left = (table.ids.index(f"arm_{side}") for side in "rl")
    place = table["position"]
    assert place[:, left] == pytest.approx(place[:, right] @ M, abs=1e-9)
    torque = run.table("coordinate_forces")["torque"]
    assert np.abs(torque[:, 0]).max() > 1e-3
    assert np.abs(torque[:, 1]) == pytest.approx(np.abs(torque[:, 0]), abs=1e-6)


def test_a_plane_that_ends_in_one_direction_does_so_in_the_mirror() -> None:
    data = seated()
    data["planes"][1]["ends"] = "first"
    project = validated(data)
    done = mirrored(project, ["planes/seat_back"])
    planes = {plane.id: plane for plane in done.project.planes}
    one, two = (plane_extent(planes[n]) for n in ("seat_back", "seat_back_mirrored"))
    for edge, other in ((one[1], two[2]), (one[2], two[1])):
        assert np.linalg.norm(edge) == pytest.approx(np.linalg.norm(other))
    assert np.linalg.norm(one[2]) == pytest.approx(2000.0)


def test_what_acts_on_one_side_acts_on_the_other_in_the_mirror() -> None:
    for axis, side in (("x", "below"), ("y", "above"), ("z", "below")):
        coordinate = {
            "kind": "angle",
            "axis": axis,
            "a": {"segment": "ground"},
            "b": {"segment": "arm_r"},
        }
        law = {"kind": "linear", "stiffness": 5.0}
        force = {
            "id": "force_r",
            "coordinate": coordinate,
            "zero": 0.2,
            "side": "above",
            "laws": [law],
        }
        project = hanging("twisted").model_copy(
            update={"coordinate_forces": (CoordinateForce.model_validate(force),)}
        )
        done = mirrored(project, ["segments/arm_r", "coordinate_forces/force_r"]).project
        image = done.coordinate_forces[1]
        assert (image.side, image.zero) == (side, 0.2 if side == "above" else -0.2)


@pytest.mark.parametrize("name", JOINTS)
def test_the_mirror_image_of_the_mirror_image_is_the_joint(name: str) -> None:
    project = hanging(name)
    once = mirrored(project, ["segments/arm_r"]).project
    again = mirrored(once, ["segments/arm_l"])
    assert again.made == ()
    assert find(again.project, "joints/shoulder_r") == find(project, "joints/shoulder_r")
    start = {s.joint: s.values for s in again.project.initial.joints}
    assert start["shoulder_r"] == pytest.approx(tuple(STARTS[name]))
    # without the original, the image alone tells what it is the image of
    kept = {"segments/arm_r", "joints/shoulder_r"}
    alone = removed(once, *sorted(kept)).project
    back = mirrored(alone, ["segments/arm_l"]).project
    joint: Any = find(back, "joints/shoulder_r")
    for field in type(joint).model_fields:
        if field not in ("globographic", "name"):
            assert getattr(joint, field) == getattr(find(project, "joints/shoulder_r"), field)
    stop, was = joint_stop(joint), joint_stop(find(project, "joints/shoulder_r"))
    if stop is not None:
        for azimuth in np.linspace(0.0, 6.28, 25):
            assert contour_limit(back, stop, float(azimuth)) == pytest.approx(
                contour_limit(project, was, float(azimuth))
            )


def joint_stop(joint: Any) -> Any:
    return getattr(joint, "globographic", None)


@pytest.mark.parametrize("name", ["library", "polynomial", "function"])
def test_a_mirrored_contour_stops_mirrored_postures(name: str) -> None:
    project = hanging(name)
    out = mirrored(project, ["segments/arm_r"]).project
    right, left = (find(out, f"joints/shoulder_{side}") for side in "rl")
    for azimuth in np.linspace(0.05, 6.2, 40):
        here = contour_limit(out, joint_stop(right), float(azimuth))
        there = contour_limit(out, joint_stop(left), float(-azimuth % (2.0 * math.pi)))
        assert there == pytest.approx(here)
    values = tuple(STARTS[name])
    kept = within_stops(project, "shoulder_r", values)
    assert kept != pytest.approx(values), "the posture is beyond the stop"
    mirror_kept = within_stops(out, "shoulder_l", mirrored_values(right, values))
    assert mirror_kept == pytest.approx(mirrored_values(right, kept), abs=1e-6)


@pytest.mark.parametrize(
    "form",
    [
        {"kind": "constant", "value": 0.6},
        {"kind": "polynomial", "coefficients": [0.5, 0.3, -0.2, 0.02], "x_max": 2 * math.pi},
        {
            "kind": "two_ranges", "split": 2.0,
            "first": {"kind": "polynomial", "coefficients": [0.5, 0.1], "x_max": 2.0},
            "second": {"kind": "table", "x": [2.0, 4.0, 6.3], "y": [0.7, 0.9, 0.5]},
        },
        RIM["form"],
    ],
    ids=["constant", "polynomial", "two_ranges", "table"],
)  # fmt: skip
def test_forms_are_reflected_exactly(form: dict[str, Any]) -> None:
    function = checked(Function, rim_of(form))
    for turn_at, sign in ((2.0 * math.pi, 1.0), (0.0, -1.0)):
        image = function.model_copy(update={"form": reflected(function.form, turn_at, sign)})
        one, other = curve_of(function), curve_of(image)
        for x in np.linspace(-1.0, 7.0, 57):
            assert value_of(other, turn_at - x) == pytest.approx(sign * value_of(one, x), abs=1e-9)
        twice = reflected(image.form, turn_at, sign)
        back = curve_of(function.model_copy(update={"form": twice}))
        assert back.start == pytest.approx(one.start, abs=1e-12)


def value_of(curve: Any, x: float) -> float:
    """Give a curve's value; its first piece rules all that lies before it."""
    k = max(0, int(np.searchsorted(curve.start, x, side="right")) - 1)
    return float(sum(c * (x - curve.start[k]) ** n for n, c in enumerate(curve.poly[k])))


def test_left_shoulders_of_bodies_are_mirror_images_of_right_ones() -> None:
    body = with_contours(library_body("male-50"), ["shoulder", "hip"])
    project = insert_body(Project(), body, "man")
    for joint in ("shoulder", "hip"):
        right: Any = find(project, f"joints/man_right_{joint}")
        _, image = mirrored_laws(project, right)
        left: Any = find(project, f"joints/man_left_{joint}")
        for azimuth in np.linspace(0.0, 6.2, 30):
            one, other = (contour_limit(project, j.globographic, float(azimuth)) for j in (image, left))  # fmt: skip
            assert one == pytest.approx(other)


def test_a_mirrored_function_is_named_after_the_other_side() -> None:
    given = validated(base(functions=[TWIST | {"id": "left_twist"}, TWIST]))
    for old, wanted in zip(
        given.functions, ("right_twist", f"{TWIST['id']}_mirrored"), strict=True
    ):
        after, name = with_form(given, old, scaled(old.form, -1.0))
        assert name == wanted
        assert [one.id for one in after.functions] == [*(one.id for one in given.functions), wanted]
        # what is there already is taken
        assert with_form(after, old, scaled(old.form, -1.0)) == (after, wanted)


STRIP = {"kind": "rectangle", "width_m": 0.02, "height_m": 0.005}
STEEL = {"elastic_pa": 2.1e11, "density_kg_per_m3": 7800.0}
BOOM = {
    "id": "boom_l", "section": STRIP, "shear_pa": 8e10, "pieces": 4, "curve_m": [[0.3, 0.05, 0.0], [0.6, 0.2, 0.1]],
    "damping_ratio": 0.1, **STEEL,
    "start": {"segment": "hub", "frame": {"position_m": [0.1, 0.3, 0.0], "orientation": {"angles_rad": [0.3, 0.1, 0.2]}}},
}  # fmt: skip
BOX = {"kind": "box", "width_m": 0.03, "height_m": 0.03, "wall_m": 0.002}
RAIL = {
    "id": "rail_l", "segment": "hub", "planar": False, "yield_pa": 3e8, **STEEL,
    "frame": {"position_m": [-0.2, 0.4, 0.0], "orientation": {"angles_rad": [0.4, 0.0, 0.1]}},
    "nodes": [
        {"id": "root", "position_m": [0.0, 0.0, 0.0], "held": "fixed"}, {"id": "knee", "position_m": [0.3, 0.1, 0.05]},
        {"id": "tip", "position_m": [0.5, 0.0, 0.2], "mass_kg": 2.0},
    ],
    "members": [{"id": "in", "a": "root", "b": "knee", "section": BOX}, {"id": "out", "a": "knee", "b": "tip", "section": BOX}],
}  # fmt: skip


def on_a_boom() -> Project:
    """A hub thrown through the air, with a boom on its left, a bob hung on a station of it, and a rail that folds."""
    bob = {"id": "bob_l", "mass_kg": 1.0, "inertia_kgm2": [0.01] * 3}
    hang = {
        "kind": "ball", "id": "hang_l", "parent": "boom_l#3", "child": "bob_l",
        "parent_frame": {"position_m": [0.0, 0.02, 0.0]}, "child_frame": {"position_m": [0.0, 0.05, -0.2]},
        "torsion": {"linear_nm_per_rad": 2.0},
    }  # fmt: skip
    push = table_of("push", [0.0, 0.01], [0.0, 300.0])
    pull = {"id": "pull_l", "segment": "rail_l#tip", "direction": [0.3, 0.9, -0.4], "history": "push"}  # fmt: skip
    hub = {"id": "hub", "mass_kg": 1e6, "inertia_kgm2": [1e6] * 3}
    return validated(base(
        0.02, {"kind": "dopri"}, segments=[hub, bob], joints=[hang], beams=[BOOM], crash_frames=[RAIL], loads=[pull], functions=[push],
        initial={"joints": [{"joint": "hang_l", "values": [0.1, 0.2, 0.3]}]},
        outputs=[{"id": "bend_l", "kind": "element", "of": "beams", "element": "boom_l"}],
    ))  # fmt: skip


def table_of(name: str, x: list[float], y: list[float]) -> dict[str, Any]:
    return {"id": name, "x_unit": "s", "y_unit": "N", "form": {"kind": "table", "x": x, "y": y}}


def test_joints_on_stations_and_the_parts_that_they_are_of_move_as_in_a_mirror() -> None:
    project = on_a_boom()
    paths = [
        "segments/bob_l",
        "beams/boom_l",
        "crash_frames/rail_l",
        "loads/pull_l",
        "outputs/bend_l",
    ]
    done = mirrored(project, paths).project
    assert not errors(done)
    assert find(done, "joints/hang_r").parent == "boom_r#3"
    assert find(done, "loads/pull_r").segment == "rail_r#tip"
    assert find(done, "outputs/bend_r").element == "boom_r"
    table = simulate(done).table("segments")
    for one in ("bob_l", "boom_l#4", "rail_l#tip", "rail_l#in"):
        ids = (table.ids.index(name) for name in (one, one.replace("_l", "_r")))
        left, right = (table["position"][:, n] for n in ids)
        assert np.ptp(left, axis=0).max() > 2e-4
        assert right == pytest.approx(left @ M, abs=1e-5)
    # onto a twin that is there, by the name of the station alone
    again = mirrored(done, ["joints/hang_l"]).project
    assert find(again, "joints/hang_r").parent == "boom_r#3"


def test_wheels_and_modal_bodies_are_mirrored() -> None:
    sole = {"kind": "beam", "frame": {"position_m": [0.0, 0.1, 0.0]}, "length_m": 0.3, "section": STRIP, "elastic_pa": 1e9, "shear_pa": 4e8, "density_kg_per_m3": 1000.0, "bending_y": 1, "bending_z": 1, "twist": 1, "stretch": 1}  # fmt: skip
    sole["frame"]["orientation"] = {"angles_rad": [0.2, -0.3, 0.5]}  # type: ignore[index]
    bent = [0.01, 0.02, 0.1, 0.003]
    wheel = {"id": "w_l", "wheel": "wheel_l", "centre_m": [0.0, 0.1, 0.0], "axle": [0.1, 1.0, 0.2], "roads": ["road"], "radius_m": 0.3, "stiffness_n_per_m": 1e5, "cornering_n_per_rad": 1e4, "slip_stiffness_n": 1e4}  # fmt: skip
    road = {"kind": "points", "p1_m": [0, 0, 0.3], "p2_m": [1, 0, 0.3], "p3_m": [0, -1, 0.3]}
    project = validated(base(
        0.1, {"kind": "dopri"}, segments=[{"id": "wheel_l", "mass_kg": 9.0, "inertia_kgm2": [0.3] * 3}], tyres=[wheel],
        planes=[{"id": "road", "placement": road}], modal_bodies=[{"id": "m_l", "segment": "wheel_l", "shapes": sole, "start_m": bent}],
    ))  # fmt: skip
    done = mirrored(project, ["segments/wheel_l", "tyres/w_l", "modal_bodies/m_l"]).project
    tyre, body = find(done, "tyres/w_r"), find(done, "modal_bodies/m_r")
    assert (tyre.wheel, tyre.centre_m, tyre.axle) == ("wheel_r", (0.0, -0.1, 0.0), (-0.1, 1.0, -0.2))  # fmt: skip
    assert (body.segment, body.shapes.frame.position_m) == ("wheel_r", (0.0, -0.1, 0.0))
    # a point beside the axis starts where the other does in the mirror
    point, across = np.array([0.2, 0.07, 0.03]), np.array([1.0, -1.0, 1.0])
    own = shapes_of(project.modal_bodies[0]).node(point)
    other = shapes_of(body).node(across * point)
    assert own is not None
    assert other is not None
    assert other.moved(np.array(body.start_m)) == pytest.approx(across * own.moved(np.array(bent)), abs=1e-12)  # fmt: skip
