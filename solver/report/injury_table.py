"""Injury in a report: figures beside their limits, loads by region of the body, what has been shown of such a body.

docs/validation.md has the pages; who is pushed from where says which of them speak for a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from solver.base.words import msgid, tr
from solver.bodies.certificates import Certificate, certificate_of, changed
from solver.bodies.dummies import dummy_entry
from solver.injury import CRITERIA, Figure, occupants, reference
from solver.injury.figures import (
    LEAST,
    Judged,
    channels_text,
    figure_name,
    figure_text,
    shown,
    written,
)
from solver.injury.judging import matched_dummy, pushed_words
from solver.injury.parts import Occupant
from solver.project import Project
from solver.report.content import Cell, Table, Tone, figure, text
from solver.report.tables import change_of, share_cell, tone_of

if TYPE_CHECKING:
    from solver.report.gather import Subject

# What has been shown of a body for the load case at hand: which measurements it was held against, and what failed.

HELD: Mapping[str, str] = {
    "ahead": msgid(
        "held against eight cadavers in belts at 40 km/h, hubs on the chest and volunteers at 15 g. Near them: how far pelvis and head go forward, how "
        "deep the chest is pressed, belt forces to about 2 SD. Not: height of head and chest, turn of the pelvis, bend of the spine, rebound. Airbags, "
        "knees: nothing"
    ),
    "side": msgid(
        "held against hubs on chest, belly and pelvis (forces within 1.7 SD) and a sled whose plates meet seven men at 3 and 8 m/s, on which nothing "
        "was fitted. Near them: forces on chest, belly and pelvis at 3 m/s. Not: anything at 8 m/s, the thigh, times of forces, how far ribs give way, "
        "pubic load, shoulder, doors"
    ),
}  # fmt: skip
"""Of a person by push: what pages of docs/validation.md say; that of dummies stands in their files."""


FLEXIBLE = "lower_ribs"
"""A segment that people with a flexible spine have, and no dummy."""


def held(project: Project, body: Occupant, judged: Judged) -> str:
    """Say what is shown of a body that is pushed like this, and what not."""
    pelvis = body.segments.get("lower_torso", "")
    ahead = pelvis.removesuffix("lower_torso")
    known: Mapping[str, str] = {}
    if judged.who.how == "dummy":
        kind = reference().bodies[judged.who.size].library
        if changed(project, ahead, kind):
            return tr("changed against the library: no measurement speaks for it")
        known = {str(way): words for way, words in dummy_entry(kind).held_against.items()}
    elif any(segment.id == f"{ahead}{FLEXIBLE}" for segment in project.segments):
        known = HELD
    words = known.get(judged.way)
    if words is None:
        words = msgid("held against no measurement of a whole body")
    return tr("{push}: {held}", push=pushed_words(judged.way), held=tr(words))


# Loads by region of the body: in each the figure nearest to its limit, and what is shown of such a body for this load case.

REGIONS: Mapping[str, str] = {
    "head": msgid("head"),
    "neck": msgid("neck"),
    "chest": msgid("chest"),
    "belly": msgid("belly, lumbar spine"),
    "pelvis": msgid("pelvis"),
    "thighs": msgid("thighs, knees"),
    "legs": msgid("lower legs"),
}
"""From the head down."""
_WIDTHS = (0.13, 0.25, 0.09, 0.23, 0.14, 0.16)
_WIDE = (0.10, 0.17, 0.16, 0.10, 0.21, 0.12, 0.14)
PARTS: Mapping[str, str] = {
    "head": "head", "neck": "neck", "upper_torso": "chest", "centre_torso": "belly", "lower_torso": "pelvis",
    "upper_leg": "thighs", "lower_leg": "legs", "foot": "legs",
}  # fmt: skip


def region_of(one: Figure) -> str:
    """Name the region that a figure tells of; empty where it is of none."""
    if one.criterion in CRITERIA and one.criterion not in ("3ms", "3ms_in_one"):
        return CRITERIA[one.criterion].region
    # these, and what another package adds, tell of the part they are of
    return PARTS.get(one.part.removeprefix("left_").removeprefix("right_"), "")


def region_table(subjects: Sequence[Subject]) -> Table | None:
    """The worst of each region of every body, and what is shown of it; none where nobody is."""
    rows, notes = list[tuple[Cell, ...]](), list[str]()
    bodies = [
        (s, judged, label) for s in subjects for judged, label in _bodies(s, len(subjects) > 1)
    ]
    for s, judged, label in bodies:
        body = next(b for b in occupants(s.project) if b.name == judged.name)
        said = held(s.project, body, judged)
        lead = f"{label}: " if label else ""
        notes.append(tr("{body}What is shown for this load case: {held}.", body=lead, held=said))
    several = len(bodies) > 1
    # of several bodies each region has all of them below each other
    for region in REGIONS:
        there = [(label, row) for s, judged, label in bodies if (row := _row(s, judged, region))]
        for n, (label, row) in enumerate(there):
            title = text("" if n else tr(REGIONS[region]))
            rows.append((title, *([text(label, "muted")] if several else []), *row))
    if not rows:
        return None
    heads = (
        tr("region"),
        *([tr("who")] if several else []),
        tr("figure"),
        tr("value"),
        tr("limit of this body"),
        tr("part of limit"),
        tr("risk"),
    )
    return Table(tr("Loads by region"), heads, tuple(rows), _WIDE if several else _WIDTHS, tuple(dict.fromkeys(notes)))  # fmt: skip


def _bodies(s: Subject, named: bool) -> Iterator[tuple[Judged, str]]:
    for judged in s.assessment.bodies:
        words = [s.label] if named else []
        if len(s.assessment.bodies) > 1:
            words.append(judged.name)
        yield judged, ", ".join(words)


def _row(s: Subject, judged: Judged, region: str) -> tuple[Cell, ...]:
    """The row of a region: the largest part of a limit, or that there is none; empty where no figure reports it."""
    found = [f for f in s.assessment.figures if f.body == judged.name and region_of(f) == region]
    if not found:
        return ()
    # what is beyond its limit says more than what is not judged, and that more than what is within
    worst = max(
        found,
        key=lambda f: ((f.share or 0.0) > 1.0, f.is_spoilt, f.share is not None, f.share or 0.0),
    )
    number, unit = shown(worst.value, worst.unit)
    value = f"{written(number, 3)}{_in_band(s, worst)} {unit}".rstrip()
    name = figure_name(worst, whose=False)
    risk_text = _risk(found, worst)
    limit = worst.strictest
    if limit is None or worst.share is None:
        why = tr("no verdict") if worst.no_verdict else tr("no limit")
        return text(name), text(value), text(worst.no_verdict if worst.spoilt else why, "muted"), share_cell(worst), text(risk_text, "muted")  # fmt: skip
    star = "*" if limit.unchecked else ""
    bound = f"{shown(limit.limit, worst.unit)[0]:g}{star} {limit.source}"
    value_cell = text(value, tone_of(worst))
    return text(name), value_cell, text(bound, "muted"), share_cell(worst), text(risk_text, "muted")


def _in_band(s: Subject, one: Figure) -> str:
    """Write the band of a figure behind its value: ' (131–210)'."""
    found = s.band.figures.get(one.name) if s.band is not None else None
    return "" if found is None else f" ({found.text})"


def _risk(found: Sequence[Figure], shown: Figure) -> str:
    """Say the greatest risk of a region, and of which figure it is where another one is shown."""
    risks = [(risk, one) for one in found for risk in one.risks]
    if not risks:
        return ""
    # of equal ones that of the figure that is shown
    risk, one = max(risks, key=lambda pair: (pair[0].probability, pair[1] is shown))
    if one is shown:
        return risk.said
    return tr("{risk} by {figure}", risk=risk.said, figure=figure_name(one, whose=False))


# The table of injury figures: value, limit of this body by its paragraph, part of it, and all in full below.


def injury_table(subjects: Sequence[Subject]) -> Table:
    """Give every figure with its window, channel, filter class and strictest limit, those with one first."""
    every = [f for s in subjects for f in s.assessment.figures]
    limited = {f.name for f in every if f.limits or f.is_spoilt}
    names = sorted(dict.fromkeys(f.name for f in every), key=lambda name: name not in limited)
    rows = []
    banded = any(s.band is not None for s in subjects)
    for name in names:
        found = [_by_name(s, name) for s in subjects]
        row = _injury_row(subjects[0].project, found)
        rows.append(_with_bands(row, subjects, found) if banded else row)
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
    notes += [lead.format(label=s.label) + str(s.band.said) for s in subjects if s.band is not None]
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
        widths = (0.25, 0.07, 0.045, 0.095, 0.19, 0.11, 0.24)
    else:
        labels = [s.label for s in subjects]
        change = (tr("change"),) if len(labels) == 2 else ()
        parts = (tr("part, {a}", a=label) for label in labels)
        heads = (tr("figure"), tr("unit"), *labels, *change, tr("limit"), *parts)
        each = 0.5 / len(labels)
        narrow = (0.09,) if change else ()
        widths = (0.17, 0.07, *(0.48 * each for _ in labels), *narrow, 0.17 if change else 0.26, *(0.52 * each for _ in labels))  # fmt: skip
    if banded and len(subjects) == 1:
        # which signal it is stands in the list of all figures in full
        heads = (*heads[:2], "5–95 %", *heads[2:6], tr("decided by"))
        widths = (0.22, 0.07, 0.1, 0.045, 0.085, 0.16, 0.1, 0.22)
    return Table(tr("Injury figures"), heads, tuple(rows), widths, tuple(dict.fromkeys(notes)))


def _with_bands(
    row: tuple[Cell, ...], subjects: Sequence[Subject], found: Sequence[Figure | None]
) -> tuple[Cell, ...]:
    """A row with the band of each run: of one in a column with what decides, of several behind their values."""
    bands = [
        None if s.band is None or f is None else s.band.figures.get(f.name)
        for s, f in zip(subjects, found, strict=True)
    ]
    if len(subjects) == 1:
        one, figure = bands[0], found[0]
        ends = what = ""
        if one is not None and figure is not None:
            ends, what = one.text, one.decided_beside(figure.value)
        return (*row[:2], Cell(ends, "plain", number=True), *row[2:6], text(what, "muted"))
    values = (
        cell if one is None else replace(cell, text=f"{cell.text} ({one.text})")
        for cell, one in zip(row[2:], bands, strict=False)
    )
    return (*row[:2], *values, *row[2 + len(bands) :])


def figures_in_full(subject: Subject) -> tuple[str, ...]:
    """Say of every figure how it came about, against what it stands, and what it may mean."""
    out = []
    for f in subject.assessment.figures:
        classes = ", ".join(dict.fromkeys(_class(c) for c in f.filters))
        words = [
            f"{figure_text(f)}: {' '.join(filter(None, (_value(f).text, shown(f.value, f.unit)[1])))}",
            tr(
                "from {channels} ({classes}), {when} ms",
                channels=channels_text(subject.project, f.channels),
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
        signal = f"{channels_text(project, first.channels)}; {', '.join(classes)}"
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


# Which dummy sat there, and what its bench tests say of it.


def dummy_tables(s: Subject) -> list[Table]:
    """A table for each dummy of the library among the bodies."""
    found = []
    for body in occupants(s.project):
        one = matched_dummy(s.project, body)
        name = reference().bodies[one.size].library if one.how == "dummy" else ""
        if name:
            found.append(_table(s, body, name, one.name))
    return found


def _table(s: Subject, body: Occupant, name: str, title: str) -> Table:
    known = certificate_of(name)
    differs = changed(s.project, body.segments["head"].removesuffix("head"), name)
    rows = []
    if known is not None:
        for test in known.tests:
            inside = tr("{inside} of {figures}", inside=test.inside, figures=test.figures)
            tone: Tone = "good" if test.inside == test.figures else "bad"
            rows.append((text(tr(test.title)), text(test.paragraph, "muted"), Cell(inside, tone, number=True)))  # fmt: skip
    return Table(
        tr("Dummy: {name}", name=title),
        (tr("bench test"), tr("paragraph"), tr("figures inside")),
        tuple(rows),
        (0.3, 0.48, 0.22),
        (_validity(known, differs),),
    )


def _validity(known: Certificate | None, differs: tuple[str, ...]) -> str:
    """Whether the certificate holds for this model."""
    if known is None:
        return tr("No bench tests are known for it: its laws are another dummy's in proportion.")
    if not known.is_current:
        return tr("The dummy of the library has changed since it was tested: run the bench again.")
    if differs:
        first = ", ".join(differs[:3])
        more = tr(" and {count} more", count=len(differs) - 3) if len(differs) > 3 else ""
        return tr(
            "Changed against the library: {first}{more}. The bench does not speak for it.",
            first=first,
            more=more,
        )
    return tr("As in the library; its certificate: manikin bench.")
