"""Results files that were made by hand end every command in a sentence, or are shown."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from app.front_door import main
from solver.base import boundary
from solver.base.places import samples
from solver.project import load_project
from solver.results import ResultsError, open_results
from solver.running.simulation import simulate_to_file
from tests.exploring import SEED
from tests.results.crafted_results import crafted

FILES = 240 if SEED else 12
COMMANDS: tuple[list[str], ...] = (
    ["show", "bad.h5"],
    ["export", "bad.h5", "--csv", "o.csv"],
    ["injury", "bad.h5"],
    ["show", "bad.h5", "--quantities"],
    ["table", "bad.h5", "segments/*/position/*"],
    ["scene", "bad.h5", "-o", "o.glb"],
    ["report", "bad.h5", "-o", "o.html"],
)


def same_time(file: Any) -> None:
    file["time"][...] = np.zeros(len(file["time"]))


def same_time_of_channels(file: Any) -> None:
    for name in file["channels"]:
        times = file[f"channels/{name}/time"]
        times[3] = times[2]


def far(file: Any) -> None:
    file["segments/position"][2, 0, 0] = 1e308


def no_attitude(file: Any) -> None:
    file["segments/quaternion_wxyz"][2] = 0.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (same_time, "'time' holds the same time twice"),
        (same_time_of_channels, "holds the same time twice"),
        (far, "'segments/position' holds a value that no run finds, 1e\\+308"),
        (no_attitude, "'segments/quaternion_wxyz' holds what is no attitude"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_what_no_run_finds_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    results_file: Path, change: Callable[[Any], None], said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    shutil.copy(results_file, "bad.h5")
    with h5py.File("bad.h5", "r+") as file:
        change(file)
    for words in (
        ["injury", "bad.h5"],
        ["export", "bad.h5", "--csv", "o.csv"],
        ["report", "bad.h5", "-o", "o.html"],
    ):
        capsys.readouterr()
        assert main(words) in (0, 1), words
    with pytest.raises(ResultsError, match=said):  # noqa: PT012, SIM117
        with open_results("bad.h5") as run:
            for name in run.channel_names:
                run.channel(name)
            run.table("segments")


@pytest.mark.seeded
def test_crafted_files_end_in_a_sentence_or_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    faults: list[BaseException] = []

    def told(raised: BaseException, *_: object) -> boundary.Failure:
        faults.append(raised)
        return boundary.Failure("", "", None)

    monkeypatch.setattr(boundary, "failure", told)
    simulate_to_file(load_project(samples() / "pendulum.json"), tmp_path / "whole.h5")
    ends = []
    for number in range(FILES):
        what = crafted(tmp_path / "whole.h5", tmp_path / "bad.h5", SEED + number)
        for words in COMMANDS[: 3 if number % 8 else 7]:
            code = main(words)
            err = capsys.readouterr().err
            assert not faults, (number, what, words, faults[0])
            assert code in (0, 1)
            assert code == 0 or err.startswith("error: ")
            ends.append(code)
    assert 0 < sum(ends) < len(ends)
