"""Straps on surfaces: junctions with friction and flesh, flesh that depends on the rate, and folds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from solver.engine.dynamics.tree import Array
from solver.running.simulation import simulate
from tests.engine.test_harness import EA, anchor, body, step, strapped, tensions
from tests.models import Bench, project, segment

BALL = {"kind": "ellipsoid", "id": "ball", "semi_axes_m": [0.2, 0.2, 0.2]}
PAD = {"kind": "kelvin_voigt", "id": "pad", "stiffness_n_per_m": 2000.0}
HELD = (segment("held") | {"surfaces": [BALL]}, {"segment": "held"})


def knot(**more: Any) -> Any:
    """Give a junction on the top of a ball (z points down)."""
    return {"kind": "junction", "junction": "knot", "position_m": [0.0, 0.0, -0.2],
            "surface": {"segment": "held", "surface": "ball"}, **more}  # fmt: skip


def three(more: Any, ends: Array, laws: list[Any] | None = None) -> Bench:
    """Tie three straps over the ball in a knot on it."""
    straps = [[anchor("ground", *end), knot(**more)] for end in ends]
    made = strapped(straps, [HELD, body("idle")], slack=-0.02, contact_laws=list(laws or []))
    return Bench(made)


LEVEL = np.array([[math.cos(a), math.sin(a), 0.1] for a in np.radians([90.0, 210.0, 330.0])])


def loads(bench: Bench) -> tuple[float, Array]:
    """Give what the knot presses with, and what pulls it along the surface."""
    straps = bench.system.straps
    on = straps.model.join >= 0
    force = straps.workspace.force[on].sum(axis=0)
    normal = straps.workspace.place[1] / np.linalg.norm(straps.workspace.place[1])
    press = -float(force @ normal)
    return press, force + press * normal


def test_a_knot_on_a_rigid_surface_is_held_by_friction_until_it_slides() -> None:
    """Pulled aside any way: it stays where it is below mu N, and slides until friction just holds."""
    for angle in (0.3, 1.7, 4.0):
        bench = three({"friction": 0.4}, LEVEL)
        step(bench, bench.q, 5)
        start = bench.system.straps.workspace.place[1].copy()
        rest = bench.system.straps.memory.rest.copy()
        weights = [1.0 + 0.01 * math.cos(angle - a) for a in np.radians([90.0, 210.0, 330.0])]
        ratios = []
        for share in (0.3, 1.0, 2.0):
            pulls = [1.0 + share * (w - 1.0) for w in weights]
            bench.system.straps.memory.rest[:] = rest
            bench.system.straps.memory.rest[[0, 2, 4]] = rest[[0, 2, 4]] / np.array(pulls)
            step(bench, bench.q, 60)
            press, along = loads(bench)
            ratios.append(np.linalg.norm(along) / press)
            moved = np.linalg.norm(bench.system.straps.workspace.place[1] - start)
            if share == 0.3:
                assert moved < 1e-7
        assert 0.01 < ratios[0] < 0.39
        # the last one slides: friction is as large as it may be, and against the way
        assert moved > 1e-3
        assert ratios[2] == pytest.approx(0.4, rel=2e-3)
        way = bench.system.straps.workspace.place[1] - start
        _, along = loads(bench)
        assert way @ along / np.linalg.norm(way) / np.linalg.norm(along) > 0.95


def test_a_knot_without_friction_slides_to_where_the_straps_balance() -> None:
    bench = three({}, LEVEL)
    bench.system.straps.memory.rest[0] *= 0.97
    step(bench, bench.q, 60)
    press, along = loads(bench)
    assert press > 1.0
    assert np.linalg.norm(along) < 1e-4 * press
    assert np.linalg.norm(bench.system.straps.workspace.place[1]) == pytest.approx(0.2, abs=1e-6)


def test_a_knot_sinks_into_flesh_until_it_bears_the_straps() -> None:
    bench = three({"flesh": "pad", "friction": 0.3}, LEVEL, [PAD])
    step(bench, bench.q, 10)
    straps = bench.system.straps
    rest = float(straps.memory.rest[0])

    def off(z: float) -> float:
        along = LEVEL - [0.0, 0.0, z]
        length = np.linalg.norm(along, axis=1)
        pull = np.sum(EA * (length / rest - 1.0) * along[:, 2] / length)
        return float(pull - 2000.0 * (z + 0.2))

    z = brentq(off, -0.2, -0.1)
    assert straps.workspace.place[1] == pytest.approx([0.0, 0.0, z], abs=1e-6)
    assert -0.199 < z < -0.15


def dragged() -> Any:
    """Let the anchors of a knot on damped flesh go aside."""
    knots = [[anchor("far", *end), knot(flesh="pad", friction=0.3)] for end in LEVEL.tolist()]
    law = PAD | {"damping_ns_per_m": 50.0}
    data = strapped(knots, [HELD, body("far")], slack=-0.03, contact_laws=[law])
    there = {"kind": "haversine", "amplitude": 3.0, "duration_s": 0.1}
    data["motions"] = [
        {"id": f"hold_{name}", "segment": name, "components": [
            {"component": "x", "quantity": "velocity", "pulse": pulse}]}
        for name, pulse in (("held", {"kind": "constant", "value": 0.0}), ("far", there))
    ]  # fmt: skip
    data["runs"][0] |= {"duration_s": 0.15, "frame_interval_s": 1e-3}
    return data


def test_a_knot_that_is_dragged_over_flesh_keeps_its_account() -> None:
    """Friction and flesh lose, and what is lost never falls."""
    out = simulate(project(dragged()))
    assert out.status == "completed", out.message
    assert not [note for note in out.notes if "no exact balance" in str(note)]
    energy = out.table("energy")
    lost, turned = energy["lost_in_harnesses"], np.max(energy["external"])
    assert np.max(np.abs(energy["balance"])) < 1e-6 * turned
    assert lost[-1] > 0.05 * turned
    assert np.min(np.diff(lost)) > -1e-4 * turned
    # the knot has gone along
    assert np.ptp(out.table("strap_points")["position"][:, 1, 0]) > 0.03


def sunk(law: Any, duration: float) -> tuple[Array, Array]:
    """Lay webbing over one point of flesh, and find how it sinks in: times and depths."""
    over = {"kind": "surface", "surface": {"segment": "held", "surface": "ball"}, "flesh": "pad",
            "friction_along": 0.0, "friction_across": 0.0, "position_m": [0.0, 0.0, -0.2]}  # fmt: skip
    data = strapped([anchor("far", -0.5, 0.0, 0.0), over, anchor("far", 0.5, 0.0, 0.0)],
                    [HELD, body("far")], slack=0.0, contact_laws=[law])  # fmt: skip
    data["motions"] = [
        {"id": f"hold_{name}", "segment": name, "components": [
            {"component": "z", "quantity": "velocity", "pulse": {"kind": "constant", "value": speed}}]}
        for name, speed in (("held", 0.0), ("far", 0.4))
    ]  # fmt: skip
    data["runs"][0] |= {
        "duration_s": duration, "frame_interval_s": 1e-3,
        "integrator": data["runs"][0]["integrator"] | {"largest_step_s": 5e-5},
    }  # fmt: skip
    out = simulate(project(data))
    assert out.status == "completed", out.message
    energy = out.table("energy")
    lost = energy["lost_in_harnesses"]
    assert np.min(np.diff(lost)) > -1e-5 * np.max(energy["strain"])
    return out.time, out.table("strap_points")["position"][:, 1, 2] + 0.2


@pytest.mark.parametrize("damping", [0.0, 400.0])
def test_webbing_sinks_into_flesh_with_a_dashpot_as_its_balance_says(damping: float) -> None:
    """k d + c d' is what two straight pieces press with: an equation of its own for the depth."""
    law = PAD | {"damping_ns_per_m": damping}
    time, depth = sunk(law, 0.12)
    rest = math.hypot(0.5, 0.2)

    def press(t: float, d: float) -> float:
        fall = 0.2 + 0.4 * t - d
        length = math.hypot(0.5, fall)
        return 2.0 * EA * max(length / rest - 1.0, 0.0) * fall / length

    if damping == 0.0:
        wanted = [brentq(lambda d, t=t: press(t, d) - 2000.0 * d, 0.0, 0.1) for t in time]
    else:
        wanted = solve_ivp(
            lambda t, d: [(press(t, float(d[0])) - 2000.0 * float(d[0])) / damping], (0.0, time[-1]), [0.0],
            "Radau", time, rtol=1e-9, atol=1e-12,
        ).y[0]  # fmt: skip
    assert np.max(wanted) > 2e-3
    assert depth == pytest.approx(np.asarray(wanted), abs=4e-3 * np.max(wanted))


