"""Settle: show how well the model starts, let it come to rest in the background, show what changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.elements import element_label, with_names
from app.fonts import em
from app.forms.choices import Choice
from app.jobs.compiling import Compiling
from app.jobs.task import Task
from app.widgets.sheet import Sheet, fit_beside
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.analysis.equilibrium import Health, SettleError, Settlement, health, settle
from solver.base.words import msgid, tr
from solver.editing.strapping import bodies
from solver.project import Project, ProjectError

_VERDICTS: dict[str, str] = {
    "balanced": msgid("The model starts at rest."),
    "accepted": msgid("The model starts nearly at rest, as is common practice."),
    "unbalanced": msgid(
        "The model does not start at rest: it will fall, or be thrown, as the run begins."
    ),
}
_HEALTH_COLUMNS = (msgid("At the start"), msgid("Before"), msgid("After"))

_WIDTH_EM, _NAMES_EM, _TABLE_PX = 43.0, 20.0, 120


class SettleDialog(Sheet):
    """Compare the start before and after, and take it over as one step."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window, tr("Settle: start at rest"), "settle", width_em=_WIDTH_EM)
        self._bench = bench
        self._base: Project = bench.document.project
        self.before: Health | None = None
        self.settlement: Settlement | None = None
        self._task: Task | None = None
        self.is_over = False
        """Whether the dialog has ended: nothing that comes later concerns it."""
        self.verdict = QLabel(tr("Looking at the start…"), wordWrap=True)
        self.notes = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.table = with_properties(QTreeWidget(), columnCount=3, alternatingRowColors=False)
        self.table.setHeaderLabels([tr(words) for words in _HEALTH_COLUMNS])
        for column in (1, 2):
            self.table.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        self.table.setColumnWidth(0, round(_NAMES_EM * em()))
        self.table.setMinimumHeight(_TABLE_PX)
        self.table.setAccessibleName(tr("Health of the start, before and after"))
        self.upright = QCheckBox(tr("Keep bodies in their plane (not sideways, no roll or yaw)"))
        self.upright.setChecked(True)
        self.lock = QCheckBox(tr("Lock joints so that the posture is held until the crash"))
        self.webbing = Choice()
        self.webbing.addItem(tr("are laid again, with their slack"), "slack")
        self.webbing.addItem(tr("keep the length of their webbing"), "length")
        self.webbing.setToolTip(
            tr("Whether straps follow the body that has moved, or keep the webbing that they have")
        )
        self.upright.setToolTip(tr("Bodies move up, down, ahead and back, and pitch"))
        self.lock.setToolTip(tr("The posture is kept by locked joints until the crash opens them"))
        self.form.add(tr("Belts"), self.webbing)
        self.form.addRow("", self.upright)
        self.form.addRow("", self.lock)
        self.settle_button = with_properties(
            QPushButton(tr("Settle")),
            objectName="primary",
            toolTip=tr("Let the bodies come to rest; the scene shows it before it is taken over"),
        )
        self.apply_button = with_properties(
            QPushButton(tr("Take it over")),
            toolTip=tr("Let the model start so from now on, as one step that can be undone"),
        )
        close = with_properties(
            QPushButton(tr("Close")), toolTip=tr("Leave the model as it was (Esc)")
        )
        self.settle_button.clicked.connect(self.settle)
        self.apply_button.clicked.connect(self.take_over)
        close.clicked.connect(self.reject)
        self._compiling = Compiling(self.verdict)
        self.column.addWidget(self.verdict)
        self.column.addWidget(self.table, 1)
        self.column.addLayout(self.form)
        self.column.addWidget(self.notes)
        self.add_buttons(close, self.apply_button, self.settle_button)
        self._previewed = False
        self.finished.connect(self._on_finished)
        bench.document.changed.connect(self._on_changed)
        bench.document.opened.connect(self.reject)
        self._look()

    @property
    def is_busy(self) -> bool:
        """Whether something is still being worked out."""
        return self._task is not None

    def settle(self) -> None:
        """Let the model come to rest, in a thread of its own."""
        base, keeps, lock = self._base, self.upright.isChecked(), self.lock.isChecked()
        webbing = self.webbing.currentData()
        self.verdict.setText(tr("Settling… the window can be used meanwhile."))
        self._work(
            lambda: settled(base, webbing, keeps, lock, lambda: self.is_over), self._on_settled
        )

    def take_over(self) -> None:
        """Make the settled start one step of the history."""
        if self.settlement is not None:
            done, self._previewed, self.is_over = self.settlement, False, True
            self._bench.document.replace(done.project, "Settle the start")
            self._bench.say(tr("The model starts settled."))
            self.accept()

    def _look(self) -> None:
        base = self._base
        self._work(lambda: look(base), self._on_looked)

    def _work(self, work, then) -> None:  # type: ignore[no-untyped-def]
        base = self._base

        def ended(result: object) -> None:
            self._task = None
            if self.is_over:
                return
            if base is self._base:
                then(result)
            else:
                self._look()
            self._refresh()

        def failed(failure: Exception) -> None:
            self._task = None
            if not self.is_over:
                self.verdict.setText(_failure_text(failure))
                self._refresh()

        self._task = Task(self._compiling.told_of(work), self._bench)
        self._task.done.connect(ended)
        self._task.failed.connect(failed)
        self._task.start()
        self._refresh()

    def _on_looked(self, health: Health) -> None:
        self.before = health
        self.verdict.setText(tr(_VERDICTS[health.verdict]))
        self._show(compared(self._base, health, None))

    def _on_settled(self, done: Settlement) -> None:
        self.settlement = done
        moves = tr(
            "{name} moves {mm:.0f} mm.",
            name=element_label(self._base, f"segments/{done.moved}"),
            mm=1e3 * done.moved_m,
        )
        self.verdict.setText(f"{tr(_VERDICTS[done.health.verdict])} {moves}")
        self.notes.setText("\n".join(with_names(self._base, note) for note in done.notes))
        self._show(compared(self._base, self.before, done.health))
        self._bench.viewport.preview_project(done.project)
        self._previewed = True

    def _show(self, groups: list[tuple[str, list[Row]]]) -> None:
        self.table.clear()
        bold = QFont(self.table.font())
        bold.setWeight(QFont.Weight.DemiBold)
        for title, rows in groups:
            head = QTreeWidgetItem(self.table, [title, "", ""])
            head.setFont(0, bold)
            for row in rows:
                item = QTreeWidgetItem(head, [row.what, row.before, row.after])
                for column in (1, 2):
                    item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
            head.setExpanded(True)
        # words that are broken into lines ask for their height only now
        fit_beside(self)

    def _refresh(self) -> None:
        self.settle_button.setEnabled(not self.is_busy)
        is_settled = not self.is_busy and self.settlement is not None
        self.apply_button.setEnabled(is_settled)
        next_one, other = self.settle_button, self.apply_button
        if is_settled:
            next_one, other = other, next_one
        for button, name in ((next_one, "primary"), (other, "")):
            button.setObjectName(name)
            button.setDefault(bool(name))
            button.style().polish(button)

    def _on_changed(self, *_: object) -> None:
        """Look again: the model is another now."""
        if self.is_over:
            return
        self._base, self.settlement, self.before = self._bench.document.project, None, None
        self._previewed = False
        self.notes.setText("")
        if self._task is None:
            self._look()

    def _on_finished(self, _: int) -> None:
        self.is_over = True
        if self._previewed:
            self._bench.viewport.update_project(self._bench.document.project)
        self._bench.viewport.setFocus()


