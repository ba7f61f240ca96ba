"""The ground lies below what swings."""

from __future__ import annotations

import numpy as np
import pytest

import manikin as mk
from solver.scene.swinging import lowest_swing

UP = np.array((0.0, 0.0, -1.0))


@pytest.mark.parametrize(("sample", "low"), [("double_pendulum", -2.0), ("sled", np.inf)])
def test_a_chain_on_the_ground_is_stretched_downwards(sample: str, low: float) -> None:
    """Two rods of a metre hang on a hinge at the origin; an occupant hangs on nothing."""
    assert lowest_swing(mk.sample(sample).project, UP) == pytest.approx(low)


def test_what_is_locked_to_the_ground_does_not_swing_about_it() -> None:
    assert lowest_swing(mk.sample("head_struck").project, UP) == np.inf
