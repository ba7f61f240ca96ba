"""The window's longest halts: how long its thread works in one piece in the usual stories."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from app.memory import kept_for_good
from app.shell.window import MainWindow
from solver.base.places import samples

Say = Callable[[str, str, str], None]
_QUIET_S = 0.4
"""After so long nothing more is to come."""


def measure(window: MainWindow, say: Say) -> None:
    """Play the stories, and say the longest piece of each: in processor time, so that a busy machine does not count."""
    bench = window.bench
    run_view, document = bench.run_view, bench.document

    def run() -> None:
        run_view.run()

    def play() -> None:
        run_view.player.go(0.0)
        run_view.player.play()

    segment = document.project.segments[-1].id
    stories: list[tuple[str, Callable[[], object]]] = [
        ("open the default sample", lambda: window.open_file(samples() / "frontal.json")),
        ("select a segment", lambda: document.select(f"segments/{segment}")),
        (
            "change its mass",
            lambda: document.edit(f"segments/{segment}/mass_kg", 1.234, "Change mass"),
        ),
        ("undo", document.history.undo),
        ("begin a run, and follow it", run),
        ("play", play),
        ("open the plots", lambda: window.panels.open("plots")),
        ("open the injury figures", lambda: window.panels.open("injury")),
        ("open the what-if", lambda: window.panels.open("whatif")),
    ]
    document.history.setClean()
    with kept_for_good():
        # as the program does at its start
        pass
    for words, do in stories:
        say(f"longest halt: {words}", f"{1e3 * _longest(window, do):.0f} ms", "< 100 ms")
    run_view.player.pause()
    document.history.setClean()


def _longest(window: MainWindow, do: Callable[[], object]) -> float:
    """Do something, let the window follow until it is quiet, and give its longest piece of work (s)."""
    began = time.thread_time()
    do()
    longest = time.thread_time() - began
    run_view, quiet = window.bench.run_view, time.monotonic()
    while time.monotonic() - quiet < _QUIET_S:
        began = time.thread_time()
        # one event that waits, and what it posts, not all that come meanwhile
        QApplication.processEvents()
        took = time.thread_time() - began
        longest = max(longest, took)
        if run_view.runs.running() is not None or (took > 2e-3 and not run_view.player.is_playing):
            quiet = time.monotonic()
        time.sleep(0.002)
    return longest
