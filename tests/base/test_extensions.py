"""What other packages add: found, loaded when asked for, and told of where it cannot be."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.base import extensions
from solver.cli import main
from solver.engine.signals import cfc
from solver.injury import assess, figure_units, hic
from solver.report import report
from tests.extensions import EXAMPLE, installed

Adds = Callable[..., None]


@pytest.fixture
def adds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Adds]:
    """Install packages: the example, or one that is made of its entry points and a module's text."""

    def add(
        name: str = "", entries: dict[str, dict[str, str]] | None = None, text: str = ""
    ) -> None:
        source = EXAMPLE
        if name:
            source = tmp_path / name
            source.mkdir()
            (source / f"{name}.py").write_text(text, encoding="utf-8")
            lines = ["[project]", f'name = "{name}"', 'version = "2.5"']
            for group, rows in (entries or {}).items():
                lines += [f'[project.entry-points."{group}"]']
                lines += [f'"{key}" = "{target}"' for key, target in rows.items()]
            (source / "pyproject.toml").write_text("\n".join(lines), encoding="utf-8")
        for folder in installed(tmp_path / f"{name}_installed", source):
            monkeypatch.syspath_prepend(folder)
        extensions.forget()

    yield add
    monkeypatch.undo()
    extensions.forget()
    for name in [one for one in sys.modules if one.startswith(("manikin_example", "broken_"))]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def thrown() -> mk.Run:
    """A head thrown on a neck."""
    return mk.run(mk.sample("neck_pendulum"), until=0.03)


def test_nothing_is_added_and_nothing_is_loaded_unasked(
    adds: Adds, capsys: pytest.CaptureFixture[str]
) -> None:
    extensions.forget()
    assert main(["extensions"]) == 0
    assert capsys.readouterr().out == "No installed package adds anything.\n"
    adds()
    found = extensions.extensions(extensions.PANELS)
    assert [one.name for one in found] == ["Kinetic energy"]
    assert "manikin_example" not in sys.modules


