"""Draw channels of a measured test, each beside what the run has of its kind."""

from __future__ import annotations

from collections.abc import Sequence

from app.curves.curves import Measured, Wanted
from app.curves.plot import Plot
from app.features.plots.panel import PlotsPanel
from solver.report.export.matching import known_codes, own_of
from solver.results.trajectory import Channel


def own_quantities(panel: PlotsPanel, codes: Sequence[str]) -> list[str]:
    """The quantities of the run that codes of ISO-MME mean; empty where there is none, or no run."""
    shown = panel.shown_run
    if shown is None or not any(codes):
        return [""] * len(codes)
    known = known_codes(shown[0], shown[1].infos)
    return [own_of(known, code) for code in codes]


def draw_channels(panel: PlotsPanel, channels: Sequence[Channel], own: Sequence[str]) -> None:
    """Draw each in the plot of the run's own quantity where one is named, else in the active one where its unit fits."""
    several = len(channels) > 1
    for one, name in zip(channels, own, strict=True):
        there = next((plot for plot in panel.plots if name and name in [w.name for w in plot.wanted]), None)  # fmt: skip
        plot = there or panel.row.active_or_new()
        # what is chosen alone goes where a person wants it; of several each stands beside its like
        alike = not name and _unit_of(panel, plot) == one.unit and not (several and plot.wanted)
        if there is None and (plot.wanted or plot.measured) and not alike:
            plot = panel.add_plot()
        if name and there is None:
            plot.wanted.append(Wanted(name, one.filtered_to or None))
        plot.measured.append(Measured(one.name, one.unit, one.time, one.value))
        panel.row.activate(plot)
    panel.refresh()


def _unit_of(panel: PlotsPanel, plot: Plot) -> str:
    """The SI unit of what a plot shows first."""
    if plot.measured:
        return plot.measured[0].unit
    shown = panel.shown_run
    return "" if shown is None or not plot.wanted else shown[1].about(plot.wanted[0].name).unit
