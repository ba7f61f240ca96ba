"""Actuators that sample, switch, follow tables or sense elsewhere, against closed forms and discrete systems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import manikin as mk
from solver.analysis.equilibrium import settle
from solver.running.checkpoint import from_bytes, to_bytes
from solver.running.simulation import simulate
from tests.engine.test_actuators import I_GAIN, MASS, D, P, drive
from tests.engine.test_coordinate_forces import UPRIGHT, at, seen, slider, solved, table, wheel
from tests.models import project, segment

PERIOD = 0.02


def driven(out: Any, name: str) -> Any:
    return out.table("actuators")[name][:, 0]


TIGHT = {"kind": "dopri", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}


def sampled(
    time: Any, lag: int = 0, begins: float = 0.0, x0: float = 0.05, limit: float = 1e9
) -> np.ndarray:
    """Give x of m x'' = -u, u held from sample to sample: P e + D e' + I S, S growing by T e from each to the next."""
    A, B = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [-1.0 / MASS]])

    def moved(y: np.ndarray, u: float, dt: float) -> np.ndarray:
        whole = expm(np.block([[A, B], [np.zeros((1, 3))]]) * dt)
        return np.asarray(whole[:2, :2] @ y + whole[:2, 2] * u)

    states, given, sum_ = [np.array([x0, 0.0])], [], 0.0
    while begins + len(given) * PERIOD < time[-1]:
        x, v = states[max(len(given) - lag, 0)]
        u = P * x + D * v + I_GAIN * sum_
        held = min(max(u, -limit), limit)
        sum_ += PERIOD * x if held == u or u * x < 0.0 else 0.0
        given.append(held)
        states.append(moved(states[-1], held, PERIOD))
    out = []
    for t in time:
        k = min(int((t - begins) / PERIOD + 1e-9), len(given) - 1)
        before = t <= begins
        out.append(x0 if before else moved(states[k], given[k], t - begins - k * PERIOD)[0])
    return np.array(out)


def loop(**more: Any) -> Any:
    return slider(
        MASS, 0.05, 0.0, drive(0.0, derivative=D, integral=I_GAIN, period_s=PERIOD, **more)
    )


TOLD = {"kind": "channel", "output": "clock", "component": "x", "level": 0.1}


def clocked(data: Any) -> Any:
    """Add a body that goes 1 m/s, and an output of where it is."""
    data["segments"].append(segment("clock", 1.0))
    data["joints"].append(
        {"id": "way", "kind": "slip", "rotation": "none", "parent": "ground", "child": "clock",
         "parent_frame": UPRIGHT, "child_frame": UPRIGHT}
    )  # fmt: skip
    data["initial"]["joints"].append({"joint": "way", "values": [0.0], "rates": [1.0]})
    data["outputs"] = [{"kind": "point", "id": "clock", "quantity": "position", "segment": "clock"}]
    return data


@pytest.mark.parametrize("lag", [0, 2])
def test_a_sampled_controller_is_the_discrete_system(lag: int) -> None:
    """On top, a reflex time of two periods: what is sensed is that of two samples before."""
    out = solved(loop(reflex_s=lag * PERIOD))
    wanted = sampled(out.time, lag)
    assert seen(out, "way") == pytest.approx(wanted, abs=2e-8)
    # it is not what it would be without samples, nor with the sum of one sample more
    free = solved(slider(MASS, 0.05, 0.0, drive(0.0, derivative=D, integral=I_GAIN)))
    assert np.abs(seen(free, "way") - wanted).max() > 1e-3


@pytest.mark.parametrize(
    ("integrator", "near"),
    [
        ({"kind": "rk4", "step_s": 3e-3}, 1e-9),
        ({"kind": "implicit", "relative_tolerance": 1e-8, "absolute_tolerance": 1e-10}, 1e-7),
        ({"kind": "vei", "largest_step_s": 1e-3}, 1e-4),
    ],
)
def test_every_method_ends_steps_where_samples_are(integrator: dict[str, Any], near: float) -> None:
    data = loop()
    data["runs"][0]["integrator"] = integrator
    out = solved(data)
    assert seen(out, "way") == pytest.approx(sampled(out.time), abs=near)
    ends = np.cumsum(out.steps()["step"])
    for k in range(1, 50):
        assert np.abs(ends - k * PERIOD).min() < 1e-12


