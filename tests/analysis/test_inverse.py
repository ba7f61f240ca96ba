"""Inverse dynamics and identification: printed formulas, runs the other way round, hidden parameters."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import loadmat

import manikin as mk
from manikin.mechanics import standing_at
from solver.analysis.inverse import base_parameters
from solver.analysis.inverse.bodies import At, at_motion, inverse_forces
from solver.analysis.inverse.identify import parameters_of, regressor
from solver.cli import main
from solver.engine.forces.joints.eulers import LED
from solver.project import validated
from solver.results.trajectory import Array
from tests.manikin.test_mechanics import chain
from tests.models import base, hung, segment

# the Puma 562 of Fisette, Raucent and Samin

L12, L23 = 0.66, 0.43
MASS = (13.0, 22.4, 5.0)
CENTRE = ((0.0, 0.03, 0.31), (0.0, -0.11, 0.07), (0.0, 0.02, 0.14))
INERTIA = ((0.7, 0.6, 0.3), (0.9, 0.8, 0.4), (0.2, 0.19, 0.06))


def puma(**more: Any) -> Any:
    """Give the first three links: about the vertical, then twice about y; z up, all frames alike at zero."""
    segments, joints = [], []
    places = ((0.0, 0.0, 0.0), (0.0, 0.0, L12), (0.0, 0.0, L23))
    for n in range(3):
        centre = np.array(CENTRE[n])
        before = np.zeros(3) if n == 0 else np.array(CENTRE[n - 1])
        segments.append(segment(f"link{n + 1}", MASS[n], INERTIA[n]))
        # a pin turns about its y: for the first that is the vertical
        turned = {"orientation": {"angles_rad": [0, 0, 0.5 * math.pi if n == 0 else 0]}}
        joints.append({
            "id": f"j{n + 1}", "kind": "pin", "parent": f"link{n}" if n else "ground", "child": f"link{n + 1}",
            "parent_frame": {"position_m": (np.array(places[n]) - before).tolist(), **turned},
            "child_frame": {"position_m": (-centre).tolist(), **turned},
        })  # fmt: skip
    return base(segments=segments, joints=joints, gravity_m_per_s2=[0, 0, -9.81], **more)


def printed(q: Array, v: Array, a: Array, g: float = 9.81) -> list[float]:
    """Q1 to Q3 as printed, with their barycentric parameters."""
    (_, y1, _), (_, y2, z2), (_, y3, z3) = CENTRE
    m1, m2, m3 = MASS
    b2z, b3y, b3z = m3 * L23 + z2 * m2, y3 * m3, z3 * m3
    K1zz = INERTIA[0][2] + y1 * y1 * m1
    K2xx = INERTIA[1][0] + m3 * L23**2 + m2 * (y2 * y2 + z2 * z2)
    K2yy = INERTIA[1][1] + m3 * L23**2 + z2 * z2 * m2
    K2yz, K2zz = -y2 * z2 * m2, INERTIA[1][2] + y2 * y2 * m2
    K3xx, K3yy = INERTIA[2][0] + m3 * (y3 * y3 + z3 * z3), INERTIA[2][1] + z3 * z3 * m3
    K3yz, K3zz = -y3 * z3 * m3, INERTIA[2][2] + y3 * y3 * m3
    p1, p2, p3 = v
    a1, a2, a3 = a
    S2, C2, S3, C3 = math.sin(q[1]), math.cos(q[1]), math.sin(q[2]), math.cos(q[2])
    S23, C23 = math.sin(q[1] + q[2]), math.cos(q[1] + q[2])
    S22, S2233, S223 = math.sin(2 * q[1]), math.sin(2 * (q[1] + q[2])), math.sin(2 * q[1] + q[2])
    Q3 = (
        K3yz * a1 * C23 + K3yy * (a2 + a3) + b3z * a2 * L23 * C3 - K3xx * p1 * p1 * C23 * S23
        + K3zz * p1 * p1 * C23 * S23 - b3z * p1 * p1 * L23 * C23 * S2 + b3z * p2 * p2 * L23 * S3 - b3z * g * S23
    )  # fmt: skip
    Q2 = (
        Q3 + K2yz * a1 * C2 - b3y * a1 * L23 * C2 + K2yy * a2 + b3z * (a2 + a3) * L23 * C3
        - K2xx * p1 * p1 * C2 * S2 + K2zz * p1 * p1 * C2 * S2 - b3z * p1 * p1 * L23 * C2 * S23
        - b3z * p2 * p2 * L23 * S3 - b3z * p3 * p3 * L23 * S3 - 2 * b3z * p2 * p3 * L23 * S3 - b2z * g * S2
    )  # fmt: skip
    Q1 = (
        a1 * (K1zz + K2xx * S2 * S2 + K2zz * C2 * C2 + K3xx * S23 * S23 + K3zz * C23 * C23 + 2 * b3z * L23 * S2 * S23)
        + a2 * (K2yz * C2 + K3yz * C23 - b3y * L23 * C2) + a3 * K3yz * C23
        - p2 * p2 * (K2yz * S2 + K3yz * S23 - b3y * L23 * S2)
        + p1 * p2 * ((K2xx - K2zz) * S22 + (K3xx - K3zz) * S2233 + 2 * b3z * L23 * S223)
        - p3 * p3 * K3yz * S23 + p1 * p3 * ((K3xx - K3zz) * S2233 + 2 * b3z * L23 * C23 * S2) - 2 * p2 * p3 * K3yz * S23
    )  # fmt: skip
    return [Q1, Q2, Q3]


def standing_of(data: Any) -> At:
    return standing_at(mk.Model(validated(data)), None)


def test_the_puma_has_the_torques_of_its_printed_formulas() -> None:
    at, rng = standing_of(puma()), np.random.default_rng(562)
    for _ in range(100):
        q, v, a = rng.uniform(-3, 3, 3), 2 * rng.normal(size=3), 5 * rng.normal(size=3)
        found = inverse_forces(at_motion(at, q, v), a)
        assert found == pytest.approx(printed(q, v, a), abs=1e-10)
        # and they are what the unit parameters make together
        values = parameters_of(at)[1]
        assert regressor(at, q, v, a) @ values == pytest.approx(found, abs=1e-10)


def test_the_puma_tells_fifteen_of_thirty_and_its_base_twenty() -> None:
    at = standing_of(puma())
    joints, reaction = base_parameters(at), base_parameters(at, "reaction")
    assert len(joints.parameters) == 30
    assert (len(joints), len(reaction)) == (15, 20)
    assert "link1/m" in joints.unseen
    assert len([n for n in joints.unseen if n.startswith("link1/")]) == 9
    # mb2z is m2 z2 + m3 l23, and is told as that
    (name,) = [n for n in joints.names if n.startswith("link2/mz")]
    assert name == "link2/mz + 0.43 link3/m"
    k = joints.names.index(name)
    assert joints.values[k] == pytest.approx(MASS[1] * CENTRE[1][2] + MASS[2] * L23, rel=1e-9)
    # parameters of combinations alone give the same loads
    rng = np.random.default_rng(1)
    W = regressor(at, *(rng.normal(size=3) for _ in range(3)))
    _, values = parameters_of(at)
    assert W[:, list(joints.chosen)] @ joints.values == pytest.approx(W @ values, abs=1e-9)


def wave(id_: str, *terms: tuple[float, float]) -> Any:
    x = np.linspace(0.0, 1.0, 101)
    y = sum(a * (1 - np.cos(w * x)) for a, w in terms)
    form = {"kind": "table", "x": x.tolist(), "y": np.asarray(y).tolist(), "between": "spline"}
    return {"id": id_, "x_unit": "s", "y_unit": "rad", "form": form}


def driven_puma() -> mk.Model:
    """Give the arm with all three joints moved, each by two waves."""
    data = puma(
        duration=1.0,
        functions=[wave("f1", (0.6, 5.1), (0.2, 11.0)), wave("f2", (0.5, 6.3), (-0.3, 10.1)), wave("f3", (-0.7, 5.7), (0.25, 12.3))],
        drivers=[{"id": f"d{n}", "joint": f"j{n}", "axis": "angle",
                  "pulse": {"kind": "function", "function": f"f{n}"}} for n in (1, 2, 3)],
    )  # fmt: skip
    return mk.Model(validated(data))


def test_fifteen_parameters_are_found_from_a_run_again() -> None:
    run = mk.run(driven_puma().with_value("runs/run/frame_interval_s", 0.025))
    found = mk.identify(run)
    assert len(found.base) == 15
    assert found.value == pytest.approx(found.base.values, rel=1e-6)
    assert found.residual < 1e-8
    assert found.condition < 1e3
    # with noise they are as far off as the covariance says
    loads = mk.joint_loads(run)
    noise = np.random.default_rng(3).normal(scale=0.5, size=loads.values.shape)
    rough = mk.identify(run, loads.values + noise)
    assert rough.residual == pytest.approx(0.5, rel=0.2)
    off = (rough.value - found.value) / rough.spread
    assert np.abs(off).max() < 4.0
    assert 0.4 < np.sqrt(np.mean(off**2)) < 1.6
    # the ground feels them all: twenty
    felt = mk.identify(run, rows="reaction")
    assert len(felt.base) == 20
    assert felt.value == pytest.approx(felt.base.values, rel=1e-6)
    # one link alone, with the others known
    (name,) = {n.partition("/")[0] for n in mk.identify(run, segments=["link3"]).base.parameters}
    assert name == "link3"


def test_loads_of_a_run_are_those_of_the_run() -> None:
    """All kinds of joints in motion: what Newton and Euler ask for is what the run says its joints bear."""
    model = chain()
    run = mk.run(model, until=0.02)
    loads = mk.joint_loads(run)
    table = run.trajectory.table("joints")
    order = [table.ids.index(name) for name in loads.joints]
    size = np.abs(table["force"]).max()
    assert loads.force == pytest.approx(table["force"][:, order], abs=1e-9 * size)
    assert loads.torque == pytest.approx(table["torque"][:, order], abs=1e-9 * size)
    # nothing acts in these joints, nor on the root beside weight
    assert np.abs(loads.values).max() < 1e-8 * size


@pytest.mark.parametrize("held", ["", "spin"])
def test_loads_of_an_euler_joint_work_along_its_angles(held: str) -> None:
    """What its springs give about each angle, on either side of straight, open as a ball or with an axis held."""
    k, centre = (3.0, 8.0, 0.5), (0.3, 0.2, 0.6)
    axes = {
        name: {"spring": {"linear_nm_per_rad": k[n]}, "centre_rad": centre[n], "lock": {"locked": name == held}}
        for n, name in enumerate(("precession", "nutation", "spin"))
    }  # fmt: skip
    start = {
        "joint": "joint",
        "values": [0.4, 0.9, 0.3],
        "rates": [1.0, -2.0, 0.0 if held else 3.0],
    }
    data = hung({"kind": "euler", **axes}, initial={"joints": [start]})
    run = mk.run(mk.Model(validated(data)), until=0.6)
    angle = run.trajectory.table("joints")["angle"][:, 0]
    assert angle[:, 1].min() < -0.1
    # nearer to straight the angles are led over it
    away = np.abs(np.sin(angle[:, 1])) > LED
    loads = mk.joint_loads(run)
    assert loads.units[:3] == ("N*m",) * 3
    for n, name in enumerate(axes):
        if name != held:
            expected = -k[n] * (angle[:, n] - centre[n])
            found = loads[f"joints/joint/{name}"]
            assert found[away] == pytest.approx(expected[away], abs=1e-6), name


def test_an_axis_that_a_lock_lets_go_is_followed() -> None:
    """The pendulum's neck is locked until it is struck: loads are those of the run before and after."""
    run = mk.run(mk.sample("neck_pendulum"), until=0.04)
    assert any("lock" in event.kind or "open" in event.kind for event in run.events)
    loads = mk.joint_loads(run)
    table = run.trajectory.table("joints")
    order = [table.ids.index(name) for name in loads.joints]
    for name, found in (("force", loads.force), ("torque", loads.torque)):
        size = np.abs(table[name]).max()
        assert found == pytest.approx(table[name][:, order], abs=1e-6 * size)


