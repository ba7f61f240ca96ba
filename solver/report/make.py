"""Make a report of one run, or of several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from solver.base.atomic import write_atomic
from solver.base.places import __version__
from solver.base.words import Sentence, msgid, plural, tr
from solver.injury.figures import figure_name
from solver.project.names import told_apart, with_names
from solver.report.content import Content, Picture, Table, Tone, Verdict
from solver.report.explaining import story
from solver.report.gather import ReportError, Subject, distinct
from solver.report.html_page import as_html
from solver.report.injury_table import dummy_tables, figures_in_full, injury_table, region_table
from solver.report.panels import backwards, instants, panels, posture_table, pulse_panel
from solver.report.pdf_page import as_pdf
from solver.report.scene import Scene, View, cameras, drawn, scenes
from solver.report.studies import study_section
from solver.report.tables import (
    contact_table,
    energy_table,
    impact_table,
    percent,
    restraint_table,
    settings_table,
    tone_of,
)
from solver.results.events import lacks
from solver.results.trajectory import Trajectory
from solver.running.outputs.curve_range import gains, guesses
from solver.scene.instant import LOOKS, Looks
from solver.studies import Band, StudyResult
from solver.studies.band import BAND

PICTURE_HEIGHT = 440
NAMED = 5
"""Exceeded limits that the verdict names."""
BALANCED, NEARLY = 0.01, 0.05
"""Parts of the greatest energy below which an account is balanced, or nearly so."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a report says; write it as HTML or PDF."""

    content: Content

    def html(self) -> str:
        """One self-contained page."""
        return as_html(self.content)

    def save(self, path: Path | str) -> Path:
        """Write the report by the ending of its file, .html or .pdf, whole or not at all."""
        target = Path(path)
        ending = target.suffix.lower()
        if ending not in (".html", ".htm", ".pdf"):
            raise ReportError("'{target}' must end in .html or .pdf.", target=target.name)
        try:
            if ending == ".pdf":
                write_atomic(target, as_pdf(self.content))
            else:
                write_atomic(target, self.html())
        except OSError as failure:
            raise ReportError(
                "'{target}' cannot be written: {strerror}.",
                target=target,
                strerror=(failure.strerror or failure),
            ) from None
        return target


def report(
    run: Trajectory,
    *others: Trajectory,
    labels: Sequence[str] = (),
    units: str = "metric",
    studies: Sequence[StudyResult] = (),
    left_out: Sequence[Sentence] = (),
    standards: Sequence[str] = (),
    explained: bool = False,
    looks: Looks = "skin",
    around: bool = True,
) -> Report:
    """Report on a run, or on several side by side: verdict, pictures, tables, curves, and a section for each study.

    `labels` names the runs, by their files if not given; `units` is the display system; `left_out` says which study
    files do not stand in it, and why. Whether a study is of
    the model of the report is asked of the last run. With `standards`, such as "un_r94", figures are compared with
    the limits of these alone. `explained` adds what happened when, with pictures, what made the peaks, and where the
    energy came from and went. `looks` says how pictures show people: with their "skin", as the engine's "shapes", or "both"; `around` adds what usually
    stands around them.
    """
    if looks not in LOOKS:
        raise ReportError("'{looks}' is none of {all}.", looks=looks, all=", ".join(LOOKS))
    runs = [run, *others]
    names = list(labels) or [""] * len(runs)
    if len(names) != len(runs):
        raise ReportError(
            "There are {runs} runs and {labels} labels.", runs=len(runs), labels=len(names)
        )
    subjects = [Subject(one, name, standards) for one, name in zip(runs, names, strict=True)]
    studies = _without_bands(subjects, studies)
    lead, short = told_apart(distinct([s.label for s in subjects]))
    for subject, name in zip(subjects, short, strict=True):
        subject.label = name
    content = _content(subjects, units, studies, left_out, lead, looks, around)
    if explained:
        stories = [story(s, units, looks, around) for s in subjects]
        if len(subjects) > 1:
            stories = [
                replace(one, title=f"{one.title}: {s.label}")
                for one, s in zip(stories, subjects, strict=True)
            ]
        content = replace(content, stories=tuple(stories))
    return Report(content)