def test_tension_is_told_beside_the_flesh() -> None:
    bench = three({"flesh": "pad"}, LEVEL, [PAD])
    step(bench, bench.q, 5)
    assert np.all(tensions(bench) > 1.0)


def test_a_slack_belt_comes_taut_over_flesh_that_is_stiffer_than_it() -> None:
    """Its first pull hardly presses: places on flesh are found as soon as on a rigid surface."""
    around = [
        {"kind": "surface", "surface": {"segment": "held", "surface": "ball"}, "flesh": "pad",
         "friction_along": 0.2, "position_m": [-0.2 * math.cos(a), 0.2 * math.sin(a), 0.0], "follows": "body"}
        for a in np.radians([70.0, 35.0, 0.0, -35.0, -70.0])
    ]  # fmt: skip
    belt = [anchor("far", 0.12, 0.25, 0.1), *around, anchor("far", 0.12, -0.25, 0.1)]
    law = PAD | {"stiffness_n_per_m": 8e4, "damping_ns_per_m": 800.0}
    data = strapped(belt, [HELD, body("far")], slack=0.017, contact_laws=[law])
    data["functions"][0]["form"] = {
        "kind": "table",
        "x": [0.0, 0.05, 0.1],
        "y": [0.0, 1500.0, 4200.0],
    }
    there = {"kind": "haversine", "amplitude": 1.0, "duration_s": 0.1}
    data["motions"] = [
        {"id": f"hold_{name}", "segment": name, "components": [
            {"component": "x", "quantity": "velocity", "pulse": pulse}]}
        for name, pulse in (("held", {"kind": "constant", "value": 0.0}), ("far", there))
    ]  # fmt: skip
    data["runs"][0] |= {
        "duration_s": 0.12, "frame_interval_s": 1e-3,
        "integrator": data["runs"][0]["integrator"] | {"largest_step_s": 5e-5},
    }  # fmt: skip
    out = simulate(project(data))
    assert out.status == "completed", out.message
    assert not [note for note in out.notes if "no exact balance" in str(note)]
    assert len(out.steps()["time"]) < 2500
    points = out.table("strap_points")
    force, pulls = points["force"], points["tension"][:, :6]
    assert np.min(pulls[-1]) > 1000.0
    assert pulls[:, ::-1] == pytest.approx(pulls, abs=1e-3 * np.max(pulls))
    # friction along holds no more than it may, and all of it where webbing has run over the ball
    place, ways = points["position"], np.diff(points["position"], axis=1)
    out_of = place[:, 1:6] / np.linalg.norm(place[:, 1:6], axis=2)[..., None]
    press = -np.sum(force[:, 1:6] * out_of, axis=2)
    strap = ways[:, 1:] / np.linalg.norm(ways[:, 1:], axis=2)[..., None]
    strap += ways[:, :-1] / np.linalg.norm(ways[:, :-1], axis=2)[..., None]
    strap -= np.sum(strap * out_of, axis=2)[..., None] * out_of
    strap /= np.linalg.norm(strap, axis=2)[..., None]
    along = np.abs(np.sum(force[:, 1:6] * strap, axis=2))
    assert np.all(along <= 0.2 * press + 1e-3 * np.max(press))
    assert np.max(along[-1] / press[-1]) == pytest.approx(0.2, rel=5e-3)


