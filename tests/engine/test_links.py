"""Springs, bushings, tension elements and loads: energy, momentum, closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from solver.engine.forces.system import SPRINGS
from solver.engine.maths.rotation import from_angles, matrices
from solver.project import merging, references
from solver.project.checks import check
from solver.running.simulation import simulate
from tests.models import EXACT, Bench, base, point, project, segment

seeds = st.integers(0, 10**9)
NO_WEIGHT = {"gravity_m_per_s2": [0.0, 0.0, 0.0]}
FORCE = {
    "id": "force", "x_unit": "m", "y_unit": "N",
    "form": {"kind": "polynomial", "coefficients": [0.0, 80.0, 15.0], "x_min": -5.0, "x_max": 5.0},
}  # fmt: skip
DAMPING = {
    "id": "damping", "x_unit": "m/s", "y_unit": "N",
    "form": {"kind": "table", "x": [-10.0, 0.0, 10.0], "y": [-30.0, 0.0, 60.0]},
}  # fmt: skip
ENDS = {"a": point("a", 0.1, 0.2, -0.3), "b": point("b", -0.2, 0.0, 0.4)}
FRAME_A = {"position_m": [0.1, 0.0, 0.2], "orientation": {"angles_rad": [0.3, 0.1, -0.4]}}
BUSHING = {
    "id": "spring", "kind": "bushing", "a": {"segment": "a", "frame": FRAME_A},
    "b": {"segment": "b"}, "stiffness_n_per_m": [100.0, 200.0, 50.0],
    "stiffness_nm_per_rad": [10.0, 30.0, 20.0],
}  # fmt: skip
SPRINGS_OF = {
    "linear": {"id": "spring", "kind": "linear", **ENDS, "rest_length_m": 0.5,
               "stiffness_n_per_m": 100.0, "stiffness_n_per_m2": 40.0},
    "tabulated": {"id": "spring", "kind": "tabulated", **ENDS, "rest_length_m": 0.7,
                  "force": "force"},
    "bushing": BUSHING,
}  # fmt: skip


def two(spring: Any, **parts: Any) -> Any:
    bodies = [segment("a", 2.0, (0.1, 0.2, 0.25)), segment("b", 1.5, (0.05, 0.06, 0.03))]
    start = {"roots": [{"segment": "b", "position_m": [1.0, 0.2, 0.3]}]}
    return base(
        segments=bodies, springs=[spring], functions=[FORCE, DAMPING], initial=start,
        **(NO_WEIGHT | parts),
    )  # fmt: skip


@pytest.mark.parametrize("name", SPRINGS_OF)
@settings(max_examples=30)
@given(seed=seeds)
def test_springs_take_up_what_they_hold_and_keep_momentum(name: str, seed: int) -> None:
    bench = Bench(two(SPRINGS_OF[name]))
    q, v = bench.random_state(np.random.default_rng(seed), 0.6)
    bench.rates(q, v)
    power, h = bench.powers[SPRINGS], 1e-6
    force, torque = bench.work.applied.force.copy(), bench.work.applied.torque.copy()
    places = bench.work.motion.p.copy()
    rate = (bench.held(bench.moved(q, v, h), v) - bench.held(bench.moved(q, v, -h), v)) / (2 * h)
    assert -power == pytest.approx(rate, rel=2e-5, abs=1e-4 * (1 + abs(rate)))
    assert np.allclose(force.sum(axis=0), 0.0, atol=1e-9)
    assert np.allclose((torque + np.cross(places, force)).sum(axis=0), 0.0, atol=1e-8)


@pytest.mark.parametrize("tension_only", [False, True])
def test_dampers_lose_energy_and_slack_ones_do_nothing(tension_only: bool) -> None:
    spring = {**SPRINGS_OF["linear"], "damping_ns_per_m": 4.0, "damping_ns2_per_m2": 1.0,
              "tension_only": tension_only, "rest_length_m": 2.0}  # fmt: skip
    bench = Bench(two(spring))
    rng = np.random.default_rng(1)
    slack = 0
    for _ in range(50):
        q, v = bench.random_state(rng)
        bench.rates(q, v)
        with_damping, force = bench.powers[SPRINGS], bench.work.on_b[0, :3].copy()
        length = bench.work.on_b[0, 3]
        bench.rates(q, -v)
        # reversing the motion reverses the spring's power, not the damper's
        assert with_damping + bench.powers[SPRINGS] <= 1e-12
        if tension_only and length < 2.0:
            slack += 1
            assert np.all(force == 0.0)
    assert not tension_only or slack > 3


@pytest.mark.parametrize("kind", ["linear", "tabulated"])
def test_a_spring_that_only_pulls_comes_taut_without_a_jump(kind: str) -> None:
    """Against the law with its jump, which the damper's short way in comes close to."""
    m, k, c, speed = 2.0, 2e4, 60.0, 3.0
    spring = {"id": "spring", "kind": kind, "a": point("ground"), "b": point("a"),
              "rest_length_m": 0.1, "tension_only": True}  # fmt: skip
    spring |= (
        {"stiffness_n_per_m": k, "damping_ns_per_m": c}
        if kind == "linear"
        else {"force": "stiff", "damping": "drag"}
    )
    line = [
        {"id": id_, "x_unit": unit, "y_unit": "N",
         "form": {"kind": "table", "x": [-9.0, 9.0], "y": [-9.0 * y, 9.0 * y]}}
        for id_, unit, y in (("stiff", "m", k), ("drag", "m/s", c))
    ]  # fmt: skip
    start = {"segment": "a", "position_m": [0.07, 0.0, 0.0], "velocity_m_per_s": [speed, 0.0, 0.0]}
    parts = {"springs": [spring], "functions": line, "initial": {"roots": [start]}, **NO_WEIGHT}
    run = simulate(project(base(0.06, segments=[segment("a", m)], **parts)))
    assert run.status == "completed"

    def rates(t: float, s: Any) -> Any:
        pull = max(k * s[0] + c * s[1], 0.0) if s[0] > 0.0 else 0.0
        return [s[1], -pull / m]

    exact = solve_ivp(rates, (0.0, 0.05), [1e-12, speed], rtol=1e-9, atol=1e-12).y
    assert run.segment("a").velocity[-1, 0] == pytest.approx(exact[1, -1], rel=5e-3)
    force = np.abs(run.table("springs")["force"][:, 0, 0])
    assert np.all(force[run.table("springs")["length"][:, 0] <= 0.1] == 0.0)
    energy = run.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-7
    assert energy["lost_in_springs"][-1] == pytest.approx(
        0.5 * m * (speed**2 - exact[1, -1] ** 2), rel=1e-2
    )


