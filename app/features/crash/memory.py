"""What the crashes of projects were made of, from one start of the program to the next."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from app.document import Document
from app.home import home
from solver.base.whole import write_whole

if TYPE_CHECKING:
    from app.features.crash.chosen import Chosen

_MOST = 200
"""So many projects are known; those that were chosen for longest ago are forgotten."""


class Memory:
    """Remember for each project what its crash was made of; a draft that is saved takes it along."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._file = home() / "crashes.json"
        self._key = ""
        document.opened.connect(self._on_opened)
        document.named.connect(self._on_named)

    def now(self) -> Chosen | None:
        """Give what the open project was made of."""
        data = self._all().get(self._key)
        if not isinstance(data, dict):
            return None
        from app.features.crash.chosen import Chosen

        return Chosen.read(data)

    def keep(self, chosen: Chosen) -> None:
        """Remember it for the open project."""
        self._key = _key_of(self._document)
        self._put(chosen.as_data())

    def _on_opened(self) -> None:
        self._key = _key_of(self._document)

    def _on_named(self) -> None:
        """Under another name it is made of the same."""
        before, self._key = self._key, _key_of(self._document)
        if self._key != before and (data := self._all().get(before)) is not None:
            self._put(data)

    def _all(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _put(self, data: object) -> None:
        known = self._all()
        known.pop(self._key, None)
        kept = dict(list(known.items())[-(_MOST - 1) :]) | {self._key: data}
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, json.dumps(kept))
        except OSError:
            # a full disk only costs the choices, not the crash
            return


def _key_of(document: Document) -> str:
    path = document.path
    return f"draft:{document.draft}" if path is None else os.path.normcase(path.resolve())
