"""Solve again after every change, and keep what was before beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.run_view.record import RunRecord
from app.run_view.run_view import RunView
from app.run_view.solving import Solving
from solver.base.words import msgid, tr
from solver.project import Project

if TYPE_CHECKING:
    from solver.running.common import Solved

_GATHER_MS = 20
"""Changes within so long are solved as one."""
_PATIENCE_S = 0.15
"""A run that ends so soon is let through though the model has changed: while a slider is drawn, the
answers then follow each other instead of being given up one after the other."""

NAME = "Live"
_BASE = msgid("As it was")


class Live(QObject):
    """While it is on, an edit runs in the background and replaces the curves and numbers.

    The run of the model as it was when it was switched on stays as the ghost to compare with.
    """

    switched = Signal(bool)

    def __init__(self, run_view: RunView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.run_view, self.is_on = run_view, False
        self._record: RunRecord | None = None
        self._base: RunRecord | None = None
        """The run of the model as it was when this was switched on."""
        self._first: Project | None = None
        """That model, as long as its run has not begun."""
        self.is_drawn = False
        """Whether a slider changes the project just now: the scene then stays as it is."""
        self._again = False
        self._wait = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._wait.timeout.connect(self._solve)
        run_view.document.changed.connect(lambda _: self._on_changed())
        run_view.document.opened.connect(lambda: self.switch(False))
        run_view.runs.ended.connect(self._on_ended)

    @property
    def is_pending(self) -> bool:
        """Whether an answer is on its way that takes the place of what is shown."""
        coming = self.run_view.coming is not None
        return self.is_on and (coming or self._again or self._wait.isActive())

    def switch(self, on: bool) -> None:
        """Begin or stop to follow changes."""
        if on == self.is_on:
            return
        self.is_on = on
        run_view = self.run_view
        if on:
            self._begin()
        else:
            self._wait.stop()
            run_view.viewport.follow(False)
            self._give_up()
            run_view.set_ghost(None)
        self.switched.emit(on)

    def _begin(self) -> None:
        """Find the run of the model as it is, be it one that goes on, or solve it: answers are compared with that."""
        run_view, current = self.run_view, self.run_view.runs.current
        found = [
            record
            for record in reversed(run_view.runs.records)
            if record.status in ("completed", "running", "waiting")
            and record.run in ("", run_view.chosen_run())
            and run_view.runs.fits(record)
        ]
        self._base = current if current in found else next(iter(found), None)
        is_whole = self._base is not None and self._base.status == "completed"
        run_view.set_ghost(self._base if is_whole else None)
        if self._base is None:
            self._first = run_view.document.project
            self._solve()
        else:
            run_view.runs.show(self._base)

    def _give_up(self) -> None:
        """Take away an answer that is on its way: nobody would see it."""
        record, runs = self._record, self.run_view.runs
        self._record = self._base = self._first = self.run_view.coming = None
        self._again = False
        if (
            record is not None
            and record in runs.records
            and record.status in ("waiting", "running")
        ):
            runs.remove(record)

    def _on_changed(self) -> None:
        if self.is_on and not self._wait.isActive():
            self._wait.start()

    def _solve(self) -> None:
        """Run the model as it is now; a run of an older one is given up first."""
        run_view = self.run_view
        if not self.is_on:
            return
        running = run_view.runs.running()
        if running is not None:
            self._again = True
            solving = running.solving if running is self._record else None
            if solving is not None and running is not self._base and not _ends_soon(solving):
                solving.cancel()
            return
        self._again = False
        if run_view.obstacle():
            self._first = None
            run_view.spoke.emit(tr("Live waits: {why}", why=run_view.obstacle()))
            # what is shown is not replaced for now
            run_view.run_shown.emit()
            return
        project, first = run_view.document.project, self._first
        old = self._record if self._record is not run_view.ghost else None
        name = NAME if first is None else tr(_BASE)
        self._record = run_view.runs.start(
            first or project, run_view.chosen_run(), name=name, show=False, like=self._like()
        )
        if first is not None:
            self._base, self._first, self._again = self._record, None, first is not project
        run_view.coming = self._record
        # smooth edges can wait: drawing them would hold up the answer
        run_view.viewport.follow(True)
        if old is not None and old.fleeting and old is not run_view.runs.current:
            run_view.runs.remove(old)

    def _like(self) -> list[Solved]:
        """Runs whose states the next one may begin from: that of the model as it was, and the last answers."""
        run_view = self.run_view
        records = (self._base, run_view.ghost, run_view.runs.current)
        solved = [
            one.solving.solved for one in records if one is not None and one.solving is not None
        ]
        return list(dict.fromkeys(one for one in solved if one is not None))

    def _on_ended(self, record: RunRecord) -> None:
        if record is self._record:
            self.run_view.coming = None
            self.run_view.viewport.follow(False)
        if self.is_on and record is self._base and record.status == "completed":
            self.run_view.set_ghost(record)
        if self.is_on and record is self._record and record.status == "completed":
            before = self.run_view.runs.current
            self.run_view.runs.show(record)
            if before is not None and before.fleeting and before is not self.run_view.ghost:
                self.run_view.runs.remove(before)
        if self.is_on and self._again:
            self._solve()
        if record.fleeting and record.status != "completed" and self.run_view.coming is None:
            # its part of the curves goes; those of the run before are there again
            self.run_view.run_shown.emit()


def _ends_soon(solving: Solving) -> bool:
    done = solving.fraction
    return done > 0.0 and solving.wall_s * (1.0 - done) / done < _PATIENCE_S
