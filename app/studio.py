"""The running program: its windows, settings, and what it does when something fails."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from app import texts
from app.comfort.preferences import PREFERENCES, SCHEMES, Value
from app.memory import give_back
from app.recovery import left_behind, recover
from app.settings import Settings
from solver import boundary
from solver.project import ProjectError

if TYPE_CHECKING:
    from app.window import MainWindow


class Studio(QObject):
    """Open and remember windows; preferences are the same in all of them."""

    changed = Signal(str)
    """A preference has another value."""
    _fell = Signal(object)
    """A thread has ended by an exception."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self.settings = settings or Settings()
        self.windows: list[MainWindow] = []
        # told in the window's thread, whichever fell
        self._fell.connect(self._tell_fallen)

    def new_window(self) -> MainWindow:
        """Open another window on its welcome page."""
        from app.window import MainWindow

        window = MainWindow(self)
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window.destroyed.connect(give_back)
        if len(self.windows) > 1:
            window.move(self.windows[-2].pos().x() + 32, self.windows[-2].pos().y() + 32)
        window.show()
        return window

    def choose(self, name: str, value: Value) -> None:
        """Give a preference another value, in all windows at once."""
        before = self.settings.value(name)
        self.settings.keep(name, value)
        if self.settings.value(name) != before:
            self._tell(name)

    def restore_defaults(self) -> None:
        """Give every preference its usual value."""
        before = {one.name: self.settings.value(one.name) for one in PREFERENCES}
        self.settings.forget_preferences()
        for name, value in before.items():
            if self.settings.value(name) != value:
                self._tell(name)

    def set_scheme(self, scheme: Qt.ColorScheme) -> None:
        """Choose light, dark, or what the system says (Unknown)."""
        self.choose("scheme", next(name for name, one in SCHEMES.items() if one == scheme))

    def set_units(self, units: str) -> None:
        """Choose the units in which numbers are shown and typed; the project stays in SI."""
        self.choose("units", units)

    def ask_graphics(self) -> None:
        """Ask for graphics by the processor where that is wanted, before anything is drawn."""
        from app.scene.graphics import draw_by_processor

        draw_by_processor(bool(self.settings.value("by_processor")))

    def _tell(self, name: str) -> None:
        if name == "scheme":
            QApplication.styleHints().setColorScheme(self.settings.scheme)
        elif name == "by_processor":
            self.ask_graphics()
        self.changed.emit(name)

    def offer_recovery(self, window: MainWindow) -> None:
        """Offer the newest work that an earlier program left unsaved."""
        found = left_behind()
        if not found:
            return
        left = found[0]

        def open_it() -> None:
            target = window.files.free_window()
            try:
                recover(left, target.document)
            except ProjectError as failure:
                why = failure.problems[0].sentence
                window.notice.say(texts.files.NOT_RECOVERED.format(why=why))
                return
            self.offer_recovery(target)

        def discard() -> None:
            from app.study.shelf import Shelf

            left.forget()
            if left.draft:
                Shelf.of_draft(left.draft).clear()
            self.offer_recovery(window)

        name = left.file.name if left.file else left.title or texts.files.NEW_NAME
        when = time.strftime("%d %B, %H:%M", time.localtime(left.when))
        window.notice.say(
            texts.files.LEFT_BEHIND.format(name=name, when=when),
            (texts.files.RECOVER, open_it),
            (texts.files.DISCARD, discard),
        )

    def catch_failures(self) -> None:
        """Show what no one has caught in the window, instead of ending the program."""
        sys.excepthook = self.tell_failure
        threading.excepthook = lambda fallen: self._fell.emit(fallen.exc_value)

    def tell_failure(
        self, kind: type[BaseException], failure: BaseException, trace: TracebackType | None
    ) -> None:
        """Tell of an exception in the front window, with its details for the clipboard."""
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        found = boundary.failure(failure.with_traceback(trace), versions=_versions())
        print(found.report, file=sys.stderr)
        shown = [window for window in self.windows if window.isVisible()]
        if not shown:
            return
        front = next((window for window in shown if window.isActiveWindow()), shown[-1])
        what = f"{kind.__name__}: {failure}".splitlines()[0][:160]
        self.explain(front, texts.window.FAILED.format(what=what), found.report)

    def _tell_fallen(self, failure: BaseException) -> None:
        self.tell_failure(type(failure), failure, failure.__traceback__)

    def tell_task(self, window: MainWindow, failure: Exception) -> None:
        """Say why work in the background has failed: refusals in their words, slips with details."""
        if isinstance(failure, OSError) or type(failure).__module__.startswith(("app.", "solver.")):
            window.notice.say(str(failure))
        else:
            self.tell_failure(type(failure), failure, failure.__traceback__)

    def explain(self, window: MainWindow, sentence: str, details: str) -> None:
        """Say in a window that something failed, and offer the details for the clipboard."""

        def copy() -> None:
            QApplication.clipboard().setText(details)
            window.say(texts.window.DETAILS_COPIED)

        window.notice.say(sentence, (texts.window.COPY_DETAILS, copy))


def with_versions(trace: str) -> str:
    """Put versions above the lines that tell where it happened, and leave out the user's folders."""
    return boundary.with_versions(trace, versions=_versions())


def _versions() -> dict[str, str]:
    import PySide6

    return {"PySide6": PySide6.__version__}
