"""Say what a row of the list of runs shows: status, main figures, what it took; and how rows sort."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from app import texts
from app.guard import guard
from app.look import Theme
from app.run_view.record import RunRecord
from solver.base.words import msgid, tr
from solver.injury.figures import short_figure, value_text
from solver.project.criteria import FAMILIES, place_of
from solver.project.outputs import InjuryOutput

_RUN_STATUS: dict[str, str] = {
    "waits": msgid("waits"),
    "running": msgid("running"),
    "completed": msgid("completed"),
    "cancelled": msgid("cancelled"),
    "failed": msgid("failed"),
}

_NAME_PX, _STATUS_PX, _OTHER_PX = 150, 120, 92
_MOST = 4
"""So many figures have a column of their own; all stand in the injury panel."""
Cell = tuple[str, Any]
"""Words, and what they are sorted by."""


def main_figures(records: Sequence[RunRecord]) -> list[str]:
    """Choose the figures with columns of their own: those that the model asks for, then the usual."""
    known = list(dict.fromkeys(name for record in records for name in _injury(record)))
    asked = dict.fromkeys(
        output.id
        for record in records
        for output in record.project.outputs
        if isinstance(output, InjuryOutput) and output.id in known
    )
    found = list(asked)[:_MOST]
    for family in FAMILIES:
        if not any(_own(name) in family for name in found):
            of_family = [name for name in known if _own(name) in family]
            first = min(map(place_of, of_family), default=0)
            found += [name for name in of_family if place_of(name) == first]
    return found[:_MOST]


def _own(name: str) -> str:
    """What a figure is called of a body itself."""
    return name.rpartition(".")[2]


def _injury(record: RunRecord) -> Any:
    return record.trajectory.injury if record.trajectory is not None else {}


def heads(figures: Sequence[str], records: Sequence[RunRecord] = ()) -> list[str]:
    """Name the columns; what the model asks for has its name there."""
    projects = [record.project for record in reversed(records)]

    def words(name: str) -> str:
        plain = short_figure(name)
        named = (short_figure(name, project) for project in projects)
        return next((one for one in named if one != plain), plain)

    first, last = map(tr, texts.words.RUN_FIRST), map(tr, texts.words.RUN_LAST)
    return [*first, *map(words, figures), *last]


def widths(figures: Sequence[str]) -> list[int]:
    """The widths of the columns in pixels."""
    out = [_OTHER_PX] * len(heads(figures))
    out[0], out[1], out[_age(figures)] = _NAME_PX, _STATUS_PX, _STATUS_PX
    return out


def _age(figures: Sequence[str]) -> int:
    """The column that says whether the model has changed since."""
    return heads(figures).index(tr(texts.words.RUN_MODEL))


class RunRow(QTreeWidgetItem):
    """One run; columns sort by their numbers, not by their words."""

    def __init__(self, tree: QTreeWidget, record: RunRecord) -> None:
        super().__init__(tree)
        self.record = record
        self._keys: list[Any] = []
        self.setFlags(self.flags() | Qt.ItemFlag.ItemIsEditable)

    def show_run(self, figures: Sequence[str], outdated: bool, theme: Theme) -> None:
        """Write the row again."""
        cells = _cells(self.record, figures, outdated)
        self._keys = [key for _, key in cells]
        for column, (words, _) in enumerate(cells):
            if self.text(column) != words:
                self.setText(column, words)
        tones = {
            1: {"failed": theme.error, "cancelled": theme.warning}.get(self.record.status),
            _age(figures): theme.warning if outdated else theme.muted,
        }
        for column in range(len(cells)):
            self.setForeground(column, QBrush(QColor(tones.get(column) or theme.text)))
        self.setToolTip(1, self.record.message)

    @guard
    def __lt__(self, other: QTreeWidgetItem) -> bool:
        column = self.treeWidget().sortColumn()
        # while columns come and go, the rows still hold what was written before
        if not isinstance(other, RunRow) or not all(
            0 <= column < len(row._keys) for row in (self, other)
        ):
            return False
        one, two = self._keys[column], other._keys[column]
        if one is None or two is None:
            return one is None and two is not None
        return bool(one < two)


def _cells(record: RunRecord, figures: Sequence[str], outdated: bool) -> list[Cell]:
    found, effort, injury = record.trajectory, record.effort, _injury(record)
    reached = float(found.time[-1]) if found is not None and len(found.time) else 0.0
    out: list[Cell] = [(record.name, record.name.casefold()), (status_words(record), record.status)]
    for name in figures:
        value = injury.get(name)
        if value is None:
            out.append(("", None))
        else:
            out.append((value_text(value.value, value.unit), value.value))
    has_steps = effort.steps > 0
    words = tr("changed since") if outdated else tr("as it is now")
    return [
        *out,
        (tr("{ms:g} ms", ms=1e3 * reached), reached),
        (f"{effort.wall_s:.2f} s" if effort.wall_s else "", effort.wall_s),
        (f"{effort.steps:.0f}" if has_steps else "", effort.steps),
        (f"{effort.energy_balance_J:.2g} J" if has_steps else "", effort.energy_balance_J),
        (words, float(outdated)),
        (_when(record.created), record.created),
        (record.note, record.note.casefold()),
    ]


def _when(created: float) -> str:
    """Write a time of today as an hour, an older one with its day."""
    then = datetime.fromtimestamp(created)
    today = then.date() == datetime.now().date()
    return then.strftime("%H:%M" if today else "%Y-%m-%d %H:%M")


def status_words(record: RunRecord) -> str:
    """Say how a run stands."""
    solving = record.solving
    if record.is_waiting:
        return tr(_RUN_STATUS["waits"])
    if solving is None or solving.stage == "ended":
        return tr(_RUN_STATUS.get(record.status, record.status))
    if solving.is_paused:
        return tr("paused at {percent:.0f} %", percent=100 * solving.fraction)
    if solving.compiling is not None and solving.fraction == 0.0:
        return tr("preparing the solver, once")
    return tr("running, {percent:.0f} %", percent=100 * solving.fraction)
