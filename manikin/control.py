"""Runs step by step: inputs and outputs by name as a run goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.project.problems import SimulationError
from solver.results.memory import MemoryTrajectory
from solver.results.quantities import QuantityInfo
from solver.running.inputs import Input as _Input
from solver.running.readouts import Readouts
from solver.running.stepper import Stepper


class Held(Protocol):
    """Be a run that is taken on in pieces (`Simulation`)."""

    _course: Stepper
    _memory: MemoryTrajectory

    @property
    def at(self) -> float:
        """Where it stands (s)."""

    @property
    def _readouts(self) -> Readouts:
        """What reads its outputs."""

    def _hop(self, time_s: float, record: bool) -> None:
        """Go on to exactly a time (s)."""


@dataclass(frozen=True, slots=True)
class Port:
    """An input or an output of a run: its name, SI unit and what it is.

    `value` is what an input is at the start, where the project gives a number; else, and of outputs, 0.
    """

    name: str
    unit: str
    help: str
    value: float = 0.0


def input_port(one: _Input) -> Port:
    """Describe an input."""
    return Port(one.name, one.unit, one.help, one.value)


def output_port(one: QuantityInfo) -> Port:
    """Describe an output."""
    return Port(one.name, one.unit, one.meaning)


def ports(found: Sequence[Port]) -> Mapping[str, Port]:
    """Give them by name, to be read only."""
    return MappingProxyType({one.name: one for one in found})


class Control:
    """Take a run on step by step: set all inputs, go on, get all outputs.

    It is made by `Simulation.control`. Inputs are held over the step; a step ends at its time to the bit.

    >>> sim = mk.Simulation(mk.sample("double_pendulum"))
    >>> control = sim.control(["segments/lower/force/x"], ["joints/elbow/angle", "joints/elbow/rate"])
    >>> angle, rate = control.values
    >>> for _ in range(10):
    ...     angle, rate = control.step([-2.0 * rate], 0.002)
    >>> sim.state.time
    0.02
    """

    def __init__(
        self, simulation: Held, inputs: Sequence[str], outputs: Sequence[str], record: bool
    ) -> None:
        self._simulation, self._record = simulation, record
        outside = simulation._course.outside
        self.inputs: tuple[Port, ...] = tuple(
            input_port(outside.held.find(name)) for name in inputs
        )
        """What is set, in the order of the numbers that `step` takes."""
        for name in inputs:
            if list(inputs).count(name) > 1:
                raise SimulationError("'{name}' is named twice.", name=name)
        self._names = [simulation._readouts.find(name) for name in outputs]
        self.outputs: tuple[Port, ...] = tuple(
            output_port(simulation._readouts.about(name)) for name in self._names
        )
        """What is read, in the order of the numbers that `step` gives."""
        self._start, self._count = simulation.at, 0
        self._every: float | None = None

    @property
    def time(self) -> float:
        """Where the run stands (s)."""
        return self._simulation._course.time

    @property
    def is_over(self) -> bool:
        """Whether the run has come to its end."""
        return self._simulation._course.is_over

    @property
    def values(self) -> NDArray[np.float64]:
        """All outputs as they are now."""
        seen = self._simulation._course.look([self._simulation._memory])
        return np.array(self._simulation._readouts.values(self._names, *seen))

    def step(self, inputs: ArrayLike | None = None, dt: float = 0.01) -> NDArray[np.float64]:
        """Set all inputs, go on by a time (s), and give all outputs at its end.

        Without inputs they stay as they are. Steps of one length end at multiples of it, counted from where the first began, so that no
        rounding adds up. Raises RunFailed where the run cannot go on, and SimulationError for a time behind its end.
        """
        if not dt > 0.0:
            raise SimulationError("A step of {dt:g} s leads nowhere.", dt=dt)
        if inputs is not None:
            values = np.asarray(inputs, float).reshape(-1).tolist()
            if len(values) != len(self.inputs):
                raise SimulationError(
                    "There are {count} inputs, and {given} numbers for them.",
                    count=len(self.inputs),
                    given=len(values),
                )
            outside = self._simulation._course.outside
            asked = [(one.name, value) for one, value in zip(self.inputs, values, strict=True)]
            for name, value in asked:
                outside.refuse(name, value)
            for name, value in asked:
                outside.ask(name, value)
        now = self._simulation._course.time
        if dt != self._every or now != self._start + self._count * dt:
            self._start, self._count, self._every = now, 0, dt
        self._count += 1
        self._simulation._hop(self._start + self._count * dt, self._record)
        return np.array(
            self._simulation._readouts.values(self._names, *self._simulation._course.seen)
        )
