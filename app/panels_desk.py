"""Keep every panel of a window at what its document and its study say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app import texts
from app.change import Change
from app.forms.lines import NumberLine
from solver.project import LISTS

if TYPE_CHECKING:
    from app.window import MainWindow


PLACES = ("scene", *texts.panels.DRAWER, "outline", "inspector")
"""Where the keyboard can be sent, in the order of their keys: Alt+0, Alt+1 …"""
_SOON_CHECKED = 200
"""Elements that are checked within a twentieth of a second."""


class PanelsDesk:
    """Answer the signals of document and study by showing them; nothing is changed here."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.is_scene_alone = self.is_below_alone = False
        self._is_new = False
        """Whether the checks have yet to speak of a project that has been opened."""

    def go_to(self, name: str) -> None:
        """Give the keyboard to a panel, and bring it to the front."""
        window = self._window
        is_below = name in texts.panels.DRAWER
        if (self.is_scene_alone and name != "scene") or (self.is_below_alone and not is_below):
            self._show_alone(scene=False, below=False)
        if is_below:
            window.drawer.open(name)
        place = {
            "scene": window.viewport,
            "outline": window.outline.tree,
            "inspector": window.inspector.area,
        }.get(name, window.drawer.currentWidget())
        stops = [one for one in (place, *place.findChildren(QWidget)) if _is_stop(one)]
        if stops:
            stops[0].setFocus(Qt.FocusReason.TabFocusReason)

    def toggle_scene_alone(self) -> None:
        """Hide all panels but the scene, or bring them back."""
        self._show_alone(scene=not self.is_scene_alone, below=False)

    def toggle_below(self) -> None:
        """Leave only the tabs of the panels below the scene, or show the panel in front again."""
        self._show_alone(scene=False, below=False)
        self._window.drawer.fold(not self._window.drawer.is_folded)

    def toggle_below_alone(self) -> None:
        """Hide the scene and what is beside it, so that tables and curves have all the room."""
        self._show_alone(scene=False, below=not self.is_below_alone)

    def _show_alone(self, *, scene: bool, below: bool) -> None:
        window = self._window
        self.is_scene_alone, self.is_below_alone = scene, below
        if below:
            window.drawer.fold(False)
        for panel in (window.outline, window.inspector, window.drawer):
            panel.setVisible(not scene)
        window.columns.setVisible(not below)
        if scene:
            window.viewport.setFocus()
        elif below:
            window.drawer.tabBar().setFocus()

    def show_document(self) -> None:
        """Show another project everywhere."""
        window, document = self._window, self._window.document
        window.study.forget()
        window.outline.show_project(document.project)
        window.viewport.show_project(document.project)
        window.empty.show_project(document.project)
        if sum(len(getattr(document.project, name)) for name in LISTS) <= _SOON_CHECKED:
            # what the checks find later would move the scene under the hand
            document.problems_now()
        self.show_problems()
        self.show_run()
        window.show_page(window.work)
        self._is_new = True
        self._fold_problems()
        window.viewport.setFocus()

    def show_run(self) -> None:
        """Show how far the current run is, and what happened in it."""
        window, study = self._window, self._window.study
        record = study.runs.current
        if record is None or study.replay is None:
            window.timeline.show_nothing(begins=record is not None)
        else:
            end = max(record.duration_s, study.player.end)
            window.timeline.show_run(end, study.own_end(), study.marks())
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
        self._is_new, window = False, self._window
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
        if not window.editors.is_matrix:
            window.drawer.give_half(False)
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
        window.drawer.count("problems", self._count_problems())
        if self._is_new:
            self._fold_problems()
            self._is_new = False
        window.menus.refresh()

    def _count_problems(self) -> int:
        """Count what stands in the way of a run, or is doubtful."""
        problems = self._window.document.problems
        return sum(problem.severity != "note" for problem in problems)

    def _fold_problems(self) -> None:
        """Give the scene the room of a list of problems that is empty."""
        drawer = self._window.drawer
        if drawer.currentWidget() is self._window.problems:
            drawer.fold(not self._count_problems())

    def show_units(self) -> None:
        """Show numbers in the chosen units."""
        window, units = self._window, self._window.studio.settings.units
        editing = (window.inspector, window.editors)
        for panel in (*editing, window.plots, window.compare, window.whatif):
            panel.set_units(units)
        window.desk.show_units()
        window.menus.refresh()

    def open_editor(self, name: str) -> None:
        """Show the editor of a list of the document, whatever is selected."""
        self._window.drawer.open("editor")
        self._window.editors.open(name)
        self._window.drawer.give_half(self._window.editors.is_matrix)

    def go_to_problem(self) -> None:
        """Go to the next problem: its field is opened and gets the keyboard."""
        self._window.problems.go_on()
        # what is gone to may have an editor; the list of problems stays in sight
        self._window.drawer.open("problems")

    def find(self) -> None:
        """Go to the outline's search."""
        search = self._window.outline.search
        search.setFocus()
        search.selectAll()

    def pin_field(self) -> None:
        """Give the number that has the keyboard a slider, or else the field pointed at last."""
        line = self._window.focusWidget()
        if isinstance(line, NumberLine) and line.can_be_pinned() and line.pin is not None:
            line.pin()
        else:
            self.pin(self._window.document.field)

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


def _is_stop(widget: QWidget) -> bool:
    """Tell whether Tab stops at a widget."""
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes_tab and widget.isEnabled() and widget.isVisible()
