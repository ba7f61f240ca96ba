"""Lines round obstacles: lengths in closed form, forces as gradients of lengths, energy, points that move or come and go."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

from solver.model.paths import Courses, Laid, length_of
from solver.project.checks import check
from solver.project.coordinates import DistanceCoordinate
from solver.project.document import Project
from solver.project.pose import Placed, start_pose
from solver.running.simulation import simulate
from tests.models import base, point, project, segment

KINDS: dict[str, dict[str, Any]] = {
    "sphere": {"kind": "sphere", "radius_m": 0.2},
    "cylinder": {"kind": "cylinder", "radius_m": 0.2},
    "ellipsoid": {"kind": "ellipsoid", "semi_axes_m": [0.3, 0.2, 0.15]},
}


def scene(
    over: list[dict[str, Any]], first: Any, last: Any, duration: float = 0.01, **more: Any
) -> Any:
    """Let a line run from a free body a to a free body c, and obstacles ride on a free body b."""
    turned = {"angles_rad": [0.3, -0.2, 0.4]}
    data = base(
        duration,
        segments=[segment("a", 1.0, (0.02, 0.03, 0.04)), segment("b", 2.0, (0.05, 0.04, 0.06)), segment("c", 3.0, (0.03, 0.05, 0.04))],
        coordinate_forces=[{
            "id": "line", "zero": 0.0, "laws": [{"kind": "linear", "stiffness": 100.0}],
            "coordinate": {"kind": "distance", "a": point("a", 0.02, 0.01, -0.03), "b": point("c", 0.01, -0.02, 0.03), "over": over, **more},
        }],
        initial={
            "roots": [{"segment": "a", "position_m": list(first)}, {"segment": "b", "position_m": [0.0, 0.0, 0.0]}, {"segment": "c", "position_m": list(last)}],
            "attitudes": [{"segment": "b", "orientation": turned}],
        },
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    return data


def on_b(kind: str, **more: Any) -> dict[str, Any]:
    at = {"position_m": [0.01, 0.02, -0.01], "orientation": {"angles_rad": [0.2, 0.5, -0.3]}}
    return {"segment": "b", "frame": at, **KINDS[kind], **more}


def line_of(made: Project) -> DistanceCoordinate:
    found = made.coordinate_forces[0].coordinate
    assert isinstance(found, DistanceCoordinate)
    return found


def laid(made: Project) -> Laid:
    return Courses(made, [line_of(made)]).laid(start_pose(made))


# Lengths.


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
def test_lengths_are_those_of_geometry(kind: str, within: bool) -> None:
    """Round: legs sqrt(d^2 - r^2) and an arc, rolled out on a cylinder; within a ring: the least way by its points."""
    r, rise = 0.2, 0.3 if kind == "cylinder" else 0.0
    y = 0.5 if within else 0.05
    over = [{"segment": "ground", "kind": kind, "radius_m": r, "within": within}]
    data = scene(over, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), a=point("ground", -0.6, y, 0.0), b=point("ground", 0.7, y, rise))  # fmt: skip
    found = laid(project(data)).length(0)
    if within:
        places = r * np.array([(math.cos(t), math.sin(t)) for t in np.linspace(0.0, math.pi, 200_001)])  # fmt: skip
        flat = np.hypot(places[:, 0] + 0.6, places[:, 1] - y) + np.hypot(places[:, 0] - 0.7, places[:, 1] - y)  # fmt: skip
        assert found == pytest.approx(math.hypot(flat.min(), rise), abs=1e-10)
        return
    far = math.hypot(0.6, y), math.hypot(0.7, y)
    arc = math.pi - math.atan2(y, 0.6) - math.atan2(y, 0.7) - sum(math.acos(r / d) for d in far)
    flat = r * arc + sum(math.sqrt(d * d - r * r) for d in far)
    assert found == pytest.approx(math.hypot(flat, rise), abs=1e-14)


def test_ellipsoids_by_arcs_of_ellipses_and_as_spheres() -> None:
    p, q = 0.4, 0.15
    place_a, place_b = (-0.8, 0.02, 0.0), (0.7, 0.04, 0.0)
    over = [{"segment": "ground", "kind": "ellipsoid", "semi_axes_m": [p, q, 0.25], "side_m": [0.0, 1.0, 0.0]}]  # fmt: skip
    data = scene(over, (0, 0, 0), (0, 0, 0), a=point("ground", *place_a), b=point("ground", *place_b))  # fmt: skip
    ends, legs = [], 0.0
    for (x, y, _), sign in ((place_a, -1.0), (place_b, 1.0)):
        u, v = x / p, y / q
        t = math.atan2(v, u) + sign * math.acos(1.0 / math.hypot(u, v))
        ends.append(t)
        legs += math.hypot(p * math.cos(t) - x, q * math.sin(t) - y)
    arc, _ = quad(lambda t: math.hypot(p * math.sin(t), q * math.cos(t)), ends[1], ends[0], epsabs=1e-13)  # fmt: skip
    assert laid(project(data)).length(0) == pytest.approx(legs + arc, abs=1e-11)
    rng = np.random.default_rng(4)
    for _ in range(20):
        a, c, side = rng.normal(size=(3, 3))
        a, c = (0.5 * v / np.linalg.norm(v) for v in (a, c))
        both = [
            laid(project(scene([{"segment": "b", "side_m": side.tolist(), **shape}], a, c))).length(
                0
            )
            for shape in (KINDS["sphere"], {"kind": "ellipsoid", "semi_axes_m": [0.2] * 3})
        ]
        assert both[0] == pytest.approx(both[1], abs=2e-9)


def test_a_line_keeps_to_its_side_and_passes_what_is_not_in_its_way() -> None:
    ball = {"segment": "ground", "kind": "sphere", "radius_m": 0.2}
    ends = {"a": point("ground", -0.6, 0.0, 0.25), "b": point("ground", 0.6, 0.0, 0.25)}

    def long(**more: Any) -> float:
        return laid(project(scene([ball | more], (0, 0, 0), (0, 0, 0), **ends))).length(0)

    assert long() == long(side_m=[0.0, 0.0, 1.0]) == pytest.approx(1.2, abs=1e-15)
    d = math.hypot(0.6, 0.25)
    arc = math.pi + 2.0 * math.atan2(0.25, 0.6) - 2.0 * math.acos(0.2 / d)
    assert long(side_m=[0.0, 0.1, -1.0]) == pytest.approx(0.2 * arc + 2.0 * math.sqrt(d * d - 0.04), abs=1e-14)  # fmt: skip
    ends = {"a": point("ground", -0.6, 0.0, 0.6), "b": point("ground", 0.6, 0.1, 0.5)}
    tube = {"segment": "ground", "kind": "cylinder", "radius_m": 0.2}
    short, endless = (laid(project(scene([tube | more], (0, 0, 0), (0, 0, 0), **ends))) for more in ({"length_m": 0.5}, {}))  # fmt: skip
    assert short.length(0) == pytest.approx(math.dist((-0.6, 0.0, 0.6), (0.6, 0.1, 0.5)))
    assert endless.length(0) > short.length(0) + 0.01
    drawn = endless.course(0)
    assert np.linalg.norm(np.diff(drawn, axis=0), axis=1).sum() == pytest.approx(endless.length(0), rel=1e-3)  # fmt: skip
    assert np.abs(np.hypot(*drawn[1:-1, :2].T) - 0.2).max() < 1e-12


# Forces.


def moved(pose: dict[str, Placed], name: str, k: int, by: float) -> dict[str, Placed]:
    """Shift a segment along, or turn it about, an axis of the ground."""
    at = pose[name]
    shift = by * np.eye(3)[k % 3]
    if k < 3:
        return pose | {name: Placed(at.R_WS, at.p_W + shift)}
    return pose | {name: Placed(Rotation.from_rotvec(shift).as_matrix() @ at.R_WS, at.p_W)}


@pytest.mark.parametrize(
    "over",
    [
        [on_b("sphere")],
        [on_b("cylinder", length_m=0.6)],
        [on_b("ellipsoid")],
        [on_b("sphere", side_m=[0.1, 0.0, -0.3])],
        [on_b("cylinder", side_m=[0.1, -0.3, 0.0])],
        [on_b("cylinder", radius_m=0.01, within=True)],
        [on_b("sphere", radius_m=0.01, within=True)],
        [on_b("sphere", radius_m=0.1), {"segment": "a", "frame": {"position_m": [0.2, 0.05, 0.0]}, "kind": "cylinder", "radius_m": 0.06, "side_m": [0.0, -1.0, 0.0]}],
    ],
    ids=lambda over: "+".join(one["kind"] + ("_side" if "side_m" in one else "") for one in over),
)  # fmt: skip
def test_it_pulls_as_its_length_grows(over: list[dict[str, Any]]) -> None:
    """-k L dL/dx for all shifts and turns of all bodies, by differences, is what the bodies' accelerations tell."""
    made = project(scene(over, (-0.5, 0.05, 0.03), (0.55, 0.03, -0.02)))
    line, pose = line_of(made), start_pose(made)
    courses, run = Courses(made, [line]), simulate(made)
    whole = courses.laid(pose).length(0)
    assert len(courses.laid(pose).knots(0)) == 2 + 2 * len(over), "the line goes round"
    seen, masses = run.table("segments"), {one.id: one for one in made.segments}
    worst = 0.0
    for name in ("a", "b", "c"):
        n, at = list(seen.ids).index(name), pose[name]
        inertia = at.R_WS @ np.diag(masses[name].inertia_kgm2) @ at.R_WS.T
        turning = at.R_WS @ seen["angular_acceleration"][0, n]
        found = np.concatenate([(masses[name].mass_kg or 0.0) * seen["acceleration"][0, n], inertia @ turning])  # fmt: skip
        for k in range(6):
            h = 1e-5
            up, down = (courses.laid(moved(pose, name, k, by)).length(0) for by in (h, -h))
            worst = max(worst, abs(found[k] + 100.0 * whole * (up - down) / (2.0 * h)))
    assert worst < 2e-7 * 100.0 * whole


