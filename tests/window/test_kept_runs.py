"""Runs come back with their project: kept on the disk, renamed, deleted, brought back, within limits."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app import texts
from app.features.runs.run_rows import main_figures
from app.run_view import keeping
from app.run_view import run_store as shelves
from app.run_view.run_store import Label, RunStore
from solver.project import load_project, to_json
from tests.window.solving import CATCH, solved
from tests.window.waiting import turns

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(shutil.copy(CATCH, tmp_path / "catch.json"))


def reopened(window: Any, qtbot: Any, file: Path) -> list[Any]:
    """Open a project again, and give its runs once they have been read."""
    window.features["runs"].keeping.wait()
    with qtbot.waitSignal(window.features["runs"].keeping.loaded, timeout=20_000):
        window.open_file(file)
    return window.bench.run_view.runs.records


def kept(home: Path) -> list[Path]:
    return sorted((home / "runs").glob("*/*.h5"))


def test_a_run_comes_back_with_its_project(
    window: Any, qtbot: Any, project: Path, remembered: Path
) -> None:
    first = solved(window, qtbot, project)
    window.bench.run_view.runs.rename(first, "Soft bag")
    window.bench.run_view.runs.note(first, "vent 10 sq in")
    took, steps = first.effort.wall_s, first.effort.steps
    values = first.trajectory.channel("bag_state_energy").value
    assert values.any()
    found = reopened(window, qtbot, project)
    assert [(r.name, r.note, r.status) for r in found] == [
        ("Soft bag", "vent 10 sq in", "completed")
    ]
    again = found[0]
    assert again is not first
    assert (again.effort.wall_s, again.effort.steps) == (took, steps)
    assert again.created == pytest.approx(first.created)
    assert np.array_equal(again.trajectory.channel("bag_state_energy").value, values)
    assert window.bench.run_view.runs.current is again
    assert not window.bench.run_view.is_on, "one begins with the model"
    assert not window.bench.run_view.is_outdated(again)
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    assert window.bench.run_view.is_outdated(again)
    window.bench.run_view.run()
    assert [r.name for r in window.bench.run_view.runs.records] == ["Soft bag", "Run 1"]
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    window.features["runs"].keeping.wait()
    assert len(kept(remembered)) == 2


def test_runs_that_are_not_seen_leave_the_memory(window: Any, qtbot: Any, project: Path) -> None:
    first = solved(window, qtbot, project)
    window.features["runs"].keeping.wait()
    assert first.solving is not None, "it is seen"
    value = first.trajectory.channel("bag_state_energy").value
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    run_view = window.bench.run_view
    run_view.run()
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    assert run_view.runs.current is not first
    window.features["runs"].keeping.wait()
    qtbot.waitUntil(lambda: first.solving is None, timeout=20_000)
    assert np.array_equal(first.trajectory.channel("bag_state_energy").value, value)


def test_a_run_of_a_project_with_curves_in_files_is_outdated_once_it_changes(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    """The run holds what was in the files, so the two are never the same parts."""
    (tmp_path / "push.csv").write_text("0,0\n0.1,5\n", encoding="utf-8")
    data = json.loads(CATCH.read_text(encoding="utf-8"))
    form = {"kind": "table", "csv": {"path": "push.csv", "skip_rows": 0}}
    data["functions"] = [
        *data.get("functions", []), {"id": "push", "x_unit": "s", "y_unit": "N", "form": form},
    ]  # fmt: skip
    data["loads"] = [{"id": "push", "segment": "head", "history": "push"}]
    file = tmp_path / "pushed.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    solved(window, qtbot, file)
    (again,) = reopened(window, qtbot, file)
    run_view = window.bench.run_view
    assert again.opened is not None
    assert not run_view.is_outdated(again)
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    assert run_view.is_outdated(again)


def test_a_run_comes_back_only_with_the_model_that_it_is_of(
    window: Any, qtbot: Any, project: Path
) -> None:
    """Anyone who changed, ran and did not save finds the run of the file; the newest stands in the list by name."""
    first = solved(window, qtbot, project)
    bench, run_view = window.bench, window.bench.run_view
    bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    run_view.run()
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    changed = (
        first.trajectory.injury["HIC"].value,
        run_view.runs.current.trajectory.injury["HIC"].value,
    )
    assert changed[0] != pytest.approx(changed[1], rel=0.01)
    bench.document.history.setClean()
    assert [r.name for r in reopened(window, qtbot, project)] == ["Run 1", "Run 2"]
    shown = run_view.runs.current
    assert shown.name == "Run 1"
    assert shown.trajectory.injury["HIC"].value == pytest.approx(changed[0])
    # another's is shown where somebody asks for it, under its name
    plate = window.features["runs"].plate
    run_view.switch(True)
    assert not plate.isVisible()
    run_view.runs.show(run_view.runs.records[1])
    assert plate.isVisible()
    assert (plate.name.text(), plate.remark.text()) == ("Run 2", "of another model")
    corner = window.panels.docks.corner_of("plots")
    assert corner.sentence == "Outdated: Run 2. F5 solves."
    # the next best of this model takes the place of what is deleted, and no other
    window.panels["runs"].delete_asked.emit([run_view.runs.records[1]])
    assert run_view.runs.current.name == "Run 1"
    bench.document.edit("segments/head/mass_kg", 5.0, "Change the mass")
    bench.document.save(project)
    reopened(window, qtbot, project)
    assert run_view.runs.records
    assert run_view.runs.current is None
    assert "None of the runs kept is of this model" in window.status.words.text()
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert not run_view.is_on, "nothing plays"


def test_a_list_of_earlier_runs_goes_on_counting(window: Any, qtbot: Any, project: Path) -> None:
    solved(window, qtbot, project)
    reopened(window, qtbot, project)
    window.bench.run_view.run()
    assert [r.name for r in window.bench.run_view.runs.records] == ["Run 1", "Run 2"]


def test_a_deleted_run_is_brought_back_or_gone_for_good(
    window: Any, qtbot: Any, project: Path, remembered: Path
) -> None:
    record = solved(window, qtbot, project)
    window.panels.open("runs")
    tree = window.panels["runs"].tree
    item = window.panels["runs"].row_of(record)
    QTest.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(item).center()
    )
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    assert window.bench.run_view.runs.records == []
    assert window.bench.document.project.segments, "Del in the list leaves the model alone"
    assert "Run 1" in window.notice.words.text()
    QTest.mouseClick(window.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert window.bench.run_view.runs.records == [record]
    assert window.bench.run_view.runs.current is record
    assert len(reopened(window, qtbot, project)) == 1
    window.panels["runs"].delete_asked.emit(list(window.bench.run_view.runs.records))
    assert reopened(window, qtbot, project) == []
    assert kept(remembered) == []


def test_runs_are_read_behind_what_is_still_deleted(
    window: Any, qtbot: Any, project: Path, remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Side by side the folder may go while it is read; anyone who deletes waits until it has been asked to be read."""
    record = solved(window, qtbot, project)
    done: list[str] = []

    line = window.features["runs"].keeping._pool._work_queue

    def slowly(place: Path) -> None:
        while not done and line.empty():
            time.sleep(1e-3)
        done.append("deleted")
        shelves.drop(place)

    read = RunStore.records
    monkeypatch.setattr(keeping, "drop", slowly)
    monkeypatch.setattr(RunStore, "records", lambda shelf: done.append("read") or read(shelf))
    window.panels["runs"].delete_asked.emit([record])
    assert reopened(window, qtbot, project) == []
    assert done == ["deleted", "read"]


