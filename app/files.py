"""New, open, save: the files of one window, and the questions that go with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox

from app import texts
from app.study.record import read_record
from solver.places import resources
from solver.project import Problem, ProjectError, load_project
from solver.results import ResultsError

if TYPE_CHECKING:
    from app.window import MainWindow

TEMPLATES = ("empty", "seated_occupant", "pendulum")
"""What a new project can begin with."""


class Files:
    """Do what the File menu offers for one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def new(self, template: str) -> None:
        """Begin a project from a template; unsaved work stays in its own window."""
        file = resources() / "templates" / f"{template}.json"
        self.free_window().document.adopt(load_project(file))

    def ask_for_file(self) -> None:
        """Let people choose a project file."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, texts.files.OPEN_TITLE, self._folder(), texts.files.PROJECT_FILES
        )
        if name:
            self.open(Path(name))

    def open(self, file: Path) -> None:
        """Open a project; a file that cannot be read is explained on a page of its own."""
        if file.suffix.lower() in (".h5", ".hdf5"):
            self._open_results(file)
            return
        window = self.free_window()
        try:
            window.document.open(file)
        except ProjectError as failure:
            window.show_unreadable(file, failure.problems)
            return
        window.studio.settings.add_recent(file)
        window.menus.refresh()

    def ask_for_results(self) -> None:
        """Let people choose a results file."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, texts.files.RESULTS_TITLE, self._folder(), texts.files.RESULTS_FILES
        )
        if name:
            self.open(Path(name))

    def _open_results(self, file: Path) -> None:
        """Show a results file with the model inside; one that cannot be read is explained."""
        window = self._window
        try:
            record = read_record(file)
        except ResultsError as failure:
            window.show_unreadable(file, [Problem("error", "results", "", str(failure))])
            return
        if not window.shows_project():
            window.document.adopt(record.project)
        window.study.runs.add(record)
        window.study.switch(True)

    def save(self) -> bool:
        """Save under the present name, or ask for one; tell whether it is saved."""
        file = self._window.document.path
        return self.save_as() if file is None else self._write(file)

    def save_as(self) -> bool:
        """Ask for a name and save under it."""
        file = self._ask_where(texts.files.SAVE_TITLE)
        return file is not None and self._write(file)

    def save_copy(self) -> None:
        """Save under another name and go on with the present one."""
        file = self._ask_where(texts.files.COPY_TITLE)
        if file is None:
            return
        try:
            self._window.document.save(file, copy=True)
        except ProjectError as failure:
            self._say_why(failure.problems)
            return
        here = self.name()
        self._window.say(texts.files.SAVED_COPY.format(file=file.name, here=here))

    def may_close(self) -> bool:
        """Ask what becomes of unsaved work; False keeps the window open."""
        if not self._window.document.has_unsaved_work:
            return True
        choice = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._window,
            texts.files.UNSAVED_TITLE,
            texts.files.UNSAVED.format(name=self.name()),
            choice.Save | choice.Discard | choice.Cancel,
            choice.Save,
        )
        if answer == choice.Save:
            return self.save()
        return bool(answer == choice.Discard)

    def name(self) -> str:
        """Give what the window's title calls the project."""
        document = self._window.document
        if document.path is not None:
            return document.path.name
        return document.project.title or texts.files.NEW_NAME

    def _write(self, file: Path) -> bool:
        try:
            backup = self._window.document.save(file)
        except ProjectError as failure:
            self._say_why(failure.problems)
            return False
        self._window.studio.settings.add_recent(file)
        sentence = texts.files.SAVED.format(file=file.name)
        if backup is not None:
            sentence += f" {texts.files.BACKED_UP.format(file=backup.name)}"
        self._window.say(sentence)
        return True

    def _ask_where(self, title: str) -> Path | None:
        start = Path(self._folder()) / f"{Path(self.name()).stem}.json"
        name, _ = QFileDialog.getSaveFileName(
            self._window, title, str(start), texts.files.PROJECT_FILES
        )
        if not name:
            return None
        file = Path(name)
        return file if file.suffix else file.with_suffix(".json")

    def _say_why(self, problems: tuple[Problem, ...]) -> None:
        first = problems[0]
        self._window.notice.say(
            f"{first.sentence} {first.hint}".rstrip(), (texts.files.SAVE_AS, lambda: self.save_as())
        )

    def _folder(self) -> str:
        path = self._window.document.path
        if path is not None:
            return str(path.parent)
        recent = self._window.studio.settings.recent
        return str(recent[0].parent) if recent else ""

    def free_window(self) -> MainWindow:
        """Give this window, or a new one where unsaved work is shown."""
        if self._window.document.has_unsaved_work:
            return self._window.studio.new_window()
        return self._window
