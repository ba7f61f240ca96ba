"""Wait for turns of the event loop and for what is to come about, never for a time.

`QTest.qWait` keeps Python's lock, so that threads which are to bring something about stand still meanwhile; a
loop of events lets them work.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

LONG_S = 60.0
"""Long enough for any machine: who waits so long has failed."""


def turns(count: int = 3) -> None:
    """Let turns of the event loop go by: what was posted is done and painted, and timers of no time have fired."""
    for _ in range(count):
        _loop(0)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def collect() -> None:
    """Look for rubbish once Qt has deleted what it was told to: a window that still stands would be taken apart in any order."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def until(holds: Callable[[], object], seconds: float = LONG_S) -> None:
    """Wait until something holds; threads of Python work meanwhile."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        _loop(2)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def until_exposed(window: QWidget) -> None:
    """Wait until a window is on the screen."""
    until(lambda: window.windowHandle() is not None and window.windowHandle().isExposed())


def until_active(window: QWidget) -> None:
    """Bring a window to the front, as the desktop does with one that is opened."""

    def is_front() -> bool:
        window.activateWindow()
        return window.isActiveWindow()

    until_exposed(window)
    until(is_front)


def until_fired(timer: QTimer, times: int = 3) -> None:
    """Wait until what looks again and again has looked some more times."""
    fired: list[int] = []

    def note() -> None:
        fired.append(1)

    timer.timeout.connect(note)
    until(lambda: len(fired) >= times)
    timer.timeout.disconnect(note)


def until_still(view: Any) -> None:
    """Wait until a scene has nothing left to draw by itself."""
    picture = view.picture
    until(lambda: not picture._rest.isActive() and not picture._turn.isActive())
    turns()
    assert not picture._rest.isActive()
    assert not picture._turn.isActive()


def until_pointed(view: Any) -> None:
    """Wait until a scene has looked for what is under the mouse, which has come to rest."""
    turns()
    until(lambda: not view._hover.isActive())


def once(find: Callable[[], Any], do: Callable[[Any], object]) -> None:
    """Do something with what is about to come, once it is there and seen, whatever holds up all others by then."""
    look = QTimer(QApplication.instance(), interval=5)

    def on_look() -> None:
        found = find()
        if found is not None and found.isVisible():
            look.stop()
            look.deleteLater()
            do(found)

    look.timeout.connect(on_look)
    look.start()


def once_modal(do: Callable[[Any], object]) -> None:
    """Do something with the dialog that is about to hold up all others."""
    once(QApplication.activeModalWidget, do)


def _loop(ms: int) -> None:
    loop, timer = QEventLoop(), QTimer(singleShot=True, interval=ms)
    timer.timeout.connect(loop.quit)
    timer.start()
    loop.exec()


def offered(button: Any) -> list[Any]:
    """Open what a button has of the library, once it was looked up: its entries, those of its headings too."""
    button._open()
    until(lambda: not button._trying.is_busy)
    out, menus = list[Any](), [button.menu()]
    for menu in menus:
        for action in menu.actions():
            if action.menu() is not None:
                menus.append(action.menu())
            elif not action.isSeparator():
                out.append(action)
    return out
