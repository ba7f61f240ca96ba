"""Samples solved as they are: once for all tests of a process. Nobody changes what they find."""

from __future__ import annotations

from functools import cache

import manikin as mk
from solver.outputs.ledger import gains, guesses
from solver.places import samples
from solver.project import Project, load_project
from solver.project.checks import check
from solver.results.events import lacks
from solver.results.memory import MemoryTrajectory
from solver.results.trajectory import Trajectory
from solver.simulation import simulate


@cache
def trajectory(name: str) -> MemoryTrajectory:
    """Give what a sample finds, with its injury figures."""
    run = simulate(load_project(samples() / f"{name}.json"))
    assert isinstance(run, MemoryTrajectory)
    return run


@cache
def solved(name: str) -> mk.Run:
    """Give it as the public library does."""
    return mk.Run(trajectory(name), mk.sample(name))


def warned(project: Project, run: Trajectory) -> list[str]:
    """Give what a model's check and its run warn of, and what a window says in a bar once the run is over."""
    found = [f"{one}" for one in check(project) if one.severity != "note"]
    found += [line for line in run.log if line.startswith("warning")]
    found += map(str, (*gains(run.notes), *guesses(run.notes), *lacks(run.events())))
    return found
