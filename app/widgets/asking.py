"""Small questions beside the window, which go on while a run does: a choice, a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QWidget


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
