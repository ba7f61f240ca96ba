"""What the fit of a dummy leaves open: how far its numbers may move, and what other sets that pass would do."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.units import pretty
from solver.base.words import msgid, tr
from solver.bodies.families import FASTER, FURTHEST, Apart, End, Family, Figure, Margin, families_of
from solver.report.bench.panels import SHOWN
from solver.report.content import Cell, Table, figure, text
from solver.studies.bench.sayings import LAWS, said
from solver.studies.bench.table import TITLES, UNITS, bench_tests

OLD = msgid("This is of an older set of numbers: the dummy has changed since.")


def left_open(name: str) -> Iterator[Table]:
    """Give the tables of a dummy; nothing where its fit was not looked at."""
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
    """Name the tests that a number is fitted on, as far as they tell of it."""
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
    return tr("{test}: {verdict}", test=tr(TITLES[test.kind]), verdict=said(test.asked[one.figure]))


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
