"""Runs in pieces: the same to the last bit from any state, and forces from outside with their work."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.results.events import Event
from tests.models import EXACT, base, hung, project, segment
from tests.running.covering import covering

PIECES = {
    "airbag_catch": (0.060, 0.030), "aircraft_16g": (0.060, 0.040), "aircraft_dummy": (0.060, 0.040),
    "aircraft_14g": (0.060, 0.040), "bouncing_ball": (0.6, 0.45),
    "double_pendulum": (0.4, 0.2), "ejection_seat": (0.06, 0.03), "fall": (0.5, 0.45),
    "four_bar": (0.2, 0.1), "free_body": (0.2, 0.1), "frontal": (0.06, 0.035), "frontal_5f": (0.05, 0.03),
    "rear_seat": (0.06, 0.04), "child_seat": (0.06, 0.04),
    "lap_belt": (0.06, 0.035), "neck_pendulum": (0.05, 0.02), "padded_wall": (0.06, 0.03),
    "pedestrian": (0.05, 0.02), "pendulum": (0.3, 0.1), "rear_impact": (0.06, 0.03),
    "point_contact": (0.6, 0.3), "head_struck": (0.03, 0.015), "volunteer_15g": (0.09, 0.07), "side_impact": (0.04, 0.02), "sled": (0.06, 0.035),
    "variseg_occupant": (0.11, 0.08), "driven_limb": (0.5, 0.4), "braking": (0.3, 0.21), "braking_car": (0.3, 0.21), "pedestrian_car": (0.4, 0.38), "ground_rollover": (0.1, 0.07), "seat_ride": (0.3, 0.21),
    "cam_and_follower": (0.2, 0.13), "crash_front": (0.03, 0.02), "hands_reach": (0.02, 0.012), "servo_table": (0.2, 0.13),
    "whipping_antenna": (0.06, 0.04),
}  # fmt: skip
"""End and pause (s) of each sample: the pause stands where contacts, belts and bags are at work."""


def same(one: mk.Run, other: mk.Run, start: float = -1.0) -> None:
    """Assert that two runs hold the same behind a time, to the last bit."""
    groups = ("segments", "joints", "contacts", "harnesses", "strap_points", "belts", "airbags")
    for group in (*groups, "springs", "tyres", "constraints", "airbag_contacts", "winds", "energy"):
        rows = one.time > start
        for name, values in one.trajectory.table(group).columns.items():
            theirs = other.trajectory.table(group)[name]
            assert np.array_equal(values[rows], theirs), f"{group}/{name}"
    for name in one.trajectory.channel_names:
        curve = one.trajectory.channel(name)
        theirs = other.trajectory.channel(name).value
        assert np.array_equal(curve.value[len(curve.value) - len(theirs) :], theirs), name
    steps, theirs = one.steps, other.steps
    count = len(theirs["time"])
    for name in theirs.columns:
        assert np.array_equal(steps[name][len(steps["time"]) - count :], theirs[name]), name


def ordered(run: mk.Run) -> list[Event]:
    """Give what happened in one order, however blocks have cut it."""
    return sorted(run.events, key=lambda event: (event.time, event.kind, event.elements))


@pytest.mark.slow
@pytest.mark.parametrize("sample", covering())
def test_a_run_in_pieces_is_the_run_in_a_whole(sample: str) -> None:
    end, pause = PIECES[sample]
    model = mk.sample(sample).until(end)
    whole = mk.run(model)
    notes = list(whole.trajectory.notes)
    one = mk.Simulation(model)
    one.step_to(pause)
    assert one.run.status == "running"
    kept = pickle.dumps(one.state)
    rest = one.step_to_end()
    same(whole, rest)
    assert rest.trajectory.log == whole.trajectory.log
    # in another simulation, from the pickle, and back again in this one
    for other in (mk.Simulation(model), one):
        state = pickle.loads(kept)
        other.set_state(state)
        again = other.step_to_end()
        same(whole, again, state.sampled)
        assert again.steps["time"][0] > state.time
        # at the very end of the last step an event may still wait to happen
        events, theirs = ordered(whole), ordered(again)
        assert theirs == events[len(events) - len(theirs) :]
        assert len(theirs) >= sum(event.time > state.time for event in events)
        assert list(again.trajectory.notes) == notes


@pytest.mark.parametrize("kind", ["vei", "rk4", "semi_implicit_euler"])
def test_other_methods_go_on_as_well(kind: str) -> None:
    fixed = {"kind": kind, "step_s": 1e-3}
    own = {"kind": kind} if kind == "vei" else fixed
    model = mk.Model(
        project(hung({"kind": "ball"}, [0.4, 0.2, 0.1], gravity_m_per_s2=[0, 0, 9.81]))
    )
    model = model.with_value("runs/0/integrator", own).until(0.5)
    whole, part = mk.run(model), mk.Simulation(model)
    part.step_to(0.2)
    state = part.state
    part.step_to_end()
    same(whole, part.run)
    part.set_state(state)
    same(whole, part.step_to_end(), state.sampled)


def test_pauses_may_stand_anywhere() -> None:
    model = mk.sample("bouncing_ball").until(0.5)
    whole, part = mk.run(model), mk.Simulation(model)
    for time in np.sort(np.random.default_rng(3).uniform(0.0, 0.5, 40)):
        part.step_to(float(time))
        assert part.time >= time
    same(whole, part.step_to_end())


def ball(**more: Any) -> mk.Model:
    data = base(0.5, EXACT, segments=[segment("ball", 2.0, (0.1, 0.2, 0.3))], **more)
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    return mk.Model(project(data))


def test_a_held_force_moves_a_body_as_newton_says() -> None:
    sim = mk.Simulation(ball())
    sim.step_to(0.1, exactly=True)
    assert sim.state.time == 0.1
    sim.force("ball", (0.0, 3.0, 0.0))
    sim.step_to(0.3, exactly=True)
    assert np.allclose(sim.velocity("ball"), (0.0, 0.3, 0.0), atol=1e-12)
    assert np.allclose(sim.position("ball"), (0.0, 0.5 * 1.5 * 0.04, 0.0), atol=1e-12)
    sim.force("ball", None)
    run = sim.step_to_end()
    assert np.allclose(sim.velocity("ball"), (0.0, 0.3, 0.0), atol=1e-12)
    work = 0.5 * 2.0 * 0.3**2
    assert run.energy["work_of_loads"][-1] == pytest.approx(work, abs=1e-12)
    assert np.abs(run.energy["balance"]).max() < 1e-12
    # a frame sees the force of its step: none before, all of it while it acts
    accelerations = run["segments/ball/acceleration/y"]
    assert accelerations.at(0.09) == 0.0
    assert accelerations.at(0.2) == pytest.approx(1.5)
    assert accelerations.at(0.4) == 0.0


@pytest.mark.parametrize("rate", [1000.0, 3000.0])
def test_a_time_is_met_exactly_wherever_samples_lie(rate: float) -> None:
    """Multiples of 0.5 ms differ by a bit from those of a sample's period: 0.0055 is not 11 / 2000 of a second."""
    model = ball().with_values({"runs/0/channel_rate_hz": rate, "runs/0/frame_interval_s": 1e-3})
    sim = mk.Simulation(model)
    wanted = [k * 5e-4 for k in range(1, 61)]
    for k, time in enumerate(wanted):
        sim.step_to(time, exactly=True)
        assert sim.state.time == sim.time == time
        if k % 7 == 0:
            # what a bit away is the same instant, and a state goes on from there
            sim.step_to(np.nextafter(time, 0.0), exactly=True)
            sim.step_to(np.nextafter(time, 1.0), exactly=True)
            assert sim.state.time == time
    sim.set_state(sim.state)
    sim.step_to(0.04)
    assert sim.run.time[0] > 0.0301
    # also a bit before a sample, which is not told again
    for times in (wanted, np.nextafter(wanted, 0.0).tolist()):
        other = mk.Simulation(model)
        for time in times:
            other.step_to(time, exactly=True)
        other.step_to(0.04)
        assert np.isin(times, other.run.time).all()
        for instants in (other.run.time, other.run["segments/ball/velocity/x"].time):
            assert np.diff(instants).min() > 1e-4


