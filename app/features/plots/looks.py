"""What all plots show: which runs, what lies across, what happened as lines, other runs as lines or a band."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.curves.curves import (
    Corridor,
    Curve,
    Happening,
    Kind,
    Measured,
    Spread,
    Wanted,
    corridor_text,
    curve,
    rated,
    spread,
)
from app.features.plots.sheets import Arrangement, PlotRow
from app.run_view.record import Catalogue, RunRecord
from app.run_view.run_view import RunView
from solver.base.words import msgid, tr
from solver.results import ResultsError
from solver.results.names import quantity_label
from solver.results.quantities import Quantities

if TYPE_CHECKING:
    from app.curves.plot import Plot
K = TypeVar("K", bound=str)

OTHERS: dict[Kind, str] = {
    "lines": msgid("Other runs as dashed lines"),
    "range": msgid("Runs as a band, lowest to highest"),
    "deviation": msgid("Runs as a band, mean ± standard deviation"),
}
STANDS: dict[Arrangement, str] = {
    "beside": msgid("Plots side by side"),
    "below": msgid("Plots below each other"),
    "grid": msgid("Plots in a grid"),
}


class Looks(QObject):
    """Hold it, and offer it in a menu; `changed` tells that the plots are to be drawn again."""

    changed = Signal()
    page_asked = Signal()
    """One more page of plots is wanted."""
    formula_asked = Signal()
    """A curve is to be made of others."""

    def __init__(self, run_view: RunView, row: PlotRow, parent: QObject) -> None:
        super().__init__(parent)
        self._run_view, self._row = run_view, row
        self.second: float | None = None
        """Where the second cursor stands (s), from which differences are told."""
        row.second_asked.connect(self.put_second)
        self.events = True
        self.others: Kind = "lines"
        self._known: tuple[RunRecord | None, int, tuple[Happening, ...]] = (None, -1, ())

    def happenings(self) -> Sequence[Happening]:
        """What happened in the run that is shown, the windows of figures by their beginning; none if not wanted."""
        record = self._run_view.runs.current
        if not self.events or record is None or record.trajectory is None or record.is_running:
            return ()
        frames = len(record.trajectory.time)
        if self._known[:2] != (record, frames):
            labels = tuple(
                Happening(1e3 * mark.time, mark.short or mark.words)
                for mark in self._run_view.marks()
            )
            self._known = (record, frames, labels)
        return self._known[2]

    def toggle_events(self) -> None:
        """Draw what happened when, or no longer."""
        self.events = not self.events
        self.changed.emit()

    def draw_others(self, kind: Kind) -> None:
        """Draw the other runs in another way."""
        self.others = kind
        self.changed.emit()

    def put_second(self, t: float | None) -> None:
        """Put the second cursor on an instant (s) in all plots; None takes it away."""
        self.second = t
        for plot in self._row.plots:
            plot.put_second(t)
            plot.set_time(self._run_view.player.time)

    def toggle_second(self) -> None:
        """Put the second cursor where the first one is, or take it away."""
        self.put_second(self._run_view.player.time if self.second is None else None)

    def split_active(self) -> None:
        """Give each curve of the active plot a plot of its own."""
        self._row.split_active()
        self.changed.emit()

    def fill(self, menu: QMenu) -> None:
        """Offer everything in a menu, what is on with a mark."""
        menu.clear()
        for words, on, do in (
            (tr("What happened, by name"), self.events, self.toggle_events),
            (tr("Second cursor"), self.second is not None, self.toggle_second),
        ):
            action = QAction(words, menu, checkable=True, checked=on)
            action.triggered.connect(lambda _=False, do=do: do())
            menu.addAction(action)
        self._choose(menu, OTHERS, self.others, self.draw_others)
        self._choose(menu, STANDS, self._row.stands, self._row.arrange)
        menu.addSeparator()
        menu.addAction(tr("Each curve in a plot of its own"), self.split_active)
        menu.addAction(tr("Another page of plots"), self.page_asked.emit)
        menu.addAction(tr("Calculate a curve…"), self.formula_asked.emit)

    def _choose(
        self, menu: QMenu, choices: Mapping[K, str], now: K, choose: Callable[[K], None]
    ) -> None:
        """Offer one of several."""
        menu.addSeparator()
        group = QActionGroup(menu)
        for key, words in choices.items():
            action = QAction(tr(words), menu, checkable=True, checked=key == now)
            action.triggered.connect(partial(_chosen, choose, key))
            group.addAction(action)
            menu.addAction(action)


def _chosen(choose: Callable[[K], None], key: K, _: bool = False) -> None:
    choose(key)


def across_words(plot: Plot, record: RunRecord | None) -> str:
    """Name what lies across in a plot."""
    if plot.across is None or record is None:
        return "time"
    return quantity_label(record.project, plot.across.name)


def fill_across(
    menu: QMenu,
    plot: Plot | None,
    record: RunRecord | None,
    choose: Callable[[Wanted | None], object],
) -> None:
    """Offer time, the plot's own curves, and say how to take any other quantity."""
    menu.clear()
    menu.addAction(tr("Time"), lambda: choose(None))
    if plot is None or record is None:
        return
    for wanted in plot.wanted:
        menu.addAction(quantity_label(record.project, wanted.name), partial(choose, wanted))
    menu.addSeparator()
    hint = menu.addAction(tr("Any other: right click in the list of quantities"))
    hint.setEnabled(False)


