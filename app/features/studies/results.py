"""All views of a study's results, as tabs: those that have nothing to show are left out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from app.features.studies.charts import CorridorOfRuns, History, Scatter, Tornado
from app.features.studies.fitted import Fitted
from app.features.studies.going import Seen
from app.features.studies.pairs import Pairs
from app.features.studies.parallel import Parallel
from app.features.studies.tables import Figures, RunTable, Signs
from app.features.studies.view import View
from app.guard import guard
from app.having import having
from app.look import LIGHT, Theme
from solver.base.words import tr


class Results(QWidget):
    """Show a study's table in the view that is in front."""

    run_chosen = Signal(int)
    run_asked = Signal(int)
    pair_asked = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = having(QTabWidget(), documentMode=True)
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
        self.seen: Seen | None = None
        self._old: set[View] = set()
        self._theme, self._system = LIGHT, "metric"
        for title, tip, view in self.views:
            self.tabs.setTabToolTip(self.tabs.addTab(view, title), tip)
            view.run_asked.connect(self.run_asked)
            view.pair_asked.connect(self.pair_asked)
        self.table.table.selectionModel().selectionChanged.connect(
            lambda *_: self._choose(self.table.current())
        )
        self.tabs.currentChanged.connect(lambda _: self._draw())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)

    def show_seen(self, seen: Seen) -> None:
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
