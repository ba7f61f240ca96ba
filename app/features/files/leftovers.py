"""What stands on the disk and is not what is open: left unsaved by earlier programs, or saved by somebody else."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app import texts
from app.comparing.fields import differing
from app.forms.units import Units
from app.recovery import Left, left_behind, recover
from app.run_view.run_store import RunStore
from app.workbench import Workbench
from solver.base.words import msgid, plural, tr
from solver.project import Project, ProjectError, load_project


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
            _how_it_ended(left),
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
                    RunStore.of_draft(left.draft).clear()
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


def _how_it_ended(left: Left) -> str:
    """Say how the program ended, and what it left."""
    words = msgid("The program ended without saving {name} ({when}). Nothing is lost: shall it be opened?")  # fmt: skip
    if left.is_saved:
        words = msgid("The program was ended from outside ({signal}) while {run} of {name} went on ({when}). What it had found is kept: shall it be opened?")  # fmt: skip
    elif left.signal:
        words = msgid("The program was ended from outside ({signal}) without saving {name} ({when}). Nothing is lost: shall it be opened?")  # fmt: skip
    when = time.strftime("%d %B, %H:%M", time.localtime(left.when))
    return tr(words, name=_name_of(left), when=when, signal=left.signal, run=left.run)


Answer = Literal["theirs", "mine", "both", "copy", "cancel"]

_FEW = 4
"""So many of the fields that differ are written out."""


def ask(parent: QWidget, file: Path, mine: Project, theirs: Project | None, system: str) -> Answer:
    """Ask which of two states of a file is wanted; nothing is written or lost before."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(tr("Saved by somebody else"))
    box.setText(
        tr(
            "{file} is another one than when it was opened or saved here: another window or program has written it.",
            file=file.name,
        )
    )
    box.setInformativeText(_differing_fields(mine, theirs, system))
    role = QMessageBox.ButtonRole
    words: dict[Answer, tuple[str, str]] = {
        "theirs": (tr("Take theirs"), tr("What stands on the disk becomes the model here; undo brings yours back")),
        "mine": (tr("Save mine"), tr("The file that stands there is kept beside it as a backup")),
        "both": (tr("See both"), tr("Open theirs in a window beside this one; nothing is saved yet")),
        "copy": (tr("Save a copy…"), tr("Save yours under another name; the file that stands there stays")),
    }  # fmt: skip
    buttons = {name: box.addButton(text, role.ActionRole) for name, (text, _) in words.items()}
    for name, button in buttons.items():
        button.setToolTip(words[name][1])
    for name in ("theirs", "both"):
        buttons[name].setEnabled(theirs is not None)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return next((name for name, button in buttons.items() if button is clicked), "cancel")


def theirs_of(file: Path) -> Project | None:
    """Read what stands on the disk; None where it cannot be read as a project."""
    try:
        return load_project(file)
    except ProjectError:
        return None


def see_both(bench: Workbench, file: Path) -> None:
    """Open the file in a window beside this one, where the screen has room for two."""
    other, here = bench.another(), bench.window
    other.file_asked.emit(file)
    place = here.screen().availableGeometry()
    half = place.width() // 2
    if half < here.minimumWidth():
        return
    for window, left in ((here, place.left()), (other.window, place.left() + half)):
        window.showNormal()
        window.resize(half, min(window.height(), place.height()))
        window.move(left, place.top())


def _differing_fields(mine: Project, theirs: Project | None, system: str) -> str:
    """Name the fields that differ."""
    if theirs is None:
        return tr("It cannot be read as a project.")
    found = differing(theirs, mine, Units(system))
    lines = [
        tr("{where}: {theirs} there, {mine} here", where=one.where, theirs=one.before, mine=one.after)
        for one in found[:_FEW]
    ]  # fmt: skip
    if len(found) > _FEW:
        more = len(found) - _FEW
        lines.append(plural("and {n} more field", "and {n} more fields", more))
    return "\n".join(lines)
