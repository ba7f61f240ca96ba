"""The command that lays straps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.base.places import samples
from solver.cli import main
from solver.project import to_json
from tests.models import project

SLED = str(samples() / "sled.json")
FROM = ["--from", "vehicle", "0.3302", "-0.2032", "-0.26162"]
TO = ["--to", "vehicle", "0.0", "0.127", "-0.89408"]
OVER = ["--over", "lower_torso.body", "centre_torso.body", "upper_torso.body"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["route", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_lists_the_strap(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, SLED, *FROM, *TO, *OVER)
    assert code == 0
    assert out.startswith("angle   0 degrees\nlength  ")
    assert "  on upper_torso.body" in out
    assert out.rstrip().splitlines()[-1].startswith("anchor  vehicle 0.000000 0.127000")


def test_the_command_s_points_go_into_a_project(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, _ = run(
        capsys, SLED, *FROM, *TO, *OVER, "--angle", "-8", "--json", "--spacing", "0.03"
    )
    assert code == 0
    data = json.loads(Path(SLED).read_text(encoding="utf-8"))
    data["harnesses"][0]["straps"][1]["points"] = json.loads(out)
    strap = project(data).harnesses[0].straps[1]
    assert len(strap.points) > 8
    file = tmp_path / "mine.json"
    file.write_text(to_json(project(data)), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert "straps/shoulder" not in capsys.readouterr().err


def test_the_command_finds_the_shortest(capsys: pytest.CaptureFixture[str]) -> None:
    left = ["--to", "vehicle", "0.3302", "0.2032", "-0.26162"]
    code, out, _ = run(capsys, SLED, *FROM, *left, "--over", "lower_torso.body", "lower_torso.lap",
                       "--shortest")  # fmt: skip
    assert code == 0
    assert out.startswith("angle   -20.27")


def test_the_command_refuses_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code, words in [
        ([*FROM, *TO, "--over", "upper_torso"], 1, "not of the form SEGMENT.SURFACE"),
        ([*FROM, *TO, "--over", "uper_torso.body"], 1, "Did you mean 'upper_torso'?"),
        (["--from", "vehicle", "a", "0", "0", *TO, *OVER], 1, "not of the form SEGMENT X Y Z"),
        ([*FROM, *TO, *OVER, "--spacing", "-1"], 1, "above zero"),
        ([*FROM, *TO, *OVER, "--angle", "150"], 1, "degrees"),
        ([*FROM, *TO, *OVER, "--angle", "3", "--shortest"], 2, "not allowed with"),
        ([*FROM, *TO], 2, "--over"),
    ]:
        got, out, err = run(capsys, SLED, *arguments)
        assert (got, out) == (code, "")
        assert words in err.strip().splitlines()[-1]
        assert "Traceback" not in err
