"""The window, under a virtual display with software rendering: start, edit, orbit, playback.

Run as a program it prints one row a line; `table` runs it in an environment with a display.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.history import note
from benchmarks.house import four_sleds
from benchmarks.timing import median_time
from solver.base.places import samples
from solver.project import load_project, save_project

SIZE = (1280, 800)
ANSWER = "from a slider to its answer"
"""How the row begins that says how long a change takes."""
Row = tuple[str, str, str]


def table() -> str:
    """The table of this part."""
    from tools.display import open_display

    lines = [
        "## The window",
        "",
        f"{SIZE[0]} by {SIZE[1]} pixels, software rendering on the processor, virtual display.",
        "",
        "| what | measured | asked |",
        "|---|---|---|",
    ]
    try:
        # one of its own, also within another one: all are measured on the same
        end_display = open_display(always=True)
    except OSError as why:
        return f"## The window\n\nNot measured: {why}.\n"
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.window"],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        end_display()
    rows: list[Row] = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "["]
    lines += [f"| {what} | {value} | {asked} |" for what, value, asked in rows]
    for what, value, _ in rows:
        if what.startswith(ANSWER):
            note("slider", value)
    if done.returncode:
        lines += [
            "",
            f"Not measured to its end: the window ended with {done.returncode}; why stands above.",
        ]
    return "\n".join([*lines, ""])


def main() -> int:
    """Measure and print."""
    from app.quick_qt import load_qt

    load_qt()
    from PySide6.QtWidgets import QApplication

    from app.memory import kept_for_good

    begun = time.perf_counter()
    # as the program does
    with kept_for_good():
        from app.shell.window import MainWindow

    # what windows remember is not what people have kept
    folder = tempfile.TemporaryDirectory()
    os.environ["MANIKIN_HOME"] = folder.name
    application = QApplication(["manikin"])
    application.setStyle("Fusion")
    window = MainWindow()
    window.resize(*SIZE)
    window.show()
    window.open_file(samples() / "frontal.json")
    window.bench.viewport.grab()
    _print("from the import to the default sample, seen", time.perf_counter() - begun, "< 2.5 s")
    for _ in range(20):
        application.processEvents()
        time.sleep(0.02)
    _orbit("orbiting the default sample", window.bench.viewport)
    _orbit_large(application)
    _playback(application, window)
    window.bench.document.history.setClean()
    _editing(application, window)
    window.bench.document.history.setClean()
    from benchmarks import window_halts, window_study

    window_study.measure(window, _say)
    window_halts.measure(window, _say)
    window.close()
    return 0


def _orbit(what: str, view: object) -> None:
    from app.scene.viewport import Viewport

    assert isinstance(view, Viewport)

    def turn() -> None:
        view.camera().orbit(3.0, 0.0)
        view._refresh_quickly()
        view.grab()

    each = median_time(turn, 60)
    assert view.picture is not None
    coarse = view.picture.coarseness
    words = what if coarse == 1.0 else f"{what}, drawn in 1/{coarse:.1f} of its width and height"
    _print(words, each, "≥ 45 frames/s", frames=True)


def _orbit_large(application: object) -> None:
    """Turn the default sample in a scene that fills the whole window."""
    from PySide6.QtWidgets import QApplication

    from app.scene.viewport import Viewport

    assert isinstance(application, QApplication)
    view = Viewport()
    view.resize(*SIZE)
    view.show()
    view.show_project(load_project(samples() / "frontal.json"))
    view.grab()
    application.processEvents()
    _orbit("- in a scene as large as the window", view)
    view.close_graphics()
    view.close()


def _playback(application: object, window: object) -> None:
    from PySide6.QtWidgets import QApplication

    from app.run_view.overlays import Overlays
    from app.shell.window import MainWindow

    assert isinstance(window, MainWindow)
    assert isinstance(application, QApplication)
    run_view = window.bench.run_view
    run_view.run()
    while run_view.runs.running() is not None:
        application.processEvents()
        time.sleep(0.01)
    run_view.player.pause()
    replay, stage = run_view.replay, window.bench.viewport._stage
    assert replay is not None
    times = [run_view.player.end * n / 120 for n in range(120)]
    for t in times:
        replay.show(stage, t)
    left = iter(times * 2)
    _print(
        "setting a frame, without drawing",
        median_time(lambda: replay.show(stage, next(left)), 120),
        "< 1 ms",
    )
    playback = run_view.playback
    assert playback is not None
    run_view.set_overlays(Overlays(forces=True, loads=True, start=True))
    run_view.toggle_trail(replay.motion.names[0])
    beside = iter(times * 2)
    playback.show(stage, 0.0)
    _print(
        "- with forces, belt loads, the start as a ghost and a trail",
        median_time(lambda: playback.show(stage, next(beside)), 120),
        "< 1 ms",
    )
    run_view.set_overlays(Overlays())
    run_view.toggle_trail(replay.motion.names[0])
    _played(application, window)


def _played(application: object, window: object) -> None:
    """Let the player itself run, a twentieth as fast as life, and count what is drawn meanwhile."""
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from app.scene.visibility import Visibility
    from app.shell.window import MainWindow

    assert isinstance(window, MainWindow)
    assert isinstance(application, QApplication)
    player, view = window.bench.run_view.player, window.bench.viewport
    screen, stage = view.picture, view._stage
    assert screen is not None
    assert stage is not None

    def play(what: str, asked: float) -> None:
        player.go(0.0)
        application.processEvents()
        drawn, worked, began = screen.drawn, time.thread_time(), time.perf_counter()
        player.play()
        # as in the program itself: to look again and again for events would take its own time
        loop = QEventLoop()
        QTimer.singleShot(round(1e3 * player.end / player.speed), loop.quit)
        loop.exec()
        pictures = screen.drawn - drawn
        worked, took = time.thread_time() - worked, time.perf_counter() - began
        player.pause()
        _print(what, took / pictures, f"≥ {asked:.0f} frames/s", frames=True)
        _say("- the window's own thread works", f"{1e3 * worked / pictures:.1f} ms a picture", f"< {1e3 / asked:.0f} ms")  # fmt: skip

    def hold() -> None:
        held, whole = time.perf_counter(), 0.0
        while not screen.is_fine:
            application.processEvents()
            if screen.is_whole and not whole:
                whole = time.perf_counter() - held
        _print("- held, it has all its pixels after", whole, "< 200 ms")
        _print("- and is smooth after", time.perf_counter() - held, "")

    replay = window.bench.run_view.replay
    assert replay is not None
    # with belts as they come, not as they were kept
    replay._forms.clear()
    play("playing the default sample for the first time, at once", 45.0)
    replay._forms.clear()
    while replay.lay_ahead(stage, 0.0):
        pass
    play("- after some seconds of rest, which laid its belts ahead", 45.0)
    play(
        f"playing it again, drawn in 1/{screen.coarseness:.1f} of its width and height",
        45.0,
    )
    hold()
    shown = stage.visibility
    stage.visibility = Visibility(people="shapes")
    stage.show_again()
    play("playing it with the engine's shapes in place of skins and things", 60.0)
    stage.visibility = shown
    stage.show_again()


def _editing(application: object, window: object) -> None:
    from PySide6.QtWidgets import QApplication

    from app.shell.window import MainWindow

    assert isinstance(window, MainWindow)
    assert isinstance(application, QApplication)
    project = four_sleds()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "four.json"
        save_project(project, file)
        window.open_file(file)
    ids = [segment.id for segment in project.segments[1:40]]
    count = iter(range(10_000))

    def select() -> None:
        window.bench.document.select(f"segments/{ids[next(count) % len(ids)]}")
        window.repaint()

    def edit() -> None:
        n = next(count)
        window.bench.document.edit(
            f"segments/{ids[n % len(ids)]}/mass_kg", 5.0 + 0.001 * n, "Change mass"
        )
        window.repaint()

    application.processEvents()
    words = f"in a model of {len(project.segments)} segments"
    _print(f"selecting {words}", median_time(select, 20), "< 50 ms")
    _print(f"editing {words}", median_time(edit, 20), "< 50 ms")


def _print(what: str, seconds: float, asked: str, frames: bool = False) -> None:
    if frames:
        value = f"{1.0 / seconds:.0f} frames/s"
    else:
        value = f"{seconds:.2f} s" if seconds >= 1.0 else f"{1e3 * seconds:.1f} ms"
    _say(what, value, asked)


def _say(what: str, value: str, asked: str) -> None:
    print(json.dumps([what, value, asked], ensure_ascii=False), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
