"""What features may use: the document, what is selected and shown, settings, and ways to speak."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget

from app import texts
from app.application import Application
from app.command import Command
from app.document import Document
from app.elements import contact_ends, find, with_names
from app.forms.places import Pin
from app.history import Change
from app.jobs.task import Task
from app.jobs.turns import Transition
from app.look import LIGHT, Theme
from app.panel import Panel
from app.run_view.live import Live
from app.run_view.precomputed_belts import PrecomputedBelts
from app.run_view.run_view import RunView
from app.scene.viewport import Viewport, Views
from app.settings import Settings
from app.widgets.asking import ask_where
from solver.base.words import tr

if TYPE_CHECKING:
    from solver.project import Project
    from solver.studies import FigureBand, StudyResult


class Commands(Protocol):
    """The commands of all features, in menus and by their ids."""

    def add(self, *commands: Command) -> None:
        """Add commands."""

    def find(self, id_: str) -> Command:
        """A command."""

    def run(self, id_: str) -> None:
        """Do a command, where it makes sense."""

    def refresh(self) -> None:
        """Ask every command again whether it makes sense, whether it is on, and what it says."""

    def menu(self, name: str) -> QMenu:
        """One of the window's menus."""

    def context(self, *ids: str) -> QMenu:
        """Make a menu of some commands, with a line at each empty id and whole menus by name."""


class Panels(Protocol):
    """The panels of all features, by their names."""

    def add(self, panel: Panel) -> None:
        """Add a panel."""

    def find(self, name: str) -> Panel:
        """A panel."""

    def at(self, widget: QWidget) -> Panel | None:
        """The panel that a widget is."""

    def front(self) -> Panel | None:
        """The panel in front of those below the scene; None where none stands there."""

    def is_front(self, name: str) -> bool:
        """Whether nothing lies before a panel, wherever it is."""

    def has_keyboard(self, name: str) -> bool:
        """Whether the keyboard is somewhere in a panel."""

    @property
    def mood(self) -> str:
        """What the window is for just now: to build, to run or to understand."""

    def show_mood(self, mood: str) -> None:
        """Show the panels of another mood, as they were left there."""

    def forget_called(self) -> None:
        """Take away the panels that only some projects need: another project is opened."""

    def is_shown(self, name: str) -> bool:
        """Whether a panel is somewhere in this mood, be it behind others."""

    def open(self, name: str) -> None:
        """Bring a panel to the front, wherever it was put, in its own mood where it is not in this one."""

    def is_open(self) -> bool:
        """Whether more than the tabs is seen of the panels below the scene."""

    def fold(self, away: bool) -> None:
        """Leave only the tabs of the panels below the scene, or show the one in front again."""

    def give_half(self, wanted: bool) -> None:
        """The panels below the scene half of the height, or take it back."""

    def count(self, name: str, number: int) -> None:
        """Write on a panel's tab how many things are in it; nothing for none."""

    def remark(self, sentence: str) -> None:
        """Say something about what the panels below the scene show."""

    def show_page(self, name: str = "") -> None:
        """Bring a page to the front; without a name the project."""

    def shows_project(self) -> bool:
        """Whether a project is shown, and no page."""

    def hold(self, on: bool) -> None:
        """Leave on the screen what is seen, whatever becomes of it, or paint it again."""

    def tab(self, name: str) -> tuple[QWidget, QRect]:
        """Give the place of a panel's tab in its bar of tabs, or else its title."""


Offer = tuple[str, Callable[[], object]]
"""The words of a button, and what it does."""


class Notices(Protocol):
    """A bar that says one thing until it is answered."""

    def say(self, sentence: str, *offers: Offer, stays: bool = False) -> None:
        """Show a sentence with buttons; one that `stays` is not about the model that is open."""

    def forget(self) -> None:
        """Hide what was said of the model that was open before."""

    def unsay(self, *sentences: str) -> None:
        """Hide a sentence that is no longer true."""


IMPORTED = (".ain", ".lin", ".vsg", ".xml", ".mjcf", ".urdf", ".osim")
"""Endings of files of other programs that become projects."""


