"""The bench in words and pictures: certificates, curves with what is asked of them, what fits leave open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.base.places import __version__
from solver.base.units import pretty
from solver.base.words import msgid, tr
from solver.bodies import library_body
from solver.bodies.certificates import (
    FASTER,
    FURTHEST,
    Apart,
    End,
    Family,
    Figure,
    Margin,
    families_of,
)
from solver.engine.maths.rotation import Array
from solver.project.study_parts import Asked
from solver.report.content import Cell, Content, Panel, Section, Table, figure, text
from solver.report.content import Verdict as Sentence
from solver.report.make import Report
from solver.report.plots import Band, Curve
from solver.studies.bench.labels import (
    CURVES,
    LAWS,
    conditions,
    corridor,
    figure_label,
    margin,
    value,
)
from solver.studies.bench.running import Curve as Sampled
from solver.studies.bench.running import Result, lost
from solver.studies.bench.table import TITLES, UNITS, BenchTest, bench_tests

# Curves of bench tests as panels, with what is asked of them as bands: corridors, and gates to go through.

_THIN = 0.006
"""Half the width of a gate, in parts of what is drawn."""


@dataclass(frozen=True)
class Shown:
    """Say how a curve is drawn: by its name and unit of the table, over time or over another curve."""

    curve: str
    unit: str
    title: str
    gates: Mapping[str, str]
    """How each figure bounds it: see `_place`."""
    over: str = ""
    over_unit: str = "ms"
    over_title: str = msgid("time [ms]")
    asked_alone: bool = False
    """Whether it is drawn only where one of its figures is asked."""


_CHEST = (
    Shown("force", "N", msgid("Force of the probe"), {"force": "peak"}),
    Shown("deflection", "mm", msgid("Deflection of the sternum"), {"deflection": "peak"}),
    Shown("force", "N", msgid("Force of the probe"), {"force_between": "between"}, "deflection", "mm", msgid("deflection [mm]")),
)  # fmt: skip
_SWUNG = (
    Shown("rotation", "deg", msgid("Rotation of the headform"), {"rotation": "peak"}),
    Shown("moment", "N*m", msgid("Moment at the condyles"), {"moment": "peak", "moment_back": "falls"}, asked_alone=True),
    Shown("lost", "m/s", msgid("Pendulum's loss of speed"), {"speed_loss": "at"}),
)  # fmt: skip
SHOWN: Mapping[str, tuple[Shown, ...]] = {
    "head_side": (Shown("head", "g", msgid("Head acceleration"), {"peak": "peak"}), Shown("lateral", "g", msgid("Acceleration along the head"), {"lateral": "both"})),
    "neck_side": _SWUNG,
    "lumbar_side": _SWUNG,
    "head_drop": (
        Shown("head", "g", msgid("Head acceleration"), {"peak": "peak"}),
        Shown("lateral", "g", msgid("Lateral acceleration"), {"lateral": "both"}),
    ),
    "neck_flexion": (
        Shown("rotation", "deg", msgid("Rotation of the D plane"), {"rotation": "peak", "rotation_back": "falls"}),
        Shown("moment", "N*m", msgid("Moment at the condyles"), {"moment": "peak", "moment_within": "peak", "moment_back": "falls"}),
        Shown("moment", "N*m", msgid("Moment at the condyles"), {"moment_at": "at"}, "rotation", "deg", msgid("rotation [°]"), asked_alone=True),
        Shown("pulse", "g", msgid("Deceleration of the pendulum"), {"pulse_g": "at", "pulse_later": "later", "pulse_falls": "falls"}),
        Shown("lost", "m/s", msgid("Pendulum's loss of speed"), {"speed_loss": "at"}),
    ),
    "thorax": _CHEST,
    "thorax_slow": _CHEST,
    "thorax_pressed": (
        Shown("load", "N", msgid("Force on the sternum"), {"load_at": "at"}, "deflection", "mm", msgid("deflection [mm]")),
        Shown("deflection", "mm", msgid("Deflection of the sternum"), {}),
    ),
    "knee": (Shown("force", "N", msgid("Force of the probe"), {"force": "peak"}),),
    "hip": (Shown("load", "N*m", msgid("Torque at the hip"), {"torque_at": "at", "angle_at": "falls"}, "angle", "deg", msgid("angle above level [°]")),),
    "torso_flexion": (
        Shown("load", "N", msgid("Pull at the head's pin"), {"torque_at": "at"}, "angle", "deg", msgid("lean [°]")),
        Shown("angle", "deg", msgid("Lean of the torso"), {}),
    ),
}  # fmt: skip
"""Curves of a test; a pendulum's loss of speed stands in place of its deceleration where it is judged."""

