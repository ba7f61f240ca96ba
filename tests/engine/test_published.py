"""Published benchmark problems move as other equations say; the models and these equations stand in `published`."""

from __future__ import annotations

import numpy as np
import pytest

from solver.engine.dynamics.tree import Array
from solver.engine.maths.rotation import matrix
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests import published
from tests.models import EXACT, project

STIFF = {"kind": "implicit", "relative_tolerance": 1e-7, "absolute_tolerance": 1e-9}


def spin_of(run: Trajectory) -> Array:
    """Give the rattleback's rate of turning about the vertical."""
    stone = run.segment("stone")
    pairs = zip(stone.quaternion_wxyz, stone.angular_velocity, strict=True)
    return np.array([(matrix(q) @ w)[2] for q, w in pairs])


def swing_of(run: Trajectory) -> Array:
    """Give way, angle, and their rates, of the light mass of the Atwood machine."""
    light = run.segment("light")
    (x, _, z), (u, _, w) = light.position.T, light.velocity.T
    r = np.hypot(x, z)
    return np.array([r, np.unwrap(np.arctan2(x, -z)), (x * u + z * w) / r, (x * w - z * u) / r**2])


def test_the_flyball_governor_lifts_its_slider() -> None:
    run = simulate(project(published.governor(1.0, STIFF)))
    height = run.segment("slider").position[:, 2]
    assert np.abs(height - published.governor_height(run.time)).max() < 2e-7
    assert height[-1] > 0.501
    # what rises swings wider, and turns slower
    assert run.segment("shaft").angular_velocity[-1, 2] < 0.9999 * published.SPIN


def test_the_heavy_top_goes_round() -> None:
    run = simulate(project(published.heavy_top(1.0, EXACT)))
    wanted = published.heavy_top_places(run.time)
    assert np.abs(run.segment("top").position - wanted).max() < 5e-8
    assert wanted[:, 2].min() < -0.99
    assert np.abs(run.table("energy")["balance"]).max() < 1e-5


def test_the_rattleback_slows_and_rattles() -> None:
    """That it then turns round shows the validation book."""
    run = simulate(project(published.rattleback(0.8, EXACT)))
    spin = spin_of(run)
    assert np.abs(spin - published.rattleback_spin(run.time)).max() < 1e-6
    assert spin[0] < -4.9
    assert spin[-1] > -4.4


def test_the_second_invariant_of_the_atwood_machine_is_one() -> None:
    """Tufillaro's, along the equations of the machine: it and they are typed in apart from each other."""
    way, angle, *rates = published.atwood_places(np.linspace(0.0, 3.0, 301)).T
    invariant = published.tufillaro(way, angle, *rates)
    assert np.ptp(invariant) < 1e-8
    assert np.ptp(way) > 0.5


@pytest.mark.parametrize(("rope", "near"), [(1e4, 5e-4), (1e5, 5e-3)])
def test_the_light_mass_of_the_atwood_machine_swings_round(
    rope: float, near: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left is what webbing hangs back in a ring (engine-numerics.md, `DRAG`)."""
    monkeypatch.setattr(published, "ROPE", rope)
    run = simulate(project(published.atwood(1.0, EXACT)))
    swing = swing_of(run)
    assert np.abs(swing[0] - published.atwood_places(run.time, rope)[:, 0]).max() < near
    assert swing[1, -1] < -6.0
    assert run.table("energy")["dissipated"][-1] < 0.06


def test_a_block_rocks_from_foot_to_foot_as_housner_says() -> None:
    """Where one foot strikes the other lets go: both held, the block would stand still at once."""
    tilt = 0.5 * published.SLENDER
    run = simulate(project(published.rocking_block(3.0, tilt, EXACT)))
    wanted = published.housner_strikes(tilt, 4)
    found = [float(line.split(" ms")[0]) * 1e-3 for line in run.log if "touches" in line]
    assert found == pytest.approx(wanted, abs=2e-5)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-6
    lean = np.abs(run.segment("block").position[:, 2] - published.TALL)
    assert lean.max() > 5e-3
