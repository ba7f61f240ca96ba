"""Points of two columns, the way of a response, the corridor of all curves, what decides; and each run as a line through all its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent
from PySide6.QtWidgets import QApplication, QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.curves.chart import Chart, pale
from app.features.studies.going import Array, StudyTable
from app.features.studies.view import (
    Columns,
    View,
    about_run,
    best,
    chooser,
    fill,
    first_axes,
    keeps_limits,
)
from app.guard import guard
from app.look import LINES, LOAD_TONES
from app.with_properties import with_properties
from solver.base.words import msgid, tr

_RUN = msgid("Run")
_GAP = 10
_PERCENTILES = (0.0, 5.0, 25.0, 50.0, 75.0, 95.0, 100.0)


def _brushes(columns: Columns, colour: int, runs: Array, accent: str, muted: str) -> list[Any]:
    """Colour runs by a column, or by whether they keep all limits where the column is -1."""
    if colour < 0:
        good = keeps_limits(columns.seen)
        return [pg.mkBrush(accent if good[n] else muted) for n in runs]
    value = columns.values[runs, colour]
    finite = value[np.isfinite(value)]
    low, width = (float(finite.min()), float(np.ptp(finite)) or 1.0) if len(finite) else (0.0, 1.0)
    scale = pg.ColorMap(np.linspace(0.0, 1.0, len(LOAD_TONES)), [pg.mkColor(c) for c in LOAD_TONES])
    return [
        pg.mkBrush(scale.map((v - low) / width, mode="qcolor")) if np.isfinite(v) else pg.mkBrush(muted)
        for v in value
    ]  # fmt: skip


class _Charted(View):
    """A chart below a row of what can be chosen; whatever is chosen draws it again."""

    def __init__(self, name: str, *rows: QWidget) -> None:
        self._rows = rows
        super().__init__()
        self.chart = Chart(name)
        self.chart.hit.connect(self.run_asked)
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 0)
        for widget in rows:
            row.addWidget(widget)
            if isinstance(widget, QComboBox):
                widget.currentIndexChanged.connect(lambda _: self.draw())
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.chart, 1)

    @guard
    def event(self, event: QEvent) -> bool:
        """Leave the words beside boxes to their tips where the boxes need the room."""
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            needs = sum(one.sizeHint().width() + _GAP for one in self._rows)
            for one in self._rows:
                if isinstance(one, QLabel):
                    one.setVisible(self.width() >= needs)
        return done


class Scatter(_Charted):
    """Draw one column over another, coloured by a third: the response surface of two numbers, or a front."""

    def __init__(self) -> None:
        self.across = chooser(tr("What lies across"))
        self.up = chooser(tr("What stands up"))
        self.tone = chooser(tr("What gives points their colour"))
        words = (tr("Across"), self.across), (tr("Up"), self.up), (tr("Colour"), self.tone)
        rows = [
            one
            for label, box in words
            for one in (with_properties(QLabel(label), objectName="muted"), box)
        ]
        super().__init__(tr("Runs as points"), *rows)

    def draw(self) -> None:
        """Draw the points."""
        seen = self.seen
        if seen is None:
            return
        columns = Columns(seen, self.units)
        x, y = first_axes(columns)
        fill(self.across, columns.names, x)
        fill(self.up, columns.names, y)
        fill(self.tone, (tr("Limits kept"), *columns.names), 0)
        x, y, tone = (
            self.across.currentIndex(), self.up.currentIndex(), self.tone.currentIndex() - 1,
        )  # fmt: skip
        self.chart.begin(self.theme, columns.title(x), columns.title(y))
        good = seen.shown & np.isfinite(columns.values[:, x]) & np.isfinite(columns.values[:, y])
        runs = np.flatnonzero(good)
        front = best(seen)
        if len(front) > 1:
            at = sorted(front, key=lambda n: columns.values[n, x])
            self.chart.line(columns.shown(x)[at], columns.shown(y)[at], self.theme.good, dash=True)
        marked = {*front, self.chosen}
        sizes = [13 if n == self.chosen else 11 if n in marked else 7 for n in runs]
        self.chart.mark(
            columns.shown(x)[runs], columns.shown(y)[runs], runs,
            _brushes(columns, tone, runs, self.theme.accent, self.theme.muted), sizes,
            [about_run(columns, int(n)) for n in runs],
        )  # fmt: skip


class History(_Charted):
    """Draw a response from run to run, and the best so far."""

    def __init__(self) -> None:
        self.up = chooser(tr("What stands up"))
        super().__init__(tr("A number from run to run"), self.up)

    def draw(self) -> None:
        """Draw the way."""
        seen = self.seen
        if seen is None:
            return
        columns = Columns(seen, self.units)
        fill(self.up, columns.names, first_axes(columns)[1])
        n = self.up.currentIndex()
        self.chart.begin(self.theme, tr(_RUN), columns.title(n))
        runs = np.flatnonzero(seen.shown & np.isfinite(columns.values[:, n]))
        value, good = columns.shown(n), keeps_limits(seen)
        goal = self._goal(seen, n - columns.parameters)
        if goal and len(runs):
            ok = np.where(good[runs], value[runs], np.inf * goal)
            so_far = np.minimum.accumulate(ok) if goal > 0 else np.maximum.accumulate(ok)
            so_far = np.where(np.isfinite(so_far), so_far, np.nan)
            self.chart.line(runs, so_far, self.theme.good)
        self.chart.mark(
            runs, value[runs], runs, _brushes(columns, -1, runs, self.theme.accent, self.theme.muted),
            [12 if r == self.chosen else 6 for r in runs], [about_run(columns, int(r)) for r in runs],
        )  # fmt: skip

    @staticmethod
    def _goal(seen: StudyTable, response: int) -> int:
        """Give 1 where a response shall be small, -1 where it shall be large, else 0."""
        if not 0 <= response < len(seen.study.responses):
            return 0
        return {"minimise": 1, "maximise": -1}.get(seen.study.responses[response].goal, 0)


class CorridorOfRuns(_Charted):
    """Draw the corridor of a kept curve over all runs: all, 5 to 95 and 25 to 75 %, and the middle."""

    def __init__(self) -> None:
        self.up = chooser(tr("Curve"))
        super().__init__(tr("Corridor of all curves"), self.up)

    @staticmethod
    def suits(seen: StudyTable) -> bool:
        """Whether curves were kept."""
        return bool(seen.layout.curves) and seen.result is not None

    def draw(self) -> None:
        """Draw the corridor."""
        seen = self.seen
        if seen is None or seen.result is None or not seen.layout.curves:
            return
        fill(self.up, seen.layout.curves, 0)
        n = self.up.currentIndex()
        unit = seen.layout.curve_units[n]
        time, curves = seen.result.curves(seen.layout.curves[n])
        curves = curves[seen.shown & np.isfinite(curves).all(axis=1)]
        self.chart.begin(self.theme, tr("Time (ms)"), f"{self.up.currentText()} ({self.units.name(unit)})")  # fmt: skip
        if not len(curves):
            return
        shown = self.units.shown_all(np.percentile(curves, _PERCENTILES, axis=0), unit)
        for low, high, alpha in ((0, 6, 30), (1, 5, 60), (2, 4, 110)):
            self.chart.band(1e3 * time, shown[low], shown[high], self.theme.accent, alpha)
        self.chart.line(1e3 * time, shown[3], self.theme.text)


Bars = list[tuple[str, float, float, float]]
"""Name, one end, the other end, half the width of the interval."""


def bars_of(seen: StudyTable, response: int) -> tuple[str, Bars]:
    """Say what a response's bars mean, and give them: the longest first."""
    if seen.result is None:
        return "", []
    answers: Mapping[str, Any] = seen.result.answers
    name, label = (
        seen.layout.responses[response],
        seen.titles[len(seen.layout.parameters) + response],
    )
    out: Bars = []
    if "sensitivity" in answers:
        words = tr("{response} at the lower and the upper end of each range", response=label)
        present = float(seen.outputs[0, response])
        for parameter, cell in answers["sensitivity"][name].items():
            runs = cell["runs"]
            ends = runs[2:4] if len(runs) == 4 else runs[:2]
            if len(ends) == 2:
                low, high = (float(seen.outputs[n, response]) - present for n in ends)
                out.append((parameter, low, high, 0.0))
    elif "indices" in answers:
        words = tr("Total share of the variance of {response}", response=label)
        for parameter, one in answers["indices"][name]["parameters"].items():
            out.append((parameter, 0.0, one["total"], one["total_half_width"]))
    elif "screening" in answers:
        words = tr("Mean size of the effects on {response} (mu*)", response=label)
        for parameter, one in answers["screening"][name]["parameters"].items():
            out.append((parameter, 0.0, one["mu_star"], one["mu_star_conf"]))
    else:
        words = tr("Correlation of ranks with {response}", response=label)
        found = answers.get("correlations", {}).get(name, {})
        out = [(p, 0.0, float(r), 0.0) for p, r in found.items() if r is not None]
    titles: dict[str, str] = dict(zip(seen.layout.parameters, seen.titles, strict=False))
    named: Bars = [(titles[p], a, b, w) for p, a, b, w in out if np.isfinite([a, b]).all()]
    return words, sorted(named, key=lambda one: -max(abs(one[1]), abs(one[2])))


