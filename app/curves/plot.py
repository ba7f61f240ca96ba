"""Draw curves over time or over each other, with a cursor that is the timeline's."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import nan
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QPixmapCache, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QLabel, QVBoxLayout, QWidget

from app import texts
from app.curves.chart import dress, name_axis
from app.curves.cursors import EventLines, SecondCursor
from app.curves.curves import (
    Corridor,
    Curve,
    Happening,
    Measured,
    Spread,
    Wanted,
    bands,
    heard,
    number,
    numbers,
)
from app.guard import guard
from app.look import LIGHT, LINES, Theme
from app.widgets.carrying import ELEMENT, QUANTITY, names_in
from app.widgets.still import Still
from app.with_properties import with_properties
from solver.base.units import pretty
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array

_KEPT_KB = 65536
"""Room for the axes of all plots of a large screen, which are kept as they were drawn."""
_DASHES = (Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_SIGNS = ("╌╌", "····", "╌·╌")
"""How curves of other runs are drawn, one run after the other, and how that is written."""
_NOISE = 1e-9
"""Curves no higher than this, in the unit that is shown, are what rounding leaves: their axis goes from -1 to 1."""
_MARGIN_PX = 4
_CLICK = msgid("A click on a curve's name filters it by itself, or takes it out")
_FEW = 2
"""So many curves have their peaks written out; for more it stands in the tip."""


class Plot(QWidget):
    """Show curves of one or two units; the second unit has its axis on the right."""

    time_asked = Signal(float)
    second_asked = Signal(float)
    """A second cursor is wanted at an instant (s)."""
    dropped = Signal(list)
    offered = Signal(list)
    """Elements were dropped: which of their quantities is to be drawn has to be asked."""
    touched = Signal()
    curve_asked = Signal(object)
    """The name of a curve was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self._theme = LIGHT
        self._time, self._grows = 0.0, False
        self._is_lowest, self._is_shared = True, False
        self.wanted: list[Wanted] = []
        """What is to be drawn; `curves` is what could be."""
        self.curves: list[Curve] = []
        self.over: Curve | None = None
        self.across: Wanted | None = None
        """What lies across; None for time."""
        self.measured: list[Measured] = []
        self.corridors: list[Corridor] = []
        self.ratings: list[str] = []
        self.readout = with_properties(
            QLabel(), objectName="readout", textFormat=Qt.TextFormat.RichText
        )
        self.readout.setWordWrap(True)
        self.readout.linkActivated.connect(self._on_name)
        self._still = Still(self.readout)
        self.view = pg.PlotWidget()
        self.view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.view.setMinimumHeight(80)
        self.view.setAcceptDrops(False)
        self.view.setMenuEnabled(False)
        self.view.scene().sigMouseClicked.connect(self._on_click)
        self._right = pg.ViewBox(enableMenu=False)
        item = self.view.getPlotItem()
        item.scene().addItem(self._right)
        # pyqtgraph's own menu belongs to nobody, and would outlive the window
        item.ctrlMenu.setParent(self, item.ctrlMenu.windowFlags())
        QPixmapCache.setCacheLimit(max(_KEPT_KB, QPixmapCache.cacheLimit()))
        for side in ("left", "bottom", "right"):
            # else each move of the cursor writes all numbers and the grid again
            item.getAxis(side).setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        item.getAxis("right").linkToView(self._right)
        self._right.setXLink(item)
        item.vb.sigResized.connect(self._fit_right)
        self.instant = pg.InfiniteLine(angle=90, movable=True)
        self.instant.sigDragged.connect(lambda line: self.time_asked.emit(1e-3 * line.value()))
        self.view.addItem(self.instant, ignoreBounds=True)
        self.shaded = pg.LinearRegionItem(movable=False)
        self.shaded.setVisible(False)
        self.view.addItem(self.shaded, ignoreBounds=True)
        self.events = EventLines(self.view)
        self.second = SecondCursor(self.view, self.second_asked.emit)
        self._happened: Sequence[Happening] = ()
        self.dot = pg.ScatterPlotItem(size=9)
        self.view.addItem(self.dot, ignoreBounds=True)
        self.empty = with_properties(
            QLabel(
                tr(
                    "Drag a quantity here, or an element from the outline, the inspector's heading or, with Ctrl, the scene; or choose a page above."
                )
            ),
            objectName="muted",
            wordWrap=True,
        )
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN_PX, 2, _MARGIN_PX, 0)
        layout.setSpacing(0)
        for widget in (self._still, self.view, self.empty):
            layout.addWidget(widget, int(widget is not self._still))
        self._steady = (Steady(item.vb), Steady(self._right))
        self._at_axes: tuple[str, ...] = ()
        self._lines: list[tuple[Any, Any]] = []
        self._ghosts: list[Curve] = []
        self.show_curves([])

    def show_curves(
        self,
        curves: Sequence[Curve],
        ghosts: Sequence[tuple[Curve, Curve | None]] = (),
        over: Curve | None = None,
        tests: Sequence[Curve] = (),
        ratings: Sequence[str] = (),
        limits: Sequence[tuple[Curve, Curve]] = (),
        until_ms: float | None = None,
        spreads: Sequence[Spread] = (),
        *,
        grows: bool = False,
    ) -> None:
        """Draw curves, over time or over another curve.

        `ghosts` are those of other runs, each with what lies across; `tests` have their corridors
        drawn, and `ratings` say how well the curves agree with them; `spreads` are bands of several runs. `until_ms` is the instant up to
        which curves that grow will reach; of curves that grow nothing is said beyond their end.
        """
        item = self.view.getPlotItem()
        for box, line in self._lines:
            box.removeItem(line)
        self._lines, self.curves, self.over = [], list(curves), over
        self._ghosts = [ghost for ghost, _ in ghosts]
        beside = list(dict.fromkeys(ghost.run for ghost in self._ghosts))
        self.ratings, self._grows = list(ratings), grows
        self.readout.setToolTip("\n".join((tr(_CLICK), *ratings)))
        units = list(
            dict.fromkeys(curve.unit for curve in (*curves, *tests, *(low for low, _ in limits)))
        )
        names = [curve.wanted for curve in curves]
        for low, high in limits:
            if low.unit in units[:2]:
                self._add_band(low, high.value, low.value, units.index(low.unit), 60)
        for test in tests:
            if test.unit in units[:2]:
                self._add_test(test, units.index(test.unit))
        for band in spreads:
            if band.unit in units[:2] and band.wanted in names:
                tone = LINES[names.index(band.wanted) % len(LINES)]
                self._add_band(band, band.high, band.low, units.index(band.unit), 60, tone)
        drawn = [(c, o, "ghost") for c, o in ghosts] + [(c, over, "line") for c in curves]
        for curve, across, kind in drawn:
            if curve.unit in units[:2]:
                number = names.index(curve.wanted) if curve.wanted in names else 0
                colour = LINES[number % len(LINES)]
                dashes = (
                    _DASHES[beside.index(curve.run) % len(_DASHES)] if kind == "ghost" else None
                )
                self._add(curve, colour, units.index(curve.unit), dashes, across)
        below = f"{over.label} ({pretty(over.unit)})" if over else tr(texts.words.TIME_MS)
        words = (below, *(pretty(unit) for unit in units[:2]))
        if words != self._at_axes:
            self._at_axes = words
            name_axis(item.getAxis("bottom"), below)
            item.getAxis("bottom").showLabel(self._is_lowest or over is not None)
            name_axis(item.getAxis("left"), pretty(units[0]) if units else "")
            item.showAxis("right", len(units) > 1)
            if len(units) > 1:
                name_axis(item.getAxis("right"), pretty(units[1]))
        heard(self.view, curves, ratings)
        self.instant.setVisible(over is None)
        self.put_second(self.second.time)
        self.show_events(self._happened)
        self.view.setVisible(bool(units))
        self._still.setVisible(bool(units))
        self.empty.setVisible(not units)
        self._fit_right()
        self._hold_axes(until_ms if over is None else None)
        self.set_time(self._time)

    def _hold_axes(self, until_ms: float | None) -> None:
        """Keep the axes still while curves grow."""
        for box, steady in zip(
            (self.view.getPlotItem().vb, self._right), self._steady, strict=True
        ):
            if until_ms is None:
                steady.release()
                steady.leave_noise([line for where, line in self._lines if where is box], _NOISE)
            else:
                items = [line for where, line in self._lines if where is box]
                steady.hold(until_ms if box is not self._right else None, items)

    def share_height(self, ends: tuple[float, float] | None) -> None:
        """Let the left axis hold what all of several pages show; None: what this one does."""
        box = self.view.getPlotItem().vb
        if ends is not None:
            room = _ROOM * max(ends[1] - ends[0], 1e-12)
            box.setYRange(ends[0] - room, ends[1] + room, padding=0.0)
        elif self._is_shared:
            box.enableAutoRange(axis="y")
        self._is_shared = ends is not None

    def shade(self, t1: float, t2: float) -> None:
        """Shade a window of time (s)."""
        self.shaded.setRegion((1e3 * t1, 1e3 * t2))
        self.shaded.setVisible(t2 > t1)

    def show_events(self, events: Sequence[Happening]) -> None:
        """Draw what happened when as lines with names; over another quantity there are none."""
        self._happened = events
        self.events.show_events(events if self.over is None else (), self._theme)

    def put_second(self, t: float | None) -> None:
        """Put the second cursor on an instant (s), or take it away."""
        self.second.put(t)
        self.second.line.setVisible(t is not None and self.over is None)

    def set_lowest(self, is_lowest: bool) -> None:
        """Whether no other plot stands below it, which would name the time once more."""
        self._is_lowest = is_lowest
        axis = self.view.getPlotItem().getAxis("bottom")
        axis.showLabel(bool(axis.labelText) and (is_lowest or self.over is not None))

    def set_time(self, t: float, *, in_words: bool = True) -> None:
        """Put the cursor on an instant (s) and write the values there, if `in_words`."""
        self._time = t
        self.instant.blockSignals(True)
        self.instant.setValue(1e3 * t)
        self.instant.blockSignals(False)
        self._mark_place(t)
        if in_words:
            self._tell(t)

    def _tell(self, t: float) -> None:
        """Write the values at an instant (s)."""
        from_, parts = self.second.time, []
        if from_ is not None:
            parts.append(kept_together(tr("Δt {ms:.4g} ms", ms=1e3 * (t - from_))))
        for n, curve in enumerate(self.curves):
            peak, when = curve.peak()
            words = kept_together(tr("peak {value} at {ms:.1f} ms", value=number(peak), ms=when))
            at_peak = f" <span style='color:{self._theme.muted}'>{words}</span>"
            parts.append(
                f"<span style='color:{LINES[n % len(LINES)]}'>━</span>&nbsp;{self._name(n, curve)}"
                f"&nbsp;<b>{number(nan if self._grows and t > curve.end_s else curve.at(t))}</b>&nbsp;{escape(pretty(curve.unit))}"
                f"{self._difference(curve, from_, t) if from_ is not None else ''}"
                f"{at_peak if len(self.curves) <= _FEW and from_ is None else ''}"
            )
        agree = [
            f"<span style='color:{self._theme.muted}'>{escape(self._briefly(words))}</span>"
            for words in self.ratings
        ]
        runs = [self._of_run(run, t) for run in dict.fromkeys(one.run for one in self._ghosts)]
        if runs and self.curves:
            runs.insert(0, f"━&nbsp;{kept_together(escape(self.curves[0].run))}")
        lines = [" &nbsp; ".join(parts), " &nbsp; ".join(runs), *agree]
        self._still.say("<br>".join(filter(None, lines)))

    def _briefly(self, words: str) -> str:
        """A rating in one line: what it is of is cut, and its parts are left to the tip, where it has not the room."""
        letters, room = self.readout.fontMetrics(), self.width() - 4 * _MARGIN_PX
        if letters.horizontalAdvance(words) <= room:
            return words
        of, _, how = words.partition(": ")
        how = f": {how.partition(' (')[0]}" if how else ""
        room = max(room - letters.horizontalAdvance(how), 0)
        return letters.elidedText(of, Qt.TextElideMode.ElideRight, room) + how

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut ratings to the width that there is."""
        super().resizeEvent(event)
        if self.ratings:
            self._tell(self._time)

    def _of_run(self, run: str, t: float) -> str:
        """Write how another run is drawn, its name, and its values at an instant (s)."""
        theirs = [one for one in self._ghosts if one.run == run]
        at = list(dict.fromkeys(one.run for one in self._ghosts)).index(run)
        words = f"{_SIGNS[at % len(_SIGNS)]} {escape(run)} {numbers(theirs, t)}"
        return f"<span style='color:{self._theme.muted}'>{kept_together(words)}</span>"

    def _difference(self, curve: Curve, from_: float, t: float) -> str:
        """Write how much a curve has changed since the second cursor."""
        words = kept_together(f"Δ {curve.at(t) - curve.at(from_):+.4g}")
        return f" <span style='color:{self._theme.warning}'>{words}</span>"

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.second.set_theme(theme)
        self.show_events(self._happened)
        self.view.setBackground(theme.panel)
        item = self.view.getPlotItem()
        item.showGrid(x=True, y=True, alpha=0.15)
        for side in ("left", "bottom", "right"):
            dress(item.getAxis(side), theme)
        tone = QColor(theme.warning)
        tone.setAlpha(40)
        self.shaded.setBrush(tone)
        self.instant.setPen(pg.mkPen(theme.accent, width=1))
        self.dot.setBrush(pg.mkBrush(theme.accent))
        self.instant.setHoverPen(pg.mkPen(theme.accent, width=3))
        self.set_time(self._time)

    def empty_out(self) -> None:
        """Be as a new plot is: nothing of what was drawn, chosen or zoomed stays."""
        self.wanted, self.across, self.measured, self.corridors = [], None, [], []
        self._happened, self._time = (), 0.0
        self.second.put(None)
        self.shade(0.0, 0.0)
        self.show_curves([])
        self.fit()

    def fit(self) -> None:
        """Show all of every curve."""
        self.view.getPlotItem().enableAutoRange()
        self._right.enableAutoRange()

    @guard
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept quantities, and elements that have some."""
        mime = event.mimeData()
        if mime.hasFormat(QUANTITY) or mime.hasFormat(ELEMENT):
            event.acceptProposedAction()

    @guard
    def dropEvent(self, event: QDropEvent) -> None:
        """Draw what was dropped, or offer what there is of it."""
        if event.mimeData().hasFormat(ELEMENT):
            # the outline would take away what has moved
            event.setDropAction(Qt.DropAction.IgnoreAction)
            event.accept()
            self.offered.emit(names_in(event.mimeData(), ELEMENT))
            return
        event.acceptProposedAction()
        self.dropped.emit(names_in(event.mimeData(), QUANTITY))

    def _mark_place(self, t: float) -> None:
        """Over another quantity, a dot on the first curve stands for the cursor."""
        over = self.over
        self.dot.setVisible(over is not None and bool(self.curves))
        if over is not None and self.curves:
            self.dot.setData([over.at(t)], [self.curves[0].at(t)])

    def _add_test(self, test: Curve, side: int) -> None:
        """Draw a test as a line of the text's colour, its corridors as bands."""
        for (low, high), alpha in zip(bands(test), (70, 30), strict=True):
            self._add_band(test, high, low, side, alpha)
        box = self.view.getPlotItem().vb if side == 0 else self._right
        pen = pg.mkPen(self._theme.text, width=1, style=Qt.PenStyle.DotLine)
        line = pg.PlotCurveItem(test.time_ms, test.value, pen=pen)
        box.addItem(line)
        self._lines.append((box, line))

    def _add_band(
        self,
        curve: Curve | Spread,
        high: Array,
        low: Array,
        side: int,
        alpha: int,
        colour: str = "",
    ) -> None:
        """Fill between two edges over a curve's times."""
        box = self.view.getPlotItem().vb if side == 0 else self._right
        tone = QColor(colour or self._theme.muted)
        tone.setAlpha(alpha)
        edges = [pg.PlotCurveItem(curve.time_ms, y, pen=pg.mkPen(None)) for y in (low, high)]
        for item in (*edges, pg.FillBetweenItem(*edges, brush=tone)):
            box.addItem(item)
            self._lines.append((box, item))

    def _add(
        self,
        curve: Curve,
        colour: str,
        side: int,
        dashes: Qt.PenStyle | None,
        over: Curve | None,
    ) -> None:
        """Draw a curve; those of other runs are paler and dashed, each run in its own way."""
        tone = QColor(colour)
        if dashes is not None:
            tone.setAlpha(110)
        style = dashes or Qt.PenStyle.SolidLine
        x, y = (curve.time_ms, curve.value) if over is None else curve.over(over)
        line = pg.PlotCurveItem(x, y, pen=pg.mkPen(tone, width=1, style=style), connect="finite")
        box = self.view.getPlotItem().vb if side == 0 else self._right
        box.addItem(line)
        self._lines.append((box, line))

    def _name(self, n: int, curve: Curve) -> str:
        """Write a curve's name so that a click on it is heard."""
        words, tone = kept_together(escape(curve.label)), self._theme.text
        return f"<a href='{n}' style='color:{tone}; text-decoration:none'>{words}</a>"

    def _on_name(self, link: str) -> None:
        self.touched.emit()
        self.curve_asked.emit(self.curves[int(link)].wanted)

    def _fit_right(self) -> None:
        self._right.setGeometry(self.view.getPlotItem().vb.sceneBoundingRect())

    def _on_click(self, event: Any) -> None:
        self.touched.emit()
        if event.double():
            self.fit()
        elif event.button() == Qt.MouseButton.LeftButton and self.over is None:
            at = self.view.getPlotItem().vb.mapSceneToView(event.scenePos())
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            (self.second_asked if shift else self.time_asked).emit(max(0.0, 1e-3 * float(at.x())))


