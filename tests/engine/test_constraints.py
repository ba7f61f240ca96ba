"""Constraints on top of trees: loops against trees, published mechanisms, redundancy, exactness."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.project.checks import Checked
from solver.running.simulation import simulate
from tests.models import Bench, base, point, project, segment

ROD = (0.0, 0.0, 0.5)


def chain(count: int) -> Any:
    """Give a chain of rods on ball joints, swinging in space."""
    names = [f"rod{n}" for n in range(count)]
    joints = [
        {
            "id": f"joint{n}", "kind": "ball", "parent": names[n - 1] if n else "ground",
            "child": name, "child_frame": {"position_m": [0.0, 0.0, -0.5]},
            "parent_frame": {"position_m": [0.0, 0.0, 0.5 if n else 0.0]},
        }
        for n, name in enumerate(names)
    ]  # fmt: skip
    attitudes = [
        {"segment": name, "orientation": {"angles_rad": [0.3 * n, 1.2 - 0.4 * n, 0.2]},
         "angular_velocity_rad_per_s": [1.0 - n, 0.5, 2.0 - 1.5 * n]}
        for n, name in enumerate(names)
    ]  # fmt: skip
    return base(segments=[segment(n) for n in names], joints=joints,
                initial={"attitudes": attitudes})  # fmt: skip


def cut(data: Any, run: Any) -> Any:
    """Replace all joints of a chain by constraints between free bodies."""
    names = [s["id"] for s in data["segments"]]
    ties = [
        {"id": f"tie{n}", "kind": "zero_distance", "a": point(name, 0.0, 0.0, -0.5),
         "b": point(names[n - 1], *ROD) if n else point("ground")}
        for n, name in enumerate(names)
    ]  # fmt: skip
    roots = [
        {"segment": name, "position_m": run.segment(name).position[0].tolist(),
         "velocity_m_per_s": run.segment(name).velocity[0].tolist()}
        for name in names
    ]  # fmt: skip
    return base(segments=data["segments"], constraints=ties,
                initial={"attitudes": data["initial"]["attitudes"], "roots": roots})  # fmt: skip


@pytest.mark.parametrize("count", [1, 3])
def test_free_bodies_tied_together_move_as_a_tree(count: int) -> None:
    data = chain(count)
    tree = simulate(project(data))
    tied_data = cut(data, tree)
    tied = simulate(project(tied_data))
    for s in data["segments"]:
        a, b = tree.segment(s["id"]), tied.segment(s["id"])
        assert np.allclose(a.position, b.position, atol=1e-9)
        assert np.allclose(a.angular_velocity, b.angular_velocity, atol=1e-8)
        assert np.allclose(a.acceleration, b.acceleration, atol=1e-6)
    assert np.abs(tied.table("energy")["balance"]).max() < 1e-7
    force = tied.table("constraints")["force"][:, 0]
    assert np.allclose(force, tree.table("joints")["force"][:, 0], atol=1e-6)


def test_constraints_hold_to_a_billionth_of_a_metre_even_at_coarse_tolerance() -> None:
    data = chain(3)
    tree = simulate(project(data))
    tied = cut(data, tree)
    tied["runs"][0] |= {
        "duration_s": 5.0,
        "integrator": {"kind": "dopri", "relative_tolerance": 1e-4, "absolute_tolerance": 1e-6},
    }
    run = simulate(project(tied))
    assert run.status == "completed"
    ends = []
    for name in ("rod0", "rod1", "rod2"):
        m = run.segment(name)
        R = Rotation.from_quat(m.quaternion_wxyz, scalar_first=True)
        w = R.apply(np.array(m.angular_velocity))
        for end in (-0.5, 0.5):
            arm = R.apply([0.0, 0.0, end])
            ends.append((m.position + arm, m.velocity + np.cross(w, arm)))
    gaps = [
        ends[0],
        *(tuple(b - a for a, b in zip(ends[k], ends[k + 1], strict=True)) for k in (1, 3)),
    ]
    for place, velocity in gaps:
        assert np.abs(place).max() < 1e-9
        assert np.abs(velocity).max() < 1e-9


def test_redundant_constraints_change_nothing() -> None:
    data = chain(2)
    once = simulate(project(data))
    data["constraints"] = [
        {"id": "same", "kind": "zero_distance", "a": point("rod0", *ROD),
         "b": point("rod1", 0.0, 0.0, -0.5)},
        {"id": "again", "kind": "fixed_distance", "a": point("rod0", *ROD),
         "b": point("rod1", 0.0, 0.0, 0.2)},
    ]  # fmt: skip
    twice = simulate(project(data))
    assert twice.status == "completed"
    for name in ("rod0", "rod1"):
        assert np.allclose(once.segment(name).position, twice.segment(name).position, atol=1e-8)


def test_a_fixed_distance_makes_a_spherical_pendulum() -> None:
    length = 0.8
    start = {"roots": [{"segment": "bob", "position_m": [length * 0.6, 0.0, length * 0.8],
                        "velocity_m_per_s": [0.0, 1.5, 0.0]}]}  # fmt: skip
    rod = {"id": "rod", "kind": "fixed_distance", "a": point("bob"), "b": point("ground")}
    run = simulate(project(base(2.0, segments=[segment("bob", 2.0)], constraints=[rod],
                                initial=start)))  # fmt: skip
    p, v = run.segment("bob").position, run.segment("bob").velocity
    assert np.allclose(np.linalg.norm(p, axis=1), length, atol=1e-9)
    assert np.allclose(np.cross(p, v)[:, 2], length * 0.6 * 1.5, atol=1e-8)
    energy = 0.5 * np.einsum("ti,ti->t", v, v) - 9.81 * p[:, 2]
    assert np.ptp(energy) < 1e-8
    # the rod carries weight and centripetal force
    force = run.table("constraints")["force"][:, 0]
    pull = 2.0 * (np.einsum("ti,ti->t", v, v) / length + 9.81 * p[:, 2] / length)
    assert np.allclose(np.einsum("ti,ti->t", force, -p / length), pull, atol=1e-6)


def test_a_slider_crank_keeps_its_geometry() -> None:
    """Crank 0.11 m, coupler 0.400 m: the slider's place in closed form."""
    a, b = 0.11, 0.4
    data = base(
        0.5,
        segments=[segment("crank"), segment("coupler"), segment("slider")],
        joints=[
            {"id": "bearing", "kind": "pin", "parent": "ground", "child": "crank"},
            {"id": "pin", "kind": "pin", "parent": "crank", "child": "coupler",
             "parent_frame": {"position_m": [0.0, 0.0, a]},
             "child_frame": {"position_m": [0.0, 0.0, -b / 2]}},
            {"id": "guide", "kind": "slip", "parent": "ground", "child": "slider",
             "parent_frame": {"orientation": {"angles_rad": [0.0, 1.5707963267948966, 0.0]}},
             "child_frame": {"orientation": {"angles_rad": [0.0, 1.5707963267948966, 0.0]}}},
        ],
        constraints=[{"id": "end", "kind": "zero_distance", "a": point("coupler", 0.0, 0.0, b / 2),
                      "b": point("slider")}],
        initial={"joints": [
            {"joint": "bearing", "values": [0.7], "rates": [12.0]},
            {"joint": "pin", "values": [1.0]},
            {"joint": "guide", "values": [0.45]},
        ]},
    )  # fmt: skip
    # the check asks for points that meet; the start pulls these together
    run = simulate(Checked(project(data)))
    assert run.status == "completed", run.message
    theta = run.table("joints")["angle"][:, 0, 0]
    x, z = run.segment("slider").position[:, 0], run.segment("slider").position[:, 2]
    assert np.allclose(z, 0.0, atol=1e-9)
    assert np.allclose((x - a * np.sin(theta)) ** 2 + (a * np.cos(theta)) ** 2, b**2, atol=1e-9)
    assert np.ptp(theta) > 1.0
    assert np.abs(run.table("energy")["balance"]).max() < 1e-7


