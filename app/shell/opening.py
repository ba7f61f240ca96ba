"""Open the first window, and stay until the last one is closed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

from app import texts
from app.application import Application
from app.jobs.ahead import CompiledAhead, load_ahead
from app.jobs.rubbish import RubbishHere
from app.leaving import Leaving
from app.memory import hold_little, kept_for_good
from app.settings import Settings
from app.shell.window import new_window
from solver.base.words import language, speak

_QUIET_MS = 400
"""After so long the first picture of the window is there."""


def open_window(path: Path | None) -> int:
    """Open the window on a project or on the welcome, and stay until it is closed."""
    hold_little()
    qt = QApplication.instance() or QApplication(["manikin"])
    assert isinstance(qt, QApplication)
    qt.setApplicationName(texts.words.PROGRAM)
    settings = Settings()
    choose_language(settings, qt)
    rubbish = RubbishHere()
    with kept_for_good():
        application = Application(settings)
        application.catch_failures()
        leaving = Leaving(application)
        application.ask_graphics()
        QApplication.styleHints().setColorScheme(application.settings.scheme)
        window = new_window(application)
        if path is not None:
            window.open_file(path)
        window.bench.begun.emit()
    compiled = CompiledAhead()
    QTimer.singleShot(_QUIET_MS, lambda: load_ahead(window.bench.viewport.make_ahead))
    QTimer.singleShot(_QUIET_MS, compiled.begin)
    try:
        code = qt.exec()
        return leaving.code or code
    finally:
        leaving.close()
        compiled.close()
        rubbish.close()


def choose_language(settings: Settings, qt: QApplication) -> None:
    """Speak the language that the environment names, or that was chosen, or the system's; Qt's own dialogs too."""
    chosen = str(settings.value("language"))
    speak(QLocale.system().name()[:2] if chosen == "system" else chosen)
    of_qt = QTranslator(qt)
    if of_qt.load(
        f"qtbase_{language()}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    ):
        qt.installTranslator(of_qt)
