"""Depth along the common normal: its conditions, brute force, rates, and energy in motion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import DEPTH, NORMAL, OUTSIDE, POINT, RATE
from solver.engine.forces.contacts.normals import WARM_LENGTH
from tests.engine.test_contacts import FREE, function, run
from tests.engine.test_meeting import scattered
from tests.engine.test_touching import Scene, turned
from tests.exploring import often
from tests.models import base

TILT = [0.44, 0.17, -0.26]


def scene_along() -> Scene:
    scene = Scene(OUTSIDE)
    scene.contacts.model.normal[0] = 1
    return scene


def off_by(scene: Scene, found: Array, m: Array) -> float:
    """Give by how much the deepest points fail to lie on their bodies, with the normal in common."""
    n, worst = -found[NORMAL : NORMAL + 3], 0.0
    middle = found[POINT : POINT + 3]
    for k, centre, sign in ((0, np.zeros(3), 1.0), (1, m, -1.0)):
        R, semi, p = (
            scene.motion.R[k].reshape(3, 3),
            scene.surfaces.semi[k],
            scene.surfaces.power[k],
        )
        own = R.T @ (middle + 0.5 * sign * found[DEPTH] * n - centre) / semi
        gradient = R @ (p * np.abs(own) ** (p - 1.0) * np.sign(own) / semi)
        gradient /= sign * np.linalg.norm(gradient)
        worst = max(worst, abs(np.sum(np.abs(own) ** p) - 1.0), float(np.abs(gradient - n).max()))
    return worst


def test_spheres_overlap_by_their_radii() -> None:
    rng, scene = np.random.default_rng(0), scene_along()
    for _ in range(100):
        a, b = rng.uniform(0.05, 0.5, 2)
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        d = rng.uniform(0.1, 0.99) * (a + b)
        scene.shape(0, np.full(3, a))
        scene.shape(1, np.full(3, b))
        scene.place(1, d * way, turned(rng))
        found = scene.find()
        assert found[DEPTH] == pytest.approx(a + b - d, abs=1e-12)
        assert found[POINT : POINT + 3] == pytest.approx(0.5 * (a - b + d) * way, abs=1e-9)


@pytest.mark.seeded
def test_deepest_points_share_a_normal_and_are_the_way_out() -> None:
    rng, scene = np.random.default_rng(1), scene_along()
    met = reached = 0
    for _ in range(often(1500)):
        scene.contacts.workspace.warm[:] = 0.0
        m = scattered(scene, rng, 10.0)
        found = scene.find()
        if found[DEPTH] <= 0.0:
            continue
        met += 1
        # where it is too deep for the normal to be reached, there is a depth all the same
        if scene.contacts.workspace.warm[0, WARM_LENGTH] > 0.0:
            reached += 1
            assert off_by(scene, found, m) < 1e-6
    assert met > often(500)
    assert reached > 0.8 * met


@pytest.mark.seeded
def test_where_surfaces_overlap_a_little_no_direction_leads_out_sooner() -> None:
    rng, scene, met = np.random.default_rng(3), scene_along(), 0
    while met < often(25):
        scene.contacts.workspace.warm[:] = 0.0
        m = scattered(scene, rng, 3.0)
        scene.contacts.model.normal[0] = 0
        deep = scene.find()[DEPTH]
        if deep <= 0.0:
            continue
        scene.contacts.model.normal[0] = 1
        # apart along the line of centres, but for a hundredth
        m *= 0.99 * (1.0 + deep / np.linalg.norm(m))
        scene.place(1, m, scene.motion.R[1].reshape(3, 3))
        scene.contacts.workspace.warm[:] = 0.0
        found = scene.find()
        met += 1

        def out(way: Array, m: Array = m) -> float:
            n = way / np.linalg.norm(way)
            return sum(_support(scene, k, n) for k in range(2)) - float(n @ m)

        best = minimize(out, m, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13})
        assert 0.0 < found[DEPTH] < best.fun + 1e-8


def _support(scene: Scene, k: int, n: Array) -> float:
    """Give how far a body reaches along a direction, by the root of the multiplier."""
    semi, p = scene.surfaces.semi[k], scene.surfaces.power[k]
    u = np.abs(scene.motion.R[k].reshape(3, 3).T @ n)
    rows = list(zip(semi * u, p.tolist(), strict=True))

    def over(log: float) -> float:
        return (
            sum((math.exp(log) * reach / power) ** (power / (power - 1.0)) for reach, power in rows)
            - 1.0
        )

    x = math.exp(brentq(over, -200.0, 200.0, xtol=1e-15))
    return float(u @ (semi * (x * semi * u / p) ** (1.0 / (p - 1.0))))


def test_depth_grows_as_fast_as_bodies_approach_along_the_normal() -> None:
    rng, scene, seen = np.random.default_rng(2), scene_along(), 0
    while seen < 150:
        scene.contacts.workspace.warm[:] = 0.0
        m = scattered(scene, rng, 3.0)
        speeds = rng.normal(size=(4, 3))
        R = [scene.motion.R[k].reshape(3, 3).copy() for k in range(2)]
        for k in range(2):
            scene.place(k, k * m, R[k], speeds[k], speeds[2 + k])
        found = scene.find()
        if found[DEPTH] <= 0.0 or scene.contacts.workspace.warm[0, WARM_LENGTH] == 0.0:
            continue
        depths = []
        for h in (-1e-6, 1e-6):
            for k in range(2):
                turn = Rotation.from_rotvec(h * speeds[2 + k]).as_matrix()
                scene.place(k, k * m + h * speeds[k], turn @ R[k], speeds[k], speeds[2 + k])
            depths.append(scene.find()[DEPTH])
        seen += 1
        assert found[RATE] == pytest.approx((depths[1] - depths[0]) / 2e-6, abs=1e-4)


def glanced(depth: str) -> tuple[Array, float]:
    """Let two bodies glance off each other, elastic and without friction: what the way of measuring the depth
    adds to the law's work, and the energy at first."""
    data = base(
        segments=[
            {"id": id_, "mass_kg": 2.0, "inertia_kgm2": [0.01, 0.02, 0.015],
             "surfaces": [{"id": "skin", "kind": "hyperellipsoid", "powers": powers,
                           "semi_axes_m": [0.25, 0.1, 0.12]}]}
            for id_, powers in (("one", [2.0, 2.0, 2.0]), ("two", [3.0, 4.0, 2.5]))
        ],
        functions=[function("line", [0.0, 1.0], [0.0, 2e4])],
        contact_laws=[{"id": "law", "kind": "hysteretic", "base": "line"}],
        contacts=[{"id": "pair", "kind": "surfaces", "law": "law", "depth": depth,
                   "first": {"segment": "one", "surface": "skin"},
                   "second": {"segment": "two", "surface": "skin"}}],
        initial={"roots": [
            {"segment": "one", "velocity_m_per_s": [4.0, -3.0, 0.5]},
            {"segment": "two", "position_m": [0.35, -0.16, 0.02]},
        ], "attitudes": [{"segment": "two", "orientation": {"angles_rad": TILT}}]},
    )  # fmt: skip
    out = run(data | FREE, 0.12)
    force = np.linalg.norm(out.table("contacts")["force"][:, 0], axis=1)
    # they have met, and have parted again
    assert np.max(force) > 100.0
    assert force[0] == force[-1] == 0.0
    energy = out.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-6 * energy["kinetic"][0]
    change = energy["kinetic"][-1] - energy["kinetic"][0]
    made = energy["work_of_contact_geometry"]
    assert made[-1] == pytest.approx(change, abs=1e-6)
    # the law itself gives all back
    assert np.max(np.abs(energy["lost_in_contacts"])) < 1e-6 * energy["kinetic"][0]
    return made, float(energy["kinetic"][0])


def test_a_glancing_elastic_hit_keeps_its_energy_along_the_normal() -> None:
    made, at_first = glanced("normal")
    # also at every moment of the hit: the force is the gradient of what is held
    assert np.max(np.abs(made)) < 1e-6 * at_first


def test_along_the_centres_it_need_not() -> None:
    made, at_first = glanced("centres")
    assert abs(made[-1]) > 1e-3 * at_first
