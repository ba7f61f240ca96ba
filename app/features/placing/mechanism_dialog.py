"""Loops and freedoms: what the model is as a mechanism, and, where loops start open, all ways to close them."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtWidgets import QLabel, QPushButton, QTreeWidget, QTreeWidgetItem

from app.elements import element_label, with_names
from app.fonts import em
from app.jobs.compiling import Compiling
from app.jobs.task import Task
from app.widgets.sheet import Sheet, fit_beside
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.analysis.equilibrium import Closure, closures
from solver.analysis.equilibrium.assembly import is_open
from solver.analysis.mechanism import Facts, facts
from solver.base.words import Refusal, msgid, tr
from solver.project import Project, ProjectError
from solver.project.checks import check

_COLUMNS = (msgid("Closed so"), msgid("Movement"), msgid("Moves furthest"))
_WIDTH_EM, _WIDE_EM, _TABLE_PX = 46.0, (9.0, 9.0, 24.0), 110


class MechanismDialog(Sheet):
    """Say what the model is as a mechanism; close its loops first, if they are open."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window, tr("Loops and freedoms"), "mechanisms", width_em=_WIDTH_EM)
        self._bench = bench
        self._base: Project = bench.document.project
        self.ways: tuple[Closure, ...] = ()
        self.found: Facts | None = None
        self._task: Task | None = None
        self._is_over = self._is_previewed = False
        self.said = QLabel(tr("Looking at the loops…"), wordWrap=True)
        self.table = with_properties(QTreeWidget(), columnCount=3, rootIsDecorated=False)
        self.table.setHeaderLabels([tr(words) for words in _COLUMNS])
        self.table.setAccessibleName(tr("Ways to close the loops"))
        self.table.setMinimumHeight(_TABLE_PX)
        for column, wide in enumerate(_WIDE_EM):
            self.table.setColumnWidth(column, round(wide * em()))
        self.table.currentItemChanged.connect(lambda *_: self._preview())
        self.table.hide()
        self.told = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.apply_button = with_properties(
            QPushButton(tr("Take it over")), objectName="primary", enabled=False,
            toolTip=tr("Let the model start with its loops closed so, as one step that can be undone"),
        )  # fmt: skip
        self.apply_button.hide()
        close = with_properties(QPushButton(tr("Close")), toolTip=tr("Leave the model as it was (Esc)"))  # fmt: skip
        self.apply_button.clicked.connect(self.take_over)
        close.clicked.connect(self.reject)
        self._compiling = Compiling(self.said)
        for widget in (self.said, self.table, self.told):
            self.column.addWidget(widget)
        self.add_buttons(close, self.apply_button)
        self.finished.connect(self._on_finished)
        bench.document.opened.connect(self.reject)
        bench.document.changed.connect(self._on_changed)
        self._look()

    @property
    def is_busy(self) -> bool:
        """Whether something is still being worked out."""
        return self._task is not None

    def take_over(self) -> None:
        """Make the way that is selected one step of the history."""
        way = self._chosen()
        if way is not None:
            self._is_over, self._is_previewed = True, False
            self._bench.document.replace(way.project, "Close the loops")
            self._bench.say(tr("The loops are closed."))
            self.accept()

    def _look(self) -> None:
        base = self._base
        work: Callable[[], object]
        then: Callable[[object], None]
        if is_open(check(base)):
            work, then = (lambda: closures(base)), self._on_ways
        else:
            work, then = (lambda: _told(base)), self._on_facts
        self._task = Task(self._compiling.told_of(work), self._bench)

        def ended(result: object) -> None:
            self._task = None
            if not self._is_over:
                then(result)

        def failed(failure: Exception) -> None:
            self._task = None
            if self._is_over:
                return
            if isinstance(failure, ProjectError):
                self.said.setText(failure.problems[0].sentence)
            elif isinstance(failure, Refusal):
                self.said.setText(with_names(base, str(failure)))
            else:
                self.said.setText(tr("This cannot be worked out: {kind}: {failure}", kind=type(failure).__name__, failure=failure))  # fmt: skip

        self._task.done.connect(ended)
        self._task.failed.connect(failed)
        self._task.start()

    def _on_ways(self, ways: object) -> None:
        assert isinstance(ways, tuple)
        self.ways = ways
        self.said.setText(tr("The loops start open. No dimension changes where they are closed so:"))  # fmt: skip
        self.table.show()
        self.apply_button.show()
        for n, way in enumerate(self.ways, 1):
            first = way.moved[0] if way.moved else None
            furthest = "" if first is None else tr(
                "{name}: {mm:.3g} mm, {degrees:.3g}°",
                name=element_label(self._base, f"segments/{first.segment}"),
                mm=1e3 * first.way_m, degrees=math.degrees(first.turn_rad),
            )  # fmt: skip
            row = [tr("Way {number}", number=n), f"{1e3 * way.movement_m:.3g} mm", furthest]
            self.table.addTopLevelItem(QTreeWidgetItem(row))
        first_row = self.table.topLevelItem(0)
        if first_row is not None:
            self.table.setCurrentItem(first_row)
        fit_beside(self)

    def _on_facts(self, answer: object) -> None:
        assert isinstance(answer, Facts)
        self.found = answer
        self.said.setText("\n".join(with_names(self._base, str(one)) for one in answer.sentences()))
        products = sum(one.products for one in answer.operations)
        sums = sum(one.sums for one in answer.operations)
        self.told.setText(tr("One evaluation of its motions, accelerations and constraints takes {products} multiplications and {sums} additions; forces come on top.", products=products, sums=sums))  # fmt: skip
        # words that are broken into lines ask for their height only now
        fit_beside(self)

    def _chosen(self) -> Closure | None:
        item = self.table.currentItem()
        return None if item is None else self.ways[self.table.indexOfTopLevelItem(item)]

    def _preview(self) -> None:
        way = self._chosen()
        self.apply_button.setEnabled(way is not None)
        if way is not None:
            self.told.setText("\n".join(with_names(self._base, str(one)) for one in list(way.sentences())[:6]))  # fmt: skip
            fit_beside(self)
            self._bench.viewport.preview_project(way.project)
            self._is_previewed = True

    def _on_changed(self, *_: object) -> None:
        """Leave: the model is another now."""
        if not self._is_over:
            self.reject()

    def _on_finished(self, _: int) -> None:
        self._is_over = True
        if self._is_previewed:
            self._bench.viewport.update_project(self._bench.document.project)
        self._bench.viewport.setFocus()


def _told(project: Project) -> Facts:
    """Find the facts, operations included, which are counted when they are first asked for."""
    found = facts(project)
    _ = found.operations
    return found
