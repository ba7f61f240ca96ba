"""One slider: what it moves, its ends, its value, and what takes it back or away."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSlider, QToolButton

from app.forms.lines import NumberLine
from app.forms.pins import Pin, is_whole, number_at, step, words
from app.forms.places import unit_of_field
from app.forms.units import Units
from app.forms.wheel import CalmWheel
from app.having import having
from app.icons import icon
from app.look import Theme
from solver.base.words import msgid, tr
from solver.project import Project

_SHOW_FIELD = msgid("Show this field in the inspector")
_GONE = msgid("not in the model")

_WORDS_PX, _END_PX, _VALUE_PX = 260, 84, 96


class Slider(CalmWheel, QSlider):
    """Slide by mouse and arrow keys; the wheel turns it only once it has the keyboard."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setMinimumWidth(160)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class PinRow(QObject):
    """Show one pinned field in a line of a grid."""

    moved = Signal(float)
    """Another value (SI) while the slider is drawn."""
    released = Signal()
    typed = Signal(float)
    ends_typed = Signal(float, float)
    unpin_asked = Signal()
    shown_asked = Signal()

    def __init__(
        self, pin: Pin, units: Units, theme: Theme, grid: QGridLayout, at: int, panel: QObject
    ) -> None:
        # without a panel nothing would end the row, and with it who listens to it
        super().__init__(panel)
        self.pin, self._units, self._unit = pin, units, ""
        self._step = 1.0
        self._project: Project | None = None
        self.name = having(QPushButton(), objectName="link", toolTip=tr(_SHOW_FIELD))
        self.name.setFixedWidth(_WORDS_PX)
        self.name.clicked.connect(self.shown_asked)
        self.slider = Slider()
        self.slider.valueChanged.connect(lambda at: self.moved.emit(self._at(at)))
        self.slider.sliderReleased.connect(self.released)
        self.value, self.low, self.high = (
            NumberLine(commit, units, "") for commit in (self._type, self._set_low, self._set_high)
        )
        for line, width in ((self.value, _VALUE_PX), (self.low, _END_PX), (self.high, _END_PX)):
            line.setFixedWidth(width)
        self.reset = having(QToolButton(), objectName="quiet", icon=icon("undo", theme.muted))
        self.reset.clicked.connect(lambda: self.typed.emit(self.pin.first))
        self.unpin = having(QToolButton(), objectName="quiet", icon=icon("cross", theme.muted))
        self.unpin.setToolTip(tr("Unpin"))
        self.unpin.clicked.connect(self.unpin_asked)
        self.words = having(QLabel(), objectName="error", wordWrap=True)
        self.words.hide()
        widgets = (self.name, self.low, self.slider, self.high, self.value, self.reset, self.unpin)
        for column, widget in enumerate(widgets):
            grid.addWidget(widget, 2 * at, column)
        grid.addWidget(self.words, 2 * at + 1, 2, 1, 3)
        self.value.refused.connect(self.refuse)
        self.value.accepted.connect(lambda: self.refuse(""))
        for end in (self.low, self.high):
            end.refused.connect(self.refuse)

    def show_pin(self, project: Project, pin: Pin, units: Units) -> None:
        """Show where the field stands now."""
        self.pin, self._units = pin, units
        value = number_at(project, pin.path)
        self.is_there = value is not None
        for widget in (self.slider, self.value, self.low, self.high, self.reset):
            widget.setEnabled(self.is_there)
        if value is None:
            self.refuse(tr(_GONE))
            return
        if self.words.text() == tr(_GONE):
            self.refuse("")
        whole = is_whole(project, pin.path)
        self._unit = unit_of_field(project, pin.path)
        self._step = step(pin, self._unit, units, whole)
        said = words(project, pin.path)
        self._name(said)
        for line in (self.value, self.low, self.high):
            line.units, line.si_unit, line.whole = units, self._unit, whole
        self.value.show_value(int(value) if whole else value)
        self.low.show_value(int(pin.low) if whole else pin.low)
        self.high.show_value(int(pin.high) if whole else pin.high)
        with QSignalBlocker(self.slider):
            self.slider.setRange(
                math.ceil(pin.low / self._step - 1e-9), math.floor(pin.high / self._step + 1e-9)
            )
            self.slider.setPageStep(max(1, (self.slider.maximum() - self.slider.minimum()) // 10))
            if not self.slider.isSliderDown():
                self.slider.setValue(round(value / self._step))
        back = units.with_unit(units.short(pin.first, self._unit), self._unit)
        self.reset.setToolTip(tr("Back to {value}", value=back))
        self.reset.setEnabled(value != pin.first)
        for widget, title in (
            (self.slider, msgid("Slider of {field}")), (self.value, msgid("Value of {field}")),
            (self.low, msgid("Lower end of {field}")), (self.high, msgid("Upper end of {field}")),
        ):  # fmt: skip
            widget.setAccessibleName(tr(title, field=said))

    def refuse(self, sentence: str) -> None:
        """Say why a value cannot be."""
        self.words.setText(sentence)
        self.words.setVisible(bool(sentence))

    def widgets(self) -> list[Any]:
        """Give all that stands in the grid."""
        return [
            self.name, self.low, self.slider, self.high, self.value, self.reset, self.unpin, self.words,
        ]  # fmt: skip

    def _name(self, said: str) -> None:
        metrics = QFontMetrics(self.name.font())
        mode = Qt.TextElideMode.ElideMiddle
        self.name.setText(metrics.elidedText(said, mode, _WORDS_PX - 20))
        self.name.setToolTip(f"{said}\n{tr(_SHOW_FIELD)}")

    def _at(self, place: int) -> float:
        """Give the value (SI) at a place of the slider; its ends are exact."""
        if place <= self.slider.minimum():
            return self.pin.low
        if place >= self.slider.maximum():
            return self.pin.high
        shown = self._units.shown(self._step, self._unit) * place
        return self._units.from_shown(float(f"{shown:.10g}"), self._unit)

    def _type(self, value: Any, _: bool) -> bool:
        self.typed.emit(float(value))
        return not self.words.isVisible()

    def _set_low(self, value: Any, _: bool) -> bool:
        self.ends_typed.emit(float(value), self.pin.high)
        return True

    def _set_high(self, value: Any, _: bool) -> bool:
        self.ends_typed.emit(self.pin.low, float(value))
        return True
