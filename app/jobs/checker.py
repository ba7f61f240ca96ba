"""Check the project in a thread of its own, a moment after the last change."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from solver.base.words import Sentence, tr
from solver.project import Problem, Project

if TYPE_CHECKING:
    from app.editing.quick_fixes import QuickFix


_REST_MS = 120
"""Time without a change after which the checks begin."""
_MOST_MENDS = 60
"""Further down the list no mends are looked for."""


class Checker(QObject):
    """Answer with the problems of the last project that was asked about."""

    answered = Signal(object, object, object)
    """A project, its problems, and the mends of those that have one."""
    _found = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: Project | None = None
        self._at_work = False
        self._closed = False
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._begin)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="checks")
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)

    def ask(self, project: Project, *, at_once: bool = False) -> None:
        """Ask for the problems of a project; an earlier question that waits is forgotten."""
        self._waiting = project
        self._rest.start(0 if at_once else _REST_MS)

    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._at_work or self._waiting is not None

    def close(self) -> None:
        """Ask no more."""
        self._closed = True
        self._rest.stop()
        self._waiting = None
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _begin(self) -> None:
        if self._at_work or self._waiting is None or self._closed:
            return
        project, self._waiting = self._waiting, None
        self._at_work = True
        self._pool.submit(self._look, project)

    def _look(self, project: Project) -> None:
        """Run in the other thread; a check that fails is itself told as a problem."""
        problems: tuple[Problem, ...]
        mends: dict[Problem, QuickFix] = {}
        try:
            from app.editing.quick_fixes import quick_fix_for
            from solver.project.checks import check

            problems = check(project)
            for problem in problems[:_MOST_MENDS]:
                mend = quick_fix_for(project, problem)
                if mend is not None:
                    mends[problem] = mend
        except Exception as failure:  # noqa: BLE001  (told to the user; the window goes on)
            sentence = Sentence(
                tr(
                    "The checks failed: {kind}: {failure}",
                    kind=type(failure).__name__,
                    failure=failure,
                )
            )
            hint = Sentence("Please report this.")
            problems = (Problem("error", "check-failed", "", sentence, hint),)
        self._found.emit(project, problems, mends)

    def _on_found(
        self, project: Project, problems: tuple[Problem, ...], mends: dict[Problem, QuickFix]
    ) -> None:
        self._at_work = False
        if self._closed:
            return
        self.answered.emit(project, problems, mends)
        if self._waiting is not None and not self._rest.isActive():
            self._begin()
