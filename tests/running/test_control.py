"""Inputs and outputs by name while a run goes on: what they are, that they act, that nothing of it depends on the way."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import manikin as mk
from tests.models import base, hung, project, segment


def rod(laws: list[Any] | None = None, **parts: Any) -> mk.Model:
    """Hang a rod by a pin, without weight, and drive its angle."""
    forces = [
        {
            "id": "hip",
            "coordinate": {"kind": "joint", "joint": "joint", "axis": "angle"},
            "laws": laws,
        }
    ]
    more = {"coordinate_forces": forces} if laws else {}
    data = hung({"kind": "pin"}, **(more | parts))
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    return mk.Model(project(data))


INERTIA = 1 / 12 + 0.25
"""Of the rod about its pin."""


def test_a_target_is_held_over_each_step() -> None:
    """I a = -P (x - target): from rest, half a turn of the spring's own angle each time."""
    model = rod([{"kind": "actuator", "target": 0.3, "proportional": 3.0}])
    sim = mk.Simulation(model)
    assert sim.inputs["coordinate_forces/hip/target"].unit == "rad"
    assert sim.inputs["coordinate_forces/hip/target"].value == 0.3
    control = sim.control(
        ["coordinate_forces/hip/target"], ["joints/joint/angle", "joints/joint/rate"]
    )
    w, x, v, last = np.sqrt(3.0 / INERTIA), 0.0, 0.0, np.zeros(2)
    for k, target in enumerate((0.3, -0.2, 0.5, 0.5, 0.0)):
        last = control.step([target], 0.05)
        assert sim.state.time == sim.time == (k + 1) * 0.05
        c, s, off = np.cos(w * 0.05), np.sin(w * 0.05), x - target
        x, v = target + off * c + v / w * s, v * c - off * w * s
        assert last == pytest.approx([x, v], abs=1e-8)
    # what is put in and not given back is told
    energy = sim.run.energy
    assert "note: set from outside while it ran: coordinate_forces/hip/target" in sim.run.log
    kinetic = 0.5 * INERTIA * v**2
    assert energy["kinetic"][-1] == pytest.approx(kinetic, abs=1e-8)
    assert np.abs(energy["balance"]).max() < 1e-8


def test_outputs_are_what_results_hold() -> None:
    """Every quantity of some samples, at an instant, and what a run has there as a frame."""
    for name, until in (("double_pendulum", 0.02), ("four_bar", 0.02), ("airbag_catch", 0.012)):
        sim = mk.Simulation(mk.sample(name))
        names = [one for one in sim.outputs if not one.endswith("angle/yaw")]
        control = sim.control(outputs=names)
        for _ in range(2):
            found = control.step(dt=until / 2)
        run = sim.run
        kept = [run[one].value[-1] for one in names]
        assert found == pytest.approx(kept, rel=1e-9, abs=1e-12), name
    at = "segments/upper[0.1,0,0.2]/velocity/resultant@lower"
    sim = mk.Simulation(mk.sample("double_pendulum"))
    sim.step_to(0.1, exactly=True)
    assert sim.get(at) == pytest.approx(sim.run[at].value[-1], rel=1e-12)


def test_a_run_under_control_is_the_run_in_exact_steps() -> None:
    model = mk.sample("double_pendulum")
    one, other = mk.Simulation(model), mk.Simulation(model)
    control = one.control(["segments/lower/force/x"], ["segments/lower/position/x"])
    for k in range(1, 40):
        other.force("lower", (0.1 * k, 0.0, 0.0), name="segments/lower/force")
        other.step_to(k * 0.004, exactly=True)
        found = control.step([0.1 * k], 0.004)
        assert found[0] == pytest.approx(other.position("lower")[0], rel=1e-12)
    for name in ("segments/lower/velocity/x", "energy/work_of_loads", "hinge_force_x"):
        assert np.array_equal(one.run[name].value, other.run[name].value)
        assert np.array_equal(one.run[name].time, other.run[name].time)
    # without a record the steps are the same
    bare = mk.Simulation(model)
    control = bare.control(["segments/lower/force/x"], ["segments/lower/position/x"], record=False)
    for k in range(1, 40):
        found = control.step([0.1 * k], 0.004)
    assert np.array_equal(bare.state.q, one.state.q)
    assert bare.get("energy/balance") == pytest.approx(one.run.energy["balance"][-1], abs=1e-12)


