"""The band of the figures that are shown: run by a click, read where it stands, told to the panel of figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.command import Command
from app.features.studies.going import Going, files_for, kept_of
from app.workbench import Workbench
from solver.base.words import tr
from solver.project import Project, ProjectError

if TYPE_CHECKING:
    # loaded where a band is run or read: it takes the solver with it
    from solver.studies import Band, FigureBand, StudyResult


class Bands(QObject):
    """Run the band of the model, and give that of a run."""

    def __init__(self, bench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self.bench = bench
        self.going: Going | None = None
        self.band: Band | None = None
        self._asked: Project | None = None
        """The model of the last run that was looked at, and its figures."""
        self._figures: Mapping[str, FigureBand] = {}
        bench.band_figures, bench.run_band, bench.finished_bands = self.of, self.run, self.finished
        bench.commands.add(
            Command(
                "run.band",
                tr("&Band of the figures"),
                tr("Run the model with its assumed numbers anywhere in their ranges: what that leaves open of each injury figure."),
                self.run,
                "",
                lambda: bench.has_project() and bool(bench.document.project.assumed),
            )
        )  # fmt: skip

    def _tell(self) -> None:
        """Say how far the band is; nothing where none goes on."""
        words = ""
        if self.going is not None:
            stand = self.going.stand
            words = tr("Cancel: {done} of {of} runs", done=stand.done, of=stand.of or "…")
        self.bench.band_changed.emit(words)

    def of(self, project: Project) -> Mapping[str, FigureBand]:
        """The band of each figure of a run of this model: the last that was run, or what an earlier day has left."""
        if not project.assumed:
            return {}
        if self._asked is not project:
            self._asked, self._figures = project, self._read(project)
        return self._figures

    def _read(self, project: Project) -> Mapping[str, FigureBand]:
        from solver.studies import StudyError
        from solver.studies.band import Band, with_band

        if self.band is not None and self.band.is_of(project):
            return self.band.figures
        try:
            study = with_band(project).studies[-1]
        except (StudyError, ProjectError):
            return {}
        kept = kept_of(self.bench.document.path, study, project)
        if kept is None or kept.result is None or kept.result.status != "completed":
            return {}
        found = Band(kept.result)
        if not found.is_of(project):
            return {}
        self.band = found
        return found.figures

    def run(self) -> None:
        """Run the band of the model, or stop the one that goes on."""
        from solver.studies import StudyError
        from solver.studies.band import with_band

        bench = self.bench
        if self.going is not None:
            return self.going.cancel()
        obstacle = bench.run_view.obstacle()
        if obstacle:
            return bench.notice.say(obstacle)
        try:
            made = with_band(bench.document.project)
        except StudyError as failure:
            return bench.notice.say(str(failure))
        except ProjectError as failure:
            return bench.notice.say(str(failure.problems[0].sentence))
        study = made.studies[-1]
        self.going = Going(made, study, files_for(bench.document.path, study), self)
        self.going.progressed.connect(self._tell)
        self.going.ended.connect(self._on_ended)
        self.going.failed.connect(self._on_failed)
        self.going.start()
        return self._tell()

    def _on_ended(self, result: StudyResult) -> None:
        from solver.studies.band import Band

        self.going, self._asked = None, None
        if result.status == "completed":
            self.band = Band(result)
            self.bench.say(str(self.band.said))
        self._tell()

    def _on_failed(self, failure: Exception) -> None:
        self.going = None
        self.bench.tell_failed(failure)
        self._tell()

    def finished(self) -> list[StudyResult]:
        """The study of the band of the model as it stands, if it was run: a report has it in its tables."""
        return [self.band.study] if self.of(self.bench.document.project) and self.band else []

    def end(self) -> None:
        """Stop the band that goes on: the window is being closed."""
        if self.going is not None:
            self.going.cancel()
            self.going.wait(5.0)