def neck(bias: list[float]) -> Any:
    """Give a chain of four segments whose inner ones follow the ends."""
    bends = [
        {"bias_rad": bias if n == 0 else [0.0] * 3,
         "linear": (np.eye(3) * (n + 1) / 3).tolist(),
         "interaction_per_rad": [[0.05, -0.1, 0.02], [0.0, 0.1, 0.03], [0.04, 0.0, -0.1]],
         "quadratic_per_rad": [[0.1, 0.0, 0.05], [0.0, -0.1, 0.02], [0.03, 0.02, 0.0]]}
        for n in range(2)
    ]  # fmt: skip
    data = chain(4)
    data["initial"] = {"attitudes": [
        {"segment": "rod0", "orientation": {"angles_rad": [0.1, 0.4, 0.2]},
         "angular_velocity_rad_per_s": [1.0, -0.5, 0.3]}]}  # fmt: skip
    data["flexible_elements"] = [
        {"id": "neck", "segments": ["rod0", "rod1", "rod2", "rod3"], "bends": bends}
    ]
    data["joints"][3]["flexure"] = {"linear_nm_per_rad": 3.0}
    return data


def test_a_flexible_element_follows_its_polynomials() -> None:
    data = neck([0.0, 0.0, 0.0])
    run = simulate(project(data))
    assert run.status == "completed", run.message
    turns = [
        Rotation.from_quat(run.segment(f"rod{n}").quaternion_wxyz, scalar_first=True)
        for n in range(4)
    ]
    relative = [(turns[0].inv() * t).as_euler("ZYX") for t in turns]
    end = relative[3]
    assert np.ptp(end, axis=0).min() > 0.05
    a, b, c = end.T
    for n, bend in enumerate(data["flexible_elements"][0]["bends"]):
        f, g, h = (
            np.array(bend[k]) for k in ("linear", "interaction_per_rad", "quadratic_per_rad")
        )
        wanted = (
            f @ end.T + g @ np.array([b * c, c * a, a * b]) + h @ np.array([a * a, b * b, c * c])
        )
        assert np.allclose(relative[n + 1], wanted.T, atol=2e-9)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-7


