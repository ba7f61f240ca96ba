"""The extensional joint (seed 003, section 3.4): its motion, its eight locked states and the broken one."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.injury import assess
from solver.project.checks import check
from solver.project.joint_table import row_of
from solver.project.pose import start_pose
from solver.project.posing import angles_of, with_joint
from solver.running.simulation import simulate
from tests.models import base, project, segment

MASS, INERTIA, STIFFNESS, ARM, G = 2.0, 0.05, 800.0, 0.1, 9.81
START = {"at_parent": 0.5, "length": 0.5, "at_child": 0.3}
CHAIN = {
    "both": ("at_parent", "length", "at_child"), "parent": ("at_parent", "length"),
    "child": ("length", "at_child"), "none": ("length",),
}  # fmt: skip


def strut(duration: float = 1.0, rotation: str = "both", **more: Any) -> Any:
    """Hang a body by a strut with a spring; its rest length is none at all."""
    values = [START[name] for name in CHAIN[rotation]]
    return base(
        duration, segments=[segment("body", MASS, (INERTIA,) * 3)],
        joints=[{"id": "strut", "kind": "extensional", "rotation": rotation, "parent": "ground", "child": "body",
                 "child_frame": {"position_m": [0.0, 0.0, -ARM]}, "rest_length_m": 0.0, "length": {"force": "spring"}} | more],
        functions=[{"id": "spring", "x_unit": "m", "y_unit": "N",
                    "form": {"kind": "table", "x": [-5.0, 5.0], "y": [-5.0 * STIFFNESS, 5.0 * STIFFNESS]}}],
        initial={"joints": [{"joint": "strut", "values": values}]},
    )  # fmt: skip


def solved(data: Any) -> Any:
    run = simulate(project(data))
    assert run.status == "completed", run.message
    energy = run.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-5
    return run


def lagrange(free: tuple[str, ...], times: Any) -> Any:
    """Give length, both angles (the strut's, and the body's against it) by Lagrange's equations in the plane."""
    names = ("at_parent", "length", "at_child")
    at = [names.index(name) for name in free]
    start = [START[name] for name in names]

    def course(_: float, y: Any) -> Any:
        q, v = [*start], [0.0, 0.0, 0.0]
        for k, n in enumerate(at):
            q[n], v[n] = y[k], y[len(at) + k]
        (th, far, bend), (w, grows, turns) = q, v
        spin = w + turns
        sth, cth, sph, cph = math.sin(th), math.cos(th), math.sin(th + bend), math.cos(th + bend)
        # how the mass centre moves with each coordinate, and how the body turns with it
        J = [(far * cth + ARM * cph, -far * sth - ARM * sph), (sth, cth), (ARM * cph, -ARM * sph)]
        S = (1.0, 0.0, 1.0)
        x = -(2 * grows * w * cth - far * w * w * sth - ARM * spin * spin * sph)
        z = G - (-2 * grows * w * sth - far * w * w * cth - ARM * spin * spin * cph)
        M = [[MASS * (J[i][0] * J[j][0] + J[i][1] * J[j][1]) + INERTIA * S[i] * S[j] for j in at] for i in at]  # fmt: skip
        Q = [MASS * (J[i][0] * x + J[i][1] * z) - (STIFFNESS * far if i == 1 else 0.0) for i in at]
        return [*y[len(at) :], *np.linalg.solve(M, Q)]

    done = solve_ivp(
        course, (0.0, times[-1]), [*(start[n] for n in at), *np.zeros(len(at))], t_eval=times, rtol=1e-9, atol=1e-11, method="DOP853"
    )  # fmt: skip
    q = np.tile(start, (len(times), 1))
    q[:, at] = done.y[: len(at)].T
    return q


def test_its_mass_centre_is_where_an_independent_lagrangian_has_it() -> None:
    """Row V10 of the acceptance: 0.176993973, 0.337490364 m."""
    run = solved(strut())
    place = run.segment("body").position[-1]
    assert place[[0, 2]] == pytest.approx([0.176993973, 0.337490364], abs=3e-9)
    joints = run.table("joints")
    q = lagrange(CHAIN["both"], run.time)
    assert joints["slide"][:, 0] == pytest.approx(q[:, 1], abs=1e-7)
    assert joints["angle"][:, 0, 0] == pytest.approx(q[:, 0], abs=1e-7)
    assert joints["angle"][:, 0, 1] == pytest.approx(q[:, 2], abs=1e-7)
    assert np.all(joints["state"] == 0)


LOCKS = list(itertools.product((False, True), repeat=3))


def held(at_parent: bool, length: bool, at_child: bool) -> dict[str, Any]:
    return {
        "at_parent": {"lock": {"locked": at_parent}}, "at_child": {"lock": {"locked": at_child}},
        "length": {"force": "spring", "locked": length},
    }  # fmt: skip