def test_at_its_limit_the_sum_of_samples_stands_still() -> None:
    out = solved(loop(limit=6.0))
    assert np.abs(seen(out, "force")).max() == 6.0
    assert seen(out, "way") == pytest.approx(sampled(out.time, limit=6.0), abs=2e-8)
    assert not [line for line in out.log if "gave its limit" in str(line)]
    weak = solved(slider(MASS, 0.5, 0.0, drive(0.0, derivative=D, limit=0.5)))
    (told,) = [str(line) for line in weak.log if "gave its limit" in str(line)]
    assert "'law'" in told
    assert "0.5 N, for 100% of the time" in told
    data = slider(MASS, 0.5, 0.0, drive(0.0, derivative=D, limit=0.5))
    (one,) = data["coordinate_forces"]
    data["coordinate_forces"] = [{**one, "id": name, "group": "Posture"} for name in ("a", "b")]
    (told,) = [str(line) for line in solved(data).log if "their limits" in str(line)]
    assert told.startswith("note: 2 actuators of 'Posture' gave their limits")


def test_samples_count_from_the_trigger_to_the_bit() -> None:
    """By time, and by an output that passes a level: a clock body meets it at 0.13 s, between two multiples."""
    timed = solved(loop(delay_s=0.03, trigger={"kind": "time", "time_s": 0.1}))
    assert seen(timed, "way") == pytest.approx(sampled(timed.time, begins=0.13), abs=2e-8)
    told = solved(clocked(loop(delay_s=0.03, trigger=TOLD)))
    assert seen(told, "way") == pytest.approx(sampled(told.time, begins=0.13), abs=2e-8)


def test_what_is_held_between_samples_is_kept_in_states() -> None:
    model = mk.Model(project(loop(reflex_s=0.015, switch={"size": 2.0, "on": 0.02, "off": 0.01})))
    sim = mk.Simulation(model)
    sim.step_to(0.33)
    state = from_bytes(to_bytes(sim.state), model.project)
    sim.step_to(0.6)
    first = sim.position("body")
    other = mk.Simulation(model)
    other.set_state(state)
    other.step_to(0.6)
    assert (other.position("body") == first).all()


def test_it_settles_as_if_it_sensed_all_the_time() -> None:
    data = slider(
        MASS, 0.0, 0.0, drive(0.1, derivative=D, period_s=0.1, reflex_s=0.05), duration=0.3
    )
    data["gravity_m_per_s2"] = [9.81, 0.0, 0.0]
    done = settle(project(data))
    (start,) = done.project.initial.joints
    assert start.values[0] == pytest.approx(0.1 + MASS * 9.81 / P, abs=1e-6)
    run = simulate(done.project)
    assert np.ptp(seen(run, "way")) < 1e-6


def cycle(on: float, lead: float, late: float) -> tuple[float, float]:
    """Give amplitude and period of the limit cycle of m x'' = -M sgn, which turns at x + lead x' = +-on, late.

    Half a period T/2 with one load begins at x = 0 with a speed of v = M/m T/4; where the switch saw its limit the
    speed was v - M/m late.
    """
    a = 8.0 / MASS
    v = (on + a * lead * late - 0.5 * a * late**2) / (lead - late)
    return 0.5 * v**2 / a, 4.0 * v / a


