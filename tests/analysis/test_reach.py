"""Hold reach envelopes to a torus, to a ball between two cones, and to Ceccarelli's envelope of a three-revolute arm."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.analysis.linkages.serial import Serial
from solver.cli import main
from solver.exchange.shapes import read_mesh
from solver.project.geometry import PointRef
from solver.project.pose import start_pose
from solver.project.segments import unpack
from validation.reaches import CECCARELLI, cases, volume_of_three

UPRIGHT = {"orientation": {"order": "xyz", "angles_rad": [math.pi / 2, 0.0, 0.0]}}
TORUS = 2.0 * math.pi**2 * 1.0 * 0.4**2


def torus() -> mk.Model:
    """Turn about z, and a metre out two links of 0.2 m that reach a whole disc."""
    model = mk.new("arm")
    for name in "abc":
        model = model.add_segment(name, mass_kg=1.0, inertia_kgm2=(0.01, 0.01, 0.01))
    model = model.add_joint("one", kind="pin", parent="ground", child="a", parent_frame=UPRIGHT, child_frame=UPRIGHT)  # fmt: skip
    for name, parent, child, far in (("two", "a", "b", 1.0), ("three", "b", "c", 0.2)):
        model = model.add_joint(name, kind="pin", parent=parent, child=child, parent_frame={"position_m": (far, 0.0, 0.0)})  # fmt: skip
    return model


def test_a_torus_has_its_volume_and_area() -> None:
    found = mk.reach(torus(), ("c", (0.2, 0.0, 0.0)), ("one", "two", "three"), cell_m=0.16)
    assert found.volume_m3 == pytest.approx(TORUS, rel=2e-3)
    assert found.area_m2 == pytest.approx(4.0 * math.pi**2 * 0.4, rel=1e-2)
    # corners lie on the torus
    off = np.hypot(np.hypot(found.points[:, 0], found.points[:, 1]) - 1.0, found.points[:, 2])
    assert np.abs(off - 0.4).max() < 0.01


def test_stops_bound_it_and_ranges_replace_them() -> None:
    model = torus()
    spring = {"stop_rad": math.pi / 4, "quadratic_nm_per_rad2": 100.0}
    model = model.with_value("joints/one", model.project.joints[0].model_copy(update={"spring": type(model.project.joints[0].spring)(**spring)}))  # fmt: skip
    joints = ("one", "two", "three")
    quarter = mk.reach(model, ("c", (0.2, 0.0, 0.0)), joints, cell_m=0.12)
    assert quarter.volume_m3 == pytest.approx(TORUS / 4.0, rel=1e-2)
    eighth = mk.reach(model, ("c", (0.2, 0.0, 0.0)), joints, {"one.angle": (0.0, math.pi / 4)}, cell_m=0.1)  # fmt: skip
    assert eighth.volume_m3 == pytest.approx(TORUS / 8.0, rel=2e-2)
    with pytest.raises(mk.LinkageError, match="no coordinate of this chain"):
        mk.reach(model, ("c", (0.2, 0.0, 0.0)), joints, {"one.angel": (0.0, 1.0)})


def test_a_ball_and_a_slide_sweep_the_cone_of_a_ball() -> None:
    model = mk.new("telescope").add_segment("a", mass_kg=1.0, inertia_kgm2=(0.01, 0.01, 0.01))
    law = {"stop_rad": 0.8, "quadratic_nm_per_rad2": 100.0}
    model = model.add_joint(
        "j", kind="slip", rotation="ball", parent="ground", child="a", flexure=law
    )
    with pytest.raises(mk.LinkageError, match="say between which values"):
        mk.reach(model, ("a", (0.0, 0.0, 0.5)))
    found = mk.reach(model, ("a", (0.0, 0.0, 0.5)), (), {"j.slide": (0.0, 0.2)}, cell_m=0.05)
    # a cap that is shifted along its axis: every line along z leaves it 0.2 m later
    exact = math.pi * (0.5 * math.sin(0.8)) ** 2 * 0.2
    assert found.volume_m3 == pytest.approx(exact, rel=1e-2)


@pytest.mark.parametrize("segment", ["driver_right_hand", "driver_left_foot"])
def test_the_chain_places_the_point_as_the_start_pose_does(segment: str) -> None:
    project = mk.sample("frontal").project
    chain = Serial(project, PointRef(segment=segment, position_m=(0.01, 0.02, 0.08)))
    pose = start_pose(project)
    base = pose[chain.base]
    wanted = base.R_WS.T @ (pose[segment].of(chain.point.position_m) - base.p_W)
    assert chain.places(chain.start[None])[0] == pytest.approx(wanted, abs=1e-9)
    random = np.random.default_rng(3)
    u = chain.start + 0.1 * random.random(len(chain.start))
    _, slopes = chain.places_and_slopes(u[None])
    ahead, behind = (chain.places(u + d * np.eye(len(u))) for d in (1e-6, -1e-6))
    assert slopes[0] == pytest.approx((ahead - behind).T / 2e-6, abs=1e-7)


def test_a_three_revolute_arm_has_the_volume_of_its_closed_form() -> None:
    assert volume_of_three(*CECCARELLI, count=200) == pytest.approx(1000.34, rel=2e-3)
    for case in cases():
        assert case.passed, case.row()


def test_the_sample_shows_what_is_within_reach_and_what_is_not() -> None:
    project = mk.sample("hands_reach").project
    mesh = project.meshes[0]
    shown, pose = unpack(mesh.packed), start_pose(project)
    assert shown is not None
    base = pose[mesh.segment]
    for marker in project.markers:
        place = base.R_WS.T @ (pose[marker.segment].of(marker.point_m) - base.p_W)
        a, b, c = (shown.points[shown.faces[:, k]] - place for k in range(3))
        la, lb, lc = (np.linalg.norm(one, axis=1) for one in (a, b, c))
        over = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
        turns = np.arctan2((a * np.cross(b, c)).sum(1), over).sum() / (2.0 * math.pi)
        assert turns == pytest.approx(0.0 if marker.id == "carpet" else 1.0, abs=1e-6), marker.id


def test_the_command_writes_a_project_that_shows_it_and_a_file_of_triangles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torus().save(tmp_path / "arm.json")
    words = ["reach", str(tmp_path / "arm.json"), "c", "--point", "0.2", "0", "0", "--joints", "one", "two", "three", "--cell", "0.25"]  # fmt: skip
    assert main([*words, "-o", str(tmp_path / "out.json")]) == 0
    assert "volume       3.1" in capsys.readouterr().out
    shown: Any = mk.load(tmp_path / "out.json").project.meshes[0]
    assert (shown.id, shown.segment, shown.see_through) == ("reach_c", "ground", True)
    assert main([*words, "-o", str(tmp_path / "out.stl")]) == 0
    points = read_mesh(tmp_path / "out.stl").points
    assert np.abs(points).max() == pytest.approx(1.4, abs=0.02)
    assert main(["reach", str(tmp_path / "arm.json"), "c", "--joints", "elsewhere"]) == 1
