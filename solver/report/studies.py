"""What a report says of studies: one section for each, in which everything stands that it takes to do it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from solver.base.units import convert, display_unit, pretty
from solver.base.words import plural, tr
from solver.project.document import Project
from solver.project.studies import FitStudy
from solver.report.content import (
    Bar,
    Bars,
    Chart,
    Corridor,
    Dots,
    Heights,
    Section,
    Table,
    Verdict,
    text,
)
from solver.report.study_tables import KINDS, Columns, answers, responses, varied
from solver.studies import StudyResult
from solver.studies.printed import not_told_apart
from solver.studies.responses import aims_of
from solver.studies.result import is_old
from solver.studies.rows import PHASES

# The charts of a study: what decides, points and fronts, histories, spreads, corridors.

MOST = 6
"""Charts of one sort in a section."""
MOST_BARS = 12
PERCENTILES = (0.0, 5.0, 25.0, 50.0, 75.0, 95.0, 100.0)


def charts(found: StudyResult, columns: Columns, units: str) -> Iterator[Chart]:
    """The charts that answer a study of this kind."""
    match found.study.kind:
        case "sample":
            yield from _heights(found, columns)
            yield from _deciding(found, columns)
        case "grid":
            yield from _over_first(found, columns)
        case "local" | "morris" | "sobol":
            yield from _deciding(found, columns)
        case "fit":
            yield from _misfit(found)
        case _:
            yield from _best(found, columns)
    yield from _corridors(found, units)


def _shown(found: StudyResult, *places: int, columns: Columns) -> Any:
    good = found.rows.is_done
    for n in places:
        good = good & np.isfinite(columns.values[:, n])
    return np.flatnonzero(good)


def _heights(found: StudyResult, columns: Columns) -> Iterator[Chart]:
    """Show how responses spread: those with a limit first."""
    asked = list(enumerate(found.study.responses))
    asked.sort(key=lambda one: one[1].at_least is None and one[1].at_most is None)
    for k, one in asked[:MOST]:
        n = columns.parameters + k
        runs = _shown(found, n, columns=columns)
        if len(runs):
            ends = [x for x in (one.at_least, one.at_most) if x is not None]
            limits = tuple(float(columns.of(x, n)) for x in ends)
            title = tr("Spread of {response}", response=one.id)
            yield Heights(title, columns.shown(n)[runs], columns.title(n), limits)


def _over_first(found: StudyResult, columns: Columns) -> Iterator[Chart]:
    """Show each response over the parameter that it goes with most."""
    for k, one in list(enumerate(found.study.responses))[:MOST]:
        n = columns.parameters + k
        runs = _shown(found, n, columns=columns)
        if len(runs) < 2 or not columns.parameters:
            continue
        y = columns.shown(n)[runs]
        across = max(range(columns.parameters), key=lambda i: _together(columns.values[runs, i], y))
        title = tr("{response} over {parameter}", response=one.id, parameter=columns.names[across])
        yield Dots(
            title, columns.shown(across)[runs], y, found.kept[runs], columns.title(across), columns.title(n)
        )  # fmt: skip


def _together(x: Any, y: Any) -> float:
    """Tell how much of a response the means at each value of a parameter explain."""
    total = float(np.var(y))
    if total == 0.0:
        return 0.0
    groups = [y[x == value] for value in np.unique(x)]
    return sum(len(g) * (float(g.mean()) - float(y.mean())) ** 2 for g in groups) / (len(y) * total)


def _deciding(found: StudyResult, columns: Columns) -> Iterator[Chart]:
    """Show for each response which parameters decide."""
    for k, response in enumerate(found.layout.responses[:MOST]):
        title, label, bars = _bars(found.answers, response, columns, columns.parameters + k)
        bars = [b for b in bars if np.isfinite([*b.ends, b.half]).all()]
        bars.sort(key=lambda bar: -max(abs(end) for end in bar.ends))
        if bars:
            yield Bars(title, tuple(bars[:MOST_BARS]), label)


def _bars(
    told: Mapping[str, Any], response: str, columns: Columns, n: int
) -> tuple[str, str, list[Bar]]:
    title, unit = tr("What decides {response}", response=response), columns.title(n)
    if "sensitivity" in told:
        present, out = columns.values[0, n], list[Bar]()
        for name, cell in told["sensitivity"][response].items():
            runs = cell["runs"][2:4] or cell["runs"][:2]
            ends = tuple(columns.step(float(columns.values[run, n] - present), n) for run in runs)
            out.append(Bar(name, ends))
        return title, tr("change of {response} at both ends", response=unit), out
    if "indices" in told:
        found = told["indices"][response].get("parameters", {})
        bars = [Bar(p, (one["total"],), one["total_half_width"]) for p, one in found.items()]
        return title, tr("share of the variance, with all others"), bars
    if "screening" in told:
        found = told["screening"][response].get("parameters", {})
        bars = [
            Bar(p, (columns.step(one["mu_star"], n),), columns.step(one["mu_star_conf"], n))
            for p, one in found.items()
        ]
        return title, tr("mean size of effects on {response}", response=unit), bars
    found = told.get("correlations", {}).get(response, {})
    return title, tr("correlation of ranks"), [Bar(p, (r,)) for p, r in found.items() if r is not None]  # fmt: skip


def _misfit(found: StudyResult) -> Iterator[Chart]:
    """Show how the curves came nearer to the tests, from run to run."""
    assert isinstance(found.study, FitStudy)
    rows = found.rows
    tried = np.isin(rows.phase, [PHASES.index("start"), PHASES.index("search")]) & rows.is_done
    for k, test in enumerate(found.study.tests[:MOST]):
        runs = np.flatnonzero(tried & (rows.test == k))
        # each curve counts as one number, as it does in the fit
        parts = [rows.residuals[runs][:, aim.place] ** 2 / aim.count for aim in aims_of(test)]
        with np.errstate(invalid="ignore"):
            size = np.sqrt(np.nansum(np.concatenate(parts, axis=1), axis=1))
        ok = np.isfinite(size) & (size > 0.0)
        runs, size = runs[ok], size[ok]
        if not len(runs):
            continue
        line = runs.astype(float), np.minimum.accumulate(size)
        yield Dots(
            tr("How {test} was fitted", test=test.id), runs.astype(float), size, np.ones(len(runs), bool), tr("run"),
            tr("left over, parts of peaks or halves of corridors"), line, tr("least so far"), growing=True,
        )  # fmt: skip


def _best(found: StudyResult, columns: Columns) -> Iterator[Chart]:
    """Show the front between two goals at a time, or the way to the one best design."""
    goals = [
        (columns.parameters + k, one.goal)
        for k, one in enumerate(found.study.responses)
        if one.goal != "none"
    ]
    front = found.answers["optimum"]["front"] if "optimum" in found.answers else []
    for n, goal in goals[: 1 if len(goals) > 1 else MOST]:
        for m, _ in goals[1:MOST] if len(goals) > 1 else []:
            runs = _shown(found, n, m, columns=columns)
            at = sorted(front, key=lambda run: columns.values[run, n])
            yield Dots(
                tr("The front of {first} and {second}", first=columns.names[n], second=columns.names[m]),
                columns.shown(n)[runs], columns.shown(m)[runs], found.kept[runs], columns.title(n), columns.title(m),
                (columns.shown(n)[at], columns.shown(m)[at]) if at else None, tr("front"),
            )  # fmt: skip
        if len(goals) == 1:
            yield _way(found, columns, n, goal)


def _way(found: StudyResult, columns: Columns, n: int, goal: str) -> Chart:
    runs = _shown(found, n, columns=columns)
    value, good = columns.shown(n)[runs], found.kept[runs]
    least = goal == "minimise"
    worst = np.inf if least else -np.inf
    best = (np.minimum if least else np.maximum).accumulate(np.where(good, value, worst))
    seen = np.isfinite(best)
    line = (runs[seen].astype(float), best[seen]) if seen.any() else None
    title = tr("{response} from run to run", response=columns.names[n])
    return Dots(title, runs.astype(float), value, good, tr("run"), columns.title(n), line, tr("best so far"))  # fmt: skip


def _corridors(found: StudyResult, units: str) -> Iterator[Chart]:
    """Show the curves that were kept of all runs."""
    if isinstance(found.study, FitStudy):
        return
    for name, si in list(zip(found.layout.curves, found.layout.curve_units, strict=True))[:MOST]:
        time, curves = found.curves(name)
        curves = curves[found.rows.is_done & np.isfinite(curves).all(axis=1)]
        if not len(curves):
            continue
        unit, clock = display_unit(si, units), display_unit("s", units)
        shown = convert(np.percentile(curves, PERCENTILES, axis=0), si, unit)
        title = tr("{quantity} of all runs", quantity=name)
        yield Corridor(title, convert(time, "s", clock), shown, tr("time [{unit}]", unit=clock), f"[{pretty(unit)}]")  # fmt: skip


MOST_REASONS = 8


def study_section(found: StudyResult, project: Project, units: str) -> Section:
    """The section of a study beside the project that is reported on."""
    columns = Columns(found, units)
    name = found.study.name or found.study.id
    tables = (
        *answers(found, columns), *_failures(found), *_warned(found), varied(found, columns), *responses(found, columns), _run(found),
    )  # fmt: skip
    return Section(
        tr("Study: {name}", name=name),
        tuple(_verdicts(found, project)),
        tables,
        tuple(charts(found, columns, units)),
    )


def _verdicts(found: StudyResult, project: Project) -> Iterator[Verdict]:
    told = found.answers
    if is_old(found, project):
        yield Verdict(
            "bad", tr("The model has changed since these runs: they are not those of the model in this report.")
        )  # fmt: skip
    if found.status != "completed":
        yield Verdict("bad", tr("The study is {status}: its answers are of what had come back.", status=tr(found.status)))  # fmt: skip
    missing = told["runs"] - told["done"]
    has_limits = any(r.at_least is not None or r.at_most is not None for r in found.study.responses)
    words = plural("{done} of {n} run has come back", "{done} of {n} runs have come back", told["runs"], done=told["done"])  # fmt: skip
    if told["failed"]:
        words += plural(", {n} failed", ", {n} failed", told["failed"])
    if has_limits:
        words += plural("; {n} keeps all limits", "; {n} keep all limits", told["kept"])
    yield Verdict("near" if missing else "plain", f"{words}.")
    if "fit" in told:
        yield from _fit(found)
    if "optimum" in told:
        yield from _optimum(found)


def _fit(found: StudyResult) -> Iterator[Verdict]:
    part = found.answers["fit"]
    for alike in part.get("not_told_apart", ()):
        yield Verdict("bad", str(not_told_apart(alike)))
    for name, one in part["unknowns"].items():
        if one["at_end"]:
            yield Verdict("near", tr("'{name}' is at the end of its range.", name=name))
    if part["ended"] == "most_runs":
        yield Verdict("near", tr("It ended at the most runs that it may have; the fit may not be the best."))  # fmt: skip


def _optimum(found: StudyResult) -> Iterator[Verdict]:
    part = found.answers["optimum"]
    if not part["front"]:
        yield Verdict("bad", tr("No run keeps all limits."))
    elif len(part["front"]) == 1:
        yield Verdict("good", tr("Run {run} serves the goal best.", run=part["front"][0]))
    else:
        yield Verdict("good", tr("{count} runs make the front between the goals.", count=len(part["front"])))  # fmt: skip
    if part["ended"] == "most_runs":
        yield Verdict("near", tr("It ended at the most runs that it may have; a better one may be left."))  # fmt: skip


def _failures(found: StudyResult) -> Iterator[Table]:
    """Say why runs failed, or have no value: the most frequent reason first."""
    reasons = Counter(found.rows.reasons)
    if not reasons:
        return
    rows = tuple((text(str(count)), text(why)) for why, count in reasons.most_common(MOST_REASONS))
    left = len(reasons) - len(rows)
    notes = (tr("{count} other reasons stand in the study file.", count=left),) if left else ()
    yield Table(
        tr("Runs without all their numbers"), (tr("runs"), tr("why")), rows, (0.08, 0.92), notes
    )


def _warned(found: StudyResult) -> Iterator[Table]:
    """Say of which runs the numbers may not be believed as they are: the best of them first."""
    if not found.warned:
        return
    runs = found.warned[:MOST_REASONS]
    left = len(found.warned) - len(runs)
    notes = (tr("{count} other runs with warnings stand in the study file.", count=left),) if left else ()  # fmt: skip
    rows = tuple((text(str(run)), text(found.rows.messages[run])) for run in runs)
    yield Table(
        tr("Runs that warn of their numbers"), (tr("run"), tr("warning")), rows, (0.08, 0.92), notes
    )


def _run(found: StudyResult) -> Table:
    """Say how the study was run, so that it can be done again."""
    study = found.study
    versions = ", ".join(f"{name} {number}" for name, number in found.versions.items() if number)
    rows = [
        (tr("kind"), tr(KINDS[study.kind])),
        (tr("id"), study.id),
        (tr("status"), tr(found.status)),
        (tr("seed"), str(found.seed) if found.seed else tr("none: nothing is drawn")),
        (tr("versions"), versions),
        (tr("SHA-256 of the model"), found.project_sha256),
    ]
    if found.path is not None:
        rows.append((tr("study file"), found.path.name))
    rows += [(key, words) for key, words in ((tr("note"), study.note), (tr("source"), study.source)) if words]  # fmt: skip
    made = tuple((text(key, "muted"), text(value)) for key, value in rows)
    return Table(tr("How it was run"), (tr("setting"), tr("value")), made, (0.2, 0.8))
