"""What an assessment holds: figures with all that they rest on, bodies, standards, scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from solver.base.extras import needed
from solver.base.units import plain, pretty
from solver.base.words import NOTHING, Sentence, joined, tr, within
from solver.injury.judging import MatchedDummy, Way, belongs, pushed_words
from solver.injury.reference import Limit, Risk, Standard, reference
from solver.project import Project
from solver.project.names import called, name_of, read_as_words
from solver.results.layout import InjuryValue, ResultsError, layout_label
from solver.results.names import quantity_label

if TYPE_CHECKING:
    from pandas import DataFrame

NEAR = 0.8
"""Part of a limit from which on a figure is near it."""
Verdict = Literal["", "good", "near", "bad", "open"]


@dataclass(frozen=True, slots=True)
class Figure:
    """An injury figure and every choice that it rests on."""

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
        """Whether it would be compared with a limit, had its region not gone through something."""
        return bool(self.spoilt) and any(why == self.spoilt for _, why in self.refused)

    @property
    def strictest(self) -> Limit | None:
        """The lowest limit; none where there is no limit."""
        return min(self.limits, key=lambda one: one.limit) if self.limits else None

    @property
    def share(self) -> float | None:
        """The value as a part of the lowest limit; none where there is no limit."""
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
    def share_text(self) -> str:
        """Write its part of the limit, until when that is known where more may come, or that it is not judged."""
        if self.share is None:
            return tr("not judged") if self.is_spoilt else ""
        part = f"{100.0 * self.share:.0f} %"
        if self.verdict != "open" or self.until is None:
            return part
        return tr("{part} until {ms:.0f} ms", part=part, ms=1e3 * self.until)

    def stored(self) -> InjuryValue:
        """The part of it that stands in a results file."""
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
    """A body: who it is, from where it is pushed, and which standards have limits for that."""

    name: str
    who: MatchedDummy
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
    """What a rating gives one body: a value, out of how much, its parts, and what it leaves out."""

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
    """All figures of a run, and why others could not be computed."""

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
        """One figure."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise ResultsError("There is no injury figure '{name}' in this run.", name=name)

    def __iter__(self) -> Iterator[Figure]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def __bool__(self) -> bool:
        """True: an assessment without figures says why there are none."""
        return True

    def __contains__(self, name: object) -> bool:
        return any(figure.name == name for figure in self.figures)

    def to_frame(self) -> DataFrame:
        """A pandas table: a row for each figure by its name, with its value, unit, window (s), lowest limit and verdict."""
        with needed("frames", ResultsError):
            from pandas import DataFrame, Index

        rows = [
            {
                "value": one.value, "unit": one.unit, "begin_s": one.t1, "end_s": one.t2,
                "limit": None if one.strictest is None else one.strictest.limit,
                "standard": "" if one.strictest is None else one.strictest.standard,
                "part_of_limit": one.share, "verdict": one.verdict, "title": one.title,
            }
            for one in self.figures
        ]  # fmt: skip
        return DataFrame(rows, index=Index([one.name for one in self.figures], name="figure"))

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html(float_format="{:.4g}".format, na_rep=""))

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
        """The figures that each reason stopped."""
        reasons: dict[Sentence, list[str]] = {}
        for name, why in self.missing:
            reasons.setdefault(why, []).append(name)
        return reasons

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """A line for each reason, with the figures that it stopped."""
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
    """Name what a standard limits for a body of the run, pushed as it is, though no figure reports it."""
    out = []
    for body in found.bodies:
        known = {f.criterion: f for f in found.figures if f.body == body.name}
        known |= {_key(f): f for f in known.values()}
        # the load of a strap is no body's
        known |= {f.criterion: f for f in found.figures if not f.body}
        missing = {name for name, _ in found.missing}
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
            if asked and key not in known and lead + key not in missing:
                why = Sentence(
                    "{standard} limits it ({source}), and nothing in the project measures it.",
                    standard=standard.name,
                    source=asked[0].source,
                )
                out.append((lead + key, why))
    return out


def _key(figure: Figure) -> str:
    """The name under which a figure has limits."""
    return key_of(figure.criterion, figure.part)


def key_of(criterion: str, part: str) -> str:
    """The name under which a criterion of a part has limits; empty where it has none."""
    if criterion == "3ms":
        return {"head": "head_3ms", "upper_torso": "chest_3ms"}.get(part, "")
    if criterion == "3ms_in_one":
        return "chest_3ms" if part == "upper_torso" else ""
    return criterion


# Say injury figures and their channels as people do: 'Femur compression, left', not 'femur_compression_left'.

_SHOWN = {"m": ("mm", 1e3), "W": ("kW", 1e-3)}
"""Units in which people say figures and their limits; others are said as they are."""
LEAST = 0.001
"""In the unit in which a figure is said: what is less is of no interest to anybody."""
_AXES = re.compile(r"_(slide|[a-z](, _[a-z])*)$")
_CHANNEL = re.compile(r"(?P<place>.+?)\.(?P<quantity>.+?)_[a-z](, _[a-z])*$")
_AT = re.compile(r"(?P<quantity>.+?)_at_(?P<joint>.+)$")


def shown(value: float, unit: str) -> tuple[float, str]:
    """A value of a figure, or a limit of it, as people say it: a deflection in mm, as standards have it, power in kW."""
    said_unit, factor = _SHOWN.get(unit, (unit, 1.0))
    return factor * value, pretty(said_unit)


