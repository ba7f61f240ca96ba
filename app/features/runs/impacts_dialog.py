"""The impacts of a run as a table: instants, impulses, energy lost, effective mass; a click shows the instant."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QTreeWidget, QTreeWidgetItem

from app.elements import element_label
from app.fonts import em
from app.forms.units import Units
from app.widgets.sheet import Sheet, fit_beside
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.results.impacts import Impact, impacts_of

_COLUMNS = (
    msgid("Instant"), msgid("What strikes"), msgid("Impulse"), msgid("Across"), msgid("Energy lost"),
    msgid("Effective mass"), msgid("Sliding"),
)  # fmt: skip
_WIDTH_EM, _WIDE_EM, _TABLE_PX = 65.0, (6.0, 12.0, 8.0, 8.5, 8.0, 9.0, 8.0), 200
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_STATES = {
    "sticks": msgid("sticks"),
    "slides": msgid("slides on"),
    "reverses": msgid("slides back"),
    "stop": msgid("stop of a joint"),
}


class ImpactsDialog(Sheet):
    """List the impacts of the run that is seen."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(
            bench.window, tr("Impacts of the run"), "guide#runs-and-playback", width_em=_WIDTH_EM
        )
        self._bench = bench
        self.impacts: tuple[Impact, ...] = ()
        self.said = with_properties(QLabel(), wordWrap=True)
        self.table = with_properties(
            QTreeWidget(), columnCount=len(_COLUMNS), rootIsDecorated=False
        )
        self.table.setHeaderLabels([tr(words) for words in _COLUMNS])
        self.table.setAccessibleName(tr("Impacts of the run"))
        self.table.setMinimumHeight(_TABLE_PX)
        for column, wide in enumerate(_WIDE_EM):
            self.table.setColumnWidth(column, round(wide * em()))
            if column not in (1, len(_COLUMNS) - 1):
                self.table.headerItem().setTextAlignment(column, _RIGHT)
        self.table.currentItemChanged.connect(lambda *_: self._go())
        close = with_properties(QPushButton(tr("Close")), toolTip=tr("Leave this (Esc)"))
        close.clicked.connect(self.reject)
        self.column.addWidget(self.said)
        self.column.addWidget(self.table, 1)
        self.add_buttons(close)
        bench.run_view.run_shown.connect(self.reject)
        bench.document.opened.connect(self.reject)
        self._fill()
        fit_beside(self)

    def _fill(self) -> None:
        record = self._bench.run_view.runs.current
        if record is None or record.trajectory is None:
            return
        self.impacts = impacts_of(record.trajectory.events())
        units = Units(self._bench.settings.units)

        def text(value: float, si: str) -> str:
            return units.with_unit(units.short(value, si, 3), si)

        for one in self.impacts:
            is_stop = one.state == "stop"
            name = element_label(record.project, "/".join(one.element.split("/")[:2]))
            row = QTreeWidgetItem([
                text(one.time, "s"), name, text(one.normal, "N*m*s" if is_stop else "N*s"),
                "" if is_stop else text(one.across, "N*s"), text(one.loss, "J"),
                text(one.mass, "kg*m2" if is_stop else "kg"), tr(_STATES[one.state]),
            ])  # fmt: skip
            row.setToolTip(1, tr("Comes at {approach:.3g} and leaves at {leaves:.3g} {unit}", approach=one.approach, leaves=one.leaves, unit="rad/s" if is_stop else "m/s"))  # fmt: skip
            for column in (0, 2, 3, 4, 5):
                row.setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
            self.table.addTopLevelItem(row)
        lost = sum(one.loss for one in self.impacts)
        self.said.setText(
            tr("{count} impacts; they took {lost} in all. A click shows the instant.", count=len(self.impacts), lost=text(lost, "J"))
            if self.impacts
            else tr("Nothing strikes by an impulse in this run: contacts and stops do so where they have a restitution.")
        )  # fmt: skip

    def _go(self) -> None:
        """Show the instant of the impact that is selected, and what struck."""
        item = self.table.currentItem()
        if item is None:
            return
        one = self.impacts[self.table.indexOfTopLevelItem(item)]
        self._bench.run_view.switch(True)
        self._bench.run_view.go(one.time)
        self._bench.document.select("/".join(one.element.split("/")[:2]))