def test_a_folder_that_goes_while_it_is_read_holds_nothing(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As another window may have given up the draft."""

    def gone(folder: Path, _: str) -> Any:
        raise FileNotFoundError(2, "No such file or directory", str(folder))

    monkeypatch.setattr(Path, "glob", gone)
    shelf = RunStore(project, tmp_path / "runs")
    assert shelf.records() == []
    shelf.clear()


def test_the_window_says_why_earlier_runs_cannot_be_read(
    window: Any, qtbot: Any, project: Path, remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: RunStore) -> Any:
        raise OSError("the disk is gone")

    monkeypatch.setattr(RunStore, "records", broken)
    window.open_file(project)
    qtbot.waitUntil(
        lambda: "could not be read: the disk is gone" in window.notice.words.text(), timeout=20_000
    )


def test_a_run_is_renamed_and_noted_in_its_row(window: Any, qtbot: Any, project: Path) -> None:
    record = solved(window, qtbot, project)
    window.panels.open("runs")
    tree = window.panels["runs"].tree
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_F2)
    line = tree.findChild(QLineEdit)
    QTest.keyClicks(line, "Hard bag")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: record.name == "Hard bag", timeout=20_000)
    window.features["runs"].keeping.wait()
    assert Label.read(record.kept.with_suffix(".json")).name == "Hard bag"


def test_rows_show_main_figures_and_sort_by_numbers(window: Any, qtbot: Any, project: Path) -> None:
    first = solved(window, qtbot, project)
    for mass in (3.0, 12.0):
        window.bench.document.edit("segments/head/mass_kg", mass, "Change the mass")
        window.bench.run_view.run()
        qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    records = window.bench.run_view.runs.records
    assert main_figures(records)[0] == "HIC", "what the model asks for comes first"
    tree = window.panels["runs"].tree
    names = [tree.headerItem().text(c) for c in range(tree.columnCount())]
    column = names.index("HIC")
    shown = float(window.panels["runs"].row_of(first).text(column))
    assert shown == pytest.approx(first.trajectory.injury["HIC"].value, rel=1e-3)
    value = {r.name: r.trajectory.injury["HIC"].value for r in records}
    for order, turned in (
        (Qt.SortOrder.AscendingOrder, False),
        (Qt.SortOrder.DescendingOrder, True),
    ):
        tree.sortByColumn(column, order)
        rows = [tree.topLevelItem(n).text(0) for n in range(3)]
        assert rows == sorted(value, key=lambda name: value[name], reverse=turned)
    age = names.index(texts.words.RUN_MODEL)
    assert window.panels["runs"].row_of(first).text(age) == "changed since"
    window.bench.document.undo()
    window.panels.open("runs")
    assert window.panels["runs"].row_of(first).text(age) == "changed since"
    window.bench.document.undo()
    assert window.panels["runs"].row_of(first).text(age) == "as it is now"


def test_runs_of_an_unsaved_project_are_kept_with_its_first_save(
    window: Any, qtbot: Any, tmp_path: Path, remembered: Path
) -> None:
    window.bench.document.adopt(load_project(CATCH))
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    window.features["runs"].keeping.wait()
    assert [place.parent.name.startswith("draft-") for place in kept(remembered)] == [True]
    for name in ("one.json", "two.json"):
        window.bench.document.save(tmp_path / name)
        window.features["runs"].keeping.wait()
    assert len(kept(remembered)) == 2, "under both names"
    for name in ("one.json", "two.json"):
        assert [r.name for r in reopened(window, qtbot, tmp_path / name)] == ["Run 1"]


def test_live_runs_are_not_kept_unless_they_are_named(
    window: Any, qtbot: Any, project: Path, remembered: Path
) -> None:
    solved(window, qtbot, project)
    run_view = window.bench.run_view
    window.panels["run_control"].live.setChecked(True)
    for mass in (5.0, 6.0):
        window.bench.document.edit("segments/head/mass_kg", mass, "Change the mass")
        qtbot.waitUntil(lambda: not run_view.is_outdated(run_view.runs.current), timeout=240_000)
    window.features["runs"].keeping.wait()
    assert len(kept(remembered)) == 1
    live = run_view.runs.current
    run_view.runs.rename(live, "The better one")
    window.features["runs"].keeping.wait()
    assert len(kept(remembered)) == 2
    window.bench.document.edit("segments/head/mass_kg", 7.0, "Change the mass")
    qtbot.waitUntil(lambda: not run_view.is_outdated(run_view.runs.current), timeout=240_000)
    assert live in run_view.runs.records


def test_limits_drop_the_oldest(
    window: Any, qtbot: Any, project: Path, remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = solved(window, qtbot, project)
    window.features["runs"].keeping.wait()
    monkeypatch.setattr(shelves, "MOST_RUNS", 3)
    mine, other = RunStore(project), RunStore(project.with_name("other.json"))
    places = []
    for n, shelf in enumerate((other, mine, mine, mine)):
        record.kept = None
        shelf.keep(record)
        os.utime(record.kept, (n, n))
        places.append(record.kept)
    first, *rest = kept(remembered)
    left = [place for place in (first, *rest) if place.parent == mine.folder]
    assert len(left) == 3
    size = places[0].stat().st_size
    monkeypatch.setattr(shelves, "MOST_BYTES", 2 * size + size // 2)
    record.kept = None
    mine.keep(record)
    left = kept(remembered)
    assert len(left) == 2
    assert record.kept in left
    assert other.folder not in [place.parent for place in left], "the oldest of all went"
    assert all(place.with_suffix(".json").exists() for place in left)


def test_damaged_and_half_written_runs_are_left_out(
    window: Any, qtbot: Any, project: Path, remembered: Path
) -> None:
    record = solved(window, qtbot, project)
    window.features["runs"].keeping.wait()
    folder = record.kept.parent
    whole = record.kept.read_bytes()
    (folder / "cut.h5").write_bytes(whole[: len(whole) // 2])
    (folder / "none.h5").write_bytes(b"nothing")
    fresh, old = folder / "a.0a1b2c3d.part", folder / "b.0a1b2c3d.part"
    for file in (fresh, old):
        file.write_bytes(whole[:100])
    long_ago = time.time() - 1e5
    os.utime(old, (long_ago, long_ago))
    record.kept.with_suffix(".json").write_text("{damaged")
    found = reopened(window, qtbot, project)
    assert len(found) == 1, "a damaged label costs the name alone"
    assert fresh.exists(), "another window may be writing it"
    assert not old.exists()


def test_what_cannot_be_kept_is_said(
    window: Any, qtbot: Any, project: Path, remembered: Path
) -> None:
    remembered.mkdir(exist_ok=True)
    (remembered / "runs").write_text("a file where a folder should be")
    record = solved(window, qtbot, project)
    window.features["runs"].keeping.wait()
    qtbot.waitUntil(lambda: "could not be kept" in window.notice.words.text(), timeout=20_000)
    assert record.has_ended


@pytest.mark.own_window
def test_runs_outlive_a_killed_program(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "another home"
    code = f"""
        import os, signal, sys, time
        from pathlib import Path
        from PySide6.QtWidgets import QApplication
        from app.shell.window import MainWindow
        application = QApplication(["manikin"])
        window = MainWindow()
        window.open_file(Path({str(project)!r}))
        window.bench.run_view.run()
        while window.bench.run_view.runs.running() is not None:
            application.processEvents()
        window.features["runs"].keeping.wait()
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=os.environ | {"MANIKIN_HOME": str(home)}, check=False,
    )  # fmt: skip
    assert done.returncode == -9
    found = RunStore(project, home / "runs").records()
    assert [(r.name, r.status) for r in found] == [("Run 1", "completed")]
    for record in found:
        record.close()


