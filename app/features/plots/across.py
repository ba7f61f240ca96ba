"""What lies across in a plot: time, or another quantity."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from app.curves.curves import Wanted
from app.study.record import RunRecord
from solver.base.words import tr
from solver.results.spoken import spoken_name

if TYPE_CHECKING:
    from app.curves.plot import Plot


def across_words(plot: Plot, record: RunRecord | None) -> str:
    """Name what lies across in a plot."""
    if plot.across is None or record is None:
        return "time"
    return spoken_name(record.project, plot.across.name)


def fill_across(
    menu: QMenu,
    plot: Plot | None,
    record: RunRecord | None,
    choose: Callable[[Wanted | None], object],
) -> None:
    """Offer time, the plot's own curves, and say how to take any other quantity."""
    menu.clear()
    menu.addAction(tr("Time"), lambda: choose(None))
    if plot is None or record is None:
        return
    for wanted in plot.wanted:
        menu.addAction(spoken_name(record.project, wanted.name), partial(choose, wanted))
    menu.addSeparator()
    hint = menu.addAction(tr("Any other: right click in the list of quantities"))
    hint.setEnabled(False)
