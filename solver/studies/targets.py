"""What the runs of a fit are compared with: measured curves, corridors, figures of the bench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.project.document import Project
from solver.project.forms import samples, value_at
from solver.project.functions import Function, Table
from solver.project.study_tests import Asked, CorridorTarget, FitTarget, FitTest
from solver.results.trajectory import Channel
from solver.studies.bench.figures import OF_INPUT
from solver.studies.bench.running import curves_of, verdict
from solver.studies.bench.table import BenchTest, bench_test
from solver.studies.errors import StudyError
from solver.studies.responses import Reader, function_of, reference_curve
from solver.studies.rows import Array

TARGET_SAMPLES = 201
"""Places at which a run is compared with a curve that it is fitted to."""
MISSING = 5.0
"""How far off, in halves of its corridor, a figure counts that a run does not have: assumed."""
NEAR = 0.1
"""Part of a limit within which a figure counts as close to it: assumed."""


@dataclass(frozen=True)
class Aim:
    """Hold one thing that a test is fitted to, and where its residuals stand in a row."""

    name: str
    begin: int
    count: int
    stage: int
    weight: float = 1.0
    is_corridor: bool = False
    """Whether it is told in halves of a corridor; otherwise in parts of a peak."""

    @property
    def place(self) -> slice:
        """Say where it stands."""
        return slice(self.begin, self.begin + self.count)


def asked_in(test: FitTest) -> tuple[Asked, ...]:
    """Give the figures of the bench that a test is fitted to; those of its input are moved by nothing."""
    if test.bench is None:
        return ()
    of = bench_test(test.bench.dummy, test.bench.test).asked if test.bench.as_asked else ()
    return (*(one for one in of if one.figure not in OF_INPUT), *test.bench.more)


def aims_of(test: FitTest) -> list[Aim]:
    """Name all that a test is fitted to, in the order of its residuals."""
    found, begin = list[Aim](), 0
    parts = [
        *((t.quantity, TARGET_SAMPLES, t.stage, t.weight, False) for t in test.targets),
        *((t.quantity, TARGET_SAMPLES, t.stage, t.weight, True) for t in test.corridors),
        *((t.response, 1, t.stage, t.weight, True) for t in test.ranges),
        *((named(a), 1, 1, 1.0, True) for a in asked_in(test)),
    ]
    for name, count, stage, weight, is_corridor in parts:
        found.append(Aim(name, begin, count, stage, weight, is_corridor))
        begin += count
    return found


def named(asked: Asked) -> str:
    """Name a figure of the bench by what it takes, and where."""
    place = "" if asked.at is None else f" {asked.at:g}"
    return f"{asked.figure}{place}" + ("" if asked.until is None else f" to {asked.until:g}")


@dataclass(frozen=True)
class Compared:
    """Hold a curve that a run is fitted to, at the places at which it is compared.

    `middle` and `half` are those of a corridor, or a measured curve and its peak.
    """

    quantity: str
    over: str | None
    cfc: int | None
    x: Array
    middle: Array
    half: Array
    weight: float


@dataclass(frozen=True)
class Targets:
    """Hold all that the run of a test is compared with."""

    curves: tuple[Compared, ...]
    test: FitTest
    bench: BenchTest | None

    @property
    def count(self) -> int:
        """Count the residuals."""
        return len(self.curves) * TARGET_SAMPLES + len(self.test.ranges) + len(asked_in(self.test))

    def residuals(self, reader: Reader, scene: Project, answers: Mapping[str, float]) -> Array:
        """Give what is left between a run and each: parts of a measured curve's peak, or halves of a corridor."""
        out = [_left(reader, one) for one in self.curves]
        for one in self.test.ranges:
            off = off_by(answers[one.response], one.low, one.high)
            out.append(np.array([one.weight * off]))
        if self.bench is not None:
            curves = curves_of(self.bench, scene, reader.quantities)
            for asked in asked_in(self.test):
                value = verdict(curves, asked).value
                out.append(
                    np.array([off_by(np.nan if value is None else value, asked.low, asked.high)])
                )
        return np.concatenate(out) if out else np.zeros(0)