def test_rows_of_a_flexible_element_are_the_derivative_of_its_error() -> None:
    """Speeds and biases of the rows against differences of their errors along any motion."""
    bench = Bench(neck([0.05, -0.1, 0.02]))
    rng = np.random.default_rng(3)
    for _ in range(5):
        q, v = bench.random_state(rng, 0.02)
        q = bench.moved(q, rng.normal(size=len(v)) * 0.3, 1.0)
        # only near the constraint is the error a small turn
        rates = bench.rates(q, v)
        rows = bench.work.rows
        assert rows.used[0] == rows.used[1] == 6
        h = 1e-5
        speeds = []
        for sign in (1.0, -1.0):
            middle = v + 0.5 * sign * h * rates
            bench.rates(bench.moved(q, middle, sign * h), v + sign * h * rates)
            speeds.append(rows.speed[:6].copy())
        # the constrained acceleration keeps every speed of the rows at what it is
        assert np.allclose((speeds[0] - speeds[1]) / (2 * h), 0.0, atol=1e-4)


def mirrored(kind: str) -> Any:
    """Give a trunk with two arms, one of them loaded."""
    arms = [
        {"id": side, "kind": "ball", "parent": "trunk", "child": side,
         "parent_frame": {"position_m": [0.0, y, -0.4]},
         "child_frame": {"position_m": [0.0, 0.0, -0.5]}, "flexure": {"linear_nm_per_rad": 2.0}}
        for side, y in (("left", -0.3), ("right", 0.3))
    ]  # fmt: skip
    history = {
        "id": "push",
        "x_unit": "s",
        "y_unit": "N",
        "form": {"kind": "constant", "value": 5.0},
    }
    return base(
        segments=[segment("trunk", 3.0), segment("left"), segment("right")], joints=arms,
        functions=[history],
        loads=[{"id": "push", "segment": "left", "direction": [1.0, -0.7, 0.0], "axes": "ground",
                "point_m": [0.0, 0.0, 0.5], "history": "push"}],
        symmetry=[{"id": "pair", "kind": kind, "first": "left", "second": "right"},
                  {"id": "trunk", "kind": "planar", "segment": "trunk"}],
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["mirror", "average"])
def test_pairs_move_as_one(kind: str) -> None:
    run = simulate(project(mirrored(kind)))
    assert run.status == "completed", run.message
    trunk, left, right = (run.segment(n) for n in ("trunk", "left", "right"))
    assert np.allclose(trunk.position[:, 1], 0.0, atol=1e-9)
    assert np.allclose(trunk.angular_velocity[:, [0, 2]], 0.0, atol=1e-9)
    assert np.ptp(left.position[:, 0]) > 0.1
    flip = np.array([1.0, -1.0, 1.0])
    assert np.allclose(left.position, right.position * flip, atol=2e-9)
    assert np.allclose(left.velocity, right.velocity * flip, atol=2e-9)
    if kind == "average":
        assert np.allclose(left.position[:, 1], -0.3, atol=1e-9)
    else:
        assert np.ptp(left.position[:, 1]) > 0.01
    assert np.abs(run.table("energy")["balance"]).max() < 1e-7


@pytest.mark.parametrize("kind", ["mirror", "average"])
def test_rows_of_symmetry_are_the_derivative_of_their_error(kind: str) -> None:
    bench = Bench(mirrored(kind))
    rng, rows, h = np.random.default_rng(5), bench.work.rows, 1e-6
    for _ in range(3):
        v = rng.normal(size=len(bench.v))
        bench.rates(bench.q, v)
        count = rows.used[0]
        speed, errors = rows.speed[:count].copy(), []
        for sign in (1.0, -1.0):
            bench.rates(bench.moved(bench.q, v, sign * h), v)
            errors.append(rows.error[:count].copy())
        assert count == (9 if kind == "mirror" else 12)
        assert np.abs(speed).min() > 1e-3
        assert (errors[0] - errors[1]) / (2 * h) == pytest.approx(speed, abs=1e-7)


def test_contradicting_constraints_are_named() -> None:
    ties = [{"id": f"tie{n}", "kind": "fixed_distance", "a": point("rod"), "b": point("ground", x),
             "distance_m": 0.2} for n, x in enumerate((0.0, 1.0))]  # fmt: skip
    start = {"roots": [{"segment": "rod", "position_m": [0.2, 0, 0]}]}
    given = project(base(segments=[segment("rod")], constraints=ties, initial=start))
    run = simulate(Checked(given))
    assert run.status == "failed"
    assert "contradict" in run.message
