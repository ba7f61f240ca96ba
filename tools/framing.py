"""Look whether head, hands and feet are in the picture of every run: `python -m tools.framing [--show FOLDER] [FILE …]`.

Opens all samples with runs, or files of results, in a window of 1280 × 800, and says at five instants what of
people lies outside of the picture, under what is written over it, or behind something.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.places import samples
from solver.engine.maths.rotation import Array
from tools.display import open_display

PARTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Instants that are looked at, as parts of a run."""
MOST_HIDDEN = 0.5
"""A head is hidden where more than this part of what is seen of it lies behind something."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an end of somebody at an instant (s)."""

    run: str
    at_s: float
    end: str
    what: str
    by: str = ""


def faults(window: Any, name: str) -> Iterator[Fault]:
    """Look at the run that a window shows."""
    from solver.injury.parts import ends

    run_view = window.bench.run_view
    project = run_view.runs.current.project
    for part in PARTS:
        t = part * run_view.own_end()
        run_view.go(t)
        settle(window)
        view = window.bench.viewport
        # the fine picture of an instant looks what stands before people, however busy the machine is
        view.settle()
        covered = view.covered()
        for number, person in enumerate(ends(project), 1):
            for end, segment in person.items():
                places = outermost(project, view.stage.pose, segment)
                called = f"{end} {number}" if len(ends(project)) > 1 else end
                seen = view.lens.pixels(places)
                room = np.array([view.width(), view.height()], dtype=float)
                if np.any(seen < 0.0) or np.any(seen > room):
                    yield Fault(name, t, called, "outside")
                for what, box in covered.items():
                    inside = (seen > (box.left(), box.top())) & (seen < (box.right(), box.bottom()))
                    if np.any(inside.all(axis=1)):
                        yield Fault(name, t, called, "under", what)
                if end == "head":
                    by = hidden_by(view, places)
                    if by:
                        yield Fault(name, t, called, "hidden", by)


def filled(window: Any) -> float:
    """How much of the height or width of the picture people fill over the run, the larger of both."""
    from solver.injury.parts import bodies

    run_view, view = window.bench.run_view, window.bench.viewport
    replay, places = run_view.replay, []
    project = run_view.runs.current.project
    for part in PARTS:
        t = part * run_view.own_end()
        pose = replay.motion.pose(t)
        seen = replay._seen(pose, replay.carried(t, pose))
        places += [outermost(project, seen, one) for body in bodies(project) for one in body]
    if not places:
        return 0.0
    seen_px = view.lens.pixels(np.vstack(places))
    size = np.ptp(seen_px, axis=0) / (view.width(), view.height())
    return float(size.max())


def outermost(project: Any, pose: Any, segment: str) -> Array:
    """The outermost places of a segment's shapes along their axes, in ground axes (n, 3)."""
    from app.run_view.replay import _ends

    found = next(one for one in project.segments if one.id == segment)
    at = pose[segment]
    places: Array = _ends(found) @ at.R_WS.T + at.p_W
    return places


def hidden_by(view: Any, places: Array) -> str:
    """Name what hides most of a head from the eye; empty where it is seen."""
    stage, lens = view.stage, view.lens
    middle = places.mean(axis=0)
    radius = 0.5 * float(np.ptp(places, axis=0).min())
    right, upright, towards = lens.camera.axes()
    spread = [(0.0, 0.0), (0.6, 0.0), (-0.6, 0.0), (0.0, 0.6), (0.0, -0.6)]
    found: Counter[str] = Counter()
    for a, b in spread:
        place = middle + radius * (a * right + b * upright + 0.8 * towards)
        for one in stage.covers(place):
            found[one] += 1
    most = found.most_common(1)
    return most[0][0] if most and most[0][1] > MOST_HIDDEN * len(spread) else ""


def settle(window: Any, wait_s: float = 0.0) -> None:
    """Let a window draw what it shows."""
    from PySide6.QtWidgets import QApplication

    until = time.monotonic() + wait_s
    while True:
        QApplication.processEvents()
        if time.monotonic() >= until:
            break
    window.bench.viewport.grab()


def opened() -> Any:
    """Open a window of 1280 × 800 that remembers nothing."""
    from PySide6.QtCore import Qt

    from app.application import Application
    from app.settings import Settings
    from app.shell.window import MainWindow

    window = MainWindow(Application(Settings(Path(os.environ["MANIKIN_HOME"]))))
    window.application.set_scheme(Qt.ColorScheme.Light)
    window.resize(1280, 800)
    window.show()
    return window


def show(window: Any, file: Path) -> None:
    """Open a file and wait until its run is in the scene."""
    run_view = window.bench.run_view
    window.open_file(file)
    until = time.monotonic() + 60.0
    while not (
        (run_view.is_on and window.bench.document.path == file)
        or (run_view.is_on and file.suffix == ".h5")
    ):
        settle(window, 0.02)
        if time.monotonic() > until:
            raise TimeoutError(file)
    settle(window, 0.3)


def look(
    window: Any, files: list[Path], folder: Path | None, say: Callable[[str], None]
) -> list[Fault]:
    """Look at all files; a row for each, and pictures into a folder."""
    found: list[Fault] = []
    for file in files:
        show(window, file)
        own = list(faults(window, file.stem))
        found += own
        camera = window.bench.viewport.stage.camera
        words = ", ".join(sorted({" ".join(filter(None, (f.end, f.what, f.by))) for f in own}))
        say(
            f"{file.stem:20} {np.degrees(camera.azimuth):6.0f}° {np.degrees(camera.elevation):4.0f}° {camera.distance:6.2f} m {100.0 * filled(window):4.0f} %  {len(own):3d}  {words[:150]}"
        )
        if folder is not None:
            shoot(window, file.stem, folder)
    return found


def shoot(window: Any, name: str, folder: Path) -> None:
    """Write a sheet of the five instants."""
    from PySide6.QtGui import QImage, QPainter

    run_view, view = window.bench.run_view, window.bench.viewport
    width, height = view.width() // 2, view.height() // 2
    sheet = QImage(width * len(PARTS), height, QImage.Format.Format_RGB32)
    with QPainter(sheet) as painter:
        for n, part in enumerate(PARTS):
            run_view.go(part * run_view.own_end())
            settle(window, 0.25)
            painter.drawPixmap(n * width, 0, width, height, view.grab())
    folder.mkdir(parents=True, exist_ok=True)
    sheet.save(str(folder / f"{name}.png"))


def main() -> int:
    """Say what is wrong, and end with 1 where anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "files", nargs="*", type=Path, help="results files or samples (default: all samples)"
    )
    parser.add_argument("--show", type=Path, help="folder for a sheet of pictures of each run")
    arguments = parser.parse_args()
    files = arguments.files or sorted(samples().glob("*.json"))
    end = open_display(always=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ["MANIKIN_HOME"] = home
        from PySide6.QtWidgets import QApplication

        program = QApplication(["manikin"])
        program.setStyle("Fusion")
        found = look(opened(), files, arguments.show, lambda line: print(line, flush=True))
        bad = {
            what: len({f.run for f in found if f.what == what})
            for what in ("outside", "under", "hidden")
        }
        clean = len(files) - len({f.run for f in found})
        print(f"{clean} of {len(files)} runs without a fault; {bad}")
        sys.stdout.flush()
        end()
        os._exit(1 if found else 0)


if __name__ == "__main__":
    sys.exit(main())
