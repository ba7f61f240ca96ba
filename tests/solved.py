"""What several tests solve: once for all processes of a suite. Nobody changes what they find."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar, cast

import manikin as mk
from solver.base.atomic import write_atomic
from solver.base.places import samples
from solver.base.words import sentence_of
from solver.injury import Assessment, assess
from solver.project import Project, load_project
from solver.project.checks import check
from solver.results import open_results
from solver.results.events import lacks
from solver.results.memory import MemoryTrajectory
from solver.results.stored import stored_file, unpack
from solver.results.trajectory import Trajectory
from solver.running.outputs.curve_range import gains, guesses
from solver.running.simulation import project_bytes, simulate

shared: Path | None = None
"""Folder of the suite in which its processes find what others have made; `tests/conftest.py` names it."""


M = TypeVar("M")


def once(name: str, make: Callable[[], M]) -> M:
    """Make something whose name says all that it is made of; of the processes of a suite who comes first, the others read it."""
    if shared is None:
        return make()
    import fcntl

    file = shared / f"{name}.pickle"
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            write_atomic(file, pickle.dumps(make()))
        return cast(M, pickle.loads(file.read_bytes()))


@cache
def trajectory(name: str) -> MemoryTrajectory:
    """Give what a sample finds, with its injury figures."""
    return once(f"solved_{name}", lambda: _solved(name))


def _solved(name: str) -> MemoryTrajectory:
    run = simulate(load_project(samples() / f"{name}.json"))
    assert isinstance(run, MemoryTrajectory)
    return run


@cache
def solved(name: str) -> mk.Run:
    """Give it as the public library does."""
    return mk.Run(trajectory(name), mk.sample(name))


@cache
def assessed(name: str) -> Assessment:
    """Assess the run that comes with a sample."""

    def made() -> Assessment:
        with TemporaryDirectory() as folder, open_results(stored_run(name, Path(folder))) as run:
            return assess(run)

    return once(f"assessed_{name}", made)


def stored_run(name: str, folder: Path) -> Path:
    """Write the run that comes with a sample as a results file in a folder."""
    sample, file = samples() / f"{name}.json", folder / f"{name}.h5"
    stored = stored_file(sample)
    assert stored is not None
    unpack(stored, file, project_bytes(load_project(sample)))
    return file


def warned(project: Project, run: Trajectory) -> list[str]:
    """Give what a model's check and its run warn of, and what a window says in a bar once the run is over."""
    found = [f"{one}" for one in check(project) if one.severity != "note"]
    found += [line for line in run.log if line.startswith("warning")]
    found += map(str, (*gains(run.notes), *guesses(run.notes), *lacks(run.events())))
    return found


def noted(run: Trajectory) -> list[str]:
    """What stands as notes on the page of a run: all that it has to say but warnings, and figures that are not computed, which stand with the verdict."""
    lines = (sentence_of(one).english() for one in run.notes)
    return [one for one in lines if not one.startswith(("warning: ", "note: not computed: "))]
