"""Rows of a study: what is run, what came out of it, and the table that holds both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

Status = Literal["waiting", "done", "partly", "failed"]
STATUSES: tuple[Status, ...] = ("waiting", "done", "partly", "failed")
"""How a row stands; the table holds the number. `partly`: the run ended, but some of its responses have no value."""

Phase = Literal["design", "present", "step", "end", "start", "search", "differences"]
PHASES: tuple[Phase, ...] = ("design", "present", "step", "end", "start", "search", "differences")
"""What a row is for."""

CURVE_SAMPLES = 201
"""Instants of each kept curve, evenly from the beginning of the run to its end."""


LONGEST = 600
"""Bytes of a message."""


@dataclass(frozen=True, slots=True)
class Task:
    """Ask for one run: numbers of the parameters, in which test, for what."""

    number: int
    values: tuple[float, ...]
    test: int = 0
    phase: Phase = "design"


@dataclass(frozen=True, slots=True)
class Found:
    """Hold what came out of one run."""

    number: int
    status: Status
    outputs: tuple[float, ...]
    message: str = ""
    curves: Array | None = None
    residuals: Array | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Layout:
    """Name the columns of a study's table."""

    parameters: tuple[str, ...]
    paths: tuple[str, ...]
    responses: tuple[str, ...]
    parameter_units: tuple[str, ...] = ()
    """A factor has 1."""
    response_units: tuple[str, ...] = ()
    curves: tuple[str, ...] = ()
    curve_units: tuple[str, ...] = ()
    tests: tuple[str, ...] = ("",)
    durations: tuple[float, ...] = (0.0,)
    """Of the run of each test (s)."""
    residuals: int = 0


@dataclass
class Rows:
    """Hold the table of a study; rows that have not come back are `waiting`, without numbers."""

    layout: Layout
    inputs: Array = field(init=False)
    outputs: Array = field(init=False)
    status: Array = field(init=False)
    phase: Array = field(init=False)
    test: Array = field(init=False)
    seconds: Array = field(init=False)
    curves: Array = field(init=False)
    residuals: Array = field(init=False)
    messages: list[str] = field(init=False)

    def __post_init__(self) -> None:
        about = self.layout
        self.inputs = np.zeros((0, len(about.parameters)))
        self.outputs = np.zeros((0, len(about.responses)))
        self.status, self.phase = np.zeros(0, "i1"), np.zeros(0, "i1")
        self.test, self.seconds = np.zeros(0, "i2"), np.zeros(0)
        self.curves = np.zeros((0, len(about.curves), CURVE_SAMPLES))
        self.residuals = np.zeros((0, about.residuals))
        self.messages = []

    def __len__(self) -> int:
        return len(self.inputs)

    def add(self, tasks: Sequence[Task]) -> None:
        """Make room for rows that are waited for."""
        n = len(tasks)
        values = np.array([task.values for task in tasks]).reshape(n, self.inputs.shape[1])
        self.inputs = np.concatenate([self.inputs, values])
        self.outputs = _longer(self.outputs, n)
        self.curves = _longer(self.curves, n)
        self.residuals = _longer(self.residuals, n)
        self.status = np.concatenate([self.status, np.zeros(n, "i1")])
        phases = np.array([PHASES.index(task.phase) for task in tasks], "i1")
        self.phase = np.concatenate([self.phase, phases])
        self.test = np.concatenate([self.test, np.array([task.test for task in tasks], "i2")])
        self.seconds = np.concatenate([self.seconds, np.zeros(n)])
        self.messages += [""] * n

    def put(self, found: Found) -> None:
        """Fill a row."""
        i = found.number
        self.outputs[i] = found.outputs
        self.status[i] = STATUSES.index(found.status)
        self.messages[i] = found.message
        self.seconds[i] = found.seconds
        if found.curves is not None:
            self.curves[i] = found.curves
        if found.residuals is not None:
            self.residuals[i] = found.residuals

    def found(self, i: int) -> Found:
        """Give what a row holds."""
        return Found(
            i,
            STATUSES[self.status[i]],
            tuple(self.outputs[i].tolist()),
            self.messages[i],
            self.curves[i].copy(),
            self.residuals[i].copy(),
            float(self.seconds[i]),
        )

    @property
    def reasons(self) -> list[str]:
        """Say why runs failed, or have not all their numbers, in the order of the table."""
        return [
            one for one, state in zip(self.messages, self.status, strict=True) if one and state > 1
        ]

    @property
    def is_done(self) -> Array:
        """Tell which runs have come to their end."""
        out: Array = (self.status == 1) | (self.status == 2)
        return out

    def columns(self) -> Mapping[str, Array]:
        """Give all columns by name: parameters, responses, then `status`, `phase`, `test`, `message`."""
        about = self.layout
        out: dict[str, Any] = {n: self.inputs[:, i] for i, n in enumerate(about.parameters)}
        out |= {n: self.outputs[:, i] for i, n in enumerate(about.responses)}
        out["status"] = np.array(STATUSES, object)[self.status]
        out["phase"] = np.array(PHASES, object)[self.phase]
        out["test"] = np.array(about.tests, object)[self.test]
        out["message"] = np.array(self.messages, object)
        return out


def _longer(values: Array, n: int) -> Array:
    return np.concatenate([values, np.full((n, *values.shape[1:]), np.nan)])