def test_runs_of_a_draft_come_back_with_its_recovery(
    window: Any, qtbot: Any, tmp_path: Path, remembered: Path
) -> None:
    code = f"""
        import os, signal, sys, time
        from pathlib import Path
        from PySide6.QtWidgets import QApplication
        from app.shell.window import MainWindow
        from solver.project import load_project
        application = QApplication(["manikin"])
        window = MainWindow()
        window.bench.document.adopt(load_project(Path({str(CATCH)!r})))
        window.bench.run_view.run()
        while window.bench.run_view.runs.running() is not None:
            application.processEvents()
        window.features["runs"].keeping.wait()
        window.features["files"].recovery.keep()
        window.features["files"].recovery._writing.result()
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert done.returncode == -9
    assert len(kept(remembered)) == 1
    window.bench.begun.emit()
    with qtbot.waitSignal(window.features["runs"].keeping.loaded, timeout=20_000):
        window.notice.buttons[0].click()
    assert [(r.name, r.status) for r in window.bench.run_view.runs.records] == [
        ("Run 1", "completed")
    ]
    assert not window.bench.run_view.is_outdated(window.bench.run_view.runs.current)
    window.bench.document.save(tmp_path / "saved.json")
    window.features["runs"].keeping.wait()
    (place,) = kept(remembered)
    assert place.parent.name.startswith("saved-"), "they have moved with the first save"
    assert [r.name for r in reopened(window, qtbot, tmp_path / "saved.json")] == ["Run 1"]


def test_runs_of_a_draft_go_with_it_when_it_is_given_up(
    window: Any, qtbot: Any, project: Path, remembered: Path
) -> None:
    window.bench.document.adopt(load_project(CATCH))
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    window.features["runs"].keeping.wait()
    assert len(kept(remembered)) == 1
    with qtbot.waitSignal(window.features["runs"].keeping.loaded, timeout=20_000):
        window.open_file(project)
    window.features["runs"].keeping.wait()
    assert kept(remembered) == []


def test_what_is_discarded_can_be_had_back_until_the_window_is_closed(
    window: Any, remembered: Path
) -> None:
    """Two are left: a second click on the same place undoes, and never discards the next one unseen."""
    project = to_json(load_project(CATCH))
    places, folders = [], []
    for n, draft in enumerate(("d1", "d2")):
        data = {"format": "manikin-recovery", "file": None, "title": f"Work {n}", "when": 1.0 + n,
                "draft": draft, "project": project}  # fmt: skip
        place = remembered / "recovery" / f"1-1-{n}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(data), encoding="utf-8")
        folder = RunStore.of_draft(draft).folder
        folder.mkdir(parents=True)
        (folder / "a.h5").write_bytes(b"")
        places.append(place)
        folders.append(folder)
    window.bench.begun.emit()
    turns()

    def words() -> list[str]:
        return [button.text() for button in window.notice.buttons]

    def click(words: str) -> QPoint:
        """Click a button, and tell where it is."""
        button = next(one for one in window.notice.buttons if one.text() == words)
        at = button.mapTo(window, button.rect().center())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        turns()
        return at

    assert "Work 1" in window.notice.words.text()
    at = click("Discard it")
    assert "Work 1 was discarded." in window.notice.words.text()
    assert window.childAt(at).text() == "Bring it back"
    assert all(place.exists() for place in (*places, *folders))
    click("Bring it back")
    assert "Work 1" in window.notice.words.text()
    click("Discard it")
    click("Next")
    assert "Work 0" in window.notice.words.text()
    click("Discard it")
    assert words() == ["Bring it back"]
    click("Bring it back")
    window.features["files"].leftovers.end()
    assert [place.exists() for place in (*places, *folders)] == [True, False, True, False]
    assert [place.parent.name.startswith("draft-d1") for place in kept(remembered)] == [True]
