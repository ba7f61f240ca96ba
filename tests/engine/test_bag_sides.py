"""The side by which an airbag presses on what has gone deep into it, and steps that find no motion there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.engine.forces.airbags.shape import contact_by
from tests.balls_and_floors import run
from tests.engine.ellipsoid_pairs import six
from tests.engine.test_airbags import TANK, bag

FINE = {"kind": "dopri", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}
HARD = (
    # spring (N/m), speed (m/s), place of the head, pressure of the tank (Pa), its throat (m2): no other side is the way out of the first two;
    # in the third the first step with the full bag is far too long, in the last it ends in no number
    (1e5, 12.0, (-0.7, 0.0, 0.05), 2.4e7, 6e-4),
    (1e5, 12.0, (-0.7, 0.0, 0.2), 2.4e7, 1.5e-4),
    (1e4, 12.0, (-0.7, 0.0, 0.1), 9e7, 6e-4),
    (193571.0, 15.4, (-0.946, -0.125, 0.192), 9.8e7, 4.1e-4),
)


def scene(
    spring: float, speed: float, at: tuple[float, ...], pressure: float, throat: float
) -> Any:
    data = bag(
        speed=speed, panel_stiffness_n_per_m=spring,
        inflator=TANK | {"pressure_pa": pressure, "throat_area_m2": throat},
    )  # fmt: skip
    data["initial"]["roots"][0]["position_m"] = list(at)
    return data


@pytest.mark.parametrize("given", HARD)
def test_a_stiff_spring_to_the_panel_and_a_head_deep_in_the_bag(given: Any) -> None:
    out = run(scene(*given), 0.12, 1000.0, **FINE)
    energy = out.table("energy")
    assert out.time[-1] == 0.12
    assert np.abs(energy["balance"]).max() < 1e-7 * energy["kinetic"].max()
    assert out.table("airbags")["pressure"].max() > 1e4


def test_a_side_that_is_kept_is_pressed_in_as_fast_as_the_body_moves_against_it() -> None:
    """Whatever turns and moves: depth changes by the speed at the body's deepest point along the normal, as seen from the bag."""
    rng = np.random.default_rng(45)
    for _ in range(20):
        a, b = rng.uniform(0.1, 0.4, 3), rng.uniform(0.05, 0.2, 3)
        R, m = Rotation.random(rng=rng).as_matrix(), rng.normal(size=3) * 0.05
        side = rng.normal(size=3)
        side /= np.linalg.norm(side)
        v, w = rng.normal(size=3), rng.normal(size=3)

        def found(t: float) -> Any:
            """Press after a while, in the bag's own frame."""
            K = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]) * t  # noqa: B023
            T = (np.eye(3) + K + 0.5 * K @ K) @ R  # noqa: B023
            A, B = np.diag(a**2), T @ np.diag(b**2) @ T.T  # noqa: B023
            return contact_by(six(A), six(B), tuple(m + t * v), tuple(side))  # noqa: B023

        h = 1e-6
        rate = (found(h).depth - found(-h).depth) / (2.0 * h)
        at = np.array(found(0.0).on_b)
        assert rate == pytest.approx(-side @ (v + np.cross(w, at - m)), rel=1e-6, abs=1e-7)
        assert found(0.0).normal == pytest.approx(side, abs=1e-15)


def test_a_run_that_finds_no_step_there_names_the_bag_and_what_is_in_it() -> None:
    coarse = FINE | {"smallest_step_s": 1e-5}
    with pytest.raises(
        AssertionError, match=r"where the airbag 'bag' presses on 'head'.*vents or less gas"
    ):
        run(scene(*HARD[0]), 0.12, 1000.0, **coarse)