@pytest.mark.parametrize("locks", LOCKS, ids=lambda k: "".join("xo"[not one] for one in k))
def test_each_of_eight_locks_moves_as_the_freedoms_left(locks: tuple[bool, bool, bool]) -> None:
    """Against Lagrange's equations of the freedoms left, and against the joint that is clamped there: to 1e-9."""
    run = solved(strut(**held(*locks)))
    names = CHAIN["both"]
    free = tuple(name for name, lock in zip(names, locks, strict=True) if not lock)
    joints = run.table("joints")
    assert set(joints["state"][:, 0]) == {sum(1 << k for k, lock in enumerate(locks) if lock)}
    q = lagrange(free, run.time) if free else np.tile([START[n] for n in names], (len(run.time), 1))
    assert joints["slide"][:, 0] == pytest.approx(q[:, 1], abs=2e-7)
    welded = strut(
        rotation={(0, 0): "both", (0, 1): "parent", (1, 0): "child", (1, 1): "none"}[
            locks[0], locks[2]
        ]
    )
    joint = welded["joints"][0]
    if locks[0]:
        # clamped in the parent: its frame is turned as the strut was
        joint["parent_frame"] = {"orientation": {"angles_rad": [0.0, START["at_parent"], 0.0]}}
    if locks[2]:
        # what has its place at the end of the strut has another one and another turn in the child
        joint["child_frame"] = {
            "position_m": [0.0, 0.0, -ARM], "orientation": {"angles_rad": [0.0, -START["at_child"], 0.0]},
        }  # fmt: skip
    if locks[1]:
        joint |= {"rigid": True, "length": {}, "rest_length_m": None}
    other = solved(welded)
    for name in ("position", "velocity"):
        one, two = getattr(run.segment("body"), name), getattr(other.segment("body"), name)
        assert one == pytest.approx(two, abs=1e-9)


def shaken() -> Any:
    """Open one axis, two or all three at a time, each by a load of its own, and at last tear the strut off."""
    data = base(
        3.2, segments=[segment("body", 10.0, (INERTIA,) * 3)], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{
            "id": "strut", "kind": "extensional", "parent": "ground", "child": "body",
            "at_parent": {"lock": {"locked": True, "unlock_torque_nm": 6.0, "keeps_torque": True}},
            "length": {"locked": True, "release_above_n": 50.0, "release_below_n": -50.0, "keeps_force": True},
            "at_child": {"lock": {"locked": True, "unlock_torque_nm": 2.0, "keeps_torque": True}},
            "breakage": {"force_y_n": 400.0},
        }],
        initial={"joints": [{"joint": "strut", "values": [0.0, 0.5, 0.0]}]},
    )  # fmt: skip
    loads = {
        "across": ("force", [1.0, 0.0, 0.0], 24.0), "along": ("force", [0.0, 0.0, 1.0], 100.0),
        "about": ("torque", [0.0, 1.0, 0.0], 3.0),
    }  # fmt: skip
    data["functions"], data["loads"] = [], []
    for bit, (name, (kind, direction, peak)) in enumerate(loads.items()):
        t, y = [0.0], [0.0]
        for which in range(1, 8):
            if which & 1 << bit:
                t += [0.4 * which, 0.4 * which + 0.05, 0.4 * which + 0.1]
                y += [0.0, peak, 0.0]
        data["functions"].append({"id": name, "x_unit": "s", "y_unit": "N*m" if kind == "torque" else "N",
                                  "form": {"kind": "table", "x": t, "y": y}})  # fmt: skip
        data["loads"].append({"id": name, "kind": kind, "segment": "body", "direction": direction,
                              "axes": "ground", "history": name})  # fmt: skip
    data["functions"].append({"id": "off", "x_unit": "s", "y_unit": "N",
                              "form": {"kind": "table", "x": [0.0, 3.1, 3.15], "y": [0.0, 0.0, 600.0]}})  # fmt: skip
    data["loads"].append({"id": "off", "segment": "body", "direction": [0.0, 1.0, 0.0], "axes": "ground", "history": "off"})  # fmt: skip
    data["runs"][0]["frame_interval_s"] = 1e-3
    return data


