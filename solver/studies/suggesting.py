"""What to try next after a run: changes of what acts on the worst figures, and what came of one that was tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from solver.analysis.acting import Account, account, greatest, with_own_parts
from solver.analysis.acting.messages import cancel, named, shares_at
from solver.base.words import msgid, tr
from solver.bodies.library.occupants import MAIN
from solver.injury import Assessment, Figure, Occupant, occupants
from solver.injury.figures import change_text, figure_name, figure_segment, value_text
from solver.project import Project
from solver.project.checks import check
from solver.project.names import read_as_words
from solver.results.trajectory import Trajectory
from solver.studies.levers import SPARE, belted, of_airbag, of_harness, room_left
from solver.studies.softening import FIRMER, SOFTER, Lever, of_contacts, slower

COUNT = 3
ACTS = 0.1
"""Part of what acts on a part from which on something is worth changing."""
MOSTLY, TOGETHER = 0.5, 0.25
"""From which part on a bag is what counts; and what is struck at once, so that one softer thing alone would leave the other."""
WORTH = 0.05
"""Figures below this part of their limit need no suggestion."""
BESIDE = 0.4
"""Nor do figures that come less near to their limit than by this part of the worst one."""
PARTS = {
    "head": msgid("head"), "neck": msgid("neck"), "upper_torso": msgid("chest"), "centre_torso": msgid("belly"),
    "lower_torso": msgid("pelvis"), "upper_leg": msgid("thigh"), "lower_leg": msgid("lower leg"), "foot": msgid("foot"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A change of the model that is worth a run: of which figure, why, and the project with it."""

    figure: str
    title: str
    """Of the step of the history."""
    words: str
    reason: str
    project: Project

    def __str__(self) -> str:
        return f"{self.words} {self.reason}"


@dataclass(frozen=True, slots=True)
class Acting:
    """One thing that acts: of which kind, which element, its part of all that moves what it acts on, and the words for that."""

    source: str
    element: str
    part: float
    time: float
    direct: bool
    """Whether it acts on the part itself, not on another part of the body that carries it."""
    words: str


def worst_first(found: Assessment) -> list[Figure]:
    """The figures that are compared with a limit, the worst first; of one criterion under two names the first."""
    judged = [one for one in found.figures if one.share is not None]
    return sorted(judged, key=lambda one: -(one.share or 0.0))


def suggestions(
    project: Project,
    run: Trajectory,
    found: Assessment,
    *,
    count: int = COUNT,
    units: str = "metric",
) -> tuple[Suggestion, ...]:
    """What to try next: changes of what acts on the worst figures when they are greatest; none where nothing is sensible.

    Each can be done on this model, and its project has no errors. Last comes that all is slower.
    """
    out = dict[str, Suggestion]()
    figures = worst_first(found)
    worst = (figures[0].share or 0.0) if figures else 0.0
    figures = [one for one in figures if (one.share or 0.0) >= max(WORTH, BESIDE * worst)]
    ahead = {one.name for one in found.bodies if one.way == "ahead"}
    tried = ((one, *pair) for one in figures for pair in _levers(project, run, one, (units, ahead)))
    last = ((one, lever, _slow()) for one in figures[:1] for lever in slower(project))
    for figure, lever, reason in chain(tried, last):
        if lever.title in out or not _can_run(lever.project):
            continue
        words = tr("{figure}: {reason}", figure=figure_name(figure), reason=reason)
        one = Suggestion(figure.name, lever.title, lever.words, words, lever.project)
        out[lever.title] = one
        if len(out) == count:
            break
    return tuple(out.values())


def _slow() -> str:
    return tr("all that acts comes of the motion of the vehicle.")


def _can_run(project: Project) -> bool:
    return not any(one.severity == "error" for one in check(project))


def _levers(
    project: Project, run: Trajectory, figure: Figure, said: tuple[str, set[str]]
) -> Iterator[tuple[Lever, str]]:
    """Changes that speak for a figure, the most telling first, each with its reason."""
    units, ahead = said
    segment = figure_segment(project, figure)
    if not segment:
        return
    every = occupants(project)
    body = next((one for one in every if segment in all_parts(project, [one])), None)
    if body is not None and body.name in ahead:
        who = read_as_words(body.name) or tr("the occupant")
        for lever in belted(project, body, who):
            yield lever, tr("no belt holds {body}.", body=who)
    acting = list(_acting(project, run, figure, (segment, body)))
    bodies = all_parts(project, every)
    struck = [one for one in acting if one.source == "contacts"]
    seen = set[str]()
    for one in acting:
        if one.element in seen:
            continue
        seen.add(one.element)
        id_ = one.element.partition("/")[2]
        found: Iterator[Lever] = iter(())
        if one.element.startswith("harnesses/"):
            found = of_harness(project, run, id_, (one.time, units), earlier=not one.direct)
        elif one.source == "airbags" and one.part >= MOSTLY:
            bag = next(other for other in project.airbags if other.id == id_)
            room = room_left(project, run, bag, segment)
            # one that is used up to its end, and not gone through, is as it should be
            if struck or room is None or room >= SPARE:
                found = of_airbag(project, id_, bool(struck))
        elif one.source == "contacts":
            both = [other for other in struck if other.part >= TOGETHER] or [one]
            seen |= {other.element for other in both}
            by = FIRMER if figure.criterion in SPINE else SOFTER
            ids = [other.element.partition("/")[2] for other in (both if one in both else [one])]
            found = of_contacts(project, ids, bodies, by)
        elif one.source == "motion":
            found = slower(project)
        for lever in found:
            yield lever, one.words


