"""What an assessment holds: figures with all that they rest on, bodies, standards, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from solver.base.words import NOTHING, Sentence, joined, tr
from solver.injury.judging import Way, pushed_words
from solver.injury.load_cases import belongs
from solver.injury.reference import Limit, Risk, Standard, reference
from solver.injury.who import Who
from solver.results.layout import InjuryValue, ResultsError

NEAR = 0.8
"""Part of a limit from which on a figure is near it."""
Verdict = Literal["", "good", "near", "bad", "open"]


@dataclass(frozen=True, slots=True)
class Figure:
    """Hold an injury figure and every choice that it rests on."""

    name: str
    criterion: str
    title: str
    value: float
    unit: str
    t1: float
    t2: float
    channels: tuple[str, ...]
    filters: tuple[int, ...]
    body: str = ""
    part: str = ""
    remarks: tuple[Sentence, ...] = ()
    limits: tuple[Limit, ...] = ()
    risks: tuple[Risk, ...] = ()
    automatic: bool = False
    why_not: Sentence = NOTHING
    """Why it is compared with nothing although there are limits or risks; it ends the note, too."""
    refused: tuple[tuple[str, Sentence], ...] = ()
    """Standards that limit it, though not for this body or push, with the reason."""
    until: float | None = None
    """When its run ended (s), if that was before its time or the figure still rose: what would have come is not known."""
    spoilt: Sentence = NOTHING
    """What its region went through before it was over: nothing of that is judged."""

    @property
    def note(self) -> str:
        """Say how it came about."""
        no_verdict = (Sentence("no verdict: {why}", why=self.why_not),) if self.why_not else ()
        if self.spoilt:
            no_verdict = (Sentence("not judged: {why}", why=self.spoilt),)
        return str(joined("; ", (*self.remarks, *no_verdict)))

    @property
    def no_verdict(self) -> str:
        """Say why it is compared with nothing; empty where it is compared, or nothing is known."""
        return tr("not judged: {why}", why=self.spoilt) if self.spoilt else str(self.why_not)

    @property
    def is_spoilt(self) -> bool:
        """Tell whether it would be compared with a limit, had its region not gone through something."""
        return bool(self.spoilt) and any(why == self.spoilt for _, why in self.refused)

    @property
    def strictest(self) -> Limit | None:
        """Give the lowest limit; none where there is no limit."""
        return min(self.limits, key=lambda one: one.limit) if self.limits else None

    @property
    def share(self) -> float | None:
        """Give the value as a part of the lowest limit; none where there is no limit."""
        return self.value / min(one.limit for one in self.limits) if self.limits else None

    @property
    def verdict(self) -> Verdict:
        """Judge it by its part of the limit; what a run that ended early had not reached by then is open."""
        if self.share is None:
            return ""
        if self.share > 1.0:
            return "bad"
        if self.until is not None:
            return "open"
        return "near" if self.share >= NEAR else "good"

    @property
    def share_said(self) -> str:
        """Write its part of the limit, until when that is known where more may come, or that it is not judged."""
        if self.share is None:
            return tr("not judged") if self.is_spoilt else ""
        part = f"{100.0 * self.share:.0f} %"
        if self.verdict != "open" or self.until is None:
            return part
        return tr("{part} until {ms:.0f} ms", part=part, ms=1e3 * self.until)

    def stored(self) -> InjuryValue:
        """Give the part of it that stands in a results file."""
        channel = " + ".join(self.channels)
        return InjuryValue(
            self.name, self.value, self.unit, self.t1, self.t2, channel, max(self.filters)
        )

    def under(self, standards: Sequence[str]) -> Figure:
        """Give it with the limits of some standards alone."""
        limits = tuple(one for one in self.limits if one.standard in standards)
        why = NOTHING
        if not limits and not self.spoilt:
            # those of the body's own size stand last
            why = next((why for one, why in self.refused[::-1] if one in standards), NOTHING)
        return replace(self, limits=limits, why_not=why)


@dataclass(frozen=True, slots=True)
class Judged:
    """Hold a body: who it is, from where it is pushed, and which standards have limits for that."""

    name: str
    who: Who
    way: Way
    standards: tuple[str, ...] = ()
    untouched: Sentence = NOTHING
    """That nothing touched the head, so that HIC is of its motion alone; empty where something did."""
    load: str = ""
    """The load case that the project names."""

    @property
    def said(self) -> Sentence:
        """Say who it is and what it is compared with."""
        what = joined("; ", (self.who.said, pushed_words(self.way), self.untouched))
        if self.name:
            what = Sentence("{name}: {what}", name=self.name, what=what)
        if not self.standards:
            return what
        names = ", ".join(reference().standards[one].name for one in self.standards)
        return Sentence("{what}; limits of {standards}", what=what, standards=names)


@dataclass(frozen=True, slots=True)
class Score:
    """Hold what a rating gives one body: a value, out of how much, its parts, and what it leaves out."""

    name: str
    body: str
    value: float
    best: float
    parts: tuple[tuple[Sentence, str], ...]
    """Names and written values."""
    stars: int = 0
    notes: tuple[Sentence, ...] = ()

    @property
    def said(self) -> Sentence:
        """Say it in one line."""
        lead = f"{self.body}: " if self.body else ""
        detail = ", ".join(f"{part} {value}" for part, value in self.parts)
        if self.stars:
            return Sentence(
                "{lead}{name}, if this were its test: {stars} of 5 stars, relative risk {value:.3g} ({detail})",
                lead=lead, name=self.name, stars=self.stars, value=self.value, detail=detail,
            )  # fmt: skip
        points = Sentence(
            "{lead}{name}, if this were its test: {value:.3g} of {best:g} points ({detail})",
            lead=lead, name=self.name, value=self.value, best=self.best, detail=detail,
        )  # fmt: skip
        return joined("; ", (points, *self.notes))


@dataclass(frozen=True, slots=True)
class Assessment:
    """Hold all figures of a run, and why others could not be computed."""

    figures: tuple[Figure, ...]
    missing: tuple[tuple[str, Sentence], ...] = ()
    """Name and reason."""
    bodies: tuple[Judged, ...] = ()
    scores: tuple[Score, ...] = ()
    standards: tuple[str, ...] = ()
    """The standards whose limits alone it shows; none: all that fit."""
    until: float | None = None
    """When the run ended before its time (s)."""
    withheld: tuple[Sentence, ...] = ()
    """Ratings that are not given, with the reason."""

    def __getitem__(self, name: str) -> Figure:
        """Give one figure."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise ResultsError("There is no injury figure '{name}' in this run.", name=name)

    def under(self, standards: Sequence[str]) -> Assessment:
        """Give it with the limits of some standards alone, and what they limit that is not among the figures."""
        for one in standards:
            if one not in reference().standards:
                known = ", ".join(reference().standards)
                raise ResultsError(
                    "There is no standard '{name}'. There are: {known}.", name=one, known=known
                )
        if not standards:
            return self
        figures = tuple(figure.under(standards) for figure in self.figures)
        lacking = tuple(_lacking(self, reference().standards[one]) for one in standards)
        missing = (*self.missing, *(pair for pairs in lacking for pair in pairs))
        return replace(self, figures=figures, missing=missing, standards=tuple(standards))

    @property
    def reasons(self) -> Mapping[Sentence, list[str]]:
        """Give the figures that each reason stopped."""
        reasons: dict[Sentence, list[str]] = {}
        for name, why in self.missing:
            reasons.setdefault(why, []).append(name)
        return reasons

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """Give a line for each reason, with the figures that it stopped."""
        return tuple(
            Sentence("note: not computed: {figures}. {why}", figures=", ".join(names), why=why)
            for why, names in self.reasons.items()
        )

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Name the figures with limits or risks that were not compared with any text."""
        return tuple(
            f.name
            for f in self.figures
            if any(limit.unchecked for limit in f.limits) or any(risk.unchecked for risk in f.risks)
        )

    @property
    def said(self) -> tuple[Sentence, ...]:
        """Say who the bodies are, what they are compared with, their scores, and which standard says nothing."""
        used = {one.standard for f in self.figures for one in f.limits}
        used |= {one for f in self.figures for one, why in f.refused if why and why == f.spoilt}
        idle = tuple(
            Sentence(
                "{standard}: no limit for these bodies and pushes",
                standard=reference().standards[one].name,
            )
            for one in self.standards
            if one not in used
        )
        early = (
            (Sentence("not rated: the run ended early, at {ms:.0f} ms", ms=1e3 * self.until),)
            if self.until is not None and self.bodies
            else ()
        )
        rated = (one.said for one in self.scores)
        return (*(one.said for one in self.bodies), *rated, *self.withheld, *early, *idle)


def _lacking(found: Assessment, standard: Standard) -> list[tuple[str, Sentence]]:
    """Name what a standard limits for a body of the run, pushed as it is, though no figure tells of it."""
    out = []
    for body in found.bodies:
        known = {f.criterion: f for f in found.figures if f.body == body.name}
        known |= {_key(f): f for f in known.values()}
        # the load of a strap is no body's
        known |= {f.criterion: f for f in found.figures if not f.body}
        told = {name for name, _ in found.missing}
        lead = f"{body.name}." if body.name else ""
        for key, limits in reference().limits.items():
            asked = [
                one
                for one in limits
                if one.standard == standard.id
                and (body.who.size in one.sizes or not one.sizes)
                and (not one.push or body.way in one.push)
                and belongs(standard.id, body.load)
            ]
            if asked and key not in known and lead + key not in told:
                why = Sentence(
                    "{standard} limits it ({source}), and nothing in the project measures it.",
                    standard=standard.name,
                    source=asked[0].source,
                )
                out.append((lead + key, why))
    return out


def _key(figure: Figure) -> str:
    """Give the name under which a figure has limits."""
    return key_of(figure.criterion, figure.part)


def key_of(criterion: str, part: str) -> str:
    """Give the name under which a criterion of a part has limits; empty where it has none."""
    if criterion == "3ms":
        return {"head": "head_3ms", "upper_torso": "chest_3ms"}.get(part, "")
    if criterion == "3ms_in_one":
        return "chest_3ms" if part == "upper_torso" else ""
    return criterion