def test_energy_is_kept_while_it_lifts_off_and_comes_on() -> None:
    data = scene([on_b("sphere", side_m=[0.0, 0.0, 1.0]), on_b("cylinder", from_point=1)], (-0.5, 0.05, 0.15), (0.55, 0.03, 0.1), 0.4, via=[point("a", 0.05, 0.0, 0.0)])  # fmt: skip
    for one, v in zip(data["initial"]["roots"], ([0.0, 0.3, -1.5], [0.2, 0.0, 0.0], [0.0, -0.5, -1.0]), strict=True):  # fmt: skip
        one["velocity_m_per_s"] = v
    made = project(data)
    run = simulate(made)
    assert run.status == "completed", run.message
    seen = run.table("segments")
    momentum = np.einsum("k,tki->ti", [1.0, 2.0, 3.0], np.asarray(seen["velocity"]))
    assert np.abs(momentum - momentum[0]).max() < 1e-11
    assert np.abs(run.table("energy")["balance"]).max() < 2e-6
    courses, counts = Courses(made, [line_of(made)]), set[int]()
    for t in range(len(seen["position"])):
        turns = Rotation.from_quat(seen["quaternion_wxyz"][t], scalar_first=True).as_matrix()
        at = {name: Placed(turns[n], seen["position"][t, n]) for n, name in enumerate(seen.ids)}
        now = courses.laid(at)
        counts.add(len(now.knots(0)))
        way = run.table("coordinate_forces")["way"][t, 0]
        assert now.length(0) == pytest.approx(way, abs=1e-12), "the same in results as in a pose"
    assert len(counts) > 1, "it comes on or lifts off"


