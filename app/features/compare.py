"""Runs compared: figures, fields that differ, peaks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.comparing.runs import Comparison, Line, compared
from app.features.feature import Feature
from app.fonts import wide
from app.jobs.task import Task
from app.look import LIGHT, Theme
from app.panel import Panel
from app.run_view.record import RunRecord
from app.run_view.run_view import RunView
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.project.names import told_apart


class Compare(Feature):
    """Set runs side by side in a table; a click leads to the curve, the window or the field."""

    name = "compare"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        run_view = bench.run_view
        panel = self.panel = ComparePanel(run_view, bench.tip_of("run.compare"))
        bench.panels.add(
            Panel(
                "compare",
                panel,
                "below",
                tr("Compare"),
                tr("Two or more runs side by side: figures, fields that differ, peaks"),
                go_to=(tr("&Comparison"), tr("Go to the comparison of runs.")),
                topic="guide#comparing-runs",
                moods=("understand",),
            )
        )
        panel.figure_asked.connect(bench.figure_asked)
        panel.quantity_asked.connect(bench.quantity_asked)
        panel.field_asked.connect(bench.document.select)
        panel.report_asked.connect(lambda: bench.report_asked.emit(run_view.compared))
        panel.film_asked.connect(lambda: bench.commands.run("run.film"))
        panel.said.connect(bench.say)
        run_view.compared_changed.connect(self._on_compared)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)

    def _on_compared(self) -> None:
        if self.bench.run_view.compared:
            self.bench.panels.open("compare")


_EMPTY = msgid(
    "Choose two or more runs in the list of runs (with Ctrl) and press Compare: "
    "their figures, peaks and models stand here side by side."
)
_CHANGE = msgid("Change")

_LINE = Qt.ItemDataRole.UserRole
_WHAT_PX, _RUN_PX, _CHANGE_PX = 380, 190, 110
_MANY = 12
"""From more fields on, they stand below the peaks and folded."""


class ComparePanel(QWidget):
    """Show runs side by side; a click leads to the curve, the window or the field."""

    figure_asked = Signal(object)
    quantity_asked = Signal(str)
    field_asked = Signal(str)
    report_asked = Signal()
    film_asked = Signal()
    said = Signal(str)

    def __init__(self, run_view: RunView, tip_of_last: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.run_view, self.system, self._theme = run_view, "metric", LIGHT
        self.comparison = Comparison()
        self.tree = with_properties(QTreeWidget(), uniformRowHeights=True, indentation=12)
        self.tree.setAccessibleName(tr("Differences between runs"))
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.tree.itemClicked.connect(lambda item, _: self._on_click(item))
        self.tree.itemActivated.connect(lambda item, _: self._on_click(item))
        self.heading = QLabel()
        self.swap = _button(tr("Swap"), tr("Compare the other way round"), self._swap)
        self.copy = _button(
            tr("Copy table"),
            tr("Put the table on the clipboard, for a spreadsheet"),
            self.copy_table,
        )
        self.report = _button(
            tr(texts.words.REPORT),
            tr("Write a report with all of these runs"),
            self.report_asked.emit,
        )
        self.film = _button(tr("Movie…"), tr("Write a movie with both runs"), self.film_asked.emit)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 6, 8, 2)
        bar.setSpacing(8)
        bar.addWidget(self.heading)
        bar.addStretch(1)
        for button in (self.swap, self.copy, self.report, self.film):
            bar.addWidget(button)
        listed = QWidget()
        inner = QVBoxLayout(listed)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(2)
        inner.addLayout(bar)
        inner.addWidget(self.tree, 1)
        self.hint = with_properties(QLabel(tr(_EMPTY)), objectName="muted", wordWrap=True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.last = with_properties(
            QPushButton(tr("Compare the last two runs")), toolTip=tip_of_last
        )
        self.last.clicked.connect(self.compare_last)
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.setContentsMargins(24, 8, 24, 8)
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(self.hint)
        column.addWidget(self.last, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(empty)
        self._stack.addWidget(listed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 0)
        layout.addWidget(holder)
        self._lines: list[Line] = []
        self._asked = 0
        self.task: Task | None = None
        run_view.compared_changed.connect(self.refresh)
        run_view.judges.changed.connect(self.refresh)
        run_view.runs.listed.connect(self._show_hint)
        run_view.runs.ended.connect(lambda _: self._show_hint())
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self._list()

    def set_units(self, system: str) -> None:
        """Write numbers in another system of units."""
        self.system = system
        self.refresh()

    def refresh(self) -> None:
        """Compare again, in the background."""
        records = self.run_view.compared
        self._asked += 1
        asked, system = self._asked, self.system
        self._show_hint()
        if not records:
            return
        lead, names = told_apart([record.name for record in records])
        heading = lead + tr(texts.words.COMPARED, first=names[0], others=", ".join(names[1:]))
        judges = self.run_view.judges.names
        limits = tr("Limits of {standards} alone.", standards=judges) if judges else ""
        self.heading.setText(" ".join(filter(None, (heading, limits))))
        self.report.setEnabled(len(records) > 1)
        self.tree.clear()
        self.tree.setHeaderLabels([tr("Comparing …")])
        standards = self.run_view.judges.standards
        self.task = Task(lambda: compared(records, system, standards), self)
        self.task.done.connect(lambda found: self._on_compared(found, asked))
        self.task.failed.connect(lambda failure: self._on_failed(failure, asked))
        self.task.start()

    def _on_failed(self, failure: Exception, asked: object) -> None:
        if self._asked == asked:
            self.said.emit(tr("The runs could not be compared: {why}", why=failure))

    def copy_table(self) -> None:
        """Put the table on the clipboard, cells separated by tabs."""
        rows = [[self.tree.headerItem().text(c) for c in range(self.tree.columnCount())]]
        for n in range(self.tree.topLevelItemCount()):
            section = self.tree.topLevelItem(n)
            assert section is not None
            items = [section, *(section.child(k) for k in range(section.childCount()))]
            rows += [
                [item.text(c) for c in range(self.tree.columnCount())] for item in items if item
            ]
        QApplication.clipboard().setText("\n".join("\t".join(row) for row in rows))
        self.said.emit(tr("The table is on the clipboard."))

    def _on_compared(self, found: Comparison, asked: int) -> None:
        if asked == self._asked:
            self.comparison = found
            self._list()

    def _list(self) -> None:
        """Write the table."""
        records, found = self.run_view.compared, self.comparison
        self._lines = []
        self.tree.clear()
        if not records:
            return
        _, names = told_apart([record.name for record in records])
        heads = [tr("What"), names[0]]
        for name in names[1:]:
            heads += [name, tr(_CHANGE)]
        self.tree.setColumnCount(len(heads))
        self.tree.setHeaderLabels(heads)
        for n, record in enumerate(records):
            self.tree.headerItem().setToolTip(max(1, 2 * n), record.name)
        for column, head in enumerate(heads):
            width = _CHANGE_PX if head == tr(_CHANGE) else _RUN_PX
            self.tree.setColumnWidth(column, wide(_WHAT_PX if column == 0 else width))
        self._section(
            tr("Injury figures"), found.figures, tr("None of the runs has injury figures.")
        )
        if found.people:
            self._section(tr("Who sits there"), found.people)
        many = len(found.fields) > _MANY
        none = tr("The models are the same.") if not found.inside else ""
        fields = (tr("What differs in the models"), found.fields, none, not many)
        peaks = (tr("Peaks"), found.peaks, tr("None of the runs has curves to compare."), True)
        # a few changes tell why the peaks differ; of many the peaks tell more
        for section in (peaks, fields) if many else (fields, peaks):
            self._section(*section)
        if found.inside:
            title = tr("What differs within the bodies ({n} fields)", n=len(found.inside))
            self._section(title, found.inside, "", False)

    def _section(
        self, title: str, lines: list[Line], nothing: str = "", is_open: bool = True
    ) -> None:
        top = QTreeWidgetItem(self.tree, [title])
        top.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = top.font(0)
        font.setBold(True)
        top.setFont(0, font)
        for line in lines:
            self._add(top, line)
        if not lines and nothing:
            item = QTreeWidgetItem(top, [nothing])
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item.setForeground(0, QBrush(QColor(self._theme.muted)))
        top.setExpanded(is_open)
        top.setHidden(not lines and not nothing)

    def _add(self, top: QTreeWidgetItem, line: Line) -> None:
        item = QTreeWidgetItem(top, [line.title])
        t = self._theme
        column = 1
        for n, cell in enumerate(line.cells):
            item.setText(column, cell.words)
            if cell.share is not None and cell.share > 1.0:
                item.setForeground(column, QBrush(QColor(t.error)))
                item.setToolTip(
                    column, tr("{percent:.0f} % of the limit", percent=100 * cell.share)
                )
            elif cell.no_verdict:
                item.setForeground(column, QBrush(QColor(t.muted)))
                item.setToolTip(column, cell.no_verdict)
            column += 1
            if n:
                item.setText(column, cell.change)
                if cell.change == tr(texts.words.SAME):
                    item.setForeground(column, QBrush(QColor(t.muted)))
                column += 1
        item.setToolTip(0, "\n".join(filter(None, (line.title, line.tip))))
        item.setData(0, _LINE, len(self._lines))
        self._lines.append(line)

    def _on_click(self, item: QTreeWidgetItem) -> None:
        place = item.data(0, _LINE)
        if place is None:
            return
        line = self._lines[place]
        if line.figure is not None:
            self.run_view.go(line.figure.t1)
            self.figure_asked.emit(line.figure)
        elif line.quantity:
            self.quantity_asked.emit(line.quantity)
        else:
            self.field_asked.emit(line.path)

    def _show_hint(self) -> None:
        enough = len(self._ended()) > 1
        self.hint.setText(
            tr(_EMPTY)
            if enough
            else tr("Two runs that have ended are needed: run the model, change it, run it again.")
        )
        self.last.setVisible(enough)
        self._stack.setCurrentIndex(1 if self.run_view.compared else 0)

    def _ended(self) -> list[RunRecord]:
        return [record for record in self.run_view.runs.records if record.has_ended]

    def compare_last(self) -> None:
        """Set the last two runs beside each other."""
        ended = self._ended()
        if len(ended) > 1:
            self.run_view.compare(ended[-2:])

    def _swap(self) -> None:
        self.run_view.compare(tuple(reversed(self.run_view.compared)))


def _button(text: str, tip: str, do: Callable[[], object]) -> QToolButton:
    button = with_properties(QToolButton(), text=text, toolTip=tip)
    button.clicked.connect(lambda: do())
    return button
