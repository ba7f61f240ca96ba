"""The plots side by side, below each other or in a grid, one of them the active one that the bar above speaks of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.curves.curves import Wanted
from app.features.plots.templates import Page, PlotSpec
from app.look import LIGHT, Theme

if TYPE_CHECKING:
    from app.curves.plot import Plot

Arrangement = Literal["beside", "below", "grid"]


class PlotRow(QSplitter):
    """Add, open and clear plots; each holds what is wanted of it."""

    time_asked = Signal(float)
    second_asked = Signal(float)
    dropped = Signal(object, object)
    """A plot, and the names of quantities that were dropped on it."""
    curve_asked = Signal(object, object)
    """A plot, and what one of its curves shows, whose name was clicked."""
    offered = Signal(object, object)
    """A plot, and the paths of elements that were dropped on it."""
    activated = Signal(object)

    def __init__(self, holder: QWidget) -> None:
        """Make an empty row; `holder` is a hidden widget for plots that are not needed just now."""
        super().__init__(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._theme = LIGHT
        self.plots: list[Plot] = []
        self.active: Plot | None = None
        self.stands: Arrangement = "beside"
        self._holder = holder
        self._spare: list[Plot] = []
        """Plots that were taken away, for the next ones: to make one takes longer than to draw it."""
        self._lines: list[QSplitter] = []
        """The lines of plots, from the top down."""

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for plot in (*self.plots, *self._spare):
            plot.set_theme(theme)

    def add(self, wanted: Sequence[Wanted] = ()) -> Plot:
        """Add a plot behind the others, and make it the active one."""
        plot = self._spare.pop() if self._spare else self._made()
        plot.wanted = list(wanted)
        self.plots.append(plot)
        self._lay()
        # only now: without a place it would be a window of its own
        plot.setVisible(True)
        self.activate(plot)
        return plot

    def prepare(self, count: int) -> bool:
        """Make one of so many plots before they are added; tells whether one was missing."""
        missing = len(self.plots) + len(self._spare) < count
        if missing:
            self._spare.append(self._made())
            self._spare[-1].setParent(self._holder)
        return missing

    def _made(self) -> Plot:
        from app.curves.plot import Plot

        plot = Plot()
        plot.set_theme(self._theme)
        plot.time_asked.connect(self.time_asked)
        plot.second_asked.connect(self.second_asked)
        plot.dropped.connect(lambda names: self.dropped.emit(plot, names))
        plot.offered.connect(lambda paths: self.offered.emit(plot, paths))
        plot.curve_asked.connect(lambda wanted: self.curve_asked.emit(plot, wanted))
        plot.touched.connect(lambda: self.activate(plot))
        return plot

    def arrange(self, how: Arrangement) -> None:
        """Let the plots stand otherwise."""
        if how != self.stands:
            self.stands = how
            self._lay()

    @property
    def columns(self) -> int:
        """Give how many plots stand side by side."""
        return columns_of(self.stands, len(self.plots))

    def _lay(self) -> None:
        """Put the plots into lines of as many columns as there shall be."""
        columns = self.columns
        count = math.ceil(len(self.plots) / columns)
        while len(self._lines) < count:
            line = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
            self._lines.append(line)
            self.addWidget(line)
        for n, plot in enumerate(self.plots):
            self._lines[n // columns].insertWidget(n % columns, plot)
        for line in self._lines[count:]:
            line.setParent(None)
            line.deleteLater()
        del self._lines[count:]
        for line in self._lines:
            line.setSizes([1000] * line.count())
        self.setSizes([1000] * count)

    def activate(self, plot: Plot) -> None:
        """Choose the plot that the bar speaks of."""
        self.active = plot
        self.activated.emit(plot)

    def active_or_new(self) -> Plot:
        """Give the active plot, a new one where there is none."""
        return self.active or self.add()

    def open(self, page: Page) -> None:
        """Show a page in place of what is there; tests stay unless the page has some of its own."""
        tests = [test for plot in self.plots for test in plot.measured]
        corridors = [one for plot in self.plots for one in plot.corridors]
        self.empty()
        for spec in page:
            plot = self.add(spec.curves)
            plot.across = spec.across
            plot.measured, plot.corridors = list(spec.tests), list(spec.corridors)
        if self.plots:
            if not any(spec.tests or spec.corridors for spec in page):
                self.plots[0].measured, self.plots[0].corridors = tests, corridors
            self.activate(self.plots[0])

    def split_active(self) -> None:
        """Give each curve of the active plot a plot of its own, over the same axis."""
        plot = self.active
        if plot is None or len(plot.wanted) < 2:
            return
        at, others = self.plots.index(plot), plot.wanted[1:]
        plot.wanted = plot.wanted[:1]
        for n, wanted in enumerate(others, at + 1):
            made = self.add([wanted])
            made.across = plot.across
            self.plots.insert(n, self.plots.pop())
        self._lay()
        self.activate(plot)

    def empty(self) -> None:
        """Take all plots away."""
        for plot in self.plots:
            self._put_away(plot)
        self.plots, self.active = [], None
        self._lay()

    def start_anew(self) -> None:
        """Leave one plot, with nothing in it."""
        others, self.plots = self.plots[1:], self.plots[:1]
        for plot in others:
            self._put_away(plot)
        if not self.plots:
            return
        self.plots[0].empty_out()
        if others:
            self._lay()
        self.activate(self.plots[0])

    def _put_away(self, plot: Plot) -> None:
        plot.empty_out()
        plot.hide()
        plot.setParent(self._holder)
        self._spare.append(plot)

    def clear_active(self) -> None:
        """Take all curves out of the active plot; the last plot stays."""
        plot = self.active
        if plot is None:
            return
        plot.wanted = []
        if len(self.plots) > 1:
            self.plots.remove(plot)
            self._put_away(plot)
            self._lay()
            self.activate(self.plots[0])

    def specs(self) -> list[PlotSpec]:
        """Say what the plots show, empty ones left out."""
        return [spec_of(p) for p in self.plots if p.wanted or p.measured or p.corridors]


def spec_of(plot: Plot) -> PlotSpec:
    """Say what a plot shows."""
    return PlotSpec(tuple(plot.wanted), plot.across, tuple(plot.measured), tuple(plot.corridors))


def columns_of(stands: Arrangement, count: int) -> int:
    """Give how many of some plots stand side by side."""
    if stands == "grid":
        return max(1, math.ceil(math.sqrt(count)))
    return 1 if stands == "below" else max(1, count)
