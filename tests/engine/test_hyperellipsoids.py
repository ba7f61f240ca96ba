"""Many hyperellipsoids at once: farthest points, and where rays leave, by their conditions."""

from __future__ import annotations

import numpy as np
import pytest

from solver.engine.maths.hyperellipsoids import farthest, levels, outwards

POWERS = [
    (2.0, 2.0, 2.0),
    (2.5, 2.5, 2.5),
    (100.0, 100.0, 100.0),
    (2.0, 3.0, 5.0),
    (2.0, 20.0, 100.0),
]


def size(z: np.ndarray, powers: np.ndarray) -> np.ndarray:
    return np.sum(np.abs(z) ** powers, axis=-1)


@pytest.mark.parametrize("given", POWERS)
def test_the_farthest_point_lies_on_the_surface_where_that_leans_against_the_direction(
    given: tuple[float, ...],
) -> None:
    rng, powers = np.random.default_rng(1), np.array(given)
    way = rng.normal(size=(200, 3)) * 10.0 ** rng.uniform(-3, 3, (200, 1))
    z = farthest(way, powers)
    assert size(z, powers) == pytest.approx(1.0, abs=1e-12)
    slope = np.sign(z) * powers * np.abs(z) ** (powers - 1.0)
    assert np.cross(slope, way) / np.linalg.norm(way, axis=1)[:, None] == pytest.approx(0, abs=1e-9)
    assert np.all(np.sum(slope * way, axis=1) > 0.0)
    # of each its own powers, and along an axis the end of that
    assert farthest(way[:, None], powers[None, None]) == pytest.approx(z[:, None])
    assert farthest(np.array([0.0, -3.0, 0.0]), powers) == pytest.approx([0.0, -1.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("given", POWERS)
def test_a_ray_from_inside_ends_on_the_surface(given: tuple[float, ...]) -> None:
    rng, powers = np.random.default_rng(2), np.array(given)
    ways = np.vstack([rng.normal(size=(200, 3)), np.eye(3), -np.eye(3)])
    start = 0.5 * farthest(rng.normal(size=(len(ways), 3)), powers)
    for inside in (start, start[0], np.zeros(3)):
        far = outwards(inside, ways, powers)
        assert np.all(far > 0.0)
        assert size(inside + far[:, None] * ways, powers) == pytest.approx(1.0, abs=1e-12)
    out = levels(np.vstack([np.zeros(3), ways]), powers)
    assert out[0] == 0.0
    assert size(ways / out[1:, None], powers) == pytest.approx(1.0, abs=1e-12)
