"""Where the window keeps what it remembers: settings and recovery files."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def home() -> Path:
    """The folder, made if need be; MANIKIN_HOME names another one."""
    named = os.environ.get("MANIKIN_HOME")
    folder = Path(named) if named else _data() / "manikin"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _data() -> Path:
    """Where programs keep data of a person, as Qt says it; commands that draw films know no Qt."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
