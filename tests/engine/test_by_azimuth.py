"""Resistance to flexure by azimuth (card E.7): against the printed interpolation, and against its own energy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from app.editing.parts import with_entry, with_option
from solver.engine.dynamics.tree import Array
from solver.engine.forces.system import IN_JOINTS, JOINT_SPRINGS
from solver.engine.maths.rotation import from_angles, quaternion
from solver.project.azimuths import AzimuthTorque, FlexureTable
from solver.project.checks import check
from solver.running.simulation import simulate
from tests.models import Bench, base, project, segment

# uneven azimuths (degrees), and at each the torque (N*m) at 0, 0.5, 1.0 and 3.2 rad
TABLE = {-180.0: (0.0, 1.0, 8.0, 20.0), -70.0: (0.0, 4.0, 9.0, 30.0), 10.0: (0.0, 0.5, 2.0, 25.0),
         95.0: (0.0, 2.0, 12.0, 20.0)}  # fmt: skip
AT = np.array([0.0, 0.5, 1.0, 3.2])


def jointed(
    law: str, rates: list[float] | None = None, table: dict[float, tuple[float, ...]] | None = None, **more: Any
) -> Any:  # fmt: skip
    """Let a body turn about a ball with such a table, without weight."""
    given = TABLE if table is None else table
    functions = [
        {"id": f"at{n}", "x_unit": "rad", "y_unit": "N*m",
         "form": {"kind": "table", "x": list(AT), "y": list(torque)}}
        for n, torque in enumerate(given.values())
    ]  # fmt: skip
    around = [
        {"azimuth_rad": math.radians(degrees), "torque": f"at{n}"}
        for n, degrees in enumerate(given)
    ]
    data = base(
        more.pop("duration", 1.0),
        segments=[segment("body", 2.0, (0.05, 0.06, 0.02))],
        functions=functions,
        joints=[{"id": "ball", "kind": "ball", "parent": "ground", "child": "body",
                 "by_azimuth": {"around": around}, "torque_law": law}],
        initial={"joints": [{"joint": "ball", "values": [0.2, 0.5, 0.3], "rates": rates or [0.0] * 3}]},
        **more,
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    return data


def areas(theta: float) -> Array:
    """Give the area below each torque up to an angle."""
    x = np.linspace(0.0, theta, 20001)
    return np.array([np.trapezoid(np.interp(x, AT, y), x) for y in TABLE.values()])


def energy(theta: float, phi: float) -> float:
    """Give the energy by scipy's splines, with slopes from neighbour to neighbour."""
    at, held = np.radians(list(TABLE)), areas(theta)
    there = np.concatenate([at - 2 * np.pi, at, at + 2 * np.pi])
    values = np.tile(held, 3)
    slopes = (values[2:] - values[:-2]) / (there[2:] - there[:-2])
    return float(CubicHermiteSpline(there[1:-1], values[1:-1], slopes)(phi))


def bent(theta: float, phi: float, twist: float = 0.4) -> Array:
    """Give the attitude whose z axis is bent by theta towards phi."""
    return from_angles((phi + math.pi / 2, theta, twist), "zxz")


def held(bench: Bench, R: Array) -> float:
    q = bench.q.copy()
    q[:4] = quaternion(R)
    bench.rates(q, np.zeros(3))
    return float(bench.work.held[IN_JOINTS])


POSES = [(0.3, 0.2), (0.8, -2.9), (1.3, 3.0), (0.7, -0.4), (0.05, 1.6), (2.0, 2.2)]


@pytest.mark.parametrize(("theta", "phi"), POSES)
def test_the_energy_is_the_spline_of_the_areas(theta: float, phi: float) -> None:
    bench = Bench(jointed("conserving"))
    assert held(bench, bent(theta, phi)) == pytest.approx(energy(theta, phi), rel=1e-6)


@pytest.mark.parametrize(("theta", "phi"), [*POSES, (2.8, 0.7)])
def test_the_torque_is_the_gradient_of_the_energy(theta: float, phi: float) -> None:
    """Also beyond 150 degrees, where what depends on the azimuth fades."""
    bench, R = Bench(jointed("conserving")), bent(theta, phi)
    for axis in np.eye(3):
        w, h = axis * 1.0, 1e-5
        q = bench.q.copy()
        q[:4] = quaternion(R)
        bench.rates(q, w)
        power = bench.powers[JOINT_SPRINGS]
        there = [held(bench, R @ from_angles(tuple(s * h * axis[::-1]), "zyx")) for s in (1, -1)]
        assert -power == pytest.approx((there[0] - there[1]) / (2 * h), abs=2e-6)


