"""Dampers of joints with a spring in a row, beside closed forms, muscles on the same angle, and pure dampers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

from solver.base.places import samples
from solver.engine.dynamics.tree import Array
from solver.exchange.decks.writing import given as deck
from solver.exchange.trees.files import write_tree
from solver.exchange.variseg.writing import given as variseg
from solver.project import load_project
from solver.project.joints import Friction
from solver.project.runs import DormandPrince
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.models import EXACT, base, hung, project, segment

C, T, INERTIA = 0.8, 0.02, 0.05
DAMPED = {"viscous_nms_per_rad": C, "relaxation_s": T}
RATES = {"pin": [3.0], "ball": [1.0, -2.0, 0.5]}
CLOSED = np.array([[0.0, -1.0 / INERTIA], [C / T, -1.0 / T]])
"""Rates of speed and load of a body that nothing else turns."""


def hinged(kind: str, friction: dict[str, Any], **more: Any) -> Any:
    """Give a body that turns about a fixed point, its centre."""
    turned = {"orientation": {"angles_rad": [0.4, -0.3, 0.7]}}
    joint = {"id": "joint", "kind": kind, "parent": "ground", "child": "body", "friction": friction,
             "parent_frame": turned, "child_frame": turned} | more  # fmt: skip
    data = base(
        0.1, segments=[segment("body", 2.0, (INERTIA,) * 3)], joints=[joint],
        initial={"joints": [{"joint": "joint", "rates": RATES[kind]}]}, gravity_m_per_s2=[0.0, 0.0, 0.0],
        outputs=[{"id": "m", "kind": "joint", "joint": "joint", "quantity": "torque", "in_axes_of": "child"},
                 {"id": "w", "kind": "rotation", "segment": "body", "quantity": "velocity"}],
    )  # fmt: skip
    data["runs"][0] |= {"frame_interval_s": 1e-3, "channel_rate_hz": 1000.0}
    return data


def values(out: Trajectory, *names: str) -> Array:
    """Give outputs beside each other."""
    return np.stack([out.channel(name).value for name in names], axis=1)


@pytest.mark.parametrize("kind", ["pin", "ball"])
@pytest.mark.parametrize("method", ["dopri", "implicit", "vei"])
def test_a_turning_body_and_its_damper_follow_the_closed_form(kind: str, method: str) -> None:
    data = hinged(kind, DAMPED)
    steps = (
        {"kind": "vei", "first_step_s": 7e-5, "largest_step_s": 1e-4}
        if method == "vei"
        else EXACT | {"kind": method}
    )
    data["runs"][0]["integrator"] = steps
    out = simulate(project(data))
    w = values(out, "w_x", "w_y", "w_z")
    m = values(out, "m_x", "m_y", "m_z")
    t = out.channel("w_x").time
    course = np.array([expm(CLOSED * one) @ [1.0, 0.0] for one in t])
    near = 5e-3 if method == "vei" else 1e-6
    assert np.linalg.norm(w[0]) == pytest.approx(np.linalg.norm(RATES[kind]))
    assert w == pytest.approx(course[:, :1] * w[0], abs=near)
    assert m == pytest.approx(-course[:, 1:] * w[0], abs=20.0 * near)
    friction = values(out, "m_friction_angle" if kind == "pin" else "m_friction")[:, 0]
    assert np.abs(friction) == pytest.approx(np.linalg.norm(m, axis=1), abs=1e-9)


def test_it_is_a_muscle_on_the_same_angle() -> None:
    """Another law with a state of its own, which existed before."""
    muscle = {
        "id": "muscle", "coordinate": {"kind": "joint", "joint": "joint", "axis": "angle"},
        "laws": [{"kind": "muscle", "stiffness": C / T, "damping": C}],
    }  # fmt: skip
    spring = {"linear_nm_per_rad": 30.0}
    other = hinged("pin", {}, spring=spring) | {"coordinate_forces": [muscle]}
    one, two = (simulate(project(data)) for data in (hinged("pin", DAMPED, spring=spring), other))
    a, b = (values(out, "w_x", "w_y", "w_z") for out in (one, two))
    assert a == pytest.approx(b, abs=1e-8)


@pytest.mark.parametrize("kind", ["pin", "ball"])
def test_what_is_held_and_what_is_lost_is_that_of_spring_and_damper(kind: str) -> None:
    out = simulate(project(hinged(kind, DAMPED)))
    energy = out.table("energy")
    rate = np.linalg.norm(RATES[kind])
    fine = np.linspace(0.0, 0.1, 20001)
    load = rate * np.array([(expm(CLOSED * one) @ [1.0, 0.0])[1] for one in fine])
    lost = np.concatenate([[0.0], np.cumsum((load[1:] ** 2 + load[:-1] ** 2) / 2.0) * fine[1] / C])
    at = np.searchsorted(fine, out.time - 1e-9)
    assert energy["lost_in_joint_friction"] == pytest.approx(lost[at], abs=1e-6)
    assert energy["strain"] == pytest.approx(0.5 * T * load[at] ** 2 / C, abs=1e-8)
    assert np.abs(energy["balance"]).max() < 1e-8
    assert lost[-1] > 0.05


def test_short_it_is_the_damper_alone() -> None:
    """The shorter it is the nearer, in proportion."""
    plain = values(
        simulate(project(hinged("ball", {"viscous_nms_per_rad": C}))), "w_x", "w_y", "w_z"
    )
    apart = [
        np.abs(values(simulate(project(hinged("ball", DAMPED | {"relaxation_s": time}))), "w_x", "w_y", "w_z") - plain).max()
        for time in (1e-3, 1e-4)
    ]  # fmt: skip
    assert apart[1] < 0.01
    assert apart[0] / apart[1] == pytest.approx(10.0, rel=0.2)


@pytest.mark.parametrize("kind", ["pin", "ball"])
def test_a_held_joint_forgets_its_load_and_a_broken_one_has_none(kind: str) -> None:
    data = hinged(kind, DAMPED, lock={"locked": True, "unlock_torque_nm": 1e9})
    data["initial"]["joints"][0]["rates"] = [0.0] * len(RATES[kind])
    held = simulate(project(data))
    assert np.abs(values(held, "m_x", "m_y", "m_z")).max() < 1e-12
    data = hinged(kind, DAMPED, breakage={"torque_nm": 0.5})
    broken = simulate(project(data))
    (event,) = (one for one in broken.events() if one.kind == "joint_breaks")
    w, t = values(broken, "w_x", "w_y", "w_z"), broken.channel("w_x").time
    after = w[t > event.time + 1e-3]
    assert after == pytest.approx(np.tile(after[0], (len(after), 1)), abs=1e-9)
    moved = broken.segment("body").velocity[broken.time > event.time + 1e-3]
    assert moved == pytest.approx(np.zeros_like(moved), abs=1e-6)
    energy = broken.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-7
    # what the spring held then is lost in its own damper
    assert energy["strain"][-1] < 1e-3 * energy["strain"].max()


def test_a_dummy_s_neck_no_longer_sets_the_steps() -> None:
    """Light plates on rubber discs: the same motion in fewer evaluations of Dormand and Prince's pair."""
    whole = load_project(samples() / "frontal.json")
    run = whole.runs[0].model_copy(update={"duration_s": 0.06, "integrator": DormandPrince()})
    evaluations, heads = [], []
    for relaxes in (True, False):
        joints = [
            joint
            if relaxes or not joint.id.startswith("driver_disc_")
            else joint.model_copy(
                update={"friction": joint.friction.model_copy(update={"relaxation_s": None})}
            )
            for joint in whole.joints
        ]
        out = simulate(whole.model_copy(update={"joints": tuple(joints), "runs": (run,)}))
        evaluations.append(int(out.steps().columns["evaluations"][-1]))
        heads.append(out.segment("driver_head").position)
    assert evaluations[0] < 0.85 * evaluations[1]
    assert np.abs(heads[0] - heads[1]).max() < 2e-4


def test_files_that_cannot_say_it_name_the_joint(tmp_path: Path) -> None:
    def two(kind: str) -> Any:
        joint = {"id": "joint", "kind": kind, "parent": "a", "child": "b", "friction": DAMPED}
        start = {"roots": [{"segment": "a"}]}
        return base(segments=[segment("a"), segment("b")], joints=[joint], initial=start)

    for data, losses in (
        (two("ball"), deck),
        (two("pin"), deck),
        (hung({"kind": "pin", "friction": DAMPED}), variseg),
    ):
        made = project(data)
        told = {path: str(words) for path, words in losses(made).losses}
        assert "at once" in told["joints/joint"]
        (joint,) = made.joints
        plain = joint.model_copy(update={"friction": Friction(viscous_nms_per_rad=C)})  # type: ignore[call-arg]
        more = losses(made.model_copy(update={"joints": (plain,)})).losses
        assert not any("at once" in str(words) for _, words in more)
    notes = write_tree(project(two("ball")), tmp_path / "a.xml")
    assert any("does not relax" in str(one) for one in notes)
