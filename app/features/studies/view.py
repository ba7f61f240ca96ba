"""What all views of a study's results have in common, and how they name and write its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from app.features.studies.going import Array, Seen
from app.forms.units import Units
from app.having import having
from app.look import LIGHT, Theme
from solver.project.studies import OptimumStudy


class View(QWidget):
    """Show a study's table in one way; `run_asked` names a run that was clicked."""

    run_asked = Signal(int)
    pair_asked = Signal(list)
    """Two runs shall be seen side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seen: Seen | None = None
        self.theme, self.units = LIGHT, Units("metric")
        self.chosen = -1
        """The run that is marked in all views."""

    @staticmethod
    def suits(seen: Seen) -> bool:
        """Tell whether there is something to show."""
        return len(seen.inputs) > 0

    def show_seen(self, seen: Seen) -> None:
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

    def __init__(self, seen: Seen, units: Units) -> None:
        about = seen.layout
        self.seen, self.units = seen, units
        self.names = seen.titles
        self.si = (*seen.units, *about.response_units)
        self.values = np.column_stack([seen.inputs, seen.outputs])
        self.parameters = len(about.parameters)

    def shown(self, n: int) -> Array:
        """Give a column in the units that are shown."""
        return self.in_units(self.values[:, n], n)

    def in_units(self, value: Any, n: int) -> Array:
        """Give numbers of a column in the units that are shown."""
        return self.units.shown_all(np.asarray(value, float), self.si[n])

    def title(self, n: int) -> str:
        """Name a column with its unit."""
        unit = self.units.name(self.si[n])
        return f"{self.names[n]} ({unit})" if unit else self.names[n]

    def written(self, value: float, n: int) -> str:
        """Write a number of a column; a dash where there is none."""
        return f"{float(self.in_units(value, n)):.5g}" if np.isfinite(value) else "–"


class Chart(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph carries no types
    """Draw points and lines in the window's colours; `hit` names the point that was clicked."""

    hit = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMenuEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(name)
        self.setMinimumSize(160, 90)
        item = self.getPlotItem()
        # pyqtgraph's own menu belongs to nobody, and would outlive the window
        item.ctrlMenu.setParent(self, item.ctrlMenu.windowFlags())
        item.hideButtons()
        self.points = pg.ScatterPlotItem(size=7, pen=None, hoverable=True, tip=self._tip)
        self.points.sigClicked.connect(self._on_clicked)
        self._lines: list[Any] = []
        self._tips: Sequence[str] = ()

    def begin(self, theme: Theme, x: str, y: str) -> None:
        """Take everything away, and name the axes."""
        self.clear()
        self.setBackground(theme.panel)
        self.getPlotItem().showGrid(x=True, y=True, alpha=0.15)
        for side, text in (("bottom", x), ("left", y)):
            axis = self.getPlotItem().getAxis(side)
            # what is drawn before would scale it for good: it looks at the range alone
            axis.setSIPrefixEnableRanges(())
            axis.enableAutoSIPrefix(False)
            axis.setPen(pg.mkPen(theme.line))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTicks(None)
            axis.setLabel(text)
            axis.showLabel(bool(text))
        self.addItem(self.points)

    def line(self, x: Any, y: Any, colour: str, *, width: int = 2, dash: bool = False) -> None:
        """Draw a line."""
        pen = pg.mkPen(colour, width=width)
        if dash:
            pen.setStyle(Qt.PenStyle.DashLine)
        self.addItem(pg.PlotCurveItem(np.asarray(x, float), np.asarray(y, float), pen=pen, connect="finite"))  # fmt: skip

    def mark(self, x: Any, y: Any, runs: Any, brushes: Any, sizes: Any, tips: Sequence[str]) -> None:  # fmt: skip
        """Draw a point for each of some runs."""
        self._tips = tips
        self.points.setData(
            x=np.asarray(x, float), y=np.asarray(y, float), data=list(zip(map(int, runs), range(len(tips)), strict=True)),
            brush=brushes, size=sizes,
        )  # fmt: skip

    def _tip(self, x: float, y: float, data: tuple[int, int]) -> str:
        return self._tips[data[1]] if data[1] < len(self._tips) else ""

    def _on_clicked(self, _: object, points: Sequence[Any], __: object = None) -> None:
        if len(points):
            self.hit.emit(points[0].data()[0])


def chooser(name: str) -> QComboBox:
    """Make a box to choose a column by."""
    box = having(QComboBox(), sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
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


def kept(seen: Seen) -> Array:
    """Tell which runs keep all limits; all where there are none."""
    good = seen.shown.copy()
    for n, one in enumerate(seen.study.responses):
        value = seen.outputs[:, n]
        if one.at_least is not None:
            good &= value >= one.at_least
        if one.at_most is not None:
            good &= value <= one.at_most
    return good


def best(seen: Seen) -> list[int]:
    """Name the best runs that a study has told; none before its end."""
    if seen.result is None:
        return []
    return [int(n) for n in seen.result.answers.get("best") or ()]


def first_axes(columns: Columns) -> tuple[int, int]:
    """Give the two columns that are drawn first: two goals of an optimum, else a parameter and a response."""
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
