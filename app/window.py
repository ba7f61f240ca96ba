"""The window: pages, panels and the scene, all showing one document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMainWindow,
    QStackedWidget,
    QWidget,
)

from app import texts
from app.actions import ACTIONS
from app.actions.menus import Menus
from app.change import Change
from app.comfort.wearing import Wearing
from app.document import Document
from app.editing_desk import EditingDesk
from app.editors.panel import EditorPanel
from app.files import Files
from app.forms.lines import NumberLine
from app.keys import KeySheet
from app.look import Theme
from app.notice import Notice
from app.output_desk import OutputDesk
from app.palette import Palette
from app.panels.compare import ComparePanel
from app.panels.drawer import Drawer
from app.panels.gallery import shipped_samples
from app.panels.injury import InjuryPanel
from app.panels.inspector import Inspector
from app.panels.outline import Outline
from app.panels.pages import Unreadable, Welcome
from app.panels.plots import PlotsPanel
from app.panels.problems import Problems
from app.panels.run_control import RunControl
from app.panels.runs import RunsPanel
from app.panels.splits import split, stacked
from app.panels.status import StatusLine
from app.panels.timeline import Timeline
from app.panels.whatif import WhatIfPanel
from app.placing.desk import PlacingDesk
from app.recovery import Recovery
from app.scene.viewport import Viewport
from app.scene.views import Views
from app.side_by_side import SideBySide
from app.studio import Studio
from app.study.keeping import Keeping
from app.study.live import Live
from app.study.study import Study
from app.study_desk import StudyDesk
from app.told import told
from solver.project import Problem

_CARD_MS = 20


class MainWindow(QMainWindow):
    """Show the welcome, a project, or why a file cannot be read."""

    def __init__(self, studio: Studio | None = None) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.setMinimumSize(880, 560)
        self.resize(1366, 768)
        self.studio = studio or Studio()
        self.studio.windows.append(self)
        self.document = Document(self)
        self.files, self.editing = Files(self), EditingDesk(self)
        self.recovery = Recovery(self.document)
        self.parallel, self.joints = False, True
        self.welcome = Welcome(shipped_samples())
        self.unreadable = Unreadable()
        self.outline, self.problems = Outline(), Problems()
        self.inspector = Inspector(self.document, self.studio.settings.units)
        self.viewport = Viewport()
        self.views = Views(self.viewport)
        self.study = Study(self.document, self.viewport, self)
        self.timeline = Timeline(self.study.player)
        self.plots, self.runs = PlotsPanel(self.study), RunsPanel(self.study)
        self.injury, self.compare = InjuryPanel(self.study), ComparePanel(self.study)
        self.editors = EditorPanel(self.document, self.studio.settings.units)
        self.live = Live(self.study, self)
        self.whatif = WhatIfPanel(self.study, self.live)
        self.drawer = Drawer(
            {
                "problems": self.problems,
                "editor": self.editors,
                "plots": self.plots,
                "injury": self.injury,
                "runs": self.runs,
                "compare": self.compare,
                "whatif": self.whatif,
            }
        )
        self.keeping = Keeping(self.document, self.study.runs, self)
        self.desk, self.outputs = StudyDesk(self), OutputDesk(self)
        self.run_control = RunControl(self.study, self.live)
        self.notice = Notice()
        self._card_timer = QTimer(self, singleShot=True, interval=_CARD_MS)
        self._card_timer.timeout.connect(self._draw_card)
        self._lay_out()
        self.status = StatusLine(self)
        self.setStatusBar(self.status)
        self.placing = PlacingDesk(self)
        self.side_by_side = SideBySide(self)
        self.menus = Menus(self, ACTIONS)
        self._connect()
        self.wearing = Wearing(self)
        self._show_units()
        self.show_welcome()

    def _lay_out(self) -> None:
        self.scene = stacked(self.views, self.timeline)
        upper = (self.outline, self.scene, self.inspector)
        self.columns = split(Qt.Orientation.Horizontal, upper, (236, 746, 384))
        self.work = split(Qt.Orientation.Vertical, (self.columns, self.drawer), (500, 230))
        self.pages = QStackedWidget()
        for page in (self.welcome, self.unreadable, self.work):
            self.pages.addWidget(page)
        self.setCentralWidget(stacked(self.notice, self.pages, grows=1))
        self.menuBar().setCornerWidget(self.run_control)
        settings = self.studio.settings
        for name, part in (("columns", self.columns), ("work", self.work)):
            state = settings.layout(name)
            if state is not None:
                part.restoreState(state)
        state = settings.layout("window")
        if state is not None:
            self.restoreGeometry(state)

    def _connect(self) -> None:
        self.welcome.open_asked.connect(self.files.ask_for_file)
        self.welcome.sample_asked.connect(self.open_file)
        self.welcome.new_asked.connect(self.files.new)
        self.unreadable.open_asked.connect(self.files.ask_for_file)
        self.unreadable.back_asked.connect(self._back)
        document = self.document
        document.opened.connect(self._show_document)
        document.changed.connect(self._show_change)
        document.selected.connect(self._show_selection)
        document.checked.connect(self._show_problems)
        document.named.connect(self._show_name)
        document.said.connect(self.say)
        self.outline.chosen.connect(document.select_all)
        self.outline.renamed.connect(self.editing.rename)
        self.outline.dropped.connect(self.editing.drop)
        ids = ("edit.cut", "edit.copy", "edit.paste", "edit.duplicate", "", "edit.rename", "edit.delete", "", "view.selected", "insert")  # fmt: skip
        self.outline.menu = self.menus.context(*ids)
        self.outline.add.setMenu(self.menus.menu("insert"))
        for panel in (self.inspector, self.problems):
            panel.chosen.connect(document.select)
        self.problems.mend_asked.connect(document.mend)
        self.viewport.clicked.connect(self.choose)
        self.timeline.chosen.connect(document.select)
        study = self.study
        self.editors.follow(study)
        study.run_shown.connect(self._show_run)
        study.switched.connect(lambda _: self._show_run())
        study.refused.connect(lambda: self.drawer.open("problems"))
        study.began.connect(self._show_curves)
        study.failed.connect(self.desk.tell_failed)
        study.spoke.connect(self.say)
        self.plots.save_asked.connect(self.desk.ask_for_plot)
        self.plots.test_asked.connect(self.desk.ask_for_test)
        self.plots.template_asked.connect(self.desk.ask_for_template)
        self.injury.window_asked.connect(self.plots.show_figure)
        self.runs.save_asked.connect(self.desk.ask_to_save)
        self.runs.restore_asked.connect(self.desk.restore)
        self.runs.delete_asked.connect(self.desk.delete)
        self.runs.beside_asked.connect(self.side_by_side.ask)
        self.side_by_side.changed.connect(lambda: self.runs.show_beside(self.side_by_side.record))
        self.keeping.said.connect(self.notice.say)
        self.runs.report_asked.connect(self.desk.ask_for_report)
        self.inspector.hands.pin.connect(self._pin)
        self.whatif.said.connect(self.say)
        self.whatif.field_asked.connect(document.select)
        compare = self.compare
        study.compared_changed.connect(lambda: study.compared and self.drawer.open("compare"))
        compare.figure_asked.connect(self.plots.show_figure)
        compare.quantity_asked.connect(self._plot)
        compare.field_asked.connect(document.select)
        compare.report_asked.connect(lambda: self.desk.ask_for_report(study.compared))
        compare.film_asked.connect(self.desk.film)
        compare.said.connect(self.say)
        self.studio.units_changed.connect(self._show_units)

    def open_file(self, file: Path) -> None:
        """Open a project; a file that cannot be read is explained on a page of its own."""
        self.files.open(file)

    def show_unreadable(self, file: Path, problems: Sequence[Problem]) -> None:
        """Explain why a file cannot be read."""
        self.unreadable.show_file(file, problems)
        self._show_page(self.unreadable)

    def show_welcome(self) -> None:
        """Show samples, templates and recent files."""
        self.welcome.show_recent(self.studio.settings.recent)
        self._show_page(self.welcome)
        self._card_timer.start()

    def shows_project(self) -> bool:
        """Tell whether a project is shown."""
        return self.pages.currentWidget() is self.work

    def say(self, sentence: str) -> None:
        """Say something in the status line."""
        self.status.say(sentence)

    def open_editor(self, name: str) -> None:
        """Show the editor of a list of the document, whatever is selected."""
        self.drawer.open("editor")
        self.editors.open(name)

    def go_to_problem(self) -> None:
        """Go to the next problem: its field is opened and gets the keyboard."""
        self.problems.go_on()
        # what is gone to may have an editor; the list of problems stays in sight
        self.drawer.open("problems")

    def find(self) -> None:
        """Go to the outline's search."""
        self.outline.search.setFocus()
        self.outline.search.selectAll()

    def show_palette(self) -> Palette:
        """Open the command palette."""
        found = Palette(self)
        found.show()
        return found

    def show_help(self) -> None:
        """Open the guide where it tells of what has the keyboard."""
        from app.guide.asking import topic_for

        self.show_guide(topic_for(self))

    def show_guide(self, topic: str = "") -> None:
        """Open the guide, at a topic or where it was left."""
        from app.guide.asking import HOME
        from app.guide.window import GuideWindow

        guide = self.findChild(GuideWindow) or GuideWindow(self)
        guide.open(topic or guide.browser.topic or HOME)

    def show_keys(self) -> None:
        """Open the page of keyboard shortcuts."""
        KeySheet(self).show()

    def set_parallel(self, parallel: bool) -> None:
        """Choose between parallel projection and perspective."""
        self.parallel = parallel
        self.viewport.set_parallel(parallel)

    def set_joints(self, visible: bool) -> None:
        """Show or hide the joints' markers."""
        self.joints = visible
        for view in self.views.all:
            view.show_joints(visible)

    def theme(self) -> Theme:
        """Give the colours that the person has chosen, or else the system."""
        return self.wearing.theme()

    def dress(self, theme: Theme) -> None:
        """Give all parts that have colours of their own those of a theme."""
        parts = (self.outline, self.inspector, self.views, self.timeline, self.notice)
        for part in (*parts, self.menus, *self.drawer.panels):
            part.set_theme(theme)
        self._card_timer.start()

    def show_preferences(self) -> None:
        """Open the page of preferences, or bring the open one to the front."""
        from app.comfort.dialog import PreferencesDialog

        for open_one in self.findChildren(PreferencesDialog):
            open_one.raise_()
            open_one.activateWindow()
            return
        PreferencesDialog(self).show()

    def quit(self) -> None:
        """Close all windows; one that stays open for its unsaved work ends it."""
        for window in list(self.studio.windows):
            if not window.close():
                return

    def _back(self) -> None:
        self._show_page(self.work if self.document.has_project else self.welcome)

    def _show_page(self, page: QWidget) -> None:
        self.pages.setCurrentWidget(page)
        self.run_control.setVisible(page is self.work)
        self.status.explain(self.document if page is self.work else None)
        self._show_name()
        self.menus.refresh()

    def _show_name(self) -> None:
        unsaved = self.document.has_unsaved_work
        self.setWindowModified(unsaved)
        named = texts.window.TITLE.format(file=self.files.name())
        self.setWindowTitle(named if self.shows_project() else texts.window.BARE_TITLE)
        self.menus.refresh()

    def _show_document(self) -> None:
        document = self.document
        self.study.forget()
        self.outline.show_project(document.project)
        self.viewport.show_project(document.project)
        self._show_problems()
        self._show_run()
        self._show_page(self.work)
        self.viewport.setFocus()

    def _show_run(self) -> None:
        """Show how far the current run is, and what happened in it."""
        study, record = self.study, self.study.runs.current
        if record is None or study.replay is None:
            self.timeline.show_nothing(begins=record is not None)
        else:
            self.timeline.show_run(record.duration_s, study.player.end, study.marks())
        self._show_age()
        self.menus.refresh()

    def _show_age(self) -> None:
        """Say beside curves and figures that they belong to an older model."""
        record = self.study.runs.current
        is_old = record is not None and self.study.is_outdated(record) and not self.live.is_on
        words = texts.study.OUTDATED.format(name=record.name) if record and is_old else ""
        self.drawer.remark(words)

    def _show_curves(self) -> None:
        """Show what a run finds while it goes on, in place of what one builds with."""
        if self.drawer.currentWidget() in (self.problems, self.editors):
            self.drawer.open("plots")

    def _show_change(self, change: Change) -> None:
        if not (self.whatif.is_moving and self.study.is_on):
            self.study.switch(False)
            self.viewport.update_project(change.after)
        self.outline.update_project(change.after)
        self.inspector.update_project(change)
        self.editors.update_project(change)
        self._show_age()
        self._show_name()

    def _show_selection(self, path: str) -> None:
        document = self.document
        self.outline.select(document.chosen)
        self.inspector.show_element()
        self.editors.show_element()
        if self.editors.fits(path) and not self.problems.isAncestorOf(self.focusWidget()):
            self.drawer.open("editor")
        for view in self.views.all:
            view.select(path, document.chosen)
        self.study.look_again()
        self.status.explain(document)
        self.menus.refresh()

    def _show_problems(self) -> None:
        document = self.document
        self.outline.mark(document.problems)
        self.problems.show_problems(document.project, document.problems, document.mends)
        self.inspector.show_problems()
        count = sum(problem.severity != "note" for problem in document.problems)
        self.drawer.count("problems", count)
        self.menus.refresh()

    def _show_units(self) -> None:
        self.inspector.set_units(self.studio.settings.units)
        self.editors.set_units(self.studio.settings.units)
        self.plots.set_units(self.studio.settings.units)
        self.compare.set_units(self.studio.settings.units)
        self.whatif.set_units(self.studio.settings.units)
        self.desk.show_units()
        self.menus.refresh()

    def pin_field(self) -> None:
        """Give the number that has the keyboard a slider, or else the field pointed at last."""
        line = self.focusWidget()
        if isinstance(line, NumberLine) and line.can_be_pinned() and line.pin is not None:
            line.pin()
        else:
            self._pin(self.document.field)

    def _pin(self, path: str) -> None:
        if self.whatif.pin(path) or any(one.path == path for one in self.whatif.pins):
            self.drawer.open("whatif")

    def compare_runs(self) -> None:
        """Set the chosen runs beside each other; with none chosen, the last two."""
        chosen = self.runs.to_compare()
        if len(chosen) > 1:
            self.study.compare(chosen)
        else:
            self.compare.compare_last()

    def _plot(self, quantity: str) -> None:
        """Draw a quantity, and bring the plots to the front."""
        self.plots.add(quantity)
        self.drawer.open("plots")

    def choose(self, element: str) -> None:
        """Select what was clicked in the scene; with Ctrl, with what is selected already."""
        several = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier
        self.document.select(element, add=bool(several) and bool(element))

    def _draw_card(self) -> None:
        """Draw the samples' pictures one after the other, so that the window stays quick."""
        theme, view = self.theme(), self.viewport
        is_seen = self.pages.currentWidget() is self.welcome
        if view.is_closed or view.excuse or not is_seen:
            self.welcome.gallery.close_graphics()
        elif self.welcome.gallery.draw_next(theme):
            self._card_timer.start()

    @told
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept one local file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    @told
    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped file."""
        event.acceptProposedAction()
        self.open_file(Path(event.mimeData().urls()[0].toLocalFile()))

    @told
    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, remember the layout, and give everything back."""
        if not self.files.may_close():
            event.ignore()
            return
        settings = self.studio.settings
        settings.keep_layout("columns", self.columns.saveState())
        settings.keep_layout("work", self.work.saveState())
        settings.keep_layout("window", self.saveGeometry())
        for dialog in self.findChildren(QDialog):
            dialog.close()
        self.study.player.pause()
        self.study.runs.stop()
        self.keeping.close()
        self.document.close()
        self.recovery.close()
        for view in self.views.all:
            view.close_graphics()
        self.welcome.gallery.close_graphics()
        if self in self.studio.windows:
            self.studio.windows.remove(self)
        super().closeEvent(event)


def open_window(path: Path | None) -> int:
    """Open the window on a project or on the welcome, and stay until it is closed."""
    application = QApplication.instance() or QApplication(["manikin"])
    assert isinstance(application, QApplication)
    application.setApplicationName(texts.window.PROGRAM)
    application.setStyle("Fusion")
    studio = Studio()
    studio.catch_failures()
    studio.ask_graphics()
    QApplication.styleHints().setColorScheme(studio.settings.scheme)
    window = studio.new_window()
    if path is not None:
        window.open_file(path)
    studio.offer_recovery(window)
    return application.exec()
