"""Keep every panel of a window at what its document and its study say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import texts
from app.change import Change

if TYPE_CHECKING:
    from app.window import MainWindow


class PanelsDesk:
    """Answer the signals of document and study by showing them; nothing is changed here."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def show_document(self) -> None:
        """Show another project everywhere."""
        window, document = self._window, self._window.document
        window.study.forget()
        window.outline.show_project(document.project)
        window.viewport.show_project(document.project)
        window.empty.show_project(document.project)
        self.show_problems()
        self.show_run()
        window.show_page(window.work)
        window.viewport.setFocus()

    def show_run(self) -> None:
        """Show how far the current run is, and what happened in it."""
        window, study = self._window, self._window.study
        record = study.runs.current
        if record is None or study.replay is None:
            window.timeline.show_nothing(begins=record is not None)
        else:
            window.timeline.show_run(record.duration_s, study.player.end, study.marks())
        self.show_age()
        window.menus.refresh()

    def show_age(self) -> None:
        """Say beside curves and figures that they belong to an older model."""
        window, record = self._window, self._window.study.runs.current
        is_old = record is not None and window.study.is_outdated(record) and not window.live.is_on
        words = texts.study.OUTDATED.format(name=record.name) if record and is_old else ""
        window.drawer.remark(words)

    def show_curves(self) -> None:
        """Show what a run finds while it goes on, in place of what one builds with."""
        window = self._window
        if window.drawer.currentWidget() in (window.problems, window.editors):
            window.drawer.open("plots")

    def show_change(self, change: Change) -> None:
        """Show another version of the project."""
        window = self._window
        if not (window.whatif.is_moving and window.study.is_on):
            window.study.switch(False)
            window.viewport.update_project(change.after)
        window.empty.show_project(change.after)
        window.outline.update_project(change.after)
        window.inspector.update_project(change)
        window.editors.update_project(change)
        self.show_age()
        window.show_name()

    def show_selection(self, path: str) -> None:
        """Show what is selected."""
        window, document = self._window, self._window.document
        window.outline.select(document.chosen)
        window.inspector.show_element()
        window.editors.show_element()
        if window.editors.fits(path) and not window.problems.isAncestorOf(window.focusWidget()):
            window.drawer.open("editor")
        for view in window.views.all:
            view.select(path, document.chosen)
        window.study.look_again()
        window.status.explain(document)
        window.menus.refresh()

    def show_problems(self) -> None:
        """Show what the checks have found."""
        window, document = self._window, self._window.document
        window.outline.mark(document.problems)
        window.problems.show_problems(document.project, document.problems, document.mends)
        window.inspector.show_problems()
        count = sum(problem.severity != "note" for problem in document.problems)
        window.drawer.count("problems", count)
        window.menus.refresh()

    def show_units(self) -> None:
        """Show numbers in the chosen units."""
        window, units = self._window, self._window.studio.settings.units
        editing = (window.inspector, window.editors)
        for panel in (*editing, window.plots, window.compare, window.whatif):
            panel.set_units(units)
        window.desk.show_units()
        window.menus.refresh()

    def pin(self, path: str) -> None:
        """Give a field a slider, and bring the sliders to the front."""
        window = self._window
        if window.whatif.pin(path) or any(one.path == path for one in window.whatif.pins):
            window.drawer.open("whatif")

    def plot(self, quantity: str) -> None:
        """Draw a quantity, and bring the plots to the front."""
        window = self._window
        window.plots.add(quantity)
        window.drawer.open("plots")
