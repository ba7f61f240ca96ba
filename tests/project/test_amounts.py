"""What a run stores is known before it, and a run that nothing can hold is not begun."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.cli import main
from solver.project import Project, load_project, save_project, validated
from solver.project.amounts import PER_FRAME, amounts, size
from solver.project.checks import check
from solver.project.problems import SimulationError
from solver.project.runs import Run
from solver.results import open_results
from solver.results.layout import FRAME_GROUPS, ChannelSpec
from solver.running import simulation
from solver.running.outputs.channels import Channels
from solver.running.outputs.frames import ROWS, instants
from solver.running.outputs.recorder import first_lost
from solver.running.simulation import Simulation, simulate, simulate_to_file
from tests.checks_model import put


def ball(**run: Any) -> Project:
    data = json.loads((samples() / "bouncing_ball.json").read_text(encoding="utf-8"))
    data["runs"][0] |= {"duration_s": 0.05, "frame_interval_s": 1e-3, **run}
    return validated(data)


def test_numbers_in_a_frame_are_those_of_the_layout() -> None:
    of_layout = {
        group: sum(math.prod(column.shape) for column in of.columns.values())
        for group, of in FRAME_GROUPS.items()
    }
    assert of_layout == PER_FRAME


@pytest.mark.parametrize(
    "name", ["bouncing_ball", "airbag_catch", "neck_pendulum", "sled", "frontal"]
)
def test_what_is_counted_is_what_is_stored(name: str) -> None:
    project = load_project(samples() / f"{name}.json")
    simulation = Simulation(project)
    counted = amounts(project, simulation.run)
    frames = [left.is_frame for left in instants(simulation.run)]
    assert sum(f.sum() for f in frames) == pytest.approx(counted.frames, abs=2)
    assert sum(len(f) for f in frames) <= counted.instants
    of_frame = sum(
        math.prod(column.shape) * (len(ids) if FRAME_GROUPS[group].has_ids else 1)
        for group, ids in simulation.ids.items()
        for column in FRAME_GROUPS[group].columns.values()
    )
    assert counted.per_frame == of_frame
    specs = len(simulation.specs)
    # unasked sensors are counted by segments, with some to spare
    assert specs <= counted.channels <= 2.0 * specs + 8


def test_a_file_is_about_as_large_as_was_said(tmp_path: Path) -> None:
    project = ball(duration_s=0.1, frame_interval_s=1e-4, channel_rate_hz=20_000.0)
    file = tmp_path / "r.h5"
    simulate_to_file(project, file)
    said = amounts(project, project.runs[0]).on_disk
    # of the channels counted a ball, which is no body, has 14 of 25
    assert 0.5 * said < file.stat().st_size < 1.5 * said


def test_check_says_what_runs_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.json"
    save_project(ball(), file)
    assert main(["check", str(file)]) == 0
    out = capsys.readouterr().out
    assert "stores 51 frames of 58 numbers and 501 samples of up to 25 channels, about " in out
    assert main(["check", str(file), "--json"]) == 0
    json.loads(capsys.readouterr().out)
    assert [size(n) for n in (12.0, 1.5e3, 2.44e6, 9.31e9, 4e12)] == [
        "12 B", "1.5 kB", "2.44 MB", "9.31 GB", "4 TB"
    ]  # fmt: skip


def test_a_run_without_room_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = ball()
    needed = amounts(project, project.runs[0])
    monkeypatch.setattr(simulation, "free_memory", lambda: 1.2 * needed.in_memory)
    with pytest.raises(SimulationError, match=r"in memory it takes up to .* are free\. Store"):
        simulate(project)
    monkeypatch.setattr(simulation, "free_memory", lambda: 1.3 * needed.in_memory)
    assert simulate(project).status == "completed"
    monkeypatch.setattr(simulation, "free_memory", lambda: None)
    assert simulate(project).status == "completed"
    usage = shutil.disk_usage(tmp_path)
    little = usage._replace(free=int(0.9 * needed.on_disk))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: little)
    with pytest.raises(SimulationError, match="are free where"):
        simulate_to_file(project, tmp_path / "r.h5")
    save_project(project, tmp_path / "p.json")
    assert main(["run", str(tmp_path / "p.json"), "-o", str(tmp_path / "r.h5")]) == 1
    assert "are free where" in capsys.readouterr().err
    assert sorted(f.name for f in tmp_path.iterdir()) == ["p.json"]


def test_free_memory_is_that_of_the_machine() -> None:
    free = simulation.free_memory()
    assert free is None or 1e6 < free < 1e14


def test_a_container_leaves_less_than_the_machine(tmp_path: Path) -> None:
    root, of = tmp_path / "groups", tmp_path / "cgroup"
    inner = root / "outer/inner"
    inner.mkdir(parents=True)
    of.write_text("0::/outer/inner\n")
    assert simulation._of_its_group(root, of) is None
    (root / "outer/memory.max").write_text("4000000\n")
    (root / "outer/memory.current").write_text("3000000\n")
    (root / "outer/memory.stat").write_text("anon 5\ninactive_file 200000\n")
    (inner / "memory.max").write_text("max\n")
    (inner / "memory.current").write_text("1000000\n")
    assert simulation._of_its_group(root, of) == 1.2e6
    (inner / "memory.max").write_text("1500000\n")
    assert simulation._of_its_group(root, of) == 5e5
    assert simulation._of_its_group(root, tmp_path / "none") is None


LIMITED = """
import resource
from solver.running import simulation
before = simulation._of_this_process()
resource.setrlimit(resource.RLIMIT_DATA, (2**31, 2**31))
held = b"x" * 2**28
print(before, simulation.free_memory())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit")
def test_a_limit_of_the_program_counts() -> None:
    words = [sys.executable, "-c", LIMITED]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    before, left = done.stdout.split()
    assert before == "None"
    assert 0.5 * 2**31 < float(left) < 2**31 - 2**28


