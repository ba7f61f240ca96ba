"""Other projects in this one: put in, looked after while their files change, taken again, let go."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.command import Command
from app.editing.naming import counted
from app.features.feature import Feature
from app.fonts import em
from app.jobs.task import Task
from app.widgets.sheet import Sheet
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import Refusal, msgid, tr
from solver.editing.including import (
    Updated,
    changed_by_hand,
    include,
    let_go,
    paths_of,
    update,
)
from solver.project import ProjectError
from solver.project.linked import SHORT, Standing

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

    def insert_project(self, file: Path) -> None:
        """Put all elements of a project file into this project, with a link to the file, as one step."""
        document = self._document
        try:
            project = include(document.project, file, home=document.path)
        except (ProjectError, Refusal) as failure:
            self.bench.say(_sentence(failure))
            return
        paths = paths_of(project, project.includes[-1].id)
        document.replace(project, tr("Insert {name}", name=file.stem), select=paths, as_it_is=True)
        self.bench.say(tr("Inserted {what} of {name}.", what=counted(paths), name=file.name))

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
