"""Ask which body takes the place of a person, and show it in the scene while one chooses."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QLabel, QPushButton

from app import texts
from app.editing.from_library import too_short
from app.features.placing.body_dialog import BodyFields
from app.jobs.compiling import Compiling
from app.jobs.task import Trying
from app.widgets.sheet import Sheet, Tall
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.analysis.crash.scenes import reseated
from solver.analysis.equilibrium import SettleError, Settlement
from solver.base.words import tr
from solver.bodies.library.replacing import left_out, replaced
from solver.editing.persons import Person as There
from solver.editing.persons import body_text, person_of
from solver.editing.seating import Person, body_of
from solver.project import Project, ProjectError

_REST_MS, _WIDTH_EM = 120, 37.0


class ReplaceDialog(Sheet):
    """Choose another body; the scene shows it in the place of the old one, then it comes to rest."""

    def __init__(self, bench: Workbench, system: str, one: There) -> None:
        self.fields = BodyFields(bench.document.project, system)
        title = tr("Replace {name}", name=one.name)
        super().__init__(bench.window, title, "guide#people", form=self.fields, width_em=_WIDTH_EM)
        self._bench, self._one, self._base = bench, one, bench.document.project
        self.person = Person()
        self.trying = Trying(bench, self._preview)
        self.problem = ""
        self.shown: Project | None = None
        """The model with the new body, before it has come to rest."""
        self.figures = with_properties(QLabel(tr("Looking …")), objectName="muted", wordWrap=True)
        self._compiling = Compiling(self.figures)
        self.replace = with_properties(
            QPushButton(tr("Replace")),
            objectName="primary",
            default=True,
            toolTip=tr(
                "Take the new body and let it come to rest, as one step that can be undone (Enter)"
            ),
        )
        close = with_properties(
            QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP)
        )
        close.clicked.connect(self.reject)
        self.replace.clicked.connect(self.take)
        self.column.addWidget(Tall(self.fields), 1)
        self.column.addWidget(self.figures)
        hint = tr(
            "Hips, posture, contacts and outputs stay; belts are laid again, feet and hands go where they were."
        )
        self.column.addWidget(with_properties(QLabel(hint), objectName="muted", wordWrap=True))
        self.add_buttons(close, self.replace)
        self.fields.show_person(self.person)
        self._hide_place()
        self.fields.follow()
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._preview)
        self.fields.changed.connect(self._read)
        self.finished.connect(self._on_finished)
        bench.document.changed.connect(self.reject)
        bench.document.opened.connect(self.reject)
        self._preview()

    def take(self) -> None:
        """Seat the new body in a thread, and take it over once it is at rest."""
        if self.trying.is_over:
            return
        if self.trying.is_busy:
            # the preview of what was chosen last is on its way
            QTimer.singleShot(_REST_MS, self, self.take)
            return
        base, prefix, person = self._base, self._one.prefix, self.person
        self.replace.setEnabled(False)
        self.figures.setText(tr("Coming to rest …"))

        def work() -> Settlement:
            return reseated(base, prefix, body_of(person), cancel=lambda: self.trying.is_over)

        self.trying.do(self._compiling.told_of(work), self._on_seated, self._on_restless)

    def _hide_place(self) -> None:
        """Leave only who it is: all else stays as it was."""
        fields = self.fields
        fields.show_rows(self.person)
        for row in (fields.pose, fields.anchor, fields.place_row, fields.facing, fields.on, fields.sensors, fields.rests):  # fmt: skip
            fields.setRowVisible(row, False)

    def _read(self) -> None:
        self.person = self.fields.read(self.person)
        self._hide_place()
        self._rest.start()

    def _preview(self) -> None:
        """Show the new body where it would be, worked out in a thread."""
        if self.trying.is_busy:
            self.trying.ask_again()
            return
        base, prefix, person = self._base, self._one.prefix, self.person
        self.trying.do(lambda: (replaced(base, prefix, body_of(person)), body_text(body_of(person))), self._on_shown, self._on_refused)  # fmt: skip

    def _on_shown(self, found: tuple[Project, str]) -> None:
        self.shown, words = found
        self.problem = ""
        lost = left_out(self._base, self.shown, self._one.prefix)
        self.figures.setText(words if lost is None else f"{words}\n{lost}")
        self.replace.setEnabled(True)
        self._bench.viewport.preview_project(self.shown)

    def _on_refused(self, failure: Exception) -> None:
        self.problem = _failure_text(failure)
        self.figures.setText(self.problem)
        self.replace.setEnabled(False)

    def _on_seated(self, done: Settlement) -> None:
        self._put(done.project, tr("{name} sits and is at rest.", name=self._one.name))

    def _on_restless(self, failure: Exception) -> None:
        """Take the new body all the same, and say that it is not at rest."""
        if not isinstance(failure, SettleError) or self.shown is None:
            self._on_refused(failure)
            return
        self._put(
            self.shown,
            tr("Replaced, but not at rest: {reason} Settle it by Ctrl+E.", reason=failure),
        )

    def _put(self, project: Project, sentence: str) -> None:
        self.trying.is_over = True
        document = self._bench.document
        document.changed.disconnect(self.reject)
        made = person_of(project, f"segments/{self._one.root}")
        text = tr("Replace {name}", name=self._one.name)
        document.replace(project, text, select=made.paths if made is not None else None)
        said_now = f"{sentence} {too_short(project, self._one.prefix)}".strip()
        lost = left_out(self._base, project, self._one.prefix)
        if lost is None:
            self._bench.say(said_now)
        else:
            self._bench.notice.say(f"{said_now} {lost}")
        self.accept()

    def _on_finished(self, result: int) -> None:
        self._rest.stop()
        self.trying.is_over = True
        if result != QDialog.DialogCode.Accepted:
            self._bench.viewport.update_project(self._bench.document.project)
        self._bench.viewport.setFocus()


def _failure_text(failure: Exception) -> str:
    if isinstance(failure, ProjectError):
        return failure.problems[0].sentence
    return str(failure)
