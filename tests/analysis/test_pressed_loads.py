"""Loads of joints where bodies press on the ground and on each other: with the run's contacts known they are the run's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.analysis.inverse import InverseError
from solver.analysis.inverse.motion import loads_in_run
from solver.cli import main
from tests.balls_and_floors import FLOOR
from tests.models import base, project, segment

R = 0.1


def ball(name: str) -> Any:
    surface = {"id": "skin", "kind": "ellipsoid", "semi_axes_m": [R, R, R]}
    return segment(name, 2.0, (0.01, 0.012, 0.014)) | {"surfaces": [surface]}


def dropped() -> mk.Model:
    """Two balls on a stick with a joint that bends and rubs, dropped on the ground and on a third ball."""
    skin = {name: {"segment": name, "surface": "skin"} for name in ("a", "b", "c")}
    data = base(
        0.12,
        segments=[ball(name) for name in ("a", "b", "c")],
        joints=[{
            "id": "pin", "kind": "pin", "parent": "a", "child": "b", "friction": {"viscous_nms_per_rad": 0.5},
            "parent_frame": {"position_m": [0.25, 0.0, 0.0]}, "child_frame": {"position_m": [-0.2, 0.0, 0.03]},
        }],
        planes=[FLOOR],
        contact_laws=[{"id": "soft", "kind": "kelvin_voigt", "stiffness_n_per_m": 2e4, "damping_ns_per_m": 50.0, "friction": 0.4}],
        contacts=[
            *({"id": f"{name}_floor", "kind": "plane", "plane": FLOOR["id"], "surface": skin[name], "law": "soft"} for name in "abc"),
            {"id": "b_c", "kind": "surfaces", "first": skin["b"], "second": skin["c"], "law": "soft"},
        ],
        initial={"roots": [
            {"segment": "a", "position_m": [0.0, 0.0, 0.15], "velocity_m_per_s": [0.5, 0.2, -1.5]},
            {"segment": "c", "position_m": [0.6, 0.02, 0.098]},
        ]},
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, -9.81]
    data["runs"][0]["frame_interval_s"] = 0.002
    return mk.Model(project(data))


@pytest.fixture(scope="module")
def run() -> Any:
    return mk.run(dropped())


def test_with_known_contacts_joints_bear_what_the_run_says(run: Any) -> None:
    pressed = np.abs(run.trajectory.table("contacts")["force"]).max(axis=(0, 2))
    assert pressed.min() > 1.0, "each contact presses at some time"
    loads = mk.joint_loads(run, contacts=True)
    own = loads_in_run(loads.motion, run.trajectory)
    assert loads.values == pytest.approx(own, abs=1e-9 * pressed.max())
    # roots bear nothing any more
    roots = [n for n, name in enumerate(loads.names) if name.startswith("segments/")]
    assert np.abs(loads.values[:, roots]).max() < 1e-9 * pressed.max()
    assert np.abs(mk.joint_loads(run).values[:, roots]).max() > 0.1 * pressed.max()


def test_where_no_contact_is_known_it_is_said(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    still = mk.run(mk.sample("pendulum"), until=0.01)
    with pytest.raises(InverseError, match="no contacts"):
        mk.joint_loads(still, contacts=True)
    with pytest.raises(InverseError, match="Tracks tell no forces"):
        mk.joint_loads(mk.sample("pendulum"), [0.1 * n for n in range(8)], {}, contacts=True)
    file, results = tmp_path / "a.json", tmp_path / "a.h5"
    run.save(results)
    dropped().save(file)
    assert main(["inverse", str(results), "--contacts"]) == 0
    assert "joints/pin/1" in capsys.readouterr().out
    (tmp_path / "t.csv").write_text("time [s]\n0\n1\n")
    assert main(["inverse", str(file), "--tracks", str(tmp_path / "t.csv"), "--contacts"]) == 1
    assert "leave out --contacts" in capsys.readouterr().err