def test_forward_of_inverse_gives_the_rates_back() -> None:
    model = chain()
    sim = mk.Simulation(model)
    sim.step_to(0.02)
    rng = np.random.default_rng(11)
    names = mk.speeds(model)
    free = np.array([not name.startswith("joints/j5") for name in names])
    for state in (None, sim.state):
        for _ in range(5):
            rates = rng.normal(size=len(names)) * free
            forces = mk.inverse(model, state, rates)
            again = mk.forward(model, state, forces)
            assert again[free] == pytest.approx(rates[free], abs=1e-10)


def test_tracks_bear_the_loads_of_the_run_that_they_were_taken_from() -> None:
    model = driven_puma()
    run = mk.run(model.with_value("runs/run/frame_interval_s", 0.004))
    wanted = mk.joint_loads(run)
    table = run.trajectory.table("joints")
    tracks = {f"joints/j{n}/1": table["angle"][:, table.ids.index(f"j{n}"), 0] for n in (1, 2, 3)}
    found = mk.joint_loads(model, run.time, tracks)
    inner = slice(20, -20)
    size = np.abs(wanted.values).max()
    assert found.values[inner] == pytest.approx(wanted.values[inner], abs=1e-3 * size)
    # a low pass takes noise out before it is differentiated
    noise = {
        k: v + np.random.default_rng(5).normal(scale=1e-4, size=len(v)) for k, v in tracks.items()
    }
    rough = mk.joint_loads(model, run.time, noise)
    smooth = mk.joint_loads(model, run.time, noise, cutoff_hz=12.0)
    inner = slice(50, -50)
    off = [np.abs(one.values[inner] - wanted.values[inner]).max() for one in (rough, smooth)]
    assert off[1] < 0.05 * off[0]