class Tornado(_Charted):
    """Draw what decides: a bar for each parameter, the longest on top."""

    def __init__(self) -> None:
        self.response = chooser(tr("Response"))
        self.words = with_properties(QLabel(), objectName="muted")
        super().__init__(tr("What decides"), self.response, self.words)

    @staticmethod
    def suits(seen: StudyTable) -> bool:
        """Whether the answers are there."""
        return bool(seen.layout.responses) and bool(bars_of(seen, 0)[1])

    def draw(self) -> None:
        """Draw the bars."""
        seen = self.seen
        if seen is None or seen.result is None or not seen.layout.responses:
            return
        fill(self.response, seen.titles[len(seen.layout.parameters) :], 0)
        response = self.response.currentIndex()
        words, bars = bars_of(seen, response)
        self.words.setText(words)
        self.chart.begin(self.theme, "", "")
        columns = Columns(seen, self.units)
        n = columns.parameters + response
        scale = (
            float(columns.in_units(1.0, n) - columns.in_units(0.0, n))
            if "sensitivity" in seen.result.answers else 1.0
        )  # fmt: skip
        places = np.arange(len(bars), 0, -1)
        for place, (_, low, high, half) in zip(places, bars, strict=True):
            for end, colour in ((low, LINES[5]), (high, LINES[0])):
                if end:
                    self.chart.addItem(
                        pg.BarGraphItem(x0=min(0.0, scale * end), y=[place], height=0.6, width=abs(scale * end), brush=colour, pen=None)
                    )  # fmt: skip
            if half:
                ends = scale * np.array([high - half, high + half])
                self.chart.line(ends, [place, place], self.theme.text)
        self.chart.getPlotItem().getAxis("left").setTicks(
            [[(int(p), bar[0]) for p, bar in zip(places, bars, strict=True)]]
        )
        self.chart.line([0.0, 0.0], [0.4, len(bars) + 0.6], self.theme.muted, width=1)


