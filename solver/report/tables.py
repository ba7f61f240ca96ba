"""The tables of a report, for one run or for two side by side."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from solver.injury import Figure
from solver.report.content import Cell, Table, Tone, figure, text
from solver.report.gather import Subject, Touch
from solver.units import convert, display_unit, pretty
from solver.words import tr

NEAR = 0.8
"""From this part of a limit on, a value counts as near it."""
MOST_CONTACTS = 12


def tone_of(share: float | None) -> Tone:
    """Judge a value by its part of the limit."""
    if share is None:
        return "plain"
    return "bad" if share > 1.0 else "near" if share >= NEAR else "good"


def injury_table(subjects: Sequence[Subject]) -> Table:
    """Give every figure with its window, channel, filter class and strictest limit."""
    names = dict.fromkeys(f.name for s in subjects for f in s.assessment.figures)
    rows = []
    for name in names:
        found = [_by_name(s, name) for s in subjects]
        rows.append(_injury_row(name, found))
    missing = dict.fromkeys(name for s in subjects for name, _ in s.assessment.missing)
    notes = (
        [tr("Not computed, for reasons given below: {figures}.", figures=", ".join(missing))]
        if missing
        else []
    )
    limits = [one for s in subjects for f in s.assessment.figures for one in f.limits]
    if limits:
        notes.append(tr("Limits hold for the tests and bodies that their sources describe."))
    if any(f.no_verdict for s in subjects for f in s.assessment.figures):
        notes.append(
            tr("No verdict: the limits do not fit the body or the push; reasons are below.")
        )
    if any(one.unchecked for one in limits):
        notes.append(tr("* Assumed: this limit was not compared with the text of its source."))
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
        widths = (0.16, 0.09, 0.05, 0.10, 0.22, 0.14, 0.24)
    else:
        a, b = (s.label for s in subjects)
        heads = (
            tr("figure"),
            tr("unit"),
            a,
            b,
            tr("change"),
            tr("limit"),
            tr("part, {a}", a=a),
            tr("part, {b}", b=b),
        )
        widths = (0.17, 0.07, 0.12, 0.12, 0.09, 0.17, 0.13, 0.13)
    return Table(tr("Injury figures"), heads, tuple(rows), widths, tuple(dict.fromkeys(notes)))


def figures_in_full(subject: Subject) -> tuple[str, ...]:
    """Say of every figure how it came about, against what it stands, and what it may mean."""
    out = []
    for f in subject.assessment.figures:
        classes = ", ".join(dict.fromkeys(_class(c) for c in f.filters))
        unit = pretty(f.unit)
        words = [
            f"{f.name}, {tr(f.title)}: {figure(f.value).text}{' ' if unit else ''}{unit}",
            tr(
                "from {channels} ({classes}), {when} ms",
                channels=tr(" and ").join(f.channels),
                classes=classes,
                when=_when(f),
            ),
            str(f.note),
            *(
                tr("limit {limit:g} ({source})", limit=one.limit, source=one.source)
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


def _injury_row(name: str, found: Sequence[Figure | None]) -> tuple[Cell, ...]:
    first = next(f for f in found if f is not None)
    unit = text(pretty(first.unit), "muted")
    if len(found) == 1:
        classes = sorted({_class(f) for f in first.filters})
        signal = f"{' + '.join(c.split(',')[0].removesuffix('_x') for c in first.channels)}; {', '.join(classes)}"
        value = figure(first.value, 4, tone_of(first.share))
        return (
            text(name), value, unit, text(_when(first), "muted"), _limit(first), _share(first),
            text(signal, "muted"),
        )  # fmt: skip
    values = [figure(f.value, 4, tone_of(f.share)) if f else text("–", "muted") for f in found]
    a, b = found
    change = _change(a.value, b.value) if a and b else text("–", "muted")
    shares = [_share(f) if f else text("", "muted") for f in found]
    return (text(name), unit, *values, change, _limit(first), *shares)


def _limit(found: Figure) -> Cell:
    if not found.limits:
        return text(tr("no verdict") if found.no_verdict else tr("no limit"), "muted")
    strictest = min(found.limits, key=lambda one: one.limit)
    star = "*" if strictest.unchecked else ""
    return text(f"{strictest.limit:g}{star} {strictest.source}", "muted")


def _share(found: Figure) -> Cell:
    if found.share is None:
        return text("", "muted")
    return Cell(f"{100.0 * found.share:.0f} %", tone_of(found.share), found.share, number=True)


def restraint_table(subjects: Sequence[Subject], units: str) -> Table | None:
    """Give the peak load of every restraint."""
    rows = []
    found = [{(n, w, u): peak for n, w, u, peak in s.restraints()} for s in subjects]
    for key in dict.fromkeys(key for one in found for key in one):
        name, what, si_unit = key
        unit = display_unit(si_unit, units)
        cells = [text(name), text(tr(what), "muted"), text(pretty(unit), "muted")]
        peaks = [one.get(key) for one in found]
        for peak in peaks:
            value = convert(peak.value, si_unit, unit) if peak else float("nan")
            cells.append(figure(value))
        if len(subjects) == 1 and peaks[0]:
            cells.append(Cell(f"{1e3 * peaks[0].time:.0f}", "muted", number=True))
        else:
            a, b = (peak.value if peak else 0.0 for peak in peaks)
            cells.append(_change(a, b))
        rows.append(tuple(cells))
    if not rows:
        return None
    last = (
        (tr("peak"), tr("at [ms]"))
        if len(subjects) == 1
        else (*(s.label for s in subjects), tr("change"))
    )
    heads = (tr("restraint"), tr("load"), "", *last)
    return Table(
        tr("Restraint loads"), heads, tuple(rows), (0.30, 0.24, 0.08, *_shared(0.38, len(last)))
    )


def _change(a: float, b: float) -> Cell:
    """Write how far the second value is from the first."""
    if a == 0.0 or b == 0.0:
        return text("–", "muted")
    return Cell(f"{100.0 * (b / a - 1.0):+.1f} %", number=True)


def contact_table(subjects: Sequence[Subject], units: str) -> Table | None:
    """Give when contacts acted, and how hard."""
    found = [{touch.name: touch for touch in s.touches()} for s in subjects]
    names = list(dict.fromkeys(name for one in found for name in one))
    force, depth = display_unit("N", units), display_unit("m", units)
    rows = []
    for name in names[:MOST_CONTACTS]:
        cells = [text(name)]
        for one in found:
            cells += _touch_cells(one.get(name), force, depth, brief=len(subjects) > 1)
        rows.append(tuple(cells))
    if not rows:
        return None
    notes = []
    if len(names) > MOST_CONTACTS:
        notes.append(
            tr(
                "{count} weaker contacts are left out.",
                count=len(names) - MOST_CONTACTS,
            )
        )
    never = [s.untouched() for s in subjects]
    if any(never):
        notes.append(tr("Never touched: {counts}.", counts=", ".join(map(str, never))))
    step = max(float(np.median(np.diff(s.time))) if len(s.time) > 1 else 0.0 for s in subjects)
    notes.append(
        tr(
            "Times in ms, to the frame ({step:.3g} ms); the log has the exact ones.",
            step=1e3 * step,
        )
    )
    F, D = pretty(force), pretty(depth)
    if len(subjects) == 1:
        heads: tuple[str, ...] = (
            tr("contact"), tr("from–to"), tr("acting"), tr("peak [{unit}]", unit=F), tr("at"), tr("depth [{unit}]", unit=D),
        )  # fmt: skip
        widths: tuple[float, ...] = (0.32, 0.15, 0.11, 0.15, 0.08, 0.19)
    else:
        heads = (tr("contact"), *_per_run(subjects, tr("from–to"), tr("peak [{unit}]", unit=F)))
        widths = (0.34, *_shared(0.66, 4))
    return Table(tr("Contacts"), heads, tuple(rows), widths, tuple(notes))


def _touch_cells(touch: Touch | None, force: str, depth: str, *, brief: bool) -> list[Cell]:
    if touch is None:
        return [text("–", "muted")] * (2 if brief else 5)
    start = tr("start") if touch.from_start else f"{1e3 * touch.first:.0f}"
    end = tr("end") if touch.to_end else f"{1e3 * touch.last:.0f}"
    spell = Cell(f"{start}–{end}", number=True)
    peak = figure(convert(touch.force.value, "N", force), 3)
    if brief:
        return [spell, peak]
    return [
        spell,
        Cell(f"{1e3 * touch.held:.0f}", number=True),
        peak,
        Cell(f"{1e3 * touch.force.time:.0f}", "muted", number=True),
        figure(convert(touch.depth.value, "m", depth), 3),
    ]


def energy_table(subjects: Sequence[Subject]) -> Table:
    """Give the energy account at its start, its greatest and its end."""
    rows = []
    for name, label in (
        ("kinetic", tr("kinetic")),
        ("potential", tr("potential")),
        ("strain", tr("strain")),
        ("dissipated", tr("dissipated")),
        ("external", tr("work from outside")),
        ("balance", tr("left over")),
    ):
        cells = [text(label)]
        for s in subjects:
            values = s.run.table("energy")[name]
            top = float(values[int(np.argmax(np.abs(values)))])
            shown = (float(values[0]), top, float(values[-1]))
            cells += [figure(v) for v in (shown if len(subjects) == 1 else shown[1:])]
        rows.append(tuple(cells))
    notes = tuple(
        ("" if len(subjects) == 1 else f"{s.label}: ")
        + tr("left over at most {part} of the greatest energy.", part=percent(s.energy_share()))
        for s in subjects
    )
    columns: tuple[str, ...] = (tr("greatest"), tr("end"))
    if len(subjects) == 1:
        columns = (tr("start"), *columns)
    heads = (tr("energy [J]"), *_per_run(subjects, *columns))
    widths = (0.30, *_shared(0.70, len(heads) - 1))
    return Table(tr("Energy"), heads, tuple(rows), widths, notes)


def settings_table(subjects: Sequence[Subject], version: str) -> Table:
    """Give what is needed to do the run again: settings, versions, hashes."""
    rows: dict[str, list[str]] = {}
    for n, s in enumerate(subjects):
        for key, value in _settings(s, version):
            rows.setdefault(key, [""] * len(subjects))[n] = value
    labels = [s.label for s in subjects] if len(subjects) > 1 else [tr("value")]
    heads = (tr("setting"), *labels)
    made = tuple((text(key, "muted"), *(text(v) for v in values)) for key, values in rows.items())
    return Table(tr("Settings"), heads, made, (0.15, *_shared(0.85, len(subjects))))


def _settings(s: Subject, version: str) -> list[tuple[str, str]]:
    steps = s.run.steps()
    when = s.facts.created_utc.replace("T", " ") or tr("just now,")
    rows = [
        (tr("status"), tr(s.facts.status) + (f": {s.facts.message}" if s.facts.message else "")),
        (
            tr("run"),
            s.facts.run_id or (s.settings.id if s.settings else tr("not told by this older file")),
        ),
        (
            tr("simulated"),
            tr(
                "{span:.6g} ms in {count} frames",
                span=1e3 * (s.time[-1] - s.time[0]),
                count=len(s.time),
            ),
        ),
    ]
    if s.settings is not None:
        method = s.settings.integrator.model_dump(exclude={"kind", "tests"})
        words = ", ".join(
            f"{_said(k)} {v:g}" for k, v in method.items() if isinstance(v, int | float)
        )
        rows.append((tr("method"), " · ".join(w for w in (s.settings.integrator.kind, words) if w)))
    if len(steps["time"]):
        rows.append(
            (
                tr("steps"),
                tr(
                    "{steps}, {rejected} rejected, {evaluations} evaluations",
                    steps=len(steps["time"]),
                    rejected=int(steps["rejected"][-1]),
                    evaluations=int(steps["evaluations"][-1]),
                ),
            )
        )
    rows += [
        (
            tr("solved"),
            tr(
                "{when} with Manikin {version}",
                when=when,
                version=s.facts.app_version or version,
            ),
        ),
        (
            tr("reported"),
            tr(
                "with Manikin {version}, Python {python}, NumPy {numpy}",
                version=version,
                python=platform.python_version(),
                numpy=np.__version__,
            ),
        ),
        (tr("SHA-256 of project"), s.facts.project_sha256),
    ]
    path = getattr(s.run, "path", None)
    if isinstance(path, Path):
        rows.append((tr("SHA-256 of results"), _hash(path)))
    return rows


def _said(field: str) -> str:
    """Write the name of a field with its unit."""
    name, _, unit = field.rpartition("_")
    if unit != "s":
        return tr(field.replace("_", " "))
    return f"{tr(name.replace('_', ' '))} [{unit}]"


def _hash(path: Path) -> str:
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _per_run(subjects: Sequence[Subject], *heads: str) -> tuple[str, ...]:
    if len(subjects) == 1:
        return heads
    return tuple(f"{s.label}, {head}" for s in subjects for head in heads)


def _shared(whole: float, count: int) -> tuple[float, ...]:
    return (whole / count,) * count


def percent(share: float) -> str:
    """Write a small part; what is smaller than can matter is not written out."""
    return f"{100.0 * share:.2g} %" if share >= 1e-5 else "0.001 %"
