"""Mirror images: twins are written, what has none gets one, everything stays consistent."""

from __future__ import annotations

import numpy as np
import pytest

from app.editing.mirroring import CannotMirror, mirrored, twin_of
from app.editing.moving import turned
from app.scene.dragging import about
from app.scene.placing import pose_at_start
from solver.project import Project, validated
from solver.project.changes import value_at, with_value
from solver.project.checks import check
from solver.project.pose import plane_corners
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
