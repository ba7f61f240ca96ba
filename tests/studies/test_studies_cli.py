"""The command study runs, goes on, prints, and says what is wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import manikin as mk
from solver.cli import main
from tests.studying import FAST, FORCE, STIFF, WAY, block


@pytest.fixture
def project(tmp_path: Path) -> Path:
    model = block().add_study(
        "tolerances", kind="sample", runs=4, parameters=[STIFF, FAST],
        responses=[FORCE | {"at_most": 100.0}, WAY | {"goal": "minimise"}],
    ).add_study("decides", kind="local", parameters=[STIFF], responses=[FORCE])  # fmt: skip
    file = tmp_path / "block.json"
    model.save(file)
    return file


def test_it_runs_and_prints_again_what_it_answered(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", str(project), "--workers", "0"]) == 0
    first = capsys.readouterr().out
    file = project.with_name("block_tolerances.h5")
    assert "study        tolerances: sample" in first
    assert "runs         4 of 4, 0 failed" in first
    assert main(["study", str(file)]) == 0
    assert capsys.readouterr().out == first
    table = project.with_name("table.csv")
    assert main(["study", str(file), "--csv", str(table), "--keep", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "sample"
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [float(row["k"]) for row in rows] == mk.open_study(file).table["k"].tolist()
    kept = mk.open_run(project.with_name("block_tolerances_runs") / "run_000002.h5")
    assert kept["place_x"].value.max() == float(rows[2]["way"])


def test_other_kinds_of_answers_are_printed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(project.with_name("d.h5"))
    assert main(["study", str(project), "--study", "decides", "-o", out, "--workers", "0",
                 "--set", "segments/block/mass_kg=3"]) == 0  # fmt: skip
    assert "force  ++ (0.5" in capsys.readouterr().out
    assert mk.open_study(out).project.segments[0].mass_kg == 3.0


@pytest.mark.parametrize(("words", "said"), [
    (["--study", "other"], "The project has no study 'other'; it has tolerances, decides."),
    (["--workers", "-1"], "--workers takes 0 or more."),
    (["--workers", "1", "--scheduler", "tcp://x:1"], "--workers and --scheduler do not go together."),
    (["-o", "{project}"], "is an input of this command"),
    (["--set", "segments/block/mass_kg=-1"], "must be at least 0"),
    (["--set", "studies/tolerances/parameters/k/path=segments/blok/mass_kg"], "'blok' is not found."),
])  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_is_written(
    project: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = set(project.parent.iterdir())
    given = [word.format(project=project) for word in words]
    assert main(["study", str(project), *given]) == 1
    assert said in capsys.readouterr().err
    assert set(project.parent.iterdir()) == before


def test_a_file_takes_no_options_of_a_project(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", str(project.with_name("none.h5"))]) == 1
    assert "There is no file" in capsys.readouterr().err
    assert main(["study", str(project.with_name("none.h5")), "--resume"]) == 1
    assert "--resume needs a project" in capsys.readouterr().err
