"""Laws that users have compiled themselves, called at every evaluation."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import manikin as mk
from tests.models import EXACT, base, project, segment


@mk.Law
def spring(t: float, a: Any, b: Any, numbers: Any, load: Any) -> float:
    """A spring of a stiffness and a rest length along the line of two points."""
    k, rest = numbers[0], numbers[1]
    x, y, z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    far = np.sqrt(x * x + y * y + z * z)
    pull = -k * (far - rest) / far
    load[0], load[1], load[2] = pull * x, pull * y, pull * z
    return 0.5 * k * (far - rest) ** 2


@mk.Law
def drag(t: float, a: Any, b: Any, numbers: Any, load: Any) -> float:
    """Resist the second body's speed and spin against the first."""
    for n in range(3):
        load[n] = -numbers[0] * (b[3 + n] - a[3 + n])
        load[3 + n] = -numbers[1] * (b[6 + n] - a[6 + n])
    return 0.0


def two(integrator: dict[str, Any] | None = None, **parts: Any) -> mk.Model:
    """Give two balls without weight, 1 m apart; the second one moves and turns."""
    data = base(0.5, integrator or EXACT, segments=[segment("one", 1.0, (0.1, 0.2, 0.3)), segment("two", 2.0, (0.1, 0.1, 0.1))],
                initial={"roots": [{"segment": "two", "position_m": [1.0, 0.0, 0.0], "velocity_m_per_s": [0.2, 0.5, 0.0]}],
                         "attitudes": [{"segment": "two", "angular_velocity_rad_per_s": [0.0, 1.0, 2.0]}]}, **parts)  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    return mk.Model(project(data))


def test_a_law_of_ones_own_moves_a_body_as_its_closed_form_says() -> None:
    """A ball at a spring from the ground, and its drag: m x'' + c x' + k (x - 1) = 0."""
    laws = [spring.between(("ground", (0.0, 0.0, 0.0)), ("ball", (0.0, 0.0, 0.0)), 200.0, 1.0),
            drag.between(("ground", (0.0, 0.0, 0.0)), ("ball", (0.0, 0.0, 0.0)), 4.0, 0.0)]  # fmt: skip
    start = {"roots": [{"segment": "ball", "position_m": [1.1, 0.0, 0.0]}]}
    data = base(0.5, EXACT, segments=[segment("ball", 2.0)], initial=start)
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    sim = mk.Simulation(mk.Model(project(data)), laws=laws)
    run = sim.step_to_end()
    w, t = np.sqrt(99.0), run.time
    x = 1.0 + 0.1 * np.exp(-t) * (np.cos(w * t) + np.sin(w * t) / w)
    assert run["segments/ball/position/x"].value == pytest.approx(x, abs=1e-9)
    assert any("'spring' between ground and ball, with 200, 1" in line for line in run.log)
    energy = run.energy
    assert np.abs(energy["balance"]).max() < 1e-9
    assert energy["strain"] == pytest.approx(100.0 * (x - 1.0) ** 2, abs=1e-9)
    assert energy["lost_in_springs"][-1] == pytest.approx(
        1.0 - energy["kinetic"][-1] - energy["strain"][-1]
    )


def test_it_is_the_spring_of_the_program_and_makes_no_momentum() -> None:
    inside = {"id": "s", "kind": "linear", "a": {"segment": "one", "position_m": [0.1, 0.2, 0.0]},
              "b": {"segment": "two", "position_m": [0.0, 0.1, 0.3]}, "stiffness_n_per_m": 80.0, "rest_length_m": 0.7}  # fmt: skip
    theirs = mk.run(two(springs=[inside]))
    law = spring.between(("one", (0.1, 0.2, 0.0)), ("two", (0.0, 0.1, 0.3)), 80.0, 0.7)
    mine = mk.Simulation(two(), laws=[law]).step_to_end()
    for name in ("segments/one/position/x", "segments/two/angular_velocity/y"):
        assert mine[name].value == pytest.approx(theirs[name].value, abs=1e-8)
    turning = drag.between(("one", (0.1, 0.2, 0.0)), ("two", (0.0, 0.1, 0.3)), 3.0, 0.4)
    slow = mk.Simulation(two(), laws=[law, turning]).step_to_end()
    for run in (mine, slow):
        for column in ("momentum", "spin"):
            rows = run.energy[column]
            assert rows == pytest.approx(np.broadcast_to(rows[0], rows.shape), abs=1e-8)
        assert np.abs(run.energy["balance"]).max() < 1e-8
    assert slow.energy["dissipated"][-1] > 0.05