def all_parts(project: Project, bodies: Sequence[Occupant]) -> set[str]:
    """The segments of bodies with those that their parts are divided into, and what else is attached to them."""
    found = {
        part
        for body in bodies
        for one in body.segments.values()
        for part in with_own_parts(project, one)
    }
    grown = True
    while grown:
        more = {j.child for j in project.joints if j.parent in found} - found
        found |= more
        grown = bool(more)
    return found


def _acting(
    project: Project, run: Trajectory, figure: Figure, who: tuple[str, Occupant | None]
) -> Iterator[Acting]:
    """What acts from outside on the part of a figure, then what holds its whole body, each the most first."""
    segment, body = who
    parts = with_own_parts(project, segment)
    whole = all_parts(project, [body]) if body is not None else set[str]()
    of = (parts, tuple(one for one in run.segment_ids if one in whole))
    at = None
    for segments, sources in zip(of, (OUTSIDE, SEATED if figure.criterion in SPINE else HOLDS), strict=True):  # fmt: skip
        found = account(project, run.time, run.table, segments) if segments else None
        if found is None:
            continue
        if at is None:
            at = greatest(found, figure.t1, figure.t2)
        frame = int(np.argmin(np.abs(found.time - at)))
        what = _part_name(body, segment) if segments is parts else tr("whole body")
        yield from (
            one
            for one in _rows(project, found, frame, what, segments is parts)
            if one.source in sources
        )


OUTSIDE = ("contacts", "belts", "airbags", "motion")
HOLDS, SEATED = ("belts", "airbags"), ("contacts",)
"""What of all that holds a whole body has to do with a part that only its joints move: restraints; with the spine what it sits on."""
SPINE = ("lumbar_compression", "DRI", "Brinkley_low", "Brinkley_moderate", "Brinkley_high")


def _part_name(body: Occupant | None, segment: str) -> str:
    role = next((role for finer, role in MAIN.items() if segment.endswith(finer)), segment)
    part = "" if body is None else body.part_of(segment)
    for name, words in PARTS.items():
        if (part or role).endswith(name):
            return tr(words)
    return tr("part it is of")


def _rows(
    project: Project, found: Account, frame: int, what: str, direct: bool
) -> Iterator[Acting]:
    every = shares_at(project, found, frame)
    squeezed = cancel((share for _, share in every), 1.0)
    most = max((row.size for row, _ in every), default=0.0)
    ms = 1e3 * float(found.time[frame])
    for row, share in every:
        part = row.size / most if squeezed and most else share
        if row.source not in OUTSIDE or part < ACTS or share <= 0.0:
            continue
        name = named(project, row)
        if squeezed:
            words = tr("{name} presses the {what} with {kn:.2g} kN at {ms:.0f} ms.", name=name, what=what, kn=1e-3 * row.size, ms=ms)  # fmt: skip
        else:
            words = tr("{name} makes {part:.0f} % of what accelerates the {what} at {ms:.0f} ms.", name=name, what=what, part=100.0 * share, ms=ms)  # fmt: skip
        yield Acting(row.source, row.element, part, float(found.time[frame]), direct, words)


# What came of one that was tried.

SAME, FELT = 0.01, 0.02
"""Relative change that counts as none; and how much of its limit a figure must change by to be told."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The figure that a change was meant for, before and now, and what else became worse or better by it."""

    figure: Figure
    before: Figure
    worse: tuple[tuple[Figure, Figure], ...]
    better: tuple[tuple[Figure, Figure], ...]

    @property
    def helps(self) -> bool:
        """Whether the figure went down."""
        return self.figure.value < (1.0 - SAME) * self.before.value

    @property
    def words(self) -> str:
        """Say it in a sentence: what the figure was and is, and what is worse."""
        return f"{_line(self.before, self.figure)}. {self.others}"

    @property
    def others(self) -> str:
        """Say what else became worse."""
        if not self.worse:
            return tr("Nothing else became worse.")
        lines = ", ".join(_line(before, now) for before, now in self.worse[:3])
        if len(self.worse) > 3:
            return tr("Worse for it: {lines}, and {n} more.", lines=lines, n=len(self.worse) - 3)
        return tr("Worse for it: {lines}.", lines=lines)


def outcome(before: Assessment, now: Assessment, name: str) -> Outcome | None:
    """What became of a figure from one run to another, and of the others that have a limit; None where a run has no such figure."""
    old = {one.name: one for one in before.figures}
    new = {one.name: one for one in now.figures}
    if name not in old or name not in new:
        return None
    pairs = [(old[key], one) for key, one in new.items() if key in old and key != name]
    judged = [(a, b) for a, b in pairs if a.share is not None and b.share is not None]
    moved = sorted(((b.share or 0.0) - (a.share or 0.0), n) for n, (a, b) in enumerate(judged))
    worse = tuple(judged[n] for by, n in reversed(moved) if by >= FELT)
    better = tuple(judged[n] for by, n in moved if by <= -FELT)
    return Outcome(new[name], old[name], worse, better)


def _line(before: Figure, now: Figure) -> str:
    change = (now.value - before.value) / before.value if before.value else 0.0
    return tr(
        "{figure}: {before} before, {now} now ({change})",
        figure=figure_name(now), before=value_text(before.value, before.unit), now=value_text(now.value, now.unit),
        change=change_text(change),
    )  # fmt: skip
