"""Every sample runs at loose and at tight tolerances, and goes the same way."""

from __future__ import annotations

import numpy as np
import pytest

from solver.base.places import samples
from solver.project import load_project
from solver.results.memory import MemoryTrajectory
from solver.running.simulation import Simulation

pytestmark = pytest.mark.slow
"""Some samples take a quarter of a minute; nothing shorter shows what only small steps meet."""

FILES = sorted(samples().glob("*.json"))
LOOSE, TIGHT = 1e-3, 1e-7
APART_MM = {"variseg_occupant": 10.0}
"""How far places at the one tolerance may be from those at the other: 5 mm, more of feet that have broken off."""

FLY, FLY_MM = ("hand", "forearm", "upper_arm"), {"aircraft_dummy": 40.0, "aircraft_16g": 40.0}
"""Arms that fly, and how far they may be: a knee strikes a hand, and which knee is freed first is chance."""


def solved(name: str, tolerance: float) -> MemoryTrajectory:
    """Solve a sample; its injury figures, which nobody asks for here, are not computed."""
    project = load_project(samples() / f"{name}.json")
    run = project.runs[0]
    method = run.integrator.model_copy(
        update={"relative_tolerance": tolerance, "absolute_tolerance": 0.01 * tolerance}
    )
    runs = (run.model_copy(update={"integrator": method, "body_sensors": False}),)
    simulation = Simulation(project.model_copy(update={"runs": runs}))
    out = simulation.memory()
    outcome = simulation.go([out])
    assert outcome.status == "completed", outcome.message
    return out


@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_a_sample_goes_the_same_way_at_any_tolerance(name: str) -> None:
    loose = solved(name, LOOSE)
    tight = solved(name, TIGHT)
    a, b = (out.table("segments")["position"] for out in (loose, tight))
    apart = 1e3 * np.max(np.linalg.norm(a - b, axis=2), axis=0)
    segments = [segment.id for segment in load_project(samples() / f"{name}.json").segments]
    for segment, far in zip(segments, apart, strict=True):
        flies = name in FLY_MM and segment.endswith(FLY)
        assert far < (FLY_MM[name] if flies else APART_MM.get(name, 5.0)), segment


def test_the_sample_with_the_deepest_contacts_runs_at_one_in_a_thousand_million() -> None:
    """A forearm goes through the steering wheel's rim: its way out changes from one side to another."""
    solved("side_impact", 1e-9)