def test_steps_see_it_at_every_stage() -> None:
    """Of a method of the fourth order: half the step, a sixteenth of the error."""
    law = [spring.between(("one", (0.1, 0.2, 0.0)), ("two", (0.0, 0.1, 0.3)), 80.0, 0.7)]
    ends = []
    for step in (0.02, 0.01, 0.005):
        sim = mk.Simulation(two({"kind": "rk4", "step_s": step}), laws=law)
        sim.step_to(0.4, exactly=True)
        ends.append(sim.state.q)
    ratio = np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm(ends[1] - ends[2])
    assert 12.0 < ratio < 20.0


def test_a_state_goes_on_with_the_law() -> None:
    law = [spring.between(("one", (0.1, 0.2, 0.0)), ("two", (0.0, 0.1, 0.3)), 80.0, 0.7)]
    one = mk.Simulation(two(), laws=law)
    one.step_to(0.2, exactly=True)
    state = pickle.loads(pickle.dumps(one.state))
    one.step_to_end()
    other = mk.Simulation(two(), laws=law)
    other.set_state(state)
    other.step_to_end()
    assert other.state.q.tobytes() == one.state.q.tobytes()
    with pytest.raises(mk.SimulationError, match="another model"):
        mk.Simulation(two()).set_state(state)


@mk.Law
def breaking(t: float, a: Any, b: Any, numbers: Any, load: Any) -> float:
    """Raise, or divide by zero, after a time."""
    if t > numbers[0]:
        if numbers[1] > 0.0:
            raise ValueError
        load[0] = 1.0 / (t - t)
    return 0.0


@pytest.mark.parametrize("raises", [0.0, 1.0])
def test_a_run_fails_where_its_law_has_no_value(raises: float) -> None:
    places = ("one", (0.0, 0.0, 0.0)), ("two", (0.0, 0.0, 0.0))
    with pytest.raises(mk.RunFailed):
        mk.run(two(), laws=[breaking.between(*places, 0.1, raises)])


def test_what_is_no_law_is_said() -> None:
    wrong: Any
    for wrong in ([spring], spring, spring.between("one", "two", 1.0, 1.0), [3]):  # type: ignore[arg-type]
        with pytest.raises(mk.SimulationError, match="Laws are given in a list"):
            mk.run(two(), laws=wrong)
    with pytest.raises(mk.SimulationError, match="a pair of a segment and a place"):
        mk.run(two(), laws=[spring.between("one", "two", 1.0, 1.0)])  # type: ignore[arg-type]
    with pytest.raises(mk.SimulationError, match="takes five arguments"):
        mk.Law(lambda t: 0.0)
    with pytest.raises(mk.SimulationError, match="cannot be compiled"):
        mk.Simulation(
            two(),
            laws=[
                mk.Law(lambda t, a, b, numbers, load: a.nothing).between(
                    ("one", (0, 0, 0)), ("two", (0, 0, 0))
                )
            ],
        )
    with pytest.raises(mk.SimulationError, match="no segment 'onne'"):
        mk.Simulation(
            two(), laws=[spring.between(("onne", (0, 0, 0)), ("two", (0, 0, 0)), 1.0, 1.0)]
        )
