"""The plots of the current run: pages that fit most models, and whatever is dragged in."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.look import LIGHT, Theme
from app.plots.curves import CLASSES, Curve, Wanted, curve, measured, spoken_name
from app.plots.measured import Corridor, Measured, kept, rated
from app.plots.picker import Picker
from app.plots.plot import Plot
from app.plots.presets import pages
from app.plots.templates import Page, PlotSpec, Templates
from app.plots.writing import Shown
from app.study.record import RunRecord
from app.study.study import Study
from app.told import told
from solver.injury import Figure
from solver.results import ResultsError
from solver.results.quantities import Quantities, quantities

_LIVE_LOOKS = 5
"""While a run goes on, every so many looks draw the curves anew."""


class PlotsPanel(QWidget):
    """Hold several plots side by side, with one list of quantities for all."""

    save_asked = Signal()
    test_asked = Signal(str)
    template_asked = Signal()

    def __init__(self, study: Study, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.study, self._theme, self.system = study, LIGHT, "metric"
        self.wanted: list[list[Wanted]] = []
        self.templates = Templates()
        self._quantities: Quantities | None = None
        self._of: RunRecord | None = None
        self._looks = 0
        self.picker = Picker()
        self.picker.chosen.connect(lambda name: self.add(name))
        self.picker.across_asked.connect(lambda name: self.set_across(Wanted(name)))
        self.page = QComboBox(toolTip=texts.plots.PAGE_TIP)
        self.page.setAccessibleName(texts.plots.PAGE)
        self.page.activated.connect(lambda _: self.open_page(self.page.currentText()))
        self.filter = QComboBox(toolTip=texts.plots.FILTER_TIP)
        self.filter.setAccessibleName(texts.plots.FILTER)
        for text, value in (
            (texts.plots.OWN_FILTER, None), ("unfiltered", 0), *((f"CFC {c}", c) for c in CLASSES[1:])
        ):  # fmt: skip
            self.filter.addItem(text, value)
        self.filter.activated.connect(lambda _: self._set_filter(self.filter.currentData()))
        self.others = QCheckBox(texts.plots.OTHER_RUNS)
        self.others.setToolTip(texts.plots.OTHER_RUNS_TIP)
        self.others.toggled.connect(lambda _: self.refresh())
        more = QToolButton(text=texts.plots.ADD_PLOT, toolTip=texts.plots.ADD_PLOT_TIP)
        more.clicked.connect(lambda: self.add_plot())
        less = QToolButton(text=texts.plots.CLEAR, toolTip=texts.plots.CLEAR_TIP)
        less.clicked.connect(self.clear_active)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 6, 8, 2)
        bar.setSpacing(8)
        self.across = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.across.setToolTip(texts.plots.ACROSS_TIP)
        self.across.setMenu(QMenu(self.across))
        self.across.menu().aboutToShow.connect(self._list_across)
        tests = QToolButton(text=texts.plots.TEST, toolTip=texts.plots.TEST_TIP)
        tests.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        tests.setMenu(QMenu(tests))
        for text, do in (
            (texts.plots.TEST_CURVE, lambda: self.test_asked.emit("csv")),
            (texts.plots.TEST_CORRIDOR, lambda: self.test_asked.emit("corridor")),
            (texts.plots.TEST_CHANNEL, lambda: self.test_asked.emit("mme")),
            (texts.plots.REMOVE_TESTS, self.clear_measured),
        ):
            tests.menu().addAction(text, do)
        self.tests = tests
        for widget in (self.page, self.filter, self.across, self.others, tests, more, less):
            bar.addWidget(widget)
        save = QToolButton(text=texts.plots.SAVE, toolTip=texts.plots.SAVE_TIP)
        save.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        save.clicked.connect(self.save_asked)
        save.setMenu(QMenu(save))
        save.menu().addAction(texts.plots.KEEP_PAGE, self.template_asked.emit)
        self.forget = save.menu().addAction(texts.plots.FORGET_PAGE, self._forget)
        save.menu().aboutToShow.connect(
            lambda: self.forget.setEnabled(self.page.currentText() in self.templates.all())
        )
        bar.addWidget(save)
        self.hint = QLabel("", objectName="muted")
        self.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        bar.addWidget(self.hint, 1)
        self.row = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.row, 1)
        whole = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        whole.addWidget(self.picker)
        whole.addWidget(right)
        whole.setSizes([230, 1100])
        whole.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(whole)
        self.plots: list[Plot] = []
        self.active: Plot | None = None
        self.add_plot()
        study.run_shown.connect(self._on_run)
        study.player.moved.connect(self._on_moved)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for plot in self.plots:
            plot.set_theme(theme)

    def set_units(self, system: str) -> None:
        """Show all curves in another system of units."""
        self.system = system
        self.refresh()

    def add_plot(self, names: list[str] | None = None) -> Plot:
        """Add a plot on the right."""
        plot = Plot()
        plot.set_theme(self._theme)
        plot.time_asked.connect(self.study.go)
        plot.dropped.connect(lambda dropped: self._drop(plot, dropped))
        plot.touched.connect(lambda: self._activate(plot))
        self.plots.append(plot)
        self.wanted.append([Wanted(name) for name in names or ()])
        self.row.addWidget(plot)
        self._activate(plot)
        return plot

    def open_page(self, title: str) -> None:
        """Show a page of plots in place of what is there."""
        found = self._pages().get(title)
        if found is None:
            return
        measured = [list(plot.measured) for plot in self.plots]
        for plot in self.plots:
            plot.setParent(None)
            plot.deleteLater()
        self.plots, self.wanted, self.active = [], [], None
        for spec in found:
            plot = self.add_plot()
            self.wanted[-1] = list(spec.curves)
            plot.across = spec.across
        if measured and self.plots:
            self.plots[0].measured = [m for one in measured for m in one]
        if self.plots:
            self._activate(self.plots[0])
        self.refresh()

    def specs(self) -> list[PlotSpec]:
        """Say what the plots show, empty ones left out."""
        pairs = zip(self.plots, self.wanted, strict=True)
        return [PlotSpec(tuple(wanted), plot.across) for plot, wanted in pairs if wanted]

    def keep_page(self, title: str) -> None:
        """Keep what the plots show as a template; OSError where it cannot be written."""
        self.templates.keep(title, self.specs())
        self._list_pages()
        self.page.setCurrentText(title)

    def set_across(self, wanted: Wanted | None) -> None:
        """Draw the active plot's curves over another quantity, or over time."""
        if self.active is not None:
            self.active.across = wanted
            self._activate(self.active)
            self.refresh()

    def add_measured(self, test: Measured) -> None:
        """Draw a curve of a test in the active plot, with corridors and rating."""
        plot = self.active or self.add_plot()
        plot.measured.append(test)
        self.refresh()

    def add_corridor(self, corridor: Corridor) -> None:
        """Draw limits in the active plot, and say how well its curve keeps to them."""
        plot = self.active or self.add_plot()
        plot.corridors.append(corridor)
        self.refresh()

    def clear_measured(self) -> None:
        """Take the tests' curves and corridors out of the active plot."""
        if self.active is not None:
            self.active.measured.clear()
            self.active.corridors.clear()
            self.refresh()

    def si_unit(self) -> str:
        """Give the SI unit of the active plot's first curve."""
        number = self.plots.index(self.active) if self.active is not None else -1
        if number >= 0 and self.wanted[number] and self._quantities is not None:
            return self._quantities.about(self.wanted[number][0].name).unit
        return "m/s2"

    def add(self, name: str, plot: Plot | None = None) -> None:
        """Draw one more quantity, in the active plot unless another is given."""
        plot = plot or self.active or self.add_plot()
        wanted = self.wanted[self.plots.index(plot)]
        if name not in [w.name for w in wanted]:
            wanted.append(Wanted(name))
        self._activate(plot)
        self.refresh()

    def show_figure(self, figure: Figure) -> None:
        """Show in the active plot what an injury figure rests on, with its window shaded."""
        plot = self.active or self.add_plot()
        names = self._quantities.infos if self._quantities is not None else ()
        self.wanted[self.plots.index(plot)] = [
            Wanted(name, cfc)
            for text, cfc in zip(figure.channels, figure.filters, strict=False)
            for name in measured(text, names)
        ]
        plot.shade(figure.t1, figure.t2)
        self.refresh()

    def clear_active(self) -> None:
        """Take all curves out of the active plot; the last plot stays."""
        if self.active is None:
            return
        number = self.plots.index(self.active)
        self.wanted[number] = []
        if len(self.plots) > 1:
            plot = self.plots.pop(number)
            self.wanted.pop(number)
            plot.setParent(None)
            plot.deleteLater()
            self._activate(self.plots[0])
        self.refresh()

    def shown(self) -> list[tuple[RunRecord, Wanted]]:
        """List what all plots show, of the current run and of those beside it."""
        record = self.study.runs.current
        if record is None:
            return []
        across = [plot.across for plot in self.plots if plot.across is not None]
        wanted = dict.fromkeys([w for plot in self.wanted for w in plot] + across)
        return [(r, w) for r in (record, *self._others(record)) for w in wanted]

    def drawing(self) -> Shown:
        """Give what a drawing shows: the active plot over its quantity, or all that are over time."""
        record = self.study.runs.current
        if record is None or self.active is None:
            return Shown(())
        over = self.active.across
        pairs = zip(self.plots, self.wanted, strict=True)
        chosen = [
            (p, w) for p, w in pairs if (p.across is None if over is None else p is self.active)
        ]
        wanted = dict.fromkeys(one for _, several in chosen for one in several)
        tests = [] if over else [test for plot, _ in chosen for test in plot.measured]
        runs = (record, *self._others(record))
        return Shown(tuple((r, w) for r in runs for w in wanted), over, tuple(tests))

    def refresh(self) -> None:
        """Fetch and draw all curves again."""
        record = self.study.runs.current
        if self._quantities is None or record is None:
            for plot in self.plots:
                plot.show_curves([])
            return
        refusals: list[str] = []
        others = self._others(record)
        for plot, wanted in zip(self.plots, self.wanted, strict=True):
            curves = self._curves(record, self._quantities, wanted, refusals)
            over = self._over(record, self._quantities, plot.across, refusals)
            ghosts = []
            for other in others:
                if other.trajectory is not None:
                    found = quantities(other.trajectory)
                    across = self._over(other, found, plot.across, [])
                    ghosts += [(c, across) for c in self._curves(other, found, wanted, [])]
            tests = [] if plot.across else [test.curve(self.system) for test in plot.measured]
            limits = [] if plot.across else [one.edges(self.system) for one in plot.corridors]
            ratings = [] if record.is_running else _ratings(curves, tests, limits)
            plot.show_curves(curves, ghosts, over, tests, ratings, limits)
            plot.set_time(self.study.player.time)
        self.hint.setText(refusals[0] if refusals else "")
        self.hint.setToolTip(self.hint.text())

    def _curves(
        self, record: RunRecord, found: Quantities, wanted: list[Wanted], refusals: list[str]
    ) -> list[Curve]:
        out = []
        for one in wanted:
            try:
                out.append(curve(record.project, found, one, self.system))
            except ResultsError as refusal:
                refusals.append(str(refusal))
        return out

    def _over(
        self, record: RunRecord, found: Quantities, across: Wanted | None, refusals: list[str]
    ) -> Curve | None:
        curves = self._curves(record, found, [across], refusals) if across is not None else []
        return curves[0] if curves else None

    def _others(self, record: RunRecord) -> list[RunRecord]:
        """List the runs to draw beside the current one, and all where that is wanted."""
        records = self.study.runs.records if self.others.isChecked() else []
        found = dict.fromkeys([*self.study.beside(record), *records])
        return [r for r in found if r is not record and not r.is_running]

    def _pages(self) -> dict[str, Page]:
        record = self._of
        if record is None or record.trajectory is None or self._quantities is None:
            return {}
        found = pages(self._quantities.infos, record.trajectory.segment_ids)
        made = {
            title: tuple(PlotSpec(tuple(Wanted(name) for name in names)) for names in page)
            for title, page in found.items()
        }
        return {**made, **self.templates.all()}

    def _activate(self, plot: Plot) -> None:
        self.active = plot
        wanted = self.wanted[self.plots.index(plot)]
        self.across.setText(texts.plots.ACROSS.format(what=self._across_words(plot)))
        classes = {w.cfc for w in wanted}
        if len(classes) == 1:
            self.filter.setCurrentIndex(max(0, self.filter.findData(classes.pop())))

    def _across_words(self, plot: Plot) -> str:
        record = self.study.runs.current
        if plot.across is None or record is None:
            return texts.plots.BY_TIME
        return spoken_name(record.project, plot.across.name)

    def _list_across(self) -> None:
        """Offer time, the plot's own curves, and say how to take any other quantity."""
        menu, record = self.across.menu(), self.study.runs.current
        menu.clear()
        menu.addAction(texts.plots.TIME, lambda: self.set_across(None))
        if self.active is None or record is None:
            return
        for wanted in self.wanted[self.plots.index(self.active)]:
            words = spoken_name(record.project, wanted.name)
            menu.addAction(words, lambda wanted=wanted: self.set_across(wanted))
        menu.addSeparator()
        hint = menu.addAction(texts.plots.ANY_OTHER)
        hint.setEnabled(False)

    def _forget(self) -> None:
        try:
            self.templates.drop(self.page.currentText())
        except OSError as failure:
            self.hint.setText(texts.plots.NOT_FORGOTTEN.format(why=failure.strerror))
            return
        self._list_pages()

    def _set_filter(self, cfc: int | None) -> None:
        if self.active is not None:
            number = self.plots.index(self.active)
            self.wanted[number] = [w.filtered(cfc) for w in self.wanted[number]]
            self.refresh()

    def _drop(self, plot: Plot, names: list[str]) -> None:
        for name in names:
            self.add(name, plot)

    def _on_run(self) -> None:
        """Follow the study: another run, or the same one further on."""
        record = self.study.runs.current
        trajectory = None if record is None else record.seen
        if trajectory is None or not len(trajectory.time):
            if record is None:
                self._of = self._quantities = None
                self.refresh()
            return
        assert record is not None
        is_new = record is not self._of
        self._looks += 1
        if not is_new and record.is_running and self._looks % _LIVE_LOOKS:
            return
        self._of, self._quantities = record, quantities(trajectory)
        if is_new:
            self.picker.show_infos(record.project, self._quantities.infos)
            self._list_pages()
        if self.isVisible():
            self.refresh()

    def _list_pages(self) -> None:
        found = self._pages()
        self.page.clear()
        self.page.addItems(list(found))
        if found and not any(self.wanted):
            self.open_page(next(iter(found)))

    def _on_moved(self, t: float) -> None:
        if self.isVisible():
            for plot in self.plots:
                plot.set_time(t)

    @told
    def showEvent(self, _: object) -> None:
        """Draw what came while the panel was hidden."""
        self.refresh()


def _ratings(
    curves: list[Curve], tests: list[Curve], limits: list[tuple[Curve, Curve]]
) -> list[str]:
    """Say how well the first curve of their unit agrees with tests, and keeps to corridors."""
    out = []
    for against in [*tests, *limits]:
        test = against if isinstance(against, Curve) else against[0]
        first = next((one for one in curves if one.unit == test.unit), None)
        if first is None:
            out.append(texts.plots.OTHER_UNIT.format(curve=test.label))
        elif isinstance(against, Curve):
            out.append(
                texts.plots.RATED.format(
                    curve=first.label, test=test.label, how=rated(first, test)[1]
                )
            )
        else:
            out.append(
                texts.plots.KEPT.format(
                    curve=first.label, corridor=test.label, how=kept(first, against)
                )
            )
    return out
