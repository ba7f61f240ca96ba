"""Every command, with the exit codes and sentences of the contract."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solver.base.places import samples
from solver.cli import COMMANDS, main, parser, project_commands
from solver.project import load_project, to_json
from solver.results import open_results
from tests.running.test_simulate import stiff
from tools.manual import commands_markdown

ROOT = Path(__file__).parent.parent.parent
SLED = str(samples() / "sled.json")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_contract_s_commands_are_there() -> None:
    planned = "check run settle show export plot movie report sample samples"
    assert set(planned.split()) <= set(COMMANDS)
    (known,) = [one.choices for one in parser()._actions if isinstance(one.choices, dict)]
    assert set(known) == set(COMMANDS), "the front door passes on what the parser knows"
    for name in COMMANDS:
        assert f"## {name}\n" in commands_markdown()


def test_check_of_a_good_project(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "check", SLED)
    assert code == 0
    assert "error" not in out
    assert all(line.startswith(("warning", "note")) for line in err.splitlines())


def test_check_lists_every_error_and_ends_with_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = json.loads(to_json(load_project(SLED)))
    data["joints"][0]["parent"] = "lower_tors"
    data["contacts"][0]["law"] = "none"
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(data))
    code, out, err = run(capsys, "check", str(file))
    assert code == 1
    assert out.startswith("2 errors")
    assert "Did you mean 'lower_torso'?" in err
    code, out, _ = run(capsys, "check", str(file), "--json")
    assert code == 1
    assert [p["severity"] for p in json.loads(out)].count("error") == 2


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["chek"],
        ["check"],
        ["run"],
        ["export", "x.h5"],
        ["plot", "x.h5"],
        ["check", "a", "--no"],
    ],
)
def test_wrong_usage_ends_with_two_and_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert len(err.strip().splitlines()) == 1


def test_run_looks_at_its_arguments_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for arguments, words in [
        (["--run", "nope"], "has no run 'nope'"),
        (["-o", str(tmp_path)], "is a folder"),
        (["-o", str(tmp_path / "a" / "b.h5")], "no folder"),
        (["--set", "segments/head"], "not of the form PATH=VALUE"),
        (["--set", "segments/haed/mass_kg=5"], "Did you mean 'head'?"),
        (["--set", "segments/head/mass_kg=-5"], "at least 0"),
    ]:
        code, _, err = run(capsys, "run", SLED, *arguments)
        assert code == 1
        assert words in err
        assert "Traceback" not in err


def test_samples_are_listed_and_copied(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "samples")
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()} == {
        f.stem for f in samples().glob("*.json")
    }
    target = tmp_path / "mine.json"
    assert run(capsys, "sample", "sled", "-o", str(target))[0] == 0
    assert target.read_bytes() == Path(SLED).read_bytes()
    code, _, err = run(capsys, "sample", "sled", "-o", str(target))
    assert code == 1
    assert "is there already" in err
    code, _, err = run(capsys, "sample", "sledd")
    assert code == 1
    assert "Did you mean 'sled'?" in err


def test_format_brings_a_file_into_canonical_form(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "loose.json"
    file.write_text(json.dumps(json.loads(Path(SLED).read_text(encoding="utf-8"))))
    assert run(capsys, "format", str(file))[0] == 0
    assert file.read_bytes() == Path(SLED).read_bytes()


def test_schema_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "schema.json"
    assert run(capsys, "schema", "-o", str(target))[0] == 0
    assert json.loads(target.read_text())["title"] == "Project"
    assert json.loads(run(capsys, "schema")[1]) == json.loads(target.read_text())


def test_demo_leaves_its_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the same way through, with a sample that is solved in no time
    monkeypatch.setattr(project_commands, "DEFAULT_SAMPLE", "bouncing_ball")
    code, out, _ = run(capsys, "demo", "-o", str(tmp_path / "out"))
    assert code == 0
    assert "completed" in out
    names = {f.name for f in (tmp_path / "out").iterdir()}
    endings = ("json", "check.txt", "h5", "html", "pdf")
    assert names == {f"bouncing_ball.{ending}" for ending in endings}
    saved = (tmp_path / "out" / "bouncing_ball.json").read_bytes()
    assert saved == (samples() / "bouncing_ball.json").read_bytes()


def test_the_default_sample_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", str(samples() / f"{project_commands.DEFAULT_SAMPLE}.json"))[0] == 0


@pytest.mark.parametrize("command", ["show", "export", "plot", "movie", "report"])
def test_results_commands_refuse_what_is_no_results_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    extra = {
        "show": [],
        "export": ["--csv", str(tmp_path / "a.csv")],
        "plot": ["--y", "*", "-o", str(tmp_path / "a.svg")],
        "movie": ["-o", str(tmp_path / "a.mp4")],
        "report": ["-o", str(tmp_path / "a.html")],
    }[command]
    for file in (SLED, str(tmp_path / "none.h5"), str(tmp_path)):
        code, out, err = run(capsys, command, file, *extra)
        assert code == 1
        assert not out
        assert len(err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_show_export_and_plot_a_results_file(
    capsys: pytest.CaptureFixture[str], results_file: Path, tmp_path: Path
) -> None:
    code, out, _ = run(capsys, "show", str(results_file))
    assert code == 0
    assert "completed" in out
    assert "head_resultant" in out

    table = tmp_path / "a.csv"
    code, _, _ = run(
        capsys, "export", str(results_file), "--csv", str(table), "--channels", "head*"
    )
    assert code == 0
    assert table.read_text().splitlines()[0] == "time [s],head_resultant [m/s2]"
    values = np.loadtxt(table, delimiter=",", skiprows=1)
    assert np.allclose(values[:, 1], 10.0 * np.sin(values[:, 0] * 100.0), rtol=1e-15)

    for suffix in ("svg", "pdf", "png"):
        picture = tmp_path / f"a.{suffix}"
        arguments = ["plot", str(results_file), "--y", "head*", "-o", str(picture)]
        assert run(capsys, *arguments)[0] == 0
        assert picture.stat().st_size > 1000
    for arguments, words in [
        (["--y", "hed*"], "No quantity fits 'hed*'"),
        (["--y", "*", "--x", "*"], "one is needed"),
    ]:
        code, _, err = run(
            capsys, "plot", str(results_file), *arguments, "-o", str(tmp_path / "b.svg")
        )
        assert code == 1
        assert words in err
    code, _, err = run(capsys, "plot", str(results_file), "--y", "*", "-o", str(tmp_path / "b.xyz"))
    assert code == 1
    assert ".svg, .pdf or .png" in err


def test_commands_need_neither_qt_nor_vtk() -> None:
    program = (
        "import sys; from solver.cli import main; code = main(['check', sys.argv[1]]);"
        "bad = {'PySide6', 'vtk', 'vtkmodules', 'pyvista', 'matplotlib', 'app'} & set(sys.modules);"
        "assert not bad, bad; raise SystemExit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, SLED], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_opening_never_runs_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mark = tmp_path / "ran"
    payload = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    data = json.loads(to_json(load_project(SLED)))
    data["title"] = payload
    data["note"] = "!!python/object/apply:os.system ['touch ran']"
    file = tmp_path / "p.json"
    file.write_text(json.dumps(data))
    run(capsys, "check", str(file))
    run(capsys, "run", str(file), "-o", str(tmp_path / "p.h5"), "--set", f"title={payload}")
    assert not mark.exists()


def test_settle_writes_a_project_at_rest(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "settled.json"
    words = ["--hold", "lower_torso.y", "lower_torso.roll", "lower_torso.yaw", "--lock"]
    code, out, _ = run(capsys, "settle", SLED, "-o", str(target), *words)
    assert code == 0
    assert "at rest" in out
    assert "lower_torso-seat" in out
    code, out, _ = run(capsys, "settle", str(target), "--check", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["verdict"] == "balanced"
    assert found["worst_g"] < 1e-4
    assert {"lower_torso-seat", "left_foot-floor"} <= {c["contact"] for c in found["contacts"]}


def test_settle_says_what_is_wrong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "settle", SLED)
    assert code == 1
    assert "--check" in err
    target = tmp_path / "out.json"
    code, _, err = run(capsys, "settle", SLED, "-o", str(target), "--free", "lower_leg")
    assert code == 1
    assert "neither a segment nor a joint" in err
    assert not target.exists()
    for words in ("--check --nearest", "--check --lock", "-o x.json --opens-at 3",
                  "-o x.json --tension 5 --webbing slack", "-o x.json --furthest -1"):  # fmt: skip
        code, _, err = run(capsys, "settle", SLED, *words.split())
        assert (code, err.count("error:")) == (1, 1)
    words = ["--reach", "left_foot", "0", "0", "0", "vehicle", "1", "2", "three"]
    code, _, err = run(capsys, "settle", SLED, "-o", str(target), *words)
    assert code == 1
    assert "not of the form SEGMENT X Y Z" in err
    code, out, _ = run(capsys, "settle", SLED, "--check")
    assert code == 1, "an arm of the sled's occupant accelerates by more than is accepted"
    assert out.startswith("start        unbalanced")


def test_a_run_that_fails_ends_with_one_and_leaves_what_it_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, results = tmp_path / "stiff.json", tmp_path / "stiff.h5"
    file.write_text(json.dumps(stiff()))
    code, _, err = run(capsys, "run", str(file), "-o", str(results))
    assert code == 1
    assert "error: " in err
    assert "blew up" in err
    with open_results(results) as kept:
        assert kept.status == "failed"