def kept_together(words: str) -> str:
    """Keep words on one line."""
    return words.replace(" ", "&nbsp;")


_ROOM = 0.3
"""What is left free above and below, as a part of the curves' height."""
_LEAST = 0.4
"""Curves that fill less than this part of the height get another range."""


class Steady:
    """The range of one view box, unless people have chosen one by hand."""

    def __init__(self, box: Any) -> None:
        self._box = box
        self.is_held = self._is_zero = False
        box.sigRangeChangedManually.connect(self._on_hand)

    def hold(self, until_ms: float | None, items: list[Any]) -> None:
        """Show all of the time up to an instant (ms), and the items; the height changes seldom."""
        box = self._box
        if not self.is_held and not all(box.autoRangeEnabled()):
            return
        bounds = [item.dataBounds(1) for item in items if hasattr(item, "dataBounds")]
        ends = np.array([pair for pair in bounds if pair[0] is not None], float)
        if not len(ends):
            return
        low, high = float(ends[:, 0].min()), float(ends[:, 1].max())
        size = max(high - low, 1e-12)
        bottom, top = box.viewRange()[1]
        is_new = not self.is_held
        self.is_held = True
        if is_new and until_ms is not None:
            box.setXRange(0.0, until_ms, padding=0.02)
        if is_new or low < bottom or high > top or size < _LEAST * (top - bottom):
            box.setYRange(low - _ROOM * size, high + _ROOM * size, padding=0.0)

    def leave_noise(self, items: list[Any], noise: float) -> None:
        """Show curves that are zero but for rounding as a line at zero; others as large as they are."""
        bounds = [item.dataBounds(1) for item in items if hasattr(item, "dataBounds")]
        ends = np.array([pair for pair in bounds if pair[0] is not None], float)
        is_noise = bool(len(ends)) and 0.0 < float(np.abs(ends).max()) < noise
        if is_noise and self._box.autoRangeEnabled()[1]:
            self._box.setYRange(-1.0, 1.0)
            self._is_zero = True
        elif self._is_zero and not is_noise:
            self._box.enableAutoRange(axis="y")
        self._is_zero = is_noise and self._is_zero

    def release(self) -> None:
        """Let the range follow the curves again."""
        if self.is_held:
            self.is_held = False
            self._box.enableAutoRange()

    def _on_hand(self, *_: object) -> None:
        self.is_held = False
