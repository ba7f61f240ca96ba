"""What all views of a study's results have in common, and how they name and write its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from app.features.studies.going import Array, StudyTable
from app.forms.units import Units
from app.look import LIGHT, Theme
from app.with_properties import with_properties
from solver.project.studies import OptimumStudy


class View(QWidget):
    """Show a study's table in one way; `run_asked` names a run that was clicked."""

    run_asked = Signal(int)
    pair_asked = Signal(list)
    """Two runs shall be seen side by side."""

    several_asked = Signal(list)
    """Several runs shall be seen, each with a page of curves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seen: StudyTable | None = None
        self.theme, self.units = LIGHT, Units("metric")
        self.chosen = -1
        """The run that is marked in all views."""

    @staticmethod
    def suits(seen: StudyTable) -> bool:
        """Whether there is something to show."""
        return len(seen.inputs) > 0

    def show_seen(self, seen: StudyTable) -> None:
        """Show another table, or the same one further on."""
        self.seen = seen
        self.draw()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.theme = theme
        if self.seen is not None:
            self.draw()

    def set_units(self, system: str) -> None:
        """Write numbers in other units."""
        self.units = Units(system)
        if self.seen is not None:
            self.draw()

    def choose(self, run: int) -> None:
        """Mark a run."""
        self.chosen = run
        if self.seen is not None:
            self.draw()

    def draw(self) -> None:
        """Draw what `seen` holds."""


class Columns:
    """Name the columns of a table, and give them in the units that are shown."""

    def __init__(self, seen: StudyTable, units: Units) -> None:
        about = seen.layout
        self.seen, self.units = seen, units
        self.names = seen.titles
        self.si = (*seen.units, *about.response_units)
        self.values = np.column_stack([seen.inputs, seen.outputs])
        self.parameters = len(about.parameters)

    def shown(self, n: int) -> Array:
        """A column in the units that are shown."""
        return self.in_units(self.values[:, n], n)

    def in_units(self, value: Any, n: int) -> Array:
        """Numbers of a column in the units that are shown."""
        return self.units.shown_all(np.asarray(value, float), self.si[n])

    def title(self, n: int) -> str:
        """Name a column with its unit."""
        unit = self.units.name(self.si[n])
        return f"{self.names[n]} ({unit})" if unit else self.names[n]

    def written(self, value: float, n: int) -> str:
        """Write a number of a column; a dash where there is none."""
        return f"{float(self.in_units(value, n)):.5g}" if np.isfinite(value) else "–"


def chooser(name: str) -> QComboBox:
    """Make a box to choose a column by."""
    box = with_properties(QComboBox(), sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setAccessibleName(name)
    box.setToolTip(name)
    return box


def fill(box: QComboBox, names: Sequence[str], usual: int) -> None:
    """Offer columns; what was chosen stays chosen."""
    old = [box.itemText(n) for n in range(box.count())]
    if old == list(names):
        return
    box.blockSignals(True)
    was = box.currentText()
    box.clear()
    box.addItems(list(names))
    box.setCurrentIndex(names.index(was) if was in names else min(usual, len(names) - 1))
    box.blockSignals(False)


def keeps_limits(seen: StudyTable) -> Array:
    """Tell which runs keep all limits; all where there are none."""
    good = seen.shown.copy()
    for n, one in enumerate(seen.study.responses):
        value = seen.outputs[:, n]
        if one.at_least is not None:
            good &= value >= one.at_least
        if one.at_most is not None:
            good &= value <= one.at_most
    return good


def best(seen: StudyTable) -> list[int]:
    """Name the best runs that a study has told; none before its end."""
    if seen.result is None:
        return []
    return [int(n) for n in seen.result.answers.get("best") or ()]


def first_axes(columns: Columns) -> tuple[int, int]:
    """The two columns that are drawn first: two goals of an optimum, else a parameter and a response."""
    study, first = columns.seen.study, columns.parameters
    goals = [first + n for n, one in enumerate(study.responses) if one.goal != "none"]
    if isinstance(study, OptimumStudy) and len(goals) > 1:
        return goals[0], goals[1]
    return 0, goals[0] if goals else min(first, len(columns.names) - 1)


def about_run(columns: Columns, run: int) -> str:
    """Say all numbers of a run, for a tip."""
    rows = [
        f"{columns.title(n)}: {columns.written(columns.values[run, n], n)}"
        for n in range(len(columns.names))
    ]
    return "\n".join([f"#{run}", *rows])
