"""The small editors of a form: each shows a value, and tells when people have set another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)

from app import texts
from app.forms.shape import Shape, spoken_word
from app.forms.units import Units
from app.icons import icon
from app.look import Theme
from app.told import told
from solver.units import UnitError

Commit = Callable[[Any, bool], bool]
"""Takes a value over; True as second word for one of many small steps. Tells whether it fits."""


class ValueLine(QLineEdit):
    """Take what was typed over on Enter or on leaving; Esc brings the old text back."""

    refused = Signal(str)
    accepted = Signal()

    def __init__(self, commit: Commit, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="value")
        self._commit = commit
        self._resting = self._focused = ""
        self.returnPressed.connect(self.take_over)

    def rest_with(self, resting: str, focused: str | None = None) -> None:
        """Show a text, and another one, with all digits, while the field has the keyboard."""
        self._resting = resting
        self._focused = resting if focused is None else focused
        shown = self._focused if self.hasFocus() else self._resting
        if self.text() != shown:
            self.setText(shown)
            self.setCursorPosition(0)

    def show_value(self, value: str) -> None:
        """Show a text."""
        self.rest_with(value)

    def value_of(self, text: str) -> Any:
        """Give the value that a text stands for; raises UnitError with a sentence."""
        return text

    def take_over(self) -> None:
        """Set the value that is typed, if it is another one."""
        if self.text() == (self._focused if self.hasFocus() else self._resting):
            return
        if self.text() in (self._focused, self._resting):
            return
        try:
            value = self.value_of(self.text())
        except UnitError as failure:
            self.refused.emit(str(failure))
            return
        if self._commit(value, False):
            self.accepted.emit()

    @told
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show all digits, selected, ready to be typed over."""
        super().focusInEvent(event)
        if self.text() == self._resting:
            self.setText(self._focused)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.selectAll()

    @told
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take over what was typed."""
        super().focusOutEvent(event)
        if event.reason() == Qt.FocusReason.PopupFocusReason:
            return
        if self.text() != self._focused:
            self.take_over()
        elif self.text() != self._resting:
            self.setText(self._resting)
            self.setCursorPosition(0)

    @told
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Bring the old text back on Esc."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self._focused:
            self.setText(self._focused)
            self.selectAll()
            self.accepted.emit()
            return
        super().keyPressEvent(event)


class NumberLine(ValueLine):
    """Edit a number with its unit; arrow keys step, Shift by ten, Ctrl by a tenth."""

    def __init__(self, commit: Commit, units: Units, si_unit: str, *, whole: bool = False,
                 optional: bool = False, shows_unit: bool = True) -> None:  # fmt: skip
        super().__init__(commit)
        self.units, self.si_unit = units, si_unit
        self.whole, self.optional, self._shows_unit = whole, optional, shows_unit
        if optional:
            self.setPlaceholderText(texts.forms.NONE)
        self._value: float | None = None

    def show_value(self, value: float | None) -> None:
        """Show a value (SI)."""
        self._value = value
        if value is None:
            self.rest_with("")
        elif self.whole:
            self.rest_with(str(value))
        else:
            short, full = (f(value, self.si_unit) for f in (self.units.short, self.units.full))
            if self._shows_unit:
                short, full = (self.units.with_unit(t, self.si_unit) for t in (short, full))
            self.rest_with(short, full)

    def value_of(self, text: str) -> float | int | None:
        """Read an expression, an empty field as none."""
        if self.optional and text.strip().casefold() in ("", texts.forms.NONE):
            return None
        value = self.units.read(text, self.si_unit)
        if self.whole and not value.is_integer():
            raise UnitError(texts.forms.NOT_WHOLE)
        return int(value) if self.whole else value

    @told
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step by the arrow keys."""
        way = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if way and self._value is not None and self.text() in (self._focused, self._resting):
            self._commit(self._stepped(way, event.modifiers()), True)
            return
        super().keyPressEvent(event)

    def _stepped(self, way: int, keys: Qt.KeyboardModifier) -> float | int:
        assert self._value is not None
        if self.whole:
            return int(self._value) + way * (10 if keys & Qt.KeyboardModifier.ShiftModifier else 1)
        here = float(self.units.full(self._value, self.si_unit).replace("−", "-"))
        size = 10.0 ** (len(f"{abs(here):.0f}") - 2) if abs(here) >= 1.0 else 0.01
        if keys & Qt.KeyboardModifier.ShiftModifier:
            size *= 10.0
        if keys & Qt.KeyboardModifier.ControlModifier:
            size *= 0.1
        return self.units.read(f"{here + way * size:.12g}", self.si_unit)


