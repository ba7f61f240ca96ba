"""The tables of a report, for one run or for several side by side."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from solver.analysis.acting.messages import brief
from solver.base.units import convert, display_unit, pretty
from solver.base.words import tr
from solver.injury import Figure
from solver.injury.figures import change_text
from solver.project.names import name_of
from solver.project.problems import ProjectError, listed
from solver.report.content import Cell, Table, Tone, figure, text
from solver.results.impacts import impacts_of

if TYPE_CHECKING:
    from solver.report.gather import Subject, Touch

"""From this part of a limit on, a value counts as near it."""
MOST_CONTACTS = 12


def tone_of(found: Figure) -> Tone:
    """The tone of a figure's verdict."""
    verdict = found.verdict
    return "plain" if verdict == "" else "muted" if verdict == "open" else verdict


def share_cell(found: Figure) -> Cell:
    """Write a figure's part of its limit, as a bar where it is judged."""
    if found.share is None:
        return text(found.share_text, "muted")
    bar = None if found.verdict == "open" else found.share
    return Cell(found.share_text, tone_of(found), bar, number=True)


def restraint_table(subjects: Sequence[Subject], units: str) -> Table | None:
    """The peak load of every restraint."""
    rows = []
    found = [{(n, w, u): peak for n, w, u, peak in s.restraints()} for s in subjects]
    for key in dict.fromkeys(key for one in found for key in one):
        name, what, si_unit = key
        unit = display_unit(si_unit, units)
        cells = [
            text(_restraint(subjects[-1], name)),
            text(tr(what), "muted"),
            text(pretty(unit), "muted"),
        ]
        peaks = [one.get(key) for one in found]
        for peak in peaks:
            value = convert(peak.value, si_unit, unit) if peak else float("nan")
            cells.append(figure(value))
        if len(subjects) == 1 and peaks[0]:
            cells.append(Cell(f"{1e3 * peaks[0].time:.0f}", "muted", number=True))
        elif len(subjects) == 2:
            a, b = (peak.value if peak else 0.0 for peak in peaks)
            cells.append(change_of(a, b))
        rows.append(tuple(cells))
    if not rows:
        return None
    last = (
        (tr("peak"), tr("at [ms]"))
        if len(subjects) == 1
        else (*(s.label for s in subjects), *((tr("change"),) if len(subjects) == 2 else ()))
    )
    heads = (tr("restraint"), tr("load"), "", *last)
    # a name has the more room the fewer numbers stand beside it
    lead, rest = ((0.38, 0.22), 0.34) if len(subjects) == 1 else ((0.28, 0.16), 0.50)
    widths = (*lead, 0.06, *_shared(rest, len(last)))
    return Table(tr("Restraint loads"), heads, tuple(rows), widths)


def _restraint(s: Subject, name: str) -> str:
    """Call a restraint as people do; a strap by its harness, and by itself where that has several."""
    first, _, strap = name.partition(".")
    harness = next((one for one in s.project.harnesses if one.id == first), None)
    if harness is not None and strap:
        called = name_of(harness).partition(", ")[0]
        return called if len(harness.straps) == 1 else f"{called} › {strap}"
    for group in (s.project.belts, s.project.airbags, s.project.tension_elements):
        for one in group:
            if one.id == name:
                return name_of(one).partition(", ")[0]
    return name


def change_of(a: float, b: float) -> Cell:
    """Write how far the second value is from the first."""
    if a == 0.0 or b == 0.0:
        return text("–", "muted")
    return Cell("0.0 %" if a == b else change_text(b / a - 1.0), number=True)


