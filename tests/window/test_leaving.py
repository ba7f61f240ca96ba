"""Who asks the window to end from outside, by TERM or HUP, loses nothing: it says so at the next start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import manikin as mk
from app.features.files.leftovers import Leftovers
from app.recovery import left_behind
from app.run_view.run_store import RunStore
from solver.project.changes import value_at
from solver.running.restart import Restart
from solver.running.simulation import Simulation

PROGRAM = """
import signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
import app.shell.opening as opening
from app.front_door import main

file, number, edits = sys.argv[1], getattr(signal, sys.argv[2]), sys.argv[3] == "edited"
stages = []
signal.signal(number, signal.SIG_DFL)

def look(window):
    bench = window.bench
    record = bench.run_view.runs.running()
    if not stages and bench.document.has_project:
        stages.append("open")
        if edits:
            bench.document.edit("segments/lower/mass_kg", 2.5, "mass")
        bench.run_view.run()
    elif len(stages) == 1 and record is not None and record.is_solving:
        found = record.trajectory
        if found is not None and len(found.time) > 20:
            stages.append("asked")
            signal.raise_signal(number)
            signal.raise_signal(number)

make = opening.new_window

def made(studio):
    window = make(studio)
    window.timer = QTimer(window, interval=1)
    window.timer.timeout.connect(lambda: look(window))
    window.timer.start()
    return window

opening.new_window = made
code = main([file])
print(code, signal.getsignal(number) is signal.SIG_DFL, signal.set_wakeup_fd(-1))
sys.exit(code)
"""
"""Opens a project in a window, runs it, and asks itself to end while the run goes on."""


class Bench:
    """Stand for a window that has just been opened: its notice keeps what is said."""

    def __init__(self) -> None:
        self.notice, self.said = self, list[str]()

    def say(self, words: str, *_: Any, **__: Any) -> None:
        """Take a sentence."""
        self.said.append(words)


@pytest.mark.skipif(os.name == "nt", reason="signals of other systems")
@pytest.mark.parametrize(
    ("name", "code", "how", "words"),
    [
        ("SIGTERM", 143, "edited", "(SIGTERM) without saving model.json"),
        ("SIGHUP", 129, "saved", "(SIGHUP) while Run 1 of model.json went on"),
    ],
)
def test_a_window_that_is_asked_to_end_keeps_work_and_run(
    tmp_path: Path, qapp: Any, name: str, code: int, how: str, words: str
) -> None:
    file = tmp_path / "model.json"
    mk.sample("double_pendulum").until(900.0).save(file)
    before = file.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(file), name, how], capture_output=True, text=True, check=False,
        timeout=400, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert done.stdout.split() == [str(code), "True", "-1"]
    assert file.read_bytes() == before
    (left,) = left_behind()
    assert (left.signal, left.run, left.is_saved) == (name, "Run 1", how == "saved")
    bench: Any = Bench()
    Leftovers(bench, lambda: bench).offer()
    assert words in bench.said[0]
    mass = value_at(left.project(), "segments/lower/mass_kg")
    assert (mass == 2.5) == (how == "edited")
    (record,) = RunStore(file).records()
    found = record.trajectory
    assert found is not None
    assert found.status == "cancelled"
    assert found.message == f"It was ended from outside (signal {name})."
    # and it can go on
    state = Restart(found).checked(record.project, Simulation(record.project).run)
    assert 0.0 < state.time < 900.0
    record.close()
