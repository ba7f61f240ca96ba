"""Say of what is under the mouse, beside its name, what a run has of it at the instant shown."""

from __future__ import annotations

from app.curves.curves import Curve, Wanted, curve, numbers
from app.curves.present import Reading, readings
from app.study.record import RunRecord
from app.study.study import Study
from solver.base.units import pretty
from solver.results import ResultsError

_FIRST = {"segments": "acceleration", "airbags": "pressure"}
"""Of these lists another value than the first of the inspector's says most."""
_APART = "  ·  "


class Hover:
    """Fetch the row that says most of an element, once while the mouse stays and the run is the same."""

    def __init__(self, study: Study, system: str) -> None:
        self._study, self._system = study, system
        self._of: tuple[RunRecord, str] | None = None
        self._row: tuple[Reading, list[Curve]] | None = None

    def set_units(self, system: str) -> None:
        """Say values in other units."""
        self._system, self._of = system, None

    def told(self, element: str) -> str:
        """Write it: '  ·  force 2.31 kN'; nothing in the model, or while a run goes on."""
        record = self._study.runs.current
        if not self._study.is_on or record is None or not record.has_ended:
            return ""
        if self._of != (record, element):
            self._of, self._row = (record, element), self._fetched(record, element)
        if self._row is None:
            return ""
        reading, curves = self._row
        values = numbers(curves, self._study.player.time)
        return f"{_APART}{reading.words} {values} {pretty(curves[0].unit)}".rstrip()

    def _fetched(self, record: RunRecord, element: str) -> tuple[Reading, list[Curve]] | None:
        quantities = self._study.catalogue.of(record)
        if quantities is None:
            return None
        rows = readings(record.project, quantities.infos, element)
        wanted = _FIRST.get(element.partition("/")[0], "")
        rows.sort(key=lambda row: wanted not in row.names[0].split("/"))
        if not rows:
            return None
        try:
            found = [curve(record.project, quantities, Wanted(n), self._system) for n in rows[0].names]  # fmt: skip
        except ResultsError:
            # a file that lost a table says so where its curves are asked for
            return None
        return rows[0], found