def test_drag_along_the_axes_of_a_body_slows_it_as_in_closed_form() -> None:
    """Along one of its own axes, across the ground's: v = v0 e / (1 + c2 v0 / c (1 - e)), with e = exp(-c t / m); likewise in turning."""
    m, c, c2, speed = 2.0, 3.0, 1.7, 4.0
    angles = [0.7, -0.4, 0.3]
    along = from_angles(angles, "zyx")[:, 1]
    spring = {
        "id": "water", "kind": "bushing", "a": {"segment": "ground"}, "b": {"segment": "a"}, "damps_along": "b",
        "damping_ns_per_m": [9.0, c, 7.0], "drag_ns2_per_m2": [5.0, c2, 6.0],
        "damping_nms_per_rad": [9.0, 0.1 * c, 7.0], "drag_nms2_per_rad2": [5.0, 0.1 * c2, 6.0],
    }  # fmt: skip
    start = {
        "roots": [{"segment": "a", "velocity_m_per_s": (speed * along).tolist()}],
        "attitudes": [{"segment": "a", "orientation": {"angles_rad": angles}, "angular_velocity_rad_per_s": [0.0, speed, 0.0]}],
    }  # fmt: skip
    parts = {"springs": [spring], "initial": start, **NO_WEIGHT}
    run = simulate(project(base(0.8, EXACT, segments=[segment("a", m, (0.2,) * 3)], **parts)))
    fades = np.exp(-c * run.time / m)
    slower = speed * fades / (1.0 + c2 * speed / c * (1.0 - fades))
    assert np.allclose(run.segment("a").velocity, slower[:, None] * along, atol=1e-7)
    assert np.allclose(
        run.segment("a").angular_velocity, slower[:, None] * [0.0, 1.0, 0.0], atol=1e-7
    )
    lost = run.table("energy")["lost_in_springs"][-1]
    assert lost == pytest.approx(0.5 * (m + 0.2) * (speed**2 - slower[-1] ** 2), rel=1e-6)


def test_a_mass_on_a_damped_spring_follows_its_closed_form() -> None:
    spring = {"id": "spring", "kind": "linear", "a": point("ground"), "b": point("a"),
              "rest_length_m": 1.0, "stiffness_n_per_m": 200.0, "damping_ns_per_m": 4.0}  # fmt: skip
    data = base(
        segments=[segment("a", 2.0)], springs=[spring],
        initial={"roots": [{"segment": "a", "position_m": [1.3, 0.0, 0.0]}]}, **NO_WEIGHT,
    )  # fmt: skip
    run = simulate(project(data))
    t, decay = run.time, 1.0
    w = np.sqrt(100.0 - decay**2)
    x = 0.3 * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))
    assert np.allclose(run.segment("a").position[:, 0] - 1.0, x, atol=1e-8)
    table = run.table("springs")
    assert np.allclose(table["length"][:, 0], 1.0 + x, atol=1e-8)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8


