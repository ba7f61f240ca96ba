"""What makes the start quick: tiles are read without checking, and what stays is not looked through again."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

from app.features.files.gallery import _read, first_sentence, shipped_samples
from app.memory import kept_for_good
from solver.places import samples
from solver.project import load_project

_SLOW = ("scipy.interpolate", "scipy.optimize", "scipy.signal", "scipy.spatial", "pandas", "numba")
"""What the first window has no use for, and takes a tenth of a second or more: Numba half of one."""


def test_tiles_say_what_the_checked_projects_say(tmp_path: Path) -> None:
    tiles = {tile.file.stem: tile for tile in shipped_samples()}
    assert len(tiles) == len(list(samples().rglob("*.json")))
    for name in ("frontal", "pendulum"):
        project = load_project(samples() / f"{name}.json")
        assert tiles[name].title == project.title
        assert tiles[name].note == first_sentence(project.note.split("\n", 1)[0])
    file = tmp_path / "a.json"
    for text in ("{", "[]", '"words"', "\xff"):
        file.write_text(text, encoding="latin-1")
        assert _read(file, hash(text)) is None, text


def test_what_stays_is_not_looked_through_again() -> None:
    gc.unfreeze()
    with kept_for_good():
        assert not gc.isenabled()
        kept = [[n] for n in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= len(kept)
    gc.unfreeze()


def test_the_window_loads_nothing_large_that_it_has_no_use_for() -> None:
    words = f"import sys, app.shell.window; print([m for m in {_SLOW} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
