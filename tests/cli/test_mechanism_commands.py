"""Commands on models as mechanisms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import manikin as mk
from solver.base.places import samples
from solver.cli import main
from solver.project import load_project, save_project
from solver.project.changes import with_value
from solver.project.checks import check


@pytest.fixture
def open_loop(tmp_path: Path) -> Path:
    """The four-bar with a coupler that is too long to meet the output bar."""
    project = load_project(samples() / "four_bar.json")
    file = tmp_path / "long.json"
    save_project(with_value(project, "constraints/closure/a/position_m", (0.24, 0.0, 0.0)), file)
    return file


def test_assemble_writes_what_is_clean(
    open_loop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "closed.json"
    assert main(["assemble", str(open_loop), "-o", str(out), "--hold", "crank_pin"]) == 0
    told = capsys.readouterr().out
    assert "'output' moved by" in told
    assert check(load_project(out)) == ()
    assert main(["assemble", str(open_loop), "--all", "--json", "--hold", "crank_pin"]) == 0
    ways = json.loads(capsys.readouterr().out)
    assert len(ways) == 2
    assert ways[0]["movement_m"] < ways[1]["movement_m"]
    other = tmp_path / "other.json"
    assert main(["assemble", str(open_loop), "-o", str(other), "--hold", "crank_pin", "--take", "2"]) == 0  # fmt: skip
    assert load_project(other).initial != load_project(out).initial
    assert check(load_project(other)) == ()
    assert main(["settle", str(open_loop), "-o", str(tmp_path / "rest.json"), "--free", "joints"]) == 0  # fmt: skip
    assert "started open and are closed first" in capsys.readouterr().out


def test_facts_tell_the_same_in_words_and_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(samples() / "four_bar.json")
    assert main(["check", file]) == 0
    assert "Segments: 3, with 18 freedoms; joints leave 3 " in capsys.readouterr().out
    assert main(["facts", file, "--tables"]) == 0
    told = capsys.readouterr().out
    for part in ("mobility 1, by Grübler's count 0", "'closure/y' says nothing new", "accelerations", "incidence: crank_pin"):  # fmt: skip
        assert part in told
    assert main(["facts", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["mobility"], found["redundant"], found["parents"]) == (1, ["closure/y"], [0, 1, 0])  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--take", "2"], "--take says which is written"),
        (["--take", "9", "-o", "x.json"], "--take goes from 1 to"),
        (["--hold", "crank", "output"], "cannot be closed"),
        (["--hold", "cranc"], "Did you mean 'crank'?"),
    ],
)
def test_assemble_refuses_in_a_sentence(
    open_loop: Path,
    words: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(open_loop.parent)
    assert main(["assemble", str(open_loop), *words]) == 1
    assert said in capsys.readouterr().err
    assert not Path("x.json").exists()


def test_a_car_is_made_alone_and_put_on_a_road_of_a_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = str(tmp_path / "one.json"), str(tmp_path / "two.json")
    assert main(["car", "--list"]) == 0
    assert "mass_kg" in capsys.readouterr().out
    assert main(["car", "--set", "mass_kg=1250", "--front-axle", "wishbones", "-o", one]) == 0
    alone = mk.car(mass_kg=1250.0, front_axle=mk.DoubleWishbone())
    assert load_project(Path(one)) == alone.project
    assert main(["car", "--into", one, "--prefix", "b", "--road", "road", "--at", "9", "2", "-o", two]) == 0  # fmt: skip
    assert load_project(Path(two)) == alone.add_car("b", road="road", at_m=(9.0, 2.0)).project
    for wrong in (
        ["--set", "wings=2"],
        ["--set", "steer_rad=3"],
        ["--set", "front_brake_nm=-5"],
        ["--set", "mass_kg"],
        ["--road", "road"],
        ["--set", "mass_kg=1"],
    ):
        assert main(["car", *wrong, "-o", two]) != 0
    assert main(["car"]) != 0
    assert main(["car", "--into", one, "-o", two]) != 0
