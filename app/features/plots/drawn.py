"""Which runs the plots draw."""

from __future__ import annotations

from app.study.record import RunRecord
from app.study.study import Study
from solver.results.quantities import Quantities


def beside(study: Study, record: RunRecord, *, all_: bool) -> list[RunRecord]:
    """List the runs to draw beside the current one, and all where that is wanted."""
    records = study.runs.records if all_ else []
    found = dict.fromkeys([*study.beside(record), *records])
    return [r for r in found if r is not record and not r.is_running]


def drawn(
    study: Study, record: RunRecord, found: Quantities, others: list[RunRecord]
) -> tuple[RunRecord, Quantities, list[RunRecord]]:
    """Give the run whose curves are drawn, what it can be asked for, and the runs beside it.

    One that is coming is drawn while it grows; what it takes the place of stays faintly beside it until then.
    """
    coming = study.coming
    grown = None if coming is None else study.catalogue.of(coming)
    if coming is None or grown is None or not coming.is_running:
        return record, found, others
    return coming, grown, list(dict.fromkeys([*others, record]))
