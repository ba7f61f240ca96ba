"""Build, run, understand: the three moods of a window, and what leads from one to the next."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from app.command import Command
from app.features.feature import Feature
from app.run_view.record import RunRecord
from app.workbench import Workbench
from solver.base.words import msgid, tr

_WORDS = (
    ("run.model", "build", "F7", msgid("Look at the &model: build"), msgid("Build: the model, to be changed, with problems and editor.")),
    ("run.vary_it", "run", "Shift+F7", msgid("Solve and &vary: run"), msgid("Run: the list of runs, sliders and studies.")),
    ("run.study", "understand", "F8", msgid("Look at the r&un: understand"), msgid("Understand: the current run, with injury, plots, what acts and comparison.")),
)  # fmt: skip
_TYPED = (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QComboBox)
_VARIES = ("whatif", "studies")
_AGAIN_MS = 300
"""A mouse button that is down, or a menu that is open, is waited for."""


class Moods(Feature):
    """Keep the scene and the mood together, and follow a run that was asked for to its end.

    While Live is on, only people change the mood.
    """

    name = "moods"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._follows = self._is_own = False
        """Whether a run leads on when it has ended; whether what changes the mood is this feature."""
        self._here: QWidget | None = None
        """What had the keyboard when the run was asked for."""
        self._left = QTimer(self, singleShot=True, interval=0)
        self._left.timeout.connect(self._on_left)
        self._on = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._on.timeout.connect(self._lead_on)
        bench.commands.add(
            *(
                Command(
                    id_,
                    tr(title),
                    tr(tip),
                    partial(self.choose, mood),
                    key,
                    bench.has_project,
                    is_on=partial(self._is_in, mood),
                )
                for id_, mood, key, title, tip in _WORDS
            )
        )
        run_view = bench.run_view
        bench.document.opened.connect(self._on_opened)
        bench.mood_changed.connect(self._on_mood)
        run_view.switched.connect(self._on_switched)
        run_view.began.connect(self._on_began)
        run_view.runs.ended.connect(self._on_ended)
        run_view.run_shown.connect(self._on_answer)

    def choose(self, mood: str) -> None:
        """Change to a mood, with what it shows in the scene."""
        self.bench.panels.show_mood(mood)
        self._show(mood)

    def _is_in(self, mood: str) -> bool:
        return self.bench.panels.mood == mood

    def _show(self, mood: str) -> None:
        if mood != "run":
            self.bench.run_view.switch(mood == "understand")

    def _go(self, mood: str) -> None:
        self._is_own = True
        self.bench.panels.show_mood(mood)
        self._is_own = False

    def _on_mood(self, mood: str) -> None:
        self._left.stop()
        if not self._is_own:
            self._follows = False
            self._show(mood)

    def _on_opened(self) -> None:
        self._follows = False
        self.bench.panels.forget_called()
        self._go("build")

    def _on_switched(self, on: bool) -> None:
        """Come to the mood of what the scene shows."""
        bench = self.bench
        if bench.live.is_on:
            return
        if on and bench.panels.mood == "build":
            self._go("run" if self._follows else "understand")
        elif not on and bench.panels.mood == "understand":
            # a run may follow at once
            self._left.start()

    def _on_left(self) -> None:
        bench = self.bench
        is_left = not bench.run_view.is_on and bench.run_view.replay is not None
        if is_left and bench.panels.mood == "understand" and not bench.live.is_on:
            self._go("build")

    def _on_answer(self) -> None:
        """See the answer of Live where one has looked at a run."""
        bench, live = self.bench, self.bench.live
        is_there = bench.panels.mood == "understand" and not bench.run_view.is_on
        if live.is_on and is_there and not live.is_pending:
            bench.run_view.switch(True)

    def _on_began(self) -> None:
        self._left.stop()
        self._follows = self.bench.panels.mood != "understand"
        self._here = QApplication.focusWidget()
        if self._follows:
            self._go("run")

    def _on_ended(self, record: RunRecord) -> None:
        if self._follows and record is self.bench.run_view.runs.current and not record.fleeting:
            self._lead_on()

    def _lead_on(self) -> None:
        """Show what has come of the run, unless somebody is in the middle of something else."""
        run_view, panels = self.bench.run_view, self.bench.panels
        record = run_view.runs.current
        if record is None or not self._follows or panels.mood != "run" or self._is_at_work():
            return
        if record.status not in ("completed", "failed") or run_view.replay is None:
            return
        if QApplication.activePopupWidget() is not None or QApplication.activeModalWidget():
            self._on.start()
            return
        if QApplication.mouseButtons().value:
            self._on.start()
            return
        self._follows = False
        self._go("understand")
        run_view.switch(True)

    def _is_at_work(self) -> bool:
        """Whether sliders, a study or a field are in use."""
        bench = self.bench
        front, here = bench.panels.front(), QApplication.focusWidget()
        varies = front is not None and front.name in _VARIES and front.widget.isVisible()
        types = isinstance(here, _TYPED) and here is not self._here
        return bench.live.is_on or (varies and bench.panels.is_open()) or types
