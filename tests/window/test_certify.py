"""The bench of dummies in the window: tests run and judged, stopped, opened as models, certified."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from app.jobs.task import Task
from solver.project.changes import with_value
from solver.project.document import Project
from solver.studies.bench.fixtures import scene
from solver.studies.bench.labels import margin, value
from solver.studies.bench.running import Cancelled, Verdict, run_test
from solver.studies.bench.table import BenchTest, bench_tests
from tests.window.seated import seated
from tests.window.waiting import turns, until

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton
MAN = "hybrid_iii_50m"
KNEE = [test.kind for test in bench_tests(MAN)].index("knee")
FOUND, MARGIN = 2, 3


@pytest.fixture
def bench(window: Any, qtbot: Any) -> Any:
    window.menus.run("run.certify")
    dialog = window.features["certify"].dialog
    assert QTest.qWaitForWindowExposed(dialog, 20_000)
    turns()
    return dialog


def choose(dialog: Any, n: int) -> Any:
    """Click a test's row."""
    row = dialog.tree.topLevelItem(n)
    QTest.mouseClick(
        dialog.tree.viewport(), LEFT, pos=dialog.tree.visualItemRect(row).center() + QPoint(-60, 0)
    )
    assert dialog.chosen == n
    return row


def run_knee(dialog: Any, qtbot: Any) -> Any:
    row = choose(dialog, KNEE)
    QTest.mouseClick(dialog.run_one, LEFT)
    assert not dialog.run_all.isEnabled()
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=120_000)
    return row


def test_a_test_is_run_judged_and_drawn(bench: Any, qtbot: Any) -> None:
    row = choose(bench, KNEE)
    assert (row.text(1), row.text(FOUND)) == ("49 CFR 572.35 (b); 572.36 (b)", "not run")
    assert not bench.save.isEnabled()
    assert not bench.curves.charts[0].isVisible()
    run_knee(bench, qtbot)
    (verdict,) = run_test(MAN, bench_tests(MAN)[KNEE]).verdicts
    assert (row.text(FOUND), row.text(MARGIN)) == ("passed", margin(verdict))
    row.setExpanded(True)
    figure = row.child(0)
    assert [figure.text(n) for n in (1, FOUND)] == ["4715 to 5783 N", value(verdict)]
    left = len(bench_tests(MAN)) - 1
    assert bench.words.text() == f"1 of 1 tests are passed. {left} were not run."
    drawn = [chart for chart in bench.curves.charts if chart.isVisible()]
    (chart,) = drawn
    box = chart.getPlotItem().vb
    qtbot.waitUntil(
        lambda: box.viewRange()[1][0] < 4715.0 < 5783.0 < box.viewRange()[1][1], timeout=20_000
    )
    # another test has no curves yet, another dummy was never on the bench
    choose(bench, 0)
    assert not chart.isVisible()
    bench.dummy.setCurrentIndex(1)
    assert bench.words.text() == "No test was run yet."
    bench.dummy.setCurrentIndex(0)
    assert bench.tree.topLevelItem(KNEE).text(FOUND) == "passed"


