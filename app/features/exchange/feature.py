"""Models of other programs: import, with what became of every card; export, with what could not be said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from app.command import Command
from app.features.exchange.cards import Cards
from app.features.feature import Feature
from app.guard import guard
from app.jobs.task import Task
from app.panel import Panel
from app.widgets.asking import ask_for_item, is_wanted
from app.workbench import IMPORTED, Workbench
from solver.base.words import Refusal, Sentence, msgid, plural, sentence_of, tr
from solver.exchange.added import (
    exporters,
    filters,
    importers,
    is_read_by_others,
    read_by_others,
    write_by_others,
)
from solver.exchange.endings import CARDS, TESTED
from solver.project import Problem, Project, ProjectError

if TYPE_CHECKING:
    from solver.exchange.decks import CardNote, Imported
    from solver.exchange.trees import ReadTree
DECKS = (".ain", ".lin")
_READ = msgid(
    "Models of other programs (*.ain *.lin *.vsg *.xml *.mjcf *.urdf *.osim);;Printed results of ATB, tables of OpenSim (*.aou *.tp *.tth *.t[2-9][0-9] *.mot *.sto);;All files (*)"
)
_WRITTEN = (
    msgid("Deck of ATB (*.ain)"),
    msgid("Deck of ATB in free form, every digit (*.lin)"),
    msgid("Cards of VARISEG, of a model in the plane (*.vsg)"),
    msgid("Trees for MuJoCo (*.xml)"),
    msgid("Robot of ROS (*.urdf)"),
    msgid("FMU of FMI 3.0 co-simulation (*.fmu)"),
)
_OPENED = (".json", ".h5", ".hdf5", *IMPORTED, *TESTED)


class Exchange(Feature):
    """Read and write files of other programs; files may be dropped on the window."""

    name = "exchange"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.panel = Cards()
        self._shown: Project | None = None
        self._skeleton: Path | None = None
        """The model of OpenSim that is shown, to which a set of markers may come."""
        """The project to which the cards belong, as it was read."""
        bench.panels.add(
            Panel(
                "cards",
                self.panel,
                "below",
                tr("Cards"),
                tr("What became of every card of an imported model, with a way to its element"),
                go_to=(tr("Car&ds"), tr("Go to the cards of the imported model.")),
                topic="guide#models-of-other-programs",
                moods=("build",),
                asked_in=("build",),
            )
        )
        bench.commands.add(
            Command(
                "file.import",
                tr("&Import a model…"),
                tr(
                    "Make a project of a deck of CVS-IV or ATB, cards of VARISEG, a model of MuJoCo or OpenSim, or a robot of ROS."
                ),
                self.ask_for_file,
            ),
            Command(
                "file.export_model",
                tr("&Export the model…"),
                tr(
                    "Write the model as a deck, for MuJoCo or as a robot, and say what the file cannot say."
                ),
                self.ask_where,
                enabled=bench.has_project,
            ),
            Command(
                "file.compare_printed",
                tr("&Compare a deck with what it printed…"),
                tr(
                    "Run a deck of ATB, and write a page that puts every table printed beside it (.aou, .t21 to .t99) next to the run."
                ),
                self.ask_for_printed,
            ),
        )
        self.panel.chosen.connect(bench.document.select)
        bench.document.selected.connect(self.panel.show_element)
        bench.document.opened.connect(self._on_opened)
        bench.import_asked.connect(self.open)
        bench.ready.connect(self._take_drops)

    def ask_for_file(self) -> None:
        """Let people choose a file of another program."""
        kinds = ";;".join([tr(_READ), *filters(importers())])
        name = self.bench.ask_file("import", tr("Import a model"), kinds, self._folder())
        if name:
            self._ask_for(Path(name))

    def _ask_for(self, file: Path) -> None:
        """Open a file, or draw what a program has printed."""
        printed = file.suffix.lower() in TESTED
        (self.bench.printed_asked if printed else self.bench.file_asked).emit(file)

    def open(self, file: Path, keyframe: str = "") -> None:
        """Show the project made of a file, and what became of its parts; of key frames of a model one may be the start."""
        from solver.exchange.decks import CardNote, read_ain
        from solver.exchange.decks.importing import wants_rest
        from solver.exchange.variseg import read_variseg

        notes: Sequence[CardNote]
        text: Sequence[str] = ()
        made: Imported | None = None
        offered: tuple[str, ...] = ()
        try:
            others = read_by_others(file)
            if others is not None:
                project = others.project
                notes = [CardNote(0, 0, "", "rule", (sentence_of(one),)) for one in others.notes]
            elif file.suffix.lower() in DECKS:
                made = read_ain(file)
                project, notes, text = made.project, made.notes, made.text
            elif file.suffix.lower() == CARDS:
                read = read_variseg(file)
                project, notes, text = read.project, read.notes, read.text
            else:
                tree = self._read_tree(file, keyframe)
                project, offered = tree.project, () if keyframe else tree.keyframes
                notes = [CardNote(0, 0, "", "rule", (one,)) for one in tree.notes]
        except ProjectError as failure:
            self.bench.unreadable.emit(file, failure.problems)
            return
        except Refusal as failure:
            self.bench.unreadable.emit(file, [Problem("error", "exchange", "", failure.said)])
            return
        self._shown, self._skeleton = project, self._base(file)
        # it stands in no file of ours: anyone who closes it is asked
        self.bench.document.adopt(project, recovered=True)
        self.panel.show_report(file.name, notes, text)
        self.bench.panels.open("cards")
        self.bench.say(tr("Made a project of {file}; the file stays as it is.", file=file.name))
        if made is not None and wants_rest(made):
            self._settle(file.name, made)
        if offered:
            self._offer_starts(file, offered)

    def _offer_starts(self, file: Path, names: Sequence[str]) -> None:
        """Ask from which of a model's key frames it starts; without an answer it starts as it is drawn."""
        drawn = tr("as the file draws it")

        def chosen(name: str) -> None:
            if name != drawn:
                self.open(file, name)

        words = tr("{file} has key frames. It starts:", file=file.name)
        ask_for_item(self.bench.window, tr("Import a model"), words, [drawn, *names], 0, chosen)

    def _base(self, file: Path) -> Path | None:
        """The model of OpenSim that a file is, or to which it brought markers."""
        if file.suffix.lower() == ".osim":
            return file
        return self._skeleton if self._takes_markers(file) else None

    def _takes_markers(self, file: Path) -> bool:
        """Whether a file is a set of markers, and the model of OpenSim is still as it was read."""
        from solver.exchange.trees import is_marker_set

        unchanged = self._skeleton is not None and self.bench.document.project is self._shown
        return unchanged and file.suffix.lower() == ".xml" and is_marker_set(file)

    def _read_tree(self, file: Path, keyframe: str) -> ReadTree:
        """Read a model of bodies; anyone whose model names files of another folder is asked whether they are meant."""
        from solver.exchange.trees import BeyondFolder, read_tree

        try:
            if self._skeleton is not None and self._takes_markers(file):
                return read_tree(self._skeleton, markers=file)
            return read_tree(file, keyframe=keyframe)
        except BeyondFolder as found:
            words = tr(
                "{file} names files beyond its own folder. Open what it names in {folder}?",
                file=file.name,
                folder=found.folder,
            )
            if not is_wanted(self.bench.window, tr("Import a model"), words):
                raise
            return read_tree(file, found.folder, keyframe)

    def _settle(self, name: str, made: Imported) -> None:
        """Find the equilibrium that a deck asks for; it is a step of the history."""
        from solver.exchange.decks.importing import settled

        document = self.bench.document
        draft = document.draft

        def found(done: Imported) -> None:
            if document.draft != draft:
                # another model has been opened meanwhile
                return
            if document.project is not made.project:
                self.bench.notice.say(
                    tr("The model was changed before its equilibrium was found; Place, Settle finds it again.")
                )  # fmt: skip
                return
            self._shown = done.project
            document.replace(done.project, tr("Settle as card G.1 asks"))
            self.panel.show_report(name, done.notes, done.text)
            (sentence,) = next(one.says for one in done.notes if one.card == "G.1")
            self.bench.say(str(sentence))

        task = Task(partial(settled, made), self)
        task.done.connect(found)
        task.failed.connect(lambda failure: self.bench.notice.say(str(failure)))
        self.bench.say(tr("Finding the equilibrium that the deck asks for…"))
        task.start()

    def ask_for_printed(self) -> None:
        """Ask for a deck whose printed tables lie beside it, and for the page to write."""
        name = self.bench.ask_file("import", tr("Deck whose printed tables lie beside it"), tr("Decks of ATB (*.ain *.lin)"), self._folder())  # fmt: skip
        if not name:
            return
        deck = Path(name)
        page = self.bench.ask_name(
            "printed", tr("Page of the comparison"), str(deck.with_suffix(".html")),
            tr("Page (*.html);;Page as PDF (*.pdf)"),
        )  # fmt: skip
        if page:
            self.compare(deck, Path(page))

    def compare(self, deck: Path, page: Path) -> Task:
        """Run a deck in the background, and write how it compares with what was printed of it."""

        def work() -> None:
            from solver.exchange.decks.compared import compare_printed
            from solver.report.compared import compared_page

            compared_page(compare_printed(deck)).save(page)

        return self.bench.write(page, work)

    def ask_where(self) -> None:
        """Ask for a name and write the model."""
        document = self.bench.document
        start = Path(self._folder()) / f"{document.stem}.ain"
        kinds = ";;".join([*(tr(words) for words in _WRITTEN), *filters(exporters())])
        name = self.bench.ask_name("model", tr("Export the model"), str(start), kinds)
        if name:
            self.write(Path(name))

    def write(self, file: Path) -> None:
        """Write the model, and say what the file cannot say."""
        from manikin.fmu import write_fmu
        from manikin.model import Model
        from solver.exchange.decks import write_ain
        from solver.exchange.trees import write_tree
        from solver.exchange.variseg import write_variseg

        document = self.bench.document
        document.problems_now()
        if any(one.severity == "error" for one in document.problems):
            self.bench.notice.say(tr("A model with errors cannot be written; Problems lists them."))
            return
        try:
            said = write_by_others(document.project, file)
            if said is not None:
                losses = [sentence_of(one) for one in said]
            elif file.suffix.lower() in (*DECKS, CARDS):
                write = write_variseg if file.suffix.lower() == CARDS else write_ain
                losses = write(document.project, file).sentences()
            elif file.suffix.lower() == ".fmu":
                write_fmu(Model(document.project), file)
                losses = []
            else:
                losses = list(write_tree(document.project, file))
        except (ProjectError, Refusal) as failure:
            self.bench.notice.say(str(failure))
            return
        except OSError as failure:
            self.bench.notice.say(
                tr(
                    "'{path}' cannot be written: {strerror}.",
                    path=file.name,
                    strerror=failure.strerror,
                )
            )
            return
        if not losses:
            self.bench.say(tr("Wrote {file}.", file=file.name))
            return
        show = (tr("Show them"), partial(self._show_losses, file.name, losses))
        self.bench.notice.say(
            plural(
                "Wrote {file}; {n} thing could not be said in it.",
                "Wrote {file}; {n} things could not be said in it.",
                len(losses),
                file=file.name,
            ),
            show,
        )

    def _show_losses(self, name: str, losses: Sequence[Sentence]) -> None:
        from solver.exchange.decks import CardNote

        self.panel.show_report(
            name, [CardNote(0, 0, "", "impossible", (one,)) for one in losses], ()
        )
        self.bench.panels.open("cards")

    def _on_opened(self) -> None:
        if self.bench.document.project is not self._shown:
            self._shown = None
            self.panel.show_report("", (), ())

    def _folder(self) -> str:
        path = self.bench.document.path
        return str(path.parent) if path else str(Path.home())

    def _take_drops(self) -> None:
        self.bench.window.setAcceptDrops(True)
        self.bench.window.installEventFilter(self)

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open files that are dropped on the window."""
        if isinstance(event, QDropEvent):
            files = [
                Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()
            ]
            known = [f for f in files if f.suffix.lower() in _OPENED or is_read_by_others(f)]
            if known:
                event.acceptProposedAction()
                if not isinstance(event, QDragEnterEvent) and event.type() == QEvent.Type.Drop:
                    self._ask_for(known[0])
                return True
        return super().eventFilter(watched, event)
