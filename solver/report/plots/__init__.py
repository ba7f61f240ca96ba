"""Plots in files: curves of any quantity against any other, styled for reports."""

from solver.report.plots.curves import Band, Curve, PlotError, curves_figure, save_figure
from solver.report.plots.style import COLOURS, styled

__all__ = ["COLOURS", "Band", "Curve", "PlotError", "curves_figure", "save_figure", "styled"]