TIMES = {"rotation": "rotation_time", "moment": "moment_time", "peak_after": "peak_time"}
"""Figures that say when a peak has to be."""


def panels(result: Result) -> Iterator[Panel]:
    """Give the curves of a test with their corridors."""
    asked = {v.asked.figure for v in result.verdicts}
    of: dict[str, Sampled] = dict(result.curves.of)
    if "pulse" in of:
        left_out = "pulse" if "speed_loss" in asked else "lost"
        of["lost"] = lost(of["pulse"])
        del of[left_out]
    for one in _shown(result.test):
        if one.curve not in of or (one.asked_alone and not asked & set(one.gates)):
            continue
        time, y = of[one.curve]
        y = y / UNITS[one.unit][0]
        x = 1e3 * time
        if one.over:
            over = of[one.over]
            if len(over[0]) > len(time):
                # a load that grows as it is told has its corners alone
                time, y = over[0], np.interp(over[0], time, y)
            x = np.interp(time, *over) / UNITS[one.over_unit][0]
        what = tr(one.title)
        yield Panel(
            f"{tr(TITLES[result.test.kind])}: {what}",
            (Curve(x, y, one.unit, what),),
            tr(one.over_title),
            bands=tuple(_bands(result, one, x, y)),
        )


def _shown(test: BenchTest) -> tuple[Shown, ...]:
    """Which curves of a test are drawn: of one from the side those that are asked about."""
    known = SHOWN.get(test.kind.replace("extension", "flexion"))
    return known or tuple(
        Shown(a.of, a.unit, CURVES[a.of], {"peak_after": "peak"})
        for a in test.asked
        if a.figure == "peak_after"
    )


def _bands(result: Result, shown: Shown, x: Array, y: Array) -> Iterator[Band]:
    asked = [v.asked for v in result.verdicts]
    named = False
    for one in asked:
        how = shown.gates.get(one.figure)
        if how is None or one.of not in ("", shown.curve):
            continue
        time = next(
            (a for a in asked if a.figure == TIMES.get(one.figure) and a.of == one.of), None
        )
        (left, right), (low, high) = _place(how, one, time, x, y)
        label = "" if named else tr("what is asked")
        named = True
        yield Band(np.array([left, right]), np.full(2, low), np.full(2, high), shown.unit, label)


Ends = tuple[float, float]


def _place(how: str, one: Asked, time: Asked | None, x: Array, y: Array) -> tuple[Ends, Ends]:
    """Give left and right, low and high end of the band that a figure asks for.

    A `peak` lies within it, at its time where one is asked; `falls` says where the curve passes a level;
    `at` one place, `between` two, `later` than one, it has to be within.
    """
    first, last = float(x.min()), float(x.max())
    low = min(0.0, float(y.min())) if one.low is None else one.low
    high = max(0.0, float(y.max())) if one.high is None else one.high
    thin, flat = _THIN * (last - first), _THIN * float(np.ptp(y)) * 3.0
    at, until = one.at or 0.0, one.until or 0.0
    if how == "both":
        return (first, last), (-high, high)
    if how == "falls":
        return (low, high), (at - flat, at + flat)
    if how == "at":
        return (at - thin, at + thin), (low, high)
    if how == "between":
        return (at, until), (low, high)
    if how == "later":
        return (at, last), (low, high)
    if time is not None and time.low is not None and time.high is not None:
        return (time.low, time.high), (low, high)
    return (first, last), (low, high)


# What the fit of a dummy leaves open: how far its numbers may move, and what other sets that pass would do.

OLD = msgid("This is of an older set of numbers: the dummy has changed since.")