# Points that move, or come and go.


def kneed(duration: float = 0.3, **more: Any) -> Any:
    """Let a line run over a point of the shank that moves with the knee."""
    course = {"id": "course", "x_unit": "rad", "y_unit": "m", "form": {"kind": "table", "x": [-1.5, -0.9, -0.3, 0.3, 0.9, 1.5], "y": [0.02, 0.05, 0.03, 0.0, 0.01, 0.04], "between": "spline"}}  # fmt: skip
    knee = {"kind": "joint", "joint": "knee", "axis": "angle"}
    via = [point("shank", 0.06, 0.0, -0.4) | {"moves": [{"axis": "x", "coordinate": knee, "function": "course"}, {"axis": "z", "coordinate": knee, "function": "course"}], **more}]  # fmt: skip
    return base(
        duration,
        segments=[segment("shank", 2.0)], functions=[course],
        joints=[{"id": "knee", "kind": "pin", "parent": "ground", "child": "shank", "child_frame": {"position_m": [0.0, 0.0, -0.5]}}],
        initial={"joints": [{"joint": "knee", "values": [0.4], "rates": [1.5]}]},
        coordinate_forces=[{
            "id": "line", "zero": 0.1, "laws": [{"kind": "linear", "stiffness": 300.0}],
            "coordinate": {"kind": "distance", "a": point("ground", 0.1, 0.0, -0.4), "b": point("shank", 0.05, 0.0, 0.1), "via": via},
        }],
    )  # fmt: skip


def test_a_point_that_moves_pulls_at_what_moves_it() -> None:
    run = simulate(project(kneed()))
    assert np.abs(run.table("energy")["balance"]).max() < 1e-7
    way = np.asarray(run.table("coordinate_forces")["way"])[:, 0]
    assert np.ptp(way) > 0.02

    def long(angle: float) -> float:
        data = kneed()
        data["initial"]["joints"][0]["values"] = [angle]
        made = project(data)
        return length_of(made, line_of(made), start_pose(made))

    torque = -300.0 * way[0] * (long(0.4 + 1e-5) - long(0.4 - 1e-5)) / 2e-5
    weight = 2.0 * 9.81 * 0.5 * math.sin(0.4)
    spun = run.table("segments")["angular_acceleration"][0, 0, 1]
    assert spun * (1 / 12 + 2.0 * 0.25) == pytest.approx(torque - weight, abs=1e-6)


def test_a_point_counts_within_its_range_alone() -> None:
    knee = {"kind": "joint", "joint": "knee", "axis": "angle"}
    lengths = []
    for span in ({"lower": 0.5}, {"upper": 0.3}, {"lower": 0.3, "upper": 0.5}):
        made = project(kneed(only={"coordinate": knee, **span}))
        lengths.append(length_of(made, line_of(made), start_pose(made)))
    assert lengths[0] == lengths[1] < lengths[2] - 0.01


@pytest.mark.parametrize(
    ("more", "code"),
    [({"from_point": 1, "to_point": 1}, "line-obstacle"), ({"radius_m": 0.9}, "line-inside")],
)
def test_what_cannot_be_is_said(more: dict[str, Any], code: str) -> None:
    made = project(scene([on_b("sphere", **more)], (-0.5, 0.0, 0.0), (0.5, 0.0, 0.0)))
    assert [one.code for one in check(made) if one.code.startswith("line")] == [code]