def contact_table(subjects: Sequence[Subject], units: str) -> Table | None:
    """When contacts acted, and how hard."""
    found = [{touch.name: touch for touch in s.touches()} for s in subjects]
    names = list(dict.fromkeys(name for one in found for name in one))
    force, depth = display_unit("N", units), display_unit("m", units)
    rows = []
    for name in names[:MOST_CONTACTS]:
        cells = [text(brief(subjects[-1].project, f"contacts/{name}"))]
        for one in found:
            cells += _touch_cells(one.get(name), force, depth, short=len(subjects) > 1)
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
        widths: tuple[float, ...] = (0.36, 0.145, 0.125, 0.15, 0.075, 0.145)
    else:
        heads = (tr("contact"), *_per_run(subjects, tr("from–to"), tr("peak [{unit}]", unit=F)))
        widths = (0.34, *_shared(0.66, 2 * len(subjects)))
    return Table(tr("Contacts"), heads, tuple(rows), widths, tuple(notes))


def impact_table(s: Subject) -> Table | None:
    """The strongest impulses of contacts and stops, in order of time, where there are any."""
    found = impacts_of(s.run.events())
    if not found:
        return None
    strongest = sorted(found, key=lambda one: -one.loss)[:MOST_CONTACTS]
    words = {
        "sticks": tr("sticks"), "slides": tr("slides"), "reverses": tr("slides back"), "stop": tr("stop"),
    }  # fmt: skip
    rows = [
        (
            text(brief(s.project, "/".join(one.element.split("/")[:2]))),
            Cell(f"{1e3 * one.time:.1f}", number=True), text(words[one.state], "muted"),
            figure(one.normal, 3), figure(one.across, 3) if one.state != "stop" else text("–", "muted"),
            figure(one.loss, 3), figure(one.mass, 3),
        )
        for one in sorted(strongest, key=lambda one: one.time)
    ]  # fmt: skip
    heads = (
        tr("contact or joint"), tr("at [ms]"), "", tr("impulse [N s]"), tr("across [N s]"), tr("lost [J]"), tr("mass [kg]"),
    )  # fmt: skip
    notes = [tr("Of stops impulses are about their axis, in N m s, and the mass is a moment of inertia, in kg m2.")] if any(one.state == "stop" for one in strongest) else []  # fmt: skip
    if len(found) > len(strongest):
        notes.append(
            tr("{count} impacts that lost less are left out.", count=len(found) - len(strongest))
        )
    title = tr("Impacts of {run}", run=s.label)
    return Table(title, heads, tuple(rows), (0.3, 0.1, 0.12, 0.12, 0.12, 0.12, 0.12), tuple(notes))


def _touch_cells(touch: Touch | None, force: str, depth: str, *, short: bool) -> list[Cell]:
    if touch is None:
        return [text("–", "muted")] * (2 if short else 5)
    start = tr("start") if touch.from_start else f"{1e3 * touch.first:.0f}"
    end = tr("end") if touch.to_end else f"{1e3 * touch.last:.0f}"
    spell = Cell(f"{start}–{end}", number=True)
    peak = figure(convert(touch.force.value, "N", force), 3)
    if short:
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
    """What is needed to do the run again: settings, versions, hashes."""
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
            f"{_field_label(k)} {v:g}" for k, v in method.items() if isinstance(v, int | float)
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
    loops = _loops(s)
    if loops:
        rows.append((tr("loops"), loops))
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


def _loops(s: Subject) -> str:
    """Count loops, freedoms and rows that say nothing new; nothing for a model of trees alone."""
    from solver.analysis.equilibrium import SettleError
    from solver.analysis.mechanism.facts import BINDING, facts

    if not any(getattr(s.project, name) for name in BINDING):
        return ""
    try:
        found = facts(s.project)
    except (ProjectError, SettleError):
        # a run of another version, whose project does not pass the checks of today
        return ""
    told = tr(
        "{loops} closed; {open} open freedoms, mobility {mobility}",
        loops=len(found.loops), open=found.open, mobility=found.mobility,
    )  # fmt: skip
    if found.redundant:
        told += "; " + tr("redundant: {rows}", rows=listed(found.redundant))
    return told


def _field_label(field: str) -> str:
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
