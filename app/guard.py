"""Tell of exceptions in methods that Qt calls back, there and then.

Where Qt was itself called from Python, as for a resize, a picture of a widget or an event handed on,
PySide keeps an exception of such a method until the outer call is over. On Python 3.11 it then reads
what it kept wrongly, and the process dies without a word (seen with 6.11.3). So these methods let
nothing out: the exception goes to `sys.excepthook`, which reports it in the window.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from PySide6.QtCore import QMimeData, QSize, Qt

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")

_ANSWERS: dict[str, Callable[[], Any]] = {
    "event": lambda: True,
    "eventFilter": lambda: False,
    "focusNextPrevChild": lambda: False,
    "sizeHint": QSize,
    "minimumSizeHint": QSize,
    "mimeData": QMimeData,
    "flags": lambda: Qt.ItemFlag.NoItemFlags,
    "setData": lambda: False,
    "edit": lambda: False,
    "rowCount": lambda: 0,
    "columnCount": lambda: 0,
    "id": lambda: -1,
    "mergeWith": lambda: False,
    "__lt__": lambda: False,
}
"""What Qt is answered when a method has failed; the others answer nothing."""


def guard(method: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """Let a method that overrides one of Qt's report its exceptions instead of raising them."""

    @functools.wraps(method)
    def call(*args: _Given.args, **named: _Given.kwargs) -> _Answer:
        try:
            return method(*args, **named)
        except Exception:  # noqa: BLE001 (whatever it is, it must not pass through Qt)
            sys.excepthook(*sys.exc_info())
            answer = _ANSWERS.get(method.__name__)
            return answer() if answer is not None else None  # type: ignore[return-value]

    call.__dict__["is_guarded"] = True
    return call
