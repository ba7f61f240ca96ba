"""What the checks measure at the start: reach, gaps, volumes, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.engine.maths.rotation import from_angles
from solver.project.checks.index import Index
from solver.project.checks.shapes import (
    Solid,
    gaps,
    gaps_between,
    radial_gap,
    shapes_of,
    support,
)
from solver.project.forms import samples, value_at
from solver.project.functions import Constant, Polynomial, Table, TwoRanges
from solver.project.geometry import Ellipsoid, Hyperellipsoid
from solver.project.inertia import volume
from tests.checks_model import changed

# the square of what is nearer to zero is not told from zero
numbers = st.floats(-1.0, 1.0).map(lambda x: x if abs(x) > 1e-100 else 0.0)
sizes = st.floats(0.05, 0.5)
angles = st.tuples(*[st.floats(-3.0, 3.0)] * 3)


def ball(radius: float, *centre: float) -> Solid:
    return solid_of((radius,) * 3, centre or (0.0, 0.0, 0.0))


def solid_of(semi_axes, centre=(0.0, 0.0, 0.0), turn=(0.0,) * 3, powers=(2.0,) * 3) -> Solid:
    reach = float(np.linalg.norm(semi_axes))
    R = from_angles(turn, "zyx")
    return Solid(np.array(centre), R, np.array(semi_axes), np.array(powers), reach)


@given(a=sizes, b=sizes, x=numbers, y=numbers, z=numbers)
@settings(deadline=None)
def test_gap_of_spheres_is_distance_less_radii(a, b, x, y, z) -> None:
    distance = math.hypot(x, y, z)
    (outside,) = gaps([ball(a)], [ball(b, x, y, z)], [False])
    (inside,) = gaps([ball(a)], [ball(b, x, y, z)], [True])
    assert outside == pytest.approx(distance - a - b, abs=1e-7)
    assert inside == pytest.approx(b - a - distance, abs=1e-7)


@given(
    axes=st.tuples(sizes, sizes, sizes), turn=angles, direction=st.tuples(numbers, numbers, numbers)
)
@settings(deadline=None)
def test_reach_is_that_of_the_furthest_point(axes, turn, direction) -> None:
    size = float(np.linalg.norm(direction))
    if size < 0.1:
        return
    n = np.array(direction) / size
    for powers in ((2.0, 2.0, 2.0), (4.0, 4.0, 4.0), (3.0, 5.0, 8.0)):
        body = solid_of(axes, turn=turn, powers=powers)
        reach = float(support(n[None, None, :], shapes_of([body]))[0, 0])
        rays = np.random.default_rng(1).normal(size=(400, 3)) * axes
        scale = _on_surface(rays, axes, powers)
        furthest = float(np.max((rays * scale[:, None]) @ (body.R_WE.T @ n)))
        assert furthest <= reach * (1.0 + 1e-9)
        assert furthest >= 0.8 * reach


def _on_surface(rays, axes, powers):
    low, high = np.zeros(len(rays)), np.full(len(rays), 50.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        inside = np.sum(np.abs(middle[:, None] * rays / axes) ** powers, axis=1) < 1.0
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


def test_equal_and_unequal_powers_agree() -> None:
    n = np.array([0.6, 0.0, 0.8])
    same = support(n[None, None, :], shapes_of([solid_of((0.1, 0.2, 0.3), powers=(4.0,) * 3)]))
    near = support(
        n[None, None, :], shapes_of([solid_of((0.1, 0.2, 0.3), powers=(4.0, 4.0, 4.0 + 1e-9))])
    )
    assert near == pytest.approx(same, rel=1e-6)


def test_gap_of_ellipsoids_end_to_end() -> None:
    a, b = solid_of((0.3, 0.1, 0.1)), solid_of((0.1, 0.1, 0.5), (0.7, 0.0, 0.0))
    (gap,) = gaps([a], [b], [False])
    assert gap == pytest.approx(0.3, abs=1e-9)


def test_the_sign_alone_is_that_of_the_whole_search() -> None:
    """Of pairs that all but touch, and of others; asked for alone it is found sooner."""
    rng, n = np.random.default_rng(4), 400
    first, second = (
        shapes_of([
            solid_of(rng.uniform(0.05, 0.3, 3), turn=rng.uniform(-3.0, 3.0, 3), powers=powers)
            for powers in rng.choice([(2.0,) * 3, (3.0, 5.0, 8.0), (20.0,) * 3], n)
        ])
        for _ in range(2)
    )  # fmt: skip
    outside = np.zeros(n, bool)
    r = rng.normal(size=(n, 3))
    r *= (rng.uniform(0.1, 0.6, n) / np.linalg.norm(r, axis=1))[:, None]
    for _ in range(3):
        # nearer or farther by the gap: a last one of some tenths of a millimetre is left
        gap = gaps_between(r, first, second, outside)
        r *= (1.0 - gap / np.linalg.norm(r, axis=1))[:, None]
    r *= (1.0 + 10.0 ** rng.uniform(-6.0, -1.0, n) * rng.choice([-1.0, 1.0], n))[:, None]
    whole = gaps_between(r, first, second, outside)
    assert 100 < np.sum(whole > 0.0) < 300
    assert np.array_equal(whole > 0.0, gaps_between(r, first, second, outside, sign_only=True) > 0.0)  # fmt: skip


def test_volumes() -> None:
    round_ = Ellipsoid(id="a", semi_axes_m=(1.0, 2.0, 3.0))
    assert volume(round_) == pytest.approx(8.0 * math.pi)
    boxy = Hyperellipsoid(id="b", semi_axes_m=(1.0, 2.0, 3.0), powers=(100.0, 100.0, 100.0))
    assert volume(boxy) == pytest.approx(48.0, rel=0.01)


def test_radial_gap_along_the_ray() -> None:
    round_ = Ellipsoid(id="a", semi_axes_m=(0.1, 0.2, 0.3), centre_m=(1.0, 0.0, 0.0))
    assert radial_gap(round_, np.eye(3), (1.0, 0.25, 0.0)) == pytest.approx(0.05)
    assert radial_gap(round_, np.eye(3), (1.0, 0.0, 0.2)) == pytest.approx(-0.1)
    assert radial_gap(round_, np.eye(3), (1.0, 0.0, 0.0)) == pytest.approx(-0.1)
    boxy = Hyperellipsoid(id="b", semi_axes_m=(0.1, 0.2, 0.3), powers=(4.0, 6.0, 8.0))
    assert radial_gap(boxy, np.eye(3), (0.0, 0.0, 0.4)) == pytest.approx(0.1)


def test_functions_at_their_ends_and_between() -> None:
    line = Table(x=(0.0, 1.0), y=(2.0, 4.0))
    assert [value_at(line, x) for x in (-1.0, 0.0, 0.5, 1.0, 9.0)] == [2.0, 2.0, 3.0, 4.0, 4.0]
    curve = Polynomial(coefficients=(1.0, 0.0, 2.0), x_min=-1.0, x_max=2.0)
    assert [value_at(curve, x) for x in (-5.0, 0.0, 1.0, 9.0)] == [3.0, 1.0, 3.0, 9.0]
    both = TwoRanges(split=0.5, first=line, second=Constant(value=7.0))
    assert [value_at(both, x) for x in (0.0, 0.5, 3.0)] == [2.0, 7.0, 7.0]
    assert value_at(Table(), 0.0) is None
    x, y = samples(both)
    assert (x.tolist(), y.tolist()) == ([0.0, 0.5, 0.5], [2.0, 7.0, 7.0]) or x.size >= 3


def test_the_index_walks_in_document_order_with_paths() -> None:
    index = Index(changed({}))
    paths = [ref.path for ref in index.refs]
    assert len(paths) == len(set(paths))
    assert "harnesses/harness/straps/shoulder/points/2/surface/segment" in paths
    assert "flexible_elements/spine/segments/1" in paths
    assert "airbags/bag/touches/0/segment" in paths
    assert index.root_of["head"] == "pelvis"
    assert Index(changed({"modal_bodies": []})).rigid_group["toe"] == "foot"
    # a node of a modal body moves with the shapes
    assert index.rigid_group["toe"] == "toe"