def test_a_force_acts_from_the_end_of_the_last_step_on() -> None:
    dense = {"runs/0/frame_interval_s": 2e-4, "runs/0/channel_rate_hz": 5000.0}
    sim = mk.Simulation(ball().with_values(dense))
    sim.step_to(0.0965)
    start = sim.state.time
    sim.force("ball", (4.0, 0.0, 0.0))
    # some frames of the last step are still to come
    assert start > 0.098
    run = sim.step_to_end()
    assert sim.velocity("ball")[0] == pytest.approx(2.0 * (0.5 - start), abs=1e-12)
    seen = run["segments/ball/acceleration/x"]
    assert np.all(seen.value[seen.time < start] == 0.0)
    assert np.allclose(seen.value[seen.time > start], 2.0)


def test_forces_at_points_and_torques_turn_bodies() -> None:
    sim = mk.Simulation(ball())
    sim.force("ball", (0.0, 1.0, 0.0), point=(0.5, 0.0, 0.0), name="one")
    sim.force("ball", (0.0, -1.0, 0.0), point=(0.5, 0.0, 0.0), axes="ground", name="two")
    sim.torque("ball", (0.0, 0.0, 0.6))
    sim.step_to(0.25, exactly=True)
    assert np.allclose(sim.angular_velocity("ball"), (0.0, 0.0, 0.5), atol=1e-9)
    assert np.allclose(sim.velocity("ball"), 0.0, atol=1e-12)
    angle = 0.5 * 2.0 * 0.25**2
    assert np.allclose(sim.turn("ball")[:2, 0], (np.cos(angle), np.sin(angle)), atol=1e-9)
    assert sim.run.energy["work_of_loads"][-1] == pytest.approx(0.5 * 0.3 * 0.25, abs=1e-9)


