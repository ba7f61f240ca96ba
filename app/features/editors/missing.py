"""Find in a thread which contacts are missing: by the library's rules, and by what a run has passed through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from app.jobs.trying import Trying
from app.study.record import RunRecord
from solver.bodies.library.suggesting import Missed, Suggestion, suggested
from solver.project import Project
from solver.results import ResultsError
from solver.running.outputs.watch import passages


class Missing(QObject):
    """Look for the present version of a model; what was found for an older one is left out."""

    changed = Signal()

    def __init__(self, parent: QObject, show: Callable[[Sequence[Suggestion]], object]) -> None:
        super().__init__(parent)
        self._show = show
        self._trying = Trying(self, self._begin)
        self._wanted: tuple[Project, RunRecord | None] | None = None
        self._known: tuple[Project, RunRecord | None] | None = None
        self._run: RunRecord | None = None
        self._missed: tuple[Missed, ...] = ()

    @property
    def is_busy(self) -> bool:
        """Tell whether it still looks."""
        return self._trying.is_busy

    def look(self, project: Project, record: RunRecord | None) -> None:
        """Look for what is missing in a model, beside the run that is shown."""
        record = record if record is not None and record.has_ended else None
        known = self._known
        if known is not None and known[0] is project and known[1] is record:
            return
        self._wanted = project, record
        if self._trying.is_busy:
            self._trying.ask_again()
        else:
            self._begin()

    def _begin(self) -> None:
        asked = self._wanted
        if asked is None:
            return
        project, record = asked

        def work() -> tuple[Suggestion, ...]:
            if record is not self._run:
                self._run, self._missed = record, _missed(record)
            return suggested(project, self._missed)

        def found(suggestions: tuple[Suggestion, ...]) -> None:
            if asked == self._wanted:
                self._known = asked
                self._show(suggestions)
                self.changed.emit()

        self._trying.do(work, found, lambda _: None)


def _missed(record: RunRecord | None) -> tuple[Missed, ...]:
    """Say what passed through what in a run though no contact was allowed."""
    if record is None or record.trajectory is None:
        return ()
    if record.solving is not None:
        found = record.solving.passages
    else:
        try:
            found = passages(record.project, record.trajectory)
        except ResultsError:
            return ()
    return tuple((one.what, one.into, one.sentence()) for one in found if not one.contact)
