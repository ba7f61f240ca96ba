"""Show the laws of a coordinate as a run would follow them, and where a run stands on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import QWidget

from app.features.editors.course_editor import CourseEditor, bold, parts_of, with_legend
from app.forms.form_commands import FormCommands
from app.forms.lines import NumberLine
from solver.base.words import msgid, tr
from solver.project.blocks import Diagram
from solver.project.coordinate_forces import HillMuscle, Muscle
from solver.project.coordinates import Actuator

if TYPE_CHECKING:
    from solver.model.law_paths import CoordinatePath

COURSE = ((msgid("up"), 1), (msgid("down"), 0), (msgid("up again"), 2))
"""Names and numbers of colours of a course's parts."""


class CoordinateEditor(CourseEditor["CoordinatePath"]):
    """Draw what a coordinate's laws resist, led up, down and up again; a dot stands for the run that is seen."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        super().__init__(commands, parent)
        self.working: Callable[[str], tuple[float, float] | None] = lambda _: None
        """Gives value and resistance of an element at the instant of the run that is seen."""
        self.dot: tuple[float, float] | None = None
        self.low, self.high, self.rate = 0.0, 0.0, 0.0
        self._lines: list[tuple[Any, Any, int, str]] = []
        self.side.addStretch(1)

    def start(self) -> None:
        """Lead the laws as far as they tell what they are."""
        self.low, self.high, self.rate = 0.0, 0.0, 0.0

    def show_time(self) -> None:
        """Let the dot stand where the run that is seen stands."""
        one = self.element()
        if one is None or self.found is None:
            return
        self.dot = self.working(one.id)
        self.canvas.show_lines(self._lines, [] if self.dot is None else [self._shown(*self.dot)])

    def _si(self) -> tuple[str, str, str]:
        one = self.element()
        turns = one is not None and one.coordinate.turns
        return ("rad", "N*m", "rad/s") if turns else ("m", "N", "m/s")

    def work(self) -> Callable[[], CoordinatePath]:
        """What leads the laws up, down and up again."""
        project, one = self.commands.project, self.element()
        low, high, rate = self.low, self.high, self.rate

        def work() -> CoordinatePath:
            from solver.model.law_paths import coordinate_path, reach_of

            least, most = (low, high) if low < high else reach_of(project, one)
            return coordinate_path(project, one.id, least, most, rate)

        return work

    def _shown(self, way: float, force: float) -> tuple[float, float]:
        units, si = self.commands.units, self._si()
        return units.shown(way, si[0]), units.shown(force, si[1])

    def draw(self, found: CoordinatePath) -> None:
        """Draw the course, its ends, what is told of it, and the dot."""
        units, si = self.commands.units, self._si()
        x, y = units.shown_all(found.way, si[0]), units.shown_all(found.force, si[1])
        self._lines = parts_of(COURSE, found.turn, x, y)
        name = tr("angle from zero") if si[0] == "rad" else tr("way from zero")
        self.canvas.name_axes(name, tr("resistance"), units.name(si[0]), units.name(si[1]))
        self.low_line.show_value(float(np.min(found.way)))
        self.high_line.show_value(float(np.max(found.way)))
        self.facts.setText(self._facts(found))
        self.canvas.show_lines(self._lines, [])
        self.show_time()

    def _facts(self, found: CoordinatePath) -> str:
        """Say what is resisted at most, what is lost on the way, and what is left out."""
        units, si = self.commands.units, self._si()
        sentence = tr(
            "Resists between {least} and {most}; {lost} is lost up, down and up again.",
            least=bold(units, np.min(found.force), si[1]),
            most=bold(units, np.max(found.force), si[1]),
            lost=bold(units, found.lost, "J"),
        )
        if any(
            isinstance(law, Muscle | HillMuscle | Actuator | Diagram) for law in self.element().laws
        ):
            sentence += " " + tr("Muscles and actuators depend on time and are left out.")
        if self.dot is not None or self.working(self.element().id) is not None:
            sentence += " " + tr("The dot is the run at the instant that is seen, with all laws.")
        return with_legend(COURSE, sentence)

    def build_controls(self) -> None:
        """Ask for both ends and the rate."""
        units, si = self.commands.units, self._si()
        self.low_line = NumberLine(self._set_low, units, si[0])
        self.high_line = NumberLine(self._set_high, units, si[0])
        self.rate_line = NumberLine(self._set_rate, units, si[2])
        self.add_line(tr("From"), self.low_line, tr("The least value to which the laws are led"))
        self.add_line(tr("to"), self.high_line, tr("The greatest value to which the laws are led"))
        self.add_line(tr("at"), self.rate_line, tr("Rate at which the laws are led"))
        self.rate_line.show_value(self.rate)

    def _set_low(self, value: float, _: bool) -> bool:
        return self._set_ends(value, self._ends()[1])

    def _set_high(self, value: float, _: bool) -> bool:
        return self._set_ends(self._ends()[0], value)

    def _ends(self) -> tuple[float, float]:
        if self.found is None:
            return self.low, self.high
        return float(np.min(self.found.way)), float(np.max(self.found.way))

    def _set_ends(self, low: float, high: float) -> bool:
        if not low <= 0.0 <= high or low == high:
            self.bar.say(tr("Zero, from where laws count, lies between both."))
            return False
        self.low, self.high = low, high
        return self.led()

    def _set_rate(self, value: float, _: bool) -> bool:
        if value < 0.0:
            self.bar.say(tr("A number of zero or more is needed."))
            return False
        self.rate = value
        return self.led()
