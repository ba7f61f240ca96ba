"""While a run goes on: it is followed, held, cancelled and never harmed."""

from __future__ import annotations

import math
import threading
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox

from app.curves.curves import Curve, Wanted
from app.features.runs.run_control import pace
from app.run_view.runs import Runs
from app.run_view.solving import Solving
from solver.base.places import samples
from solver.project import Project, load_project
from tests.window.solving import CATCH, solved
from tests.window.waiting import turns

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def test_a_run_can_be_held_and_cancelled() -> None:
    project = load_project(CATCH)
    run = project.runs[0].model_copy(update={"duration_s": 60.0})
    solving = Solving(project.model_copy(update={"runs": (run,)}))
    solving.start()
    begun = threading.Event()
    while not begun.wait(0.01):
        if solving.fraction > 0.0 or not solving.is_running:
            begun.set()
    solving.pause()
    assert solving.is_paused
    solving.cancel()
    assert solving.wait(60.0)
    assert solving.status == "cancelled"
    assert solving.trajectory is not None
    assert solving.trajectory.status == "cancelled"


def test_a_run_says_how_long_it_takes_and_that_it_hardly_goes_on() -> None:
    """The pace is that of the last seconds: what was quick before does not count."""
    solving = Solving(load_project(CATCH))
    assert solving.left_s is None
    solving._progress(0.0)
    solving._spent = 1.0
    solving._progress(0.1)
    assert solving.left_s is None, "too soon"
    for n in range(2, 6):
        solving._spent = float(n)
        solving._progress(0.1 * n)
    assert solving.left_s == pytest.approx(5.0)
    assert pace(solving.left_s, 100.0, 200.0) == ("100 of 200 ms, 5 s left", "")
    for n in range(6, 30):
        solving._spent = float(n)
        solving._progress(0.5 + 1e-9 * n)
    words, tip = pace(solving.left_s, 100.0, 200.0)
    assert words == "100.00 ms: hardly goes on"
    assert "Cancel" in tip
    solving._spent = 60.0
    for _ in range(40):
        solving._spent += 1.0
        solving._progress(solving.fraction)
    assert solving.left_s == math.inf