@pytest.mark.parametrize(("on", "late"), [(0.004, 0.0), (0.004, 0.03), (1e-4, 0.05)])
def test_a_switch_with_hysteresis_and_delay_ends_in_its_limit_cycle(on: float, late: float) -> None:
    switch = {"size": 8.0, "on": on, "off": -on, "lead_s": 0.2}
    data = slider(MASS, 0.05, 0.0, drive(0.0, 0.0, switch=switch, reflex_s=late), duration=4.0)
    data["runs"][0] |= {"frame_interval_s": 5e-4, "channel_rate_hz": 2000.0, "integrator": TIGHT}
    out = solved(data)
    amplitude, period = cycle(on, 0.2, late)
    end = out.time > 3.0
    assert np.max(seen(out, "way")[end]) == pytest.approx(amplitude, rel=2e-3)
    t, rate = out.time[end], seen(out, "rate")[end]
    way = seen(out, "way")[end]
    rising = np.flatnonzero((way[:-1] < 0.0) & (way[1:] >= 0.0))
    crossings = [float(t[i] - way[i] / rate[i]) for i in rising]
    assert np.diff(crossings) == pytest.approx(period, rel=5e-3)
    assert set(np.unique(seen(out, "force")[end])) <= {-8.0, 8.0}


def test_a_switch_is_off_within_its_dead_band() -> None:
    """8 N on 2 kg from 0.05 m until 0.01 m is left, then on at its speed to the other side, and likewise there."""
    switch = {"size": 8.0, "on": 0.03, "off": 0.01}
    out = solved(slider(MASS, 0.05, 0.0, drive(0.0, 0.0, switch=switch), duration=0.4))
    speed = math.sqrt(2.0 * 4.0 * 0.04)
    first = speed / 4.0
    over = first + 0.04 / speed  # at -0.03 m
    t = np.array([0.5 * first, 0.5 * (first + over), over + 0.02])
    wanted = [8.0, 0.0, -8.0]
    assert at(out, "force", *t) == wanted
    assert at(out, "rate", float(t[1]))[0] == pytest.approx(-speed, rel=1e-6)
    energy = out.table("energy")
    assert energy["work_of_muscles"] == pytest.approx(energy["kinetic"], abs=1e-8)
    power = driven(out, "driving_power")
    assert power == pytest.approx(-seen(out, "force") * seen(out, "rate"), abs=1e-12)
    assert np.max(power) > 1.0


def test_a_switch_that_samples_turns_at_samples_only() -> None:
    switch = {"size": 8.0, "on": 0.03, "off": 0.03}
    law = drive(0.0, 0.0, switch=switch, period_s=0.05)
    out = solved(slider(MASS, 0.05, 0.0, law, duration=0.4))
    force = seen(out, "force")
    changes = out.time[1:][np.diff(force) != 0.0]
    assert len(changes) > 1
    apart = 1.0 / project(slider(MASS, 0.05, 0.0, law)).runs[0].channel_rate_hz
    assert np.all(np.abs(changes / 0.05 - np.round(changes / 0.05)) * 0.05 < 1.01 * apart)


@pytest.mark.parametrize("reflex", [0.0, 0.02])
def test_it_begins_and_comes_up_exactly_after_what_triggers_it(reflex: float) -> None:
    """By an output at 0.1 s and 30 ms later: a switch that is beyond its limit then, over a ramp of 50 ms."""
    law = drive(
        0.0, 0.0, switch={"size": 8.0, "on": 0.01}, delay_s=0.03, ramp_s=0.05, trigger=TOLD, reflex_s=reflex
    )  # fmt: skip
    data = clocked(slider(MASS, 5.0, 0.0, law, duration=0.3))
    data["runs"][0] |= {"frame_interval_s": 0.002, "channel_rate_hz": 500.0}
    out = solved(data)
    wanted = 8.0 * np.clip((out.time - 0.13) / 0.05, 0.0, 1.0)
    assert seen(out, "force") == pytest.approx(wanted, abs=1e-9)
    ends = np.cumsum(out.steps()["step"])
    for end in (0.13, 0.18):
        assert np.abs(ends - end).min() < 1e-9


