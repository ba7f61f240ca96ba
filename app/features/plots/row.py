"""The plots side by side, one of them the active one that the bar above speaks of."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter

from app.curves.curves import Wanted
from app.curves.plot import Plot
from app.features.plots.templates import Page, PlotSpec
from app.look import LIGHT, Theme


class PlotRow(QSplitter):
    """Add, open and clear plots; each holds what is wanted of it."""

    time_asked = Signal(float)
    dropped = Signal(object, object)
    """A plot, and the names of quantities that were dropped on it."""
    curve_asked = Signal(object, object)
    """A plot, and what one of its curves shows, whose name was clicked."""
    offered = Signal(object, object)
    """A plot, and the paths of elements that were dropped on it."""
    activated = Signal(object)

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self._theme = LIGHT
        self.plots: list[Plot] = []
        self.active: Plot | None = None

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for plot in self.plots:
            plot.set_theme(theme)

    def add(self, wanted: Sequence[Wanted] = ()) -> Plot:
        """Add a plot on the right, and make it the active one."""
        plot = Plot()
        plot.wanted = list(wanted)
        plot.set_theme(self._theme)
        plot.time_asked.connect(self.time_asked)
        plot.dropped.connect(lambda names: self.dropped.emit(plot, names))
        plot.offered.connect(lambda paths: self.offered.emit(plot, paths))
        plot.curve_asked.connect(lambda wanted: self.curve_asked.emit(plot, wanted))
        plot.touched.connect(lambda: self.activate(plot))
        self.plots.append(plot)
        self.addWidget(plot)
        self.activate(plot)
        return plot

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

    def empty(self) -> None:
        """Take all plots away."""
        for plot in self.plots:
            plot.setParent(None)
            plot.deleteLater()
        self.plots, self.active = [], None

    def clear_active(self) -> None:
        """Take all curves out of the active plot; the last plot stays."""
        plot = self.active
        if plot is None:
            return
        plot.wanted = []
        if len(self.plots) > 1:
            self.plots.remove(plot)
            plot.setParent(None)
            plot.deleteLater()
            self.activate(self.plots[0])

    def specs(self) -> list[PlotSpec]:
        """Say what the plots show, empty ones left out."""
        return [
            PlotSpec(tuple(p.wanted), p.across, tuple(p.measured), tuple(p.corridors))
            for p in self.plots
            if p.wanted or p.measured or p.corridors
        ]
