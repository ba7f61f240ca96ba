"""What is asked of a run: figures, numbers of quantities, ratings, formulas and curves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.base.words import Sentence
from solver.engine.signals import SignalError, rating, ride
from solver.injury import Assessment, assess
from solver.project.document import Project
from solver.project.forms import samples
from solver.project.formulas import FormulaError, names_in, value_of
from solver.project.functions import Function, Table
from solver.project.study_parts import (
    ChannelResponse,
    FigureResponse,
    FormulaResponse,
    RatingResponse,
    Response,
    RideResponse,
)
from solver.results.layout import ResultsError
from solver.results.quantities import Quantities
from solver.results.trajectory import Channel, Trajectory
from solver.studies.errors import StudyError
from solver.studies.rows import CURVE_SAMPLES, Array


@dataclass(frozen=True)
class Answered:
    """Hold the responses of one run, and why some of them have no value."""

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
        """Give the injury figures."""
        return assess(self._run, self._project, only=self._asked)

    def channel(self, name: str, cfc: int | None) -> Channel:
        """Give a quantity over time, filtered where that is asked for."""
        found = self.quantities(name)
        return found if cfc is None else found.filtered(cfc)

    def answered(self, responses: Sequence[Response], parameters: dict[str, float]) -> Answered:
        """Give all responses; one that has no value is no number, with the reason."""
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
        """Give one response."""
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
    """Give one number of a quantity over time."""
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
    raise StudyError("'{take}' cannot be taken.", take=one.take)


def felt(channel: Channel, one: RideResponse) -> float:
    """Give a measure of a weighted acceleration."""
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
    """Give a function of a project; StudyError where it has none of that id."""
    found = next((one for one in project.functions if one.id == name), None)
    if found is None:
        raise StudyError("There is no function '{name}'.", name=name)
    return found


def reference_curve(project: Project, name: str) -> tuple[Array, Array]:
    """Give times and values of a reference curve."""
    form = function_of(project, name).form
    time, value = samples(form)
    if isinstance(form, Table) and len(time) > 1:
        return time, value
    raise StudyError("'{name}' is no curve with points, which a reference must be.", name=name)
