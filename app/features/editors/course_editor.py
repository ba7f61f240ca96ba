"""A curve that a law is led along, its numbers above it and its facts beside it: what editors of laws share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget

from app.curves.canvas import Canvas
from app.elements import find, name_of
from app.features.editors.bar import Bar
from app.forms.form_commands import FormCommands
from app.forms.lines import NumberLine
from app.forms.units import Units
from app.jobs.task import Task
from app.look import LIGHT, LINES, Theme
from app.with_properties import with_properties
from solver.base.words import tr

Found = TypeVar("Found")
Legend = Sequence[tuple[str, int]]
"""Names and numbers of colours of a course's parts."""


class CourseEditor(QWidget, Generic[Found]):
    """Draw what a law gives where it is led; the first time it is led in another thread, as it may have to be compiled."""

    def __init__(self, commands: FormCommands, parent: QWidget | None, *beside: QWidget) -> None:
        super().__init__(parent)
        self.commands, self._theme, self.path = commands, LIGHT, ""
        self.found: Found | None = None
        self._warm = False
        self._task: Task | None = None
        self.canvas = Canvas()
        self.controls = QHBoxLayout()
        self.controls.setContentsMargins(0, 0, 0, 0)
        holder = QWidget()
        holder.setLayout(self.controls)
        self.bar = Bar(holder, *beside)
        self.facts = QLabel("", wordWrap=True)
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.side = QVBoxLayout()
        self.side.setContentsMargins(8, 4, 12, 8)
        self.side.addWidget(self.facts)
        right = QWidget()
        right.setLayout(self.side)
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

    @abstractmethod
    def start(self) -> None:
        """Go back to the numbers with which another law is shown at first."""

    @abstractmethod
    def work(self) -> Callable[[], Found]:
        """What leads the law, in any thread."""

    @abstractmethod
    def build_controls(self) -> None:
        """Put the numbers that are asked for into the bar."""

    @abstractmethod
    def draw(self, found: Found) -> None:
        """Draw what was found, and say it."""

    def show_element(self, path: str) -> None:
        """Show a law, or an element that has laws."""
        if path != self.path:
            self.path = path
            self.start()
            self.bar.say("")
            self.canvas.fit()
        clear(self.controls)
        self.build_controls()
        self.refresh()

    def refresh(self) -> None:
        """Lead the law again."""
        one = self.element()
        if one is None:
            return
        self.bar.heading.setText(name_of(one))
        if self._warm:
            self._show(self._lead()())
        elif self._task is None:
            self.bar.say(tr("Preparing the solver…"))
            self._task = Task(self._lead(), self)
            self._task.done.connect(self._on_first)
            self._task.failed.connect(self._on_failed)
            self._task.start()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.canvas.set_theme(theme)

    def element(self) -> Any:
        """What is shown, None where it is no more."""
        return find(self.commands.project, self.path)

    def add_line(self, label: str, line: NumberLine, tip: str, is_shown: bool = True) -> None:
        """Add a number to the bar."""
        line.setFixedWidth(84)
        line.setToolTip(tip)
        line.setAccessibleName(label)
        line.refused.connect(self.bar.say)
        for widget in (with_properties(QLabel(label), objectName="muted"), line):
            self.controls.addWidget(widget)
            widget.setVisible(is_shown)

    def led(self) -> bool:
        """Lead the law with other numbers, and show all of it."""
        self.refresh()
        self.canvas.fit()
        return True

    def _lead(self) -> Callable[[], Found | str]:
        work = self.work()

        def led() -> Found | str:
            try:
                return work()
            except (KeyError, IndexError, ZeroDivisionError):
                return tr("A law names a function that is missing or has no points; see Problems.")

        return led

    def _on_first(self, _: Found | str) -> None:
        self._task, self._warm = None, True
        self.bar.say("")
        self.refresh()

    def _on_failed(self, failure: Exception) -> None:
        self._task = None
        self.bar.say(f"{type(failure).__name__}: {failure}")

    def _show(self, found: Found | str) -> None:
        if isinstance(found, str):
            self.found = None
            self.bar.say(found)
            self.canvas.show_lines([])
            self.facts.setText("")
            return
        self.found = found
        self.bar.say("")
        self.draw(found)


def clear(layout: QLayout) -> None:
    """Take all widgets out of a layout."""
    while layout.count():
        taken = layout.takeAt(0)
        old = taken.widget() if taken else None
        if old is not None:
            old.hide()
            old.deleteLater()


def bold(units: Units, value: float, unit: str) -> str:
    """Write a value with its unit in bold."""
    return f"<b>{escape(units.with_unit(units.short(float(value), unit), unit))}</b>"


def with_legend(legend: Legend, sentence: str) -> str:
    """Write the colours of a course's parts above a sentence."""
    parts = (f"<span style='color:{LINES[n]}'>━</span> {tr(name)}" for name, n in legend)
    return f"{' &nbsp; '.join(parts)}<br>{sentence}"


def parts_of(legend: Iterable[tuple[str, int]], turns: Sequence[int], x: Any, y: Any) -> list[Any]:
    """The lines of a course's parts between its turns."""
    return [
        (x[a + 1 : b + 1], y[a + 1 : b + 1], colour, "solid")
        for (_, colour), a, b in zip(legend, turns, turns[1:], strict=False)
    ]
