"""Marks on the curves of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.report.content import Span
from solver.report.plots.style import QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_spans(axes: Axes, spans: Sequence[Span], size: float = 6.5) -> None:
    """Shade the windows of figures behind the curves, each with its name at its foot."""
    for n, span in enumerate(spans):
        axes.axvspan(
            span.start, span.end, color=QUIET, alpha=0.10 + 0.08 * n, linewidth=0, zorder=0
        )
        axes.text(
            0.5 * (span.start + span.end), 0.02 + 0.07 * n, span.name, fontsize=size, color=QUIET,
            ha="center", va="bottom", transform=axes.get_xaxis_transform(), parse_math=False,
        )  # fmt: skip