def test_a_function_gives_a_force_for_each_step() -> None:
    model = ball().with_value("runs/0/integrator/largest_step_s", 1e-3)
    sim = mk.Simulation(model)
    sim.force(
        "ball", lambda now: -200.0 * now.position("ball") - 4.0 * now.velocity("ball") + (2.0, 0, 0)
    )
    run = sim.step_to_end()
    # 2 x'' + 4 x' + 200 x = 2, a step late
    t, w = 0.5, np.sqrt(99.0)
    x = 0.01 * (1.0 - np.exp(-t) * (np.cos(w * t) + np.sin(w * t) / w))
    assert sim.position("ball")[0] == pytest.approx(x, rel=0.02)
    assert np.abs(run.energy["balance"]).max() < 1e-9
    assert run.energy["work_of_loads"][-1] == pytest.approx(run.energy["kinetic"][-1], rel=1e-6)


def test_forces_come_back_with_a_state() -> None:
    sim = mk.Simulation(ball())
    sim.force("ball", (1.0, 0.0, 0.0))
    sim.step_to(0.2)
    state = pickle.loads(pickle.dumps(sim.state))
    whole = sim.step_to_end()
    other = mk.Simulation(ball())
    other.set_state(state)
    same(whole, other.step_to_end(), state.sampled)


def test_what_cannot_be_done_is_said() -> None:
    sim = mk.Simulation(ball())
    with pytest.raises(
        mk.SimulationError, match=r"no segment 'bal' in this model. Did you mean 'ball'\?"
    ):
        sim.force("bal", (0.0, 0.0, 1.0))
    with pytest.raises(mk.SimulationError, match="force on 'ball' has three finite components"):
        sim.force("ball", (0.0, 1.0))
    with pytest.raises(mk.SimulationError, match="There is no segment 'body' in this model"):
        sim.force("ball", (0.0, 0.0, 1.0), axes="body")  # type: ignore[arg-type]
    with pytest.raises(mk.SimulationError, match=r"goes from 0 to 0.5 s; 0.6 s is outside"):
        sim.step_to(0.6)
    with pytest.raises(mk.SimulationError, match="belongs to another model"):
        sim.set_state(mk.Simulation(ball(title="Another")).state)
    sim.step_to(0.1)
    with pytest.raises(mk.SimulationError, match="The last step ended at"):
        sim.step_to(sim.state.time - 1e-4, exactly=True)
    sim.force("ball", lambda now: (float("nan"), 0.0, 0.0))
    with pytest.raises(mk.SimulationError, match="three finite components"):
        sim.step_to_end()


def test_another_run_of_the_model_may_go_on_from_a_state() -> None:
    sim = mk.Simulation(ball())
    sim.step_to(0.1)
    longer = mk.Simulation(ball().until(0.7))
    longer.set_state(sim.state)
    assert longer.step_to_end().time[-1] == 0.7


def outside_spring(every: float, between: Any = "held") -> tuple[mk.Simulation, float]:
    """A ball on a spring that is computed outside, every so often; and how far it is off after half a second."""
    model = ball().with_value("runs/0/integrator/largest_step_s", 0.01)
    sim = mk.Simulation(model)
    sim.force(
        "ball", lambda now: (2.0 - 200.0 * now.position("ball")[0], 0.0, 0.0), every=every, between=between,
    )  # fmt: skip
    sim.step_to(0.5, exactly=True)
    assert sim.state.time == 0.5
    # 2 x'' + 200 x = 2 from rest
    return sim, float(sim.position("ball")[0] - 0.01 * (1.0 - np.cos(5.0)))


