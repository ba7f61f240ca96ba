"""Plots in files: curves of any quantity against any other, styled for reports."""

from solver.report.plots.curves import (
    COLOURS,
    Band,
    Curve,
    PlotError,
    curves_figure,
    save_figure,
    styled,
)

__all__ = ["COLOURS", "Band", "Curve", "PlotError", "curves_figure", "save_figure", "styled"]