def _content(
    subjects: Sequence[Subject],
    units: str,
    studies: Sequence[StudyResult],
    left_out: Sequence[Sentence],
    lead: str,
    looks: Looks,
    around: bool,
) -> Content:
    """Gather all of it; `lead` is what the names of all runs began with."""
    titles = list(dict.fromkeys(s.facts.title or s.label for s in subjects))
    tables = [
        table
        for table in (
            *(posture_table(s, units) for s in subjects),
            restraint_table(subjects, units),
            contact_table(subjects, units),
            *(impact_table(s) for s in subjects),
        )
        if table is not None
    ]
    full = [
        (tr("Injury figures of {run}", run=s.label), figures_in_full(s))
        for s in subjects
        if s.assessment.figures
    ]
    lists: list[tuple[str, tuple[str, ...]]] = [
        (
            tr("Figures of {run} that were not computed", run=s.label),
            tuple(f"{', '.join(names)}. {why}" for why, names in s.assessment.reasons.items()),
        )
        for s in subjects
        if s.assessment.missing
    ]
    lists = [*full, *lists]
    lists += [
        (
            tr("What passed through what in {run}", run=s.label),
            tuple(with_names(s.project, p.sentence()) for p in s.passages),
        )
        for s in subjects
        if s.passages
    ]
    lists += [
        (tr("Log of {run}", run=s.label), tuple(with_names(s.project, line) for line in s.run.log))
        for s in subjects
        if s.run.log
    ]
    for s in subjects:
        words = [w for w in (s.project.note, s.project.source) if w]
        if words and len(subjects) == 1:
            lists.insert(0, (tr("The model"), tuple(words)))
    return Content(
        title=titles[0] if len(titles) == 1 else _compared(len(subjects)),
        subtitle=lead + _and([s.label for s in subjects]) if len(titles) == 1 else _and(titles),
        runs=tuple(s.label for s in subjects),
        verdicts=(
            *(v for s in subjects for v in _verdicts(s, len(subjects))),
            *(Verdict("near", str(one)) for one in left_out),
        ),
        pictures=_pictures(subjects, looks, around),
        pulse=pulse_panel(subjects, units),
        injury=injury_table(subjects),
        tables=(*tables, energy_table(subjects), *_dummies(subjects)),
        settings=settings_table(subjects, __version__),
        panels=panels(subjects, units),
        regions=region_table(subjects),
        studies=tuple(study_section(one, subjects[-1].project, units) for one in studies),
        lists=tuple(lists),
    )


def _without_bands(
    subjects: Sequence[Subject], studies: Sequence[StudyResult]
) -> list[StudyResult]:
    """Give each run the band of its model, if that is among the studies; the others get sections."""
    bands = [Band(one) for one in studies if one.study.id == BAND]
    for subject in subjects:
        subject.band = next((one for one in bands if one.is_of(subject.project)), None)
    return [one for one in studies if one.study.id != BAND]


def _compared(count: int) -> str:
    return tr("Two runs compared") if count == 2 else tr("{count} runs compared", count=count)


def _and(names: Sequence[str]) -> str:
    """Name all: 'a', 'a and b', 'a, b and c'."""
    return tr(" and ").join(filter(None, (", ".join(names[:-1]), names[-1])))


def _dummies(subjects: Sequence[Subject]) -> list[Table]:
    """The tables of dummies, each once."""
    return list(dict.fromkeys(table for s in subjects for table in dummy_tables(s)))


