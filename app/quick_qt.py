"""Load Qt, and let imports be as quick after it as before."""

from __future__ import annotations

import builtins


def load_qt() -> None:
    """Load Qt without its watch on imports.

    PySide6 looks for `from __feature__ import …`, which changes names of its methods: it reads the source
    of every module that is imported after it. Nothing here asks for that, and a start takes a fifth less.
    """
    plain = builtins.__import__
    import PySide6.QtCore  # noqa: F401

    builtins.__import__ = plain
