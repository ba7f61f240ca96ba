"""Answers of a study as lines of text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from solver.base.units import pretty
from solver.base.words import Sentence, plural, tr
from solver.studies.result import StudyResult

# What a fit leaves, in words: how far off each target is, and what its tests cannot tell apart.

MOVED = 10.0
"""By so many hundredths of its range the sentence moves the parameter that takes most part."""


def not_told_apart(one: Mapping[str, Any]) -> Sentence:
    """Say along which direction the curves of the tests hardly change: of an entry of a fit's `not_told_apart`."""
    parts = sorted(one["parts"].items(), key=lambda part: -abs(part[1]))
    # which way a direction points means nothing: its first parameter rises
    shares = [(name, MOVED * value / parts[0][1]) for name, value in parts]
    how = _moved(*shares[0])
    for name, share in shares[1:]:
        how = Sentence("{first}, {then}", first=how, then=_moved(name, share))
    names, ratio = ", ".join(f"'{name}'" for name, _ in parts), float(one["ratio"])
    if len(parts) == 1:
        return Sentence(
            "These tests do not determine {names}: where {how}, their curves hardly change (singular value {ratio:.1g} of "
            "the largest).",
            names=names, how=how, ratio=ratio,
        )  # fmt: skip
    return Sentence(
        "These tests do not tell {names} apart: where {how}, their curves hardly change (singular value {ratio:.1g} of "
        "the largest).",
        names=names, how=how, ratio=ratio,
    )  # fmt: skip


def left_over(one: Mapping[str, Any]) -> Sentence:
    """Say how far off one target of a fit is: of an entry of its `targets`."""
    if one.get("halves"):
        return Sentence("{off:.2f} of half its corridor", off=float(one["rms"]))
    return Sentence("{part:.3g} % of its peak", part=100.0 * float(one["rms"]))


def _moved(name: str, share: float) -> Sentence:
    if share > 0.0:
        return Sentence("'{name}' rises by {part:.2g} % of its range", name=name, part=share)
    return Sentence("'{name}' falls by {part:.2g} % of its range", name=name, part=-share)


MOST_WARNED = 5


def printed(found: StudyResult) -> Iterator[str]:
    """What a study has answered, line by line."""
    answers: Mapping[str, Any] = found.answers
    yield tr("study        {study}: {kind}", study=found.study.id, kind=answers["kind"])
    yield tr("status       {status}", status=tr(found.status))
    yield tr(
        "runs         {done} of {runs}, {failed} failed",
        done=answers["done"], runs=answers["runs"], failed=answers["failed"],
    )  # fmt: skip
    for part, lines in (
        ("responses", _statistics), ("correlations", _numbers), ("sensitivity", _matrix),
        ("screening", _screening), ("indices", _indices), ("fit", _fit), ("optimum", _optimum),
        ("synthesis", _synthesis),
    ):  # fmt: skip
        if part in answers:
            yield ""
            yield from lines(answers[part], found)
    best = answers["best"]
    if best and "optimum" not in answers:
        yield ""
        yield tr(
            "best         {runs}", runs=", ".join(tr("run {run}", run=run) for run in best[:10])
        )
        yield from _design(found, best[0])
    reasons = dict.fromkeys(found.rows.reasons)
    if reasons or found.warned:
        yield ""
    for one in list(reasons)[:5]:
        yield tr("note: {message}", message=one)
    yield from _warnings(found)


