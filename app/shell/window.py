"""The window: pages, panels and the scene, all showing one document."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QStyle, QWidget

from app.application import Application
from app.features.all import FEATURES
from app.features.feature import Feature
from app.guard import guard
from app.look import Theme
from app.memory import give_back
from app.shell.appearance import Appearance, give_colours_and_letters
from app.shell.commands import WindowCommands
from app.shell.layouts import bring_on_screen
from app.shell.menus import Menus
from app.shell.notice import Notice
from app.shell.panels import PanelLayout
from app.shell.status import StatusLine
from app.shell.tabbing import bring_into_view, neighbour
from app.widgets.sheet import HelpAsked
from app.widgets.splits import stacked
from app.workbench import Workbench
from solver.base.boundary import Ended
from solver.base.words import tr

_LEAST, _USUAL = QSize(800, 480), QSize(1366, 768)
"""The smallest and the first size of a window: the smallest is a small screen at 150 %."""
_ASIDE_PX = 32
"""So far from the last one another window opens."""


def new_window(application: Application) -> MainWindow:
    """Open another window on its welcome page."""
    window = MainWindow(application)
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    window.destroyed.connect(give_back)
    if len(application.windows) > 1:
        last = application.windows[-2].pos()
        window.move(last.x() + _ASIDE_PX, last.y() + _ASIDE_PX)
        bring_on_screen(window, title_px(window))
    window.show()
    return window


def title_px(window: QWidget) -> int:
    """The height that a desktop takes for the title of a window, which Qt does not know before it is shown."""
    return window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)


class MainWindow(QMainWindow):
    """The features around one workbench, and hand them what happens to the window."""

    def __init__(self, application: Application | None = None) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.setMinimumSize(_LEAST)
        self.resize(self.screen().availableSize().boundedTo(_USUAL).expandedTo(_LEAST))
        self.application = application or Application()
        give_colours_and_letters(self.application.settings)
        self._why: Ended | None = None
        self.application.windows.append(self)
        self.notice, self.status = Notice(), StatusLine(self)
        self.menus, self.panels = Menus(self), PanelLayout(self)
        self.bench = Workbench(
            self,
            self.application,
            self.menus,
            self.panels,
            self.notice,
            self.status.say,
            lambda: new_window(self.application).bench,
        )
        self.features: dict[str, Feature] = {one.name: one(self.bench) for one in FEATURES}
        self._lay_out()
        self.commands = WindowCommands(
            self.bench, self.menus, self.panels, lambda: self.appearance.show_preferences()
        )
        self.menus.build(self.panels.scene)
        self._connect()
        self.appearance = Appearance(self.bench, self.panels)
        self.bench.ready.emit()

    def _lay_out(self) -> None:
        settings = self.application.settings
        self.panels.lay_out(self.bench.views, settings)
        self.setCentralWidget(stacked(self.notice, self.panels.pages, grows=1))
        self.setStatusBar(self.status)
        for panel in self.panels.all("corner"):
            self.menuBar().setCornerWidget(panel.widget)
        state = settings.layout("window")
        if state is not None:
            self.restoreGeometry(state)

    def _connect(self) -> None:
        bench, document = self.bench, self.bench.document
        document.opened.connect(self._on_opened)
        document.changed.connect(lambda _: self._show_name())
        document.selected.connect(lambda _: self._on_selected())
        document.checked.connect(self.menus.refresh)
        document.named.connect(self._show_name)
        bench.run_view.run_shown.connect(self.menus.refresh)
        bench.run_view.switched.connect(lambda _: self.menus.refresh())
        bench.units_changed.connect(lambda _: self.menus.refresh())
        bench.theme_changed.connect(self._set_theme)
        bench.viewport.hinted.connect(self.status.explain_tool)
        bench.written.connect(self.status.offer)
        self.status.open.clicked.connect(lambda _=False: self.menus.run("file.open_written"))
        self.status.folder.clicked.connect(lambda _=False: self.menus.run("file.show_written"))
        document.opened.connect(lambda: self.status.offer(None))
        self.panels.page_shown.connect(self._on_page)
        self.panels.mood_shown.connect(bench.mood_changed)
        bench.mood_changed.connect(lambda _: self.menus.refresh())
        self.notice.left.connect(bench.viewport.setFocus)

    def open_file(self, file: Path) -> None:
        """Open a project; a file that cannot be read is explained on a page of its own."""
        self.bench.file_asked.emit(file)

    def explain(self, sentence: str, details: str) -> None:
        """Say that something failed, and offer the details for the clipboard."""
        self.bench.explain(sentence, details)

    def _on_opened(self) -> None:
        view = self.bench.viewport
        # first of all, so that whatever fails here is seen
        self.bench.transition.rise_after(
            view.catch_up, view.lay_ahead, view.draw_ahead, once=view.is_ready
        )
        self.panels.show_page()
        view.setFocus()

    def _on_selected(self) -> None:
        self.status.explain(self.bench.document)
        self.menus.refresh()

    def _on_page(self, is_project: bool) -> None:
        self.status.explain(self.bench.document if is_project else None)
        self._show_name()

    def _show_name(self) -> None:
        """Write the file's name, and whether there is unsaved work, above everything."""
        document = self.bench.document
        # the desktop is told each time, whether it is new or not
        if document.has_unsaved_work != self.isWindowModified():
            self.setWindowModified(document.has_unsaved_work)
        named = tr("{file}[*] — Manikin", file=document.name)
        title = named if self.bench.has_project() else tr("Manikin[*]")
        if title != self.windowTitle():
            self.setWindowTitle(title)
        self.menus.refresh()

    def _set_theme(self, theme: Theme) -> None:
        for part in (self.notice, self.menus):
            part.set_theme(theme)

    @guard
    def event(self, event: QEvent) -> bool:
        """Let keys mean what makes sense by now."""
        if event.type() == QEvent.Type.ShortcutOverride:
            self.menus.catch_up()
        return super().event(event)

    @guard
    def customEvent(self, event: QEvent) -> None:
        """Open the guide where a panel or a dialog asks for it."""
        if isinstance(event, HelpAsked):
            self.bench.help_asked.emit(event.topic, event.widget)

    @guard
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept one local file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    @guard
    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped file."""
        event.acceptProposedAction()
        self.open_file(Path(event.mimeData().urls()[0].toLocalFile()))

    @guard
    def focusNextPrevChild(self, ahead: bool) -> bool:
        """Let Tab go through the parts of the window as one reads them.

        Qt asks this too where what has the keyboard is hidden or disabled: it goes to the scene then, as letters
        and Space are commands there, and not into whatever field comes next.
        """
        here = self.focusWidget()
        if here is not None and not (here.isVisible() and here.isEnabled()):
            scene = self.bench.viewport
            (scene if scene.isVisible() else self).setFocus()
            return True
        found = neighbour(self, (self.notice, *self.panels.in_order()), ahead)
        if found is None:
            return False
        reason = Qt.FocusReason.TabFocusReason if ahead else Qt.FocusReason.BacktabFocusReason
        found.setFocus(reason)
        bring_into_view(found)
        return True

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let features use Esc, where nothing else has a use for it."""
        is_escape = event.key() == Qt.Key.Key_Escape
        if not (is_escape and any(one.escape() for one in self.features.values())):
            super().keyPressEvent(event)

    def leave(self, why: Ended) -> None:
        """Close without a question: what goes on ends and says why, what is unsaved is kept for the next start."""
        self._why = why
        self.bench.run_view.runs.leave(str(why))
        self.close()

    @guard
    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, remember the layout, and give everything back."""
        features = self.features.values()
        why = self._why
        if why is None and not all(feature.may_close() for feature in features):
            event.ignore()
            return
        self.panels.remember(self.application.settings)
        self.application.settings.keep_layout("window", self.saveGeometry())
        for dialog in self.findChildren(QDialog):
            dialog.close()
        self.appearance.close()
        self.bench.stop()
        self.menus.end()
        for feature in features:
            if why is None:
                feature.end()
            else:
                feature.break_off(why)
        self.bench.close()
        if self in self.application.windows:
            self.application.windows.remove(self)
        super().closeEvent(event)
