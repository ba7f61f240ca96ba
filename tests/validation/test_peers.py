"""The page of measurements compares the same motion: other programs end where ours does."""

from __future__ import annotations

import numpy as np

from benchmarks.bodies import chain, occupant, star
from benchmarks.engines import mujoco, ours
from solver.engine.dynamics.tree import BALL, FREE, TURN


def test_the_occupant_is_a_body_of_fifteen_segments() -> None:
    kinds = occupant().tree.kind
    assert [int((kinds == kind).sum()) for kind in (FREE, BALL, TURN)] == [1, 10, 4]


def test_mujoco_ends_where_we_do() -> None:
    for body in (occupant(), chain(15), star(15)):
        a = ours.Engine(body)._fixed(600)
        b = mujoco.Engine(body)._run(2000)
        assert np.abs(a.places - b.places).max() < 1e-8
        assert np.abs(a.places).max() > 1.0
