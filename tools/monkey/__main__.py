"""Use the window at random for a while: `python -m tools.monkey --minutes 10 --seed 7`.

The mouse clicks, drags and turns the wheel where things are, keys are pressed, actions are chosen,
projects opened, solved and changed. Told at the end: whatever was raised anywhere, and how the
memory went. The same seed gives the same choices; what comes of them also depends on when threads end.
"""

from __future__ import annotations

import argparse
import os
import secrets
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from solver.base.places import samples
from tools.display import open_display
from tools.monkey.diary import GROWTH, Diary, hold_within
from tools.monkey.hands import Monkey

_MOST_BYTES = 4 * 2**30
"""Runs that need more are refused, and all else gets an exception, which tells where it was."""


def play(seed: int, folder: Path, goes_on: Callable[[int], bool]) -> Diary:
    """Use a program of its own in a folder: what it remembers and what it writes lies there."""
    from PySide6.QtWidgets import QApplication

    from app.application import Application
    from app.jobs.rubbish import RubbishHere
    from app.memory import hold_little
    from app.settings import Settings

    hold_little()
    qt = QApplication.instance() or QApplication(["manikin"])
    assert isinstance(qt, QApplication)
    qt.setQuitOnLastWindowClosed(False)
    qt.setStyle("Fusion")
    for file in sorted(samples().glob("*.json")):
        (folder / file.name).write_bytes(file.read_bytes())
    application = Application(Settings(folder / "home"))
    rubbish = RubbishHere()
    try:
        return Monkey(application, seed, folder).use(goes_on)
    finally:
        rubbish.close()


def main() -> int:
    """Play for some minutes; tells what was raised and how the memory grew, 1 where either is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.monkey", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--actions", type=int, help="how many, however long they take")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(100_000))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    hold_within(_MOST_BYTES)
    end_display = open_display()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MANIKIN_HOME"] = str(Path(folder) / "home")
        end = time.perf_counter() + 60.0 * given.minutes
        diary = play(
            given.seed,
            Path(folder),
            lambda n: n < given.actions if given.actions else time.perf_counter() < end,
        )
    end_display()
    for t, mb in diary.memory[:: max(1, len(diary.memory) // 20)]:
        print(f"{t:7.0f} s {mb:7.0f} MB")
    for text in (*diary.raised, *(f"still held: {name}" for name in diary.left)):
        print(text)
    growth = diary.growth()
    print(f"{len(diary.done)} actions, {len(diary.raised)} exceptions, growth {100 * growth:.0f} %")
    return int(bool(diary.raised) or bool(diary.left) or growth > GROWTH)


if __name__ == "__main__":
    raise SystemExit(main())
