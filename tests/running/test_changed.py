"""Change a model and go on: what stays, what begins anew, and what is told of it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import manikin as mk
from tests.models import base, hung, project, segment


def pendulum(
    gravity: float = 9.81, mass: float = 1.0, rates: float = 0.0, angle: float = 0.3, **parts: Any
) -> mk.Model:
    """Hang a rod by a pin."""
    start = {"joints": [{"joint": "joint", "values": [angle], "rates": [rates]}]}
    data = hung({"kind": "pin"}, initial=start, **parts)
    data["gravity_m_per_s2"] = [0.0, 0.0, gravity]
    data["segments"][0]["mass_kg"] = mass
    return mk.Model(project(data))


def test_nothing_changed_is_the_same_to_the_bit() -> None:
    one, other = mk.Simulation(pendulum()), mk.Simulation(pendulum())
    for sim in (one, other):
        sim.step_to(0.2)
    change = other.change(pendulum())
    assert change.energy_jump == 0.0
    assert change.notes == ()
    assert np.array_equal(
        one.step_to_end()["energy/kinetic"].value, other.step_to_end()["energy/kinetic"].value
    )
    # how long it goes on and what is recorded may be another thing
    longer = mk.Simulation(pendulum())
    longer.step_to(0.2)
    assert longer.change(pendulum().until(0.7)).energy_jump == 0.0
    assert longer.duration == 0.7
    assert longer.step_to_end().time[-1] == 0.7
    with pytest.raises(mk.SimulationError, match=r"ends at 0.3 s, and this one stands at 0.7 s"):
        longer.change(pendulum().until(0.3))
    rk4 = longer.model.with_value("runs/0/integrator", {"kind": "rk4", "step_s": 0.01})
    other.set_state(one.state)
    other.change(rk4.until(1.5))
    other.step_to_end()
    assert other.run.steps["step"][-2] == pytest.approx(0.01)
    third = mk.Simulation(pendulum())
    third.set_state(pickle.loads(pickle.dumps(one.state)), changed=True)
    assert third.state.q.tobytes() == one.state.q.tobytes()


def test_it_goes_on_as_a_run_that_starts_there() -> None:
    """Gravity and mass: a fresh run from the same angle and rate, and the energies of a rod by hand."""
    sim = mk.Simulation(pendulum())
    sim.step_to(0.2, exactly=True)
    angle, rate = float(sim.state.q[0]), float(sim.state.v[0])
    change = sim.change(pendulum(gravity=3.7, mass=2.5))
    assert sim.state.q[0] == angle
    # inertia about the pin: what is about the mass centre stays, m l^2 grows
    low = 0.5 * np.cos(angle)
    assert change.kinetic == pytest.approx(
        (0.5 * (1 / 12 + 0.25) * rate**2, 0.5 * (1 / 12 + 2.5 * 0.25) * rate**2)
    )
    assert change.potential == pytest.approx((-9.81 * low, -2.5 * 3.7 * low))
    assert change.energy_jump == pytest.approx(
        sum(b - a for a, b in (change.kinetic, change.potential))
    )
    sim.step_to(0.5, exactly=True)
    fresh = mk.Simulation(pendulum(3.7, 2.5, rate, angle))
    fresh.step_to(0.3, exactly=True)
    assert [*sim.state.q, *sim.state.v] == pytest.approx([*fresh.state.q, *fresh.state.v], abs=1e-8)
    # the account goes on: the jump is neither work nor loss
    assert np.abs(sim.run.energy["balance"]).max() < 1e-8
    assert any("the model was changed at 200 ms" in str(note) for note in sim.run.log)
    # from a state as well
    other = mk.Simulation(pendulum())
    other.step_to(0.2, exactly=True)
    state = pickle.loads(pickle.dumps(other.state))
    third = mk.Simulation(pendulum(gravity=3.7, mass=2.5))
    with pytest.raises(mk.SimulationError, match="another model"):
        third.set_state(state)
    assert third.set_state(state, changed=True) is not None
    third.step_to(0.5, exactly=True)
    assert third.state.q.tobytes() == sim.state.q.tobytes()


def ball(stiffness: float, speed: float = 2.0, hysteresis: float = 1.0) -> mk.Model:
    """Let a ball fall on a plane whose law gives back a part of what it takes."""
    data = base(
        0.2,
        segments=[{**segment("ball", 1.0), "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [0.1] * 3}]}],
        planes=[{"id": "floor", "placement": {"kind": "points", "p1_m": [-1, -1, 0.1], "p2_m": [-1, 1, 0.1], "p3_m": [1, -1, 0.1]}}],
        functions=[{"id": "f", "x_unit": "m", "y_unit": "N", "form": {"kind": "table", "x": [0, 1], "y": [0, stiffness]}}],
        contact_laws=[{"id": "law", "kind": "hysteretic", "base": "f", "energy_ratio": hysteresis}],
        contacts=[{"id": "touch", "kind": "plane", "plane": "floor", "surface": {"segment": "ball", "surface": "skin"}, "law": "law"}],
        initial={"roots": [{"segment": "ball", "velocity_m_per_s": [0, 0, speed]}]},
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    return mk.Model(project(data))


def test_a_contact_goes_on_from_what_it_remembers() -> None:
    """A law that gives back two thirds, the least of its form: it unloads from its greatest depth, which a change does not touch."""
    model = ball(1e4, hysteresis=0.5)
    whole = mk.run(model)
    sim = mk.Simulation(model)
    # it comes back since 15.7 ms
    sim.step_to(0.018, exactly=True)
    change = sim.change(model.with_value("segments/ball/inertia_kgm2", [0.3, 0.3, 0.3]))
    assert change.energy_jump == pytest.approx(0.0, abs=1e-12)
    sim.step_to_end()
    speed = whole["segments/ball/velocity/z"].value[-1]
    assert speed == pytest.approx(-2.0 * np.sqrt(2.0 / 3.0), rel=1e-3)
    assert sim.get("segments/ball/velocity/z") == pytest.approx(speed, abs=1e-6)
    assert sim.run.energy["lost_in_contacts"][-1] == pytest.approx(2.0 / 3.0, rel=1e-3)
    # a stiffer law goes on from there, too, and what it holds more is told
    other = mk.Simulation(model)
    other.step_to(0.018, exactly=True)
    change = other.change(ball(2e4, hysteresis=0.5))
    assert any("functions: f differ" in str(note) for note in change.notes)
    other.step_to_end()
    assert np.abs(other.run.energy["balance"]).max() < 1e-6


def test_inputs_and_forces_go_along() -> None:
    sim = mk.Simulation(pendulum(gravity=0.0))
    control = sim.control(["segments/rod/torque/y"], ["joints/joint/rate"])
    sim.set("segments/rod/torque/y", 0.5)
    sim.step_to(0.1, exactly=True)
    sim.change(pendulum(gravity=0.0, mass=1.5))
    assert sim.get("segments/rod/torque/y") == 0.5
    rate = sim.get("joints/joint/rate")
    sign = np.sign(rate)
    # a loop of control goes on with the changed model
    assert control.step(None, 0.1)[0] == pytest.approx(
        rate + sign * 0.05 / (1 / 12 + 1.5 * 0.25), abs=1e-9
    )


def test_other_coordinates_are_refused_by_name() -> None:
    sim = mk.Simulation(pendulum())
    sim.step_to(0.1)
    with pytest.raises(
        mk.SimulationError, match=r"joint 'joint' has kind 'ball', and in the state 'pin'"
    ):
        sim.change(mk.Model(project(hung({"kind": "ball"}))))
    more = pendulum().project.model_copy(
        update={"segments": (*pendulum().project.segments, ball(1.0).project.segments[0])}
    )
    with pytest.raises(mk.SimulationError, match="it has 'segments/ball', which the state lacks"):
        sim.change(mk.Model(more))
    # it goes on as it was
    assert sim.model == pendulum()
    sim.step_to(0.2)
    change = sim.change(pendulum(mass=2.0))
    assert change.kinetic[1] > change.kinetic[0]


def test_what_is_behind_a_change_is_of_the_changed_model_alone() -> None:
    """Between samples, in the middle of a step: nothing stands still until that step ends."""
    model = pendulum().with_value("runs/0/channel_rate_hz", 10000.0)
    model = model.with_value("runs/0/frame_interval_s", 5e-4)
    sim = mk.Simulation(model)
    sim.step_to(0.2)
    assert sim.time + 5e-4 < sim.at
    other = model.with_value("gravity_m_per_s2", [0.0, 0.0, 9.81 + 1e-9])
    sim.change(other)
    sim.step_to(0.25)
    whole = mk.run(model, until=0.25)["joints/joint/angle"]
    found = sim.run["joints/joint/angle"]
    assert len(found) > 50
    assert [whole.at(t) for t in found.time] == pytest.approx(np.asarray(found), abs=1e-8)


def test_functions_go_on_with_a_changed_model_and_end_with_another_state() -> None:
    sim, state = mk.Simulation(pendulum(gravity=0.0)), mk.Simulation(pendulum()).state
    asked: list[float] = []

    def brake(now: mk.Simulation) -> Any:
        asked.append(now.at)
        return -2.0 * now.velocity("rod")

    sim.force("rod", brake)
    sim.step_to(0.05, exactly=True)
    sim.change(pendulum(gravity=0.0, mass=1.5))
    sim.step_to(0.1, exactly=True)
    assert max(asked) > 0.05
    sim.force("rod", brake, every=0.01)
    sim.step_to(0.15, exactly=True)
    sim.set_state(state, changed=True)
    asked.clear()
    sim.step_to(0.2, exactly=True)
    assert asked == []


def test_other_elements_begin_anew_and_samples_may_be_changed() -> None:
    sim = mk.Simulation(mk.sample("frontal"))
    sim.step_to(0.03, exactly=True)
    names = [one for one in sim.outputs if one.startswith("harnesses/") and "tension" in one]
    tensions = [sim.get(one) for one in names]
    assert max(tensions) > 100.0
    model = sim.model.with_value("gravity_m_per_s2", [0.0, 0.0, 9.0])
    fewer = model.project.model_copy(update={"contacts": model.project.contacts[1:]})
    change = sim.change(mk.Model(fewer))
    assert any("contacts are others than in the state" in str(note) for note in change.notes)
    # webbing goes on under load
    assert [sim.get(one) for one in names] == pytest.approx(tensions, rel=1e-6)
    sim.step_to(0.034, exactly=True)
    assert np.abs(sim.run.energy["balance"]).max() < 0.01 * sim.run.energy["kinetic"].max()
