"""Postures that are held and motions that are followed: gains by what joints carry."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.bodies.body import BodyError
from solver.project import to_json
from tests.analysis.test_tracking import hand, tracks_of
from tests.engine.test_coordinate_forces import seen, wheel
from tests.models import base, project, segment
from tests.solved import solved

HZ, DAMPING = 2.0, 0.3


def test_what_a_joint_carries_swings_as_wanted() -> None:
    """One body on a pin: J x'' + 2 z w J x' + w^2 J x = 0, whatever J is; gains are kept to four figures."""
    data = wheel(0.05, 0.2, 0.0, duration=0.8)
    del data["coordinate_forces"]
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    data["joints"][0]["child_frame"] = {"position_m": [0.0, 0.0, -0.4]}
    held = mk.brace(mk.Model(project(data)), frequency_hz=HZ, damping=DAMPING)
    (law,) = held.project.coordinate_forces[0].laws
    inertia, w = 0.05 + 1.0 * 0.4**2, 2.0 * math.pi * HZ
    assert law.proportional == pytest.approx(inertia * w**2, rel=1e-3)
    assert law.derivative == pytest.approx(2.0 * DAMPING * inertia * w, rel=1e-3)
    data["initial"]["joints"][0]["rates"] = [1.0]
    out = mk.run(mk.brace(mk.Model(project(data)), frequency_hz=HZ, damping=DAMPING)).trajectory
    free = w * math.sqrt(1.0 - DAMPING**2)
    wanted = np.exp(-DAMPING * w * out.time) * np.sin(free * out.time) / free
    assert seen(out, "angle") == pytest.approx(wanted, abs=2e-4)


def tumbling() -> Any:
    """Let three bodies fly, by a ball and an Euler joint, without weight."""
    data = base(
        0.4,
        segments=[segment(name, 1.0, (0.02, 0.03, 0.04)) for name in ("a", "b", "c", "d")],
        joints=[
            {"id": "ball", "kind": "ball", "parent": "a", "child": "b",
             "parent_frame": {"position_m": [0.2, 0.0, 0.0]}, "child_frame": {"position_m": [-0.2, 0.0, 0.0]}},
            {"id": "euler", "kind": "euler", "parent": "b", "child": "c",
             "parent_frame": {"position_m": [0.2, 0.0, 0.0]}, "child_frame": {"position_m": [-0.2, 0.0, 0.0]}},
            {"id": "pin", "kind": "pin", "parent": "c", "child": "d",
             "parent_frame": {"position_m": [0.2, 0.0, 0.0]}, "child_frame": {"position_m": [-0.2, 0.0, 0.0]}},
        ],
        initial={
            "roots": [{"segment": "a"}],
            "joints": [{"joint": "pin", "values": [0.3], "rates": [2.0]}, {"joint": "euler", "values": [0.2, 0.5, -0.4]}],
            "attitudes": [{"segment": "b", "orientation": {"angles_rad": [0.2, -0.3, 0.1]}, "angular_velocity_rad_per_s": [1.0, 2.0, -1.5]}],
        },
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    data["runs"][0] |= {"frame_interval_s": 0.005, "channel_rate_hz": 200.0}
    return data


def test_a_motion_that_is_followed_takes_no_torque() -> None:
    """Actuators that follow the free motion of the same model, at pins, balls and Euler joints, have nothing to do."""
    model = mk.Model(project(tumbling()))
    run = mk.run(model)
    led = mk.brace(model, follow=run, frequency_hz=4.0)
    run = mk.run(led).trajectory
    out, off = run.table("coordinate_forces"), run.table("actuators")["angle_off"]
    assert len(out.ids) == 7
    assert np.abs(out["angle"]).max(axis=0).min() > 0.1, "all of them turn"
    assert np.abs(off).max() < 2e-5
    still = mk.run(mk.brace(model, frequency_hz=4.0)).trajectory.table("actuators")
    assert np.abs(still["angle_off"]).max() > 0.02


def test_a_motion_of_markers_is_followed_likewise() -> None:
    seen_ = tracks_of(hand())
    model = mk.Model(hand())
    motion = mk.motion_from_markers(model, seen_)
    out = mk.run(mk.brace(model, follow=motion, frequency_hz=4.0)).trajectory
    table = out.table("coordinate_forces")
    assert sorted(one.split("_")[0] for one in table.ids) == ["elbow", "rail", *["shoulder"] * 3]
    assert np.ptp(table["angle"] + table["way"], axis=0).min() > 0.05
    off = out.table("actuators")
    assert np.abs(off["angle_off"]).max() < 2e-4
    assert np.abs(off["way_off"]).max() < 1e-5


def test_a_late_posture_is_held_in_a_chain_whatever_it_moves() -> None:
    """The sample that brakes: braced late, a trunk stays up; relaxed, it falls to its stops."""
    run = solved("braking")
    table = run.trajectory.table("segments")
    place = {name: table["position"][:, table.ids.index(name)] for name in table.ids}
    forward = {
        name: (place[f"{name}_head"] - place["vehicle"])[:, 0]
        - (place[f"{name}_head"] - place["vehicle"])[0, 0]
        for name in ("relaxed", "braced")
    }
    early = run.time < 0.2
    assert forward["relaxed"][early] == pytest.approx(forward["braced"][early], abs=2e-3)
    assert 0.15 < forward["braced"].max() < 0.25
    assert forward["relaxed"].max() > 0.4
    # it comes to rest
    last = run.time > 0.8
    assert np.ptp(forward["braced"][last]) < 0.02
    assert not [line for line in run.trajectory.log if "limit" in str(line)]


def test_late_stiffness_and_damping_at_once_are_apart() -> None:
    late = mk.brace(mk.sample("fall"), reflex_s=0.03, limit=2.0, ramp_s=0.1)
    for one in late.project.coordinate_forces:
        stiff, damps = one.laws
        assert (stiff.reflex_s, damps.reflex_s) == (0.03, 0.0)
        assert (stiff.derivative, damps.proportional) == (0.0, 0.0)
        assert stiff.limit == damps.limit
        assert stiff.limit is not None
    with pytest.raises(BodyError, match="no axis to hold that is not held already"):
        mk.brace(late)


def test_what_cannot_be_held_is_refused() -> None:
    fall = mk.sample("fall")
    with pytest.raises(BodyError, match="no segment 'nobody'"):
        mk.brace(fall, ["nobody"])
    with pytest.raises(BodyError, match="no axis to hold"):
        mk.brace(fall, ["occupant_head"])
    for wrong in ({"frequency_hz": 0.0}, {"damping": -0.1}, {"reflex_s": -1.0}, {"limit": 0.0}):
        with pytest.raises(BodyError, match="above zero"):
            mk.brace(fall, **wrong)


def test_the_command_writes_what_the_library_gives(tmp_path: Path, capsys: Any) -> None:
    from solver.cli import main

    model = mk.Model(project(tumbling()))
    file, out, results = (tmp_path / name for name in ("a.json", "b.json", "a.h5"))
    file.write_text(to_json(model.project))
    run = mk.run(model)
    run.save(results)
    assert (
        main(["brace", str(file), "-o", str(out), "--frequency", "4", "--follow", str(results)])
        == 0
    )
    assert "7 axes" in capsys.readouterr().out
    wanted = mk.brace(model, follow=run, frequency_hz=4.0).project
    assert json.loads(out.read_text()) == json.loads(to_json(wanted, embed_curves=False))
    assert main(["brace", str(file), "-o", str(out), "--segments", "nobody"]) == 1
