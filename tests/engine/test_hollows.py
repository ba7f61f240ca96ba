"""The depth of bodies deep in each other: the smallest way out, whatever was before, and its energy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts import ellipsoids
from solver.engine.forces.contacts.arrays import DEPTH, NO_RIVAL, NORMAL, OUTSIDE, RIVAL
from solver.engine.forces.contacts.ellipsoids import deepest_points
from solver.engine.forces.contacts.normals import WARM_LENGTH
from solver.model.surfaces import ROLLS, rolling_ball
from tests.engine.ellipsoid_pairs import DIRECTIONS, six, support, three
from tests.engine.test_contacts import FREE, function, run
from tests.engine.touching_scene import Scene, turned
from tests.exploring import often
from tests.models import base


def scene_along() -> Scene:
    scene = Scene(OUTSIDE)
    scene.contacts.model.normal[0] = 1
    return scene


def again(scene: Scene) -> Array:
    """Look at the pair as if for the first time."""
    scene.contacts.workspace.warm[:] = 0.0
    return scene.find()


def deep(scene: Scene, rng: np.random.Generator, flat: float) -> Array:
    """Put one ellipsoid deep into another, and give the line of their centres."""
    for n in range(2):
        scene.shape(n, (0.1 + 0.3 * n * rng.uniform()) * flat ** -rng.uniform(0, 1, 3))
        scene.place(n, np.zeros(3), turned(rng))
    t = DIRECTIONS[rng.integers(len(DIRECTIONS))]
    m = sum(Q @ t / support(Q, t) for Q in shapes(scene)) * rng.uniform(0.02, 0.9)
    scene.place(1, m, turned(rng))
    return m


def shapes(scene: Scene) -> list[Array]:
    R = [scene.motion.R[n].reshape(3, 3) for n in range(2)]
    return [R[n] @ np.diag(scene.surfaces.semi[n] ** 2) @ R[n].T for n in range(2)]


def least_of_all(scene: Scene, m: Array) -> float:
    """Give the least overlap over all directions: the best of many, each followed down."""
    A, B = shapes(scene)
    f = support(A, DIRECTIONS) + support(B, DIRECTIONS) - DIRECTIONS @ m
    best = DIRECTIONS[np.argsort(f)[:12]]
    return min(
        deepest_points(six(A), six(B), three(m), three(t), ellipsoids.OUTWARD).depth for t in best
    )


@pytest.mark.seeded
@pytest.mark.parametrize("flat", [3.0, 20.0])
def test_the_depth_of_two_ellipsoids_is_the_least_over_all_directions(flat: float) -> None:
    rng, scene, several = np.random.default_rng(int(flat)), scene_along(), 0
    for _ in range(often(600)):
        m = deep(scene, rng, flat)
        found = again(scene)
        if found[DEPTH] <= 0.0:
            continue
        least = least_of_all(scene, m)
        assert found[DEPTH] == pytest.approx(least, abs=1e-10)
        several += found[RIVAL] < NO_RIVAL
        assert found[RIVAL] >= found[DEPTH] - 1e-12
    # so many could have gone wrong
    assert several > often(60)


def test_hyperellipsoids_too_but_for_a_few() -> None:
    rng, scene, right, met = np.random.default_rng(5), scene_along(), 0, 0
    for _ in range(300):
        deep(scene, rng, 4.0)
        for n in range(2):
            scene.shape(n, scene.surfaces.semi[n].copy(), np.full(3, rng.choice([2.0, 3.0, 4.0])))
        found = again(scene)
        m = scene.motion.p[1]
        if found[DEPTH] <= 0.0 or not np.any(scene.surfaces.power > 2.0):
            continue
        met += 1
        f = sum(_supports(scene, n) for n in range(2)) - DIRECTIONS @ m
        right += found[DEPTH] < f.min() + 1e-6
    assert met > 150
    assert right >= 0.97 * met


def _supports(scene: Scene, n: int) -> Array:
    """Give supports of a body whose powers are one along all directions: a dual norm (Hoelder)."""
    p = float(scene.surfaces.power[n, 0])
    u = np.abs(DIRECTIONS @ scene.motion.R[n].reshape(3, 3)) * scene.surfaces.semi[n]
    return np.asarray(np.sum(u ** (p / (p - 1.0)), axis=1) ** ((p - 1.0) / p))


def test_the_ball_that_rolls_in_a_hyperellipsoid_has_its_least_radius_of_curvature() -> None:
    semi = np.array([0.1, 0.3, 0.2])
    # nearly an ellipsoid; and a sphere of high power, whose corners lie on its space diagonals
    assert rolling_ball(semi, (2.0, 2.0, 2.0)) == pytest.approx(0.01 / 0.3)
    assert rolling_ball(semi, (2.0 + 1e-9,) * 3) == pytest.approx(ROLLS * 0.01 / 0.3, rel=1e-4)
    p, r = 6.0, 0.1
    at = 3.0 ** (-1.0 / p)
    corner = r * np.sqrt(3.0) * at / (p - 1.0)
    assert rolling_ball(np.full(3, r), (p,) * 3) <= ROLLS * corner * (1 + 1e-9)
    assert rolling_ball(np.full(3, r), (p,) * 3) > 0.5 * corner


def wandering(rng: np.random.Generator, n: int) -> list[tuple[Array, Array]]:
    """Give places and attitudes on a closed path through the middle of another body."""
    s = 2.0 * np.pi * np.arange(n + 1) / n
    a, b, c, d = rng.normal(size=(4, 3))
    places = 0.05 * (np.outer(np.cos(s), a) + np.outer(np.sin(2 * s), b))
    turns = 0.5 * (np.outer(np.sin(s), c) + np.outer(np.cos(s), d))
    return [(x, Rotation.from_rotvec(w).as_matrix()) for x, w in zip(places, turns, strict=True)]


@pytest.mark.parametrize("seed", range(4))
def test_depth_is_even_along_a_path_and_a_closed_one_gives_no_work(seed: int) -> None:
    rng, scene = np.random.default_rng(seed), scene_along()
    scene.shape(0, np.array([0.3, 0.25, 0.05]))
    scene.shape(1, np.array([0.2, 0.06, 0.08]))
    scene.place(0, np.zeros(3), np.eye(3))
    path = wandering(rng, 4000)
    work, size, changes, before = 0.0, 0.0, 0, None
    last: tuple[Array, Array] | None = None
    for x, R in path:
        scene.place(1, x, R)
        found = again(scene)
        wrench = scene.force[1].copy(), scene.torque[1].copy()
        if last is not None and before is not None:
            way = x - last[0]
            turn = Rotation.from_matrix(R @ last[1].T).as_rotvec()
            # no faster than the body moves
            far = np.linalg.norm(way) + np.linalg.norm(turn) * 0.2
            assert abs(found[DEPTH] - before[0]) <= 1.001 * far
            done = 0.5 * ((wrench[0] + before[1]) @ way + (wrench[1] + before[2]) @ turn)
            work, size = work + done, size + abs(done)
            changes += bool(found[NORMAL : NORMAL + 3] @ before[3] < 0.9)
        last, before = (x, R), (found[DEPTH], *wrench, found[NORMAL : NORMAL + 3].copy())
    assert changes >= 2
    assert abs(work) < 1e-3 * size


def test_a_pair_that_is_followed_is_told_of_the_other_hollow() -> None:
    """Whatever was before, the lesser of its depth and the other's is that of the pose alone."""
    rng, scene, followed, passed = np.random.default_rng(3), scene_along(), scene_along(), 0
    for one in (scene, followed):
        one.shape(0, np.array([0.3, 0.25, 0.05]))
        one.shape(1, np.array([0.2, 0.06, 0.08]))
        one.place(0, np.zeros(3), np.eye(3))
    for x, R in wandering(rng, 3000):
        scene.place(1, x, R)
        followed.place(1, x, R)
        there, found = again(scene), followed.find()
        assert min(found[DEPTH], found[RIVAL]) == pytest.approx(there[DEPTH], abs=2e-9)
        if found[RIVAL] < found[DEPTH]:
            # its event's function says so
            assert followed.g[0] > 0.0 or found[DEPTH] - found[RIVAL] < 1e-11
            followed.contacts.workspace.warm[0, WARM_LENGTH] = 0.0
            passed += 1
    assert passed >= 2


