"""Plots in files: curves of any quantity against any other, styled for reports."""

from solver.plots.curves import Curve, PlotError, curves_figure, save_figure
from solver.plots.style import COLOURS, styled

__all__ = ["COLOURS", "Curve", "PlotError", "curves_figure", "save_figure", "styled"]
