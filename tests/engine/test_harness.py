"""Harness belts: balance against closed forms, slip, junctions, lifting, devices, energy."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from solver.engine.dynamics.tree import Array
from solver.engine.forces.straps.arrays import STRAIN, TENSION
from solver.engine.forces.straps.balance import solve_arrow
from solver.engine.forces.straps.kernels import end_straps, remember_straps
from solver.engine.forces.system import CAUSES, HARNESSES, IN_HARNESSES
from solver.project import Project
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.models import Bench, base, project, segment

EA = 1000.0
"""Tension at a strain of one."""


def law(kind: str = "webbing", **more: Any) -> Any:
    return {"id": "webbing", "kind": kind, "base": "tension", **more}


def function(id_: str, x: list[float], y: list[float], x_unit: str = "1", y_unit: str = "N") -> Any:
    form = {"kind": "table", "x": x, "y": y}
    return {"id": id_, "x_unit": x_unit, "y_unit": y_unit, "form": form}


def anchor(where: str, *place: float) -> Any:
    return {"kind": "anchor", "segment": where, "position_m": list(place)}


def ring(friction: float, *place: float) -> Any:
    return {"kind": "ring", "segment": "ground", "position_m": list(place), "friction": friction}


def body(id_: str, *place: float, speed: tuple[float, ...] = (0.0, 0.0, 0.0)) -> tuple[Any, Any]:
    start = {
        "segment": id_,
        "position_m": [*place, 0.0, 0.0, 0.0][:3],
        "velocity_m_per_s": list(speed),
    }
    return segment(id_, 2.0, (0.05, 0.06, 0.07)), start


def strapped(
    points: list[list[Any]] | list[Any],
    bodies: list[tuple[Any, Any]],
    slack: float = 0.0,
    functions: list[Any] | None = None,
    webbing: Any = None,
    devices: dict[str, Any] | None = None,
    **parts: Any,
) -> Any:
    """Give a project of bodies and one harness; a list of points is one strap."""
    straps = points if isinstance(points[0], list) else [points]
    parts.setdefault("contact_laws", []).append(webbing or law())
    rows = [function("tension", [0.0, 10.0], [0.0, 10.0 * EA]), *(functions or [])]
    return base(
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        segments=[s for s, _ in bodies],
        initial={"roots": [start for _, start in bodies]},
        functions=rows,
        harnesses=[{"id": "harness", "straps": [
            {"id": f"strap{n}", "law": "webbing", "slack_m": slack, "points": p, **(devices or {})}
            for n, p in enumerate(straps)
        ]}],
        **parts,
    )  # fmt: skip


def step(
    bench: Bench, q: Array, times: int = 1, v: Array | None = None, t: float | None = None
) -> None:
    """Let a step end at a place, again and again; without times webbing has for ever to follow."""
    s = bench.system
    for _ in range(times):
        bench.rates(q, bench.v * 0.0 if v is None else v, 1e6 if t is None else t)
        end_straps(s.straps, -math.inf if t is None else t)
        remember_straps(s.straps, s.laws, s.curves)


def tensions(bench: Bench) -> Array:
    straps = bench.system.straps
    return straps.workspace.seen[straps.memory.right >= 0, TENSION]


def over_a_sphere(friction: float, follows: str) -> Bench:
    """Lay the strap of the reading guide's test b; the far anchor is the second body's."""
    sphere = {"kind": "ellipsoid", "id": "ball", "semi_axes_m": [5.0, 5.0, 5.0]}
    held = segment("held") | {"surfaces": [sphere]}
    points: list[Any] = [anchor("ground", 0.0, 7.5, -4.0)]
    points += [
        {"kind": "surface", "surface": {"segment": "held", "surface": "ball"}, "follows": follows,
         "position_m": [0.0, 5.0 * math.cos(a), 5.0 * math.sin(a)], "may_leave": False,
         "friction_along": friction, "friction_across": friction}
        for a in np.radians(np.linspace(15.0, 165.0, 9))
    ]  # fmt: skip
    points.append(anchor("far", 0.0, 0.0, 0.0))
    bodies = [(held, {"segment": "held"}), body("far", 0.0, -7.5, -4.0)]
    return Bench(strapped(points, bodies, slack=-0.5))


def pulled(bench: Bench, down: float, steps: int = 1) -> Bench:
    for k in range(1, steps + 1):
        q = bench.q.copy()
        q[9] -= down * k / steps
        step(bench, q)
    step(bench, q, 12)
    return bench


def test_the_reading_guide_s_strap_over_a_sphere() -> None:
    bench = pulled(over_a_sphere(0.0, "body"), 1.0)
    assert tensions(bench) == pytest.approx([58.119, *[57.668] * 8, 57.455], abs=6e-4)
    assert bench.system.straps.workspace.long[:10].sum() == pytest.approx(24.390529, abs=1e-6)
    bench = pulled(over_a_sphere(0.0, "webbing"), 1.0)
    assert tensions(bench)[1:-1] == pytest.approx(57.599, abs=6e-4)


@pytest.mark.parametrize("follows", ["body", "webbing"])
def test_tensions_on_a_surface_differ_by_no_more_than_friction_holds(follows: str) -> None:
    # only while the anchor moves does webbing slip everywhere
    bench = over_a_sphere(0.2, follows)
    for k in range(1, 6):
        q = bench.q.copy()
        q[9] -= 0.2 * k
        step(bench, q)
    straps = bench.system.straps
    parts = np.einsum(
        "kij,kj->ki", straps.workspace.frame.reshape(-1, 3, 3), straps.workspace.force
    )[2:-2]
    assert np.abs(parts[:, 1]) == pytest.approx(-0.2 * parts[:, 2], rel=1e-3)
    if follows == "webbing":
        return
    inner = tensions(bench)[1:-1]
    tangent = 0.2 * math.tan(math.radians(18.75 / 2.0))
    most = (1.0 + tangent) / (1.0 - tangent)
    assert inner[1:] / inner[:-1] == pytest.approx(most, rel=1e-3)
    assert most == pytest.approx(1.0683, abs=5e-5)


def test_rings_obey_the_capstan() -> None:
    turns = np.radians(np.linspace(0.0, 90.0, 7))
    rings = [ring(0.3, math.sin(a), 0.0, -math.cos(a)) for a in turns]
    bench = Bench(strapped([anchor("ground", -1.0, 0.0, -1.0), *rings, anchor("far", 0.0, 0.0, 0.0)],
                           [body("far", 1.0, 0.0, 1.0)]))  # fmt: skip
    q = bench.q.copy()
    q[2] += 0.4
    step(bench, q, 3)
    seen = tensions(bench)
    # the first and last rings turn the webbing by half of what the others do
    assert seen[-1] / seen[0] == pytest.approx(math.exp(0.3 * math.pi / 2.0), rel=1e-5)
    assert np.all(np.diff(np.log(seen)) > 0.0)
    ratios = seen[2:-1] / seen[1:-2]
    assert ratios == pytest.approx(math.exp(0.3 * math.radians(15.0)), rel=1e-5)


def test_webbing_that_sticks_gives_everything_back() -> None:
    bench = Bench(strapped([anchor("ground", -1.0, 0.0, 0.0), ring(5.0, 0.0, 0.0, -1.0),
                            anchor("far", 0.0, 0.0, 0.0)], [body("far", 1.0, 0.0, 0.0)]))  # fmt: skip
    for x in (0.002, 0.004, 0.003, 0.001):
        q = bench.q.copy()
        q[0] += x
        step(bench, q)
        length = math.hypot(1.0 + x, 1.0)
        expected = EA * (length / math.sqrt(2.0) - 1.0)
        assert tensions(bench)[1] == pytest.approx(expected, abs=2e-4)
        assert tensions(bench)[0] < 0.01


def random_strap(seed: int, friction: float) -> Bench:
    """Lay webbing from one body over a ring and the surface of another, and through a junction."""
    rng = np.random.default_rng(seed)
    egg = {"kind": "ellipsoid", "id": "egg", "semi_axes_m": [0.2, 0.15, 0.25],
           "orientation": {"angles_rad": rng.normal(size=3).tolist()}}  # fmt: skip
    middle, start = body("middle", 0.0, 0.0, 0.0)
    middle["surfaces"] = [egg]
    over = [
        {"kind": "surface", "surface": {"segment": "middle", "surface": "egg"},
         "position_m": [0.2 * math.cos(a), 0.02, -0.2 * math.sin(a)],
         "friction_along": friction, "friction_across": friction}
        for a in (2.4, 1.9, 1.4, 0.9)
    ]  # fmt: skip
    knot = {"kind": "junction", "junction": "knot", "position_m": [0.6, 0.1, 0.1]}
    straps = [
        [anchor("left", 0.0, 0.1, 0.0), ring(friction, -0.4, 0.0, 0.1), *over, knot],
        [anchor("right", 0.0, 0.0, 0.1), knot],
        [anchor("ground", 0.6, 0.8, 0.2), knot],
    ]
    bodies = [body("left", -0.8, 0.0, 0.5), (middle, start), body("right", 0.9, -0.3, 0.4)]
    return Bench(strapped(straps, bodies, slack=-0.1))


@pytest.mark.parametrize("seed", range(4))
def test_without_friction_forces_are_the_slope_of_the_energy(seed: int) -> None:
    bench = random_strap(seed, 0.0)
    q = bench.q.copy()
    step(bench, q, 60)
    rng = np.random.default_rng(seed)
    for _ in range(4):
        v = rng.normal(size=len(bench.v)) * 0.3
        held = []
        for h in (1e-5, -1e-5):
            bench.rates(bench.moved(q, v, h), v)
            held.append(bench.work.held[IN_HARNESSES])
        bench.rates(q, v)
        power = bench.powers[HARNESSES]
        assert held[0] > 0.5
        assert power == pytest.approx(-(held[0] - held[1]) / 2e-5, rel=2e-4, abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_forces_and_torques_of_a_harness_add_up_to_those_on_the_ground(seed: int) -> None:
    bench = random_strap(seed, 0.3)
    step(bench, bench.q, 3)
    straps = bench.system.straps
    free = (straps.model.join >= 0) & (straps.model.surface < 0)
    force = straps.workspace.force.copy()
    assert np.abs(force[free].sum(axis=0)).max() < 1e-3, "a knot without mass is in balance"
    # all that pulls on bodies and the ground pulls back and forth between them
    assert np.abs(force.sum(axis=0)).max() < 1e-9
    about = np.cross(straps.workspace.place, force).sum(axis=0)
    assert np.abs(about).max() < 1e-9


def test_a_knot_lies_where_its_straps_balance() -> None:
    ends = np.array([[1.0, 0.0, 0.0], [-0.5, 0.9, 0.0], [-0.4, -0.8, 0.3]])
    knot = {"kind": "junction", "junction": "knot", "position_m": [0.2, 0.1, 0.2]}
    bench = Bench(strapped([[anchor("ground", *end), knot] for end in ends], [body("idle")],
                           slack=-0.1))  # fmt: skip
    step(bench, bench.q, 8)
    rests = np.linalg.norm(ends - [0.2, 0.1, 0.2], axis=1) - 0.1

    def energy(x: Array) -> float:
        strains = np.maximum(np.linalg.norm(ends - x, axis=1) / rests - 1.0, 0.0)
        return float(np.sum(0.5 * EA * strains**2 * rests))

    best = minimize(energy, np.zeros(3), tol=1e-14).x
    assert bench.system.straps.workspace.place[1] == pytest.approx(best, abs=1e-6)


def test_webbing_lifts_off_and_comes_back() -> None:
    ball = {"kind": "ellipsoid", "id": "ball", "semi_axes_m": [0.2, 0.2, 0.2]}
    held = segment("held") | {"surfaces": [ball]}
    over = [
        {"kind": "surface", "surface": {"segment": "held", "surface": "ball"}, "friction_along": 0.0,
         "friction_across": 0.0, "position_m": [0.2 * math.cos(a), 0.0, -0.2 * math.sin(a)]}
        for a in np.radians([120.0, 105.0, 90.0, 75.0, 60.0])
    ]  # fmt: skip
    points = [anchor("far", -0.5, 0.0, 0.0), *over, anchor("far", 0.5, 0.0, 0.0)]
    bench = Bench(strapped(points, [(held, {"segment": "held"}), body("far")], slack=-0.02))
    step(bench, bench.q, 5)
    laid = tensions(bench).copy()
    assert bench.system.straps.workspace.gap[1:-1] == pytest.approx(0.0, abs=1e-6)
    rest = bench.system.straps.workspace.long[:-1].sum()
    # lift the far body's two anchors until the straight line clears the ball; webbing is slack there
    for z in (-0.1, -0.25):
        q = bench.q.copy()
        q[9] += z
        step(bench, q, 5)
    assert np.all(tensions(bench) == 0.0)
    assert rest > 1.0
    # pull it taut above the ball: a straight line
    bench.system.straps.memory.rest[:-1] *= 0.97 / bench.system.straps.memory.rest[:-1].sum()
    step(bench, q, 30)
    assert tensions(bench) == pytest.approx(EA * (1.0 / 0.97 - 1.0), rel=1e-4)
    assert bench.system.straps.workspace.gap[1:-1].min() > 0.04
    assert bench.system.straps.workspace.place[1:-1, 2] == pytest.approx(-0.25, abs=1e-5)
    bench.system.straps.memory.rest[:-1] *= rest / bench.system.straps.memory.rest[:-1].sum()
    for z in (-0.2, -0.1, 0.0):
        q[9] = bench.q[9] + z
        step(bench, q, 40)
    assert tensions(bench) == pytest.approx(laid, rel=0.02)


def test_a_point_too_close_to_its_neighbour_is_taken_out_once() -> None:
    bench = over_a_sphere(0.2, "body")
    straps = bench.system.straps
    straps.model.keeps[:] = 0
    step(bench, bench.q)
    whole = straps.memory.rest[straps.memory.right >= 0].sum()
    straps.memory.length_end[4] = 0.01 * straps.memory.laid[4]
    s = bench.system
    # a rejected step asks again before another has ended
    for _ in range(3):
        remember_straps(straps, s.laws, s.curves)
        assert np.count_nonzero(straps.memory.right >= 0) == 9
        assert straps.memory.rest[straps.memory.right >= 0].sum() == pytest.approx(whole)
    assert straps.memory.size[0, 0] == 24
    step(bench, bench.q, 3)
    assert np.all(np.isfinite(straps.workspace.place))


def test_flesh_gives_way_until_it_pushes_back() -> None:
    ball = {"kind": "ellipsoid", "id": "ball", "semi_axes_m": [0.2, 0.2, 0.2]}
    held = segment("held") | {"surfaces": [ball]}
    on = {"kind": "surface", "surface": {"segment": "held", "surface": "ball"}, "flesh": "flesh",
          "position_m": [0.0, 0.0, -0.2], "friction_along": 0.0, "friction_across": 0.0}  # fmt: skip
    flesh = {"id": "flesh", "kind": "hysteretic", "base": "soft"}
    bench = Bench(strapped([anchor("ground", -0.5, 0.0, 0.0), on, anchor("ground", 0.5, 0.0, 0.0)],
                           [(held, {"segment": "held"})], slack=-0.1, contact_laws=[flesh],
                           functions=[function("soft", [0.0, 1.0], [0.0, 8000.0], x_unit="m")]))  # fmt: skip
    step(bench, bench.q, 6)
    depth = -bench.system.straps.workspace.gap[1]
    half = math.hypot(0.5, 0.2 - depth)
    rest = math.hypot(0.5, 0.2) - 0.05
    pull = EA * (half / rest - 1.0)
    assert depth > 0.002
    assert 8000.0 * depth == pytest.approx(2.0 * pull * (0.2 - depth) / half, rel=1e-4)


def test_rate_dependent_webbing_feels_the_rate_with_its_slip() -> None:
    damped = law("rate_webbing", damping="damping")
    bench = Bench(strapped([anchor("ground", -1.0, 0.0, 0.0), ring(0.0, 0.0, 0.0, 0.0),
                            anchor("far", 0.0, 0.0, 0.0)], [body("far", 3.0, 0.0, 0.0)], slack=-0.1,
                           functions=[function("damping", [-10.0, 10.0], [-500.0, 500.0],
                                               x_unit="1/s")], webbing=damped))  # fmt: skip
    v = bench.v.copy()
    v[0] = 2.0
    step(bench, bench.q, 3, v)
    expected = EA * (4.0 / 3.9 - 1.0) + 50.0 * 2.0 / 3.9
    assert tensions(bench) == pytest.approx(expected, rel=1e-4)


def hang(devices: dict[str, Any], functions: list[Any], **motion: Any) -> Bench:
    """Hang a body on a strap with devices at the upper end."""
    points = [anchor("ground", 0.0, 0.0, 0.0), anchor("far", 0.0, 0.0, 0.0)]
    return Bench(strapped(points, [body("far", 0.0, 0.0, 1.0)], functions=functions,
                          devices={"start_device": devices}))  # fmt: skip


def at(bench: Bench, z: float, t: float | None = None) -> float:
    """End a step with the body at a depth and give the tension."""
    q = bench.q.copy()
    q[2] = z
    step(bench, q, 2, t=t)
    return float(tensions(bench)[0])


def test_webbing_with_damping_never_pushes() -> None:
    webbing = law("rate_webbing", damping="drag")
    drag = function("drag", [-10.0, 10.0], [-5000.0, 5000.0], "1/s")
    points = [anchor("ground", -1.0, 0.0, 0.0), anchor("far", 0.0, 0.0, 0.0)]
    bench = Bench(strapped(points, [body("far", 1.0, 0.0, 0.0)], webbing=webbing, functions=[drag]))
    q, v = bench.q.copy(), bench.v.copy()
    q[0] += 0.02
    for speed, pull in ((0.0, 10.0), (0.1, 35.0), (-0.1, 0.0)):
        v[0] = speed
        bench.rates(q, v, 1e6)
        assert tensions(bench) == pytest.approx([pull], abs=1e-6)


def test_a_retractor_winds_draws_and_runs_empty() -> None:
    reel = {"tension_n": 5.0, "spool_m": 0.3, "lock_acceleration_m_per_s2": 7.0}
    bench = hang({"retractor": reel}, [])
    for z in (1.0, 1.1, 1.25, 1.05, 0.8, 1.2):
        assert at(bench, z) == pytest.approx(5.0, abs=1e-4)
        drawn = bench.system.straps.retractors.drawn[0]
        assert drawn == pytest.approx(z / 1.005 - 1.0, abs=1e-6)
    assert at(bench, 1.4) == pytest.approx(EA * (1.4 / 1.3 - 1.0), rel=1e-4)
    bench.system.straps.retractors.locked[0] = 1
    assert at(bench, 1.3) == pytest.approx(0.0, abs=1e-9)


def test_film_spool_and_load_limiter_give_one_behind_the_other() -> None:
    film = function("film", [0.0, 0.05], [0.0, 50.0], x_unit="m")
    limit = function("limit", [0.0, 1.0], [40.0, 60.0], x_unit="m")
    devices = {"retractor": {"film_spool": "film", "lock_payout_m": 0.5},
               "load_limiter": {"force": "limit"}}  # fmt: skip
    bench = hang(devices, [film, limit])
    bench.system.straps.retractors.locked[0] = 1
    for z in (1.01, 1.03, 1.06, 1.2, 1.5):
        pull = at(bench, z)
        given = bench.system.straps.retractors.given[0]
        # what each has given at this tension
        two = max((pull - 40.0) / 20.0, 0.0)
        assert given == pytest.approx(pull / 1000.0 + two, abs=2e-4)
        assert z / (1.0 + given) - 1.0 == pytest.approx(pull / EA, rel=1e-3)
    assert pull > 40.0
    # what has been given stays given
    low = at(bench, 1.48)
    assert low == pytest.approx(EA * (1.48 / (1.0 + given) - 1.0), rel=1e-3)


def test_a_pretensioner_draws_in_up_to_its_limit() -> None:
    stroke = function("stroke", [0.0, 0.01], [0.0, 0.1], x_unit="s", y_unit="m")
    trigger = {"kind": "time", "time_s": 0.02}
    for limit, expected in ((None, EA * (1.0 / 0.9 - 1.0)), (60.0, 60.0)):
        tensioner = {"trigger": trigger, "stroke": "stroke", "force_limit_n": limit}
        bench = hang({"pretensioner": tensioner}, [stroke])
        assert at(bench, 1.0, 0.02) == 0.0
        for t in np.linspace(0.021, 0.03, 10):
            pull = at(bench, 1.0, float(t))
        assert pull == pytest.approx(expected, rel=1e-3)
        # it holds what it has drawn in
        pull = at(bench, 1.01, 0.04)
        drawn = bench.system.straps.retractors.drawn[0]
        assert pull == pytest.approx(EA * (1.01 / (1.0 + drawn) - 1.0), rel=1e-4)
        assert pull > expected


def test_a_firing_pretensioner_holds_the_spool() -> None:
    stroke = function("stroke", [0.0, 0.01], [0.0, 0.1], x_unit="s", y_unit="m")
    devices = {"retractor": {"tension_n": 5.0, "lock_payout_m": 0.4},
               "pretensioner": {"trigger": {"kind": "time", "time_s": 0.02}, "stroke": "stroke"}}  # fmt: skip
    bench = hang(devices, [stroke])
    assert at(bench, 1.0, 0.0) == pytest.approx(5.0, abs=1e-4)
    for t in np.linspace(0.021, 0.03, 10):
        pull = at(bench, 1.0, float(t))
    assert pull == pytest.approx(EA * (1.0 / (1.0 / 1.005 - 0.1) - 1.0), rel=1e-3)
    assert at(bench, 1.02, 0.04) > pull


def solved(data: Any, duration: float, tolerance: float = 1e-6) -> Trajectory:
    integrator = {"kind": "dopri", "relative_tolerance": tolerance,
                  "absolute_tolerance": tolerance / 100.0}  # fmt: skip
    data["runs"][0] |= {"duration_s": duration, "frame_interval_s": duration / 100.0,
                        "integrator": integrator}  # fmt: skip
    ready: Project = project(data)
    return simulate(ready)


def balance(run: Trajectory) -> float:
    """Give the worst balance in parts of the energy turned over."""
    energy = run.table("energy")
    turned = max(
        np.abs(energy[c] - energy[c][0]).max() for c in ("kinetic", "dissipated", "strain")
    )
    return float(np.abs(energy["balance"]).max() / turned)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_energy_is_accounted_for_and_friction_takes_it(friction: float) -> None:
    bench = random_strap(1, friction)
    data = bench.model.project.model_dump(mode="json")
    for root in data["initial"]["roots"]:
        if root["segment"] == "right":
            root["velocity_m_per_s"] = [1.5, -0.5, 0.5]
    run = solved(data, 0.4)
    assert run.status == "completed"
    assert balance(run) < 1e-4
    energy = run.table("energy")
    lost, turned = energy["lost_in_harnesses"], np.ptp(energy["kinetic"])
    if friction:
        assert np.diff(lost).min() > -2e-3 * turned
        assert lost[-1] > 0.05 * turned
    else:
        assert np.abs(lost).max() < 2e-2 * turned


def drawn_by_a_pulse(devices: dict[str, Any], **parts: Any) -> tuple[Trajectory, Array, Array]:
    """Draw a strap from a body that goes as 100 sin(10 pi t) tells; gives webbing drawn, and where 5 N draw it."""
    motion = {"id": "pulse", "segment": "far", "components": [
        {"component": "z", "quantity": "acceleration",
         "pulse": {"kind": "half_sine", "amplitude": -100.0, "duration_s": 0.1}}]}  # fmt: skip
    points = [anchor("far", 0.0, 0.0, 0.0), anchor("ground", 0.0, 0.0, 1.0)]
    data = strapped(points, [body("far", 0.0, 0.0, 0.0)], motions=[motion], **parts,
                    devices={"start_device": devices})  # fmt: skip
    run = solved(data, 0.04, 1e-8)
    w = 10.0 * math.pi
    far = 1.0 + 100.0 / w**2 * (w * run.time - np.sin(w * run.time))
    return run, run.table("harnesses")["payout"][:, 0, 0], far / 1.005 - 1.0


@pytest.mark.parametrize("delay", [0.0, 0.01])
def test_a_retractor_holds_what_is_drawn_when_it_locks(delay: float) -> None:
    reel = {
        "tension_n": 5.0,
        "spool_m": 0.5,
        "lock_acceleration_m_per_s2": 50.0,
        "lock_delay_s": delay,
    }
    run, drawn, free = drawn_by_a_pulse({"retractor": reel})
    # 100 sin(10 pi t) = 50
    locks = 1.0 / 60.0 + delay
    senses = any("16.6667 ms: the retractor of 'harness.strap0' senses" in s for s in run.log)
    assert senses == (delay > 0.0)
    said = f"{1e3 * locks:.4f} ms: the retractor of 'harness.strap0' locks"
    assert any(said in line for line in run.log)
    before = run.time < locks
    assert drawn[before] == pytest.approx(free[before], abs=1e-6)
    assert drawn[~before] == pytest.approx(np.interp(locks, run.time, free), abs=2e-5)
    # tension goes on from the 5 N of the spool
    pull = run.table("harnesses")["tension"][:, 0, 0][~before]
    expected = EA * ((free[~before] + 1.0) * 1.005 / (1.0 + drawn[-1]) - 1.0)
    assert pull == pytest.approx(expected, abs=1e-3)


def test_a_pretensioner_that_fires_after_a_delay_holds_what_is_drawn_then() -> None:
    stroke = function("stroke", [0.0, 0.005], [0.0, 0.01], x_unit="s", y_unit="m")
    sensor = {"id": "seat", "kind": "point", "segment": "far", "point_m": [0.0, 0.0, 0.0],
              "quantity": "acceleration"}  # fmt: skip
    trigger = {
        "kind": "channel",
        "output": "seat",
        "component": "resultant",
        "level": 50.0,
        "delay_s": 0.01,
    }
    devices = {"retractor": {"tension_n": 5.0, "spool_m": 0.5, "lock_payout_m": 10.0},
               "pretensioner": {"trigger": trigger, "stroke": "stroke"}}  # fmt: skip
    run, drawn, free = drawn_by_a_pulse(devices, functions=[stroke], outputs=[sensor])
    fires = 1.0 / 60.0 + 0.01
    before, held = run.time < fires, np.interp(fires, run.time, free)
    assert drawn[before] == pytest.approx(free[before], abs=1e-6)
    pulled = np.clip(2.0 * (run.time - fires), 0.0, 0.01)
    assert drawn[~before] == pytest.approx((held - pulled)[~before], abs=2e-5)


def test_a_loop_of_hysteresis_costs_what_the_law_says() -> None:
    """A body that flies once into a strap comes back with the part of its energy that the law returns."""
    webbing = law(energy_ratio=0.8)
    points = [anchor("ground", 0.0, 0.0, 0.0), anchor("far", 0.0, 0.0, 0.0)]
    data = strapped(points, [body("far", 0.0, 0.0, 1.0, speed=(0.0, 0.0, 2.0))], webbing=webbing)
    run = solved(data, 0.35)
    speed = run.segment("far").velocity[:, 2]
    assert (speed[-1] / speed[0]) ** 2 == pytest.approx(0.8, abs=4e-3)
    assert balance(run) < 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_arrows_are_solved(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, border, half = int(rng.integers(0, 30)), int(rng.integers(0, 7)), 5
    size = n + border
    a = rng.normal(size=(size + 1, size + 1))
    for i, j in itertools.product(range(n), range(n)):
        if abs(i - j) > half:
            a[i, j] = 0.0
    b = rng.normal(size=size + 1)
    left, right = a.copy(), b.copy()
    if size:
        assert solve_arrow(left, right, n, border, half)
        assert a[:size, :size] @ right[:size] == pytest.approx(b[:size], abs=1e-8)


def test_causes_and_held_energies_have_their_names() -> None:
    assert CAUSES[HARNESSES] == "harnesses"
    assert STRAIN == 0
