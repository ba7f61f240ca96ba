"""How all plots are shown: what happened as lines, other runs as lines or a band, and how the plots stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.curves.curves import Happening
from app.curves.spread import Kind
from app.features.plots.row import Arrangement, PlotRow
from app.study.record import RunRecord
from app.study.study import Study
from solver.base.words import msgid, tr

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
    """Hold it, and offer it in a menu; `changed` tells that the plots are to be drawn anew."""

    changed = Signal()
    page_asked = Signal()
    """One more page of plots is wanted."""

    def __init__(self, study: Study, row: PlotRow, parent: QObject) -> None:
        super().__init__(parent)
        self._study, self._row = study, row
        self.second: float | None = None
        """Where the second cursor stands (s), from which differences are told."""
        row.second_asked.connect(self.put_second)
        self.events = True
        self.others: Kind = "lines"
        self._known: tuple[RunRecord | None, int, tuple[Happening, ...]] = (None, -1, ())

    def happenings(self) -> Sequence[Happening]:
        """Give what happened in the run that is shown, the windows of figures by their beginning; none if not wanted."""
        record = self._study.runs.current
        if not self.events or record is None or record.trajectory is None or record.is_running:
            return ()
        frames = len(record.trajectory.time)
        if self._known[:2] != (record, frames):
            told = tuple(
                Happening(1e3 * mark.time, mark.short or mark.words) for mark in self._study.marks()
            )
            self._known = (record, frames, told)
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
            plot.set_time(self._study.player.time)

    def toggle_second(self) -> None:
        """Put the second cursor where the first one is, or take it away."""
        self.put_second(self._study.player.time if self.second is None else None)

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
