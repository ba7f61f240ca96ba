"""Set runs beside each other: injury figures, peaks of the main curves, fields of the models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from app import texts
from app.comparing.fields import changed_by, differing
from app.curves.curves import Curve, Wanted, curve
from app.curves.pages import pages
from app.forms.units import Units
from app.run_view.figure_words import limit_text
from app.run_view.record import RunRecord
from solver.base.units import pretty
from solver.base.words import msgid, tr
from solver.bodies.library.replacing import own_of
from solver.editing.persons import Person, people
from solver.injury import Assessment, Figure
from solver.injury.figures import figure_text, judged_text, value_text
from solver.project import Project, parse
from solver.project.criteria import HIC, place_of
from solver.results import ResultsError
from solver.results.quantities import Quantities, quantities
from solver.scene.placing import pose_at_start

_BRIEFLY = 8
_BEGUN = 1e-3
"""A figure of a run that goes on counts from this part of that of another run on."""
_NO_PEAKS = texts.words.PAGES["energy"]
"""The page of plots whose peaks say little."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one run has: its words, how far they are from the first run's, part of a limit or why there is no verdict."""

    words: str
    change: str = ""
    share: float | None = None
    no_verdict: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line for all runs; a figure, a quantity or a path says where a click leads."""

    title: str
    cells: tuple[Cell, ...]
    tip: str = ""
    figure: Figure | None = None
    quantity: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sections of a comparison."""

    figures: list[Line] = field(default_factory=list)
    people: list[Line] = field(default_factory=list)
    """How large those are who sit there, where that differs."""
    peaks: list[Line] = field(default_factory=list)
    fields: list[Line] = field(default_factory=list)
    inside: list[Line] = field(default_factory=list)
    """Fields within bodies of another size; `fields` holds the others."""


def compared(
    records: Sequence[RunRecord], system: str, standards: Sequence[str] = ()
) -> Comparison:
    """Compare runs that have ended with the first of them; of some standards with their limits alone."""
    figures, peaks, units = _figures(records, standards), _peaks(records, system), Units(system)
    projects = [record.project for record in records]
    found = [
        Line(size.title, _cells(size.values), path=size.path) for size in sizes(projects, units)
    ]
    fields = _fields(records, units)
    if not found:
        return Comparison(figures, [], peaks, fields)
    own = parts_of_people(projects)
    inside = [line for line in fields if "/".join(line.path.split("/")[:2]) in own]
    return Comparison(figures, found, peaks, [f for f in fields if f not in inside], inside)


def figure_order(figure: Figure) -> tuple[bool, int, float, int, str]:
    """Put what has a limit, judged or not, before what has none: first HIC, then what is nearest to its limit, then what people look for."""
    none = figure.share is None and not figure.is_spoilt
    if figure.criterion in HIC:
        return none, HIC.index(figure.criterion), 0.0, 0, figure.name
    return none, len(HIC), -(figure.share or 0.0), place_of(figure.name), figure.name


def _figures(records: Sequence[RunRecord], standards: Sequence[str] = ()) -> list[Line]:
    known = [record.assess() for record in records]
    found = [None if one is None else one.under(standards) for one in known]
    by_name = [{f.name: f for f in one.figures} if one is not None else {} for one in found]
    every = {f.name: f for names in reversed(by_name) for f in names.values()}
    out = []
    for figure in sorted(every.values(), key=figure_order):
        figures = [names.get(figure.name) for names in by_name]
        cells = _cells([None if f is None else (f.value, judged_text(f), f.share) for f in figures])
        cells = tuple(
            replace(cell, no_verdict=_no_verdict(f)) for cell, f in zip(cells, figures, strict=True)
        )
        sources = [limit_text(one, figure.unit) for one in figure.limits]
        out.append(
            Line(
                figure_text(figure),
                cells,
                "\n".join(
                    filter(
                        None,
                        (*(f.no_verdict for f in figures if f and f.spoilt), figure.note, *sources),
                    )
                ),
                next((f for f in reversed(figures) if f is not None), None),
            )
        )
    return out


def _no_verdict(figure: Figure | None) -> str:
    """Say why a figure is not within its limit, although nothing says that it is beyond it; empty where it is compared or has none."""
    if figure is None or figure.share is not None or not figure.no_verdict:
        return ""
    if figure.spoilt:
        return figure.no_verdict
    return tr("no verdict: {why}", why=figure.why_not)


def _peaks(records: Sequence[RunRecord], system: str) -> list[Line]:
    asked = [quantities(r.trajectory) if r.trajectory is not None else None for r in records]
    names: dict[str, None] = {}
    for record, found in zip(records, asked, strict=True):
        if found is not None and record.trajectory is not None:
            shown = pages(record.project, found.infos, record.trajectory.segment_ids)
            plots = [
                plot for title, page in shown.items() if title != tr(_NO_PEAKS) for plot in page
            ]
            names |= dict.fromkeys(one.name for plot in plots for one in plot.curves)
    out = []
    for name in names:
        curves = [_curve(r, q, name, system) for r, q in zip(records, asked, strict=True)]
        known = next((one for one in curves if one is not None), None)
        if known is None or all(c is None or c.peak()[0] == 0.0 for c in curves):
            continue
        cells = _cells([None if c is None else _peak(c) for c in curves])
        out.append(Line(known.label, cells, quantity=name))
    return out


def _curve(record: RunRecord, found: Quantities | None, name: str, system: str) -> Curve | None:
    try:
        return None if found is None else curve(record.project, found, Wanted(name), system)
    except ResultsError:
        return None


