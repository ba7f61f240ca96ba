"""Motion as seen in a block of samples: of all segments at once, of some samples alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.engine.maths.rotation import cross, matrices
from solver.project import load_project
from solver.running.outputs import frames
from solver.running.outputs.kinematics import ZERO, Kinematics, along, quaternions
from solver.running.simulation import Simulation


@pytest.fixture(scope="module")
def seen() -> Kinematics:
    """Keep the last block of a run."""
    blocks: list[Kinematics] = []
    original = frames.Frames.block

    def keep(self: Any, seen: Kinematics, block: Any) -> Any:
        blocks.append(seen)
        return original(self, seen, block)

    patch = pytest.MonkeyPatch()
    patch.setattr(frames.Frames, "block", keep)
    simulation = Simulation(load_project(samples() / "double_pendulum.json"))
    simulation.go([])
    patch.undo()
    return blocks[-1]


def test_all_segments_at_once_are_as_each_by_itself(seen: Kinematics) -> None:
    names = [s.id for s in seen._model.project.segments]
    moving = seen.together(names)
    for n, name in enumerate(names):
        assert np.array_equal(moving.turn[:, n], seen.turn(name))
        assert moving.place[:, n] == pytest.approx(seen.place(name, ZERO), abs=1e-12)
        assert moving.velocity[:, n] == pytest.approx(seen.velocity(name, ZERO), abs=1e-12)
        assert moving.acceleration[:, n] == pytest.approx(seen.acceleration(name, ZERO), abs=1e-9)
        each = quaternions(seen.turn(name))
        assert np.array_equal(quaternions(moving.turn)[:, n], each)
        assert matrices(each) == pytest.approx(seen.turn(name), abs=1e-12)


def test_some_samples_are_the_same_as_among_all(seen: Kinematics) -> None:
    name = seen._model.project.segments[-1].id
    only = np.array([0, 3, seen.rows - 1])
    some = seen.at(only)
    assert some.rows == 3
    assert np.array_equal(some.time, seen.time[only])
    point = np.array([0.1, 0.0, 0.2])
    assert np.array_equal(some.acceleration(name, point), seen.acceleration(name, point)[only])
    assert np.array_equal(
        some.acceleration_from(name, point, "ground"), seen.acceleration(name, point)[only]
    )


def test_products_and_components_agree_with_numpy() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(5, 2, 3)), rng.normal(size=(2, 3))
    assert np.array_equal(cross(a, b), np.cross(a, b))
    R = rng.normal(size=(5, 2, 3, 3))
    assert along(R, a) == pytest.approx(np.einsum("tnji,tnj->tni", R, a))
