"""What each run can be asked for: one catalogue of a run, for all panels that show its curves."""

from __future__ import annotations

from contextlib import suppress
from weakref import WeakKeyDictionary

from app.study.record import RunRecord
from solver.results import ResultsError, Trajectory
from solver.results.quantities import Quantities, quantities


class Catalogue:
    """Keep the quantities of runs that have ended, as they do not change any more, and grow those of others."""

    def __init__(self) -> None:
        self._ended: WeakKeyDictionary[RunRecord, tuple[Trajectory, Quantities]] = (
            WeakKeyDictionary()
        )
        self._growing: WeakKeyDictionary[RunRecord, Quantities] = WeakKeyDictionary()

    def of(self, record: RunRecord) -> Quantities | None:
        """Give what a run can be asked for; none before its first instant."""
        # asked first: the solver may end the run between the two
        has_ended = record.has_ended
        seen = record.seen
        if seen is None or not len(seen.time):
            return None
        if not has_ended:
            before = self._growing.get(record)
            self._growing[record] = quantities(seen) if before is None else before.grown(seen)
            return self._growing[record]
        before = self._growing.pop(record, None)
        if record not in self._ended or self._ended[record][0] is not seen:
            # a run may be read from its file by now, and shall leave the memory
            before = self._ended[record][1] if record in self._ended else before
            self._ended[record] = (seen, quantities(seen) if before is None else before.grown(seen))
        return self._ended[record][1]

    def look_through(self, record: RunRecord) -> None:
        """List all that an ended run can be asked for, before a window does: of a file that takes a while."""
        found = self.of(record)
        if found is not None:
            # a damaged file is told where somebody looks at it
            with suppress(ResultsError):
                len(found.infos)

    def is_final(self, record: RunRecord, found: Quantities) -> bool:
        """Tell whether these quantities are of the whole run, so that curves of them can be kept."""
        return record in self._ended and self._ended[record][1] is found