def test_tables_are_gains_where_they_are_straight_and_a_well_where_they_are_not() -> None:
    straight = [
        table("pull", "m", "N", [-1.0, 1.0], [-P, P]),
        table("drag", "m/s", "N", [-9.0, 9.0], [-9.0 * D, 9.0 * D]),
    ]
    by_tables = drive(0.02, 0.0, by_error="pull", by_rate="drag")
    one = solved(slider(MASS, 0.05, 0.0, by_tables, functions=straight))
    two = solved(slider(MASS, 0.05, 0.0, drive(0.02, derivative=D)))
    assert seen(one, "way") == pytest.approx(seen(two, "way"), abs=1e-9)
    assert driven(one, "way_off") == pytest.approx(seen(one, "way") - 0.02, abs=1e-15)
    # nothing within 0.02 m, then 400 N/m: a quarter of a swing, on at its speed, and so on
    gap = [table("pull", "m", "N", [-1.0, -0.02, 0.02, 1.0], [-392.0, 0.0, 0.0, 392.0])]
    out = solved(slider(MASS, 0.05, 0.0, drive(0.0, 0.0, by_error="pull"), functions=gap))
    w = math.sqrt(400.0 / MASS)
    quarter, speed = 0.5 * math.pi / w, 0.03 * w
    early = out.time < quarter
    assert seen(out, "way")[early] == pytest.approx(
        0.02 + 0.03 * np.cos(w * out.time[early]), abs=1e-7
    )
    assert np.min(seen(out, "rate")) == pytest.approx(-speed, rel=1e-6)
    assert np.min(seen(out, "way")) == pytest.approx(-0.05, rel=1e-4)


def test_what_it_gives_comes_up_over_its_ramp() -> None:
    data = slider(MASS, 0.05, 0.0, drive(0.0, delay_s=0.1, ramp_s=0.4))
    data["drivers"] = [
        {"id": "held", "joint": "slip", "axis": "slide", "quantity": "velocity",
         "pulse": {"kind": "constant", "value": 0.0}, "start_value": 0.05}
    ]  # fmt: skip
    del data["initial"]
    out = simulate(project(data))
    wanted = 0.05 * P * np.clip((out.time - 0.1) / 0.4, 0.0, 1.0)
    assert seen(out, "force") == pytest.approx(wanted, abs=1e-9)
    assert driven(out, "driving_force") == pytest.approx(wanted, abs=1e-9)


def two_wheels(senses: Any, **law: Any) -> Any:
    """Let a wheel carry another one about the same axis; the actuator acts on the second."""
    made = drive(0.0, 3.0, derivative=0.2, senses={"coordinate": senses}, **law)
    data = wheel(0.05, 0.2, 0.0, made, duration=0.6)
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    data["segments"].append(data["segments"][0] | {"id": "other"})
    data["joints"].append(data["joints"][0] | {"id": "second", "parent": "body", "child": "other"})
    data["initial"]["joints"][0] |= {"rates": [1.5]}
    data["initial"]["joints"].append({"joint": "second", "values": [0.0], "rates": [0.0]})
    data["coordinate_forces"][0]["coordinate"]["joint"] = "second"
    return data


@pytest.mark.parametrize("late", [0.0, 0.02])
def test_it_goes_by_another_coordinate_than_it_acts_on(late: float) -> None:
    """Of two wheels the upper one is held upright against the ground: by the angle between frames, which is both together.

    By the balance of momentum J (q1'' + q2'') = -(P s + D s') with s = q1 + q2, which is that of one wheel held alone.
    """
    angle = {"kind": "angle", "axis": "y", "a": {"segment": "ground"}, "b": {"segment": "other"}}
    data = two_wheels(angle, reflex_s=late)
    data["coordinate_forces"][0]["laws"][0]["senses"]["zero"] = 0.0
    out = solved(data)
    alone = wheel(0.05, 0.2, 1.5, drive(0.0, 3.0, derivative=0.2, reflex_s=late), duration=0.6)
    one = solved(alone)
    whole, off = out.table("coordinate_forces"), driven(out, "angle_off")
    assert off == pytest.approx(driven(one, "angle_off"), abs=1e-7)
    assert whole["torque"][:, 0] == pytest.approx(seen(one, "torque"), abs=5e-5)
    # the same by the sum of nothing but its own angle would be another motion
    assert np.abs(whole["angle"][:, 0] - off).max() > 0.1


