"""The editors that are chosen from or stepped through: words, switches, numbers; each tells when people set another."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QMenu,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QToolTip,
    QWidget,
)

from app import texts
from app.editing.shape import Shape, word_label
from app.forms.lines import Commit
from app.forms.wheel import CalmWheel
from app.guard import guard
from app.icons import icon
from app.look import Theme
from app.with_properties import with_properties
from solver.base.units import convert, display_unit, pretty
from solver.base.words import tr

_EDGES_PX = 2
"""Beside the words of an entry."""


class Choice(CalmWheel, QComboBox):
    """Choose one of several words; the wheel turns it only once it has the keyboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    @property
    def room(self) -> int:
        """How wide the words of the entry may be (px)."""
        option, part = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
        self.initStyleOption(option)
        kind = QStyle.ComplexControl.CC_ComboBox
        return self.style().subControlRect(kind, option, part, self).width() - _EDGES_PX

    @property
    def is_cut(self) -> bool:
        """Whether the entry has more words than room."""
        return self.fontMetrics().horizontalAdvance(self.currentText()) > self.room

    @guard
    def event(self, event: QEvent) -> bool:
        """Tell the whole entry where it is cut, before what it is for."""
        if isinstance(event, QHelpEvent) and self.is_cut:
            words = "\n".join(filter(None, (self.currentText(), self.toolTip())))
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    @guard
    def paintEvent(self, event: QPaintEvent) -> None:
        """End an entry that has no room in dots."""
        if self.currentIndex() < 0 or not self.is_cut:
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        metrics = self.fontMetrics()
        right = Qt.TextElideMode.ElideRight
        option.currentText = metrics.elidedText(self.currentText(), right, self.room)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def show_mixed(self, _: object) -> None:
        """Show that the selected elements have different ones."""
        before = self.blockSignals(True)
        self.setPlaceholderText(texts.words.MIXED)
        self.setCurrentIndex(-1)
        self.blockSignals(before)

    def show_data(self, data: Any) -> None:
        """Show the entry that stands for a value."""
        before = self.blockSignals(True)
        self.setCurrentIndex(self.findData(data))
        self.blockSignals(before)


class MenuChoice(QToolButton):
    """Choose one of several words from a menu behind a small button."""

    def __init__(self, commit: Commit, shape: Shape, theme: Theme) -> None:
        super().__init__()
        with_properties(self, objectName="quiet", icon=icon("down", theme.muted))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._label = shape.label
        menu = QMenu(self)
        self.entries = {}
        for one in shape.choices:
            entry = menu.addAction(word_label(one))
            entry.setCheckable(True)
            entry.triggered.connect(lambda _=False, one=one: commit(one, False))
            self.entries[one] = entry
        self.setMenu(menu)

    def show_value(self, value: str) -> None:
        """Show what is chosen."""
        for one, entry in self.entries.items():
            entry.setChecked(one == value)
        self._say(word_label(value))

    def show_mixed(self, _: object) -> None:
        """Show that the selected elements have different ones."""
        for entry in self.entries.values():
            entry.setChecked(False)
        self._say(texts.words.MIXED)

    def _say(self, chosen: str) -> None:
        self.setToolTip(f"{self._label}: {chosen}")
        self.setAccessibleName(self.toolTip())


class WithButton(QWidget):
    """Put a button beside an editor, and be that editor for the form."""

    def __init__(self, editor: Any, button: QWidget) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(editor, 1)
        row.addWidget(button)
        self.editor = editor
        self.setFocusProxy(editor)
        self.show_value, self.show_mixed = editor.show_value, editor.show_mixed
        self.refused, self.accepted = editor.refused, editor.accepted

    def setAccessibleName(self, name: str) -> None:
        """Name the editor."""
        self.editor.setAccessibleName(name)


class Flag(QCheckBox):
    """Switch something on or off."""

    def __init__(self, commit: Commit) -> None:
        super().__init__()
        self.clicked.connect(lambda on: commit(bool(on), False))

    def show_value(self, value: bool) -> None:
        """Show the state."""
        self.setTristate(False)
        self.setChecked(value)
        self.setText(tr(texts.words.YES) if value else tr(texts.words.NO))

    def show_mixed(self, _: object) -> None:
        """Show that it is on in some of the selected elements and off in others."""
        self.setTristate(True)
        self.setCheckState(Qt.CheckState.PartiallyChecked)
        self.setText(texts.words.MIXED)


_INSIDE_PX = 8
"""From the edge to the words, as in other fields."""


class _Plain(CalmWheel):
    """Look as other fields do: stands before the Qt class."""

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the words where they belong."""
        super().resizeEvent(event)
        self._place_words()

    @guard
    def changeEvent(self, event: QEvent) -> None:
        """Put the words where they belong, in another size or colour too."""
        super().changeEvent(event)
        self._place_words()

    def _be_plain(self) -> None:
        assert isinstance(self, QAbstractSpinBox)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _place_words(self) -> None:
        """Give the words the room inside the edge: Qt finds none where a style sheet draws it."""
        assert isinstance(self, QAbstractSpinBox)
        self.lineEdit().setGeometry(self.rect().adjusted(_INSIDE_PX, 1, -_INSIDE_PX, -1))


class Number(_Plain, QDoubleSpinBox):
    """Take a number with its unit behind it."""

    def __init__(self, least: float, most: float, step: float, digits: int, unit: str = "") -> None:
        super().__init__(minimum=least, maximum=most, singleStep=step, decimals=digits)
        self.setSuffix(unit)
        self._be_plain()


class Whole(_Plain, QSpinBox):
    """Take a whole number with what it counts behind it."""

    def __init__(self, least: int, most: int, value: int = 0, unit: str = "") -> None:
        super().__init__(minimum=least, maximum=most, value=value, suffix=unit)
        self._be_plain()


_FAR_M = 100.0
_DIGITS = {"mm": 0, "m": 3, "in": 2}


class LengthBox(Number):
    """A length along an axis."""

    def __init__(self, system: str) -> None:
        self._unit = display_unit("m", system)
        far = convert(_FAR_M, "m", self._unit)
        digits = _DIGITS.get(self._unit, 2)
        super().__init__(-far, far, 1.0, digits, f" {pretty(self._unit)}")

    @property
    def metres(self) -> float:
        """What is typed, in metres."""
        return round(float(convert(self.value(), self._unit, "m")), 6) + 0.0

    def show_metres(self, value: float) -> None:
        """Show a length without telling of a change."""
        was = self.blockSignals(True)
        self.setValue(convert(value, "m", self._unit))
        self.blockSignals(was)
