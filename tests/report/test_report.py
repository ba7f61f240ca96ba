"""Reports: self-contained, well-formed, and with the numbers of the run."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import h5py
import matplotlib.image
import numpy as np
import pytest

from solver.base.places import samples
from solver.cli import main
from solver.injury import assess
from solver.injury.figures import figure_name
from solver.project import Project, load_project, validated
from solver.project.changes import with_value
from solver.project.names import called_at
from solver.report import Report, ReportError, report
from solver.report.gather import Subject
from solver.report.scene import WIDEST, Scene, drawn
from solver.report.tables import settings_table
from solver.results import MemoryTrajectory, open_results
from solver.results.hdf5 import OF_FILE, seal, sealed
from solver.results.layout import FRAME_GROUPS
from solver.results.trajectory import Table
from solver.running.simulation import simulate, simulate_to_file
from solver.scene.raster import Camera
from tests.balls_and_floors import ball


def short_run(scale: float) -> Project:
    project = load_project(samples() / "lap_belt.json")
    run = project.runs[0].model_copy(update={"id": "short", "duration_s": 0.06})
    pulse = project.motions[0].components[0].pulse
    louder = pulse.model_copy(update={"amplitude": scale * pulse.amplitude})  # type: ignore[union-attr]
    first = project.motions[0].components[0].model_copy(update={"pulse": louder})
    motion = project.motions[0].model_copy(update={"components": (first,)})
    return project.model_copy(update={"runs": (run,), "motions": (motion,)})


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    paths = folder / "mild.h5", folder / "hard.h5"
    for path, scale in zip(paths, (1.0, 1.3), strict=True):
        simulate_to_file(short_run(scale), path)
    return paths


@pytest.fixture(scope="module")
def made(files: tuple[Path, Path]) -> Report:
    with open_results(files[0]) as run:
        return report(run, units="si")


@pytest.fixture(scope="module")
def page(made: Report) -> str:
    return made.html()


def plain_text(html: str) -> str:
    return " ".join(ET.fromstring(html.split("\n", 1)[1]).itertext())


def rows_of(html: str, title: str) -> dict[str, list[str]]:
    """Read a table of the page, by its first column."""
    root = ET.fromstring(html.split("\n", 1)[1])
    body = list(root.iter())
    at = next(n for n, e in enumerate(body) if e.tag == "h2" and e.text == title)
    table = next(e for e in body[at:] if e.tag == "table")
    rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
    return {row[0]: row[1:] for row in rows}


def test_the_page_needs_nothing_beside_itself(page: str) -> None:
    html = page
    assert "http" not in html.replace("http-equiv", "")
    assert not re.search(r"<(script|link|iframe|object)\b", html)
    # nor could what came through as HTML load or run anything
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert len(policy) == 1
    assert policy[0].startswith("default-src 'none'; script-src 'none'; ")
    assert html.index("Content-Security-Policy") < html.index("<style>") < html.index("<h1>")
    sources = re.findall(r'(?:src|href)="([^"]*)"', html)
    assert len(sources) > 6
    kinds = {source.split(";", 1)[0] for source in sources}
    assert kinds == {"data:image/png", "data:image/svg+xml"}
    for source in sources:
        data = base64.b64decode(source.split(",", 1)[1])
        if "svg" in source[:20]:
            assert ET.fromstring(data).tag.endswith("svg")
            words = data.decode().replace("http://www.w3.org/", "")
            assert "http" not in words
        else:
            assert data.startswith(b"\x89PNG")


def test_numbers_are_those_of_the_run(files: tuple[Path, Path], page: str) -> None:
    html = page
    with open_results(files[0]) as run:
        tension = run.table("belts")["tension"]
        energy = run.table("energy")
        contacts = run.table("contacts")
        found = assess(run)
        project = Subject(run).project
    belts = rows_of(html, "Restraint loads")
    last = belts[run_belt(files[0])]
    at = np.unravel_index(int(np.argmax(tension[:, 0, 1])), tension[:, 0, 1].shape)[0]
    assert last[:2] == ["tension, end B", "N"]
    assert float(last[2]) == pytest.approx(tension[:, 0, 1].max(), rel=1e-3)
    assert float(last[3]) == pytest.approx(1e3 * run_time(files[0])[at], abs=0.5)
    kinetic = rows_of(html, "Energy")["kinetic"]
    assert float(kinetic[0]) == pytest.approx(energy["kinetic"][0], rel=1e-3)
    assert float(kinetic[2]) == pytest.approx(energy["kinetic"][-1], rel=1e-3)
    touched = rows_of(html, "Contacts")
    for n, name in enumerate(contacts.ids):
        force = np.linalg.norm(contacts["force"][:, n], axis=1)
        if force.max() > 1e-6:
            called = called_at(project, f"contacts/{name}").partition(", ")[0]
            assert float(touched[called][2]) == pytest.approx(force.max(), rel=5e-3)
    injury = rows_of(html, "Injury figures")
    assert len(found.figures) > 0
    for one in found.figures:
        assert float(injury[figure_name(one)][0]) == pytest.approx(one.value, rel=1e-3)
    settings = rows_of(html, "Settings")
    assert settings["run"] == ["short"]
    assert settings["SHA-256 of results"] == [hashlib.sha256(files[0].read_bytes()).hexdigest()]
    assert "relative tolerance 1e-05" in settings["method"][0]


def run_belt(path: Path) -> str:
    """Name the run's belt as people do."""
    with open_results(path) as run:
        (belt,) = Subject(run).project.belts
    assert belt.name
    assert belt.name != belt.id
    return belt.name.partition(", ")[0]


