"""Studies in the window: set up by drag, run in the background, looked at, and taken over as one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QMenu

from app.command import Command
from app.features.feature import Feature
from app.features.studies.band import Bands
from app.features.studies.going import (
    Going,
    StudyTable,
    ending_of,
    files_for,
    kept_of,
    table_of,
    time_left,
)
from app.features.studies.making import (
    Editing,
    find,
    is_of_scenes,
    obstacle_of,
)
from app.features.studies.panel import StudiesPanel
from app.features.studies.view import best
from app.forms.units import Units
from app.history import Change
from app.jobs.task import Task
from app.panel import Panel
from app.run_view.record import RunRecord
from app.workbench import Workbench
from solver.base.units import convert
from solver.base.words import msgid, plural, tr
from solver.injury import Figure, figure_units
from solver.injury.figures import short_figure
from solver.project import ProjectError
from solver.project.studies import Study
from solver.results.names import quantity_label

if TYPE_CHECKING:
    from solver.studies import StudyResult
_MOST_PAGES = 12
"""So many runs have a page of curves each at most."""
_EMPTY = msgid(
    "Drag numbers of the model to the first list and figures to the second, then run the study. "
    "What comes back is drawn here while it runs."
)


class Studies(Editing):
    """The panel, the study that goes on, and what has come of each."""

    name = "studies"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.going: Going | None = None
        self.bands = Bands(bench, self)
        self.seen: dict[str, StudyTable] = {}
        """What has come of each study, by its id."""
        panel = self.panel = StudiesPanel()
        bench.commands.add(
            Command(
                "run.vary",
                tr("&Vary the field in a study"),
                tr("Let the study that is shown vary the number that is being edited; a new one where there is none."),
                self.vary_field,
                "Ctrl+Shift+V",
                bench.has_project,
            ),
            Command(
                "run.studies",
                tr("Run the st&udy"),
                tr("Solve all runs of the study that is shown, in the background, on all cores."),
                self.run,
                "Ctrl+F5",
                lambda: bench.has_project() and bool(bench.document.project.studies),
            ),
        )  # fmt: skip
        bench.commands.add(
            Command(
                "run.study_pages",
                tr("A page of &curves for each run of a study"),
                tr("Solve the selected runs of the study again, or else its best ones, and show the same page of plots for each, with the same axes."),
                self.see_pages,
                "",
                lambda: bool(self.seen),
            )
        )  # fmt: skip
        bench.panels.add(
            Panel(
                "studies",
                panel,
                "below",
                tr("Studies"),
                tr("Many runs, and the question that they answer: sensitivity, robustness, optimum, fit"),
                go_to=(tr("St&udies"), tr("Go to the studies.")),
                topic="guide#studies",
                moods=("run",),
            )
        )  # fmt: skip
        bench.finished_studies = self.finished
        document = bench.document
        panel.kind_asked.connect(self.begin)
        panel.chosen.connect(self.show)
        panel.run_asked.connect(self.run)
        panel.cancel_asked.connect(self.cancel)
        panel.see_asked.connect(self.see)
        panel.take_asked.connect(self.take)
        panel.pair_asked.connect(self.see_pair)
        panel.several_asked.connect(self.see_pages)
        panel.setup.field_dropped.connect(self._vary_all)
        panel.setup.asked.connect(self.ask)
        panel.setup.pins_asked.connect(self._vary_pinned)
        panel.setup.removed.connect(self._remove)
        panel.setup.opened.connect(self._open_entry)
        panel.setup.aimed.connect(self._aim)
        panel.setup.numbers_asked.connect(self._vary_offered)
        panel.setup.limited.connect(self._limit)
        panel.setup.limit_opens.connect(self._offer_limits)
        panel.count_asked.connect(self._count)
        bench.vary_asked.connect(lambda path: self._vary_all([path]))
        bench.study_asked.connect(self.show_file)
        bench.decides_asked.connect(self.find_deciding)
        bench.goal_asked.connect(self.aim)
        document.opened.connect(self._on_opened)
        document.changed.connect(self._on_changed)
        document.selected.connect(self._on_selected)
        panel.setup.menu.aboutToShow.connect(self._offer)
        panel.setup.numbers.aboutToShow.connect(lambda: panel.setup.offer_numbers(document.project))
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(self._on_units)

    def run(self) -> None:
        """Run the study that is shown."""
        bench = self.bench
        study = self._study()
        if study is None or self.going is not None:
            return
        obstacle = bench.run_view.obstacle(needs_run=not is_of_scenes(study))
        obstacle = obstacle or obstacle_of(bench.document.problems_now(), study)
        if obstacle:
            # a click that does nothing is answered where it is seen, not in grey below
            self.panel.words.say(obstacle)
            return bench.notice.say(obstacle, (tr("Show it"), self._show_obstacle))
        self.going = Going(
            bench.document.project, study, files_for(bench.document.path, study), self
        )
        self.going.progressed.connect(self._on_progress)
        self.going.ended.connect(self._on_ended)
        self.going.failed.connect(self._on_failed)
        self.going.start()
        bench.panels.open("studies")
        self._on_progress()

    def find_deciding(self, figure: Figure) -> None:
        """Run the study of which numbers decide a figure, and show it as a picture."""
        if self.going is None and self.decide(figure):
            self.run()

    def _show_obstacle(self) -> None:
        """Open the study's own fields, beside which its problems stand."""
        self.bench.document.select(f"studies/{self.current}")

    def cancel(self) -> None:
        """Stop the study that goes on."""
        if self.going is not None:
            self.going.cancel()

    def _on_progress(self) -> None:
        going = self.going
        if going is None:
            return
        stand = going.stand
        text = (
            tr("{done} of {of} runs", done=stand.done, of=stand.of)
            if stand.of
            else tr("Preparing …")
        )
        if stand.failed:
            text += ", " + plural("{n} failed", "{n} failed", stand.failed)
        if stand.seconds_left is not None:
            text += ", " + time_left(stand.seconds_left)
        self.panel.show_stand(stand, text)
        if going.seen is not None and going.study.id == self.current:
            self.panel.show_seen(going.seen)

    def _on_ended(self, result: StudyResult) -> None:
        going, self.going = self.going, None
        self.panel.show_stand(None)
        if going is None:
            return
        self.seen[going.study.id] = table_of(result, going.project)
        ending = ending_of(result)
        self.bench.say(ending)
        if going.study.id == self.current:
            self._look()
            self.panel.results.show_first()
        self.panel.words.say(ending)

    def _on_failed(self, failure: Exception) -> None:
        self.going = None
        self.panel.show_stand(None)
        if isinstance(failure, ProjectError):
            self.bench.notice.say(str(failure.problems[0].sentence))
        else:
            self.bench.tell_failed(failure)

    def show(self, id_: str) -> None:
        """Show another study."""
        self.current = id_
        self._look()

    def finished(self) -> list[StudyResult]:
        """What has come of all studies of the project that have ended."""
        seen = [self._seen(study) for study in self.bench.document.project.studies]
        results = [one.result for one in seen if one is not None]
        return [one for one in results if one is not None and one.status == "completed"]

    def show_file(self, file: Path) -> None:
        """Show a study file with the model inside."""
        from solver.studies import StudyError
        from solver.studies.result import open_whole

        try:
            result = open_whole(file)
        except StudyError as failure:
            return self.bench.notice.say(str(failure))
        self.bench.document.adopt(result.project)
        self.current = result.study.id
        self.seen[self.current] = table_of(result, self.bench.document.project)
        self._look()
        self.panel.results.show_first()
        self.bench.panels.open("studies")

    def see(self, run: int) -> None:
        """Solve a run again, whole, and show it."""
        self._solve([run], lambda records: self.bench.run_view.runs.add(records[0]))

    def see_pair(self, runs: Sequence[int]) -> None:
        """Show two runs side by side."""
        run_view = self.bench.run_view

        def compare(records: Sequence[RunRecord]) -> None:
            for record in records:
                run_view.runs.add(record)
            run_view.compare(records)

        self._solve(runs, compare)

    def see_pages(self, runs: Sequence[int] = ()) -> None:
        """Show several runs, the selected or else the best, each with the same page of curves."""
        seen = self.seen.get(self.current)
        if seen is None or seen.result is None:
            return self.bench.say(tr("Run the study first."))
        chosen = list(runs) or self.panel.results.table.selected()
        chosen = (chosen if len(chosen) > 1 else best(seen) or [*np.flatnonzero(seen.shown)])[:_MOST_PAGES]  # fmt: skip

        def show(records: Sequence[RunRecord]) -> None:
            for record in records:
                self.bench.run_view.runs.add(record)
            self.bench.pages_asked.emit(records)

        return self._solve([int(one) for one in chosen], show)

    def take(self, run: int) -> None:
        """Set the numbers of a run in the model, as one step."""
        result = self._result()
        if result is None:
            return
        name = result.study.name or result.study.id
        self._replace(
            lambda project: result.design(run, project),
            tr("Take run {run} of {study}", run=run, study=name),
        )
        self.bench.say(tr("The model has the numbers of run {run} of {study}.", run=run, study=name))  # fmt: skip

    def _solve(self, runs: Sequence[int], then: Callable[[Sequence[RunRecord]], object]) -> None:
        result = self._result()
        if result is not None and runs and min(runs) >= 0:
            show_again(self, result, runs, then).failed.connect(self._on_failed)

    def _result(self) -> StudyResult | None:
        seen = self.seen.get(self.current)
        return None if seen is None else seen.result

    def _seen(self, study: Study) -> StudyTable | None:
        """What has come of a study, today or on an earlier day."""
        document = self.bench.document
        if study.id not in self.seen:
            kept = kept_of(document.path, study, document.project)
            if kept is not None:
                self.seen[study.id] = kept
        return self.seen.get(study.id)

    def _look(self) -> None:
        """Show the study as it is in the document, and what has come of it."""
        project, panel = self.bench.document.project, self.panel
        if self._study() is None:
            self.current = project.studies[0].id if project.studies else ""
        panel.list_studies(project, self.current)
        study = self._study()
        if study is None:
            return
        seen = self._seen(study)
        panel.show_study(project, study, {} if seen is None else seen.answer_units)
        panel.show_seen(seen, tr(_EMPTY))
        self._tell_age()

    def _offer(self) -> None:
        """Offer figures and outputs of the model, those of a run where there is one."""
        record = self.bench.run_view.runs.current
        found = None if record is None else record.trajectory
        channels = [] if found is None else list(found.channel_names)
        project = self.bench.document.project
        self.panel.setup.offer(
            [(name, short_figure(name, project)) for name in figure_units(project)],
            [(name, quantity_label(project, name)) for name in channels],
        )

    def _offer_limits(self, place: int, menu: QMenu) -> None:
        """Offer the limits of a figure in the run that is shown, by whose they are."""
        bench, study = self.bench, self._study()
        record = bench.run_view.runs.current
        name = getattr(study.responses[place], "figure", "") if study is not None else None
        assessed = record.assess() if record is not None and record.is_assessed else None
        found = () if assessed is None else assessed.figures
        offered = list[tuple[str, float]]()
        for figure in (one for one in found if one.name == name):
            unit = figure_units(bench.document.project).get(figure.name, figure.unit)
            for limit in figure.limits:
                most = float(convert(limit.limit, figure.unit, unit))
                text = f"≤ {self._units.with_unit(self._units.short(most, unit), unit)}, {limit.source}"  # fmt: skip
                offered.append((text, most))
        self.panel.setup.offer_limits(menu, place, offered)

    def _on_opened(self) -> None:
        self.cancel()
        self.seen, self.current = {}, ""
        self._look()

    def _on_changed(self, change: Change) -> None:
        if change.before.studies is not change.after.studies:
            self._look()
        else:
            self._tell_age()

    def _tell_age(self) -> None:
        """Say where the model is another one than that of the runs."""
        seen = self.seen.get(self.current)
        if self.going is None:
            is_old = seen is not None and seen.is_old(self.bench.document.project)
            self.panel.words.say(tr("The model has changed since these runs.") if is_old else "")

    def _on_selected(self, path: str) -> None:
        name, _, rest = path.partition("/")
        id_ = rest.partition("/")[0]
        if name == "studies" and id_ != self.current and find(self.bench.document.project, id_):
            self.show(id_)

    def _on_units(self, system: str) -> None:
        self._units = Units(system)
        self.panel.setup.units = self._units
        self.panel.set_units(system)
        self._look()

    def end(self) -> None:
        """Stop the study that goes on: the window is being closed."""
        self.bands.end()
        if self.going is not None:
            self.going.cancel()
            self.going.wait(5.0)


def show_again(
    feature: Feature,
    result: StudyResult,
    runs: Sequence[int],
    then: Callable[[Sequence[RunRecord]], object],
) -> Task:
    """Solve runs in the background, do something with them, and show the last one."""

    def show(records: Sequence[RunRecord]) -> None:
        then(records)
        feature.bench.run_view.switch(True)

    task = Task(partial(solved_again, result, runs), feature)
    task.done.connect(show)
    words = plural(
        "Solving run {first} again …", "Solving {n} runs again …", len(runs), first=runs[0]
    )
    feature.bench.say(words)
    task.start()
    return task


def solved_again(result: StudyResult, runs: Sequence[int]) -> list[RunRecord]:
    """Solve runs of a study again, whole; they have the same bits."""
    name = result.study.name or result.study.id
    return [
        RunRecord(
            tr("{study}, run {run}", study=name, run=run),
            result.ran(run),
            opened=result.solved(run),
        )
        for run in runs
    ]