def test_a_criterion_of_another_package_is_where_ours_are(
    adds: Adds, thrown: mk.Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = thrown.model.project
    ours = assess(thrown.trajectory, project)
    adds()
    found = assess(thrown.trajectory, project)
    assert {one.name for one in found} == {one.name for one in ours} | {"RIC36"}
    assert [one for one in found if one.name != "RIC36"] == list(ours), "ours stay as they are"
    figure = found["RIC36"]
    # HIC's own search, between samples too, of the same signal
    sensor = figure.channels[0].partition("_x,")[0]
    channels = [thrown.trajectory.channel(f"{sensor}_{axis}") for axis in "xyz"]
    value = np.linalg.norm([cfc(c.time, c.value, 60) for c in channels], axis=0)
    exact = hic(channels[0].time, value, 0.036)
    assert figure.value == pytest.approx(exact.value, rel=2e-3)
    assert figure.value <= exact.value
    assert (figure.part, figure.filters, figure.unit) == ("head", (60,), "1")
    assert figure.share == pytest.approx(figure.value / 1.03e7)
    assert (figure.verdict, figure.no_verdict) == ("open", ""), "it still rises at the end"
    assert figure_units(project)["RIC36"] == "1"
    html = report(thrown.trajectory).save(tmp_path / "run.html").read_text(encoding="utf-8")
    assert "Rotational injury criterion, windows up to 36 ms" in html
    assert main(["extensions"]) == 0
    assert "criterion  RIC36           manikin-example 1.0  manikin_example.criterion:RIC36" in capsys.readouterr().out  # fmt: skip


def test_an_importer_and_an_exporter_read_and_write_what_we_do_not(
    adds: Adds, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chain, made, back = (tmp_path / name for name in ("two.chain", "two.json", "back.chain"))
    chain.write_text("0.5 1\n0.25 2\n", encoding="utf-8")
    assert main(["import", str(chain), "-o", str(made)]) == 1
    assert "none of the files that can be read" in capsys.readouterr().err
    assert main(["export", str(made), "--model", str(back)]) == 1
    adds()
    assert main(["import", str(chain), "-o", str(made)]) == 0
    assert mk.load(made).value("joints/joint_2/parent_frame/position_m") == (0.0, 0.0, 0.25)
    assert main(["export", str(made), "--model", str(back)]) == 0
    assert back.read_text(encoding="utf-8") == chain.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["export", str(made), "--model", str(tmp_path / "x.rods")]) == 1
    assert "No installed package writes '.rods'; they write: .chain." in capsys.readouterr().err
    chain.write_text("0.5 heavy\n", encoding="utf-8")
    assert main(["import", str(chain), "-o", str(tmp_path / "no.json")]) == 1
    told = capsys.readouterr().err
    assert "The importer 'chains' of manikin-example 1.0 failed: 'two.chain': ValueError" in told  # fmt: skip


BROKEN = """
from manikin.extensions import Criterion, Importer

def divided(signals):
    return 1.0 / 0.0

FAILS = Criterion(title="It fails", unit="1", part="head", needs=("acceleration",), compute=divided)
ENDLESS = Criterion(title="It has no end", unit="1", part="head", needs=("acceleration",), compute=lambda _: float("inf"))
OURS = Criterion(title="Ours", unit="1", part="head", needs=("acceleration",), compute=lambda _: 1.0)
PART = Criterion(title="No part", unit="1", part="Head", needs=("acceleration",), compute=lambda _: 1.0)
NEED = Criterion(title="No need", unit="1", part="head", needs=("weight",), compute=lambda _: 1.0)
UNIT = Criterion(title="No unit", unit="hics", part="head", needs=("acceleration",), compute=lambda _: 1.0)
WRONG = Importer(title="No criterion", endings=(".no",), read=open)
"""


def test_what_cannot_be_used_is_told_of_and_breaks_nothing(
    adds: Adds, thrown: mk.Run, capsys: pytest.CaptureFixture[str]
) -> None:
    project = thrown.model.project
    ours = assess(thrown.trajectory, project)
    rest = dict(ours.missing)
    adds("broken_one", {extensions.CRITERIA: {
        "gone": "broken_gone:X", "ends": "broken_two:X", "lacks": "broken_one:X", "importer": "broken_one:WRONG",
        "HIC15": "broken_one:OURS", "fails": "broken_one:FAILS", "endless": "broken_one:ENDLESS", "two words": "broken_one:OURS",
        "part": "broken_one:PART", "need": "broken_one:NEED", "unit": "broken_one:UNIT",
    }}, BROKEN)  # fmt: skip
    adds("broken_two", {extensions.CRITERIA: {"fails": "broken_one:FAILS"}}, "raise SystemExit(7)")
    found = assess(thrown.trajectory, project)
    assert list(found) == list(ours)
    told = {name: str(why) for name, why in found.missing if name not in rest}
    lead = "of broken_one 2.5 cannot be used: "
    assert told == {
        "gone": f"The criterion 'gone' {lead}ModuleNotFoundError: No module named 'broken_gone'.",
        "ends": f"The criterion 'ends' {lead}SystemExit: 7.",
        "lacks": f"The criterion 'lacks' {lead}AttributeError: module 'broken_one' has no attribute 'X'.",
        "importer": f"The criterion 'importer' {lead}it is a AddedImporter, where a AddedCriterion is needed.",
        "HIC15": f"The criterion 'HIC15' {lead}there is a criterion of that name.",
        "two words": f"The criterion 'two words' {lead}its name is not one word of letters, digits and _.",
        "part": f"The criterion 'part' {lead}'Head' is none of head, neck, upper_torso, lower_torso, upper_leg, lower_leg.",
        "need": f"The criterion 'need' {lead}'weight' is none of acceleration, rate, angular_acceleration, force, torque, deflection, touch, tension.",
        "unit": f"The criterion 'unit' {lead}'hics' is no unit that is known here.",
        "fails": "The criterion 'fails' of broken_one 2.5 failed: ZeroDivisionError: float division by zero.",
        "endless": f"The criterion 'endless' {lead}it gave inf.",
    }  # fmt: skip
    assert main(["extensions"]) == 1
    out = capsys.readouterr().out
    assert f"The criterion 'gone' {lead}ModuleNotFoundError" in out
    assert "The criterion 'fails' of broken_two 2.5 cannot be used: broken_one 2.5 adds one of that name, too." in out  # fmt: skip
