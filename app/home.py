"""Where the window keeps what it remembers: settings and recovery files."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QStandardPaths


def home() -> Path:
    """The folder, made if need be; MANIKIN_HOME names another one."""
    named = os.environ.get("MANIKIN_HOME")
    where = QStandardPaths.StandardLocation.GenericDataLocation
    folder = Path(named) if named else Path(QStandardPaths.writableLocation(where)) / "manikin"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