def test_inputs_come_back_with_a_state() -> None:
    model = rod([{"kind": "actuator", "target": "zero", "proportional": 3.0}], functions=[
        {"id": "zero", "x_unit": "s", "y_unit": "rad", "form": {"kind": "constant", "value": 0.0}},
        {"id": "none", "x_unit": "s", "y_unit": "N", "form": {"kind": "constant", "value": 0.0}},
    ], loads=[{"id": "push", "segment": "rod", "history": "none", "axes": "ground"}])  # fmt: skip
    names = ["coordinate_forces/hip/target", "loads/push/force", "segments/rod/torque/y"]
    one = mk.Simulation(model)
    control = one.control(names, ["joints/joint/angle"])
    for k in range(4):
        control.step([0.1 * k, 0.2, -0.1], 0.01)
    one.set("coordinate_forces/hip/target", 0.5)
    state = pickle.loads(pickle.dumps(one.state))
    first = [control.step(None, 0.01)[0] for _ in range(5)]
    other = mk.Simulation(model)
    other.set_state(state)
    assert other.get("coordinate_forces/hip/target") == 0.5
    assert other.get("loads/push/force") == 0.2
    again = other.control(names, ["joints/joint/angle"])
    assert [again.step(None, 0.01)[0] for _ in range(5)] == first
    assert np.array_equal(other.state.q, one.state.q)


def test_a_driver_is_there_at_the_end_of_each_step() -> None:
    """Its place, its speed or its acceleration, smoothly; what it does is counted."""
    driver = {"id": "arm", "joint": "joint", "axis": "angle", "quantity": "velocity",
              "pulse": {"kind": "constant", "value": 0.0}}  # fmt: skip
    model = rod(drivers=[driver])
    for quantity, wanted in (
        ("position", (0.1, 0.3, 0.3, -0.2)),
        ("velocity", (1.0, 2.0, -1.0, 0.0)),
    ):
        sim = mk.Simulation(model)
        control = sim.control(
            [f"drivers/arm/{quantity}"], ["joints/joint/angle", "joints/joint/rate"]
        )
        last = 0.0
        for value in wanted:
            angle, rate = control.step([value], 0.02)
            if quantity == "position":
                assert angle == pytest.approx(value, abs=1e-14)
                assert rate == pytest.approx((value - last) / 0.02, abs=1e-12)
                last = value
            else:
                assert rate == pytest.approx(value, abs=1e-14)
        energy = sim.run.energy
        assert np.abs(energy["balance"]).max() < 1e-8
        assert np.ptp(energy["kinetic"]) > 0.1
    sim = mk.Simulation(model)
    sim.set("drivers/arm/acceleration", 4.0)
    with pytest.raises(mk.SimulationError, match="step exactly"):
        sim.step_to(0.1)
    sim.step_to(0.1, exactly=True)
    assert sim.get("joints/joint/angle") == pytest.approx(0.02, abs=1e-13)
    sim.set("drivers/arm/velocity", 1.0)
    with pytest.raises(mk.SimulationError, match="drive the same coordinate"):
        sim.step_to(0.12, exactly=True)


def test_a_vehicle_is_driven() -> None:
    motion = {"id": "car", "segment": "rod", "components": [
        {"component": "x", "quantity": "acceleration", "pulse": {"kind": "constant", "value": 0.0}}]}  # fmt: skip
    model = mk.Model(project(base(segments=[segment("rod")], motions=[motion])))
    sim = mk.Simulation(model)
    with pytest.raises(mk.SimulationError, match="has not been set: it goes by time"):
        sim.get("motions/car/x/acceleration")
    control = sim.control(
        ["motions/car/x/acceleration"], ["segments/rod/velocity/x", "segments/rod/position/x"]
    )
    assert control.step([10.0], 0.1) == pytest.approx([1.0, 0.05], abs=1e-13)
    assert control.step([-10.0], 0.1) == pytest.approx([0.0, 0.1], abs=1e-13)


