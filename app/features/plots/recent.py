"""Keep the quantities that were drawn last, from one start to the next."""

from __future__ import annotations

import json
from pathlib import Path

from app.home import home
from solver.base.whole import write_whole

MOST = 12


class Recent:
    """Read and write one small file; a damaged one counts as empty, and one that cannot be written is let be."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or home()) / "plot_recent.json"
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = []
        names = found if isinstance(found, list) else []
        self.names = [name for name in names if isinstance(name, str)][:MOST]

    def use(self, name: str) -> None:
        """Put a quantity in front."""
        self.names = [name, *(one for one in self.names if one != name)][:MOST]
        try:
            write_whole(self._file, json.dumps(self.names, ensure_ascii=False))
        except OSError:
            # what was used last is a comfort: it is remembered while the window stands
            return