def _warnings(found: StudyResult) -> Iterator[str]:
    """Say which runs may not be believed as they are."""
    if not found.warned:
        return
    yield plural(
        "warning: {n} run has all its numbers, but warns of them",
        "warning: {n} runs have all their numbers, but warn of them",
        len(found.warned),
    )
    for run in found.warned[:MOST_WARNED]:
        yield tr("run {run}: {message}", run=run, message=found.rows.messages[run])


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        first, *rest = row
        cells = [
            first.ljust(widths[0]),
            *(c.rjust(w) for c, w in zip(rest, widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()


def _short(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def _statistics(part: Any, found: StudyResult) -> Iterator[str]:
    heads = [tr("response"), tr("unit"), tr("mean"), tr("deviation"), "5 %", "50 %", "95 %", tr("limit kept")]  # fmt: skip
    rows = [heads]
    for name, about in part.items():
        percentiles = about.get("percentiles", {})
        limit = about.get("limit", {})
        share = limit.get("probability")
        kept = "" if share is None else f"{100 * share:.3g} %"
        if "interval" in limit:
            kept += " ({:.3g} .. {:.3g} %)".format(*(100 * one for one in limit["interval"]))
        rows.append([
            name, pretty(about["unit"]), _short(about.get("mean")), _short(about.get("deviation")),
            *(_short(percentiles.get(p)) for p in ("5", "50", "95")), kept,
        ])  # fmt: skip
    yield from _table(rows)


def _numbers(part: Any, found: StudyResult) -> Iterator[str]:
    yield tr("correlations of ranks")
    names = found.layout.parameters
    rows = [["", *names]]
    rows += [[r, *("" if row[n] is None else f"{row[n]:+.2f}" for n in names)] for r, row in part.items()]  # fmt: skip
    yield from _table(rows)


def _matrix(part: Any, found: StudyResult) -> Iterator[str]:
    yield tr("change over the range, and d ln F / d ln p")
    names = found.layout.parameters
    rows = [["", *names]]
    for response, row in part.items():
        cells = (row[n] for n in names)
        rows.append([response, *(f"{c['mark']} ({_short(c['elasticity']) or '?'})" for c in cells)])
    yield from _table(rows)


def _screening(part: Any, found: StudyResult) -> Iterator[str]:
    for response, about in part.items():
        rows = [[response, "mu", "mu*", "+-", "sigma"]]
        rows += [
            [n, *(_short(one[k]) for k in ("mu", "mu_star", "mu_star_conf", "sigma"))]
            for n, one in about["parameters"].items()
        ]
        yield from _table(rows)


def _indices(part: Any, found: StudyResult) -> Iterator[str]:
    for response, about in part.items():
        rows = [[response, tr("first"), "+-", tr("total"), "+-"]]
        keys = ("first", "first_half_width", "total", "total_half_width")
        rows += [[n, *(f"{one[k]:.3f}" for k in keys)] for n, one in about["parameters"].items()]
        rows += [
            [n, f"{one['second']:.3f}", f"{one['second_half_width']:.3f}", "", ""]
            for n, one in about["pairs"].items()
        ]
        yield from _table(rows)


def _fit(part: Any, found: StudyResult) -> Iterator[str]:
    deviations = part.get("deviations", {})
    rows = [[tr("parameter"), tr("value"), "+-"]]
    rows += [[n, _short(one["value"]), _short(deviations.get(n))] for n, one in part["unknowns"].items()]  # fmt: skip
    yield from _table(rows)
    for one in part["targets"]:
        yield tr(
            "{quantity} of {test}: off by {left} (root mean square)",
            quantity=one["quantity"], test=one["test"], left=left_over(one),
        )  # fmt: skip
    for one in part.get("not_told_apart", []):
        yield str(not_told_apart(one))
    for name, one in part["unknowns"].items():
        if one["at_end"]:
            yield tr("'{name}' is at the end of its range", name=name)
    if part["ended"] == "most_runs":
        yield tr("It ended at the most runs that it may have; the fit may not be the best.")


def _optimum(part: Any, found: StudyResult) -> Iterator[str]:
    if not part["front"]:
        yield tr("No run keeps all limits.")
    elif len(part["front"]) == 1:
        yield tr("best         {runs}", runs=tr("run {run}", run=part["front"][0]))
        yield from _design(found, part["front"][0])
    else:
        yield tr("front of {count} runs", count=len(part["front"]))
        about = found.layout
        rows = [[tr("run"), *about.parameters, *about.responses]]
        for run in part["front"]:
            values = (*found.rows.inputs[run], *found.rows.outputs[run])
            rows.append([str(run), *(_short(float(v)) for v in values)])
        yield from _table(rows)
    if part["ended"] == "most_runs":
        yield tr("It ended at the most runs that it may have; a better one may be left.")


def _synthesis(part: Any, found: StudyResult) -> Iterator[str]:
    starts = len(part["crank_rad"])
    yield tr(
        "passed       by {passed} of {starts} starts within 0.001 mm, by {turned} of these in one branch",
        passed=part["passed"], starts=starts, turned=part["turned"],
    )  # fmt: skip
    best = found.best
    if best:
        angles = (f"{math.degrees(one):.2f}" for one in part["crank_rad"][best[0]])
        yield tr("crank        {angles} degrees", angles=", ".join(angles))


def _design(found: StudyResult, run: int) -> Iterator[str]:
    about = found.layout
    rows = [
        *zip(about.parameters, found.rows.inputs[run].tolist(), about.parameter_units, strict=True),
        *zip(about.responses, found.rows.outputs[run].tolist(), about.response_units, strict=True),
    ]
    yield from _table([[name, _short(value), pretty(unit)] for name, value, unit in rows])
