"""Environments of Gymnasium made of models: somebody learns to hold a body, or to time a restraint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from manikin.model import Model, the_model
from manikin.running import RunFailed
from manikin.simulation import Simulation
from solver.base.extras import needed
from solver.base.words import Refusal
from solver.project.problems import did_you_mean
from solver.project.varying import FormulaError, names_in, value_of

if TYPE_CHECKING:
    import gymnasium

SPEC = "manikin/Model-v0"
"""What Gymnasium calls an environment of ours; there is none to be made by that name alone."""
Bounds = tuple[float, float]
Change = Callable[[Model, np.random.Generator], Model]


class EnvironmentRefused(Refusal, ValueError):
    """Say in a sentence why no environment can be made so."""

    __module__ = "manikin"


def environment(
    model: Model,
    *,
    actions: Mapping[str, Bounds],
    observations: Mapping[str, str] | Sequence[str],
    reward: str,
    every: float = 0.01,
    terminated: str | None = None,
    vary: Change | None = None,
    run: str | None = None,
) -> gymnasium.Env[NDArray[np.float64], NDArray[np.float64]]:
    """Make an environment of Gymnasium of a model.

    `actions` are inputs (`Simulation.inputs`) with the least and the largest value; the agent acts between -1 and 1, and a value is held for
    `every` (s). `observations` are quantities (`Simulation.outputs`), by a short name or as they are called. `reward` is a formula, as those of studies, of short
    names of observations, actions (`action_0`, `action_1`, ... in their order, in their own units), `time` and `every`.
    An episode ends truncated at the end of the run, and `terminated` where that formula is above zero, or where the run cannot go on, which is told in `info`.

    `reset(seed=...)` gives the same start to the last bit; `vary` makes another model of it for each episode, given the environment's
    own random numbers. Needs `manikin[gym]`. Raises EnvironmentRefused, and what `Simulation.control` raises of names.

    >>> swing = mk.environment(
    ...     mk.sample("double_pendulum"),
    ...     actions={"segments/lower/torque/y": (-2.0, 2.0)},
    ...     observations={"angle": "joints/elbow/angle", "rate": "joints/elbow/rate"},
    ...     reward="-angle^2 - 0.001 * action_0^2",
    ... )
    >>> observation, info = swing.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = swing.step([0.5])
    >>> info["time"], terminated, truncated
    (0.01, False, False)
    """
    return _environment_class()(  # type: ignore[no-any-return]
        the_model(model), actions, observations, reward, every, terminated, vary, run
    )


class Words:
    """What formulas of an environment may say: reward and end."""

    def __init__(
        self,
        actions: Sequence[str],
        observations: Sequence[str],
        reward: str,
        terminated: str | None,
    ) -> None:
        self.actions = [f"action_{n}" for n in range(len(actions))]
        self.observations = list(observations)
        known = {*self.actions, "time", "every"}
        for name in self.observations:
            if name in known:
                raise EnvironmentRefused(
                    "'{name}' is no name for an observation: it stands for something else in formulas.",
                    name=name,
                )
        known.update(self.observations)
        self.reward, self.terminated = reward, terminated
        for formula in (reward, terminated):
            for name in () if formula is None else names_in(formula):
                if name not in known:
                    hint = did_you_mean(name, known) or f"It may use {', '.join(sorted(known))}."
                    raise EnvironmentRefused(
                        "'{formula}' names '{name}', which is neither an observation nor an action. {hint}",
                        formula=formula,
                        name=name,
                        hint=hint,
                    )

    def values(
        self, actions: Sequence[float], observations: Sequence[float], time: float, every: float
    ) -> dict[str, float]:
        """What the names stand for."""
        return {
            **dict(zip(self.actions, actions, strict=True)),
            **dict(zip(self.observations, observations, strict=True)),
            "time": time,
            "every": every,
        }


def _short(name: str, number: int) -> str:
    """The name by which formulas know an observation that has no short one."""
    return name if name.isidentifier() else f"observation_{number}"


@cache
def _environment_class() -> Any:
    """The class of environments; the library is loaded with the first."""
    with needed("gym"):
        import gymnasium
        from gymnasium import spaces
        from gymnasium.envs.registration import EnvSpec

    class Environment(gymnasium.Env[NDArray[np.float64], NDArray[np.float64]]):
        """A model that an agent acts on."""

        metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (as the library has it)

        def __init__(
            self,
            model: Model,
            actions: Mapping[str, Bounds],
            observations: Mapping[str, str] | Sequence[str],
            reward: str,
            every: float,
            terminated: str | None,
            vary: Change | None,
            run: str | None,
        ) -> None:
            named = (
                dict(observations)
                if isinstance(observations, Mapping)
                else {_short(name, n): name for n, name in enumerate(observations)}
            )
            for name, bounds in actions.items():
                if np.shape(bounds) != (2,):
                    raise EnvironmentRefused(
                        "'{name}' needs the least and the largest value, not {bounds}.",
                        name=name,
                        bounds=str(bounds),
                    )
                low, high = bounds
                if not -np.inf < low < high < np.inf:
                    raise EnvironmentRefused(
                        "'{name}' lies between {low:g} and {high:g}, which is no range.",
                        name=name,
                        low=low,
                        high=high,
                    )
            if not actions or not named:
                raise EnvironmentRefused(
                    "An environment has an action and an observation at least."
                )
            duration = model.settings(run).duration_s
            if not 0.0 < every <= duration:
                raise EnvironmentRefused(
                    "Actions last {every:g} s, and the run {duration:g} s.",
                    every=every,
                    duration=duration,
                )
            self.words = Words(list(actions), list(named), reward, terminated)
            self.model, self.vary, self.run_id, self.every = model, vary, run, float(every)
            self.input_names, self.output_names = list(actions), list(named.values())
            self._low = np.array([low for low, _ in actions.values()])
            self._high = np.array([high for _, high in actions.values()])
            self.action_space = spaces.Box(-1.0, 1.0, (len(actions),), np.float64)
            most = np.finfo(np.float64).max
            self.observation_space = spaces.Box(-most, most, (len(named),), np.float64)
            given = (model, actions, observations, reward, every, terminated, vary, run)
            self.spec = EnvSpec(SPEC, entry_point=lambda **_: Environment(*given))
            self.simulation = Simulation(model, run)
            self._control = self._controlled()
            self._start = self.simulation.state
            """All episodes of a model that does not vary begin here."""
            self._is_open = False

        def _controlled(self) -> Any:
            return self.simulation.control(self.input_names, self.output_names, record=False)

        def _info(self, values: Sequence[float]) -> dict[str, Any]:
            seen = dict(zip(self.words.observations, map(float, values), strict=True))
            return {"time": self.simulation.at, "observations": seen}

        def reset(
            self, *, seed: int | None = None, options: dict[str, Any] | None = None
        ) -> tuple[NDArray[np.float64], dict[str, Any]]:
            """Begin an episode."""
            super().reset(seed=seed)
            if self.vary is not None:
                self.simulation = Simulation(self.vary(self.model, self.np_random), self.run_id)
            else:
                self.simulation.set_state(self._start)
            self._control = self._controlled()
            self._is_open = True
            seen = self._control.values
            return seen, self._info(seen)

        def step(
            self, action: Any
        ) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
            """Let an action be held, and see what comes of it."""
            if not self._is_open:
                raise EnvironmentRefused("The episode is over, or has not begun: call reset first.")
            wish = np.asarray(action, float).reshape(-1)
            if wish.shape != self._low.shape or not np.isfinite(wish).all():
                raise EnvironmentRefused(
                    "An action is {count} finite numbers, not {given}.",
                    count=len(self._low),
                    given=str(action),
                )
            part = 0.5 * (np.clip(wish, -1.0, 1.0) + 1.0)
            wanted = self._low + part * (self._high - self._low)
            left = self.simulation.duration - self.simulation.at
            # a rest that rounding leaves is no step
            ends = left <= self.every * (1.0 + 1e-9)
            size = left if ends else self.every
            try:
                seen = self._control.step(wanted, size)
            except RunFailed as failure:
                self._is_open = False
                seen = self._control.values
                return seen, 0.0, True, False, {**self._info(seen), "failed": str(failure)}
            values = self.words.values(
                wanted.tolist(), seen.tolist(), self.simulation.at, self.every
            )
            reward = value_of(self.words.reward, values)
            is_done = self.words.terminated is not None and (
                value_of(self.words.terminated, values) > 0.0
            )
            self._is_open = not (is_done or ends)
            return seen, reward, is_done, bool(ends and not is_done), self._info(seen)

    return Environment


__all__ = ["EnvironmentRefused", "FormulaError", "environment"]
