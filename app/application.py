"""The running program: its windows, settings, and what it does when something fails."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QApplication

from app.plain import show_plain_text
from app.preferences import PREFERENCES, SCHEMES, Value
from app.settings import Settings
from solver.base import boundary
from solver.base.words import tr


class Window(Protocol):
    """What the program asks of each of its windows."""

    def isVisible(self) -> bool:
        """Whether it is shown."""

    def isActiveWindow(self) -> bool:
        """Whether it has the keyboard."""

    def close(self) -> bool:
        """Close it, unless it stays open for its unsaved work."""

    def pos(self) -> QPoint:
        """Where it stands on the screen."""

    def leave(self, why: boundary.Ended) -> None:
        """Close it without a question, with all kept that is unsaved or being found."""

    def explain(self, sentence: str, details: str) -> None:
        """Say that something failed, and offer the details for the clipboard."""


class Application(QObject):
    """Remember the windows; preferences are the same in all of them."""

    changed = Signal(str)
    """A preference has another value."""
    _fell = Signal(object)
    """A thread has ended by an exception."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        show_plain_text()
        self.settings = settings or Settings()
        self.windows: list[Window] = []
        # told in the window's thread, whichever fell
        self._fell.connect(self._tell_fallen)

    def quit(self) -> None:
        """Close all windows; one that stays open for its unsaved work ends it."""
        for window in list(self.windows):
            if not window.close():
                return

    def leave(self, why: boundary.Ended) -> None:
        """Close all windows without a question; what one cannot keep does not stop the others."""
        for window in list(self.windows):
            try:
                window.leave(why)
            except Exception as failure:  # noqa: BLE001 (nobody is there to be told)
                print(boundary.failure(failure, versions=_versions()).report, file=sys.stderr)

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
        front.explain(
            tr(
                "Something went wrong inside the program. Your model is as it was. ({what})",
                what=what,
            ),
            found.report,
        )

    def _tell_fallen(self, failure: BaseException) -> None:
        self.tell_failure(type(failure), failure, failure.__traceback__)


def with_versions(trace: str) -> str:
    """Put versions above the lines that tell where it happened, and leave out the user's folders."""
    return boundary.with_versions(trace, versions=_versions())


def _versions() -> dict[str, str]:
    import PySide6

    return {"PySide6": PySide6.__version__}
