"""Studies in a report: what was varied, what came out, how it was run, each with its pictures."""

from __future__ import annotations

import html
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.report import report
from solver.report.content import Bars, Dots, Heights, Section
from solver.report.studies import study_section
from solver.results import open_results
from solver.running.simulation import simulate_to_file
from solver.studies import StudyResult, open_study
from solver.studies.printed import not_told_apart, printed
from solver.studies.result import studies_of_project
from tests.base.test_words import escaped
from tests.studying import FAST, FORCE, MASS, STIFF, WAY, K, block, parameter, uniform

SMALL = {"responses": [FORCE | {"at_most": 80.0}, WAY], "parameters": [STIFF, FAST]}
GOALS = [FORCE | {"goal": "minimise"}, WAY | {"goal": "minimise"}]
STUDIES: dict[str, dict[str, Any]] = {
    "grid": {"levels": 3},
    "sample": {"runs": 20, "seed": 4, "curves": ["pull_force_resultant"]},
    "local": {},
    "morris": {"trajectories": 3},
    "sobol": {"base_runs": 4, "second_order": True},
    "optimum": {"responses": GOALS, "start_runs": 8, "most_runs": 16},
}


def model() -> mk.Model:
    """The block with a study of each kind, and a second spring beside the first, which a fit cannot tell from it."""
    out = block()
    fields = out.project.springs[0].model_dump(exclude={"id"}) | {"stiffness_n_per_m": 500.0}
    out = out.add_spring("other", **fields)
    for kind, more in STUDIES.items():
        out = out.add_study(f"a_{kind}", **({"kind": kind} | SMALL | more))
    w = (K / MASS) ** 0.5
    time = np.linspace(0.0, 0.08, 41)
    out = out.add_function(
        "measured", x_unit="s", y_unit="m",
        form={"kind": "table", "x": time.tolist(), "y": (1.5 / w * np.sin(w * time)).tolist()},
    )  # fmt: skip
    targets = [{"quantity": "place_x", "reference": "measured"}]
    springs = [
        parameter("one", STIFF["path"], uniform(500.0, 2500.0)),
        parameter("two", "springs/other/stiffness_n_per_m", uniform(100.0, 2100.0)),
    ]
    return out.add_study(
        "a_fit", kind="fit", parameters=springs, tests=[{"id": "sled", "targets": targets}]
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a run, and beside it what its studies have found."""
    out = tmp_path_factory.mktemp("studies")
    whole = model()
    simulate_to_file(whole.project, out / "run.h5")
    for study in whole.project.studies:
        mk.study(whole, study.id, out / f"{study.id}.h5", workers=0)
    return out


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, StudyResult]:
    return {one.study.kind: one for one in studies_of_project(folder, model().project).studies}


def section(found: dict[str, StudyResult], kind: str, units: str = "si") -> Section:
    return study_section(found[kind], model().project, units)


def cells(part: Section, title: str) -> dict[str, list[str]]:
    """Read a table by its first column."""
    table = next(one for one in part.tables if one.title == title)
    return {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}


def test_all_that_has_ended_beside_the_run_is_found(found: dict[str, StudyResult]) -> None:
    assert list(found) == [*STUDIES, "fit"]


def test_a_section_says_what_was_varied_and_how(found: dict[str, StudyResult]) -> None:
    part = section(found, "sample", "metric")
    varied = cells(part, "What was varied")
    assert varied["k"] == [STIFF["path"], "1 to 3", "N/mm"]
    assert varied["v"][1:] == ["1 to 2", "m/s"]
    assert cells(part, "What was asked")["force"][1] == "at most 0.08000"
    run = cells(part, "How it was run")
    assert run["seed"] == ["4"]
    assert run["SHA-256 of the model"] == [found["sample"].project_sha256]
    assert f"numpy {np.__version__}" in run["versions"][0]
    assert [one.text for one in part.verdicts] == [
        f"20 of 20 runs have come back; {found['sample'].answers['kept']} keep all limits."
    ]


def test_a_sample_tells_percentiles_and_how_often_a_limit_is_kept(
    found: dict[str, StudyResult],
) -> None:
    part = section(found, "sample")
    row = cells(part, "How the responses spread")["force"]
    force = found["sample"].rows.outputs[:, 0]
    assert float(row[2]) == pytest.approx(force.std(ddof=1), rel=5e-3)
    shown = [float(row[k]) for k in (3, 4, 5, 6, 7)]
    assert shown == pytest.approx(np.percentile(force, (0, 5, 50, 95, 100)), rel=1e-3)
    assert row[8].startswith(f"{100 * np.mean(force <= 80.0):.3g} % (")
    heights = [one for one in part.charts if isinstance(one, Heights)]
    assert heights[0].limits == (80.0,)
    assert np.array_equal(heights[0].values, force)
    in_kn = next(o for o in section(found, "sample", "metric").charts if isinstance(o, Heights))
    assert in_kn.values == pytest.approx(1e-3 * force)
    assert in_kn.limits == (0.08,)


def test_bars_of_a_sensitivity_are_the_changes_at_both_ends(found: dict[str, StudyResult]) -> None:
    part = section(found, "local")
    bars = {bar.name: bar for one in part.charts[:1] if isinstance(one, Bars) for bar in one.bars}
    # the force is v sqrt(k m) times the share of the spring; without the other it would be this
    outputs, inputs = found["local"].rows.outputs[:, 0], found["local"].rows.inputs
    fastest = int(np.argmax(inputs[:, 1]))
    assert bars["v"].ends[1] == pytest.approx(outputs[fastest] - outputs[0])
    assert bars["v"].ends[0] < 0.0 < bars["v"].ends[1]
    mark = cells(part, "Which number moves what")
    assert mark["v"][0] == "++ (+1)"


def test_a_fit_says_what_its_tests_cannot_tell_apart(found: dict[str, StudyResult]) -> None:
    said = [one.text for one in section(found, "fit").verdicts if one.tone == "bad"]
    (words,) = said
    assert words.startswith("These tests do not tell 'one', 'two' apart") or words.startswith(
        "These tests do not tell 'two', 'one' apart"
    )
    assert re.search(r"rises by 10 % of its range, '\w+' falls by 10 % of its range", words)
    assert words in list(printed(found["fit"]))
    one = {"ratio": 2e-5, "parts": {"a": -0.1, "b": -0.8, "c": 0.4}}
    assert str(not_told_apart(one)) == (
        "These tests do not tell 'b', 'c', 'a' apart: where 'b' rises by 10 % of its range, 'c' falls by 5 % of its range, "
        "'a' rises by 1.2 % of its range, their curves hardly change (singular value 2e-05 of the largest)."
    )
    alone = str(not_told_apart({"ratio": 0.0, "parts": {"a": -1.0}}))
    assert alone.startswith("These tests do not determine 'a': where 'a' rises by 10 %")


def test_a_fit_shows_how_it_came_nearer(found: dict[str, StudyResult]) -> None:
    (chart,) = section(found, "fit").charts
    assert isinstance(chart, Dots)
    assert chart.line is not None
    assert np.all(np.diff(chart.line[1]) <= 0.0)
    fit = found["fit"].answers["fit"]
    assert chart.line[1][-1] == pytest.approx(fit["misfit"], rel=1e-6)


def test_a_front_is_drawn_and_listed(found: dict[str, StudyResult]) -> None:
    part, front = section(found, "optimum"), found["optimum"].answers["optimum"]["front"]
    assert len(front) > 1
    (chart,) = part.charts
    assert isinstance(chart, Dots)
    assert chart.line is not None
    assert sorted(chart.line[0]) == sorted(found["optimum"].rows.outputs[front, 0])
    listed = cells(part, "The front: no other run is better in all goals")
    assert list(listed) == [str(run) for run in front]


def test_another_model_is_told(found: dict[str, StudyResult]) -> None:
    other = model().with_value("springs/spring/stiffness_n_per_m", 1999.0).project
    words = (
        "The model has changed since these runs: they are not those of the model in this report."
    )
    told = [one.text for one in study_section(found["grid"], other, "si").verdicts]
    assert words in told
    assert words not in [one.text for one in section(found, "grid").verdicts]


def test_runs_that_failed_are_counted_by_their_reason(found: dict[str, StudyResult]) -> None:
    one = open_study(found["grid"].path or "")
    one.rows.messages[2:5] = ["it fell over", "it ran away", "it fell over"]
    one.rows.status[2:5] = 3
    part = study_section(one, model().project, "si")
    assert cells(part, "Runs without all their numbers") == {
        "2": ["it fell over"], "1": ["it ran away"],
    }  # fmt: skip


def test_runs_with_warnings_are_listed_the_best_first(found: dict[str, StudyResult]) -> None:
    one = open_study(found["optimum"].path or "")
    best = one.answers["best"][0]
    assert best > 0
    one.rows.messages[0], one.rows.messages[best] = "it went through", "it went deep"
    part = study_section(one, model().project, "si")
    told = cells(part, "Runs that warn of their numbers")
    assert list(told.items()) == [(str(best), ["it went deep"]), ("0", ["it went through"])]
    assert not any(table.title == "Runs without all their numbers" for table in part.tables)
    lines = list(printed(one))
    at = lines.index("warning: 2 runs have all their numbers, but warn of them")
    assert lines[at + 1 : at + 3] == [f"run {best}: it went deep", "run 0: it went through"]


def test_the_page_and_the_pdf_hold_every_study(folder: Path, found: dict[str, StudyResult]) -> None:
    with open_results(folder / "run.h5") as run:
        made = report(run, studies=list(found.values()))
    html = made.html()
    root = ET.fromstring(html.split("\n", 1)[1])
    heads = [e.text for e in root.iter("h2") if "part" in e.get("class", "")]
    assert heads == ["Curves", *(f"Study: a_{kind}" for kind in found)]
    assert "://" not in html
    images = {image.get("alt") for image in root.iter("img")}
    charts = {chart.title for one in made.content.studies for chart in one.charts}
    assert len(charts) > 8
    assert charts <= images
    without = report(open_results(folder / "run.h5")).save(folder / "without.pdf").stat().st_size
    assert made.save(folder / "with.pdf").stat().st_size > without + 20_000


def test_the_command_takes_those_beside_the_run_or_those_that_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, page = str(folder / "run.h5"), folder / "r.html"

    def studies(*asked: str) -> list[str]:
        assert main(["report", run, "-o", str(page), *asked]) == 0
        capsys.readouterr()
        return re.findall(r'class="later part">Study: (\w+)<', page.read_text(encoding="utf-8"))

    assert studies("--studies") == []
    assert studies("--studies", "a_local", str(folder / "a_grid.h5")) == ["a_local", "a_grid"]
    assert main(["report", run, "-o", str(page), "--studies", "nothing"]) == 1
    assert "no finished study 'nothing'" in capsys.readouterr().err


def test_only_the_newest_finished_file_of_a_study_counts(
    folder: Path,
    found: dict[str, StudyResult],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    project = model().project
    for n, name in enumerate(("older.h5", "newer.h5")):
        (tmp_path / name).write_bytes((folder / "a_grid.h5").read_bytes())
        os.utime(tmp_path / name, (1e9 + n, 1e9 + n))
    (tmp_path / "broken.h5").write_bytes(b"nothing")
    whole = model()
    calls = [0]

    def stop() -> bool:
        calls[0] += 1
        return calls[0] > 4

    assert mk.study(whole, "a_sample", tmp_path / "s.h5", workers=0, cancel=stop).status == "cancelled"  # fmt: skip
    (tmp_path / "run.h5").write_bytes((folder / "run.h5").read_bytes())
    beside = studies_of_project(tmp_path, project)
    assert [one.path for one in beside.studies] == [tmp_path / "newer.h5"]
    told = [str(one) for one in beside.left_out]
    lead = "A study file beside the run was left out: "
    assert told == [
        f"{lead}'s.h5' is of the study 'a_sample', which is cancelled",
        "A file beside the run, which may hold a study, was left out: 'broken.h5' is not a study file: it is not HDF5.",
    ]
    with open_results(tmp_path / "run.h5") as run:
        made = report(run, studies=beside.studies, left_out=beside.left_out)
    assert [one.text for one in made.content.verdicts if one.tone == "near"] == told
    assert main(["report", str(tmp_path / "run.h5"), "-o", str(tmp_path / "r.html")]) == 0
    err = capsys.readouterr().err
    assert all(f"note: {one}" in err for one in told)
    page = html.unescape((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert all(one in page for one in told)
    alien = project.model_copy(update={"title": "Another", "gravity_m_per_s2": (0.0, 0.0, 1.0)})
    beside = studies_of_project(tmp_path, alien)
    assert beside.studies == []
    # nobody knows whose it is
    assert [str(one) for one in beside.left_out] == told[1:]


def test_sections_are_in_the_language_of_the_reader(
    made_up: Path, found: dict[str, StudyResult]
) -> None:
    """What stays plain are ids, paths and units; charts and tables of every kind say nothing else in English."""
    known = {
        *["force", "way", "one", "two", "sled", "place_x", "measured", "pull", "rises", "falls"]
    }
    known |= {word for name in STUDIES for word in ("a", name)} | {"fit", "mu", "sigma", "SHA"}
    plain = {cell for one in found.values() for name in one.versions for cell in name.split("-")}
    left = []
    for kind, one in found.items():
        part = study_section(one, model().project, "si")
        words = [part.title, *(v.text for v in part.verdicts)]
        for table in part.tables:
            words += [table.title, *table.heads, *table.notes]
            words += [cell.text for row in table.rows for cell in row]
        for chart in part.charts:
            words += [chart.title, chart.x_label, getattr(chart, "y_label", "")]
        left += [(kind, line) for line in escaped("\n".join(words), known | plain)]
    assert not left
