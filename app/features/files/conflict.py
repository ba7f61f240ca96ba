"""What stands on the disk is not what was opened here: somebody else has saved. Ask what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.comparing.fields import differing
from app.forms.units import Units
from app.workbench import Workbench
from solver.base.words import plural, tr
from solver.project import Project, ProjectError, load_project

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
    box.setInformativeText(_told(mine, theirs, system))
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


def _told(mine: Project, theirs: Project | None, system: str) -> str:
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
