"""Small questions beside the window: a choice and a number, which go on while a run does, and where to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

from solver.base.words import tr

_ENDING = re.compile(r"\*(\.\w+)")


def ask_where(parent: QWidget, title: str, start: str, kinds: str) -> str:
    """Ask where to write, with the kind of what is offered; gives the file, empty for none.

    A name without an ending of these kinds gets that of the chosen one, and so does one whose ending was
    only offered. What is there under the whole name is replaced only when that is wanted.
    """
    endings = {kind: _ENDING.findall(kind) for kind in kinds.split(";;")}
    offered = Path(start).suffix.lower()
    first = next((kind for kind, ends in endings.items() if offered in ends), "")
    name, kind = QFileDialog.getSaveFileName(parent, title, start, kinds, first)
    ends = endings.get(kind or first) or []
    ending = Path(name).suffix.lower()
    if not name or (not ends and ending):
        return name
    ends = ends or next((some for some in endings.values() if some), [""])
    is_known = any(ending in known for known in endings.values())
    if ending in ends or (is_known and ending != offered):
        return name
    whole = (name[: -len(ending)] if is_known else name) + ends[0]
    return whole if not Path(whole).exists() or _is_replaced(parent, title, whole) else ""


def _is_replaced(parent: QWidget, title: str, file: str) -> bool:
    return is_wanted(
        parent, title, tr("{file} is there already. Replace it?", file=Path(file).name)
    )


def is_wanted(parent: QWidget, title: str, words: str) -> bool:
    """Ask whether something is meant; what is not answered is not."""
    choice = QMessageBox.StandardButton
    answer = QMessageBox.question(parent, title, words, choice.Yes | choice.No, choice.No)
    return answer == choice.Yes


def ask_for_item(
    parent: QWidget, title: str, words: str, offered: Sequence[str], current: int,
    then: Callable[[str], object], *, own: bool = False,
) -> None:  # fmt: skip
    """Ask for one of some words, or for `own` ones; `then` is told what was taken."""
    dialog = _dialog(parent, title, words)
    dialog.setComboBoxItems(list(offered))
    dialog.setComboBoxEditable(own)
    dialog.setTextValue(offered[current])
    dialog.textValueSelected.connect(then)
    dialog.open()


def ask_for_number(
    parent: QWidget, title: str, words: str, offered: float, limits: tuple[float, float],
    decimals: int, then: Callable[[float], object],
) -> None:  # fmt: skip
    """Ask for a number between limits; `then` is told what was taken."""
    dialog = _dialog(parent, title, words)
    dialog.setInputMode(QInputDialog.InputMode.DoubleInput)
    dialog.setDoubleDecimals(decimals)
    dialog.setDoubleRange(*limits)
    dialog.setDoubleValue(offered)
    dialog.doubleValueSelected.connect(then)
    dialog.open()


def _dialog(parent: QWidget, title: str, words: str) -> QInputDialog:
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(words)
    return dialog
