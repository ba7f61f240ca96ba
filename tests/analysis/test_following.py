"""Loads that let the tip of an arm that bends follow a way: closed form of the single link, and a run forwards with what was found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.project import validated
from solver.results.trajectory import Array

EI, HEAVY, HUB = 2.0, 0.27, 0.01
"""Stiffness (N m2) and mass by length (kg/m) of an arm of a metre, and inertia (kg m2) of what turns it."""

SPAN, AROUND, STEP = 0.5, 0.35, 0.02
"""Time (s) of the way, before and after it, and of a step."""


def arm(**more: Any) -> mk.Model:
    """A hub that turns about y, with a beam along x."""
    section = {"kind": "given", "area_m2": 1e-4, "moment_z_m4": 1e-9, "moment_y_m4": 1e-9, "torsion_m4": 1e-9}  # fmt: skip
    beam = {
        "kind": "beam", "length_m": 1.0, "elastic_pa": EI / 1e-9, "shear_pa": 1e9, "density_kg_per_m3": HEAVY / 1e-4, "section": section,
        "bending_z": 3,
    }  # fmt: skip
    data = {
        "format": "manikin-project", "schema_version": 4, "gravity_m_per_s2": [0.0, 0.0, 0.0],
        "segments": [{"id": "hub", "mass_kg": 1.0, "inertia_kgm2": [HUB] * 3}, {"id": "tip", "mass_kg": 0.0, "inertia_kgm2": [0.0] * 3}],
        "joints": [
            {"id": "shoulder", "kind": "pin", "parent": "ground", "child": "hub"},
            {"id": "end", "kind": "locked", "parent": "hub", "child": "tip", "parent_frame": {"position_m": [1.0, 0.0, 0.0]}},
        ],
        "modal_bodies": [{"id": "bends", "segment": "hub", "shapes": beam, "nodes": ["end"]}],
        "runs": [{"id": "run", "duration_s": SPAN + 2 * AROUND, "frame_interval_s": 0.01, "integrator": {"kind": "dopri"}}],
    }  # fmt: skip
    return mk.Model(validated(data | more))


def way(time: Array, size: float) -> Array:
    """From rest to rest, smooth to the fourth derivative."""
    x = np.clip(time / SPAN, 0.0, 1.0)
    return size * x**5 * (126.0 + x * (-420.0 + x * (540.0 + x * (-315.0 + 70.0 * x))))


def found(size: float) -> mk.JointLoads:
    time = np.linspace(0.0, SPAN, 101)
    return mk.following_loads(
        arm(), time, {"segments/tip/position/z": way(time, size)}, ["joints/shoulder/1"],
        before_s=AROUND, after_s=AROUND, step_s=STEP,
    )  # fmt: skip


def closed_form(size: float) -> tuple[Array, Array]:
    """The torque over time of the beam as a continuum, frequency by frequency: w'' and w''' are zero at its tip, w is zero at its hub."""
    step, count = 1e-3, 1 << 13
    time = step * (np.arange(count) - count // 2)
    w = 2.0 * np.pi * np.fft.rfftfreq(count, step)
    rate = np.gradient(np.gradient(way(time, size), step), step)
    by = np.full(len(w), HEAVY / 3.0 + HUB)
    for k, b in enumerate((HEAVY * w[1:] ** 2 / EI) ** 0.25, 1):
        if b > 25.0:
            by[k] = 0.0
            continue
        s, c, sh, ch = np.sin(b), np.cos(b), np.sinh(b), np.cosh(b)
        rows = [[0, 1, 0, 1], [-s, -c, sh, ch], [-c, s, ch, sh], [s, c, sh, ch]]
        m = np.linalg.solve(rows, [0.0, 0.0, 0.0, -1.0 / w[k] ** 2])
        by[k] = -EI * b * b * (m[3] - m[1]) - w[k] ** 2 * HUB * b * (m[0] + m[2])
    return time, np.fft.irfft(by * np.fft.rfft(rate), count)


def test_the_torque_of_a_flexible_arm_is_that_of_the_continuum_and_begins_before_the_way() -> None:
    loads = found(1e-3)
    time, torque = closed_form(1e-3)
    # turning about y goes from z to x
    own, exact = -loads["joints/shoulder/1"], np.interp(loads.time, time, torque)
    most = np.abs(exact).max()
    assert np.abs(own - exact).max() < 2e-3 * most
    assert np.abs(exact[loads.time < -STEP]).max() > 0.05 * most
    assert loads.units == ("N*m",)


def test_a_run_with_the_torques_goes_the_way() -> None:
    loads = found(-0.6)
    torque = {"kind": "table", "x": (loads.time + AROUND).tolist(), "y": loads.values[:, 0].tolist(), "between": "spline"}  # fmt: skip
    model = arm(
        functions=[{"id": "f", "x_unit": "s", "y_unit": "N*m", "form": torque}],
        loads=[{"id": "motor", "kind": "torque", "segment": "hub", "direction": [0.0, 1.0, 0.0], "axes": "ground", "history": "f"}],
    )  # fmt: skip
    run = mk.run(model).trajectory
    table = run.table("segments")
    tip = np.asarray(table["position"])[:, table.ids.index("tip"), 2]
    assert np.abs(tip - way(run.time - AROUND, -0.6)).max() < 0.004
    # as a rigid arm it would go elsewhere
    assert np.abs(loads.motion.q[:, 1]).max() > 0.1


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project, tracks = tmp_path / "arm.json", tmp_path / "tip.csv"
    arm().save(project)
    time = np.linspace(0.0, SPAN, 21)
    rows = [f"{t:.6g},{1e3 * z:.9g}" for t, z in zip(time, way(time, 1e-3), strict=True)]
    tracks.write_text("\n".join(["time [s],segments/tip/position/z [mm]", *rows]))
    options = ["--by", "joints/shoulder/1", "--before", "0.2", "--after", "0.2", "--step", "0.05"]
    assert main(["inverse", str(project), "--tracks", str(tracks), *options, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["time_s"][0] == pytest.approx(-0.2)
    assert len(told["loads"]["joints/shoulder/1"]) == len(told["time_s"])


@pytest.mark.parametrize(
    ("ways", "by", "sentence"),
    [
        (["segments/tip/position/z"], ["joints/end/1"], "no speed that can be loaded"),
        (["segments/tip/position/z"], [], "as many ways"),
        (["segments/tip/speed"], ["joints/shoulder/1"], "no way of a point"),
        # where it begins nothing moves the tip along x
        (["segments/tip/position/y"], ["joints/shoulder/1"], "name others"),
    ],
)
def test_what_gives_no_loads_is_refused(ways: list[str], by: list[str], sentence: str) -> None:
    time = np.linspace(0.0, SPAN, 11)
    with pytest.raises(mk.InverseError, match=sentence):
        mk.following_loads(arm(), time, {name: way(time, 1e-3) for name in ways}, by)


def test_a_model_with_drivers_is_refused() -> None:
    driver = {"id": "turn", "joint": "shoulder", "axis": "angle", "pulse": {"kind": "function", "function": "f"}}  # fmt: skip
    still = {"id": "f", "x_unit": "s", "y_unit": "rad", "form": {"kind": "constant", "value": 0.0}}
    time = np.linspace(0.0, SPAN, 11)
    with pytest.raises(mk.InverseError, match="'turn' in drivers is none of these"):
        mk.following_loads(arm(drivers=[driver], functions=[still]), time, {"segments/tip/position/z": time}, ["joints/shoulder/1"])  # fmt: skip


def test_what_remembers_and_ways_that_jump_are_refused() -> None:
    time = np.linspace(0.0, SPAN, 11)
    with pytest.raises(mk.InverseError, match="does not begin and end at rest"):
        mk.following_loads(arm(), time, {"segments/tip/position/z": 1e-3 * time}, ["joints/shoulder/1"])  # fmt: skip
    with pytest.raises(mk.InverseError, match="not below zero"):
        mk.following_loads(arm(), time, {"segments/tip/position/z": way(time, 1e-3)}, ["joints/shoulder/1"], before_s=np.inf)  # fmt: skip
    hinge = {"id": "yields", "coordinate": {"kind": "joint", "joint": "shoulder", "axis": "angle"}, "laws": [{"kind": "plastic", "stiffness": 1.0, "limit": 1.0}]}  # fmt: skip
    with pytest.raises(mk.InverseError, match="'yields' keeps in mind"):
        mk.following_loads(arm(coordinate_forces=[hinge]), time, {"segments/tip/position/z": way(time, 1e-3)}, ["joints/shoulder/1"])  # fmt: skip
