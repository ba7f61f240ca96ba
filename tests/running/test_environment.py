"""Environments of Gymnasium made of models."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import manikin as mk

TORQUE, ANGLE, RATE = "segments/lower/torque/y", "joints/elbow/angle", "joints/elbow/rate"


def swing(**more: Any) -> Any:
    given: dict[str, Any] = {
        "actions": {TORQUE: (-1.0, 3.0)}, "observations": {"angle": ANGLE, "rate": RATE},
        "reward": "-angle^2 - 0.001 * action_0^2 + time",
    }  # fmt: skip
    return mk.environment(mk.sample("double_pendulum").until(0.25), **(given | more))


def episode(env: Any, seed: int, actions: Any) -> list[Any]:
    seen = [env.reset(seed=seed)[0].tolist()]
    for action in actions:
        found, reward, terminated, truncated, _ = env.step([action])
        seen.append((*found.tolist(), reward))
        if terminated or truncated:
            break
    return [*seen, terminated, truncated]


def test_the_checker_of_the_library_has_nothing_to_say() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(swing())


def test_an_episode_is_a_run_under_control_and_comes_back_to_the_bit() -> None:
    env, actions = swing(every=0.04), np.linspace(-1.0, 1.0, 9)
    first = episode(env, 1, actions)
    assert first[-2:] == [False, True], "the run's end"
    assert len(first) == 1 + 7 + 2, "six actions and a shorter one"
    assert env.simulation.at == 0.25
    control = mk.Simulation(env.model).control([TORQUE], [ANGLE, RATE])
    for k, action in enumerate(actions[:7]):
        push = 1.0 + 2.0 * action
        size = 0.04 if k < 6 else 0.25 - control.time
        angle, rate = control.step([push], size)
        reward = -(angle**2) - 0.001 * push**2 + control.time
        assert first[1 + k] == pytest.approx((angle, rate, reward), rel=1e-12)
    with pytest.raises(mk.EnvironmentRefused, match="call reset first"):
        env.step([0.0])
    episode(env, 2, [1.0, 0.3])
    assert episode(env, 1, actions) == first


def test_an_episode_ends_by_a_formula() -> None:
    env = swing(terminated="abs(rate) - 2")
    found = episode(env, 0, [1.0] * 99)
    assert found[-2:] == [True, False]
    assert abs(found[-3][1]) > 2.0
    assert all(abs(rate) <= 2.0 for _, rate, _ in found[1:-3])


def test_models_vary_by_the_seed() -> None:
    def vary(model: mk.Model, random: np.random.Generator) -> mk.Model:
        return model.with_value("segments/lower/mass_kg", random.uniform(0.5, 2.0))

    env = swing(vary=vary)
    found = [episode(env, seed, [0.2] * 4) for seed in (5, 6, 5)]
    assert found[0] == found[2]
    assert found[0] != found[1]


def test_what_no_environment_can_be_is_said() -> None:
    for given, said in (
        ({"reward": "-angel"}, "'-angel' names 'angel'.* Did you mean 'angle'"),
        ({"terminated": "__import__('os')"}, "which no formula may hold"),
        ({"actions": {TORQUE: (1.0, 1.0)}}, "which is no range"),
        ({"actions": {}}, "an action and an observation at least"),
        ({"actions": {"segments/lower/mass_kg": (1.0, 2.0)}}, "change the model"),
        ({"observations": {"angle": "joints/elbw/rate"}}, "Did you mean 'elbow'"),
        ({"every": 9.0}, "and the run 0.25 s"),
        ({"actions": {TORQUE: 2.0}}, "needs the least and the largest value, not 2.0"),
        (
            {"observations": {"time": RATE}, "reward": "time"},
            "'time' is no name for an observation",
        ),
    ):
        with pytest.raises((mk.EnvironmentRefused, mk.SimulationError, mk.ResultsError, ValueError), match=said):  # fmt: skip
            swing(**given)
    env = swing()
    env.reset()
    with pytest.raises(mk.EnvironmentRefused, match="1 finite numbers"):
        env.step([0.0, 1.0])
