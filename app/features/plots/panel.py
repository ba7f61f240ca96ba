"""The plots of the current run: pages that fit most models, and whatever is dragged in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from app.curves.curves import Corridor, Measured, Wanted, measured
from app.curves.offers import offers
from app.curves.pages import Counterpart, Page, PlotSpec, counterpart, drawn_test
from app.features.plots.bar import Pages, PlotBar, curve_menu, offer_menu
from app.features.plots.formula_dialog import FormulaDialog
from app.features.plots.looks import Fetcher, Looks, across_words, drawn, fill_across, runs_next_to
from app.features.plots.picker import Halves, Picker
from app.features.plots.sheets import PlotRow, Sheets, spec_of
from app.features.plots.writing import PageShown, Shown
from app.guard import guard
from app.look import Theme
from app.rate_limit import RateLimit
from app.run_view.record import RunRecord
from app.run_view.run_view import RunView
from solver.base.words import tr
from solver.injury import Figure
from solver.project import Project
from solver.results.formulas import is_formula
from solver.results.measured import MeasuredChannel, named_test
from solver.results.quantities import Quantities

if TYPE_CHECKING:
    from app.curves.plot import Plot

_IN_A_ROW, _ON_A_PAGE = 3, 4
"""More plots than so many stand in a grid; what a test has more has pages of its own."""
_TITLE_PX = 60
_LIVE_LOOKS, _LINE_MS, _WORDS_MS = 2, 30.0, 100.0
"""While a run goes on, every so many looks draw the curves again; how often the cursor, and the values at it, follow
a run that plays."""


class PlotsPanel(QWidget):
    """Hold several plots side by side, with one list of quantities for all."""

    save_asked = Signal()
    test_asked = Signal(str)
    template_asked = Signal()

    def __init__(self, run_view: RunView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.run_view, self.system = run_view, "metric"
        self._fetcher = Fetcher(run_view.catalogue)
        self._quantities: Quantities | None = None
        self._of: RunRecord | None = None
        self._looks = 0
        self.picker = Picker()
        self.picker.chosen.connect(lambda name: self.add(name))
        self.picker.across_asked.connect(lambda name: self.set_across(Wanted(name)))
        self.bar = PlotBar()
        self.pages = Pages(self.bar, self)
        self.pages.listed.connect(self._on_listed)
        self.page, self.filter, self.others = self.bar.page, self.bar.filter, self.bar.others
        self.across, self.tests, self.hint = self.bar.across, self.bar.tests, self.bar.hint
        for signal, do in (
            (self.bar.page_chosen, self.open_page),
            (self.bar.filter_chosen, self._set_filter),
            (self.bar.others_toggled, self.refresh),
            (self.bar.more_asked, self.add_plot),
            (self.bar.less_asked, self.clear_active),
            (self.bar.test_asked, self.test_asked),
            (self.bar.tests_unwanted, self.clear_measured),
            (self.bar.measured_asked, self.add_from_library),
            (self.bar.save_asked, self.save_asked),
            (self.bar.template_asked, self.template_asked),
            (self.bar.across_opens, self._list_across),
        ):
            signal.connect(do)
        self.row = PlotRow(QWidget(self, visible=False))
        self.looks = Looks(run_view, self.row, self)
        self.sheets = Sheets(self.row)
        self.bar.show_opens.connect(lambda: self.looks.fill(self.bar.show_menu.menu()))
        self.looks.page_asked.connect(lambda: self.sheets.add())
        self.looks.formula_asked.connect(self.calculate)
        self.looks.changed.connect(self.refresh)
        self.sheets.shown.connect(self._on_sheet)
        self.row.time_asked.connect(run_view.go)
        self.row.dropped.connect(lambda plot, names: self._drop(plot, names))
        self.row.curve_asked.connect(self.ask_curve)
        self.row.offered.connect(lambda plot, paths: self.offer(plot, paths))
        self.row.activated.connect(self._show_active)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.sheets)
        column.addWidget(self.bar)
        column.addWidget(self.row, 1)
        self.halves = Halves(self.picker, right)
        # the list is narrow rather than that the bar has a second row
        self.bar.width_wanted.connect(self.halves.lend)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.halves)
        run_view.document.opened.connect(self._on_opened)
        run_view.run_shown.connect(self._on_run)
        run_view.grown.connect(self._on_grown)
        run_view.runs.listed.connect(lambda: self.sheets.forget(run_view.runs.records))
        run_view.player.moved.connect(self._on_moved)
        run_view.player.changed.connect(self._on_held)
        self._lines_pace, self._words_pace = RateLimit(_LINE_MS), RateLimit(_WORDS_MS)

    @property
    def plots(self) -> list[Plot]:
        """The plots from left to right."""
        return self.row.plots

    @property
    def active(self) -> Plot | None:
        """The plot that the bar speaks of."""
        return self.row.active

    @property
    def wanted(self) -> list[list[Wanted]]:
        """Say what is to be drawn, plot by plot."""
        return [plot.wanted for plot in self.plots]

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.row.set_theme(theme)

    def set_units(self, system: str) -> None:
        """Show all curves in another system of units."""
        self.system = system
        self.refresh()

    def add_plot(self) -> Plot:
        """Add an empty plot on the right."""
        return self.row.add()

    def open_page(self, title: str) -> None:
        """Show a page of plots in place of what is there."""
        found = self.pages.page(title)
        if found is None:
            return
        size = _ON_A_PAGE if title in self.pages.tests() else max(len(found), 1)
        first, *more = (found[n : n + size] for n in range(0, len(found), size))
        self._put(title, first)
        here = self.sheets.tabs.currentIndex()
        for n, part in enumerate(more, 2):
            name = f"{title}, {n}"
            self.sheets.come_to(name)
            self._put(name, part)
        self.sheets.tabs.setCurrentIndex(here)

    def _put(self, title: str, page: Page) -> None:
        """Show plots under a title in place of what is there."""
        self.sheets.name(title)
        self._show_title()
        if len(page) > _IN_A_ROW:
            self.row.arrange("grid")
        self.row.open(page)
        self.refresh()

    def specs(self) -> list[PlotSpec]:
        """Say what the plots show, empty ones left out."""
        return self.row.specs()

    def keep_page(self, title: str) -> None:
        """Keep what the plots show as a template; OSError where it cannot be written."""
        self.pages.keep(title, self.specs())

    def set_across(self, wanted: Wanted | None) -> None:
        """Draw the active plot's curves over another quantity, or over time."""
        if self.active is not None:
            self.active.across = wanted
            self._show_active(self.active)
            self.refresh()

    def add_measured(self, test: Measured) -> None:
        """Draw a curve of a test in the active plot, with corridors and rating."""
        self.row.active_or_new().measured.append(test)
        self.refresh()

    @property
    def shown_run(self) -> tuple[Project, Quantities] | None:
        """The project and the quantities of the run that is drawn."""
        return None if self._of is None or self._quantities is None else (self._of.project, self._quantities)  # fmt: skip

    def add_from_library(self, one: MeasuredChannel) -> None:
        """Draw a curve of a test that comes with the program in the active plot; in an empty one with what the run has beside it."""
        plot = self.row.active_or_new()
        beside = self._beside(one, [wanted.name for wanted in plot.wanted])
        if beside is not None and not plot.wanted:
            plot.wanted.append(Wanted(beside.quantity))
        self.add_measured(drawn_test(one, beside))

    def _beside(self, one: MeasuredChannel, drawn: Sequence[str]) -> Counterpart | None:
        """What of the run a curve of a test is held beside, in a plot that shows something of somebody or not."""
        if self._of is None or self._quantities is None:
            return None
        return counterpart(self._of.project, self._quantities.infos, one, self.pages.person, drawn)

    def add_corridor(self, corridor: Corridor) -> None:
        """Draw limits in the active plot, and say how well its curve keeps to them."""
        self.row.active_or_new().corridors.append(corridor)
        self.refresh()

    def clear_measured(self) -> None:
        """Take the tests' curves and corridors out of the active plot."""
        if self.active is not None:
            self.active.measured.clear()
            self.active.corridors.clear()
            self.refresh()

    def si_unit(self) -> str:
        """The SI unit of the active plot's first curve."""
        if self.active is None or not self.active.wanted or self._quantities is None:
            return "m/s2"
        return self._quantities.about(self.active.wanted[0].name).unit

    def add(self, name: str, plot: Plot | None = None) -> None:
        """Draw one more quantity, in the active plot unless another is given."""
        plot = plot or self.row.active_or_new()
        test = named_test(name)
        if test is not None:
            self.row.activate(plot)
            return self.add_from_library(test) if test.column else self.open_page(test.title)
        if name not in [w.name for w in plot.wanted]:
            plot.wanted.append(Wanted(name))
        self.picker.use(name)
        self.row.activate(plot)
        return self.refresh()

    def show_figure(self, figure: Figure) -> None:
        """Show in the active plot what an injury figure rests on, with its window shaded."""
        plot = self.row.active_or_new()
        names = self._quantities.infos if self._quantities is not None else ()
        plot.wanted = [
            Wanted(name, cfc)
            for text, cfc in zip(figure.channels, figure.filters, strict=False)
            for name in measured(text, names)
        ]
        plot.shade(figure.t1, figure.t2)
        self.refresh()

    def clear_active(self) -> None:
        """Take all curves out of the active plot; the last plot stays."""
        self.row.clear_active()
        self.refresh()

    def shown(self) -> list[tuple[RunRecord, Wanted]]:
        """List what all plots show, of the current run and of those beside it."""
        record = self.run_view.runs.current
        if record is None:
            return []
        across = [plot.across for plot in self.plots if plot.across is not None]
        wanted = dict.fromkeys([w for plot in self.wanted for w in plot] + across)
        return [(r, w) for r in (record, *self._others(record)) for w in wanted]

    def drawing(self, spec: PlotSpec | None = None, of: RunRecord | None = None) -> Shown:
        """What a drawing of one plot shows, the active one where none is given, of the current run or another."""
        record = of or self.run_view.runs.current
        if spec is None and self.active is not None:
            spec = spec_of(self.active)
        if record is None or spec is None:
            return Shown(())
        over = spec.across
        curves = tuple((r, w) for r in (record, *self._others(record)) for w in spec.curves)
        tests, limits = ((), ()) if over else (spec.tests, spec.corridors)
        happened = tuple(self.looks.happenings())
        return Shown(curves, over, tests, limits, self.looks.others, happened)

    def drawings(self) -> list[PageShown]:
        """All pages as a drawing shows them."""
        seen = self.sheets.current
        return [
            PageShown(
                sheet.title,
                tuple(self.drawing(spec, sheet.of) for spec in sheet.page),
                columns,
                sheet is seen,
            )
            for sheet, columns in self.sheets.all()
        ]

    def refresh(self) -> None:
        """Fetch and draw all curves again; before the first run those of tests alone."""
        record = self.run_view.runs.current
        if self._quantities is None or record is None:
            for plot in self.plots:
                tests = [test.curve(self.system) for test in plot.measured]
                limits = [one.edges(self.system) for one in plot.corridors]
                plot.show_curves([], tests=tests, limits=limits)
            return
        refusals: list[str] = []
        others = self._others(record)
        shown, quantities, others = drawn(self.run_view, record, self._quantities, others)
        for plot in self.plots:
            found = self._fetcher.fetch(
                shown, quantities, others, plot.wanted, plot.across, plot.measured, plot.corridors,
                self.system, self.looks.others,
            )  # fmt: skip
            plot.show_events(self.looks.happenings())
            plot.put_second(self.looks.second)
            plot.show_curves(
                found.curves, found.ghosts, found.over, found.tests, found.ratings, found.limits,
                1e3 * record.duration_s if record.is_running else None, found.spreads,
                grows=shown.is_running,
            )  # fmt: skip
            plot.share_height(self._heights(plot))
            plot.set_time(self.run_view.player.time)
            refusals += found.refusals
        self.bar.say(refusals[0] if refusals else "")

    def _heights(self, plot: Plot) -> tuple[float, float] | None:
        """Between what the curves of a plot lie on the pages of all runs that have one; None where there is no such page."""
        if self.sheets.current.of is None or plot.across is not None or not plot.curves:
            return None
        ends: list[float] = []
        for run in (one.of for one in self.sheets.sheets if one.of is not None):
            asked = self.run_view.catalogue.of(run)
            if asked is not None:
                found = self._fetcher.curves(run, asked, plot.wanted, self.system)
                same = [one.value for one in found if one.unit == plot.curves[0].unit]
                ends += [float(end) for one in same for end in (np.nanmin(one), np.nanmax(one))]
        return (min(ends), max(ends)) if ends else None

    def _others(self, record: RunRecord) -> list[RunRecord]:
        """List the runs to draw beside the current one, and all where that is wanted."""
        return runs_next_to(self.run_view, record, all_=self.others.isChecked())

    def _show_active(self, plot: Plot) -> None:
        """Say in the bar how the active plot is drawn."""
        self.across.setText(
            tr("Across: {what}", what=across_words(plot, self.run_view.runs.current))
        )
        self.bar.show_filter({w.cfc for w in plot.wanted})

    def _list_across(self) -> None:
        fill_across(self.across.menu(), self.active, self.run_view.runs.current, self.set_across)

    def _set_filter(self, cfc: int | None) -> None:
        if self.active is not None:
            self.active.wanted = [w.filtered(cfc) for w in self.active.wanted]
            self.refresh()

    def offer(self, plot: Plot, paths: Sequence[str]) -> QMenu | None:
        """Offer the quantities of elements that were dropped on a plot; None where they have none."""
        record = self.run_view.runs.current
        infos = self._quantities.infos if self._quantities is not None else {}
        names = [name for path in paths for name in offers(infos, path)]
        if record is None or not names:
            self.bar.say(tr("Results hold nothing of what was dropped."))
            return None
        menu = offer_menu(record.project, names, lambda name: self.add(name, plot), self)
        menu.popup(QCursor.pos())
        return menu

    def ask_curve(self, plot: Plot, wanted: Wanted) -> QMenu:
        """Open the menu of one curve."""

        def changed() -> None:
            self._show_active(plot)
            self.refresh()

        menu = curve_menu(plot, wanted, changed, lambda: self.calculate(wanted), self)
        menu.popup(QCursor.pos())
        return menu

    def calculate(self, wanted: Wanted | None = None) -> FormulaDialog | None:
        """Ask for a formula of the drawn curves, beginning with one of them; nothing without a run."""
        record = self.run_view.runs.current
        found = None if record is None else self.run_view.catalogue.of(record)
        if record is None or found is None:
            self.bar.say(tr("A formula needs the curves of a run."))
            return None
        drawn = dict.fromkeys(one.name for plot in self.plots for one in plot.wanted)
        offered = [name for name in drawn if not is_formula(name)]
        if wanted is not None and is_formula(wanted.name):
            title, _, text = wanted.name.partition("=")
        else:
            title, text = "", "" if wanted is None else f"{{{wanted.name}}}"
        dialog = FormulaDialog(
            self, record.project, found, offered, self.add, self.system, text.strip()
        )
        dialog.title.setText(title.strip())
        dialog.show()
        return dialog

    def _drop(self, plot: Plot, names: list[str]) -> None:
        for name in names:
            self.add(name, plot)

    def _on_run(self) -> None:
        """Follow the study: another run, or the same one further on."""
        record = self.run_view.runs.current
        is_new = record is not self._of
        self._looks += 1
        if record is not None and not is_new and record.is_running and self._looks % _LIVE_LOOKS:
            return
        if record is None:
            self._of = self._quantities = None
            self.pages.fit_none()
            self.picker.clear()
            self.refresh()
            return
        found = self.run_view.catalogue.of(record)
        if found is None:
            return
        self._of, self._quantities = record, found
        self.pages.fit(record.project, record.trajectory, found)
        if is_new:
            # what waits for nobody shall not hold up the window
            self.run_view.turns.add(lambda: self._list(record))
            self.run_view.turns.add(lambda: self._offer_pages(record))
        if self.isVisible():
            self.refresh()

    def _list(self, record: RunRecord) -> None:
        """List the quantities of another run."""
        if record is self._of and self._quantities is not None:
            self.picker.show_infos(record.project, self._quantities.infos)

    def _offer_pages(self, record: RunRecord) -> None:
        """List the pages that fit another run, once there are plots for the first of them, each made in a turn."""
        if record is not self._of:
            return
        first = next(iter(self.pages.all().values()), ()) if not any(self.wanted) else ()
        if self.row.prepare(len(first)):
            self.run_view.turns.add(lambda: self._offer_pages(record))
        else:
            self.pages.list()

    def _on_grown(self) -> None:
        """Draw as much as there is of the run that is coming."""
        if self.isVisible() and self._quantities is not None:
            self.refresh()

    def _on_sheet(self) -> None:
        """Draw another page, of its own run where it has one, and say in the bar which one of those offered it is."""
        self._show_title()
        runs, of = self.run_view.runs, self.sheets.current.of
        if of is not None and of in runs.records and of is not runs.current:
            runs.show(of)
        self.refresh()

    def show_pages_of(self, runs: Sequence[RunRecord]) -> None:
        """Give each of several runs a page of its own, all with the plots that are seen, and with the same axes."""
        page = tuple(self.specs()) or next(iter(self.pages.all().values()), ())
        stands = self.row.stands
        self.sheets.of_runs(page, stands, runs)

    def _show_title(self) -> None:
        title = self.sheets.current.title
        letters = self.page.fontMetrics()
        self.page.setPlaceholderText(
            letters.elidedText(title, Qt.TextElideMode.ElideRight, _TITLE_PX)
        )
        self.page.setCurrentIndex(self.page.findText(title))

    def _on_opened(self) -> None:
        """Leave what was plotted of another project."""
        self.sheets.start_over()
        self.looks.second = None
        self.row.start_over()

    def _on_listed(self) -> None:
        found = self.pages.all()
        if found and not any(self.wanted):
            self.open_page(next(iter(found)))
        self._show_title()

    def _on_moved(self, t: float) -> None:
        """Follow an instant; while a run plays, as often as an eye follows a line and reads a number."""
        plays = self.run_view.player.is_playing
        if not self.isVisible() or (plays and not self._lines_pace.is_due()):
            return
        in_words = not plays or self._words_pace.is_due()
        for plot in self.plots:
            plot.set_time(t, in_words=in_words)

    def _on_held(self) -> None:
        if not self.run_view.player.is_playing:
            self._on_moved(self.run_view.player.time)

    @guard
    def showEvent(self, _: object) -> None:
        """Draw what came while the panel was hidden; the first plot is made when it is first seen."""
        if not self.plots:
            self.add_plot()
        self.refresh()