class Workbench(QObject):
    """What the features of one window share; they know each other only by what is here."""

    mood_changed = Signal(str)
    """The window is in another mood: it builds, runs or understands."""
    ready = Signal()
    """The window is laid out, and shows nothing yet."""
    begun = Signal()
    """The program has begun with this window."""
    file_asked = Signal(Path)
    """A file shall be opened."""
    import_asked = Signal(Path)
    printed_asked = Signal(Path)
    """A file of another program is to become the project."""
    unreadable = Signal(Path, object)
    """A file that cannot be read, with its problems."""
    preference_changed = Signal(str)
    """A preference has another value, which is remembered."""
    theme_changed = Signal(object)
    units_changed = Signal(str)
    band_changed = Signal(str)
    """The band goes on, and how far it is; empty: it has ended."""
    figure_asked = Signal(object)
    """The curve of an injury figure, with its window, shall be seen."""
    decides_asked = Signal(object)
    """Which numbers of the model decide an injury figure shall be found out."""
    goal_asked = Signal(object, bool)
    """An optimum shall make an injury figure small, or keep it below its limit (True)."""
    pages_asked = Signal(object)
    """Several runs shall have the same page of plots each."""
    why_asked = Signal(object)
    """What makes an injury figure so large shall be told."""
    written = Signal(Path)
    """A file is written, which people may want to open."""
    quantity_asked = Signal(str)
    """The curve of a quantity shall be seen."""
    sights_changed = Signal()
    """Something that the scene can show besides has been switched on or off."""
    previewed = Signal()
    """What is not in the project yet is seen in the scene."""
    pin_asked = Signal(str)
    """A field shall have a slider."""
    study_asked = Signal(Path)
    """A study file shall be shown, with the model inside."""
    vary_asked = Signal(str)
    """A study shall vary a field."""
    report_asked = Signal(object)
    """A report of some runs shall be written."""
    beside_asked = Signal(object)
    """A run shall be seen beside the current one; None: no longer."""
    beside_changed = Signal(object)
    """The run that is seen beside the current one, or None."""
    help_asked = Signal(str, object)
    """The guide shall report a topic, or else of a widget; a dialog may be what asks."""

    def __init__(
        self,
        window: QWidget,
        application: Application,
        commands: Commands,
        panels: Panels,
        notice: Notices,
        say: Callable[[str], None],
        another: Callable[[], Workbench],
    ) -> None:
        super().__init__(window)
        self.window, self.application = window, application
        self.commands, self.panels, self.notice = commands, panels, notice
        self.say, self.another = say, another
        """Say something in the status line; open another window and give its workbench."""
        self.theme: Theme = LIGHT
        self.last_written: Path | None = None
        self._names: dict[str, str] = {}
        """What was called how when it was saved last, since the project was opened."""
        self.pinned: Callable[[], Sequence[Pin]] = tuple
        """Gives the fields that have sliders, with the ends of these."""
        self.finished_studies: Callable[[], Sequence[StudyResult]] = tuple
        """Gives what has come of the studies of the project that have ended."""
        self.guide_sections: Callable[[str], Iterable[tuple[str, str, str]]] = lambda _: ()
        """Gives the sections of the guide in which some words stand: heading, page, topic."""
        self.finished_bands: Callable[[], Sequence[StudyResult]] = tuple
        self.run_band: Callable[[], object] = tuple
        self.band_figures: Callable[[Project], Mapping[str, FigureBand]] = lambda _: {}
        """The band of the model, if it was run; runs or stops it; that of each figure of a run of a model."""
        self.document = Document(self)
        self.viewport = Viewport()
        self.views = Views(self.viewport)
        self.run_view = RunView(self.document, self.viewport, self)
        self.live = Live(self.run_view, self)
        self.transition = Transition(panels.hold, self.run_view.turns)
        PrecomputedBelts(self.run_view, self.viewport)
        self.document.opened.connect(self._on_opened)
        self.document.changed.connect(self._on_changed)
        self.document.selected.connect(self._on_selected)
        self.document.said.connect(say)
        self.run_view.spoke.connect(say)
        self.theme_changed.connect(self.views.set_theme)

    @property
    def settings(self) -> Settings:
        """What is remembered from one start to the next."""
        return self.application.settings

    def tip_of(self, id_: str) -> str:
        """Say what a command does, and by which key; for buttons that do the same."""
        return self.commands.find(id_).full_tip

    def has_project(self) -> bool:
        """Whether a project is shown."""
        return self.panels.shows_project()

    def has_elements(self) -> bool:
        """Whether elements are selected that can be copied and deleted."""
        return self.has_project() and bool(self.document.elements)

    def choose(self, element: str) -> None:
        """Select what was clicked in the scene; with Ctrl, with what is selected already."""
        several = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier
        self.document.select(element, add=bool(several) and bool(element))

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark everywhere."""
        self.theme = theme
        self.theme_changed.emit(theme)

    def ask_name(
        self, what: str, title: str, name: str, kinds: str, parent: QWidget | None = None
    ) -> str:
        """Ask where to put something; its folder is that of last time, its name too while the project is open.

        Gives the file with an ending of one of these kinds, empty for none.
        """
        folder, name = self.settings.folder(what), self._names.get(what, name)
        start = str(Path(folder) / Path(name).name) if folder else name
        chosen = ask_where(parent or self.window, title, start, kinds)
        if chosen:
            self._names[what] = Path(chosen).name
            self.settings.keep_folder(what, Path(chosen).parent)
        return chosen

    def ask_file(self, what: str, title: str, kinds: str, otherwise: str = "") -> str:
        """Ask for a file to read; its folder is that of last time. Gives its name, empty for none."""
        folder = self.settings.folder(what) or otherwise
        name, _ = QFileDialog.getOpenFileName(self.window, title, folder, kinds)
        if name:
            self.settings.keep_folder(what, Path(name).parent)
        return name

    def ask_folder(self, what: str, title: str) -> str:
        """Ask for a folder to read; the next one begins beside it. Gives its name, empty for none."""
        name = QFileDialog.getExistingDirectory(self.window, title, self.settings.folder(what))
        if name:
            self.settings.keep_folder(what, Path(name).parent)
        return name

    def tell_written(self, file: Path) -> None:
        """Say that a file is written; it can then be opened."""
        self.last_written = file
        self.say(tr(texts.words.WRITTEN, file=file.name))
        self.written.emit(file)

    def write(self, file: Path, work: Callable[[], object]) -> Task:
        """Write a file in a thread; the status line reports it, a notice of what went wrong."""
        task = Task(work, self)
        task.done.connect(lambda _: self.tell_written(file))
        task.failed.connect(self.tell_failed)
        self.say(tr("Writing {file} …", file=file.name))
        task.start()
        return task

    def explain(self, sentence: str, details: str) -> None:
        """Say that something failed, and offer the details for the clipboard."""

        def copy() -> None:
            QApplication.clipboard().setText(details)
            self.say(tr("The details are on the clipboard; please send them to us."))

        self.notice.say(sentence, (tr("Copy details"), copy), stays=True)

    def stop(self) -> None:
        """Stop what goes on: runs, their playing, and checks."""
        self.run_view.player.pause()
        self.run_view.turns.clear()
        self.run_view.runs.stop()
        self.document.close()

    def close(self) -> None:
        """Give the graphics memory back."""
        for view in self.views.all:
            view.close_graphics()

    def tell_failed(self, failure: Exception) -> None:
        """Say why work in the background has failed: refusals in their words, slips with details."""
        if isinstance(failure, OSError) or type(failure).__module__.startswith(
            ("app.", "solver.", "manikin")
        ):
            self.notice.say(with_names(self.document.project, str(failure)))
        else:
            self.application.tell_failure(type(failure), failure, failure.__traceback__)

    def _on_opened(self) -> None:
        self.transition.fall()
        self.notice.forget()
        self._names.clear()
        self.run_view.forget()
        self.viewport.show_project(self.document.project)

    def _on_changed(self, change: Change) -> None:
        """Show the model as it is now; while a slider is drawn, the scene stays with the run."""
        if not (self.live.is_drawn and self.run_view.is_on):
            self.run_view.switch(False)
            self.viewport.update_project(change.after)

    def _on_selected(self, path: str) -> None:
        chosen = self.document.chosen
        if path.startswith("contacts/"):
            # a contact itself has no form: both that may touch are marked
            chosen = (*chosen, *contact_ends(find(self.document.project, path)))
        for view in self.views.all:
            view.select(path, chosen)
        self.run_view.look_again()