def _failure_text(failure: Exception) -> str:
    from solver.project.problems import SimulationError

    if isinstance(failure, SettleError | SimulationError):
        return str(failure)
    if isinstance(failure, ProjectError):
        return next(p.sentence for p in failure.problems if p.severity == "error")
    return tr(
        "The start cannot be worked out: {kind}: {failure}",
        kind=type(failure).__name__,
        failure=failure,
    )


_HEALTH: dict[str, str] = {
    "segments": msgid("Acceleration of mass centres"),
    "contacts": msgid("Pressed in by contacts"),
    "belts": msgid("Tension of belts"),
    "stops": msgid("Beyond the stops of joints"),
}
_LESS_THAN = "< {finest:g} {unit}"

_FINEST = 0.001
"""What is less, in the units shown, is no figure any more."""
_MOST = 12
"""Rows of one group; the largest come first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the comparison."""

    what: str
    before: str
    after: str


def look(project: Project) -> Health:
    """Say how well a project starts."""
    return health(project)


def settled(
    project: Project,
    webbing: Literal["slack", "length"],
    in_plane: bool,
    lock: bool,
    cancel: Callable[[], bool] | None = None,
) -> Settlement:
    """Let all bodies that stand free come to rest, unless `cancel` says that nobody waits for it."""
    hold = [f"{root}.{way}" for root in bodies(project) for way in ("y", "roll", "yaw")]
    return settle(
        project,
        hold=hold if in_plane else (),
        webbing=webbing,
        lock=["all"] if lock else (),
        cancel=cancel,
    )


def compared(
    project: Project, before: Health | None, after: Health | None
) -> list[tuple[str, list[Row]]]:
    """Give groups of lines: accelerations, touches, tensions, stops."""

    def of(health: Health | None, name: str, key: str, value: str) -> dict[str, float]:
        items: Iterable[object] = () if health is None else getattr(health, name)
        return {getattr(item, key): getattr(item, value) for item in items}

    def told(amount: float, unit: str) -> str:
        if 0.0 < abs(amount) < _FINEST:
            return _LESS_THAN.format(finest=_FINEST, unit=unit)
        return f"{amount:.3g} {unit}"

    def rows(name: str, key: str, value: str, list_name: str, scale: float, unit: str) -> list[Row]:
        old, new = of(before, name, key, value), of(after, name, key, value)
        names = sorted({*old, *new}, key=lambda n: -max(abs(old.get(n, 0.0)), abs(new.get(n, 0.0))))
        out = []
        for one in names[:_MOST]:
            title = element_label(project, f"{list_name}/{one}") if list_name else one
            cells = ["", ""]
            for k, (known, values) in enumerate(((before, old), (after, new))):
                if known is not None:
                    cells[k] = told(scale * values[one], unit) if one in values else "–"
            out.append(Row(title, *cells))
        return out

    groups = [
        ("segments", rows("segments", "segment", "acceleration_g", "segments", 1.0, "g")),
        ("contacts", rows("contacts", "contact", "penetration_m", "contacts", 1e3, "mm")),
        ("belts", rows("belts", "belt", "tension_n", "belts", 1.0, "N")),
        ("stops", rows("stops", "joint", "beyond_rad", "joints", 180.0 / math.pi, "°")),
    ]  # fmt: skip
    return [(tr(_HEALTH[name]), found) for name, found in groups if found]
