"""Whatever is done in windows, nothing is raised, and what is closed is let go."""

from __future__ import annotations

import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QTreeWidget

from app.application import Application
from app.features.runs.run_rows import RunRow
from app.preferences import PREFERENCES
from app.run_view.record import RunRecord
from app.run_view.run_store import RunStore
from app.run_view.runs import Runs
from app.shell.window import new_window
from tests.window.seated import seated
from tests.window.waiting import collect, until_exposed
from tools.monkey.diary import Diary

TOP = Path(__file__).resolve().parents[2]


@pytest.mark.window
def test_closed_windows_follow_no_preference_and_are_let_go(
    qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *told: raised.append(told))
    application = Application()
    windows = []
    for _ in range(3):
        window = new_window(application)
        until_exposed(window)
        windows.append(weakref.ref(window))
        window.close()
    del window
    for one in PREFERENCES:
        for value in one.choices or (True, False):
            if one.fits(value):
                application.choose(one.name, value)
    application.restore_defaults()
    assert raised == []
    collect()
    qtbot.waitUntil(lambda: not QApplication.topLevelWidgets(), timeout=20_000)
    collect()
    assert [window() for window in windows] == [None] * 3


def test_rows_sort_while_they_have_fewer_columns_than_the_list(qapp: Any) -> None:
    tree = QTreeWidget()
    tree.setColumnCount(12)
    tree.setSortingEnabled(True)
    rows = [RunRow(tree, RunRecord(name, None)) for name in "ab"]  # type: ignore[arg-type]
    for row in rows:
        row._keys = [row.record.name] * 5
    # an exception in the comparison would end the program
    tree.sortByColumn(11, tree.header().sortIndicatorOrder())
    assert tree.topLevelItemCount() == 2
    tree.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_kept_run_leaves_the_memory_and_is_the_same(qapp: Any, tmp_path: Path) -> None:
    from solver.project import validated

    data = seated()
    data["runs"] = [{"id": "run", "duration_s": 0.002}]
    runs = Runs()
    record = runs.start(validated(data))
    assert record.solving is not None
    record.solving.wait(240.0)
    assert not record.leave_memory(), "it is kept nowhere yet"
    RunStore(tmp_path / "seated.json", tmp_path / "runs").keep(record)
    before = record.trajectory
    assert before is not None
    known = (record.status, record.message, record.effort, record.duration_s)
    places = before.segment("head").position.copy()
    gone = weakref.ref(before)
    assert record.leave_memory()
    assert record.solving is None
    del before
    collect()
    assert gone() is None
    assert (record.status, record.message, record.effort, record.duration_s) == known
    assert record.trajectory is not None
    assert (record.trajectory.segment("head").position == places).all()
    record.close()


def test_growth_is_told_from_the_settled_memory_on() -> None:
    diary = Diary(memory=[(10.0 * n, 100.0 if n < 30 else 150.0) for n in range(60)])
    assert diary.growth() == pytest.approx(0.5)


@pytest.mark.slow
@pytest.mark.window
@pytest.mark.timeout(1200)
def test_a_monkey_raises_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    """The one of ten minutes is a command: `python -m tools.monkey --minutes 10`."""
    # a program of its own: what is left by other tests does not count, and a crash ends only this one
    line = ["-X", "faulthandler", "-m", "tools.monkey", "--seed", "3", "--actions", "60"]
    told = subprocess.run(
        [sys.executable, *line], cwd=TOP, capture_output=True, text=True, timeout=1100, check=False
    )
    assert told.returncode == 0, told.stdout[-6000:] + told.stderr[-6000:]
