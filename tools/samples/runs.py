"""The runs that come with the samples: solved here, stored small where they are others than those that lie there."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import numpy as np

from solver import __version__
from solver.places import samples
from solver.project import load_project
from solver.results import ResultsError, open_results, save_run
from solver.results.trajectory import Trajectory
from solver.simulation import simulate
from solver.stored import FOLDER, MARKS, SUFFIX, engine, marks, pack, unpack
from solver.whole import write_whole

SAME_M, SAME_PART, SAME_FIGURE, SAME_FORCE = 1e-4, 1e-4, 2e-3, 1e-2
"""Places no further apart than this (m) and this part of them, injury figures (parts of them), and forces of bags (parts
of the largest) are the same."""


def store(name: str) -> None:
    """Solve the first run of a sample; store it where that which lies there is another; note the engine."""
    run = simulate(load_project(samples() / f"{name}.json"))
    if run.status != "completed":
        raise RuntimeError(f"{name}: {run.message}")
    file = samples() / FOLDER / f"{name}{SUFFIX}"
    file.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        if _is_same(file, Path(folder) / "stored.h5", run):
            said = "is what was found before"
        else:
            pack(save_run(run, Path(folder) / "run.h5", __version__), file)
            said = f"is stored: {file.stat().st_size / 1024:.0f} kB"
    known = marks() | {name: engine()}
    lines = [f"{one} {known[one]}\n" for one in sorted(known)]
    write_whole(samples() / FOLDER / MARKS, "".join(lines))
    print(f"the run of {name} {said}")


def _is_same(file: Path, place: Path, run: Trajectory) -> bool:
    """Tell whether the stored run is of the same model, and goes the same way."""
    if not file.is_file():
        return False
    try:
        unpack(file, place)
        with open_results(place) as found:
            return found.project_json == run.project_json and _goes_alike(found, run)
    except ResultsError:
        return False


def _goes_alike(one: Trajectory, other: Trajectory) -> bool:
    if len(one.time) != len(other.time) or sorted(one.channel_names) != sorted(other.channel_names):
        return False
    a, b = (run.table("segments")["position"] for run in (one, other))
    pressed, again = (run.table("airbag_contacts")["force"] for run in (one, other))
    figures = {name: (value.value, other.injury[name].value) for name, value in one.injury.items() if name in other.injury}  # fmt: skip
    return (
        _told(one) == _told(other)
        and bool(np.allclose(a, b, rtol=SAME_PART, atol=SAME_M))
        and bool(np.allclose(pressed, again, atol=SAME_FORCE * np.abs(again).max(initial=0.0)))
        and len(figures) == len(one.injury) == len(other.injury)
        and all(abs(x - y) <= SAME_FIGURE * abs(y) + 1e-9 for x, y in figures.values())
    )


def _told(run: Trajectory) -> list[str]:
    """Give what its log notes and warns of, figures left out."""
    return [
        re.sub(r"[\d.]+", "#", line) for line in run.log if line.startswith(("note", "warning"))
    ]
