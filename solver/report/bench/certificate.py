"""The certificate of a dummy: verdict, what its fit leaves open, and a page for each test: figures beside their corridors, curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.base.places import __version__
from solver.base.words import msgid, tr
from solver.bodies import library_body
from solver.report.bench.left_open import left_open
from solver.report.bench.panels import panels
from solver.report.content import Cell, Content, Section, Table, text
from solver.report.content import Verdict as Sentence
from solver.report.make import Report
from solver.studies.bench.running import Result
from solver.studies.bench.sayings import conditions, corridor, margin, said, value
from solver.studies.bench.table import TITLES, bench_tests


def certificate(name: str, results: Sequence[Result]) -> Report:
    """Give the certificate of a dummy as a report, to be written as HTML or PDF."""
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
        told = "; ".join(f"{said(v.asked)}: {value(v)} ({corridor(v.asked)})" for v in bad)
        verdicts.append(
            Sentence(
                "bad" if bad else "good",
                tr("{test}: {verdict}", test=tr(TITLES[r.test.kind]), verdict=told or tr("passed")),
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
    """Give a row for each test: how many of its figures are inside, and which of them is nearest to an end."""
    rows = []
    for r in results:
        inside = sum(v.passed for v in r.verdicts)
        nearest = min(r.verdicts, key=lambda v: np.inf if v.margin is None else v.margin)
        rows.append(
            (
                text(tr(TITLES[r.test.kind])),
                text(r.test.paragraph, "muted"),
                Cell(f"{inside} / {len(r.verdicts)}", "good" if r.passed else "bad", number=True),
                text(said(nearest.asked)),
                Cell(margin(nearest), number=True),
            )
        )
    heads = (tr("Test"), tr("Paragraph"), tr("Inside"), tr("Nearest to an end"), tr("Margin"))
    return Table(tr("Tests"), heads, tuple(rows), (0.2, 0.2, 0.1, 0.38, 0.12), (tr(VALID),))


def _page(result: Result) -> Section:
    """Give the page of a test."""
    told = tr("passed") if result.passed else tr("not passed")
    verdicts = [Sentence("good" if result.passed else "bad", told[:1].upper() + told[1:])]
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
            text(said(v.asked)),
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