def test_a_soft_knee_is_told(bench: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def soft(test: BenchTest, body: Any) -> Project:
        return with_value(scene(test, body), "contact_laws/knee_skin/stiffness_n_per_mn", 1e6)

    monkeypatch.setattr("solver.studies.bench.running.scene", soft)
    row = run_knee(bench, qtbot)
    assert row.text(FOUND) == "not passed"
    assert row.text(MARGIN).startswith("-")
    assert row.foreground(FOUND).color().name() == bench._bench.theme.error
    assert bench.words.text().startswith("0 of 1 tests are passed.")


def test_all_run_one_after_the_other_and_are_stopped(
    bench: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[str]()
    knee = run_test(MAN, bench_tests(MAN)[KNEE])
    gone = threading.Event()

    def held(_: str, test: BenchTest, *, cancel: Callable[[], bool]) -> Any:
        seen.append(test.kind)
        if len(seen) < 3:
            middle = tuple(Verdict(a, a.low if a.low is not None else a.high) for a in test.asked)
            return replace(knee, test=test, verdicts=middle)
        while not cancel():
            time.sleep(0.005)
        gone.set()
        raise Cancelled

    monkeypatch.setattr("solver.studies.bench.running.run_test", held)
    QTest.mouseClick(bench.run_all, LEFT)
    qtbot.waitUntil(lambda: len(seen) == 3, timeout=20_000)
    assert bench.tree.topLevelItem(2).text(FOUND) == "runs …"
    assert bench.bar.value() == 2
    QTest.mouseClick(bench.stop, LEFT)
    assert not bench.is_busy
    assert gone.wait(60.0), "the thread has ended"
    until(lambda: not bench.testing.findChildren(Task))
    assert seen == [test.kind for test in bench_tests(MAN)[:3]]
    told = [bench.tree.topLevelItem(n).text(FOUND) for n in range(4)]
    assert told == ["passed", "passed", "not run", "not run"]
    assert bench.run_all.isEnabled()


def test_a_closed_bench_runs_nothing_and_remembers(bench: Any, window: Any, qtbot: Any) -> None:
    run_knee(bench, qtbot)
    QTest.mouseClick(bench.run_all, LEFT)
    QTest.keyClick(bench, Qt.Key.Key_Escape)
    feature = window.features["certify"]
    assert feature.dialog is None
    assert feature.testing.now is None
    again = feature.open()
    assert again.tree.topLevelItem(KNEE - 1).text(FOUND) == "not run"
    assert feature.open() is again
    again.close()


def test_a_scene_is_a_model_of_its_own(bench: Any, window: Any) -> None:
    choose(bench, KNEE)
    QTest.mouseClick(bench.scene, LEFT)
    document = window.bench.document
    assert document.project.title == "Hybrid III, 50th percentile man: knee impact"
    assert document.path is None
    assert window.bench.has_project()
    assert window.features["certify"].dialog is None
    assert not [one for one in document.problems_now() if one.severity == "error"]


def test_fits_open_as_studies_of_the_dummy(bench: Any, window: Any, qtbot: Any) -> None:
    QTest.mouseClick(bench.fits, LEFT)
    document = window.bench.document
    assert document.project.title == "Hybrid III, 50th percentile man"
    assert [one.id for one in document.project.studies] == ["neck", "head", "thorax", "knee"]
    assert window.bench.panels.is_front("studies")
    assert [one.path for one in document.problems_now() if one.severity != "note"] == ["runs"]
    # the scene of a test says how long it is solved, and is what is seen again
    document.edit("studies/knee/most_runs", 1, "End at once")
    studies = window.features["studies"]
    document.select("studies/knee")
    studies.run()
    qtbot.waitUntil(lambda: studies.going is None and "knee" in studies.seen, timeout=120_000)
    studies.see(0)
    runs = window.bench.run_view.runs
    qtbot.waitUntil(lambda: runs.current is not None, timeout=120_000)
    assert runs.current.project.title.endswith("knee impact")


def test_unsaved_work_stays_in_its_window(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver.project import validated

    document = window.bench.document
    document.adopt(validated(seated()))
    document.edit("title", "mine", "Change the title")
    adopted = list[Any]()

    class Another:
        document = type("", (), {"adopt": staticmethod(adopted.append)})
        say = staticmethod(lambda _: None)

    monkeypatch.setattr(window.bench, "another", Another)
    dialog = window.features["certify"].open()
    run_knee(dialog, qtbot)
    QTest.mouseClick(dialog.scene, LEFT)
    assert document.project.title == "mine"
    assert adopted[0].title.endswith("knee impact")


def test_a_certificate_names_what_was_not_run(
    bench: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_knee(bench, qtbot)
    answer = (str(tmp_path / "it"), "Certificate (*.html)")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: answer)
    QTest.mouseClick(bench.save, LEFT)
    file = tmp_path / "it.html"
    qtbot.waitUntil(lambda: bench.words.text() == "Saved it.html.", timeout=240_000)
    assert QApplication.activeModalWidget() is None
    page = file.read_text(encoding="utf-8")
    assert "1 of 1 tests are passed." in page
    assert (
        "Not run: Head drop, Neck flexion, Neck extension, Thorax impact, Slow thorax impact, Thorax pressed, Hip joint"
        in page
    )