def run_time(path: Path) -> np.ndarray:
    with open_results(path) as run:
        return run.time


def test_two_runs_stand_side_by_side(files: tuple[Path, Path]) -> None:
    with open_results(files[0]) as a, open_results(files[1]) as b:
        both = report(a, b)
        kN = [r.table("belts")["tension"][:, 0, 1].max() / 1e3 for r in (a, b)]
    html = both.html()
    assert both.content.runs == ("mild", "hard")
    belts = rows_of(html, "Restraint loads")
    assert belts["restraint"][2:] == ["mild", "hard", "change"]
    cells = belts[run_belt(files[0])]
    assert [float(c) for c in cells[2:4]] == pytest.approx(kN, rel=1e-3)
    assert cells[4] == f"{100 * (kN[1] / kN[0] - 1):+.1f} %"
    assert len(both.content.pictures) == 4
    assert {c.run for p in both.content.panels for c in p.curves} == {"mild", "hard"}
    text = plain_text(html)
    assert "mild: energy balanced" in text
    assert "hard: energy balanced" in text


def test_one_run_against_itself_is_told_apart(files: tuple[Path, Path]) -> None:
    with open_results(files[0]) as run:
        twice = report(run, run)
        assert twice.content.runs == ("mild (A)", "mild (B)")
        assert all(row[-1].text in ("–", "0.0 %") for row in twice.content.tables[0].rows)
        with pytest.raises(ReportError, match="1 labels"):
            report(run, run, labels=["x"])


def test_a_pdf_has_a_page_of_verdict_and_pages_of_curves(made: Report, tmp_path: Path) -> None:
    target = made.save(tmp_path / "a.pdf")
    assert made.save(tmp_path / "b.pdf").read_bytes() == target.read_bytes()
    data = target.read_bytes()
    assert data.startswith(b"%PDF")
    assert 3 <= len(re.findall(rb"/Type /Page\b", data)) <= 5


def test_a_run_in_memory_is_reported_too() -> None:
    project = short_run(1.0)
    run = project.runs[0].model_copy(update={"duration_s": 0.01})
    live = report(simulate(project.model_copy(update={"runs": (run,)})), labels=["live"])
    assert "live" in live.html()
    assert live.content.pulse is not None


