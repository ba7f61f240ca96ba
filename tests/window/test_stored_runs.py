"""A sample plays at once: the run that comes with it is shown, without the solver having worked."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QSize, Qt

import solver.results.stored
from app.run_view.keeping import _ready
from app.run_view.record import Catalogue, RunRecord
from app.run_view.run_store import RunStore
from solver.base.places import samples
from solver.injury import figure_units
from solver.project import load_project, save_project
from solver.running.simulation import simulate
from tests.window.playing import Play

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("stored_runs")]
SAMPLE = "pendulum"
CHANGED = (
    "It was solved before the solver was changed; F5 solves it with the solver of this program."
)


def test_a_sample_plays_at_once(window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Click the tile: its run is seen. Space plays it, F5 solves it, and the stored one stays beside."""
    play = Play(window, qtbot, "stored", QSize(1280, 800))
    run_view = window.bench.run_view
    card = next(c for c in window.panels["welcome"].cards if c.sample.file.stem == SAMPLE)
    window.panels["welcome"].area.ensureWidgetVisible(card)
    told: list[str] = []
    bar = window.panels["timeline"].bar
    window.features["runs"].keeping.reading.connect(lambda _: told.append(bar.without))
    said: list[str] = []
    monkeypatch.setattr(window.bench, "say", lambda words, *_: said.append(words))
    monkeypatch.setattr(window.bench, "ask_name", lambda *_, **__: "")
    save = window.features["plots"].ask_for_plot
    window.features["runs"].keeping.reading.connect(lambda reads: save() if reads else None)
    play.click(card)
    assert "Reading the stored run …" in told
    # who saves curves now is told why there are none, and asked for no file
    assert any("is still being read" in words for words in said)
    play.until(lambda: run_view.runs.current is not None and run_view.replay is not None)
    record = run_view.runs.current
    assert (record.name, bool(record.stored), record.solving) == ("Stored run", True, None)
    assert not run_view.is_outdated(record)
    assert record.effort.steps == 0
    play.until(lambda: run_view.is_on)
    assert run_view.player.time == 0.0
    assert not run_view.player.is_playing
    play.click(window.bench.viewport, QPointF(40.0, 40.0))
    play.key(Qt.Key.Key_Space)
    play.until(lambda: run_view.is_on and run_view.player.time > 0.05)
    play.step("playing")
    play.key(Qt.Key.Key_F5)
    new = play.until_solved()
    assert [one.name for one in run_view.runs.records] == ["Stored run", "Run 1"]
    assert new.status == "completed"


@pytest.fixture
def shelf(qapp: Any, remembered: Path) -> RunStore:
    return RunStore(samples() / f"{SAMPLE}.json")


def test_a_sample_plays_the_next_time_too(shelf: RunStore) -> None:
    """What came with it is kept as what it is, else it is a run of one's own and the model is shown."""
    for _ in range(2):
        (record,) = shelf.records()
        assert record.stored
        record.close()


def test_the_run_that_is_shown_first_is_assessed_before(shelf: RunStore) -> None:
    catalogue = Catalogue()
    (record,) = _ready(shelf, catalogue, load_project(shelf._project))
    assert record.is_assessed, "else the window assesses it, and stands still meanwhile"
    found = catalogue.of(record)
    assert found is not None
    assert found._all, "else the window lists what the file holds"
    record.close()


