"""A plot of points, lines and bands in the window's colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from app.look import Theme
from solver.base.words import tr


class Chart(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph carries no types
    """Draw points and lines in the window's colours; `hit` names the point that was clicked."""

    hit = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMenuEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(name)
        self.setMinimumSize(160, 90)
        item = self.getPlotItem()
        # pyqtgraph's own menu belongs to nobody, and would outlive the window
        item.ctrlMenu.setParent(self, item.ctrlMenu.windowFlags())
        item.hideButtons()
        self.points = pg.ScatterPlotItem(size=7, pen=None, hoverable=True, tip=self._tip)
        self.points.sigClicked.connect(self._on_clicked)
        self._lines: list[Any] = []
        self._tips: Sequence[str] = ()

    def begin(self, theme: Theme, x: str, y: str) -> None:
        """Take everything away, and name the axes."""
        self.clear()
        if x and y:
            self.setAccessibleDescription(tr("{y} over {x}", y=y, x=x))
        self.setBackground(theme.panel)
        self.getPlotItem().showGrid(x=True, y=True, alpha=0.15)
        for side, text in (("bottom", x), ("left", y)):
            axis = self.getPlotItem().getAxis(side)
            dress(axis, theme)
            axis.setTicks(None)
            name_axis(axis, text)
            axis.showLabel(bool(text))
        self.addItem(self.points)

    def line(
        self, x: Any, y: Any, colour: str | QColor, *, width: float = 2.0, dash: bool = False, in_parts: bool = False
    ) -> None:  # fmt: skip
        """Draw a line; `in_parts` makes it fine, and darker where its parts lie over each other."""
        pen = pg.mkPen(colour, width=width)
        if dash:
            pen.setStyle(Qt.PenStyle.DashLine)
        line = pg.PlotCurveItem(np.asarray(x, float), np.asarray(y, float), pen=pen, connect="finite", antialias=in_parts)  # fmt: skip
        line.setSegmentedLineMode("on" if in_parts else "auto")
        self.addItem(line)

    def band(self, x: Any, low: Any, high: Any, colour: str, alpha: int = 70) -> None:
        """Fill between two lines."""
        edges = [pg.PlotCurveItem(np.asarray(x, float), np.asarray(y, float), pen=pg.mkPen(None)) for y in (low, high)]  # fmt: skip
        for item in (*edges, pg.FillBetweenItem(*edges, brush=pale(colour, alpha))):
            self.addItem(item)

    def mark(self, x: Any, y: Any, runs: Any, brushes: Any, sizes: Any, tips: Sequence[str]) -> None:  # fmt: skip
        """Draw a point for each of some runs."""
        self._tips = tips
        self.points.setData(
            x=np.asarray(x, float), y=np.asarray(y, float), data=list(zip(map(int, runs), range(len(tips)), strict=True)),
            brush=brushes, size=sizes,
        )  # fmt: skip

    def _tip(self, x: float, y: float, data: tuple[int, int]) -> str:
        return self._tips[data[1]] if data[1] < len(self._tips) else ""

    def _on_clicked(self, _: object, points: Sequence[Any], __: object = None) -> None:
        if len(points):
            self.hit.emit(points[0].data()[0])


def pale(colour: str, alpha: int) -> QColor:
    """A colour through which one sees, the less the nearer to 255."""
    tone = QColor(colour)
    tone.setAlpha(alpha)
    return tone


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
