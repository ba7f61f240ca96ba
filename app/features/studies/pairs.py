"""All numbers against each other: a matrix of small pictures, with how each is spread on its diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.curves.axes import dress, name_axis
from app.features.studies.view import Columns, View, kept
from app.guard import guard
from solver.base.words import tr

MOST = 7
"""So many columns are shown beside each other; of more, the first parameters and the responses."""
_BINS = 12
_LETTER_PX = 8
"""What a letter of a label takes, about."""


class _Board(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph carries no types
    """Hold the pictures; a click asks for a large one."""

    def __init__(self, view: Pairs) -> None:
        super().__init__()
        self._view = view
        self.setAccessibleName(tr("All numbers against each other"))
        self.setMinimumSize(200, 140)

    @guard
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Tell which pair lies there."""
        at = self.mapToScene(event.position().toPoint())
        for (i, j), plot in self._view.plots.items():
            if plot.sceneBoundingRect().contains(at):
                self._view.show_pair(j, i)
                return


class Pairs(View):
    """Draw the matrix; a double click on a picture shows it large."""

    def __init__(self, larger: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._larger = larger
        self.board = _Board(self)
        self.plots: dict[tuple[int, int], Any] = {}
        self.columns: list[int] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.board)

    def show_pair(self, across: int, up: int) -> None:
        """Show a pair large."""
        self._larger(across, up)

    def draw(self) -> None:
        """Draw all pictures."""
        seen = self.seen
        if seen is None:
            return
        columns = Columns(seen, self.units)
        count, first = len(columns.names), columns.parameters
        few = min(first, max(MOST - (count - first), 2)) if count > MOST else first
        self.columns = [*range(few), *range(first, count)][:MOST]
        self.board.clear()
        for plot in self.plots.values():
            plot.ctrlMenu.deleteLater()
        self.board.setBackground(self.theme.panel)
        self.plots = {}
        good = kept(seen)
        runs = np.flatnonzero(seen.shown)
        brushes = [pg.mkBrush(self.theme.accent if good[n] else self.theme.muted) for n in runs]
        last = len(self.columns) - 1
        size = self.board.size() / max(len(self.columns), 1)
        room = {"bottom": size.width() // _LETTER_PX, "left": size.height() // _LETTER_PX}
        for i, up in enumerate(self.columns):
            for j, across in enumerate(self.columns):
                plot = self.board.addPlot(row=i, col=j, enableMenu=False)
                plot.hideButtons()
                # pyqtgraph's own menu belongs to nobody, and would outlive the window
                plot.ctrlMenu.setParent(self.board, plot.ctrlMenu.windowFlags())
                plot.setMouseEnabled(False, False)
                self.plots[up, across] = plot
                for side, text in (("bottom", columns.names[across] if i == last else ""), ("left", columns.names[up] if j == 0 else "")):  # fmt: skip
                    axis = plot.getAxis(side)
                    dress(axis, self.theme)
                    axis.setStyle(showValues=False)
                    if text:
                        name_axis(axis, _short(text, room[side]))
                if i == j:
                    self._histogram(plot, columns.shown(up)[runs])
                    continue
                x, y = columns.shown(across)[runs], columns.shown(up)[runs]
                ok = np.isfinite(x) & np.isfinite(y)
                plot.addItem(pg.ScatterPlotItem(
                    x=x[ok], y=y[ok], size=4, pen=None, brush=[b for b, o in zip(brushes, ok, strict=True) if o],
                ))  # fmt: skip

    def _histogram(self, plot: Any, value: Any) -> None:
        value = value[np.isfinite(value)]
        if len(value) < 2 or not np.ptp(value) > 0.0:
            return
        count, edges = np.histogram(value, bins=_BINS)
        tone = pg.mkColor(self.theme.accent)
        tone.setAlpha(120)
        width = float(edges[1] - edges[0])
        plot.addItem(pg.BarGraphItem(x=0.5 * (edges[1:] + edges[:-1]), height=count, width=width, brush=tone, pen=pg.mkPen(self.theme.panel, style=Qt.PenStyle.SolidLine)))  # fmt: skip


def _short(text: str, letters: int) -> str:
    """Leave what has room beside a small picture."""
    if len(text) <= letters:
        return text
    last = text.split(" › ")[-1]
    return last if len(last) <= letters else f"{last[: max(letters - 1, 1)]}…"
