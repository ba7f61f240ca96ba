"""Where the window keeps what it remembers: settings and recovery files."""

from __future__ import annotations

import os
from pathlib import Path

from solver.base.places import user_data


def home() -> Path:
    """The folder, made if need be; MANIKIN_HOME names another one."""
    named = os.environ.get("MANIKIN_HOME")
    folder = Path(named) if named else user_data()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
