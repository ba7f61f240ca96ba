"""A deck's printed tables beside our run, as a page: a row for each table, and all curves, printed and computed."""

from __future__ import annotations

from collections.abc import Sequence

from solver.base.places import __version__
from solver.base.words import msgid, tr
from solver.exchange.decks.compared import Compared, Comparison
from solver.report.content import Cell, Content, Panel, Section, Table, Tone, Verdict, text
from solver.report.make import Report
from solver.report.plots import Curve

CLOSE, NEAR = 0.02, 0.1
"""Largest difference, in parts of the table's peak, that counts as close, and as near."""
HEADS = (msgid("Table"), msgid("Column"), msgid("Largest difference"), msgid("of the peak"), msgid("at"), msgid("Rating (ISO/TS 18571)"))  # fmt: skip


def compared_page(found: Comparison) -> Report:
    """Write up a comparison; `save` of it writes HTML or PDF."""
    close = sum(all(one.part <= CLOSE for one in columns) for columns in found.tables.values())
    verdicts = [
        Verdict(
            "good" if close == len(found.tables) else "near",
            tr("{close} of {count} tables are within 2 % of their peaks up to {until:g} ms.",
               close=close, count=len(found.tables), until=1e3 * found.until_s),
        ),
        *(Verdict("near", str(note)) for note in found.notes),
    ]  # fmt: skip
    engine = Table(tr("Engine"), (tr("Manikin"),), ((text(__version__),),), (1.0,))
    return Report(
        Content(
            title=tr("Printed and computed: {deck}", deck=found.title), subtitle=tr("Run '{run}'", run=found.run),
            runs=(), verdicts=tuple(verdicts), pictures=(), pulse=None, injury=overview(found), tables=(), settings=engine,
            studies=tuple(_section(name, columns) for name, columns in found.tables.items()),
        )
    )  # fmt: skip


def overview(found: Comparison) -> Table:
    """A row for each table: its worst column, by the largest difference in parts of the peak."""
    rows = [_row(name, max(columns, key=lambda one: one.part)) for name, columns in found.tables.items()]  # fmt: skip
    return _table(tr("Tables, each by its worst column"), rows)


def _table(title: str, rows: Sequence[tuple[Cell, ...]]) -> Table:
    widths = (0.34, 0.18, 0.14, 0.1, 0.1, 0.14)[-len(rows[0]) :]
    heads = tuple(tr(one) for one in HEADS[-len(rows[0]) :])
    return Table(title, heads, tuple(rows), widths)


def _row(name: str, one: Compared) -> tuple[Cell, ...]:
    tone: Tone = "good" if one.part <= CLOSE else "near" if one.part <= NEAR else "bad"
    rated = "–" if one.rating is None else f"{one.rating.whole:.3f} {tr(one.rating.grade)}"
    return (
        text(name), text(one.printed.axis), Cell(f"{one.largest:.4g} {one.printed.unit}", number=True),
        Cell(f"{100.0 * one.part:.2f} %", tone, number=True), Cell(f"{1e3 * one.at_s:g} ms", number=True), Cell(rated),
    )  # fmt: skip


def _section(name: str, columns: tuple[Compared, ...]) -> Section:
    rows = [_row(name, one)[1:] for one in columns]
    panels = tuple(
        Panel(
            f"{name}: {one.printed.axis}",
            (Curve(1e3 * one.printed.time, one.printed.value, one.printed.unit, tr("printed")),
             Curve(1e3 * one.printed.time, one.value, one.printed.unit, tr("computed"))),
            tr("time [ms]"),
        )
        for one in columns
        if one.printed.value.any() or one.largest > 0.0
    )  # fmt: skip
    return Section(name, (), (_table(tr("Columns"), rows),), panels=panels)
