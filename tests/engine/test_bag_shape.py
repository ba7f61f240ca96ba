"""Airbag contact: volumes and areas, shared volumes, inertia of the bag."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.spatial.transform import Rotation
from scipy.special import elliprg

from solver.engine.forces.airbags import shape
from tests.engine.ellipsoid_pairs import (
    DIRECTIONS,
    NEW,
    six,
    some_ellipsoid,
    some_pair,
    support,
    three,
)
from tests.exploring import often


def test_no_pose_fails() -> None:
    rng = np.random.default_rng(14)
    ball, flat = np.eye(3), np.diag([1.0, 1.0, 1e-6])
    for A, B in ((ball, ball), (flat, flat), (flat, ball), (ball, 1e-6 * flat), (flat, 1e6 * ball)):
        for m in (np.zeros(3), 1e-12 * np.ones(3), np.eye(3)[0], np.eye(3)[2], rng.normal(size=3)):
            for start in (NEW, (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)):
                got = shape.bag_contact(six(A), six(B), three(m), start)
                flatly = np.hstack([np.ravel(x) for x in got])
                assert np.isfinite(flatly).all()
                assert got.volume >= 0.0


def test_radii_of_curvature_are_those_of_the_surface() -> None:
    rng = np.random.default_rng(11)
    for _ in range(100):
        A, B = some_ellipsoid(rng, 1.0, 4.0), some_ellipsoid(rng, 0.3, 4.0)
        t = DIRECTIONS[rng.integers(len(DIRECTIONS))]
        along, *got = shape.curvature_planes(six(A), six(B), three(t))
        e = np.array(along)
        g = np.cross(t, e)
        assert abs(e @ t) < 1e-12
        assert np.linalg.norm(e) == pytest.approx(1.0)
        # curvature of x . Q^-1 x = 1 in a section through the normal: h e . Q^-1 e
        expected = [1 / (support(Q, t) * d @ np.linalg.solve(Q, d)) for d in (e, g) for Q in (A, B)]
        assert got == pytest.approx(expected, rel=1e-9)
        both = support(A, t) * np.linalg.inv(A) + support(B, t) * np.linalg.inv(B)
        assert abs(e @ both @ g) < 1e-9 * np.trace(both)


def test_the_planes_do_not_depend_on_the_axes() -> None:
    rng = np.random.default_rng(12)
    for _ in range(50):
        A, B, m = some_pair(rng, 3.0, 2.0)
        R = Rotation.random(rng=rng).as_matrix()
        one = shape.bag_contact(six(A), six(B), three(m), NEW)
        two = shape.bag_contact(six(R @ A @ R.T), six(R @ B @ R.T), three(R @ m), NEW)
        assert two.depth == pytest.approx(one.depth, abs=1e-10)
        assert two.volume == pytest.approx(one.volume, rel=1e-6, abs=1e-12)
        assert two.area == pytest.approx(one.area, rel=1e-6, abs=1e-12)


def dented(ra: float, rb: float, p: float) -> float:
    """Revolve the area between the bag's circle and the outline 1-2-...-7 of figure 7.10."""
    d = ra + rb - p
    f = math.acos(d / (ra + rb))
    r, side, high = (ra - rb) / 2, (ra + rb) / 2 * math.sin(f), d / 2

    def ring(y: float) -> float:
        """Give how high the bag reaches at a distance from the centre line."""
        if y < rb * math.sin(f):
            return d - math.sqrt(rb * rb - y * y)
        return high + math.sqrt(max(r * r - (y - side) ** 2, 0.0))

    def lost(y: float) -> float:
        return 2 * math.pi * y * (math.sqrt(max(ra * ra - y * y, 0.0)) - ring(y))

    inner, outer = rb * math.sin(f), ra * math.sin(f)
    return quad(lost, 0, inner, epsabs=1e-13)[0] + quad(lost, inner, outer, epsabs=1e-13)[0]


@given(rb=st.floats(0.02, 1.0), part=st.floats(0.01, 0.99), q=st.floats(0.0, 1.0))
def test_a_bag_wider_than_the_body_bulges_around_it(rb: float, part: float, q: float) -> None:
    ra = rb / part
    p = max(q, 0.01) * ra
    volume, alpha, _ = shape.revolved(ra, rb, p)
    s = ra + rb
    assert volume == pytest.approx(dented(ra, rb, p), rel=1e-6)
    assert alpha**2 == pytest.approx(s * s / 4 - ((s - p) / 2) ** 2, rel=1e-9)
    # the outline keeps its length (7.24)
    f = math.acos(1 - p / s)
    assert ra * f == pytest.approx((ra - rb) / 2 * 2 * f + rb * f)
    # as printed (7.29)
    c, r = s / 2, (ra - rb) / 2
    printed = (ra**3 + rb**3) * (p / s) ** 2 * (1 - p / s / 3) - alpha * r * r * (
        math.pi - 2 * math.asin(1 - p / s) - 2 * alpha / c * (1 - p / s)
    )
    assert volume == pytest.approx(math.pi * printed, rel=1e-6)