def value_text(value: float, unit: str) -> str:
    """Write it with its unit: '31.56 mm', '172.3', '22.12 kW'."""
    number, said_unit = shown(value, unit)
    return f"{written(number)} {said_unit}".rstrip()


def change_text(part: float) -> str:
    """Write a relative change in percent; one that rounds to nothing has no sign."""
    percent = round(100.0 * part, 1)
    return f"{percent:+.1f} %" if percent else "< 0.1 %"


def judged_text(figure: Figure) -> str:
    """Write the value of a figure, and that it is not judged, or only until when it is known."""
    value = value_text(figure.value, figure.unit)
    if figure.is_spoilt:
        return tr("{value}, not judged", value=value)
    if figure.verdict == "open" and figure.until is not None:
        return tr("{value} until {ms:.0f} ms", value=value, ms=1e3 * figure.until)
    return value


def written(number: float, digits: int = 4) -> str:
    """Write a number with so many digits, as people read it: never with a power of ten."""
    if number != 0.0 and abs(number) < LEAST:
        return f"< {LEAST:g}"
    return plain(number, digits)


def figure_text(figure: Figure) -> str:
    """Name a figure with what it stands for: 'HIC15: Head injury criterion, …', 'Femur compression, left'.

    Of several bodies each is named; so is what people have called a figure of their own.
    """
    where, is_short = _where(figure)
    if is_short:
        head = ", ".join(filter(None, (figure.criterion, where, _whose(figure))))
        return f"{head}: {tr(figure.title)}"
    if where and _own(figure).endswith(figure.criterion):
        head = ", ".join(filter(None, (where[:1].upper() + where[1:], _whose(figure))))
        return f"{head}: {tr(figure.title)}"
    return ", ".join(filter(None, (tr(figure.title), where, _whose(figure))))


def figure_name(figure: Figure, whose: bool = True) -> str:
    """Name a figure where there is less room: 'HIC15, Driver', 'Chest 3 ms'; the body only if that is wanted."""
    where, is_short = _where(figure)
    body = _whose(figure) if whose else ""
    if is_short:
        return ", ".join(filter(None, (figure.criterion, where, body)))
    if where and _own(figure).endswith(figure.criterion):
        return ", ".join(filter(None, (short_figure(_own(figure)), body)))
    return ", ".join(filter(None, (tr(figure.title), where, body)))


def _whose(figure: Figure) -> str:
    """Name the body as people do: 'Passenger 2'."""
    return read_as_words(figure.body)


def _own(figure: Figure) -> str:
    return figure.name.removeprefix(f"{figure.body}.").removeprefix(f"{figure.part}.")


def _where(figure: Figure) -> tuple[str, bool]:
    """Say where it is or what people have called it, and whether its criterion is a name by itself, as HIC15 is."""
    criterion, own = figure.criterion, _own(figure)
    # 'HIC' may be what people call a HIC36
    where = (
        "" if criterion.startswith(own) else own.replace(criterion, "").strip("_").replace("_", " ")
    )
    return where, "_" not in criterion and criterion[:1].isupper()


def short_figure(name: str, project: Project | None = None) -> str:
    """Name a figure where there is little room: 'HIC15', 'Chest 3 ms', 'HIC15, Driver'; one that the model asks for by its name there."""
    outputs = () if project is None else project.outputs
    asked = next((output.name for output in outputs if output.id == name and output.name), "")
    if asked:
        return asked
    *whose, own = name.split(".")
    words = re.sub(r"\b3ms\b", tr("3 ms"), own.replace("_", " "))
    return ", ".join([words[:1].upper() + words[1:], *map(read_as_words, whose)])


def channels_text(project: Project, channels: Sequence[str]) -> str:
    """Name the channels of a figure: 'Head: acceleration, angular acceleration'."""
    by_place: dict[str, list[str]] = {}
    outputs = {output.id: name_of(output) for output in project.outputs}
    for channel in channels:
        recorded = outputs.get(_AXES.sub("", channel))
        if recorded is not None:
            by_place.setdefault(recorded, [])
            continue
        found = _CHANNEL.match(channel)
        if found is None:
            by_place.setdefault(quantity_label(project, channel), [])
            continue
        by_place.setdefault(_element_label(project, found["place"]), []).append(
            _quantity(project, found["quantity"])
        )
    return "; ".join(
        f"{place}: {', '.join(what)}" if what else place for place, what in by_place.items()
    )


def figure_segment(project: Project, figure: Figure) -> str:
    """Name the segment on which a figure's first channel is measured; of a joint, or of its slide, its child. Empty where there is none."""
    segments = {one.id for one in project.segments}
    children = {joint.id: joint.child for joint in project.joints}
    outputs = {output.id: output for output in project.outputs}
    for channel in figure.channels:
        recorded = outputs.get(_AXES.sub("", channel))
        found = _CHANNEL.match(channel)
        place = found["place"] if found is not None else channel
        if recorded is not None:
            place = getattr(recorded, "segment", "") or getattr(recorded, "joint", "")
        elif place not in segments:
            # what a sensor of a body reports a joint's slide is of what slides
            place = place.partition(".")[0]
        place = children.get(place, place)
        if place in segments:
            return place
    return ""


def _quantity(project: Project, words: str) -> str:
    at = _AT.match(words)
    if at is None:
        return layout_label(words)
    joint = _element_label(project, at["joint"])
    return tr("{what} at {joint}", what=layout_label(at["quantity"]), joint=within(joint))


def _element_label(project: Project, name: str) -> str:
    """Name a segment or a joint; what is neither keeps its name."""
    items = (*project.segments, *project.joints)
    return next((called(project, item) for item in items if item.id == name), name)
