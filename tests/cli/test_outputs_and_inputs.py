"""No command writes over what it reads, nor over what is no ordinary file."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from app.front_door import main
from solver.base.places import samples
from solver.cli.project_commands import results_name

CSV = "time_s,a_g\n0,0\n0.05,-10\n0.1,0\n"


@pytest.fixture
def here(tmp_path: Path, results_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with one of each kind of input."""
    folder = tmp_path / "work"
    folder.mkdir()
    project = json.loads((samples() / "sled.json").read_text(encoding="utf-8"))
    project["functions"].append(
        {"id": "curve", "x_unit": "s", "y_unit": "m/s2",
         "form": {"kind": "table", "csv": {"path": "curve.csv"}}}
    )  # fmt: skip
    (folder / "p.json").write_text(json.dumps(project))
    (folder / "curve.csv").write_text(CSV)
    (folder / "codes.json").write_text("{}")
    for name in ("r.h5", "s.h5"):
        shutil.copy(results_file, folder / name)
    for name in ("p.json", "curve.csv", "codes.json", "r.h5", "s.h5"):
        (folder / f"link-{name}").symlink_to(folder / name)
    os.mkfifo(folder / "pipe")
    (folder / "link-pipe").symlink_to(folder / "pipe")
    monkeypatch.chdir(folder)
    return folder


ALL = ["segments/*/position/x"]
WRITERS: list[tuple[list[str], str, list[str]]] = [
    (["run", "p.json"], "-o", ["p.json", "curve.csv"]),
    (["format", "p.json"], "-o", ["curve.csv"]),
    (["settle", "p.json"], "-o", ["p.json", "curve.csv"]),
    (["body", "--into", "p.json"], "-o", ["p.json", "curve.csv"]),
    (["library", "insert", "p.json", "pulse-short"], "-o", ["curve.csv"]),
    (
        ["library", "measured", "p.json", "curve.csv", "--unit", "g", "--prefix", "m"],
        "-o",
        ["curve.csv"],
    ),
    (["export", "r.h5"], "--csv", ["r.h5"]),
    (["export", "r.h5"], "--excel", ["r.h5"]),
    (["export", "r.h5"], "--parquet", ["r.h5"]),
    (["export", "r.h5", "--codes", "codes.json"], "--csv", ["codes.json"]),
    (["plot", "r.h5", "s.h5", "--y", *ALL], "-o", ["r.h5", "s.h5"]),
    (["table", "r.h5", *ALL], "-o", ["r.h5"]),
    (["injury", "r.h5"], "--csv", ["r.h5"]),
    (["report", "r.h5", "s.h5"], "-o", ["r.h5", "s.h5"]),
    (["movie", "r.h5", "--beside", "s.h5"], "-o", ["r.h5", "s.h5"]),
    (["scene", "r.h5"], "-o", ["r.h5"]),
    (["schema"], "-o", []),
    (["sample", "sled"], "-o", []),
    (["salvage", "r.h5"], "-o", []),
]


def _cases() -> list[tuple[list[str], str]]:
    return [
        (words, target)
        for command, option, inputs in WRITERS
        for one in (*inputs, "pipe")
        for target in (one, f"link-{one}")
        for words in [[*command, option, target]]
    ]


@pytest.mark.skipif(os.name == "nt", reason="no named pipes in folders")
def test_inputs_pipes_and_links_to_them_are_refused_and_stay(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def state() -> dict[str, object]:
        return {
            one.name: one.readlink() if one.is_symlink() else one.is_fifo() or one.read_bytes()
            for one in here.iterdir()
        }

    before = state()
    for words, target in _cases():
        assert main(words) == 1, words
        err = capsys.readouterr().err
        wanted = "no ordinary file" if target.endswith("pipe") else "is an input of this command"
        assert wanted in err, (words, err)
        assert target in err
        assert "Traceback" not in err
        assert state() == before, words


@pytest.mark.skipif(os.name == "nt", reason="names are shorter there")
@pytest.mark.parametrize("name", ["n" * 300, "ring"])
def test_names_that_cannot_be_are_told(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (here / "ring.html").symlink_to("ring.html")
    for words in (
        ["report", "r.h5", "-o", f"{name}.html"],
        ["export", "r.h5", "--mme", "n" * 300],
        ["sample", "sled", "-o", "n" * 300],
    ):
        assert main(words) == 1
        err = capsys.readouterr().err
        assert "too long" in err or "links" in err
        assert len(err.splitlines()) == 1


def test_runs_of_one_project_have_names_of_their_own() -> None:
    plain = results_name("a/sled.json")
    assert plain == "sled.h5"
    assert results_name("sled.json", "crash") == "sled-crash.h5"
    changes = [
        ["segments/head/mass_kg=5"],
        ["segments/head/mass_kg=6"],
        ["segments/neck/mass_kg=5"],
        ["segments/neck/mass_kg=5", "segments/head/mass_kg=5"],
        ["segments/head/title=" + "x/" * 200],
    ]
    names = [results_name("sled.json", None, one) for one in changes]
    assert len({plain, *names}) == 6
    assert names[0].startswith("sled-mass_kg=5-")
    assert all(len(name) < 200 and "/" not in name for name in names)
    assert names == [results_name("sled.json", None, one) for one in changes], "the same each time"