@pytest.mark.parametrize(("law", "across"), [("printed", 0.9), ("along", 0.0)])
def test_a_tension_element_couples_its_ends_by_its_mass(law: str, across: float) -> None:
    """Two free masses on a string: accelerations by equation 4.61, and by hand."""
    string = {
        "id": "string", "a": point("a"), "b": point("b"), "mass_a_kg": 0.4, "mass_b_kg": 0.3,
        "mass_ab_kg": 0.2, "stiffness_n_per_m": 500.0, "damping_ns_per_m": 3.0,
        "rest_length_m": 0.8, "damping_law": law,
    }  # fmt: skip
    start = {"roots": [
        {"segment": "b", "position_m": [1.0, 0.0, 0.0], "velocity_m_per_s": [0.5, 0.3, 0.0]},
    ]}  # fmt: skip
    data = base(segments=[segment("a", 2.0), segment("b", 1.5)], tension_elements=[string],
                initial=start, **NO_WEIGHT)  # fmt: skip
    bench = Bench(data)
    rates = bench.rates(bench.q, bench.v)
    mass = np.array([[2.0 + 0.4, 0.2], [0.2, 1.5 + 0.3]])
    pull = np.array([500.0 * 0.2 + 3.0 * 0.5, across, 0.0])
    expected = np.linalg.solve(mass, np.array([pull, -pull]))
    assert np.allclose(rates[:3], expected[0], atol=1e-12)
    assert np.allclose(rates[6:9], expected[1], atol=1e-12)
    run = simulate(project(data))
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8
    assert run.table("tension_elements")["length"][0, 0] == pytest.approx(1.0)


@pytest.mark.parametrize("law", ["along", "printed"])
def test_a_pair_on_a_string_keeps_its_spin_unless_it_damps_as_printed(law: str) -> None:
    """Two of 2 kg turn about each other at 5 rad/s, 1 m apart: by (4.59) their spin fades as exp(-10 t / 1)."""
    string = {"id": "string", "a": point("a"), "b": point("b"), "stiffness_n_per_m": 100.0,
              "damping_ns_per_m": 10.0, "rest_length_m": 0.75, "damping_law": law}  # fmt: skip
    roots = [{"segment": name, "position_m": [0.5 * side, 0.0, 0.0], "velocity_m_per_s": [0.0, 2.5 * side, 0.0]}
             for name, side in (("a", 1.0), ("b", -1.0))]  # fmt: skip
    data = base(0.2, EXACT, segments=[segment("a", 2.0), segment("b", 2.0)], tension_elements=[string],
                initial={"roots": roots}, **NO_WEIGHT)  # fmt: skip
    run = simulate(project(data))
    energy = run.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-8
    a, b = run.segment("a"), run.segment("b")
    way, speed = a.position - b.position, a.velocity - b.velocity
    spin = way[:, 0] * speed[:, 1] - way[:, 1] * speed[:, 0]
    fades = np.exp(-10.0 * run.time) if law == "printed" else np.ones(len(run.time))
    assert spin == pytest.approx(5.0 * fades, rel=1e-6)
    if law == "along":
        assert energy["lost_in_springs"] == pytest.approx(0.0, abs=1e-6)


def test_a_slack_string_does_not_damp() -> None:
    string = {"id": "string", "a": point("ground"), "b": point("b"), "stiffness_n_per_m": 100.0,
              "damping_ns_per_m": 10.0, "rest_length_m": 0.75}  # fmt: skip
    start = {
        "roots": [
            {"segment": "b", "position_m": [0.5, 0.0, 0.0], "velocity_m_per_s": [1.0, 0.0, 0.0]}
        ]
    }
    data = base(
        0.8,
        EXACT,
        segments=[segment("b", 2.0)],
        tension_elements=[string],
        initial=start,
        **NO_WEIGHT,
    )
    run = simulate(project(data))
    pull = run.table("tension_elements")["tension"][:, 0]
    x, v = run.segment("b").position[:, 0], run.segment("b").velocity[:, 0]
    taut = x > 0.751
    assert pull[taut] == pytest.approx(
        np.maximum(100.0 * (x - 0.75) + 10.0 * v, 0.0)[taut], abs=1e-6
    )
    assert np.all(pull[x <= 0.75] == 0.0)
    assert taut.sum() > 5
    assert v[-1] < 0.0


