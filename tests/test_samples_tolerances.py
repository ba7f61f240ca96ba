"""Every sample runs at loose and at tight tolerances."""

from __future__ import annotations

from functools import cache

import pytest

from solver.places import samples
from solver.project import load_project
from solver.results.memory import MemoryTrajectory
from solver.simulation import simulate

pytestmark = pytest.mark.slow
"""A sample at 1e-8 takes up to a minute; nothing shorter shows what only small steps meet."""

FILES = sorted(samples().glob("*.json"))
TIGHT = 1e-8


@cache
def solved(name: str, tolerance: float) -> MemoryTrajectory:
    project = load_project(samples() / f"{name}.json")
    run = project.runs[0]
    method = run.integrator.model_copy(
        update={"relative_tolerance": tolerance, "absolute_tolerance": 0.01 * tolerance}
    )
    out = simulate(
        project.model_copy(update={"runs": (run.model_copy(update={"integrator": method}),)})
    )
    assert isinstance(out, MemoryTrajectory)
    return out


@pytest.mark.parametrize("tolerance", [1e-3, TIGHT])
@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_a_sample_runs_at_a_tolerance(name: str, tolerance: float) -> None:
    out = solved(name, tolerance)
    assert out.status == "completed", out.message
