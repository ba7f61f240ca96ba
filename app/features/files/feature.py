"""New, open, save: the files of one window, and the questions that go with them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from app import texts
from app.command import Command
from app.features.feature import Feature
from app.features.files.leftovers import Leftovers, ask, see_both, theirs_of
from app.features.files.pages import TEMPLATES, Unreadable, Welcome, shipped_samples
from app.panel import Panel
from app.recovery import Recovery
from app.run_view.record import read_record
from app.widgets.asking import ask_where
from app.workbench import IMPORTED, Workbench
from solver.base.boundary import Ended
from solver.base.places import is_shipped, resources
from solver.base.words import msgid, tr
from solver.exchange.added import filters, importers, is_read_by_others
from solver.project import Problem, Project, ProjectError, load_project
from solver.project.reading import digest_on_disk
from solver.results import ResultsError

if TYPE_CHECKING:
    from app.features.files.find_dialog import FindDialog

_PROJECT_FILES = msgid("Projects (*.json);;All files (*)")

_CARD_MS = 20


class Files(Feature):
    """Open and save; show the welcome page, or why a file cannot be read."""

    name = "files"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._document = bench.document
        self.recovery = Recovery(bench.document)
        self.leftovers = Leftovers(bench, self._free)
        self._add_commands()
        self.welcome = Welcome(bench.commands, shipped_samples())
        self.unreadable = Unreadable(bench.commands)
        bench.panels.add(
            Panel(
                "welcome",
                self.welcome,
                "page",
                topic="guide#the-first-five-minutes",
                parts={f"card {n}": card for n, card in enumerate(self.welcome.cards)}
                | {"crash": self.welcome.crash, "tours": self.welcome.tours},
            )
        )
        bench.panels.add(
            Panel(
                "unreadable",
                self.unreadable,
                "page",
                topic="checks#first-pass-files-types-and-ranges",
            )
        )
        self._card_timer = QTimer(self, singleShot=True, interval=_CARD_MS)
        self._card_timer.timeout.connect(self._draw_card)
        self.welcome.open_asked.connect(self.ask_for_file)
        self.welcome.sample_asked.connect(self.open)
        self.welcome.new_asked.connect(self.new)
        self.welcome.tour_asked.connect(lambda: bench.commands.run("help.tour"))
        self.unreadable.open_asked.connect(self.ask_for_file)
        self.unreadable.back_asked.connect(self.back)
        bench.ready.connect(self.show_welcome)
        bench.begun.connect(self.leftovers.offer)
        bench.file_asked.connect(self.open)
        bench.unreadable.connect(self._explain)
        bench.theme_changed.connect(lambda _: self._card_timer.start())
        bench.preference_changed.connect(self._on_preference)
        self._on_preference("keep_every_s")

    def new(self, template: str) -> None:
        """Begin a project from a template; unsaved work stays in its own window."""
        file = resources() / "templates" / f"{template}.json"
        self._free().document.adopt(load_project(file))

    def ask_for_file(self) -> None:
        """Let people choose a project file."""
        kinds = ";;".join([tr(_PROJECT_FILES), *filters(importers())])
        name, _ = QFileDialog.getOpenFileName(
            self.bench.window, tr("Open a project"), self._folder(), kinds
        )
        if name:
            self.open(Path(name))

    def open(self, file: Path) -> None:
        """Open a project; a file that cannot be read is explained on a page of its own."""
        if file.suffix.lower() in (".h5", ".hdf5"):
            self._open_results(file)
            return
        bench = self._free()
        if bench is not self.bench:
            bench.file_asked.emit(file)
            return
        if file.suffix.lower() in IMPORTED or is_read_by_others(file):
            bench.import_asked.emit(file)
            return
        try:
            self._document.open(file)
        except ProjectError as failure:
            self._explain(file, failure.problems)
            return
        bench.settings.add_recent(file)
        bench.commands.refresh()

    def find(self) -> FindDialog:
        """Find projects, runs and studies of folders; what is chosen is opened."""
        from app.features.files.find_dialog import FindDialog

        dialog = FindDialog(self.bench)
        dialog.chosen.connect(self.open)
        dialog.show()
        return dialog

    def ask_for_results(self) -> None:
        """Let people choose a results file."""
        name = self.bench.ask_file(
            "results read", tr("Open results"), tr(texts.words.RESULTS_FILES), self._folder()
        )
        if name:
            self.open(Path(name))

    def _open_results(self, file: Path) -> None:
        """Show a results file with the model inside; one that cannot be read is explained."""
        bench = self.bench
        try:
            record = read_record(file)
        except ResultsError as failure:
            if _is_study(file):
                bench.study_asked.emit(file)
                return
            self._explain(file, [Problem("error", "results", "", failure.said)])
            return
        if not bench.has_project():
            self._document.adopt(record.project)
        bench.run_view.runs.add(record)
        bench.run_view.switch(True)

    def _explain(self, file: Path, problems: Sequence[Problem]) -> None:
        """Say why a file cannot be read, on a page of its own."""
        self.unreadable.show_file(file, problems)
        self.bench.panels.show_page("unreadable")

    def save(self) -> bool:
        """Save under the present name, or ask for one; tell whether it is saved.

        What came with the program stays as it is: of a sample too a name is asked for.
        """
        file = self._document.path
        if file is None:
            return self.save_as()
        if is_shipped(file):
            return self.save_as(tr("Save the sample under a name of your own"))
        return self._write(file)

    def save_as(self, title: str = "", name: str = "") -> bool:
        """Ask for a name and save under it."""
        file = self._ask_where(title or tr("Save the project"), name)
        return file is not None and self._write(file)

    def save_copy(self) -> None:
        """Save under another name and go on with the present one."""
        file = self._ask_where(tr("Save a copy"))
        if file is None:
            return
        if self._document.is_written_by_others(file):
            self._write(file)
            return
        try:
            self._document.save(file, copy=True)
        except ProjectError as failure:
            self._say_why(failure.problems)
            return
        self.bench.say(
            tr(
                "Saved a copy as {file}; you go on working on {here}.",
                file=file.name,
                here=self._document.name,
            )
        )

    def may_close(self) -> bool:
        """Ask what becomes of unsaved work; False keeps the window open."""
        if not self._document.has_unsaved_work:
            return True
        choice = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self.bench.window,
            tr("Unsaved work"),
            tr(
                "{name} has changes that are not saved. Save them before closing?",
                name=self._document.name,
            ),
            choice.Save | choice.Discard | choice.Cancel,
            choice.Save,
        )
        if answer == choice.Save:
            return self.save()
        return bool(answer == choice.Discard)

    def end(self) -> None:
        """Forget what was kept of the work, and give the graphics memory of the samples back."""
        self.recovery.close()
        self._give_back()

    def break_off(self, why: Ended) -> None:
        """Keep the work, and what becomes of the run that went on, for the next start."""
        self.recovery.leave(why.name, self.bench.run_view.runs.broken_off)
        self._give_back()

    def _give_back(self) -> None:
        self.leftovers.end()
        self.welcome.gallery.close_graphics()

    def show_welcome(self) -> None:
        """Show samples, templates and recent files."""
        self.welcome.show_recent(self.bench.settings.recent)
        self.bench.panels.show_page("welcome")
        self._card_timer.start()

    def back(self) -> None:
        """Go back from a page to the project, or to the welcome."""
        self.bench.panels.show_page("" if self._document.has_project else "welcome")

    def _write(self, file: Path) -> bool:
        """Save, unless somebody else has written the file meanwhile: then ask first."""
        keep = False
        if self._document.is_written_by_others(file):
            theirs, digest = theirs_of(file), digest_on_disk(file)
            if theirs is None or theirs != self._document.project:
                answer = ask(self.bench.window, file, self._document.project, theirs, self.bench.settings.units)  # fmt: skip
                if answer == "theirs" and theirs is not None:
                    return self._take(file, theirs, digest)
                if answer == "both":
                    see_both(self.bench, file)
                if answer == "copy":
                    return self.save_as(tr("Save yours under another name"), f"{file.stem}-mine")
                if answer != "mine":
                    return False
                keep = True
        try:
            backup = self._document.save(file, keep=keep)
        except ProjectError as failure:
            self._say_why(failure.problems)
            return False
        self.bench.settings.add_recent(file)
        sentence = tr("Saved {file}.", file=file.name)
        if backup is not None:
            sentence += f" {tr('The older file was kept as {file}.', file=backup.name)}"
        self.bench.say(sentence)
        return True

    def _take(self, file: Path, theirs: Project, digest: str) -> bool:
        self._document.take(
            theirs, digest, tr("Take {file} as it stands on the disk", file=file.name)
        )
        self.bench.say(tr("The model is {file} as it stands on the disk; undo brings yours back.", file=file.name))  # fmt: skip
        return True

    def _ask_where(self, title: str, name: str = "") -> Path | None:
        start = Path(self._folder()) / f"{name or self._document.stem}.json"
        name = ask_where(self.bench.window, title, str(start), tr(_PROJECT_FILES))
        return Path(name) if name else None

    def _say_why(self, problems: tuple[Problem, ...]) -> None:
        first = problems[0]
        self.bench.notice.say(
            f"{first.sentence} {first.hint}".rstrip(), (tr("Save as…"), lambda: self.save_as())
        )

    def _folder(self) -> str:
        path = self._document.path
        own = [
            file for file in (path, *self.bench.settings.recent) if file and not is_shipped(file)
        ]
        return str(own[0].parent) if own else str(Path.home())

    def _free(self) -> Workbench:
        """Give this workbench, or that of a new window where unsaved work is shown."""
        return self.bench.another() if self._document.has_unsaved_work else self.bench

    def _on_preference(self, name: str) -> None:
        settings = self.bench.settings
        if name == "keep_every_s":
            self.recovery.set_every(1000 * int(settings.value(name)))
        elif name == "recent_files":
            self.welcome.show_recent(settings.recent)

    def _draw_card(self) -> None:
        """Draw the samples' pictures one after the other, so that the window stays quick."""
        view = self.bench.viewport
        if view.is_closed or view.excuse or not self.welcome.isVisibleTo(self.bench.window):
            self.welcome.gallery.close_graphics()
        elif self.welcome.gallery.draw_next(self.bench.theme, view.canvas):
            self._card_timer.start()

    def _list_recent(self, menu: QMenu) -> None:
        menu.clear()
        settings = self.bench.settings
        files = settings.recent
        for number, file in enumerate(files, 1):
            entry = menu.addAction(f"&{number % 10}  {file.name}")
            entry.setStatusTip(str(file))
            entry.triggered.connect(lambda _=False, file=file: self.open(file))
        if files:
            menu.addSeparator()
            menu.addAction(tr("&Forget these")).triggered.connect(settings.forget_recent)
        else:
            menu.addAction(tr("No files yet")).setEnabled(False)

    def _add_commands(self) -> None:
        has_project = self.bench.has_project
        self.bench.commands.add(
            *(
                Command(
                    f"file.new_{name}",
                    tr(title),
                    tr(tip),
                    partial(self.new, name),
                    "Ctrl+N" if name == "empty" else "",
                    choice="new",
                )
                for name, (title, tip) in TEMPLATES.items()
            ),
            Command(
                "file.open", tr("&Open…"), tr("Open a project file."), self.ask_for_file, "Ctrl+O"
            ),
            Command(
                "file.find",
                tr("&Find…"),
                tr("Find projects, runs and studies of folders by words and figures."),
                self.find,
            ),
            Command("file.recent", tr("Open &recent"), "", lambda: None, fill=self._list_recent),
            Command(
                "file.samples",
                tr("&Welcome page"),
                tr("Samples, templates and recent files."),
                self.show_welcome,
                "Ctrl+Shift+O",
            ),
            Command(
                "file.save",
                tr("&Save"),
                tr("Save the project under its present name."),
                self.save,
                "Ctrl+S",
                has_project,
            ),
            Command(
                "file.save_as",
                tr("Save &as…"),
                tr("Save under another name and go on with that file."),
                self.save_as,
                "Ctrl+Shift+S",
                has_project,
            ),
            Command(
                "file.save_copy",
                tr("Save a &copy…"),
                tr("Write a copy and go on with the present file."),
                self.save_copy,
                enabled=has_project,
            ),
            Command(
                "run.open",
                tr("Open &results…"),
                tr("Open a results file, with the model that is inside it."),
                self.ask_for_results,
                "Ctrl+Shift+R",
            ),
        )


def _is_study(file: Path) -> bool:
    """Whether a file is that of a study."""
    from solver.studies.file import is_study

    return is_study(file)
