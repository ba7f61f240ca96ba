"""How plots look: quiet axes, colours that stay apart for colour-blind readers and in grey print."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

# after the palette of Okabe and Ito (2008), darkened where lines on white would be faint
COLOURS = ("#0B5FA5", "#D1495B", "#2E8B57", "#E08E0B", "#7A5195", "#178F9E", "#8C5A2B", "#5C6670")
DASHES = ("solid", (0, (5, 2)), (0, (1.5, 1.5)), (0, (7, 2, 1.5, 2)))

INK, QUIET, LINE, GRID = "#1E2833", "#5A6672", "#AEB7C0", "#E6EAEE"

_STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.linewidth": 0.8,
    "axes.labelcolor": QUIET,
    "axes.labelsize": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.xmargin": 0.015,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 6),
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": QUIET,
    "ytick.labelcolor": QUIET,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "lines.linewidth": 1.4,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.hashsalt": "manikin",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "path.simplify_threshold": 0.3,
}


_ONE_AT_A_TIME = threading.RLock()
"""Matplotlib has one set of styles for all threads."""


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the program's style; what others have set stays as it was."""
    from matplotlib import rc_context

    with _ONE_AT_A_TIME, rc_context(_STYLE):  # type: ignore[arg-type]
        yield
