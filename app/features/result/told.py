"""What the result page says of a run: verdict by region, what happened, notes; worked out without Qt, in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from app.elements import with_names
from app.run_view.record import RunRecord
from solver.base.units import convert, display_unit, plain, pretty
from solver.base.words import Sentence, tr, warned
from solver.injury import Assessment, Figure
from solver.injury.figures import figure_segment
from solver.project import Project
from solver.project.names import called, read_as_words
from solver.report.injury_table import REGIONS, region_of
from solver.results import ResultsError
from solver.results.events import lacks

if TYPE_CHECKING:
    # loaded where a run is told: they take the solver with them
    from solver.report.explaining import Happening
    from solver.report.gather import Subject

PICTURES = 5


@dataclass(frozen=True, slots=True)
class PersonTold:
    """One person: who it is, the worst figure of each region, the worst first, and why regions are not judged."""

    name: str
    words: str
    regions: dict[str, Figure] = field(default_factory=dict)
    worst: tuple[Figure, ...] = ()
    unjudged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepTold:
    """An instant (s), the sentence that stands beside its picture, what else happened about then, and the element that it is about."""

    time: float
    words: str
    more: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """All that the page says of one run."""

    people: tuple[PersonTold, ...] = ()
    steps: tuple[StepTold, ...] = ()
    energy: str = ""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failed: str = ""


def told(record: RunRecord, standards: Sequence[str]) -> Told:
    """Work out what the page says at once: the verdict, what the run warns of and why it failed."""
    from solver.running.outputs.curve_range import gains

    run, found = record.trajectory, record.assess()
    if run is None:
        return Told(failed=failed(record))
    out = Told(failed=failed(record))
    if found is not None:
        found = found.under(standards)
        out = replace(out, people=people_of(found))
    project = record.project
    weighty = (*warned(run.notes), *gains(run.notes), *lacks(run.events()))
    warnings = tuple(dict.fromkeys(with_names(project, one) for one in weighty))
    notes = (with_names(project, str(one).removeprefix(tr("note: ")).removeprefix("note: ")) for one in run.notes)  # fmt: skip
    stopped = () if found is None else found.missing
    people, why = _with_missing(out.people, stopped)
    others = dict.fromkeys(
        one for one in notes if not _is_led(one) and not any(one in w for w in warnings)
    )
    out = replace(out, people=people, warnings=warnings, notes=(*others, *why))
    return out


_NAMED = 4
"""So many figures are named that one reason stopped; of more it is told how many there are."""


def _with_missing(
    people: Sequence[PersonTold], missing: Sequence[tuple[str, Sentence]]
) -> tuple[tuple[PersonTold, ...], tuple[str, ...]]:
    """Say once to each person which figures are not computed for reasons of one kind; those of nobody are given back."""
    stopped = dict[tuple[str, str], list[tuple[str, Sentence]]]()
    names = {one.name for one in people}
    for figure, why in missing:
        ahead = figure.partition(".")[0]
        whose = ahead if ahead in names else people[0].name if len(people) == 1 else ""
        stopped.setdefault((whose, why.template), []).append((figure, why))
    said = dict[str, list[str]]()
    for (whose, _), each in stopped.items():
        figures = [figure for figure, _ in each]
        more = tr("and {n} more", n=len(figures) - _NAMED) if len(figures) > _NAMED else ""
        named = " ".join(filter(None, (", ".join(figures[:_NAMED]), more)))
        said.setdefault(whose, []).append(f"{tr('Not computed')}: {named}. {each[0][1]}")
    told_of = (replace(one, unjudged=(*one.unjudged, *said.pop(one.name, ()))) for one in people)
    return tuple(told_of), tuple(line for lines in said.values() for line in lines)


def with_story(found: Told, record: RunRecord, standards: Sequence[str], units: str) -> Told:
    """Add what happened, which takes longer to find out; nothing of a run that cannot be read."""
    from solver.report.explaining import energy_sentence
    from solver.report.gather import ReportError, Subject

    run = record.trajectory
    if run is None:
        return found
    try:
        subject = Subject(run, record.name, standards)
        every = (one for person in found.people for one in person.worst[:1])
        first = max(every, key=lambda one: one.share or 0.0, default=None)
        worst = "" if first is None else figure_segment(record.project, first)
        steps = steps_of(subject, units, worst)
        return replace(found, steps=steps, energy=energy_sentence(subject))
    except (ReportError, ResultsError):
        return found


def _is_led(words: str) -> bool:
    return words.startswith(("warning: ", "not computed: ", tr("warning: "), tr("not computed: ")))


def failed(record: RunRecord) -> str:
    """Say why a run did not come to its end, when, and what may be done; empty where it did."""
    if record.status not in ("failed", "cancelled"):
        return ""
    run = record.trajectory
    ms = 0.0 if run is None or not len(run.time) else 1e3 * float(run.time[-1])
    if record.status == "cancelled":
        return tr("The run was cancelled at {ms:.0f} ms; all here is of what it found until then.", ms=ms)  # fmt: skip
    return tr(
        "The run failed at {ms:.0f} ms: {why} Look at the last instant in the scene: what flies off, goes too deep or is "
        "held twice is there. Then let the run take smaller steps, or mend what Problems lists.",
        ms=ms, why=record.message or tr("no reason is known."),
    )  # fmt: skip


def people_of(found: Assessment) -> tuple[PersonTold, ...]:
    """Each person with the worst figure of each region; a person of whom nothing is known stays."""
    out = list[PersonTold]()
    said = {body.name: body.said for body in found.bodies}
    names = dict.fromkeys((*said, *(f.body for f in found.figures if region_of(f))))
    for name in names:
        figures = [one for one in found.figures if one.body == name]
        regions = dict[str, Figure]()
        for region in REGIONS:
            there = [one for one in figures if region_of(one) == region]
            if there:
                regions[region] = max(there, key=_rank)
        judged = sorted((f for f in figures if f.share is not None), key=lambda f: -(f.share or 0))
        spoilt = [f for f in figures if f.share is None and f.no_verdict]
        why = dict.fromkeys(f.no_verdict for f in spoilt)
        out.append(PersonTold(name, str(said.get(name, "")), regions, tuple(_once(judged)), tuple(why)))  # fmt: skip
    return tuple(out)


def _once(figures: Sequence[Figure]) -> list[Figure]:
    """Leave out figures of the same value and unit: one criterion under two names."""
    out = list[Figure]()
    for one in figures:
        if not any((one.value, one.unit) == (kept.value, kept.unit) for kept in out):
            out.append(one)
    return out


def _rank(one: Figure) -> tuple[bool, bool, bool, float]:
    """What is beyond its limit says more than what is not judged, and that more than what is within."""
    share = one.share or 0.0
    return share > 1.0, one.is_spoilt, one.share is not None, share


def steps_of(s: Subject, units: str, worst: str = "") -> tuple[StepTold, ...]:
    """The story of the run in five instants: what is explained in the report, with the segment of the worst figure first; of models of which nothing is told, where they are fastest."""
    from solver.report.explaining import APART_S, frames_of, happenings
    from solver.report.explaining import steps as joined

    found = happenings(s, units) or _swings(s, units)
    found = tuple(replace(one, weight=one.weight + _is_of(s.project, one.about, worst)) for one in found)  # fmt: skip
    groups = joined(found, APART_S, PICTURES)
    out = []
    for group, frame in zip(groups, frames_of(s.time, groups), strict=True):
        first = max(group, key=lambda one: one.weight)
        more = tuple(f"{1e3 * one.time:.0f} ms: {one.words}" for one in group if one is not first)
        out.append(StepTold(float(s.time[frame]), first.words, more, first.about))
    return tuple(out)


def _is_of(project: Project, about: str, segment: str) -> bool:
    """Whether what happened is of a segment, or of the part that this belongs to."""
    from solver.analysis.acting import with_own_parts

    list_, _, id_ = about.partition("/")
    return list_ == "segments" and segment in with_own_parts(project, id_)


LEAST_SPEED = 1e-3
"""What is slower (m/s) rests."""


def _swings(s: Subject, units: str) -> tuple[Happening, ...]:
    """Start, end, and when something is fastest and accelerated most."""
    from solver.report.explaining import Happening
    from solver.report.scene import driven

    moved = set(driven(s.project))
    peaks = list[Happening]()
    for segment in s.project.segments:
        if segment.id not in s.run.segment_ids or (segment.id in moved and len(moved) < len(s.project.segments)):  # fmt: skip
            continue
        motion = s.run.segment(segment.id)
        name, path = called(s.project, segment), f"segments/{segment.id}"
        speed = np.linalg.norm(motion.velocity, axis=1)
        frame = int(np.argmax(speed))
        if speed[frame] > LEAST_SPEED:
            size = _in_unit(float(speed[frame]), "m/s", units)
            words = tr("{name} is fastest: {size}.", name=name, size=size)
            peaks.append(Happening(float(s.time[frame]), words, 2, path))
    peaks = sorted(peaks, key=lambda one: one.time)[: PICTURES - 2]
    begin = Happening(float(s.time[0]), tr("The run begins."), 0)
    end = Happening(float(s.time[-1]), tr("The run ends."), 0)
    return tuple(sorted((begin, *peaks, end), key=lambda one: one.time))


def _in_unit(value: float, si: str, units: str) -> str:
    unit = display_unit(si, units)
    return f"{plain(convert(value, si, unit), 3)} {pretty(unit)}"


def region_words(one: Figure) -> str:
    """What stands beside a region: its part of the limit, that it is beyond, open or not judged."""
    if one.share is None:
        return tr("not judged") if one.no_verdict else tr("no limit")
    percent = f"{100.0 * one.share:.0f} %"
    if one.verdict == "bad":
        return tr("{percent}, beyond", percent=percent)
    return tr("{percent}, open", percent=percent) if one.verdict == "open" else percent


def verdict_words(person: PersonTold) -> str:
    """Say in a sentence how it ended for somebody."""
    if not person.worst:
        return tr("No figure is compared with a limit.")
    beyond = [one for one in person.worst if one.verdict == "bad"]
    if beyond:
        return tr("{n} of {all} figures are beyond their limit.", n=len(beyond), all=len(person.worst))  # fmt: skip
    near = [one for one in person.worst if one.verdict == "near"]
    if near:
        return tr("All {all} figures are within their limits, {n} near them.", all=len(person.worst), n=len(near))  # fmt: skip
    if any(one.verdict == "open" for one in person.worst):
        return tr("No figure is beyond its limit; the run ended before some were over.")
    return tr("All {all} figures are within their limits.", all=len(person.worst))


def name_of_person(person: PersonTold) -> str:
    """Name somebody for a choice."""
    return read_as_words(person.name) or tr("Occupant")


def assumed_words(project: Project, banded: int) -> str:
    """Say in short what of a model is assumed, and whether its band is known."""
    count = len(project.assumed)
    if not count:
        return tr("No number of this model is marked as assumed with its range.")
    if banded:
        return tr("{n} numbers of this model are assumed within ranges; what they leave open of each figure stands behind it.", n=count)  # fmt: skip
    return tr("{n} numbers of this model are assumed within ranges. Compute the band to see what they leave open of each figure.", n=count)  # fmt: skip
