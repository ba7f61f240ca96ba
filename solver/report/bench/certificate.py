"""The certificate of a dummy: verdict, figures beside their corridors, curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.bench.running import Result
from solver.bench.sayings import conditions, corridor, margin, said, value
from solver.bench.table import TITLES, bench_tests
from solver.bodies import library_body
from solver.report.bench.left_open import left_open
from solver.report.bench.panels import panels
from solver.report.content import Cell, Content, Table, text
from solver.report.content import Verdict as Sentence
from solver.report.make import Report
from solver.version import __version__
from solver.words import msgid, tr


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
            injury=_table(results[0]),
            tables=(*(_table(r) for r in results[1:]), *left_open(name)),
            settings=empty,
            panels=tuple(panel for r in results for panel in panels(r)),
            lists=tuple(_lists(results)),
        )
    )


def _lists(results: Sequence[Result]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for r in results:
        if r.passages:
            title = tr("What passed through what: {test}", test=tr(TITLES[r.test.kind]))
            yield title, r.passages
    yield tr("What this says"), (tr(VALID),)


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
        f"{tr(TITLES[test.kind])}: {test.paragraph}",
        (tr("Figure"), tr("Asked"), tr("Found"), tr("Margin")),
        rows,
        (0.42, 0.26, 0.2, 0.12),
        tuple(filter(None, (conditions(test),))),
    )
