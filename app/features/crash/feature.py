"""A new crash from a few choices, and the same choices once more."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from app.command import Command
from app.document import Document
from app.features.feature import Feature
from app.home import home
from app.widgets.sheet import fit_beside
from app.workbench import Workbench
from solver.base.atomic import write_atomic
from solver.base.words import tr
from solver.project import Project
from solver.project.runs import Run

if TYPE_CHECKING:
    from app.features.crash.dialog import Chosen, CrashDialog


class NewCrash(Feature):
    """Ask for a crash; what it was made of is known beside its project."""

    name = "crash"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.memory = Memory(bench.document)
        self._known: Chosen | None = None
        bench.document.opened.connect(self._look)
        bench.document.named.connect(self._look)
        bench.commands.add(
            Command(
                "file.crash",
                tr("New cras&h…"),
                tr("Load case, seat, person, belt, pulse: a crash that is ready to run."),
                self.ask_for_new_project,
                "Ctrl+Shift+E",
                icon="body",
            ),
            Command(
                "place.crash",
                tr("Cha&nge the crash…"),
                tr(
                    "Choose otherwise in what the crash was made of; it is built again, as one step."
                ),
                self.ask,
                enabled=lambda: bench.has_project() and self._known is not None,
            ),
        )

    def ask_for_new_project(self) -> CrashDialog | None:
        """Ask for a crash in a project of its own; unsaved work stays in its window."""
        if self.bench.document.has_unsaved_work:
            self.bench.another().commands.run("file.crash")
            return None
        begun = Project(title=tr("New crash"), runs=(Run(id="run", duration_s=0.15),))
        self.bench.document.adopt(begun)
        dialog = self.ask()
        dialog.rejected.connect(lambda: self._go_back(begun))
        return dialog

    def _go_back(self, begun: Project) -> None:
        """Show the welcome again where nothing has come of it: an empty project is no help."""
        if self.bench.document.project is begun:
            self.bench.panels.show_page("welcome")

    def ask(self) -> CrashDialog:
        """Open the choices; those of the last time where the crash was made of them."""
        from app.features.crash.dialog import CrashDialog

        bench = self.bench
        bench.run_view.switch(False)
        dialog = CrashDialog(bench, self._known)
        dialog.accepted.connect(lambda: self._take(dialog))
        dialog.setStyleSheet(bench.window.styleSheet())
        dialog.adjustSize()
        fit_beside(dialog)
        dialog.show()
        return dialog

    def _take(self, dialog: CrashDialog) -> None:
        project, document = dialog.made, self.bench.document
        if project is None:
            return
        from app.features.crash.dialog import Chosen
        from solver.analysis.crash.build import oddities

        self._known = Chosen(dialog.choices, dialog.fields.chosen)
        self.memory.keep(self._known)
        document.replace(project, tr("New crash: {title}", title=project.title), select=[""])
        self.bench.viewport.fit()
        text = tr("The crash is ready; Place → Change the crash chooses otherwise.")
        odd = oddities(project, dialog.choices)
        self.bench.say(" ".join([*map(str, odd), text]))
        if dialog.wants_run:
            self.bench.run_view.run()

    def _look(self) -> None:
        """Know what the project that is open now was made of."""
        self._known = self.memory.now()


_MOST = 200
"""So many projects are known; those that were chosen for longest ago are forgotten."""


class Memory:
    """Remember for each project what its crash was made of; a draft that is saved takes it along."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._file = home() / "crashes.json"
        self._key = ""
        document.opened.connect(self._on_opened)
        document.named.connect(self._on_named)

    def now(self) -> Chosen | None:
        """What the open project was made of."""
        data = self._all().get(self._key)
        if not isinstance(data, dict):
            return None
        from app.features.crash.dialog import Chosen

        return Chosen.read(data)

    def keep(self, chosen: Chosen) -> None:
        """Remember it for the open project."""
        self._key = _key_of(self._document)
        self._put(chosen.as_data())

    def _on_opened(self) -> None:
        self._key = _key_of(self._document)

    def _on_named(self) -> None:
        """Under another name it is made of the same."""
        before, self._key = self._key, _key_of(self._document)
        if self._key != before and (data := self._all().get(before)) is not None:
            self._put(data)

    def _all(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _put(self, data: object) -> None:
        known = self._all()
        known.pop(self._key, None)
        kept = dict(list(known.items())[-(_MOST - 1) :]) | {self._key: data}
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self._file, json.dumps(kept))
        except OSError:
            # a full disk only costs the choices, not the crash
            return


def _key_of(document: Document) -> str:
    path = document.path
    return f"draft:{document.draft}" if path is None else os.path.normcase(path.resolve())
