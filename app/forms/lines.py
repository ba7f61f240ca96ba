"""The editors that take typed text: names, numbers with units, vectors; each tells when people set another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from app import texts
from app.fonts import wide
from app.forms.units import Units
from app.guard import guard
from app.with_properties import with_properties
from solver.base.units import UnitError
from solver.base.words import plural, tr

Commit = Callable[[Any, bool], bool]
"""Takes a value over; True as second word for one of many small steps. Tells whether it fits."""


_BESIDE_PX = {"value": 18, "narrow": 10}
"""What a field needs beside its text: edges and the room within them, as the style sheet has them."""

_NARROW_PX = 32
"""The least width of one of three numbers beside each other."""


def _undoes(event: QEvent) -> bool:
    """Whether a field is asked for undo or redo, before the window's shortcuts are."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(
        QKeySequence.StandardKey.Redo
    )


class ValueLine(QLineEdit):
    """Take what was typed over on Enter or on leaving; Esc brings the old text back."""

    refused = Signal(str)
    accepted = Signal()

    def __init__(self, commit: Commit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        with_properties(self, objectName="value")
        self._commit = commit
        self._resting = self._focused = ""
        self._hint: str | None = None
        """What an empty field says usually, while it says that values differ."""
        self.returnPressed.connect(self.take_over)

    def rest_with(self, resting: str, focused: str | None = None) -> None:
        """Show a text, and another one, with all digits, while the field has the keyboard."""
        if self._hint is not None:
            self.setPlaceholderText(self._hint)
            self._hint = None
        self._resting = resting
        self._focused = resting if focused is None else focused
        shown = self._focused if self.hasFocus() else self._resting
        if self.text() != shown:
            self.setText(shown)
            self.setCursorPosition(0)

    def show_value(self, value: Any) -> None:
        """Show a text."""
        self.rest_with(value)

    def show_mixed(self, _: object) -> None:
        """Show that the selected elements have different values; what is typed is for all."""
        self.rest_with("")
        self._hint = self.placeholderText()
        self.setPlaceholderText(texts.words.MIXED)

    def value_of(self, text: str) -> Any:
        """The value that a text stands for; raises UnitError with a sentence."""
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

    @guard
    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the window, unless something typed has not been taken over."""
        if _undoes(event) and self.text() in (self._focused, self._resting):
            event.ignore()
            return False
        return super().event(event)

    @guard
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show all digits, selected, ready to be typed over."""
        super().focusInEvent(event)
        if self.text() == self._resting:
            self.setText(self._focused)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.selectAll()

    @guard
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

    @guard
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
            self.setPlaceholderText(tr(texts.words.NONE))
        self._value: float | None = None
        self.pin: Callable[[], object] | None = None
        """Gives the field a slider, where that is offered."""
        self.vary: Callable[[], object] | None = None
        """Lets a study vary the field, where that is offered."""
        self.path: Callable[[], str] = str
        """Gives the path of the field; empty where it has none."""

    def show_value(self, value: float | None) -> None:
        """Show a value (SI)."""
        self._value = value
        if value is None:
            self.rest_with("")
        elif self.whole:
            self.rest_with(str(value))
        else:
            self.rest_with(
                self._fitting(value), self._with_unit(self.units.full(value, self.si_unit))
            )

    def _with_unit(self, text: str) -> str:
        return self.units.with_unit(text, self.si_unit) if self._shows_unit else text

    def _fitting(self, value: float) -> str:
        """Write a value with four digits, or with fewer where the field is too narrow: no end is cut."""
        room = self.width() - _BESIDE_PX[self.objectName()]
        length = self.fontMetrics().horizontalAdvance
        written: list[str] = []
        # nearly all have room for four digits: the others are written where they are needed alone
        for count in (4, 3, 2, 1, 0):
            short = (
                self.units.short(value, self.si_unit, count)
                if count
                else self.units.shortest(value, self.si_unit)
            )
            written.append(self._with_unit(short))
            if length(written[-1]) <= room:
                return written[-1]
        return min(written, key=length)

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Write as many digits as there is room for."""
        super().resizeEvent(event)
        if self._value is not None and not self.whole and not self.hasFocus():
            self.show_value(self._value)

    @guard
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer a slider and a study beside what can be done with text."""
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.can_be_pinned() and self.pin is not None:
            menu.addSeparator()
            menu.addAction(tr(texts.words.PIN), self.pin)
        if self.can_be_pinned() and self.vary is not None:
            menu.addAction(tr(texts.words.VARY), self.vary)
        menu.popup(event.globalPos())

    def can_be_pinned(self) -> bool:
        """Whether the field holds one number that can get a slider."""
        return self.pin is not None and self._value is not None

    def show_mixed(self, values: object) -> None:
        """Show that the selected elements have different numbers."""
        self._value = None
        super().show_mixed(values)

    def value_of(self, text: str) -> float | int | None:
        """Read an expression, an empty field as none."""
        if self.optional and text.strip().casefold() in ("", tr(texts.words.NONE)):
            return None
        value = self.units.read(text, self.si_unit)
        if self.whole and not value.is_integer():
            raise UnitError("A whole number is needed.")
        return int(value) if self.whole else value

    @guard
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
        self.setPlaceholderText(tr("numbers, separated by commas"))

    def show_value(self, value: tuple[float, ...]) -> None:
        """Show the numbers (SI)."""
        short = ", ".join(self.units.short(v, self.si_unit) for v in value[:60])
        full = ", ".join(self.units.full(v, self.si_unit) for v in value)
        name = self.units.name(self.si_unit)
        self.rest_with(f"{short}{' …' if len(value) > 60 else ''}", full)
        count = len(value)
        self.setToolTip(
            plural("{n} number in {unit}", "{n} numbers in {unit}", count, unit=name)
            if name
            else plural("{n} number", "{n} numbers", count)
        )

    def value_of(self, text: str) -> tuple[float, ...]:
        """Read the numbers; a column pasted from a spreadsheet will do."""
        mark = ";" if ";" in text else "," if "," in text else None
        words = [word for word in (text.split(mark) if mark else text.split()) if word.strip()]
        return tuple(self.units.read(word, self.si_unit) for word in words)


class RowsLine(ValueLine):
    """Edit a list of rows of numbers on one line: points, or a matrix; semicolons stand between rows."""

    def __init__(self, commit: Commit, units: Units, si_unit: str) -> None:
        super().__init__(commit)
        self.units, self.si_unit = units, si_unit
        self.setPlaceholderText(tr("rows of numbers, separated by semicolons"))

    def show_value(self, value: tuple[tuple[float, ...], ...]) -> None:
        """Show the rows (SI)."""
        written = [
            "; ".join(", ".join(write(v, self.si_unit) for v in row) for row in rows)
            for write, rows in ((self.units.short, value[:20]), (self.units.full, value))
        ]
        self.rest_with(f"{written[0]}{' …' if len(value) > 20 else ''}", written[1])
        name = self.units.name(self.si_unit)
        self.setToolTip(
            plural("{n} row in {unit}", "{n} rows in {unit}", len(value), unit=name)
            if name
            else plural("{n} row", "{n} rows", len(value))
        )

    def value_of(self, text: str) -> tuple[tuple[float, ...], ...]:
        """Read the rows; in a row commas or blanks stand between numbers."""
        return tuple(
            tuple(
                self.units.read(word, self.si_unit)
                for word in (row.split(",") if "," in row else row.split())
                if word.strip()
            )
            for row in text.split(";")
            if row.strip()
        )


class NumberOrWord(ValueLine):
    """Edit what may be a number (SI) or a word."""

    def show_value(self, value: float | str) -> None:
        """Show it."""
        self.rest_with(value if isinstance(value, str) else f"{value:.15g}")

    def value_of(self, text: str) -> float | str:
        """Read a number where it is one."""
        try:
            return float(text)
        except ValueError:
            return text.strip()


class NamesLine(ValueLine):
    """Edit a short list of names on one line, separated by commas."""

    def __init__(self, commit: Commit) -> None:
        super().__init__(commit)
        self.setPlaceholderText(tr("names, separated by commas"))

    def show_value(self, value: tuple[str, ...]) -> None:
        """Show the names."""
        self.rest_with(", ".join(value))

    def value_of(self, text: str) -> tuple[str, ...]:
        """Read the names."""
        return tuple(word.strip() for word in text.split(",") if word.strip())


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
            line = NumberLine(partial(commit, i), units, si_unit, shows_unit=False)
            line.setObjectName("narrow")
            line.setMinimumWidth(wide(_NARROW_PX))
            line.refused.connect(self.refused)
            line.accepted.connect(self.accepted)
            row.addWidget(line, 1)
            self.lines.append(line)
        self.setFocusProxy(self.lines[0])
        if units.name(si_unit):
            row.addWidget(with_properties(QLabel(units.name(si_unit)), objectName="muted"))

    def show_value(self, value: tuple[float, ...]) -> None:
        """Show the three numbers (SI)."""
        for line, one in zip(self.lines, value, strict=True):
            line.show_value(one)

    def show_mixed(self, values: tuple[tuple[float, ...] | None, ...]) -> None:
        """Show of each of the three whether it is the same in all selected elements."""
        for i, line in enumerate(self.lines):
            seen = {None if one is None else one[i] for one in values}
            if len(seen) == 1:
                line.show_value(seen.pop())
            else:
                line.show_mixed(seen)

    def setAccessibleName(self, name: str) -> None:
        """Name each of the three."""
        super().setAccessibleName(name)
        for line, axis in zip(self.lines, "123", strict=True):
            line.setAccessibleName(f"{name} {axis}")


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
        self.setPlaceholderText("")
        if self.toPlainText() != value and not self.hasFocus():
            self.setPlainText(value)

    def show_mixed(self, _: object) -> None:
        """Show that the selected elements say different things."""
        self.show_value("")
        self.setPlaceholderText(texts.words.MIXED)

    @guard
    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the window, unless something typed has not been taken over."""
        if _undoes(event) and self.toPlainText() == self._value:
            event.ignore()
            return False
        return super().event(event)

    @guard
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the text over."""
        super().focusOutEvent(event)
        if self.toPlainText() != self._value:
            self._commit(self.toPlainText(), False)
