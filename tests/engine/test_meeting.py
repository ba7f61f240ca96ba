"""Hyperellipsoids that touch: Newton's method from before, the search, and the conditions of both."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import DEPTH, NORMAL, OUTSIDE, POINT
from solver.engine.forces.contacts.meeting import EXTRA
from tests.engine.test_touching import Scene, turned
from tests.exploring import SEED, often

POWERS = np.array([2.0, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 15.0, 30.0])


def scattered(scene: Scene, rng: np.random.Generator, ratio: float) -> Array:
    """Put two bodies of random shapes, one smaller by up to a ratio, somewhere near each other."""
    semis = rng.uniform(0.05, 0.4, (2, 3))
    semis[0] /= ratio ** rng.uniform()
    for n in range(2):
        # all powers alike as often as not
        power = rng.choice(POWERS, 3) if rng.uniform() < 0.5 else np.full(3, rng.choice(POWERS))
        scene.shape(n, semis[n], power)
        scene.place(n, np.zeros(3), turned(rng))
    m = rng.normal(size=3)
    m *= rng.uniform(0.02, 1.0) * semis.sum(axis=1).max() / 3.0 / np.linalg.norm(m)
    scene.place(1, m, scene.motion.R[1])
    return m


def off_by(scene: Scene, found: Array, m: Array) -> float:
    """Give by how much a touch fails to be one point of both scaled bodies with opposite normals."""
    e = np.linalg.norm(m) / (np.linalg.norm(m) + found[DEPTH])
    n, x, worst = -found[NORMAL : NORMAL + 3], found[POINT : POINT + 3], 0.0
    for k, centre, sign in ((0, np.zeros(3), 1.0), (1, m, -1.0)):
        R, semi, p = (
            scene.motion.R[k].reshape(3, 3),
            scene.surfaces.semi[k],
            scene.surfaces.power[k],
        )
        own = R.T @ (x - centre) / (e * semi)
        gradient = R @ (p * np.abs(own) ** (p - 1.0) * np.sign(own) / semi)
        gradient /= sign * np.linalg.norm(gradient)
        worst = max(worst, abs(np.sum(np.abs(own) ** p) - 1.0), float(np.abs(gradient - n).max()))
    return worst


@pytest.mark.parametrize("ratio", [1.0, 30.0, 1000.0])
def test_newton_finds_what_the_search_finds(ratio: float) -> None:
    rng = np.random.default_rng(int(ratio))
    scene, done, quick = Scene(OUTSIDE), 0, 0
    while done < 250:
        scene.contacts.workspace.warm[:] = 0.0
        m = scattered(scene, rng, ratio)
        scene.find()
        if scene.contacts.workspace.warm[0, EXTRA] == 0.0:
            continue
        done += 1
        # both turn and move a little, as from one step to the next
        turn = Rotation.from_rotvec(rng.normal(size=3) * 2e-3).as_matrix()
        m = m + rng.normal(size=3) * 2e-3 * scene.surfaces.semi.min()
        scene.place(0, np.zeros(3), turn @ scene.motion.R[0].reshape(3, 3))
        scene.place(1, m, scene.motion.R[1])
        # the search would begin at this normal; Newton's method has no use for it
        scene.contacts.workspace.warm[0, :3] = 0.0
        found = scene.find()
        scene.contacts.workspace.warm[:] = 0.0
        searched = scene.find()
        assert found[DEPTH] == pytest.approx(searched[DEPTH], abs=1e-9 * np.linalg.norm(m))
        quick += off_by(scene, found, m) < 1e-7
    assert quick >= 0.98 * done


@pytest.mark.seeded
def test_hundreds_of_pairs_touch_whatever_was_before() -> None:
    rng = np.random.default_rng(11 + SEED)
    scene, met, sharp = Scene(OUTSIDE), 0, 0
    for _ in range(often(1000)):
        m = scattered(scene, rng, 1000.0)
        # what was found of the pair before is the start
        stale = scene.find()
        if not np.any(stale[NORMAL : NORMAL + 3]) or scene.contacts.workspace.warm[0, EXTRA] == 0.0:
            continue
        found = scene.find()
        if found[DEPTH] <= 0.0:
            assert stale[DEPTH] <= 0.0
            continue
        met += 1
        assert stale[DEPTH] == pytest.approx(found[DEPTH], abs=1e-9 * np.linalg.norm(m))
        sharp += off_by(scene, found, m) < 1e-7
    assert met > often(400)
    assert sharp > 0.98 * met


def test_a_small_ball_slides_around_a_box_without_a_jump() -> None:
    scene, depths = Scene(OUTSIDE), []
    scene.shape(0, np.full(3, 0.03), np.full(3, 2.0))
    scene.shape(1, np.array([0.15, 0.4, 0.12]), np.full(3, 15.0))
    scene.contacts.workspace.warm[:] = 0.0
    for angle in np.linspace(0.0, 2.0 * np.pi, 4001):
        n = np.array([np.cos(angle), 0.3, np.sin(angle)])
        on = np.sum((np.abs(n) / scene.surfaces.semi[1]) ** 15.0) ** (-1.0 / 15.0)
        scene.place(1, -(on + 0.02) * n, np.eye(3))
        found = scene.find()
        depths.append(found[DEPTH])
        assert off_by(scene, found, scene.motion.p[1]) < 1e-7
    assert np.max(np.abs(np.diff(depths))) < 3e-4
