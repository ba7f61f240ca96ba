"""Results files in the window: what cannot be read is said, what a full disk has left can be opened."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from solver.project import load_project
from solver.results import open_results
from solver.running.simulation import simulate_to_file
from tests.window.solving import CATCH, solved

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("results") / "catch.h5"
    simulate_to_file(load_project(CATCH), file)
    return file


def newer(file: Path) -> None:
    with h5py.File(file, "r+") as data:
        data.attrs["schema_version"] = 99


def foreign(file: Path) -> None:
    with h5py.File(file, "w") as data:
        data["x"] = 1


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:20_000])


def another_shape(file: Path) -> None:
    with h5py.File(file, "r+") as data:
        kept = data["segments/position"][:, :, :2]
        del data["segments/position"]
        data["segments/position"] = kept


def no_times(file: Path) -> None:
    with h5py.File(file, "r+") as data:
        data["time"][...] = np.nan


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (newer, "newer version"),
        (foreign, "another program"),
        (cut, "cut off"),
        (another_shape, "has the shape"),
        (no_times, "not a number"),
    ],
)
def test_results_that_cannot_be_read_are_explained_and_nothing_is_lost(
    window: Any, results: Path, tmp_path: Path, damage: Callable[[Path], None], words: str
) -> None:
    window.open_file(CATCH)
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    file = Path(shutil.copy(results, tmp_path / "damaged.h5"))
    damage(file)
    window.open_file(file)
    assert window.panels.pages.currentWidget() is window.panels["unreadable"]
    assert words in window.panels["unreadable"].sentences.text()
    assert window.bench.run_view.runs.records == []
    window.panels["unreadable"].back_asked.emit()
    assert window.bench.has_project()
    assert window.bench.document.project.segments[0].mass_kg == 3.0


def test_a_disk_that_fills_up_is_told_and_leaves_nothing_half_written(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = solved(window, qtbot)
    window.features["runs"].keeping.wait()
    little = shutil.disk_usage(tmp_path)._replace(free=10)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: little)
    file = tmp_path / "folder" / "half.h5"
    file.parent.mkdir()
    with qtbot.waitSignal(window.features["runs"].save(record, file).failed, timeout=20_000):
        pass
    monkeypatch.undo()
    assert "The disk is full" in window.notice.words.text()
    assert list(file.parent.iterdir()) == []


def test_a_run_on_a_full_disk_ends_well_and_can_be_saved_elsewhere(
    window: Any, qtbot: Any, tmp_path: Path, remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Path(shutil.copy(CATCH, tmp_path / "catch.json"))
    usage = shutil.disk_usage

    def full(place: Any) -> Any:
        """Be full where runs are kept, and nowhere else."""
        found = usage(place)
        return found._replace(free=10) if Path(place).is_relative_to(remembered) else found

    monkeypatch.setattr(shutil, "disk_usage", full)
    record = solved(window, qtbot, project)
    qtbot.waitUntil(lambda: "could not be kept" in window.notice.words.text(), timeout=20_000)
    assert "The disk is full" in window.notice.words.text()
    assert not list((remembered / "runs").rglob("*.h5")), "nothing half is kept"
    file = tmp_path / "elsewhere.h5"
    with qtbot.waitSignal(window.features["runs"].save(record, file).done, timeout=20_000):
        pass
    with open_results(file) as run:
        assert run.status == "completed"
    QTest.mouseClick(window.panels["run_control"].run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    assert window.bench.run_view.runs.current.status == "completed"
