"""Remember the sliders of each project from one start to the next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.features.whatif.pins import Pin
from app.home import home
from solver.whole import write_whole

_MOST = 100
"""Of so many projects the sliders are remembered; those of the one used longest ago go first."""


class PinStore:
    """Read and write one small file; what is damaged in it counts as not kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or home()) / "sliders.json"

    def of(self, project: Path) -> list[Pin]:
        """Give the sliders of a project."""
        found = self._all().get(str(project.resolve()))
        pins = found if isinstance(found, list) else []
        return [pin for one in pins if (pin := _pin(one)) is not None]

    def keep(self, project: Path, pins: Sequence[Pin]) -> None:
        """Keep the sliders of a project; OSError where that cannot be."""
        data, key = self._all(), str(project.resolve())
        data.pop(key, None)
        if pins:
            data[key] = [[pin.path, pin.low, pin.high, pin.first] for pin in pins]
        kept = dict(list(data.items())[-_MOST:])
        write_whole(self._file, json.dumps(kept, indent=1, ensure_ascii=False))

    def _all(self) -> dict[str, Any]:
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}


def _pin(value: Any) -> Pin | None:
    match value:
        case [str(path), float() | int() as low, float() | int() as high, float() | int() as first]:
            return Pin(path, float(low), float(high), float(first)) if low < high else None
    return None
