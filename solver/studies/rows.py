"""Rows of a study: what is run, what came out of it, and the table that holds both."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from solver.base.extras import needed
from solver.base.words import Refusal
from solver.project.studies import StudyBase

# Why a study cannot be run or read.


class StudyError(Refusal):
    """Say in a sentence why a study cannot be run or read."""

    __module__ = "manikin"


Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]

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
class RowResult:
    """What came out of one run."""

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


def columns_of(layout: Layout) -> dict[str, tuple[tuple[int, ...], str]]:
    """The shape of a row in each column of numbers, and its type."""
    return {
        "inputs": ((len(layout.parameters),), "<f8"),
        "outputs": ((len(layout.responses),), "<f8"),
        "status": ((), "<i1"),
        "phase": ((), "<i1"),
        "test": ((), "<i2"),
        "seconds": ((), "<f8"),
        "curves": ((len(layout.curves), CURVE_SAMPLES), "<f8"),
        "residuals": ((layout.residuals,), "<f8"),
    }


@dataclass
class Rows:
    """The table of a study; rows that have not come back are `waiting`, without numbers."""

    layout: Layout
    inputs: Array = field(init=False)
    outputs: Array = field(init=False)
    status: Counts = field(init=False)
    phase: Counts = field(init=False)
    test: Counts = field(init=False)
    seconds: Array = field(init=False)
    curves: Array = field(init=False)
    residuals: Array = field(init=False)
    messages: list[str] = field(init=False)

    def __post_init__(self) -> None:
        for name, (shape, kind) in columns_of(self.layout).items():
            setattr(self, name, np.zeros((0, *shape), kind))
        self.messages = []

    def __len__(self) -> int:
        return len(self.inputs)

    def add(self, tasks: Sequence[Task]) -> None:
        """Make room for rows that are waited for."""
        values = np.array([task.values for task in tasks])
        self.extend(
            values.reshape(len(tasks), self.inputs.shape[1]),
            np.array([PHASES.index(task.phase) for task in tasks], "i1"),
            np.array([task.test for task in tasks], "i2"),
        )

    def extend(self, inputs: Array, phase: Counts, test: Counts) -> None:
        """Make room for rows that are waited for, column by column."""
        n = len(inputs)
        self.inputs = np.concatenate([self.inputs, inputs])
        self.outputs = _longer(self.outputs, n)
        self.curves = _longer(self.curves, n)
        self.residuals = _longer(self.residuals, n)
        self.status = np.concatenate([self.status, np.zeros(n, "i1")])
        self.phase = np.concatenate([self.phase, phase])
        self.test = np.concatenate([self.test, test])
        self.seconds = np.concatenate([self.seconds, np.zeros(n)])
        self.messages += [""] * n

    def put(self, found: RowResult) -> None:
        """Fill a row."""
        i = found.number
        self.outputs[i] = found.outputs
        self.status[i] = STATUSES.index(found.status)
        # a long one is cut between two letters
        self.messages[i] = found.message.encode()[:LONGEST].decode(errors="ignore")
        self.seconds[i] = found.seconds
        if found.curves is not None:
            self.curves[i] = found.curves
        if found.residuals is not None:
            self.residuals[i] = found.residuals

    def found(self, i: int) -> RowResult:
        """What a row holds."""
        return RowResult(
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
    def is_done(self) -> Mask:
        """Tell which runs have come to their end."""
        out: Mask = (self.status == 1) | (self.status == 2)
        return out

    def columns(self) -> Mapping[str, NDArray[Any]]:
        """All columns by name: parameters, responses, then `status`, `phase`, `test`, `message`."""
        about = self.layout
        out: dict[str, Any] = {n: self.inputs[:, i] for i, n in enumerate(about.parameters)}
        out |= {n: self.outputs[:, i] for i, n in enumerate(about.responses)}
        out["status"] = np.array(STATUSES, object)[self.status]
        out["phase"] = np.array(PHASES, object)[self.phase]
        out["test"] = np.array(about.tests, object)[self.test]
        out["message"] = np.array(self.messages, object)
        return out


def check_layout(layout: Layout) -> None:
    """Raise ValueError where the columns of a file do not go together."""
    names = (
        *layout.parameters, *layout.paths, *layout.responses, *layout.parameter_units,
        *layout.response_units, *layout.curves, *layout.curve_units, *layout.tests,
    )  # fmt: skip
    if not all(isinstance(one, str) for one in names):
        raise ValueError("a column has no name")
    alike = (
        (layout.parameters, layout.paths, layout.parameter_units),
        (layout.responses, layout.response_units),
        (layout.curves, layout.curve_units),
        (layout.tests, layout.durations),
    )
    if any(len({len(one) for one in group}) > 1 for group in alike) or not layout.tests:
        raise ValueError("its columns do not go together")
    durations = [float(one) for one in layout.durations]
    if not all(0.0 < one < math.inf for one in durations) or not int(layout.residuals) >= 0:
        raise ValueError("its columns do not go together")


def check_rows(rows: Rows) -> None:
    """Raise ValueError where rows hold what no study has."""
    about, n = rows.layout, len(rows.inputs)
    for name, (shape, _) in columns_of(about).items():
        if getattr(rows, name).shape != (n, *shape):
            raise ValueError(f"'{name}' has another number of values")
    if len(rows.messages) != n:
        raise ValueError("'message' has another number of values")
    for name, most in (("status", STATUSES), ("phase", PHASES), ("test", about.tests)):
        values = getattr(rows, name)
        if np.any((values < 0) | (values >= len(most))):
            raise ValueError(f"'{name}' holds a number that stands for nothing")
    if not (np.isfinite(rows.inputs).all() and np.isfinite(rows.seconds).all()):
        raise ValueError("it holds a number that is none")


def _longer(values: NDArray[Any], n: int) -> NDArray[Any]:
    return np.concatenate([values, np.full((n, *values.shape[1:]), np.nan)])


# Which runs keep the limits, and which of them serve the goals best.


def keeps_limits(study: StudyBase, rows: Rows) -> Mask:
    """Tell which runs keep all limits; one without a value keeps none."""
    out = np.asarray(rows.is_done)
    for i, one in enumerate(study.responses):
        value = rows.outputs[:, i]
        with np.errstate(invalid="ignore"):
            if one.at_least is not None:
                out = out & (value >= one.at_least)
            if one.at_most is not None:
                out = out & (value <= one.at_most)
    return np.asarray(out)


def losses(study: StudyBase, rows: Rows) -> Array:
    """The goals (n, g) so that less is better."""
    signs = {"minimise": 1.0, "maximise": -1.0}
    goals = [(i, signs[r.goal]) for i, r in enumerate(study.responses) if r.goal in signs]
    columns = [sign * rows.outputs[:, i] for i, sign in goals]
    return np.array(columns).T.reshape(len(rows), len(goals))


def front(study: StudyBase, rows: Rows) -> list[int]:
    """The runs that keep the limits and that no other is better than in every goal; the best with one goal."""
    loss = losses(study, rows)
    if loss.shape[1] == 0:
        return []
    usable = np.flatnonzero(keeps_limits(study, rows) & np.all(np.isfinite(loss), axis=1))
    if not len(usable):
        return []
    if loss.shape[1] == 1:
        return [int(usable[np.argmin(loss[usable, 0])])]
    # loaded only where it is needed
    with needed("studies", StudyError):
        from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    first = NonDominatedSorting().do(loss[usable], only_non_dominated_front=True)
    return sorted(int(usable[i]) for i in first)