class NumbersLine(ValueLine):
    """Edit a short list of numbers on one line, separated by commas or blanks."""

    def __init__(self, commit: Commit, units: Units, si_unit: str) -> None:
        super().__init__(commit)
        self.units, self.si_unit = units, si_unit
        self.setPlaceholderText(texts.forms.NO_NUMBERS)

    def show_value(self, value: tuple[float, ...]) -> None:
        """Show the numbers (SI)."""
        short = ", ".join(self.units.short(v, self.si_unit) for v in value[:60])
        full = ", ".join(self.units.full(v, self.si_unit) for v in value)
        name = self.units.name(self.si_unit)
        self.rest_with(f"{short}{' …' if len(value) > 60 else ''}", full)
        words = texts.forms.NUMBERS_IN if name else texts.forms.NUMBERS
        self.setToolTip(words.format(count=len(value), unit=name))

    def value_of(self, text: str) -> tuple[float, ...]:
        """Read the numbers; a column pasted from a spreadsheet will do."""
        mark = ";" if ";" in text else "," if "," in text else None
        words = [word for word in (text.split(mark) if mark else text.split()) if word.strip()]
        return tuple(self.units.read(word, self.si_unit) for word in words)


class VectorEdit(QWidget):
    """Edit three numbers of one unit beside each other."""

    refused = Signal(str)
    accepted = Signal()

    def __init__(
        self, commit: Callable[[int, Any, bool], bool], units: Units, si_unit: str
    ) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self.lines: list[NumberLine] = []
        for i in range(3):
            line = NumberLine(
                lambda value, step, i=i: commit(i, value, step), units, si_unit, shows_unit=False
            )
            line.setObjectName("narrow")
            line.refused.connect(self.refused)
            line.accepted.connect(self.accepted)
            row.addWidget(line, 1)
            self.lines.append(line)
        self.setFocusProxy(self.lines[0])
        if units.name(si_unit):
            row.addWidget(QLabel(units.name(si_unit), objectName="muted"))

    def show_value(self, value: tuple[float, ...]) -> None:
        """Show the three numbers (SI)."""
        for line, one in zip(self.lines, value, strict=True):
            line.show_value(one)

    def setAccessibleName(self, name: str) -> None:
        """Name each of the three."""
        super().setAccessibleName(name)
        for line, axis in zip(self.lines, "123", strict=True):
            line.setAccessibleName(f"{name} {axis}")


class Choice(QComboBox):
    """Choose one of several words; the wheel turns it only once it has the keyboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("choice")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    @told
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the form around it."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    @told
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sign that there is more to choose from."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.palette().placeholderText().color(), 1.4))
            x, y = self.width() - 12.0, self.height() / 2.0
            painter.drawPolyline(
                QPolygonF([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])
            )

    def show_data(self, data: Any) -> None:
        """Show the entry that stands for a value."""
        before = self.blockSignals(True)
        self.setCurrentIndex(self.findData(data))
        self.blockSignals(before)


class MenuChoice(QToolButton):
    """Choose one of several words from a menu behind a small button."""

    def __init__(self, commit: Commit, shape: Shape, theme: Theme) -> None:
        super().__init__(objectName="quiet", icon=icon("down", theme.muted))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._label = shape.label
        menu = QMenu(self)
        self.entries = {}
        for one in shape.choices:
            entry = menu.addAction(spoken_word(one))
            entry.setCheckable(True)
            entry.triggered.connect(lambda _=False, one=one: commit(one, False))
            self.entries[one] = entry
        self.setMenu(menu)

    def show_value(self, value: str) -> None:
        """Show what is chosen."""
        for one, entry in self.entries.items():
            entry.setChecked(one == value)
        self.setToolTip(f"{self._label}: {spoken_word(value)}")
        self.setAccessibleName(self.toolTip())


class Beside(QWidget):
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
        self.show_value, self.refused, self.accepted = (
            editor.show_value,
            editor.refused,
            editor.accepted,
        )

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
        self.setChecked(value)
        self.setText(texts.forms.YES if value else texts.forms.NO)


class LongText(QPlainTextEdit):
    """Edit a few lines of text; taken over on leaving."""

    accepted = Signal()

    def __init__(self, commit: Commit) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(64)
        self._commit, self._value = commit, ""

    def show_value(self, value: str) -> None:
        """Show the text."""
        self._value = value
        if self.toPlainText() != value and not self.hasFocus():
            self.setPlainText(value)

    @told
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the text over."""
        super().focusOutEvent(event)
        if self.toPlainText() != self._value:
            self._commit(self.toPlainText(), False)
