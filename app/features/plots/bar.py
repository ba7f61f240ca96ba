"""The bar above the plots: page, filter, what lies across, other runs, tests, saving; and what can be done with one curve."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from operator import is_not
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.curves.curves import CLASSES, Wanted
from app.curves.pages import Page, PlotSpec, pages, pages_of_tests, person_names
from app.features.plots.templates import Templates
from app.fonts import Shortened
from app.forms.choices import Choice
from app.guard import guard
from app.with_properties import with_properties
from solver.base.words import tr
from solver.project import Project
from solver.results import Trajectory
from solver.results.measured import measured_channels
from solver.results.names import quantity_label
from solver.results.quantities import Quantities

if TYPE_CHECKING:
    from app.curves.plot import Plot
_LEAST_PX = 90
"""So wide is the list of pages at least."""


class PlotBar(QWidget):
    """Say by signals what people want; `across_opens` asks to fill the menu of what lies across."""

    page_chosen = Signal(str)
    filter_chosen = Signal(object)
    others_toggled = Signal()
    more_asked = Signal()
    less_asked = Signal()
    test_asked = Signal(str)
    tests_unwanted = Signal()
    measured_asked = Signal(object)
    """A curve of a test that comes with the program is wanted."""
    person_chosen = Signal(int)
    """Tests are to be held beside another person of the run."""
    save_asked = Signal()
    template_asked = Signal()
    forget_asked = Signal()
    across_opens = Signal()
    show_opens = Signal()
    save_opens = Signal()
    width_wanted = Signal(int)
    """So much (px) would let all stand in one row."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Choice()
        self.page.setToolTip(tr("Pages of plots that fit this model"))
        self.page.setAccessibleName(tr("Page of plots"))
        self.page.activated.connect(lambda _: self.page_chosen.emit(self.page.currentText()))
        self.filter = Choice()
        self.filter.setToolTip(tr("Filter of the active plot's curves (SAE J211)"))
        self.filter.setAccessibleName(tr("Filter class"))
        self.filter.setPlaceholderText("several")
        for text, value in filters():
            self.filter.addItem(text, value)
        self.filter.activated.connect(lambda _: self.filter_chosen.emit(self.filter.currentData()))
        for box in (self.page, self.filter):
            box.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(_LEAST_PX)
        self.others = QCheckBox(tr("other runs"))
        self.others.setToolTip(tr("Draw the same curves of the other runs, dashed"))
        self.others.toggled.connect(lambda _: self.others_toggled.emit())
        self.across = _menu_button("", tr("What lies across in the active plot"))
        self.across.menu().aboutToShow.connect(self.across_opens)
        self.show_menu = _menu_button(
            tr("Show"), tr("What happened, a second cursor, other runs as a band, how plots stand")
        )
        self.show_menu.menu().aboutToShow.connect(self.show_opens)
        self.tests = _menu_button(tr("Test"), tr("Curves of tests in the active plot"))
        self.library = self.tests.menu().addMenu(tr("From the library"))
        for text, kind in (
            (tr("Curve from a table (CSV)…"), "csv"),
            (tr("Tolerance corridor from a table (CSV)…"), "corridor"),
            (tr("Channels of a test (ISO-MME, NHTSA, C3D, OpenSim, ATB)…"), "measured"),
            (tr("Channels of a test in a folder (ISO-MME, NHTSA)…"), "folder"),
        ):
            self.tests.menu().addAction(text, partial(self.test_asked.emit, kind))
        self.tests.menu().addAction(
            tr("Remove the tests' curves and corridors"), self.tests_unwanted.emit
        )
        more = with_properties(QToolButton(), text=tr("+ Plot"), toolTip=tr("Add an empty plot"))
        more.clicked.connect(lambda: self.more_asked.emit())
        less = with_properties(
            QToolButton(), text=tr("Clear"), toolTip=tr("Remove the curves of the active plot")
        )
        less.clicked.connect(lambda: self.less_asked.emit())
        save = _menu_button(tr("Save…"), tr("Save the curves as a picture or as numbers"))
        save.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        save.clicked.connect(lambda: self.save_asked.emit())
        save.menu().addAction(tr("Keep this page as a template…"), self.template_asked.emit)
        self.forget = save.menu().addAction(tr("Forget this template"), self.forget_asked.emit)
        save.menu().aboutToShow.connect(self.save_opens)
        self.hint = Shortened()
        self._tools = _in_a_row(
            self.across, self.others, self.show_menu, self.tests, more, less, save
        )
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        for widget in (self.page, self.filter, self._tools):
            self._first.addWidget(widget)
        self._first.addWidget(self.hint, 1)
        self._second.addStretch(1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(8, 6, 8, 2)
        for row in (self._first, self._second):
            row.setSpacing(6)
            rows.addLayout(row)
        rows.setSpacing(0)

    @guard
    def minimumSizeHint(self) -> QSize:
        """The width of the longer of two rows, and the height of those that there are."""
        width = max(2 * _LEAST_PX + 6, self._tools.sizeHint().width()) + 16
        return QSize(width, super().minimumSizeHint().height())

    @guard
    def event(self, event: QEvent) -> bool:
        """Let the buttons have a row of their own where all do not fit into one."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            boxes = (self.page, self.filter, self._tools)
            needed = sum(one.sizeHint().width() + 6 for one in boxes) + 16
            if self.width() < needed:
                self.width_wanted.emit(needed)
            self._put_tools(self._first if self.width() >= needed else self._second)
        return super().event(event)

    def list_library(self, beside: Collection[str], people: Sequence[str], person: int) -> None:
        """Offer the curves of tests that come with the program, by test; and those of `beside` as a page beside the run. Of several people one is chosen."""
        self.library.clear()
        for n, name in enumerate(people if len(people) > 1 else ()):
            one_of = self.library.addAction(tr("Beside {name}", name=name))
            one_of.setCheckable(True)
            one_of.setChecked(n == person)
            one_of.triggered.connect(partial(self._ask_person, n))
        self.library.addSeparator()
        menus = dict[str, QMenu]()
        for one in measured_channels():
            if one.title not in menus:
                menu = menus[one.title] = self.library.addMenu(one.title)
                whole = menu.addAction(tr("All beside the run"))
                whole.triggered.connect(partial(self._ask_page, one.title))
                whole.setEnabled(one.title in beside)
                menu.addSeparator()
            menus[one.title].addAction(one.name, partial(self.measured_asked.emit, one))

    def _ask_person(self, number: int, _: bool = False) -> None:
        self.person_chosen.emit(number)

    def _ask_page(self, title: str, _: bool = False) -> None:
        self.page_chosen.emit(title)

    def _put_tools(self, row: QHBoxLayout) -> None:
        if row.indexOf(self._tools) < 0:
            is_first = row is self._first
            row.insertWidget(2 if is_first else 0, self._tools)
            self._second.setContentsMargins(0, 0 if is_first else 4, 0, 0)

    def say(self, sentence: str) -> None:
        """Say something at the right; the whole of it in its tip."""
        self.hint.say(sentence)

    def show_filter(self, classes: set[int | None]) -> None:
        """Show the filter class that all curves of the active plot have, if they have one."""
        if len(classes) == 1:
            self.filter.setCurrentIndex(max(0, self.filter.findData(next(iter(classes)))))
        elif classes:
            self.filter.setCurrentIndex(-1)


def _in_a_row(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    for widget in widgets:
        row.addWidget(widget)
    return holder


def _menu_button(text: str, tip: str) -> QToolButton:
    button = with_properties(QToolButton(), text=text, toolTip=tip)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(QMenu(button))
    return button


def filters() -> list[tuple[str, int | None]]:
    """List the filter classes by their words."""
    named = [(tr(texts.words.CFC, cfc=c), c) for c in CLASSES[1:]]
    return [(tr("own filter"), None), (tr("unfiltered"), 0), *named]


def curve_menu(
    plot: Plot,
    wanted: Wanted,
    changed: Callable[[], None],
    calculate: Callable[[], object],
    parent: QWidget,
) -> QMenu:
    """Make the menu of one curve; `changed` is told when the plot is to be drawn again, `calculate` asks for a formula."""

    def swap(other: Wanted | None) -> None:
        plot.wanted = [w for w in plot.wanted if w != other or w == wanted]
        at = plot.wanted.index(wanted)
        plot.wanted[at : at + 1] = [other] if other is not None else []
        changed()

    def join(other: Wanted) -> None:
        plot.wanted.insert(plot.wanted.index(wanted) + 1, other)
        changed()

    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    also = QMenu(tr("Draw it also"), menu)
    for words, cfc in filters():
        other = wanted.filtered(cfc)
        action = QAction(words, menu, checkable=True, checked=cfc == wanted.cfc)
        action.triggered.connect(lambda _=False, other=other: swap(other))
        menu.addAction(action)
        if other not in plot.wanted:
            also.addAction(words, partial(join, other))
    menu.addSeparator()
    menu.addMenu(also)
    menu.addAction(tr("Calculate with it…"), calculate)
    menu.addAction(tr("Take it out"), lambda: swap(None))
    return menu


def offer_menu(
    project: Project, names: Sequence[str], draw: Callable[[str], object], parent: QWidget
) -> QMenu:
    """Make the menu of the quantities of what was dropped on a plot."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for name in names:
        menu.addAction(quantity_label(project, name), partial(draw, name))
    return menu


class Pages(QObject):
    """List pages in the bar, keep them and forget them; `listed` tells that the list is new."""

    listed = Signal()

    def __init__(self, bar: PlotBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bar, self._templates = bar, Templates()
        self._fits: tuple[Project, Trajectory, Quantities] | None = None
        self._made: dict[str, Page] = {}
        self._beside: dict[str, Page] | None = None
        self.person = 0
        """The number of whom tests are held beside."""
        bar.person_chosen.connect(self.choose)
        bar.library.aboutToShow.connect(self._offer_tests)
        bar.forget_asked.connect(self._forget)
        bar.save_opens.connect(self._show_forget)

    def fit(self, project: Project, run: Trajectory | None, quantities: Quantities) -> None:
        """Offer from now on what fits a run of a project."""
        fits = None if run is None else (project, run, quantities)
        if fits is None or self._fits is None or any(map(is_not, fits, self._fits)):
            self._made, self._beside = {}, None
        self._fits = fits
        if self.person >= len(self.people()):
            self.person = 0

    def fit_none(self) -> None:
        """Offer what people have kept, and nothing else: there is no run."""
        self._fits = None
        self.list()

    def all(self) -> dict[str, Page]:
        """The pages by title."""
        if self._fits is None:
            return {}
        if not self._made:
            project, run, quantities = self._fits
            self._made = pages(project, quantities.infos, run.segment_ids)
        return {**self._made, **self._templates.all()}

    def page(self, title: str) -> Page | None:
        """A page by its title, be it one of those offered or that of a test."""
        return self.all().get(title) or self.tests().get(title)

    def tests(self) -> dict[str, Page]:
        """The pages of tests beside the run, by what tests are called."""
        if self._fits is None:
            return {}
        if self._beside is None:
            project, _, quantities = self._fits
            self._beside = pages_of_tests(project, quantities.infos, self.person)
        return self._beside

    def people(self) -> list[str]:
        """What the people of the run are called."""
        return [] if self._fits is None else person_names(self._fits[0])

    def choose(self, person: int) -> None:
        """Hold tests beside another person from now on, by number."""
        self.person, self._beside = person, None
        self._bar.say(tr("Tests are held beside {name} now.", name=self.people()[person]))

    def choose_next(self) -> None:
        """Hold tests beside the next person from now on; behind the last comes the first."""
        there = len(self.people())
        if there > 1:
            self.choose((self.person + 1) % there)
        else:
            self._bar.say(
                tr("The run that is shown has no second person whom tests could be held beside.")
            )

    def keep(self, title: str, page: Sequence[PlotSpec]) -> None:
        """Keep a page under a title; OSError where it cannot be written."""
        self._templates.keep(title, page)
        self.list()
        self._bar.page.setCurrentText(title)

    def list(self) -> None:
        """Write the titles into the bar."""
        self._bar.page.clear()
        self._bar.page.addItems([*self.all()])
        self.listed.emit()

    def _offer_tests(self) -> None:
        self._bar.list_library(self.tests(), self.people(), self.person)

    def _show_forget(self) -> None:
        self._bar.forget.setEnabled(self._bar.page.currentText() in self._templates.all())

    def _forget(self) -> None:
        try:
            self._templates.drop(self._bar.page.currentText())
        except OSError as failure:
            self._bar.say(tr("The template cannot be forgotten: {why}.", why=failure.strerror))
            return
        self.list()