def _verdicts(s: Subject, count: int) -> list[Verdict]:
    lead = f"{s.label}: " if count > 1 else ""
    out = []
    if s.facts.status != "completed":
        # of one that was cancelled there is nothing more to say
        why = s.facts.message if s.facts.status != "cancelled" else ""
        words = tr(
            "the run is {status}, at {ms:.0f} ms: all that follows is of what it found until then",
            status=tr(s.facts.status),
            ms=1e3 * float(s.time[-1]) if len(s.time) else 0.0,
        )
        out.append(Verdict("bad", _with_run_name(lead, f"{words}. {why}" if why else words)))
    made = gains(s.run.notes)
    if made:
        more = tr(", and {count} more in the log", count=len(made) - 1) if len(made) > 1 else ""
        words = tr(
            "energy from nowhere: {first}{more}", first=with_names(s.project, made[0]), more=more
        )
        out.append(Verdict("near", _with_run_name(lead, words)))
    guessed = guesses(s.run.notes)
    if guessed:
        more = tr(", and {count} more in the log", count=len(guessed) - 1)
        words = tr(
            "a force without a curve: {first}{more}",
            first=with_names(s.project, guessed[0]),
            more=more if len(guessed) > 1 else "",
        )
        out.append(Verdict("near", _with_run_name(lead, words)))
    lacking = lacks(s.run.events())
    if lacking:
        more = tr(", and {count} more in the log", count=len(lacking) - 1)
        more = more if len(lacking) > 1 else ""
        words = tr(
            "impulses are not whole: {first}{more}",
            first=with_names(s.project, lacking[0]),
            more=more,
        )
        out.append(Verdict("near", _with_run_name(lead, words)))
    if s.passages:
        first = s.passages[0]
        more = (
            tr(", and {count} pairs less deep", count=len(s.passages) - 1)
            if len(s.passages) > 1
            else ""
        )
        out.append(
            Verdict(
                "bad",
                _with_run_name(
                    lead,
                    tr(
                        "bodies went through or deep into others: {first}{more}",
                        first=with_names(s.project, first.sentence()),
                        more=more,
                    ),
                ),
            )
        )
    out += [
        Verdict("bad", _with_run_name(lead, with_names(s.project, one.sentence())))
        for one in s.submarining
    ]
    out += [Verdict("near", _with_run_name(lead, words)) for words in backwards(s)]
    share = s.energy_share()
    tone: Tone = "good" if share <= BALANCED else "near" if share <= NEARLY else "bad"
    words = {
        "good": msgid("energy balanced: at most {part} left over"),
        "near": msgid("energy nearly balanced: at most {part} left over"),
        "bad": msgid("energy not balanced: at most {part} left over"),
    }[tone]
    energy = Verdict(tone, _with_run_name(lead, tr(words, part=percent(share))))
    return [*out, _limits(s, lead), *_left_open(s, lead), energy]


def _left_open(s: Subject, lead: str) -> list[Verdict]:
    """Say which limits the assumed numbers leave open, or that nobody has looked."""
    if s.band is None:
        n = len(s.project.assumed)
        words = plural(
            "{n} number of this model is assumed: the band of its range, which is not in this report, shows what that leaves open",
            "{n} numbers of this model are assumed: the band of their ranges, which is not in this report, shows what they leave open",
            n,
        )
        return [Verdict("muted", _with_run_name(lead, words))] if n else []
    open_ = [
        f"{figure_name(f)} {one.text}, {one.decided}"
        for f in s.assessment.figures
        if f.strictest and (one := s.band.figures.get(f.name)) and one.high > f.strictest.limit >= one.low
    ]  # fmt: skip
    about = str(s.band.said)
    if not open_:
        words = tr("assumed numbers decide about no limit ({band})", band=about.rstrip("."))
        return [Verdict("plain", _with_run_name(lead, words))]
    more = tr(" and {count} more", count=len(open_) - NAMED) if len(open_) > NAMED else ""
    words = tr("assumed numbers leave open whether limits are kept: {open}{more} ({band})", open="; ".join(open_[:NAMED]), more=more, band=about.rstrip("."))  # fmt: skip
    return [Verdict("near", _with_run_name(lead, words))]