def left_open(name: str) -> Iterator[Table]:
    """The tables of a dummy; nothing where its fit was not looked at."""
    known = families_of(name)
    if known is None:
        return
    old = () if known.is_current else (tr(OLD),)
    yield Table(
        tr("How far each fitted number may move alone"),
        (tr("number"), tr("value"), tr("down to, then fails"), tr("up to, then fails"), tr("a tenth more moves most")),
        tuple(_margin(name, one) for one in known.margins),
        (0.27, 0.13, 0.2, 0.2, 0.2),
        (
            tr(
                "Factors at which all tests are still passed, the others as fitted; looked for up to {furthest:g} either way. "
                "What moves most is told in halves of its corridor.",
                furthest=FURTHEST,
            ),
            *old,
        ),
    )  # fmt: skip
    for family in known.families:
        yield _family(name, family, old)


def in_short(name: str, kind: str) -> str:
    """Say in a line or two what the fit leaves open of what a test is for; empty where nothing is known."""
    known = families_of(name)
    if known is None:
        return ""
    mine = [one for one in known.margins if kind in _kinds(one)]
    if not mine:
        return ""
    tightest = min(mine, key=lambda one: min(one.upper.factor, 1.0 / one.lower.factor))
    words = [
        tr(
            "Of {count} numbers that are fitted with it, '{law}' may move least alone: {low:.0f} to +{high:.0f} %.",
            count=len(mine),
            law=tr(LAWS[tightest.law][0]),
            low=100.0 * (tightest.lower.factor - 1.0),
            high=100.0 * (tightest.upper.factor - 1.0),
        )
    ]
    for family in known.families:
        fast = [one for one in family.curves if one.faster and one.test == kind]
        if fast:
            words.append(
                tr(
                    "{passed} of {tried} other sets pass as well; at {faster:g} times the speed their curves lie up to "
                    "{apart:.0f} % of the peak apart.",
                    passed=family.passed, tried=family.tried, faster=FASTER, apart=100.0 * max(one.apart for one in fast),
                )
            )  # fmt: skip
    return " ".join([*words, *([] if known.is_current else [tr(OLD)])])


def _kinds(one: Margin) -> set[str]:
    """Name the tests that a number is fitted on, as far as they report it."""
    found = {one.moves.test, *(end.fails.test for end in (one.lower, one.upper) if end.fails)}
    both = {"neck_flexion", "neck_extension"}
    return both if found & both else found


def _margin(name: str, one: Margin) -> tuple[Cell, ...]:
    title, unit = LAWS[one.law]
    return (
        text(tr(title)),
        text(f"{one.value:.4g} {pretty(unit)}"),
        text(_end(name, one.lower)),
        text(_end(name, one.upper)),
        text(f"{one.by:+.2f}: {_figure(name, one.moves)}"),
    )


def _end(name: str, end: End) -> str:
    if end.fails is None:
        return tr("{factor:.3g}, none", factor=end.factor)
    return f"{end.factor:.3g}: {_figure(name, end.fails)}"


def _figure(name: str, one: Figure) -> str:
    test = next(t for t in bench_tests(name) if t.kind == one.test)
    return tr(
        "{test}: {verdict}",
        test=tr(TITLES[test.kind]),
        verdict=figure_label(test.asked[one.figure]),
    )


def _family(name: str, family: Family, old: tuple[str, ...]) -> Table:
    ends = ", ".join(
        f"{tr(LAWS[law][0])} {low:.2g}–{high:.2g}" for law, (low, high) in family.spread.items()
    )
    return Table(
        tr("Other sets that pass: {tests}", tests=", ".join(tr(TITLES[t]) for t in _tests(family))),
        (tr("curve"), tr("speed"), tr("peak as fitted"), tr("peaks of the others"), tr("apart at most")),
        tuple(_curve(one) for one in family.curves),
        (0.4, 0.12, 0.16, 0.18, 0.14),
        (
            tr(
                "{passed} of {tried} sets pass, in a walk from the fitted one (seed {seed}). Apart: how far whole curves differ, "
                "in parts of the fitted peak. Factors that they reach: {ends}.",
                passed=family.passed, tried=family.tried, seed=family.seed, ends=ends,
            ),
            *old,
        ),
    )  # fmt: skip


def _tests(family: Family) -> list[str]:
    return list(dict.fromkeys(one.test for one in family.curves))


