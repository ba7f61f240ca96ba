"""The window: pages, panels and the scene, all showing one document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
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
from app.comfort.wearing import Wearing
from app.document import Document
from app.editing_desk import EditingDesk
from app.editors.panel import EditorPanel
from app.files import Files
from app.help_desk import HelpDesk
from app.look import Theme
from app.notice import Notice
from app.output_desk import OutputDesk
from app.panels.compare import ComparePanel
from app.panels.drawer import Drawer
from app.panels.empty_scene import EmptyScene
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
from app.panels_desk import PanelsDesk
from app.placing.desk import PlacingDesk
from app.plots_desk import PlotsDesk
from app.recovery import Recovery
from app.scene.viewport import Viewport
from app.scene.views import Views
from app.side_by_side import SideBySide
from app.studio import Studio
from app.study.keeping import Keeping
from app.study.live import Live
from app.study.study import Study
from app.study_desk import StudyDesk
from app.tabbing import bring_into_view, neighbour
from app.told import told
from app.tour.tour import Tour
from app.wiring import wire
from solver.project import Problem

_CARD_MS = 20
_LEAST, _USUAL = QSize(800, 480), QSize(1366, 768)
"""The smallest and the first size of a window: the smallest is a small screen at 150 %."""


class MainWindow(QMainWindow):
    """Show the welcome, a project, or why a file cannot be read."""

    def __init__(self, studio: Studio | None = None) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.setMinimumSize(_LEAST)
        self.resize(self.screen().availableSize().boundedTo(_USUAL).expandedTo(_LEAST))
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
        self.plots_desk, self.help = PlotsDesk(self), HelpDesk(self)
        self.panels = PanelsDesk(self)
        self.run_control = RunControl(self.study, self.live)
        self.notice = Notice()
        self._card_timer = QTimer(self, singleShot=True, interval=_CARD_MS)
        self._card_timer.timeout.connect(self._draw_card)
        self._lay_out()
        self.status = StatusLine(self)
        self.setStatusBar(self.status)
        self.placing = PlacingDesk(self)
        self.side_by_side = SideBySide(self)
        self.empty = EmptyScene(self.viewport, lambda id_: self.menus.run(id_))
        self.menus = Menus(self, ACTIONS)
        wire(self)
        self.tour = Tour(self)
        self.wearing = Wearing(self)
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

    def open_file(self, file: Path) -> None:
        """Open a project; a file that cannot be read is explained on a page of its own."""
        self.files.open(file)

    def show_unreadable(self, file: Path, problems: Sequence[Problem]) -> None:
        """Explain why a file cannot be read."""
        self.unreadable.show_file(file, problems)
        self.show_page(self.unreadable)

    def show_welcome(self) -> None:
        """Show samples, templates and recent files."""
        self.welcome.show_recent(self.studio.settings.recent)
        self.show_page(self.welcome)
        self._card_timer.start()

    def shows_project(self) -> bool:
        """Tell whether a project is shown."""
        return self.pages.currentWidget() is self.work

    def say(self, sentence: str) -> None:
        """Say something in the status line."""
        self.status.say(sentence)

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
        parts = (self.outline, self.inspector, self.views, self.timeline, self.notice, self.tour)
        for part in (*parts, self.menus, *self.drawer.panels):
            part.set_theme(theme)
        self._card_timer.start()

    def quit(self) -> None:
        """Close all windows; one that stays open for its unsaved work ends it."""
        for window in list(self.studio.windows):
            if not window.close():
                return

    def back(self) -> None:
        """Go back from a page to the project, or to the welcome."""
        self.show_page(self.work if self.document.has_project else self.welcome)

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front: the welcome, the project, or why there is none."""
        self.pages.setCurrentWidget(page)
        self.run_control.setVisible(page is self.work)
        self.status.explain(self.document if page is self.work else None)
        self.show_name()
        self.menus.refresh()

    def show_name(self) -> None:
        """Write the file's name, and whether there is unsaved work, above everything."""
        unsaved = self.document.has_unsaved_work
        self.setWindowModified(unsaved)
        named = texts.window.TITLE.format(file=self.files.name())
        self.setWindowTitle(named if self.shows_project() else texts.window.BARE_TITLE)
        self.menus.refresh()

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
    def focusNextPrevChild(self, ahead: bool) -> bool:
        """Let Tab go through the parts of the window as one reads them."""
        found = neighbour(self, ahead)
        if found is None:
            return False
        reason = Qt.FocusReason.TabFocusReason if ahead else Qt.FocusReason.BacktabFocusReason
        found.setFocus(reason)
        bring_into_view(found)
        return True

    @told
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the tour by Esc, where nothing else has a use for it."""
        if event.key() == Qt.Key.Key_Escape and self.tour.is_on:
            self.tour.leave()
        else:
            super().keyPressEvent(event)

    @told
    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, remember the layout, and give everything back."""
        if not self.files.may_close():
            event.ignore()
            return
        settings = self.studio.settings
        self.drawer.fold(False)
        self.drawer.give_half(False)
        settings.keep_layout("columns", self.columns.saveState())
        settings.keep_layout("work", self.work.saveState())
        settings.keep_layout("window", self.saveGeometry())
        for dialog in self.findChildren(QDialog):
            dialog.close()
        self.wearing.close()
        self.tour.leave()
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