def _limits(s: Subject, lead: str) -> Verdict:
    """Say how many limits are exceeded, or which is nearest."""
    limited = [f for f in s.assessment.figures if f.share is not None]
    limited.sort(key=lambda f: (f.share or 0.0, figure_name(f)), reverse=True)
    shares = [(f.share or 0.0, figure_name(f)) for f in limited]
    spoilt = [f for f in s.assessment.figures if f.is_spoilt]
    if spoilt:
        left = tr("{count} figures are not judged", count=len(spoilt))
        if not shares or shares[0][0] <= 1.0:
            why = with_names(s.project, spoilt[0].spoilt)
            return Verdict("bad", _with_run_name(lead, tr("{left}: {why}", left=left, why=why)))
    if not shares:
        return Verdict(
            "muted", _with_run_name(lead, tr("no figure of this run has a limit to compare with"))
        )
    over = [f"{name} ({100.0 * share:.0f} %)" for share, name in shares if share > 1.0]
    if over:
        more = tr(" and {count} more", count=len(over) - NAMED) if len(over) > NAMED else ""
        words = tr(
            "{exceeded} of {count} limits exceeded: {over}{more}",
            exceeded=len(over),
            count=len(shares),
            over=", ".join(over[:NAMED]),
            more=more,
        )
        return Verdict("bad", _with_run_name(lead, words))
    share, name = shares[0]
    words = msgid("within all {count} limits; nearest is {name} at {part:.0f} %")
    if len(shares) == 1:
        words = msgid("within the one limit, {name} at {part:.0f} %")
    words = tr(words, count=len(shares), name=name, part=100.0 * share)
    if s.facts.status != "completed":
        # what comes later may be worse
        return Verdict("muted", _with_run_name(lead, tr("until then {words}", words=words)))
    return Verdict(tone_of(limited[0]), _with_run_name(lead, words))


def _with_run_name(lead: str, words: str) -> str:
    """Begin a sentence with the name of its run, or with a capital."""
    return lead + words if lead else words[0].upper() + words[1:]


def _pictures(
    subjects: Sequence[Subject], looks: Looks, around: bool = True
) -> tuple[Picture, ...]:
    """Draw the side view at start and peak of each run, and of a single run the front view too; all at one scale."""
    first = subjects[0]
    strip = instants(first) if len(subjects) == 1 else ()
    if len(strip) > 2 and posture_table(first, "metric") is not None:
        words = [f"{1e3 * one.time:.0f} ms, {one.what}" if one.frame else tr("start") for one in strip]  # fmt: skip
        shots = scenes(first.project, first.run, [one.frame for one in strip], looks, around)
        return _drawn(first, words, shots, "side")
    captions, shots = [], []
    runs = [n for n, _ in enumerate(subjects) for _ in range(2)]
    for s in subjects:
        lead = f"{s.label}, " if len(subjects) > 1 else ""
        captions += [lead + tr("start"), f"{lead}{1e3 * s.peak.time:.1f} ms, {s.peak.what}"]
        shots += scenes(s.project, s.run, (0, s.peak.frame), looks, around)
    if len(subjects) > 1:
        return _drawn(first, captions, shots, "side", runs)
    views: tuple[View, View] = ("side", "front")
    tall = max(one.height_m for view in views for one in cameras(first.project, shots, view))
    made = _drawn(first, captions, shots, "side", height_m=tall)
    ahead = [tr("{caption}, from ahead", caption=one.partition(",")[0]) for one in captions]
    return (*made, *_drawn(first, ahead, shots, "front", height_m=tall))


def _drawn(
    first: Subject,
    captions: Sequence[str],
    shots: Sequence[Scene],
    view: View,
    runs: Sequence[int] = (),
    height_m: float = 0.0,
) -> tuple[Picture, ...]:
    looks = cameras(first.project, shots, view, runs, height_m)
    return tuple(
        Picture(words, drawn(shot, camera, PICTURE_HEIGHT))
        for words, shot, camera in zip(captions, shots, looks, strict=True)
    )
