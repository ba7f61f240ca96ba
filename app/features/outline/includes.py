"""Other projects in this one: put in, looked after while their files change, taken again, let go."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
)

from app import texts
from app.command import Command
from app.editing.naming import counted
from app.elements import element_label
from app.features.feature import Feature
from app.fonts import em
from app.forms.choices import Choice, LengthBox, Number
from app.guard import guard
from app.jobs.task import Task
from app.widgets.sheet import Sheet, fit_beside, in_row
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import Refusal, msgid, tr
from solver.editing.including import (
    Updated,
    changed_by_hand,
    include,
    let_go,
    paths_of,
    place_of,
    update,
)
from solver.project import Project, ProjectError
from solver.project.geometry import Frame, Orientation
from solver.project.linked import SHORT, Standing
from solver.project.segments import GROUND

_WIDTH_EM, _WIDE_EM, _TABLE_EM = 46.0, (9.0, 19.0, 11.0), 9.0
_COLUMNS = (msgid("Name"), msgid("File"), msgid("On the disk"))
_CODES: dict[str, Standing] = {
    "include-changed": "changed",
    "include-gone": "gone",
    "include-unseen": "unseen",
}


_TOLD = {
    "include-changed": msgid("{file} has changed since it was included here."),
    "include-gone": msgid("{file}, which was included here, is no longer there."),
}


class Includes(Feature):
    """Put project files into this one, and say when they have changed."""

    name = "includes"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._document = bench.document
        bench.commands.add(
            Command(
                "insert.project",
                tr("Another pro&ject…"),
                tr("Put all elements of a project file into this one: a seat, a car, a person of your own."),
                self.ask_for_project,
                enabled=bench.has_project,
            ),
            Command(
                "insert.included",
                tr("Incl&uded projects…"),
                tr("Take projects that were put into this one again from their files, or let go of these."),
                self.show_included,
                enabled=lambda: bench.has_project() and bool(self._document.project.includes),
            ),
        )  # fmt: skip
        self._told = set[tuple[str, str]]()
        """What is known of files that are others by now, by path and code: each is told of once."""
        self._said = ""
        self._document.opened.connect(self._told.clear)
        self._document.checked.connect(self._tell)
        self._application = QApplication.instance()
        if isinstance(self._application, QApplication):
            self._application.applicationStateChanged.connect(self._on_state)

    def end(self) -> None:
        """Look after files no more."""
        if isinstance(self._application, QApplication):
            self._application.applicationStateChanged.disconnect(self._on_state)
            self._application = None

    def ask_for_project(self) -> None:
        """Ask which project is to be put into this one."""
        name, _ = QFileDialog.getOpenFileName(
            self.bench.window,
            tr("Insert another project"),
            self.bench.settings.folder("open"),
            tr("Manikin projects (*.json);;All files (*)"),
        )
        if name:
            self.insert_project(Path(name))

    def insert_project(self, file: Path) -> IncludeDialog:
        """Ask where a project file is to be put, and put it there."""
        dialog = IncludeDialog(self.bench, file)
        dialog.show()
        fit_beside(dialog)
        return dialog

    def show_included(self) -> IncludedDialog:
        """List what is included."""
        dialog = IncludedDialog(self.bench)
        dialog.show()
        return dialog

    def _tell(self) -> None:
        """Say once of a file that it is another by now; take it back when it no longer is."""
        names = {f"includes/{one.id}": Path(one.file).name for one in self._document.project.includes}  # fmt: skip
        found = {(one.path, one.code) for one in self._document.problems if one.code in _TOLD}
        fresh = sorted(key for key in found - self._told if key[0] in names)
        if not found and self._said:
            self.bench.notice.unsay(self._said)
            self._said = ""
        self._told.clear()
        self._told.update(found)
        if fresh:
            path, code = fresh[0]
            self._said = tr(_TOLD[code], file=names[path])
            self.bench.notice.say(self._said, (tr("Included projects…"), self.show_included))

    def _on_state(self, state: Qt.ApplicationState) -> None:
        """Look at the files again: people come back from another program."""
        if state == Qt.ApplicationState.ApplicationActive and self._document.project.includes:
            self._document.look_again()


class IncludeDialog(Sheet):
    """Where the elements of a project file are put, under which name, and with which segment they go."""

    def __init__(self, bench: Workbench, file: Path) -> None:
        super().__init__(bench.window, tr("Insert another project"), "guide#included-projects")
        self._bench, self._document, self.file = bench, bench.document, file
        self._task: Task | None = None
        project, system = bench.document.project, bench.settings.units
        self.name = with_properties(
            QLineEdit(), placeholderText=file.stem,
            toolTip=tr("Goes before the names of its elements; empty: after the file"),
        )  # fmt: skip
        self.carrier = Choice()
        self.carrier.addItem(tr(texts.elements.GROUND), GROUND)
        for one in project.segments:
            self.carrier.addItem(element_label(project, f"segments/{one.id}"), one.id)
        self.place = [LengthBox(system) for _ in range(3)]
        for field, axis in zip(self.place, "xyz", strict=True):
            field.setAccessibleName(tr(texts.scene.PLACE_ALONG, axis=axis))
        self.facing = Number(-180.0, 180.0, 5.0, 1, "°")
        self.onto = with_properties(
            QPushButton(tr("Onto the selection")),
            toolTip=tr("Put its origin where the selected element is: the middle of a segment or a plane, else its first point"),
        )  # fmt: skip
        self.said = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.insert = with_properties(
            QPushButton(tr(texts.scene.INSERT)), objectName="primary", default=True,
            toolTip=tr("Put its elements in, as one step that can be undone (Enter)"),
        )  # fmt: skip
        close = with_properties(
            QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP)
        )
        for words, widget in (
            (tr("Name"), self.name),
            (tr("Moves with"), self.carrier),
            ("x, y, z", in_row(*self.place, alike=True)),
            ("", self.onto),
            (tr("Faces"), self.facing),
        ):
            self.form.add(words, widget)
        self.column.addLayout(self.form)
        self.column.addWidget(self.said)
        self.add_buttons(close, self.insert)
        self.onto.clicked.connect(self.put_onto_selection)
        self.insert.clicked.connect(self.put_in)
        close.clicked.connect(self.reject)
        self._document.opened.connect(self.reject)
        self._document.selected.connect(self._on_selected)
        self._on_selected()

    @property
    def is_busy(self) -> bool:
        """Whether the file is being read."""
        return self._task is not None

    def put_onto_selection(self) -> None:
        """Give the place of the selected element, in the axes of what the project goes with."""
        project, on = self._document.project, self.carrier.currentData()
        try:
            place = place_of(project, self._document.selection, on)
        except (ProjectError, Refusal) as failure:
            self.said.setText(_sentence(failure))
            return
        for field, metres in zip(self.place, place, strict=True):
            field.show_metres(metres)

    def put_in(self) -> None:
        """Put all elements of the file into the project, with a link to it, as one step; it is read beside the window."""
        if self._task is not None:
            return
        document, name, on = self._document, self.name.text().strip(), self.carrier.currentData()
        project, home, file = document.project, document.path, self.file
        turned = Orientation(angles_rad=(math.radians(self.facing.value()), 0.0, 0.0))
        x, y, z = (one.metres for one in self.place)
        frame = Frame(position_m=(x, y, z), orientation=turned)
        task = self._task = Task(
            lambda: include(project, file, name, on=on, frame=frame, home=home), self._bench
        )

        def done(made: Project) -> None:
            if task is not self._task:
                return
            self._task = None
            if document.project is not project:
                self._say(tr("The model has changed meanwhile: insert it again."))
                return
            paths = paths_of(made, made.includes[-1].id)
            document.replace(made, tr("Insert {name}", name=file.stem), select=paths, as_it_is=True)
            self._bench.say(tr("Inserted {what} of {name}.", what=counted(paths), name=file.name))
            self.accept()

        def failed(failure: Exception) -> None:
            if task is self._task:
                self._task = None
                self._say(_sentence(failure))

        task.done.connect(done)
        task.failed.connect(failed)
        self._say(tr("Reading {file} …", file=file.name))
        task.start()

    @guard
    def done(self, result: int) -> None:
        """Wait no longer for a file that is being read."""
        self._task = None
        super().done(result)

    def _say(self, sentence: str) -> None:
        self.said.setText(sentence)
        self.insert.setEnabled(self._task is None)

    def _on_selected(self) -> None:
        self.onto.setEnabled("/" in self._document.selection)


class IncludedDialog(Sheet):
    """Every included project with its file, and what can be done about it."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window, tr("Included projects"), "guide#included-projects", width_em=_WIDTH_EM)  # fmt: skip
        self._bench = bench
        self._task: Task | None = None
        self._is_over = False
        document = self._document = bench.document
        self.table = with_properties(QTreeWidget(), columnCount=len(_COLUMNS), rootIsDecorated=False)  # fmt: skip
        self.table.setHeaderLabels([tr(words) for words in _COLUMNS])
        self.table.setAccessibleName(tr("Included projects"))
        self.table.setMinimumHeight(round(_TABLE_EM * em()))
        for column, wide in enumerate(_WIDE_EM):
            self.table.setColumnWidth(column, round(wide * em()))
        self.said = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.update_button = with_properties(
            QPushButton(tr("Update")), objectName="primary", default=True,
            toolTip=tr("Take its elements again from the file, as one step that can be undone"),
        )  # fmt: skip
        self.overwrite_button = with_properties(
            QPushButton(tr("Overwrite")),
            toolTip=tr("Take what the file has in place of what was changed by hand, as one step that can be undone"),
        )  # fmt: skip
        self.release_button = with_properties(
            QPushButton(tr("Let go")), toolTip=tr("Forget the file; the elements stay as they are")
        )
        close = with_properties(QPushButton(tr("Close")), toolTip=tr("Close this list (Esc)"))
        self.update_button.clicked.connect(lambda: self.take_again())
        self.overwrite_button.clicked.connect(lambda: self.take_again(overwrite=True))
        self.release_button.clicked.connect(self.let_go)
        close.clicked.connect(self.reject)
        self.table.currentItemChanged.connect(lambda *_: self._tell())
        self.column.addWidget(self.table)
        self.column.addWidget(self.said)
        self.add_buttons(close, self.release_button, self.overwrite_button, self.update_button)
        document.opened.connect(self.reject)
        self.finished.connect(self._on_finished)
        document.changed.connect(self._on_changed)
        document.checked.connect(self._list)
        self._list()
        document.look_again()

    @property
    def current(self) -> str:
        """The name of the included project that is selected."""
        item = self.table.currentItem()
        return item.text(0) if item is not None else ""

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read."""
        return self._task is not None

    def take_again(self, *, overwrite: bool = False) -> None:
        """Take the elements of the selected project from its file, beside the window, or say what hinders that."""
        document, name = self._document, self.current
        project, home = document.project, document.path
        if self._task is not None:
            return
        self._task = Task(lambda: update(project, name, overwrite=overwrite, home=home), self._bench)  # fmt: skip

        def done(made: Updated) -> None:
            self._task = None
            if document.project is project:
                document.replace(made.project, tr("Update {name}", name=name), as_it_is=True)
                self._bench.say(str(made))
                self._say(str(made))

        def failed(failure: Exception) -> None:
            self._task = None
            self._say(_sentence(failure))

        self._task.done.connect(done)
        self._task.failed.connect(failed)
        self._task.start()

    def _say(self, sentence: str) -> None:
        if not self._is_over:
            self.said.setText(sentence)

    def let_go(self) -> None:
        """Forget the file of the selected project."""
        document, name = self._document, self.current
        document.replace(let_go(document.project, name), tr("Let go of {name}", name=name))
        self._bench.say(tr("'{name}' follows its file no longer; its elements stay.", name=name))

    def _list(self) -> None:
        """Write the list again; the selected one stays so."""
        project = self._document.project
        found = {
            one.path: _CODES[one.code] for one in self._document.problems if one.code in _CODES
        }
        rows = [
            (one.id, Path(one.file).name, tr(SHORT[found.get(f"includes/{one.id}", "same")]))
            for one in project.includes
        ]  # fmt: skip
        if rows == [self._row(n) for n in range(self.table.topLevelItemCount())]:
            return
        before = self.current
        self.table.clear()
        for link, row in zip(project.includes, rows, strict=True):
            item = QTreeWidgetItem(self.table, list(row))
            item.setToolTip(1, link.file)
            if link.id == before or self.table.currentItem() is None:
                self.table.setCurrentItem(item)
        self._tell()

    def _on_finished(self) -> None:
        self._is_over = True

    def _on_changed(self) -> None:
        self._list()
        self._tell()

    def _row(self, number: int) -> tuple[str, ...]:
        item = self.table.topLevelItem(number)
        return tuple(item.text(column) for column in range(len(_COLUMNS))) if item else ()

    def _tell(self) -> None:
        """Say how the selected one stands beside its file."""
        name, project = self.current, self._document.project
        for button in (self.update_button, self.release_button):
            button.setEnabled(bool(name))
        hands = changed_by_hand(project, name) if name else ()
        self.overwrite_button.setEnabled(bool(hands))
        words = tr("Nothing is included.") if not name else tr("All of it is as it was taken.")
        if hands:
            words = tr("Changed by hand: {what}.", what=counted([one for one in hands if not one.startswith("initial/")]) or tr("its start"))  # fmt: skip
        self.said.setText(words)


def _sentence(failure: Exception) -> str:
    """What is said of something that cannot be done."""
    return failure.problems[0].sentence if isinstance(failure, ProjectError) else str(failure)
