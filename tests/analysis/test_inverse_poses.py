"""Hold inverse poses to a triangle, and to Agrawal's robot: four, of which none is the mirror image of another."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.project.pose import start_pose
from validation.syntheses import agrawals_poses, floating_robot


def test_an_arm_of_two_links_has_the_two_poses_of_a_triangle() -> None:
    model = mk.sample("double_pendulum")
    found = mk.inverse_poses(model, [(("lower", (0.0, 0.0, 0.5)), (0.6, 0.0, 0.9))], starts=64)
    far = math.hypot(0.6, 0.9)
    bend = math.pi - math.acos(1.0 - far * far / 2.0)
    assert sorted(one.coordinates["elbow.angle"] for one in found.poses) == pytest.approx([-bend, bend], abs=1e-7)  # fmt: skip
    for one in found.poses:
        at = start_pose(one.project)["lower"].of((0.0, 0.0, 0.5))
        assert at == pytest.approx((0.6, 0.0, 0.9), abs=1e-8)
    assert found.unseen < 0.05
    with pytest.raises(mk.LinkageError, match="the nearest misses by"):
        mk.inverse_poses(model, [(("lower", (0.0, 0.0, 0.5)), (3.0, 0.0, 0.0))], starts=8)
    with pytest.raises(mk.LinkageError, match="endlessly many"):
        mk.inverse_poses(model, turned={"lower": (0.0, 0.3, 0.0)}, starts=8)


def test_a_floating_robot_has_four_poses_and_no_mirror_images() -> None:
    found = agrawals_poses()
    assert len(found.poses) == 4
    masses = np.array([one.mass_kg for one in floating_robot().project.segments])
    bends = []
    for one in found.poses:
        pose = start_pose(one.project)
        centre = sum(m * pose[s.id].p_W for m, s in zip(masses, one.project.segments, strict=True)) / masses.sum()  # fmt: skip
        assert centre == pytest.approx(np.zeros(3), abs=1e-8)
        assert pose["hand"].p_W == pytest.approx((-15.0 * 0.0254, 0.0, 12.0 * 0.0254), abs=1e-8)
        ends = pose["b2"].of((8.55 * 0.0254, 0.0, 0.0)), pose["hand"].of(one.project.constraints[0].b.position_m)  # type: ignore[union-attr]  # fmt: skip
        assert ends[0] == pytest.approx(ends[1], abs=1e-8)
        bends.append((one.coordinates["a_2.angle"], one.coordinates["b_2.angle"]))
    for one, other in itertools.combinations(bends, 2):
        assert abs(one[0]) != pytest.approx(abs(other[0]), abs=1e-4)


def test_the_command_lists_them_and_writes_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mk.sample("double_pendulum").save(tmp_path / "arm.json")
    words = ["poses", str(tmp_path / "arm.json"), "--at", "lower", "0", "0", "0.5", "1", "0", "1", "--starts", "64"]  # fmt: skip
    assert main([*words, "--json", "-o", str(tmp_path / "one.json"), "--take", "2"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [round(one["coordinates"]["elbow.angle"], 4) for one in told["poses"]] in ([-1.5708, 1.5708], [1.5708, -1.5708])  # fmt: skip
    place = start_pose(mk.load(tmp_path / "one.json").project)["lower"].of((0.0, 0.0, 0.5))
    assert place == pytest.approx((1.0, 0.0, 1.0), abs=1e-8)
    assert main([*words, "-o", str(tmp_path / "two.json"), "--take", "3"]) == 1
