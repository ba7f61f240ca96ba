"""What earlier programs left unsaved: offered again, opened or discarded, and discarded ones brought back."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from app import texts
from app.recovery import Left, left_behind, recover
from app.study.shelf import Shelf
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.project import ProjectError


class Leftovers:
    """Offer one after the other, the newest first; `free` gives the workbench that may show one."""

    def __init__(self, bench: Workbench, free: Callable[[], Workbench]) -> None:
        self._bench, self._free = bench, free
        self._discarded: list[Left] = []
        """Not wanted; deleted once nobody can want it back."""

    def offer(self) -> None:
        """Offer the newest work that an earlier program left unsaved."""
        left = self._next()
        if left is None:
            return
        self._bench.notice.say(
            _said(left),
            (tr("Open it"), partial(self._recover, left)),
            (tr("Discard it"), partial(self._discard, left)),
            stays=True,
        )

    def end(self) -> None:
        """Delete what was discarded, with its runs; not what another program has opened meanwhile."""
        for left in self._discarded:
            if left.place.exists():
                left.forget()
                if left.draft:
                    Shelf.of_draft(left.draft).clear()
        self._discarded = []

    def _next(self) -> Left | None:
        gone = [one.place for one in self._discarded]
        return next((one for one in left_behind() if one.place not in gone), None)

    def _recover(self, left: Left) -> None:
        bench = self._free()
        try:
            recover(left, bench.document)
        except ProjectError as failure:
            why = failure.problems[0].sentence
            self._bench.notice.say(tr("What was left could not be read: {why}", why=why))
            return
        bench.begun.emit()

    def _discard(self, left: Left) -> None:
        """Offer it no longer; until the window is closed it can be had back."""
        self._discarded.append(left)

        def bring_back() -> None:
            self._discarded.remove(left)
            self.offer()

        # where the click was is now what undoes it
        more = [(tr("Next"), self.offer)] if self._next() is not None else []
        words = tr("{name} was discarded.", name=_name_of(left))
        self._bench.notice.say(words, *more, (tr("Bring it back"), bring_back), stays=True)


def _name_of(left: Left) -> str:
    return left.file.name if left.file else left.title or tr(texts.words.NEW_NAME)


def _said(left: Left) -> str:
    """Say how the program ended, and what it left."""
    words = msgid("The program ended without saving {name} ({when}). Nothing is lost: shall it be opened?")  # fmt: skip
    if left.is_saved:
        words = msgid("The program was ended from outside ({signal}) while {run} of {name} went on ({when}). What it had found is kept: shall it be opened?")  # fmt: skip
    elif left.signal:
        words = msgid("The program was ended from outside ({signal}) without saving {name} ({when}). Nothing is lost: shall it be opened?")  # fmt: skip
    when = time.strftime("%d %B, %H:%M", time.localtime(left.when))
    return tr(words, name=_name_of(left), when=when, signal=left.signal, run=left.run)
