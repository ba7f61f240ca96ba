"""Pictures of curves beside measured ones: a sheet of plots, measured grey, computed red."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

GREY, RED, PALE = "#888888", "#c0392b", "#d9d9d9"
"""Measured, computed, and corridors."""


@contextmanager
def sheet(file: Path, rows: int, columns: int, size: tuple[float, float]) -> Iterator[list[Axes]]:
    """The plots of a sheet, row by row, and write it when they are drawn."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    plots = list(np.ravel(figure.subplots(rows, columns)))
    yield plots
    for axes in plots:
        axes.grid(visible=True, alpha=0.3)
        axes.tick_params(labelsize=7)
    figure.savefig(file, dpi=100)
