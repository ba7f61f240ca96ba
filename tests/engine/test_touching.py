"""Depth, point and normal of pairs, against brute force and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import DEPTH, INSIDE, NORMAL, ON_PLANE, OUTSIDE, POINT
from solver.engine.forces.contacts.hyper import FLAT_FACE
from tests.balls_and_floors import ball, run
from tests.engine.touching_scene import Scene, turned
from tests.exploring import often


def shape_of(scene: Scene, n: int) -> Array:
    """Give Q = A^-1, ground axes."""
    R = scene.motion.R[n].reshape(3, 3)
    return R @ np.diag(scene.surfaces.semi[n] ** 2) @ R.T


def farthest(scene: Scene, n: int, way: Array) -> Array:
    """Give the point of an ellipsoid farthest along a direction, from its centre."""
    R, semi = scene.motion.R[n].reshape(3, 3), scene.surfaces.semi[n]
    scaled = semi * (R.T @ way)
    out: Array = R @ (semi * scaled / np.linalg.norm(scaled))
    return out


def scale_by_search(P: Array, Q: Array, m: Array) -> float:
    """Give the largest of n . m / (h_P + h_Q) over directions, by brute force."""

    def miss(n: Array) -> tuple[float, Array]:
        p, q = math.sqrt(n @ P @ n), math.sqrt(n @ Q @ n)
        reach = P @ n / p + Q @ n / q
        return float(-(n @ m) / (p + q)), (n @ m * reach / (p + q) - m) / (p + q)

    best = min(
        (minimize(miss, start, jac=True, method="BFGS", options={"gtol": 1e-13})
         for start in (m, np.linalg.solve(P + Q, m))),
        key=lambda r: r.fun,
    )  # fmt: skip
    return float(-best.fun)


@pytest.mark.seeded
@pytest.mark.parametrize("ratio", [1.0, 30.0, 1000.0])
def test_pairs_touch_where_a_search_over_directions_says(ratio: float) -> None:
    rng = np.random.default_rng(int(ratio))
    scene = Scene(OUTSIDE)
    for _ in range(often(150)):
        scene.shape(0, rng.uniform(0.05, 0.3, 3))
        scene.shape(1, rng.uniform(0.05, 0.3, 3) * ratio)
        scene.place(0, np.zeros(3), turned(rng))
        m = rng.normal(size=3)
        m *= rng.uniform(0.05, 1.0) * np.max(scene.surfaces.semi) / np.linalg.norm(m)
        scene.place(1, m, turned(rng))
        scene.contacts.workspace.warm[:] = 0.0
        found = scene.find()
        e = scale_by_search(shape_of(scene, 0), shape_of(scene, 1), m)
        depth = (1.0 / e - 1.0) * np.linalg.norm(m)
        if scene.surfaces.reach.sum() > np.linalg.norm(m):
            assert found[DEPTH] == pytest.approx(depth, rel=1e-7, abs=1e-9 * ratio)


@pytest.mark.seeded
def test_thousands_of_pairs_satisfy_the_conditions_of_the_point_of_contact() -> None:
    rng = np.random.default_rng(7)
    scene = Scene(OUTSIDE)
    for _ in range(often(10_000)):
        spread = 10.0 ** rng.uniform(-3, 0, (2, 3))
        scene.shape(0, spread[0])
        scene.shape(1, spread[1])
        scene.place(0, rng.normal(size=3), turned(rng))
        away = rng.normal(size=3)
        size = scene.surfaces.reach.sum() * 10.0 ** rng.uniform(-6, 0)
        m = away * size / np.linalg.norm(away)
        scene.place(1, scene.motion.p[0] + m, turned(rng))
        # along the normal of before this pair may be seen to be apart
        quick = scene.find()[DEPTH]
        scene.contacts.workspace.warm[0, :3] = 0.0
        # whatever was found before is the start of the search
        found = scene.find()
        assert np.sign(quick) == np.sign(found[DEPTH])
        if found[DEPTH] == pytest.approx(scene.surfaces.reach.sum() - size):
            continue
        n, x = -found[NORMAL : NORMAL + 3], found[POINT : POINT + 3]
        e = size / (found[DEPTH] + size)
        ours, theirs = (farthest(scene, k, s * n) for k, s in ((0, 1.0), (1, -1.0)))
        # the same point lies on both scaled bodies, where their normals are opposite
        far = 1e-7 * e * scene.surfaces.reach.max()
        assert np.linalg.norm(e * ours - m - e * theirs) < far
        assert np.linalg.norm(scene.motion.p[0] + e * ours - x) < far


def test_spheres_overlap_by_their_radii_outside_and_inside() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        a, b = rng.uniform(0.05, 0.5), rng.uniform(0.6, 2.0)
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        outside, inside = Scene(OUTSIDE), Scene(INSIDE)
        for scene in (outside, inside):
            scene.shape(0, np.full(3, a))
            scene.shape(1, np.full(3, b))
        d = rng.uniform(0.1, 1.0) * (a + b)
        outside.place(1, d * way, turned(rng))
        found = outside.find()
        assert found[DEPTH] == pytest.approx(a + b - d, abs=1e-12)
        assert found[NORMAL : NORMAL + 3] == pytest.approx(-way, abs=1e-9)
        # on the line of centres, in the ratio of the radii
        assert found[POINT : POINT + 3] == pytest.approx(d * a / (a + b) * way, abs=1e-9)
        d = b - a + rng.uniform(-0.04, 0.3)
        inside.place(0, d * way, turned(rng))
        inside.place(1, np.zeros(3), turned(rng))
        found = inside.find()
        assert found[DEPTH] == pytest.approx(a + d - b, abs=1e-9)
        if found[DEPTH] > 0.0:
            assert found[NORMAL : NORMAL + 3] == pytest.approx(-way, abs=1e-7)


@pytest.mark.seeded
def test_an_inner_ellipsoid_meets_the_conditions_of_the_seed() -> None:
    rng = np.random.default_rng(2)
    scene, met = Scene(INSIDE), 0
    for _ in range(often(3000)):
        scene.shape(0, rng.uniform(0.02, 0.3, 3))
        scene.shape(1, rng.uniform(0.3, 1.0, 3))
        scene.place(0, rng.normal(size=3) * 0.3, turned(rng))
        scene.place(1, np.zeros(3), turned(rng))
        found = scene.find()
        n, x = -found[NORMAL : NORMAL + 3], found[POINT : POINT + 3]
        p = scene.motion.p[0]
        reach = np.linalg.norm(p) + scene.surfaces.reach[0] - scene.surfaces.semi[1].min()
        if reach < 0.0:
            continue
        P, Q = shape_of(scene, 0), shape_of(scene, 1)
        e = n @ (x - p) / math.sqrt(n @ P @ n)
        # the inner one scaled by e and the outer one by 1 / e have the point and the normal in common
        assert np.linalg.norm(x - p - e * P @ n / math.sqrt(n @ P @ n)) < 1e-8
        assert np.linalg.norm(x - Q @ n / math.sqrt(n @ Q @ n) / e) < 1e-6
        on_inner, on_outer = p + (x - p) / e, e * x
        sign = 1.0 if e < 1.0 else -1.0
        assert found[DEPTH] == pytest.approx(sign * np.linalg.norm(on_inner - on_outer), abs=1e-6)
        met += found[DEPTH] > 0.0
    assert met > often(300)


def test_an_inner_ellipsoid_that_fits_nowhere_is_met_on_one_of_two_sides() -> None:
    scene = Scene(INSIDE)
    scene.shape(0, np.array([0.5, 0.1, 0.1]))
    scene.shape(1, np.array([0.4, 0.4, 0.4]))
    scene.place(1, np.zeros(3), np.eye(3))
    found = scene.find()
    # 0.5 s = 0.4 / s at the long ends
    assert found[DEPTH] == pytest.approx(0.1, abs=1e-6)
    assert abs(found[NORMAL]) == pytest.approx(1.0, abs=1e-6)


def test_one_centre_in_the_other_is_no_failure() -> None:
    for power in (None, np.array([4.0, 4.0, 4.0])):
        scene = Scene(OUTSIDE)
        scene.shape(0, np.array([0.3, 0.2, 0.1]), power)
        found = scene.find()
        assert np.linalg.norm(found[NORMAL : NORMAL + 3]) == pytest.approx(1.0)
        assert 0.1 < found[DEPTH] < 1.4


@pytest.mark.seeded
def test_a_plane_is_met_at_the_deepest_point() -> None:
    rng = np.random.default_rng(3)
    for power in (None, np.array([4.0, 4.0, 4.0]), np.array([2.0, 7.0, 30.0])):
        scene = Scene(ON_PLANE)
        scene.span(np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))
        scene.place(1, rng.normal(size=3), turned(rng))
        up = scene.motion.R[1].reshape(3, 3)[:, 2]
        for _ in range(often(100)):
            semi = rng.uniform(0.05, 0.4, 3)
            scene.shape(0, semi, power)
            R = turned(rng)
            height = rng.uniform(-0.1, 0.3)
            scene.place(0, scene.motion.p[1] + height * up + np.cross(up, rng.normal(size=3)), R)
            found = scene.find()
            # the support by Lagrange: a search over points of the surface
            p = np.full(3, 2.0) if power is None else power
            u = R.T @ up
            best = _support(semi, p, u)
            if found[DEPTH] <= 0.0:
                assert best - height < 1e-9 or scene.surfaces.reach[0] < height
                continue
            x = R.T @ (found[POINT : POINT + 3] - scene.motion.p[0])
            if power is None:
                assert found[DEPTH] == pytest.approx(best - height, abs=1e-9)
                assert np.sum((x / semi) ** 2) == pytest.approx(1.0, abs=1e-9)
                continue
            # faces are not quite flat: a support all the same, and its gradient
            assert -1e-9 < found[DEPTH] - (best - height) < FLAT_FACE * np.sum(semi)
            assert -(x @ u) == pytest.approx(_rounded(semi, p, -u), abs=1e-9)
            for way in np.linalg.svd(u[None, :])[2][1:]:
                ahead, behind = (_rounded(semi, p, -u + step * way) for step in (1e-6, -1e-6))
                assert x @ way == pytest.approx((ahead - behind) / 2e-6, abs=1e-4)


def _rounded(semi: Array, p: Array, n: Array) -> float:
    """Give the support of a body whose faces are not quite flat."""
    return _support(semi, p, np.sqrt(n * n + FLAT_FACE**2 * (n @ n)))


def _support(semi: Array, p: Array, u: Array) -> float:
    """Give the support of a hyperellipsoid by solving for the multiplier with bisection."""

    def total(log_l: float) -> float:
        return float(np.sum((math.exp(log_l) * semi * np.abs(u) / p) ** (p / (p - 1.0))))

    low, high = -200.0, 200.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if total(middle) < 1.0 else (low, middle)
    x = semi * (math.exp(low) * semi * np.abs(u) / p) ** (1.0 / (p - 1.0))
    return float(x @ np.abs(u))


def test_hyperellipsoids_touch_where_planes_between_them_say() -> None:
    rng = np.random.default_rng(4)
    scene = Scene(OUTSIDE)
    for _ in range(300):
        powers = rng.choice([2.0, 3.0, 4.0, 10.0], 2)
        semis = rng.uniform(0.05, 0.4, (2, 3))
        for n in range(2):
            scene.shape(n, semis[n], np.full(3, powers[n]))
        scene.place(0, np.zeros(3), turned(rng))
        m = rng.normal(size=3)
        m *= rng.uniform(0.1, 0.8) / np.linalg.norm(m)
        scene.place(1, m, turned(rng))
        # along the normal of the last pair this one may be seen to be apart
        quick = scene.find()[DEPTH]
        scene.contacts.workspace.warm[:] = 0.0
        found = scene.find()
        assert np.sign(quick) == np.sign(found[DEPTH])
        if not np.any(found[NORMAL : NORMAL + 3]) or found[DEPTH] == pytest.approx(
            scene.surfaces.reach.sum() - np.linalg.norm(m)
        ):
            continue
        n = -found[NORMAL : NORMAL + 3]
        R0, R1 = (scene.motion.R[k].reshape(3, 3) for k in range(2))

        def ratio(n: Array) -> Array:
            """Give n . m / (h_0 + h_1); a body of one power is a ball of its norm, h of the dual one."""
            h = np.zeros(n.shape[:-1])
            for R, semi, p in ((R0, semis[0], powers[0]), (R1, semis[1], powers[1])):  # noqa: B023
                q = p / (p - 1.0)
                h += np.sum(np.abs(n @ R * semi) ** q, axis=-1) ** (1.0 / q)
            return np.asarray(n @ m / h)  # noqa: B023

        e = float(ratio(n))
        assert found[DEPTH] == pytest.approx((1.0 / e - 1.0) * np.linalg.norm(m), abs=1e-9)
        # no other direction keeps them farther apart
        others = n + rng.normal(size=(60, 3)) * 10.0 ** rng.uniform(-4, 0, (60, 1))
        others /= np.linalg.norm(others, axis=1)[:, None]
        assert np.max(ratio(others)) < e + 1e-10
        # the point lies on both, scaled by e
        x = found[POINT : POINT + 3]
        for centre, R, semi, p in (
            (np.zeros(3), R0, semis[0], powers[0]),
            (m, R1, semis[1], powers[1]),
        ):
            own = R.T @ (x - centre) / (e * semi)
            assert np.sum(np.abs(own) ** p) == pytest.approx(1.0, abs=1e-5)


def test_hyperellipsoids_of_power_two_are_ellipsoids() -> None:
    rng = np.random.default_rng(5)
    plain, hyper = Scene(OUTSIDE), Scene(OUTSIDE)
    for _ in range(200):
        R, m = (turned(rng), turned(rng)), rng.normal(size=3) * 0.2
        semis = rng.uniform(0.05, 0.4, (2, 3))
        for scene, power in ((plain, None), (hyper, np.full(3, 2.0))):
            for n in range(2):
                scene.shape(n, semis[n], power)
                scene.place(n, n * m, R[n])
        a, b = plain.find(), hyper.find()
        if np.any(a[NORMAL : NORMAL + 3]) and a[DEPTH] > 0.0:
            assert b[DEPTH] == pytest.approx(a[DEPTH], abs=1e-11)
            assert b[NORMAL : NORMAL + 3] == pytest.approx(a[NORMAL : NORMAL + 3], abs=1e-5)
            assert b[POINT : POINT + 3] == pytest.approx(a[POINT : POINT + 3], abs=1e-5)


@pytest.mark.parametrize("power", [4.0, 20.0, 50.0])
def test_a_box_comes_to_rest_in_few_steps_and_rocks_without_loss(power: float) -> None:
    """A face lies nearly flat: the point that presses does not jump from edge to edge."""
    semi, mass = [0.2, 0.15, 0.1], 10.0
    damped = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5, "damping_ns_per_m": 200.0}
    for law, tilt in (
        (damped | {"friction": 0.5}, 0.0),
        ({"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5}, 0.002),
    ):
        rests = 0.1 - mass * 9.81 / 1e5
        data = ball(law, 0.0, mass=mass, height=rests)
        box = data["segments"][0]
        box["surfaces"][0] |= {"kind": "hyperellipsoid", "semi_axes_m": semi, "powers": [power] * 3}
        box["inertia_kgm2"] = [mass / 3.0 * (sum(a * a for a in semi) - a * a) for a in semi]
        data["initial"]["attitudes"] = [
            {"segment": "ball", "orientation": {"angles_rad": [0.0, tilt, 0.0]}}
        ]
        data["gravity_m_per_s2"] = [0.0, 0.0, -9.81]
        out = run(data, 0.2, 1000.0)
        assert len(out.steps()["time"]) < 1500
        height = out.table("segments")["position"][-1, 0, 2]
        if tilt == 0.0:
            assert height == pytest.approx(rests, abs=4e-5)
        else:
            energy = out.table("energy")
            assert np.max(np.abs(energy["balance"])) < 1e-6
            assert np.max(np.abs(energy["lost_in_contacts"])) < 1e-6
            assert np.max(np.abs(energy["work_of_contact_geometry"])) < 1e-6