@pytest.mark.parametrize("aside", [0.03, 0.19])
def test_a_ball_shot_through_a_disk_keeps_its_energy_at_tight_tolerances(aside: float) -> None:
    data = base(
        segments=[
            {"id": id_, "mass_kg": mass, "inertia_kgm2": [0.02 * mass] * 3,
             "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": semi}]}
            for id_, mass, semi in (("disk", 4.0, [0.3, 0.2, 0.05]), ("ball", 1.0, [0.05, 0.07, 0.06]))
        ],
        functions=[function("line", [0.0, 1.0], [0.0, 2e3])],
        contact_laws=[{"id": "law", "kind": "hysteretic", "base": "line"}],
        contacts=[{"id": "pair", "kind": "surfaces", "law": "law",
                   "first": {"segment": "disk", "surface": "skin"},
                   "second": {"segment": "ball", "surface": "skin"}}],
        initial={"roots": [
            {"segment": "disk"},
            {"segment": "ball", "position_m": [aside, 0.02, 0.2], "velocity_m_per_s": [0.0, 0.3, -9.0]},
        ]},
    )  # fmt: skip
    tight = {"relative_tolerance": 1e-10, "absolute_tolerance": 1e-12}
    out = run(data | FREE, 0.06, 5000.0, kind="dopri", **tight)
    force = out.table("contacts")["force"][:, 0, 2]
    # thrown back at first, then pushed on: it has gone through
    assert np.min(force) < -50.0
    assert np.max(force) > 50.0
    assert out.table("segments")["position"][-1, 1, 2] < -0.1
    assert force[-1] == 0.0
    energy = out.table("energy")
    kinetic = energy["kinetic"]
    assert np.max(np.abs(energy["lost_in_contacts"])) < 1e-7 * kinetic[0]
    assert kinetic[-1] == pytest.approx(kinetic[0], rel=1e-7)