def test_a_muscle_is_activated_and_a_trigger_fires() -> None:
    later = {"kind": "time", "time_s": 5.0}
    muscle = {
        "kind": "muscle",
        "stiffness": 2.0,
        "damping": 1e6,
        "activation": 0.0,
        "trigger": later,
    }
    model = rod([muscle], initial={"joints": [{"joint": "joint", "values": [0.0], "rates": [1.0]}]})
    sim = mk.Simulation(model)
    names = ["coordinate_forces/hip/activation", "coordinate_forces/hip/trigger"]
    control = sim.control(names, ["joints/joint/rate"])
    # it is not asked for anything yet
    assert control.step([1.0, 0.0], 0.1) == pytest.approx([1.0], abs=1e-9)
    control.step([1.0, 1.0], 0.2)
    w = np.sqrt(2.0 / INERTIA)
    assert sim.get("joints/joint/rate") == pytest.approx(np.cos(0.2 * w), abs=1e-5)
    fired = [one for one in sim.run.events if one.kind == "trigger_passed"]
    assert [one.time for one in fired] == [0.1]


def test_a_valve_lets_gas_out() -> None:
    pressures = []
    for area in (0.0, 0.003):
        sim = mk.Simulation(mk.sample("airbag_catch"))
        bag = sim.model.project.airbags[0].id
        control = sim.control([f"airbags/{bag}/vents/0/area_m2"], [f"airbags/{bag}/pressure"])
        for _ in range(8):
            found = control.step([area], 0.005)
        pressures.append(found[0])
    assert pressures[0] > 1.05 * pressures[1]
    with pytest.raises(mk.SimulationError, match="-1, which is no area"):
        sim.set(f"airbags/{bag}/vents/0/area_m2", -1.0)


def test_of_inputs_that_are_refused_none_is_set() -> None:
    sim = mk.Simulation(mk.sample("double_pendulum"))
    names = ["segments/lower/force/x", "segments/lower/force/y"]
    control = sim.control(names, ["energy/balance"])
    for values, dt in (([3.0, float("nan")], 0.002), ([3.0, 1.0], 0.0)):
        with pytest.raises(mk.SimulationError):
            control.step(values, dt)
        assert sim.get(names[0]) == 0.0


def test_what_is_no_input_or_output_is_said() -> None:
    sim = mk.Simulation(mk.sample("double_pendulum"))
    with pytest.raises(mk.SimulationError, match=r"no input 'segments/lwer/force/x'. Did you mean"):
        sim.set("segments/lwer/force/x", 1.0)
    with pytest.raises(mk.SimulationError, match="change the model, and go on"):
        sim.set("segments/lower/mass_kg", 1.0)
    with pytest.raises(mk.SimulationError, match="no finite number"):
        sim.set("segments/lower/force/x", float("nan"))
    with pytest.raises(mk.SimulationError, match="must be three lengths"):
        sim.set("segments/lower[nan,0,0]/force/x", 1.0)
    with pytest.raises(mk.ResultsError, match="Did you mean 'lower'"):
        sim.get("segments/lwer/position/x")
    with pytest.raises(mk.ResultsError, match="not of an instant"):
        sim.get("integrator/step")
    with pytest.raises(mk.SimulationError, match="named twice"):
        sim.control(["segments/lower/force/x"] * 2)
    control = sim.control(["segments/lower/force/x"], ["segments/lower/position/x"])
    with pytest.raises(mk.SimulationError, match="There are 1 inputs, and 2 numbers"):
        control.step([1.0, 2.0])
    with pytest.raises(mk.SimulationError, match="leads nowhere"):
        control.step([1.0], 0.0)
    # a force at a point
    sim.set("segments/lower[0,0,0.5]/force/x", 2.0)
    assert sim.get("segments/lower[0,0,0.5]/force/x") == 2.0


def test_nothing_goes_on_behind_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it comes in a step, instants may be missing."""
    sim = mk.Simulation(mk.sample("double_pendulum"))
    control = sim.control(["segments/lower/force/x"], ["joints/elbow/angle"])
    control.step([1.0], 0.002)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sim._course, "_note", interrupted)
        with pytest.raises(KeyboardInterrupt):
            control.step([1.0], 0.002)
    with pytest.raises(mk.RunFailed, match="was cancelled"):
        control.step([1.0], 0.002)