def test_what_is_of_another_sample_is_left_out(
    shelf: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let the run of another sample lie there: it is not shown, and nothing of it is left."""
    other = (
        samples() / solver.results.stored.FOLDER / f"double_pendulum{solver.results.stored.SUFFIX}"
    )
    monkeypatch.setattr("app.run_view.run_store.stored_file", lambda _: other)
    assert shelf.records() == []
    assert not shelf.folder.exists()


def test_what_comes_with_the_program_is_of_its_engine(
    shelf: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Change the solver, as in a newer program, but not what came with the sample: that is still what the solver finds."""
    (first,) = _closed(shelf.records())
    assert first.note == ""
    monkeypatch.setattr("app.run_view.run_store.engine", lambda: "another")
    (again,) = _closed(shelf.records())
    assert (again.kept, again.note) == (first.kept, "")


def test_a_sample_that_says_something_else_keeps_its_run_and_one_of_another_model_has_none(
    remembered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run that is kept follows the sample's words; with another mass it stays, and is outdated."""
    sample = tmp_path / "samples" / f"{SAMPLE}.json"
    sample.parent.mkdir()
    project = load_project(samples() / sample.name)
    save_project(project, sample)
    shutil.copytree(
        samples() / solver.results.stored.FOLDER, sample.parent / solver.results.stored.FOLDER
    )
    monkeypatch.setattr("solver.results.stored.samples", lambda: sample.parent)
    shelf = RunStore(sample)
    (first,) = _closed(shelf.records())
    said = project.model_copy(update={"note": "Said in other words."})
    save_project(said, sample)
    (second,) = _closed(shelf.records())
    assert second.project == said
    assert not first.kept.exists()
    heavier = project.segments[0].model_copy(update={"mass_kg": 1.001})
    save_project(said.model_copy(update={"segments": (heavier,)}), sample)
    (third,) = _closed(shelf.records())
    assert (third.kept, third.project) == (second.kept, said)
    shelf.clear()
    assert shelf.records() == []


def test_a_run_of_ones_own_says_so_once_the_solver_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer program shows what an older one found, and says so; what is of an unknown one is shown as it is."""
    project = load_project(samples() / "pendulum.json")
    out = simulate(project)
    own = RunStore(tmp_path / "own.json", tmp_path / "runs")
    own.keep(RunRecord("Run 1", project, opened=out, note="Mine."))
    assert [one.note for one in _closed(own.records())] == ["Mine."]
    with monkeypatch.context() as patch:
        patch.setattr("app.run_view.run_store.engine", lambda: "another")
        assert [one.note for one in _closed(own.records())] == [f"Mine. {CHANGED}"]
    (label,) = own.folder.glob("*.json")
    label.write_text(label.read_text().replace(solver.results.stored.engine(), ""))
    with monkeypatch.context() as patch:
        patch.setattr("app.run_view.run_store.engine", lambda: "another")
        assert [one.note for one in _closed(own.records())] == ["Mine."]


def _closed(records: list[RunRecord]) -> list[RunRecord]:
    for record in records:
        record.close()
    return records


def test_a_newer_program_shows_its_own(shelf: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an older program left makes room for the run of this one, unless somebody has written on it."""

    def left_by_an_older_one() -> RunRecord:
        with monkeypatch.context() as patch:
            patch.setattr("app.run_view.run_store.digest_of", lambda _: "older")
            (record,) = shelf.records()
        return record

    old = left_by_an_older_one()
    old.close()
    (new,) = shelf.records()
    assert new.stored == solver.results.stored.digest_of(shelf._project)
    assert new.kept != old.kept
    assert not old.kept.exists()
    assert new.created == old.created, "runs of one's own stay behind it"
    (again,) = _closed(shelf.records())
    assert again.kept == new.kept
    new.close()
    shelf.clear()
    old = left_by_an_older_one()
    old.note = "Shown to the customer."
    shelf.label(old)
    old.close()
    kept, mine = _closed(shelf.records())
    assert (kept.stored, mine.kept, mine.note) == (new.stored, old.kept, "Shown to the customer.")
    assert [bool(one.stored) for one in _closed(shelf.records())] == [True, False]


def test_a_damaged_one_is_none(
    shelf: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "bad.xz"
    bad.write_bytes(b"no")
    monkeypatch.setattr("app.run_view.run_store.stored_file", lambda _: bad)
    assert shelf.records() == []


def test_runs_of_ones_own_come_first(shelf: RunStore) -> None:
    """Read it twice: the second time it is one of the kept runs, and no more come."""
    (first,) = shelf.records()
    (second,) = shelf.records()
    assert first.kept == second.kept
    assert second.name == "Stored run"
    first.close()
    second.close()


def test_other_files_have_none(remembered: Path, tmp_path: Path) -> None:
    copy = tmp_path / f"{SAMPLE}.json"
    copy.write_bytes((samples() / f"{SAMPLE}.json").read_bytes())
    assert RunStore(copy).records() == []


def test_figures_and_limits_are_said_as_in_the_injury_panel(window: Any, qtbot: Any) -> None:
    """A deflection is in millimetres also in the list of runs and in what a study asks, and has its name there."""
    window.open_file(samples() / "frontal.json")
    qtbot.waitUntil(lambda: window.bench.run_view.replay is not None, timeout=240_000)
    record = window.bench.run_view.runs.current
    tree = window.panels["runs"].tree
    names = [tree.headerItem().text(c) for c in range(tree.columnCount())]
    row = window.panels["runs"].row_of(record)
    (figure,) = [f for f in record.assess().figures if f.name == "chest_deflection"]
    assert figure.unit == "m"
    said = row.text(names.index("Chest deflection"))
    assert said.endswith(" mm")
    assert float(said.removesuffix(" mm")) == pytest.approx(1e3 * figure.value, rel=1e-3)
    window.panels.open("studies")
    asked = window.features["studies"].panel.setup.responses
    rows = [asked.topLevelItem(n) for n in range(asked.topLevelItemCount())]
    limits = {row.text(0): (row.text(2), row.toolTip(2)) for row in rows}
    assert limits["Chest deflection"] == ("≤ 63 mm", "A click chooses a limit")
    assert limits["Chest 3 ms"][0] == "≤ 60 g"
    assert limits["HIC15"][0] == "≤ 700"
    assert "/" not in "".join(limits), "no path of a file"
    # every figure that is found unasked is known by its name
    project = window.bench.document.project
    units = figure_units(project)
    for one in record.assess().figures:
        assert units.get(one.name) == one.unit, one.name