@pytest.mark.parametrize(("theta", "phi"), POSES)
def test_printed_the_torque_is_linear_between_azimuths(theta: float, phi: float) -> None:
    bench = Bench(jointed("printed"))
    at = np.degrees(phi)
    degrees, torques = list(TABLE), [np.interp(theta, AT, y) for y in TABLE.values()]
    wanted = np.interp(at, [*degrees, 180.0], [*torques, torques[0]])
    q, w = bench.q.copy(), np.array([0.0, 0.0, 0.0])
    q[:4] = quaternion(bent(theta, phi))
    # a rate of flexure alone
    axis = np.array([-math.sin(phi), math.cos(phi), 0.0])
    w = bent(theta, phi).T @ axis
    bench.rates(q, w)
    assert -bench.powers[JOINT_SPRINGS] == pytest.approx(wanted, rel=1e-9)
    # and nothing against any other
    for other in (np.array([0.0, 0.0, 1.0]), bent(theta, phi).T @ np.cross(axis, [0.0, 0.0, 1.0])):
        bench.rates(q, other - axis_part(other, w))
        assert bench.powers[JOINT_SPRINGS] == pytest.approx(0.0, abs=1e-9)


def axis_part(other: Array, w: Array) -> Array:
    out: Array = w * (other @ w) / (w @ w)
    return out


def test_below_zero_is_a_dead_band_in_the_printed_form() -> None:
    table = {-180.0: (-3.0, -1.0, 8.0, 20.0), 0.0: (-1.0, -0.5, 2.0, 25.0)}
    bench = Bench(jointed("printed", table=table))
    q = bench.q.copy()
    for theta, phi, wanted in (
        (0.3, 0.3, 0.0),
        (0.55, -math.pi / 2, 0.0),
        (1.0, -math.pi / 2, 5.0),
    ):
        q[:4] = quaternion(bent(theta, phi))
        w = bent(theta, phi).T @ np.array([-math.sin(phi), math.cos(phi), 0.0])
        bench.rates(q, w)
        assert -bench.powers[JOINT_SPRINGS] == pytest.approx(wanted, abs=1e-9)


def test_conserving_gives_back_what_it_took_and_printed_does_not() -> None:
    lost = {}
    for law in ("conserving", "printed"):
        out = simulate(project(jointed(law, [4.0, 9.0, -3.0], duration=2.0)))
        assert out.status == "completed", out.message
        table = out.table("energy")
        turned = float(np.max(table["kinetic"]) + np.max(table["strain"]))
        assert np.max(np.abs(table["balance"])) < 1e-6 * turned
        lost[law] = np.max(np.abs(table["lost_in_joint_springs"])) / turned
    assert lost["conserving"] < 1e-6
    assert lost["printed"] > 1e-2


def test_outputs_tell_flexure_and_azimuth() -> None:
    data = jointed("conserving", [4.0, 9.0, -3.0], duration=0.2)
    data["outputs"] = [{"id": "m", "kind": "joint", "joint": "ball", "quantity": "torque"}]
    out = simulate(project(data))
    parts = [out.channel(f"m_spring_{name}").value for name in ("flexure", "azimuth")]
    whole = np.linalg.norm([out.channel(f"m_{axis}").value for axis in "xyz"], axis=0)
    # they act at right angles, and nothing else does
    assert np.hypot(*parts) == pytest.approx(whole, rel=1e-6)
    assert np.max(parts[1]) > 0.3 * np.max(np.abs(parts[0]))


def test_the_form_begins_with_a_table_that_is_sound() -> None:
    """Four azimuths, and further ones in rising order."""
    data = jointed("conserving")
    data["joints"][0].pop("by_azimuth")
    made = with_option(project(data), "joints/ball/by_azimuth", FlexureTable)
    for _ in range(2):
        made, _ = with_entry(made, "joints/ball/by_azimuth/around", AzimuthTorque)
    table = made.joints[0].by_azimuth  # type: ignore[union-attr]
    assert table is not None
    at = [one.azimuth_rad for one in table.around]
    assert at[:4] == pytest.approx([-math.pi, -math.pi / 2, 0.0, math.pi / 2])
    assert at == sorted(at)
    assert len(at) == 6
    assert [one for one in check(made) if one.severity == "error"] == []
