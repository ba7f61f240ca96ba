"""The table of injury figures: value, limit of this body by its paragraph, part of it, and all in full below."""

from __future__ import annotations

from collections.abc import Sequence

from solver.base.words import tr
from solver.injury import Figure, reference
from solver.injury.figures import LEAST, figure_name, said_channels, said_figure, shown, written
from solver.project import Project
from solver.report.content import Cell, Table, figure, text
from solver.report.gather import Subject
from solver.report.tables import change_of, share_cell, tone_of


def injury_table(subjects: Sequence[Subject]) -> Table:
    """Give every figure with its window, channel, filter class and strictest limit, those with one first."""
    every = [f for s in subjects for f in s.assessment.figures]
    limited = {f.name for f in every if f.limits or f.is_spoilt}
    names = sorted(dict.fromkeys(f.name for f in every), key=lambda name: name not in limited)
    rows = []
    for name in names:
        found = [_by_name(s, name) for s in subjects]
        rows.append(_injury_row(subjects[0].project, found))
    missing = dict.fromkeys(name for s in subjects for name, _ in s.assessment.missing)
    notes = (
        [tr("Not computed, for reasons given below: {figures}.", figures=", ".join(missing))]
        if missing
        else []
    )
    limits = [one for s in subjects for f in s.assessment.figures for one in f.limits]
    lead = "{label}: " if len(subjects) > 1 else ""
    notes += [lead.format(label=s.label) + str(one) for s in subjects for one in s.assessment.said]
    chosen = [reference().standards[one].name for one in subjects[0].assessment.standards]
    if chosen:
        notes.append(tr("Limits of {standards} alone.", standards=", ".join(chosen)))
    if limits:
        notes.append(tr("Limits hold for the tests and bodies that their sources describe."))
    if any(f.no_verdict for s in subjects for f in s.assessment.figures):
        notes.append(
            tr(
                "No verdict: the limits do not fit the body, the push or the load case, or the figure is not judged; "
                "reasons are below."
            )
        )
    if any(s.assessment.unchecked for s in subjects):
        notes.append(
            tr("* Assumed: this limit or risk is from memory and was compared with no text.")
        )
    heads: tuple[str, ...]
    widths: tuple[float, ...]
    if len(subjects) == 1:
        heads = (
            tr("figure"),
            tr("value"),
            tr("unit"),
            tr("at [ms]"),
            tr("limit"),
            tr("part of limit"),
            tr("signal"),
        )
        widths = (0.25, 0.07, 0.04, 0.09, 0.20, 0.12, 0.23)
    else:
        labels = [s.label for s in subjects]
        change = (tr("change"),) if len(labels) == 2 else ()
        parts = (tr("part, {a}", a=label) for label in labels)
        heads = (tr("figure"), tr("unit"), *labels, *change, tr("limit"), *parts)
        each = 0.5 / len(labels)
        narrow = (0.09,) if change else ()
        widths = (0.17, 0.07, *(0.48 * each for _ in labels), *narrow, 0.17 if change else 0.26, *(0.52 * each for _ in labels))  # fmt: skip
    return Table(tr("Injury figures"), heads, tuple(rows), widths, tuple(dict.fromkeys(notes)))


def figures_in_full(subject: Subject) -> tuple[str, ...]:
    """Say of every figure how it came about, against what it stands, and what it may mean."""
    out = []
    for f in subject.assessment.figures:
        classes = ", ".join(dict.fromkeys(_class(c) for c in f.filters))
        words = [
            f"{said_figure(f)}: {' '.join(filter(None, (_value(f).text, shown(f.value, f.unit)[1])))}",
            tr(
                "from {channels} ({classes}), {when} ms",
                channels=said_channels(subject.project, f.channels),
                classes=classes,
                when=_when(f),
            ),
            str(f.note),
            *(
                tr(
                    "limit {limit:g} ({source}; {body})",
                    limit=shown(one.limit, f.unit)[0],
                    source=one.source,
                    body=one.body,
                )
                for one in f.limits
            ),
            *(
                tr("risk of {risk} ({source})", risk=risk.said, source=risk.source)
                for risk in f.risks
            ),
        ]
        out.append("; ".join(w for w in words if w) + ".")
    return tuple(out)


def _class(cfc: int) -> str:
    return f"CFC {cfc}" if cfc else tr("unfiltered")


def _when(found: Figure) -> str:
    at = f"{1e3 * found.t1:.1f}"
    return f"{at}–{1e3 * found.t2:.1f}" if found.t2 > found.t1 else at


def _by_name(subject: Subject, name: str) -> Figure | None:
    return next((f for f in subject.assessment.figures if f.name == name), None)


def _injury_row(project: Project, found: Sequence[Figure | None]) -> tuple[Cell, ...]:
    first = next(f for f in found if f is not None)
    name = figure_name(first)
    unit = text(shown(first.value, first.unit)[1], "muted")
    if len(found) == 1:
        classes = sorted({_class(f) for f in first.filters})
        signal = f"{said_channels(project, first.channels)}; {', '.join(classes)}"
        value = _value(first)
        return (
            text(name), value, unit, text(_when(first), "muted"), _limit(first), share_cell(first),
            text(signal, "muted"),
        )  # fmt: skip
    values = [_value(f) if f else text("–", "muted") for f in found]
    limits = {_limit(f) for f in found if f is not None}
    limit = _limit(first) if len(limits) == 1 else text(tr("each its own"), "muted")
    # where limits are not the same, a body without one must not look as if it were within
    shares = [
        (_limit(f) if len(limits) > 1 and f.strictest is None else share_cell(f))
        if f
        else text("", "muted")
        for f in found
    ]
    if len(found) > 2:
        return (text(name), unit, *values, limit, *shares)
    a, b = found
    change = change_of(a.value, b.value) if a and b else text("–", "muted")
    return (text(name), unit, *values, change, limit, *shares)


def _value(found: Figure) -> Cell:
    number, tone = shown(found.value, found.unit)[0], tone_of(found)
    if 0.0 < abs(number) < LEAST:
        return Cell(written(number), tone, number=True)
    return figure(number, 4, tone)


def _limit(found: Figure) -> Cell:
    if found.strictest is None:
        return text(tr("no verdict") if found.no_verdict else tr("no limit"), "muted")
    strictest = found.strictest
    star = "*" if strictest.unchecked else ""
    return text(f"{shown(strictest.limit, found.unit)[0]:g}{star} {strictest.source}", "muted")