def test_a_root_that_tumbles_is_followed_by_its_quaternion() -> None:
    model = mk.sample("free_body")
    run = mk.run(model, until=0.05, dense=True)
    table = run.trajectory.table("segments")
    names = [f"segments/body/position/{a}" for a in "xyz"]
    tracks = {n: table["position"][:, 0, k] for k, n in enumerate(names)}
    tracks |= {
        f"segments/body/quaternion_wxyz/{a}": table["quaternion_wxyz"][:, 0, k]
        for k, a in enumerate("wxyz")
    }
    found = mk.joint_loads(model, run.time, tracks).values[20:-20]
    spin = np.abs(table["angular_velocity"]).max()
    assert np.abs(found).max() < 1e-3 * spin**2 * max(model.project.segments[0].inertia_kgm2)


def test_what_fits_no_model_is_told() -> None:
    model = driven_puma()
    time = np.linspace(0, 1, 50)
    for tracks, sentence in (
        ({"joints/j9/1": time}, "is no track of this model"),
        ({"joints/j1/1": time[:-1]}, "has gaps"),
        ({"joints/j1/1": np.where(time > 0.5, np.nan, time)}, "has gaps"),
    ):
        with pytest.raises(mk.InverseError, match=sentence):
            mk.joint_loads(model, time, tracks)
    with pytest.raises(mk.InverseError, match="six instants"):
        mk.joint_loads(model, time[:4], {"joints/j1/1": time[:4]})
    with pytest.raises(mk.InverseError, match="half the rate"):
        mk.joint_loads(model, time, {"joints/j1/1": time}, cutoff_hz=60.0)
    with pytest.raises(mk.InverseError, match="give `loads`"):
        mk.identify(model, time=time, tracks={"joints/j1/1": time})


