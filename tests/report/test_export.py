"""Exported files, read back by other libraries."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow.parquet as pq
import pytest

import solver
from solver.base import atomic
from solver.base.places import samples
from solver.cli import main
from solver.editing.next_seat import copy_to_next_seat, people
from solver.project import Project, load_project
from solver.report.export import ExportError, as_csv, printed, write_excel, write_mme, write_parquet
from solver.report.export.mme import Place, code_of, meaning, told_apart
from solver.results import Channel, Quantities, open_results
from solver.results.selection import by_time, select
from tests.solved import stored_run

NAMES = ["head_resultant", "neck_x", "segments/head/velocity/*", "contacts/*/penetration"]
NAMES += ["integrator/step"]


@pytest.fixture
def channels(results_file: Path) -> list[Channel]:
    with open_results(results_file) as run:
        return select(run, NAMES)


def test_selection_groups_by_time_and_changes_units(results_file: Path) -> None:
    with open_results(results_file) as run:
        bases = by_time(select(run, NAMES))
        assert [len(base.channels) for base in bases] == [2, 7]
        plain = select(run, ["head_resultant"])[0]
        metric = select(run, ["head_resultant"], units="metric")[0]
        assert metric.unit == "g"
        assert metric.value * 9.80665 == pytest.approx(plain.value)
        filtered = select(run, ["head_resultant"], filtered=True)[0]
        assert filtered.cfc == 1000
        assert np.array_equal(filtered.value, plain.filtered(1000).value)
        assert select(run, ["neck_x"], cfc=60)[0].cfc == 60


def test_resultants_of_quantities_are_filtered_by_their_components(results_file: Path) -> None:
    with open_results(results_file) as run:
        ask = Quantities(run)
        parts = [ask(f"segments/head/velocity/{a}").filtered(60).value for a in "xyz"]
        whole = ask("segments/head/velocity/resultant").filtered(60).value
        assert whole == pytest.approx(np.sqrt(sum(p**2 for p in parts)))


def test_csv_gives_the_same_bits(channels: list[Channel]) -> None:
    rows = list(csv.reader(as_csv(channels).splitlines()))
    head = rows[0]
    assert [h for h in head if h.startswith("time")] == ["time [s]", "time [s]"]
    for channel in channels:
        column = head.index(f"{channel.name} [{channel.unit}]")
        clock = max(i for i in range(column) if head[i] == "time [s]")
        cells = [(r[clock], r[column]) for r in rows[1:] if r[column]]
        assert np.array_equal(np.array([c[0] for c in cells], float), channel.time)
        assert np.array_equal(np.array([c[1] for c in cells], float), channel.value)


def test_a_workbook_is_read_by_openpyxl(results_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.xlsx"
    with open_results(results_file) as run:
        channels = select(run, NAMES)
        write_excel(target, run, channels)
        sha = {r[0].value: r[1].value for r in openpyxl.load_workbook(target)["Run"].rows}
        assert len(sha["SHA-256 of the project"]) == 64
        assert sha["Title"] == "Rücken"
    book = openpyxl.load_workbook(target, data_only=False)
    assert book.sheetnames == ["Run", "Injury", "Values", "Values 2"]
    injury = [c.value for c in list(book["Injury"].rows)[1]]
    assert injury[:2] == ["HIC15", 412.5]
    assert injury[-1] == "CFC 1000"
    found = {}
    for title in ("Values", "Values 2"):
        columns = list(book[title].columns)
        time = np.array([c.value for c in columns[0][2:]])
        for column in columns[1:]:
            unit, values = column[1].value, np.array([c.value for c in column[2:]])
            found[column[0].value] = (unit, time, values)
    assert set(found) == {c.name for c in channels}
    for channel in channels:
        unit, time, values = found[channel.name]
        assert unit == {"m/s2": "m/s²"}.get(channel.unit, channel.unit)
        assert time == pytest.approx(channel.time, abs=1e-15)
        # a workbook keeps 16 figures
        assert values == pytest.approx(channel.value, rel=1e-15)


def test_names_that_look_like_formulas_stay_names(results_file: Path, tmp_path: Path) -> None:
    t = np.array([0.0, 1.0])
    odd = Channel("=1+1", t, np.array([np.nan, 2.0]), "m")
    with open_results(results_file) as run:
        write_excel(tmp_path / "a.xlsx", run, [odd])
    sheet = openpyxl.load_workbook(tmp_path / "a.xlsx")["Values"]
    assert sheet["B1"].value == "=1+1"
    assert sheet["B1"].data_type == "s"
    assert (sheet["B3"].value, sheet["B4"].value) == (None, 2.0)


FORMULAS = ("=1+1", "@SUM(A1)", "+cmd", "-2+3", "\tx")


def test_words_that_look_like_formulas_are_none_in_tables() -> None:
    """A spreadsheet shows what follows the apostrophe; reading takes it away again."""
    numbers = [-1.5, 1e-300, float("nan")]
    text = atomic.as_csv([list(FORMULAS), [*FORMULAS[:2], *numbers], ["-7", "+1e5", "x", "'", ""]])
    cells = list(csv.reader(io.StringIO(text)))
    assert all(one.startswith("'") for one in cells[0])
    assert cells[1][2:] == ["-1.5", "1e-300", "nan"]
    assert cells[2] == ["-7", "+1e5", "x", "'", ""]
    assert atomic.rows_of(text)[0] == list(FORMULAS)
    t = np.array([0.0, 1.0])
    head = as_csv([Channel(one, t, t, "m") for one in FORMULAS]).splitlines()[0]
    assert [one[:1] for one in next(csv.reader([head]))[1:]] == ["'"] * len(FORMULAS)


def test_tables_are_written_and_read_in_one_place() -> None:
    """Others would not guard their words; what reads numbers by commas of a curve's own file alone may."""
    here = Path(solver.__file__).parent.parent
    used = {
        file.relative_to(here).as_posix()
        for tree in ("solver", "app", "manikin")
        for file in (here / tree).rglob("*.py")
        if re.search(r"^import csv$|^from csv ", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert used <= {"solver/base/atomic.py", "solver/project/curves.py"}


def test_more_than_a_sheet_holds_is_refused(results_file: Path, tmp_path: Path) -> None:
    t = np.arange(1_100_000.0)
    with open_results(results_file) as run, pytest.raises(ExportError, match="Parquet"):
        write_excel(tmp_path / "a.xlsx", run, [Channel("a", t, t, "m")])
    assert not (tmp_path / "a.xlsx").exists()


def test_parquet_is_read_by_pyarrow(results_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.parquet"
    with open_results(results_file) as run:
        channels = select(run, NAMES)
        write_parquet(target, run, channels)
    table = pq.read_table(target)
    assert table.column_names == ["time", *(c.name for c in channels)]
    time = table["time"].to_numpy()
    assert np.all(np.diff(time) > 0.0)
    assert json.loads(table.schema.metadata[b"manikin"])["title"] == "Rücken"
    for channel in channels:
        field = table.schema.field(channel.name)
        assert field.metadata[b"unit"].decode() == channel.unit
        there = table[channel.name].is_valid().to_numpy()
        assert time[there] == pytest.approx(channel.time, abs=1e-12)
        assert np.array_equal(table[channel.name].drop_null().to_numpy(), channel.value)


def test_parquet_says_what_to_install(
    results_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with open_results(results_file) as run, pytest.raises(ExportError, match="pip install"):
        write_parquet(tmp_path / "a.parquet", run, select(run, ["neck_x"]))


def read_mme(folder: Path) -> dict[str, dict[str, object]]:
    """Read a test as the standard describes it: descriptors, a colon in column 29, then numbers."""
    index = (folder / "Channel" / f"{folder.name}.chn").read_text(encoding="utf-8").splitlines()
    out: dict[str, dict[str, object]] = {}
    for number, line in enumerate(index[2:], start=1):
        assert line[28] == ":"
        code = line[29:45]
        lines = (folder / "Channel" / f"{folder.name}.{number:03d}").read_text().splitlines()
        head = {row[:28].strip(): row[29:] for row in lines if row[28:29] == ":"}
        assert head["Channel code"] == code
        data = np.array([float(row) for row in lines if row[28:29] != ":"])
        assert len(data) == int(head["Number of samples"])
        out[code] = {"head": head, "data": data}
    assert len(out) == int(index[1][29:])
    return out


def test_iso_mme_is_read_back(results_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "test_1"
    with open_results(results_file) as run:
        (raw,) = select(run, ["head_resultant"])
        chosen = select(run, ["neck_x", "segments/head/velocity/z"])
        channels = [raw.filtered(), *chosen]
        steps = Channel("uneven", np.array([0.0, 0.1, 0.3]), np.array([1.0, 2.0, -3.0]), "s")
        codes = write_mme(folder, run, [*channels, steps], Place("1", "3", "H3"))
    assert codes["head_resultant"] == "13HEADCG00H3ACRA"
    assert codes["neck_x"] == "13NECKLO00H3DSX0"
    assert codes["segments/head/velocity/z"] == "13HEADCG00H3VEZ0"
    found = read_mme(folder)
    head = found["13HEADCG00H3ACRA"]["head"]
    assert isinstance(head, dict)
    assert head["Sampling interval"] == "0.0001"
    assert head["Unit"] == "m/(s*s)"
    assert head["Channel frequency class"] == "1000"
    assert found["13HEADCG00H3ACRA"]["data"] == pytest.approx(channels[0].value, rel=1e-9)
    uneven = found[codes["uneven"]]["head"]
    assert isinstance(uneven, dict)
    assert uneven["Reference channel"] == "explicit"
    for what, value, at in (("maximum", 2.0, 0.1), ("minimum", -3.0, 0.3)):
        assert float(str(uneven[f"First global {what} value"])) == value
        assert float(str(uneven[f"Time of {what} value"])) == at
    clock = found[uneven["Reference channel name"]]
    assert clock["data"] == pytest.approx([0.0, 0.1, 0.3])
    text = (folder / "test_1.mme").read_text(encoding="utf-8")
    assert "Title                       :Rücken" in text


@pytest.mark.parametrize(
    ("name", "unit", "axis", "code"),
    [
        ("segments/left_upper_leg/acceleration/x", "m/s2", "x", "11FEMRLE0000ACX0"),
        ("segments/upper_torso/angular_velocity/y", "rad/s", "y", "11CHST000000AVY0"),
        ("segments/lower_torso/acceleration/z", "m/s2", "z", "11PELV000000ACZ0"),
        ("segments/head[0.1,0,0]/acceleration/x", "m/s2", "x", "11HEAD000000ACX0"),
        ("joints/head_pivot/torque/y", "N*m", "y", "11NECKUP0000MOY0"),
        ("joints/neck_pivot/force/x", "N", "x", "11NECKLO0000FOX0"),
        ("joints/waist/force/z", "N", "z", "11LUSP000000FOZ0"),
        ("segments/vehicle/velocity/x", "m/s", "x", "10VEHC000000VEX0"),
        ("belts/lap/tension/1", "N", "", "11SEBE000000FO00"),
        ("airbags/driver_airbag/pressure", "Pa", "", "11AIRB000000PR00"),
        ("energy/kinetic", "J", "", "10EKIN000000EN00"),
        ("segments/gadget/position/x", "m", "x", "100000000000DSX0"),
        ("overlap_x", "m", "x", "100000000000DSX0"),
    ],
)
def test_channel_codes(name: str, unit: str, axis: str, code: str) -> None:
    t = np.zeros(2)
    made = code_of(Channel(name, t, t, unit, axis=axis), Place())
    assert made == code
    assert re.fullmatch(r"[A-Z0-9]{16}", made)


def test_a_class_is_told_only_of_what_is_filtered(results_file: Path, tmp_path: Path) -> None:
    """A channel of class 1000 that nobody has filtered is not one of class 1000, in any file."""
    with open_results(results_file) as run:
        (raw,) = select(run, ["head_resultant"])
        (done,) = select(run, ["head_resultant"], filtered=True)
        assert write_mme(tmp_path / "raw", run, [raw])["head_resultant"][-1] == "0"
        assert write_mme(tmp_path / "done", run, [done])["head_resultant"][-1] == "A"
        for name, channel in (("raw", raw), ("done", done)):
            write_parquet(tmp_path / f"{name}.parquet", run, [channel])
        assert "CFC" not in printed(run, [raw])
        assert "CFC 1000" in printed(run, [done])
    classes = {
        name: [dict(pq.read_schema(tmp_path / f"{name}.parquet").field(1).metadata)[b"cfc"],
               read_mme(tmp_path / name).popitem()[1]["head"]["Channel frequency class"]]  # type: ignore[index]
        for name in ("raw", "done")
    }  # fmt: skip
    assert classes == {"raw": [b"0", "NOVALUE"], "done": [b"1000", "1000"]}
    with pytest.raises(ExportError, match="Positions are digits"):
        write_mme(tmp_path / "bad", run, [raw], Place(dummy="H350"))


@pytest.mark.parametrize(
    ("name", "unit", "axis", "code"),
    [
        ("passenger_condyles.force_x", "N", "x", "13NECKUP0000FOX0"),
        ("passenger_disc_1.torque_y", "N*m", "y", "13NECKLO0000MOY0"),
        ("driver_bag_state_pressure", "Pa", "", "11AIRB000000PR00"),
        ("passenger_three_point_belt_load_belt_tension_1", "N", "", "13SEBE000000FO00"),
        ("harnesses/driver_three_point_belt/tension/1", "N", "", "11SEBE000000FO00"),
        ("driver_head_acceleration_x", "m/s2", "x", "11HEADCG0000ACX0"),
        ("driver_head.acceleration_at_driver_condyles_x", "m/s2", "x", "11HEAD000000ACX0"),
        ("driver_head.touch_force_x", "N", "x", "11HEAD000000FOX0"),
        ("segments/passenger_head/velocity/z", "m/s", "z", "13HEADCG0000VEZ0"),
        ("segments/vehicle/velocity/x", "m/s", "x", "10VEHC000000VEX0"),
    ],
)
def test_what_words_do_not_say_the_model_does(name: str, unit: str, axis: str, code: str) -> None:
    """Two people have positions of their own; necks, belts and bags are known by what they are."""
    t = np.zeros(2)
    channel = Channel(name, t, t, unit, axis=axis)
    assert code_of(channel, Place(), meaning(two_in_a_car(), channel)) == code


@cache
def two_in_a_car() -> Project:
    """Put a passenger beside the driver."""
    project = load_project(samples() / "frontal.json")
    return copy_to_next_seat(project, people(project)[0]).project


def test_what_an_accelerometer_shows_has_the_plain_code(tmp_path: Path) -> None:
    """The same without gravity comes first by its name, and is numbered."""
    with open_results(stored_run("frontal", tmp_path)) as run:
        names = ["driver_head.acceleration_x", "driver_head_acceleration_x"]
        codes = write_mme(tmp_path / "test", run, select(run, names))
    assert list(codes) == names
    assert [codes[name] for name in names] == ["11HEADCG0200ACX0", "11HEADCG0000ACX0"]


def test_codes_are_told_apart() -> None:
    made = told_apart(["11HEADCG0000ACX0"] * 3)
    assert made == ["11HEADCG0000ACX0", "11HEADCG0200ACX0", "11HEADCG0300ACX0"]


def test_printed_tables(results_file: Path) -> None:
    with open_results(results_file) as run:
        names = ["segments/head/velocity/*", "segments/neck/velocity/*", "contacts/*/penetration"]
        channels = select(run, names, units="inch_pound")
        pages = printed(run, channels, every=0.1, units="inch_pound", page_lines=20).split("\f")
        x = Quantities(run)("segments/head/velocity/x").value / 0.3048
    assert len(pages) >= 2
    first = pages[0].splitlines()
    assert all(len(line) <= 128 and line == line.rstrip() for line in first)
    assert "Rücken" in first[0]
    assert "head velocity" in first[3]
    assert "(ft/s)" in first[4]
    assert first[5].split()[:5] == ["time", "x", "y", "z", "resultant"]
    rows = np.array([[float(cell) for cell in line.split()[:2]] for line in first[8:]])
    assert rows[:, 0] == pytest.approx(100.0 * np.arange(6))
    assert rows[:, 1] == pytest.approx(x[::100], rel=1e-4)


def test_a_number_that_rounds_to_nothing_has_no_sign(results_file: Path) -> None:
    with open_results(results_file) as run:
        t = run.time
        small = Channel("a_x", t, np.where(t < 0.1, -1e-12, 3.0), "m", axis="x")
        text = printed(run, [small], units="si", page_lines=0)
    assert "-0.0000" not in text
    assert "0.0000" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--excel", "a.xls"], "must end in .xlsx"),
        (["--mme", "."], "is there already"),
        (["--mme", "no/such"], "no folder"),
        (["--mme", "m", "--units", "metric"], "in SI"),
        (["--mme", "m", "--codes", "bad.json"], "'bad.json' is not JSON"),
        (["--mme", "m", "--codes", "wrong.json"], "no channel code"),
        (["--csv", "a.csv", "--channels", "nope"], "No quantity fits 'nope'"),
        (
            ["--csv", "a.csv", "--channels", "integrator/step", "--cfc", "1000"],
            "'integrator/step': ",
        ),
    ],
)
def test_export_refuses_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    results_file: Path,
    tmp_path: Path,
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "wrong.json").write_text('{"neck_x": "short"}')
    code = main(["export", str(results_file), *arguments])
    err = capsys.readouterr().err
    assert code == 1
    assert words in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_commands_write_all_formats(
    capsys: pytest.CaptureFixture[str], results_file: Path, tmp_path: Path
) -> None:
    for option, name in (("--csv", "a.csv"), ("--excel", "a.xlsx"), ("--parquet", "a.parquet")):
        target = tmp_path / name
        assert main(["export", str(results_file), option, str(target), "--units", "metric"]) == 0
        assert target.stat().st_size > 500
    assert main(["export", str(results_file), "--mme", str(tmp_path / "mme")]) == 0
    assert set(read_mme(tmp_path / "mme")) == {"11HEADCG0000ACR0", "11NECKLO0000DSX0"}
    capsys.readouterr()
    assert main(["table", str(results_file), "neck_x", "--every", "50", "--lines", "0"]) == 0
    assert "neck" in capsys.readouterr().out
    assert main(["table", str(results_file), "-o", str(tmp_path / "t.txt")]) == 0
    assert "\f" in (tmp_path / "t.txt").read_text(encoding="utf-8")
    assert main(["show", str(results_file), "--quantities", "segments/head/felt/*"]) == 0
    out = capsys.readouterr().out
    assert "segments/head/felt/x" in out
    assert "m/s²" in out