@given(ra=st.floats(0.02, 1.0), part=st.floats(0.01, 1.0), q=st.floats(0.001, 1.0))
def test_a_bag_narrower_than_the_body_gives_a_lens(ra: float, part: float, q: float) -> None:
    rb, p = ra / part, q * ra
    volume, alpha, swept = shape.revolved(ra, rb, p)
    d = ra + rb - p
    lens = math.pi * p * p * (d * d + 2 * d * (ra + rb) - 3 * (ra - rb) ** 2) / (12 * d)
    assert volume == pytest.approx(lens, rel=1e-6, abs=1e-15)
    beta = (ra * ra - rb * rb + d * d) / (2 * d)
    assert alpha**2 == pytest.approx(ra * ra - beta * beta, rel=1e-5, abs=1e-12)
    assert swept == pytest.approx(math.pi * alpha**2, rel=1e-9)


@given(ra=st.floats(0.05, 1.0), rb=st.floats(0.05, 1.0), q=st.floats(0.01, 1.9))
def test_the_volume_grows_as_it_says(ra: float, rb: float, q: float) -> None:
    p = q * ra
    if abs(p - ra) < 1e-3 * ra or abs(max(ra, p) - rb) < 1e-3 * rb:
        return
    h = 1e-5 * p
    up, down = shape.revolved(ra, rb, p + h), shape.revolved(ra, rb, p - h)
    swept = shape.revolved(ra, rb, p)[2]
    assert swept == pytest.approx((up[0] - down[0]) / (2 * h), rel=1e-5)
    assert swept > 0.0


@given(ra=st.floats(0.1, 1.0), part=st.floats(0.01, 1.0))
def test_the_printed_area_does_less_work_than_the_gas_gives(ra: float, part: float) -> None:
    # a fact to know: at first touch of a narrower body the pressure's work on the printed area
    # is 4/3 (1 - rA rB / (rA + rB)^2) times too small, from 4/3 for a point to 1 for equal radii
    rb = part * ra
    _, alpha, swept = shape.revolved(ra, rb, 1e-6 * rb)
    ratio = 4 / 3 * (1 - ra * rb / (ra + rb) ** 2)
    assert swept / (math.pi * alpha**2) == pytest.approx(ratio, rel=1e-5)


@pytest.mark.parametrize("p", [0.001, 0.3, 0.9])
def test_both_cases_meet_smoothly(p: float) -> None:
    r, h = 1.0, 1e-4
    for k in range(3):
        low, mid, high = (shape.revolved(x, r, p)[k] for x in (r - h, r, r + h))
        more, less = shape.revolved(r + 2 * h, r, p)[k], shape.revolved(r - 2 * h, r, p)[k]
        right, left = (4 * high - more - 3 * mid) / (2 * h), (3 * mid + less - 4 * low) / (2 * h)
        assert right == pytest.approx(left, rel=1e-5)


def test_depth_beyond_the_bags_radius_stands_in_for_it() -> None:
    for rb in (0.2, 3.0):
        deep, plain = shape.revolved(0.4, rb, 0.5), shape.revolved(0.5, rb, 0.5)
        assert deep[:2] == plain[:2]
        # the volume goes on without a jump, its slope does not: with it grows the radius
        before, after = shape.revolved(0.4, rb, 0.4 - 1e-12), shape.revolved(0.4, rb, 0.4 + 1e-12)
        assert after[:2] == pytest.approx(before[:2], rel=1e-9)
        assert after[2] > 1.01 * before[2]


def test_nothing_is_displaced_without_contact() -> None:
    A = six(np.eye(3))
    got = shape.bag_contact(A, A, (3.0, 0.0, 0.0), NEW)
    assert got.depth == pytest.approx(-1.0)
    assert (got.volume, got.area, got.swept) == (0.0, 0.0, 0.0)


def test_a_small_segment_loses_no_digits() -> None:
    for f in (1e-6, 1e-3, 0.1, 0.2999, 0.3001, 1.0):
        exact = quad(lambda x: 2 * math.sin(x) ** 2, 0.0, f, epsabs=0.0)[0]
        assert shape.segment_area(f) == pytest.approx(exact, rel=1e-13)


# --- several bodies


