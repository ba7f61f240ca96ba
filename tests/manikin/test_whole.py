"""The library does what the program does: what both write is the same, and what is refused is said in sentences."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import manikin as mk
from manikin import rest
from solver.analysis.equilibrium import settling
from solver.cli import main, parser
from solver.project import load_project
from tools import same_in_python

PENDULUM = "double_pendulum"


@pytest.fixture(scope="module")
def run() -> mk.Run:
    return mk.run(mk.sample(PENDULUM), until=0.1)


@pytest.fixture(scope="module")
def file(run: mk.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run.save(tmp_path_factory.mktemp("whole") / "run.h5")


def test_a_body_is_that_of_the_command(tmp_path: Path) -> None:
    into, out = tmp_path / "in.json", tmp_path / "out.json"
    mk.sample("sled").save(into)
    words = ["--sex", "female", "--percentile", "5", "--pose", "driving", "--prefix", "woman", "--at", "1", "2", "-1"]  # fmt: skip
    assert (
        main(["body", *words, "--turn", "90", "0", "0", "--into", str(into), "-o", str(out)]) == 0
    )
    woman = mk.person("female", percentile=5)
    made = mk.sample("sled").add_body(
        woman, "woman", posture="driving", at=(1, 2, -1), turn_rad=(np.pi / 2, 0, 0), sensors=False
    )
    assert made.project == load_project(out)


def test_rest_is_that_of_the_command(tmp_path: Path) -> None:
    swung, out = tmp_path / "swung.json", tmp_path / "rest.json"
    model = mk.sample("pendulum").start_joint("pivot", [0.3])
    model.save(swung)
    assert main(["settle", str(swung), "--free", "pivot", "-o", str(out)]) == 0
    found = model.settle(["pivot"])
    assert found.model.project == load_project(out)
    assert found.health.worst_g < 0.01 < model.health().worst_g
    assert model.settled(["pivot"]) == found.model
    assert (rest.OPENS_AT, rest.FURTHEST_M) == (settling.OPENS_AT, settling.FURTHEST_M)


def test_a_part_of_the_library_is_that_of_the_command(tmp_path: Path) -> None:
    into, out = tmp_path / "in.json", tmp_path / "out.json"
    model = mk.sample("frontal")
    model.save(into)
    words = ["lap_belt", "--prefix", "second", "--to", "vehicle", "--on", "driver"]
    assert main(["library", "insert", str(into), *words, "-o", str(out)]) == 0
    assert model.insert("lap_belt", "second", to="vehicle", on="driver").project == load_project(
        out
    )


def test_what_a_run_writes_is_that_of_the_command(
    run: mk.Run, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "segments/*/velocity/x"
    theirs, ours = tmp_path / "theirs.csv", tmp_path / "ours.csv"
    assert main(["export", str(file), "--csv", str(theirs), "--channels", names, "--units", "mm,t,s"]) == 0  # fmt: skip
    assert run.write_csv(ours, names, units="mm,t,s").read_bytes() == theirs.read_bytes()
    capsys.readouterr()
    assert main(["table", str(file), names, "--every", "20"]) == 0
    assert mk.open_run(file).printed(names, every_s=0.02) == capsys.readouterr().out
    assert run.write_excel(tmp_path / "run.xlsx").stat().st_size > 5_000
    with pytest.raises(mk.ExportError, match=r"must end in \.xlsx"):
        run.write_excel(tmp_path / "run.csv")
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = parquet.read_table(run.write_parquet(tmp_path / "run.parquet", names))
    assert table.column_names[1:] == list(run.quantities(names))


def test_a_test_that_was_written_is_rated_best(run: mk.Run, tmp_path: Path) -> None:
    run.write_mme(tmp_path / "test", "elbow_angle*")
    (test,) = mk.read_test(tmp_path / "test")
    assert run["elbow_angle_angle"].rated(test).whole == pytest.approx(1.0, abs=1e-6)
    with pytest.raises(mk.ExportError, match="is there already"):
        run.write_mme(tmp_path / "test", "elbow_angle*")


def test_a_strap_is_as_long_as_the_hull(run: mk.Run) -> None:
    axes = (0.1, 0.15, 0.3)
    shape = {"kind": "ellipsoid", "id": "body", "semi_axes_m": axes}
    model = mk.new().add_segment("trunk", mass_kg=40.0, inertia_kgm2=(1.0, 1.0, 0.3), surfaces=[shape])  # fmt: skip
    ends = np.array([(-0.2, -0.3), (-0.2, 0.3)])
    found = model.route(*(("ground", (x, y, 0.0)) for x, y in ends), ["trunk.body"])
    around = np.linspace(0.0, 2.0 * np.pi, 20_001)
    ellipse = np.column_stack([axes[0] * np.cos(around), axes[1] * np.sin(around)])
    # of the flat hull the area is its perimeter
    taut = ConvexHull(np.vstack([ends, ellipse])).area - 0.6
    assert found.length_m == pytest.approx(taut, abs=1e-7)
    with pytest.raises(mk.RouteError, match=r"SEGMENT\.SURFACE"):
        model.route("trunk", "ground", ["trunk"])


def test_what_acts_is_mass_times_acceleration_and_makes_figures(run: mk.Run) -> None:
    found = run.acting_on("upper", "lower")
    total = np.sum([share.forces for share in found.shares], axis=0)
    assert np.allclose(total, found.mass_kg * found.acceleration, atol=1e-6)
    with pytest.raises(
        mk.ResultsError, match="There is no segment 'uper'; there are: upper, lower"
    ):
        run.acting_on("uper")
    sled = mk.run(mk.sample("sled"), until=0.06)
    assert "What makes it: belt" in sled.why("chest_3ms")
    assert {limit.standard for one in sled.judged("un_r94") for limit in one.limits} <= {"un_r94"}


def test_a_run_goes_on_from_another_to_the_same_bits(run: mk.Run) -> None:
    longer, whole = mk.run(run.model, until=0.2, after=run), mk.run(run.model, until=0.2)
    assert np.array_equal(longer.energy["kinetic"], whole.energy["kinetic"])
    with pytest.raises(TypeError, match="needs `after`"):
        mk.run(run.model, at_s=0.1)
    with pytest.raises(mk.SimulationError, match="another model"):
        mk.run(mk.sample("pendulum"), after=run)
    with pytest.raises(TypeError, match="neither `after` nor `laws`"):
        mk.run(run.model, after=run, like=[])


def test_what_is_cancelled_is_given_as_far_as_it_came(run: mk.Run) -> None:
    assert mk.run(run.model, cancel=lambda: True).status == "cancelled"


def test_pictures_say_what_is_missing(run: mk.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    load = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name.startswith("app.features.movie"):
            raise ModuleNotFoundError("No module named 'vtkmodules'", name="vtkmodules")
        return load(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(mk.DrawError, match=r"vtkmodules.*pip install 'manikin\[pictures\]'"):
        run.film("run.mp4")


def test_a_bench_test_is_what_the_certificate_says(tmp_path: Path) -> None:
    results = mk.bench("hybrid_iii_50m", "head_drop")
    page = mk.certificate("hybrid_iii_50m", results).save(tmp_path / "head.html").read_text()
    assert results[0].passed
    assert "1 of 1 tests are passed." in page
    with pytest.raises(mk.BenchError, match="has no test 'head_dorp'"):
        mk.bench("hybrid_iii_50m", "head_dorp")


def subcommands(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                inner = [f"{name} {one}" for one in subcommands(below)]
                yield from inner or [name]


def test_each_command_and_entry_of_the_menus_has_its_name_in_python() -> None:
    told = {word for _, words, _, _ in same_in_python.ROWS for word in words}
    assert told == set(subcommands(parser()))
    made = {
        call.args[0].value
        for file in (Path(__file__).parents[2] / "app").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Command"
        if call.args and isinstance(call.args[0], ast.Constant)
    }
    entries = {one for one in made if str(one).split(".")[0] in ("file", "place", "run")}
    assert len(entries) > 50
    listed = {entry for _, _, menu, _ in same_in_python.ROWS for entry in menu}
    assert listed | same_in_python.OF_THE_WINDOW == entries


def test_the_names_in_the_table_are_there() -> None:
    for name in (name for *_, names in same_in_python.ROWS for name in names):
        assert same_in_python.found(name) is not None, name


def test_what_is_no_place_or_segment_is_said() -> None:
    model: Any = mk.sample("sled")
    for error, said, call in (
        (mk.PoseError, "no segment 'hed'", lambda: model.move("hed")),
        (mk.PoseError, "no segment 'hed'", lambda: model.weigh("hed")),
        (mk.PoseError, "no segment 'car'", lambda: model.pose_segment("head", (0, 0, 0), relative_to="car")),
        (mk.PoseError, "no segment 'hed'", lambda: model.put_points("hed", (0, 0, 0), "head", (0, 0, 1))),
        (mk.PoseError, "The way has three finite", lambda: model.move("head", (0, 1))),
        (mk.PoseError, "place on 'head' has three", lambda: model.weigh("head", [("head", (0, 1))])),
        (mk.PoseError, "The place has three", lambda: model.add_body("hybrid_iii_50m", "a", at=(0, np.nan, 0))),
        (mk.PoseError, "A turn has three", lambda: mk.posed("hybrid_iii_50m", "seated", {"head": (0, 0)})),
        (mk.RouteError, "no segment 'hed'", lambda: model.add_strap("hed", "head")),
        (mk.BodyError, "'man' is no sex", lambda: mk.person_range("man")),  # type: ignore[arg-type]
        (mk.SettleError, "not 'loose'", lambda: model.settle(webbing="loose")),
    ):  # fmt: skip
        with pytest.raises(error, match=said):
            call()


def test_nothing_prints_pages(tmp_path: Path) -> None:
    file = tmp_path / "sled.csv"
    file.write_text("t,a\n" + "\n".join(f"{n / 1000},{n % 20}" for n in range(200)))
    for one in (mk.person("female"), mk.read_pulse(file, "g"), mk.sample("sled").health()):
        assert len(repr(one)) < 200, repr(one)


def test_what_cannot_be_drawn_or_written_is_said(run: mk.Run, tmp_path: Path) -> None:
    movie, one = tmp_path / "a.gif", cast(Any, run)
    for error, said, call in (
        (mk.DrawError, "'below' is none of iso", lambda: one.film(movie, view="below")),
        (mk.DrawError, "'best' is none of draft", lambda: one.film(movie, quality="best")),
        (mk.DrawError, "'black' is none of scene", lambda: one.picture(movie, backdrop="black")),
        (mk.DrawError, "'speed' must be above 0, not 0", lambda: one.film(movie, speed=0.0)),
        (mk.DrawError, "'rate_hz' must be above 0", lambda: one.film(movie, rate_hz=0.0)),
        (mk.DrawError, "'width' must be above 0", lambda: one.film(movie, size=(0, 100))),
        (mk.DrawError, "'speed' must be above 0, not -1", lambda: one.present(tmp_path / "a.html", speed=-1.0)),
        (mk.ExportError, "each nan s", lambda: one.printed("energy/kinetic", every_s=np.nan)),
        (mk.FmuError, "cannot be written", lambda: mk.write_fmu(mk.sample(PENDULUM), tmp_path / "no" / "a.fmu")),
    ):  # fmt: skip
        with pytest.raises(error, match=said):
            call()