def _curve(one: Apart) -> tuple[Cell, ...]:
    shown = next(
        s for s in SHOWN[one.test.replace("extension", "flexion")] if s.curve == one.curve and not s.over
    )  # fmt: skip
    size, unit = UNITS[shown.unit][0], pretty(shown.unit)
    speed = tr("{factor:g} times", factor=FASTER) if one.faster else tr("of the test")
    return (
        text(f"{tr(TITLES[one.test])}: {tr(shown.title)}"),
        text(speed),
        Cell(f"{figure(one.peak / size, 3).text} {unit}", number=True),
        Cell(f"{figure(one.least / size, 3).text} – {figure(one.largest / size, 3).text} {unit}", number=True),
        Cell(f"{100.0 * one.apart:.0f} %", number=True),
    )  # fmt: skip


# The certificate of a dummy: verdict, what its fit leaves open, and a page for each test: figures beside their corridors, curves.


def certificate(name: str, results: Sequence[Result]) -> Report:
    """The certificate of a dummy as a report, to be written as HTML or PDF."""
    body = library_body(name)
    passed = sum(r.passed for r in results)
    verdicts = [
        Sentence(
            "good" if passed == len(results) else "bad",
            tr("{passed} of {count} tests are passed.", passed=passed, count=len(results)),
        )
    ]
    for r in results:
        bad = [v for v in r.verdicts if not v.passed]
        label = "; ".join(f"{figure_label(v.asked)}: {value(v)} ({corridor(v.asked)})" for v in bad)
        verdicts.append(
            Sentence(
                "bad" if bad else "good",
                tr(
                    "{test}: {verdict}", test=tr(TITLES[r.test.kind]), verdict=label or tr("passed")
                ),
            )
        )
    left = [t for t in bench_tests(name) if all(r.test != t for r in results)]
    if left:
        names = ", ".join(tr(TITLES[test.kind]) for test in left)
        verdicts.append(Sentence("near", tr("Not run: {names}.", names=names)))
    empty = Table(tr("Engine"), (tr("Manikin"),), ((text(__version__),),), (1.0,))
    return Report(
        Content(
            title=tr("Certificate: {body}", body=body.title),
            subtitle=body.source,
            runs=(),
            verdicts=tuple(verdicts),
            pictures=(),
            pulse=None,
            injury=_overview(results),
            tables=tuple(left_open(name)),
            settings=empty,
            studies=tuple(_page(r) for r in results),
        )
    )


def _overview(results: Sequence[Result]) -> Table:
    """A row for each test: how many of its figures are inside, and which of them is nearest to an end."""
    rows = []
    for r in results:
        inside = sum(v.passed for v in r.verdicts)
        nearest = min(r.verdicts, key=lambda v: np.inf if v.margin is None else v.margin)
        rows.append(
            (
                text(tr(TITLES[r.test.kind])),
                text(r.test.paragraph, "muted"),
                Cell(f"{inside} / {len(r.verdicts)}", "good" if r.passed else "bad", number=True),
                text(figure_label(nearest.asked)),
                Cell(margin(nearest), number=True),
            )
        )
    heads = (tr("Test"), tr("Paragraph"), tr("Inside"), tr("Nearest to an end"), tr("Margin"))
    return Table(tr("Tests"), heads, tuple(rows), (0.2, 0.2, 0.1, 0.38, 0.12), (tr(VALID),))


def _page(result: Result) -> Section:
    """The page of a test."""
    label = tr("passed") if result.passed else tr("not passed")
    verdicts = [Sentence("good" if result.passed else "bad", label[:1].upper() + label[1:])]
    verdicts += [Sentence("near", line) for line in result.passages]
    title = f"{tr(TITLES[result.test.kind])}: {result.test.paragraph}"
    return Section(title, tuple(verdicts), (_table(result),), panels=tuple(panels(result)))


VALID = msgid(
    "Each part answers in its bench test as the standard asks of a dummy's. What is marked as assumed in the dummy's "
    "file is not tested by it, and corridors leave room: whole curves at other speeds may differ."
)


def _table(result: Result) -> Table:
    rows = tuple(
        (
            text(figure_label(v.asked)),
            text(corridor(v.asked), "muted"),
            Cell(value(v), "good" if v.passed else "bad", number=True),
            Cell(margin(v), number=True),
        )
        for v in result.verdicts
    )
    test = result.test
    return Table(
        tr("Figures"),
        (tr("Figure"), tr("Asked"), tr("Found"), tr("Margin")),
        rows,
        (0.42, 0.26, 0.2, 0.12),
        tuple(filter(None, (conditions(test),))),
    )