@pytest.mark.parametrize(
    ("duration", "interval", "rate"),
    [(1000.0, 1000.0, 1e6), (1.0, 1e-15, 1e4), (1000.0, 1e-3, 1e-3), (0.05, 1e-3, 1e4)],
)
def test_instants_are_made_a_block_at_a_time(duration: float, interval: float, rate: float) -> None:
    run = Run(id="r", duration_s=duration, frame_interval_s=interval, channel_rate_hz=rate)
    blocks = instants(run)
    last = -1.0
    for _ in range(20):
        block = next(blocks, None)
        if block is None:
            break
        assert len(block.times) <= ROWS
        assert np.all(np.diff(block.times, prepend=last) > 0.0)
        last = float(block.times[-1])
        assert len(block.times) >= 0.8 * ROWS or last == duration, "each call of the kernels costs"


@pytest.mark.parametrize(
    ("run", "code"),
    [
        ({"frame_interval_s": 1e-15}, "run-endless"),
        ({"duration_s": 1000.0, "channel_rate_hz": 1e6}, "run-endless"),
        ({"integrator": {"kind": "rk4", "step_s": 1e-14}}, "run-endless"),
        ({"frame_interval_s": 5e-324}, "number-tiny"),
        ({"duration_s": 300.0, "channel_rate_hz": 3e5}, "run-large"),
    ],
)
def test_hostile_runs_are_refused_or_told(run: dict[str, Any], code: str) -> None:
    found = {one.code: one for one in check(ball(**run))}
    assert found[code].severity == ("warning" if code == "run-large" else "error")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("segments/ball/surfaces/skin/semi_axes_m", [1e-200, 0.1, 0.1]),
        ("segments/ball/surfaces/skin/semi_axes_m", [0.1, 0.1, 1e-7]),
        ("contact_laws/pad_law/friction_ramp_m_per_s", 5e-324),
        ("segments/ball/mass_kg", 1e-200),
    ],
)
def test_hostile_numbers_are_refused(place: str, value: Any) -> None:
    data = json.loads((samples() / "bouncing_ball.json").read_text(encoding="utf-8"))
    put(data, place, value)
    errors = [one for one in check(validated(data)) if one.severity == "error"]
    assert [one.code for one in errors] == ["number-tiny"]
    assert errors[0].path.startswith(place)


def block(rows: int) -> dict[str, dict[str, Any]]:
    return {
        "energy": {"balance": np.zeros(rows)},
        "contacts": {"force": np.zeros((rows, 2, 3)), "state": np.zeros((rows, 2), "i1")},
    }


def test_the_first_number_that_is_lost_is_named() -> None:
    time, at = np.arange(6) * 1e-3, np.array([0, 3, 5])
    bodies = {"segments": {"velocity": np.zeros((3, 2, 3))}}
    rows = [((ChannelSpec("head_x", "m"),), np.zeros((1, 6)))]
    whole = block(6)
    assert first_lost(time, whole, bodies, at, rows) is None
    whole["contacts"]["force"][4, 1, 2] = np.nan
    found = first_lost(time, whole, bodies, at, rows)
    assert found is not None
    assert found.row == 4
    assert found.said.startswith("At 4 ms force (contacts) is no finite number")
    bodies["segments"]["velocity"][1, 0, 0] = np.inf
    found = first_lost(time, whole, bodies, at, rows)
    assert found is not None
    assert (found.row, "velocity (segments)" in found.said) == (3, True)
    rows[0][1][0, 2] = -np.inf
    found = first_lost(time, whole, bodies, at, rows)
    assert found is not None
    assert (found.row, "head x" in found.said) == (2, True)


def test_a_run_that_leaves_the_numbers_ends_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver.running import simulation

    true = simulation.channels

    def spoiled(*given: Any) -> Sequence[Channels]:
        first, *rest = true(*given)

        def values(seen: Any, *given: Any) -> Any:
            out = first.values(seen, *given)
            out[:, seen.time > 0.03125] = np.nan
            return out

        return [Channels(first.specs, values), *rest]

    monkeypatch.setattr(simulation, "channels", spoiled)
    run = simulate(ball())
    assert run.status == "failed"
    assert "is no finite number" in run.message
    assert run.time[-1] == pytest.approx(0.031)
    for name in run.channel_names:
        assert np.isfinite(run.channel(name).value).all()
        assert run.channel(name).time[-1] == pytest.approx(0.0312)
    outcome = simulate_to_file(ball(), tmp_path / "r.h5")
    assert outcome.status == "failed"
    with open_results(tmp_path / "r.h5") as kept:
        assert kept.status == "failed"
        assert len(kept.time) == len(run.time)
