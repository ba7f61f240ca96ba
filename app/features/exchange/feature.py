"""Models of other programs: import, with what became of every card; export, with what could not be said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from app.command import Command
from app.features.exchange.panel import Cards
from app.features.feature import Feature
from app.guard import guard
from app.jobs.task import Task
from app.panel import Panel
from app.workbench import IMPORTED, Workbench
from solver.base.words import Sentence, msgid, tr
from solver.exchange.endings import CARDS, PRINTED
from solver.project import Problem, Project, ProjectError

if TYPE_CHECKING:
    from solver.exchange.decks import CardNote, Imported

DECKS = (".ain", ".lin")
_READ = msgid(
    "Models of other programs (*.ain *.lin *.vsg *.xml *.mjcf *.urdf *.osim);;Printed results of ATB (*.aou *.tp *.tth);;All files (*)"
)
_WRITTEN = (
    msgid("Deck of ATB (*.ain)"),
    msgid("Deck of ATB in free form, every digit (*.lin)"),
    msgid("Cards of VARISEG, of a model in the plane (*.vsg)"),
    msgid("Trees for MuJoCo (*.xml)"),
    msgid("Robot of ROS (*.urdf)"),
)
_OPENED = (".json", ".h5", ".hdf5", *IMPORTED, *PRINTED)


class Exchange(Feature):
    """Read and write files of other programs; files may be dropped on the window."""

    name = "exchange"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.panel = Cards()
        self._shown: Project | None = None
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
        )
        self.panel.chosen.connect(bench.document.select)
        bench.document.selected.connect(self.panel.show_element)
        bench.document.opened.connect(self._on_opened)
        bench.import_asked.connect(self.open)
        bench.ready.connect(self._take_drops)

    def ask_for_file(self) -> None:
        """Let people choose a file of another program."""
        name = self.bench.ask_file("import", tr("Import a model"), tr(_READ), self._folder())
        if name:
            self._ask_for(Path(name))

    def _ask_for(self, file: Path) -> None:
        """Open a file, or draw what a program has printed."""
        printed = file.suffix.lower() in PRINTED
        (self.bench.printed_asked if printed else self.bench.file_asked).emit(file)

    def open(self, file: Path) -> None:
        """Show the project made of a file, and what became of its parts."""
        from solver.exchange.decks import CardNote, read_ain
        from solver.exchange.decks.rest import wants_rest
        from solver.exchange.trees import TreeError, read_tree
        from solver.exchange.variseg import read_variseg

        notes: Sequence[CardNote]
        text: Sequence[str] = ()
        made: Imported | None = None
        try:
            if file.suffix.lower() in DECKS:
                made = read_ain(file)
                project, notes, text = made.project, made.notes, made.text
            elif file.suffix.lower() == CARDS:
                read = read_variseg(file)
                project, notes, text = read.project, read.notes, read.text
            else:
                tree = read_tree(file)
                project = tree.project
                notes = [CardNote(0, 0, "", "rule", (one,)) for one in tree.notes]
        except ProjectError as failure:
            self.bench.unreadable.emit(file, failure.problems)
            return
        except TreeError as failure:
            self.bench.unreadable.emit(file, [Problem("error", "exchange", "", failure.said)])
            return
        self._shown = project
        # it stands in no file of ours: whoever closes it is asked
        self.bench.document.adopt(project, recovered=True)
        self.panel.show_report(file.name, notes, text)
        self.bench.panels.open("cards")
        self.bench.say(tr("Made a project of {file}; the file stays as it is.", file=file.name))
        if made is not None and wants_rest(made):
            self._settle(file.name, made)

    def _settle(self, name: str, made: Imported) -> None:
        """Find the equilibrium that a deck asks for; it is a step of the history."""
        from solver.exchange.decks.rest import settled

        document = self.bench.document
        draft = document.draft

        def found(done: Imported) -> None:
            if document.draft != draft:
                # another model has been opened meanwhile
                return
            if document.project is not made.project:
                self.bench.notice.say(
                    tr("The model was changed before its equilibrium was found; Place, Settle finds it anew.")
                )  # fmt: skip
                return
            self._shown = done.project
            document.replace(done.project, tr("Settle as card G.1 asks"))
            self.panel.show_report(name, done.notes, done.text)
            (told,) = next(one.says for one in done.notes if one.card == "G.1")
            self.bench.say(str(told))

        task = Task(partial(settled, made), self)
        task.done.connect(found)
        task.failed.connect(lambda failure: self.bench.notice.say(str(failure)))
        self.bench.say(tr("Finding the equilibrium that the deck asks for…"))
        task.start()

    def ask_where(self) -> None:
        """Ask for a name and write the model."""
        document = self.bench.document
        start = Path(self._folder()) / f"{Path(document.name).stem}.ain"
        filters = ";;".join(tr(words) for words in _WRITTEN)
        name = self.bench.ask_name("model", tr("Export the model"), str(start), filters)
        if name:
            self.write(Path(name))

    def write(self, file: Path) -> None:
        """Write the model, and say what the file cannot say."""
        from solver.exchange.decks import DeckError, write_ain
        from solver.exchange.trees import TreeError, write_tree
        from solver.exchange.variseg import VarisegError, write_variseg

        document = self.bench.document
        document.problems_now()
        if any(one.severity == "error" for one in document.problems):
            self.bench.notice.say(tr("A model with errors cannot be written; Problems lists them."))
            return
        try:
            if file.suffix.lower() in (*DECKS, CARDS):
                write = write_variseg if file.suffix.lower() == CARDS else write_ain
                losses = write(document.project, file).told()
            else:
                losses = list(write_tree(document.project, file))
        except (DeckError, TreeError, VarisegError) as failure:
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
            tr(
                "Wrote {file}; {count} things could not be said in it.",
                file=file.name,
                count=len(losses),
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
            known = [file for file in files if file.suffix.lower() in _OPENED]
            if known:
                event.acceptProposedAction()
                if not isinstance(event, QDragEnterEvent) and event.type() == QEvent.Type.Drop:
                    self._ask_for(known[0])
                return True
        return super().eventFilter(watched, event)
