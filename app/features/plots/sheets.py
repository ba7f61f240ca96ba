"""The plots of a page side by side, below each other or in a grid, and several pages as tabs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QTabBar, QToolButton, QWidget

from app.curves.curves import Wanted
from app.curves.pages import Page, PlotSpec
from app.guard import guard
from app.look import LIGHT, Theme
from app.run_view.record import RunRecord
from app.with_properties import with_properties
from solver.base.words import tr

if TYPE_CHECKING:
    from app.curves.plot import Plot
Arrangement = Literal["beside", "below", "grid"]


_LETTERS = 28
"""As many letters has the title on a tab at most."""


class PlotRow(QSplitter):
    """Add, open and clear plots; each holds what is wanted of it."""

    time_asked = Signal(float)
    second_asked = Signal(float)
    dropped = Signal(object, object)
    """A plot, and the names of quantities that were dropped on it."""
    curve_asked = Signal(object, object)
    """A plot, and what one of its curves shows, whose name was clicked."""
    offered = Signal(object, object)
    """A plot, and the paths of elements that were dropped on it."""
    activated = Signal(object)

    def __init__(self, holder: QWidget) -> None:
        """Make an empty row; `holder` is a hidden widget for plots that are not needed just now."""
        super().__init__(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._theme = LIGHT
        self.plots: list[Plot] = []
        self.active: Plot | None = None
        self.stands: Arrangement = "beside"
        self._holder = holder
        self._spare: list[Plot] = []
        """Plots that were taken away, for the next ones: to make one takes longer than to draw it."""
        self._lines: list[QSplitter] = []
        """The lines of plots, from the top down."""

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for plot in (*self.plots, *self._spare):
            plot.set_theme(theme)

    def add(self, wanted: Sequence[Wanted] = ()) -> Plot:
        """Add a plot behind the others, and make it the active one."""
        plot = self._spare.pop() if self._spare else self._made()
        plot.wanted = list(wanted)
        self.plots.append(plot)
        self._lay()
        # only now: without a place it would be a window of its own
        plot.setVisible(True)
        self.activate(plot)
        return plot

    def prepare(self, count: int) -> bool:
        """Make one of so many plots before they are added; tells whether one was missing."""
        missing = len(self.plots) + len(self._spare) < count
        if missing:
            self._spare.append(self._made())
            self._spare[-1].setParent(self._holder)
        return missing

    def _made(self) -> Plot:
        from app.curves.plot import Plot

        plot = Plot()
        plot.set_theme(self._theme)
        plot.time_asked.connect(self.time_asked)
        plot.second_asked.connect(self.second_asked)
        plot.dropped.connect(lambda names: self.dropped.emit(plot, names))
        plot.offered.connect(lambda paths: self.offered.emit(plot, paths))
        plot.curve_asked.connect(lambda wanted: self.curve_asked.emit(plot, wanted))
        plot.touched.connect(lambda: self.activate(plot))
        return plot

    def arrange(self, how: Arrangement) -> None:
        """Let the plots stand otherwise."""
        if how != self.stands:
            self.stands = how
            self._lay()

    @property
    def columns(self) -> int:
        """How many plots stand side by side."""
        return columns_of(self.stands, len(self.plots))

    def _lay(self) -> None:
        """Put the plots into lines of as many columns as there shall be."""
        columns = self.columns
        count = math.ceil(len(self.plots) / columns)
        while len(self._lines) < count:
            line = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
            self._lines.append(line)
            self.addWidget(line)
        for n, plot in enumerate(self.plots):
            self._lines[n // columns].insertWidget(n % columns, plot)
            plot.set_lowest(n + columns >= len(self.plots))
        for line in self._lines[count:]:
            line.setParent(None)
            line.deleteLater()
        del self._lines[count:]
        for line in self._lines:
            line.setSizes([1000] * line.count())
        self.setSizes([1000] * count)

    def activate(self, plot: Plot) -> None:
        """Choose the plot that the bar speaks of."""
        self.active = plot
        self.activated.emit(plot)

    def active_or_new(self) -> Plot:
        """The active plot, a new one where there is none."""
        return self.active or self.add()

    def open(self, page: Page) -> None:
        """Show a page in place of what is there; tests stay unless the page has some of its own."""
        tests = [test for plot in self.plots for test in plot.measured]
        corridors = [one for plot in self.plots for one in plot.corridors]
        self.empty()
        for spec in page:
            plot = self.add(spec.curves)
            plot.across = spec.across
            plot.measured, plot.corridors = list(spec.tests), list(spec.corridors)
        if self.plots:
            if not any(spec.tests or spec.corridors for spec in page):
                self.plots[0].measured, self.plots[0].corridors = tests, corridors
            self.activate(self.plots[0])

    def split_active(self) -> None:
        """Give each curve of the active plot a plot of its own, over the same axis."""
        plot = self.active
        if plot is None or len(plot.wanted) < 2:
            return
        at, others = self.plots.index(plot), plot.wanted[1:]
        plot.wanted = plot.wanted[:1]
        for n, wanted in enumerate(others, at + 1):
            made = self.add([wanted])
            made.across = plot.across
            self.plots.insert(n, self.plots.pop())
        self._lay()
        self.activate(plot)

    def empty(self) -> None:
        """Take all plots away."""
        for plot in self.plots:
            self._put_away(plot)
        self.plots, self.active = [], None
        self._lay()

    def start_over(self) -> None:
        """Leave one plot, with nothing in it."""
        others, self.plots = self.plots[1:], self.plots[:1]
        for plot in others:
            self._put_away(plot)
        if not self.plots:
            return
        self.plots[0].empty_out()
        if others:
            self._lay()
        self.activate(self.plots[0])

    def _put_away(self, plot: Plot) -> None:
        plot.empty_out()
        plot.hide()
        plot.setParent(self._holder)
        self._spare.append(plot)

    def clear_active(self) -> None:
        """Take all curves out of the active plot; the last plot stays."""
        plot = self.active
        if plot is None:
            return
        plot.wanted = []
        if len(self.plots) > 1:
            self.plots.remove(plot)
            self._put_away(plot)
            self._lay()
            self.activate(self.plots[0])

    def specs(self) -> list[PlotSpec]:
        """Say what the plots show, empty ones left out."""
        return [spec_of(p) for p in self.plots if p.wanted or p.measured or p.corridors]


def spec_of(plot: Plot) -> PlotSpec:
    """Say what a plot shows."""
    return PlotSpec(tuple(plot.wanted), plot.across, tuple(plot.measured), tuple(plot.corridors))


def columns_of(stands: Arrangement, count: int) -> int:
    """How many of some plots stand side by side."""
    if stands == "grid":
        return max(1, math.ceil(math.sqrt(count)))
    return 1 if stands == "below" else max(1, count)


@dataclass(slots=True)
class Sheet:
    """A page while another one is seen."""

    title: str
    page: Page = ()
    stands: Arrangement = "beside"
    of: RunRecord | None = None
    """The run that it shows; None for the one that is shown elsewhere."""


class Sheets(QWidget):
    """Show tabs, and a button for one more; with one page alone nothing is seen.

    `shown` tells that the plots are those of another page.
    """

    shown = Signal()

    def __init__(self, row: PlotRow) -> None:
        super().__init__()
        self._plots = row
        self.tabs = with_properties(QTabBar(), tabsClosable=True, expanding=False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setAccessibleName(tr("Pages of plots"))
        self.tabs.setToolTip(tr("Pages of plots; a double click renames one"))
        self.more = with_properties(QToolButton(), text="+", toolTip=tr("Another page of plots"))
        self.more.setAccessibleName(tr("Another page of plots"))
        self.more.clicked.connect(lambda: self.add())
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 2, 8, 0)
        line.setSpacing(2)
        line.addWidget(self.tabs)
        line.addWidget(self.more)
        line.addStretch(1)
        self.sheets: list[Sheet] = [Sheet(tr("Page {n}", n=1))]
        self._now = self.sheets[0]
        self._count = 1
        self.tabs.addTab(self._now.title)
        self.tabs.currentChanged.connect(self._on_changed)
        self.tabs.tabCloseRequested.connect(self.close_sheet)
        self.tabs.tabBarDoubleClicked.connect(self.rename)
        self._name: QLineEdit | None = None
        self._see()

    @property
    def current(self) -> Sheet:
        """The page that is seen."""
        return self._now

    def add(self, title: str = "") -> Sheet:
        """Add an empty page, and show it."""
        self._count += 1
        sheet = Sheet(title or tr("Page {n}", n=self._count))
        self.sheets.append(sheet)
        self.tabs.addTab("")
        self._say(len(self.sheets) - 1)
        self._see()
        self.tabs.setCurrentIndex(len(self.sheets) - 1)
        return sheet

    def of_runs(self, page: Page, stands: Arrangement, runs: Sequence[RunRecord]) -> None:
        """Give each of several runs the same page, beside those that there are; older ones of these runs go."""
        gone = [n for n, one in enumerate(self.sheets) if one.of is not None and one.of in runs]
        for n in reversed(gone):
            self.close_sheet(n)
        for run in runs:
            self.sheets.append(Sheet(run.name, page, stands, run))
            self.tabs.addTab("")
            self._say(len(self.sheets) - 1)
        self._see()
        self.tabs.setCurrentIndex(len(self.sheets) - len(runs))

    def forget(self, runs: Sequence[RunRecord]) -> None:
        """Let pages go on without the runs that are no longer among these."""
        for one in self.sheets:
            one.of = one.of if one.of in runs else None

    def come_to(self, title: str) -> None:
        """Show the page of a title, a new one where there is none."""
        titles = [one.title for one in self.sheets]
        if title in titles:
            self.tabs.setCurrentIndex(titles.index(title))
        else:
            self.add(title)

    def close_sheet(self, at: int) -> None:
        """Close a page; the last one stays."""
        if len(self.sheets) < 2 or not 0 <= at < len(self.sheets):
            return
        # what is left is not kept: it is gone
        del self.sheets[at]
        self.tabs.removeTab(at)
        self._see()

    def all(self) -> list[tuple[Sheet, int]]:
        """All pages as they are now, each with its columns."""
        self._keep()
        return [(one, columns_of(one.stands, len(one.page))) for one in self.sheets]

    def go(self, way: int) -> None:
        """Show the next page, or the one before; behind the last comes the first."""
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + way) % len(self.sheets))

    def name(self, title: str) -> None:
        """Call the page that is seen otherwise."""
        self._now.title = title
        self._say(self.sheets.index(self._now))

    def _say(self, at: int) -> None:
        """Write the title of a page, a long one cut; its tip has all of it."""
        title, letters = self.sheets[at].title, self.tabs.fontMetrics()
        room = _LETTERS * letters.averageCharWidth()
        self.tabs.setTabText(at, letters.elidedText(title, Qt.TextElideMode.ElideMiddle, room))
        self.tabs.setTabToolTip(at, "" if self.tabs.tabText(at) == title else title)

    def start_over(self) -> None:
        """Leave all pages but one, which is empty: another project was opened."""
        while len(self.sheets) > 1:
            self.close_sheet(len(self.sheets) - 1)
        self._count, self._now.of = 1, None
        self._plots.arrange("beside")
        self.name(tr("Page {n}", n=1))

    def rename(self, at: int) -> None:
        """Let people write another title into a tab."""
        if not 0 <= at < len(self.sheets):
            return
        self.tabs.setCurrentIndex(at)
        field = self._name = QLineEdit(self._now.title, self.tabs)
        field.setAccessibleName(tr("Title of the page"))
        field.setGeometry(self.tabs.tabRect(at))
        field.selectAll()
        field.editingFinished.connect(self._on_named)
        field.installEventFilter(self)
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the old title by Esc."""
        is_esc = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if watched is self._name and is_esc:
            if event.type() == QEvent.Type.KeyPress:
                self._end_naming()
            return True
        return False

    def _on_named(self) -> None:
        if self._name is not None:
            title = self._name.text().strip()
            self._end_naming()
            if title:
                self.name(title)

    def _end_naming(self) -> None:
        field, self._name = self._name, None
        if field is not None:
            field.hide()
            field.deleteLater()

    def _on_changed(self, at: int) -> None:
        if not 0 <= at < len(self.sheets) or self.sheets[at] is self._now:
            return
        self._end_naming()
        plots = self._plots
        self._keep()
        self._now = self.sheets[at]
        plots.empty()
        plots.arrange(self._now.stands)
        plots.open(self._now.page)
        if not plots.plots:
            plots.add()
        self.shown.emit()

    def _keep(self) -> None:
        """Keep what the page that is seen shows."""
        self._now.page, self._now.stands = tuple(self._plots.specs()), self._plots.stands

    def _see(self) -> None:
        for at in range(self.tabs.count()):
            button = self.tabs.tabButton(at, QTabBar.ButtonPosition.RightSide)
            if button is not None:
                button.setAccessibleName(tr("Close this page"))
                button.setToolTip(tr("Close this page"))
        self.setVisible(len(self.sheets) > 1)
