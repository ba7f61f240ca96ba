"""Ask for a crash, and show in the scene what would come of it."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton

from app import texts
from app.editing.figures import Figure, said
from app.features.crash.chosen import Chosen
from app.features.crash.fields import CrashFields
from app.having import having
from app.jobs.compiling import Compiling
from app.jobs.trying import Trying
from app.widgets.beside import keep_in_sight
from app.widgets.sheet import Sheet
from app.widgets.tall import Tall
from app.workbench import Workbench
from solver.analysis.crash.build import CASES, Crash, crash, first, oddities
from solver.base.words import tr
from solver.bodies import library_body
from solver.project import Project, ProjectError

_REST_MS, _WIDTH_EM = 120, 40.0


class CrashDialog(Sheet):
    """Choose from the load case down; each choice is seen at once, and none is final."""

    def __init__(self, bench: Workbench, known: Chosen | None) -> None:
        self.fields = CrashFields(bench.settings.units)
        super().__init__(
            bench.window, tr("New crash"), "guide#a-new-crash", form=self.fields, width_em=_WIDTH_EM
        )
        self._bench = bench
        known = known or Chosen(first("frontal"), Figure("hybrid_iii_50m"))
        self.wants_run = False
        self.trying = Trying(bench, self._preview)
        self.problem = ""
        self.shown: Project | None = None
        """What the scene shows: nobody in it has come to rest yet."""
        self.made: Project | None = None
        self._seen: Crash | None = None
        """What was chosen of what the scene shows."""
        self.figures = having(QLabel(tr("Building …")), objectName="muted", wordWrap=True)
        self._compiling = Compiling(self.figures)
        self.note = having(QLabel(), objectName="muted", wordWrap=True)
        close = having(QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP))
        close.clicked.connect(self.reject)
        self.plain = having(
            QPushButton(tr("Create")),
            toolTip=tr("Let the body come to rest and take the model, as one step"),
        )
        self.create_and_run = having(
            QPushButton(tr("Create and run")), objectName="primary", default=True,
            toolTip=tr("The same, and solve it at once (Enter)"),
        )  # fmt: skip
        self.plain.clicked.connect(lambda: self.take(run=False))
        self.create_and_run.clicked.connect(lambda: self.take(run=True))
        self.column.addWidget(Tall(self.fields), 1)
        self.column.addWidget(self.figures)
        self.column.addWidget(self.note)
        self.add_buttons(close, self.plain, self.create_and_run)
        self.fields.show_crash(known.crash, known.figure)
        self.choices = self.fields.read()
        self.fields.follow()
        self.fields.changed.connect(self._read)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._preview)
        self.finished.connect(self._on_finished)
        bench.document.opened.connect(self.reject)
        # what is chosen comes into the scene at once: nothing else need be offered there
        bench.previewed.emit()
        self._preview()

    def take(self, *, run: bool) -> None:
        """Build it with the body at rest, in a thread, and end with it."""
        if self.trying.is_over:
            return
        self.wants_run = run
        if self.trying.is_busy or self._rest.isActive():
            # the preview of what was chosen last is on its way
            QTimer.singleShot(_REST_MS, self, lambda: self.take(run=run))
            return
        choices = self.choices
        self._enable(False)
        self.figures.setText(tr("Coming to rest …"))
        self.trying.do(
            self._compiling.told_of(lambda: crash(choices, cancel=lambda: self.trying.is_over)),
            self._on_made,
            self._on_refused,
        )

    def _read(self) -> None:
        self.choices = self.fields.read()
        self.fields.show_rows(self.choices)
        self._announce()
        self._rest.start()

    def _announce(self) -> None:
        """Say what is being made; the scene pales where it is something else, and not the same a little further on."""
        what = tr("Preparing: {what} …", what=tr(CASES[self.choices.case].title))
        self.figures.setText(what)
        new, seen = self.choices, self._seen
        is_other = seen is None or any(
            getattr(new, name) != getattr(seen, name) for name in ("case", "who", "seat")
        )
        self._bench.viewport.announce(what if is_other else "")

    def _preview(self) -> None:
        """Build it without rest, in a thread, and show it."""
        if self.trying.is_busy:
            self.trying.ask_again()
            return
        choices = self.choices
        self.note.setText(tr(CASES[choices.case].note))

        def work() -> tuple[Project, str, Crash]:
            project = crash(choices, rest=False)
            who = library_body(choices.who) if isinstance(choices.who, str) else choices.who
            odd = oddities(project, choices, is_at_rest=False)
            return project, "\n".join([said(who), *map(str, odd)]), choices

        self.trying.do(work, self._on_shown, self._on_refused)

    def _on_shown(self, found: tuple[Project, str, Crash]) -> None:
        if self.trying.is_over:
            return
        if QApplication.activePopupWidget() is not None:
            # a click into an open list would be lost while the scene is built
            QTimer.singleShot(_REST_MS, self, lambda: self._on_shown(found))
            return
        self.shown, words, self._seen = found
        self.problem = ""
        if self._seen == self.choices:
            self.figures.setText(words)
            self._bench.viewport.announce("")
        self._enable(True)
        self._bench.previewed.emit()
        self._bench.viewport.preview_project(self.shown)
        keep_in_sight(
            self._bench.viewport, self, [f"segments/{one.id}" for one in self.shown.segments]
        )

    def _on_refused(self, failure: Exception) -> None:
        self.problem = (
            failure.problems[0].sentence if isinstance(failure, ProjectError) else str(failure)
        )
        self.figures.setText(self.problem)
        self._bench.viewport.announce("")
        self._enable(False)

    def _enable(self, on: bool) -> None:
        self.plain.setEnabled(on)
        self.create_and_run.setEnabled(on)

    def _on_made(self, project: Project) -> None:
        self.made = project
        self.accept()

    def _on_finished(self, result: int) -> None:
        self._rest.stop()
        self.trying.is_over = True
        self._bench.viewport.announce("")
        if result != QDialog.DialogCode.Accepted:
            self._bench.viewport.update_project(self._bench.document.project)
        self._bench.viewport.setFocus()
