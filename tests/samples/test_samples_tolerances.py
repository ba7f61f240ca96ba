"""Samples run at loose and at tight tolerances, and go the same way."""

from __future__ import annotations

import numpy as np
import pytest

from solver.base.places import samples
from solver.project import load_project
from solver.results.memory import MemoryTrajectory
from solver.running.simulation import Simulation
from tests.exploring import further
from tests.running.covering import covering
from tests.solved import trajectory

pytestmark = pytest.mark.slow
"""Some samples take a quarter of a minute; nothing shorter shows what only small steps meet."""

SOME = sorted({*covering(), "frontal"})
"""They hold whatever a sample holds; exploring looks at the others, too."""
OTHERS = further(sorted({file.stem for file in samples().glob("*.json")}.difference(SOME)))
LOOSE, TIGHT = 1e-3, 1e-7
LONG = {
    "aircraft_16g", "aircraft_dummy", "child_seat", "ejection_seat", "frontal", "padded_wall", "pedestrian", "pedestrian_car",
    "rear_impact", "rear_seat", "volunteer_15g",
}  # fmt: skip
"""Samples that take long at the tight one."""
APART_MM = {"variseg_occupant": 10.0}
"""How far places at the one tolerance may be from those at its own: 5 mm, more of feet that have broken off."""

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


def goes_as(name: str, tolerance: float) -> None:
    """Compare a sample at a tolerance with what it is at its own."""
    one, other = solved(name, tolerance).table("segments"), trajectory(name).table("segments")
    assert one.ids == other.ids
    apart = 1e3 * np.max(np.linalg.norm(one["position"] - other["position"], axis=2), axis=0)
    for segment, far in zip(one.ids, apart, strict=True):
        flies = name in FLY_MM and segment.endswith(FLY)
        assert far < (FLY_MM[name] if flies else APART_MM.get(name, 5.0)), segment


@pytest.mark.seeded
@pytest.mark.parametrize("name", [*SOME, *OTHERS])
def test_a_sample_goes_the_same_way_at_a_loose_tolerance(name: str) -> None:
    goes_as(name, LOOSE)


@pytest.mark.seeded
@pytest.mark.parametrize(
    "name",
    [
        *(n for n in SOME if n not in LONG),
        *further(sorted(LONG)),
        *(n for n in OTHERS if n not in LONG),
    ],
)
def test_a_sample_goes_the_same_way_at_a_tight_tolerance(name: str) -> None:
    """A car with all that restrains, and what is small; exploring looks at the others."""
    goes_as(name, TIGHT)


def test_the_sample_with_the_deepest_contacts_runs_at_one_in_a_thousand_million() -> None:
    """A forearm goes through the steering wheel's rim: its way out changes from one side to another."""
    solved("side_impact", 1e-9)
