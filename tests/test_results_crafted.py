"""Results files that were made by hand end every command in a sentence, or are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.front_door import main
from solver import boundary
from solver.places import samples
from solver.project import load_project
from solver.simulation import simulate_to_file
from tests.crafted_results import crafted
from tests.exploring import SEED

FILES = 24
COMMANDS: tuple[list[str], ...] = (
    ["show", "bad.h5"],
    ["export", "bad.h5", "--csv", "o.csv"],
    ["injury", "bad.h5"],
    ["show", "bad.h5", "--quantities"],
    ["table", "bad.h5", "segments/*/position/*"],
    ["scene", "bad.h5", "-o", "o.glb"],
    ["report", "bad.h5", "-o", "o.html"],
)


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
