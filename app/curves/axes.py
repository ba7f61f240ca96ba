"""Axes of plots in the window's colours, which show their numbers as they are."""

from __future__ import annotations

from html import escape
from typing import Any

import pyqtgraph as pg

from app.look import Theme


def name_axis(axis: Any, words: str) -> None:
    """Write what an axis is; pyqtgraph takes it for HTML."""
    axis.setLabel(escape(words))


def dress(axis: Any, theme: Theme) -> None:
    """Give an axis the colours of a theme, and no prefix of its own: units stand in its name."""
    # what is drawn now would scale its numbers for good: to switch prefixes off looks at the range alone
    axis.setSIPrefixEnableRanges(())
    axis.enableAutoSIPrefix(False)
    axis.setPen(pg.mkPen(theme.line))
    axis.setTextPen(pg.mkPen(theme.muted))
