"""Pairs that are passed over because they are clearly apart could not have touched."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from solver.engine.dynamics.tree import Array
from solver.engine.forces import laws
from solver.engine.forces.contacts.arrays import (
    BETWEEN,
    DEPTH,
    ON_PLANE,
    OUTSIDE,
    Clearance,
    make_clearance,
)
from tests.engine.touching_scene import Scene, turned

UNTOUCHED = 1e9
"""What a pair leaves in place that is not looked at."""

ORIGIN = 0.3
"""Distance (m) of a surface from the origin of its body."""


def _clear(scene: Scene) -> Clearance:
    reach = np.linalg.norm(scene.surfaces.at, axis=1) + scene.surfaces.reach
    return make_clearance(np.array([0, 1]), reach, np.array([0]), np.array([1]))


def _pair(rng: np.random.Generator, hyper: bool) -> Scene:
    scene = Scene(OUTSIDE)
    scene.contacts.memory.mode[0] = 0
    for n in range(2):
        scene.shape(n, rng.uniform(0.05, 0.2, 3), np.array([4.0, 2.0, 6.0]) if hyper else None)
        way = rng.normal(size=3)
        scene.surfaces.at[n] = ORIGIN * way / np.linalg.norm(way)
    return scene


@pytest.mark.parametrize("hyper", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_what_is_passed_over_is_apart(seed: int, hyper: bool) -> None:
    rng = np.random.default_rng(seed)
    scene, other = _pair(rng, hyper), _pair(np.random.default_rng(seed), hyper)
    work = scene.contacts.workspace._replace(clear=_clear(scene))
    scene.contacts = scene.contacts._replace(workspace=work)
    poses = [(rng.uniform(-0.4, 0.4, 3), turned(rng)) for _ in range(2)]
    ways = [(rng.normal(size=3), rng.normal(scale=6.0, size=3)) for _ in range(2)]
    # both fly along together besides
    together = np.array([15.0, 0.0, 0.0])
    for one in (scene, other):
        for n in range(2):
            one.place(n, *poses[n], ways[n][0] + together, ways[n][1])
    passed = touching = 0
    points = [_points(scene, n) for n in range(2)]
    for step in range(600):
        scene.contacts.workspace.touch.found[BETWEEN] = UNTOUCHED
        scene.find()
        looked = scene.contacts.workspace.touch.found[BETWEEN] != UNTOUCHED
        other.find()
        passed += not looked
        assert (scene.g[0] < 0.0) == (other.g[0] < 0.0)
        if looked:
            assert scene.g[0] == pytest.approx(other.g[0], rel=1e-9, abs=1e-12)
            touching += other.g[0] > 0.0
        else:
            # never farther apart than it says
            assert step % 10 or -scene.g[0] <= _distance(other, points) + 1e-9
        h = 2e-4 * rng.choice([1.0, 1.0, 1.0, -0.7])
        scene.moved(h)
        other.moved(h)
    assert passed > 100 or touching > 100


@pytest.mark.parametrize("seed", range(5))
def test_what_is_high_above_a_plane_is_never_farther_than_it_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene(ON_PLANE)
    semi = rng.uniform(0.05, 0.4, 3)
    scene.shape(0, semi)
    scene.span(np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    passed = touching = 0
    for height in np.linspace(-0.1, 0.6, 71):
        R = turned(rng)
        scene.place(0, np.array([0.3, 0.2, height]), R)
        scene.contacts.memory.mode[0] = laws.UNTOUCHED
        scene.contacts.workspace.touch.found[DEPTH] = UNTOUCHED
        scene.find()
        gap = height - float(np.linalg.norm(semi * R[2]))
        if scene.contacts.workspace.touch.found[DEPTH] == UNTOUCHED:
            passed += 1
            assert height > semi.max()
        assert (scene.g[0] >= 0.0) == (gap <= 0.0)
        assert -scene.g[0] <= gap + 1e-9 or gap <= 0.0
        touching += gap <= 0.0
    assert passed > 10
    assert touching > 5


def _points(scene: Scene, n: int) -> Array:
    """Give many points of a surface from its centre, own axes."""
    way = np.random.default_rng(0).normal(size=(2000, 3))
    semi, power = scene.surfaces.semi[n], scene.surfaces.power[n]
    low, high = np.zeros((len(way), 1)), np.ones((len(way), 1))
    for _ in range(50):
        middle = 0.5 * (low + high)
        inside = np.sum(np.abs(middle * way / semi) ** power, axis=1, keepdims=True) < 1.0
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    out: Array = low * way
    return out


def _distance(scene: Scene, points: list[Array]) -> float:
    """Give what lies between two surfaces, by many of their points: a little too much."""
    one, two = (
        scene.surfaces.centre[n] + points[n] @ scene.motion.R[n].reshape(3, 3).T for n in range(2)
    )
    return float(np.min(cKDTree(one).query(two)[0]))
