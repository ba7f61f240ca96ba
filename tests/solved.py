"""Samples solved as they are: once for all tests of a process. Nobody changes what they find."""

from __future__ import annotations

from functools import cache

import manikin as mk
from solver.places import samples
from solver.project import load_project
from solver.results.memory import MemoryTrajectory
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
