"""Routes of straps: lengths against closed forms and dense hulls, points on surfaces, errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.spatial import ConvexHull
from scipy.special import ellipeinc

from solver.engine.maths.hyperellipsoids import levels
from solver.engine.maths.rotation import from_angles
from solver.engine.maths.sections import Ellipse
from solver.engine.maths.taut import _Drawing, taut
from solver.model.route import Route, RouteError, angle_towards, best_angle, route
from solver.project import Project
from solver.project.belts import AnchorPoint, Strap, SurfacePoint
from solver.project.geometry import PointRef, SurfaceRef, powers_of
from solver.project.pose import start_pose, turn
from tests.models import base, project, segment

Array = NDArray[np.float64]


def site(*shapes: dict[str, Any]) -> Project:
    """Give a project with each shape on a segment of its own, moved and turned."""
    segments, roots, attitudes = [], [], []
    for k, shape in enumerate(shapes):
        id_ = f"s{k}"
        kind = "hyperellipsoid" if "powers" in shape else "ellipsoid"
        part = {"powers": shape["powers"]} if "powers" in shape else {}
        surface = {
            "id": "body", "kind": kind, "semi_axes_m": list(shape["semi"]),
            "centre_m": [0.01, -0.02, 0.03], "orientation": {"angles_rad": [0.3, 0.2, -0.1]}, **part,
        }  # fmt: skip
        # the segment lies so that the surface is where the shape says
        R_SE = from_angles([0.3, 0.2, -0.1], "zyx")
        R_WS = from_angles(shape.get("turn", [0.0, 0.0, 0.0]), "zyx") @ R_SE.T
        p = np.array(shape["at"]) - R_WS @ np.array(surface["centre_m"])
        angles = [
            math.atan2(R_WS[1, 0], R_WS[0, 0]), -math.asin(R_WS[2, 0]), math.atan2(R_WS[2, 1], R_WS[2, 2]),
        ]  # fmt: skip
        segments.append(segment(id_) | {"surfaces": [surface]})
        roots.append({"segment": id_, "position_m": p.tolist()})
        attitudes.append({"segment": id_, "orientation": {"angles_rad": angles}})
    return project(base(segments=segments, initial={"roots": roots, "attitudes": attitudes}))


def over(found: Project) -> list[SurfaceRef]:
    return [SurfaceRef(segment=s.id, surface="body") for s in found.segments]


def on_ground(*place: float) -> PointRef:
    return PointRef(segment="ground", position_m=(place[0], place[1], place[2]))


A, B = on_ground(-0.5, 0.0, 0.0), on_ground(0.5, 0.0, 0.0)


def in_ground(found: Project, laid: Route) -> Array:
    """Give all points of a strap in ground axes."""
    pose = start_pose(found)
    out = []
    for point in laid.points():
        id_ = point.segment if isinstance(point, AnchorPoint) else point.surface.segment  # type: ignore[union-attr]
        out.append(pose[id_].p_W + pose[id_].R_WS @ np.array(point.position_m))
    return np.array(out)


def holds(found: Project, laid: Route, spacing: float) -> None:
    """Check what every route must fulfil."""
    shapes = {s.id: s.surfaces[0] for s in found.segments}
    for point in laid.points()[1:-1]:
        assert isinstance(point, SurfacePoint)
        shape = shapes[point.surface.segment]
        own = turn(shape.orientation).T @ (np.array(point.position_m) - np.array(shape.centre_m))
        (level,) = levels((own / shape.semi_axes_m)[None], np.array(powers_of(shape)))
        assert np.linalg.norm(own) * abs(level - 1.0) < 1e-9
    pose = start_pose(found)
    for wrap in laid.wraps:
        at = pose[wrap.surface.segment]
        places = [at.p_W + at.R_WS @ np.array(p) for p in wrap.points_m]
        steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        assert np.all(steps <= spacing * (1.0 + 1e-9))
        assert steps.sum() <= wrap.length_m + 1e-9
    assert laid.length_m == pytest.approx(
        sum(laid.free_m) + sum(w.length_m for w in laid.wraps), abs=1e-12
    )
    strap = Strap(id="strap", law="webbing", points=laid.points())
    assert Strap.model_validate(strap.model_dump()) == strap
    assert [p.kind for p in strap.points][:: len(strap.points) - 1] == ["anchor", "anchor"]


def hull_length(
    found: Project, a: PointRef, b: PointRef, angle: float, rays: int = 20_000
) -> float:
    """Give the length of the hull over dense points of the sections, from nothing but the surfaces."""
    pose = start_pose(found)
    start, end = np.array(a.position_m), np.array(b.position_m)
    width = float(np.linalg.norm(end - start))
    x = (end - start) / width
    bodies = []
    for s in found.segments:
        shape, at = s.surfaces[0], pose[s.id]
        S = (at.R_WS @ turn(shape.orientation)).T / np.array(shape.semi_axes_m)[:, None]
        bodies.append((at.p_W + at.R_WS @ np.array(shape.centre_m), S, np.array(powers_of(shape))))
    up = np.mean([c for c, _, _ in bodies], axis=0) - start
    up -= (up @ x) * x
    up /= np.linalg.norm(up)
    up = math.cos(angle) * up + math.sin(angle) * np.cross(x, up)
    points = [np.array([[0.0, 0.0], [width, 0.0]])]
    t = np.linspace(0.0, 2.0 * math.pi, rays)
    ways = np.cos(t)[:, None] * x + np.sin(t)[:, None] * up
    for centre, S, power in bodies:
        inside = _deep(start, x, up, width, centre, S, power)
        if inside is None:
            continue
        low, high = np.zeros(rays), np.full(rays, 5.0)
        first, turned = (S @ (inside - centre))[:, None], S @ ways.T
        # to 1e-12 m, on the inner side
        for _ in range(43):
            middle = 0.5 * (low + high)
            within = sum(np.abs(first + middle * turned) ** power[:, None]) < 1.0
            low, high = np.where(within, middle, low), np.where(within, high, middle)
        p = inside + low[:, None] * ways - start
        flat = np.stack([p @ x, p @ up], axis=1)
        points.append(flat[flat[:, 1] >= 0.0])
    all_ = np.concatenate(points)
    if np.max(all_[:, 1]) <= 0.0:
        return width
    hull = ConvexHull(all_)
    return float(hull.area - width)


def _deep(start: Array, x: Array, up: Array, width: float, centre: Array, S: Array,
          power: Array) -> Array | None:  # fmt: skip
    """Find a point inside a section by nested grids."""
    middle, span = np.array([(centre - start) @ x, (centre - start) @ up]), 0.8
    for _ in range(40):
        grid = np.linspace(-span, span, 21)
        u, v = (middle[k] + g for k, g in enumerate(np.meshgrid(grid, grid)))
        z = (start + u[..., None] * x + v[..., None] * up - centre) @ S.T
        value = (
            np.max(np.abs(z), axis=-1) if np.all(power > 50.0) else np.sum(np.abs(z) ** power, -1)
        )
        k = np.unravel_index(np.argmin(value), value.shape)
        middle, span = np.array([u[k], v[k]]), 0.6 * span
    place = start + middle[0] * x + middle[1] * up
    z = S @ (place - centre)
    return place if np.sum(np.abs(z) ** power) < 1.0 else None


def test_over_a_sphere_the_strap_is_two_tangents_and_an_arc() -> None:
    r, h, angle = 0.2, 0.15, 0.5
    ball = site({"semi": [r, r, r], "at": [0.1, 0.0, h]})
    for turned in (0.0, angle, -angle):
        # in the plane the section is a circle, nearer to the line as the plane turns
        radius = math.sqrt(r * r - (h * math.sin(turned)) ** 2)
        middle = np.array([0.6, h * math.cos(turned)])
        parts = []
        arc = 0.0
        for anchor, side in ((np.zeros(2), 1.0), (np.array([1.0, 0.0]), -1.0)):
            d = float(np.linalg.norm(middle - anchor))
            parts.append(math.sqrt(d * d - radius * radius))
            # from straight up to the direction of the point of tangency, seen from the middle
            to_anchor = math.atan2(side * (middle - anchor)[0], -(anchor - middle)[1])
            arc += math.pi - to_anchor - math.acos(radius / d)
        laid = route(ball, A, B, over(ball), turned, 0.03)
        assert laid.free_m == pytest.approx(parts, abs=1e-12)
        assert laid.wraps[0].length_m == pytest.approx(radius * arc, abs=1e-12)
        holds(ball, laid, 0.03)
        # both ends of the wrap are points of tangency
        places = in_ground(ball, laid)
        for anchor, tangent in ((places[0], places[1]), (places[-1], places[-2])):
            assert (tangent - anchor) @ (tangent - [0.1, 0.0, h]) == pytest.approx(0.0, abs=1e-12)


def test_zero_angle_contains_the_centres_and_turns_right_handed() -> None:
    ball = site({"semi": [0.2, 0.2, 0.2], "at": [0.0, 0.0, 0.1]})
    assert np.allclose(in_ground(ball, route(ball, A, B, over(ball)))[:, 1], 0.0)
    # about +x, from +z towards -y
    turned = in_ground(ball, route(ball, A, B, over(ball), 0.4))[1:-1]
    assert np.allclose(turned[:, 1], -math.tan(0.4) * turned[:, 2])
    behind = route(ball, A, B, over(ball), math.pi)
    assert np.all(in_ground(ball, behind)[1:-1, 2] < 0.0)
    # where the centre lies on the line, a ground axis takes its place
    centred = site({"semi": [0.2, 0.2, 0.2], "at": [0.0, 0.0, 0.0]})
    assert np.all(in_ground(centred, route(centred, A, B, over(centred)))[1:-1, 1] > 0.1)


def test_over_an_ellipsoid_the_arc_is_legendre_s() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        p, q, h = rng.uniform(0.1, 0.4), rng.uniform(0.05, 0.3), rng.uniform(0.0, 0.2)
        egg = site({"semi": [p, 0.2, q], "at": [0.0, 0.0, h]})
        laid = route(egg, A, B, over(egg))
        # the tangent from (-0.5, 0) at (p cos t, h + q sin t)
        t = brentq(lambda t: -0.5 * math.cos(t) / p - h * math.sin(t) / q - 1.0,  # noqa: B023
                   0.5 * math.pi, 1.5 * math.pi - math.atan2(1.0, 2.0 * p) if h == 0.0 else
                   math.pi + math.atan2(h * p, 0.5 * q), xtol=1e-15)  # fmt: skip
        # half of it, from the top on
        half = p * float(ellipeinc(t - 0.5 * math.pi, 1.0 - (q / p) ** 2))
        assert laid.wraps[0].length_m == pytest.approx(2.0 * half, abs=1e-9)
        straight = math.hypot(0.5 + p * math.cos(t), h + q * math.sin(t))
        assert laid.free_m == pytest.approx([straight, straight], abs=1e-9)
        holds(egg, laid, 0.05)


def test_over_two_spheres_there_is_a_shared_tangent() -> None:
    r1, r2 = 0.15, 0.08
    both = site(
        {"semi": [r1] * 3, "at": [-0.2, 0.0, 0.1]}, {"semi": [r2] * 3, "at": [0.25, 0.0, 0.15]}
    )
    laid = route(both, A, B, over(both)[::-1])
    assert [w.surface.segment for w in laid.wraps] == ["s0", "s1"]
    d = math.hypot(0.45, 0.05)
    d1, d2 = math.hypot(0.3, 0.1), math.hypot(0.25, 0.15)
    free = [math.sqrt(d1**2 - r1**2), math.sqrt(d**2 - (r1 - r2) ** 2), math.sqrt(d2**2 - r2**2)]
    assert laid.free_m == pytest.approx(free, abs=1e-12)
    # directions of the three pieces, upwards, give the angles of both arcs
    first = math.atan2(0.1, 0.3) + math.asin(r1 / d1)
    between = math.atan2(0.05, 0.45) - math.asin((r1 - r2) / d)
    last = math.atan2(-0.15, 0.25) - math.asin(r2 / d2)
    arcs = [r1 * (first - between), r2 * (between - last)]
    assert [w.length_m for w in laid.wraps] == pytest.approx(arcs, abs=1e-12)
    holds(both, laid, 0.05)


def test_what_lies_under_the_strap_is_not_touched() -> None:
    both = site({"semi": [0.2] * 3, "at": [0.0, 0.0, 0.1]}, {"semi": [0.05] * 3, "at": [0, 0, 0.1]})
    laid = route(both, A, B, over(both))
    assert [ref.segment for ref in laid.untouched] == ["s1"]


def test_a_surface_that_barely_pokes_out_between_others_is_found() -> None:
    for poke in (1e-3, 1e-5, 1e-7):
        # a small ball between two large ones, just above their shared tangent at z = 0.3
        three = site(
            {"semi": [0.1] * 3, "at": [-0.3, 0.0, 0.2]},
            {"semi": [0.1] * 3, "at": [0.3, 0.0, 0.2]},
            {"semi": [0.02] * 3, "at": [0.1, 0.0, 0.28 + poke]},
        )
        laid = route(three, A, B, over(three))
        assert [w.surface.segment for w in laid.wraps] == ["s0", "s2", "s1"]
        # and on the flat of a box
        box = site(
            {"semi": [0.4, 0.3, 0.1], "at": [0.0, 0.0, 0.2], "powers": [100.0] * 3},
            {"semi": [0.02] * 3, "at": [0.05, 0.0, 0.28 + poke]},
        )
        laid = route(box, A, B, over(box))
        assert [w.surface.segment for w in laid.wraps] == ["s0", "s1", "s0"]


def cases(count: int) -> list[tuple[Project, float]]:
    """Give projects with one to four bodies of all kinds, and angles."""
    rng = np.random.default_rng(11)
    out = []
    while len(out) < count:
        shapes = []
        for _ in range(rng.integers(1, 5)):
            shape: dict[str, Any] = {
                "semi": rng.uniform(0.05, 0.2, 3).tolist(),
                "at": [*rng.uniform(-0.2, 0.2, 2), rng.uniform(0.0, 0.3)],
                "turn": rng.uniform(-1.0, 1.0, 3).tolist(),
            }
            if rng.random() < 0.5:
                shape["powers"] = (
                    [float(rng.choice([4.0, 15.0, 100.0]))] * 3
                    if rng.random() < 0.5
                    else rng.uniform(2.0, 30.0, 3).tolist()
                )
            shapes.append(shape)
        out.append((site(*shapes), float(rng.uniform(-1.0, 1.0))))
    return out


def test_any_strap_is_the_hull_of_dense_sections() -> None:
    done = 0
    for found, angle in cases(40):
        a, b = on_ground(-0.6, 0.05, -0.05), on_ground(0.55, -0.1, 0.0)
        expected = hull_length(found, a, b, angle)
        try:
            laid = route(found, a, b, over(found), angle)
        except RouteError:
            # missed, or beside the strap
            assert expected == pytest.approx(math.dist(a.position_m, b.position_m), abs=1e-12)
            continue
        done += 1
        # the dense hull lies within the taut string
        assert -1e-9 < laid.length_m - expected < 2e-6
        holds(found, laid, 0.05)
    assert done > 25


def test_a_shared_tangent_is_found_in_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stops where rounding lets it come no nearer, and does not go to and fro there."""
    calls = [0]
    most: list[int] = []
    shared, reach_at = _Drawing.shared, _Drawing.reach_at

    def counted(self: _Drawing, *given: Any) -> float:
        before = calls[0]
        found = shared(self, *given)
        most.append(calls[0] - before)
        return found

    def reached(self: _Drawing, k: int, turn: float) -> Any:
        calls[0] += 1
        return reach_at(self, k, turn)

    monkeypatch.setattr(_Drawing, "shared", counted)
    monkeypatch.setattr(_Drawing, "reach_at", reached)
    rng = np.random.default_rng(1)
    for _ in range(40):
        # two that nearly cover each other
        semi, aside = rng.uniform(0.08, 0.16, 2), rng.uniform(-0.02, 0.02, 2)
        pair = [
            Ellipse(np.array([0.4, 0.05]) + k * aside, 1.0, np.diag(1.0 / (semi + 0.01 * k)))
            for k in (0, 1)
        ]
        taut(pair, 1.0)
    assert len(most) > 30
    assert max(most) < 60, "two at each round"