def _peak(found: Curve) -> tuple[float, str, None]:
    value, when = found.peak()
    words = f"{value:.4g} {pretty(found.unit)}".rstrip()
    return value, tr("{value} at {ms} ms", value=words, ms=f"{when:.1f}"), None


def _cells(found: Sequence[tuple[float, str, float | None] | None]) -> tuple[Cell, ...]:
    """Write the value of each run, and of each but the first how far it is from the first."""
    first = found[0]
    out = []
    for n, one in enumerate(found):
        if one is None:
            out.append(Cell("–"))
            continue
        value, words, share = one
        change = changed_by(first[0], value) if n and first is not None else ""
        out.append(Cell(words, change, share))
    return tuple(out)


def _fields(records: Sequence[RunRecord], units: Units) -> list[Line]:
    """List the fields that differ between the first model and any of the others."""
    first, *others = (_with_curves(record) for record in records)
    found = [{d.path: d for d in differing(first, one, units)} for one in others]
    out = []
    for path in dict.fromkeys(path for one in found for path in one):
        known = next(one[path] for one in found if path in one)
        cells = [Cell(known.before)]
        for one in found:
            there = one.get(path)
            same = Cell(known.before, tr(texts.words.SAME))
            cells.append(same if there is None else Cell(there.after, there.change))
        out.append(Line(known.where, tuple(cells), path=path))
    return out


def _with_curves(record: RunRecord) -> Project:
    """Give a run's model with its curves inside, as it stands in a results file."""
    if record.trajectory is None:
        return record.project
    return parse(record.trajectory.project_json.decode()).project


def as_far_as(found: Assessment, lines: Sequence[Line]) -> list[Line]:
    """Put the figures of a run that goes on behind those of others, and dots where it has none yet.

    How far they are from those of another run, as a whole, would say nothing.
    """
    known = {figure.name: figure for figure in found.figures}
    if not lines:
        first = sorted(found.figures, key=figure_order)[:_BRIEFLY]
        lines = [Line(figure_text(f), (), figure=f) for f in first]

    def now(line: Line) -> Cell:
        one = None if line.figure is None else known.get(line.figure.name)
        if one is None or line.figure is None:
            return Cell("…")
        # what has hardly begun is nothing yet, and no row of digits
        value = one.value if abs(one.value) >= _BEGUN * abs(line.figure.value) else 0.0
        return Cell(value_text(value, one.unit), "", one.share)

    return [replace(line, cells=(*line.cells, now(line))) for line in lines]


def in_brief(records: Sequence[RunRecord], system: str) -> list[Line]:
    """The first figures of runs; where they have none, the first peaks."""
    return (_figures(records) or _peaks(records, system))[:_BRIEFLY]


_BONES: Mapping[str, tuple[str, str]] = {
    msgid("{name}: hip to knee"): ("right_upper_leg", "right_lower_leg"),
    msgid("{name}: knee to ankle"): ("right_lower_leg", "right_foot"),
    msgid("{name}: shoulder to elbow"): ("right_upper_arm", "right_forearm"),
}
"""Lengths that tell a size, between the joints that carry two segments."""
_SAME = 1e-3
"""Masses (kg) and lengths (m) that are no further apart are the same."""


@dataclass(frozen=True, slots=True)
class Size:
    """One measure of one person in all models: value and words, or none where nobody sits."""

    title: str
    values: tuple[tuple[float, str, None] | None, ...]
    path: str


def sizes(projects: Sequence[Project], units: Units) -> Iterator[Size]:
    """Give masses and lengths of limbs of those whose masses differ from model to model."""
    found = [{one.prefix: one for one in people(project)} for project in projects]
    every = {prefix: one for known in reversed(found) for prefix, one in known.items()}
    for prefix, known in every.items():
        there = [one.get(prefix) for one in found]
        masses = [None if one is None else one.mass_kg for one in there]
        if not _differ(masses):
            continue
        path = f"segments/{known.root}"
        yield Size(tr("{name}: mass", name=known.name), _cell_text(masses, "kg", units), path)
        for title, joints in _BONES.items():
            lengths = [
                None if one is None else _between(project, one, *joints)
                for project, one in zip(projects, there, strict=True)
            ]
            if _differ(lengths):
                yield Size(tr(title, name=known.name), _cell_text(lengths, "m", units), path)


def parts_of_people(projects: Sequence[Project]) -> set[str]:
    """The paths of all elements that make a person in one of the models."""
    return {
        path
        for project in projects
        for one in people(project)
        for path in (*own_of(project, one.prefix), *one.paths)
    }


def _between(project: Project, one: Person, upper: str, lower: str) -> float | None:
    """How far the joint that carries a segment is from the one that carries the next (m)."""
    ahead = f"{one.prefix}_" if one.prefix else ""
    frames = {j.child: j.child_frame.position_m for j in project.joints}
    ends = [ahead + upper, ahead + lower]
    if any(end not in frames for end in ends):
        return None
    at = pose_at_start(project)
    first, second = (at[end].of(np.array(frames[end])) for end in ends)
    return float(np.linalg.norm(second - first))


def _differ(values: Sequence[float | None]) -> bool:
    known = [value for value in values if value is not None]
    return len(known) < len(values) or max(known) - min(known) > _SAME


def _cell_text(
    values: Sequence[float | None], unit: str, units: Units
) -> tuple[tuple[float, str, None] | None, ...]:
    return tuple(
        None if v is None else (v, units.with_unit(units.short(v, unit), unit), None)
        for v in values
    )