def test_commands_give_loads_and_parameters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = driven_puma()
    project, results = tmp_path / "puma.json", tmp_path / "puma.h5"
    model.save(project)
    run = mk.run(model)
    run.save(results)
    for ending in ("csv", "npz", "mat"):
        assert main(["inverse", str(results), "--export", str(tmp_path / f"loads.{ending}")]) == 0
    assert "joints/j2/1" in capsys.readouterr().out
    loads = mk.joint_loads(run)
    assert (np.load(tmp_path / "loads.npz")["values"] == loads.values).all()
    assert (loadmat(tmp_path / "loads.mat")["force"] == loads.force).all()
    rows = (tmp_path / "loads.csv").read_text().splitlines()
    assert rows[0].startswith("time [s],joints/j1/1 [N*m],")
    assert float(rows[5].split(",")[2]) == loads.values[4, 1]
    angle = np.degrees(run.trajectory.table("joints")["angle"][:, :, 0])
    lines = [
        f"{1e3 * t!r},{a[0]!r},{a[1]!r},{a[2]!r}"
        for t, a in zip(run.time.tolist(), angle.tolist(), strict=True)
    ]
    tracks = tmp_path / "tracks.csv"
    tracks.write_text(
        "\n".join(["time [ms],joints/j1/1 [deg],joints/j2/1 [deg],joints/j3/1 [deg]", *lines])
    )
    assert main(["inverse", str(project), "--tracks", str(tracks), "--json"]) == 0
    found = np.array(json.loads(capsys.readouterr().out)["loads"]["joints/j2/1"])
    assert found[10:-10] == pytest.approx(
        loads["joints/j2/1"][10:-10], abs=0.01 * np.abs(loads.values).max()
    )
    assert main(["identify", str(project)]) == 0
    assert "15 of 30 can be told" in capsys.readouterr().out
    assert main(["identify", str(results), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    model_values = [one["value"] for one in data["combinations"]]
    assert data["found"] == pytest.approx(model_values, rel=1e-6)
    assert main(["identify", str(results), "--reaction"]) == 0
    assert "20 found" in capsys.readouterr().out
    tracks.write_text("time [s],joints/j1/1 [kg]\n0,1\n1,2\n")
    for wrong, sentence in (
        (["inverse", str(project)], "no motion"),
        (["inverse", str(results), "--cutoff", "5"], "leave out --tracks"),
        (["inverse", str(project), "--tracks", str(tracks)], "joints/j1/1 [kg]"),
        (["inverse", str(results), "--export", str(tmp_path / "x.txt")], "ends in none of"),
        (["identify", str(results), "--segments", "lnk1"], "Did you mean 'link1'"),
        (["identify", str(results), "--measured", "j1"], "is no speed of the model"),
    ):
        assert main(wrong) == 1
        assert sentence in capsys.readouterr().err
