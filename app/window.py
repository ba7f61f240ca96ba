"""The window: pages, panels and the scene, all showing one document."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QColor, QDragEnterEvent, QDropEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.actions import ACTIONS
from app.actions.menus import Menus
from app.document import Document
from app.look import DARK, LIGHT, Theme, style_sheet
from app.panels.drawer import Drawer
from app.panels.inspector import Inspector
from app.panels.outline import Outline
from app.panels.pages import Card, Unreadable, Welcome, shipped_samples
from app.panels.problems import Problems
from app.panels.run_control import RunControl
from app.panels.runs import RunsPanel
from app.panels.timeline import Timeline
from app.scene.viewport import Viewport
from app.study.study import Study
from solver.project import Problem, ProjectError
from solver.results import ResultsError


class MainWindow(QMainWindow):
    """Show the welcome, a project, or why a file cannot be read."""

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.setMinimumSize(880, 560)
        self.resize(1366, 768)
        self.document = Document(self)
        self.parallel, self.joints = False, True
        self.scheme = Qt.ColorScheme.Unknown
        self.welcome = Welcome(shipped_samples())
        self.unreadable = Unreadable()
        self.outline, self.inspector, self.problems = Outline(), Inspector(), Problems()
        self.viewport = Viewport()
        self.study = Study(self.document, self.viewport, self)
        self.timeline = Timeline(self.study.player)
        self.drawer = Drawer({"Problems": self.problems, "Runs": RunsPanel(self.study)})
        self.scene = _stacked(self.viewport, self.timeline)
        self.work = _split(
            Qt.Orientation.Vertical,
            (
                _split(
                    Qt.Orientation.Horizontal,
                    (self.outline, self.scene, self.inspector),
                    (236, 746, 384),
                ),
                self.drawer,
            ),
            (590, 140),
        )
        self.pages = QStackedWidget()
        for page in (self.welcome, self.unreadable, self.work):
            self.pages.addWidget(page)
        self.setCentralWidget(self.pages)
        self.run_control = RunControl(self.study)
        self.menuBar().setCornerWidget(self.run_control)
        self.timeline.hide()
        self.menus = Menus(self, ACTIONS)
        self._connect()
        self._apply_theme()
        self.show_welcome()

    def _connect(self) -> None:
        self.welcome.open_asked.connect(self.ask_for_file)
        self.welcome.sample_asked.connect(self.open_file)
        self.unreadable.open_asked.connect(self.ask_for_file)
        self.unreadable.back_asked.connect(self._back)
        self.document.opened.connect(self._show_document)
        self.document.selected.connect(self._show_selection)
        for panel in (self.outline, self.inspector, self.problems):
            panel.chosen.connect(self.document.select)
        self.viewport.clicked.connect(self.document.select)
        self.timeline.chosen.connect(self.document.select)
        self.study.run_shown.connect(self._show_run)
        self.study.switched.connect(lambda _: self._show_run())
        self.study.refused.connect(lambda: self.drawer.open("Problems"))
        self.study.spoke.connect(lambda words: self.statusBar().showMessage(words, 15_000))
        hints = QApplication.styleHints()
        hints.colorSchemeChanged.connect(self._apply_theme)

    def ask_for_file(self) -> None:
        """Let people choose a project file."""
        folder = str(self.document.path.parent) if self.document.path else ""
        name, _ = QFileDialog.getOpenFileName(
            self, "Open a project", folder, "Projects (*.json);;All files (*)"
        )
        if name:
            self.open_file(Path(name))

    def open_file(self, file: Path) -> None:
        """Open a project; a file that cannot be read is explained on a page of its own."""
        if file.suffix.lower() in (".h5", ".hdf5"):
            self.open_results(file)
            return
        try:
            self.document.open(file)
        except ProjectError as failure:
            self.unreadable.show_file(file, failure.problems)
            self._show_page(self.unreadable)

    def ask_for_results(self) -> None:
        """Let people choose a results file."""
        folder = str(self.document.path.parent) if self.document.path else ""
        name, _ = QFileDialog.getOpenFileName(
            self, "Open results", folder, "Results (*.h5);;All files (*)"
        )
        if name:
            self.open_file(Path(name))

    def open_results(self, file: Path) -> None:
        """Show a results file with the model inside; one that cannot be read is explained."""
        try:
            record = self.study.runs.read(file)
        except ResultsError as failure:
            self.unreadable.show_file(file, [Problem("error", "results", "", str(failure))])
            self._show_page(self.unreadable)
            return
        if not self.shows_project():
            self.document.adopt(record.project)
        self.study.runs.add(record)
        self.study.switch(True)

    def show_welcome(self) -> None:
        """Show the samples."""
        self._show_page(self.welcome)
        waiting = [card for card in self.welcome.cards if card.picture.pixmap().isNull()]
        if waiting and not self.viewport.excuse:
            QTimer.singleShot(30, self, lambda: self._draw_cards(waiting))

    def shows_project(self) -> bool:
        """Tell whether a project is shown."""
        return self.pages.currentWidget() is self.work

    def set_parallel(self, parallel: bool) -> None:
        """Choose between parallel projection and perspective."""
        self.parallel = parallel
        self.viewport.set_parallel(parallel)

    def set_joints(self, visible: bool) -> None:
        """Show or hide the joints' markers."""
        self.joints = visible
        self.viewport.show_joints(visible)

    def set_scheme(self, scheme: Qt.ColorScheme) -> None:
        """Choose light, dark, or what the system says (Unknown)."""
        self.scheme = scheme
        QApplication.styleHints().setColorScheme(scheme)
        self._apply_theme()

    def theme(self) -> Theme:
        """Give the colours that the person has chosen, or else the system."""
        scheme = self.scheme
        if scheme == Qt.ColorScheme.Unknown:
            scheme = QApplication.styleHints().colorScheme()
        return DARK if scheme == Qt.ColorScheme.Dark else LIGHT

    def quit(self) -> None:
        """Close the window."""
        self.close()

    def _back(self) -> None:
        self._show_page(self.work if self.document.has_project else self.welcome)

    def _show_page(self, page: object) -> None:
        self.pages.setCurrentWidget(page)  # type: ignore[arg-type]
        file = self.document.path
        shown = f"{file.name} — Manikin" if file and page is self.work else "Manikin"
        self.setWindowTitle(shown)
        self.menus.refresh()

    def _show_document(self) -> None:
        document = self.document
        self.study.forget()
        self.outline.show_project(document.project, document.problems)
        self.problems.show_problems(document.project, document.problems)
        count = len(document.problems)
        self.drawer.name("Problems", f"Problems  {count}" if count else "Problems")
        self.viewport.show_project(document.project)
        self._show_page(self.work)
        self.viewport.setFocus()
        share = 170 if document.problems else 120
        self.work.setSizes([self.work.height() - share, share])

    def _show_run(self) -> None:
        """Show how far the current run is, and what happened in it."""
        study, record = self.study, self.study.runs.current
        self.timeline.setVisible(study.replay is not None)
        if record is not None:
            self.timeline.show_run(record.duration_s, study.player.end, study.marks())
        self.menus.refresh()

    def _show_selection(self, path: str) -> None:
        self.outline.select(path)
        self.inspector.show_element(self.document.project, path)
        self.viewport.select(path)

    def _apply_theme(self) -> None:
        theme = self.theme()
        QApplication.setPalette(palette(theme))
        self.setStyleSheet(style_sheet(theme))
        for panel in (
            self.outline,
            self.inspector,
            self.viewport,
            self.timeline,
            *self.drawer.panels,
        ):
            panel.set_theme(theme)

    def _draw_cards(self, waiting: list[Card]) -> None:
        """Draw the samples' pictures one after the other, so that the window stays quick."""
        if self.viewport.is_closed or not waiting:
            return
        card = waiting.pop(0)
        card.draw(self.theme())
        QTimer.singleShot(10, self, lambda: self._draw_cards(waiting))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept one local file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped file."""
        event.acceptProposedAction()
        self.open_file(Path(event.mimeData().urls()[0].toLocalFile()))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the graphics memory back."""
        self.study.player.pause()
        self.study.runs.stop()
        self.viewport.close_graphics()
        super().closeEvent(event)


