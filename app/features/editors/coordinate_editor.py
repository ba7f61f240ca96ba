"""Show the laws of a coordinate as a run would follow them, and where a run stands on them."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.curves.canvas import Canvas
from app.elements import find, name_of
from app.features.editors.bar import Bar
from app.forms.form_commands import FormCommands
from app.forms.lines import NumberLine
from app.having import having
from app.jobs.task import Task
from app.look import LIGHT, LINES, Theme
from solver.base.words import msgid, tr
from solver.project.coordinate_forces import (
    HillMuscle,
    Muscle,
)
from solver.project.coordinates import Actuator

if TYPE_CHECKING:
    from solver.model.law_paths import CoordinateCourse

COURSE = ((msgid("up"), 1), (msgid("down"), 0), (msgid("up again"), 2))
"""Names and numbers of colours of a course's parts."""


class CoordinateEditor(QWidget):
    """Draw what a coordinate's laws resist, led up, down and up again; a dot stands for the run that is seen."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.commands, self._theme, self.path = commands, LIGHT, ""
        self.working: Callable[[str], tuple[float, float] | None] = lambda _: None
        """Gives value and resistance of an element at the instant of the run that is seen."""
        self.dot: tuple[float, float] | None = None
        self.low, self.high, self.rate = 0.0, 0.0, 0.0
        self.course: CoordinateCourse | None = None
        self._warm = False
        self._task: Task | None = None
        self._lines: list[tuple[Any, Any, int, str]] = []
        self.canvas = Canvas()
        self.controls = QHBoxLayout()
        self.controls.setContentsMargins(0, 0, 0, 0)
        holder = QWidget()
        holder.setLayout(self.controls)
        self.bar = Bar(holder)
        self.facts = QLabel("", wordWrap=True)
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        side = QVBoxLayout()
        side.setContentsMargins(8, 4, 12, 8)
        side.addWidget(self.facts)
        side.addStretch(1)
        right = QWidget()
        right.setLayout(side)
        right.setFixedWidth(300)
        row = QHBoxLayout()
        row.setContentsMargins(4, 0, 0, 2)
        row.addWidget(self.canvas, 1)
        row.addWidget(right)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addLayout(row, 1)

    def show_element(self, path: str) -> None:
        """Show an element, as far as its laws tell what they are."""
        if path != self.path:
            self.path, self.low, self.high, self.rate = path, 0.0, 0.0, 0.0
            self.bar.say("")
            self.canvas.fit()
        self._build_controls()
        self.refresh()

    def refresh(self) -> None:
        """Lead the laws anew; the first time in another thread, as they may have to be compiled."""
        one = self._element()
        if one is None:
            return
        self.bar.heading.setText(name_of(one))
        if self._warm:
            self._show(self._work()())
        elif self._task is None:
            self.bar.say(tr("Preparing the solver…"))
            self._task = Task(self._work(), self)
            self._task.done.connect(self._on_first)
            self._task.failed.connect(self._on_failed)
            self._task.start()

    def show_time(self) -> None:
        """Let the dot stand where the run that is seen stands."""
        one = self._element()
        if one is None or self.course is None:
            return
        self.dot = self.working(one.id)
        self.canvas.show_lines(self._lines, [] if self.dot is None else [self._shown(*self.dot)])

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.canvas.set_theme(theme)

    def _element(self) -> Any:
        return find(self.commands.project, self.path)

    def _si(self) -> tuple[str, str, str]:
        one = self._element()
        turns = one is not None and one.coordinate.turns
        return ("rad", "N*m", "rad/s") if turns else ("m", "N", "m/s")

    def _work(self) -> Callable[[], CoordinateCourse | str]:
        project, one = self.commands.project, self._element()
        low, high, rate = self.low, self.high, self.rate

        def work() -> CoordinateCourse | str:
            from solver.model.law_paths import coordinate_course, reach_of

            try:
                least, most = (low, high) if low < high else reach_of(project, one)
                return coordinate_course(project, one.id, least, most, rate)
            except (KeyError, IndexError, ZeroDivisionError):
                return tr("A law names a function that is missing or has no points; see Problems.")

        return work

    def _on_first(self, _: CoordinateCourse | str) -> None:
        self._task, self._warm = None, True
        self.bar.say("")
        self.refresh()

    def _on_failed(self, failure: Exception) -> None:
        self._task = None
        self.bar.say(f"{type(failure).__name__}: {failure}")

    def _shown(self, way: float, force: float) -> tuple[float, float]:
        units, si = self.commands.units, self._si()
        return units.shown(way, si[0]), units.shown(force, si[1])

    def _show(self, found: CoordinateCourse | str) -> None:
        if isinstance(found, str):
            self.course, self._lines = None, []
            self.bar.say(found)
            self.canvas.show_lines([])
            self.facts.setText("")
            return
        self.course = found
        self.bar.say("")
        units, si = self.commands.units, self._si()
        x, y = units.shown_all(found.way, si[0]), units.shown_all(found.force, si[1])
        t = found.turn
        self._lines = [
            (x[a + 1 : b + 1], y[a + 1 : b + 1], colour, "solid")
            for (_, colour), a, b in zip(COURSE, t, t[1:], strict=False)
        ]
        name = tr("angle from zero") if si[0] == "rad" else tr("way from zero")
        self.canvas.name_axes(name, tr("resistance"), units.name(si[0]), units.name(si[1]))
        self.low_line.show_value(float(np.min(found.way)))
        self.high_line.show_value(float(np.max(found.way)))
        self.facts.setText(self._facts(found))
        self.canvas.show_lines(self._lines, [])
        self.show_time()

    def _facts(self, found: CoordinateCourse) -> str:
        """Say what is resisted at most, what is lost on the way, and what is left out."""
        units, si = self.commands.units, self._si()

        def said(value: float, unit: str) -> str:
            return f"<b>{escape(units.with_unit(units.short(float(value), unit), unit))}</b>"

        legend = " &nbsp; ".join(
            f"<span style='color:{LINES[colour]}'>━</span> {tr(name)}" for name, colour in COURSE
        )
        sentence = tr(
            "Resists between {least} and {most}; {lost} is lost up, down and up again.",
            least=said(np.min(found.force), si[1]),
            most=said(np.max(found.force), si[1]),
            lost=said(found.lost, "J"),
        )
        if any(isinstance(law, Muscle | HillMuscle | Actuator) for law in self._element().laws):
            sentence += " " + tr("Muscles and actuators hang on time and are left out.")
        if self.dot is not None or self.working(self._element().id) is not None:
            sentence += " " + tr("The dot is the run at the instant that is seen, with all laws.")
        return f"{legend}<br>{sentence}"

    def _build_controls(self) -> None:
        while self.controls.count():
            taken = self.controls.takeAt(0)
            old = taken.widget() if taken else None
            if old is not None:
                old.deleteLater()
        units, si = self.commands.units, self._si()
        self.low_line = NumberLine(self._set_low, units, si[0])
        self.high_line = NumberLine(self._set_high, units, si[0])
        self.rate_line = NumberLine(self._set_rate, units, si[2])
        for label, line, tip in (
            (tr("From"), self.low_line, tr("The least value to which the laws are led")),
            (tr("to"), self.high_line, tr("The greatest value to which the laws are led")),
            (tr("at"), self.rate_line, tr("Rate at which the laws are led")),
        ):
            line.setFixedWidth(84)
            line.setToolTip(tip)
            line.setAccessibleName(label)
            line.refused.connect(self.bar.say)
            for widget in (having(QLabel(label), objectName="muted"), line):
                self.controls.addWidget(widget)
        self.rate_line.show_value(self.rate)

    def _set_low(self, value: float, _: bool) -> bool:
        return self._led(value, self._ends()[1])

    def _set_high(self, value: float, _: bool) -> bool:
        return self._led(self._ends()[0], value)

    def _ends(self) -> tuple[float, float]:
        if self.course is None:
            return self.low, self.high
        return float(np.min(self.course.way)), float(np.max(self.course.way))

    def _led(self, low: float, high: float) -> bool:
        if not low <= 0.0 <= high or low == high:
            self.bar.say(tr("Zero, from where laws count, lies between both."))
            return False
        self.low, self.high = low, high
        self.refresh()
        self.canvas.fit()
        return True

    def _set_rate(self, value: float, _: bool) -> bool:
        if value < 0.0:
            self.bar.say(tr("A number of zero or more is needed."))
            return False
        self.rate = value
        self.refresh()
        self.canvas.fit()
        return True