def test_a_spring_computed_outside_converges_and_gives_the_same_bits_twice() -> None:
    found = [outside_spring(every) for every in (4e-3, 2e-3, 1e-3, 5e-4)]
    off = [abs(one) for _, one in found]
    assert np.log2(np.divide(off[:2], off[1:3])) == pytest.approx([1.0, 1.0], abs=0.1)
    # first order down to half a millisecond
    assert off[2] / off[3] == pytest.approx(2.0, rel=0.1)
    linear = [abs(outside_spring(every, "linear")[1]) for every in (4e-3, 2e-3, 1e-3)]
    assert min(np.log2(np.divide(linear[:-1], linear[1:]))) > 1.8
    assert linear[2] < 0.05 * off[2]
    one, other = found[2][0], outside_spring(1e-3)[0]
    assert one.state.q.tobytes() == other.state.q.tobytes()
    assert np.abs(one.run.energy["balance"]).max() < 1e-9
    # the steps end at the exchanges, wherever somebody looks, and the look changes nothing but for itself
    times = one.run.steps["time"]
    assert all(np.isin([k * 1e-3 for k in range(1, 500)], times))


def test_exchanges_end_with_their_force() -> None:
    sim = mk.Simulation(ball())
    asked: list[float] = []

    def force(now: mk.Simulation) -> tuple[float, float, float]:
        asked.append(now.at)
        return (1.0, 0.0, 0.0)

    sim.force("ball", force, every=0.02)
    sim.step_to(0.05)
    assert asked == [0.0, 0.02, 0.04]
    assert sim.at <= 0.06
    sim.step_to(0.06, exactly=True)
    sim.force("ball", None)
    sim.step_to(0.1, exactly=True)
    assert asked == [0.0, 0.02, 0.04]
    assert sim.velocity("ball")[0] == pytest.approx(0.03, abs=1e-12)
    with pytest.raises(mk.SimulationError, match="Only a function is asked"):
        sim.force("ball", (1.0, 0.0, 0.0), every=0.01)


def test_what_grew_between_exchanges_ends_with_its_force_behind_a_state_too() -> None:
    sim = mk.Simulation(ball())
    sim.force("ball", lambda now: (100.0 * now.at, 0.0, 0.0), every=0.01, between="linear")
    sim.step_to(0.05, exactly=True)
    sim.set_state(sim.state)
    sim.force("ball", None)
    speed = sim.velocity("ball")[0]
    sim.step_to(0.1, exactly=True)
    assert sim.velocity("ball")[0] == speed


@pytest.mark.parametrize("every", [None, 0.01])
def test_a_function_may_take_its_force_away(every: float | None) -> None:
    sim = mk.Simulation(ball())

    def until(now: mk.Simulation) -> tuple[float, float, float]:
        if now.at >= 0.02:
            now.force("ball", None)
        return (1.0, 0.0, 0.0)

    sim.force("ball", until, every=every)
    sim.step_to(0.02, exactly=True)
    speed = sim.velocity("ball")[0]
    sim.step_to(0.1, exactly=True)
    assert speed == sim.velocity("ball")[0] > 0.0


def test_forces_that_are_none_are_said() -> None:
    sim = mk.Simulation(ball())
    for wrong in (5.0, ("a", 0.0, 0.0), None):
        sim.force("ball", lambda now, wrong=wrong: wrong, every=0.01)  # type: ignore[misc]
        with pytest.raises(mk.SimulationError, match=r"has three finite components; .* are none"):
            sim.step_to(0.1)
    with pytest.raises(mk.SimulationError, match=r"has three finite components; 5.0 are none"):
        sim.force("ball", 5.0)  # type: ignore[arg-type]
    ask: Any = lambda now: (0.0, 0.0, 0.0)  # noqa: E731
    with pytest.raises(mk.SimulationError, match="'held' or 'linear', not 'cubic'"):
        sim.force("ball", ask, every=0.01, between="cubic")  # type: ignore[arg-type]
    with pytest.raises(mk.SimulationError, match="say `every` how many seconds"):
        sim.force("ball", ask, between="linear")


@pytest.mark.slow
@pytest.mark.parametrize("sample", covering())
def test_every_sample_stands_at_its_times_to_the_bit(sample: str) -> None:
    """Steps of 0.1, 0.5, 1 and 2 ms from the start; `python -m benchmarks.exact_times` goes through whole runs."""
    sim = mk.Simulation(mk.sample(sample))
    start = sim.state
    for step in (1e-4, 5e-4, 1e-3, 2e-3):
        sim.set_state(start)
        for k in range(1, 6):
            sim.step_to(k * step, exactly=True)
            assert sim.at == sim.time == sim.state.time == k * step
            assert sim.run.time[-1] == k * step