_EDGE, _REACH = 90.0, 12.0
"""Room beside the outer axes for their names, and how near to an axis or a line a click must be (px)."""


class _Lines(Chart):
    """Draw each run from axis to axis; a drag along an axis sets its range, a click on it takes it back."""

    def __init__(self, view: Parallel) -> None:
        super().__init__(tr("All numbers of all runs"), view)
        self._view = view
        self.columns: Columns | None = None
        self.ranges: dict[int, tuple[float, float]] = {}
        """Of brushed axes the two ends, from 0 below to 1 on top."""
        self._held: tuple[int, float] | None = None
        self.places: Array = np.zeros((0, 0))
        self.runs: Array = np.zeros(0, int)
        self.setMinimumSize(240, 120)
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)
        self.setMouseEnabled(x=False, y=False)
        self.plotItem.vb.sigResized.connect(lambda _: self.draw())
        for side in ("left", "bottom"):
            self.plotItem.hideAxis(side)

    def take(self, columns: Columns) -> None:
        """Take another table."""
        self.columns = columns
        self.runs = np.flatnonzero(columns.seen.shown)
        value = columns.values[self.runs]
        with np.errstate(all="ignore"):
            low, high = (
                (np.nanmin(value, axis=0), np.nanmax(value, axis=0))
                if len(value) else (np.zeros(value.shape[1]), np.ones(value.shape[1]))
            )  # fmt: skip
            width = np.where(high > low, high - low, 1.0)
            self.places = np.where(high > low, (value - low) / width, 0.5)
        self.ends = np.stack([low, high])
        self.ranges = {n: r for n, r in self.ranges.items() if n < len(columns.names)}

    def brushed(self) -> Array:
        """Tell which of the runs lie in all ranges."""
        out = np.ones(len(self.runs), bool)
        for n, (low, high) in self.ranges.items():
            out &= (self.places[:, n] >= low) & (self.places[:, n] <= high)
        return out

    def pixel(self, axis: float, place: float) -> QPointF:
        """Where a place between axes is seen."""
        return QPointF(self.mapFromScene(self.plotItem.vb.mapViewToScene(QPointF(axis, place))))

    def _place(self, event: QMouseEvent) -> tuple[float, float, int]:
        """The mouse among the axes and from 0 below to 1 on top, and the axis that is near; -1 for none."""
        at = self.plotItem.vb.mapSceneToView(self.mapToScene(event.position().toPoint()))
        n = round(min(max(at.x(), 0.0), self._last))
        near = abs(at.x() - n) <= _REACH * self.plotItem.vb.viewPixelSize()[0]
        return at.x(), min(max(at.y(), 0.0), 1.0), n if near else -1

    def nearest(self, x: float, y: float) -> int:
        """The run whose line is nearest to a place; -1 where none is near."""
        if not len(self.runs):
            return -1
        n = int(np.clip(np.ceil(x) - 1, 0, max(self._last - 1, 0)))
        m = min(n + 1, self._last)
        place = self.places[:, n] + min(max(x - n, 0.0), 1.0) * (self.places[:, m] - self.places[:, n])  # fmt: skip
        off = np.where(self.brushed() & np.isfinite(place), np.abs(place - y), np.inf)
        k = int(np.argmin(off))
        return int(self.runs[k]) if off[k] <= _REACH * self.plotItem.vb.viewPixelSize()[1] else -1

    @guard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a range, or choose a run."""
        x, y, n = self._place(event)
        if n >= 0:
            self._held = n, y
            self.ranges.pop(n, None)
        else:
            self._view.chosen = self.nearest(x, y)
        self._view.tell()

    @guard
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the range larger."""
        if self._held is None:
            return
        (n, first), now = self._held, self._place(event)[1]
        if abs(now - first) > 0.01:
            self.ranges[n] = min(first, now), max(first, now)
        self._view.tell()

    @guard
    def mouseReleaseEvent(self, _: QMouseEvent) -> None:
        """End the range."""
        self._held = None

    @guard
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show a run in the scene."""
        run = self.nearest(*self._place(event)[:2])
        if run >= 0:
            self._view.run_asked.emit(run)

    @property
    def _last(self) -> int:
        return 0 if self.columns is None else len(self.columns.names) - 1

    def draw(self) -> None:
        """Draw what is not brushed faintly, then what is, then axes with their names and ends in the room that there is."""
        columns, theme, box = self.columns, self._view.theme, self.plotItem.vb
        if columns is None:
            return
        self.begin(theme, "", "")
        self.plotItem.showGrid(x=False, y=False)
        letters = QFontMetricsF(QApplication.font())
        foot = letters.height() + 6.0
        high = max(box.height() - 3.0 * foot, 1.0)
        each = max(box.width() - 2.0 * _EDGE, 1.0) / max(self._last, 1)
        self.setRange(
            xRange=(-_EDGE / each, self._last + _EDGE / each), yRange=(-foot / high, 1.0 + 2.0 * foot / high), padding=0.0
        )  # fmt: skip
        brushed, good = self.brushed(), keeps_limits(columns.seen)[self.runs]
        chosen = self.runs == self._view.chosen
        for some, alpha in ((~brushed, 20), (brushed, 150 if len(self.runs) < 400 else 70)):
            for kept, tone in ((~good, theme.muted), (good, theme.accent)):
                self._draw_runs(some & kept & ~chosen, pale(tone, alpha))
        self._draw_runs(chosen, theme.warning, 3.0)
        room = min(max(each - 6.0, 40.0), 2.0 * _EDGE)
        for n in range(self._last + 1):
            self.line([n, n], [0.0, 1.0], theme.text, width=1.4, in_parts=True)
            if n in self.ranges:
                y0, y1 = self.ranges[n]
                self.addItem(pg.BarGraphItem(x=[n], y0=[y0], y1=[y1], width=10.0 / each, brush=pale(theme.accent, 90), pen=None))  # fmt: skip
            name = letters.elidedText(columns.title(n), Qt.TextElideMode.ElideMiddle, room)
            low, top = (columns.written(float(end), n) for end in self.ends[:, n])
            for words, tone, y, lift in (
                (name, theme.text, 1.0, 1.8),
                (top, theme.muted, 1.0, 1.0),
                (low, theme.muted, 0.0, 0.0),
            ):
                text = pg.TextItem(words, color=tone, anchor=(0.5, lift))
                text.setPos(n, y)
                self.addItem(text, ignoreBounds=True)

    def _draw_runs(self, some: Array, colour: str | QColor, width: float = 1.0) -> None:
        """Draw some runs, each through its numbers."""
        if not some.any():
            return
        places = np.pad(self.places[some], ((0, 0), (0, 1)), constant_values=np.nan)
        across = np.broadcast_to(np.arange(places.shape[1]), places.shape)
        # lines by themselves: where many lie over each other it is darker
        self.line(across.ravel(), places.ravel(), colour, width=width, in_parts=True)


class Parallel(View):
    """Show each run as a line through all its numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = _Lines(self)
        self.words = with_properties(QLabel(), objectName="muted")
        self.words.setContentsMargins(8, 0, 8, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.lines, 1)
        layout.addWidget(self.words)

    def draw(self) -> None:
        """Paint the lines."""
        if self.seen is not None:
            self.lines.take(Columns(self.seen, self.units))
            self.tell()

    def tell(self) -> None:
        """Draw the lines, and say how many runs are brushed, and what the chosen one is."""
        lines = self.lines
        lines.draw()
        words = tr("{count} of {all} runs lie in all ranges. Drag along an axis to set one, click it to take it back, double-click a line to see the run.",
                   count=int(lines.brushed().sum()), all=len(lines.runs))  # fmt: skip
        self.words.setText(words)
        if lines.columns is not None and self.chosen >= 0:
            self.lines.setToolTip(about_run(lines.columns, self.chosen))
