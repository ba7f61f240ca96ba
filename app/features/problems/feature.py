"""What the checks have found, and the ways to it and out of it."""

from __future__ import annotations

from app import texts
from app.command import Command
from app.features.feature import Feature
from app.features.problems.panel import Problems
from app.panel import Panel
from app.workbench import Workbench
from solver.base.words import tr
from solver.project import LISTS

_SOON_CHECKED = 200
"""Elements that are checked within a twentieth of a second."""


class ProblemList(Feature):
    """Keep the list at what the checks say; an empty one leaves its room to the scene."""

    name = "problems"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._document = bench.document
        self._is_new = False
        """Whether the checks have yet to speak of a project that has been opened."""
        self._add_commands()
        panel = self.panel = Problems()
        bench.panels.add(
            Panel(
                "problems",
                panel,
                "below",
                tr("Problems"),
                tr("What the checks have found, with a way there and a mend where there is one"),
                go_to=(tr("&Problems"), tr("Go to what the checks have found.")),
                topic="guide#when-something-is-wrong",
                asked=panel.current_path,
                builds=True,
            )
        )
        panel.chosen.connect(bench.document.select)
        panel.mend_asked.connect(bench.document.mend)
        bench.document.opened.connect(self._on_opened)
        bench.document.changed.connect(lambda _: self._on_changed())
        bench.document.checked.connect(self.refresh)
        bench.document.checked.connect(self._forget_obstacle)
        bench.study.refused.connect(self.tell_obstacle)
        bench.theme_changed.connect(panel.set_theme)

    def refresh(self) -> None:
        """Show what the checks have found."""
        document = self._document
        self.panel.show_problems(document.project, document.problems, document.mends)
        self.bench.panels.count("problems", self._count())
        if self._is_new:
            self._fold()
            self._is_new = False

    def go_on(self) -> None:
        """Go to the next problem: its field is opened and gets the keyboard."""
        self.panel.go_on()
        # what is gone to may have an editor; the list of problems stays in sight
        self.bench.panels.open("problems")

    def tell_obstacle(self) -> None:
        """Say what stands in the way of a run, where it cannot be overlooked, with a way out."""
        bench = self.bench
        obstacle = bench.study.obstacle()
        if obstacle == tr(texts.words.HAS_NO_RUN):
            add = (tr("Add a run of 200 ms"), lambda: bench.commands.run("insert.runs"))
            bench.notice.say(obstacle, add)
            return
        bench.panels.open("problems")
        bench.notice.say(obstacle, (tr("Show the first"), self.go_on))

    def _forget_obstacle(self) -> None:
        """Take back what stood in the way of a run, once it no longer does."""
        if not self.bench.study.obstacle():
            self.bench.notice.unsay(tr(texts.words.HAS_NO_RUN), tr(texts.words.HAS_ERRORS))

    def _on_opened(self) -> None:
        project = self._document.project
        if sum(len(getattr(project, name)) for name in LISTS) <= _SOON_CHECKED:
            # what the checks find later would move the scene under the hand
            self._document.problems_now()
        self.refresh()
        self._is_new = True
        self._fold()

    def _on_changed(self) -> None:
        self._is_new = False

    def _count(self) -> int:
        """Count what stands in the way of a run, or is doubtful."""
        return sum(problem.severity != "note" for problem in self._document.problems)

    def _fold(self) -> None:
        """Give the scene the room of a list of problems that is empty."""
        front = self.bench.panels.front()
        if front is not None and front.name == "problems":
            self.bench.panels.fold(not self._count())

    def _add_commands(self) -> None:
        bench = self.bench
        bench.commands.add(
            Command(
                "edit.problem",
                tr("Go to the next pro&blem"),
                tr("Go to the field of the next error or warning."),
                self.go_on,
                "F4",
                lambda: bench.has_project() and self._count() > 0,
            ),
            Command(
                "edit.mend",
                tr("&Mend it"),
                tr("Do what Problems offers for the problem one has gone to; it can be undone."),
                lambda: self.panel.mend(),
                "Shift+F4",
                lambda: bench.has_project() and bool(bench.document.mends),
            ),
        )