def test_points_are_as_near_as_asked() -> None:
    egg = site({"semi": [0.3, 0.2, 0.15], "at": [0.0, 0.0, 0.1], "powers": [6.0, 3.0, 8.0]})
    for spacing in (0.2, 0.05, 0.007):
        laid = route(egg, A, B, over(egg), 0.2, spacing)
        holds(egg, laid, spacing)
        assert len(laid.wraps[0].points_m) == math.ceil(laid.wraps[0].length_m / spacing) + 1


@pytest.mark.parametrize("seed", range(12))
def test_the_best_angle_is_a_minimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # long across the strap, so that it does not slip off
    egg = site({
        "semi": [rng.uniform(0.1, 0.25), rng.uniform(0.5, 1.0), rng.uniform(0.1, 0.2)],
        "at": [rng.uniform(-0.1, 0.1), rng.uniform(-0.03, 0.03), rng.uniform(0.05, 0.1)],
        "turn": [rng.uniform(-0.3, 0.3), 0.0, rng.uniform(-0.3, 0.3)],
    })  # fmt: skip
    angle = best_angle(egg, A, B, over(egg))
    least = route(egg, A, B, over(egg), angle).length_m
    for step in (1e-4, 1e-2, 0.1):
        for near in (angle - step, angle + step):
            assert route(egg, A, B, over(egg), near).length_m >= least - 1e-12