def test_shared_part_of_spheres_is_the_lens() -> None:
    for a, b, d in ((1.0, 0.5, 1.2), (1.0, 1.0, 0.3), (0.4, 1.3, 1.6), (1.0, 0.3, 0.5)):
        h = a + b - d
        lens = math.pi * h * h * (d * d + 2 * d * (a + b) - 3 * (a - b) ** 2) / (12 * d)
        small = 4 / 3 * math.pi * min(a, b) ** 3
        if d <= abs(a - b):
            lens = small
        M = np.array([[1.0, 0.4, 0.0], [0.0, 2.0, -0.3], [0.1, 0.0, 0.2]])
        # and what stretches out of them
        for T in (np.eye(3), M):
            A, B = a * a * T @ T.T, b * b * T @ T.T
            m = three(T @ np.array([d, 0.0, 0.0]))
            assert shape.shared_part(six(A), six(B), m) == pytest.approx(lens / small, rel=1e-7)


def test_apart_and_concentric() -> None:
    A, B = six(np.diag([1.0, 4.0, 9.0])), six(np.diag([0.1, 0.4, 0.9]))
    assert shape.shared_part(A, B, (0.0, 0.0, 10.0)) == 0.0
    assert shape.shared_part(A, B, (0.0, 0.0, 0.0)) == 1.0


def random_ball(rng: np.random.Generator, n: int) -> np.ndarray:
    x = rng.normal(size=(n, 3))
    return x / np.linalg.norm(x, axis=1)[:, None] * rng.uniform(size=(n, 1)) ** (1 / 3)


@pytest.mark.seeded
def test_bodies_inside_the_bag_are_not_counted_twice() -> None:
    """Compare with counted volumes: the error is a third of that of a plain sum."""
    rng = np.random.default_rng(3)
    ball = random_ball(rng, often(40_000))
    plain, ours = [], []
    for _ in range(250):
        semi = 0.3 * np.exp(rng.uniform(-0.4, 0.2, 3))
        A, points = np.diag(semi**2), ball * semi
        full = shape.bag_volume(*semi)
        n, regions = 0, np.zeros((5, shape.REGION))
        hit, mean = [], rng.normal(size=3)
        for _ in range(rng.integers(2, 6)):
            B = some_ellipsoid(rng, 0.2, 5.0)
            t = mean + rng.uniform(0.2, 1.2) * rng.normal(size=3)
            t /= np.linalg.norm(t)
            ha, hb = support(A, t), support(B, t)
            pen = rng.uniform(0.02, 1.0) * min(0.25, 2 * hb)
            m = (A @ t / ha + B @ t / hb) * (1 - pen / (ha + hb))
            inside = np.einsum("ij,jk,ik->i", points - m, np.linalg.inv(B), points - m) < 1
            if inside.mean() < 1e-3:
                continue
            contact = shape.bag_contact(six(A), six(B), three(m), NEW)
            # the rule alone is judged: each volume by itself is right
            shape.put_region(contact._replace(volume=inside.mean() * full), regions, n)
            hit.append(inside)
            n += 1
        if n < 2:
            continue
        union = float(np.any(hit, axis=0).mean()) * full
        single = regions[:n, 9]
        got = shape.displaced_volume(regions, n, full, np.zeros(n))
        assert max(single) * (1 - 1e-9) <= got <= sum(single) * (1 + 1e-9)
        plain.append(sum(single) / union - 1)
        ours.append(got / union - 1)
    rms = [math.sqrt(np.mean(np.square(x))) for x in (plain, ours)]
    assert len(ours) > 200
    assert rms[1] < 0.09
    assert rms[1] < 0.45 * rms[0]
    assert abs(np.mean(ours)) < 0.05


def test_equal_regions_count_once_and_the_bag_is_never_full() -> None:
    regions, best = np.zeros((6, shape.REGION)), np.zeros(6)
    A, B = six(np.diag([0.09, 0.06, 0.04])), six(np.diag([0.01, 0.02, 0.01]))
    contact = shape.bag_contact(A, B, (0.3, 0.05, 0.0), NEW)
    for k in range(6):
        shape.put_region(contact, regions, k)
    one = shape.displaced_volume(regions, 1, 0.06, best)
    assert one == pytest.approx(contact.volume)
    assert shape.displaced_volume(regions, 6, 0.06, best) == pytest.approx(one)
    assert shape.displaced_volume(regions, 0, 0.06, best) == 0.0
    for full in (1.5 * one, one, 0.3 * one):
        assert shape.displaced_volume(regions, 6, full, best) < full
    # it grows with every region, and comes back to the sum where they are apart
    regions[:, 0] += np.arange(6.0)
    assert shape.displaced_volume(regions, 6, 1.0, best) == pytest.approx(6 * one)


