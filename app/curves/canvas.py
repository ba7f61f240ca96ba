"""Draw curves with points that are dragged, and say their numbers while they move."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.curves.chart import dress, name_axis
from app.curves.points import nice_step, snapped
from app.forms.units import digits
from app.guard import guard
from app.look import LIGHT, LINES, Theme
from app.widgets.own_keys import OwnKeys

_REACH = 10
"""Pixels from a point within which it is taken hold of."""
_SNAP_PX = 4.0
_LOW = 190
"""A canvas lower than this (pixels) shows its lower axis without a name."""
_MANY = 400
"""With more points than this only those near the mouse are drawn as points."""

FAINT = ("faint", "beside")


class Canvas(OwnKeys, pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph carries no types
    """Show lines and handles in shown units; what people do with the handles is told by signals.

    Points snap to round numbers, unless Alt is held; with Shift they move along one axis only.
    """

    dragged = Signal(int, float, float)
    released = Signal()
    added = Signal(float, float)
    picked = Signal(int)
    removed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self.setMinimumSize(200, 110)
        self.setMenuEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        item = self.getPlotItem()
        # pyqtgraph's own menu belongs to nobody, and would outlive the window
        item.ctrlMenu.setParent(self, item.ctrlMenu.windowFlags())
        item.hideButtons()
        self.handles = np.zeros((0, 2))
        self.current = -1
        self._held = -1
        self._from = (0.0, 0.0)
        self._lines: list[Any] = []
        self._dots = pg.ScatterPlotItem(size=9)
        self._dots.setZValue(10)
        self.words = pg.TextItem(anchor=(0.5, 1.2))
        self.words.setZValue(20)
        self.words.hide()
        self.addItem(self._dots)
        self.addItem(self.words, ignoreBounds=True)
        self.names = ("", "")
        self.units = ("", "")

    def name_axes(self, x: str, y: str, x_unit: str = "", y_unit: str = "") -> None:
        """Write what the axes are, with their units."""
        self.names, self.units = (x, y), (x_unit, y_unit)
        for side, name, unit in (("bottom", x, x_unit), ("left", y, y_unit)):
            text = f"{name} ({unit})" if unit and name else name or unit
            axis = self.getPlotItem().getAxis(side)
            if escape(text) != axis.labelText:
                name_axis(axis, text)
                axis.showLabel(bool(text) and (side == "left" or self.height() > _LOW))

    @guard
    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave the name of the lower axis out where there is little room."""
        super().resizeEvent(event)  # type: ignore[arg-type]  # pyqtgraph gives none, and takes it
        if event is None:
            # pyqtgraph calls this while the plot is still being made
            return
        axis = self.getPlotItem().getAxis("bottom")
        axis.showLabel(self.height() > _LOW and bool(axis.labelText))

    def show_lines(self, lines: Sequence[tuple[Any, Any, int, str]], handles: Any = ((),)) -> None:
        """Draw lines (x, y, number of the colour, 'solid', 'dash', 'faint' or, faint with room made for it, 'beside'), and points over them."""
        for line in self._lines:
            self.removeItem(line)
        self._lines = []
        for x, y, colour, style in lines:
            pen = pg.mkPen(LINES[colour % len(LINES)], width=1 if style in FAINT else 2)
            if style != "solid":
                pen.setStyle(Qt.PenStyle.DashLine)
            line = pg.PlotCurveItem(np.asarray(x, float), np.asarray(y, float), pen=pen)
            line.setOpacity(0.45 if style in FAINT else 1.0)
            self.addItem(line, ignoreBounds=style == "faint")
            self._lines.append(line)
        self.handles = np.asarray(handles, float).reshape(-1, 2)
        self.current = min(self.current, len(self.handles) - 1)
        self._draw_dots()

    def pick(self, number: int) -> None:
        """Mark one point as the current one."""
        self.current = number
        self._draw_dots()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.setBackground(theme.panel)
        self.getPlotItem().showGrid(x=True, y=True, alpha=0.15)
        for side in ("left", "bottom"):
            dress(self.getPlotItem().getAxis(side), theme)
        self.words.setColor(theme.text)
        self.words.fill = pg.mkBrush(theme.raised)
        self.words.border = pg.mkPen(theme.line)
        self._draw_dots()

    def fit(self) -> None:
        """Show everything, and keep doing so."""
        self.getPlotItem().enableAutoRange()

    def at(self, x: float, y: float) -> QPointF:
        """Where a point of the axes lies in this widget (pixels)."""
        spot = self.getPlotItem().vb.mapViewToScene(QPointF(x, y))
        return QPointF(self.mapFromScene(spot))

    def _draw_dots(self) -> None:
        points = self.handles
        if len(points) > _MANY:
            points = points[self.current : self.current + 1] if self.current >= 0 else points[:0]
        brushes = [pg.mkBrush(self._theme.raised)] * len(points)
        if self.current >= 0 and len(points):
            brushes[min(self.current, len(points) - 1)] = pg.mkBrush(LINES[0])
        self._dots.setData(
            x=points[:, 0], y=points[:, 1], brush=brushes, pen=pg.mkPen(LINES[0], width=2)
        )

    def _there(self, event: QMouseEvent) -> tuple[float, float]:
        spot = self.getPlotItem().vb.mapSceneToView(self.mapToScene(event.position().toPoint()))
        return float(spot.x()), float(spot.y())

    def _near(self, event: QMouseEvent) -> int:
        """The handle below the mouse, or -1."""
        if not len(self.handles):
            return -1
        (x0, x1), (y0, y1) = self.getPlotItem().vb.viewRange()
        box = self.getPlotItem().vb.sceneBoundingRect()
        scale = np.array([box.width() / max(x1 - x0, 1e-300), box.height() / max(y1 - y0, 1e-300)])
        away = np.hypot(*((self.handles - np.array(self._there(event))) * scale).T)
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= _REACH else -1

    def _snapped(self, x: float, y: float, event: QMouseEvent) -> tuple[float, float]:
        keys = event.modifiers()
        if not keys & Qt.KeyboardModifier.AltModifier:
            (x0, x1), (y0, y1) = self.getPlotItem().vb.viewRange()
            box = self.getPlotItem().vb.sceneBoundingRect()
            x = snapped(x, nice_step(_SNAP_PX * (x1 - x0) / max(box.width(), 1.0)))
            y = snapped(y, nice_step(_SNAP_PX * (y1 - y0) / max(box.height(), 1.0)))
        if keys & Qt.KeyboardModifier.ShiftModifier and self._held >= 0:
            here, there = self.at(x, y), self.at(*self._from)
            if abs(here.x() - there.x()) > abs(here.y() - there.y()):
                y = self._from[1]
            else:
                x = self._from[0]
        return x, y

    @guard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a point, or move the view."""
        near = self._near(event) if event.button() == Qt.MouseButton.LeftButton else -1
        if near < 0:
            super().mousePressEvent(event)
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._held, self._from = near, (float(self.handles[near, 0]), float(self.handles[near, 1]))
        self.pick(near)
        self.picked.emit(near)
        # the axes stand still below a point that is dragged
        self.getPlotItem().disableAutoRange()
        self._say(near)

    @guard
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the point that is held."""
        if self._held < 0:
            super().mouseMoveEvent(event)
            near = self._near(event) >= 0
            self.setCursor(Qt.CursorShape.SizeAllCursor if near else Qt.CursorShape.ArrowCursor)
            return
        self.dragged.emit(self._held, *self._snapped(*self._there(event), event))
        if self._held < len(self.handles):
            self._say(self._held)

    @guard
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if self._held < 0:
            super().mouseReleaseEvent(event)
            return
        self._held = -1
        self.words.hide()
        self.fit()
        self.released.emit()

    @guard
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for a new point; on one that is there nothing happens."""
        inside = (
            self.getPlotItem()
            .vb.sceneBoundingRect()
            .contains(self.mapToScene(event.position().toPoint()))
        )
        if event.button() == Qt.MouseButton.LeftButton and inside and self._near(event) < 0:
            self.added.emit(*self._snapped(*self._there(event), event))

    def claims(self, event: QKeyEvent) -> bool:
        """Claim Del while a point is the current one; otherwise it is for the element."""
        return self.current >= 0 and super().claims(event)

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete the current point, go to the next, or move it by arrows with Alt."""
        key = Qt.Key(event.key())
        way = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1),
               Qt.Key.Key_Down: (0, -1)}.get(key)  # fmt: skip
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.current >= 0:
            self.removed.emit(self.current)
        elif way and self.current >= 0 and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            (x0, x1), (y0, y1) = self.getPlotItem().vb.viewRange()
            step = nice_step((x1 - x0) / 200.0), nice_step((y1 - y0) / 200.0)
            x, y = (float(self.handles[self.current, k]) + way[k] * step[k] for k in (0, 1))
            self.dragged.emit(self.current, snapped(x, 0.1 * step[0]), snapped(y, 0.1 * step[1]))
        elif way and way[0] and len(self.handles):
            self.pick(int(np.clip(self.current + way[0], 0, len(self.handles) - 1)))
            self.picked.emit(self.current)
        else:
            super().keyPressEvent(event)

    def _say(self, number: int) -> None:
        """Write the numbers of a point beside it."""
        x, y = (float(v) for v in self.handles[number])
        text = ",  ".join(
            f"{digits(v)} {unit}".rstrip() for v, unit in zip((x, y), self.units, strict=True)
        )
        self.words.setText(text)
        box = self.getPlotItem().vb.viewRange()
        share = (x - box[0][0]) / max(box[0][1] - box[0][0], 1e-300)
        top = (y - box[1][0]) / max(box[1][1] - box[1][0], 1e-300) > 0.8
        self.words.setAnchor((0.0 if share < 0.2 else 1.0 if share > 0.8 else 0.5,
                              -0.3 if top else 1.3))  # fmt: skip
        self.words.setPos(x, y)
        self.words.show()
