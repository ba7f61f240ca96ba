"""Numbers and names of a study as a report writes them: in shown units, with what is varied and asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.project.study_parts import (
    AnySpread,
    ChannelResponse,
    FigureResponse,
    FormulaResponse,
    Lognormal,
    Normal,
    RatingResponse,
    Response,
    RideResponse,
    Triangular,
    TruncatedNormal,
    Uniform,
)
from solver.project.study_tests import FitTest
from solver.report.content import Array, Cell, figure, text
from solver.studies import StudyResult
from solver.studies.bench.sayings import corridor, said
from solver.studies.targets import asked_in

KINDS = {
    "grid": msgid("sweep"), "sample": msgid("robustness: a sample of the distributions"),
    "local": msgid("sensitivity: differences about the design"), "morris": msgid("screening after Morris"),
    "sobol": msgid("shares of variance: indices of Sobol"), "fit": msgid("fit to tests"),
    "optimum": msgid("optimum"),
}  # fmt: skip
TAKES = {
    "max": msgid("highest value of {quantity}"), "min": msgid("lowest value of {quantity}"),
    "largest": msgid("largest size of {quantity}"), "at": msgid("{quantity} at {time:g} ms"),
    "last": msgid("{quantity} at the end"), "time_of_max": msgid("time of the peak of {quantity}"),
    "time_of_min": msgid("time of the lowest value of {quantity}"), "integral": msgid("integral of {quantity}"),
    "mean": msgid("mean of {quantity}"),
}  # fmt: skip


class Columns:
    """Name the columns of a study's table, parameters first, and give numbers of them in shown units."""

    def __init__(self, found: StudyResult, units: str) -> None:
        about = found.layout
        self.names = (*about.parameters, *about.responses)
        self.parameters = len(about.parameters)
        self.si = (*about.parameter_units, *about.response_units)
        self.unit = tuple(display_unit(one, units) for one in self.si)
        self.values = np.column_stack([found.rows.inputs, found.rows.outputs])

    def shown(self, n: int) -> Array:
        """Give a column."""
        return np.asarray(self.of(self.values[:, n], n))

    def of(self, value: Any, n: int) -> Any:
        """Give numbers of a column in its shown unit."""
        return convert(value, self.si[n], self.unit[n])

    def step(self, value: float, n: int) -> float:
        """Give a difference between two numbers of a column in its shown unit."""
        return float(self.of(value, n)) - float(self.of(0.0, n))

    def title(self, n: int) -> str:
        """Name a column with its unit."""
        unit = pretty(self.unit[n])
        return f"{self.names[n]} [{unit}]" if unit and unit != "1" else self.names[n]

    def cell(self, value: float | None, n: int) -> Cell:
        """Write a number of a column; a dash where there is none."""
        return figure(float("nan") if value is None else float(self.of(value, n)))

    def said(self, n: int) -> Cell:
        """Write the unit of a column."""
        return text(pretty(self.unit[n]), "muted")


def spread_said(spread: AnySpread, columns: Columns, n: int) -> str:
    """Say over what a parameter goes."""

    def at(value: float) -> str:
        return f"{float(columns.of(value, n)):.5g}"

    def wide(value: float) -> str:
        return f"{columns.step(value, n):.4g}"

    match spread:
        case Uniform():
            return tr("{low} to {high}", low=at(spread.low), high=at(spread.high))
        case Normal():
            return tr(
                "normal, mean {mean}, deviation {deviation}",
                mean=at(spread.mean), deviation=wide(spread.deviation),
            )  # fmt: skip
        case TruncatedNormal():
            return tr(
                "normal, mean {mean}, deviation {deviation}, cut at {low} and {high}",
                mean=at(spread.mean), deviation=wide(spread.deviation), low=at(spread.low), high=at(spread.high),
            )  # fmt: skip
        case Triangular():
            return tr(
                "triangular, {low} to {high}, most likely {mode}",
                low=at(spread.low), high=at(spread.high), mode=at(spread.mode),
            )  # fmt: skip
        case Lognormal():
            known = tr(
                "lognormal, median {median}, deviation of the logarithm {deviation:g}",
                median=at(spread.median), deviation=spread.log_deviation,
            )  # fmt: skip
            low, high = spread.low, spread.high
            if low is not None and high is not None:
                return tr(
                    "{spread}, cut at {low} and {high}", spread=known, low=at(low), high=at(high)
                )
            if low is not None:
                return tr("{spread}, at least {low}", spread=known, low=at(low))
            return (
                known
                if high is None
                else tr("{spread}, at most {high}", spread=known, high=at(high))
            )


def asked(one: Response) -> str:
    """Say what a response is."""
    match one:
        case FigureResponse():
            return tr("injury figure {figure}", figure=one.figure)
        case ChannelResponse():
            time = 1e3 * (one.time_s or 0.0)
            words = tr(TAKES[one.take], quantity=one.quantity, time=time)
            if one.from_s is not None or one.until_s is not None:
                first = 1e3 * (one.from_s or 0.0)
                words += (
                    tr(", from {first:g} ms", first=first) if one.until_s is None
                    else tr(", {first:g} to {last:g} ms", first=first, last=1e3 * one.until_s)
                )  # fmt: skip
        case RatingResponse():
            words = tr(
                "agreement of {quantity} with {reference} by ISO/TS 18571, {take}",
                quantity=one.quantity, reference=one.reference, take=tr(one.take),
            )  # fmt: skip
        case RideResponse():
            # such as 'Wk vdv'
            return tr(
                "{measure} of {quantity} by ISO 2631-1",
                measure=f"{one.weighting} {one.take}",
                quantity=one.quantity,
            )
        case FormulaResponse():
            return one.formula
    return words + (f", CFC {one.cfc}" if one.cfc else "")


def compared(test: FitTest) -> Iterator[tuple[str, str, float]]:
    """Give what a test of a fit is compared with: what it is, what was measured or is asked, its weight."""
    for target in test.targets:
        yield target.quantity, target.reference, target.weight
    for one in test.corridors:
        name = one.quantity if one.over is None else tr("{y} over {x}", y=one.quantity, x=one.over)
        yield name, tr("between {low} and {high}", low=one.lower, high=one.upper), one.weight
    for number in test.ranges:
        yield number.response, _between(number.low, number.high), number.weight
    for one_asked in asked_in(test):
        yield said(one_asked), corridor(one_asked), 1.0


def _between(low: float | None, high: float | None) -> str:
    if low is None:
        return tr("at most {limit}", limit=f"{high:g}")
    if high is None:
        return tr("at least {limit}", limit=f"{low:g}")
    return tr("{low} to {high}", low=f"{low:g}", high=f"{high:g}")