def _stacked(*parts: QWidget) -> QWidget:
    """Put widgets below each other; the first takes what is left over."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part, int(part is parts[0]))
    return holder


def _split(way: Qt.Orientation, parts: tuple, sizes: tuple[int, ...]) -> QSplitter:  # type: ignore[type-arg]
    """Put panels side by side; the largest takes what is left over."""
    splitter = QSplitter(way, childrenCollapsible=False)
    splitter.setHandleWidth(1)
    for i, part in enumerate(parts):
        splitter.addWidget(part)
        splitter.setStretchFactor(i, int(sizes[i] == max(sizes)))
    splitter.setSizes(list(sizes))
    return splitter


def palette(theme: Theme) -> QPalette:
    """Give Qt the colours for what the style sheet does not paint: arrows, marks, cursors."""
    role = QPalette.ColorRole
    out = QPalette()
    for key, colour in (
        (role.Window, theme.window),
        (role.Base, theme.panel),
        (role.Button, theme.raised),
        (role.WindowText, theme.text),
        (role.Text, theme.text),
        (role.ButtonText, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.panel),
    ):
        out.setColor(key, QColor(colour))
    return out


def open_window(path: Path | None) -> int:
    """Open the window on a project or on the welcome, and stay until it is closed."""
    application = QApplication.instance() or QApplication(["manikin"])
    assert isinstance(application, QApplication)
    application.setApplicationName("Manikin")
    application.setStyle("Fusion")
    window = MainWindow()
    if path is not None:
        window.open_file(path)
    window.show()
    return application.exec()
