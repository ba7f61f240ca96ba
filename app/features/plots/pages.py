"""The pages of plots that the bar offers: those that fit a run, and those that people have kept."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_not

from PySide6.QtCore import QObject, Signal

from app.curves.curves import Wanted
from app.curves.presets import pages
from app.features.plots.bar import PlotBar
from app.features.plots.templates import Page, PlotSpec, Templates
from solver.base.words import tr
from solver.project import Project
from solver.results import Trajectory
from solver.results.quantities import Quantities


class Pages(QObject):
    """List pages in the bar, keep them and forget them; `listed` tells that the list is new."""

    listed = Signal()

    def __init__(self, bar: PlotBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bar, self._templates = bar, Templates()
        self._fits: tuple[Project, Trajectory, Quantities] | None = None
        self._made: dict[str, Page] = {}
        bar.forget_asked.connect(self._forget)
        bar.save_opens.connect(self._show_forget)

    def fit(self, project: Project, run: Trajectory | None, quantities: Quantities) -> None:
        """Offer from now on what fits a run of a project."""
        fits = None if run is None else (project, run, quantities)
        if fits is None or self._fits is None or any(map(is_not, fits, self._fits)):
            self._made = {}
        self._fits = fits

    def fit_none(self) -> None:
        """Offer what people have kept, and nothing else: there is no run."""
        self._fits = None
        self.list()

    def all(self) -> dict[str, Page]:
        """Give the pages by title."""
        if self._fits is None:
            return {}
        if not self._made:
            project, run, quantities = self._fits
            self._made = {
                title: tuple(PlotSpec(tuple(Wanted(name) for name in names)) for names in page)
                for title, page in pages(project, quantities.infos, run.segment_ids).items()
            }
        return {**self._made, **self._templates.all()}

    def keep(self, title: str, page: Sequence[PlotSpec]) -> None:
        """Keep a page under a title; OSError where it cannot be written."""
        self._templates.keep(title, page)
        self.list()
        self._bar.page.setCurrentText(title)

    def list(self) -> None:
        """Write the titles into the bar."""
        self._bar.page.clear()
        self._bar.page.addItems([*self.all()])
        self.listed.emit()

    def _show_forget(self) -> None:
        self._bar.forget.setEnabled(self._bar.page.currentText() in self._templates.all())

    def _forget(self) -> None:
        try:
            self._templates.drop(self._bar.page.currentText())
        except OSError as failure:
            self._bar.say(tr("The template cannot be forgotten: {why}.", why=failure.strerror))
            return
        self.list()
