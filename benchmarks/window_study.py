"""The window at its runs: live curves, opening large results, scrubbing, the answer to a slider."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from PySide6.QtCore import QEventLoop, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.run_view.solving import Solving
from app.shell.window import MainWindow
from solver.base.places import samples
from solver.project import Project, load_project
from solver.results import save_run

Say = Callable[[str, str, str], None]
_PAIRS = 8
_LARGE = 20e6
"""Bytes of a results file that is called large."""
_SLIDER = "airbags/driver_bag/trigger/time_s"


def measure(window: MainWindow, say: Say) -> None:
    """Measure all with the default sample."""
    _live(window, say)
    _large_results(window, say)
    window.open_file(samples() / "frontal.json")
    _run(window)
    _rest()
    _scrub(window, say)
    _answer(window, say)
    window.bench.document.history.setClean()


def _live(window: MainWindow, say: Say) -> None:
    """Solve with the plots in view and alone, in turns, and compare."""
    project = _longer(0.6)
    window.bench.document.adopt(project)
    window.panels.open("plots")
    screen = window.bench.viewport.picture
    assert screen is not None
    more, pace = [], []
    for turn in range(_PAIRS + 1):
        # which of the two comes first changes: machines grow slower, and faster
        alone = _alone(project) if turn % 2 else 0.0
        drawn = screen.drawn
        beside = _run(window)
        pace.append((screen.drawn - drawn) / beside)
        _rest()
        alone = alone or _alone(project)
        if turn:
            more.append(beside / alone - 1.0)
    say(
        f"what a run takes longer drawn live, {median(pace):.0f} times a second",
        f"{100.0 * median(more):.0f} %",
        "≤ 10 %",
    )


def _alone(project: Project) -> float:
    """Solve without anything else; gives the time that it took (s)."""
    solving = Solving(project)
    solving.start()
    solving.wait()
    return solving.wall_s


def _large_results(window: MainWindow, say: Say) -> None:
    """Open a results file, and see its scene, curves and figures."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.h5"
        solving = Solving(_longer(0.6))
        solving.start()
        solving.wait()
        assert solving.trajectory is not None
        save_run(solving.trajectory, file, "benchmark")
        size = file.stat().st_size
        assert size >= _LARGE, "the file is smaller than what it is called"
        window.bench.document.history.setClean()
        window.panels.open("plots")
        began = time.perf_counter()
        window.open_file(file)
        window.repaint()
        spent = time.perf_counter() - began
        say(f"opening a results file of {1e-6 * size:.0f} MB", f"{spent:.2f} s", "< 1 s")
        for record in window.bench.run_view.runs.records:
            record.close()
        window.bench.run_view.runs.clear()


def _scrub(window: MainWindow, say: Say) -> None:
    """Draw the knob of the timeline with the mouse, scene and curves in view."""
    bar, run_view = window.panels["timeline"].bar, window.bench.run_view
    run_view.player.pause()
    window.panels.open("plots")
    places = [bar.x_of(run_view.player.end * (0.2 + 0.005 * n)) for n in range(120)]
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPointF(places[0], 12.0).toPoint())
    spent = []
    for x in places[1:]:
        began = time.perf_counter()
        QTest.mouseMove(bar, QPointF(x, 12.0).toPoint())
        QApplication.processEvents()
        window.repaint()
        spent.append(time.perf_counter() - began)
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton)
    say("scrubbing, from the mouse to scene and curves", f"{1e3 * median(spent):.0f} ms", "< 50 ms")


def _answer(window: MainWindow, say: Say) -> None:
    """Set a slider, and wait until curves and figures are those of the changed model."""
    run_view, document = window.bench.run_view, window.bench.document
    window.panels["whatif"].pin(_SLIDER)
    window.panels.open("whatif")
    spent = []
    for turn in range(6):
        loop = QEventLoop()
        run_view.runs.shown.connect(loop.quit)
        began = time.perf_counter()
        window.panels["whatif"].set_value(_SLIDER, 0.012 + 0.001 * (turn + 1))
        document.end_gesture()
        loop.exec()
        window.repaint()
        if turn:
            spent.append(time.perf_counter() - began)
        run_view.runs.shown.disconnect(loop.quit)
    say("from a slider to its answer, figures and ghost", f"{median(spent):.2f} s", "≤ 0.4 s")


def _run(window: MainWindow) -> float:
    """Run the model in the window; gives the time that it took (s)."""
    run_view, loop = window.bench.run_view, QEventLoop()
    run_view.runs.ended.connect(loop.quit)
    run_view.run()
    record = run_view.runs.records[-1]
    loop.exec()
    run_view.runs.ended.disconnect(loop.quit)
    run_view.player.pause()
    return record.effort.wall_s


def _rest() -> None:
    """Let the window finish what a run has left to draw."""
    loop = QEventLoop()
    QTimer.singleShot(500, loop.quit)
    loop.exec()


def _longer(duration_s: float) -> Project:
    project = load_project(samples() / "frontal.json")
    run = project.runs[0].model_copy(update={"duration_s": duration_s})
    return project.model_copy(update={"runs": (run,)})
