"""Simple belts: lengths against closed forms and quadrature, tensions and energy in motion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from solver.engine.dynamics.tree import Array
from solver.engine.forces.belts import (
    FIXED,
    LENGTHS,
    RATES,
    SPEED_A,
    SPEED_B,
    TANGENT_A,
    TANGENT_B,
    arc,
    belt_path,
)
from solver.model.route import over_sphere
from tests.engine.test_contacts import function, run
from tests.models import base


def laid(semi: Array, a: Array, b: Array, fixed: Array) -> Array:
    path = np.zeros((9, 3))
    path[0], path[1], path[FIXED] = a, b, fixed
    belt_path(semi[None, :], 0, path)
    return path


def test_arcs_of_ellipses_are_those_of_quadrature() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        p, q = 10.0 ** rng.uniform(-2, 0, 2)
        start = rng.uniform(-4, 4)
        end = start + rng.uniform(0, 5)
        exact = quad(lambda t: math.hypot(p * math.sin(t), q * math.cos(t)), start, end,  # noqa: B023
                     limit=400, epsabs=1e-13, epsrel=1e-13)[0]  # fmt: skip
        length, on_p, on_q = arc(p, q, start, end)
        assert on_p + on_q == pytest.approx(length, rel=1e-13)
        assert length == pytest.approx(exact, abs=1e-11)


def test_over_a_sphere_the_belt_is_tangents_and_an_arc() -> None:
    r, d = 0.2, 0.5
    a, b = np.array([-0.3, 0.4, 0.0]), np.array([-0.3, -0.4, 0.0])
    path = laid(np.full(3, r), a, b, np.array([r, 0.0, 0.0]))
    # from the x axis to the point of tangency
    turn = math.pi - math.acos(0.6) - math.acos(r / d)
    assert path[LENGTHS, :2] == pytest.approx([math.sqrt(d * d - r * r) + r * turn] * 2, abs=1e-14)
    for tangent, anchor in ((path[TANGENT_A], a), (path[TANGENT_B], b)):
        assert np.linalg.norm(tangent) == pytest.approx(r)
        assert tangent @ (anchor - tangent) == pytest.approx(0.0, abs=1e-15)


def test_on_an_ellipsoid_the_length_is_that_of_the_plane_curve() -> None:
    rng = np.random.default_rng(1)
    done = 0
    while done < 150:
        semi = rng.uniform(0.05, 0.3, 3)
        fixed = rng.normal(size=3)
        fixed /= np.linalg.norm(fixed / semi)
        a, b = rng.normal(size=(2, 3)) * 0.4
        if np.linalg.norm(a / semi) < 1.2 or np.linalg.norm(b / semi) < 1.2:
            continue
        path = laid(semi, a, b, fixed)
        for side, expected in enumerate((_side(semi, a, fixed, b), _side(semi, b, fixed, a))):
            if expected is not None:
                done += 1
                assert path[LENGTHS, side] == pytest.approx(expected, abs=1e-9)


def _side(semi: Array, anchor: Array, fixed: Array, other: Array) -> float | None:
    """Go along the section from the fixed point until the tangent meets the anchor, by quadrature.

    Gives nothing where the anchor is seen from the fixed point without going along.
    """
    normal = np.cross(fixed - other, fixed - anchor)
    normal /= np.linalg.norm(normal)
    # a curve around the section, by the angle about its middle; the anchor lies backwards
    E, Q = np.diag(semi**-2.0), np.diag(semi**2.0)
    middle = Q @ normal * (normal @ fixed) / (normal @ Q @ normal)
    u = (fixed - middle) / np.linalg.norm(fixed - middle)
    v = -np.cross(normal, u)
    scale = 1.0 - middle @ E @ middle

    def place(t: float) -> Array:
        way = math.cos(t) * u + math.sin(t) * v
        out: Array = middle + way * math.sqrt(scale / (way @ E @ way))
        return out

    def outside(t: float) -> float:
        x = place(t)
        return float((E @ x) @ (anchor - x))

    # as far as half around
    if outside(0.0) >= 0.0:
        return None
    steps = np.linspace(0.0, math.pi, 400)
    seen = [outside(t) for t in steps]
    first = int(np.argmax(np.array(seen) > 0.0))
    if first == 0:
        return None
    t = brentq(outside, steps[first - 1], steps[first], xtol=1e-15)
    h = 1e-6
    along = quad(lambda s: np.linalg.norm(place(s + h) - place(s - h)) / (2 * h), 0.0, t,
                 limit=400, epsabs=1e-11)[0]  # fmt: skip
    return float(along + np.linalg.norm(anchor - place(t)))


def test_rates_of_lengths_are_those_of_the_lengths() -> None:
    rng, around = np.random.default_rng(2), 0
    for n in range(600):
        semi = rng.uniform(0.05, 0.3, 3)
        # spheres, and bodies of revolution, have sections without axes of their own
        semi[: n % 3] = semi[2]
        fixed = rng.normal(size=3)
        fixed /= np.linalg.norm(fixed / semi)
        place, speed = rng.normal(size=(2, 3)) * 0.4, rng.normal(size=(2, 3))
        lengths = []
        for h in (-1e-6, 0.0, 1e-6):
            path = np.zeros((9, 3))
            path[:2], path[FIXED], path[[SPEED_A, SPEED_B]] = place + h * speed, fixed, speed
            belt_path(semi[None, :], 0, path)
            lengths.append(path.copy())
        rates = (lengths[2][LENGTHS, :2] - lengths[0][LENGTHS, :2]) / 2e-6
        assert lengths[1][RATES, :2] == pytest.approx(rates, rel=1e-5, abs=1e-6)
        around += int(np.any(lengths[1][TANGENT_A] != fixed))
    assert around > 200


def test_where_the_fixed_point_is_beyond_the_tangent_the_belt_runs_straight_to_it() -> None:
    semi, fixed = np.full(3, 0.2), np.array([0.2, 0.0, 0.0])
    lengths = []
    for x in np.linspace(-0.4, 0.4, 801):
        path = laid(semi, np.array([x, 0.5, 0.0]), np.array([-0.4, -0.5, 0.0]), fixed)
        lengths.append(path[LENGTHS, 0])
        if x > 0.2:
            assert path[TANGENT_A] == pytest.approx(fixed)
            assert path[LENGTHS, 0] == pytest.approx(math.hypot(x - 0.2, 0.5))
    # one goes over into the other
    assert np.max(np.abs(np.diff(lengths, 2))) < 1e-5


def restrained(friction: str, speed: list[float], law: dict[str, Any] | None = None, slack: float = 0.0,
               **parts: Any) -> Any:  # fmt: skip
    """Give a ball that flies into a belt between two anchors."""
    return base(
        segments=[{"id": "ball", "mass_kg": 20.0, "inertia_kgm2": [0.3] * 3,
                   "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [0.15] * 3}]}],
        functions=[function("web", [0.0, 1.0], [0.0, 1e5], ("1", "N"))],
        contact_laws=[{"id": "web", "kind": "webbing", "base": "web", **(law or {})}],
        belts=[{"id": "belt", "law": "web", "friction": friction, "slack_m": slack,
                "anchor_a": {"segment": "ground", "position_m": [-0.3, 0.3, 0.0]},
                "anchor_b": {"segment": "ground", "position_m": [-0.3, -0.3, 0.0]},
                "surface": {"segment": "ball", "surface": "skin"}, "fixed_point_m": [0.15, 0.0, 0.0]}],
        initial={"roots": [{"segment": "ball", "velocity_m_per_s": speed}]},
        gravity_m_per_s2=[0.0, 0.0, 0.0], **parts,
    )  # fmt: skip


@pytest.mark.parametrize("friction", ["none", "infinite"])
def test_an_elastic_belt_gives_all_back(friction: str) -> None:
    out = run(restrained(friction, [5.0, 0.0, 0.0]), 0.2, 1000.0)
    energy = out.table("energy")
    assert np.max(np.abs(energy["lost_in_belts"])) < 1e-5
    assert np.max(np.abs(energy["balance"])) < 1e-6
    assert out.table("segments")["velocity"][-1, 0, 0] == pytest.approx(-5.0, rel=1e-6)
    belt = out.table("belts")
    assert belt["tension"][:, 0, 0] == pytest.approx(belt["tension"][:, 0, 1], abs=1e-6)
    # force on the ball: both tangents
    at = int(np.argmax(belt["tension"][:, 0, 0]))
    x = out.table("segments")["position"][at, 0, 0]
    d = math.hypot(x + 0.3, 0.3)
    sine = math.sin(math.atan2(0.3, x + 0.3) - math.asin(0.15 / d) + 0.0)
    pull = 2.0 * belt["tension"][at, 0, 0] * math.cos(math.asin(sine))
    assert -20.0 * out.table("segments")["acceleration"][at, 0, 0] == pytest.approx(pull, rel=1e-6)


def test_friction_decides_whether_both_sides_share_their_tension() -> None:
    speed = [4.0, 1.5, 0.0]
    shared = run(restrained("none", speed), 0.05, 1000.0).table("belts")["tension"][:, 0]
    apart = run(restrained("infinite", speed), 0.05, 1000.0).table("belts")["tension"][:, 0]
    assert shared[:, 0] == pytest.approx(shared[:, 1])
    assert np.max(np.abs(apart[:, 0] - apart[:, 1])) > 100.0


def test_slack_delays_and_pretension_holds_from_the_start() -> None:
    length = run(restrained("none", [5.0, 0, 0]), 0.01, 1000.0).table("belts")["length"][0, 0].sum()
    loose = run(restrained("none", [5.0, 0, 0], slack=0.02), 0.05, 10_000.0)
    belt = loose.table("belts")
    taut = np.flatnonzero(belt["tension"][:, 0, 0] > 0.0)[0]
    assert belt["length"][taut, 0].sum() - length == pytest.approx(0.02, abs=1e-3)
    tight = run(restrained("none", [0.0, 0, 0], slack=-0.01), 0.001, 10_000.0).table("belts")
    assert tight["tension"][0, 0, 0] == pytest.approx(1e5 * 0.01 / (length - 0.01), rel=1e-9)


def test_webbing_with_memory_loses_its_part_and_webbing_with_rate_damps() -> None:
    law = {"energy_ratio": 0.5, "offset_ratio": 0.5}
    out = run(restrained("none", [5.0, 0.0, 0.0], law), 0.2, 1000.0)
    assert out.table("energy")["lost_in_belts"][-1] == pytest.approx(125.0, rel=1e-4)
    assert np.max(np.abs(out.table("energy")["balance"])) < 1e-5
    law = {"kind": "rate_webbing", "damping": "drag"}
    data = restrained("none", [5.0, 0.0, 0.0], law)
    data["functions"].append(function("drag", [-100.0, 100.0], [-2e4, 2e4], ("1/s", "N")))
    out = run(data, 0.2, 1000.0)
    assert out.table("energy")["lost_in_belts"][-1] > 30.0
    assert np.max(np.abs(out.table("energy")["balance"])) < 1e-4


def test_what_a_tilting_plane_takes_is_booked_apart_from_the_webbing() -> None:
    # the ball goes sideways, and takes the plane with it
    out = run(restrained("none", [3.0, 0.0, 4.0]), 0.06, 2000.0)
    energy = out.table("energy")
    planes = energy["work_of_belt_planes"]
    assert np.max(np.abs(energy["lost_in_belts"])) < 1e-5
    assert np.max(np.abs(energy["balance"])) < 1e-5
    assert np.max(np.abs(planes)) > 0.5
    (note,) = [line for line in out.log if "fixed points of belts" in line]
    assert float(note.split(" J ")[0].split()[-1]) == pytest.approx(
        np.max(np.abs(planes)), rel=0.01
    )
    # in its plane nothing is to be said
    straight = run(restrained("none", [5.0, 0.0, 0.0]), 0.06, 2000.0)
    assert np.max(np.abs(straight.table("energy")["work_of_belt_planes"])) < 1e-9
    assert not any("fixed points of belts" in line for line in straight.log)


def test_an_anchor_inside_the_ellipsoid_pulls_straight() -> None:
    path = laid(
        np.full(3, 0.2),
        np.array([0.0, 0.1, 0.0]),
        np.array([-0.4, -0.5, 0.0]),
        np.array([0.2, 0, 0]),
    )
    assert path[LENGTHS, 0] == pytest.approx(math.hypot(0.2, 0.1))
    path = laid(
        np.full(3, 0.2), np.array([0.5, 0.0, 0.0]), np.array([-0.5, 0, 0]), np.array([0.2, 0, 0])
    )
    # all on one line: no plane
    assert path[LENGTHS, :2] == pytest.approx([0.3, 0.7])


def test_each_side_is_drawn_as_the_engine_lays_it() -> None:
    """On the surface or straight, whatever the other side does: the lengths are the same."""
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(400):
        semi = 10.0 ** rng.uniform(-1, 0, 3)
        a, b, fixed = (one / np.linalg.norm(one) for one in rng.normal(size=(3, 3)))
        a, b = rng.uniform(1.05, 3.0) * a, rng.uniform(1.05, 3.0) * b
        path = laid(semi, a * semi, b * semi, fixed * semi)
        line = over_sphere(a, fixed, b)
        at = min(range(len(line)), key=lambda n, line=line: float(np.abs(line[n] - fixed).max()))
        assert line[at] == pytest.approx(fixed)
        sides = ([a, *line[: at + 1]], [*line[at:], b])
        for side, tangent, points in zip((0, 1), (TANGENT_A, TANGENT_B), sides, strict=True):
            lies = bool(np.any(path[tangent] != path[FIXED]))
            assert (len(points) > 2) == lies
            length = np.linalg.norm(np.diff(np.array(points) * semi, axis=0), axis=1).sum()
            assert length == pytest.approx(path[LENGTHS, side], rel=5e-3)
        seen.add(tuple(len(points) > 2 for points in sides))
    assert seen == {(True, True), (True, False), (False, True), (False, False)}