def round_a_fold(friction: float, along: float) -> Bench:
    """Lay webbing from within a ball upright through a place on it, and away along its surface."""
    ball = {"kind": "ellipsoid", "id": "ball", "semi_axes_m": [0.1, 0.1, 0.1]}
    held = segment("held") | {"surfaces": [ball]}
    points = [
        anchor("ground", -0.05 * along, 0.0, 0.1 - 0.05 * math.sqrt(1.0 - along * along)),
        {"kind": "surface", "surface": {"segment": "held", "surface": "ball"}, "follows": "body",
         "position_m": [0.0, 0.0, 0.1], "may_leave": False, "friction_along": friction},
        anchor("far", 0.0, 0.0, 0.0),
    ]  # fmt: skip
    return Bench(strapped(points, [(held, {"segment": "held"}), body("far", 0.3, 0.0, 0.1)]))


@pytest.mark.parametrize("along", [-0.5, -0.19, 0.0, 0.25])
def test_webbing_that_folds_at_a_place_runs_to_where_it_is_taut(along: float) -> None:
    """The force along the surface alone would let it run to where it is slack, until none is left."""
    bench = round_a_fold(0.0, along)
    q = bench.q.copy()
    q[7] += 0.007
    step(bench, q, 8)
    assert tensions(bench) == pytest.approx([EA * 0.02, EA * 0.02], rel=1e-3)
    assert bench.system.straps.workspace.long[0] == pytest.approx(0.05 / 1.02, rel=1e-5)


@pytest.mark.parametrize("along", [-0.19, 0.0, 0.25])
def test_friction_at_a_fold_is_that_of_what_presses(along: float) -> None:
    bench = round_a_fold(0.2, along)
    for k in range(1, 4):
        q = bench.q.copy()
        q[7] += 0.003 * k
        step(bench, q)
    left, right = tensions(bench)
    assert left > 10.0
    assert right - left == pytest.approx(0.2 * left * math.sqrt(1.0 - along * along), rel=2e-2)