@pytest.mark.seeded
@pytest.mark.parametrize("flat", [3.0, 100.0])
def test_whether_two_ellipsoids_touch_hangs_on_no_normal_of_before(flat: float) -> None:
    rng, scene, scaled, apart = np.random.default_rng(int(flat)), scene_along(), Scene(OUTSIDE), 0
    for _ in range(often(1500)):
        m = deep(scene, rng, flat)
        R = [scene.motion.R[n].reshape(3, 3) for n in range(2)]
        m = m * rng.uniform(0.2, 4.0)
        for one in (scene, scaled):
            for n in range(2):
                one.shape(n, scene.surfaces.semi[n].copy())
                one.place(n, n * m, R[n])
        scaled.contacts.workspace.warm[:] = 0.0
        touches = scaled.find()[DEPTH] > 0.0
        apart += not touches
        before = DIRECTIONS[rng.integers(len(DIRECTIONS))]
        for is_followed in (0.0, 1.0):
            scene.contacts.workspace.warm[0, :3], scene.contacts.workspace.warm[0, WARM_LENGTH] = (
                before,
                is_followed,
            )
            found = scene.find()
            assert (min(found[DEPTH], found[RIVAL]) > 0.0) == touches
            assert is_followed or (found[DEPTH] > 0.0) == touches
    assert apart > often(300)