def off_by(value: float, low: float | None, high: float | None) -> float:
    """Give how far a figure is from the middle of its corridor, in halves of it; of one end, how near or beyond.

    A limit counts from a tenth before it, where that is 1 for it itself.
    """
    if not np.isfinite(value):
        return MISSING
    if low is not None and high is not None:
        return (2.0 * value - low - high) / (high - low)
    end = high if low is None else low
    if end is None:
        return 0.0
    scale = abs(end) or 1.0
    beyond = (value - end) / scale if low is None else (end - value) / scale
    return max(0.0, (beyond + NEAR) / NEAR)


def _left(reader: Reader, one: Compared) -> Array:
    channel = reader.channel(one.quantity, one.cfc)
    if one.over is None:
        found = np.interp(one.x, channel.time, channel.value)
    else:
        found = drawn_over(channel, reader.channel(one.over, one.cfc), one.x)
    left = (found - one.middle) * (one.weight / one.half)
    # a place that is never reached is as far off as a figure that is not there
    return np.where(np.isfinite(left), left, MISSING * one.weight)


def drawn_over(y: Channel, x: Channel, at: Array) -> Array:
    """Give a channel at values of another, as this first comes there on its way up; no number where it never does."""
    highest = np.maximum.accumulate(np.interp(y.time, x.time, x.value))
    new = np.concatenate(([True], np.diff(highest) > 0.0))
    return np.interp(at, highest[new], y.value[new], left=np.nan, right=np.nan)


def targets_of(project: Project, test: FitTest, duration: float) -> Targets:
    """Give what a test is compared with; StudyError where that cannot be."""
    curves = [
        *(measured(project, one, duration) for one in test.targets),
        *(corridor(project, one, duration) for one in test.corridors),
    ]
    bench = None
    if test.bench is not None:
        bench = bench_test(test.bench.dummy, test.bench.test, test.bench.speed_ratio)
    return Targets(tuple(curves), test, bench)


def measured(project: Project, target: FitTarget, duration: float) -> Compared:
    """Give a measured curve at the times at which a run is compared with it."""
    known, _ = reference_curve(project, target.reference)
    low = max(float(known[0]), target.from_s or 0.0)
    high = min(float(known[-1]), duration if target.until_s is None else target.until_s, duration)
    if low >= high:
        raise StudyError("'{name}' shares no time with the run.", name=target.reference)
    time = np.linspace(low, high, TARGET_SAMPLES)
    value = _values(function_of(project, target.reference), time)
    peak = float(np.abs(value).max())
    if peak == 0.0:
        raise StudyError(
            "'{name}' is zero throughout; nothing is fitted to it.", name=target.reference
        )
    whole = np.full(TARGET_SAMPLES, peak)
    return Compared(target.quantity, None, target.cfc, time, value, whole, target.weight)


def corridor(project: Project, target: CorridorTarget, duration: float) -> Compared:
    """Give a corridor where both of its ends are known."""
    ends = [function_of(project, name) for name in (target.lower, target.upper)]
    spans = [_span(one) for one in ends]
    low, high = max(a for a, _ in spans), min(b for _, b in spans)
    if target.over is None:
        high = min(high, duration)
    if low >= high:
        raise StudyError("'{name}' shares nothing with the run.", name=target.lower)
    x = np.linspace(low, high, TARGET_SAMPLES)
    lower, upper = (_values(one, x) for one in ends)
    if not np.all(upper > lower):
        raise StudyError(
            "'{upper}' is not above '{lower}' everywhere.", upper=target.upper, lower=target.lower
        )
    middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
    return Compared(target.quantity, target.over, target.cfc, x, middle, half, target.weight)


def _span(function: Function) -> tuple[float, float]:
    x, _ = samples(function.form)
    if not isinstance(function.form, Table) or len(x) < 2:
        raise StudyError("'{name}' is no curve with points.", name=function.id)
    return float(x[0]), float(x[-1])


def _values(function: Function, at: Sequence[float] | Array) -> Array:
    return np.array([value_at(function.form, float(x)) for x in at], float)


def functions_in(test: FitTest) -> Iterator[tuple[str, str, str | None, tuple[str, ...]]]:
    """Give what is compared with which functions: place, quantity, what it is drawn over, their ids."""
    for i, target in enumerate(test.targets):
        yield f"targets/{i}", target.quantity, None, (target.reference,)
    for i, one in enumerate(test.corridors):
        yield f"corridors/{i}", one.quantity, one.over, (one.lower, one.upper)