def test_it_gives_nothing_once_what_it_senses_has_broken_off() -> None:
    """The joint whose angle is sensed lets go at once: from then on it neither drives nor sums."""
    sensed = {"kind": "joint", "joint": "loose", "axis": "angle"}
    for extra in ({}, {"period_s": 0.01}):
        data = two_wheels(sensed, **extra)
        data["segments"].append(data["segments"][0] | {"id": "third"})
        data["joints"].append(
            data["joints"][0] | {"id": "loose", "child": "third", "breakage": {"force_n": 1.0}}
        )
        data["initial"]["joints"].append({"joint": "loose", "values": [0.3], "rates": [0.0]})
        data["coordinate_forces"][0]["laws"][0]["target"] = -0.5
        data["functions"] = [
            table("tug", "s", "N", [0.0, 0.2, 0.2001, 1.0], [0.0, 0.0, 50.0, 50.0])
        ]
        data["loads"] = [
            {"id": "tug", "kind": "force", "segment": "third", "direction": [1.0, 0.0, 0.0],
             "history": "tug"}
        ]  # fmt: skip
        out = simulate(project(data))
        torque = out.table("coordinate_forces")["torque"][:, 0]
        assert np.all(torque[(out.time > 0.001) & (out.time < 0.2)] == pytest.approx(3.0 * 0.5))
        assert np.all(torque[out.time > 0.225] == 0.0)


def test_a_reflex_wakes_a_muscle_late_and_never_beyond_all_of_it() -> None:
    """Held in place, a muscle is asked for P (d - target) + D d' of a body that is driven, a reflex time ago."""
    reflex = {
        "coordinate": {"kind": "component", "axis": "x", "a": {"segment": "ground"}, "b": {"segment": "clock"}},
        "zero": 0.0, "proportional": 4.0, "derivative": 0.1, "target": 0.02, "reflex_s": 0.03,
    }  # fmt: skip
    muscle = {
        "kind": "hill", "strength": 100.0, "fibre": 0.1, "activation": 0.1, "rise_s": 0.02, "fall_s": 0.02,
        "passive_strain": 10.0, "reflex": reflex,
    }  # fmt: skip
    data = slider(MASS, 0.0, 0.0, muscle, duration=0.8)
    data["segments"].append(segment("clock", 1.0))
    data["joints"].append(
        {"id": "way", "kind": "slip", "rotation": "none", "parent": "ground", "child": "clock",
         "parent_frame": UPRIGHT, "child_frame": UPRIGHT}
    )  # fmt: skip
    data["drivers"] = [
        {"id": name, "joint": joint, "axis": "slide", "quantity": "velocity",
         "pulse": {"kind": "constant", "value": speed}, "start_value": 0.0}
        for name, joint, speed in (("held", "slip", 0.0), ("led", "way", 0.5))
    ]  # fmt: skip
    del data["initial"]
    out = simulate(project(data))

    def rates(t: float, y: Any) -> list[float]:
        late = t - 0.03
        x, v = (0.5 * late, 0.5) if late > 0.0 else (0.0, 0.0)
        asked = min(max(0.1 + 4.0 * (x - 0.02) + 0.1 * v, 0.0), 1.0)
        pace = 0.5 + 1.5 * y[0]
        return [(asked - y[0]) / (0.02 * pace) if asked > y[0] else (asked - y[0]) * pace / 0.02]

    wanted = solve_ivp(
        rates, (0.0, 0.8), [0.1], rtol=1e-10, atol=1e-12, max_step=1e-3, t_eval=out.time
    )
    assert seen(out, "force") == pytest.approx(100.0 * wanted.y[0], abs=0.02)
    assert np.max(seen(out, "force")) == pytest.approx(100.0, rel=1e-3)
    assert np.ptp(wanted.y[0]) > 0.9


def test_small_motions_see_what_is_held_as_a_constant() -> None:
    found = mk.linearise(mk.Model(project(loop())))
    assert any("held from sample to sample" in str(note) for note in found.notes)
    assert np.abs(found.stiffness).max() < 1e-6
    now = mk.linearise(mk.Model(project(slider(MASS, 0.0, 0.0, drive(0.0)))))
    assert now.stiffness[0, 0] == pytest.approx(P)
    assert not any("held" in str(note) for note in now.notes)
