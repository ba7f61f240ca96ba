"""Whole runs: how they end, what they say, what is left behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.cli import main
from solver.project import load_project, save_project
from solver.project.problems import SimulationError
from solver.results import open_results
from solver.running.simulation import simulate, simulate_to_file
from tests.engine.test_constraints import chain
from tests.models import base, hung, project, segment

EULER = {"kind": "semi_implicit_euler", "step_s": 0.01}


def stiff() -> Any:
    """Give a model that a fixed step cannot follow."""
    spring = {"linear_nm_per_rad": 1e7}
    return hung({"kind": "pin", "spring": spring}, [0.5], integrator=EULER)


def test_the_double_pendulum_stands_where_it_should() -> None:
    data = load_project(samples() / "double_pendulum.json")
    run = simulate(data)
    angle = run.table("joints")["angle"][-1, :, 0]
    both = np.abs((np.array([angle[0], angle.sum()]) + np.pi) % (2 * np.pi) - np.pi)
    # the sample's own tolerance, not the finest
    assert np.allclose(both, [1.1385438, 1.2443799], atol=2e-5)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-6


def test_a_motion_that_blows_up_is_named_and_what_came_before_is_kept(tmp_path: Path) -> None:
    outcome = simulate_to_file(project(stiff()), tmp_path / "run.h5")
    assert outcome.status == "failed"
    assert "'rod'" in outcome.message
    assert "blew up" in outcome.message
    with open_results(tmp_path / "run.h5") as run:
        assert run.status == "failed"
        assert run.message == outcome.message
        assert len(run.time) >= 1
        assert np.all(np.isfinite(run.segment("rod").position))


def test_a_step_too_small_is_named() -> None:
    data = stiff()
    data["runs"][0]["integrator"] = {"kind": "dopri", "smallest_step_s": 0.004}
    run = simulate(project(data))
    assert run.status == "failed"
    assert "smallest step" in run.message
    assert "'rod'" in run.message


def test_a_freedom_without_inertia_is_named() -> None:
    """The check refuses most of these; what reaches the engine is still told in words."""
    from solver.engine.dynamics.tree import TURN
    from solver.running.simulation import Simulation

    simulation = Simulation(project(hung({"kind": "pin"})))
    tree = simulation.model.system.tree
    assert tree.kind[0] == TURN
    tree.mass[:] = 0.0
    tree.inertia[:] = 0.0
    outcome = simulation.go([])
    assert outcome.status == "failed"
    assert "nothing determines how 'rod' moves" in outcome.message


def test_a_cancelled_run_leaves_a_valid_file(tmp_path: Path) -> None:
    data = chain(3)
    data["runs"][0] |= {"duration_s": 100.0}
    asked: list[int] = []

    def cancel() -> bool:
        asked.append(1)
        return len(asked) > 3

    outcome = simulate_to_file(project(data), tmp_path / "run.h5", cancel=cancel)
    assert outcome.status == "cancelled"
    assert len(asked) >= 4
    assert outcome.time < 100.0
    with open_results(tmp_path / "run.h5") as run:
        assert run.status == "cancelled"
        assert len(run.time) > 0


def test_progress_goes_from_nothing_to_all() -> None:
    parts: list[float] = []
    simulate(project(chain(2)), progress=parts.append)
    assert parts == sorted(parts)
    assert parts[-1] == 1.0


def test_an_unknown_run_is_refused() -> None:
    with pytest.raises(SimulationError, match="it has run"):
        simulate(project(chain(1)), run="other")
    with pytest.raises(SimulationError, match="has no run"):
        simulate(project(base(runs=[])))


def test_run_writes_results_and_a_summary(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    data = hung({"kind": "pin", "lock": {"lock_rate_rad_per_s": 0.1}}, [0.5])
    save_project(project(data), tmp_path / "rod.json")
    assert main(["run", "rod.json", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "completed" in out
    assert "held again" in out
    assert (tmp_path / "rod.h5").exists()
    assert main(["run", "rod.json", "-o", "other.h5", "--json", "--quiet"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["status"] == "completed"
    assert said["output"] == "other.h5"
    assert {"wall_s", "steps", "evaluations", "energy_balance", "injury"} <= set(said)
    with open_results(tmp_path / "other.h5") as run:
        assert any("held again" in line for line in run.log)


def test_run_changes_settings_by_path(tmp_path: Path, capsys: Any) -> None:
    save_project(project(hung({"kind": "pin"}, [0.5])), tmp_path / "rod.json")
    out = str(tmp_path / "out.h5")
    change = "runs/run/duration_s=0.25"
    assert main(["run", str(tmp_path / "rod.json"), "-o", out, "--set", change, "--quiet"]) == 0
    with open_results(out) as run:
        assert run.time[-1] == 0.25


def test_a_failed_run_says_why_and_gives_one(tmp_path: Path, capsys: Any) -> None:
    save_project(project(stiff()), tmp_path / "rod.json")
    assert main(["run", str(tmp_path / "rod.json"), "-o", str(tmp_path / "o.h5"), "--quiet"]) == 1
    assert "blew up" in capsys.readouterr().err


def test_outputs_see_what_they_ask_for() -> None:
    """A rotating arm: accelerations of its tip in all the ways of asking."""
    outputs = [
        {"id": "ground", "kind": "point", "segment": "rod", "point_m": [0.0, 0.0, 0.5],
         "axes": "relative"},
        {"id": "own", "kind": "point", "segment": "rod", "point_m": [0.0, 0.0, 0.5]},
        {"id": "felt", "kind": "point", "segment": "rod", "with_gravity": True, "axes": "relative"},
        {"id": "seen", "kind": "point", "segment": "rod", "relative_to": "table", "quantity": "velocity"},
        {"id": "turn", "kind": "rotation", "segment": "rod", "quantity": "velocity"},
        {"id": "angle", "kind": "rotation", "segment": "rod", "relative_to": "table"},
        {"id": "hinge", "kind": "joint", "joint": "joint", "quantity": "force", "in_axes_of": "child"},
    ]  # fmt: skip
    spin = {"id": "spin", "segment": "table", "components": [
        {"component": "yaw", "quantity": "velocity", "pulse": {"kind": "constant", "value": 3.0}}]}  # fmt: skip
    data = base(
        segments=[segment("table", 10.0, (1.0, 1.0, 1.0)), segment("rod")],
        joints=[{"id": "joint", "kind": "locked", "parent": "table", "child": "rod",
                 "parent_frame": {"position_m": [2.0, 0.0, 0.0]}}],
        motions=[spin], outputs=outputs,
    )  # fmt: skip
    run = simulate(project(data))

    def values(name: str, axes: str = "xyz") -> np.ndarray:
        return np.array([run.channel(f"{name}_{a}").value for a in axes]).T

    t = run.channel("ground_x").time
    inward = -2.0 * 9.0
    assert np.allclose(values("own"), [inward, 0.0, 0.0], atol=1e-9)
    circle = np.stack([np.cos(3.0 * t), np.sin(3.0 * t), 0.0 * t], axis=1)
    assert np.allclose(values("ground"), inward * circle, atol=1e-9)
    assert np.allclose(values("felt"), inward * circle - [0.0, 0.0, 9.81], atol=1e-9)
    assert np.allclose(values("seen"), 0.0, atol=1e-9)
    assert np.allclose(values("turn"), [0.0, 0.0, 3.0], atol=1e-12)
    assert np.allclose([run.channel(f"angle_{n}").value for n in ("yaw", "pitch", "roll")], 0.0)
    assert np.allclose(values("hinge"), [inward, 0.0, -9.81], atol=1e-9)
    assert np.allclose(run.channel("own_resultant").value, 18.0)
    external = run.table("energy")["external"]
    assert np.abs(external).max() < 1e-9