def runs_next_to(run_view: RunView, record: RunRecord, *, all_: bool) -> list[RunRecord]:
    """List the runs to draw beside the current one, and all where that is wanted."""
    records = run_view.runs.records if all_ else []
    found = dict.fromkeys([*run_view.beside(record), *records])
    return [r for r in found if r is not record and not r.is_running]


def drawn(
    run_view: RunView, record: RunRecord, found: Quantities, others: list[RunRecord]
) -> tuple[RunRecord, Quantities, list[RunRecord]]:
    """The run whose curves are drawn, what it can be asked for, and the runs beside it.

    One that is coming is drawn while it grows; what it takes the place of stays faintly beside it until then.
    """
    coming = run_view.coming
    grown = None if coming is None else run_view.catalogue.of(coming)
    if coming is None or grown is None or not coming.is_running:
        return record, found, others
    return coming, grown, list(dict.fromkeys([*others, record]))


@dataclass(slots=True)
class Fetched:
    """What a plot draws; `ghosts` are curves of other runs, each with what lies across."""

    curves: list[Curve] = field(default_factory=list)
    over: Curve | None = None
    ghosts: list[tuple[Curve, Curve | None]] = field(default_factory=list)
    tests: list[Curve] = field(default_factory=list)
    spreads: list[Spread] = field(default_factory=list)
    limits: list[tuple[Curve, Curve]] = field(default_factory=list)
    ratings: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)


class Fetcher:
    """Fetch curves; those of runs that have ended are kept, as they do not change any more."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._kept: WeakKeyDictionary[RunRecord, dict[tuple[Wanted, str], Curve]] = (
            WeakKeyDictionary()
        )

    def fetch(
        self,
        record: RunRecord,
        found: Quantities,
        others: Sequence[RunRecord],
        wanted: Sequence[Wanted],
        across: Wanted | None,
        tests: Sequence[Measured],
        corridors: Sequence[Corridor],
        system: str,
        others_as: Kind = "lines",
    ) -> Fetched:
        """Fetch all that a plot draws; over another quantity than time no test is drawn."""
        out = Fetched()
        out.curves = self._curves(record, found, wanted, system, out.refusals)
        out.over = self._over(record, found, across, system, out.refusals)
        as_band = others_as != "lines" and across is None
        for other in others:
            asked = self._catalogue.of(other)
            if asked is not None:
                beside = self._over(other, asked, across, system, [])
                theirs = self._curves(other, asked, wanted, system, [])
                out.ghosts += [(replace(c, run=other.name), beside) for c in theirs]
        if as_band and out.ghosts:
            for one in out.curves:
                same = [ghost for ghost, _ in out.ghosts if ghost.wanted == one.wanted]
                band = spread([one, *same], others_as)
                out.spreads += [band] if band is not None else []
            out.ghosts = []
        if out.ghosts:
            out.curves = [replace(one, run=record.name) for one in out.curves]
        if across is None:
            out.tests = [test.curve(system) for test in tests]
            out.limits = [one.edges(system) for one in corridors]
            out.ratings = [] if record.is_running else ratings(out.curves, out.tests, out.limits)
            out.ratings += dict.fromkeys(one.words for one in out.spreads)
        return out

    def curves(
        self, record: RunRecord, found: Quantities, wanted: Sequence[Wanted], system: str
    ) -> list[Curve]:
        """Fetch what a run has of some curves."""
        return self._curves(record, found, wanted, system, [])

    def _curves(
        self,
        record: RunRecord,
        found: Quantities,
        wanted: Sequence[Wanted],
        system: str,
        refusals: list[str],
    ) -> list[Curve]:
        out = []
        for one in wanted:
            try:
                out.append(self._curve(record, found, one, system))
            except ResultsError as refusal:
                refusals.append(str(refusal))
        return out

    def _curve(self, record: RunRecord, found: Quantities, wanted: Wanted, system: str) -> Curve:
        if not self._catalogue.is_final(record, found):
            return curve(record.project, found, wanted, system)
        kept_ones = self._kept.setdefault(record, {})
        if (wanted, system) not in kept_ones:
            kept_ones[wanted, system] = curve(record.project, found, wanted, system)
        return kept_ones[wanted, system]

    def _over(
        self,
        record: RunRecord,
        found: Quantities,
        across: Wanted | None,
        system: str,
        refusals: list[str],
    ) -> Curve | None:
        if across is None:
            return None
        curves = self._curves(record, found, [across], system, refusals)
        return curves[0] if curves else None


def ratings(
    curves: Sequence[Curve], tests: Sequence[Curve], limits: Sequence[tuple[Curve, Curve]]
) -> list[str]:
    """Say how well the first curve of their unit agrees with tests, and keeps to corridors."""
    out = []
    both: list[Curve | tuple[Curve, Curve]] = [*tests, *limits]
    for against in both:
        test = against if isinstance(against, Curve) else against[0]
        first = next((one for one in curves if one.unit == test.unit), None)
        if first is None:
            out.append(tr("{curve}: no curve of this plot is in its unit.", curve=test.label))
        elif isinstance(against, Curve):
            how = rated(first, test)[1]
            out.append(
                tr("{curve} against {test}: {how}", curve=first.label, test=test.label, how=how)
            )
        else:
            how = corridor_text(first, against)
            out.append(
                tr("{curve} in {corridor}: {how}", curve=first.label, corridor=test.label, how=how)
            )
    return out