def test_all_round_the_best_angle_is_the_least_of_all() -> None:
    # the line pierces the ball above its middle: the short way is behind it
    ball = site({"semi": [0.2, 0.2, 0.2], "at": [0.0, 0.0, 0.1]})
    assert abs(best_angle(ball, A, B, over(ball), math.pi)) == pytest.approx(math.pi, abs=1e-6)


def test_a_strap_that_slips_off_has_no_best_angle() -> None:
    ball = site({"semi": [0.2, 0.2, 0.2], "at": [0.0, 0.0, 0.3]})
    with pytest.raises(RouteError, match="slip off"):
        best_angle(ball, A, B, over(ball))


def test_what_cannot_be_laid_is_said() -> None:
    ball = site({"semi": [0.2, 0.2, 0.2], "at": [0.0, 0.0, 0.3]})
    on = over(ball)
    nowhere = SurfaceRef(segment="s0", surface="bodi")
    for words, a, b, surfaces, angle, spacing in [
        ("ground' is inside 's0.body'; move it out", on_ground(0.0, 0.0, 0.2), B, on, 0.0, 0.05),
        ("Both anchors are in one place", A, A, on, 0.0, 0.05),
        ("the plane misses 's0.body'; turn it", A, B, on, 1.5, 0.05),
        ("touches no surface", A, B, on, math.pi, 0.05),
        ("behind the one on 'ground'", on_ground(0.3, 0, 0.3), on_ground(0.5, 0, 0.3), on, 0.0, 0.05),
        ("Did you mean 'body'?", A, B, [nowhere], 0.0, 0.05),
        ("no segment 'x'", PointRef(segment="x"), B, on, 0.0, 0.05),
        ("There is no surface", A, B, [], 0.0, 0.05),
        ("spacing is not above zero", A, B, on, 0.0, 0.0),
        ("Give a greater spacing", A, B, on, 0.0, 1e-4),
        ("The angle is no number", A, B, on, math.nan, 0.05),
    ]:  # fmt: skip
        with pytest.raises(RouteError) as failure:
            route(ball, a, b, surfaces, angle, spacing)
        assert words in str(failure.value)
        assert "\n" not in str(failure.value)


@pytest.mark.parametrize("angle", [-2.9, -0.4, 0.0, 0.25, 1.3])
def test_the_angle_of_a_laid_strap_is_found_from_any_of_its_points(angle: float) -> None:
    found = site({"semi": (0.2, 0.15, 0.1), "at": (0.05, 0.1, 0.02), "turn": (0.2, 0.1, 0.3)})
    laid = route(found, A, B, over(found), angle)
    for place in in_ground(found, laid)[1:-1]:
        assert angle_towards(found, A, B, over(found), place) == pytest.approx(angle)