def test_what_failed_is_said_first(files: tuple[Path, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.h5"
    broken.write_bytes(files[0].read_bytes())
    why = "Steps became too short."
    for status, end in (("failed", f"until then. {why}"), ("cancelled", "until then")):
        with h5py.File(broken, "r+") as file:
            told = {"status": status, "message": why}
            seal(file.attrs, sealed(file.attrs, OF_FILE) | told, OF_FILE)
        with open_results(broken) as run:
            first = report(run).content.verdicts[0]
            ms = 1e3 * run.time[-1]
        assert first.tone == "bad"
        assert first.text.startswith(f"The run is {status}, at {ms:.0f} ms")
        assert first.text.endswith(end)


@pytest.mark.parametrize(("part", "tone"), [(1e-3, "good"), (0.02, "near"), (0.2, "bad")])
def test_what_is_left_over_of_the_energy_is_judged(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, part: float, tone: str
) -> None:
    with open_results(files[0]) as run:
        energy = dict(run.table("energy").columns)
        most = max(np.abs(energy[n]).max() for n in ("kinetic", "external", "dissipated", "strain"))
        energy["balance"] = np.zeros_like(energy["balance"])
        energy["balance"][3] = -part * most
        true = run.table
        spoilt = Table(true("energy").ids, energy)
        monkeypatch.setattr(run, "table", lambda g: spoilt if g == "energy" else true(g))
        (said,) = [v for v in report(run).content.verdicts if "left over" in v.text]
    assert said.tone == tone


def test_words_of_the_user_are_only_words(files: tuple[Path, Path]) -> None:
    nasty = "<script>alert('$x_1$')</script> & \"more\""
    with open_results(files[0]) as run:
        html = report(run, labels=[nasty]).html()
    assert "<script" not in html
    assert nasty in plain_text(html)


def test_broken_results_are_answered_with_a_sentence(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def changed(name: str, change: object) -> str:
        path = tmp_path / name
        path.write_bytes(files[0].read_bytes())
        with h5py.File(path, "r+") as file:
            change(file)  # type: ignore[operator]
        return str(path)

    def no_project(file: h5py.File) -> None:
        del file["project"]
        file["project"] = "{}"

    def no_column(file: h5py.File) -> None:
        del file["contacts/force"]

    def no_frames(file: h5py.File) -> None:
        frames = [f"{g}/{c}" for g in FRAME_GROUPS if g in file for c in FRAME_GROUPS[g].columns]
        for name in ("time", *frames):
            file[name].resize(0, axis=0)

    out = str(tmp_path / "out.html")
    cut = tmp_path / "cut.h5"
    cut.write_bytes(files[0].read_bytes()[:5000])
    mild = str(files[0])
    for arguments, words in [
        ([changed("a.h5", no_project), "-o", out], "changed after the run"),
        ([changed("b.h5", no_column), "-o", out], "contacts/force"),
        ([changed("c.h5", no_frames), "-o", out], "no frames"),
        ([str(cut), "-o", out], "damaged"),
        ([mild, "-o", str(tmp_path / "a.docx")], "must end in .html or .pdf"),
        ([mild, "-o", str(tmp_path)], "is a folder"),
        ([mild, mild, mild, "-o", out], "two runs at most"),
        ([mild, "-o", out, "--labels", "a", "b"], "1 labels or none"),
    ]:
        assert main(["report", *arguments]) == 1, words
        err = capsys.readouterr().err
        assert words in err
        assert len(err.strip().splitlines()) == 1
        assert "Traceback" not in err
    assert not Path(out).exists()


def test_the_command_writes_both(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "a.html"
    words = ["--pdf", "--units", "si", "--pictures", "shapes"]
    assert main(["report", *map(str, files), "-o", str(target), *words]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    html = target.read_text(encoding="utf-8")
    assert "mild" in plain_text(html)
    first = base64.b64decode(re.findall(r'src="data:image/png;base64,([^"]*)"', html)[0])
    with open_results(files[0]) as run, open_results(files[1]) as other:
        shown = report(run, other, looks="shapes").content.pictures[0].image
    drawn_ = matplotlib.image.imread(io.BytesIO(first))[..., :3]
    np.testing.assert_array_equal(np.round(255 * drawn_), shown)


@pytest.mark.parametrize(("name", "what"), [("head", "head acceleration"), ("ball", "belt loads")])
def test_the_picture_of_the_peak_is_taken_where_it_is(name: str, what: str) -> None:
    """A ball falls onto a soft floor: it is felt and pressed most where it is deepest."""
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e4}
    run = simulate(validated(json.loads(json.dumps(ball(law, 2.0)).replace("ball", name))))
    deepest = int(np.argmax(run.table("contacts")["penetration"][:, 0]))
    assert 0 < deepest < len(run.time) - 1
    peak = Subject(run).peak
    assert (peak.frame, peak.time) == (deepest, float(run.time[deepest]))
    assert what in peak.what


def test_no_segments_no_report() -> None:
    with pytest.raises(ReportError, match=r"nothing to report|cannot be read"):
        report(MemoryTrajectory({"energy": ()}, (), b"{}"))


def test_the_pulse_is_that_of_the_vehicle(files: tuple[Path, Path], made: Report) -> None:
    pulse = made.content.pulse
    assert pulse is not None
    curve = pulse.curves[0]
    with open_results(files[0]) as run:
        motion = run.segment("sled")
    assert np.array_equal(curve.y, motion.acceleration[:, 0])
    change = 3.6 * abs(np.trapezoid(curve.y, curve.x))
    told = float(pulse.title.split("Δv ")[1].split()[0])
    assert told == pytest.approx(change, abs=0.1)


def test_windows_of_figures_are_shaded_where_they_are(made: Report) -> None:
    for panel in made.content.panels:
        for span in panel.spans:
            assert 0.0 <= span.start < span.end <= 0.06
    chest = next(p for p in made.content.panels if p.title.startswith("Chest"))
    assert [span.name for span in chest.spans] == ["chest_3ms"]
    assert chest.title.endswith("CFC 180")


def test_a_picture_of_a_long_road_is_lower_and_no_wider() -> None:
    look = Camera(np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -1.0]), (0.0, 0.0), (40.0, 1.0))
    wide, usual = Scene(np.zeros((1, 3))), replace(look, high=(1.0, 1.0))
    assert drawn(wide, look, 440).shape == (WIDEST // 40, WIDEST, 3)
    assert drawn(wide, usual, 440).shape == (440, 440, 3)


def test_loops_and_redundant_rows_stand_among_the_settings() -> None:
    project = load_project(samples() / "four_bar.json")
    run = simulate(with_value(project, "runs/two_seconds/duration_s", 0.01))
    told = {row[0].text: row[1].text for row in settings_table([Subject(run)], "x").rows}
    assert told["loops"] == "1 closed; 3 open freedoms, mobility 1; redundant: 'closure/y'"
    free = simulate(
        with_value(load_project(samples() / "pendulum.json"), "runs/0/duration_s", 0.01)
    )
    assert "loops" not in [row[0].text for row in settings_table([Subject(free)], "x").rows]
