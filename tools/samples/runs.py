"""The runs that come with the samples: solved here, stored small."""

from __future__ import annotations

import tempfile
from pathlib import Path

from solver import __version__
from solver.places import samples
from solver.project import load_project
from solver.results import save_run
from solver.simulation import simulate
from solver.stored import FOLDER, SUFFIX, pack


def store(name: str) -> Path:
    """Solve the first run of a sample and store it."""
    run = simulate(load_project(samples() / f"{name}.json"))
    if run.status != "completed":
        raise RuntimeError(f"{name}: {run.message}")
    file = samples() / FOLDER / f"{name}{SUFFIX}"
    file.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        pack(save_run(run, Path(folder) / "run.h5", __version__), file)
    print(f"stored the run of {name}: {file.stat().st_size / 1024:.0f} kB")
    return file
