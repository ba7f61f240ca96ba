"""Rubbish is looked for in the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from app.memory import look_for_rubbish

_LOOK_MS = 250
"""How often the window's thread looks for rubbish while it has nothing else to do (ms)."""


class RubbishHere(QObject):
    """Look for rubbish in the window's thread alone.

    Python looks for it in whichever thread makes an object, such as that of a run; a picture of VTK that ends in a
    thread other than its own takes the program along. This goes by Python's own counts and limits.
    """

    def __init__(self) -> None:
        super().__init__()
        gc.disable()
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(look_for_rubbish)
        self._timer.start()

    def close(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()
