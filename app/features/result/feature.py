"""What happened in the run that is shown: told as soon as it has ended, with pictures that follow, and what to try next."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QTimer

from app.features.feature import Feature
from app.features.result.page import ResultPage
from app.features.result.pictures import InstantPictures
from app.features.result.told import StepTold, Told, assumed_words, told, with_story
from app.guard import guard
from app.jobs.task import Task
from app.jobs.turns import Turns
from app.panel import Panel
from app.run_view.record import RunRecord
from app.workbench import Workbench
from solver.base.words import tr
from solver.injury import Figure
from solver.injury.figures import figure_name
from solver.project import Project

if TYPE_CHECKING:
    from solver.studies.suggesting import Suggestion

PART_MS = 8
"""How long others have between two parts of a picture."""
_WAITS = 3.0
"""So many times as long as a part took, where a run plays."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A change that was tried: the run before it, and the model with it."""

    suggestion: Suggestion
    before: RunRecord
    project: Project


class Result(Feature):
    """Fill the page, and do what it asks for."""

    name = "result"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        page = self.page = ResultPage()
        self.pictures = InstantPictures()
        self.told: Told | None = None
        self._noted: Told | None = None
        """Of what the notes stand on the page."""
        self.suggestions: tuple[Suggestion, ...] = ()
        self._trial: Trial | None = None
        self._record: RunRecord | None = None
        self._key: tuple[object, ...] = ()
        self._task: Task | None = None
        self._looks: Task | None = None
        self._draws = QTimer(self, interval=PART_MS)
        self._draws.timeout.connect(self._draw)
        self.turns = Turns(self)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._look)
        bench.panels.add(
            Panel(
                "result",
                page,
                "right",
                tr("What happened"),
                tr("What happened in the run, how it ended for whom and why, and what to try next"),
                go_to=(tr("W&hat happened"), tr("Go to the page that says what happened.")),
                topic="guide#what-happened",
                stops=page,
                moods=("understand",),
                parts={
                    "verdict": page.verdict,
                    "story": page.story,
                    "next": page.next,
                    "outcome": page.outcome,
                },
            )
        )
        self._connect()
        page.installEventFilter(self)
        self._look()

    def _connect(self) -> None:
        bench, page, run_view = self.bench, self.page, self.bench.run_view
        page.run_asked.connect(lambda: bench.commands.run("run.run"))
        page.why_asked.connect(bench.why_asked)
        page.decides_asked.connect(bench.decides_asked)
        page.figure_asked.connect(self._show_curve)
        page.step_asked.connect(self.show_step)
        page.all_asked.connect(lambda: bench.panels.open("injury"))
        page.report_asked.connect(lambda: bench.commands.run("run.report"))
        page.explained_asked.connect(lambda: bench.commands.run("run.explain"))
        page.band_asked.connect(lambda: bench.run_band())
        page.try_asked.connect(self.try_it)
        page.back_asked.connect(self.take_back)
        bench.theme_changed.connect(self._on_theme)
        bench.units_changed.connect(lambda _: self._again())
        bench.band_changed.connect(self._show_assumed)
        for signal in (run_view.run_shown, run_view.runs.listed, run_view.judges.changed):
            signal.connect(lambda: self._later.start())
        run_view.runs.ended.connect(lambda _: self._later.start())
        bench.document.opened.connect(self._later.start)
        bench.document.changed.connect(lambda _: self._later.start())

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fill the page when it is first seen."""
        if event.type() == QEvent.Type.Show:
            self._later.start()
        return False

    def end(self) -> None:
        """Give the graphics memory back."""
        self._draws.stop()
        self.turns.clear()
        self.pictures.close()

    # what is told

    def _again(self) -> None:
        self._key = ()
        self._later.start()

    def _on_theme(self, theme: Any) -> None:
        self.page.set_theme(theme)
        self._again()

    @property
    def is_old(self) -> bool:
        """Whether the model is another one than that of the run."""
        return self._record is None or self.bench.run_view.is_outdated(self._record)

    def _look(self) -> None:
        """Tell of the run that is shown, once and again where it is another; of one that goes on when it has ended."""
        run_view, page = self.bench.run_view, self.page
        record = run_view.runs.current
        if record is None or record.trajectory is None or not record.has_ended:
            going = record is not None and record.status in ("waiting", "running")
            words = (
                tr("The run goes on; what happened stands here once it has ended.")
                if going
                else tr(
                    "Solve the model: then this page says how it ended for whom and why, what happened in five pictures, and what to try next."
                )
            )
            self._key, self._record, self.told, self._noted, self._task = (), None, None, None, None
            self._draws.stop()
            self.turns.clear()
            page.say_nothing(words, can_run=not going)
            return
        if not page.isVisible():
            return
        self._record = record
        key = (record, record.trajectory is None, record.status, run_view.judges.standards)
        if key == self._key:
            self._show_next()
            return
        self._key = key
        standards = run_view.judges.standards
        self._draws.stop()
        self.turns.clear()
        if record.is_assessed:
            # what is known already needs no thread: the verdict stands there as the run ends
            self._on_told(record, told(record, standards))
        else:
            page.say_nothing(tr("Reading what happened …"), can_run=False)
            self._do(
                record, lambda: told(record, standards), lambda found: self._on_told(record, found)
            )

    def _do(
        self, record: RunRecord, work: Callable[[], Any], then: Callable[[Any], object]
    ) -> None:
        """Work something out of a run in a thread; what was asked for before is told no more."""
        task = self._task = Task(work, self)
        task.done.connect(lambda found: then(found) if task is self._task else None)
        task.failed.connect(partial(self._on_failed, record))
        task.start()

    def _on_failed(self, record: RunRecord, failure: Exception) -> None:
        """Tell what failed; of a run that has been closed meanwhile nothing can be read."""
        if record is self.bench.run_view.runs.current:
            self._looks = None
            self._show_notes()
            self.bench.tell_failed(failure)

    def _on_told(self, record: RunRecord, found: Told) -> None:
        """Show the verdict, and have all else worked out; the page is filled from above, so that nothing moves that stands there."""
        if record is not self.bench.run_view.runs.current:
            return
        self.told, self.suggestions, self._looks = found, (), None
        end = 0.0 if record.trajectory is None else 1e3 * float(record.trajectory.time[-1])
        self.page.show_verdict(tr("{name}, {ms:.0f} ms", name=record.name, ms=end), found)
        self._show_outcome()
        self.page.to_top()
        standards, units = self.bench.run_view.judges.standards, self.bench.settings.units
        self._do(
            record,
            lambda: with_story(found, record, standards, units),
            lambda whole: self._on_story(record, whole),
        )

    def _on_story(self, record: RunRecord, found: Told) -> None:
        """Show what happened; its pictures follow one after the other, and what to try next."""
        self.told = found
        self.page.show_story(found)
        self.pictures.begin(record, [one.time for one in found.steps], self.bench.theme, self.bench.viewport.visibility())  # fmt: skip
        self._draws.start()
        for show in (self._show_assumed, partial(self._suggest, record)):
            self.turns.add(show)

    def _show_notes(self) -> None:
        if self.told is not None and self.told is not self._noted:
            self._noted = self.told
            self.page.show_notes(self.told)

    def _draw(self) -> None:
        """Do a part of a picture, where anybody sees the page."""
        if not self.page.isVisible():
            return
        began = time.perf_counter()
        more, made = self.pictures.part()
        plays = self.bench.run_view.player.is_playing
        # a run that plays has most of the time
        self._draws.setInterval(
            round(_WAITS * 1e3 * (time.perf_counter() - began)) if plays else PART_MS
        )
        if made is not None:
            self.page.show_picture(*made)
        if not more:
            self._draws.stop()

    def _show_assumed(self, words: str = "") -> None:
        """Say what is assumed, and the band behind the worst figures."""
        if self._record is None or self.told is None:
            return
        project = self._record.project
        bands = self.bench.band_figures(project)
        worst = [one for person in self.told.people for one in person.worst]
        lines = {figure_name(one): f"{bands[one.name].text}" for one in worst if one.name in bands}
        button = words or (tr("Compute the band again") if lines else tr("Compute the band"))
        self.page.show_assumed(assumed_words(project, len(lines)), lines, (button, bool(project.assumed)))  # fmt: skip

    # what is tried

    def _suggest(self, record: RunRecord) -> None:
        """Look in a thread for what to try next."""
        run, found, project = record.trajectory, record.assess(), self.bench.document.project
        if run is None or found is None or self.is_old:
            self._show_next()
            return
        judged, units = found.under(self.bench.run_view.judges.standards), self.bench.settings.units

        def look() -> tuple[Suggestion, ...]:
            from solver.studies.suggesting import suggestions

            return suggestions(project, run, judged, units=units)

        task = self._looks = Task(look, self)
        task.done.connect(lambda made: self._on_suggested(task, made))
        task.failed.connect(partial(self._on_failed, record))
        task.start()
        self._show_next()

    def _on_suggested(self, task: Task, made: tuple[Suggestion, ...]) -> None:
        if task is self._looks:
            self._looks, self.suggestions = None, made
            self._show_next()

    def _show_next(self) -> None:
        """Offer what was found; where the model is another by now, say so."""
        if self.told is None:
            return
        offers: list[tuple[str, str, object]] = []
        words = ""
        if self._looks is not None:
            words = tr("Looking for what to try …")
        elif self.is_old:
            words = tr(
                "The model has changed since this run: solve it again to see what to try next."
            )
        elif not self.suggestions:
            judged = any(person.worst for person in self.told.people)
            words = (
                tr("Nothing sensible was found: what acts on the worst figures cannot be changed in this model.")
                if judged
                else tr("No figure is compared with a limit, so that nothing says which way would be better.")
            )  # fmt: skip
        else:
            offers = [(one.words, one.reason, one) for one in self.suggestions]
        self.page.show_next(words, offers)
        if self._looks is None:
            self._show_notes()

    def try_it(self, suggestion: Suggestion) -> None:
        """Make the change as one step of the history, and solve the model."""
        bench, record = self.bench, self._record
        if record is None or self.is_old:
            return
        document = bench.document
        made = suggestion.project.model_copy(
            update={"studies": document.project.studies, "assumed": document.project.assumed}
        )
        document.replace(made, suggestion.title)
        self._trial = Trial(suggestion, record, document.project)
        bench.run_view.run()

    def take_back(self) -> None:
        """Undo the change that was tried, and look at the run before it."""
        trial = self._trial
        if trial is None or self.bench.document.project is not trial.project:
            return
        self.bench.document.undo()
        runs = self.bench.run_view.runs
        if trial.before in runs.records:
            runs.show(trial.before)
            self.bench.run_view.switch(True)

    def _show_outcome(self) -> None:
        """Say before and now of the figure that a change was meant for, and what is worse by it."""
        trial, record, lines = self._trial, self._record, list[str]()
        if trial is not None and record is not None and record.project is trial.project:
            from solver.studies.suggesting import outcome

            before, now = trial.before.assess(), record.assess()
            found = None if before is None or now is None else outcome(before, now, trial.suggestion.figure)  # fmt: skip
            if found is not None:
                lines = [found.words]
        title = "" if trial is None else trial.suggestion.title
        can = trial is not None and self.bench.document.project is trial.project
        self.page.show_outcome(title, lines, can_go_back=can)

    # what is clicked

    def _show_curve(self, figure: Figure) -> None:
        self.bench.run_view.go(figure.t1)
        self.bench.figure_asked.emit(figure)
        self.bench.panels.open("plots")

    def show_step(self, step: StepTold) -> None:
        """Show an instant in the scene, and select what it is about."""
        self.bench.run_view.go(step.time)
        if step.about:
            self.bench.document.select(step.about)
