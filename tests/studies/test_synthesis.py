"""Hold syntheses to both Hansens' problems (seed 001, pages 423 to 454), and studies to loops that their numbers leave open."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.analysis.linkages.loops import Loops
from solver.cli import main
from solver.project import ProjectError
from solver.project.checks import check
from solver.project.geometry import PointRef
from solver.project.pose import start_pose
from solver.project.study_parts import Uniform
from validation.syntheses import four_points, slider_crank


def coupler_points(of: dict[str, float], angle: float) -> list[Any]:
    """Where the tip is in the plane of x and -z, in both branches: circles about the crank's end and the output's pin."""
    ground = np.array([of["x4"], -of["z4"]])
    end = np.array([of["x1"], -of["z1"]]) + (of["crank"] + 0.055) * np.array(
        [math.cos(angle), math.sin(angle)]
    )
    long, out = of["coupler"] + 0.2, of["output"] + 0.1875
    by = ground - end
    far = float(np.linalg.norm(by))
    half = math.acos((long**2 + far**2 - out**2) / (2.0 * long * far))
    turns = [math.atan2(by[1], by[0]) + sign * half for sign in (1.0, -1.0)]
    return [
        end
        + (0.2 + of["u"]) * np.array([math.cos(t), math.sin(t)])
        + of["v"] * np.array([math.sin(t), -math.cos(t)])
        for t in turns
    ]


def _with(model: mk.Model, **fields: Any) -> mk.Model:
    study = model.project.studies[0]
    return mk.Model(
        model.project.model_copy(update={"studies": (study.model_copy(update=fields),)})
    )


def test_four_points_are_passed_within_the_intervals_of_the_crank(tmp_path: Path) -> None:
    model = four_points()
    found = mk.study(model, path=tmp_path / "four.h5")
    told = found.answers["synthesis"]
    assert told["passed"] >= 16
    assert len(found.rows) == 20
    best = found.best[0]
    turned = np.degrees(np.array(told["crank_rad"][best]) - told["crank_rad"][best][0])
    for angle, low, high in zip(turned[1:], (80, 170, 260), (100, 190, 280), strict=True):
        assert low - 1e-6 <= angle <= high + 1e-6
    numbers = dict(zip(found.layout.parameters, found.rows.inputs[best].tolist(), strict=True))
    wanted = np.array(model.project.studies[0].along.points_m)[:, [0, 2]] * (1.0, -1.0)  # type: ignore[union-attr]
    for angle, place in zip(told["crank_rad"][best], wanted, strict=True):
        assert min(np.linalg.norm(one - place) for one in coupler_points(numbers, angle)) < 1e-6
    again = mk.open_study(tmp_path / "four.h5")
    assert again.answers["synthesis"] == told


def test_a_path_is_followed_in_four_steps_and_lost_in_one() -> None:
    found = mk.study(slider_crank())
    assert found.rows.outputs[0, 0] < 1e-3
    assert found.rows.outputs[0, 2] == 1.0
    along = slider_crank().project.studies[0].along  # type: ignore[union-attr]
    lost = mk.study(_with(slider_crank(), along=along.model_copy(update={"steps": 1})))
    assert lost.rows.outputs[0, 0] > 10.0 * found.rows.outputs[0, 0]


def test_chains_with_loops_stand_where_the_start_pose_has_them() -> None:
    project = slider_crank().project
    loops = Loops(project, {"tip": PointRef(segment="coupler", position_m=(0.05, 0.05, 0.05))})
    seen = loops.moving(loops.numbers, loops.start[None])
    pose = start_pose(project)
    for name in ("slider", "coupler", "crank"):
        assert seen.pose[name][1].reshape(3) == pytest.approx(pose[name].p_W, abs=1e-12)
        assert seen.pose[name][0].reshape(3, 3) == pytest.approx(pose[name].R_WS, abs=1e-12)
    off, slopes = loops.open(loops.numbers, loops.start[None])
    for k in range(len(loops.start)):
        ahead = loops.open(loops.numbers, (loops.start + 1e-6 * np.eye(4)[k])[None])[0]
        behind = loops.open(loops.numbers, (loops.start - 1e-6 * np.eye(4)[k])[None])[0]
        assert slopes[0, :, k] == pytest.approx((ahead - behind)[0] / 2e-6, abs=1e-8)
    assert off.shape == (1, 3)


def test_what_is_no_dimension_is_refused_with_its_place() -> None:
    model = four_points()
    study = model.project.studies[0]
    other = study.parameters[0].model_copy(
        update={
            "path": "segments/crank/mass_kg",
            "spread": Uniform(kind="uniform", low=1.0, high=2.0),
        }
    )
    with pytest.raises(ProjectError) as failure:
        mk.study(_with(model, parameters=(other, *study.parameters[1:])))
    assert failure.value.problems[0].path == "studies/four/parameters/x1/path"
    wrong = check(_with(model, crank=None).project)
    assert [(one.code, one.path) for one in wrong if one.code.startswith("study")] == [("study-option", "studies/four/crank")]  # fmt: skip


def test_a_study_closes_the_loops_that_a_number_leaves_open() -> None:
    model = mk.sample("four_bar").until(0.02)
    spread = {"kind": "uniform", "low": 0.18, "high": 0.22}
    model = model.add_study(
        "links", kind="grid", levels=3, hold=["crank_pin"],
        parameters=[{"id": "half", "path": "constraints/closure/a/position_m/0", "spread": spread}],
        responses=[{"id": "angle", "kind": "channel", "quantity": "output_angle_angle", "take": "last"}],
    )  # fmt: skip
    found = mk.study(model, workers=0)
    # what was not open is left alone, and nothing else is said
    assert [one.startswith("Loops closed: 'output' moved by") for one in found.rows.messages] == [True, False, True]  # fmt: skip
    assert found.rows.messages[1] == ""
    angles = found.rows.outputs[:, 0]
    assert (np.diff(angles) < -1e-3).all() or (np.diff(angles) > 1e-3).all()
    # the crank stands where it stood, and the loop is closed
    longest = found.design(2)
    assert longest.initial.joints[0].values == pytest.approx((math.pi / 2,), abs=1e-8)
    assert not [one for one in check(longest) if one.severity == "error"]


def test_the_command_tells_how_many_starts_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _with(four_points(), starts=2).save(tmp_path / "four.json")
    assert main(["study", str(tmp_path / "four.json"), "-o", str(tmp_path / "out.h5")]) == 0
    said = capsys.readouterr().out
    assert "of 2 starts within 0.001 mm" in said
    assert (
        main(["study", str(tmp_path / "four.json"), "-o", str(tmp_path / "out.h5"), "--resume"])
        == 1
    )
