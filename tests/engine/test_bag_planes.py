"""Airbags on planes: the cap that a plane cuts off, what it does in motion, and where a body has gone through a bag."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.engine.forces.airbags import shape
from solver.engine.forces.airbags.shape import flat_contact
from solver.project.pose import full_bag, panel_segments
from solver.project.references import without
from tests.engine.ellipsoid_pairs import NEW, six, some_ellipsoid, three
from tests.engine.test_airbags import bag, gas_is_kept
from tests.engine.test_contacts import run
from tests.models import project

DEPLOYED = (0.28, 0.28, 0.28)


def cut(
    Q: np.ndarray, depth: float, edges: tuple[np.ndarray, np.ndarray] | None = None,
    corner: np.ndarray | None = None,
) -> shape.Contact:  # fmt: skip
    """Let a plane whose front is z come in from below by a depth (m)."""
    low = math.sqrt(Q[2, 2])
    one, two = edges or (np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    at = np.zeros(3) if corner is None else corner
    m = three(np.array([at[0], at[1], depth - low]))
    return flat_contact(
        six(Q), m, (0.0, 0.0, 1.0), three(one), three(two), edges is not None, np.zeros((4, 2)), np.zeros(5),
    )  # fmt: skip


def test_the_cap_is_that_of_the_ellipsoid_and_grows_by_its_area() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        Q = some_ellipsoid(rng, 0.3, 3.0)
        h = math.sqrt(Q[2, 2])
        whole = 4.0 / 3.0 * math.pi * math.sqrt(np.linalg.det(Q))
        depth = float(rng.uniform(0.01, 1.0)) * h
        got = cut(Q, depth)
        # a cap of a ball, stretched
        part = depth / h
        assert got.volume == pytest.approx(whole * part * part * (3.0 - part) / 4.0, rel=1e-12)
        more, less = cut(Q, depth + 1e-6 * h), cut(Q, depth - 1e-6 * h)
        assert (more.volume - less.volume) / (2e-6 * h) == pytest.approx(got.area, rel=1e-6)
        # the middle of the section lies on the plane, and its rim on the bag
        place = np.array(got.on_b)
        assert place[2] == pytest.approx(depth - h)
        along, other = np.array(got.along), np.cross([0.0, 0.0, 1.0], got.along)
        for rim in (place + got.alpha[0] * along, place - got.alpha[1] * other):
            assert rim @ np.linalg.solve(Q, rim) == pytest.approx(1.0)
    # beyond its middle the area stays
    assert cut(Q, 1.3 * h).area == pytest.approx(cut(Q, h).area)
    assert cut(Q, 1.3 * h).volume - cut(Q, h).volume == pytest.approx(0.3 * h * cut(Q, h).area)
    assert cut(Q, 2.1 * h).area == cut(Q, -0.1 * h).area == 0.0
    assert cut(Q, -0.1 * h).depth == pytest.approx(-0.1 * h)


def test_a_round_bag_on_a_plane_is_as_on_an_ellipsoid_without_curvature() -> None:
    ball, vast = 0.3**2 * np.eye(3), 3e4**2 * np.eye(3)
    for depth in (0.01, 0.1, 0.29):
        m = three(np.array([0.0, 0.0, -(0.3 + 3e4 - depth)]))
        large, flat = shape.bag_contact(six(ball), six(vast), m, NEW), cut(ball, depth)
        assert flat.area == pytest.approx(large.area, rel=2e-5)
        assert flat.volume == pytest.approx(large.volume, rel=2e-5)
        assert flat.normal == pytest.approx(large.normal)
        assert flat.on_b == pytest.approx(large.on_b, abs=1e-9 + depth)


def test_at_its_edges_a_plane_bears_what_lies_between_them() -> None:
    """Against counted points: those of the bag that lie behind the plane, ahead of its edges."""
    rng = np.random.default_rng(5)
    for _ in range(4):
        Q = some_ellipsoid(rng, 0.3, 2.0)
        h = math.sqrt(Q[2, 2])
        depth = float(rng.uniform(0.3, 0.95)) * h
        edges = np.array([0.25, 0.05, 0.0]), np.array([-0.1, 0.3, 0.0])
        corner = rng.uniform(-0.25, 0.05, 3)
        got = cut(Q, depth, edges, corner)
        L = np.linalg.cholesky(Q)
        ball = rng.normal(size=(400_000, 3))
        ball *= (rng.uniform(size=(len(ball), 1)) ** (1 / 3)) / np.linalg.norm(ball, axis=1)[
            :, None
        ]
        points = ball @ L.T
        duals = np.linalg.inv(np.array([edges[0][:2], edges[1][:2]]).T)
        share = (points[:, :2] - corner[:2]) @ duals.T
        within = ((share > 0.0) & (share < 1.0)).all(axis=1)
        whole = 4.0 / 3.0 * math.pi * math.sqrt(np.linalg.det(Q)) / len(points)
        behind = within & (points[:, 2] < depth - h)
        assert got.volume == pytest.approx(behind.sum() * whole, rel=0.02, abs=2e-5)
        # a thin slice at the plane has the area, and its middle is where the force acts
        thin = within & (np.abs(points[:, 2] - (depth - h)) < 0.01 * h)
        assert got.area == pytest.approx(thin.sum() * whole / (0.02 * h), rel=0.06, abs=2e-4)
        if got.area > 5e-3:
            middle = points[thin].mean(axis=0)
            assert np.array(got.on_b)[:2] == pytest.approx(middle[:2], abs=8e-3)
    beside = cut(Q, 0.1 * h, (np.array([0.1, 0, 0]), np.array([0, 0.1, 0])), np.array([9.0, 0, 0]))
    assert beside.area == beside.volume == 0.0
    assert beside.depth < 0.0


def on_plane(data: Any, **plane: Any) -> Any:
    """Let a plane of the panel's segment hold the bag in the panel's place, its front along -x."""
    held = data["airbags"][0]
    held.pop("panels")
    held |= {"planes": ["dash"], "deployment_point_m": [0.0, 0.0, 0.0]}
    frame = {
        "position_m": [-0.02, 0.0, 0.0],
        "orientation": {"angles_rad": [0.0, -math.pi / 2, 0.0]},
    }
    data["planes"] = [
        {"id": "dash", "segment": "dash", "placement": {"kind": "frame", "frame": frame, **plane}, "bounded": bool(plane)}
    ]  # fmt: skip
    return data


def thrown(**settings: Any) -> Any:
    data = bag(speed=6.0, away=-0.9, semi_axes_m=list(DEPLOYED), **settings)
    return data


def test_a_bag_on_a_plane_catches_as_on_a_vast_ellipsoid_and_keeps_its_gas_and_momentum() -> None:
    vast = thrown()
    far = 1000.0
    surface = vast["segments"][1]["surfaces"][0]
    surface |= {"semi_axes_m": [far] * 3, "centre_m": [far - 0.02, 0.0, 0.0]}
    vast["airbags"][0]["deployment_point_m"] = [-far, 0.0, 0.0]
    flat = on_plane(thrown())
    # free to move: what the bag does to the dash comes back to the head
    loose = on_plane(thrown(), length_m=0.5, width_m=0.4)
    loose["motions"] = []
    loose["initial"]["roots"][1] = {"segment": "dash"}
    a, b = (run(one, 0.12, 1000.0) for one in (vast, flat))
    c = run(loose, 0.12, 20_000.0)
    speed = [out.table("segments")["velocity"][:, 0, 0] for out in (a, b)]
    assert speed[0].min() < -6.0, "it is thrown back"
    assert speed[1] == pytest.approx(speed[0], abs=2e-2)
    pressure = [out.table("airbags")["pressure"][:, 0] for out in (a, b)]
    assert pressure[1] == pytest.approx(pressure[0], rel=2e-3, abs=200.0)
    gas_is_kept(b)
    for out in (b, c):
        energy = out.table("energy")
        assert np.max(np.abs(energy["balance"])) < 1e-4 * np.max(energy["kinetic"])
    # once it is full, what the head loses goes to dash and bag
    masses = [one["mass_kg"] for one in loose["segments"]]
    bags = c.table("airbags")
    own = (bags["mass"][:, 0] + 0.3) * np.gradient(bags["position"][:, 0, 0], 5e-5)
    of_segments = c.table("segments")["velocity"][:, :, 0] @ masses
    at = slice(1200, 2399)
    assert np.ptp(c.table("segments")["velocity"][at, 0, 0]) * masses[0] > 40.0
    assert np.ptp((of_segments + own)[at]) < 0.2


def test_a_smaller_plane_holds_less() -> None:
    wide, narrow = (
        run(on_plane(thrown(), length_m=size, width_m=size), 0.06, 1000.0) for size in (2.0, 0.1)
    )
    at = [out.table("airbags")["position"][-1, 0, 0] for out in (wide, narrow)]
    assert at[1] > at[0] + 0.02, "it is pressed past the narrow one"


def test_a_bag_needs_a_panel_and_loses_its_life_with_the_last() -> None:
    data = on_plane(thrown())
    sound = project(data)
    assert panel_segments(sound.airbags[0], sound) == {"dash"}
    placed = full_bag(sound.airbags[0], sound)
    assert placed is not None
    assert placed.p_W == pytest.approx([-0.3, 0.0, 0.0])
    gone = without(sound, "planes/dash")
    assert "airbags/bag" in gone.removed
    both = project(
        data
        | {"airbags": [data["airbags"][0] | {"panels": [{"segment": "dash", "surface": "panel"}]}]}
    )
    left = without(both, "planes/dash").project
    assert left.airbags[0].planes == ()
    assert len(left.airbags[0].panels) == 1


def test_a_body_that_is_pressed_around_a_bag_changes_its_side_at_an_event() -> None:
    """At the finest tolerances, where the side by which it came ends: the normal runs off there, and steps would end."""
    data = bag(speed=12.0, away=-0.7, panel_stiffness_n_per_m=1e5)
    data["initial"]["roots"][0]["position_m"] = [-0.7, 0.0, 0.1]
    fine = {"kind": "dopri", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}
    out = run(data, 0.12, 1000.0, **fine)
    assert out.time[-1] == 0.12
    assert out.table("airbag_contacts")["force"].max() > 1e4
    changed = [one for one in out.events() if one.kind == "airbag_side_changes"]
    assert changed, "a force that jumps is told"
    assert {one.elements for one in changed} == {("airbags/bag",)}