def test_all_eight_states_and_the_broken_one_are_reached_and_told() -> None:
    run = solved(shaken())
    states = run.table("joints")["state"][:, 0]
    assert set(states) == {*range(8), 8}
    assert states[0] == 7
    for which in range(1, 8):
        during = (run.time > 0.4 * which) & (run.time < 0.4 * which + 0.3)
        # open are those that were asked, and no others; then all are held again
        assert min(states[during]) == 7 - which, which
        assert set(states[during]) <= {7 - part for part in range(8) if part & which == part}
        assert states[during][-1] == 7
    told = [str(line) for line in run.log if "strut" in str(line)]
    events = run.events()
    for kind, element in (
        ("joint_opens", "joints/strut/at_parent"), ("joint_opens", "joints/strut/at_child"),
        ("joint_released", "joints/strut/length"), ("joint_held", "joints/strut/at_parent"),
        ("joint_held", "joints/strut/at_child"), ("joint_held", "joints/strut/length"),
    ):  # fmt: skip
        assert sum(e.kind == kind and e.elements == (element,) for e in events) == 4, (
            kind,
            element,
        )
    (broken,) = [e.time for e in events if e.kind == "joint_breaks"]
    assert broken == pytest.approx(3.1 + 0.05 * 400.0 / 600.0, abs=1e-6)
    assert len(told) >= 25
    assert np.min(np.diff(run.table("energy")["dissipated"])) > -1e-9


@pytest.mark.parametrize("rotation", list(CHAIN))
def test_a_pose_is_read_back(rotation: str) -> None:
    made = project(strut(rotation=rotation))
    joint = made.joints[0]
    values = [0.7 * START[name] for name in CHAIN[rotation]]
    posed = with_joint(made, "strut", values)
    assert angles_of(posed, "strut") == pytest.approx(values, abs=1e-12)
    assert len(values) == row_of(joint).coordinates
    place = start_pose(posed)["body"].p_W
    lean = values[0] if rotation in ("both", "parent") else 0.0
    far = values[CHAIN[rotation].index("length")]
    bend = lean + (values[-1] if rotation in ("both", "child") else 0.0)
    assert place == pytest.approx(
        [
            far * math.sin(lean) + ARM * math.sin(bend),
            0.0,
            far * math.cos(lean) + ARM * math.cos(bend),
        ]
    )


def test_rates_at_the_start_are_those_of_each_axis() -> None:
    data = strut(0.01)
    data["initial"]["joints"][0]["rates"] = [1.0, 0.2, -3.0]
    run = simulate(project(data))
    joints = run.table("joints")
    assert joints["rate"][0, 0, :2] == pytest.approx([1.0, -3.0])
    assert run.segment("body").angular_velocity[0] == pytest.approx([0.0, -2.0, 0.0])


@pytest.mark.parametrize("rest", [None, 0.4])
def test_its_spring_counts_from_the_rest_length(rest: float | None) -> None:
    """Clamped at both ends and without weight it swings about its rest length; by default it starts there."""
    data = strut(0.5, "none", rest_length_m=rest)
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    run = solved(data)
    about = START["length"] if rest is None else rest
    swing = (START["length"] - about) * np.cos(math.sqrt(STIFFNESS / MASS) * run.time)
    assert run.table("joints")["slide"][:, 0] == pytest.approx(about + swing, abs=1e-8)


def test_its_length_is_a_deflection_for_injury_figures() -> None:
    """A strut serves as a chest: its length is followed, and how far it falls is the deflection."""
    data = strut(0.2)
    data["runs"][0]["channel_rate_hz"] = 10_000.0
    data["outputs"] = [
        {"kind": "joint", "id": "chest", "joint": "strut", "quantity": "angle"},
        {"kind": "injury", "id": "deflection", "criterion": "chest_deflection", "output": "chest"},
    ]
    assert not [one for one in check(project(data)) if one.severity == "error"]
    run = solved(data)
    names = {"chest_at_parent", "chest_length", "chest_at_child"}
    assert {name for name in run.channel_names if name.startswith("chest")} == names
    length = run.channel("chest_length").value
    assert assess(run)["deflection"].value == pytest.approx(length[0] - length.min(), rel=0.05)


@pytest.mark.parametrize(
    ("change", "code"),
    [({"rotation": "parent", "at_child": {"centre_rad": 0.1}}, "strut-no-effect"),
     ({"rigid": True}, "strut-no-effect"), ({"start": 0.0}, "strut-length")],
)  # fmt: skip
def test_what_a_strut_cannot_have_is_refused(change: dict[str, Any], code: str) -> None:
    data = strut()
    values = data["initial"]["joints"][0]["values"]
    if "start" in change:
        values[1] = change["start"]
    else:
        data["joints"][0] |= change
        if change.get("rotation"):
            data["initial"]["joints"][0]["values"] = values[:2]
    assert code in [one.code for one in check(project(data))]


@pytest.mark.parametrize("speed", [0.0, 1e-6])
def test_a_strut_that_runs_together_is_named(speed: float) -> None:
    """It is drawn straight to its first pin, or past it by so little that it turns without bound."""
    data = strut()
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    data["initial"]["joints"][0] |= {"values": [0.3, 0.5, 0.0], "rates": [speed, -1.0, 0.0]}
    run = simulate(project(data))
    assert run.status == "failed"
    assert "the strut 'strut' has no length left" in run.message
