"""Couplings of two axes of joints: gears, belts, racks, screws, and one axis as a function of another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.project.checks import check
from solver.running.simulation import simulate
from tests.models import base, project, segment


def wheel(name: str, inertia: float) -> Any:
    return segment(name, 1.0, (inertia,) * 3)


def pin(name: str, parent: str = "ground", x: float = 0.0) -> Any:
    return {
        "id": f"at_{name}", "kind": "pin", "parent": parent, "child": name,
        "parent_frame": {"position_m": [x, 0.0, 0.0]},
    }  # fmt: skip


def axis(name: str, of: str = "angle") -> Any:
    return {"joint": f"at_{name}", "axis": of}


def slip(name: str, parent: str = "ground", **more: Any) -> Any:
    return {"id": f"at_{name}", "kind": "slip", "rotation": "none", "parent": parent, "child": name} | more  # fmt: skip


def torque(on: str, size: float) -> Any:
    return {
        "functions": [{"id": "size", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "constant", "value": size}}],
        "loads": [{"id": "twist", "kind": "torque", "segment": on, "direction": [0, 1, 0], "history": "size"}],
    }  # fmt: skip


def coupled(kind: str, first: Any, second: Any, id_: str = "it", **more: Any) -> Any:
    return {"id": id_, "kind": kind, "first": first, "second": second, **more}


def solved(data: Any, off: float = 1e-9) -> Any:
    run = simulate(project(data))
    assert run.status == "completed"
    assert np.abs(run.table("energy")["balance"]).max() < off
    return run


def test_a_gear_train_reflects_inertia_by_the_square_of_its_ratios() -> None:
    """Three wheels, the last by a belt: J = J1 + n1^2 J2 + (n1 n2)^2 J3, and what each mesh hands on."""
    J, n1, n2, T = (0.1, 0.4, 0.05), -0.5, 0.12 / 0.04, 1.0
    data = base(
        segments=[wheel(name, one) for name, one in zip("abc", J, strict=True)],
        joints=[pin("a"), pin("b", x=0.3), pin("c", x=0.9)],
        constraints=[
            coupled("gear", axis("a"), axis("b"), "gear", ratio=n1),
            coupled("belt_drive", axis("b"), axis("c"), "belt", first_radius_m=0.12, second_radius_m=0.04),
        ],
        initial={"joints": [{"joint": "at_b", "values": [0.7]}]},
        **torque("a", T),
    )  # fmt: skip
    run = solved(data)
    growth = T / (J[0] + n1**2 * J[1] + (n1 * n2) ** 2 * J[2])
    row = run.table("couplings")
    angle = 0.5 * growth * run.time**2
    assert np.allclose(row["first_angle"][:, 0], angle, atol=1e-10)
    assert np.allclose(row["second_angle"][:, 0], 0.7 + n1 * angle, atol=1e-10)
    assert np.allclose(row["second_angle"][:, 1], n1 * n2 * angle, atol=1e-10)
    on_c = J[2] * n1 * n2 * growth
    assert np.allclose(row["second_torque"][:, 1], on_c, rtol=1e-10)
    assert np.allclose(row["first_torque"][:, 1], -n2 * on_c, rtol=1e-10)
    assert np.allclose(row["first_torque"][:, 0], J[0] * growth - T, rtol=1e-10)
    assert np.allclose(row["power"][:, 1], on_c * n1 * n2 * growth * run.time, atol=1e-10)


def test_a_nut_on_its_screw_falls_as_if_it_were_heavier() -> None:
    """m (p / 2 pi)^2 beside J: with g along the slide the angle grows by m g L / (J + m L^2)."""
    m, J, lead = 2.0, 0.05, 0.1
    data = base(
        segments=[segment("nut", m), segment("bolt", 1.0, (J, J, J))],
        joints=[pin("bolt"), slip("nut")],
        constraints=[coupled("screw", axis("bolt"), axis("nut", "slide"), lead_m=lead)],
    )
    run, L = solved(data), lead / (2.0 * math.pi)
    growth = m * 9.81 * L / (J + m * L**2)
    row = run.table("couplings")
    assert np.allclose(row["first_angle"][:, 0], 0.5 * growth * run.time**2, rtol=1e-10)
    assert np.allclose(row["second_force"][:, 0], m * (L * growth - 9.81), rtol=1e-10)
    assert np.allclose(row["first_torque"][:, 0], J * growth, rtol=1e-10)


def test_a_rack_is_a_rolled_plane() -> None:
    """A pinion of 0.2 m that drives a rack against a spring swings at sqrt(k / (m + J / r^2))."""
    m, J, r, k = 3.0, 0.08, 0.2, 50.0
    data = base(
        2.0,
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        segments=[segment("rack", m), wheel("pinion", J)],
        joints=[pin("pinion"), slip("rack")],
        springs=[{"id": "spring", "kind": "linear", "a": {"segment": "ground", "position_m": [0, 0, -1]}, "b": {"segment": "rack"},
                  "stiffness_n_per_m": k, "rest_length_m": 1.0}],
        constraints=[coupled("rack", axis("pinion"), axis("rack", "slide"), radius_m=-r)],
        initial={"joints": [{"joint": "at_rack", "values": [0.1]}]},
    )  # fmt: skip
    run = solved(data)
    way = run.table("couplings")["second_way"][:, 0]
    assert np.allclose(way, 0.1 * np.cos(math.sqrt(k / (m + J / r**2)) * run.time), atol=1e-8)


def test_what_is_coupled_in_a_moving_frame_moves_as_its_lagrangian_says() -> None:
    """A planet on a swinging arm against a ring: ring and planet roll, and the arm's period says so.

    With the arm's angle a and the planet's angle in the arm b = -n a, T = (J_arm + m l^2) a'^2 / 2 + J (a' + b')^2 / 2.
    """
    m, J, arm, n, length = 2.0, 0.03, 0.5, 2.5, 0.8
    data = base(
        1.5,
        segments=[segment("arm", 1.0, (arm,) * 3), wheel("planet", J) | {"mass_kg": m}],
        joints=[
            pin("arm"),
            pin("planet", "arm") | {"parent_frame": {"position_m": [0.0, 0.0, length]}},
        ],
        constraints=[coupled("gear", axis("arm"), axis("planet"), ratio=-n)],
        initial={"joints": [{"joint": "at_arm", "values": [0.02]}, {"joint": "at_planet", "values": [0.3]}]},
    )  # fmt: skip
    run = solved(data)
    inertia = arm + m * length**2 + J * (1.0 - n) ** 2
    swing = math.sqrt(m * 9.81 * length / inertia)
    row = run.table("couplings")
    first = row["first_angle"][:, 0]
    # a pendulum of small swings, its period longer by a^2 / 16
    assert np.allclose(first, 0.02 * np.cos(swing * (1.0 - 0.02**2 / 16.0) * run.time), atol=1e-6)
    assert np.allclose(row["second_angle"][:, 0], 0.3 - n * (first - 0.02), atol=1e-11)


SINE = {
    "kind": "table", "between": "spline",
    "x": [round(0.05 * k, 10) for k in range(-80, 81)],
    "y": [math.sin(0.05 * k) for k in range(-80, 81)],
}  # fmt: skip


@pytest.mark.parametrize("by", ["polynomial", "spline"])
def test_an_axis_by_another_is_the_mechanism_it_stands_for(by: str) -> None:
    """A slide of sin(angle): the crank with a pin in a slot (Scotch yoke), solved by its one equation."""
    m, J, r = 2.0, 0.05, 0.3
    first, second = axis("crank"), axis("yoke", "slide")
    joints = [pin("crank"), slip("yoke", parent_frame={"orientation": {"angles_rad": [0, math.pi / 2, 0]}})]  # fmt: skip
    more: Any = {
        "spline": {"function": "sine", "scale": r},
        "polynomial": {"coefficients": [0.0, 0.1, -0.04, 0.02]},
    }[by]
    functions = [{"id": "sine", "x_unit": "rad", "y_unit": "m", "form": SINE}] if by == "spline" else []  # fmt: skip
    data = base(
        1.0,
        segments=[wheel("crank", J), segment("yoke", m)],
        joints=joints,
        functions=functions,
        constraints=[coupled("coupled", first, second, **more)],
        initial={"joints": [{"joint": "at_crank", "rates": [3.0]}, {"joint": "at_yoke", "rates": [3.0 * (r if by == "spline" else 0.1)]}]},
    )  # fmt: skip
    # third derivatives of a spline jump at its points
    run = solved(data, 5e-9 if by == "spline" else 1e-9)
    row = run.table("couplings")
    angle, way = row["first_angle"][:, 0], row["second_way"][:, 0]
    if by == "spline":
        f, slope = r * np.sin(angle), r * np.cos(angle)
    else:
        f = 0.1 * angle - 0.04 * angle**2 + 0.02 * angle**3
        slope = 0.1 - 0.08 * angle + 0.06 * angle**2
    assert np.allclose(way, f, atol=1e-7 if by == "spline" else 1e-10)
    # kinetic energy stays: (J + m f'^2) a'^2
    speed = np.array(run.segment("crank").angular_velocity)[:, 1]
    start = (J + m * slope[0] ** 2) * speed[0] ** 2
    assert np.allclose((J + m * slope**2) * speed**2, start, rtol=2e-6 if by == "spline" else 1e-8)


def test_beyond_its_table_a_coupling_goes_straight_on() -> None:
    form = {"kind": "table", "between": "spline", "x": [0.0, 0.2, 0.4, 0.6], "y": [0.0, 0.02, 0.08, 0.18]}  # fmt: skip
    data = base(
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        segments=[wheel("crank", 0.1), segment("yoke")],
        joints=[pin("crank"), slip("yoke")],
        functions=[{"id": "f", "x_unit": "rad", "y_unit": "m", "form": form}],
        constraints=[coupled("coupled", axis("crank"), axis("yoke", "slide"), function="f")],
        initial={"joints": [{"joint": "at_crank", "values": [-0.5], "rates": [3.0]}]},
    )
    run = solved(data)
    row = run.table("couplings")
    x, y = row["first_angle"][:, 0], row["second_way"][:, 0]
    assert x[-1] > 1.0
    # 0.5 x^2 inside, its tangents beyond
    inside = np.clip(x, 0.0, 0.6)
    assert np.allclose(y, 0.5 * inside**2 + inside * (x - inside), atol=1e-9)


def test_starts_that_contradict_a_coupling_are_told() -> None:
    data = base(
        segments=[wheel("a", 0.1), wheel("b", 0.1)],
        joints=[pin("a"), pin("b", x=0.3)],
        constraints=[coupled("gear", axis("a"), axis("b"), ratio=2.0, offset_rad=0.1)],
        initial={"joints": [{"joint": "at_a", "values": [0.2]}, {"joint": "at_b", "values": [0.4]}]},
    )  # fmt: skip
    (found,) = [p for p in check(project(data)) if p.severity == "error"]
    assert found.code == "coupling-start"
    assert "0.4 rad" in found.sentence
    assert "0.5 rad" in found.sentence
    data["initial"]["joints"][1]["values"] = [0.5]
    assert not [p for p in check(project(data)) if p.severity == "error"]
    # rates that contradict it are changed as little as can be, and that is said
    data["initial"]["joints"][0]["rates"] = [1.0]
    run = simulate(project(data))
    assert "speeds_corrected" in [event.kind for event in run.events()]
    rates = [np.array(run.segment(name).angular_velocity)[0, 1] for name in "ab"]
    assert np.allclose(rates, [0.2, 0.4], atol=1e-12)


def test_a_wheel_without_mass_hands_on_what_it_is_given() -> None:
    """Between two wheels, without inertia of its own: the growth is T / (J1 + n^2 J3), to 1e-12."""
    data = base(
        segments=[wheel("a", 0.1), segment("b", 0.0, (0.0, 0.0, 0.0)), wheel("c", 0.05)],
        joints=[pin("a"), pin("b", x=0.3), pin("c", x=0.9)],
        constraints=[
            coupled("gear", axis("a"), axis("b"), "one", ratio=-0.5),
            coupled("gear", axis("b"), axis("c"), "two", ratio=-3.0),
        ],
        **torque("a", 1.0),
    )
    run = solved(data)
    growth = 1.0 / (0.1 + 1.5**2 * 0.05)
    assert np.allclose(run.table("couplings")["first_angle"][:, 0], 0.5 * growth * run.time**2, rtol=1e-12, atol=1e-14)  # fmt: skip


def two_in_space(**more: Any) -> Any:
    """Join two free bodies by a joint of six."""
    return base(
        0.3, segments=[segment("a", 1.0, (0.1, 0.2, 0.3)), segment("b", 1.0, (0.1, 0.2, 0.3))], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "j", "kind": "six", "parent": "a", "child": "b"}], initial={"roots": [{"segment": "a", "position_m": [0.0, 0.0, 0.0]}]},
        **more,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["yaw", "pitch", "roll"])
def test_a_driver_that_begins_late_turns_both_bodies_of_a_joint_of_six(name: str) -> None:
    """The slides of such a joint have mass without inertia: a row on its turns is felt by what holds them."""
    driver = {"id": "d", "joint": "j", "axis": name, "quantity": "velocity", "pulse": {"kind": "constant", "value": 2.0}, "from_s": 0.1}  # fmt: skip
    found = simulate(project(two_in_space(drivers=[driver])))
    which = {"roll": 0, "pitch": 1, "yaw": 2}[name]
    for one, rate in (("a", -1.0), ("b", 1.0)):
        turning = found.table("segments")["angular_velocity"][-1, found.table("segments").ids.index(one)]  # fmt: skip
        assert turning[which] == pytest.approx(rate, abs=1e-9)
    assert abs(found.table("energy")["balance"][-1]) < 1e-9