@pytest.mark.own_window
def test_everything_may_be_pressed_while_a_run_goes_on(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No action breaks the window or the run, whatever order they come in."""
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_, **__: ("", ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: QMessageBox.StandardButton.Cancel)
    failures: list[BaseException] = []
    monkeypatch.setattr(
        window.application, "tell_failure", lambda kind, why, trace: failures.append(why)
    )
    project = load_project(CATCH)
    run = project.runs[0].model_copy(
        update={"duration_s": 2000.0, "channel_rate_hz": 500.0, "frame_interval_s": 0.01}
    )
    window.bench.document.adopt(project.model_copy(update={"runs": (run,)}))
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.replay is not None, timeout=120_000)
    going = window.bench.run_view.runs.running()
    leaves = {"file.quit", "file.close", "run.cancel", "file.window", "file.samples", "file.crash"}
    # all that is inserted goes the same way in: some are enough
    inserts = [id_ for id_ in window.menus.entries if id_.startswith("insert.")]
    leaves |= set(inserts) - set(inserts[::8])
    assert len(inserts) > 40
    for id_, entry in window.menus.entries.items():
        # a tour opens its sample in a window of its own
        if id_ in leaves or id_.startswith(("file.new", "help.tour_")) or not entry.isEnabled():
            continue
        entry.trigger()
        turns(1)
        for dialog in window.findChildren(QDialog):
            dialog.close()
    assert going.status == "running"
    window.bench.run_view.cancel()
    qtbot.waitUntil(lambda: going.status == "cancelled", timeout=30_000)
    assert failures == []


def test_a_window_that_is_slow_to_show_a_run_is_told_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, spent, told = 0.0, 0.0, []
    monkeypatch.setattr("app.run_view.runs.time.perf_counter", lambda: 10.0 + now)
    monkeypatch.setattr("app.run_view.runs.time.thread_time", lambda: spent)
    runs = Runs()
    for dear in (0.0, 0.012):
        told = []
        for n in range(100):
            now += 0.01
            if runs._may_tell():
                told.append(n)
                spent += dear
        each = np.diff(told)
        usual = 4 if dear == 0.0 else 20
        assert np.all(np.abs(each - usual) <= 1), "a tell of 12 ms comes every 200 ms"
        assert len(each) > 2


def test_the_scene_follows_a_run_that_goes_on(window: Any, qtbot: Any) -> None:
    """However long the window was busy with other things before."""
    window.open_file(samples() / "frontal.json")
    project = window.bench.document.project
    longer = project.runs[0].model_copy(update={"duration_s": 0.25})
    window.bench.document.replace(project.model_copy(update={"runs": (longer,)}), "Run for longer")
    run_view, seen, pictures = window.bench.run_view, [], []
    run_view.runs._spent -= 30.0
    run_view.shown.connect(lambda t: run_view.runs.running() is not None and seen.append(t))
    run_view.run()

    def ends() -> bool:
        if run_view.runs.running() is not None:
            pictures.append((window.bench.viewport.picture.is_fine, len(seen)))
            return False
        return True

    qtbot.waitUntil(ends, timeout=240_000)
    ahead = sorted({round(t, 4) for t in seen if t > 0.0})
    assert len(ahead) > 1, "the scene stood still"
    # at its end a run reckons its figures, and nothing moves
    moving = [fine for fine, n in pictures if 0 < n < len(seen)]
    assert not any(moving), "fine pictures are left until the end"
    run_view.player.pause()
    qtbot.waitUntil(lambda: window.bench.viewport.picture.is_fine, timeout=20_000)


def test_axes_of_curves_that_grow_stand_still(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    window.panels.open("plots")
    plot = window.panels["plots"].plots[0]
    box = plot.view.getPlotItem().vb
    time = np.linspace(0.0, 50.0, 200)
    ranges = []
    for n in (60, 70, 200):
        grown = Curve(Wanted("a"), "a", "N", time[:n], np.sin(0.3 * time[:n]))
        plot.show_curves([grown], until_ms=100.0)
        ranges.append([list(side) for side in box.viewRange()])
    assert ranges[0] == ranges[1] == ranges[2]
    assert ranges[0][0][1] >= 100.0
    box.setRange(xRange=(10.0, 20.0), yRange=(-0.1, 0.1))
    box.sigRangeChangedManually.emit([True, True])
    plot.show_curves([grown], until_ms=100.0)
    assert box.viewRange()[1][1] < 0.5, "a range that was chosen by hand while it grows stays"
    box.enableAutoRange()
    plot.show_curves([grown])
    # the range follows when the plot is drawn next, and its widget may not have been on the screen yet
    qtbot.waitUntil(lambda: box.viewRange()[0][1] < 60.0, timeout=20_000)
    box.setXRange(10.0, 20.0)
    box.sigRangeChangedManually.emit([True, True])
    plot.show_curves([grown], until_ms=100.0)
    assert box.viewRange()[0][1] < 30.0, "a range that was chosen by hand stays"


def test_live_solves_again_after_a_change(window: Any, qtbot: Any) -> None:
    first = solved(window, qtbot)
    window.menus.run("run.model")
    window.panels["run_control"].live.setChecked(True)
    assert window.bench.run_view.ghost is first
    for mass in (5.0, 6.0, 7.0):
        window.bench.document.edit("segments/head/mass_kg", mass, "Change the mass")
    run_view = window.bench.run_view
    qtbot.waitUntil(
        lambda: (
            run_view.runs.current is not first and not run_view.is_outdated(run_view.runs.current)
        ),
        timeout=240_000,
    )
    assert not run_view.is_on, "the model stays in the scene while it is changed"
    assert [r.name for r in run_view.runs.records] == ["Run 1", "Live"]
    window.panels.open("plots")
    plot = window.panels["plots"].plots[0]
    qtbot.waitUntil(lambda: len(plot._lines) == 2 * len(plot.curves) > 0, timeout=20_000)
    window.panels["run_control"].live.setChecked(False)
    assert run_view.ghost is None


def test_an_answer_that_is_given_up_leaves_the_plots(window: Any, qtbot: Any) -> None:
    """Half a curve of a run that nobody will see is no answer: the run before stands there again."""
    first = solved(window, qtbot)
    window.panels.open("plots")
    run_view, document = window.bench.run_view, window.bench.document
    plot, live = window.panels["plots"].plots[0], window.panels["run_control"].live
    qtbot.waitUntil(lambda: bool(plot.curves), timeout=20_000)
    end = plot.curves[0].end_s
    live.setChecked(True)
    for seconds, give_up in ((50.0, run_view.cancel), (60.0, lambda: live.setChecked(False))):
        longer = document.project.runs[0].model_copy(update={"duration_s": seconds})
        document.replace(document.project.model_copy(update={"runs": (longer,)}), "Longer")
        qtbot.waitUntil(lambda: plot._grows, timeout=240_000)
        give_up()
        qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
        assert run_view.coming is None
        assert run_view.runs.current is first
        assert not plot._grows
        assert plot.curves[0].end_s == pytest.approx(end)
    assert run_view.runs.records == [first]


def test_compiling_is_no_part_of_what_a_run_took() -> None:
    solving = Solving(Project())
    solving.compiling, solving.stage = (3, 20), "solving"
    solving._since = time.perf_counter() - 500.0
    solving._progress(0.001)
    assert solving.wall_s < 100.0
    solving._since -= 200.0
    solving._progress(0.5)
    assert solving.wall_s > 200.0, "what comes after the first steps is the run's own"


def test_the_bar_says_which_part_of_the_solver_is_compiled(window: Any) -> None:
    solving = Solving(Project())
    solving.stage = "solving"
    control = window.panels["run_control"]
    record: Any = SimpleNamespace(solving=solving, duration_s=0.1)
    solving._compiled(3, 25)
    control._show_progress(record)
    assert control.progress.format() == "Compiling the solver: part 4 of 25"
    solving._compiled(25, 25)
    control._show_progress(record)
    assert control.progress.format() == "Compiling the solver: part 25 of 25"
    solving._progress(0.5)
    control._show_progress(record)
    assert control.progress.format() == "50 of 100 ms"
