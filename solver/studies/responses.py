"""What is asked of a run (figures, quantities, ratings, formulas, curves), and what the runs of a fit are compared with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.base.words import Sentence
from solver.engine.signals import SignalError, rating, ride
from solver.injury import Assessment, assess
from solver.project.document import Project
from solver.project.forms import samples, value_at
from solver.project.functions import Function, Table
from solver.project.study_parts import (
    Asked,
    ChannelResponse,
    CorridorTarget,
    FigureResponse,
    FitTarget,
    FitTest,
    FormulaResponse,
    MissResponse,
    RatingResponse,
    Response,
    RideResponse,
)
from solver.project.varying import FormulaError, names_in, value_of
from solver.results.layout import ResultsError
from solver.results.quantities import Quantities
from solver.results.trajectory import Channel, Trajectory
from solver.studies.bench.running import OF_INPUT, curves_of, verdict
from solver.studies.bench.table import BenchTest, bench_test
from solver.studies.rows import CURVE_SAMPLES, Array, StudyError

# What is asked of a run: figures, numbers of quantities, ratings, formulas and curves.


@dataclass(frozen=True)
class Answered:
    """The responses of one run, and why some of them have no value."""

    values: tuple[float, ...]
    missing: tuple[Sentence, ...] = ()


class Reader:
    """Read responses from one run.

    `figures` names the injury figures that are asked for; `known` is the catalogue of a run with the same names.
    """

    def __init__(
        self,
        run: Trajectory,
        project: Project,
        figures: Collection[str] | None = None,
        known: Quantities | None = None,
    ) -> None:
        self._run, self._project, self._asked = run, project, figures
        self.quantities = Quantities(run) if known is None else known.grown(run)

    @cached_property
    def figures(self) -> Assessment:
        """The injury figures."""
        return assess(self._run, self._project, only=self._asked)

    def channel(self, name: str, cfc: int | None) -> Channel:
        """A quantity over time, filtered where that is asked for."""
        found = self.quantities(name)
        return found if cfc is None else found.filtered(cfc)

    def answered(self, responses: Sequence[Response], parameters: dict[str, float]) -> Answered:
        """All responses; one that has no value is no number, with the reason."""
        values, missing = dict[str, float](), list[Sentence]()
        for one in in_order(responses):
            try:
                value = self.value(one, {**parameters, **values})
            except (ResultsError, SignalError, FormulaError) as failure:
                value = np.nan
                # what is made of a number that is missing says nothing new
                if not (isinstance(one, FormulaResponse) and _lacks(one, values)):
                    missing.append(Sentence("{name}: {why}", name=one.id, why=failure.said))
            values[one.id] = float(value)
        return Answered(tuple(values[one.id] for one in responses), tuple(missing))

    def value(self, one: Response, known: dict[str, float]) -> float:
        """One response."""
        match one:
            case FigureResponse():
                return self._figure(one)
            case ChannelResponse():
                return scalar(self.channel(one.quantity, one.cfc), one)
            case RatingResponse():
                curve = self.channel(one.quantity, one.cfc)
                time, value = reference_curve(self._project, one.reference)
                rated = rating(curve.time, curve.value, time, value)
                return float(getattr(rated, one.take))
            case RideResponse():
                return felt(self.channel(one.quantity, None), one)
            case FormulaResponse():
                return value_of(one.formula, known)
            case MissResponse():
                raise StudyError("'{name}' is asked of a synthesis alone.", name=one.id)

    def _figure(self, one: FigureResponse) -> float:
        for name, why in self.figures.missing:
            if name == one.figure:
                raise ResultsError("{why}", why=why)
        return self.figures[one.figure].value

    def curves(self, names: Sequence[str], duration: float) -> Array:
        """Give kept curves (q, samples) over the run; beyond its end they have no value."""
        grid = np.linspace(0.0, duration, CURVE_SAMPLES)
        out = np.full((len(names), CURVE_SAMPLES), np.nan)
        for i, name in enumerate(names):
            channel = self.channel(name, None)
            out[i] = np.interp(grid, channel.time, channel.value, right=np.nan)
            # the last sample may lie a step before the end
            if len(channel.time) and np.isnan(out[i, -1]) and channel.time[-1] >= grid[-2]:
                out[i, -1] = channel.value[-1]
        return out


def _lacks(one: FormulaResponse, values: dict[str, float]) -> bool:
    return any(np.isnan(values.get(name, 0.0)) for name in names_in(one.formula))


def in_order(responses: Sequence[Response]) -> list[Response]:
    """Give responses so that each formula stands behind those that it is made of."""
    waiting, out = list(responses), list[Response]()
    ids = {one.id for one in responses}
    while waiting:
        done = {one.id for one in out}
        ready = [
            one
            for one in waiting
            if not isinstance(one, FormulaResponse) or not (set(names_in(one.formula)) & ids) - done
        ]
        if not ready:
            raise StudyError("'{name}' leads back to itself.", name=waiting[0].id)
        out += ready
        waiting = [one for one in waiting if one not in ready]
    return out


def scalar(channel: Channel, one: ChannelResponse) -> float:
    """One number of a quantity over time."""
    time, value = channel.time, channel.value
    if one.take == "at":
        at = float(one.time_s or 0.0)
        if not len(time) or not time[0] - 1e-9 <= at <= time[-1] + 1e-9:
            raise ResultsError("The run has nothing at {at:g} s.", at=at)
        return float(np.interp(at, time, value))
    low = -np.inf if one.from_s is None else one.from_s
    high = np.inf if one.until_s is None else one.until_s
    inside = (time >= low - 1e-9) & (time <= high + 1e-9)
    time, value = time[inside], value[inside]
    if not len(time):
        raise ResultsError(
            "The run has nothing between {low:g} and {high:g} s.", low=low, high=high
        )
    if not np.all(np.isfinite(value)):
        raise ResultsError("'{name}' has no value all the time.", name=channel.name)
    match one.take:
        case "max":
            return float(value.max())
        case "min":
            return float(value.min())
        case "largest":
            return float(np.abs(value).max())
        case "last":
            return float(value[-1])
        case "time_of_max":
            return float(time[int(value.argmax())])
        case "time_of_min":
            return float(time[int(value.argmin())])
        case "integral":
            return float(np.trapezoid(value, time))
        case "mean":
            span = float(time[-1] - time[0])
            return float(np.trapezoid(value, time)) / span if span > 0.0 else float(value[0])
        case "severity":
            change = abs(float(np.trapezoid(value, time)))
            if change == 0.0:
                raise ResultsError(
                    "'{name}' changes no speed: it has no severity.", name=channel.name
                )
            return float(np.trapezoid(value * value, time)) / change
    raise StudyError("'{take}' cannot be taken.", take=one.take)


def felt(channel: Channel, one: RideResponse) -> float:
    """A measure of a weighted acceleration."""
    low = -np.inf if one.from_s is None else one.from_s
    high = np.inf if one.until_s is None else one.until_s
    measured = ride(
        channel.time,
        channel.value,
        one.weighting,
        (low - 1e-9, high + 1e-9),
        unit=channel.unit,
        name=channel.name,
    )
    found = getattr(measured, one.take)
    if found is None:
        raise SignalError("'{name}' is shorter than a second: it has no MTVV.", name=channel.name)
    return float(found)


def function_of(project: Project, name: str) -> Function:
    """A function of a project; StudyError where it has none of that id."""
    found = next((one for one in project.functions if one.id == name), None)
    if found is None:
        raise StudyError("There is no function '{name}'.", name=name)
    return found


def reference_curve(project: Project, name: str) -> tuple[Array, Array]:
    """Times and values of a reference curve."""
    form = function_of(project, name).form
    time, value = samples(form)
    if isinstance(form, Table) and len(time) > 1:
        return time, value
    raise StudyError("'{name}' is no curve with points, which a reference must be.", name=name)


# What the runs of a fit are compared with: measured curves, corridors, figures of the bench.

TARGET_SAMPLES = 201
"""Places at which a run is compared with a curve that it is fitted to."""
MISSING = 5.0
"""How far off, in halves of its corridor, a figure counts that a run does not have: assumed."""
NEAR = 0.1
"""Part of a limit within which a figure counts as close to it: assumed."""


@dataclass(frozen=True)
class Aim:
    """One thing that a test is fitted to, and where its residuals stand in a row."""

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
    """The figures of the bench that a test is fitted to; those of its input are moved by nothing."""
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
    """A curve that a run is fitted to, at the places at which it is compared.

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
    """All that the run of a test is compared with."""

    curves: tuple[Compared, ...]
    test: FitTest
    bench: BenchTest | None

    @property
    def count(self) -> int:
        """Count the residuals."""
        return len(self.curves) * TARGET_SAMPLES + len(self.test.ranges) + len(asked_in(self.test))

    def residuals(self, reader: Reader, scene: Project, answers: Mapping[str, float]) -> Array:
        """What is left between a run and each: parts of a measured curve's peak, or halves of a corridor."""
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
    """How far a figure is from the middle of its corridor, in halves of it; of one end, how near or beyond.

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
    """What a test is compared with; StudyError where that cannot be."""
    curves = [
        *(measured(project, one, duration) for one in test.targets),
        *(corridor(project, one, duration) for one in test.corridors),
    ]
    bench = None
    if test.bench is not None:
        bench = bench_test(test.bench.dummy, test.bench.test, test.bench.speed_ratio)
    return Targets(tuple(curves), test, bench)


def measured(project: Project, target: FitTarget, duration: float) -> Compared:
    """A measured curve at the times at which a run is compared with it."""
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
    """What is compared with which functions: place, quantity, what it is drawn over, their ids."""
    for i, target in enumerate(test.targets):
        yield f"targets/{i}", target.quantity, None, (target.reference,)
    for i, one in enumerate(test.corridors):
        yield f"corridors/{i}", one.quantity, one.over, (one.lower, one.upper)