@pytest.mark.parametrize("axes", ["ground", "segment"])
@pytest.mark.parametrize("kind", ["force", "torque"])
def test_loads_work_as_much_as_energy_grows(kind: str, axes: str) -> None:
    history = {"id": "history", "x_unit": "s", "y_unit": "N" if kind == "force" else "N*m",
               "form": {"kind": "table", "x": [0.0, 0.3, 0.6], "y": [0.0, 9.0, -4.0]}}  # fmt: skip
    load = {"id": "load", "kind": kind, "segment": "a", "direction": [1.0, 2.0, -1.0],
            "axes": axes, "history": "history"}  # fmt: skip
    load |= {"point_m": [0.1, 0.2, 0.3]} if kind == "force" else {}
    run = simulate(
        project(base(segments=[segment("a")], loads=[load], functions=[history], **NO_WEIGHT))
    )
    energy = run.table("energy")
    assert energy["external"][-1] > 0.1
    assert np.abs(energy["balance"]).max() < 1e-8
    if kind == "force" and axes == "ground":
        impulse = (
            np.array([1.0, 2.0, -1.0]) / np.sqrt(6.0) * (0.5 * 0.3 * 9.0 + 0.3 * 2.5 - 0.4 * 4)
        )
        assert np.allclose(run.segment("a").velocity[-1], impulse, atol=1e-9)


@pytest.mark.parametrize("kind", ["force", "torque"])
def test_a_load_turns_with_any_segment_and_says_what_it_gives(kind: str) -> None:
    """A turntable turns at a rate w: what turns with it drives a free body by (sin wt, 1 - cos wt) F / m w."""
    w, size = 3.0, 5.0
    history = {"id": "history", "x_unit": "s", "y_unit": "N" if kind == "force" else "N*m",
               "form": {"kind": "constant", "value": size}}  # fmt: skip
    load = {"id": "load", "kind": kind, "segment": "a", "direction": [2.0, 0.0, 0.0],
            "axes": "table", "history": "history"}  # fmt: skip
    initial = {
        "roots": [{"segment": "table", "position_m": [3.0, 0.0, 0.0]}],
        "attitudes": [{"segment": "table", "angular_velocity_rad_per_s": [0.0, 0.0, w]}],
    }
    ball = segment("a") | {"inertia_kgm2": [0.2, 0.2, 0.2]}
    model = project(
        base(segments=[segment("table"), ball], loads=[load], functions=[history], initial=initial, **NO_WEIGHT)
    )  # fmt: skip
    run = simulate(model)
    t, moved, loads = run.time, run.segment("a"), run.table("loads")
    way = np.stack([np.cos(w * t), np.sin(w * t), 0.0 * t], axis=1)
    given = loads[kind][:, 0]
    assert given == pytest.approx(size * way, abs=1e-6)
    assert not np.any(loads["torque" if kind == "force" else "force"])
    rate = moved.velocity if kind == "force" else moved.angular_velocity
    inertia = 1.0 if kind == "force" else 0.2
    speed = size / (inertia * w) * np.stack([np.sin(w * t), 1.0 - np.cos(w * t), 0.0 * t], axis=1)
    seen = (
        rate if kind == "force" else np.einsum("nij,nj->ni", matrices(moved.quaternion_wxyz), rate)
    )
    assert seen == pytest.approx(speed, rel=1e-6, abs=1e-6)
    assert loads["power"][:, 0] == pytest.approx(np.sum(given * seen, axis=1), abs=1e-6)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8


def test_a_load_follows_the_segment_of_its_axes_when_that_is_renamed_and_goes_with_it() -> None:
    history = {"id": "history", "x_unit": "s", "y_unit": "N", "form": {"kind": "constant", "value": 1.0}}  # fmt: skip
    loads = [
        {"id": axes, "segment": "a", "axes": axes, "history": "history"}
        for axes in ("segment", "ground", "table")
    ]
    model = project(base(segments=[segment("table"), segment("a")], loads=loads, functions=[history]))  # fmt: skip
    named = references.renamed(model, "segments/table", "disc")
    assert [one.axes for one in named.loads] == ["segment", "ground", "disc"]
    assert [one.axes for one in merging.prefixed(model, "in", "car").loads] == ["segment", "ground", "in_table"]  # fmt: skip
    assert [one.id for one in references.without(model, "segments/table").project.loads] == ["segment", "ground"]  # fmt: skip
    wrong = model.model_copy(update={"loads": (model.loads[0].model_copy(update={"axes": "tabel"}),)})  # fmt: skip
    assert [(one.code, one.path) for one in check(wrong) if one.severity == "error"] == [("unknown-segment", "loads/segment/axes")]  # fmt: skip
