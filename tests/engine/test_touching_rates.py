"""Rates, edges and work of contacts, against finite differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import (
    DEPTH,
    INSIDE,
    MARGIN,
    ON_PLANE,
    OUTSIDE,
    RATE,
    SPEED,
)
from solver.engine.forces.contacts.edges import FADE, NO_EDGES, SHARP, disk_in_quadrangle
from solver.engine.maths.curve import constant, joined
from tests.engine.touching_scene import Scene, turned

CASES = [
    (OUTSIDE, NO_EDGES, None),
    (OUTSIDE, NO_EDGES, np.array([4.0, 4.0, 4.0])),
    (INSIDE, NO_EDGES, None),
    (ON_PLANE, NO_EDGES, None),
    (ON_PLANE, FADE, None),
    (ON_PLANE, NO_EDGES, np.array([3.0, 3.0, 8.0])),
    (ON_PLANE, FADE, np.array([3.0, 3.0, 8.0])),
]


@pytest.mark.parametrize(("kind", "edge", "power"), CASES)
def test_the_rate_is_that_of_the_depth(kind: int, edge: int, power: Array | None) -> None:
    rng = np.random.default_rng(6)
    scene, seen = Scene(kind, edge, ratio=0.5), 0
    scene.span(np.array([-0.2, -0.2, 0]), np.array([0.5, 0.1, 0]), np.array([0.1, 0.4, 0]))
    for _ in range(300):
        scene.shape(0, rng.uniform(0.1, 0.3, 3), power)
        scene.shape(1, rng.uniform(0.1, 0.3, 3) * (3.0 if kind == INSIDE else 1.0), power)
        scene.place(
            0, rng.normal(size=3) * 0.3, turned(rng), rng.normal(size=3), rng.normal(size=3)
        )
        scene.place(1, np.zeros(3), turned(rng), rng.normal(size=3), rng.normal(size=3))
        found = scene.find()
        if found[DEPTH] <= 1e-4 or found[MARGIN] <= 0.0:
            continue
        seen += 1
        h = 1e-6
        scene.moved(h)
        after = scene.find()[DEPTH]
        scene.moved(-2.0 * h)
        before = scene.find()[DEPTH]
        assert found[RATE] == pytest.approx((after - before) / (2.0 * h), abs=3e-4)
        scene.moved(h)
    assert seen > 25


@pytest.mark.parametrize("power", [None, np.array([6.0, 6.0, 6.0])])
def test_over_an_edge_the_depth_fades_to_nothing_and_far_from_it_nothing_changes(
    power: Array | None,
) -> None:
    rng = np.random.default_rng(8)
    fade, plain = Scene(ON_PLANE, FADE), Scene(ON_PLANE)
    for scene in (fade, plain):
        scene.span(np.array([0.0, -5.0, 0]), np.array([10.0, 0, 0]), np.array([0.0, 10.0, 0]))
        scene.shape(0, np.array([0.3, 0.2, 0.1]), power)
    R = turned(rng)
    depths = []
    for x in np.linspace(0.6, -0.6, 2001):
        for scene in (fade, plain):
            scene.place(0, np.array([x, 0.0, 0.1]), R)
        a, b = fade.find(), plain.find()
        depths.append(a[DEPTH])
        if x > 0.45:
            assert a[:9] == pytest.approx(b[:9], abs=1e-14)
    assert depths[-1] < 0.0
    steps = np.diff(np.maximum(depths, 0.0))
    # it falls steadily, without a jump
    assert np.all(steps < 1e-12)
    assert np.max(np.abs(steps)) < 20.0 * depths[0] / 2000


@pytest.mark.parametrize("height", [0.08, 0.0, -0.03, -0.08])
@pytest.mark.parametrize("power", [None, np.array([6.0, 6.0, 6.0])])
def test_what_comes_over_an_edge_from_the_side_or_from_behind_begins_with_nothing(
    height: float, power: Array | None
) -> None:
    """Also where its surface bulges below the plane: the depth begins at zero, and has all its digits."""
    rng = np.random.default_rng(11)
    scene = Scene(ON_PLANE, FADE)
    scene.span(np.array([0.0, -5.0, 0]), np.array([10.0, 0, 0]), np.array([0.0, 10.0, 0]))
    scene.shape(0, np.array([0.3, 0.2, 0.1]), power)
    for _ in range(5):
        R = turned(rng)

        def depth(x: float, R: Array = R) -> float:
            scene.place(0, np.array([x, 0.0, height]), R)
            return float(scene.find()[DEPTH])

        ways = np.linspace(-0.7, 0.6, 1301)
        depths = np.array([depth(x) for x in ways])
        assert np.max(np.abs(np.diff(np.maximum(depths, 0.0)))) < 0.01
        low, high = -0.7, float(ways[np.argmax(depths > 0.0)])
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if depth(middle) > 0.0 else (middle, high)
        for step in (1e-11, 1e-10, 1e-9, 1e-8, 1e-7):
            # from there on it grows as evenly as the way goes on
            grown = np.array([depth(high + n * step) for n in range(1, 6)])
            assert np.all(grown > 0.0)
            assert np.diff(grown) == pytest.approx(np.full(4, grown[-1] / 5), rel=0.05, abs=1e-14)


def test_a_sliver_of_a_disk_has_all_its_digits() -> None:
    """Area, and how far its centroid lies inside the rim, by the series of a narrow cap."""
    out = np.zeros(5)
    for off in (1e-3, 1e-6, 1e-9, 1e-12):
        edge = 1.0 - off
        half = 2.0 * math.asin(math.sqrt(0.5 * (1.0 - edge)))
        x = half * half
        area = half**3 * (2 / 3 - x * 2 / 15 + x * x * 4 / 315)
        outward = half**5 * (2 / 15 - x * 11 / 315 + x * x * 17 / 3780) / area
        inside = 2.0 * math.sin(0.5 * half) ** 2 - outward
        quadrangle = np.array([[edge, -3.0], [5.0, -3.0], [5.0, 3.0], [edge, 3.0]])
        for one in (quadrangle, quadrangle[::-1].copy()):
            disk_in_quadrangle(one, out)
            assert out[0] == pytest.approx(area, rel=1e-7)
            assert out[4] == pytest.approx(inside * (2.0 - inside), rel=1e-7)


def test_sharp_edges_and_the_back_of_a_plane_leave_a_margin() -> None:
    scene = Scene(ON_PLANE, SHARP)
    scene.span(np.zeros(3), np.array([1.0, 0, 0]), np.array([0.5, 1.0, 0]))
    scene.shape(0, np.full(3, 0.1))
    for x, inside in ((0.5, True), (0.2, False), (1.3, False), (0.3, True)):
        scene.place(0, np.array([x, 0.5, 0.05]), np.eye(3))
        assert (scene.find()[MARGIN] > 0.0) == inside
    scene = Scene(ON_PLANE)
    scene.span(np.zeros(3), np.array([1.0, 0, 0]), np.array([0.0, 1.0, 0]))
    scene.shape(0, np.full(3, 0.1))
    scene.place(0, np.array([0.5, 0.5, -0.15]), np.eye(3))
    assert scene.find()[MARGIN] == pytest.approx(-0.05)


def test_the_overlap_of_a_disk_and_a_quadrangle_is_that_of_a_count() -> None:
    rng = np.random.default_rng(9)
    grid = (np.arange(1200) + 0.5) / 600.0 - 1.0
    X, Y = np.meshgrid(grid, grid)
    disk = X**2 + Y**2 < 1.0
    out = np.zeros(5)
    for _ in range(40):
        corner, one, two = rng.normal(size=2), rng.normal(size=2) * 1.5, rng.normal(size=2) * 1.5
        quadrangle = np.array([corner, corner + one, corner + one + two, corner + two])
        det = one[0] * two[1] - one[1] * two[0]
        a = ((X - corner[0]) * two[1] - (Y - corner[1]) * two[0]) / det
        b = (one[0] * (Y - corner[1]) - one[1] * (X - corner[0])) / det
        both = disk & (a > 0) & (a < 1) & (b > 0) & (b < 1)
        disk_in_quadrangle(quadrangle, out)
        assert out[0] == pytest.approx(both.sum() / 600.0**2, abs=3e-3)
        if both.sum() > 20_000:
            assert out[1] == pytest.approx(X[both].mean(), abs=3e-3)
            assert out[2] == pytest.approx(Y[both].mean(), abs=3e-3)


@pytest.mark.parametrize("kind", [OUTSIDE, INSIDE, ON_PLANE])
def test_forces_and_torques_do_the_work_that_is_booked(kind: int) -> None:
    rng = np.random.default_rng(10)
    scene, pressed = Scene(kind, ratio=0.3), 0
    scene.curves = joined([constant(0.6)])
    scene.laws.curve[0, 4] = 0
    scene.span(np.array([-1.0, -1.0, 0]), np.array([2.0, 0, 0]), np.array([0, 2.0, 0]))
    for _ in range(100):
        scene.shape(0, rng.uniform(0.1, 0.3, 3))
        scene.shape(1, rng.uniform(0.1, 0.3, 3) * (3.0 if kind == INSIDE else 1.0))
        scene.place(
            0, rng.normal(size=3) * 0.2, turned(rng), rng.normal(size=3), rng.normal(size=3)
        )
        scene.place(1, np.zeros(3), turned(rng), rng.normal(size=3), rng.normal(size=3))
        scene.find()
        power = np.sum(scene.force * scene.motion.v) + np.sum(scene.torque * scene.motion.w)
        assert power == pytest.approx(scene.sums[1] + scene.sums[2], abs=1e-9)
        assert scene.sums[2] <= 0.0
        # action and reaction, about the ground's origin
        assert scene.force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
        both = scene.torque + np.cross(scene.motion.p, scene.force)
        assert both.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
        pressed += np.any(scene.force)
        speed = scene.contacts.workspace.touch.found[SPEED : SPEED + 3]
        assert np.all(np.isfinite(speed))
    assert pressed > 10