def test_displaced_volume_moves_steadily_and_knows_no_order() -> None:
    rng = np.random.default_rng(16)
    A, n = np.diag([0.09, 0.06, 0.05]), 4
    full, best = shape.bag_volume(0.3, 0.06**0.5, 0.05**0.5), np.zeros(n)
    for _ in range(20):
        bodies = [some_ellipsoid(rng, 0.15, 2.5) for _ in range(n)]
        t = np.array([1.0, 0.0, 0.0]) + 0.4 * rng.normal(size=(n, 3))
        t /= np.linalg.norm(t, axis=1)[:, None]
        normals, totals = [NEW] * n, []
        for x in np.linspace(1.25, 0.6, 400):
            regions = np.zeros((n, shape.REGION))
            for k, B in enumerate(bodies):
                m = x * (A @ t[k] / support(A, t[k]) + B @ t[k] / support(B, t[k]))
                contact = shape.bag_contact(six(A), six(B), three(m), normals[k])
                normals[k] = contact.normal
                shape.put_region(contact, regions, k)
            totals.append(shape.displaced_volume(regions, n, full, best))
            other = np.ascontiguousarray(regions[rng.permutation(n)])
            again = shape.displaced_volume(other, n, full, best)
            assert again == pytest.approx(totals[-1], rel=1e-9)
        assert np.abs(np.diff(totals)).max() < 0.02 * full
        assert totals[-1] > totals[0]
        assert max(totals) < full


def test_the_limit_bends_without_a_kink() -> None:
    x, h = shape.DISPLACED_FREELY, 1e-6
    slopes = [(shape.limited(x + s * h) - shape.limited(x)) / (s * h) for s in (1.0, -1.0)]
    assert slopes == pytest.approx([1.0, 1.0], abs=1e-5)
    parts = [shape.limited(v) for v in np.linspace(0.0, 5.0, 200)]
    assert (np.diff(parts) > 0.0).all()
    assert parts[-1] < 1.0


# --- the bag itself


def test_volume_of_the_bag() -> None:
    assert shape.bag_volume(0.3, 0.25, 0.2) == pytest.approx(4 / 3 * math.pi * 0.3 * 0.25 * 0.2)


def test_inertia_of_solid_and_shell() -> None:
    assert shape.solid_inertia(0.3, 0.2, 0.1) == pytest.approx((0.01, 0.02, 0.026))
    assert shape.shell_inertia(2.0, 2.0, 2.0)[:3] == pytest.approx((8 / 3,) * 3)
    for semi in ((0.3, 0.2, 0.1), (1.0, 1e-3, 0.5), (1e-3, 1e-3, 1.0), (2.0, 2.0, 1.0)):
        a, b, c = semi
        x, y, z, surface = shape.shell_inertia(a, b, c)
        exact = 4 * math.pi * elliprg((a * b) ** 2, (a * c) ** 2, (b * c) ** 2)
        assert surface == pytest.approx(exact, rel=1e-13)
        assert x + y > z > 0.0
    # moments over the sphere of directions, dS = abc sqrt(sum (u/a)^2) dO
    a, b, c = 0.3, 0.2, 0.1
    node, w = np.polynomial.legendre.leggauss(200)
    turn = np.arange(400) * math.pi / 200
    u = np.sqrt(1 - node**2)[:, None] * np.stack([np.cos(turn), np.sin(turn)])[:, None]
    u2 = np.stack([u[0] ** 2, u[1] ** 2, np.broadcast_to(node[:, None] ** 2, u[0].shape)])
    square = np.array([a * a, b * b, c * c])
    dS = w[:, None] * np.sqrt(np.einsum("i,ijk->jk", 1 / square, u2))
    m = square * np.einsum("ijk,jk->i", u2, dS) / dS.sum()
    expected = (m[1] + m[2], m[0] + m[2], m[0] + m[1])
    assert shape.shell_inertia(a, b, c)[:3] == pytest.approx(expected, rel=1e-10)


def test_area_and_volume_lose_no_digits_where_principal_directions_turn() -> None:
    """Second differences over a hundred-millionth of a metre are those of smooth functions, wherever the planes lie."""
    rng, worst = np.random.default_rng(8), 0.0
    A = np.diag(np.square((0.165, 0.3, 0.3)))
    for _ in range(60):
        # a head before a bag, turned about its neck, and hardly to the side
        pitch, roll = rng.uniform(-0.6, 0.6), rng.normal() * 1e-7
        c, s, d, t = math.cos(pitch), math.sin(pitch), math.cos(roll), math.sin(roll)
        R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]) @ np.array(
            [[1.0, 0.0, 0.0], [0.0, d, -t], [0.0, t, d]]
        )
        B = R @ np.diag(np.square((0.0915, 0.071, 0.1015))) @ R.T
        m = (-0.2, rng.normal() * 1e-8, rng.uniform(-0.1, 0.1))
        found = [
            shape.bag_contact(six(A), six(B), (m[0] + e, m[1], m[2]), NEW)
            for e in (-1e-8, 0.0, 1e-8)
        ]
        for name in ("area", "volume"):
            one, two, three_ = (getattr(f, name) for f in found)
            worst = max(worst, abs(one - 2.0 * two + three_))
    assert worst < 1e-13
