"""All views of a study's results, as tabs: those that have nothing to show are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QTabWidget, QVBoxLayout, QWidget

from app.curves.chart import dress, name_axis, pale
from app.features.studies.charts import CorridorOfRuns, History, Parallel, Scatter, Tornado
from app.features.studies.going import StudyTable
from app.features.studies.making import DECIDES
from app.features.studies.tables import Figures, RunTable, Signs, fill_table, plain_table
from app.features.studies.view import Columns, View, keeps_limits
from app.guard import guard
from app.look import LIGHT, Theme
from app.with_properties import with_properties
from solver.base.words import tr


class Results(QWidget):
    """Show a study's table in the view that is in front."""

    run_chosen = Signal(int)
    run_asked = Signal(int)
    pair_asked = Signal(list)
    several_asked = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = with_properties(QTabWidget(), documentMode=True)
        self.tabs.setAccessibleName(tr("Views of the results"))
        self.scatter, self.table = Scatter(), RunTable()
        self.parallel = Parallel()
        self.views: tuple[tuple[str, str, View], ...] = (
            (tr("Answers"), tr("What is known of each response"), Figures()),
            (tr("Fit"), tr("What was found, how sure it is, and what cannot be told apart"), Fitted()),
            (tr("Runs"), tr("Every run with its numbers; a double click shows it"), self.table),
            (tr("Points"), tr("Two numbers over each other, coloured by a third"), self.scatter),
            (tr("What decides"), tr("A bar for each parameter, the longest on top"), Tornado()),
            (tr("Signs"), tr("Which number moves what, and which way"), Signs()),
            (tr("Pairs"), tr("All numbers against each other"), Pairs(self._larger)),
            (tr("Lines"), tr("Each run as a line through all its numbers; ranges are brushed"), self.parallel),
            (tr("History"), tr("A number from run to run, and the best so far"), History()),
            (tr("Corridor"), tr("The curves of all runs"), CorridorOfRuns()),
        )  # fmt: skip
        self.seen: StudyTable | None = None
        self._old: set[View] = set()
        self._theme, self._system = LIGHT, "metric"
        for title, tip, view in self.views:
            self.tabs.setTabToolTip(self.tabs.addTab(view, title), tip)
            view.run_asked.connect(self.run_asked)
            view.pair_asked.connect(self.pair_asked)
            view.several_asked.connect(self.several_asked)
        self.table.table.selectionModel().selectionChanged.connect(
            lambda *_: self._choose(self.table.current())
        )
        self.tabs.currentChanged.connect(lambda _: self._draw())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)

    def show_seen(self, seen: StudyTable) -> None:
        """Show another table, or the same one further on."""
        self.seen = seen
        for n, (_, _, view) in enumerate(self.views):
            suits = view.suits(seen)
            if suits != self.tabs.isTabVisible(n):
                self.tabs.setTabVisible(n, suits)
        self._old = {view for _, _, view in self.views}
        self._draw()

    def show_first(self) -> None:
        """Bring the view to the front that tells most of a study that has ended."""
        seen = self.seen
        if seen is None or seen.result is None:
            return
        titles = {view: n for n, (_, _, view) in enumerate(self.views)}
        wanted = {"local": Signs, "morris": Tornado, "sobol": Tornado, "optimum": Scatter, "grid": Scatter, "fit": Fitted}  # fmt: skip
        kind = wanted.get(seen.study.kind, Figures)
        if seen.study.id.startswith(DECIDES):
            kind = Tornado
        self.tabs.setCurrentIndex(next(n for view, n in titles.items() if isinstance(view, kind)))

    def choose(self, run: int) -> None:
        """Mark a run in all views."""
        for _, _, view in self.views:
            view.chosen = run
        self._old = {view for _, _, view in self.views}
        if not isinstance(self.tabs.currentWidget(), RunTable):
            self._draw()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for _, _, view in self.views:
            view.theme = theme
        self._again()

    def set_units(self, system: str) -> None:
        """Write numbers in other units."""
        for _, _, view in self.views:
            view.set_units(system)
        self._again()

    @guard
    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while nobody looked."""
        super().showEvent(event)
        self._draw()

    def _again(self) -> None:
        self._old = {view for _, _, view in self.views}
        self._draw()

    def _draw(self) -> None:
        """Draw the view in front, where it is old."""
        view = self.tabs.currentWidget()
        if self.seen is None or not self.isVisible() or not isinstance(view, View):
            return
        if view in self._old:
            self._old.discard(view)
            view.show_seen(self.seen)

    def _choose(self, run: int) -> None:
        if run >= 0:
            self.run_chosen.emit(run)

    def _larger(self, across: int, up: int) -> None:
        self.tabs.setCurrentWidget(self.scatter)
        self.scatter.across.setCurrentIndex(across)
        self.scatter.up.setCurrentIndex(up)


class Fitted(View):
    """Show the numbers of a fit, with sentences above them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.apart = with_properties(QLabel(), objectName="remark", wordWrap=True)
        self.words = with_properties(QLabel(), objectName="muted", wordWrap=True)
        for label in (self.apart, self.words):
            label.setContentsMargins(8, 4, 8, 2)
        self.table = plain_table(tr("What was fitted"))
        self.curves = plain_table(tr("How well the curves agree"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.apart)
        layout.addWidget(self.words)
        layout.addWidget(self.table, 3)
        layout.addWidget(self.curves, 2)

    @staticmethod
    def suits(seen: StudyTable) -> bool:
        """Whether something was fitted."""
        return seen.result is not None and "fit" in seen.result.answers

    def draw(self) -> None:
        """Write sentences and tables."""
        seen = self.seen
        if seen is None or seen.result is None:
            return
        from solver.studies.printed import left_over, not_told_apart

        part, columns = seen.result.answers["fit"], Columns(seen, self.units)
        apart = [str(not_told_apart(one)) for one in part.get("not_told_apart", ())]
        self.apart.setText("\n".join(apart))
        self.apart.setVisible(bool(apart))
        self.words.setText(" ".join(_fit_lines(part)))
        heads = [tr("Parameter"), tr("Value"), tr("Standard error"), tr("Test"), ""]
        rows = [_row(name, one, part, columns) for name, one in part["unknowns"].items()]
        fill_table(self.table, heads, rows)
        heads = [tr("Test"), tr("Curve"), tr("Left over")]
        rows = [[t["test"], t["quantity"], str(left_over(t))] for t in part["targets"]]
        fill_table(self.curves, heads, rows)


def _fit_lines(part: Mapping[str, Any]) -> Iterator[str]:
    if part["misfit"] is not None:
        yield tr("What is left of all targets is {misfit:.3g} of their peaks and half corridors.", misfit=part["misfit"])  # fmt: skip
    if part["ended"] == "most_runs":
        yield tr("It ended at the most runs that it may have; the fit may not be the best.")


def _row(name: str, one: Mapping[str, Any], part: Mapping[str, Any], columns: Columns) -> list[str]:
    n = list(columns.seen.layout.parameters).index(one["parameter"])
    wide = part.get("deviations", {}).get(name)
    unsure = tr("not determined")
    if wide is not None:
        unsure = f"{float(columns.in_units(wide, n) - columns.in_units(0.0, n)):.2g}"
    end = tr("at the end of its range") if one["at_end"] else ""
    return [columns.title(n), columns.written(one["value"], n), unsure, one["test"] or tr("all"), end]  # fmt: skip


MOST = 7
"""So many columns are shown beside each other; of more, the first parameters and the responses."""
_BINS = 12
_LETTER_PX = 8
"""What a letter of a label takes, about."""


class _Board(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph carries no types
    """The pictures; a click asks for a large one."""

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
        good = keeps_limits(seen)
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
        width = float(edges[1] - edges[0])
        plot.addItem(pg.BarGraphItem(x=0.5 * (edges[1:] + edges[:-1]), height=count, width=width, brush=pale(self.theme.accent, 120), pen=pg.mkPen(self.theme.panel, style=Qt.PenStyle.SolidLine)))  # fmt: skip


def _short(text: str, letters: int) -> str:
    """Leave what has room beside a small picture."""
    if len(text) <= letters:
        return text
    last = text.split(" › ")[-1]
    return last if len(last) <= letters else f"{last[: max(letters - 1, 1)]}…"
