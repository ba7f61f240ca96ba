"""The tables of a study: what was varied and asked, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.project.studies import FitStudy
from solver.project.study_parts import (
    AnySpread,
    ChannelResponse,
    FigureResponse,
    FitTest,
    FormulaResponse,
    Lognormal,
    MissResponse,
    Normal,
    RatingResponse,
    Response,
    RideResponse,
    Triangular,
    TruncatedNormal,
    Uniform,
)
from solver.report.content import Array, Cell, Table, Tone, figure, text
from solver.studies import StudyResult
from solver.studies.bench.labels import corridor, figure_label
from solver.studies.printed import left_over
from solver.studies.responses import asked_in

# Numbers and names of a study as a report writes them: in shown units, with what is varied and asked.

KINDS = {
    "grid": msgid("sweep"), "sample": msgid("robustness: a sample of the distributions"),
    "local": msgid("sensitivity: differences about the design"), "morris": msgid("screening after Morris"),
    "sobol": msgid("shares of variance: indices of Sobol"), "fit": msgid("fit to tests"),
    "optimum": msgid("optimum"), "synthesis": msgid("synthesis: dimensions for a path"),
}  # fmt: skip
MISSED = {
    "mean": msgid("mean distance from the path or the points"), "largest": msgid("largest distance from them"),
    "turns": msgid("whether the linkage turns through all places in one branch"),
}  # fmt: skip
TAKES = {
    "max": msgid("highest value of {quantity}"), "min": msgid("lowest value of {quantity}"),
    "largest": msgid("largest size of {quantity}"), "at": msgid("{quantity} at {time:g} ms"),
    "last": msgid("{quantity} at the end"), "time_of_max": msgid("time of the peak of {quantity}"),
    "time_of_min": msgid("time of the lowest value of {quantity}"), "integral": msgid("integral of {quantity}"),
    "mean": msgid("mean of {quantity}"), "severity": msgid("severity of {quantity}"),
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
        """A column."""
        return np.asarray(self.of(self.values[:, n], n))

    def of(self, value: Any, n: int) -> Any:
        """Numbers of a column in its shown unit."""
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


def spread_text(spread: AnySpread, columns: Columns, n: int) -> str:
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
        case MissResponse():
            return tr(MISSED[one.take])
    return words + (f", CFC {one.cfc}" if one.cfc else "")


def compared(test: FitTest) -> Iterator[tuple[str, str, float]]:
    """What a test of a fit is compared with: what it is, what was measured or is asked, its weight."""
    for target in test.targets:
        yield target.quantity, target.reference, target.weight
    for one in test.corridors:
        name = one.quantity if one.over is None else tr("{y} over {x}", y=one.quantity, x=one.over)
        yield name, tr("between {low} and {high}", low=one.lower, high=one.upper), one.weight
    for number in test.ranges:
        yield number.response, _between(number.low, number.high), number.weight
    for one_asked in asked_in(test):
        yield figure_label(one_asked), corridor(one_asked), 1.0


def _between(low: float | None, high: float | None) -> str:
    if low is None:
        return tr("at most {limit}", limit=f"{high:g}")
    if high is None:
        return tr("at least {limit}", limit=f"{low:g}")
    return tr("{low} to {high}", low=f"{low:g}", high=f"{high:g}")


BESIDE = 7
"""So many columns of numbers stand beside each other; more go into a second table."""
MOST_OF_FRONT = 24
"""Designs of a front that are listed."""
_MARKS: Mapping[str, Tone] = {"++": "bad", "+": "plain", "0": "muted", "-": "plain", "--": "good", "?": "muted"}  # fmt: skip


def varied(found: StudyResult, columns: Columns) -> Table:
    """Say what was varied."""
    study, fit = found.study, isinstance(found.study, FitStudy)
    rows = list[tuple[Cell, ...]]()
    for n, one in enumerate(study.parameters):
        path = f"{one.path} ×" if one.is_factor else one.path
        rows.append((text(one.id), text(path, "muted"), text(spread_text(one.spread, columns, n)), columns.said(n)))  # fmt: skip
    notes = [tr("×: a factor on what stands there.")] * any(one.is_factor for one in study.parameters)  # fmt: skip
    if study.following:
        label = "; ".join(f"{one.path} = {one.formula}" for one in study.following)
        notes.append(tr("What follows: {numbers}.", numbers=label))
    known = [one.id for one in study.parameters if fit and one.basis == "validated"]
    if known:
        notes.append(tr("Validated elsewhere, and left as they are: {names}.", names=", ".join(known)))  # fmt: skip
    heads = tr("parameter"), tr("where it stands"), tr("range or distribution"), tr("unit")
    return Table(tr("What was varied"), heads, tuple(rows), (0.16, 0.40, 0.36, 0.08), tuple(notes))


_GOALS = {"minimise": msgid("smallest"), "maximise": msgid("largest")}


def responses(found: StudyResult, columns: Columns) -> Iterator[Table]:
    """Say what was asked of each run."""
    rows = list[tuple[Cell, ...]]()
    for k, one in enumerate(found.study.responses):
        n = columns.parameters + k
        ends = [
            *([] if one.at_least is None else [tr("at least {limit}", limit=columns.cell(one.at_least, n).text)]),
            *([] if one.at_most is None else [tr("at most {limit}", limit=columns.cell(one.at_most, n).text)]),
        ]  # fmt: skip
        goal = "" if one.goal == "none" else tr(_GOALS[one.goal])
        rows.append(
            (text(one.id), text(asked(one), "muted"), text(", ".join(ends)), text(goal), columns.said(n))
        )  # fmt: skip
    heads: tuple[str, ...]
    heads = tr("response"), tr("what it is"), tr("limit"), tr("goal"), tr("unit")
    if rows:
        yield Table(tr("What was asked"), heads, tuple(rows), (0.16, 0.44, 0.20, 0.12, 0.08))
    rows = [
        (text(test.id), text(name), text(label, "muted"), figure(weight, 3))
        for test in getattr(found.study, "tests", ()) for name, label, weight in compared(test)
    ]  # fmt: skip
    if rows:
        heads = tr("test"), tr("what is compared"), tr("measured or asked"), tr("weight")
        yield Table(tr("What was measured"), heads, tuple(rows), (0.2, 0.4, 0.3, 0.1))


def answers(found: StudyResult, columns: Columns) -> Iterator[Table]:
    """The tables of the answers that there are."""
    told: Mapping[str, Any] = found.answers
    for part, tables in (
        ("responses", _statistics), ("correlations", _correlations), ("sensitivity", _signs),
        ("screening", _screening), ("indices", _indices), ("fit", _fit),
    ):  # fmt: skip
        if part in told:
            yield from tables(told[part], columns, found)
    best = told.get("optimum", {}).get("front", told["best"])
    if len(best) == 1:
        yield _design(best[0], columns, found)
    elif best:
        yield from _front(best, columns)


def _statistics(part: Any, columns: Columns, found: StudyResult) -> Iterator[Table]:
    rows = list[tuple[Cell, ...]]()
    sure = False
    for k, (name, about) in enumerate(part.items()):
        n = columns.parameters + k
        middle = about.get("percentiles", {})
        numbers = [columns.cell(about.get(one), n) for one in ("mean", "least")]
        if "mean_interval" in about:
            low, high = about["mean_interval"]
            half = figure(0.5 * columns.step(high - low, n), 2).text
            numbers[0], sure = Cell(f"{numbers[0].text} ± {half}", number=True), True
        spread = about.get("deviation")
        deviation = figure(float("nan") if spread is None else columns.step(spread, n), 3)
        limit = _limit_cell(about.get("limit", {}))
        rows.append((
            text(name), columns.said(n), numbers[0], deviation, numbers[1],
            *(columns.cell(middle.get(p), n) for p in ("5", "50", "95")), columns.cell(about.get("largest"), n),
            limit,
        ))  # fmt: skip
    heads = (
        tr("response"), tr("unit"), tr("mean"), tr("deviation"), tr("least"), "5 %", "50 %", "95 %", tr("largest"),
        tr("P(limit kept)"),
    )  # fmt: skip
    widths = (0.13, 0.06, 0.15, 0.09, 0.08, 0.08, 0.08, 0.08, 0.08, 0.17)
    notes = list[str]()
    if sure:
        level = 100.0 * getattr(found.study, "confidence", 0.95)
        notes.append(tr("±, and what stands in brackets: intervals of {level:g} % confidence.", level=level))  # fmt: skip
    yield Table(tr("How the responses spread"), heads, tuple(rows), widths, tuple(notes))


def _limit_cell(limit: Mapping[str, Any]) -> Cell:
    share = limit.get("probability")
    if share is None:
        return Cell("–" if limit else tr("no limit"), "muted", number=True)
    words = f"{100.0 * share:.3g} %"
    if "interval" in limit:
        words += " ({:.3g}–{:.3g})".format(*(100.0 * one for one in limit["interval"]))
    return Cell(words, number=True)


def _matrix(
    title: str, first: str, names: Sequence[str], heads: Sequence[str], cell: Any, notes: tuple[str, ...] = ()
) -> Iterator[Table]:  # fmt: skip
    """A matrix, in pieces where it is wide."""
    for start in range(0, len(heads), BESIDE):
        few = heads[start : start + BESIDE]
        rows = tuple((text(name), *(cell(name, head) for head in few)) for name in names)
        widths = (0.2, *((0.8 / len(few),) * len(few)))
        yield Table(title, (first, *few), rows, widths, notes)


def _correlations(part: Any, columns: Columns, found: StudyResult) -> Iterator[Table]:
    def cell(parameter: str, response: str) -> Cell:
        value = part[response][parameter]
        return text("–", "muted") if value is None else Cell(f"{value:+.2f}", number=True)

    yield from _matrix(
        tr("Correlations of ranks"), tr("parameter"), found.layout.parameters, list(part), cell
    )


def _signs(part: Any, columns: Columns, found: StudyResult) -> Iterator[Table]:
    def cell(parameter: str, response: str) -> Cell:
        one = part[response][parameter]
        part_of = "" if one["elasticity"] is None else f" ({one['elasticity']:+.3g})"
        return text(f"{one['mark']}{part_of}", _MARKS.get(one["mark"], "near"))

    note = tr(
        "Signs: which way a response goes as the parameter rises over its range; doubled where it changes much, +- where "
        "it turns, ? where runs are missing. In brackets: % of the response for 1 % of the parameter, at the design."
    )
    yield from _matrix(
        tr("Which number moves what"), tr("parameter"), found.layout.parameters, list(part), cell, (note,)
    )  # fmt: skip


def _screening(part: Any, columns: Columns, found: StudyResult) -> Iterator[Table]:
    for k, (response, about) in enumerate(part.items()):
        n = columns.parameters + k
        rows = tuple(
            (text(name), *(figure(columns.step(one[key], n), 3) for key in ("mu", "mu_star", "mu_star_conf", "sigma")), columns.said(n))
            for name, one in about.get("parameters", {}).items()
        )  # fmt: skip
        note = tr("Of {count} walks. mu*: mean size of the effects over the range; sigma: how much they differ.", count=about.get("trajectories", 0))  # fmt: skip
        heads = (tr("parameter"), "mu", "mu*", "±", "sigma", tr("unit"))
        title = tr("Effects on {response}", response=response)
        yield Table(title, heads, rows, (0.3, 0.14, 0.14, 0.14, 0.14, 0.14), (note,))


def _indices(part: Any, columns: Columns, found: StudyResult) -> Iterator[Table]:
    for response, about in part.items():
        keys = ("first", "first_half_width", "total", "total_half_width")
        rows = [
            (text(name), *(Cell(f"{one[key]:.3f}", number=True) for key in keys))
            for name, one in about.get("parameters", {}).items()
        ]
        rows += [
            (text(name), Cell(f"{one['second']:.3f}", number=True), Cell(f"{one['second_half_width']:.3f}", number=True),
             text(""), text(""))
            for name, one in about.get("pairs", {}).items()
        ]  # fmt: skip
        heads = (tr("parameter"), tr("alone"), "±", tr("with all others"), "±")
        title = tr("Shares of the variance of {response}", response=response)
        yield Table(title, heads, tuple(rows), (0.36, 0.16, 0.16, 0.16, 0.16))


def _fit(part: Any, columns: Columns, found: StudyResult) -> Iterator[Table]:
    deviations = part.get("deviations", {})
    rows = list[tuple[Cell, ...]]()
    for name, one in part["unknowns"].items():
        n = columns.names.index(one["parameter"])
        wide = deviations.get(name)
        rows.append((
            text(name), columns.cell(one["value"], n),
            text(tr("not determined"), "near") if wide is None else figure(columns.step(wide, n), 2), columns.said(n),
            text(one["test"] or tr("all")),
            text(tr("at the end of its range"), "near") if one["at_end"] else text(""),
        ))  # fmt: skip
    heads: tuple[str, ...]
    heads = (tr("parameter"), tr("value"), tr("standard error"), tr("unit"), tr("test"), "")
    note = tr("Standard errors take what is left of the curves as independent from instant to instant.")  # fmt: skip
    yield Table(tr("What was fitted"), heads, tuple(rows), (0.26, 0.16, 0.18, 0.08, 0.12, 0.2), (note,))  # fmt: skip
    rows = [
        (text(one["test"]), text(one["quantity"]), Cell(str(left_over(one)), number=True))
        for one in part["targets"]
    ]
    heads = (tr("test"), tr("curve"), tr("left over (root mean square)"))
    yield Table(tr("How well the curves agree"), heads, tuple(rows), (0.2, 0.4, 0.4))


def _design(run: int, columns: Columns, found: StudyResult) -> Table:
    rows = tuple(
        (text(name), columns.cell(float(columns.values[run, n]), n), columns.said(n))
        for n, name in enumerate(columns.names)
    )
    return Table(
        tr("The best design, run {run}", run=run), (tr("number"), tr("value"), tr("unit")), rows, (0.5, 0.3, 0.2)
    )  # fmt: skip


def _front(runs: Sequence[int], columns: Columns) -> Iterator[Table]:
    few = [str(run) for run in runs[:MOST_OF_FRONT]]
    places = {columns.title(n): n for n in range(len(columns.names))}
    notes: tuple[str, ...] = ()
    if len(runs) > len(few):
        notes = (tr("{count} more stand in the study file.", count=len(runs) - len(few)),)
    yield from _matrix(
        tr("The front: no other run is better in all goals"), tr("run"), few, list(places),
        lambda run, head: columns.cell(float(columns.values[int(run), places[head]]), places[head]), notes,
    )  # fmt: skip
